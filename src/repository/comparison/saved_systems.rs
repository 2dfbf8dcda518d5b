//! The systems of nodes whose catalogs were saved, by their facts: a catalog does not say what machine it is for.
//!
//! Knows nothing of catalogs.

use pantin_apply::NodeSystem;
use pantin_base::Language;
use pantin_world::Disk;
use pantin_world::facts::{FactSource, FactSources};

use crate::node_sources::read_facts;
use crate::options::{NodeOptions, OpenError};

/// What is known of the nodes of saved catalogs.
#[derive(Clone, Debug)]
pub struct SavedSystems {
    facts: FactSources,
    language: Language,
    /// Somebody wants all nodes to be judged by their facts: one without any is an error.
    wants_all: bool,
}

impl SavedSystems {
    /// Reads the facts that options name. `wants_all`: a node without facts is an error; otherwise what depends on its system is not judged.
    pub fn read(
        disk: &dyn Disk,
        options: &NodeOptions,
        language: Language,
        wants_all: bool,
    ) -> Result<SavedSystems, OpenError> {
        let read = |source: &FactSource| {
            let facts = read_facts(disk, source, language, || Ok(false)).map_err(OpenError::Failed)?;
            Ok::<_, OpenError>((source.clone(), facts))
        };
        let sources = options.facts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let facts = FactSources::new(sources, options.fact_changes.clone()).map_err(OpenError::Usage)?;
        Ok(SavedSystems { facts, language, wants_all })
    }

    /// Returns the system of a node.
    pub(super) fn find(&self, disk: &dyn Disk, node: &str) -> Result<NodeSystem, String> {
        match self.facts.for_node(disk, node)? {
            Some(known) => Ok(NodeSystem::from_facts(&known.facts, self.language)),
            None if self.wants_all => Err(format!("there are no facts of node {node}")),
            None => Ok(NodeSystem::unknown(self.language)),
        }
    }
}
