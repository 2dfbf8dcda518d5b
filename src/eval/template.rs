//! Templates: their code, what they see, and the text while it grows.

use std::sync::Arc;

use pantin_base::names::is_reserved_variable;
use pantin_base::{Location, Source};
use pantin_model::trace::{Answer, Effect, Log, Question, Standing};
use pantin_syntax::{MessageLimits, SourceKind};
use pantin_values::{Digester, Fault, FaultKind, Hash, Str, Type, Value, mismatch, text, unencoded};
use rustc_hash::FxHashMap;

use super::code::{Body, Expr, Lambda, Locals};
use super::invocation::Invocation;
use super::lower::template_body;
use super::machine::{Machine, NO_FRAME};
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

/// What is written so far.
#[derive(Debug, Default)]
pub(super) struct RenderedTemplate {
    text: String,
    sensitive: bool,
    /// The first piece was a text in no encoding.
    is_unencoded: Option<bool>,
}

/// Variables that a template sees besides its own and those of the outside.
#[derive(Debug)]
pub(super) struct TemplateVariables {
    /// The template's frame.
    frame: usize,
    variables: FxHashMap<Str, VariableValue>,
}

/// The name of the source of a text that is a template.
pub const INLINE_TEMPLATE: &str = "inlined-epp-text";

