//! How resources change after an edit, learnt from nodes that were compiled after it and applied to the others.

use std::hash::BuildHasher;
use std::sync::Arc;

use indexmap::IndexMap;
use pantin_base::names::RELATIONSHIPS;
use pantin_model::catalog::kinds::{METAPARAMETERS, TypeRef};
use pantin_model::catalog::{Place, Resource, ResourceTypeKind, TagList, TagNames, Tags};
use pantin_model::trace::{DeclarationChange, DeclarationDigests, End, ResourceKey};
use pantin_values::{Digest, Digester, Str, Value, identical};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::PatchRefusal;
use super::body_change::NodeBodyChange;
use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;
use crate::query::pool::Pool;

/// Resources are keyed by their address; the values keep them alive.
#[derive(Default)]
pub(super) struct ResourceRewrites {
    /// Unchanged declarations at another place.
    moved: FxHashMap<(usize, DeclaringRun), Pair>,
    changed: IndexMap<RewriteKey, Vec<(Pair, DeclaringRun)>, FxBuildHasher>,
    added: IndexMap<(ResourceKey, Digest, Digest), Vec<AddedResource>, FxBuildHasher>,
    /// Keeps the ends alive whose addresses are [`DeclaringRun`]s.
    ends: Vec<Arc<End>>,
}

/// A resource with a changed declaration; the last digest is that of the defaults of the scopes around it.
type RewriteKey = (ResourceKey, DeclarationDigests, Digest);

/// A resource before the edit, and after it.
type Pair = (Arc<Resource>, Arc<Resource>);

/// A resource that was not there before.
struct AddedResource {
    by: DeclaringRun,
    resource: Arc<Resource>,
    /// What contains it, and what it is tagged with beside the tags of that.
    container: Arc<Resource>,
    tags: Option<Arc<[Str]>>,
    /// The files that its type was read from.
    dependencies: DependencySet,
}

/// Identifies the run of a body that declares a resource: equal runs declare it at the same place. On another node the same
/// resource may be declared in another branch of the body, or by another body.
pub(super) type DeclaringRun = usize;

impl ResourceRewrites {
    /// Returns the new version of a resource whose declaration did not change.
    pub(super) fn moved_resource(&self, old: &Arc<Resource>, by: DeclaringRun) -> Option<Arc<Resource>> {
        self.moved.get(&(Arc::as_ptr(old) as usize, by)).map(|(_, new)| Arc::clone(new))
    }

    /// Returns the new version of a resource whose declaration changed. `given`: the digest of the defaults of the
    /// scopes around it. Its tags may differ from those of the learnt one; they stay. `place`: its new place, if known.
    pub(super) fn changed_resource(
        &self,
        old: &Arc<Resource>,
        (as_what, given): (DeclarationDigests, Digest),
        by: DeclaringRun,
        place: Option<Option<Place>>,
        pool: &Pool,
    ) -> Option<Arc<Resource>> {
        let pairs = self.changed.get(&(resource_key(old), as_what, given))?;
        let is_it = |known: &Arc<Resource>| Arc::ptr_eq(known, old) || known.is_same_but_for_tags(old);
        let mut fitting = pairs.iter().filter(|((known, _), _)| is_it(known));
        let ((_, new), known_by) = fitting.clone().find(|(_, known)| *known == by).or_else(|| fitting.next())?;
        let place = if *known_by == by { new.place.clone() } else { place? };
        Some(elsewhere(new, old.tags.clone(), place, pool))
    }

    /// Returns an added resource in its container. `place`: its place on this node, if known, and if in the same file.
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

