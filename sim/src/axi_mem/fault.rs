//! Error responses on order.

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// AR and R.
    Read,
    /// AW, W and B.
    Write,
}

/// Which burst fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The burst with this index among those of its port and direction since the reset.
    Burst(u64),
    /// Every burst that touches this address.
    Address(u64),
}

/// An error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// SLVERR.
    Slave,
    /// DECERR.
    Decode,
}

impl Response {
    pub(super) fn bits(self) -> u64 {
        match self {
            Self::Slave => 2,
            Self::Decode => 3,
        }
    }
}

/// One ordered error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Port by its number in the bus (0 points, 1 scalars, 2 result).
    pub port: usize,
    /// Read or write.
    pub direction: Direction,
    /// Which burst.
    pub at: At,
    /// What is answered. A failed write does not reach the memory.
    pub response: Response,
}

/// All ordered error responses.
#[derive(Clone, Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Orders one more.
    pub fn add(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// Cancels all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The response to a beat at `address` of burst `index`, if one is ordered.
    pub(super) fn find(
        &self,
        port: usize,
        direction: Direction,
        index: u64,
        address: u64,
        bytes: u64,
    ) -> Option<Response> {
        let hit = |f: &&Fault| {
            f.port == port
                && f.direction == direction
                && match f.at {
                    At::Burst(wanted) => wanted == index,
                    At::Address(wanted) => (address..address + bytes).contains(&wanted),
                }
        };
        self.0.iter().find(hit).map(|f| f.response)
    }
}
