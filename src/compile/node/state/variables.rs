//! Variables of scopes, and locals that are shared on them, as code sees them; and their assignment.
//! It must not know which question wants a variable: it records what is read in the log that comes with it.
//!
//! Variables of the top scope, of a node block and of an instance of a defined type are not recorded in it: the first two are never
//! patched, and nobody but its own body reads the last. What is read of the node is noted apart (`known_variables`).

use pantin_base::names::{is_reserved_variable, split_last};
use pantin_eval::{issue, too_early};
use pantin_model::trace::VariableName;
use pantin_values::{Fault, NamedValues, Str, Value};
use pantin_world::{NodeReads, Sight};
use rustc_hash::FxHashSet;

use super::CatalogState;
use super::observations::ObservationLog;
use super::scope::{PendingParameters, Scope, ScopeId, TOP};
use super::shared_locals::VisibleLocal;

/// The scope that has a variable, the one in which it is looked for, and its name there.
pub(in crate::node) struct Holder<'w> {
    pub(in crate::node) scope: Option<ScopeId>,
    pub(in crate::node) from: Option<ScopeId>,
    pub(in crate::node) name: &'w str,
}

/// The part of a variable's value that is looked at. It counts where the variable is one of the node.
#[derive(Clone, Copy)]
pub(in crate::node) struct ValuePart<'p> {
    pub(in crate::node) path: &'p [Value],
    pub(in crate::node) sight: Sight,
}

impl ValuePart<'_> {
    pub(in crate::node) const OUTSIDE: ValuePart<'static> = ValuePart { path: &[], sight: Sight::Outside };
}

