//! Variables as look-ups see them.

use pantin_base::names::{is_module_variable, is_reserved_variable};
use pantin_base::{Language, Strict};
use pantin_model::trace::{Answer, Container, Question, VariableName};
use pantin_values::{Str, Value};

use super::dig;
use super::outside::{Warning, WarningKind};
use super::search::{Search, SearchResult};
use super::trouble::Trouble;

/// A variable on which a hierarchy rests, with the value that it had.
#[derive(Clone, Debug)]
pub(super) struct ObservedVariable {
    name: Str,
    root: Str,
    segments: Vec<Value>,
    value: Value,
}

impl ObservedVariable {
    pub(super) fn is_reserved(&self) -> bool {
        is_reserved_variable(&self.root)
    }
}

impl Search<'_> {
    pub(super) fn remember(&mut self, name: &str, root: &str, segments: &[Value], value: &Value) {
        // What the top scope has stays as it is.
        let is_steady = !value.is_undef() && name.starts_with("::");
        if let Some(seen) = &mut self.observed_variables
            && !is_steady
            && seen.iter().all(|known| known.name != name)
        {
            let segments = segments.to_vec();
            seen.push(ObservedVariable { name: name.into(), root: root.into(), segments, value: value.clone() });
        }
    }

    /// Forgets what was seen of one variable.
    pub(super) fn forget(&mut self, from: usize, root: &str) {
        if let Some(seen) = &mut self.observed_variables {
            let mut index = 0;
            seen.retain(|known| {
                index += 1;
                index <= from || known.root != root
            });
        }
    }

    /// Returns true if these variables still have their values.
    pub(super) fn are_stable(&mut self, seen: &[ObservedVariable]) -> Result<bool, Trouble> {
        let explainer = self.lookups.explainer.take();
        let is_lenient = std::mem::replace(&mut self.is_lenient, true);
        let result = self.all_stable(seen);
        self.is_lenient = is_lenient;
        self.lookups.explainer.replace(explainer);
        result
    }

    /// Returns true if no local hides one of these, which have names that no code can assign.
    pub(super) fn none_is_hidden(&self, seen: &[ObservedVariable]) -> bool {
        !seen.iter().any(|known| self.is_local(&known.root) || self.outside.has_local(&known.root))
    }

    fn all_stable(&mut self, seen: &[ObservedVariable]) -> Result<bool, Trouble> {
        for known in seen {
            // No code can assign it: only a local hides it.
            if is_reserved_variable(&known.root) && !self.is_local(&known.root) && !self.outside.has_local(&known.root)
            {
                continue;
            }
            let value = match self.requested_part(&known.name, &known.root, &known.segments)? {
                Some(value) => value,
                None => match self.variable(&known.root, false)? {
                    Some(value) if !value.is_undef() => {
                        self.dig(&known.name, &known.segments, value)?.unwrap_or_default()
                    }
                    _ => Value::Undef,
                },
            };
            if value != known.value {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A part of a variable, asked for as such so that the rest of it does not count; `None` where that cannot be said.
    pub(super) fn requested_part(&mut self, name: &str, root: &str, segments: &[Value]) -> SearchResult {
        if segments.is_empty() || self.is_local(root) || is_calling(root) {
            return Ok(None);
        }
        let variable = VariableName::from(root);
        match self.ask_outside(Question::Variable(variable.clone()))? {
            Answer::View(_) => {}
            _ => return Ok(None),
        }
        let part = |search: &mut Search<'_>, path: &[Value]| {
            search.ask_outside(Question::Part { variable: variable.clone(), path: path.into() })
        };
        match part(self, segments)? {
            Answer::Value(value) => return Ok(Some(value)),
            Answer::View(_) => {
                let question = Question::Whole { variable: variable.clone(), path: segments.into() };
                return Ok(match self.ask_outside(question)? {
                    Answer::Value(value) => Some(value),
                    _ => None,
                });
            }
            _ => {}
        }
        // It is not there: nothing, or a value on the way that has no parts.
        for length in 1..segments.len() {
            match part(self, &segments[..length])? {
                Answer::View(Container::Hash) => {}
                Answer::View(Container::Array) if matches!(segments[length], Value::Integer(_)) => {}
                Answer::View(Container::Array) => {
                    return dig::step(&Value::array([]), &segments[length], name).map(|_| Some(Value::Undef));
                }
                Answer::Value(value) => {
                    return dig::step(&value, &segments[length], name).map(|_| Some(Value::Undef));
                }
                _ => return Ok(Some(Value::Undef)),
            }
        }
        Ok(Some(Value::Undef))
    }

    fn ask_outside(&mut self, question: Question) -> Result<Answer, Trouble> {
        match self.outside.ask(&question) {
            Answer::Fault(fault) => Err(Trouble::outside(fault)),
            Answer::Wants(_) => Err(Trouble::wants_locals()),
            answer => Ok(answer),
        }
    }

    fn is_local(&self, root: &str) -> bool {
        self.locals.iter().any(|(name, _)| name == root)
    }

    /// Returns the whole of a variable; `None` where there is none, which may be worth a warning.
    pub(super) fn variable(&mut self, name: &str, has_default: bool) -> SearchResult {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Ok(Some(value.clone()));
        }
        if self.call.is_legacy_scope
            && let "calling_class" | "calling_class_path" = name
        {
            let class = self.outside.calling_class();
            let class = class.map(|class| if name == "calling_class" { class } else { class.replace("::", "/") });
            return Ok(Some(class.map(Value::String).unwrap_or_default()));
        }
        let asked = if self.call.is_legacy_scope { legacy_name(name) } else { name };
        let found = match self.ask_outside(Question::Variable(asked.into()))? {
            Answer::Value(value) => Some(value),
            Answer::View(_) => match self.ask_outside(Question::Whole { variable: asked.into(), path: [].into() })? {
                Answer::Value(value) => Some(value),
                _ => None,
            },
            _ => None,
        };
        if self.call.is_legacy_scope {
            // An empty text was no value then.
            if found.as_ref().is_some_and(|value| value.as_str() == Some("")) || (found.is_none() && is_calling(name)) {
                return Ok(Some(Value::Undef));
            }
        }
        if found.is_none() && !(has_default && self.lookups.settings.language >= Language::Puppet8) {
            self.is_undefined(asked)?;
        }
        Ok(found)
    }

    /// Says that a variable is not there, as loudly as the settings want it.
    fn is_undefined(&mut self, name: &str) -> Result<(), Trouble> {
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if is_module_variable(name) || is_number {
            return Ok(());
        }
        let (shown, reason) =
            if name.contains("::") { self.outside.unknown_variable(name) } else { (name.to_owned(), String::new()) };
        let message = match self.lookups.settings.strict {
            Strict::Off => return Ok(()),
            Strict::Warning => format!("Undefined variable '{shown}'; {reason}"),
            Strict::Error if self.is_lenient && self.lookups.settings.language >= Language::Puppet8 => {
                format!("Interpolation failed with '{shown}', but compilation continuing; {reason}")
            }
            Strict::Error => return Err(Trouble::ruby(format!("Undefined variable '{shown}'; {reason}"))),
        };
        self.warn_once(WarningKind::UndefinedVariable, format!("Variable: {shown}"), message, None);
        Ok(())
    }

    /// A warning that comes once for each key, with the file it is about.
    pub(super) fn warn_once(
        &mut self,
        kind: WarningKind,
        key: String,
        message: String,
        file: Option<&std::path::Path>,
    ) {
        let place = match file {
            Some(file) => format!("(file: {})", file.display()),
            None => "(file & line not available)".to_owned(),
        };
        let message = format!("{message}\n   {place}");
        self.outside.warn(Warning { message, once: Some((kind, key)) });
    }

    pub(super) fn warn(&mut self, message: String) {
        self.outside.warn(Warning { message, once: None });
    }
}

/// Names that hiera.yaml 3 knew beside the variables.
fn is_calling(name: &str) -> bool {
    matches!(name, "calling_class" | "calling_class_path" | "calling_module")
}

fn legacy_name(name: &str) -> &str {
    if name == "calling_module" { "module_name" } else { name }
}
