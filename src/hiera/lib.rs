//! Hiera: from a key to its value in the data of the server, the environment and the modules.
//!
//! [`Hiera`] is what all nodes share: files as they were parsed. [`Lookups`] belongs to one request: its layers, their
//! hierarchies as this node's variables make them, and how keys are to be looked up. Files, variables and functions
//! are asked of [`Outside`], nothing else. A layer (`layer`) has a configuration (`config`), from which a hierarchy is
//! made (`hierarchy`); its entries (`provider`) ask back ends (`backend`, `context`); `search` goes through the layers,
//! `options` says how, `merge` makes one value of several, `interpolate` fills in; `explain` takes notes.
//!
//! ```text
//! outside.rs   the trait by which it asks for variables, files, modules, functions
//! lookups.rs   the look-ups of one request; `store.rs`: what all requests share, files as they were parsed
//! search.rs    one search through the layers; `options.rs`: how the data wants its keys looked up
//! absent.rs    keys that surely stand nowhere, told without a search: most parameters of classes have no value in the data
//! layer.rs     global, environment, module; `config/`: a hiera.yaml of version 3, 4 or 5, checked
//! hierarchy.rs a configuration with one node's variables put in; made again when one of them has another value
//! provider.rs  an entry of a hierarchy; `backend.rs`, `eyaml.rs`: the functions it may have; `context.rs`: those of modules
//! interpolate.rs, scope.rs   `%{…}`, and variables as look-ups see them: of a container the leaf alone is asked for
//! data_levels.rs   the files of data that a hiera.yaml can lead to, without a look-up
//! data_place.rs   the line of a file that is wrong, or that gave a value, for a person's eyes
//! undefs.rs    the symbol `:undef`, which merges take for a value and a parameter's default gives way to
//! merge/       the strategies; `explain/`: what was done, as a tree, and that as text
//! ```
//!
//! A function of a module that answers for data is a body as a class is one: its tree of traces is found by its name
//! and its arguments, and no code is run where all is answered as before. What it asks its context is put as often as it asks, for
//! the context keeps what it is told. Where a look-up is explained it is run.

mod absent;
mod ask;
mod backend;
mod config;
mod context;
mod data_levels;
mod data_place;
mod decrypted;
mod dig;
mod explain;
mod eyaml;
mod hierarchy;
mod interpolate;
mod key;
mod keys;
mod layer;
mod location;
mod lookups;
mod merge;
mod options;
mod outside;
mod path;
mod provider;
mod scope;
mod search;
mod settings;
mod store;
#[cfg(test)]
mod tests;
mod trouble;
mod undefs;

pub use ask::LookupRequest;
pub use config::check_configuration;
pub use context::NO_SUCH_KEY;
pub use data_levels::{DataFile, DataLevels, UnmatchedPath};
pub use data_place::{ValueOrigin, line_of_key};
pub use decrypted::{DECRYPTED, DecryptedTexts};
pub use explain::Explainer;
pub use interpolate::{ExpressionProblem, problem_of_expressions};
pub use key::{Key, split};
pub use keys::{KeyHash, changed_keys, hash_of_key, hash_of_name, key_names, keys_of_data};
pub use lookups::{KeyRequest, Lookups, MissingKey};
pub use outside::{FileUse, Function, Module, Outside, Warning, WarningKind};
pub use settings::Settings;
pub use store::Hiera;
pub use trouble::{Trouble, TroubleKind};
