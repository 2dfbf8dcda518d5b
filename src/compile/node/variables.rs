//! Variables as the code that runs now sees them, and the assignment of those that others see.

use pantin_base::names::{is_qualified, is_reserved_variable, split_last};
use pantin_eval::{issue, too_early};
use pantin_model::trace::{Answer, FROM_NODE, Outcome, Question, dig};
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::observations::of_variable;
use super::scope::{PendingParameters, Scope, ScopeId, TOP};
use super::shared_locals::VisibleLocal;

impl Compiler<'_> {
    /// `x`, `::x`, `a::b::x`; with `node:` before it as the scope of the node sees it.
    pub(super) fn variable(&mut self, written: &str) -> Option<Value> {
        let scope = self.frames.last().map_or(TOP, |frame| frame.scope);
        let (scope, name, is_bare) = match written.strip_prefix(FROM_NODE) {
            Some(name) => (self.scopes.global(scope), name, true),
            None => (scope, written, false),
        };
        if let Ok(number) = name.parse() {
            return self.captured(scope, number, is_bare);
        }
        match is_qualified(written) {
            false => self.unqualified(scope, name, is_bare),
            true => self.qualified(written.strip_prefix("::").unwrap_or(written)),
        }
    }

    fn unqualified(&self, scope: ScopeId, name: &str, is_bare: bool) -> Option<Value> {
        self.note_inherited(self.scopes.get(scope).inherited, name);
        let found = self.find(scope, name, is_bare).map(VisibleLocal::value).cloned();
        match name {
            // They are there in every scope, if only as undef.
            "module_name" | "caller_module_name" => Some(found.unwrap_or_default()),
            _ => found,
        }
    }

    /// What is said of a qualified variable that is not there: the name it then goes by, and why. Where all classes on the
    /// way are evaluated, that is the name in the last class that was looked into.
    pub(super) fn unknown_variable(&mut self, written: &str) -> (String, String) {
        let mut name = written.strip_prefix("::").unwrap_or(written).to_owned();
        while let Some((class, variable)) = name.rsplit_once("::") {
            let reason = match self.find_class(class) {
                Ok(None) => format!("class {class} could not be found"),
                Err(fault) => fault.message.into_owned(),
                Ok(Some(_)) if self.scopes.of_class(class).is_none() => format!("class {class} has not been evaluated"),
                Ok(Some(definition)) => match &definition.parent {
                    Some(parent) => {
                        name = format!("{}::{variable}", parent.trim_start_matches("::"));
                        continue;
                    }
                    None => break,
                },
            };
            return (name, reason);
        }
        (format!("::{name}"), String::new())
    }

    /// A class is loaded to see whether it is there, but never evaluated.
    fn qualified(&mut self, name: &str) -> Option<Value> {
        let Some((class, variable)) = split_last(name) else {
            return self.unqualified(TOP, name, true);
        };
        match self.scopes.of_class(class) {
            None => self.note_read(class, variable),
            scope => self.note_inherited(scope, variable),
        }
        if let Some(found) = self.find_in_class(class, variable) {
            return Some(found.value().clone());
        }
        if self.scopes.of_class(class).is_none() {
            // What is wrong with its file is no error of who asks for the variable.
            let _ = self.loader.class(class);
            self.tell();
        }
        None
    }

    pub(super) fn part(&mut self, variable: &str, path: &[Value]) -> Option<Value> {
        // One of the scopes from here outwards need not be copied to be looked into.
        let is_plain = !variable.contains(':') && !variable.starts_with(|first: char| first.is_ascii_digit());
        let scope = self.frames.last().map_or(TOP, |frame| frame.scope);
        if is_plain {
            self.note_inherited(self.scopes.get(scope).inherited, variable);
        }
        if is_plain && let Some(whole) = self.find(scope, variable, false) {
            return dig(whole.value(), path).cloned();
        }
        let whole = self.variable(variable)?;
        dig(&whole, path).cloned()
    }

    /// A variable is looked for in a class, and in those that this inherits.
    fn note_inherited(&self, class: Option<ScopeId>, name: &str) {
        let classes = std::iter::successors(class, |scope| self.scopes.get(*scope).inherited);
        classes.for_each(|class| self.note_read(&self.scopes.get(class).source.name, name));
    }

    /// Somebody was told which variables there are: of a class, also those that it inherits.
    pub(super) fn note_names(&self) {
        let scope = self.frames.last().map_or(TOP, |frame| frame.scope);
        let classes =
            std::iter::successors(self.scopes.get(scope).inherited, |scope| self.scopes.get(*scope).inherited);
        classes.for_each(|class| self.observations.names(&self.scopes.get(class).source.name));
    }

    /// By a question of the body that runs, or else in a way that its trace does not show.
    fn note_read(&self, class: &str, name: &str) {
        match self.frames.last() {
            Some(frame) if self.is_asked => frame.reads.borrow_mut().push(of_variable(class, name)),
            _ => self.observations.variable(class, name),
        }
    }

    /// A body asks for a variable, or a part of one. What asks in the midst of a look-up is not the body itself.
    pub(super) fn asked_for_variable(&mut self, question: &Question) -> Answer {
        let (Question::Variable(name) | Question::Part { variable: name, .. } | Question::Whole { variable: name, .. }) =
            question
        else {
            return Answer::Absent;
        };
        if let Some(fault) = self.too_early(name) {
            return Answer::Fault(fault);
        }
        self.is_asked = self.is_remembered() && self.look_ups == 0;
        let answer = match question {
            _ if self.laid.lacks_any()
                && let Some(fault) = self.gone(name) =>
            {
                Answer::Fault(fault)
            }
            Question::Variable(name) => answer(self.variable(name)),
            Question::Part { variable, path } => answer(self.part(variable, path)),
            Question::Whole { variable, path } => self.part(variable, path).map_or(Answer::Absent, Answer::Value),
            _ => Answer::Absent,
        };
        self.is_asked = false;
        answer
    }

    /// What is wrong with looking at a parameter that has no value yet.
    fn too_early(&self, written: &str) -> Option<Fault> {
        // Every variable that is asked for comes by here.
        if !self.scopes.were_half_done {
            return None;
        }
        let (scope, name) = match split_last(written.strip_prefix("::").unwrap_or(written)) {
            Some((class, name)) => (self.scopes.of_class(class)?, name),
            None if written.starts_with("::") => return None,
            None => (self.frames.last()?.scope, written),
        };
        let Scope { half_done, resource, .. } = self.scopes.get(scope);
        let PendingParameters { of, place, waiting } = half_done.as_deref()?;
        let (wanted, _) = waiting.iter().find(|(_, waiting)| waiting == name)?;
        let subject = self.resource(*resource).reference();
        Some(Fault::located(too_early(&subject, of, name, wanted < place), false))
    }

    /// The scope that has a variable, the one that is asked for it, and its name there.
    fn holder<'w>(&self, written: &'w str) -> (Option<ScopeId>, Option<ScopeId>, &'w str) {
        let here = self.frames.last().map_or(TOP, |frame| frame.scope);
        let (from, name) = match written.strip_prefix(FROM_NODE) {
            Some(name) => (Some(self.scopes.global(here)), name),
            None => match split_last(written.strip_prefix("::").unwrap_or(written)) {
                Some((class, name)) => (self.scopes.of_class(class), name),
                None if written.starts_with("::") => (Some(TOP), &written[2..]),
                None => (Some(here), written),
            },
        };
        let holder = from.and_then(|from| self.scopes.holder(from, name));
        (holder, from, name)
    }

    /// Facts and what else the server says of the node are frozen, by whatever name they go.
    pub(super) fn is_fixed(&self, written: &str) -> bool {
        let (holder, _, name) = self.holder(written);
        let is_fact = || self.scopes.get(TOP).variables.is_fact(name);
        holder == Some(TOP) && (is_reserved_variable(name) || is_fact())
    }

    /// Ruby code has changed in place what a variable holds. Where that is a parameter, its resource has the same object.
    pub(super) fn change(&mut self, written: &str, value: &Value) -> Result<(), Fault> {
        let (holder, from, name) = self.holder(written);
        let is_local = !written.contains("::") && from.is_some_and(|from| self.is_local_of_others(from, name));
        if is_reserved_variable(name) || holder.is_none() || is_local {
            return Err(Fault::limit(format!("Ruby code changes ${written} in place, which is not supported")));
        }
        let Some(holder) = holder else { return Ok(()) };
        if self.is_running_around(holder, name) && !self.is_never_read(holder, name) {
            let message =
                format!("Ruby code changes ${written} in place, of code that is not finished, which is not supported");
            return Err(Fault::limit(message));
        }
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
        Ok(())
    }

    /// Whether code around the present one has this variable for its own: it reads that without asking again.
    fn is_running_around(&self, holder: ScopeId, name: &str) -> bool {
        let around = self.frames.split_last().map_or(&[][..], |(_, around)| around);
        let is_own = holder != TOP || self.assigned.iter().any(|(known, _)| known == name);
        is_own && around.iter().any(|frame| frame.scope == holder)
    }

    /// Whether the code of a class does not read this variable of its own: it is not missed there that it has changed.
    fn is_never_read(&self, holder: ScopeId, name: &str) -> bool {
        if holder == TOP {
            return false;
        }
        let Some(body) = self.scopes.get(holder).source.body(self.loader.base.builtins) else { return false };
        let lambda = &body.lambda;
        let slot = lambda.slots.iter().rposition(|known| known == name);
        slot.is_some_and(|slot| lambda.is_read.get(slot) == Some(&false))
    }

    /// A variable that others see from now on.
    pub(super) fn export(&mut self, name: &Str, value: Value) -> Outcome {
        self.set(self.frames.last().map_or(TOP, |frame| frame.scope), name, value)
    }

    /// A function that is called from elsewhere has set it. Where a lambda or a function stands in the top scope around all this,
    /// it would be one of its variables.
    pub(super) fn set_at_top(&mut self, name: &Str, value: Value) -> Outcome {
        if self.has_locals_on(TOP) {
            let message = format!(
                "Ruby code sets ${name} at the top, where a function or a lambda is under way, which is not supported"
            );
            return failed(Fault::limit(message));
        }
        if self.scopes.get(TOP).variables.contains(name) && !is_reserved_variable(name) {
            return failed(Fault::new(format!("Cannot reassign variable '${name}'")));
        }
        self.set(TOP, name, value)
    }

    fn set(&mut self, scope: ScopeId, name: &Str, value: Value) -> Outcome {
        let is_reserved = is_reserved_variable(name);
        if self.scopes.get(scope).variables.contains(name) {
            let fault = if is_reserved { issue::reserved_assignment(name) } else { issue::reassignment(name) };
            return failed(fault);
        }
        if is_reserved {
            return failed(Fault::new(format!("Attempt to assign to a reserved variable name: '{name}'")));
        }
        if scope == TOP {
            self.assigned.push((name.clone(), value.clone()));
        }
        self.scopes.get_mut(scope).variables.insert(name.clone(), value);
        Outcome::Done
    }
}

/// A container as a view, all else as itself.
pub(super) fn answer(value: Option<Value>) -> Answer {
    value.map_or(Answer::Absent, |value| Answer::of_variable(&value))
}

/// An effect that failed: the error of the expression that wanted it.
pub(super) fn failed(fault: Fault) -> Outcome {
    Outcome::Failed(Box::new(crate::report::failure_of(fault)))
}
