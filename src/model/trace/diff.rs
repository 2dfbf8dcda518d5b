//! The difference between two runs of one body: resources declared differently, and variables left with other values.
//!
//! Whoever knows that need not make a catalog again for each node whose body was told the same: see `query::patch`.
//! Anything that differs beside resources, and anything that was asked anew and might be answered in another way for
//! another node, is too much to be told like that.

mod declared;
mod presence;
mod run;

use std::sync::Arc;

use indexmap::IndexMap;
use pantin_values::{Digest, Str, Value};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{At, Effect, Question, RecordedStep, Step, Trace};
use declared::DeclarationAt;
pub(super) use declared::{DeclaredResource, is_plain, shape_of_classes};
use run::{Part, Run};

/// A resource by its type, with a capital in each segment, and its title.
pub type ResourceKey = (Str, Str);

/// The digests of the old and the new declaration of a resource.
pub type DeclarationDigests = (Digest, Digest);

/// The resources and variables that two runs of a body declare differently.
#[derive(Debug, Default)]
pub struct TraceDiff {
    /// Variables that are new, removed, or left with other values; the body's own parameters are among them.
    pub variables: Vec<VariableChange>,
    /// The change of its own resource's parameters.
    pub parameters: Option<DeclarationChange>,
    /// Resources, and classes that are declared like them.
    pub changed: IndexMap<ResourceKey, DeclarationChange, FxBuildHasher>,
    pub removed: FxHashSet<ResourceKey>,
    /// In the order in which they are declared.
    pub added: Vec<AddedDeclaration>,
    /// The new places of everything that is declared, if known.
    pub places: Places,
    /// The new questions whose answers are the same for all nodes of an environment.
    pub new_questions: Vec<Question>,
    /// The resources that the second run, unlike the first, looked for and did not find before it declared them.
    pub newly_sought: Vec<ResourceKey>,
}

/// A variable with its old and its new value; `None`: it is absent or unknown.
#[derive(Debug)]
pub struct VariableChange {
    pub name: Str,
    pub before: Option<Value>,
    pub now: Option<Value>,
}

/// The old and the new declaration of something.
#[derive(Clone, Debug)]
pub struct DeclarationChange {
    pub digests: DeclarationDigests,
    before: ParameterSource,
    now: ParameterSource,
}

/// The source of a resource's parameters, as far as one body declares them.
#[derive(Clone, Debug)]
enum ParameterSource {
    /// In a declaration: the step, and the index of the body in it.
    There(Arc<Step>, usize),
    /// The parameters that the resource's own body takes.
    Own(Arc<Step>),
}

/// The places of everything that a run declares.
#[derive(Debug, Default)]
pub struct Places(Vec<RecordedStep>);

impl Places {
    pub fn get(&self, (type_name, title): &ResourceKey) -> Option<At> {
        let is_it = |one: &&DeclaredResource| one.named.1 == *title && one.named.0 == *type_name;
        self.0.iter().find_map(|recorded| {
            let step = &recorded.step;
            step.declaration()?.at_of_body(step.declared_resources().iter().find(is_it)?.body)
        })
    }
}

#[derive(Debug)]
pub struct AddedDeclaration {
    pub resource: ResourceKey,
    /// The digest of its declaration.
    pub meaning: Digest,
    pub position: InsertionPoint,
}

/// The position of an added resource in the catalog, behind those that were added there before.
#[derive(Clone, PartialEq, Debug)]
pub enum InsertionPoint {
    /// Behind a resource that both runs declared, with nothing between the two that could add further resources.
    Behind(ResourceKey),
    /// Behind everything that the first n resource-adding effects of the body added, and before what the body declares next.
    Mark(usize),
}

/// Why two runs differ in more than a [`TraceDiff`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UntellableDiff {
    /// One of them ended in an error.
    Failed,
    /// The second one asks what the first one did not, and what might be answered in another way for another node.
    AsksAnew,
    /// They differ in effects beside resources and variables.
    OtherEffects,
}

