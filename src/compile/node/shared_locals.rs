//! Locals that code shares with code it calls: of lambdas, functions and templates, and match variables. A body knows its
//! own locals itself.

use pantin_base::names::split_last;
use pantin_model::trace::{FROM_NODE, Layer, SharedLocal, Standing};
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::scope::{ScopeId, TOP};

#[derive(Debug)]
pub(super) struct SharedLocals {
    on: ScopeId,
    /// What lay on the scope before, and what has matched in it, is hidden.
    hides: bool,
    /// `None`: the value is not at hand.
    locals: Vec<(Str, Option<Value>)>,
    /// An array of groups, or undef.
    matched: Value,
}

impl SharedLocals {
    fn local(&self, name: &str) -> Option<&Option<Value>> {
        self.locals.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// What lies on the scopes by now.
#[derive(Debug, Default)]
pub(super) struct SharedLocalsStack {
    all: Vec<SharedLocals>,
    seen: VisibleLocals,
}

/// What of it the code that runs may see.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VisibleLocals {
    /// From here on it is its own.
    own: usize,
    /// Whether there are locals among what is not.
    has_locals: bool,
    /// Whether there are such as are not at hand.
    lacks_any: bool,
}

/// A variable as it is found where things lie on scopes.
pub(super) enum VisibleLocal<'s> {
    Value(&'s Value),
    Gone,
}

impl<'s> VisibleLocal<'s> {
    /// What is not at hand is not told as a value: who asks for it gets an error.
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
        let mut locals = self.all[before.own..].iter().flat_map(|laid| &laid.locals).peekable();
        self.seen = VisibleLocals {
            own: self.all.len(),
            has_locals: before.has_locals || locals.peek().is_some(),
            lacks_any: before.lacks_any || locals.any(|(_, value)| value.is_none()),
        };
        before
    }

    /// The code has ended: what it had laid is gone. What had matched on its own scope is told.
    pub(super) fn end(&mut self, before: VisibleLocals) -> Option<Value> {
        let own = std::mem::replace(&mut self.seen, before).own;
        if self.all.len() == own {
            return None;
        }
        let laid = self.all.drain(own..).next();
        laid.filter(|laid| !laid.hides && !laid.matched.is_undef()).map(|laid| laid.matched)
    }

    /// Whether the code that runs may see locals of others. Mostly it may not.
    fn has_locals(&self) -> bool {
        self.seen.has_locals
    }

    /// Whether some of them are not at hand.
    pub(super) fn lacks_any(&self) -> bool {
        self.seen.lacks_any
    }

    /// What code that is not finished has laid on a scope, innermost first, and as far as nothing hides it.
    fn on(&self, scope: ScopeId) -> impl Iterator<Item = &SharedLocals> {
        let mut is_hidden = false;
        self.all[..self.seen.own].iter().rev().filter(move |laid| laid.on == scope).take_while(move |laid| {
            let is_seen = !is_hidden;
            is_hidden |= laid.hides;
            is_seen
        })
    }
}

