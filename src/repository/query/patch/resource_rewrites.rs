//! How resources change after an edit, learnt from nodes that were compiled after it and applied to the others.

use std::hash::BuildHasher;
use std::sync::Arc;

use indexmap::IndexMap;
use pantin_base::names::RELATIONSHIPS;
use pantin_model::catalog::kinds::{METAPARAMETERS, TypeRef};
use pantin_model::catalog::{Place, Resource, ResourceTypeKind, TagList, TagNames, Tags};
use pantin_model::trace::{Changed, End, Redeclared, ResourceKey};
use pantin_values::{Digest, Digester, Str, Value, identical};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::body_change::NodeBodyChange;
use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;
use crate::query::pool::Pool;

/// Resources are known by their identity, and are kept for it.
#[derive(Default)]
pub(super) struct ResourceRewrites {
    /// Declared as they were.
    moved: FxHashMap<(usize, DeclaringRun), Pair>,
    changed: IndexMap<RewriteKey, Vec<(Pair, DeclaringRun)>, FxBuildHasher>,
    added: IndexMap<(ResourceKey, Digest, Digest), Vec<AddedResource>, FxBuildHasher>,
    /// They name the runs.
    ends: Vec<Arc<End>>,
}

/// A resource that is declared otherwise; the last is what the scopes around give it by default.
type RewriteKey = (ResourceKey, Redeclared, Digest);

/// A resource before the edit, and after it.
type Pair = (Arc<Resource>, Arc<Resource>);

/// A resource that was not there before.
struct AddedResource {
    by: DeclaringRun,
    resource: Arc<Resource>,
    /// What contains it, and what it is tagged with beside the tags of that.
    container: Arc<Resource>,
    tags: Option<Arc<[Str]>>,
    /// What it depends on that its type is what it is.
    dependencies: DependencySet,
}

/// Names the run of a body that declares something: what the same run declares stands at the same place. On other nodes the
/// same may be declared in another branch of a body, or by another one.
pub(super) type DeclaringRun = usize;

impl ResourceRewrites {
    /// What becomes of one that is declared as it was.
    pub(super) fn moved_resource(&self, old: &Arc<Resource>, by: DeclaringRun) -> Option<Arc<Resource>> {
        self.moved.get(&(Arc::as_ptr(old) as usize, by)).map(|(_, new)| Arc::clone(new))
    }

    /// What becomes of one that is declared otherwise; `given`: what the scopes around give it by default. Elsewhere it may
    /// have had other tags, which stay. `place`: where it stands now, if that is known.
    pub(super) fn changed_resource(
        &self,
        old: &Arc<Resource>,
        (as_what, given): (Redeclared, Digest),
        by: DeclaringRun,
        place: Option<Option<Place>>,
        pool: &Pool,
    ) -> Option<Arc<Resource>> {
        let pairs = self.changed.get(&(named(old), as_what, given))?;
        let is_it = |known: &Arc<Resource>| Arc::ptr_eq(known, old) || known.is_same_but_for_tags(old);
        let mut fitting = pairs.iter().filter(|((known, _), _)| is_it(known));
        let ((_, new), known_by) = fitting.clone().find(|(_, known)| *known == by).or_else(|| fitting.next())?;
        let place = if *known_by == by { new.place.clone() } else { place? };
        Some(elsewhere(new, old.tags.clone(), place, pool))
    }

    /// What is declared as this, in that. `place`: where it stands now, if that is known, and in the file of this one.
    pub(super) fn added_resource(
        &self,
        (what, meaning, given): (&ResourceKey, Digest, Digest),
        container: &Arc<Resource>,
        by: DeclaringRun,
        place: impl Fn(&Resource) -> Option<Place>,
        pool: &Pool,
    ) -> Option<(Arc<Resource>, &DependencySet)> {
        let known = self.added.get(&(what.clone(), meaning, given))?;
        let same = known.iter().find(|new| new.by == by).map(|new| (new, new.resource.place.clone()));
        let (new, place) = same.or_else(|| known.iter().find_map(|new| Some((new, Some(place(&new.resource)?)))))?;
        if Arc::ptr_eq(&new.container, container) {
            return Some((elsewhere(&new.resource, new.resource.tags.clone(), place, pool), &new.dependencies));
        }
        if passes_on(&new.container) || passes_on(container) {
            return None;
        }
        let tags = with_tags_of(new.tags.as_ref()?, container);
        Some((elsewhere(&new.resource, tags.into(), place, pool), &new.dependencies))
    }

