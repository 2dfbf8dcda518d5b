//! Many nodes at once: which of them, on how many threads, in which order, and what is to be said of them in the end.
//!
//! How the catalog of a node is come by is not known here: it is asked for through [`Catalogs`]. Nor are files, what is
//! printed, or how a catalog is kept.

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
pub use rounds::{Answer, Catalogs, Ended, Listener, Plan, Told};

pub use pantin_compile::Unsettled;
pub use select::{NoneMatch, Shard, select};
pub use summary::Summary;
pub use words::OwnWords;
