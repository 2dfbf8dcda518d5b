//! Variables as the code that runs now sees them, and the assignment of those that others see.
//! It must not see a variable that is not recorded in the log of whoever wants it.

use pantin_base::names::{is_qualified, is_reserved_variable, split_last};
use pantin_model::trace::{Answer, Layer, Outcome, Question, SharedLocal, Standing, VariableName, dig};
use pantin_values::{Fault, Str, Value};
use pantin_world::{NodeReads, Sight};

use super::Compiler;
use super::state::{ObservationLog, Observer, ScopeId, SharedLocals, TOP, ValuePart};

impl Compiler<'_> {
    // ---- questions ----

    /// Answers a question for a variable, or for a part of one.
    pub(super) fn answer_variable(&mut self, question: &Question) -> Answer {
        let (Question::Variable(name) | Question::Part { variable: name, .. } | Question::Whole { variable: name, .. }) =
            question
        else {
            return Answer::Absent;
        };
        let here = self.frames.last().map(|frame| frame.scope);
        let fault = self.state.check_not_too_early(here, name);
        if let Some(fault) = fault.or_else(|| self.state.check_at_hand(self.own_scope(), name)) {
            return Answer::Fault(fault);
        }
        let log = self.question_log();
        match question {
            Question::Variable(name) => answer(self.variable(name, ValuePart::OUTSIDE, &log)),
            Question::Part { variable, path } => {
                answer(self.part(variable, ValuePart { path, sight: Sight::Outside }, &log))
            }
            Question::Whole { variable, path } => {
                let found = self.part(variable, ValuePart { path, sight: Sight::Whole }, &log);
                found.map_or(Answer::Absent, Answer::Value)
            }
            _ => Answer::Absent,
        }
    }

    /// Returns a variable of which no more is looked at than `part`.
    fn variable(&mut self, variable: &VariableName, part: ValuePart<'_>, log: &ObservationLog) -> Option<Value> {
        let scope = self.own_scope();
        let (scope, name, is_bare) = match variable {
            VariableName::FromNode(name) => (self.state.node_scope(scope), name, true),
            VariableName::FromBody(name) => (scope, name, false),
        };
        if let Ok(number) = name.parse() {
            return self.state.captured(scope, number, is_bare);
        }
        match is_qualified(name) {
            false => self.unqualified(scope, name, is_bare, part, log),
            true => self.qualified(name.strip_prefix("::").unwrap_or(name), part, log),
        }
    }

    fn unqualified(
        &self,
        scope: ScopeId,
        name: &str,
        is_bare: bool,
        part: ValuePart<'_>,
        log: &ObservationLog,
    ) -> Option<Value> {
        let found = self.state.variable(scope, name, is_bare, part, log).cloned();
        match name {
            // They are there in every scope, if only as undef.
            "module_name" | "caller_module_name" => Some(found.unwrap_or_default()),
            _ => found,
        }
    }

    /// A class is loaded to see whether it is there, but never evaluated.
    fn qualified(&mut self, name: &str, part: ValuePart<'_>, log: &ObservationLog) -> Option<Value> {
        let Some((class, variable)) = split_last(name) else {
            // `$::caller_module_name` is none: no class was included by the top scope's module.
            return self.state.variable(TOP, name, true, part, log).cloned();
        };
        if let Some(found) = self.state.variable_of_class(class, variable, log) {
            return Some(found.clone());
        }
        if self.state.class_scope(class).is_none() {
            // What is wrong with its file is no error of who asks for the variable.
            let _ = self.loader.class(class);
            self.tell();
        }
        None
    }

    /// Returns what a path leads to in a variable.
    pub(super) fn part(&mut self, variable: &VariableName, part: ValuePart<'_>, log: &ObservationLog) -> Option<Value> {
        let path = part.path;
        // One of the scopes from here outwards need not be copied to be looked into.
        let is_plain = |name: &str| !name.contains(':') && !name.starts_with(|first: char| first.is_ascii_digit());
        if let VariableName::FromBody(name) = variable
            && is_plain(name)
            && let Some(whole) = self.state.variable(self.own_scope(), name, false, part, log)
        {
            return dig(whole, path).cloned();
        }
        let whole = self.variable(variable, part, log)?;
        dig(&whole, path).cloned()
    }

    /// Returns how messages speak of a qualified variable that is not there: its name then, and why it is not there.
    /// Where all classes on the way are evaluated, that is the name in the last class that was looked into.
    pub(super) fn unknown_variable(&mut self, written: &str) -> (String, String) {
        let mut name = written.strip_prefix("::").unwrap_or(written).to_owned();
        while let Some((class, variable)) = name.rsplit_once("::") {
            let reason = match self.find_class(class) {
                Ok(None) => format!("class {class} could not be found"),
                Err(fault) => fault.message.into_owned(),
                Ok(Some(_)) if self.state.class_scope(class).is_none() => {
                    format!("class {class} has not been evaluated")
                }
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

    /// Facts and what else the server says of the node are frozen, by whatever name they go.
    pub(super) fn is_fixed(&self, variable: &VariableName) -> bool {
        let holder = self.state.holder(self.own_scope(), variable, &self.question_log());
        holder.scope == Some(TOP) && (is_reserved_variable(holder.name) || self.state.is_fact(holder.name))
    }

    /// Takes the reads of what is known of the node.
    pub(crate) fn take_node_reads(&mut self) -> NodeReads {
        self.state.take_node_reads()
    }

    // ---- effects ----

    /// The code that runs shares these locals with the code that it calls.
    pub(super) fn share_locals(&mut self, layers: &[Layer]) {
        let locals = layers.iter().map(|layer| self.shared_locals(layer)).collect();
        self.state.share_locals(locals);
    }

    fn shared_locals(&mut self, layer: &Layer) -> SharedLocals {
        let here = self.own_scope();
        let on = match layer.standing {
            Standing::Own => here,
            Standing::Top => TOP,
            Standing::Node => self.state.node_scope(here),
        };
        let log = self.state.log(Observer::Data);
        let mut value = |shown: &SharedLocal| match shown {
            SharedLocal::Value(value) => Some(value.clone()),
            SharedLocal::Part { variable, path } => {
                Some(self.part(variable, ValuePart { path, sight: Sight::Whole }, &log).unwrap_or_default())
            }
            SharedLocal::Gone => None,
        };
        let locals = layer.locals.iter().map(|(name, shown)| (name.clone(), value(shown))).collect();
        SharedLocals { on, hides: layer.standing != Standing::Own, locals, matched: layer.matched.clone() }
    }

    /// Ruby code has changed in place what a variable holds.
    pub(super) fn change(&mut self, variable: &VariableName, value: &Value) -> Result<(), Fault> {
        let holder = self.state.holder(self.own_scope(), variable, &self.question_log());
        let (name, written) = (holder.name, variable.written());
        let is_local =
            !written.contains("::") && holder.from.is_some_and(|from| self.state.is_local_of_others(from, name));
        let Some(holder) = holder.scope.filter(|_| !is_reserved_variable(name) && !is_local) else {
            return Err(Fault::limit(format!("Ruby code changes ${written} in place, which is not supported")));
        };
        if self.is_running_around(holder, name) && !self.is_never_read(holder, name) {
            let message =
                format!("Ruby code changes ${written} in place, of code that is not finished, which is not supported");
            return Err(Fault::limit(message));
        }
        if holder == TOP {
            self.forget_told(name);
        }
        self.state.change_variable(holder, name, value);
        Ok(())
    }

    /// Returns true if code around the present one has this variable for its own: it reads that without asking again.
    fn is_running_around(&self, holder: ScopeId, name: &str) -> bool {
        let around = self.frames.split_last().map_or(&[][..], |(_, around)| around);
        let is_own = holder != TOP || self.assigned.iter().any(|(known, _)| known == name);
        is_own && around.iter().any(|frame| frame.scope == holder)
    }

    /// Returns true if the code of a class does not read this variable of its own: it is not missed there that it has
    /// changed.
    fn is_never_read(&self, holder: ScopeId, name: &str) -> bool {
        if holder == TOP {
            return false;
        }
        let Some(body) = self.state.source(holder).body(self.loader.base.builtins) else { return false };
        let lambda = &body.lambda;
        let slot = lambda.slots.iter().rposition(|known| known == name);
        slot.is_some_and(|slot| lambda.is_read.get(slot) == Some(&false))
    }

    /// Returns a variable that others see from now on.
    pub(super) fn export(&mut self, name: &Str, value: Value) -> Outcome {
        let scope = self.own_scope();
        if scope == TOP {
            let set = self.state.set_variable(scope, name, value.clone());
            return self.note_assigned(set, name, value);
        }
        self.state.set_variable(scope, name, value).map_or_else(failed, |()| Outcome::Done)
    }

    /// A function that is called from elsewhere has set it.
    pub(super) fn set_at_top(&mut self, name: &Str, value: Value) -> Outcome {
        let set = self.state.set_at_top(name, value.clone());
        self.note_assigned(set, name, value)
    }

    /// A session keeps the variables of the top scope that its code sets.
    fn note_assigned(&mut self, set: Result<(), Fault>, name: &Str, value: Value) -> Outcome {
        match set {
            Ok(()) => {
                self.assigned.push((name.clone(), value));
                Outcome::Done
            }
            Err(fault) => failed(fault),
        }
    }
}

/// Returns a container as a view, all else as itself.
pub(super) fn answer(value: Option<Value>) -> Answer {
    value.map_or(Answer::Absent, |value| Answer::of_variable(&value))
}

/// Returns an effect that failed: the error of the expression that wanted it.
pub(super) fn failed(fault: Fault) -> Outcome {
    Outcome::Failed(Box::new(crate::report::failure_of(fault)))
}
