//! The index of stored answers and their dependencies.
//!
//! What the answers of a fleet depend on is much the same for all of them, so each question to the disk stands in one
//! table, with the digest of what was said; an answer names its own by their numbers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use pantin_world::LeafKind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::codec::{self, Bytes};
use super::forms::Form;
use super::numbers;
use super::validator::ChangedNodeLeaf;

/// So many answers are kept of one name: of several branches, and of the rounds in which exported resources settle.
const VARIANTS: usize = 8;

/// So many of all names together; a large fleet keeps fewer of each.
const ALL_VARIANTS: usize = 40_000;

/// A question to the disk, and what it said.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct StoredLeaf {
    pub(super) kind: LeafKind,
    /// The way from the root, or as it is.
    pub(super) path: String,
    pub(super) is_inside: bool,
    #[serde(with = "codec::digest")]
    pub(super) digest: [u8; 16],
    pub(super) form: Option<Form>,
}

#[derive(Default, Debug, Serialize, Deserialize)]
pub(super) struct Index {
    pub(super) leaves: Vec<StoredLeaf>,
    /// Keys of data that answers have asked for, by their hashes,
    keys: Vec<u128>,
    /// and the numbers of those that one has asked for: of many answers they are the same.
    key_sets: Vec<Numbers>,
    /// By name, each with the last that was of use first.
    pub(super) answers: BTreeMap<String, NamedAnswers>,
}

/// The answers of one name, decoded where somebody asks for them: a run about one node decodes those of no other.
#[derive(Default, Debug)]
pub(super) struct NamedAnswers {
    /// Empty where they are not as they were stored.
    stored: Bytes,
    decoded: OnceLock<Vec<Answer>>,
}

impl NamedAnswers {
    /// Of damaged bytes there are none.
    pub(super) fn list(&self) -> &Vec<Answer> {
        self.decoded.get_or_init(|| codec::decoded(&self.stored.0).unwrap_or_default())
    }

    fn take(&mut self) -> Vec<Answer> {
        self.list();
        self.stored = Bytes::default();
        self.decoded.take().unwrap_or_default()
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<Answer>)) {
        let mut answers = self.take();
        change(&mut answers);
        self.decoded = OnceLock::from(answers);
    }
}

impl Serialize for NamedAnswers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !self.stored.0.is_empty() {
            return self.stored.serialize(to);
        }
        let encoded = codec::encoded(self.list()).ok_or_else(|| serde::ser::Error::custom("too large"))?;
        Bytes(encoded).serialize(to)
    }
}

impl<'de> Deserialize<'de> for NamedAnswers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<NamedAnswers, D::Error> {
        Ok(NamedAnswers { stored: Bytes::deserialize(from)?, decoded: OnceLock::new() })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The folder it was told from,
    pub(super) root: String,
    /// and whether it is right wherever that lies.
    pub(super) is_movable: bool,
    pub(super) dependencies: Numbers,
    /// The number of the set of keys that it has asked for.
    pub(super) key_set: u32,
    /// What its maker asked beside the disk, by names that the maker understands,
    pub(super) questions: Vec<String>,
    /// and the digests of what was said, in an order that its maker knows.
    pub(super) reply_digests: Vec<[u8; 16]>,
    /// What it read of what is known of its subject, as its maker writes it,
    pub(super) node_reads: Bytes,
    pub(super) is_sealed: bool,
    pub(super) summary: Bytes,
    /// The address of all else.
    pub(super) content: [u8; 32],
}

impl Index {
    /// Returns true if an answer asked for any of these keys, which ascend.
    pub(super) fn asks_any(&self, answer: &Answer, keys: &[u128]) -> bool {
        // A set that is not there could be any.
        let Some(set) = self.key_sets.get(answer.key_set as usize) else { return true };
        let mut asked = set.iter().map(|number| self.keys.get(number as usize));
        asked.any(|key| key.is_none_or(|key| keys.binary_search(key).is_ok()))
    }

    /// Returns the keys that an answer asked for. `None`: they are lost.
    pub(super) fn keys_of(&self, answer: &Answer) -> Option<Vec<u128>> {
        let set = self.key_sets.get(answer.key_set as usize)?;
        set.iter().map(|number| self.keys.get(number as usize).copied()).collect()
    }

    /// No more than these answers, with the leaves that are others now.
    pub(super) fn only(mut self, wanted: Vec<UsedAnswer>) -> Index {
        let mut only: BTreeMap<String, NamedAnswers> = BTreeMap::new();
        for UsedAnswer { name, at, replaced } in wanted {
            let Some(mut answer) = self.answers.get(&name).and_then(|answers| answers.list().get(at)).cloned() else {
                continue;
            };
            if !replaced.is_empty() {
                let mut numbers: Vec<u32> = answer.dependencies.iter().collect();
                for (number, digest) in replaced {
                    let Some(leaf) = self.leaves.get(number as usize).cloned() else { continue };
                    numbers.retain(|known| *known != number);
                    numbers.push(self.leaves.len() as u32);
                    self.leaves.push(StoredLeaf { digest, ..leaf });
                }
                answer.dependencies = Numbers::from_numbers(numbers);
            }
            only.entry(name).or_default().change(|answers| answers.push(answer));
        }
        Index { answers: only, ..self }
    }
}

