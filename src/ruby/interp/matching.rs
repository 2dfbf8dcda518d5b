//! What the last regular expression has found, and `===`.

use std::rc::Rc;
use std::sync::Arc;

use pantin_values::regex::Captures;
use pantin_values::{Regexp, Str};

use super::{Frame, Interp};
use crate::class::Core;
use crate::stop::Flow;
use crate::value::{Data, Match, Value};

impl Interp<'_> {
    /// Searches a text from a byte on.
    pub(crate) fn find(&mut self, regex: &Arc<Regexp>, text: &str, from: usize) -> Flow<Option<Rc<Match>>> {
        let found = self.search(regex, text, from)?;
        Ok(found.map(|captures| Rc::new(Match { text: text.into(), captures, regex: regex.clone() })))
    }

    /// The same in a text that is searched again and again: what is found has it in common.
    pub(crate) fn find_shared(&mut self, regex: &Arc<Regexp>, text: &Str, from: usize) -> Flow<Option<Rc<Match>>> {
        let found = self.search(regex, text, from)?;
        Ok(found.map(|captures| Rc::new(Match { text: text.clone(), captures, regex: regex.clone() })))
    }

    fn search(&mut self, regex: &Arc<Regexp>, text: &str, from: usize) -> Flow<Option<Captures>> {
        let compiled = match regex.regex() {
            Ok(compiled) => compiled,
            Err(error) => {
                let message = format!("{}: /{}/", error.message, regex.source());
                return self.raise(Core::RegexpError, message);
            }
        };
        match compiled.find_at(text, from) {
            Ok(found) => Ok(found),
            Err(_) => self.fatal(format!("the search for /{}/ took too many steps", regex.source())),
        }
    }

    /// Sets `$~` for the code that called.
    pub(crate) fn set_matched(&mut self, frame: Option<&Frame>, found: Option<&Rc<Match>>) -> Value {
        let value =
            found.map_or(Value::Nil, |found| Value::object(Core::MatchData.class(), Data::Match(found.clone())));
        if let Some(frame) = frame {
            *frame.context.matched.borrow_mut() = value.clone();
        }
        value
    }

    fn matched(&self, frame: &Frame) -> Option<Rc<Match>> {
        match_of(&frame.context.matched.borrow())
    }

    pub(super) fn matched_group(&self, number: u32, frame: &Frame) -> Value {
        self.matched(frame).map_or(Value::Nil, |found| found.value(number as usize))
    }

    /// Returns the text before or behind the match.
    pub(super) fn around_match(&self, before: bool, frame: &Frame) -> Value {
        let Some(found) = self.matched(frame) else { return Value::Nil };
        let Some((from, to)) = found.captures.get(0) else { return Value::Nil };
        let piece = if before { found.text.get(..from) } else { found.text.get(to..) };
        piece.map_or(Value::Nil, crate::classes::broken::text)
    }

    pub(super) fn bind_named_groups(&mut self, locals: &[(Str, u32, u32)], frame: &Frame) {
        let found = self.matched(frame);
        for (name, depth, slot) in locals {
            let value = found.as_ref().and_then(|found| found.named(name)).unwrap_or_default();
            frame.env.set(*depth, *slot, value);
        }
    }

    /// `candidate === subject`
    pub(crate) fn case_equal(&mut self, candidate: &Value, subject: &Value, frame: &Frame) -> Flow<bool> {
        match candidate {
            Value::Class(class) if !self.method_of(candidate, "===").is_some_and(|method| method.is_own()) => {
                Ok(self.is_a(subject, *class))
            }
            Value::Regex(regex) => {
                let subject = self.settle(subject.clone())?;
                let text = match &subject {
                    Value::String(text) => Some(self.str_of(text)?),
                    Value::Symbol(name) => Some(name.to_string()),
                    _ => None,
                };
                let Some(text) = text else {
                    self.set_matched(Some(frame), None);
                    return Ok(false);
                };
                let found = self.find(regex, &text, 0)?;
                self.set_matched(Some(frame), found.as_ref());
                Ok(found.is_some())
            }
            _ => {
                let subject = self.settle(subject.clone())?;
                Ok(self.send(candidate, "===", &[subject])?.is_truthy())
            }
        }
    }
}

pub(crate) fn match_of(value: &Value) -> Option<Rc<Match>> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Match(found) => Some(found.clone()),
            _ => None,
        },
        _ => None,
    }
}
