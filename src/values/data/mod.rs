//! Texts in a data format as values: YAML, JSON, HOCON and what hiera-eyaml encrypts, as Puppet's Ruby reads them.
//!
//! Knows no files: a name is for error texts alone. Knows nothing of Hiera, facts or any other use of a value.
//!
//! YAML is read by a scanner and a parser of our own, in the manner of libyaml, for the words and the place of each error
//! belong to the answer. What was compared: 20,000 damaged documents, their value or error against Ruby 3.1's Psych.
//!
//! | | own | libyaml-safer 0.3 | serde-saphyr 2.1 |
//! |---|---|---|---|
//! | as Psych | all | all but one; panics on 59 of 30,000, as on a block without a break at its end | YAML 1.2, and other words |
//!
//! ```text
//! yaml/text.rs      characters and their places; which bytes are allowed
//! yaml/scanner/     to tokens: indentation, keys, scalars in quotes and blocks
//! yaml/parser.rs    to the tree of the first document
//! yaml/scalar.rs    what a plain scalar means: YAML 1.1 as Psych resolves it
//! yaml/build.rs     to values: tags, merge keys, aliases
//! yaml/duplicates.rs   keys that a mapping has twice
//! yaml/emit/        values as Ruby's `to_yaml` writes them
//! json.rs           JSON as Ruby's gem reads it; how it is taken apart stands in `base`, for `syntax` checks it too
//! hocon/            HOCON as ruby-hocon reads it: tokens, tree, substitutions; 7 of 137 texts differ from it, on purpose or where it breaks
//! eyaml.rs          `ENC[PKCS7,…]`: an AES key under an RSA key in a CMS envelope
//! ```

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

/// A key that stands twice in one mapping. Lines and columns count from one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuplicateKey {
    pub key: String,
    pub first_line: u32,
    /// Where it stands again.
    pub line: u32,
    pub column: u32,
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
