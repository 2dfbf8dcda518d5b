//! The answers of all nodes as salsa queries: which of them an edit invalidates, and how they are brought up to date.
//!
//! `database` holds the in-process side as queries of salsa: its inputs are the questions that were put to the disk, its
//! answers the world of the repository, its environments, what is known of each node, and the catalogs. Bodies are not
//! its affair: they are shared between nodes by their traces, and a catalog that is made again walks those; most are
//! patched (`patch`).
//!
//! Knows nothing of arguments and of how anything is shown: whoever reads arguments hands in an [`Inventory`].
//!
//! ```text
//! inventory.rs  the trait by which it is told which nodes there are: whoever reads arguments implements it
//! database.rs   the queries: the repository, its environments, what is known of each node, its answer
//! blocks.rs     what answers depend on, by groups of blocks of leaves
//! ready.rs      an environment that is ready for its nodes, and what stays when it is made ready again
//! aside.rs      what is known of a node, without its facts once it was asked
//! pool.rs       equal resources as one, equal lists of tags, of classes and of edges, what equal walks led through
//! exported.rs   what the nodes of a round see of each other's exports, by type
//! engine.rs     all nodes in parallel, and what follows when the disk is looked at again
//! patch/        catalogs that are patched: edit.rs says what was edited, last.rs what a node was answered last, touched.rs which
//!               of its bodies that has to do with, deed.rs what these do otherwise, became.rs what that made of resources
//!               elsewhere, patched.rs what it makes of its catalog
//! ```
//!
//! An input of salsa is one answer of the disk (a content, a listing, that a file is not there), by its digest. A query reads
//! through a tracked disk of its own and then names the leaves it has read, also those that were read by somebody else for
//! what it shares with them. They are thousands, nearly the same for all nodes: between the two stand blocks of 64 leaves, and groups of
//! eight blocks (`DependencySet`); which of a block one depends on is two numbers. So an edit asks again those nodes alone whose answers depend on it, and asking again is a walk
//! through the traces of their bodies: a comment runs nothing. What was opened, what is known of a node and an environment that is
//! ready each have a `shape`, which names all they say: made again and the same, they ask nobody. So a node that comes, and a
//! comment in `puppet.conf` or in facts, are nobody else's affair. `tests/reuse` says of each kind of edit which nodes are
//! asked again, which bodies run, and that the answers are those of a compiler that keeps nothing.
//!
//! Facts that stand in a file for each node are let go once the node was answered, and so is what the file said, but for its digest: a
//! node that is compiled again reads them again (`aside.rs`), and it is an error for that round if the file says something else by then than
//! what the answers depend on. Where nodes exchange what they export, facts are kept: each is asked several times in a row.

mod answer;
mod blocks;
mod database;
mod engine;
mod evictable_facts;
mod exported;
mod inventory;
mod patch;
mod pool;
mod ready;

pub use answer::{Answer, AnswerFailure};
pub use engine::{Engine, FleetAnswers};
pub use inventory::{Inventory, NodeClock, OpenedRepository, Prepared};
pub use patch::EditedLeaf;
pub use ready::{EnvironmentShelf, ReadyEnvironment};
