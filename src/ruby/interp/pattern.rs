//! `case … in`

use std::rc::Rc;

use super::{Frame, Interp};
use crate::class::Core;
use crate::code::{Expr, HashRest, In, KeyPattern, Pattern, Rest};
use crate::stop::Flow;
use crate::table::Table;
use crate::value::Value;

impl Interp<'_> {
    pub(super) fn case_in(
        &mut self,
        subject: &Expr,
        ins: &[In],
        otherwise: Option<&Expr>,
        at: u32,
        frame: &Frame,
    ) -> Flow {
        let subject = self.settled_expr(subject, frame)?;
        for clause in ins {
            if !self.matches(&clause.pattern, &subject, frame)? {
                continue;
            }
            let passes = match &clause.guard {
                Some(guard) => self.expr(guard, frame)?.is_truthy(),
                None => true,
            };
            if passes {
                return self.expr(&clause.then, frame);
            }
        }
        match otherwise {
            Some(otherwise) => self.expr(otherwise, frame),
            None => {
                self.at = at;
                // Of one pattern Ruby says more; of several, what was given.
                if let [clause] = ins {
                    return self.raise_mismatch(clause, &subject, frame);
                }
                let message =
                    if subject.is_nil() { "NoMatchingPatternError".to_owned() } else { self.text_of(&subject)? };
                self.raise(Core::NoMatchingPatternError, message)
            }
        }
    }

    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value, frame: &Frame) -> Flow<bool> {
        self.step()?;
        match pattern {
            Pattern::Value(expr) => {
                let candidate = self.settled_expr(expr, frame)?;
                self.case_equal(&candidate, value, frame)
            }
            Pattern::Bind(depth, slot) => {
                frame.env.set(*depth, *slot, value.clone());
                Ok(true)
            }
            Pattern::Either(left, right) => Ok(self.matches(left, value, frame)? || self.matches(right, value, frame)?),
            Pattern::Capture(inside, depth, slot) => {
                let hit = self.matches(inside, value, frame)?;
                if hit {
                    frame.env.set(*depth, *slot, value.clone());
                }
                Ok(hit)
            }
            Pattern::Array { class, before, rest, after } => {
                if !self.matches_class(class.as_ref(), value, frame)? {
                    return Ok(false);
                }
                let Some(items) = self.deconstruct(value)? else { return Ok(false) };
                let fixed = before.len() + after.len();
                if items.len() < fixed || (rest.is_absent() && items.len() != fixed) {
                    return Ok(false);
                }
                let tail = items.len() - after.len();
                for (pattern, item) in before.iter().zip(&items).chain(after.iter().zip(&items[tail..])) {
                    if !self.matches(pattern, item, frame)? {
                        return Ok(false);
                    }
                }
                if let Rest::Slot((depth, slot)) = rest {
                    frame.env.set(*depth, *slot, Value::array(items[before.len()..tail].to_vec()));
                }
                Ok(true)
            }
            Pattern::Find { class, before, middle, after } => {
                if !self.matches_class(class.as_ref(), value, frame)? {
                    return Ok(false);
                }
                let Some(items) = self.deconstruct(value)? else { return Ok(false) };
                self.find_pattern(&items, middle, [*before, *after], frame)
            }
            Pattern::Hash { class, pairs, rest } => {
                if !self.matches_class(class.as_ref(), value, frame)? {
                    return Ok(false);
                }
                let wants_all = !matches!(rest, HashRest::Ignored);
                let Some(table) = self.deconstructed_keys(value, pairs, wants_all)? else { return Ok(false) };
                self.hash_pattern(&table, pairs, rest, frame)
            }
        }
    }

    fn hash_pattern(&mut self, table: &Table, pairs: &[KeyPattern], rest: &HashRest, frame: &Frame) -> Flow<bool> {
        let remaining = Table::from_pairs(table.pairs());
        for (key, pattern, slot) in pairs {
            let Some(item) = remaining.remove(&Value::Symbol(key.clone())) else { return Ok(false) };
            if let Some((depth, slot)) = slot {
                frame.env.set(*depth, *slot, item.clone());
            }
            if let Some(pattern) = pattern
                && !self.matches(pattern, &item, frame)?
            {
                return Ok(false);
            }
        }
        match rest {
            HashRest::None => return Ok(remaining.len() == 0),
            HashRest::Into(depth, slot) => frame.env.set(*depth, *slot, Value::hash(remaining)),
            // `in {}` takes an empty hash alone.
            HashRest::Ignored if pairs.is_empty() => return Ok(table.len() == 0),
            HashRest::Ignored => {}
        }
        Ok(true)
    }

    fn find_pattern(
        &mut self,
        items: &[Value],
        middle: &[Pattern],
        around: [Option<(u32, u32)>; 2],
        frame: &Frame,
    ) -> Flow<bool> {
        for start in 0..=items.len().saturating_sub(middle.len()) {
            let mut hit = items.len() >= middle.len();
            for (pattern, item) in middle.iter().zip(&items[start..]) {
                hit = hit && self.matches(pattern, item, frame)?;
            }
            if hit {
                if let Some((depth, slot)) = around[0] {
                    frame.env.set(depth, slot, Value::array(items[..start].to_vec()));
                }
                if let Some((depth, slot)) = around[1] {
                    frame.env.set(depth, slot, Value::array(items[start + middle.len()..].to_vec()));
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn matches_class(&mut self, class: Option<&Expr>, value: &Value, frame: &Frame) -> Flow<bool> {
        match class {
            Some(class) => {
                let class = self.expr(class, frame)?;
                self.case_equal(&class, value, frame)
            }
            None => Ok(true),
        }
    }

    /// Returns the elements that a pattern of an array looks at: an object says itself what they are.
    pub(super) fn deconstruct(&mut self, value: &Value) -> Flow<Option<Vec<Value>>> {
        match value {
            Value::Array(list) => Ok(Some(list.items.borrow().clone())),
            Value::Object(_) if self.responds(value, "deconstruct")? => match self.send(value, "deconstruct", &[])? {
                Value::Array(list) => Ok(Some(list.items.borrow().clone())),
                _ => self.raise(Core::TypeError, "deconstruct must return Array"),
            },
            _ => Ok(None),
        }
    }

    /// The same of a pattern of a hash, which names the keys that it wants, if it does not want all.
    pub(super) fn deconstructed_keys(
        &mut self,
        value: &Value,
        pairs: &[KeyPattern],
        wants_all: bool,
    ) -> Flow<Option<Rc<Table>>> {
        match value {
            Value::Hash(table) => Ok(Some(table.clone())),
            Value::Object(_) if self.responds(value, "deconstruct_keys")? => {
                let keys = pairs.iter().map(|(key, ..)| Value::Symbol(key.clone())).collect();
                let wanted = if wants_all { Value::Nil } else { Value::array(keys) };
                match self.send(value, "deconstruct_keys", &[wanted])? {
                    Value::Hash(table) => Ok(Some(table)),
                    _ => self.raise(Core::TypeError, "deconstruct_keys must return Hash"),
                }
            }
            _ => Ok(None),
        }
    }
}
