//! Every relationship of a catalog as data, and which resources are refreshed when others change.

use rustc_hash::FxHashSet;

use super::{Graph, Reason, Vertex};
use crate::catalog::Resource;
use crate::catalog::kinds::Relation;

/// What relates two resources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RelationshipKind {
    Require,
    Before,
    Notify,
    Subscribe,
    /// The agent adds it by itself: its source is the resource of whose type it is.
    Automatic,
    /// The source contains the target.
    Contains,
}

/// A relationship between two resources of a catalog.
#[derive(Clone, Copy, Debug)]
pub struct Relationship<'c> {
    pub kind: RelationshipKind,
    /// The resource that has the relationship,
    pub source: &'c Resource,
    /// and the one that it leads to.
    pub target: &'c Resource,
    is_target_first: bool,
}

impl<'c> Relationship<'c> {
    /// Returns what is applied first, and what after it; of containment the container and its content.
    pub fn in_order(&self) -> [&'c Resource; 2] {
        if self.is_target_first { [self.target, self.source] } else { [self.source, self.target] }
    }
}

impl RelationshipKind {
    pub fn name(self) -> &'static str {
        match self {
            RelationshipKind::Require => "require",
            RelationshipKind::Before => "before",
            RelationshipKind::Notify => "notify",
            RelationshipKind::Subscribe => "subscribe",
            RelationshipKind::Automatic => "automatic",
            RelationshipKind::Contains => "contains",
        }
    }

    fn declared(relation: Relation) -> RelationshipKind {
        match relation {
            Relation::Require => RelationshipKind::Require,
            Relation::Before => RelationshipKind::Before,
            Relation::Notify => RelationshipKind::Notify,
            Relation::Subscribe => RelationshipKind::Subscribe,
        }
    }
}

/// Native types that an agent refreshes, and which pass the event on when it has done so.
const REFRESHED_TYPES: [&str; 3] = ["Service", "Exec", "Mount"];

impl<'c> Graph<'c> {
    /// Returns what resources declare, what the agent adds by itself, and what contains what.
    pub fn relationships(&self) -> Vec<Relationship<'c>> {
        let mut all = Vec::new();
        for pair in self.relations.pairs() {
            let (earlier, later) = (self.vertex(pair.source), self.vertex(pair.target));
            let (Some(earlier), Some(later)) = (self.resource(earlier), self.resource(later)) else { continue };
            for reason in &pair.reasons {
                let (kind, relation) = match reason {
                    Reason::Declared(relation) => (RelationshipKind::declared(*relation), *relation),
                    Reason::Automatic(relation) => (RelationshipKind::Automatic, *relation),
                    Reason::Contains => continue,
                };
                let is_target_first = matches!(relation, Relation::Require | Relation::Subscribe);
                let (source, target) = if is_target_first { (later, earlier) } else { (earlier, later) };
                all.push(Relationship { kind, source, target, is_target_first });
            }
        }
        let resource = |at: u32| self.catalog.resources.get(at as usize).map(|resource| &**resource);
        let contained = self.catalog.edges.iter().filter_map(|(container, inside)| {
            let (source, target) = (resource(*container)?, resource(*inside)?);
            Some(Relationship { kind: RelationshipKind::Contains, source, target, is_target_first: false })
        });
        all.extend(contained);
        all
    }

    /// Returns the resources that are refreshed when these change, by their places in the catalog: a service that is
    /// restarted, a command that is run. What is refreshed refreshes what follows it.
    pub fn refreshed_by(&self, changed: &[u32]) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = changed.iter().copied().collect();
        let mut open: Vec<u32> = changed.to_vec();
        let mut refreshed = Vec::new();
        while let Some(vertex) = open.pop() {
            for pair in self.expanded.outgoing(vertex) {
                let passes_events = pair.reasons.iter().any(|reason| match reason {
                    Reason::Declared(relation) | Reason::Automatic(relation) => {
                        matches!(relation, Relation::Notify | Relation::Subscribe)
                    }
                    // The beginning and the end of a container pass on what they are told.
                    Reason::Contains => true,
                });
                if !passes_events {
                    continue;
                }
                match self.vertex(pair.target) {
                    // What has changed may be refreshed beside that.
                    Vertex::Resource(at) => {
                        let is_refreshed = self
                            .catalog
                            .resources
                            .get(at as usize)
                            .is_some_and(|resource| REFRESHED_TYPES.contains(&resource.type_name.as_str()));
                        if is_refreshed && !refreshed.contains(&at) {
                            refreshed.push(at);
                            seen.insert(pair.target);
                            open.push(pair.target);
                        }
                    }
                    Vertex::Admissible(_) | Vertex::Completed(_) => {
                        if seen.insert(pair.target) {
                            open.push(pair.target);
                        }
                    }
                    Vertex::Default(_) => {}
                }
            }
        }
        refreshed.sort_unstable();
        refreshed
    }
}