    /// What became of the resources of a node whose two answers are known; `None` if an edit may do more to it than can be
    /// told of others.
    pub(super) fn new(
        before: &LastAnswer,
        now: &LastAnswer,
        edit: &Edit,
        body_changes: &[NodeBodyChange],
    ) -> Option<ResourceRewrites> {
        let ends = body_changes.iter().map(|deed| Arc::clone(&deed.change.end)).collect();
        let mut became = ResourceRewrites { ends, ..ResourceRewrites::default() };
        let concerned = AffectedResources::new(body_changes, before);
        let is_meant = |one: &&Arc<Resource>| is_edited(one, edit) || concerned.has(one);
        let new: FxHashMap<(&str, &str), &Arc<Resource>> =
            now.resources().iter().filter(is_meant).map(|one| (name_of(one), one)).collect();
        for (at, old) in (0..).zip(before.resources()).filter(|(_, one)| is_meant(one)) {
            let named = named(old);
            if body_changes.iter().any(|deed| deed.change.diff.removed.contains(&named)) {
                continue;
            }
            let is = *new.get(&name_of(old))?;
            let pair = (Arc::clone(old), Arc::clone(is));
            let by = declared_by(at, before, body_changes);
            match redeclaration(body_changes, before, at) {
                None if is_same_elsewhere(old, is) => drop(became.moved.insert((Arc::as_ptr(old) as usize, by), pair)),
                Some(redeclared) if may_change(old, is, now) => {
                    became
                        .changed
                        .entry((named, redeclared.as_what, redeclared.defaults?))
                        .or_default()
                        .push((pair, by));
                }
                _ => return None,
            }
        }
        for deed in body_changes {
            let walk = &before.walks[deed.at];
            let container = before.resources().get(walk.resource as usize)?;
            for added in &deed.change.diff.added {
                let is = *new.get(&(added.what.0.as_str(), added.what.1.as_str()))?;
                is_plain(is, now).then_some(())?;
                let resource = Arc::clone(is);
                let (container, tags) = (Arc::clone(container), own_tags(is, container));
                let leaning =
                    DependencySet::from_dependencies(&now.basis.ready.site.resource_type_dependencies(&is.type_name));
                let new = AddedResource { by: declaring_run(deed), resource, container, tags, dependencies: leaning };
                became.added.entry((added.what.clone(), added.meaning, walk.defaults_digest?)).or_default().push(new);
            }
        }
        Some(became)
    }

    pub(super) fn learn(&mut self, more: ResourceRewrites) {
        self.moved.extend(more.moved);
        for (which, pairs) in more.changed {
            self.changed.entry(which).or_default().extend(pairs);
        }
        for (which, new) in more.added {
            self.added.entry(which).or_default().extend(new);
        }
        self.ends.extend(more.ends);
    }
}

/// By what the resource at this place is declared.
pub(super) fn declared_by(at: u32, of: &LastAnswer, deeds: &[NodeBodyChange]) -> DeclaringRun {
    let edges = &of.catalog.edges;
    let around = &edges[edges.partition_point(|(_, content)| *content < at)..];
    let mut around = around.iter().take_while(|(_, content)| *content == at).map(|(around, _)| *around);
    match around.find_map(|around| deeds.iter().find(|deed| of.walks[deed.at].resource == around)) {
        Some(deed) => declaring_run(deed),
        // Any of them may have: a class stands where nobody knows who declares it.
        None => deeds.iter().fold(0, |all, deed| FxBuildHasher.hash_one((all, declaring_run(deed))) as usize),
    }
}

pub(super) fn declaring_run(deed: &NodeBodyChange) -> DeclaringRun {
    Arc::as_ptr(&deed.change.end) as usize
}

/// The same, with other tags and at another place.
fn elsewhere(resource: &Arc<Resource>, tags: TagList, place: Option<Place>, pool: &Pool) -> Arc<Resource> {
    if (&resource.tags, &resource.place) == (&tags, &place) {
        return Arc::clone(resource);
    }
    pool.share_resource(Resource { tags, place, ..(**resource).clone() })
}

