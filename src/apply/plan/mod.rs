//! What a partial run applies, and why: the resources that an edit asks for, and what follows from them.
//!
//! Seeds are known before the walk: they are compared with the table of the last runs. What is looked at or asked because of a change
//! is decided in each resource's turn, by the transaction. Must not know how a resource looks at the machine.

mod order;
mod outline;
mod reason;
mod scope;
mod seeds;

pub use outline::{Plan, PlannedChange, PlannedResource};
pub use scope::{DriftMode, MAX_REMOVALS, Prune, Scope};

pub(crate) use order::{Placed, reordered};
pub(crate) use reason::{Because, ChangeOrigin, SeedReason};
pub(crate) use seeds::{SeedInputs, reason_of_row};