impl Trace {
    /// Returns the difference between this run and another one, of the body of a class or a defined type, whose value
    /// nobody uses.
    pub fn diff(&self, now: &Trace) -> Result<TraceDiff, UntellableDiff> {
        if self.end.result.is_err() || now.end.result.is_err() {
            return Err(UntellableDiff::Failed);
        }
        let run = |trace| Run::from_trace(trace).ok_or(UntellableDiff::OtherEffects);
        let (before, now) = (run(self)?, run(now)?);
        let variables = before.changed_variables(&now);
        if !now.asks_nothing_new(&before) || now.asks_for_any(&variables) {
            return Err(UntellableDiff::AsksAnew);
        }
        let newly_sought = now.newly_sought(&before)?;
        let is_kept = |part: &&Part<'_>, by: &Run<'_>| match part {
            Part::Declared(one) => by.names.has(one.declared),
            Part::Presence(asked) => by.knows_presence(asked),
            _ => true,
        };
        let kept_before = before.parts.iter().filter(|part| is_kept(part, &now));
        let kept_now = now.parts.iter().filter(|part| is_kept(part, &before));
        if !kept_before.clone().map(Part::identity).eq(kept_now.clone().map(Part::identity)) {
            return Err(UntellableDiff::OtherEffects);
        }
        let both = kept_before.flat_map(Part::ones).zip(kept_now.flat_map(Part::ones));
        let changed = both.filter(|(old, new)| old.meaning != new.meaning);
        let changed = changed.map(|(old, new)| (new.key().clone(), DeclarationChange::from(old, new))).collect();
        let parameters =
            before.parameters().zip(now.parameters()).and_then(|(old, new)| DeclarationChange::own(old, new));
        let removed = before.declarations().filter(|one| !now.names.has(one.declared)).map(|one| one.key().clone());
        let (removed, added) = (removed.collect(), now.added_declarations(&before));
        let asked_anew = now.new_questions(&before);
        Ok(TraceDiff {
            variables,
            parameters,
            changed,
            removed,
            added,
            places: Places::default(),
            new_questions: asked_anew,
            newly_sought,
        })
    }
}

impl TraceDiff {
    /// The same diff with the new places.
    pub fn standing_in(self, now: Trace) -> TraceDiff {
        TraceDiff { places: Places(now.steps), ..self }
    }
}

impl DeclarationChange {
    fn from(old: &DeclarationAt<'_>, new: &DeclarationAt<'_>) -> DeclarationChange {
        let declared = |one: &DeclarationAt<'_>| ParameterSource::There(Arc::clone(one.step), one.declared.body);
        DeclarationChange { digests: (old.meaning, new.meaning), before: declared(old), now: declared(new) }
    }

    /// `None`: there is no difference.
    fn own(old: &Arc<Step>, new: &Arc<Step>) -> Option<DeclarationChange> {
        let as_what = (old.meaning()?, new.meaning()?);
        let (before, now) = (ParameterSource::Own(Arc::clone(old)), ParameterSource::Own(Arc::clone(new)));
        (as_what.0 != as_what.1).then_some(DeclarationChange { digests: as_what, before, now })
    }

    /// Returns the parameters with their old and new values; `None`: their names or their order changed.
    pub fn values(&self) -> Option<Vec<(&Str, &Value, &Value)>> {
        let (before, now) = (self.before.values()?, self.now.values()?);
        let are_same = before.iter().map(|(name, _)| name).eq(now.iter().map(|(name, _)| name));
        let both = before.into_iter().zip(now).map(|((name, before), (_, now))| (name, before, now));
        are_same.then(|| both.collect())
    }

    /// Returns the parameters in the old and in the new declaration.
    pub fn given_parameters(&self) -> Option<[Vec<(Str, Value)>; 2]> {
        let given = |declared: &ParameterSource| {
            let values = declared.values()?.into_iter().filter(|(name, _)| !matches!(name.as_str(), "name" | "title"));
            Some(values.map(|(name, value)| (name.clone(), value.clone())).collect())
        };
        Some([given(&self.before)?, given(&self.now)?])
    }
}

impl ParameterSource {
    /// `None`: some are added to what was there.
    fn values(&self) -> Option<Vec<(&Str, &Value)>> {
        match self {
            ParameterSource::There(step, body) => {
                let parameters = &step.declaration()?.bodies.get(*body)?.parameters;
                let values = parameters.iter().map(|one| (!one.append).then_some((&one.written.name, one.value)));
                values.collect()
            }
            ParameterSource::Own(step) => match step.effect() {
                Some(Effect::Parameters(values)) => Some(values.iter().collect()),
                _ => None,
            },
        }
    }
}
