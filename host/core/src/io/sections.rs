//! The container of snarkjs and circom: magic, u32 version, u32 number of sections, then
//! u32 id, u64 length and payload of each.

use super::source::Source;
use crate::Result;

/// More sections than any file has (a ptau has 11); a greater number is damage.
const MAX_SECTIONS: u32 = 1024;

/// Where one section lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) id: u32,
    pub(super) offset: u64,
    pub(super) len: u64,
}

/// The section table of a file, every section inside it.
#[derive(Debug)]
pub(super) struct Sections(Vec<Section>);

impl Sections {
    /// Walks the table after an 8-byte head (magic and version).
    ///
    /// Bytes after the last section are tolerated, as snarkjs does.
    pub(super) fn read(source: &Source, version: u32) -> Result<Self> {
        let got = source.u32_le(4, "version")?;
        if got != version {
            return Err(source.bad(format!("offset 4: version: expected {version}, got {got}")));
        }
        let count = source.u32_le(8, "number of sections")?;
        if count > MAX_SECTIONS {
            return Err(source.bad(format!(
                "offset 8: number of sections: expected at most {MAX_SECTIONS}, got {count}; the \
                 file is damaged"
            )));
        }
        let mut sections = Vec::new();
        let mut at = 12;
        for i in 0..count {
            let field = format!("head of section {} of {count}", i + 1);
            let head: [u8; 12] = source.array(at, &field)?;
            let [a, b, c, d, len @ ..] = head;
            let (id, len) = (u32::from_le_bytes([a, b, c, d]), u64::from_le_bytes(len));
            let offset = at + 12;
            let left = source.len() - offset;
            if len > left {
                return Err(source.bad(format!(
                    "offset {at}: section {id} ({} of {count}) claims {len} bytes, {left} are \
                     left; the file is truncated",
                    i + 1
                )));
            }
            sections.push(Section { id, offset, len });
            at = offset + len;
        }
        Ok(Self(sections))
    }

    /// The one section with this id; `name` goes into the message.
    pub(super) fn need(&self, source: &Source, id: u32, name: &str) -> Result<Section> {
        let mut found = self.0.iter().filter(|s| s.id == id);
        let Some(first) = found.next() else {
            return Err(source.bad(format!("section {id} ({name}): expected one, got none")));
        };
        if let Some(second) = found.next() {
            return Err(source.bad(format!(
                "section {id} ({name}): expected one, got a second at offset {}",
                second.offset - 12
            )));
        }
        Ok(*first)
    }

    /// The section with this id, whose payload must be `len` bytes long.
    pub(super) fn need_len(
        &self,
        source: &Source,
        id: u32,
        name: &str,
        len: u64,
    ) -> Result<Section> {
        let section = self.need(source, id, name)?;
        if section.len != len {
            return Err(source.bad(format!(
                "offset {}: section {id} ({name}): expected {len} bytes, got {}",
                section.offset, section.len
            )));
        }
        Ok(section)
    }
}
