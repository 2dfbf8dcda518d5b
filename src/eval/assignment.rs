//! Assignments to a variable, to several, and from the variables of a class.

use pantin_base::names::is_reserved_variable;
use pantin_model::trace::{Answer, Effect, Question};
use pantin_values::{Fault, Str, Type, Value};

use super::code::{Assign, Target};
use super::issue;
use super::machine::{Machine, NO_FRAME};
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

impl Machine<'_> {
    #[inline(never)]
    pub(super) fn assign(&mut self, assign: &Assign) -> Flow<VariableValue> {
        if let Target::Wrong(wrong, at) = &assign.target {
            return Err(Reason::FaultAt(wrong.fault(), *at).into());
        }
        let seen = self.look(&assign.value)?;
        match &assign.target {
            Target::Name { name, slot } => {
                self.bind(name, *slot, seen.clone())?;
                Ok(seen)
            }
            target => {
                let value = self.settle(seen)?;
                self.assign_parts(target, value.clone(), assign)?;
                Ok(VariableValue::Value(value))
            }
        }
    }

    fn assign_parts(&mut self, target: &Target, value: Value, assign: &Assign) -> Flow<()> {
        let targets = match target {
            Target::Name { name, slot } => return self.bind(name, *slot, VariableValue::Value(value)),
            Target::Wrong(wrong, at) => return Err(Reason::FaultAt(wrong.fault(), *at).into()),
            Target::List(targets) => targets,
        };
        match value {
            Value::Hash(entries) => {
                for (target, _) in targets {
                    let Target::Name { name, .. } = target else {
                        return Err(issue::multi_assignment_key(&names(target)).into());
                    };
                    let Some(value) = entries.get_str(name) else {
                        return Err(issue::multi_assignment_key(name).into());
                    };
                    self.assign_parts(target, value.clone(), assign)?;
                }
                Ok(())
            }
            Value::Type(Type::Class(Some(class))) => self.assign_from_class(targets, &class, assign.value.at),
            Value::Array(values) => self.assign_each(targets, &values, assign),
            value => self.assign_each(targets, &[value], assign),
        }
    }

    fn assign_each(&mut self, targets: &[(Target, u32)], values: &[Value], assign: &Assign) -> Flow<()> {
        if targets.len() != values.len() {
            return Err(issue::multi_assignment_size(targets.len(), values.len()).into());
        }
        for ((target, _), value) in targets.iter().zip(values) {
            self.assign_parts(target, value.clone(), assign)?;
        }
        Ok(())
    }

    fn assign_from_class(&mut self, targets: &[(Target, u32)], class: &str, class_at: u32) -> Flow<()> {
        let declared = Question::Defined(Value::Type(Type::Class(Some(class.into()))));
        if !matches!(self.host.ask(&declared), Answer::Value(Value::Boolean(true))) {
            let fault = Fault::issue("UNKNOWN_RESOURCE", format!("Resource not found: Class['{class}']"));
            return Err(self.fail(fault, class_at));
        }
        for (target, at) in targets {
            let Target::Name { name, slot } = target else { continue };
            let variable: Str = format!("{class}::{name}").into();
            match self.host.ask(&Question::Variable(variable.clone().into())) {
                Answer::Absent => {
                    let fault = Fault::issue(
                        "MISSING_MULTI_ASSIGNMENT_VARIABLE",
                        format!(
                            "No value for required variable '${variable}' in assignment to variables from class reference"
                        ),
                    );
                    return Err(self.fail(fault, *at));
                }
                _ => {
                    let seen = self.outer_variable(&variable, None, *at)?;
                    self.bind(name, *slot, seen)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn bind(&mut self, name: &Str, slot: u32, seen: VariableValue) -> Flow<()> {
        if name == "server_facts" {
            return Err(issue::reserved_assignment(name).into());
        }
        if self.slot(slot).is_some() {
            return Err(already_bound(name));
        }
        let frame = self.frames[self.frame];
        if !(frame.exports && frame.parent == NO_FRAME) {
            self.check_unbound(name)?;
        } else {
            let name = name.clone();
            self.apply(&match &seen {
                VariableValue::Value(value) => Effect::Export { name, value: value.clone() },
                VariableValue::View(view) => {
                    Effect::ExportPart { name, variable: view.variable.clone().into(), path: view.path.clone() }
                }
            })?;
        }
        *self.slot(slot) = Some(seen);
        Ok(())
    }

    /// What the host does not see set has to be checked here: what the scope has from its beginning, and names that are
    /// never free.
    fn check_unbound(&self, name: &Str) -> Flow<()> {
        if self.is_predefined(name) {
            return Err(issue::reassignment(name).into());
        }
        check_unreserved(name)
    }

    /// Returns true if the code is that of a definition, whose scope has this variable from its beginning.
    pub(super) fn is_predefined(&self, name: &Str) -> bool {
        let is_of_all = || matches!(name.as_str(), "title" | "name" | "module_name" | "caller_module_name");
        self.frame == 0 && self.subject.is_some() && (is_of_all() || self.metaparameters.contains(name))
    }
}

/// A list of names as Ruby shows it, where a hash was asked for it.
fn names(target: &Target) -> String {
    match target {
        Target::Name { name, .. } => format!("{:?}", name.as_str()),
        Target::List(targets) => {
            let shown: Vec<String> = targets.iter().map(|(target, _)| names(target)).collect();
            format!("[{}]", shown.join(", "))
        }
        Target::Wrong(..) => String::new(),
    }
}

pub(super) fn check_unreserved(name: &str) -> Flow<()> {
    match is_reserved_variable(name) {
        true => Err(Fault::new(format!("Attempt to assign to a reserved variable name: '{name}'")).into()),
        false => Ok(()),
    }
}

fn already_bound(name: &str) -> Stop {
    let issue = if is_reserved_variable(name) { issue::reserved_assignment } else { issue::reassignment };
    issue(name).into()
}
