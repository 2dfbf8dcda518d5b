//! Answers that outlive the process, each with its dependencies: the next process checks these and uses the answer.
//!
//! The one room that writes to the cache. Knows nothing of what an answer says, nor who asks for it.
//!
//! ```text
//! place.rs      where the cache is, how large it may grow, where the key to its secrets is
//! root.rs       the folder that answers are told from, and what may be told from another one
//! ledger.rs     the answers to one kind of question: finding one that still holds, adding one
//! index.rs      which answers there are: one table of what the disk was asked and said, and for each answer its numbers
//! validator.rs  whether the dependencies of an answer still hold; each leaf is read at most once
//! forms.rs      what counts of code and of data, where that is less than the bytes of a file
//! reason.rs     why an answer is of no use, as far as digests tell
//! stamps.rs     what need not be asked, as the stamps of files and folders tell
//! told.rs       the long part of an answer, told by that of another one which it is like; delta.rs: how
//! seal.rs       what a secret went into is sealed
//! codec.rs      bincode; plain.rs: values that can be written
//! ```
//!
//! What outlives the process is a node's answer: a head and a catalog (`pantin_repository::answer`), the same whichever
//! command asked. In the store a node has up to eight answers, of several branches and of the rounds in which exported
//! resources settle. An answer holds if every question that was put to the disk for it has the same answer today, and so has
//! what was asked beside the disk: the classifier, where the node's facts come from, settings, the environment, and what others
//! export of the types that it collects. What depends on the clock, on chance, on a command, or on a function that was run over
//! the bridge without being declared deterministic is not stored, nor is what `--code-id`, `--run-config-version` and
//! `--record` make.
//!
//! A question is put again only if no stamp tells the answer: device, number, kind and size of a file, and the times of its last
//! change, which nobody can set, and modification. With the same stamp a file has the same content, and a folder the same names: most questions are about
//! files that are not there, and one look at the folder answers all of them. Links have no part in it, nor has what changed less
//! than two seconds before it was looked at. Stamps are written by the first run that had to ask, and mean nothing elsewhere: in
//! another checkout all is asked once more.
//!
//! A catalog is long, and most of it is that of other nodes of the same kind. The first of a kind is written whole; another, which
//! depends on the same files but for a few, as what is copied from that one and what is new (`told.rs`): some KB, before they are
//! compressed or sealed. So an answer may be lost with
//! its base; it is worked out anew then.
//!
//! What settings and `environment.conf` were read from is not among what an answer depends on, but what they say is (`shape`).
//!
//! An answer is found wherever the repository lies. Paths below it are stored as ways from it (`pantin_repository::answer`), so that
//! they are told of the folder of today. An answer stays where it was made if
//!
//! - it depends on anything outside of the repository but the folders of Puppet's own settings, which are where they are;
//! - a text was handed to code that names the folder: a path, or a setting in which one stands (`LeafKind::Revealed`);
//! - a text that was read for it, or an option, names the folder;
//! - the folder's name stands in the answer elsewhere than as a file's place.
//!
//! A manifest that is read as code (`LeafKind::Code`) may say the same on other lines: of each, its form is kept (`base::Form`), a hash of
//! what it means and the lines that something begins on. An answer that depends on such files holds; the lines of its resources
//! are those of today. One that names such a file elsewhere, in the log or in an error, is worked out anew.
//! So a comment compiles nobody in a new process either. Of a file of data (`LeafKind::Data`) the digest of each key's value is kept, sealed
//! with the key to secrets, and of an answer the keys that it asked for in any data (`hiera::keys`): where nothing but other keys was edited, it
//! holds. Data of modules counts as a whole, for all its keys are looked at. `forms.rs` has both.
//!
//! That a module is added still makes all nodes be asked: which modules there are, a node asks as a whole, for what is not found
//! by its module's name (functions and types in Ruby) is looked for in each of them. To cut that off, each such question would
//! have to be kept as one of its own, in place of the listing.
//!
//! What is said beside the disk is kept as one digest for each who says it (the facts' place, the ENC, settings, the environment,
//! what is exported of each type), so that `--explain-cache` can name the one that is another (`reasons.rs`). Of what the disk said
//! the digest alone is kept: whether something is there can be told as it was, a content only by the digits of its digest, and
//! nothing at all of an answer that is sealed.
//!
//! Bodies' traces and parsed files are not kept: walking traces of all nodes saves a quarter of a run at most, before they are read, and
//! to parse takes a fortieth of it, so that a node that an edit touches would gain little or nothing from them (BENCHMARKS.md has
//! what was measured).

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
mod told;
mod validator;

pub use codec::{decoded, encoded, encoded_in};
pub use forms::{Keys, MovedFile, Readers};
pub use ledger::{Ledger, NewAnswer, StoredHit};
pub use place::{Cache, cache_folder, inspect_cache, open_cache};
pub use plain::Plain;
pub use reason::{ChangedDependency, DiskState};
pub use root::Root;
pub use seal::Seal;
