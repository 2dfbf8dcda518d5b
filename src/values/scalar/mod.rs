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
mod uri;

pub use binary::{Binary, BinaryFormat};
pub use error::ScalarError;
pub use quantity::{ArithmeticOperator, Quantity};
pub use semver::{Identifier, SemVer};
pub use semver_range::SemVerRange;
pub use timespan::{SpanEnd, TIMESPAN_FORMATS, Timespan, TimespanFields, TimespanFormat};
pub use timestamp::{TIMESTAMP_FORMATS, TimeZone, Timestamp};
pub use uri::{Uri, UriParts};
