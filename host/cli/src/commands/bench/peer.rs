//! Other people's programs: `--peer NAME='CMD'`.

use std::str::FromStr;

use zkria_core::{Error, Result};

/// A command that is run by `sh` on the same input files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalPeer {
    /// The name after `peer:` in a report.
    pub name: String,
    /// The command, with `{points}` and the like in it.
    pub command: String,
}

impl FromStr for ExternalPeer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once('=') {
            Some((name, command))
                if !name.is_empty()
                    && !name.contains(char::is_control)
                    && !command.trim().is_empty() =>
            {
                Ok(Self {
                    name: name.to_owned(),
                    command: command.to_owned(),
                })
            }
            _ => Err(Error::usage(format!("peer `{text}`: expected NAME='CMD'"))),
        }
    }
}

impl ExternalPeer {
    /// The command with every `{key}` replaced by its value, quoted for `sh`.
    pub(super) fn fill(&self, values: &[(&str, String)]) -> String {
        let mut command = self.command.clone();
        for (key, value) in values {
            command = command.replace(&format!("{{{key}}}"), &quote(value));
        }
        command
    }
}

/// Quotes for `sh` what has other than plain characters.
fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_filled_and_quoted() {
        let peer: ExternalPeer = "a=run {points} {n} {points} {other}".parse().unwrap();
        let filled = peer.fill(&[("points", "it's here/p".into()), ("n", "4".into())]);
        assert_eq!(filled, r"run 'it'\''s here/p' 4 'it'\''s here/p' {other}");
        for bad in ["", "a", "=b", "a="] {
            assert!(bad.parse::<ExternalPeer>().is_err(), "{bad}");
        }
    }
}
