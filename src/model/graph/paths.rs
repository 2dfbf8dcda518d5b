//! Paths through a strongly connected part of a graph.
//!
//! The agent follows every way from the first vertex at once, the shorter ones first, until one of them comes to a
//! vertex that it has passed: in a large part that takes for ever. The first such way is found here without following
//! the others: it is as short as any, and at each step leads to the first vertex from where it can still end in time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashMap;

/// How many steps of ways are followed where more than the first one is wanted.
const STEPS: usize = 200_000;

pub(super) struct Loops {
    /// The vertices, in the order in which they were given.
    members: Vec<u32>,
    /// By place among the members.
    next: Vec<Vec<usize>>,
    /// How many steps lead from each back to itself.
    around: Vec<usize>,
}

impl Loops {
    /// `next` gives what follows a vertex, in order; what is no member is left out.
    pub(super) fn new(members: &[u32], next: impl Fn(u32) -> Vec<u32>) -> Loops {
        let places: FxHashMap<u32, usize> = members.iter().copied().zip(0..).collect();
        let inside = |member: &u32| next(*member).iter().filter_map(|each| places.get(each).copied()).collect();
        let mut loops = Loops { members: members.to_vec(), next: members.iter().map(inside).collect(), around: vec![] };
        loops.around = (0..members.len()).map(|from| loops.way(from, |at| at == from, usize::MAX).len()).collect();
        loops
    }

    /// Returns the shortest way around, from the first of the vertices that have one.
    pub(super) fn shortest(&self) -> Vec<u32> {
        let Some(from) = (0..self.members.len()).min_by_key(|at| self.around[*at]) else { return Vec::new() };
        let mut way = self.way(from, |at| at == from, usize::MAX);
        way.pop();
        way.insert(0, from);
        self.to_vertices(way)
    }

    /// Returns the agent's first way: from the first vertex to one that it has passed.
    pub(super) fn first_path(&self) -> Vec<u32> {
        if self.members.is_empty() {
            return Vec::new();
        }
        let to_a_loop = self.steps_to_a_loop();
        let mut path = vec![0];
        let mut left = to_a_loop[0];
        while left > 0 {
            let here = path[path.len() - 1];
            let ends = |next: &&usize| {
                let next = **next;
                if path.contains(&next) {
                    return left == 1;
                }
                to_a_loop[next] == left - 1
                    || left > 1 && self.way(next, |at| path.contains(&at), left - 1).len() == left - 1
            };
            let Some(next) = self.next[here].iter().find(ends) else { break };
            path.push(*next);
            left -= 1;
        }
        self.to_vertices(path)
    }

    /// From each vertex, how many steps there are at least until a vertex of the way is passed again, which may lie on
    /// any loop.
    fn steps_to_a_loop(&self) -> Vec<usize> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.members.len()];
        for (from, next) in self.next.iter().enumerate() {
            next.iter().for_each(|to| before[*to].push(from));
        }
        let mut steps = self.around.clone();
        let mut open: BinaryHeap<_> = steps.iter().enumerate().map(|(at, steps)| Reverse((*steps, at))).collect();
        while let Some(Reverse((count, at))) = open.pop() {
            if count > steps[at] {
                continue;
            }
            for from in &before[at] {
                if count + 1 < steps[*from] {
                    steps[*from] = count + 1;
                    open.push(Reverse((count + 1, *from)));
                }
            }
        }
        steps
    }

    /// The shortest way, of one step at least, to what is sought: what it passes, and where it ends. Empty if it would
    /// be longer than `most`.
    fn way(&self, from: usize, is_sought: impl Fn(usize) -> bool, most: usize) -> Vec<usize> {
        let mut came_from: Vec<Option<usize>> = vec![None; self.members.len()];
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((at, steps)) = open.pop_front() {
            if steps >= most {
                break;
            }
            for next in &self.next[at] {
                if is_sought(*next) {
                    let mut way = vec![*next];
                    let mut back = at;
                    while back != from {
                        way.push(back);
                        back = came_from[back].unwrap_or(from);
                    }
                    way.reverse();
                    return way;
                }
                if came_from[*next].is_none() && *next != from {
                    came_from[*next] = Some(at);
                    open.push_back((*next, steps + 1));
                }
            }
        }
        Vec::new()
    }

    /// As many ways as are wanted, as the agent finds them, sorted; fewer if finding them takes too long.
    pub(super) fn paths(&self, most: usize) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut open = VecDeque::from([vec![0]]);
        let mut steps = 0;
        while let Some(path) = open.pop_front() {
            let (here, passed) = (path[path.len() - 1], &path[..path.len() - 1]);
            if passed.contains(&here) {
                found.push(path);
                if found.len() == most {
                    break;
                }
                continue;
            }
            for next in &self.next[here] {
                open.push_back(path.iter().copied().chain([*next]).collect());
            }
            steps += path.len();
            if steps > STEPS {
                break;
            }
        }
        if found.is_empty() {
            return vec![self.first_path()];
        }
        // Members are in the order that ways are sorted by.
        found.sort_unstable();
        found.into_iter().map(|path| self.to_vertices(path)).collect()
    }

    fn to_vertices(&self, path: Vec<usize>) -> Vec<u32> {
        path.into_iter().map(|at| self.members[at]).collect()
    }
}