/// An answer that was of use: its name, and its place under it.
pub(super) struct UsedAnswer {
    pub(super) name: String,
    pub(super) at: usize,
    /// The leaves that it does not depend on as a whole, and that are others now, by their numbers.
    pub(super) replaced: Vec<ChangedNodeLeaf>,
}

impl Answer {
    /// Returns true if the two are for the same world.
    fn is_for_same(&self, other: &Answer) -> bool {
        let is_here = self.root == other.root || self.is_movable && other.is_movable;
        is_here
            && self.reply_digests == other.reply_digests
            && self.questions == other.questions
            && self.node_reads == other.node_reads
            && self.dependencies == other.dependencies
    }
}

/// Numbers of questions, ascending: each as its distance from the one before, seven bits in a byte.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub(super) struct Numbers(Bytes);

impl Numbers {
    pub(super) fn from_numbers(mut numbers: Vec<u32>) -> Numbers {
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

/// Returns how many of all that stand in either stand in both, of a thousand. Both ascend.
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
pub(super) struct IndexBuilder {
    index: Index,
    numbers: FxHashMap<StoredLeaf, u32>,
    key_numbers: FxHashMap<u128, u32>,
    set_numbers: FxHashMap<Numbers, u32>,
}

impl IndexBuilder {
    /// Returns the number of a question.
    pub(super) fn number(&mut self, leaf: StoredLeaf) -> u32 {
        if let Some(number) = self.numbers.get(&leaf) {
            return *number;
        }
        let number = self.index.leaves.len() as u32;
        self.index.leaves.push(leaf.clone());
        self.numbers.insert(leaf, number);
        number
    }

    /// Returns the number of a set of keys.
    pub(super) fn key_set(&mut self, keys: impl Iterator<Item = u128>) -> u32 {
        let IndexBuilder { index, key_numbers, set_numbers, .. } = self;
        let number = |key| {
            *key_numbers.entry(key).or_insert_with(|| {
                index.keys.push(key);
                index.keys.len() as u32 - 1
            })
        };
        let set = Numbers::from_numbers(keys.map(number).collect());
        *set_numbers.entry(set).or_insert_with_key(|set| {
            index.key_sets.push(set.clone());
            index.key_sets.len() as u32 - 1
        })
    }

    /// Puts an answer before those that are there under its name; the same one is there once.
    pub(super) fn put(&mut self, name: &str, answer: Answer) {
        self.index.answers.entry(name.to_owned()).or_default().change(|answers| {
            answers.retain(|known| !known.is_for_same(&answer));
            answers.insert(0, answer);
        });
    }

    /// Takes in what another index has, behind what is here, as far as there is room.
    pub(super) fn take(&mut self, other: Index) {
        let Index { leaves, keys, key_sets, answers } = other;
        let mut sets: Vec<Option<u32>> = vec![None; key_sets.len()];
        let names = answers.len().max(self.index.answers.len()).max(1);
        let most = (ALL_VARIANTS / names).clamp(1, VARIANTS);
        let mut numbers: Vec<Option<u32>> = vec![None; leaves.len()];
        for (name, mut others) in answers {
            for answer in others.take() {
                let here = self.index.answers.get(&name).map_or(0, |answers| answers.list().len());
                if here >= most {
                    break;
                }
                let mut moved = Vec::new();
                for number in answer.dependencies.iter() {
                    let Some(place) = numbers.get_mut(number as usize) else { continue };
                    let number = *place.get_or_insert_with(|| self.number(leaves[number as usize].clone()));
                    moved.push(number);
                }
                let (Some(set), Some(place)) =
                    (key_sets.get(answer.key_set as usize), sets.get_mut(answer.key_set as usize))
                else {
                    continue;
                };
                let keys = set.iter().filter_map(|number| keys.get(number as usize).copied());
                let key_set = *place.get_or_insert_with(|| self.key_set(keys));
                let moved = Answer { dependencies: Numbers::from_numbers(moved), key_set, ..answer };
                self.index.answers.entry(name.clone()).or_default().change(|answers| {
                    if !answers.iter().any(|known| known.is_for_same(&moved)) {
                        answers.push(moved);
                    }
                });
            }
        }
        for answers in self.index.answers.values_mut() {
            answers.change(|answers| answers.truncate(most));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.index.answers.is_empty()
    }

    pub(super) fn finish(self) -> Index {
        self.index
    }
}
