//! The C border to the shims of `zkria-verilate`.

use std::ffi::{CStr, c_char, c_int, c_void};

#[repr(C)]
pub(super) struct RawDut {
    _opaque: [u8; 0],
}

pub(super) type NewDut = unsafe extern "C" fn(u32) -> *mut RawDut;

#[cfg(has_verilator)]
include!(concat!(env!("OUT_DIR"), "/tops.rs"));

#[cfg(not(has_verilator))]
pub(super) static TOPS: &[(&str, NewDut)] = &[];

#[cfg(has_verilator)]
unsafe extern "C" {
    pub(super) fn zkria_dut_free(dut: *mut RawDut);
    pub(super) fn zkria_dut_settle(dut: *mut RawDut) -> c_int;
    pub(super) fn zkria_dut_tick(dut: *mut RawDut) -> c_int;
    fn zkria_dut_ports(dut: *const RawDut, first: *mut *const RawPort) -> u32;
    pub(super) fn zkria_dut_trace_open(dut: *mut RawDut, path: *const c_char) -> c_int;
    pub(super) fn zkria_dut_trace_close(dut: *mut RawDut);
}

/// Without Verilator no `Dut` can be made (`TOPS` is empty), so none of these is ever called.
#[cfg(not(has_verilator))]
mod absent {
    use super::{RawDut, RawPort, c_char, c_int};

    const NEVER: &str = "no Dut exists without Verilator";

    pub(in super::super) unsafe fn zkria_dut_free(_: *mut RawDut) {
        unreachable!("{NEVER}")
    }
    pub(in super::super) unsafe fn zkria_dut_settle(_: *mut RawDut) -> c_int {
        unreachable!("{NEVER}")
    }
    pub(in super::super) unsafe fn zkria_dut_tick(_: *mut RawDut) -> c_int {
        unreachable!("{NEVER}")
    }
    pub(super) unsafe fn zkria_dut_ports(_: *const RawDut, _: *mut *const RawPort) -> u32 {
        unreachable!("{NEVER}")
    }
    pub(in super::super) unsafe fn zkria_dut_trace_open(_: *mut RawDut, _: *const c_char) -> c_int {
        unreachable!("{NEVER}")
    }
    pub(in super::super) unsafe fn zkria_dut_trace_close(_: *mut RawDut) {
        unreachable!("{NEVER}")
    }
}
#[cfg(not(has_verilator))]
pub(super) use absent::*;

/// One port as the shim describes it: `ZkriaPort` of `zkria_dut.h`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct RawPort {
    name: *const c_char,
    data: *mut c_void,
    bits: u32,
    output: u32,
}

/// Copies the port table of a model.
pub(super) fn ports(dut: *mut RawDut) -> Vec<RawPort> {
    let mut first = std::ptr::null();
    // SAFETY: `dut` is a live model; `first` is valid for a write.
    let count = unsafe { zkria_dut_ports(dut, &mut first) };
    // SAFETY: the shim returns `count` ports at `first`, alive as long as the model.
    unsafe { std::slice::from_raw_parts(first, count as usize) }.to_vec()
}

impl RawPort {
    pub(super) fn name(&self) -> &str {
        // SAFETY: the shim's names are string literals.
        let name = unsafe { CStr::from_ptr(self.name) };
        name.to_str().expect("identifiers are ASCII")
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Reads into little-endian words; words past the width are zero.
    #[inline]
    pub(super) fn read(&self, out: &mut [u32]) {
        if self.bits <= 64 {
            let value = self.read_small();
            for (i, word) in out.iter_mut().enumerate() {
                *word = if i < 2 { (value >> (32 * i)) as u32 } else { 0 };
            }
            return;
        }
        let words = self.bits.div_ceil(32) as usize;
        for (i, word) in out.iter_mut().enumerate() {
            *word = if i < words {
                // SAFETY: Verilator stores wide ports as `words` contiguous u32.
                unsafe { self.data.cast::<u32>().wrapping_add(i).read() }
            } else {
                0
            };
        }
    }

    /// Writes little-endian words, cut to the width; missing words are zero.
    #[inline]
    pub(super) fn write(&self, words: &[u32]) {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        if self.bits <= 64 {
            self.write_small(u64::from(word(0)) | u64::from(word(1)) << 32);
            return;
        }
        let count = self.bits.div_ceil(32) as usize;
        for i in 0..count {
            let spare = 32 * count as u32 - self.bits;
            let mask = if i + 1 == count {
                u32::MAX >> spare
            } else {
                u32::MAX
            };
            // SAFETY: Verilator stores wide ports as `count` contiguous u32.
            unsafe {
                self.data
                    .cast::<u32>()
                    .wrapping_add(i)
                    .write(word(i) & mask)
            };
        }
    }

    #[inline]
    fn read_small(&self) -> u64 {
        // Verilator's storage by width: 8, 16, 32 or 64 bits.
        match self.bits {
            // SAFETY: ports of up to 8 bits are one u8.
            0..=8 => u64::from(unsafe { self.data.cast::<u8>().read() }),
            // SAFETY: ports of up to 16 bits are one u16.
            9..=16 => u64::from(unsafe { self.data.cast::<u16>().read() }),
            // SAFETY: ports of up to 32 bits are one u32.
            17..=32 => u64::from(unsafe { self.data.cast::<u32>().read() }),
            // SAFETY: ports of up to 64 bits are one u64.
            _ => unsafe { self.data.cast::<u64>().read() },
        }
    }

    #[inline]
    fn write_small(&self, value: u64) {
        let value = if self.bits == 64 {
            value
        } else {
            value & ((1 << self.bits) - 1)
        };
        match self.bits {
            // SAFETY: ports of up to 8 bits are one u8.
            0..=8 => unsafe { self.data.cast::<u8>().write(value as u8) },
            // SAFETY: ports of up to 16 bits are one u16.
            9..=16 => unsafe { self.data.cast::<u16>().write(value as u16) },
            // SAFETY: ports of up to 32 bits are one u32.
            17..=32 => unsafe { self.data.cast::<u32>().write(value as u32) },
            // SAFETY: ports of up to 64 bits are one u64.
            _ => unsafe { self.data.cast::<u64>().write(value) },
        }
    }
}
