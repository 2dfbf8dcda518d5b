//! The answers of all nodes in memory: salsa says which of them an edit affects, the engine brings those up to date.
//!
//! Must not know a command line or an output format: whoever has these implements [`Inventory`].
//!
//! ```text
//! inventory.rs        the trait by which the engine learns which nodes there are
//! database.rs         inputs and queries of salsa: the repository, environments, prepared nodes, which answers are affected
//! recorded.rs         a node's last answer with everything that it was computed from: an input of salsa
//! compiled.rs         compiles one node
//! blocks.rs           dependency sets: leaves packed in blocks that nodes share
//! ready.rs            an environment ready for its nodes, and what is kept when it is made ready again
//! evictable_facts.rs  prepared nodes without their facts
//! pool.rs             equal resources, tags, classes, edges and walks, each stored once
//! exported.rs         exports of a round, by type
//! edit_journal.rs     what was edited since the answers that patches start from
//! trace_sweep.rs      drops traces of code that is gone
//! engine.rs           the refresh after an edit; brings affected nodes up to date, in parallel
//! patch/              patched catalogs: edit.rs analyses the edit, last_answer.rs keeps a node's last answer,
//!                     affected_bodies.rs, rebinding.rs and body_change.rs compute what bodies do differently, resource_rewrites.rs how
//!                     resources change elsewhere, patched.rs the new catalog; refusal.rs has the reasons against a patch
//! ```
//!
//! **Inputs.** An input of salsa is the digest of one leaf: the content of a file, a listing, that a file does not exist. A
//! query reads through a tracked disk of its own, then declares the leaves it has read, also those that another query read for
//! something they share. The other input is what a node was answered last (`RecordedAnswer`).
//!
//! **Affected nodes.** The query `is_affected` compares what a recorded answer was computed from with what there is now: settings,
//! environment, facts, leaves, exports. It compiles nothing and changes nothing. A node depends on thousands of leaves, nearly the
//! same ones for all nodes. So between leaves and nodes stand blocks of 64 leaves and groups of eight blocks (`DependencySet`): two
//! numbers say which leaves of a block a node depends on.
//!
//! **Updates.** `Engine::answers` patches or compiles the affected nodes, outside of any query, and sets their new answers as
//! inputs. `AnswerCounts` says how many nodes were unaffected, patched, walked and compiled.
//!
//! **Equal results.** The opened repository, each prepared node and each ready environment have a `shape`, a digest of all
//! that they say. If it is the same as before, no node is affected. So a new node, or a comment in
//! `puppet.conf` or in facts, affects no other node. Bodies are no queries: nodes share them by their traces. A catalog that is
//! made again replays these or, mostly, is patched (`patch`). `tests/reuse` states for each kind of edit which nodes
//! are invalidated and which bodies run, and compares the answers with those of a compiler without memory.
//!
//! **Facts.** Facts that stand in a file per node are dropped once the node is answered, and so is the file's content, but
//! not its digest. A node that is compiled again reads them again (`evictable_facts.rs`); if the file has another digest by
//! then, the round ends in an error. Facts are kept where nodes collect each other's exports, for then a node is compiled several times
//! in a row.

mod answer;
mod blocks;
mod compiled;
mod database;
mod edit_journal;
mod engine;
mod evictable_facts;
mod exported;
mod inventory;
mod patch;
mod pool;
mod ready;
mod recorded;
mod trace_sweep;

pub use answer::{Answer, AnswerCounts, AnswerFailure, FindingsCell, HowComputed, NodeCatalog, ReadCatalog};
pub use engine::{Engine, FleetAnswers};
pub use inventory::{Inventory, NodeClock, OpenedRepository, Prepared, WantedEnvironment};
pub use patch::{EditedLeaf, PatchRefusal};
pub use ready::{EnvironmentShelf, ReadyEnvironment};
