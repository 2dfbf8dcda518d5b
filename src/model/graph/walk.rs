//! A walk through the graph that can be extended: of all vertices that nothing holds back, the first of the catalog comes
//! first; what a vertex makes just before its turn is put behind it.
//!
//! A walk owns what it needs, so that whoever walks may change everything else.

use std::collections::BTreeSet;

use smallvec::{SmallVec, smallvec};

use super::{Graph, Reason, Vertex};
use crate::catalog::kinds::Relation;

/// A place among the vertices: of what lies inside another one, that one's place and a number.
type Priority = SmallVec<[u32; 2]>;

/// A walk from vertex to vertex, each by its number. The first numbers are those of the graph's vertices.
#[derive(Clone, Debug)]
pub struct Walk {
    vertices: Vec<WalkVertex>,
    out: Vec<Vec<WalkEdge>>,
    into: Vec<Vec<u32>>,
    priorities: Vec<Priority>,
    /// By vertex, how many were put inside it.
    contained: Vec<u32>,
    is_done: Vec<bool>,
    /// How many vertices hold each one back.
    blockers: Vec<u32>,
    ready: BTreeSet<(Priority, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkVertex {
    OfGraph(Vertex),
    /// A container for which a beginning and an end stand. It is never walked to.
    Replaced(u32),
    /// What another vertex made.
    Made,
    /// The end of all that a vertex made.
    EndOf(u32),
}

/// An edge of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WalkEdge {
    pub target: u32,
    /// Events of the source refresh the target.
    pub passes_events: bool,
}

/// Something that a vertex made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeVertex {
    New,
    /// One that stands for it already.
    Known(u32),
}

impl Walk {
    pub fn from_graph(graph: &Graph<'_>) -> Walk {
        let edges = &graph.expanded;
        let count = edges.vertices();
        let vertex = |number| match graph.is_replaced(number) {
            true => WalkVertex::Replaced(number),
            false => WalkVertex::OfGraph(graph.vertex(number)),
        };
        let mut walk = Walk {
            vertices: (0..count).map(vertex).collect(),
            out: vec![Vec::new(); count as usize],
            into: vec![Vec::new(); count as usize],
            priorities: (0..count).map(|number| smallvec![graph.priority(number)]).collect(),
            contained: vec![0; count as usize],
            is_done: vec![false; count as usize],
            blockers: Vec::new(),
            ready: BTreeSet::new(),
        };
        for number in 0..count {
            walk.into[number as usize] = edges.into(number).map(|pair| pair.source).collect();
            for pair in edges.outgoing(number) {
                for reason in &pair.reasons {
                    let passes_events = passes_events(reason, graph.vertex(number), graph.vertex(pair.target));
                    walk.out[number as usize].push(WalkEdge { target: pair.target, passes_events });
                }
            }
        }
        walk.blockers = (0..count).map(|number| walk.into[number as usize].len() as u32).collect();
        let is_root = |number: &u32| {
            !matches!(walk.vertices[*number as usize], WalkVertex::Replaced(_)) && walk.blockers[*number as usize] == 0
        };
        walk.ready = (0..count).filter(is_root).map(|number| walk.key(number)).collect();
        walk
    }

    /// Returns how many vertices there are; the next one that is added has this number.
    pub fn count(&self) -> u32 {
        self.vertices.len() as u32
    }

    pub fn vertex(&self, number: u32) -> WalkVertex {
        self.vertices[number as usize]
    }

    /// Takes the next vertex that nothing holds back.
    pub fn next_ready(&mut self) -> Option<u32> {
        self.ready.pop_first().map(|(_, number)| number)
    }

    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Puts a vertex back among those that are ready.
    pub fn put_back(&mut self, number: u32) {
        let key = self.key(number);
        self.ready.insert(key);
    }

    /// Ends a vertex: what only it held back is ready.
    pub fn finish(&mut self, number: u32) {
        if std::mem::replace(&mut self.is_done[number as usize], true) {
            return;
        }
        for target in self.distinct_targets(number) {
            let blockers = &mut self.blockers[target as usize];
            *blockers = blockers.saturating_sub(1);
            if *blockers == 0 && !self.is_done[target as usize] {
                let key = self.key(target);
                self.ready.insert(key);
            }
        }
    }

    /// Returns the vertices that a vertex waits for, each once.
    pub fn dependencies(&self, number: u32) -> &[u32] {
        &self.into[number as usize]
    }

    pub fn edges(&self, number: u32) -> &[WalkEdge] {
        &self.out[number as usize]
    }

