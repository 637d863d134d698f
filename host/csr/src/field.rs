//! A bit field of a 32-bit word.

/// A bit field of a 32-bit register or status word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Lowest bit.
    pub lsb: u32,
    /// Bits, 1 to 32.
    pub width: u32,
}

impl Field {
    /// The field's mask in place.
    pub const fn mask(self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.lsb
    }

    /// The field's value in `word`.
    pub const fn get(self, word: u32) -> u32 {
        (word & self.mask()) >> self.lsb
    }

    /// `value` moved into place; bits beyond the field are dropped.
    pub const fn put(self, value: u32) -> u32 {
        (value << self.lsb) & self.mask()
    }

    /// Whether any bit of the field is set in `word`.
    pub const fn is_set(self, word: u32) -> bool {
        word & self.mask() != 0
    }
}

/// The `N` bytes from `offset`; the generated decoders stay inside their arrays.
pub(crate) fn take<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[offset..offset + N]);
    out
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn fields_select_their_bits_only() {
        let field = Field { lsb: 8, width: 12 };
        assert_eq!(field.mask(), 0x000f_ff00);
        assert_eq!(field.get(0xdead_beef), 0xdbe);
        assert_eq!(field.put(0x1abc), 0x000a_bc00);
        assert!(field.is_set(0x100));
        assert!(!field.is_set(0xfff0_00ff));
        let whole = Field { lsb: 0, width: 32 };
        assert_eq!(whole.mask(), u32::MAX);
    }
}
