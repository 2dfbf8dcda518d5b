//! Objects: instances of `Object` types, and how those types are defined, extended and printed.

mod build;
mod construct;
mod extension;
mod hashes;
mod instance;
mod members;
mod predefined;
#[cfg(test)]
mod tests;
mod type_set;

pub use build::build;
pub use construct::{construct, constructor};
pub use extension::{extend, extension_of};
pub use hashes::{member_name, type_name};
pub use instance::Object;
pub use members::{implementation, member};
pub use predefined::{annotation, bindings_producer, deferred, error, lookup_context, pcore};
pub use type_set::{RUNTIME_AUTHORITY, build_type_set};
