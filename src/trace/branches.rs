//! Where a step leads, by what the body was told after it.

use rustc_hash::FxHashMap;

use super::nodes::Index;
use crate::pcore::Digest;

/// Above this many branches a map finds one sooner than a search.
const FEW: usize = 8;

/// Most steps have one branch, and hold it in place; its digest is worked out when another one comes, if there is a sample
/// of what was told.
#[derive(Clone, Debug, Default)]
pub(super) enum Branches {
    #[default]
    None,
    One(Option<Digest>, Index),
    Few(Box<[(Digest, Index)]>),
    Many(Box<FxHashMap<Digest, Index>>),
}

impl Branches {
    pub(super) fn find(&self, digest: &Digest) -> Option<Index> {
        match self {
            Branches::None => None,
            Branches::One(one, next) => (one.as_ref() == Some(digest)).then_some(*next),
            Branches::Few(few) => few.iter().find(|(one, _)| one == digest).map(|(_, next)| *next),
            Branches::Many(many) => many.get(digest).copied(),
        }
    }

    /// What the body was told to come to a node; `None`: of that there is a sample.
    pub(super) fn to(&self, next: Index) -> Option<Digest> {
        let known = match self {
            Branches::None => None,
            Branches::One(digest, one) => digest.as_ref().filter(|_| *one == next),
            Branches::Few(few) => few.iter().find(|(_, one)| *one == next).map(|(digest, _)| digest),
            Branches::Many(many) => many.iter().find(|(_, one)| **one == next).map(|(digest, _)| digest),
        };
        known.copied()
    }

    /// The only branch, if its digest is not known yet.
    pub(super) fn unnamed(&self) -> Option<Index> {
        match self {
            Branches::One(None, next) => Some(*next),
            _ => None,
        }
    }

    /// The first one.
    pub(super) fn begin(&mut self, digest: Option<Digest>, next: Index) {
        *self = Branches::One(digest, next);
    }

    /// `unnamed`: of the only branch so far, if its digest is not known yet.
    pub(super) fn add(&mut self, digest: Digest, next: Index, unnamed: Digest) {
        match self {
            Branches::None => *self = Branches::One(Some(digest), next),
            Branches::One(one, first) => {
                *self = Branches::Few(Box::new([(one.unwrap_or(unnamed), *first), (digest, next)]));
            }
            Branches::Few(few) => {
                let all = few.iter().copied().chain([(digest, next)]);
                *self = match few.len() < FEW {
                    true => Branches::Few(all.collect()),
                    false => Branches::Many(Box::new(all.collect())),
                };
            }
            Branches::Many(many) => {
                many.insert(digest, next);
            }
        }
    }

    /// Whether none is left.
    pub(super) fn remove(&mut self, next: Index) -> bool {
        match self {
            Branches::None => true,
            Branches::One(_, one) => {
                if *one == next {
                    *self = Branches::None;
                }
                matches!(self, Branches::None)
            }
            Branches::Few(few) => {
                *few = few.iter().copied().filter(|(_, one)| *one != next).collect();
                few.is_empty()
            }
            Branches::Many(many) => {
                many.retain(|_, one| *one != next);
                many.is_empty()
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Branches::None => 0,
            Branches::One(..) => 1,
            Branches::Few(few) => few.len(),
            Branches::Many(many) => many.len(),
        }
    }

    pub(super) fn any(&self) -> Option<Index> {
        match self {
            Branches::None => None,
            Branches::One(_, next) => Some(*next),
            Branches::Few(few) => few.first().map(|(_, next)| *next),
            Branches::Many(many) => many.values().next().copied(),
        }
    }

    pub(super) fn only(&self) -> Option<(Option<Digest>, Index)> {
        match self {
            branches if branches.len() == 1 => branches.in_order().pop(),
            _ => None,
        }
    }

    /// As they came, as far as no number was given twice.
    pub(super) fn in_order(&self) -> Vec<(Option<Digest>, Index)> {
        let mut all: Vec<(Option<Digest>, Index)> = match self {
            Branches::None => Vec::new(),
            Branches::One(digest, next) => vec![(*digest, *next)],
            Branches::Few(few) => few.iter().map(|(digest, next)| (Some(*digest), *next)).collect(),
            Branches::Many(many) => many.iter().map(|(digest, next)| (Some(*digest), *next)).collect(),
        };
        all.sort_by_key(|(_, next)| *next);
        all
    }
}
