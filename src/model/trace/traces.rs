//! The trace trees of all bodies in a process, shared by its threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use pantin_base::limits;
use pantin_values::{Digest, Value};
use rustc_hash::FxHashMap;

use super::policy::TracePolicy;
use super::step::RecordedReply;
use super::steps::{Steps, is_as_good};
use super::walk::{self, Growth};
use super::{Body, End, Failure, Host, RecordedStep, Secrets, Step, Trace, Tree, WalkKind, WalkResult};

/// What a body's traces are found by: all that its meaning depends on before it asks anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// Of the program: another build never reads this one's answers.
    pub build: Digest,
    /// Of the code, without the places of its expressions.
    pub body: Digest,
    pub parameters: Digest,
}

/// What traces are held for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Purpose {
    /// Nodes are asked again and again, as the code is edited: what each body came to for each node stays known, and may be
    /// compared with what it comes to next.
    #[default]
    Edits,
    /// Nodes are asked once: what a body was told for one of them serves the others alone. See [`Traces::shares`].
    Nodes,
}

/// Locks are held to find a tree and to let it grow, never while a host is asked: a walk may lead through other
/// walks, of the same body too.
#[derive(Debug)]
pub struct Traces {
    build: Digest,
    secrets: Secrets,
    purpose: Purpose,
    shards: Box<[RwLock<Shard>]>,
    /// Nodes of all trees.
    steps: AtomicUsize,
    /// Held by who makes room.
    sweep: Mutex<()>,
    policy: TracePolicy,
    /// Of all trees that are held for edits.
    equal: Steps,
}

const SHARDS: usize = 64;

/// So far ahead an equal step is looked for.
const AHEAD: usize = 8;

type Shard = FxHashMap<Key, Held>;

#[derive(Debug, Default)]
struct Held {
    tree: Arc<Tree>,
    /// Since the last time that room was made.
    used: AtomicBool,
}

impl Traces {
    /// `build` is of the program, and of the settings that change what code means.
    pub fn new(build: Digest, secrets: Secrets) -> Traces {
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        let (steps, sweep) = (AtomicUsize::new(0), Mutex::default());
        let (purpose, worth, equal) = (Purpose::default(), TracePolicy::default(), Steps::default());
        Traces { build, secrets, purpose, shards, steps, sweep, policy: worth, equal }
    }

    pub fn held_for(self, purpose: Purpose) -> Traces {
        Traces { purpose, ..self }
    }

    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Returns true if a body is to be walked, and recorded where it is run; `body`: of the code. Where each node is
    /// asked once, one is not that was told something of its own by nearly all nodes so far: to write down what nobody
    /// reads costs more than running it. Nothing but time depends on it.
    pub fn shares(&self, body: &Digest) -> bool {
        self.purpose == Purpose::Edits || self.policy.is_shared(body)
    }

    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// `body`: of the code; `parameters`: of the values it is called with.
    pub fn key(&self, body: Digest, parameters: Digest) -> Key {
        Key { build: self.build, body, parameters: self.secrets.seal(parameters) }
    }

    /// Walks the tree of a body, or runs it.
    pub fn walk(
        &self,
        key: &Key,
        body: Body<'_>,
        host: &mut dyn Host,
        run: impl FnOnce(&mut dyn Host) -> Result<Value, Failure>,
    ) -> WalkResult {
        let tree = self.tree(key).unwrap_or_default();
        let (mut walked, mut growth) = walk::walk(&tree, &self.secrets, self.purpose, body, host, run);
        if self.purpose == Purpose::Nodes {
            self.policy.note(&key.body, walked.how == WalkKind::Replayed);
        }
        if let Growth::Add(_, trace) = &mut growth
            && self.purpose == Purpose::Edits
        {
            self.share(trace);
        }
        // A tree that nobody else is walking grows in place.
        drop(tree);
        if !matches!(growth, Growth::Nothing) {
            self.grow(key, body, growth, &mut walked);
        }
        walked
    }

    /// Takes steps that others have for those that are equal to them: what names one is worked out once for all.
    pub fn share(&self, trace: &mut Trace) {
        self.share_with([&[], &[]], trace);
    }

