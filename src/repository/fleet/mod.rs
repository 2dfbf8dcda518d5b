//! A run over many nodes: selection, order, threads and summary.
//!
//! How the catalog of a node is come by is not known here: it is asked for through [`Catalogs`]. Nor are files, what is
//! printed, or how a catalog is kept.
//!
//! ```text
//! crew.rs      threads that work through items in order, a window ahead of what was handed over at most; one at a time where
//!              memory is tight
//! select.rs    patterns of names, and shards by the hash of a name
//! rounds.rs    the plan of a run: one round, or as many as it takes until what the nodes export changes nothing; the
//!              trait by which it asks for catalogs
//! report.rs    what is kept of a node when its catalog is dropped; `words.rs`: which words of a message are a node's own
//! group.rs, summary.rs   messages that are the same but for the nodes they are of; the whole
//! ```
//!
//! What a run takes of memory is a few nodes at once, what they share, and a report of each. `--memory` bounds it (the command line's `fleet/bound.rs`):
//! above three quarters of it nobody runs ahead, and environments that are ready are let go, to be made so again by the next node that
//! wants one; above it the run ends, with an error that says how to take less. What the system says of the process counts
//! (`world::resident_bytes`), which Linux alone tells; elsewhere the option is an error.
//!
//! A node sees in each round what all exported the round before, and is compiled again only if another node has changed what it
//! exports of a type that the node collects: so rounds are the same on any number of threads, and end where nothing changes.
//! What a round changes, and whom that touches, is `pantin_compile::Exchange`. What is exported goes through the form in which PuppetDB's terminus stores it: without secrets, without Puppet's own
//! types of values, with the name as an alias where the title is another.

mod crew;
mod group;
mod reason;
mod report;
mod rounds;
mod select;
mod summary;
mod words;

pub use crew::{Crew, work_in_order, worker};
pub use group::Group;
pub use reason::Reason;
pub use report::{About, FilePlace, Message, NodeReport};
pub use rounds::{Answer, Catalogs, Ended, Listener, NodeOutcome, Plan};

pub use pantin_compile::UnsettledExports;
pub use select::{NoneMatch, Shard, select};
pub use summary::Summary;
pub use words::OwnWords;
