//! Facts that are dropped after a node was compiled, and read again when it is compiled again. Facts that cannot be read
//! again are kept.

use std::sync::{Arc, Mutex, PoisonError};

use pantin_values::{Digest, Hash};
use pantin_world::{NodeData, TrackedDisk};

use super::inventory::{OpenedRepository, Prepared};

pub(super) struct EvictableFacts {
    /// Without facts.
    rest: Prepared,
    shape: Digest,
    /// `None`: they were let go.
    facts: Mutex<Option<Hash>>,
    can_be_read_again: bool,
}

impl EvictableFacts {
    pub(super) fn new(prepared: Prepared, opened: &dyn OpenedRepository) -> EvictableFacts {
        let shape = prepared.shape();
        let facts = prepared.node.facts.clone();
        let can_be_read_again = opened.can_reread_facts(&prepared.node.name);
        EvictableFacts {
            rest: with_facts(&prepared, Hash::default()),
            shape,
            facts: Mutex::new(Some(facts)),
            can_be_read_again,
        }
    }

    /// Returns what names all that is known of the node.
    pub(super) fn shape(&self) -> Digest {
        self.shape
    }

    /// Returns all but the facts.
    pub(super) fn without_facts(&self) -> &Prepared {
        &self.rest
    }

    /// All, for one compilation. `is_last`: no other is to be expected soon.
    pub(super) fn with_facts(
        &self,
        opened: &dyn OpenedRepository,
        disk: &TrackedDisk,
        is_last: bool,
    ) -> Result<Prepared, Arc<str>> {
        let held = {
            let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
            if is_last && self.can_be_read_again { facts.take() } else { facts.clone() }
        };
        let facts = match held {
            Some(facts) => facts,
            None => opened.reread_facts(disk, &self.rest.node.name)?,
        };
        Ok(with_facts(&self.rest, facts))
    }
}

fn with_facts(prepared: &Prepared, facts: Hash) -> Prepared {
    let NodeData { name, facts: _, trusted, server_facts, classes, parameters } = &*prepared.node;
    let node = NodeData {
        name: name.clone(),
        facts,
        trusted: trusted.clone(),
        server_facts: server_facts.clone(),
        classes: classes.clone(),
        parameters: parameters.clone(),
    };
    Prepared { node: Arc::new(node), ..prepared.clone() }
}
