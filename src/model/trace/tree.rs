//! The traces of one body as a tree: they share their beginning until a reply differs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pantin_base::limits;
use pantin_values::{Digest, Value};

use super::branches::{Branch, Branches};
use super::nodes::{Index, Nodes};
use super::step::{RecordedReply, Sample, StepReplyRef};
use super::{End, Purpose, RecordedStep, Secrets, Step, Trace};

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
    /// The same as long as nothing was removed: each node of an older snapshot is where it was.
    lineage: Arc<()>,
}

#[derive(Clone, Debug)]
struct Node {
    /// The reply that leads here.
    reply: RecordedReply,
    content: Content,
    /// The root is its own parent.
    parent: Index,
    /// True if the steps before it, or the replies to them, contain a secret.
    is_secret: bool,
}

const _: () = assert!(size_of::<Node>() <= 56, "there are hundreds of nodes for each node of a fleet");

#[derive(Clone, Debug)]
enum Content {
    Step { step: Arc<Step>, branches: Branches },
    End(Arc<End>),
    Free,
}

/// The point where a walk left the tree: a step with a new reply.
#[derive(Debug)]
pub(super) struct Departure {
    at: Index,
    /// How many steps there are before that one.
    count: usize,
    /// True if these steps, or the replies to them, contain a secret.
    pub(super) is_secret: bool,
    lineage: Arc<()>,
}

/// The place where a trace leaves the tree, if it does.
enum DivergencePoint {
    Never(Arc<End>),
    /// After this node, with so many of its steps.
    After(Option<Index>, usize),
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
    /// Returns how many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Returns how many ends it has.
    pub fn variants(&self) -> usize {
        self.ends.len()
    }

    /// Steps of the longest trace.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns where a walk begins.
    pub(super) fn begin(&self) -> Option<Index> {
        self.clock.fetch_add(1, Ordering::Relaxed);
        self.root
    }

    pub(super) fn root(&self) -> Option<Index> {
        self.root
    }

