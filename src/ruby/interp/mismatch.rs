//! Why a value is not as the one pattern that is asked for it: what Ruby says behind the value.

use super::{Frame, Interp};
use crate::class::Core;
use crate::code::{Expr, HashRest, In, KeyPattern, Pattern};
use crate::stop::Flow;
use crate::table::Table;
use crate::value::Value;

/// The class of the error, and the reason.
type Why = Option<(Core, String)>;

fn why(reason: String) -> Flow<Why> {
    Ok(Some((Core::NoMatchingPatternError, reason)))
}

impl Interp<'_> {
    /// The error of a value that no clause takes, where there is but one.
    pub(super) fn raise_mismatch(&mut self, clause: &In, subject: &Value, frame: &Frame) -> Flow {
        let shown = self.inspect(subject)?;
        let guard = (Core::NoMatchingPatternError, "guard clause does not return true".to_owned());
        let (class, reason) = self.mismatch(&clause.pattern, subject, frame)?.unwrap_or(guard);
        self.raise(class, format!("{shown}: {reason}"))
    }

    fn mismatch(&mut self, pattern: &Pattern, value: &Value, frame: &Frame) -> Flow<Why> {
        self.step()?;
        if self.matches(pattern, value, frame)? {
            return Ok(None);
        }
        match pattern {
            Pattern::Value(expr) => {
                let candidate = self.settled_expr(expr, frame)?;
                self.not_equal(&candidate, value)
            }
            Pattern::Bind(..) => Ok(None),
            Pattern::Either(_, right) => self.mismatch(right, value, frame),
            Pattern::Capture(inside, ..) => self.mismatch(inside, value, frame),
            Pattern::Array { class, before, rest, after } => {
                let Ok(items) = self.items_to_match(class.as_ref(), value, frame)? else {
                    return self.not_taken_apart(class.as_ref(), value, "deconstruct", frame);
                };
                let fixed = before.len() + after.len();
                if items.len() < fixed || (rest.is_absent() && items.len() != fixed) {
                    return self.wrong_length(items, fixed, !rest.is_absent());
                }
                let tail = items.len() - after.len();
                for (pattern, item) in before.iter().zip(&items).chain(after.iter().zip(&items[tail..])) {
                    if let Some(why) = self.mismatch(pattern, item, frame)? {
                        return Ok(Some(why));
                    }
                }
                Ok(None)
            }
            Pattern::Find { class, middle, .. } => {
                let Ok(items) = self.items_to_match(class.as_ref(), value, frame)? else {
                    return self.not_taken_apart(class.as_ref(), value, "deconstruct", frame);
                };
                if items.len() < middle.len() {
                    return self.wrong_length(items, middle.len(), true);
                }
                let shown = self.inspect(&Value::array(items))?;
                why(format!("{shown} does not match to find pattern"))
            }
            Pattern::Hash { class, pairs, rest } => {
                let wants_all = !matches!(rest, HashRest::Ignored);
                let table = match self.matches_class(class.as_ref(), value, frame)? {
                    true => self.deconstructed_keys(value, pairs, wants_all)?,
                    false => None,
                };
                match table {
                    Some(table) => self.mismatch_of_keys(&table, pairs, wants_all, frame),
                    None => self.not_taken_apart(class.as_ref(), value, "deconstruct_keys", frame),
                }
            }
        }
    }

    /// All keys have to be there before any value is looked at.
    fn mismatch_of_keys(&mut self, table: &Table, pairs: &[KeyPattern], wants_all: bool, frame: &Frame) -> Flow<Why> {
        let remaining = Table::from_pairs(table.pairs());
        let mut found = Vec::new();
        for (key, pattern, _) in pairs {
            let key = Value::Symbol(key.clone());
            let Some(item) = remaining.remove(&key) else {
                let shown = self.inspect(&key)?;
                return Ok(Some((Core::NoMatchingPatternKeyError, format!("key not found: {shown}"))));
            };
            found.extend(pattern.as_ref().map(|pattern| (pattern, item)));
        }
        for (pattern, item) in found {
            if let Some(why) = self.mismatch(pattern, &item, frame)? {
                return Ok(Some(why));
            }
        }
        let shown = self.inspect(&Value::hash(remaining))?;
        why(match pairs.is_empty() && !wants_all {
            true => format!("{shown} is not empty"),
            false => format!("rest of {shown} is not empty"),
        })
    }

    fn items_to_match(&mut self, class: Option<&Expr>, value: &Value, frame: &Frame) -> Flow<Result<Vec<Value>, ()>> {
        Ok(match self.matches_class(class, value, frame)? {
            true => self.deconstruct(value)?.ok_or(()),
            false => Err(()),
        })
    }

    fn not_equal(&mut self, candidate: &Value, value: &Value) -> Flow<Why> {
        let (candidate, value) = (self.inspect(candidate)?, self.inspect(value)?);
        why(format!("{candidate} === {value} does not return true"))
    }

    /// It is of another class, or says nothing of what is in it.
    fn not_taken_apart(&mut self, class: Option<&Expr>, value: &Value, method: &str, frame: &Frame) -> Flow<Why> {
        if let Some(class) = class
            && !self.matches_class(Some(class), value, frame)?
        {
            let class = self.settled_expr(class, frame)?;
            return self.not_equal(&class, value);
        }
        let shown = self.inspect(value)?;
        why(format!("{shown} does not respond to #{method}"))
    }

    fn wrong_length(&mut self, items: Vec<Value>, expected: usize, or_more: bool) -> Flow<Why> {
        let given = items.len();
        let shown = self.inspect(&Value::array(items))?;
        let more = if or_more { "+" } else { "" };
        why(format!("{shown} length mismatch (given {given}, expected {expected}{more})"))
    }
}
