//! The two vertices of a container in the graph: its beginning and its end.

use super::edges::Edges;
use super::{Reason, Vertex, is_container};
use crate::catalog::Catalog;

/// The edges when beginnings and ends, which are added to the vertices, stand for the containers.
pub(super) fn expand(catalog: &Catalog, vertices: &mut Vec<Vertex>, relations: &Edges) -> Edges {
    let containers: Vec<u32> =
        (0..).zip(&catalog.resources).filter(|(_, each)| is_container(each)).map(|(number, _)| number).collect();
    let first = vertices.len() as u32;
    let anchors = Anchors::new(&containers, first);
    vertices.extend(containers.iter().flat_map(|at| [Vertex::Admissible(*at), Vertex::Completed(*at)]));

    let mut edges = Edges::new(vertices.len(), relations.pairs().len() + 2 * catalog.edges.len());
    for pair in relations.pairs() {
        if anchors.get(pair.source).is_none() && anchors.get(pair.target).is_none() {
            pair.reasons.iter().for_each(|reason| edges.add(pair.source, pair.target, *reason));
        }
    }
    let contents = contents(catalog, relations.vertices());
    for container in containers {
        let (begin, end) = (anchors.begin(container), anchors.end(container));
        let inside = &contents[container as usize];
        if inside.is_empty() {
            edges.add(begin, end, Reason::Contains);
        }
        for content in inside {
            edges.add(begin, anchors.begin(*content), Reason::Contains);
            edges.add(anchors.end(*content), end, Reason::Contains);
        }
        // An edge between two containers is taken over by the first of them.
        let is_done = |other: u32| other < container && anchors.get(other).is_some();
        for pair in relations.into(container).filter(|pair| !is_done(pair.source)) {
            pair.reasons.iter().for_each(|reason| edges.add(anchors.end(pair.source), begin, *reason));
        }
        for pair in relations.outgoing(container).filter(|pair| !is_done(pair.target) && pair.target != container) {
            pair.reasons.iter().for_each(|reason| edges.add(end, anchors.begin(pair.target), *reason));
        }
    }
    edges
}

/// Returns what each vertex contains, each once, in the order of the catalog's edges.
fn contents(catalog: &Catalog, vertices: u32) -> Vec<Vec<u32>> {
    let mut contents: Vec<Vec<u32>> = vec![Vec::new(); vertices as usize];
    let mut seen = rustc_hash::FxHashSet::default();
    for (source, target) in &*catalog.edges {
        if seen.insert((*source, *target)) {
            contents[*source as usize].push(*target);
        }
    }
    contents
}

/// The numbers of beginnings and ends.
struct Anchors {
    /// By vertex, the number of the beginning; the end is the next one.
    begins: Vec<Option<u32>>,
}

impl Anchors {
    fn new(containers: &[u32], first: u32) -> Anchors {
        let mut begins = vec![None; first as usize];
        for (number, container) in (first..).step_by(2).zip(containers) {
            begins[*container as usize] = Some(number);
        }
        Anchors { begins }
    }

    fn get(&self, vertex: u32) -> Option<u32> {
        self.begins[vertex as usize]
    }

    fn begin(&self, vertex: u32) -> u32 {
        self.get(vertex).unwrap_or(vertex)
    }

    fn end(&self, vertex: u32) -> u32 {
        self.get(vertex).map_or(vertex, |begin| begin + 1)
    }
}
