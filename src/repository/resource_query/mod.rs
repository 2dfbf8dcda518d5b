//! Resources over many nodes, chosen by a selector such as `Package[nginx] { ensure != absent }`.
//!
//! Knows nothing of arguments, nor of how a result is shown.
//!
//! ```text
//! selector.rs   a selector as data: type, titles, conditions
//! parser.rs     reads one from a text; an error knows its place and what was probably meant
//! cursor.rs     the text that is being parsed
//! columns.rs    what is shown of each resource
//! evaluate.rs   whether a condition holds, as far as is known: true, false or unknown
//! candidate.rs  a resource of a catalog, of which only as much is read as a condition needs
//! run.rs        the catalogs of many nodes, and equal resources of several of them told once
//! hints.rs      what was probably meant where nothing fits
//! ```
//!
//! **Secrets.** A comparison with a secret (`Sensitive`, or what eyaml decrypted) is neither true nor false, and neither is its
//! negation. So whether a resource is found never depends on a secret. Resources that are left out for this are counted.
//! Everything that is compared or returned is the text as a person may see it: what eyaml decrypted is hidden in it.

mod candidate;
mod columns;
mod cursor;
mod evaluate;
mod hints;
mod parser;
mod run;
mod selector;

pub use columns::Column;
pub use hints::Hint;
pub use parser::SelectorError;
pub use run::{FoundOn, QueryResult, ResourceGroup, ResourceQuery, Values};
pub use selector::Selector;
