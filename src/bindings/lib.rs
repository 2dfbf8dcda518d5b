//! Puppet bindings: from layers of definitions to the injector of a node, and from a key to its value.
//!
//! Knows the outside only through [`Outside`]: no file, no node, no evaluator.
//!
//! ```text
//! uri.rs         names of bindings: schemes, segments, patterns
//! condition.rs   conditions taken apart into conjunctions, the state of a node, vectors
//! key.rs         keys, and which types share the name `Data`
//! definition.rs  a definition taken apart into entries, one for each key
//! definition_reader.rs  from a parsed file to entries
//! parameter_reader.rs   the same for parameters, variables, maps and dependencies
//! provided.rs    what an ENC or a function provides
//! site.rs        categories and layers, from what a `site` statement says
//! injector.rs    the bindings of one state: what is effective
//! table.rs       all that is loaded, and one injector for each state that a node is in
//! file_rows.rs   the same of one file, for stored answers
//! rows.rs        what an answer is made from, by name, with digests
//! loading.rs     all bindings of all layers, and what is wrong whatever the state is
//! checks.rs      what is wrong in one state
//! copies.rs      alias, renamed, rebind: which binding a copy sees
//! multibind.rs   contributions: which take part, and what is wrong with them
//! contributions.rs  what contributions come to
//! classes.rs     included classes, replacements, dependencies
//! produce.rs     from a key to its value: producers, singletons, loops
//! explain.rs     what became of each binding of a key
//! explanation.rs the same as data
//! parameters.rs  parameters of classes and resources, and their sources
//! source_conflicts.rs  names that two sources of one rank give
//! query.rs       queries of exported resources
//! all_states.rs  what is wrong in any state, without a node
//! empty_outside.rs  an outside with nothing in it, for tests
//! problem.rs     what is wrong, and where
//! ```

mod all_states;
mod checks;
mod classes;
mod condition;
mod contributions;
mod copies;
mod definition;
mod definition_reader;
mod empty_outside;
mod explain;
mod explanation;
mod file_rows;
mod injector;
mod key;
mod loading;
mod multibind;
#[cfg(test)]
mod order_tests;
mod outside;
mod parameter_reader;
mod parameters;
mod problem;
mod produce;
mod provided;
mod query;
mod rows;
mod site;
mod source_conflicts;
mod table;
#[cfg(test)]
mod table_tests;
mod uri;

pub use all_states::{StateCheck, check_all_states};
pub use classes::parameter_subject;
pub use condition::{Category, State};
pub use definition::{Definition, Entry, EntryKind, Expression};
pub use definition_reader::constant;
pub use empty_outside::EmptyOutside;
pub use explanation::{Candidate, ConditionPart, Explanation, LeadsTo, Verdict};
pub use file_rows::{STRUCTURE, WrittenBinding, changed_bindings, file_rows, written_bindings};
pub use injector::{Dependency, Injector, Layer, UnknownKeys, located_fault};
pub use key::{Key, key_of, key_of_type};
pub use outside::{ExportedResource, Outside};
pub use pantin_syntax::bindings::rule;
pub use pantin_syntax::bindings::{DependencyArrow, Subject};
pub use problem::{Place, Problem, sort_problems};
pub use produce::{Call, Runtime, check_type, with_rows};
pub use provided::{ProvidedBinding, ProvidedItem};
pub use rows::{
    DEPENDENCIES, REPLACEMENTS, Row, Rows, VARIABLES, contributions_row, expression_digest, shown_row, subject_row,
};
pub use site::{BrokenRule, LayerRequest, SiteValues, WrongUri, check_layer_titles};
pub use table::{SharedInjector, SharedInjectors, Table};
pub use uri::{Pattern, SCHEMES, Segment, Uri, UriError};
