//! Hiera: from a key to its value in the data of the server, the environment and the modules.
//!
//! [`Hiera`] is what all nodes share: files as they were parsed. [`Lookups`] belongs to one request: its layers, their
//! hierarchies as this node's variables make them, and how keys are to be looked up. Files, variables and functions
//! are asked of [`Outside`], nothing else. A layer (`layer`) has a configuration (`config`), from which a hierarchy is
//! made (`hierarchy`); its entries (`provider`) ask back ends (`backend`, `context`); `search` goes through the layers,
//! `options` says how, `merge` makes one value of several, `interpolate` fills in; `explain` takes notes.

mod absent;
mod ask;
mod backend;
mod config;
mod context;
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

pub use ask::Asked;
pub use explain::Explainer;
pub use key::{Key, split};
pub use keys::{hash_of_key, hash_of_name, keys_of_data, keys_otherwise};
pub use lookups::{Lookups, MissingKey, Wanted};
pub use outside::{FileUse, Function, Kind, Module, Outside, Warning};
pub use settings::Settings;
pub use store::Hiera;
pub use trouble::{Trouble, TroubleKind};
