//! `%{…}` in paths, options and data: a variable, a part of one, or what a method gives.

use pantin_base::{budget, limits, stack};
use pantin_values::{Hash, Str, Value, ops};

use super::explain::{Origin, Step};
use super::key;
use super::search::{Search, SearchResult};
use super::trouble::Trouble;

/// An expression that is interpolated takes as long as so many steps of the node's budget.
const STEPS: u64 = 1_000;

/// Whether methods such as `lookup('key')` are allowed: in data, but not in a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Methods {
    Allowed,
    Refused,
}

const START: &str = "%{";

/// Returns true if an expression stands anywhere in the value.
pub(super) fn has_expression(value: &Value) -> bool {
    match value {
        Value::String(text) => has_expression_in(text),
        Value::Array(items) => stack::with_room(|| items.iter().any(has_expression)),
        Value::Hash(entries) => {
            stack::with_room(|| entries.iter().any(|(key, value)| has_expression(key) || has_expression(value)))
        }
        _ => false,
    }
}

/// The mark of an expression is rare enough that its first byte is looked for alone.
pub(super) fn has_expression_in(text: &str) -> bool {
    text.as_bytes().contains(&b'%') && text.contains(START)
}

/// The variables that stand in a value's expressions, without the ways to parts of them.
pub(super) fn collect_variables(value: &Value, found: &mut Vec<Str>) {
    match value {
        Value::String(text) => variables_of_text(text, found),
        Value::Array(items) => stack::with_room(|| items.iter().for_each(|item| collect_variables(item, found))),
        Value::Hash(entries) => stack::with_room(|| {
            for (key, value) in entries.iter() {
                collect_variables(key, found);
                collect_variables(value, found);
            }
        }),
        _ => {}
    }
}

pub(super) fn variables_of_text(text: &str, found: &mut Vec<Str>) {
    for rest in text.split(START).skip(1) {
        if let Some((expression, _)) = rest.split_once('}')
            && let Ok(Expression::Variable(name)) = Expression::parse(expression, Methods::Refused)
        {
            name_variable(name, found);
        }
    }
}

/// Notes the variable that a key begins with.
pub(super) fn name_variable(key: &str, found: &mut Vec<Str>) {
    if let Some(Value::String(root)) = key::split(key).and_then(|segments| segments.into_iter().next())
        && !found.contains(&root)
    {
        found.push(root);
    }
}

