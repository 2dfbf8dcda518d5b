//! What the affected bodies of a node do differently after an edit, and which further bodies that affects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::names::{class_title, type_name};
use pantin_compile::{BodyWalk, SharedDependencies, of_variable};
use pantin_model::catalog::{Resource, ResourceTypeKind};
use pantin_model::trace::{Changed, End, Key, ResourceKey, TraceDiff};
use pantin_values::Digest;
use rustc_hash::FxHashMap;

use super::affected_bodies::{AffectedBodies, AffectedBody, trace};
use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;
use crate::query::recorded::Basis;

/// What one of them does otherwise, and by what its trace is found now.
#[derive(Clone)]
pub(super) struct NodeBodyChange {
    /// The place of the body among the walks of the node.
    pub(super) at: usize,
    pub(super) change: BodyChange,
}

/// The same, of whatever node.
#[derive(Clone)]
pub(super) struct BodyChange {
    pub(super) key: Key,
    pub(super) end: Arc<End>,
    pub(super) diff: Arc<TraceDiff>,
    /// What the node's answer depends on beside what it depended on before.
    pub(super) dependencies: DependencySet,
    /// The files that it asks for and did not ask for before, as [`of_file`](pantin_compile::of_file) knows them.
    pub(super) files: Arc<[u32]>,
}

/// Bodies that were told the same, and are told the same now: these do the same now.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct BodyInputs {
    /// By identity: of the environment, and of the end of the trace, which are kept as long as what is known of the edit.
    ready: usize,
    end: usize,
    /// What it is told otherwise: by which question, and what.
    news: Vec<(usize, Digest)>,
    /// What it is declared as, if that is otherwise.
    redeclared: Option<Digest>,
}

impl BodyInputs {
    pub(super) fn new(last: &LastAnswer, touched: &AffectedBody<'_>) -> Option<BodyInputs> {
        Some(BodyInputs {
            ready: Arc::as_ptr(&last.basis.ready.value) as usize,
            end: Arc::as_ptr(touched.walk.end.as_ref()?) as usize,
            news: touched.news().collect(),
            redeclared: touched.redeclared.as_ref().map(|changed| changed.as_what.1),
        })
    }
}

/// Whether what is known of a node beside the files is as it was, and nothing that it was told names what was edited.
pub(super) fn is_comparable(last: &LastAnswer, edit: &Edit, basis: &Basis) -> bool {
    last.basis.is_identical(basis) && !last.answer.log.iter().any(|line| edit.is_named_in(&line.text))
}

/// What all of them do, in the order in which they ended. `know` says it of each; `None`: that cannot be told.
pub(super) fn all<'l>(
    last: &'l LastAnswer,
    touched: &AffectedBodies<'l>,
    mut know: impl FnMut(&AffectedBody<'l>) -> Option<BodyChange>,
) -> Option<Vec<NodeBodyChange>> {
    let mut waiting: BTreeMap<usize, AffectedBody<'l>> =
        touched.bodies.iter().map(|touched| (touched.at, touched.clone())).collect();
    let mut deeds: BTreeMap<usize, NodeBodyChange> = BTreeMap::new();
    // Whatever declares a class ends after it.
    while let Some((at, body)) = waiting.pop_last() {
        let done = know(&body)?;
        for (named, changed) in &done.diff.changed {
            let Some((at, walk)) = declared_body(last, named)? else { continue };
            // What it did was told before it was known what it is given.
            if deeds.contains_key(&at) {
                return None;
            }
            let of = waiting.entry(at).or_insert_with(|| AffectedBody::without_answers(at, walk));
            of.redeclared = Some(changed.clone());
        }
        if !done.diff.variables.is_empty() && !is_of_definition(last, body.walk) {
            return None;
        }
        for variable in &done.diff.variables {
            let known = of_variable(&body.walk.name, &variable.name);
            let readers = last.walks.iter().enumerate().filter(|(_, walk)| walk.reads.binary_search(&known).is_ok());
            for (at, walk) in readers {
                if deeds.contains_key(&at) || at == body.at {
                    return None;
                }
                let reader = waiting.entry(at).or_insert_with(|| AffectedBody::without_answers(at, walk));
                reader.note_variable_change(last, &body.walk.name, variable)?;
            }
        }
        deeds.insert(at, NodeBodyChange { at, change: done });
    }
    Some(deeds.into_values().collect())
}

