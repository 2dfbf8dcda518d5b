//! Answers that stay when a process ends, each with what it rests on: the next process asks the disk whether that is
//! still so, and has the answer without working it out.
//!
//! The one room that writes to the cache. Knows nothing of what an answer says, nor who asks for it.

mod codec;
mod delta;
mod forms;
mod index;
mod judge;
mod ledger;
mod numbers;
mod place;
mod plain;
mod reason;
mod root;
mod seal;
mod stamps;
#[cfg(test)]
mod tests;
mod told;

pub use codec::{decoded, encoded, encoded_in};
pub use forms::{Keys, MovedFile, Readers};
pub use ledger::{Found, Ledger, New};
pub use place::{Cache, cache_folder, inspect_cache, open_cache};
pub use plain::Plain;
pub use reason::{Changed, Saying};
pub use root::Root;
pub use seal::Seal;
