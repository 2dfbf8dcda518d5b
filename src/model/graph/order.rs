//! The order in which the agent applies resources: of all that are ready, the first in the catalog.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Graph, Vertex};

impl Graph<'_> {
    /// Returns every vertex in the order in which the agent comes to it. What lies on a cycle, or behind one, is never
    /// reached and not among them.
    pub fn order(&self) -> Vec<Vertex> {
        self.numbers_in_order().into_iter().map(|number| self.vertex(number)).collect()
    }

    pub(super) fn numbers_in_order(&self) -> Vec<u32> {
        let edges = &self.expanded;
        let mut held_back: Vec<usize> = (0..edges.vertices()).map(|vertex| edges.into(vertex).count()).collect();
        let mut ready = BinaryHeap::with_capacity(held_back.len());
        let is_there = |number: &u32| !self.is_replaced(*number);
        let first = (0..edges.vertices()).filter(is_there).filter(|number| held_back[*number as usize] == 0);
        ready.extend(first.map(|number| Reverse((self.priority(number), number))));
        let mut order = Vec::with_capacity(held_back.len());
        while let Some(Reverse((_, number))) = ready.pop() {
            order.push(number);
            for pair in edges.outgoing(number) {
                let held = &mut held_back[pair.target as usize];
                *held -= 1;
                if *held == 0 {
                    ready.push(Reverse((self.priority(pair.target), pair.target)));
                }
            }
        }
        order
    }

    /// Returns a beginning and an end have that of their container.
    pub(super) fn priority(&self, number: u32) -> u32 {
        match self.vertex(number) {
            Vertex::Admissible(container) | Vertex::Completed(container) => container,
            Vertex::Resource(_) | Vertex::Default(_) => number,
        }
    }

    /// Returns true if beginning and end stand for it.
    pub(super) fn is_replaced(&self, number: u32) -> bool {
        let vertex = self.vertex(number);
        matches!(vertex, Vertex::Resource(_)) && self.resource(vertex).is_some_and(super::is_container)
    }
}