impl Machine<'_> {
    // ---- the text ----

    #[inline(never)]
    pub(super) fn template(&mut self, body: &Expr) -> Flow {
        self.texts.push(RenderedTemplate::default());
        let result = self.value(body);
        let rendered = self.texts.pop().unwrap_or_default();
        result?;
        let text = match rendered.is_unencoded {
            Some(is_first) if unencoded::are_any() => unencoded::join_letters(rendered.text.into(), is_first)?,
            _ => Value::String(rendered.text.into()),
        };
        Ok(if rendered.sensitive { Value::sensitive(text) } else { text })
    }

    pub(super) fn render(&mut self, piece: &str) {
        if let Some(rendered) = self.texts.last_mut() {
            rendered.is_unencoded.get_or_insert(false);
            rendered.text.push_str(piece);
        }
    }

    #[inline(never)]
    pub(super) fn render_value(&mut self, operand: &Expr) -> Flow {
        let value = self.value(operand)?;
        let Some(rendered) = self.texts.last_mut() else { return Ok(Value::Undef) };
        match &value {
            Value::Sensitive(secret) => {
                // The whole text becomes a secret.
                rendered.sensitive = true;
                rendered.is_unencoded.get_or_insert(secret.is_unencoded());
                text::push_text(&mut rendered.text, secret);
            }
            other => {
                rendered.is_unencoded.get_or_insert(other.is_unencoded());
                text::push_text(&mut rendered.text, other);
            }
        }
        let size = rendered.text.len();
        self.check_text(size)?;
        Ok(Value::Undef)
    }

    // ---- the whole ----

    /// What a template is worth with values for its parameters. It sees `locals`, where there are any, as the code
    /// that renders it does.
    pub(super) fn render_template(&mut self, body: &Arc<Body>, given: &Hash, locals: Option<&Locals>) -> Flow {
        self.count_call()?;
        for warning in &body.warnings {
            self.apply(&Effect::Log(warning.clone().into()))?;
        }
        let variables = locals.map(|locals| self.visible(locals)).unwrap_or_default();
        let unit = std::mem::replace(&mut self.unit, body.unit.clone());
        self.under_way.leave_unit(unit, self.frames.len());
        self.depth += 1;
        let result = match locals {
            Some(_) => {
                let matched = self.matched.clone();
                let result = self.run_template(body, given, variables);
                self.matched = matched;
                result
            }
            None => {
                // The code of a function sees no node.
                let standing = if self.standing == Standing::Top { Standing::Top } else { Standing::Node };
                self.standing_apart(standing, |machine| machine.run_template(body, given, variables))
            }
        };
        self.depth -= 1;
        if let Some(unit) = self.under_way.back_to_unit() {
            self.unit = unit;
        }
        result
    }

    fn run_template(&mut self, body: &Body, given: &Hash, variables: FxHashMap<Str, VariableValue>) -> Flow {
        let caller = self.enter(&body.lambda, NO_FRAME, false);
        self.lent.push(TemplateVariables { frame: self.frame, variables });
        let bound = self.bind_given(body, given);
        let result = bound.and_then(|()| self.value(&body.lambda.body));
        self.lent.pop();
        self.leave(caller);
        result
    }

    /// The locals that a piece of code sees, with what was lent to it.
    fn visible(&self, locals: &Locals) -> FxHashMap<Str, VariableValue> {
        let mut variables = self.lent_here().cloned().unwrap_or_default();
        for (name, places) in locals {
            if let Some(seen) = places.iter().find_map(|&(depth, slot)| self.slot_at(depth, slot)) {
                variables.insert(name.clone(), seen.clone());
            }
        }
        variables
    }

    /// Returns what was lent to the template whose code runs, if it is one's.
    fn lent_here(&self) -> Option<&FxHashMap<Str, VariableValue>> {
        let lent = self.lent.last()?;
        let mut frame = self.frame;
        while frame != lent.frame {
            frame = self.frames.get(frame)?.parent;
        }
        Some(&lent.variables)
    }

    /// Returns what was lent to the template of a frame, if it is one's; in the order of the names.
    pub(super) fn lent_to(&self, frame: usize) -> impl Iterator<Item = (&Str, &VariableValue)> {
        let lent = self.lent.iter().filter(move |lent| lent.frame == frame).flat_map(|lent| &lent.variables);
        let mut all: Vec<(&Str, &VariableValue)> = lent.collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all.into_iter()
    }

    pub(super) fn lent_variable(&self, name: &str) -> Option<&VariableValue> {
        self.lent_here()?.get(name)
    }

    // ---- parameters ----

    fn bind_given(&mut self, body: &Body, given: &Hash) -> Flow<()> {
        if body.is_open { self.bind_any(&body.lambda, given) } else { self.bind_declared(&body.lambda, given) }
    }

    fn bind_any(&mut self, lambda: &Lambda, given: &Hash) -> Flow<()> {
        for (name, value) in given.iter() {
            let Value::String(name) = name else { continue };
            if name.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Fault::new(format!("Cannot assign to a numeric match result variable '${name}'")).into());
            }
            if is_reserved_variable(name) {
                return Err(Fault::new(format!("Attempt to assign to a reserved variable name: '{name}'")).into());
            }
            let seen = VariableValue::Value(value.clone());
            if let Some(slot) = lambda.slots.iter().position(|known| known == name) {
                *self.slot(slot as u32) = Some(seen);
            } else if let Some(lent) = self.lent.last_mut() {
                lent.variables.insert(name.clone(), seen);
            }
        }
        Ok(())
    }

    fn bind_declared(&mut self, lambda: &Lambda, given: &Hash) -> Flow<()> {
        // Defaults see all that is given, also what stands behind them, and what is no parameter.
        for (name, value) in given.iter().filter(|(_, value)| !value.is_undef()) {
            let Value::String(name) = name else { continue };
            let seen = VariableValue::Value(value.clone());
            match lambda.position(name) {
                Some(slot) => *self.slot(slot as u32) = Some(seen),
                None => _ = self.lent.last_mut().map(|lent| lent.variables.insert(name.clone(), seen)),
            }
        }
        for (slot, param) in lambda.params.iter().enumerate() {
            if self.slot(slot as u32).is_some() {
                continue;
            }
            let value = match &param.default {
                Some(default) => Some(self.default_value(default)?),
                None => given.get_str(&param.name).cloned(),
            };
            *self.slot(slot as u32) = value.map(VariableValue::Value);
        }
        self.check_given(lambda, given)
    }

    /// By name, as a class is given its parameters: one that is needed may stand behind one that is not.
    fn check_given(&mut self, lambda: &Lambda, given: &Hash) -> Flow<()> {
        let parameters = self.declared_parameters(lambda)?;
        let mut bound: Vec<(Str, Value)> = Vec::with_capacity(lambda.params.len());
        for (name, value) in given.iter() {
            if let Value::String(name) = name
                && !value.is_undef()
                && !lambda.params.iter().any(|param| param.name == *name)
            {
                bound.push((name.clone(), value.clone()));
            }
        }
        let mut fits = bound.is_empty();
        for (index, param) in lambda.params.iter().enumerate() {
            let Some(VariableValue::Value(value)) = self.slot(index as u32).clone() else {
                fits = false;
                continue;
            };
            fits = fits && parameters[index].param_type.accepts(&value)?;
            bound.push((param.name.clone(), value));
        }
        if fits {
            return lambda.check_names();
        }
        let values = bound.iter().map(|(name, value)| (name, value));
        Ok(mismatch::check_parameters("lambda", &parameters, values, &|_| None)?)
    }
}

