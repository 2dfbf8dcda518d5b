//! Texts in a data format as values: YAML, JSON, HOCON and what hiera-eyaml encrypts, as Puppet's Ruby reads them.
//!
//! Knows no files: a name is for error texts alone. Knows nothing of Hiera, facts or any other use of a value.

#[cfg(test)]
mod examples;
pub mod eyaml;
pub mod hocon;
pub mod json;
pub mod yaml;

use std::fmt;

/// Why a text is no value, in the words of the library that the real Puppet uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    pub message: String,
    /// Where the library, or we, can tell; counted from one.
    pub line: Option<u32>,
    pub column: Option<u32>,
}

impl Error {
    fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), line: None, column: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
