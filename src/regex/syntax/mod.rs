//! The syntax of regular expressions: which of them Ruby takes, what it says of the others, and
//! what the ones it takes say.
//!
//! Ruby first unescapes a pattern (`unescape`), then parses it (`parser` and its helpers), then
//! checks what only the whole tree can tell: references, calls, and look-behinds (`tree`,
//! `calls`, `look_behind`). The first complaint ends it, so the order of the steps is Ruby's.
//!
//! Knows nothing of Puppet, of files, or of matching: no pattern is ever run here.

mod calls;
mod class;
mod flags;
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

pub(crate) use flags::{Alphabet, Flags};
pub use options::Options;
pub(crate) use tree::{
    Anchor, Around, CharacterSet, ClassItem, Groups, Property, SyntaxId, SyntaxNode, SyntaxTree, Text,
};

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
pub fn check_with(pattern: &str, extended: bool, ignore_case: bool) -> Result<(), RegexError> {
    with_tree(pattern, Options { ignore_case, multi_line: false, extended }, |_| ())
}

/// Parses and checks a pattern, and makes something of its tree.
///
/// Ruby's message is a C string, so that a NUL in a name it quotes ends it.
pub(crate) fn with_tree<T>(
    pattern: &str,
    options: Options,
    make: impl FnOnce(&SyntaxTree<'_>) -> T,
) -> Result<T, RegexError> {
    let text = unescape::unescape(pattern)?;
    match checked_tree(&text, options) {
        Ok(tree) => Ok(make(&tree)),
        Err(Fault { mut message, at }) => {
            if let Some(nul) = message.find('\0') {
                message.truncate(nul);
            }
            Err(RegexError { message, offset: at.map(|at| text.offset(at, pattern.len())) })
        }
    }
}

fn checked_tree(text: &unescape::Unescaped, options: Options) -> Result<SyntaxTree<'_>, Fault> {
    let mut tree = parser::Parser::new(text, options.into()).parse()?;
    calls::check(&mut tree)?;
    look_behind::check(&tree)?;
    match tree.overfull_condition {
        Some(at) => Fault::at(at, group::INVALID_CONDITION),
        None => Ok(tree),
    }
}

/// Returns the pattern as Ruby's messages show it between slashes.
///
/// Only an unescaped slash or an unprintable ASCII character makes Ruby look at the characters
/// one by one; then, and only then, it also escapes what is not ASCII.
pub fn display_pattern(pattern: &str) -> String {
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
