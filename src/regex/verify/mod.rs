//! Which regular expression literals Ruby takes, and what it says of the others.
//!
//! Ruby first unescapes a pattern (`unescape`), then parses it (`parser` and its helpers), then
//! checks what only the whole tree can tell: references, calls, and look-behinds (`tree`,
//! `calls`, `look_behind`). The first complaint ends it, so the order of the steps is Ruby's.
//!
//! Knows nothing of Puppet, of files, or of matching: no pattern is ever run here.

mod calls;
mod class;
mod group;
mod look_behind;
mod name;
mod options;
mod parser;
mod property;
mod reader;
#[cfg(test)]
mod tests;
mod token;
mod tree;
mod unescape;

use std::fmt::Write;

pub use options::Options;

/// What Ruby has against a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegexError {
    /// Ruby's words, without the `: /pattern/` that follows them: see [`shown`].
    pub message: String,
    /// The byte of the pattern where the culprit starts, where one place is to blame.
    pub offset: Option<usize>,
}

/// Whether Ruby 3.1 would compile `pattern`, without options.
pub fn check(pattern: &str) -> Result<(), RegexError> {
    check_with(pattern, false, false)
}

/// As [`check`], for a pattern that is `extended` or to `ignore_case` from its start.
///
/// Ruby's message is a C string, so that a NUL in a name it quotes ends it.
pub fn check_with(pattern: &str, extended: bool, ignore_case: bool) -> Result<(), RegexError> {
    let options = parser::Options { extended, ignore_case };
    check_whole(pattern, options).map_err(|mut error| {
        if let Some(nul) = error.message.find('\0') {
            error.message.truncate(nul);
        }
        error
    })
}

/// The characters of a pattern as the engine parses them, behind Ruby's own unescaping.
pub(crate) fn characters(pattern: &str) -> Result<Vec<char>, RegexError> {
    unescape::unescape(pattern).map(|text| text.characters)
}

fn check_whole(pattern: &str, options: parser::Options) -> Result<(), RegexError> {
    let text = unescape::unescape(pattern)?;
    parser::Parser::new(&text, options)
        .parse()
        .and_then(|mut tree| {
            calls::check(&mut tree)?;
            look_behind::check(&tree)?;
            match tree.overfull_condition {
                Some(at) => Fault::at(at, group::INVALID_CONDITION),
                None => Ok(()),
            }
        })
        .map_err(|fault| {
            let offset = fault.at.map(|at| text.offset(at, pattern.len()));
            RegexError { message: fault.message, offset }
        })
}

/// The pattern as Ruby's messages show it between slashes.
///
/// Only an unescaped slash or an unprintable ASCII character makes Ruby look at the characters
/// one by one; then, and only then, it also escapes what is not ASCII.
pub fn shown(pattern: &str) -> String {
    let plain = |byte: u8| byte != b'/' && (byte >= 0x80 || (b' '..0x7F).contains(&byte));
    if pattern.bytes().all(plain) {
        return pattern.to_owned();
    }
    let mut shown = String::with_capacity(pattern.len() + 8);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        // Writing to a string cannot fail.
        let _ = match character {
            '\\' => {
                shown.push('\\');
                shown.extend(characters.next());
                Ok(())
            }
            '/' => shown.write_str("\\/"),
            ' '..'\x7F' | '\t'..='\r' => shown.write_char(character),
            '\0'..='\x7F' => write!(shown, "\\x{:02X}", u32::from(character)),
            '\u{80}'..='\u{FFFF}' => write!(shown, "\\u{:04X}", u32::from(character)),
            _ => write!(shown, "\\u{{{:X}}}", u32::from(character)),
        };
    }
    shown
}

/// What is wrong, at an index of the unescaped text.
#[derive(Debug)]
struct Fault {
    message: String,
    at: Option<usize>,
}

impl Fault {
    fn at<T>(at: usize, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { message: message.into(), at: Some(at) })
    }
}
