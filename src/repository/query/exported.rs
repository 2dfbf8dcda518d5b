//! Exports as inputs of queries: one digest per round and type, so that only nodes that collect a changed type are
//! invalidated.

use std::collections::BTreeMap;
use std::sync::Arc;

use pantin_compile::digests_by_type;
use pantin_values::{Digest, Str};
use pantin_world::ExportedResource;

use super::database::ExportsInput;

/// Rounds are counted from 1.
pub(super) type Round = u32;

/// The round of nodes that exchange nothing.
pub(super) const ALONE: Round = 0;

#[derive(Default)]
pub(super) struct ExportsByRound {
    rounds: BTreeMap<Round, RoundExports>,
    inputs: BTreeMap<(Round, Str), ExportsInput>,
}

/// What the nodes of a round see.
#[derive(Default)]
struct RoundExports {
    all: Arc<Vec<ExportedResource>>,
    digests: BTreeMap<Str, Digest>,
}

/// Of a type of which nothing is exported.
fn nothing() -> Digest {
    Digest::atom(0)
}

impl ExportsByRound {
    /// From now on this is what the nodes of a round see. Gives the inputs that have another value now.
    pub(super) fn update(&mut self, round: Round, exports: Vec<ExportedResource>) -> Vec<(ExportsInput, Digest)> {
        let seen = RoundExports { digests: digests_by_type(&exports), all: Arc::new(exports) };
        let before = self.rounds.insert(round, seen).unwrap_or_default();
        let inputs = self.inputs.iter().filter(|((of, _), _)| *of == round);
        let now = inputs.map(|((_, name), input)| (name, *input, self.digest(round, name)));
        let is_new = |name: &Str, digest| before.digests.get(name).copied().unwrap_or_else(nothing) != digest;
        now.filter(|(name, _, digest)| is_new(name, *digest)).map(|(_, input, digest)| (input, digest)).collect()
    }

    pub(super) fn all(&self, round: Round) -> Arc<Vec<ExportedResource>> {
        self.rounds.get(&round).map(|seen| Arc::clone(&seen.all)).unwrap_or_default()
    }

    /// Returns the input of a type, made when it is first wanted.
    pub(super) fn input(
        &mut self,
        round: Round,
        type_name: &Str,
        make: impl FnOnce(Digest) -> ExportsInput,
    ) -> ExportsInput {
        let digest = self.digest(round, type_name);
        *self.inputs.entry((round, type_name.clone())).or_insert_with(|| make(digest))
    }

    fn digest(&self, round: Round, type_name: &Str) -> Digest {
        self.rounds.get(&round).and_then(|seen| seen.digests.get(type_name)).copied().unwrap_or_else(nothing)
    }
}
