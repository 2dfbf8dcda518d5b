//! Values and types, each of which holds the other: what they are, how they compare, convert and print.
//!
//! Pure: a function here knows its arguments and nothing else. Names that only the outside can
//! resolve (a type alias of a module) come in through [`Resolve`].
//!
//! ```text
//! value.rs     24 bytes; text up to 15 bytes in place, the rest shared; arrays and hashes keep their content hash
//! unencoded.rs texts that Ruby makes of bytes: texts to the language, bytes to a catalog
//! digest.rs    the name of a value by its content: 128 bits, typed, small values in place
//! weight.rs    how much there is to go through
//! named.rs     values by name, whose names others may share
//! types/       types as data, and what they accept, print, have in common, make of brackets and of text
//! object/      object types, type sets, instances
//! new/         `T.new`, with the signatures of each conversion as data
//! ops/         what operators do; a fault says which operand is to blame
//! format/, sprintf/, text.rs   `String.new`, `sprintf`, interpolation
//! mismatch/, signature.rs      what a call takes, and what is said when it does not fit
//! scalar/      times, spans, versions, ranges, URIs, bytes
//! ```

mod array;
pub mod data;
mod digest;
mod entries;
mod entry_order;
mod fault;
pub mod format;
mod hash;
mod identical;
pub mod label;
pub mod merge;
pub mod mismatch;
mod named;
pub mod new;
pub mod object;
pub mod ops;
mod regexp;
mod resource;
mod ruby_class;
pub mod scalar;
mod sequence;
pub mod signature;
pub mod sprintf;
pub mod text;
pub mod types;
pub mod unencoded;
mod value;
mod weight;

use pantin_base::{Language, limits};

pub use array::Array;
pub use fault::{Fault, FaultKind};
pub use hash::Hash;
pub use identical::{hash_identical, identical};
pub use named::NamedValues;
pub use object::Object;
pub use pantin_base::{Digest, Digester, Digestible};
pub use pantin_regex as regex;
pub use regexp::{Regexp, too_many_steps};
pub use resource::{Referred, class_without_title};
pub use ruby_class::{ruby_class, unconvertible};
pub use scalar::{Binary, SemVer, SemVerRange, SpanEnd, Timespan, Timestamp, Uri};
pub use sequence::{Items, Sequence};
pub use types::Type;
pub use value::{Str, Value};
pub use weight::{TypeSize, Weight};

/// How names of types that are not built in are found. The evaluator asks its host; a test has a table.
pub trait Resolve {
    /// Returns the alias, object type or type set of this name (as written, upper case), if there is one.
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault>;

    /// Returns what `Timestamp()` is. Whoever has no clock says so.
    fn now(&mut self) -> Result<Timestamp, Fault> {
        Err(Fault::new("There is no clock here to tell the time"))
    }

    /// Returns the version whose words errors have.
    fn language(&self) -> Language {
        Language::Puppet8
    }

    /// Returns how many elements an array or hash may have.
    fn most_elements(&self) -> u64 {
        limits::ELEMENTS
    }

    /// Returns how many seconds the zone `current` is ahead of UTC.
    fn local_offset(&mut self) -> i32 {
        0
    }
}

/// Knows the built-in types alone.
#[derive(Debug)]
pub struct BuiltInOnly;

impl Resolve for BuiltInOnly {
    fn resolve(&mut self, _name: &str) -> Result<Option<Type>, Fault> {
        Ok(None)
    }
}
