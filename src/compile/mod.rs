//! From a request to its answer: bodies run against a host that holds the state of one node.
//!
//! So far a program without a catalog: code, functions, types and templates. A resource or a class
//! in it is refused with a clear error.

mod definitions;
mod file;
mod host;
mod program;
mod report;
mod scope;
mod session;
#[cfg(test)]
mod tests;
mod type_set;
mod types;

pub use program::{Answered, Ended, Program, Request};
pub use report::LogLine;
pub use session::Session;
