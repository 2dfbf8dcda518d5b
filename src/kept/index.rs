//! Which answers there are, and what each of them rests on.
//!
//! What the answers of a fleet rest on is much the same for all of them, so each question to the disk stands in one
//! table, with the digest of what was said; an answer names its own by their numbers.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::codec::{self, Bytes};
use super::numbers;
use crate::base::Form;
use crate::world::LeafKind;

/// So many answers are kept of one name: of several branches, and of the rounds in which exported resources settle.
const VARIANTS: usize = 8;

/// So many of all names together; a large fleet keeps fewer of each.
const ALL_VARIANTS: usize = 40_000;

/// A question to the disk, and what it said.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Said {
    pub(super) kind: LeafKind,
    /// The way from the root, or as it is.
    pub(super) path: String,
    pub(super) is_inside: bool,
    #[serde(with = "codec::digest")]
    pub(super) digest: [u8; 16],
    /// Of what was read as code.
    pub(super) form: Option<CodeForm>,
}

/// [`Form`], as it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct CodeForm {
    #[serde(with = "codec::digest")]
    meaning: [u8; 16],
    lines: Numbers,
}

impl From<Form> for CodeForm {
    fn from(form: Form) -> CodeForm {
        CodeForm { meaning: form.meaning, lines: Numbers::of(form.lines) }
    }
}

impl CodeForm {
    pub(super) fn form(&self) -> Form {
        Form { meaning: self.meaning, lines: self.lines.iter().collect() }
    }
}

#[derive(Default, Debug, Serialize, Deserialize)]
pub(super) struct Index {
    pub(super) said: Vec<Said>,
    /// By name, each with the last that was of use first.
    pub(super) answers: BTreeMap<String, Vec<Answer>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The folder it was told from,
    pub(super) root: String,
    /// and whether it is right wherever that lies.
    pub(super) is_movable: bool,
    pub(super) rests: Numbers,
    /// What its maker asked beside the disk, by names that the maker understands,
    pub(super) asked: Vec<String>,
    /// and the digests of what was said, in an order that its maker knows.
    pub(super) told: Vec<[u8; 16]>,
    pub(super) is_sealed: bool,
    pub(super) summary: Bytes,
    /// The address of all else.
    pub(super) content: [u8; 32],
}

impl Index {
    /// No more than these answers, by name and place.
    pub(super) fn only(self, wanted: Vec<(String, usize)>) -> Index {
        let mut only: BTreeMap<String, Vec<Answer>> = BTreeMap::new();
        for (name, at) in wanted {
            let answer = self.answers.get(&name).and_then(|answers| answers.get(at).cloned());
            only.entry(name).or_default().extend(answer);
        }
        Index { answers: only, ..self }
    }
}

impl Answer {
    /// Whether the two are for the same world.
    fn is_for_same(&self, other: &Answer) -> bool {
        let is_here = self.root == other.root || self.is_movable && other.is_movable;
        is_here && self.told == other.told && self.asked == other.asked && self.rests == other.rests
    }
}

/// Numbers of questions, ascending: each as its distance from the one before, seven bits in a byte.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub(super) struct Numbers(Bytes);

impl Numbers {
    pub(super) fn of(mut numbers: Vec<u32>) -> Numbers {
        numbers.sort_unstable();
        numbers.dedup();
        let mut bytes = Vec::with_capacity(numbers.len() + 16);
        let mut before = 0;
        for number in numbers {
            numbers::put(&mut bytes, u64::from(number - before));
            before = number;
        }
        Numbers(Bytes(bytes))
    }

    /// Of damaged bytes, numbers that stand for nothing.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let mut bytes = self.0.0.as_slice();
        let mut before = 0_u32;
        std::iter::from_fn(move || {
            if bytes.is_empty() {
                return None;
            }
            let distance = numbers::take(&mut bytes).and_then(|distance| u32::try_from(distance).ok());
            before = before.saturating_add(distance.unwrap_or(u32::MAX));
            Some(before)
        })
    }
}

/// How many of all that stand in either stand in both, of a thousand. Both ascend.
pub(super) fn likeness(here: &[u32], there: &[u32]) -> usize {
    let (mut at_here, mut at_there, mut both) = (0, 0, 0);
    while let (Some(a), Some(b)) = (here.get(at_here), there.get(at_there)) {
        both += usize::from(a == b);
        at_here += usize::from(a <= b);
        at_there += usize::from(b <= a);
    }
    both * 1000 / (here.len() + there.len() - both).max(1)
}

/// An index that grows: of another one, and of new answers.
#[derive(Default)]
pub(super) struct Growing {
    index: Index,
    numbers: FxHashMap<Said, u32>,
}

impl Growing {
    /// The number of a question.
    pub(super) fn number(&mut self, said: Said) -> u32 {
        if let Some(number) = self.numbers.get(&said) {
            return *number;
        }
        let number = self.index.said.len() as u32;
        self.index.said.push(said.clone());
        self.numbers.insert(said, number);
        number
    }

    /// Puts an answer before those that are there under its name; the same one is there once.
    pub(super) fn put(&mut self, name: &str, answer: Answer) {
        let answers = self.index.answers.entry(name.to_owned()).or_default();
        answers.retain(|known| !known.is_for_same(&answer));
        answers.insert(0, answer);
    }

    /// Takes in what another index has, behind what is here, as far as there is room.
    pub(super) fn take(&mut self, other: Index) {
        let Index { said, answers } = other;
        let names = answers.len().max(self.index.answers.len()).max(1);
        let most = (ALL_VARIANTS / names).clamp(1, VARIANTS);
        let mut numbers: Vec<Option<u32>> = vec![None; said.len()];
        for (name, others) in answers {
            for answer in others {
                let here = self.index.answers.get(&name).map_or(0, Vec::len);
                if here >= most {
                    break;
                }
                let mut moved = Vec::new();
                for number in answer.rests.iter() {
                    let Some(place) = numbers.get_mut(number as usize) else { continue };
                    let number = *place.get_or_insert_with(|| self.number(said[number as usize].clone()));
                    moved.push(number);
                }
                let moved = Answer { rests: Numbers::of(moved), ..answer };
                let answers = self.index.answers.entry(name.clone()).or_default();
                if !answers.iter().any(|known| known.is_for_same(&moved)) {
                    answers.push(moved);
                }
            }
        }
        for answers in self.index.answers.values_mut() {
            answers.truncate(most);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.index.answers.is_empty()
    }

    pub(super) fn finish(self) -> Index {
        self.index
    }
}