    /// Puts vertices behind the one that made them, and the end of them all, from which its edges leave now. `made` has the
    /// place of each one's nearest maker among them, if that is not the vertex itself. Returns their numbers, and the end's.
    pub fn add_children(&mut self, maker: u32, made: &[(MadeVertex, Option<usize>)]) -> (Vec<u32>, u32) {
        let numbers: Vec<u32> = made
            .iter()
            .map(|(vertex, _)| match vertex {
                MadeVertex::New => self.add_vertex(WalkVertex::Made, maker),
                MadeVertex::Known(number) => *number,
            })
            .collect();
        let end = self.add_vertex(WalkVertex::EndOf(maker), maker);
        let (kept, moved): (Vec<WalkEdge>, Vec<WalkEdge>) =
            std::mem::take(&mut self.out[maker as usize]).into_iter().partition(|edge| numbers.contains(&edge.target));
        self.out[maker as usize] = kept;
        let mut affected = numbers.clone();
        affected.push(end);
        for edge in moved {
            self.into[edge.target as usize].retain(|source| *source != maker);
            self.add_edge(end, edge);
            affected.push(edge.target);
        }
        for number in &numbers {
            self.add_conditional_edge(*number, WalkEdge { target: end, passes_events: true });
        }
        self.add_conditional_edge(maker, WalkEdge { target: end, passes_events: true });
        for (number, (_, parent)) in numbers.iter().zip(made) {
            let parent = parent.and_then(|place| numbers.get(place).copied()).unwrap_or(maker);
            self.add_conditional_edge(parent, WalkEdge { target: *number, passes_events: false });
        }
        self.count_blockers_again(&affected);
        (numbers, end)
    }

    fn add_vertex(&mut self, vertex: WalkVertex, inside: u32) -> u32 {
        let number = self.count();
        let mut priority = self.priorities[inside as usize].clone();
        let contained = &mut self.contained[inside as usize];
        priority.push(*contained);
        *contained += 1;
        self.vertices.push(vertex);
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        self.priorities.push(priority);
        self.contained.push(0);
        self.is_done.push(false);
        self.blockers.push(0);
        number
    }

    fn add_edge(&mut self, source: u32, edge: WalkEdge) {
        self.out[source as usize].push(edge);
        let into = &mut self.into[edge.target as usize];
        if !into.contains(&source) {
            into.push(source);
        }
    }

    /// Adds an edge unless there is one the other way.
    fn add_conditional_edge(&mut self, source: u32, edge: WalkEdge) {
        if source != edge.target && !self.out[edge.target as usize].iter().any(|back| back.target == source) {
            self.add_edge(source, edge);
        }
    }

    fn count_blockers_again(&mut self, vertices: &[u32]) {
        for number in vertices {
            let is_open = |source: &&u32| !self.is_done[**source as usize];
            let blockers = self.into[*number as usize].iter().filter(is_open).count() as u32;
            self.blockers[*number as usize] = blockers;
            if blockers > 0 {
                let key = self.key(*number);
                self.ready.remove(&key);
            }
        }
    }

    fn distinct_targets(&self, number: u32) -> SmallVec<[u32; 8]> {
        let mut targets: SmallVec<[u32; 8]> = self.out[number as usize].iter().map(|edge| edge.target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn key(&self, number: u32) -> (Priority, u32) {
        (self.priorities[number as usize].clone(), number)
    }
}

/// Returns true if events of the source refresh the target.
fn passes_events(reason: &Reason, source: Vertex, target: Vertex) -> bool {
    match reason {
        Reason::Declared(relation) | Reason::Automatic(relation) => {
            matches!(relation, Relation::Notify | Relation::Subscribe)
        }
        // An empty container passes nothing on.
        Reason::Contains => match (source, target) {
            (Vertex::Admissible(one), Vertex::Completed(other)) => one != other,
            _ => true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    fn catalog(text: &str) -> Catalog {
        Catalog::read(text).unwrap()
    }

    const THREE: &str = r#"{"name":"n","environment":"e","resources":[
        {"type":"Notify","title":"a","kind":"compilable_type","parameters":{"notify":"Notify[c]"}},
        {"type":"Notify","title":"b","kind":"compilable_type","parameters":{}},
        {"type":"Notify","title":"c","kind":"compilable_type","parameters":{}}],"edges":[]}"#;

    fn walk_all(walk: &mut Walk, numbers: &mut Vec<u32>) {
        while let Some(number) = walk.next_ready() {
            numbers.push(number);
            walk.finish(number);
        }
    }

    #[test]
    fn a_walk_without_children_is_the_order_of_the_graph() {
        let catalog = catalog(THREE);
        let graph = Graph::from_catalog(&catalog);
        let (mut walk, mut numbers) = (Walk::from_graph(&graph), Vec::new());
        walk_all(&mut walk, &mut numbers);
        assert_eq!(numbers, graph.numbers_in_order());
    }

    #[test]
    fn children_come_right_behind_their_maker_and_their_end_takes_its_edges() {
        let catalog = catalog(THREE);
        let mut walk = Walk::from_graph(&Graph::from_catalog(&catalog));
        let maker = walk.next_ready().unwrap();
        assert_eq!(maker, 0);
        let (made, end) = walk.add_children(maker, &[(MadeVertex::New, None), (MadeVertex::New, Some(0))]);
        assert!(walk.edges(maker).iter().all(|edge| edge.target != 2));
        assert_eq!(walk.edges(end), [WalkEdge { target: 2, passes_events: true }]);
        walk.finish(maker);
        let mut numbers = Vec::new();
        walk_all(&mut walk, &mut numbers);
        assert_eq!(numbers[..5], [made[0], made[1], end, 1, 2]);
    }

    #[test]
    fn a_known_vertex_that_becomes_a_child_waits_for_its_maker() {
        let catalog = catalog(THREE);
        let mut walk = Walk::from_graph(&Graph::from_catalog(&catalog));
        let maker = walk.next_ready().unwrap();
        walk.add_children(maker, &[(MadeVertex::New, None), (MadeVertex::Known(1), Some(0))]);
        assert_eq!(walk.next_ready().map(|next| next == 1), Some(false));
    }
}
