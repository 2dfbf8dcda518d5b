//! A run over many nodes: order, threads and summary.
//!
//! Must not know how a catalog is made (it asks [`Catalogs`]), stored or printed, and reads no files.
//!
//! ```text
//! crew.rs      threads that work through items in order, at most a window ahead of the last one handed over; one item at a
//!              time where memory is short
//! memory_bound.rs  what is done where memory is short, and when a run ends for it
//! shard.rs     one share of the nodes, by the hash of a name
//! rounds.rs    the plan of a run: one round, or as many as exports need to settle; the trait that brings catalogs
//! report.rs    what is kept of a node when its catalog is dropped
//! summary.rs   the whole run, with equal messages of several nodes as one
//! ```
//!
//! **Memory.** A run holds the catalogs of a few nodes, what they share, and a report of each node. `--memory` limits it
//! (`memory_bound.rs`): above three quarters of the limit no thread runs ahead, and ready environments are dropped, to be
//! made again by the next node that needs one; above the limit the run ends with an error that says how to take less. The
//! figure is the resident size of the process (`world::resident_bytes`), which only Linux tells; elsewhere the option is an error.
//!
//! **Rounds.** In each round a node sees what all nodes exported in the round before. It is compiled again only if another
//! node exports something else of a type that it collects. So rounds are the same on any number of threads, and end when
//! nothing changes (`pantin_compile::Exchange`). An export takes the form in which PuppetDB would store it: without secrets, without
//! Puppet's own types of values, with the name as an alias where the title differs.

mod crew;
mod memory_bound;
mod reason;
mod report;
mod rounds;
mod shard;
mod summary;

pub use crew::{Crew, work_in_order, worker};
pub use memory_bound::MemoryBound;
pub use reason::Reason;
pub use report::NodeReport;
pub use rounds::{Answer, Catalogs, Listener, NodeOutcome, Plan, RunEnd};

pub use pantin_compile::UnsettledExports;
pub use shard::Shard;
pub use summary::Summary;
