//! What an edit did to the catalog of one node, and to which others it does the same.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::Edit;
use super::last::{Basis, Last};
use crate::catalog::kinds::{METAPARAMETERS, TypeRef};
use crate::catalog::{Kind, Resource};
use crate::compile::BodyWalk;
use crate::pcore::{Digest, Str, Value};
use crate::trace::{Beside, End, Key, Named, Otherwise};
use crate::world::Rests;

/// Nodes that are alike as far as an edit can tell: the edited bodies were told the same and did the same, and what they
/// declared was given the same defaults and has become the same.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// By identity: of the environment, the ends of the traces, the resources. Whoever keeps a group keeps all these.
    parts: Vec<usize>,
    /// What is given by default to what each of the edited bodies declares.
    given: Vec<Option<Digest>>,
}

impl Group {
    /// `None`: nothing can be said of the node without asking it.
    pub(super) fn of(last: &Last, edit: &Edit, basis: &Basis) -> Option<Group> {
        if !last.basis.is_same(basis) || last.answer.log.iter().any(|line| edit.is_named_in(&line.text)) {
            return None;
        }
        let mut parts = vec![Arc::as_ptr(&basis.ready) as usize];
        let mut given = Vec::new();
        for walk in edited_walks(&last.walks, edit) {
            parts.push(Arc::as_ptr(walk.end.as_ref()?) as usize);
            parts.push(Arc::as_ptr(last.resources().get(walk.resource as usize)?) as usize);
            given.push(walk.given);
        }
        let edited = last.resources().iter().filter(|resource| is_edited(resource, edit));
        parts.extend(edited.map(|resource| Arc::as_ptr(resource) as usize));
        Some(Group { parts, given })
    }
}

/// What became of a catalog.
pub(super) struct Lesson {
    /// Of the resources that the edited files declare, in the order of the catalog: what each has become.
    pub(super) becomes: Vec<Fate>,
    pub(super) added: Vec<New>,
    /// By what the traces of the edited bodies are found now, in the order in which they ended.
    pub(super) walks: Vec<(Key, Arc<End>)>,
    /// Nothing but the bodies themselves may have to do with these.
    pub(super) quiet: Vec<Named>,
    /// Variables of classes that nobody else may have read.
    pub(super) unread: Vec<(Str, Str)>,
    /// Resources that have to be there, for what is added has relationships with them.
    pub(super) wanted: FxHashSet<Named>,
    /// What else the answer rests on now.
    pub(super) rests: Rests,
    /// All that the group is made of, so that it keeps its identity.
    _of: Arc<Last>,
}

/// What becomes of a resource.
pub(super) enum Fate {
    Stays,
    Becomes(Arc<Resource>),
    IsGone,
}

pub(super) struct New {
    pub(super) resource: Arc<Resource>,
    pub(super) spot: Spot,
    /// Which of the edited bodies declares it: its resource contains it.
    pub(super) walk: usize,
}

/// Where it comes into the catalog.
#[derive(Clone, Copy)]
pub(super) enum Spot {
    /// Behind this one of the resources that the edited files declare.
    Behind(usize),
    /// At this mark of the body that declares it.
    Mark(usize),
}

pub(super) fn edited_walks<'w>(walks: &'w [BodyWalk], edit: &'w Edit) -> impl Iterator<Item = &'w BodyWalk> {
    walks.iter().filter(|walk| edit.names.contains(&walk.name))
}

pub(super) fn is_edited(resource: &Resource, edit: &Edit) -> bool {
    resource.place.as_ref().is_some_and(|place| edit.is_in(&place.file))
}

type Found<'c> = FxHashMap<(&'c str, &'c str), (usize, &'c Arc<Resource>)>;

fn by_name<'c>(resources: &[&'c Arc<Resource>]) -> Found<'c> {
    let all = resources.iter().enumerate();
    all.map(|(at, resource)| ((resource.type_name.as_str(), resource.title.as_str()), (at, *resource))).collect()
}

fn find<'c>(found: &Found<'c>, (type_name, title): &Named) -> Option<(usize, &'c Arc<Resource>)> {
    found.get(&(type_name.as_str(), title.as_str())).copied()
}

