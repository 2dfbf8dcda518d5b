//! What the affected bodies of a node do differently after an edit, and which further bodies that affects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::names::{class_title, type_name};
use pantin_compile::{BodyWalk, SharedDependencies, variable_hash};
use pantin_model::catalog::{Resource, ResourceTypeKind};
use pantin_model::trace::{DeclarationChange, End, Key, ResourceKey, TraceDiff};
use pantin_values::Digest;
use rustc_hash::FxHashMap;

use super::PatchRefusal;
use super::affected_bodies::{AffectedBodies, AffectedBody, trace};
use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;
use crate::query::recorded::Basis;

/// The body change of one walk of a node.
#[derive(Clone)]
pub(super) struct NodeBodyChange {
    /// The place of the body among the walks of the node.
    pub(super) at: usize,
    pub(super) change: BodyChange,
}

/// What an edited body does differently, on whatever node: how its traces differ, and the key of the new one.
#[derive(Clone)]
pub(super) struct BodyChange {
    pub(super) key: Key,
    pub(super) end: Arc<End>,
    pub(super) diff: Arc<TraceDiff>,
    /// What the node's answer depends on in addition to what it depended on before.
    pub(super) dependencies: DependencySet,
    /// The files that it asks for and did not ask for before, as [`file_hash`](pantin_compile::file_hash) knows them.
    pub(super) files: Arc<[u32]>,
}

/// Everything that decides a body change. Bodies with equal inputs have equal changes.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct BodyInputs {
    /// The addresses of the environment and of the end of the trace. Both live as long as the memo of the edit.
    ready: usize,
    end: usize,
    /// The answers that changed: the place of the question in the trace, and the digest of the new answer.
    news: Vec<(usize, Digest)>,
    /// The digest of its new declaration, if another edited body declares it differently.
    redeclared: Option<Digest>,
}

impl BodyInputs {
    pub(super) fn new(last: &LastAnswer, affected: &AffectedBody<'_>) -> Option<BodyInputs> {
        Some(BodyInputs {
            ready: Arc::as_ptr(&last.basis.ready.value) as usize,
            end: Arc::as_ptr(affected.walk.end.as_ref()?) as usize,
            news: affected.news().collect(),
            redeclared: affected.redeclared.as_ref().map(|changed| changed.digests.1),
        })
    }
}

/// Checks that everything that the node depends on besides files is unchanged, and that no line of its log names an edited file.
pub(super) fn check_inputs(last: &LastAnswer, edit: &Edit, basis: &Basis) -> Result<(), PatchRefusal> {
    if !last.basis.is_identical(basis) {
        return Err(PatchRefusal::InputsChanged);
    }
    let is_named = last.answer.log.iter().any(|line| edit.is_named_in(&line.text));
    if is_named { Err(PatchRefusal::NamedInLog) } else { Ok(()) }
}

/// Returns what all affected bodies do differently, and those that are affected by that in turn, in the order in which they ended.
/// `compute` says it of each.
pub(super) fn all<'l>(
    last: &'l LastAnswer,
    affected: &AffectedBodies<'l>,
    mut compute: impl FnMut(&AffectedBody<'l>) -> Result<BodyChange, PatchRefusal>,
) -> Result<Vec<NodeBodyChange>, PatchRefusal> {
    let mut waiting: BTreeMap<usize, AffectedBody<'l>> =
        affected.bodies.iter().map(|affected| (affected.at, affected.clone())).collect();
    let mut body_changes: BTreeMap<usize, NodeBodyChange> = BTreeMap::new();
    // Whatever declares a class ends after it.
    while let Some((at, body)) = waiting.pop_last() {
        let change = compute(&body)?;
        for (named, changed) in &change.diff.changed {
            let Some((at, walk)) = declared_body(last, named)? else { continue };
            // Its change was computed before its new parameters were known.
            if body_changes.contains_key(&at) {
                return Err(PatchRefusal::WrongOrder);
            }
            let of = waiting.entry(at).or_insert_with(|| AffectedBody::without_answers(at, walk));
            of.redeclared = Some(changed.clone());
        }
        if !change.diff.variables.is_empty() && !is_of_definition(last, body.walk) {
            return Err(PatchRefusal::NotADefinition);
        }
        for variable in &change.diff.variables {
            let known = variable_hash(&body.walk.name, &variable.name);
            let readers = last.walks.iter().enumerate().filter(|(_, walk)| walk.reads.binary_search(&known).is_ok());
            for (at, walk) in readers {
                if body_changes.contains_key(&at) || at == body.at {
                    return Err(PatchRefusal::WrongOrder);
                }
                let reader = waiting.entry(at).or_insert_with(|| AffectedBody::without_answers(at, walk));
                reader.note_variable_change(last, &body.walk.name, variable)?;
            }
        }
        body_changes.insert(at, NodeBodyChange { at, change });
    }
    Ok(body_changes.into_values().collect())
}

/// True for the body of a class or a defined type. Variables of the top scope and of node blocks are read by their plain names,
/// and those reads are not recorded. Such a body may have the same name as a definition, so the resource is compared too.
fn is_of_definition(last: &LastAnswer, walk: &BodyWalk) -> bool {
    last.resources().get(walk.resource as usize).is_some_and(|resource| {
        let is_class = is_class(resource, walk);
        is_class || resource.kind == ResourceTypeKind::Defined && resource.type_name == type_name(&walk.name)
    })
}