impl Invocation<'_, '_> {
    /// Returns a template by its name; `None` where there is none.
    pub fn template(&mut self, name: &Str) -> Flow<Option<Arc<Body>>> {
        if let Some(known) = self.machine.templates.get(name) {
            return Ok(known.clone());
        }
        let found = match self.ask(&Question::Template(name.clone())) {
            Answer::Definition(definition) => Some(Body::from_definition(definition, name)?),
            Answer::Fault(fault) if matches!(fault.kind, FaultKind::Located | FaultKind::Logged) => {
                let message = format!("epp(): Invalid EPP: {}", fault.message);
                return Err(Fault { sighting: fault.sighting, ..Fault::new(message) }.into());
            }
            Answer::Fault(fault) => return Err(fault.into()),
            _ => None,
        };
        self.machine.templates.insert(name.clone(), found.clone());
        Ok(found)
    }

    /// Returns a text that is a template.
    pub fn inline_template(&mut self, text: &Str) -> Flow<Arc<Body>> {
        if let Some(known) = self.machine.inline_templates.get(text) {
            return Ok(known.clone());
        }
        let source = Source::new(Some(INLINE_TEMPLATE), text.as_str());
        let source = source.map_err(|_| Fault::new("inline_epp(): the text is too large for a template"))?;
        let settings = self.machine.settings;
        let tasks = self.is_set("tasks");
        let settings = pantin_syntax::Settings {
            strict: settings.strict,
            tasks,
            ..pantin_syntax::Settings::from_language(settings.language)
        };
        let limits = MessageLimits::default();
        let outcome =
            pantin_syntax::check(Arc::new(source), SourceKind::Template, &Location::Anywhere, settings, limits);
        let warnings: Vec<Log> = outcome.log.iter().map(|line| Log::from_diagnostic(line, INLINE_TEMPLATE)).collect();
        let message = match (outcome.error, outcome.ast) {
            (None, Some(ast)) => {
                let key = format!("inline_epp {}", Digester::new(b"inline_epp").text(text).finish());
                let body = Arc::new(template_body(&ast, &key, self.machine.builtins).warning(warnings));
                self.machine.inline_templates.insert(text.clone(), body.clone());
                return Ok(body);
            }
            (Some(error), _) => {
                for line in warnings {
                    self.apply(&Effect::Log(line.into()))?;
                }
                format!("{}{}", error.message, error.place.suffix(Some(INLINE_TEMPLATE)))
            }
            (None, None) => "it could not be parsed".to_owned(),
        };
        Err(self.fault(format!("inline_epp(): Invalid EPP: {message}")))
    }

    /// The text of a template, which sees nothing of the code that calls.
    pub fn render(&mut self, template: &Arc<Body>, given: &Hash) -> Flow {
        let result = self.machine.render_template(template, given, None);
        self.rendered_text(result)
    }

    /// The text of a template, which sees the variables of the code that calls.
    pub fn render_inline(&mut self, template: &Arc<Body>, given: &Hash) -> Flow {
        let result = self.machine.render_template(template, given, Some(self.locals));
        self.rendered_text(result)
    }

    /// What `next()` gives has to be a text; what `return()` gives may be anything.
    fn rendered_text(&self, result: Flow) -> Flow {
        match result {
            Err(Stop(reason)) => match *reason {
                Reason::Return(value, _) => Ok(value),
                Reason::Next(value, _) => {
                    let secret = Type::Sensitive(Some(Arc::new(Type::STRING)));
                    let expected = Type::variant([Type::STRING, secret]);
                    let subject = format!("value returned from function '{}'", self.name());
                    mismatch::assert_instance(&subject, &expected, &value)?;
                    Ok(value)
                }
                other => Err(Stop(Box::new(other))),
            },
            Ok(text) => Ok(text),
        }
    }
}
