//! `FILE`, `FILE#SECTION`, `FILE#FROM..TO` and `FILE#SECTION:FROM..TO` on the command line.

use std::ffi::OsStr;
use std::ops::Range;
use std::path::PathBuf;

use crate::{Error, Result};

/// A file, and which part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locator {
    /// The file.
    pub path: PathBuf,
    /// The section, of files that have sections.
    pub section: Option<String>,
    /// Records of the section or file; an open end means the natural one.
    pub range: Option<(Option<u64>, Option<u64>)>,
}

impl Locator {
    /// Splits `text` at its last `#`, unless the whole of it is the name of a file that exists.
    ///
    /// # Errors
    /// [`Error::Usage`] for a range that is not two numbers around `..`, or the wrong way round.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Self> {
        let text = text.as_ref();
        let whole = |path| Self {
            path,
            section: None,
            range: None,
        };
        let Some((path, fragment)) = text.to_str().and_then(|t| t.rsplit_once('#')) else {
            return Ok(whole(text.into()));
        };
        if std::fs::exists(text).unwrap_or(false) {
            return Ok(whole(text.into()));
        }
        let (section, range) = match fragment.split_once(':') {
            Some((section, range)) => (Some(section), Some(range)),
            None if fragment.contains("..") => (None, Some(fragment)),
            None => (Some(fragment), None),
        };
        if path.is_empty() || section == Some("") {
            return Err(Error::usage(format!(
                "`{}`: expected FILE#SECTION, FILE#FROM..TO or FILE#SECTION:FROM..TO",
                text.display()
            )));
        }
        Ok(Self {
            path: path.into(),
            section: section.map(str::to_owned),
            range: range.map(parse_range).transpose()?,
        })
    }

    /// The records asked for out of `count`.
    ///
    /// # Errors
    /// [`Error::BadInput`] when the range reaches beyond `count`.
    pub(super) fn select(&self, count: u64, what: &str) -> Result<Range<u64>> {
        let (from, to) = self.range.unwrap_or((None, None));
        let (from, to) = (from.unwrap_or(0), to.unwrap_or(count));
        if from > to || to > count {
            return Err(Error::bad_input(
                self.to_string(),
                format!("the file holds {count} {what}, so the range must lie in 0..{count}"),
            ));
        }
        Ok(from..to)
    }
}

fn parse_range(text: &str) -> Result<(Option<u64>, Option<u64>)> {
    let bad = || {
        Error::usage(format!(
            "range `{text}`: expected FROM..TO, FROM.. or ..TO with FROM <= TO"
        ))
    };
    let end = |part: &str| match part {
        "" => Ok(None),
        digits => digits.parse().map(Some).map_err(|_| bad()),
    };
    let (from, to) = text.split_once("..").ok_or_else(bad)?;
    match (end(from)?, end(to)?) {
        (Some(from), Some(to)) if from > to => Err(bad()),
        ends => Ok(ends),
    }
}

impl std::fmt::Display for Locator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        write!(f, "{}", self.path.display())?;
        match (&self.section, self.range) {
            (None, None) => Ok(()),
            (Some(section), None) => write!(f, "#{section}"),
            (None, Some((a, b))) => write!(f, "#{}..{}", number(a), number(b)),
            (Some(section), Some((a, b))) => write!(f, "#{section}:{}..{}", number(a), number(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_printed_back() {
        for (text, section, range) in [
            ("a/b.bin", None, None),
            ("c.zkey#a", Some("a"), None),
            ("w.wtns#3..9", None, Some((Some(3), Some(9)))),
            ("w.wtns#3..", None, Some((Some(3), None))),
            ("w.wtns#..9", None, Some((None, Some(9)))),
            (
                "p.ptau#tau-g1:1..5",
                Some("tau-g1"),
                Some((Some(1), Some(5))),
            ),
            ("odd#name.zkey#h", Some("h"), None),
        ] {
            let locator = Locator::parse(text).unwrap();
            assert_eq!(locator.section.as_deref(), section, "{text}");
            assert_eq!(locator.range, range, "{text}");
            assert_eq!(locator.to_string(), text);
        }
    }

    #[test]
    fn a_file_whose_name_has_a_hash_is_taken_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("points#1.bin");
        std::fs::write(&path, b"x").unwrap();
        assert_eq!(Locator::parse(&path).unwrap().path, path);
    }

    #[test]
    fn malformed_fragments_are_usage_errors() {
        for text in [
            "w#3...9", "w#a..b", "w#9..3", "w#", "#a", "w#a:3", "w#-1..2", "w#:1..2",
        ] {
            let error = Locator::parse(text).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{text}: {error}");
        }
    }

    #[test]
    fn ranges_stay_inside_the_file() {
        let select = |text, count| Locator::parse(text).unwrap().select(count, "scalars");
        assert_eq!(select("w", 4).unwrap(), 0..4);
        assert_eq!(select("w#1..", 4).unwrap(), 1..4);
        assert_eq!(select("w#4..", 4).unwrap(), 4..4);
        assert_eq!(select("w#..2", 4).unwrap(), 0..2);
        assert_eq!(select("w#5..", 4).unwrap_err().exit_code(), 3);
        let error = select("w#0..18446744073709551615", 4)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("holds 4 scalars") && error.contains("0..4"),
            "{error}"
        );
    }
}
