//! Whether the disk still says what it said: each question is asked once, and only when somebody rests on it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Root;
use super::index::{Numbers, Said};
use crate::world::Leaves;

const UNASKED: u8 = 0;
const HOLDS: u8 = 1;
const ANOTHER: u8 = 2;

/// By the numbers of the questions. Two threads may ask the same one at once: they hear the same.
pub(super) struct Judge {
    judged: Vec<AtomicU8>,
    root: Root,
}

impl Judge {
    pub(super) fn of(said: &[Said], root: Root) -> Judge {
        Judge { judged: said.iter().map(|_| AtomicU8::new(UNASKED)).collect(), root }
    }

    /// Where what was asked about is today.
    pub(super) fn path<'s>(&self, said: &'s Said) -> Cow<'s, Path> {
        if said.is_inside { self.root.outside(&said.path).into() } else { Path::new(&said.path).into() }
    }

    /// Whether all of these are as they were. A number that stands for nothing is not.
    pub(super) fn all_hold(&self, rests: &Numbers, said: &[Said], leaves: &Leaves) -> bool {
        rests.iter().all(|number| self.holds(number as usize, said, leaves))
    }

    /// Those that are not as they were.
    pub(super) fn changed<'s>(&self, rests: &Numbers, said: &'s [Said], leaves: &Leaves) -> Vec<&'s Said> {
        let numbers = rests.iter().map(|number| number as usize);
        numbers.filter(|&number| !self.holds(number, said, leaves)).filter_map(|number| said.get(number)).collect()
    }

    fn holds(&self, number: usize, said: &[Said], leaves: &Leaves) -> bool {
        let (Some(judged), Some(said)) = (self.judged.get(number), said.get(number)) else { return false };
        match judged.load(Ordering::Relaxed) {
            UNASKED => {
                let holds = leaves.digest(said.kind, &self.path(said)).bytes() == &said.digest;
                judged.store(if holds { HOLDS } else { ANOTHER }, Ordering::Relaxed);
                holds
            }
            judged => judged == HOLDS,
        }
    }
}