impl CatalogState<'_> {
    // ---- questions ----

    /// Returns a name without `::`, from a scope outwards. `is_bare`: locals that are shared on that scope itself are
    /// hidden.
    pub(in crate::node) fn variable(
        &self,
        from: ScopeId,
        name: &str,
        is_bare: bool,
        part: ValuePart<'_>,
        log: &ObservationLog,
    ) -> Option<&Value> {
        self.observe_inherited(self.scopes.get(from).inherited, name, log);
        self.find(from, name, is_bare, part).map(VisibleLocal::value)
    }

    /// Takes the reads of what is known of the node.
    pub(in crate::node) fn take_node_reads(&mut self) -> NodeReads {
        self.scopes.top_mut().map(|top| top.variables.take_reads()).unwrap_or_default()
    }

    /// Returns a variable of a class, or of the classes that it inherits.
    pub(in crate::node) fn variable_of_class(&self, class: &str, name: &str, log: &ObservationLog) -> Option<&Value> {
        self.observe_class(class, name, log);
        self.find_in_class(class, name).map(VisibleLocal::value)
    }

    /// `$1` where nothing has matched in the code that runs: what has matched in the scopes around, or before in its own.
    pub(in crate::node) fn captured(&self, from: ScopeId, number: usize, is_bare: bool) -> Option<Value> {
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

    /// The names of variables that are seen from where a body stands, and are not undef. The body itself is that of `own`.
    pub(in crate::node) fn variable_names(&self, own: ScopeId, standing: ScopeId, log: &ObservationLog) -> Vec<&str> {
        let classes = self.with_inherited(self.scopes.get(own).inherited);
        classes.for_each(|class| log.names(&self.scopes.get(class).source.name));
        if !self.locals.has_locals() {
            return self.scopes.set_names(standing);
        }
        let mut names = self.names_seen(standing);
        names.retain(|name| self.is_set(standing, name));
        names
    }

    /// Returns a variable with a name like one that nobody knows. It is not recorded: it helps the reader of an error,
    /// and is not patched.
    pub(in crate::node) fn similar_variable(&self, name: &str, standing: ScopeId) -> Option<String> {
        let Some((class, own)) = split_last(name.strip_prefix("::").unwrap_or(name)) else {
            return pantin_base::nearest(name, self.names_seen(standing)).map(str::to_owned);
        };
        let names = self.scopes.get(self.scopes.class_scope(class)?).variables.names();
        Some(format!("{class}::{}", pantin_base::nearest(own, names)?))
    }

    /// Returns which scope has a variable.
    pub(in crate::node) fn holder<'w>(
        &self,
        here: ScopeId,
        variable: &'w VariableName,
        log: &ObservationLog,
    ) -> Holder<'w> {
        let (from, name) = match variable {
            VariableName::FromNode(name) => (Some(self.scopes.global(here)), name.as_str()),
            VariableName::FromBody(written) => match split_last(written.strip_prefix("::").unwrap_or(written)) {
                Some((class, name)) => {
                    self.observe_class(class, name, log);
                    (self.scopes.class_scope(class), name)
                }
                None if written.starts_with("::") => (Some(TOP), &written[2..]),
                None => {
                    self.observe_inherited(self.scopes.get(here).inherited, written, log);
                    (Some(here), written.as_str())
                }
            },
        };
        Holder { scope: from.and_then(|from| self.scopes.holder(from, name)), from, name }
    }

    /// Returns true if a variable of the top scope is a fact, and no parameter of the node.
    pub(in crate::node) fn is_fact(&self, name: &str) -> bool {
        self.scopes.get(TOP).variables.is_fact(name)
    }

    /// Returns true if the node itself says it: no code has a part in it.
    pub(in crate::node) fn is_known_of_node(&self, name: &str) -> bool {
        self.scopes.get(TOP).variables.is_known_from_the_first(name)
    }

    /// Returns the names of the variables at the top that code has set so far.
    pub(in crate::node) fn names_set_at_top(&self) -> FxHashSet<Str> {
        self.scopes.get(TOP).variables.own_names().cloned().collect()
    }

    // ---- what is an error ----

    /// Returns the error of a question for a parameter that has no value yet. `here`: the scope of the body that asks.
    pub(in crate::node) fn check_not_too_early(&self, here: Option<ScopeId>, variable: &VariableName) -> Option<Fault> {
        // Every question for a variable comes by here.
        if !self.scopes.were_half_done {
            return None;
        }
        let VariableName::FromBody(written) = variable else { return None };
        let (scope, name) = match split_last(written.strip_prefix("::").unwrap_or(written)) {
            Some((class, name)) => (self.scopes.class_scope(class)?, name),
            None if written.starts_with("::") => return None,
            None => (here?, written.as_str()),
        };
        let Scope { half_done, resource, .. } = self.scopes.get(scope);
        let PendingParameters { current, place, waiting } = half_done.as_deref()?;
        let (wanted, _) = waiting.iter().find(|(_, waiting)| waiting == name)?;
        let subject = self.resource(*resource).reference();
        Some(Fault::located(too_early(&subject, current, name, wanted < place)))
    }

    /// Returns the error of a question for a local whose value is not at hand.
    pub(in crate::node) fn check_at_hand(&self, here: ScopeId, variable: &VariableName) -> Option<Fault> {
        if !self.locals.lacks_any() {
            return None;
        }
        let found = match variable {
            VariableName::FromNode(name) => self.find(self.scopes.global(here), name, true, ValuePart::OUTSIDE),
            VariableName::FromBody(written) => match split_last(written) {
                // Of the top, as it is named, no local is seen.
                Some(("", _)) => None,
                Some((class, name)) => self.find_in_class(class.strip_prefix("::").unwrap_or(class), name),
                None => self.find(here, written, false, ValuePart::OUTSIDE),
            },
        };
        let message = "is looked at by a class while it is not at hand, which is not supported";
        matches!(found, Some(VisibleLocal::Gone))
            .then(|| Fault::limit(format!("The local ${} {message}", variable.written())))
    }

    /// Returns true if a name is a local of code that is not finished, as it is seen from a scope.
    pub(in crate::node) fn is_local_of_others(&self, from: ScopeId, name: &str) -> bool {
        if !self.locals.has_locals() {
            return false;
        }
        let is_local = |id: ScopeId| self.locals.on(id).any(|shared| shared.local(name).is_some());
        let mut scopes = std::iter::successors(Some(from), |id| self.scopes.around(*id));
        let found = scopes.find(|id| is_local(*id) || self.scopes.get(*id).variables.contains(name));
        found.is_some_and(is_local)
    }

    // ---- assignment ----

    /// The variables that a scope has from its beginning.
    pub(in crate::node) fn begin_scope(&mut self, scope: ScopeId, title: &Str, name: &Str) {
        let here = self.scopes.get(scope);
        let module = here.source.module.clone();
        let caller = here.parent.map(|parent| self.scopes.get(parent).source.module.clone());
        let variables = &mut self.scopes.get_mut(scope).variables;
        variables.reserve(4);
        variables.insert("module_name".into(), module.into());
        if let Some(caller) = caller {
            variables.insert("caller_module_name".into(), caller.into());
        }
        variables.insert("title".into(), title.clone().into());
        variables.insert("name".into(), name.clone().into());
    }

    /// The parameters that the body of a scope works with are its variables.
    pub(super) fn set_parameters(&mut self, scope: ScopeId, values: &NamedValues) {
        let scope = self.scopes.get_mut(scope);
        scope.variables.extend(values);
        scope.half_done = None;
    }

    /// A variable that others see from now on.
    pub(in crate::node) fn set_variable(&mut self, scope: ScopeId, name: &Str, value: Value) -> Result<(), Fault> {
        let is_reserved = is_reserved_variable(name);
        if self.scopes.get(scope).variables.contains(name) {
            return Err(if is_reserved { issue::reserved_assignment(name) } else { issue::reassignment(name) });
        }
        if is_reserved {
            return Err(Fault::new(format!("Attempt to assign to a reserved variable name: '{name}'")));
        }
        self.scopes.get_mut(scope).variables.insert(name.clone(), value);
        Ok(())
    }

    /// The same at the top, by a function that is called from elsewhere. Where a lambda or a function stands in the top scope
    /// around all this, it would be one of its variables.
    pub(in crate::node) fn set_at_top(&mut self, name: &Str, value: Value) -> Result<(), Fault> {
        if self.locals.may_be_on(TOP) {
            return Err(Fault::limit(format!(
                "Ruby code sets ${name} at the top, where a function or a lambda is under way, which is not supported"
            )));
        }
        if self.scopes.get(TOP).variables.contains(name) && !is_reserved_variable(name) {
            return Err(Fault::new(format!("Cannot reassign variable '${name}'")));
        }
        self.set_variable(TOP, name, value)
    }

    /// Changes a variable in place. If it is a parameter, its resource has the same object.
    pub(in crate::node) fn change_variable(&mut self, holder: ScopeId, name: &str, value: &Value) {
        let scope = self.scopes.get_mut(holder);
        let old = scope.variables.get(name).cloned();
        scope.variables.insert(name.into(), value.clone());
        let id = scope.resource;
        if let Some(param) = self.resource(id).param(name)
            && Some(param.value()) == old
        {
            let changed = param.with(value.clone());
            self.resource_mut(id).set(changed);
        }
    }

    // ---- where they are found ----

    fn find(&self, from: ScopeId, name: &str, is_bare: bool, part: ValuePart<'_>) -> Option<VisibleLocal<'_>> {
        if !self.locals.has_locals() {
            return self.scopes.find(from, name, part.path, part.sight).map(VisibleLocal::Value);
        }
        let mut scope = Some(from);
        while let Some(id) = scope {
            let mut shared = self.locals.on(id).filter(|_| !(is_bare && id == from));
            if let Some(local) = shared.find_map(|shared| shared.local(name)) {
                return Some(local.as_ref().map_or(VisibleLocal::Gone, VisibleLocal::Value));
            }
            if let Some(value) = self.scopes.get(id).variables.sight(name, part.path, part.sight) {
                return Some(VisibleLocal::Value(value));
            }
            scope = self.scopes.around(id);
        }
        None
    }

    /// Returns true if a variable is seen from a scope, and is not undef.
    fn is_set(&self, from: ScopeId, name: &str) -> bool {
        let mut scopes = std::iter::successors(Some(from), |id| self.scopes.around(*id));
        let is_undef = scopes.find_map(|id| match self.locals.on(id).find_map(|shared| shared.local(name)) {
            Some(local) => Some(matches!(local, Some(Value::Undef))),
            None => self.scopes.get(id).variables.is_undef(name),
        });
        is_undef == Some(false)
    }

    fn find_in_class(&self, class: &str, name: &str) -> Option<VisibleLocal<'_>> {
        if !self.locals.has_locals() {
            return self.scopes.find_in_class(class, name).map(VisibleLocal::Value);
        }
        let mut scope = self.scopes.class_scope(class);
        while let Some(id) = scope {
            let here = self.scopes.get(id);
            if let Some(value) = here.variables.get(name) {
                return Some(VisibleLocal::Value(value));
            }
            if let Some(local) = self.locals.on(id).find_map(|shared| shared.local(name)) {
                return Some(local.as_ref().map_or(VisibleLocal::Gone, VisibleLocal::Value));
            }
            scope = here.inherited;
        }
        None
    }

    /// Returns what has matched last where it is seen on a scope.
    fn matched_on(&self, scope: ScopeId) -> Option<&[Value]> {
        let shared = || self.locals.on(scope);
        let before = || as_groups(&self.scopes.get(scope).matched).filter(|_| !shared().any(|shared| shared.hides));
        shared().find_map(|shared| as_groups(&shared.matched)).or_else(before)
    }

    fn names_seen(&self, from: ScopeId) -> Vec<&str> {
        let mut names = self.scopes.names(from);
        if !self.locals.has_locals() {
            return names;
        }
        let scopes = std::iter::successors(Some(from), |id| self.scopes.around(*id));
        let shared = scopes.flat_map(|scope| self.locals.on(scope)).flat_map(|shared| &shared.locals);
        names.extend(shared.map(|(name, _)| name.as_str()));
        names.sort_unstable();
        names.dedup();
        names
    }

    // ---- what is recorded ----

    /// A class that has not been evaluated is recorded too: it could be one day.
    fn observe_class(&self, class: &str, name: &str, log: &ObservationLog) {
        if !log.is_active() {
            return;
        }
        match self.scopes.class_scope(class) {
            None => log.variable(class, name),
            scope => self.observe_inherited(scope, name, log),
        }
    }

    /// A variable is looked for in a class, and in those that this inherits.
    fn observe_inherited(&self, class: Option<ScopeId>, name: &str, log: &ObservationLog) {
        if log.is_active() {
            self.with_inherited(class).for_each(|class| log.variable(&self.scopes.get(class).source.name, name));
        }
    }

    fn with_inherited(&self, class: Option<ScopeId>) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(class, |scope| self.scopes.get(*scope).inherited)
    }
}

fn as_groups(matched: &Value) -> Option<&[Value]> {
    match matched {
        Value::Array(groups) => Some(groups),
        _ => None,
    }
}