    /// The same, of a run that asked much of what the one of these had asked, and did much of what the other did: mostly in the
    /// same order.
    pub fn share_with(&self, [mut asked, mut did]: [&[RecordedStep]; 2], trace: &mut Trace) {
        for recorded in &mut trace.steps {
            let known = if matches!(&*recorded.step, Step::Ask(_)) { &mut asked } else { &mut did };
            match known.iter().take(AHEAD).position(|one| is_as_good(&one.step, &recorded.step)) {
                Some(at) => {
                    recorded.step = Arc::clone(&known[at].step);
                    *known = &known[at + 1..];
                }
                None => self.equal.share(&mut recorded.step),
            }
            if let RecordedReply::Else(reply) = &mut recorded.reply {
                self.equal.share_reply(reply);
            }
        }
    }

    /// Returns the tree as it is now.
    pub fn tree(&self, key: &Key) -> Option<Arc<Tree>> {
        let shard = self.shard(key).read().unwrap_or_else(PoisonError::into_inner);
        let held = shard.get(key)?;
        held.used.store(true, Ordering::Relaxed);
        Some(Arc::clone(&held.tree))
    }

    /// Returns a trace that was not walked to; with its end, if there is room for it.
    pub fn add(&self, key: &Key, trace: &Trace) -> Option<Arc<End>> {
        self.change(key, |tree| match tree.grow(None, trace, self.purpose) {
            Ok(end) => end,
            Err(_) => {
                tree.clear();
                None
            }
        })
    }

    fn grow(&self, key: &Key, body: Body<'_>, growth: Growth, walked: &mut WalkResult) {
        self.change(key, |tree| tree.take(growth, body.name, walked, self.purpose));
    }

    fn change<T>(&self, key: &Key, change: impl FnOnce(&mut Tree) -> T) -> T {
        let mut shard = self.shard(key).write().unwrap_or_else(PoisonError::into_inner);
        let held = shard.entry(*key).or_default();
        let before = held.tree.len();
        let result = change(Arc::make_mut(&mut held.tree));
        let after = held.tree.len();
        drop(shard);
        let steps = match after.checked_sub(before) {
            Some(more) => self.steps.fetch_add(more, Ordering::Relaxed) + more,
            None => self.steps.fetch_sub(before - after, Ordering::Relaxed),
        };
        let most = match self.purpose {
            Purpose::Edits => limits::ALL_STEPS,
            Purpose::Nodes => limits::STEPS_FOR_NODES,
        };
        if steps > most {
            self.make_room(most);
        }
        result
    }

    /// Returns how many nodes all trees have.
    pub fn step_count(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }

    /// Drops the trees that are not in use, and that nobody has walked since the last time: those of code that is gone.
    pub fn drop_unused(&self, is_in_use: impl Fn(&Key) -> bool) {
        let Ok(_sweep) = self.sweep.try_lock() else { return };
        for shard in &self.shards {
            let mut dropped = 0;
            shard.write().unwrap_or_else(PoisonError::into_inner).retain(|key, held| {
                let stays = held.used.swap(false, Ordering::Relaxed) || is_in_use(key);
                dropped += if stays { 0 } else { held.tree.len() };
                stays
            });
            self.steps.fetch_sub(dropped, Ordering::Relaxed);
        }
    }

    /// Drops the trees that nobody wanted since the last time, and as many others as it takes if that is not enough.
    fn make_room(&self, most: usize) {
        // Where somebody makes room already, nobody else need.
        let Ok(_sweep) = self.sweep.try_lock() else { return };
        let mut kept = Vec::with_capacity(SHARDS);
        for shard in &self.shards {
            let mut shard = shard.write().unwrap_or_else(PoisonError::into_inner);
            shard.retain(|_, held| held.used.swap(false, Ordering::Relaxed));
            kept.push(shard.values().map(|held| held.tree.len()).sum::<usize>());
        }
        let mut steps = kept.iter().sum::<usize>();
        for (shard, own) in self.shards.iter().zip(kept) {
            if steps <= most / 2 {
                break;
            }
            shard.write().unwrap_or_else(PoisonError::into_inner).clear();
            steps -= own;
        }
        self.steps.store(steps, Ordering::Relaxed);
    }

    fn shard(&self, key: &Key) -> &RwLock<Shard> {
        use std::hash::BuildHasher;
        let hash = rustc_hash::FxBuildHasher.hash_one(key);
        // The top bits: the map inside goes by the others.
        &self.shards[(hash >> 40) as usize % SHARDS]
    }
}
