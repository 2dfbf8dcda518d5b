//! HOCON as values, as Puppet's `hocon_data` reads it: with ruby-hocon 1.3, its ways and its words.
//!
//! First the text becomes a tree in which later values stand over earlier ones; then substitutions are
//! replaced. An `include` is refused, for here are no files. Knows the surroundings only as it is given them.

mod node;
mod parser;
mod path;
mod resolve;
mod scalar;
#[cfg(test)]
mod tests;
mod tokens;

use super::Error;
use crate::Value;

/// Returns the value of a text, which is a hash. What no key of it names is asked of `variable`, which stands for the
/// environment of the process.
pub fn load(text: &[u8], variable: &dyn Fn(&str) -> Option<String>) -> Result<Value, Error> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let line = 1 + text[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        problem(line as u32, "a byte sequence that is not UTF-8 is not supported")
    })?;
    let root = parser::parse(text)?;
    resolve::resolve(&root, variable)
}

/// In the library's way to tell a place.
fn problem(line: u32, message: impl std::fmt::Display) -> Error {
    Error { message: format!("String: {line}: {message}"), line: Some(line), column: None }
}
