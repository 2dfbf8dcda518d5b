//! The traces of one body: they share their beginning until the body was told something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::question::identical;
use super::step::Told;
use super::{End, Recorded, Secrets, Step, Trace};
use crate::base::limits;
use crate::pcore::{Digest, Value};

pub(super) type Index = u32;

/// Above this many branches a map finds one sooner than a search.
const FEW_BRANCHES: usize = 8;

/// How many walks, for each variant kept, a variant must have gone without use before another may take its place.
const PATIENCE: u64 = 4;

/// A body with all its parameters known is deterministic: at each node there is one next step, and one branch for
/// each thing it was ever told. A walk needs no lock: it reads a snapshot, and growth makes another.
///
/// At most [`limits::BODY_VARIANTS`] ends are kept. When they are all there, the least recently used one makes room
/// only if it was of no use for long, else the new trace is not kept. A body that reads its node's own name has as
/// many variants as there are nodes, and comes by them in the same order again and again: if the least recently used
/// always went, each would be gone by the time it is wanted. As it is, those kept go on serving their nodes, and
/// those of nodes that are no more still go.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    root: Option<Index>,
    free: Vec<Index>,
    ends: Vec<Index>,
    depth: usize,
    /// Counts walks; shared by all snapshots.
    clock: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
struct Node {
    parent: Option<Index>,
    /// What the body was told there, to come here.
    told: Option<Told>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Step(Arc<Step>, Branches),
    End(Arc<Leaf>),
    Free,
}

#[derive(Debug)]
struct Leaf {
    end: Arc<End>,
    /// When it was of use last, by the clock.
    used: AtomicU64,
}

