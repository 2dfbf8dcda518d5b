//! Arrays and hashes that stand in several places.

use pantin_base::stack;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Value;

/// By address. The numbers are in the order in which Psych meets them for the second time.
#[derive(Default)]
pub(super) struct Anchors {
    numbers: FxHashMap<usize, Numbered>,
}

struct Numbered {
    number: usize,
    is_written: bool,
}

pub(super) enum Mark {
    /// Here it is written.
    Anchor(usize),
    /// It was written before.
    Alias(usize),
}

impl Anchors {
    pub(super) fn from_value(value: &Value) -> Anchors {
        let mut anchors = Anchors::default();
        anchors.count(value, &mut FxHashSet::default());
        anchors
    }

    fn count(&mut self, value: &Value, met: &mut FxHashSet<usize>) {
        let Some(address) = address(value) else { return };
        if !met.insert(address) {
            let number = self.numbers.len() + 1;
            self.numbers.entry(address).or_insert(Numbered { number, is_written: false });
            return;
        }
        stack::with_room(|| match value {
            Value::Array(items) => items.iter().for_each(|item| self.count(item, met)),
            Value::Hash(entries) => entries.iter().for_each(|(key, value)| {
                self.count(key, met);
                self.count(value, met);
            }),
            _ => {}
        });
    }

    /// Returns what is to be said of a value where it is to be written.
    pub(super) fn mark(&mut self, value: &Value) -> Option<Mark> {
        if self.numbers.is_empty() {
            return None;
        }
        let known = self.numbers.get_mut(&address(value)?)?;
        Some(match std::mem::replace(&mut known.is_written, true) {
            false => Mark::Anchor(known.number),
            true => Mark::Alias(known.number),
        })
    }
}

fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) => Some(items.address()),
        Value::Hash(entries) => Some(entries.address()),
        _ => None,
    }
}