/// What stands between the braces.
enum Expression<'t> {
    /// `%{}` and the like, which stand for nothing: `%%{}{x}` writes `%{x}`.
    Empty,
    Variable(&'t str),
    Lookup(&'t str),
    Alias(&'t str),
    Literal(&'t str),
}

impl<'t> Expression<'t> {
    fn parse(text: &'t str, methods: Methods) -> Result<Expression<'t>, String> {
        let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '\0' | '\u{b}'));
        if matches!(text, "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'") {
            return Ok(Expression::Empty);
        }
        let Some((method, argument)) = method_call(text) else { return Ok(Expression::Variable(text)) };
        if methods == Methods::Refused {
            return Err("Interpolation using method syntax is not allowed in this context".to_owned());
        }
        match method {
            "lookup" | "hiera" => Ok(Expression::Lookup(argument)),
            "alias" => Ok(Expression::Alias(argument)),
            "scope" => Ok(Expression::Variable(argument)),
            "literal" => Ok(Expression::Literal(argument)),
            _ => Err(format!("Unknown interpolation method '{method}'")),
        }
    }
}

/// An expression that Hiera refuses, or takes for something else than it looks like.
#[derive(PartialEq, Eq, Debug)]
pub enum ExpressionProblem {
    Refused(String),
    /// The name of a variable as Hiera has it: a call with something behind it.
    TextBehindCall {
        expression: String,
        call: String,
    },
}

/// Returns the first problem of the expressions in a text of data.
pub fn problem_of_expressions(text: &str) -> Option<ExpressionProblem> {
    text.split(START).skip(1).filter_map(|rest| rest.split_once('}')).find_map(|(inside, _)| {
        match Expression::parse(inside, Methods::Allowed) {
            Err(reason) => Some(ExpressionProblem::Refused(reason)),
            Ok(Expression::Variable(expression)) => {
                let (call, behind) = expression.split_at(expression.rfind(')')? + 1);
                let is_call = !behind.is_empty() && method_call(call).is_some();
                let problem = ExpressionProblem::TextBehindCall { expression: expression.into(), call: call.into() };
                is_call.then_some(problem)
            }
            Ok(_) => None,
        }
    })
}

/// `name('argument')`, with quotes of either kind.
fn method_call(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('(')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let inner = rest.strip_suffix(')')?;
    let quote = inner.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let argument = inner.strip_prefix(quote)?.strip_suffix(quote)?;
    (is_name && !argument.is_empty() && !argument.contains(quote)).then_some((name, argument))
}

impl Search<'_> {
    pub(super) fn interpolate(&mut self, value: &Value, methods: Methods) -> Result<Value, Trouble> {
        match value {
            Value::String(text) if has_expression_in(text) => self.interpolate_text(text, methods),
            Value::Array(items) => stack::with_room(|| {
                let items = items.iter().map(|item| self.interpolate(item, methods)).collect::<Result<Vec<_>, _>>()?;
                Ok(Value::array(items))
            }),
            Value::Hash(entries) => stack::with_room(|| {
                let mut result = Hash::with_capacity(entries.len());
                for (key, value) in entries.iter() {
                    let key = self.interpolate(key, methods)?;
                    let value = self.interpolate(value, methods)?;
                    result.insert(key, value);
                }
                Ok(Value::Hash(result))
            }),
            other => Ok(other.clone()),
        }
    }

    fn interpolate_text(&mut self, subject: &Str, methods: Methods) -> Result<Value, Trouble> {
        let result = self.with_step(
            || Step::Interpolation(subject.clone()),
            |search| {
                let mut out = String::new();
                let mut rest = subject.as_str();
                while let Some(start) = rest.find(START) {
                    let Some(length) = rest[start + 2..].find('}') else { break };
                    let expression = Expression::parse(&rest[start + 2..start + 2 + length], methods);
                    let expression =
                        expression.map_err(|why| Trouble::in_file(why, search.configuring.as_deref(), None))?;
                    let behind = &rest[start + 2 + length + 1..];
                    let is_whole = out.is_empty() && start == 0 && behind.is_empty() && rest.len() == subject.len();
                    if let Expression::Alias(key) = expression {
                        if !is_whole {
                            return Err(Trouble::issue(
                                "'alias' interpolation is only permitted if the expression is equal to the entire \
                                 string",
                            ));
                        }
                        search.count_expression()?;
                        return search.lookup_inside(key);
                    }
                    out.push_str(&rest[..start]);
                    let value = search.value_of(&expression, subject, methods)?;
                    if !value.is_undef() {
                        out.push_str(&ops::to_s(&value));
                    }
                    rest = behind;
                    search.check_text(out.len())?;
                }
                out.push_str(rest);
                search.bytes = search.bytes.saturating_add(out.len());
                search.check_text(0)?;
                Ok(out.into())
            },
        );
        result.map_err(|trouble: Trouble| trouble.about(subject))
    }

    fn value_of(&mut self, expression: &Expression<'_>, subject: &str, methods: Methods) -> Result<Value, Trouble> {
        self.count_expression()?;
        let (name, value) = match *expression {
            Expression::Empty => return Ok(Value::Undef),
            Expression::Variable(name) => {
                let value = self.scope_value(name, subject)?;
                if !has_expression(&value) {
                    return Ok(value);
                }
                (format!("scope:{name}"), value)
            }
            Expression::Lookup(key) | Expression::Alias(key) => (key.to_owned(), self.lookup_inside(key)?),
            Expression::Literal(text) => (text.to_owned(), text.into()),
        };
        self.with_recursion_guard(&name.into(), |search| search.interpolate(&value, methods))
    }

    fn count_expression(&mut self) -> Result<(), Trouble> {
        self.interpolations += 1;
        // Of the steps of whoever looks up, each takes some: also where one look-up leads to others.
        if self.interpolations > limits::INTERPOLATIONS || !budget::spend(STEPS) {
            let limit = limits::INTERPOLATIONS;
            return Err(Trouble::issue(format!("One look-up interpolates more than {limit} expressions")));
        }
        Ok(())
    }

    /// Refuses so many bytes more than all texts have that were interpolated.
    fn check_text(&self, bytes: usize) -> Result<(), Trouble> {
        let limit = limits::TEXT_BYTES;
        match self.bytes.saturating_add(bytes) > limit {
            true => Err(Trouble::issue(format!("One look-up interpolates more than {limit} bytes of text"))),
            false => Ok(()),
        }
    }

    /// Another key, looked up as `lookup` would with an empty text for its default.
    fn lookup_inside(&mut self, key: &str) -> Result<Value, Trouble> {
        let call = super::search::Call {
            // In confined searches variables stay as they were.
            is_legacy_scope: self.call.is_legacy_scope && self.call.is_global_only,
            ..self.call.clone()
        };
        // It goes through `lookup` itself, which knows overrides and defaults.
        if let Some(value) = call.overrides.get_str(key) {
            return Ok(value.clone());
        }
        let defaults = call.defaults.clone();
        let found = self.inside(call, |search| search.lookup(key, &Value::Undef))?;
        Ok(found.unwrap_or_else(|| defaults.get_str(key).cloned().unwrap_or_else(|| "".into())))
    }

    /// Returns a variable or a part of it.
    pub(super) fn scope_value(&mut self, name: &str, subject: &str) -> Result<Value, Trouble> {
        if key::is_name(name) {
            let value = self.variable_part(name, name, &[])?;
            self.remember(name, name, &[], &value);
            return Ok(value);
        }
        let mut segments =
            key::split(name).ok_or_else(|| Trouble::lookup(format!("Syntax error in string: {subject}")))?;
        let root = match segments.remove(0) {
            Value::String(root) => root,
            number => ops::to_s(&number).into(),
        };
        let value = self.variable_part(name, &root, &segments)?;
        self.remember(name, &root, &segments, &value);
        Ok(value)
    }

    fn variable_part(&mut self, name: &str, root: &str, segments: &[Value]) -> Result<Value, Trouble> {
        if !self.is_explained()
            && self.call.overrides.get_str(root).is_none()
            && let Some(value) = self.requested_part(name, root, segments)?
        {
            return Ok(value);
        }
        let value = self.with_step(|| Step::Scope("Global Scope".into()), |search| search.explained_variable(root))?;
        match value {
            Some(value) if !value.is_undef() => Ok(self.dig(name, segments, value)?.unwrap_or_default()),
            _ => Ok(Value::Undef),
        }
    }

    /// Returns the value with a note of where it was found.
    fn explained_variable(&mut self, root: &str) -> SearchResult {
        let (value, origin) = if let Some(value) = self.call.overrides.get_str(root) {
            (value.clone(), Origin::Overrides)
        } else {
            let default = self.call.defaults.get_str(root).cloned();
            match (self.variable(root, default.is_some())?, default) {
                (Some(value), _) => (value, Origin::Data),
                (None, Some(default)) => (default, Origin::Defaults),
                (None, None) => return Ok(None),
            }
        };
        self.explain(|explainer| explainer.record_found(root, &value, origin));
        Ok(Some(value))
    }
}
