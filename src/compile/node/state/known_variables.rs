//! The variables of a scope: assigned ones, and predefined ones that all catalogs share.
//! It must not know who reads them.
//!
//! Of the variables of the top scope every read is noted, for an answer depends on what it read of its node, and on nothing else of
//! it. [`Variables::get`] notes that all of a value is read; who calls [`Variables::sight`] says how much, and must look at no more.

use std::cell::RefCell;

use pantin_values::{Hash, NamedValues, Str, Value};
use pantin_world::{NodeReads, Sight};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(super) struct Variables {
    own: FxHashMap<Str, Value>,
    /// Where the others are: the settings, what is said of the node. The first of each name counts.
    known: [Hash; 3],
    /// The reads of these variables; of the top scope alone.
    reads: Option<Box<RefCell<NodeReads>>>,
}

impl Variables {
    pub(super) fn over(known: [Hash; 3]) -> Variables {
        Variables { known, ..Variables::default() }
    }

    /// Makes the variables of the top scope, whose reads are noted.
    pub(super) fn with_reads_noted(known: [Hash; 3]) -> Variables {
        Variables { reads: Some(Box::default()), ..Variables::over(known) }
    }

    /// Takes the reads that were noted so far.
    pub(super) fn take_reads(&mut self) -> NodeReads {
        self.reads.as_mut().map(|reads| std::mem::take(reads.get_mut())).unwrap_or_default()
    }

    fn note(&self, name: &str, path: &[Value], sight: Sight) {
        if let Some(reads) = &self.reads {
            reads.borrow_mut().note(name, path, sight);
        }
    }

    fn note_names(&self) {
        if let Some(reads) = &self.reads {
            reads.borrow_mut().names = true;
        }
    }

    /// Finds a variable without a note.
    fn find(&self, name: &str) -> Option<&Value> {
        self.own.get(name).or_else(|| self.known.iter().find_map(|known| known.get_str(name)))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.sight(name, &[], Sight::Whole)
    }

    /// Returns a variable, of which the caller looks at no more than this.
    pub(super) fn sight(&self, name: &str, path: &[Value], sight: Sight) -> Option<&Value> {
        self.note(name, path, sight);
        self.find(name)
    }

    /// Returns true if a variable is undef; `None` where there is none. The note of all names covers it.
    pub(super) fn is_undef(&self, name: &str) -> Option<bool> {
        self.note_names();
        self.find(name).map(|value| matches!(value, Value::Undef))
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.sight(name, &[], Sight::Outside).is_some()
    }

    /// Returns true if it is one of those that code has no part in.
    pub(super) fn is_known_from_the_first(&self, name: &str) -> bool {
        self.note(name, &[], Sight::Outside);
        !self.own.contains_key(name) && self.known.iter().any(|known| known.get_str(name).is_some())
    }

    /// Returns the names of those that code has set.
    pub(super) fn own_names(&self) -> impl Iterator<Item = &Str> {
        self.own.keys()
    }

    /// Of the top scope: whether it is there as a fact, and not as a parameter of the node.
    pub(super) fn is_fact(&self, name: &str) -> bool {
        self.note(name, &[], Sight::Outside);
        let mut known = self.known.iter().map(|known| known.get_str(name).is_some());
        !self.own.contains_key(name) && !known.next().unwrap_or_default() && known.any(|is_there| is_there)
    }

    pub(super) fn insert(&mut self, name: Str, value: Value) {
        self.own.insert(name, value);
    }

    /// Reserves room for `count` variables.
    pub(super) fn reserve(&mut self, count: usize) {
        self.own.reserve(count);
    }

    pub(super) fn extend(&mut self, values: &NamedValues) {
        self.own.reserve(values.len());
        self.own.extend(values.iter().map(|(name, value)| (name.clone(), value.clone())));
    }

    /// Takes away one that was not known from the first.
    pub(super) fn take(&mut self, name: &str) -> Option<(Str, Value)> {
        self.own.remove_entry(name)
    }

    /// In no order, and one may come twice.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.note_names();
        let known = self.known.iter().flat_map(Hash::keys).filter_map(Value::as_str);
        self.own.keys().map(Str::as_str).chain(known)
    }
}