/// What a resource was and is declared as, where that is not the same.
pub(super) struct Redeclaration<'d> {
    pub(super) as_what: Redeclared,
    /// What the scopes around give it by default; `None`: that is not to be compared.
    pub(super) defaults: Option<Digest>,
    /// All of its parameters that were or are declared: of a native type by who declares it, of any other by its own body. `None`:
    /// nobody says so.
    pub(super) parameters: Option<&'d Changed>,
}

/// Of the resource at this place.
pub(super) fn redeclaration<'d>(deeds: &'d [NodeBodyChange], of: &LastAnswer, at: u32) -> Option<Redeclaration<'d>> {
    let resource = of.resources().get(at as usize)?;
    let named = named(resource);
    let walk = |deed: &NodeBodyChange| &of.walks[deed.at];
    let declared = deeds.iter().find_map(|deed| Some((deed.change.diff.changed.get(&named)?, walk(deed))));
    let own = deeds.iter().find(|deed| walk(deed).resource == at);
    let own = own.and_then(|deed| Some((deed.change.diff.parameters.as_ref()?, walk(deed))));
    let (first, walk) = declared.or(own)?;
    let as_what = match (declared, own) {
        (Some((declared, _)), Some((own, _))) => both(declared.as_what, own.as_what),
        _ => first.as_what,
    };
    let parameters = if resource.kind == ResourceTypeKind::Native { declared } else { own };
    Some(Redeclaration { as_what, defaults: walk.defaults_digest, parameters: parameters.map(|(changed, _)| changed) })
}

fn both(one: Redeclared, other: Redeclared) -> Redeclared {
    let both = |one, other| Digester::new(b"both").digest(one).digest(other).finish();
    (both(one.0, other.0), both(one.1, other.1))
}

/// A resource with other values for parameters that it has, where these are all that is otherwise, and stand in a catalog as
/// they are declared.
pub(super) fn with_values(old: &Resource, changed: &Changed, on: &LastAnswer) -> Option<Resource> {
    let of = native_type(old, on);
    let mut new = old.clone();
    for (name, before, now) in changed.values()? {
        if identical(before, now) {
            continue;
        }
        let value = new.parameters.get_mut(name)?;
        let is_as_declared = identical(value, before);
        let are_plain = [before, now].into_iter().all(|value| value.is_plain_data() && !value.is_undef());
        if !is_as_declared || !are_plain || concerns_others(name, of.as_ref()) || old.is_secret(name) {
            return None;
        }
        *value = now.clone();
    }
    Some(new)
}

/// Whether a parameter may make a difference to anything but its resource.
fn concerns_others(name: &Str, of: Option<&TypeRef>) -> bool {
    let is_name = match of {
        Some(of) => of.namevars().contains(name),
        None => matches!(name.as_str(), "name" | "title"),
    };
    is_name || METAPARAMETERS.contains(&name.as_str())
}

/// The resources that deeds name, wherever they are declared.
#[derive(Default)]
pub(super) struct AffectedResources<'d> {
    /// By their titles, which most resources have alone.
    types: FxHashMap<&'d str, Vec<&'d str>>,
    /// Of these titles.
    lengths: Lengths,
}

/// How long texts are: most others are told from them by that, and need not be read.
#[derive(Clone, Copy, Default)]
pub(super) struct Lengths(u64);

impl Lengths {
    pub(super) fn add(&mut self, text: &str) {
        self.0 |= 1 << (text.len() % 64);
    }

    pub(super) fn may_be_of(self, text: &str) -> bool {
        self.0 >> (text.len() % 64) & 1 != 0
    }
}

