//! Answers that outlive the process, each with its dependencies: the next process checks these and uses the answer.
//!
//! The only module that writes to the cache. Must not know what an answer says, nor who asks for it.
//!
//! ```text
//! place.rs      the folder of the store, how large it may grow, the key to its secrets
//! root.rs       the root folder of stored answers, and which answers hold in another one
//! ledger.rs     the answers to one kind of question: find one that still holds, add one
//! index.rs      one table of leaves with their digests, and for each answer the numbers of its leaves
//! validator.rs  whether the dependencies of an answer still hold; each leaf is read at most once
//! forms.rs      what of code and of data is compared, where that is less than the bytes of a file
//! reason.rs     why an answer does not hold, as far as digests tell
//! stamps.rs     which leaves need not be read again, by the stamps of files and folders
//! text_base.rs  the long part of an answer as a difference from that of a similar answer; delta.rs: the difference
//! seal.rs       encryption of answers that hold a secret
//! codec.rs      bincode; plain.rs: values that can be stored
//! ```
//!
//! **What is stored.** The answer of a node: a head and a catalog (`pantin_repository::answer`), the same whichever command
//! asked. A node has up to eight stored answers: of several branches, and of the rounds in which exported resources settle. An
//! answer that depends on the clock, on chance, on a command, or on a function that ran over the bridge without being declared
//! deterministic is not stored, nor is one with `--code-id`, `--run-config-version` or `--record`.
//!
//! **When an answer holds.** Every leaf that it depends on has the same digest today, and so has everything else: the
//! classifier, where the node's facts come from, settings, the environment, and what other nodes export of the types that it
//! collects. Each of these is one digest, so that `--explain-cache` can name the one that changed (`reasons.rs`). The files
//! that settings and `environment.conf` came from are no dependencies; the values are (`shape`). Of a leaf only the digest is stored:
//! an explanation can say that a file is there, but not what was in it, and nothing about a sealed answer.
//!
//! **Stamps.** A leaf is read again only if no stamp decides. A stamp is a file's device, number, type and size, the time of
//! its last change, which nobody can set, and of its last modification. With the same stamp a file has the same content, and a folder the
//! same names: most leaves are files that do not exist, and one look at their folder decides all of them. Links have no
//! stamp, nor has anything that changed less than two seconds before it was read. Stamps mean nothing in another checkout:
//! there each leaf is read once more.
//!
//! **Size.** Most of a catalog is equal to that of other nodes of its kind. The first of a kind is stored whole, another one
//! that depends on nearly the same files as copies from the first and new bytes (`text_base.rs`): some KB before compression. An
//! answer is lost with its base, and is then compiled again.
//!
//! **Another checkout.** An answer holds wherever the repository lies: paths below the root are stored relative to it, and written for
//! today's root. It holds in its own checkout only if
//!
//! - it depends on anything outside of the repository but the folders of Puppet's own settings, which have fixed places;
//! - code was handed a text that names the root: a path, or a setting with one in it (`LeafKind::Revealed`);
//! - a text that was read for it, or an option, names the root;
//! - the root's name stands in the answer elsewhere than as a file's place.
//!
//! **Moved lines.** Of a manifest that is read as code (`LeafKind::Code`) the form is stored (`base::Form`): a digest of its
//! meaning and of what parsing it logs, and the lines on which something begins. An answer with such a dependency holds when lines have moved, and its
//! resources get today's lines. An answer that names such a file elsewhere, in the log or in an error, is compiled again.
//!
//! **Puppetfiles.** Of a Puppetfile (`LeafKind::Puppetfile`) the form is which modules it names: its comments do not count.
//!
//! **Facts.** Of what is known of a node, only what was read counts (`node_dependency.rs`): an answer whose file of facts has changed
//! elsewhere holds, and is stored with the new file's digest.
//!
//! **Data.** Of a file of data (`LeafKind::Data`) the digest of each key's value is stored, sealed, and of an answer the keys
//! that it looked up in any data (`hiera::keys`): if only other keys were edited, it holds. Data of modules counts as a
//! whole, for all of its keys are read.
//!
//! **Bindings.** Of a file of bindings (`LeafKind::Bindings`) the digest of each row is stored in the same way, and of an answer the rows
//! that it looked at. What decides which bindings are effective is one row, which every answer has.
//!
//! **Limits.** A new module invalidates all nodes: a node depends on the list of modules as a whole, for functions and types in Ruby are
//! looked for in each of them. Traces and parsed files are not stored: BENCHMARKS.md has what that would save.

mod codec;
mod delta;
mod forms;
mod index;
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
mod text_base;
mod validator;

pub use codec::{decoded, encoded, encoded_in};
pub use forms::{Keys, MovedFile, Readers};
pub use ledger::{Asker, Ledger, NewAnswer, StoredHit};
pub use place::{Cache, cache_folder, inspect_cache, key_file, open_cache};
pub use plain::Plain;
pub use reason::{ChangedDependency, DiskState};
pub use root::Root;
pub use seal::Seal;
