//! The branches of a trace tree: where a step leads, by the reply that the body got.

use pantin_values::Digest;
use rustc_hash::FxHashMap;

use super::nodes::Index;

/// Above this many branches a map finds one sooner than a search.
const FEW: usize = 8;

/// Most steps have one branch: what was told stands at the node that it leads to, and is compared with that. Digests are worked
/// out when another one comes.
#[derive(Clone, Debug, Default)]
pub(super) enum Branches {
    #[default]
    None,
    One(Index),
    Several(Box<Several>),
}

#[derive(Clone, Debug)]
pub(super) struct Several {
    by_digest: ByDigest,
    /// One that is sooner found by comparing what the body was told than by its digest.
    sample: Option<Index>,
}

#[derive(Clone, Debug)]
enum ByDigest {
    Few(Box<[(Digest, Index)]>),
    Many(FxHashMap<Digest, Index>),
}

/// Another way on: what leads there, and whether that is sooner compared than hashed.
pub(super) struct Branch {
    pub(super) digest: Digest,
    pub(super) is_sample: bool,
    pub(super) to: Index,
}

impl Branches {
    /// Returns the only one, whose digest need not be known.
    pub(super) fn one(&self) -> Option<Index> {
        match self {
            Branches::One(one) => Some(*one),
            _ => None,
        }
    }

    /// Finds the branch of a digest; `None` for a single branch, which is compared directly.
    pub(super) fn find(&self, digest: &Digest) -> Option<Index> {
        let Branches::Several(several) = self else { return None };
        match &several.by_digest {
            ByDigest::Few(few) => few.iter().find(|(one, _)| one == digest).map(|(_, next)| *next),
            ByDigest::Many(many) => many.get(digest).copied(),
        }
    }

    pub(super) fn sample(&self) -> Option<Index> {
        match self {
            Branches::Several(several) => several.sample,
            _ => None,
        }
    }

    /// The first one.
    pub(super) fn begin(&mut self, to: Index) {
        *self = Branches::One(to);
    }

    /// `one`: the only one so far.
    pub(super) fn add(&mut self, more: Branch, one: Option<Branch>) {
        match self {
            Branches::Several(several) => several.add(more),
            _ => {
                let both = one.into_iter().chain([more]);
                let mut several = Several { by_digest: ByDigest::Few(Box::default()), sample: None };
                both.for_each(|branch| several.add(branch));
                *self = Branches::Several(Box::new(several));
            }
        }
    }

    /// Returns true if none is left.
    pub(super) fn remove(&mut self, next: Index) -> bool {
        match self {
            Branches::None => true,
            Branches::One(one) => {
                if *one == next {
                    *self = Branches::None;
                }
                matches!(self, Branches::None)
            }
            Branches::Several(several) => {
                several.remove(next);
                several.len() == 0
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Branches::None => 0,
            Branches::One(_) => 1,
            Branches::Several(several) => several.len(),
        }
    }

    pub(super) fn any(&self) -> Option<Index> {
        match self {
            Branches::None => None,
            Branches::One(next) => Some(*next),
            Branches::Several(several) => several.any(),
        }
    }

    /// As they came, as far as no number was given twice.
    pub(super) fn in_order(&self) -> Vec<Index> {
        let mut all: Vec<Index> = match self {
            Branches::None => Vec::new(),
            Branches::One(next) => vec![*next],
            Branches::Several(several) => match &several.by_digest {
                ByDigest::Few(few) => few.iter().map(|(_, next)| *next).collect(),
                ByDigest::Many(many) => many.values().copied().collect(),
            },
        };
        all.sort_unstable();
        all
    }
}

impl Several {
    fn add(&mut self, Branch { digest, is_sample, to }: Branch) {
        self.sample = self.sample.or(is_sample.then_some(to));
        match &mut self.by_digest {
            ByDigest::Few(few) => {
                let all = few.iter().copied().chain([(digest, to)]);
                self.by_digest = match few.len() < FEW {
                    true => ByDigest::Few(all.collect()),
                    false => ByDigest::Many(all.collect()),
                };
            }
            ByDigest::Many(many) => {
                many.insert(digest, to);
            }
        }
    }

    fn remove(&mut self, next: Index) {
        self.sample.take_if(|sample| *sample == next);
        match &mut self.by_digest {
            ByDigest::Few(few) => *few = few.iter().copied().filter(|(_, one)| *one != next).collect(),
            ByDigest::Many(many) => many.retain(|_, one| *one != next),
        }
    }

    fn len(&self) -> usize {
        match &self.by_digest {
            ByDigest::Few(few) => few.len(),
            ByDigest::Many(many) => many.len(),
        }
    }

    fn any(&self) -> Option<Index> {
        match &self.by_digest {
            ByDigest::Few(few) => few.first().map(|(_, next)| *next),
            ByDigest::Many(many) => many.values().next().copied(),
        }
    }
}