fn is_class(resource: &Resource, walk: &BodyWalk) -> bool {
    resource.type_name == "Class" && resource.title == class_title(&walk.name)
}

type Walk<'l> = (usize, &'l BodyWalk);

/// Returns the walk of a declared resource; `None` for a native type, which has no body.
fn declared_body<'l>(last: &'l LastAnswer, (type_name, title): &ResourceKey) -> Result<Option<Walk<'l>>, PatchRefusal> {
    let mut resources = (0..).zip(last.resources());
    let found = resources.find(|(_, one)| one.title == *title && one.type_name == *type_name);
    let (place, resource) = found.ok_or(PatchRefusal::NotRecorded)?;
    if resource.kind == ResourceTypeKind::Native {
        return Ok(None);
    }
    let mut walks = last.walks.iter().enumerate();
    walks.find(|(_, walk)| walk.resource == place).map(Some).ok_or(PatchRefusal::NotRecorded)
}

/// Returns the change as the node's own two walks show it; `Err`: why they differ in more than a trace diff can express.
pub(super) fn body_change(
    before: &LastAnswer,
    now: &LastAnswer,
    affected: &AffectedBody<'_>,
) -> Result<BodyChange, PatchRefusal> {
    let (was, is) = (affected.walk, now.walks.get(affected.at).ok_or(PatchRefusal::OtherBodies)?);
    if was.name != is.name || before.walks.len() != now.walks.len() {
        return Err(PatchRefusal::OtherBodies);
    }
    let (old, new) = was.end.as_ref().zip(is.end.as_ref()).ok_or(PatchRefusal::NotRecorded)?;
    let diff = match Arc::ptr_eq(old, new) {
        true => TraceDiff::default(),
        // The places in a recorded trace may be those of the time when it was recorded.
        false => {
            let recorded = affected.updated_trace(before).ok_or(PatchRefusal::NotRecorded)?;
            recorded.diff(&trace(is, now).ok_or(PatchRefusal::NotRecorded)?)?
        }
    };
    // This node may have depended before on the files that its new questions read; another node may not have.
    let SharedDependencies { dependencies, files } = now.basis.ready.site.answer_dependencies(&diff.new_questions);
    let of_new_questions = dependencies
        .map_or_else(|| now.dependencies.clone(), |dependencies| DependencySet::from_dependencies(&dependencies));
    let dependencies = now.dependencies.difference(&before.dependencies).union(&of_new_questions);
    Ok(BodyChange { key: is.key, end: Arc::clone(new), diff: Arc::new(diff), dependencies, files: files.into() })
}

/// The changes that were computed by replaying bodies, by their inputs.
#[derive(Default)]
pub(super) struct ReplayMemo(Mutex<FxHashMap<BodyInputs, ReplayMemoEntry>>);

/// The end of the old trace, kept alive because its address is part of the inputs, and the change.
type ReplayMemoEntry = (Option<Arc<End>>, Result<BodyChange, PatchRefusal>);

impl ReplayMemo {
    /// Runs the current code of the body on its recorded answers, with the changed ones in their places.
    pub(super) fn get(
        &self,
        last: &LastAnswer,
        edit: &Edit,
        affected: &AffectedBody<'_>,
    ) -> Result<BodyChange, PatchRefusal> {
        let inputs = BodyInputs::new(last, affected).ok_or(PatchRefusal::NotRecorded)?;
        let known =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&inputs).map(|(_, change)| change.clone());
        known.unwrap_or_else(|| {
            let (end, change) = (affected.walk.end.clone(), replay(last, edit, affected));
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(inputs, (end, change.clone()));
            change
        })
    }
}

fn replay(last: &LastAnswer, edit: &Edit, affected: &AffectedBody<'_>) -> Result<BodyChange, PatchRefusal> {
    let ready = &last.basis.ready;
    let walk = affected.walk;
    let resource = last.resources().get(walk.resource as usize).ok_or(PatchRefusal::NotADefinition)?;
    if !is_of_definition(last, walk) {
        return Err(PatchRefusal::NotADefinition);
    }
    let is_class = is_class(resource, walk);
    // Another file has a definition of this name now.
    let recaller = edit.recaller(ready, &walk.name, is_class).ok_or(PatchRefusal::OtherDefinitions)?;
    if edit.names.contains(&walk.name) && !recaller.file().is_some_and(|file| edit.is_in(file)) {
        return Err(PatchRefusal::OtherDefinitions);
    }
    let recorded = affected.updated_trace(last).ok_or(PatchRefusal::NotRecorded)?;
    let given = affected.redeclared.as_ref().map(DeclarationChange::given_parameters);
    let given = given.map(|given| given.ok_or(PatchRefusal::OtherEffects)).transpose()?;
    let replayed = recaller.replay(walk, resource, given, &recorded, &ready.traces);
    let (key, now) = replayed.ok_or(PatchRefusal::AsksAnew)?;
    let diff = recorded.diff(&now)?;
    Ok(BodyChange {
        key,
        end: ready.traces.add(&key, &now).ok_or(PatchRefusal::NotRecorded)?,
        diff: Arc::new(diff.standing_in(now)),
        dependencies: DependencySet::default(),
        files: Arc::default(),
    })
}
