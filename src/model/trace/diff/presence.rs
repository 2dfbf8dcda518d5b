//! Questions whether a resource is there, as `ensure_packages` and `unless defined(…)` ask them before they declare it.
//!
//! A run may ask such a question that another run did not ask, if it was told that the resource is not there and then declares
//! it: whoever adds that resource to the catalog of another node makes sure that it is not there.

use pantin_base::names::{split_reference, type_name};
use pantin_values::{Digest, Type, Value};
use rustc_hash::FxHashMap;

use super::run::{Identity, Part, Run, SameQuestion};
use super::{ResourceKey, UntellableDiff};
use crate::trace::{Answer, Question};

impl Question {
    /// Returns true if it asks whether a resource is there, perhaps with certain parameters. A class is none: it comes and goes with
    /// what brings it.
    pub(in crate::trace) fn seeks_resource(&self) -> bool {
        self.sought().is_some()
    }

    /// Returns the type and the title of the resource that it seeks, as written.
    fn sought(&self) -> Option<(&str, &str)> {
        let (of, title) = match self {
            Question::Defined(Value::Type(of)) => match of.resolved() {
                Type::Resource(Some(resource)) => (resource.type_name.as_str(), resource.title.as_deref()?),
                _ => return None,
            },
            Question::DeclaredWith { reference, .. } => split_reference(reference)?,
            _ => return None,
        };
        let of = of.trim_start_matches("::");
        (!of.eq_ignore_ascii_case("class")).then_some((of, title))
    }

    /// Returns the answer that the resource is not there.
    pub(in crate::trace) fn not_there() -> Answer {
        Answer::Value(false.into())
    }
}

/// A question whether a resource is there, with its answer.
pub(super) struct Presence<'t> {
    pub(super) question: &'t Question,
    sought: ResourceKey,
    reply: Digest,
}

impl<'t> Presence<'t> {
    /// `None`: the question asks for something else.
    pub(super) fn new(question: &'t Question, reply: Digest) -> Option<Presence<'t>> {
        let (of, title) = question.sought()?;
        Some(Presence { question, sought: (type_name(of).into(), title.into()), reply })
    }

    pub(super) fn identity(&self) -> Identity<'_> {
        Identity::Question(SameQuestion(self.question), self.reply)
    }

    fn is_same(&self, other: &Presence<'_>) -> bool {
        self.reply == other.reply && self.question.is_same(other.question)
    }
}

impl Run<'_> {
    /// Returns true if the run asked this question too, and was told the same.
    pub(super) fn knows_presence(&self, asked: &Presence<'_>) -> bool {
        self.presences().any(|(_, known)| known.is_same(asked))
    }

    /// The resources that it asked for and the other did not: it was told that they are not there, and declares them afterwards.
    /// `Err`: one of them it was told otherwise of, or does not declare; or it was told of one that comes or goes by what it
    /// declares otherwise, so that today's answer may be another one.
    pub(super) fn newly_sought(&self, before: &Run<'_>) -> Result<Vec<ResourceKey>, UntellableDiff> {
        let (places, places_before) = (self.declared_places(), before.declared_places());
        let mut newly_sought = Vec::new();
        for (at, asked) in self.presences() {
            let was_declared = places_before.contains_key(&asked.sought);
            let is_new = !before.knows_presence(asked);
            let may_be_otherwise = match (asked.reply == Question::not_there().digest(), places.get(&asked.sought)) {
                (true, Some(place)) => *place < at && (is_new || !was_declared),
                (true, None) => is_new,
                (false, Some(_)) => is_new,
                (false, None) => is_new || was_declared,
            };
            if may_be_otherwise {
                return Err(UntellableDiff::AsksAnew);
            }
            newly_sought.extend(is_new.then(|| asked.sought.clone()));
        }
        Ok(newly_sought)
    }

    /// Returns the places among the parts of what it declares.
    fn declared_places(&self) -> FxHashMap<&ResourceKey, usize> {
        let declared = self.parts.iter().enumerate().filter_map(|(at, part)| match part {
            Part::Declared(one) => Some((one.key(), at)),
            _ => None,
        });
        declared.collect()
    }

    /// Returns all of these questions, with their places among the parts.
    fn presences(&self) -> impl Iterator<Item = (usize, &Presence<'_>)> {
        self.parts.iter().enumerate().filter_map(|(at, part)| match part {
            Part::Presence(asked) => Some((at, asked)),
            _ => None,
        })
    }
}