/// Whether it is the body of a class or a defined type: variables at the top, and of a node block, are read by anybody, by their
/// names alone, and nobody notes who does. Code there may have the name of a definition.
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

/// The body of what is declared; nothing, of a native type. `None`: that cannot be told.
#[allow(clippy::option_option)]
fn declared_body<'l>(last: &'l LastAnswer, (type_name, title): &ResourceKey) -> Option<Option<Walk<'l>>> {
    let mut resources = (0..).zip(last.resources());
    let (place, resource) = resources.find(|(_, one)| one.title == *title && one.type_name == *type_name)?;
    if resource.kind == ResourceTypeKind::Native {
        return Some(None);
    }
    let mut walks = last.walks.iter().enumerate();
    walks.find(|(_, walk)| walk.resource == place).map(Some)
}

/// As the node's own two walks say; `None` if they say more than can be told like that.
pub(super) fn body_change(before: &LastAnswer, now: &LastAnswer, touched: &AffectedBody<'_>) -> Option<BodyChange> {
    let (was, is) = (touched.walk, now.walks.get(touched.at)?);
    let (old, new) = (was.end.as_ref()?, is.end.as_ref()?);
    if was.name != is.name || before.walks.len() != now.walks.len() {
        return None;
    }
    let otherwise = match Arc::ptr_eq(old, new) {
        true => TraceDiff::default(),
        // Where a trace that was kept says its resources stand may be where they stood when it was recorded.
        false => touched.updated_trace(before)?.diff(&trace(is, now)?)?,
    };
    // This node may have depended on what it asks anew before, and another one not.
    let SharedDependencies { dependencies, files } = now.basis.ready.site.answer_dependencies(&otherwise.new_questions);
    let anew = dependencies
        .map_or_else(|| now.dependencies.clone(), |dependencies| DependencySet::from_dependencies(&dependencies));
    let leaning = now.dependencies.difference(&before.dependencies).and(&anew);
    Some(BodyChange {
        key: is.key,
        end: Arc::clone(new),
        diff: Arc::new(otherwise),
        dependencies: leaning,
        files: files.into(),
    })
}

/// What running the code has told.
#[derive(Default)]
pub(super) struct ReplayMemo(Mutex<FxHashMap<BodyInputs, ReplayMemoEntry>>);

/// The end by which it is known what a body was told, which is kept for that, and what it does now.
type ReplayMemoEntry = (Option<Arc<End>>, Option<BodyChange>);

impl ReplayMemo {
    /// As the code of today says, told what the body was told before, but for what it is told otherwise; `None` if it would have
    /// to be told more.
    pub(super) fn get(&self, last: &LastAnswer, edit: &Edit, touched: &AffectedBody<'_>) -> Option<BodyChange> {
        let told = BodyInputs::new(last, touched)?;
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&told).map(|(_, done)| done.clone());
        known.unwrap_or_else(|| {
            let (end, done) = (touched.walk.end.clone(), recalled(last, edit, touched));
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(told, (end, done.clone()));
            done
        })
    }
}

fn recalled(last: &LastAnswer, edit: &Edit, touched: &AffectedBody<'_>) -> Option<BodyChange> {
    let ready = &last.basis.ready;
    let walk = touched.walk;
    let resource = last.resources().get(walk.resource as usize)?;
    if !is_of_definition(last, walk) {
        return None;
    }
    let is_class = is_class(resource, walk);
    let recaller = edit.recaller(ready, &walk.name, is_class)?;
    if edit.names.contains(&walk.name) && !recaller.file().is_some_and(|file| edit.is_in(file)) {
        return None;
    }
    let told = touched.updated_trace(last)?;
    let given = touched.redeclared.as_ref().map(Changed::given_parameters);
    let given = match given {
        Some(given) => Some(given?),
        None => None,
    };
    let (key, now) = recaller.replay(walk, resource, given, &told, &ready.traces)?;
    let otherwise = told.diff(&now)?;
    Some(BodyChange {
        key,
        end: ready.traces.add(&key, &now)?,
        diff: Arc::new(otherwise.standing_in(now)),
        dependencies: DependencySet::default(),
        files: Arc::default(),
    })
}