/// What stands at a node of the tree.
pub(super) enum At<'t> {
    Step(&'t Arc<Step>),
    End(&'t Arc<End>),
}

/// The trace and the tree disagree about what the body does at this step.
pub(super) struct Contradiction {
    pub(super) step: usize,
    pub(super) recorded: Option<Arc<Step>>,
    pub(super) now: Option<Arc<Step>>,
}

impl Tree {
    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// How many ends it has.
    pub fn variants(&self) -> usize {
        self.ends.len()
    }

    /// Steps of the longest trace.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Where a walk begins.
    pub(super) fn begin(&self) -> Option<Index> {
        self.clock.fetch_add(1, Ordering::Relaxed);
        self.root
    }

    pub(super) fn root(&self) -> Option<Index> {
        self.root
    }

    pub(super) fn at(&self, index: Index) -> Option<At<'_>> {
        match &self.nodes.get(index as usize)?.content {
            Content::Step(step, _) => Some(At::Step(step)),
            Content::End(leaf) => Some(At::End(&leaf.end)),
            Content::Free => None,
        }
    }

    /// The branch of what the body is told; `is_hidden`: something that was decrypted stands in that.
    pub(super) fn follow(&self, index: Index, told: &Told, is_hidden: bool, secrets: &Secrets) -> Option<Index> {
        let Content::Step(_, branches) = &self.nodes.get(index as usize)?.content else { return None };
        if let Some((sample, next)) = &branches.sample
            && told.value().is_some_and(|value| identical(value, sample))
        {
            return Some(*next);
        }
        branches.links.find(&secrets.seal(told.digest(is_hidden)))
    }

    /// Its branches in the order in which they came: what the body was told, by digest and where it is kept as it
    /// was, and the next node.
    pub(super) fn branches(&self, index: Index) -> Vec<(Digest, Option<&Value>, Index)> {
        match self.nodes.get(index as usize).map(|node| &node.content) {
            Some(Content::Step(_, branches)) => branches.in_order(),
            _ => Vec::new(),
        }
    }

    /// The trace that it holds, if it holds just one.
    pub fn only_trace(&self) -> Option<Trace> {
        let mut steps = Vec::new();
        let mut next = self.root?;
        loop {
            match &self.nodes[next as usize].content {
                Content::Step(step, branches) => {
                    let [(digest, sample, below)] = branches.in_order()[..] else { return None };
                    let told = self.nodes[below as usize].told.clone();
                    steps.push(Recorded { step: step.clone(), digest, sample: sample.cloned(), told });
                    next = below;
                }
                Content::End(leaf) => return Some(Trace { steps, end: leaf.end.clone() }),
                Content::Free => return None,
            }
        }
    }

    /// The trace that leads to one of its ends; nothing if that is not there any more.
    pub fn trace_to(&self, end: &Arc<End>) -> Option<Trace> {
        let is_it = |index: &&Index| match &self.nodes[**index as usize].content {
            Content::End(leaf) => Arc::ptr_eq(&leaf.end, end),
            _ => false,
        };
        let mut index = *self.ends.iter().find(is_it)?;
        let mut steps = Vec::new();
        while let Some(parent) = self.nodes[index as usize].parent {
            let Content::Step(step, branches) = &self.nodes[parent as usize].content else { return None };
            let (digest, sample) = branches.to(index)?;
            let told = self.nodes[index as usize].told.clone();
            steps.push(Recorded { step: Arc::clone(step), digest, sample: sample.cloned(), told });
            index = parent;
        }
        steps.reverse();
        Some(Trace { steps, end: Arc::clone(end) })
    }

    /// The end at this node was of use.
    pub(super) fn touch(&self, index: Index) {
        if let Some(Content::End(leaf)) = self.nodes.get(index as usize).map(|node| &node.content) {
            leaf.used.store(self.clock.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Whether a new trace would be kept.
    pub(super) fn has_room(&self) -> bool {
        self.ends.len() < limits::BODY_VARIANTS && self.len() < limits::BODY_STEPS || self.idle_end().is_some()
    }

    /// The least recently used end, if it was idle for long.
    fn idle_end(&self) -> Option<Index> {
        let used = |index: &Index| match &self.nodes[*index as usize].content {
            Content::End(leaf) => leaf.used.load(Ordering::Relaxed),
            _ => u64::MAX,
        };
        let oldest = *self.ends.iter().min_by_key(|index| used(index))?;
        let patience = PATIENCE * limits::BODY_VARIANTS as u64;
        (used(&oldest).saturating_add(patience) <= self.clock.load(Ordering::Relaxed)).then_some(oldest)
    }

    /// Adds a trace; with its end as it stands there, or nothing when there is no room for it.
    pub(super) fn grow(&mut self, trace: &Trace) -> Result<Option<Arc<End>>, Contradiction> {
        if let Some(known) = self.known_end(trace)? {
            return Ok(Some(known));
        }
        while self.ends.len() >= limits::BODY_VARIANTS || self.len() + trace.steps.len() >= limits::BODY_STEPS {
            let Some(idle) = self.idle_end() else { return Ok(None) };
            self.remove_end(idle);
        }
        self.insert(trace);
        Ok(Some(Arc::clone(&trace.end)))
    }

    /// The end of the trace, if all of it is there already.
    fn known_end(&self, trace: &Trace) -> Result<Option<Arc<End>>, Contradiction> {
        let mut next = self.root;
        for (count, recorded) in trace.steps.iter().enumerate() {
            let Some(index) = next else { return Ok(None) };
            match &self.nodes[index as usize].content {
                Content::Step(step, branches) if Arc::ptr_eq(step, &recorded.step) || step.is_same(&recorded.step) => {
                    next = branches.links.find(&recorded.digest);
                }
                other => return Err(Contradiction::at(count, other.step(), Some(&recorded.step))),
            }
        }
        let Some(index) = next else { return Ok(None) };
        match &self.nodes[index as usize].content {
            Content::End(leaf) if leaf.end.digest() == trace.end.digest() => Ok(Some(Arc::clone(&leaf.end))),
            other => Err(Contradiction::at(trace.steps.len(), other.step(), None)),
        }
    }

    fn insert(&mut self, trace: &Trace) {
        let mut parent: Option<(Index, &Recorded)> = None;
        for recorded in &trace.steps {
            let existing = match parent {
                None => self.root,
                Some((index, before)) => self.branch(index, &before.digest),
            };
            let index = existing
                .unwrap_or_else(|| self.add(parent, Content::Step(Arc::clone(&recorded.step), Branches::default())));
            parent = Some((index, recorded));
        }
        let used = AtomicU64::new(self.clock.load(Ordering::Relaxed));
        let end = self.add(parent, Content::End(Arc::new(Leaf { end: Arc::clone(&trace.end), used })));
        self.ends.push(end);
        self.depth = self.depth.max(trace.steps.len());
    }

    fn branch(&self, index: Index, digest: &Digest) -> Option<Index> {
        match &self.nodes[index as usize].content {
            Content::Step(_, branches) => branches.links.find(digest),
            _ => None,
        }
    }

    fn add(&mut self, parent: Option<(Index, &Recorded)>, content: Content) -> Index {
        let told = parent.and_then(|(_, recorded)| recorded.told.clone());
        let node = Node { parent: parent.map(|(index, _)| index), told, content };
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as Index
            }
        };
        match parent {
            None => self.root = Some(index),
            Some((parent, recorded)) => {
                if let Content::Step(_, branches) = &mut self.nodes[parent as usize].content {
                    branches.add(recorded, index);
                }
            }
        }
        index
    }

    /// Removes an end, and what led to it alone.
    fn remove_end(&mut self, end: Index) {
        self.ends.retain(|index| *index != end);
        let mut index = end;
        loop {
            let removed = std::mem::replace(
                &mut self.nodes[index as usize],
                Node { parent: None, told: None, content: Content::Free },
            );
            self.free.push(index);
            let Some(parent) = removed.parent else {
                self.root = None;
                return;
            };
            if let Content::Step(_, branches) = &mut self.nodes[parent as usize].content
                && !branches.remove(index)
            {
                return;
            }
            index = parent;
        }
    }

    /// Forgets all of it.
    pub(super) fn clear(&mut self) {
        *self = Tree { clock: Arc::clone(&self.clock), ..Tree::default() };
    }
}

impl Content {
    fn step(&self) -> Option<&Arc<Step>> {
        match self {
            Content::Step(step, _) => Some(step),
            _ => None,
        }
    }
}

impl Contradiction {
    fn at(count: usize, recorded: Option<&Arc<Step>>, now: Option<&Arc<Step>>) -> Contradiction {
        Contradiction { step: count + 1, recorded: recorded.cloned(), now: now.cloned() }
    }
}

#[derive(Clone, Debug, Default)]
struct Branches {
    /// One thing the body was told as a value, sooner compared than hashed.
    sample: Option<(Value, Index)>,
    links: Links,
}

impl Branches {
    fn add(&mut self, recorded: &Recorded, next: Index) {
        self.links.add(recorded.digest, next);
        if self.sample.is_none() {
            self.sample = recorded.sample.clone().map(|value| (value, next));
        }
    }

    fn in_order(&self) -> Vec<(Digest, Option<&Value>, Index)> {
        self.links.in_order().into_iter().map(|(digest, next)| (digest, self.sample_of(next), next)).collect()
    }

    /// What the body was told to come to a node.
    fn to(&self, next: Index) -> Option<(Digest, Option<&Value>)> {
        Some((self.links.to(next)?, self.sample_of(next)))
    }

    fn sample_of(&self, next: Index) -> Option<&Value> {
        self.sample.as_ref().filter(|(_, of)| *of == next).map(|(value, _)| value)
    }

    /// Whether none is left.
    fn remove(&mut self, next: Index) -> bool {
        self.sample.take_if(|(_, index)| *index == next);
        self.links.remove(next)
    }
}

/// Most nodes have one branch, and hold it in place.
#[derive(Clone, Debug, Default)]
enum Links {
    #[default]
    None,
    One(Digest, Index),
    Few(Vec<(Digest, Index)>),
    Many(Box<FxHashMap<Digest, Index>>),
}

impl Links {
    fn find(&self, digest: &Digest) -> Option<Index> {
        match self {
            Links::None => None,
            Links::One(one, next) => (one == digest).then_some(*next),
            Links::Few(few) => few.iter().find(|(one, _)| one == digest).map(|(_, next)| *next),
            Links::Many(many) => many.get(digest).copied(),
        }
    }

    fn add(&mut self, digest: Digest, next: Index) {
        match self {
            Links::None => *self = Links::One(digest, next),
            Links::One(one, first) => *self = Links::Few(vec![(*one, *first), (digest, next)]),
            Links::Few(few) if few.len() < FEW_BRANCHES => few.push((digest, next)),
            Links::Few(few) => {
                let mut many: FxHashMap<_, _> = few.drain(..).collect();
                many.insert(digest, next);
                *self = Links::Many(Box::new(many));
            }
            Links::Many(many) => {
                many.insert(digest, next);
            }
        }
    }

    fn remove(&mut self, next: Index) -> bool {
        match self {
            Links::None => true,
            Links::One(_, one) => {
                if *one == next {
                    *self = Links::None;
                }
                matches!(self, Links::None)
            }
            Links::Few(few) => {
                few.retain(|(_, one)| *one != next);
                few.is_empty()
            }
            Links::Many(many) => {
                many.retain(|_, one| *one != next);
                many.is_empty()
            }
        }
    }

    fn to(&self, next: Index) -> Option<Digest> {
        let known = match self {
            Links::None => None,
            Links::One(digest, one) => (*one == next).then_some(digest),
            Links::Few(few) => few.iter().find(|(_, one)| *one == next).map(|(digest, _)| digest),
            Links::Many(many) => many.iter().find(|(_, one)| **one == next).map(|(digest, _)| digest),
        };
        known.copied()
    }

    fn in_order(&self) -> Vec<(Digest, Index)> {
        let mut all = match self {
            Links::None => Vec::new(),
            Links::One(digest, next) => vec![(*digest, *next)],
            Links::Few(few) => few.clone(),
            Links::Many(many) => many.iter().map(|(digest, next)| (*digest, *next)).collect(),
        };
        all.sort_by_key(|(_, next)| *next);
        all
    }
}
