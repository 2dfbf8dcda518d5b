//! The policy of recording: for which bodies traces pay when each node is compiled once.

use std::sync::{PoisonError, RwLock};

use pantin_values::Digest;
use rustc_hash::FxHashMap;

/// By the code of a body, whatever its parameters: a defined type may have as many keys as instances.
#[derive(Default, Debug)]
pub(super) struct TracePolicy {
    bodies: RwLock<FxHashMap<Digest, Counts>>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    walks: u32,
    replays: u32,
}

/// So many runs are written down before anything is said of a body.
const TRIAL: u32 = 48;

/// To be worth it, one of so many walks has to be a replay.
const SHARE: u32 = 8;

impl Counts {
    fn is_shared(self) -> bool {
        self.walks - self.replays < TRIAL || self.replays * SHARE >= self.walks
    }
}

impl TracePolicy {
    pub(super) fn is_shared(&self, body: &Digest) -> bool {
        let bodies = self.bodies.read().unwrap_or_else(PoisonError::into_inner);
        bodies.get(body).is_none_or(|counts| counts.is_shared())
    }

    pub(super) fn note(&self, body: &Digest, is_replay: bool) {
        let mut bodies = self.bodies.write().unwrap_or_else(PoisonError::into_inner);
        let counts = bodies.entry(*body).or_default();
        counts.walks += 1;
        counts.replays += u32::from(is_replay);
    }
}