impl Lesson {
    /// What the node's own two answers say; `None` if that is more than can be told to others.
    pub(super) fn of(before: &Arc<Last>, now: &Last, edit: &Edit) -> Option<Lesson> {
        let lesson = Lesson::drawn(before, now, edit)?;
        // Who is taught it must come out as who was compiled.
        let taught = lesson.teach(before, edit)?;
        let same_resources = taught.resources().len() == now.resources().len()
            && taught.resources().iter().zip(now.resources()).all(|(one, other)| Arc::ptr_eq(one, other));
        let is_right = same_resources
            && taught.catalog.edges == now.catalog.edges
            && taught.catalog.tags == now.catalog.tags
            && taught.catalog.classes == now.catalog.classes
            && taught.answer.log == now.answer.log
            && taught.answer.remarks == now.answer.remarks;
        is_right.then_some(lesson)
    }

    fn drawn(before: &Arc<Last>, now: &Last, edit: &Edit) -> Option<Lesson> {
        let old: Vec<&Arc<Resource>> = before.resources().iter().filter(|one| is_edited(one, edit)).collect();
        let new: Vec<&Arc<Resource>> = now.resources().iter().filter(|one| is_edited(one, edit)).collect();
        let (old_by_name, new_by_name) = (by_name(&old), by_name(&new));
        let mut draft = Draft { now, quiet: Vec::new() };
        let (mut changed, mut unread) = (FxHashSet::default(), Vec::new());
        let (mut removed, mut added, mut walks) = (FxHashSet::default(), Vec::new(), Vec::new());
        let (walks_before, walks_now) = (edited_walks(&before.walks, edit), edited_walks(&now.walks, edit));
        for (at, (was, is)) in same_length(walks_before, walks_now)?.into_iter().enumerate() {
            let otherwise = otherwise(was, is, before)?;
            // What is new may take defaults that were never seen.
            let declares_otherwise = !otherwise.changed.is_empty() || !otherwise.added.is_empty();
            if declares_otherwise && was.given.is_none() {
                return None;
            }
            walks.push((is.key, Arc::clone(is.end.as_ref()?)));
            for name in otherwise.variables {
                if !now.reach.is_unread(&is.name, &name) {
                    return None;
                }
                unread.push((is.name.clone(), name));
            }
            for named in otherwise.changed {
                draft.may_change(find(&old_by_name, &named)?.1, find(&new_by_name, &named)?.1)?;
                changed.insert(named);
            }
            for named in otherwise.removed {
                draft.may_go(find(&old_by_name, &named)?.1)?;
                removed.insert(named);
            }
            for one in otherwise.added {
                let (_, resource) = find(&new_by_name, &one.what)?;
                draft.may_come(resource)?;
                let spot = match one.beside {
                    Beside::Mark(mark) => Spot::Mark(mark),
                    Beside::Behind(named) => Spot::Behind(find(&old_by_name, &named)?.0),
                };
                added.push(New { resource: Arc::clone(resource), spot, walk: at });
            }
        }
        let fate = |resource: &&Arc<Resource>| {
            let named = (resource.type_name.clone(), resource.title.clone());
            if removed.contains(&named) {
                return Some(Fate::IsGone);
            }
            let (_, becomes) = find(&new_by_name, &named)?;
            if Arc::ptr_eq(resource, becomes) {
                return Some(Fate::Stays);
            }
            let is_meant = changed.contains(&named) || is_same_elsewhere(resource, becomes);
            is_meant.then(|| Fate::Becomes(Arc::clone(becomes)))
        };
        let becomes = old.iter().map(fate).collect::<Option<Vec<Fate>>>()?;
        let wanted = added.iter().map(|new| relationships(&new.resource)).collect::<Option<Vec<_>>>()?;
        let known: FxHashSet<_> = before.rests.iter().map(|(id, _)| *id).collect();
        let rests = now.rests.iter().filter(|(id, _)| !known.contains(id)).copied().collect();
        Some(Lesson {
            becomes,
            added,
            walks,
            quiet: draft.quiet,
            unread,
            wanted: wanted.into_iter().flatten().collect(),
            rests,
            _of: Arc::clone(before),
        })
    }
}

/// What is gathered while a lesson is drawn.
struct Draft<'l> {
    now: &'l Last,
    quiet: Vec<Named>,
}

