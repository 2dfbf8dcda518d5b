//! Puppet bindings: from layers of definitions to the injector of a node, and from a key to its value.
//!
//! Knows the outside only through [`Outside`]: no file, no node, no evaluator.
//!
//! ```text
//! uri.rs         names of bindings: schemes, segments, patterns
//! condition.rs   conditions taken apart into conjunctions, the state of a node, vectors
//! key.rs         keys, and which types share the name `Data`
//! definition.rs  a definition taken apart into entries, one for each key
//! site.rs        categories and layers, from what a `site` statement says
//! injector.rs    the bindings of one state: what is effective, what is wrong
//! copies.rs      alias, renamed, rebind: which binding a copy sees
//! multibind.rs   contributions: which take part, and what they come to
//! classes.rs     included classes, replacements, dependencies
//! produce.rs     from a key to its value: producers, singletons, loops
//! parameters.rs  parameters of classes and resources, and their sources
//! query.rs       queries of exported resources
//! all_states.rs  what is wrong in any state, without a node
//! problem.rs     what is wrong, and where
//! ```

mod all_states;
mod classes;
mod condition;
mod copies;
mod definition;
mod injector;
mod key;
mod multibind;
mod outside;
mod parameters;
mod problem;
mod produce;
mod query;
mod site;
mod uri;

pub use all_states::{StateCheck, check_all_states};
pub use condition::{Category, State};
pub use definition::{Definition, Entry, EntryKind, Expression, ProvidedBinding, ProvidedItem, constant};
pub use injector::{Dependency, Injector, Layer};
pub use key::{Key, key_of, key_of_type};
pub use outside::{ExportedResource, Outside};
pub use pantin_syntax::bindings::rule;
pub use pantin_syntax::bindings::{DependencyArrow, Subject};
pub use problem::{Place, Problem, sort_problems};
pub use produce::{Call, Runtime};
pub use site::{BrokenRule, LayerRequest, SiteValues, check_layer_titles};
pub use uri::{Pattern, Segment, Uri, UriError};
