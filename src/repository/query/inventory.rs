//! The traits by which the engine learns which nodes there are and what is known of them.

use std::sync::Arc;
use std::time::Duration;

use pantin_compile::{LogLine, NodeRequest};
use pantin_values::{Digest, Digester, Hash, Str, Value};
use pantin_world::enc::Classified;
use pantin_world::environment::{Environment, LoadedEnvironment};
use pantin_world::{NodeData, Remark, TrackedDisk};

use super::{Answer, EnvironmentShelf, ReadyEnvironment};

/// Reads what there is. Everything that is read comes from the disk that is handed in, so that it is known later
/// whether it has to be read again.
pub trait Inventory: Send + Sync {
    /// Settings, and where nodes and environments are.
    fn open(&self, disk: TrackedDisk) -> Result<Arc<dyn OpenedRepository>, String>;
}

/// A control repository whose settings are read.
pub trait OpenedRepository: Send + Sync {
    /// Returns what names all that is told of it, but for the nodes: settings, and where everything is.
    fn shape(&self) -> Digest;

    /// Returns what decides what is known of a node, beside what is read for it.
    fn origin(&self, node: &str) -> Digest;

    /// The nodes that are meant, in the order in which they are answered.
    fn names(&self) -> Vec<Str>;

    fn remarks(&self) -> &[Remark];

    /// Returns what is known of a node.
    fn node(&self, disk: &TrackedDisk, name: &str) -> Result<Prepared, String>;

    /// Returns true if the facts of a node need not be kept to be had again.
    fn can_reread_facts(&self, _name: &str) -> bool {
        false
    }

    /// The facts of such a node, as they were when it was made ready; an error where they are others now.
    fn reread_facts(&self, _disk: &TrackedDisk, name: &str) -> Result<Hash, String> {
        Err(format!("the facts of {name} are not read again"))
    }

    /// Returns an environment, ready for its nodes.
    fn ready(
        &self,
        disk: TrackedDisk,
        environment: WantedEnvironment<'_>,
        shelf: &EnvironmentShelf,
    ) -> Result<ReadyEnvironment, String>;

    /// Returns true if the nodes collect what the other nodes export.
    fn exchanges(&self) -> bool {
        false
    }

    /// Who wants to know how long nodes take.
    fn clock(&self) -> Option<Arc<dyn NodeClock>> {
        None
    }

    /// Returns what a node asks of it.
    fn request(&self, prepared: &Prepared, ready: &ReadyEnvironment) -> Result<NodeRequest, String>;
}

/// Is told of each node that was asked, on the thread that asked it.
pub trait NodeClock: Send + Sync {
    fn now(&self) -> Duration;

    /// `begun`: what [`NodeClock::now`] said before.
    fn record_answer(&self, answer: &Answer, begun: Duration);
}

/// An environment that nodes are in.
#[derive(Clone, Copy, Debug)]
pub enum WantedEnvironment<'w> {
    /// By its name: what is said of it is read.
    Named(&'w str),
    /// As `environments.pp` defines it for a node.
    Defined(&'w Arc<Environment>),
}

/// A node that is ready to be compiled.
#[derive(Clone)]
pub struct Prepared {
    pub node: Arc<NodeData>,
    pub environment: Arc<Environment>,
    /// What finding it had to say.
    pub remarks: Vec<Remark>,
    /// What `environments.pp` logged.
    pub log: Vec<LogLine>,
}

impl Prepared {
    /// Returns the environment of the node, as it is made ready.
    pub fn wanted_environment(&self) -> WantedEnvironment<'_> {
        match self.environment.bindings.is_from_environments_file {
            true => WantedEnvironment::Defined(&self.environment),
            false => WantedEnvironment::Named(&self.environment.name),
        }
    }

    /// Returns what names all that is known of the node.
    pub(super) fn shape(&self) -> Digest {
        let NodeData { name, facts, trusted, server_facts, classes, parameters } = &*self.node;
        let mut digester = Digester::new(b"prepared");
        digester.text(name);
        for hash in [facts, trusted, server_facts, parameters] {
            digester.item(&Value::Hash(hash.clone()));
        }
        let classes = Classified { classes: classes.clone(), ..Classified::default() };
        let loaded = LoadedEnvironment { environment: Arc::clone(&self.environment), remarks: self.remarks.clone() };
        digester.digest(classes.digest()).digest(loaded.shape(""));
        for line in &self.log {
            digester.number(line.level as u64).text(&line.text);
        }
        digester.finish()
    }
}