impl Draft<'_> {
    /// Its parameters may change that concern nothing but itself.
    fn may_change(&mut self, old: &Resource, new: &Resource) -> Option<()> {
        let type_of = self.native_type(new)?;
        let is_same = (old.kind, old.exported, &old.tags) == (new.kind, new.exported, &new.tags)
            && old.says_exported_late == new.says_exported_late;
        let names = old.parameters.iter().chain(&new.parameters).map(|(name, _)| name);
        let mut changed = names.filter(|name| !is_same_value(value(old, name), value(new, name)));
        let concerns_others = |name: &Str| METAPARAMETERS.contains(&name.as_str()) || type_of.namevars().contains(name);
        if !is_same || changed.any(concerns_others) {
            return None;
        }
        self.keep_quiet(new)
    }

    fn may_go(&mut self, old: &Resource) -> Option<()> {
        is_plain(old, &*self.native_type(old)?).then(|| self.keep_quiet(old))?
    }

    fn may_come(&mut self, new: &Resource) -> Option<()> {
        is_plain(new, &*self.native_type(new)?).then(|| self.keep_quiet(new))?
    }

    fn native_type(&self, resource: &Resource) -> Option<TypeRef> {
        match resource.kind {
            Kind::Native => self.now.basis.ready.site.resource_type(&resource.type_name).ok()?,
            _ => None,
        }
    }

    fn keep_quiet(&mut self, resource: &Resource) -> Option<()> {
        self.quiet.push((resource.type_name.clone(), resource.title.clone()));
        self.now.reach.is_quiet(&resource.type_name, &resource.title).then_some(())
    }
}

fn same_length<T>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> Option<Vec<(T, T)>> {
    let (one, other): (Vec<T>, Vec<T>) = (one.collect(), other.collect());
    (one.len() == other.len()).then(|| one.into_iter().zip(other).collect())
}

/// What a body did otherwise than before.
fn otherwise(was: &BodyWalk, is: &BodyWalk, before: &Last) -> Option<Otherwise> {
    let (old, new) = (was.end.as_ref()?, is.end.as_ref()?);
    if was.name != is.name {
        return None;
    }
    if Arc::ptr_eq(old, new) {
        return Some(Otherwise::default());
    }
    let traces = &before.basis.ready.traces;
    let old = traces.tree(&was.key)?.trace_to(old)?;
    let new = traces.tree(&is.key)?.trace_to(new)?;
    old.otherwise(&new)
}

/// A resource that has no name beside its title.
fn is_plain(resource: &Resource, of: &crate::catalog::kinds::TypeTable) -> bool {
    let given = |name: &str| value(resource, name).cloned();
    let key = of.uniqueness_key(&resource.title, given).unwrap_or_default();
    let is_title = |part: &Option<Value>| part.as_ref().and_then(Value::as_str) == Some(resource.title.as_str());
    value(resource, "alias").is_none() && (!of.is_isomorphic() || key.iter().any(is_title))
}

/// The resources that it names in its relationships; `None` where one cannot be read.
fn relationships(resource: &Resource) -> Option<Vec<Named>> {
    let of = RELATIONSHIPS.iter().filter_map(|name| value(resource, name));
    let texts = of.flat_map(|value| value.clone().flattened());
    texts.map(|text| named(text.as_str()?)).collect()
}

pub(super) const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// `File[/x]`
pub(super) fn named(text: &str) -> Option<Named> {
    let (type_name, rest) = text.split_once('[')?;
    Some((type_name.into(), rest.strip_suffix(']')?.into()))
}

/// Whether all is the same but for where it is declared.
fn is_same_elsewhere(old: &Resource, new: &Resource) -> bool {
    (old.kind, old.exported, &old.tags, &old.sensitive) == (new.kind, new.exported, &new.tags, &new.sensitive)
        && old.says_exported_late == new.says_exported_late
        && old.parameters.len() == new.parameters.len()
        && old.parameters.iter().zip(&new.parameters).all(|((name, value), (new_name, new_value))| {
            name == new_name && is_same_value(Some(value), Some(new_value))
        })
}

fn is_same_value(old: Option<&Value>, new: Option<&Value>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => old.digest() == new.digest(),
        (old, new) => old.is_none() && new.is_none(),
    }
}

pub(super) fn value<'r>(resource: &'r Resource, name: &str) -> Option<&'r Value> {
    resource.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}