    /// Learns from the answers of a node before and after the edit; `Err`: why the edit changed the node in more than other
    /// nodes can be patched by.
    pub(super) fn new(
        before: &LastAnswer,
        now: &LastAnswer,
        edit: &Edit,
        body_changes: &[NodeBodyChange],
    ) -> Result<ResourceRewrites, PatchRefusal> {
        let ends = body_changes.iter().map(|body_change| Arc::clone(&body_change.change.end)).collect();
        let mut rewrites = ResourceRewrites { ends, ..ResourceRewrites::default() };
        let concerned = AffectedResources::new(body_changes, before);
        let is_meant = |one: &&Arc<Resource>| is_edited(one, edit) || concerned.has(one);
        let new: FxHashMap<(&str, &str), &Arc<Resource>> =
            now.resources().iter().filter(is_meant).map(|one| (type_and_title(one), one)).collect();
        for (at, old) in (0..).zip(before.resources()).filter(|(_, one)| is_meant(one)) {
            let named = resource_key(old);
            if body_changes.iter().any(|body_change| body_change.change.diff.removed.contains(&named)) {
                continue;
            }
            let is = *new.get(&type_and_title(old)).ok_or(PatchRefusal::PatchDiffers)?;
            let pair = (Arc::clone(old), Arc::clone(is));
            let by = declared_by(at, before, body_changes);
            match redeclaration(body_changes, before, at) {
                None if is_same_elsewhere(old, is) => {
                    drop(rewrites.moved.insert((Arc::as_ptr(old) as usize, by), pair))
                }
                Some(redeclared) if may_change(old, is, now) => {
                    let defaults = redeclared.defaults.ok_or(PatchRefusal::NotRecorded)?;
                    rewrites.changed.entry((named, redeclared.digests, defaults)).or_default().push((pair, by));
                }
                None => return Err(PatchRefusal::PatchDiffers),
                Some(_) => return Err(PatchRefusal::ConcernsOthers),
            }
        }
        for body_change in body_changes {
            let walk = &before.walks[body_change.at];
            let container = before.resources().get(walk.resource as usize).ok_or(PatchRefusal::NotADefinition)?;
            for added in &body_change.change.diff.added {
                let named = (added.resource.0.as_str(), added.resource.1.as_str());
                let is = *new.get(&named).ok_or(PatchRefusal::NotShown)?;
                if !is_plain(is, now) {
                    return Err(PatchRefusal::NotPlain);
                }
                let resource = Arc::clone(is);
                let (container, tags) = (Arc::clone(container), own_tags(is, container));
                let dependencies =
                    DependencySet::from_dependencies(&now.basis.ready.site.resource_type_dependencies(&is.type_name));
                let new = AddedResource { by: declaring_run(body_change), resource, container, tags, dependencies };
                let defaults = walk.defaults_digest.ok_or(PatchRefusal::NotRecorded)?;
                rewrites.added.entry((added.resource.clone(), added.meaning, defaults)).or_default().push(new);
            }
        }
        Ok(rewrites)
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

/// Returns the run that declares the resource at this index.
pub(super) fn declared_by(at: u32, of: &LastAnswer, body_changes: &[NodeBodyChange]) -> DeclaringRun {
    let edges = &of.catalog.edges;
    let around = &edges[edges.partition_point(|(_, content)| *content < at)..];
    let mut around = around.iter().take_while(|(_, content)| *content == at).map(|(around, _)| *around);
    match around.find_map(|around| body_changes.iter().find(|body_change| of.walks[body_change.at].resource == around))
    {
        Some(body_change) => declaring_run(body_change),
        // Any of them may have declared it: the catalog does not record who declares a class.
        None => body_changes
            .iter()
            .fold(0, |all, body_change| FxBuildHasher.hash_one((all, declaring_run(body_change))) as usize),
    }
}

pub(super) fn declaring_run(body_change: &NodeBodyChange) -> DeclaringRun {
    Arc::as_ptr(&body_change.change.end) as usize
}

/// The same resource with other tags and another place.
fn elsewhere(resource: &Arc<Resource>, tags: TagList, place: Option<Place>, pool: &Pool) -> Arc<Resource> {
    if (&resource.tags, &resource.place) == (&tags, &place) {
        return Arc::clone(resource);
    }
    pool.share_resource(Resource { tags, place, ..(**resource).clone() })
}

/// The old and the new declaration of a resource whose declaration changed.
pub(super) struct Redeclaration<'d> {
    pub(super) digests: DeclarationDigests,
    /// The digest of the defaults of the scopes around it; `None`: they cannot be compared.
    pub(super) defaults: Option<Digest>,
    /// All of its parameters that were or are declared: of a native type by who declares it, of any other by its own body. `None`:
    /// nobody says so.
    pub(super) parameters: Option<&'d DeclarationChange>,
}

/// Returns the redeclaration of the resource at this index, if there is one.
pub(super) fn redeclaration<'d>(
    body_changes: &'d [NodeBodyChange],
    of: &LastAnswer,
    at: u32,
) -> Option<Redeclaration<'d>> {
    let resource = of.resources().get(at as usize)?;
    let named = resource_key(resource);
    let walk = |body_change: &NodeBodyChange| &of.walks[body_change.at];
    let declared = body_changes
        .iter()
        .find_map(|body_change| Some((body_change.change.diff.changed.get(&named)?, walk(body_change))));
    let own = body_changes.iter().find(|body_change| walk(body_change).resource == at);
    let own = own.and_then(|body_change| Some((body_change.change.diff.parameters.as_ref()?, walk(body_change))));
    let (first, walk) = declared.or(own)?;
    let as_what = match (declared, own) {
        (Some((declared, _)), Some((own, _))) => both(declared.digests, own.digests),
        _ => first.digests,
    };
    let parameters = if resource.kind == ResourceTypeKind::Native { declared } else { own };
    Some(Redeclaration {
        digests: as_what,
        defaults: walk.defaults_digest,
        parameters: parameters.map(|(changed, _)| changed),
    })
}

fn both(one: DeclarationDigests, other: DeclarationDigests) -> DeclarationDigests {
    let both = |one, other| Digester::new(b"both").digest(one).digest(other).finish();
    (both(one.0, other.0), both(one.1, other.1))
}

