//! A cache of rendered templates: with the same values for all variables that it looks at, a template gives the same text.
//!
//! Kept beside the template, for all nodes. One that does or asks anything else (calls a function, reads a file, writes to
//! the log, changes a variable) is rendered each time. To find a text nothing is asked but what the template would ask next,
//! told all that went before: so it may be looked for where what is asked is recorded.

use std::sync::{Arc, Mutex, PoisonError};

use pantin_model::trace::{Container, VariableName};
use pantin_values::{Str, Value, identical};

use super::super::outside::{Outside, OutsideVariable};

/// So many texts of one template are kept.
const MOST: usize = 16;

#[derive(Default)]
pub(crate) struct Rendered(Mutex<Vec<Arc<Rendering>>>);

/// A text, and all that was asked for it, in order.
struct Rendering {
    /// Of Puppet, which code may ask for.
    release: &'static str,
    reads: Vec<(Read, RenderReply)>,
    text: Value,
}

#[derive(Clone)]
pub(super) enum Read {
    Variable(Str),
    Part(VariableName, Vec<Value>),
    Whole(VariableName, Vec<Value>),
}

/// What was said.
#[derive(Clone)]
pub(super) enum RenderReply {
    Nothing,
    Value(Value),
    View(Container, VariableName, Vec<Value>),
}

impl RenderReply {
    /// `None`: what is no value of Puppet's, and may be changed by whoever holds it.
    pub(super) fn from_variable(seen: Option<&OutsideVariable>) -> Option<RenderReply> {
        match seen {
            None => Some(RenderReply::Nothing),
            Some(OutsideVariable::Value(value)) => Some(RenderReply::Value(value.clone())),
            Some(OutsideVariable::View(place)) => {
                Some(RenderReply::View(place.container, place.variable.clone(), place.path.clone()))
            }
            Some(OutsideVariable::Held(_)) => None,
        }
    }

    fn is_same(&self, other: &RenderReply) -> bool {
        match (self, other) {
            (RenderReply::Nothing, RenderReply::Nothing) => true,
            (RenderReply::Value(a), RenderReply::Value(b)) => identical(a, b),
            (RenderReply::View(a, of_a, way), RenderReply::View(b, of_b, other)) => {
                a == b && of_a == of_b && all_same(way, other)
            }
            _ => false,
        }
    }
}

impl Read {
    fn is_same(&self, other: &Read) -> bool {
        match (self, other) {
            (Read::Variable(a), Read::Variable(b)) => a == b,
            (Read::Part(a, way), Read::Part(b, other)) | (Read::Whole(a, way), Read::Whole(b, other)) => {
                a == b && all_same(way, other)
            }
            _ => false,
        }
    }

    /// `None`: what was said cannot be kept, or it is an error.
    fn ask(&self, outside: &mut dyn Outside) -> Option<RenderReply> {
        match self {
            Read::Variable(name) => RenderReply::from_variable(outside.variable(name).ok()?.as_ref()),
            Read::Part(variable, path) => RenderReply::from_variable(outside.part(variable, path).ok()?.as_ref()),
            Read::Whole(variable, path) => outside.whole_variable(variable, path).ok().map(RenderReply::Value),
        }
    }
}

fn all_same(some: &[Value], others: &[Value]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(one, other)| identical(one, other))
}

impl Rendered {
    /// The text for a world in which all that it depends on is as it was.
    pub(super) fn find(&self, outside: &mut dyn Outside) -> Option<Value> {
        let mut fitting = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let release = outside.release();
        fitting.retain(|rendering| rendering.release == release);
        for at in 0.. {
            let rendering = fitting.first()?;
            // Whoever was told the same has gone the same way: no other one is left that goes on.
            let Some((read, _)) = rendering.reads.get(at) else { return Some(rendering.text.clone()) };
            let read = read.clone();
            let now = read.ask(outside)?;
            fitting.retain(|rendering| {
                rendering.reads.get(at).is_some_and(|(known, told)| known.is_same(&read) && told.is_same(&now))
            });
        }
        None
    }

    pub(super) fn keep(&self, release: &'static str, reads: Vec<(Read, RenderReply)>, text: &Value) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A template that is told something else by each node gains nothing.
        if known.len() < MOST {
            known.push(Arc::new(Rendering { release, reads, text: text.clone() }));
        }
    }
}

impl std::fmt::Debug for Rendered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rendered")
    }
}