    pub(super) fn node_at(&self, index: Index) -> Option<At<'_>> {
        match self.content(index)? {
            Content::Step { step, .. } => Some(At::Step(step)),
            Content::End(end) => Some(At::End(end)),
            Content::Free => None,
        }
    }

    fn content(&self, index: Index) -> Option<&Content> {
        self.nodes.get(index).map(|node| &node.content)
    }

    /// Returns the branch of a reply; `is_hidden`: the reply contains a decrypted text.
    pub(super) fn follow(
        &self,
        index: Index,
        reply: StepReplyRef<'_>,
        is_hidden: bool,
        secrets: &Secrets,
    ) -> Option<Index> {
        let Content::Step { step, branches } = self.content(index)? else { return None };
        if let Some(one) = branches.one() {
            let known = &self.nodes.get(one)?.reply;
            return known.is(step, reply, is_hidden, secrets).then_some(one);
        }
        if let Some(next) = branches.sample()
            && let (Some(value), Some(known)) = (reply.value().filter(|_| !is_hidden), self.sample(next))
            && known.is(value)
        {
            return Some(next);
        }
        branches.find(&secrets.seal(reply.digest(is_hidden)))
    }

    /// Returns the sample of the reply that leads to a node.
    fn sample(&self, index: Index) -> Option<Sample<'_>> {
        let (step, reply) = self.incoming_reply(index)?;
        reply.sample(step)
    }

    fn digest(&self, index: Index) -> Option<Digest> {
        let (step, reply) = self.incoming_reply(index)?;
        Some(reply.digest(step))
    }

    /// Returns the reply that leads to a node, and its step.
    fn incoming_reply(&self, index: Index) -> Option<(&Arc<Step>, &RecordedReply)> {
        let node = self.nodes.get(index)?;
        match self.content(node.parent)? {
            Content::Step { step, .. } if node.parent != index => Some((step, &node.reply)),
            _ => None,
        }
    }

    /// Returns its branches in the order in which they were added: the reply by its digest, and by value if stored, and
    /// the next node.
    pub(super) fn branches(&self, index: Index) -> Vec<(Digest, Option<Value>, Index)> {
        match self.content(index) {
            Some(Content::Step { branches, .. }) => {
                let named = |next| Some((self.digest(next)?, self.sample(next).map(Sample::value), next));
                branches.in_order().into_iter().filter_map(named).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the only reply at this node, by its digest or value; otherwise the number of replies.
    pub(super) fn single_reply(&self, index: Index) -> Result<(Option<Digest>, Option<Value>), usize> {
        match self.content(index) {
            Some(Content::Step { branches, .. }) => match branches.any().filter(|_| branches.len() == 1) {
                Some(next) => match self.sample(next) {
                    Some(sample) => Ok((None, Some(sample.value()))),
                    None => Ok((self.digest(next), None)),
                },
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
        let at = end.at.load(Ordering::Relaxed);
        let is_there = matches!(self.content(at)?, Content::End(known) if Arc::ptr_eq(known, end));
        if is_there { self.trace(at) } else { None }
    }

    fn trace(&self, end: Index) -> Option<Trace> {
        let Content::End(last) = self.content(end)? else { return None };
        let mut steps = Vec::new();
        let mut index = end;
        while let Some((step, reply)) = self.incoming_reply(index) {
            let Node { parent, is_secret, .. } = *self.nodes.get(index)?;
            steps.push(RecordedStep { step: Arc::clone(step), reply: reply.clone(), is_secret });
            index = parent;
        }
        steps.reverse();
        Some(Trace { steps, end: Arc::clone(last) })
    }

    /// Marks the end at this node as used.
    pub(super) fn touch(&self, index: Index) {
        if let Some(Content::End(end)) = self.content(index) {
            end.used.store(self.clock.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Returns true if a new trace would be stored.
    pub(super) fn has_room(&self, purpose: Purpose) -> bool {
        self.ends.len() < limits::BODY_VARIANTS && self.len() < limits::BODY_STEPS || self.goes(purpose).is_some()
    }

    /// The end that is removed if there is no room.
    fn goes(&self, purpose: Purpose) -> Option<Index> {
        let stale = if purpose == Purpose::Edits { self.stale_end() } else { None };
        stale.or_else(|| self.idle_end())
    }

    /// Returns the least recently used of the ends that no answer refers to any more.
    fn stale_end(&self) -> Option<Index> {
        let is_stale = |index: &Index| match self.content(*index) {
            Some(Content::End(end)) => Arc::strong_count(end) == 1,
            _ => false,
        };
        self.ends.iter().copied().filter(is_stale).min_by_key(|index| self.last_used(*index))
    }

    /// Returns the least recently used end, if it was idle for long.
    fn idle_end(&self) -> Option<Index> {
        let now = self.clock.load(Ordering::Relaxed);
        if now < self.busy_until.load(Ordering::Relaxed) {
            return None;
        }
        let oldest = self.ends.iter().copied().min_by_key(|index| self.last_used(*index))?;
        let idle_from = self.last_used(oldest).saturating_add(PATIENCE * limits::BODY_VARIANTS as u64);
        self.busy_until.store(idle_from, Ordering::Relaxed);
        (idle_from <= now).then_some(oldest)
    }

    /// When an end was of use last.
    fn last_used(&self, end: Index) -> u64 {
        match self.content(end) {
            Some(Content::End(end)) => end.used.load(Ordering::Relaxed),
            _ => u64::MAX,
        }
    }

    /// Where a walk leaves it: at this node, after so many steps.
    pub(super) fn departure(&self, at: Index, count: usize) -> Option<Departure> {
        let is_secret = self.nodes.get(at)?.is_secret;
        Some(Departure { at, count, is_secret, lineage: Arc::clone(&self.lineage) })
    }

    /// Adds a trace, or what is new of it: with its end as it stands there, or nothing when there is no room for it, or no
    /// place any more.
    pub(super) fn grow(
        &mut self,
        from: Option<&Departure>,
        trace: &Trace,
        purpose: Purpose,
    ) -> Result<Option<Arc<End>>, Contradiction> {
        let (start, before) = match from {
            None => (self.root, 0),
            Some(from) if Arc::ptr_eq(&from.lineage, &self.lineage) => (Some(from.at), from.count),
            Some(_) => return Ok(None),
        };
        match self.find_divergence(start, before, trace)? {
            DivergencePoint::Never(end) => Ok(Some(end)),
            DivergencePoint::After(parent, count) => {
                let end = self.insert(parent, before, trace, count);
                Ok(self.make_room(end, purpose).then(|| Arc::clone(&trace.end)))
            }
        }
    }

    /// Finds the node at which the trace leaves the tree. `before`: how many steps there are before it.
    fn find_divergence(
        &self,
        start: Option<Index>,
        before: usize,
        trace: &Trace,
    ) -> Result<DivergencePoint, Contradiction> {
        let (mut parent, mut next) = (None, start);
        for (count, recorded) in trace.steps.iter().enumerate() {
            let Some(index) = next else { return Ok(DivergencePoint::After(parent, count)) };
            match self.content(index) {
                Some(Content::Step { step, .. })
                    if Arc::ptr_eq(step, &recorded.step) || step.is_same(&recorded.step) =>
                {
                    parent = next;
                    next = self.branch(index, recorded);
                }
                other => return Err(Contradiction::at(before + count, other, Some(&recorded.step))),
            }
        }
        let Some(index) = next else { return Ok(DivergencePoint::After(parent, trace.steps.len())) };
        match self.content(index) {
            Some(Content::End(end)) if end.digest() == trace.end.digest() => {
                self.touch(index);
                Ok(DivergencePoint::Never(Arc::clone(end)))
            }
            other => Err(Contradiction::at(before + trace.steps.len(), other, None)),
        }
    }

    /// Adds the steps from `count` on below a node; returns the end.
    fn insert(&mut self, parent: Option<Index>, before: usize, trace: &Trace, count: usize) -> Index {
        let steps = trace.steps.len();
        let last = count.checked_sub(1).and_then(|last| trace.steps.get(last));
        let mut parent = parent.zip(last);
        // Whatever the body is told, mostly it goes on as it did when it was told something else.
        let mut beside = parent.and_then(|(parting, _)| self.any_branch(parting));
        for (count, recorded) in trace.steps.iter().enumerate().skip(count) {
            let step = self.same_step(beside, &recorded.step);
            let content = Content::Step { step, branches: Branches::default() };
            let index = self.add(parent, content, steps - count);
            beside = beside.and_then(|beside| self.any_branch(beside));
            parent = Some((index, recorded));
        }
        let end = self.add(parent, Content::End(Arc::clone(&trace.end)), 0);
        trace.end.at.store(end, Ordering::Relaxed);
        self.ends.push(end);
        self.touch(end);
        self.depth = self.depth.max(before + steps);
        end
    }

    /// Lets ends go as far as that is needed for this one; or this one. Whether it is there.
    fn make_room(&mut self, end: Index, purpose: Purpose) -> bool {
        while self.ends.len() > limits::BODY_VARIANTS || self.len() > limits::BODY_STEPS {
            let other = self.goes(purpose).filter(|other| *other != end);
            self.remove_end(other.unwrap_or(end));
            if other.is_none() {
                return false;
            }
        }
        true
    }

    /// Returns a step that is at this node already need not be kept twice.
    fn same_step(&self, at: Option<Index>, step: &Arc<Step>) -> Arc<Step> {
        match at.and_then(|at| self.node_at(at)) {
            Some(At::Step(known)) if !Arc::ptr_eq(known, step) && known.is_same(step) => Arc::clone(known),
            _ => Arc::clone(step),
        }
    }

    fn any_branch(&self, index: Index) -> Option<Index> {
        match self.content(index) {
            Some(Content::Step { branches, .. }) => branches.any(),
            _ => None,
        }
    }

    fn branch(&self, index: Index, recorded: &RecordedStep) -> Option<Index> {
        let Content::Step { step, branches } = self.content(index)? else { return None };
        match branches.one() {
            Some(one) => self.nodes.get(one)?.reply.is_same(&recorded.reply, step).then_some(one),
            None => branches.find(&recorded.digest()),
        }
    }

    /// Adds a node; `more`: how many further nodes will follow, to reserve room.
    fn add(&mut self, parent: Option<(Index, &RecordedStep)>, content: Content, more: usize) -> Index {
        let reply = parent.map_or(RecordedReply::Nothing, |(_, recorded)| recorded.reply.clone());
        let was_secret = |index: Index| self.nodes.get(index).is_some_and(|node| node.is_secret);
        let is_secret = parent.is_some_and(|(index, recorded)| recorded.is_secret || was_secret(index));
        let free = self.free.pop();
        let index = free.unwrap_or(self.nodes.len() as Index);
        let node = Node { reply, content, parent: parent.map_or(index, |(parent, _)| parent), is_secret };
        match free.and_then(|index| self.nodes.get_mut(index)) {
            Some(place) => *place = node,
            None => _ = self.nodes.push(node, more),
        }
        match parent {
            None => self.root = Some(index),
            Some((parent, recorded)) => self.add_branch(parent, recorded, index),
        }
        index
    }

    fn add_branch(&mut self, parent: Index, recorded: &RecordedStep, to: Index) {
        let Some(Content::Step { branches, .. }) = self.content(parent) else { return };
        let is_first = branches.any().is_none();
        let one = branches.one().and_then(|one| {
            let (digest, is_sample) = (self.digest(one)?, self.sample(one).is_some());
            Some(Branch { digest, is_sample, to: one })
        });
        let parent = self.nodes.get_mut(parent).map(|node| &mut node.content);
        let Some(Content::Step { branches, .. }) = parent else { return };
        match is_first {
            true => branches.begin(to),
            false => {
                let is_sample = recorded.sample().is_some();
                branches.add(Branch { digest: recorded.digest(), is_sample, to }, one);
            }
        }
    }

    /// Removes an end, and what led to it alone.
    fn remove_end(&mut self, end: Index) {
        self.lineage = Arc::default();
        self.ends.retain(|index| *index != end);
        let mut index = end;
        loop {
            let gone = Node { reply: RecordedReply::Nothing, content: Content::Free, parent: index, is_secret: false };
            let removed = self.nodes.get_mut(index).map(|node| std::mem::replace(node, gone));
            self.free.push(index);
            let Some(parent) = removed.map(|removed| removed.parent).filter(|parent| *parent != index) else {
                self.root = None;
                return;
            };
            if let Some(Content::Step { branches, .. }) = self.nodes.get_mut(parent).map(|node| &mut node.content)
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

impl Contradiction {
    fn at(count: usize, recorded: Option<&Content>, now: Option<&Arc<Step>>) -> Contradiction {
        let recorded = match recorded {
            Some(Content::Step { step, .. }) => Some(Arc::clone(step)),
            _ => None,
        };
        Contradiction { step: count + 1, recorded, now: now.cloned() }
    }
}
