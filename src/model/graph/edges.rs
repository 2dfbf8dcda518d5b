//! Edges in the order in which they were added. The agent's drawings, and which cycle it reports, depend on that order.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Reason;

/// Between vertices, told by their numbers. Edges are added, never taken away.
#[derive(Debug)]
pub(super) struct Edges {
    pairs: Vec<Pair>,
    numbers: FxHashMap<(u32, u32), u32>,
    /// By vertex, the pairs that it is the target of.
    into: Vec<SmallVec<[u32; 4]>>,
    /// The source of.
    out: Vec<SmallVec<[u32; 4]>>,
}

/// All edges from one vertex to another.
#[derive(Debug)]
pub(super) struct Pair {
    pub source: u32,
    pub target: u32,
    /// Of each edge.
    pub reasons: SmallVec<[Reason; 2]>,
}

impl Edges {
    /// `pairs`: about so many will come.
    pub(super) fn new(vertices: usize, pairs: usize) -> Edges {
        Edges {
            pairs: Vec::with_capacity(pairs),
            numbers: FxHashMap::with_capacity_and_hasher(pairs, Default::default()),
            into: vec![SmallVec::new(); vertices],
            out: vec![SmallVec::new(); vertices],
        }
    }

    pub(super) fn add(&mut self, source: u32, target: u32, reason: Reason) {
        let number = *self.numbers.entry((source, target)).or_insert_with(|| {
            let number = self.pairs.len() as u32;
            self.pairs.push(Pair { source, target, reasons: SmallVec::new() });
            self.out[source as usize].push(number);
            self.into[target as usize].push(number);
            number
        });
        self.pairs[number as usize].reasons.push(reason);
    }

    pub(super) fn has(&self, source: u32, target: u32) -> bool {
        self.numbers.contains_key(&(source, target))
    }

    /// In the order of their first edges.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(super) fn count(&self) -> usize {
        self.pairs.iter().map(|pair| pair.reasons.len()).sum()
    }

    pub(super) fn pair(&self, source: u32, target: u32) -> Option<&Pair> {
        self.numbers.get(&(source, target)).map(|number| &self.pairs[*number as usize])
    }

    pub(super) fn into(&self, vertex: u32) -> impl Iterator<Item = &Pair> {
        self.into[vertex as usize].iter().map(|number| &self.pairs[*number as usize])
    }

    pub(super) fn outgoing(&self, vertex: u32) -> impl Iterator<Item = &Pair> {
        self.out[vertex as usize].iter().map(|number| &self.pairs[*number as usize])
    }

    pub(super) fn vertices(&self) -> u32 {
        self.out.len() as u32
    }
}
