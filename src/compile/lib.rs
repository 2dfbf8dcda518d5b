//! From a request to its answer: bodies run against a host that holds the state of one node.
//!
//! `codebase` and `code` hold what is parsed, shared by all nodes; `loader` what one request has loaded of it;
//! `node` the catalog of one node while it is made. `catalog` compiles a node of an environment, `program` one piece of
//! code; `compat` says what of the modules' Ruby runs here.

mod ahead;
mod alias_memo;
mod asked_again;
pub mod catalog;
#[cfg(test)]
mod catalog_tests;
mod clock;
mod code;
mod codebase;
pub mod compat;
mod doubtful;
mod exchange;
mod file;
mod generated_types;
mod known;
mod loader;
mod memo;
mod node;
mod node_block;
mod program;
mod recalled;
mod redefined;
mod report;
mod resource_types;
mod ruby_functions;
mod session;
mod static_catalog;
#[cfg(test)]
mod tests;
mod told_alike;
mod type_set;
mod types;

pub use asked_again::AskedAgain;
pub use clock::{BodyClock, Ran};
pub use exchange::{Exchange, Heard, Settled, Unsettled, digests_by_type, settle};
pub use node::{Bodies, BodyWalk, Consulted, NodeRequest, Reach, Walked, Walks, of_file, of_variable};
pub use node_block::NodeBlock;
pub use program::{Answered, Ended, Program, Request};
pub use recalled::Recaller;
pub use report::{LogLine, without_node};
pub use session::Session;
pub use told_alike::Grounds;