/// A resource with other values for parameters that it has, where these are all that is otherwise, and stand in a catalog as
/// they are declared.
pub(super) fn with_values(old: &Resource, changed: &DeclarationChange, on: &LastAnswer) -> Option<Resource> {
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

/// Returns true if a parameter may make a difference to anything but its resource.
fn concerns_others(name: &Str, of: Option<&TypeRef>) -> bool {
    let is_name = match of {
        Some(of) => of.namevars().contains(name),
        None => matches!(name.as_str(), "name" | "title"),
    };
    is_name || METAPARAMETERS.contains(&name.as_str())
}

/// The resources that body changes name, wherever they are declared.
#[derive(Default)]
pub(super) struct AffectedResources<'d> {
    /// By their titles, which most resources have alone.
    types: FxHashMap<&'d str, Vec<&'d str>>,
    /// Of these titles.
    lengths: Lengths,
}

/// The lengths of a set of texts: a text of another length is not in the set, and need not be compared.
#[derive(Clone, Copy, Default)]
pub(super) struct Lengths(u64);

impl Lengths {
    pub(super) fn add(&mut self, text: &str) {
        self.0 |= 1 << (text.len() % 64);
    }

    pub(super) fn may_contain(self, text: &str) -> bool {
        self.0 >> (text.len() % 64) & 1 != 0
    }
}

impl<'d> AffectedResources<'d> {
    pub(super) fn new(body_changes: &'d [NodeBodyChange], on: &'d LastAnswer) -> AffectedResources<'d> {
        let mut concerned = AffectedResources::default();
        for body_change in body_changes {
            let diff = &body_change.change.diff;
            let added = diff.added.iter().map(|added| &added.resource);
            for (type_name, title) in diff.changed.keys().chain(&diff.removed).chain(added) {
                concerned.add((type_name, title));
            }
            let own = on.resources().get(on.walks[body_change.at].resource as usize);
            own.filter(|_| diff.parameters.is_some()).into_iter().for_each(|own| concerned.add(type_and_title(own)));
        }
        concerned
    }

    fn add(&mut self, (type_name, title): (&'d str, &'d str)) {
        self.lengths.add(title);
        self.types.entry(title).or_default().push(type_name);
    }

    pub(super) fn has(&self, resource: &Resource) -> bool {
        self.lengths.may_contain(&resource.title)
            && self.types.get(resource.title.as_str()).is_some_and(|types| types.contains(&resource.type_name.as_str()))
    }
}

/// Its own tags, if its tags are these and the container's and no others.
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

/// Returns true if it passes more than its tags to the resources in it.
fn passes_on(container: &Resource) -> bool {
    let is_passed = |name: &str| METAPARAMETERS.contains(&name) && !RELATIONSHIPS.contains(&name);
    container.parameters.iter().any(|(name, _)| is_passed(name))
}

fn resource_key(resource: &Resource) -> ResourceKey {
    (resource.type_name.clone(), resource.title.clone())
}

fn is_edited(resource: &Resource, edit: &Edit) -> bool {
    resource.place.as_ref().is_some_and(|place| edit.is_in(&place.file))
}

pub(super) fn type_and_title(resource: &Resource) -> (&str, &str) {
    (&resource.type_name, &resource.title)
}

fn native_type(resource: &Resource, of: &LastAnswer) -> Option<TypeRef> {
    match resource.kind {
        ResourceTypeKind::Native => of.basis.ready.site.resource_type(&resource.type_name).ok()?,
        _ => None,
    }
}

/// Returns true if only parameters are otherwise that concern nothing but itself.
fn may_change(old: &Resource, new: &Resource, on: &LastAnswer) -> bool {
    let of = native_type(new, on);
    let names = old.parameters.iter().chain(&new.parameters).map(|(name, _)| name);
    let mut changed = names.filter(|name| !new.has_same_parameter_as(old, name));
    is_same_beside(old, new) && !changed.any(|name| concerns_others(name, of.as_ref()))
}

/// Returns a resource of a native type that has no name beside its title.
pub(super) fn is_plain(resource: &Resource, on: &LastAnswer) -> bool {
    let Some(of) = native_type(resource, on) else { return false };
    let given = |name: &str| resource.parameter(name).cloned();
    let key = of.uniqueness_key(&resource.title, given).unwrap_or_default();
    let is_title = |part: &Option<Value>| part.as_ref().and_then(Value::as_str) == Some(resource.title.as_str());
    resource.parameter("alias").is_none() && (!of.is_isomorphic() || key.iter().any(is_title))
}

/// Returns true if all is the same but for where it is declared.
fn is_same_elsewhere(old: &Resource, new: &Resource) -> bool {
    is_same_beside(old, new) && old.has_same_parameters_as(new)
}

/// Returns true if there is nothing that tells them apart.
pub(super) fn is_same(one: &Arc<Resource>, other: &Arc<Resource>) -> bool {
    Arc::ptr_eq(one, other) || one.is_same(other)
}

/// Returns true if all beside the parameters, and the place, is the same.
fn is_same_beside(old: &Resource, new: &Resource) -> bool {
    old.has_same_kind_as(new) && old.tags == new.tags
}
