//! The plain data types of the language: times, versions, URIs and bytes.
//!
//! Each is a value by itself. They take and give plain Rust types and know nothing of the type system, of other
//! values, of the clock or of the zone the machine is in.

mod binary;
mod error;
mod nanoseconds;
mod quantity;
mod semver;
mod semver_range;
mod timespan;
mod timestamp;

pub use binary::{Binary, BinaryFormat};
pub use error::ScalarError;
pub use quantity::{ArithmeticOperator, Quantity};
pub use semver::{Identifier, SemVer};
pub use semver_range::SemVerRange;
pub use timespan::{TIMESPAN_FORMATS, Timespan, TimespanFields, TimespanFormat};
pub use timestamp::{TIMESTAMP_FORMATS, TimeZone, Timestamp};

/// A URI: its text as it was given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Uri(pub String);

impl std::fmt::Display for Uri {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
