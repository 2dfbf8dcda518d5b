//! The ground floor of all crates: source texts and places in them, diagnostics as plain data, digests, limits.
//!
//! Knows nothing of Puppet's grammar, of files on a disk, or of how anything is shown.

mod arrow;
pub mod budget;
pub mod days;
mod diagnostic;
mod digest;
mod form;
pub mod hex;
pub mod inspect;
pub mod json;
mod language;
pub mod limits;
pub mod names;
mod near;
pub mod number;
pub mod paths;
pub mod random;
pub mod scanf;
mod shared;
pub mod shell;
mod sizes;
mod source;
mod span;
pub mod stack;
pub mod version_order;
mod written;

pub use arrow::Arrow;
pub use diagnostic::{Diagnostic, Place, Related, Severity, Sighting};
pub use digest::{Digest, Digester, Digestible, name_hash};
pub use form::{Form, MovedLines};
pub use language::{Language, Location, Strict};
pub use near::nearest;
pub use shared::Shared;
pub use sizes::bytes_of_text;
pub use source::{Lines, Places, Source, SourceError};
pub use span::Span;
pub use written::LiteralPath;