impl Compiler<'_> {
    /// What the code that runs has laid from here on.
    pub(super) fn lay(&mut self, layers: &[Layer]) {
        let laid: Vec<SharedLocals> = layers.iter().map(|layer| self.laid_as(layer)).collect();
        self.laid.all.truncate(self.laid.seen.own);
        self.laid.all.extend(laid);
    }

    /// Whether code that is not finished has locals on a scope, or may have.
    pub(super) fn has_locals_on(&self, scope: ScopeId) -> bool {
        self.laid.all[..self.laid.seen.own]
            .iter()
            .any(|laid| laid.on == scope && (laid.hides || !laid.locals.is_empty()))
    }

    fn laid_as(&mut self, layer: &Layer) -> SharedLocals {
        let here = self.frames.last().map_or(TOP, |frame| frame.scope);
        let on = match layer.standing {
            Standing::Own => here,
            Standing::Top => TOP,
            Standing::Node => self.scopes.global(here),
        };
        let mut value = |shown: &SharedLocal| match shown {
            SharedLocal::Value(value) => Some(value.clone()),
            SharedLocal::Part { variable, path } => Some(self.part(variable, path).unwrap_or_default()),
            SharedLocal::Gone => None,
        };
        let locals = layer.locals.iter().map(|(name, shown)| (name.clone(), value(shown))).collect();
        SharedLocals { on, hides: layer.standing != Standing::Own, locals, matched: layer.matched.clone() }
    }

    /// A name without `::`, from a scope outwards. `is_bare`: what lies on that scope itself is hidden.
    pub(super) fn find(&self, from: ScopeId, name: &str, is_bare: bool) -> Option<VisibleLocal<'_>> {
        if !self.laid.has_locals() {
            return self.scopes.find(from, name).map(VisibleLocal::Value);
        }
        let mut scope = Some(from);
        while let Some(id) = scope {
            let mut laid = self.laid.on(id).filter(|_| !(is_bare && id == from));
            if let Some(local) = laid.find_map(|laid| laid.local(name)) {
                return Some(local.as_ref().map_or(VisibleLocal::Gone, VisibleLocal::Value));
            }
            if let Some(value) = self.scopes.get(id).variables.get(name) {
                return Some(VisibleLocal::Value(value));
            }
            scope = self.scopes.around(id);
        }
        None
    }

    /// A variable of a class, or of the classes that it inherits.
    pub(super) fn find_in_class(&self, class: &str, name: &str) -> Option<VisibleLocal<'_>> {
        if !self.laid.has_locals() {
            return self.scopes.find_in_class(class, name).map(VisibleLocal::Value);
        }
        let mut scope = self.scopes.of_class(class);
        while let Some(id) = scope {
            let here = self.scopes.get(id);
            if let Some(value) = here.variables.get(name) {
                return Some(VisibleLocal::Value(value));
            }
            if let Some(local) = self.laid.on(id).find_map(|laid| laid.local(name)) {
                return Some(local.as_ref().map_or(VisibleLocal::Gone, VisibleLocal::Value));
            }
            scope = here.inherited;
        }
        None
    }

    /// `$1` where nothing has matched in the code that runs: what has matched in the scopes around, or before in its own.
    pub(super) fn captured(&self, from: ScopeId, number: usize, is_bare: bool) -> Option<Value> {
        let mut scope = Some(from);
        while let Some(id) = scope {
            if !(is_bare && id == from)
                && let Some(groups) = self.matched_on(id)
            {
                // Of all numbers something is known then.
                return Some(groups.get(number).cloned().unwrap_or_default());
            }
            scope = self.scopes.around(id);
        }
        None
    }

    /// What has matched last where it is seen on a scope.
    fn matched_on(&self, scope: ScopeId) -> Option<&[Value]> {
        let laid = || self.laid.on(scope);
        let before = || as_groups(&self.scopes.get(scope).matched).filter(|_| !laid().any(|laid| laid.hides));
        laid().find_map(|laid| as_groups(&laid.matched)).or_else(before)
    }

    /// The names that are seen from a scope; `only_set`: of those that are not undef.
    pub(super) fn names_seen(&self, from: ScopeId, only_set: bool) -> Vec<&str> {
        if !self.laid.has_locals() {
            return if only_set { self.scopes.set_names(from) } else { self.scopes.names(from) };
        }
        let mut names = self.scopes.names(from);
        let scopes = std::iter::successors(Some(from), |id| self.scopes.around(*id));
        let laid = scopes.flat_map(|scope| self.laid.on(scope)).flat_map(|laid| &laid.locals);
        names.extend(laid.map(|(name, _)| name.as_str()));
        names.sort_unstable();
        names.dedup();
        if only_set {
            names
                .retain(|name| !matches!(self.find(from, name, false), Some(VisibleLocal::Value(Value::Undef)) | None));
        }
        names
    }

    /// What is wrong with asking for a local whose value is not at hand.
    pub(super) fn gone(&self, written: &str) -> Option<Fault> {
        let here = self.frames.last().map_or(TOP, |frame| frame.scope);
        let found = match (written.strip_prefix(FROM_NODE), split_last(written)) {
            (Some(name), _) => self.find(self.scopes.global(here), name, true),
            // Of the top, as it is named, no local is seen.
            (None, Some(("", _))) => None,
            (None, Some((class, name))) => self.find_in_class(class.strip_prefix("::").unwrap_or(class), name),
            (None, None) => self.find(here, written, false),
        };
        let message = "is looked at by a class while it is not at hand, which is not supported";
        matches!(found, Some(VisibleLocal::Gone)).then(|| Fault::limit(format!("The local ${written} {message}")))
    }

    /// Whether a name is a local of code that is not finished, as it is seen from a scope.
    pub(super) fn is_local_of_others(&self, from: ScopeId, name: &str) -> bool {
        if !self.laid.has_locals() {
            return false;
        }
        let is_laid = |id: ScopeId| self.laid.on(id).any(|laid| laid.local(name).is_some());
        let mut scopes = std::iter::successors(Some(from), |id| self.scopes.around(*id));
        let found = scopes.find(|id| is_laid(*id) || self.scopes.get(*id).variables.contains(name));
        found.is_some_and(is_laid)
    }
}

fn as_groups(matched: &Value) -> Option<&[Value]> {
    match matched {
        Value::Array(groups) => Some(groups),
        _ => None,
    }
}
