//! `pantin-cache`: a persistent store of bytes under hashes, shared by any
//! number of processes.
//!
//! It keeps three kinds of entries, each a plain file with a verified header:
//!
//! * an *answer*: one value under a key its caller chose;
//! * a *bundle*: named small values under one weak key, merged under a lock;
//! * a *blob*: a large value under the hash of its own content.
//!
//! A cache may lose an entry, never lie. So nothing here returns an error:
//! what cannot be read is a miss, what cannot be written is lost, and both are
//! counted.
//!
//! This crate must not know what the bytes mean: nothing of Puppet, nothing of
//! how a value is encoded, nothing of the process's environment or settings
//! (they are arguments), nothing of secrets (a caller seals them before).

// A lint of the workspace may keep file system and clock out of the pure
// rooms. This crate is one of the rooms where they belong.
#![allow(clippy::disallowed_methods)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bundle;
mod clean;
mod counters;
mod disk;
mod entry;
mod gate;
mod key;
mod layout;
mod location;
mod lock;
mod maintain;
mod options;
mod store;
mod survey;

pub use bundle::Bundle;
pub use clean::CleanReport;
pub use counters::Counts;
pub use key::{Key, KeyBuilder};
pub use location::{Platform, default_root};
pub use maintain::{ClearReport, SizeReport, VerifyReport};
pub use options::{Access, StoreOptions};
pub use store::{PutOutcome, Store};

/// The example in the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
