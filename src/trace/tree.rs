//! The traces of one body: they share their beginning until the body was told something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::branches::Branches;
use super::nodes::{Index, Nodes};
use super::question::identical;
use super::step::{Kept, Told};
use super::{End, Recorded, Secrets, Step, Trace};
use crate::base::limits;
use crate::pcore::{Digest, Value};

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
    nodes: Nodes<Node>,
    root: Option<Index>,
    free: Vec<Index>,
    ends: Vec<Index>,
    depth: usize,
    /// Counts walks; shared by all snapshots.
    clock: Arc<AtomicU64>,
    /// No end is idle before this time: ends are only ever used later.
    busy_until: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
struct Node {
    parent: Option<Index>,
    /// What the body was told there, to come here.
    told: Kept,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Step {
        step: Arc<Step>,
        branches: Branches,
        /// A branch that is sooner found by comparing what the body was told than by its digest.
        sample: Option<Index>,
    },
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
        match self.content(index)? {
            Content::Step { step, .. } => Some(At::Step(step)),
            Content::End(leaf) => Some(At::End(&leaf.end)),
            Content::Free => None,
        }
    }

    fn content(&self, index: Index) -> Option<&Content> {
        self.nodes.get(index).map(|node| &node.content)
    }

    /// The branch of what the body is told; `is_hidden`: something that was decrypted stands in that.
    pub(super) fn follow(&self, index: Index, told: &Told, is_hidden: bool, secrets: &Secrets) -> Option<Index> {
        let Content::Step { branches, sample, .. } = self.content(index)? else { return None };
        if let Some(next) = *sample
            && let (Some(value), Some(known)) = (told.value(), self.sample(next))
            && identical(value, known)
        {
            return Some(next);
        }
        branches.find(&secrets.seal(told.digest(is_hidden)))
    }

    fn sample(&self, index: Index) -> Option<&Value> {
        self.nodes.get(index)?.told.sample()
    }

    /// Its branches in the order in which they came: what the body was told, by digest and where it is kept as it
    /// was, and the next node.
    pub(super) fn branches(&self, index: Index) -> Vec<(Digest, Option<&Value>, Index)> {
        match self.content(index) {
            Some(Content::Step { branches, sample, .. }) => {
                let value = |next| sample.filter(|of| *of == next).and_then(|next| self.sample(next));
                branches.in_order().into_iter().map(|(digest, next)| (digest, value(next), next)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The one thing that the body was told at this node, or how many things.
    pub(super) fn told_at(&self, index: Index) -> Result<(Digest, Option<&Value>), usize> {
        match self.content(index) {
            Some(Content::Step { branches, .. }) => match branches.only() {
                Some((digest, next)) => Ok((digest, self.sample(next))),
                None => Err(branches.len()),
            },
            _ => Err(0),
        }
    }

    /// The trace that it holds, if it holds just one.
    pub fn only_trace(&self) -> Option<Trace> {
        match self.ends[..] {
            [end] => self.trace(end),
            _ => None,
        }
    }

    /// The trace that leads to one of its ends; nothing if that is not there any more.
    pub fn trace_to(&self, end: &Arc<End>) -> Option<Trace> {
        let is_it = |index: &&Index| match self.content(**index) {
            Some(Content::End(leaf)) => Arc::ptr_eq(&leaf.end, end),
            _ => false,
        };
        self.trace(*self.ends.iter().find(is_it)?)
    }

    fn trace(&self, end: Index) -> Option<Trace> {
        let Content::End(leaf) = self.content(end)? else { return None };
        let mut steps = Vec::new();
        let mut index = end;
        while let Some(parent) = self.nodes.get(index)?.parent {
            let Content::Step { step, branches, .. } = self.content(parent)? else { return None };
            let told = self.nodes.get(index)?.told.clone();
            steps.push(Recorded { step: Arc::clone(step), digest: branches.to(index)?, told });
            index = parent;
        }
        steps.reverse();
        Some(Trace { steps, end: Arc::clone(&leaf.end) })
    }

    /// The end at this node was of use.
    pub(super) fn touch(&self, index: Index) {
        if let Some(Content::End(leaf)) = self.content(index) {
            leaf.used.store(self.clock.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Whether a new trace would be kept.
    pub(super) fn has_room(&self) -> bool {
        self.ends.len() < limits::BODY_VARIANTS && self.len() < limits::BODY_STEPS || self.idle_end().is_some()
    }

    /// The least recently used end, if it was idle for long.
    fn idle_end(&self) -> Option<Index> {
        let now = self.clock.load(Ordering::Relaxed);
        if now < self.busy_until.load(Ordering::Relaxed) {
            return None;
        }
        let used = |index: &Index| match self.content(*index) {
            Some(Content::End(leaf)) => leaf.used.load(Ordering::Relaxed),
            _ => u64::MAX,
        };
        let oldest = *self.ends.iter().min_by_key(|index| used(index))?;
        let idle_from = used(&oldest).saturating_add(PATIENCE * limits::BODY_VARIANTS as u64);
        self.busy_until.store(idle_from, Ordering::Relaxed);
        (idle_from <= now).then_some(oldest)
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
            match self.content(index) {
                Some(Content::Step { step, branches, .. })
                    if Arc::ptr_eq(step, &recorded.step) || step.is_same(&recorded.step) =>
                {
                    next = branches.find(&recorded.digest);
                }
                other => return Err(Contradiction::at(count, other, Some(&recorded.step))),
            }
        }
        let Some(index) = next else { return Ok(None) };
        match self.content(index) {
            Some(Content::End(leaf)) if leaf.end.digest() == trace.end.digest() => Ok(Some(Arc::clone(&leaf.end))),
            other => Err(Contradiction::at(trace.steps.len(), other, None)),
        }
    }

    fn insert(&mut self, trace: &Trace) {
        let mut parent: Option<(Index, &Recorded)> = None;
        let mut beside = None;
        let steps = trace.steps.len();
        for (count, recorded) in trace.steps.iter().enumerate() {
            let existing = match parent {
                None => self.root,
                Some((index, before)) => self.branch(index, &before.digest),
            };
            let index = match existing {
                Some(index) => index,
                None => {
                    // Whatever the body is told, mostly it goes on as it did when it was told something else.
                    beside = match (beside, parent) {
                        (None, Some((diverging, _))) => self.any_branch(diverging),
                        (Some(beside), _) => self.any_branch(beside),
                        (None, None) => None,
                    };
                    let step = self.same_step(beside, &recorded.step);
                    let content = Content::Step { step, branches: Branches::default(), sample: None };
                    self.add(parent, content, steps - count)
                }
            };
            parent = Some((index, recorded));
        }
        let used = AtomicU64::new(self.clock.load(Ordering::Relaxed));
        let end = self.add(parent, Content::End(Arc::new(Leaf { end: Arc::clone(&trace.end), used })), 0);
        self.ends.push(end);
        self.depth = self.depth.max(steps);
    }

    /// A step that is at this node already need not be kept twice.
    fn same_step(&self, at: Option<Index>, step: &Arc<Step>) -> Arc<Step> {
        match at.and_then(|at| self.at(at)) {
            Some(At::Step(known)) if known.is_same(step) => Arc::clone(known),
            _ => Arc::clone(step),
        }
    }

    fn any_branch(&self, index: Index) -> Option<Index> {
        match self.content(index) {
            Some(Content::Step { branches, .. }) => branches.any(),
            _ => None,
        }
    }

    fn branch(&self, index: Index, digest: &Digest) -> Option<Index> {
        match self.content(index) {
            Some(Content::Step { branches, .. }) => branches.find(digest),
            _ => None,
        }
    }

    /// So many `more` nodes are about to come.
    fn add(&mut self, parent: Option<(Index, &Recorded)>, content: Content, more: usize) -> Index {
        let told = parent.map_or(Kept::Nothing, |(_, recorded)| recorded.told.clone());
        let is_sample = told.sample().is_some();
        let node = Node { parent: parent.map(|(index, _)| index), told, content };
        let free = self.free.pop();
        let index = match free.and_then(|index| Some((index, self.nodes.get_mut(index)?))) {
            Some((index, place)) => {
                *place = node;
                index
            }
            None => self.nodes.push(node, more),
        };
        match parent {
            None => self.root = Some(index),
            Some((parent, recorded)) => {
                let parent = self.nodes.get_mut(parent).map(|node| &mut node.content);
                if let Some(Content::Step { branches, sample, .. }) = parent {
                    branches.add(recorded.digest, index);
                    *sample = sample.or(is_sample.then_some(index));
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
            let gone = Node { parent: None, told: Kept::Nothing, content: Content::Free };
            let removed = self.nodes.get_mut(index).map(|node| std::mem::replace(node, gone));
            self.free.push(index);
            let Some(parent) = removed.and_then(|removed| removed.parent) else {
                self.root = None;
                return;
            };
            if let Some(Content::Step { branches, sample, .. }) =
                self.nodes.get_mut(parent).map(|node| &mut node.content)
            {
                sample.take_if(|of| *of == index);
                if !branches.remove(index) {
                    return;
                }
            }
            index = parent;
        }
    }

    /// Forgets all of it.
    pub(super) fn clear(&mut self) {
        *self = Tree { clock: Arc::clone(&self.clock), ..Tree::default() };
    }
}

impl Contradiction {
    fn at(count: usize, recorded: Option<&Content>, now: Option<&Arc<Step>>) -> Contradiction {
        let recorded = match recorded {
            Some(Content::Step { step, .. }) => Some(Arc::clone(step)),
            _ => None,
        };
        Contradiction { step: count + 1, recorded, now: now.cloned() }
    }
}
