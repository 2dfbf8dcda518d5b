//! Places in code: a lowered piece of source, and a place in it by number.

use std::sync::Arc;

use pantin_base::{Place, Source, Span};
use pantin_values::Str;

use super::Path;

/// A definition, a manifest's own code or a template, with the spans of its expressions.
///
/// A trace names expressions by their number within the unit, so that an edit that only moves lines leaves
/// every trace as it is: the places are looked up in the unit of the day.
#[derive(Default)]
pub struct Unit {
    /// What names it from one day to the next: `function foo`, `main`, `epp mod/x.epp`.
    pub key: Str,
    /// The module whose file it stands in, where that matters to it; empty: none.
    pub module: Str,
    pub source: Arc<Source>,
    pub spans: Vec<Span>,
    /// Of each lambda in it, by its number, what its locals are called.
    pub locals: Vec<SlotNames>,
}

/// What the locals of a lambda are called, by their slots.
#[derive(Default)]
pub struct SlotNames {
    pub slots: Arc<[Str]>,
    /// So many of them are parameters.
    pub parameters: usize,
    /// The parameters whose value is moved out where it is read.
    pub moved: Box<[usize]>,
    /// The locals that are assigned what Ruby code cannot change.
    pub fixed: Box<[(usize, FixedLocal)]>,
}

/// What a local is assigned.
#[derive(Clone, Debug)]
pub enum FixedLocal {
    /// A text that is written out.
    Text,
    /// A variable of the outside, or a part of one: fixed as that is.
    As(Str, Path),
}

/// The number of a lambda whose locals have no names in the unit.
pub const UNNAMED: u32 = u32::MAX;

impl Unit {
    /// Returns what the locals of the lambda of this number are called, if they have names.
    pub fn names(&self, lambda: u32) -> Option<&SlotNames> {
        self.locals.get(lambda as usize).filter(|_| lambda != UNNAMED)
    }
}

/// By its name: the source may hold what nobody should read in a log.
impl std::fmt::Debug for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Unit({})", self.key)
    }
}

/// An expression of a unit.
#[derive(Clone)]
pub struct At {
    pub unit: Arc<Unit>,
    pub node: u32,
}

impl At {
    pub fn span(&self) -> Span {
        self.unit.spans.get(self.node as usize).copied().unwrap_or_default()
    }

    pub fn place(&self) -> Place {
        self.unit.source.place(self.span().start)
    }
}

/// The same expression of the same unit, wherever that stands today.
impl PartialEq for At {
    fn eq(&self, other: &At) -> bool {
        self.node == other.node && (Arc::ptr_eq(&self.unit, &other.unit) || self.unit.key == other.unit.key)
    }
}

impl Eq for At {}

impl std::fmt::Debug for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.unit.key, self.node)
    }
}
