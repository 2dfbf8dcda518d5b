//! Locals that code shares with code it calls: of lambdas, functions and templates, and match variables. A body knows its
//! own locals itself. It must not know the variables of scopes.

use pantin_values::{Str, Value};

use super::scope::ScopeId;

/// The locals that code shares on one scope.
#[derive(Debug)]
pub(in crate::node) struct SharedLocals {
    pub(in crate::node) on: ScopeId,
    /// What lay on the scope before, and what has matched in it, is hidden.
    pub(in crate::node) hides: bool,
    /// `None`: the value is not at hand.
    pub(in crate::node) locals: Vec<(Str, Option<Value>)>,
    /// An array of groups, or undef.
    pub(in crate::node) matched: Value,
}

impl SharedLocals {
    pub(super) fn local(&self, name: &str) -> Option<&Option<Value>> {
        self.locals.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// All locals that are shared at the moment.
#[derive(Debug, Default)]
pub(super) struct SharedLocalsStack {
    all: Vec<SharedLocals>,
    seen: VisibleLocals,
}

/// Which of them the code that runs may see.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::node) struct VisibleLocals {
    /// From here on it is its own.
    own: usize,
    /// Whether there are locals among what is not.
    has_locals: bool,
    /// Whether there are such as are not at hand.
    lacks_any: bool,
}

/// A variable of a scope, or a local that is shared there.
pub(super) enum VisibleLocal<'s> {
    Value(&'s Value),
    /// It has a value that is not at hand.
    Gone,
}

impl<'s> VisibleLocal<'s> {
    /// Undef if it is not at hand: a question for it is answered with an error before.
    pub(super) fn value(self) -> &'s Value {
        match self {
            VisibleLocal::Value(value) => value,
            VisibleLocal::Gone => &Value::Undef,
        }
    }
}

impl SharedLocalsStack {
    /// Other code begins. To be handed back to [`end`](SharedLocalsStack::end).
    pub(super) fn begin(&mut self) -> VisibleLocals {
        let before = self.seen;
        let mut locals = self.all[before.own..].iter().flat_map(|shared| &shared.locals).peekable();
        self.seen = VisibleLocals {
            own: self.all.len(),
            has_locals: before.has_locals || locals.peek().is_some(),
            lacks_any: before.lacks_any || locals.any(|(_, value)| value.is_none()),
        };
        before
    }

    /// The code has ended: the locals that it shared are gone. Returns what matched on its own scope.
    pub(super) fn end(&mut self, before: VisibleLocals) -> Option<Value> {
        let own = std::mem::replace(&mut self.seen, before).own;
        if self.all.len() == own {
            return None;
        }
        let first = self.all.drain(own..).next();
        first.filter(|first| !first.hides && !first.matched.is_undef()).map(|first| first.matched)
    }

    /// The code that runs shares these from here on.
    pub(super) fn share(&mut self, locals: Vec<SharedLocals>) {
        self.all.truncate(self.seen.own);
        self.all.extend(locals);
    }

    /// Returns true if the code that runs may see locals of others. Mostly it may not.
    #[inline]
    pub(super) fn has_locals(&self) -> bool {
        self.seen.has_locals
    }

    /// Returns true if some of them are not at hand.
    #[inline]
    pub(super) fn lacks_any(&self) -> bool {
        self.seen.lacks_any
    }

    /// Returns true if code that is not finished has locals on a scope, or may have.
    pub(super) fn may_be_on(&self, scope: ScopeId) -> bool {
        let mut shared = self.all[..self.seen.own].iter().filter(|shared| shared.on == scope);
        shared.any(|shared| shared.hides || !shared.locals.is_empty())
    }

    /// Returns the locals that unfinished code shares on a scope, innermost first, as far as nothing hides them.
    pub(super) fn on(&self, scope: ScopeId) -> impl Iterator<Item = &SharedLocals> {
        let mut is_hidden = false;
        self.all[..self.seen.own].iter().rev().filter(move |shared| shared.on == scope).take_while(move |shared| {
            let is_seen = !is_hidden;
            is_hidden |= shared.hides;
            is_seen
        })
    }
}