impl<'d> AffectedResources<'d> {
    pub(super) fn new(deeds: &'d [NodeBodyChange], on: &'d LastAnswer) -> AffectedResources<'d> {
        let mut concerned = AffectedResources::default();
        for deed in deeds {
            let otherwise = &deed.change.diff;
            let added = otherwise.added.iter().map(|added| &added.what);
            for (type_name, title) in otherwise.changed.keys().chain(&otherwise.removed).chain(added) {
                concerned.add((type_name, title));
            }
            let own = on.resources().get(on.walks[deed.at].resource as usize);
            own.filter(|_| otherwise.parameters.is_some()).into_iter().for_each(|own| concerned.add(name_of(own)));
        }
        concerned
    }

    fn add(&mut self, (type_name, title): (&'d str, &'d str)) {
        self.lengths.add(title);
        self.types.entry(title).or_default().push(type_name);
    }

    pub(super) fn has(&self, resource: &Resource) -> bool {
        self.lengths.may_be_of(&resource.title)
            && self.types.get(resource.title.as_str()).is_some_and(|types| types.contains(&resource.type_name.as_str()))
    }
}

/// What it is tagged with itself, if that, and what its container is tagged with, is all.
fn own_tags(resource: &Resource, container: &Resource) -> Option<Arc<[Str]>> {
    let names = TagNames::default();
    // A title that was a number is no tag.
    [true, false].into_iter().find_map(|is_tagged_with_title| {
        let mut tags = Tags::default();
        if let Some(given) = resource.parameter("tag") {
            tags.add_values(given, &names).ok()?;
        }
        tags.add_if_valid(&resource.type_name, &names);
        if is_tagged_with_title {
            tags.add_if_valid(&resource.title, &names);
        }
        let tags = tags.shared(&names);
        with_tags_of(&tags, container).iter().eq(resource.tags.iter()).then_some(tags)
    })
}

fn with_tags_of(own: &[Str], container: &Resource) -> Arc<[Str]> {
    let names = TagNames::default();
    let mut tags = Tags::default();
    tags.merge_all(own.iter(), &names);
    tags.merge_all(container.tags.iter(), &names);
    tags.shared(&names)
}

/// Whether it may tell what it contains more than its tags.
fn passes_on(container: &Resource) -> bool {
    let is_passed = |name: &str| METAPARAMETERS.contains(&name) && !RELATIONSHIPS.contains(&name);
    container.parameters.iter().any(|(name, _)| is_passed(name))
}

fn named(resource: &Resource) -> ResourceKey {
    (resource.type_name.clone(), resource.title.clone())
}

fn is_edited(resource: &Resource, edit: &Edit) -> bool {
    resource.place.as_ref().is_some_and(|place| edit.is_in(&place.file))
}

pub(super) fn name_of(resource: &Resource) -> (&str, &str) {
    (&resource.type_name, &resource.title)
}

fn native_type(resource: &Resource, of: &LastAnswer) -> Option<TypeRef> {
    match resource.kind {
        ResourceTypeKind::Native => of.basis.ready.site.resource_type(&resource.type_name).ok()?,
        _ => None,
    }
}

/// Whether only parameters are otherwise that concern nothing but itself.
fn may_change(old: &Resource, new: &Resource, on: &LastAnswer) -> bool {
    let of = native_type(new, on);
    let names = old.parameters.iter().chain(&new.parameters).map(|(name, _)| name);
    let mut changed = names.filter(|name| !new.has_parameter_of(old, name));
    is_same_beside(old, new) && !changed.any(|name| concerns_others(name, of.as_ref()))
}

/// A resource of a native type that has no name beside its title.
pub(super) fn is_plain(resource: &Resource, on: &LastAnswer) -> bool {
    let Some(of) = native_type(resource, on) else { return false };
    let given = |name: &str| resource.parameter(name).cloned();
    let key = of.uniqueness_key(&resource.title, given).unwrap_or_default();
    let is_title = |part: &Option<Value>| part.as_ref().and_then(Value::as_str) == Some(resource.title.as_str());
    resource.parameter("alias").is_none() && (!of.is_isomorphic() || key.iter().any(is_title))
}

/// Whether all is the same but for where it is declared.
fn is_same_elsewhere(old: &Resource, new: &Resource) -> bool {
    is_same_beside(old, new) && old.has_parameters_of(new)
}

/// Whether there is nothing that tells them apart.
pub(super) fn is_same(one: &Arc<Resource>, other: &Arc<Resource>) -> bool {
    Arc::ptr_eq(one, other) || one.is_same(other)
}

/// Whether all beside the parameters, and the place, is the same.
fn is_same_beside(old: &Resource, new: &Resource) -> bool {
    old.is_of_kind_of(new) && old.tags == new.tags
}
