//! What the engine has to be told: which nodes there are, and what is known of them.

use std::sync::Arc;

use super::{Ready, Shelf};
use crate::compile::NodeRequest;
use crate::pcore::Str;
use crate::world::environment::Environment;
use crate::world::{NodeData, Remark, TrackedDisk};

/// Reads what there is. Everything that is read comes from the disk that is handed in, so that it is known later
/// whether it has to be read again.
pub trait Inventory: Send + Sync {
    /// Settings, and where nodes and environments are.
    fn open(&self, disk: TrackedDisk) -> Result<Arc<dyn Opened>, String>;
}

/// A control repository whose settings are read.
pub trait Opened: Send + Sync {
    /// The disk it was opened on, and goes on reading from.
    fn disk(&self) -> &TrackedDisk;

    /// The nodes that are meant, in the order in which they are answered.
    fn names(&self) -> Vec<Str>;

    fn remarks(&self) -> &[Remark];

    /// What is known of a node.
    fn node(&self, disk: &TrackedDisk, name: &str) -> Result<Prepared, String>;

    /// An environment, ready for its nodes.
    fn ready(&self, disk: TrackedDisk, environment: &str, shelf: &Shelf) -> Result<Ready, String>;

    /// What a node asks of it.
    fn request(&self, prepared: &Prepared, ready: &Ready) -> Result<NodeRequest, String>;
}

/// A node that is ready to be compiled.
#[derive(Clone)]
pub struct Prepared {
    pub node: Arc<NodeData>,
    pub environment: Arc<Environment>,
    /// What finding it had to say.
    pub remarks: Vec<Remark>,
}
