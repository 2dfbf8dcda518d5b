//! The long part of an answer: stored whole, or as a delta to that of a similar answer.
//!
//! A fleet has a few kinds of nodes. The first of a kind is written whole, the others as deltas. Two nodes are of one kind if
//! they depend on nearly the same files. A delta is never the base of another delta, so there are no chains and no circles.
//! This file must not know what the text means, nor where its form is stored.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pantin_cache::Key;
use serde::{Deserialize, Serialize};

use super::codec::{Bytes, decoded, encoded};
use super::delta::{self, Blocks};
use super::index::{Numbers, likeness};

/// A smaller text is not worth a delta: every file takes a block of the disk.
const SMALLEST: usize = 8 << 10;
const LARGEST: usize = 4 << 20;

/// The number of bases in memory,
const MOST: usize = 32;
/// and their bytes in total.
const MOST_BYTES: usize = 24 << 20;

/// The share of common dependencies, in thousandths, from which two answers are of one kind. If no more bases fit into memory,
/// the nearest one is used, however far away.
const OF_ONE_KIND: usize = 985;

/// A text as it is stored.
#[derive(Serialize, Deserialize)]
enum Form {
    Whole(Bytes),
    Delta { base: Name, length: usize, delta: Bytes },
}

/// Where a base is stored, and the name of the answer that it was sealed under.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Name {
    pub(super) answer: String,
    pub(super) address: [u8; 32],
}

struct Base {
    name: Name,
    /// The dependencies of the answer; empty if the base was only read, not written.
    dependencies: Vec<u32>,
    text: Vec<u8>,
    /// Computed when the first delta is written; reading does not need them.
    blocks: OnceLock<Blocks>,
}

impl Base {
    fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::from_base(&self.text))
    }
}

/// The bases for deltas: texts that this process wrote or read whole, up to a limit.
#[derive(Default)]
pub(super) struct TextBases(Mutex<Vec<Arc<Base>>>);

impl TextBases {
    /// Writes a text. `keep` stores its form, and returns the key.
    pub(super) fn write(
        &self,
        answer: &str,
        dependencies: &Numbers,
        text: &[u8],
        keep: impl FnOnce(&[u8]) -> Option<Key>,
    ) -> Option<Key> {
        let dependencies: Vec<u32> = dependencies.iter().collect();
        if let Some(encode_delta) = self.base_for(&dependencies, text).and_then(|base| encode_delta(&base, text)) {
            return keep(&encoded(&encode_delta)?);
        }
        let address = keep(&encoded(&Form::Whole(Bytes(text.to_vec())))?)?;
        self.add(Name { answer: answer.to_owned(), address: *address.as_bytes() }, dependencies, text);
        Some(address)
    }

    /// Decodes a stored form. `read` returns the form of a base. `None`: the form is invalid, or its base is lost.
    pub(super) fn read(&self, form: &[u8], read: impl FnOnce(&Name) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
        match decoded(form)? {
            Form::Whole(text) => Some(text.0),
            // The store may have been written by someone else: do not allocate more than we would ever write.
            Form::Delta { length, .. } if length > LARGEST => None,
            Form::Delta { base, length, delta } => {
                let known = self.all().iter().find(|known| known.name == base).cloned();
                let text = match &known {
                    Some(known) => &known.text,
                    None => match decoded(&read(&base)?)? {
                        Form::Whole(text) => &self.add(base, Vec::new(), &text.0).text,
                        Form::Delta { .. } => return None,
                    },
                };
                delta::apply(text, &delta.0, length)
            }
        }
    }

    fn base_for(&self, dependencies: &[u32], text: &[u8]) -> Option<Arc<Base>> {
        if !is_of_use(text) {
            return None;
        }
        let bases = self.all().clone();
        let enough = if has_room(&bases, text) { OF_ONE_KIND } else { 1 };
        let compared = |base: Arc<Base>| (likeness(&base.dependencies, dependencies), base);
        let nearest = bases.into_iter().map(compared).min_by_key(|(likeness, _)| Reverse(*likeness))?;
        (nearest.0 >= enough).then_some(nearest.1)
    }

    fn add(&self, name: Name, dependencies: Vec<u32>, text: &[u8]) -> Arc<Base> {
        let base = Arc::new(Base { name, dependencies, text: text.to_vec(), blocks: OnceLock::new() });
        let mut bases = self.all();
        let is_known = bases.iter().any(|known| known.name == base.name);
        if !is_known && is_of_use(text) && has_room(&bases, text) {
            bases.push(Arc::clone(&base));
        }
        base
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Base>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `None`: the delta is longer than half of the text.
fn encode_delta(base: &Base, text: &[u8]) -> Option<Form> {
    let delta = delta::encode(&base.text, base.blocks(), text);
    let is_short = delta.len() <= text.len() / 2;
    is_short.then(|| Form::Delta { base: base.name.clone(), length: text.len(), delta: Bytes(delta) })
}

fn is_of_use(text: &[u8]) -> bool {
    (SMALLEST..=LARGEST).contains(&text.len())
}

fn has_room(bases: &[Arc<Base>], text: &[u8]) -> bool {
    let bytes: usize = bases.iter().map(|base| base.text.len()).sum();
    bases.len() < MOST && bytes + text.len() <= MOST_BYTES
}

#[cfg(test)]
#[path = "text_base_tests.rs"]
mod tests;
