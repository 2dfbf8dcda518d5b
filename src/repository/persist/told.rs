//! The long part of an answer: stored whole, or as a difference from that of a similar answer.
//!
//! A fleet has a few kinds of nodes. The first of a kind is written whole, the others by what they have of their own. Of
//! one kind are those that depend on the same files, but for a few. One that is told by another is never a base itself, so
//! that no chain is followed, and no circle.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pantin_cache::Key;
use serde::{Deserialize, Serialize};

use super::codec::{Bytes, decoded, encoded};
use super::delta::{self, Blocks};
use super::index::{Numbers, likeness};

/// Of something smaller there is nothing to win: a file takes a block of the disk.
const SMALLEST: usize = 8 << 10;
const LARGEST: usize = 4 << 20;

/// So many bases are remembered,
const MOST: usize = 32;
/// and so many bytes of them.
const MOST_BYTES: usize = 24 << 20;

/// So much of what two answers depend on is the same, in a thousand parts, if they are of one kind. Without room for another
/// base whatever is nearest is taken.
const OF_ONE_KIND: usize = 985;

/// A text in the form in which it is kept.
#[derive(Serialize, Deserialize)]
enum Form {
    Whole(Bytes),
    Told { base: Name, length: usize, delta: Bytes },
}

/// Where a base is kept, and as what it was sealed if it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Name {
    pub(super) answer: String,
    pub(super) address: [u8; 32],
}

struct Base {
    name: Name,
    /// What the answer depends on; of one that was only read, nothing is known.
    dependencies: Vec<u32>,
    text: Vec<u8>,
    /// For whoever writes; to read takes none.
    blocks: OnceLock<Blocks>,
}

impl Base {
    fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::from_base(&self.text))
    }
}

/// The texts that others are told by: those that this process has written or read whole, as long as there is room.
#[derive(Default)]
pub(super) struct TextBases(Mutex<Vec<Arc<Base>>>);

impl TextBases {
    /// Writes a text. `keep`: puts its form where it is kept, and says where that is.
    pub(super) fn write(
        &self,
        answer: &str,
        dependencies: &Numbers,
        text: &[u8],
        keep: impl FnOnce(&[u8]) -> Option<Key>,
    ) -> Option<Key> {
        let dependencies: Vec<u32> = dependencies.iter().collect();
        if let Some(told) = self.base_for(&dependencies, text).and_then(|base| told(&base, text)) {
            return keep(&encoded(&told)?);
        }
        let address = keep(&encoded(&Form::Whole(Bytes(text.to_vec())))?)?;
        self.add(Name { answer: answer.to_owned(), address: *address.as_bytes() }, dependencies, text);
        Some(address)
    }

    /// The text in this form. `read`: the form of a base. `None`: it is none, or what it is told by is lost.
    pub(super) fn read(&self, form: &[u8], read: impl FnOnce(&Name) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
        match decoded(form)? {
            Form::Whole(text) => Some(text.0),
            // Whoever wrote this may have been a stranger: no more is made than is ever written so.
            Form::Told { length, .. } if length > LARGEST => None,
            Form::Told { base, length, delta } => {
                let known = self.all().iter().find(|known| known.name == base).cloned();
                let text = match &known {
                    Some(known) => &known.text,
                    None => match decoded(&read(&base)?)? {
                        Form::Whole(text) => &self.add(base, Vec::new(), &text.0).text,
                        Form::Told { .. } => return None,
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

/// `None`: it takes more than half of itself.
fn told(base: &Base, text: &[u8]) -> Option<Form> {
    let delta = delta::encode(&base.text, base.blocks(), text);
    let is_short = delta.len() <= text.len() / 2;
    is_short.then(|| Form::Told { base: base.name.clone(), length: text.len(), delta: Bytes(delta) })
}

fn is_of_use(text: &[u8]) -> bool {
    (SMALLEST..=LARGEST).contains(&text.len())
}

fn has_room(bases: &[Arc<Base>], text: &[u8]) -> bool {
    let bytes: usize = bases.iter().map(|base| base.text.len()).sum();
    bases.len() < MOST && bytes + text.len() <= MOST_BYTES
}

#[cfg(test)]
#[path = "told_tests.rs"]
mod tests;
