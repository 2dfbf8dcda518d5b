//! Applies resource rewrites to a node's last catalog.

use std::sync::Arc;

use pantin_base::names::{RELATIONSHIPS, split_reference};
use pantin_compile::{BodyWalk, ObservedNames, WalkContent, Walks, presence_of_resource_hash};
use pantin_model::catalog;
use pantin_model::catalog::{Catalog, Resource};
use pantin_model::trace::{At, InsertionPoint, ResourceKey, TraceDiff, VariableChange};
use pantin_values::Value;
use rustc_hash::FxHashSet;

use super::PatchRefusal;
use super::affected_bodies::AffectedBodies;
use super::body_change::NodeBodyChange;
use super::edit::{Edit, FileEdit};
use super::last_answer::LastAnswer;
use super::resource_rewrites::{
    AffectedResources, ResourceRewrites, declared_by, declaring_run, is_plain, redeclaration, type_and_title,
    with_values,
};
use crate::query::blocks::DependencySet;
use crate::query::pool::Pool;

/// A place that is not known any more.
const UNKNOWN: u32 = u32::MAX;

/// The new version of a resource that an edited file declares, or that moved to another line.
struct ResourceReplacement {
    at: u32,
    /// `None`: it is removed.
    resource: Option<Arc<Resource>>,
}

/// A new resource, and the index in the catalog before which it is inserted.
struct Insertion {
    at: u32,
    resource: Arc<Resource>,
    /// Which of the edited bodies declares it, and, if it stands at a mark of that, which one.
    walk: usize,
    mark: Option<usize>,
    /// The place of what contains it.
    container: u32,
    /// Where the node has had none of its type before: what that depends on.
    dependencies: Option<DependencySet>,
}

/// A node about to be patched.
struct Patching<'p> {
    last: &'p LastAnswer,
    edit: &'p Edit,
    affected: &'p AffectedBodies<'p>,
    body_changes: &'p [NodeBodyChange],
    walks: Vec<&'p BodyWalk>,
    rewrites: &'p ResourceRewrites,
    pool: &'p Pool,
}

/// Returns the patched answer of a node whose body changes nothing observes; `Err`: why it may differ from a compiled one.
pub(super) fn patch_answer(
    last: &LastAnswer,
    edit: &Edit,
    body_changes: &[NodeBodyChange],
    affected: &AffectedBodies<'_>,
    rewrites: &ResourceRewrites,
    pool: &Pool,
) -> Result<LastAnswer, PatchRefusal> {
    let walks = body_changes.iter().map(|body_change| &last.walks[body_change.at]).collect();
    let patching = Patching { last, edit, affected, body_changes, walks, rewrites, pool };
    let spent_steps = patching.spent_steps().ok_or(PatchRefusal::TooManySteps)?;
    let replacements = patching.replacements()?;
    let insertions = patching.insertions()?;
    patching.check_insertions(&insertions, &replacements)?;
    patching.check_orphans(&replacements)?;
    Ok(patching.apply(&replacements, &insertions, spent_steps))
}

/// Checks that nothing outside the edited bodies observes their changes.
pub(super) fn check_unobserved(last: &LastAnswer, body_changes: &[NodeBodyChange]) -> Result<(), PatchRefusal> {
    // If a body no longer loads a file, another body loads it later.
    if !body_changes.is_empty() && !last.observed.is_in_any_order() {
        return Err(PatchRefusal::LoadOrderObserved);
    }
    body_changes.iter().try_for_each(|body_change| {
        let walk = &last.walks[body_change.at];
        let diff = &body_change.change.diff;
        if are_resources_bound(last, walk, diff) {
            return Err(PatchRefusal::ResourceBound);
        }
        if declares_replaced_class(last, diff) {
            return Err(PatchRefusal::BindingReplacements);
        }
        if are_resources_observed(last, walk, diff) {
            return Err(PatchRefusal::ResourceObserved);
        }
        if are_collected_by_tag(last, walk, diff) {
            return Err(PatchRefusal::CollectedByTag);
        }
        let is_observed = are_variables_observed(&last.observed, walk, diff);
        if is_observed { Err(PatchRefusal::VariableObserved) } else { Ok(()) }
    })
}

/// Returns true if bindings set parameters of a resource that changes, comes or goes, or of all of its type.
fn are_resources_bound(last: &LastAnswer, walk: &BodyWalk, diff: &TraceDiff) -> bool {
    let Some(bindings) = last.bindings.as_ref().filter(|bindings| bindings.injector.binds_resources()) else {
        return false;
    };
    let own = last.resources().get(walk.resource as usize).filter(|_| diff.parameters.is_some());
    let named = diff.removed.iter().chain(diff.added.iter().map(|added| &added.resource)).chain(diff.changed.keys());
    let named = named.map(|(type_name, title)| (type_name, title));
    let mut all = named.chain(own.map(|own| (&own.type_name, &own.title)));
    all.any(|(type_name, title)| bindings.injector.binds_resource(type_name, title))
}

/// Returns true if a class is declared otherwise that another one stands in the place of: that one has the parameters.
fn declares_replaced_class(last: &LastAnswer, diff: &TraceDiff) -> bool {
    let Some(bindings) = last.bindings.as_ref().filter(|bindings| bindings.injector.has_replacements()) else {
        return false;
    };
    let added = diff.added.iter().map(|added| &added.resource);
    let mut named = diff.changed.keys().chain(&diff.removed).chain(added);
    named.any(|(of, title)| of == "Class" && bindings.injector.replaces_class(&title.to_lowercase()))
}

/// Returns true if something else than bodies looks at the parameters of a resource that changes, or at whether one is
/// there that comes or goes.
fn are_resources_observed(last: &LastAnswer, walk: &BodyWalk, diff: &TraceDiff) -> bool {
    let observed = &last.observed;
    let own = last.resources().get(walk.resource as usize).filter(|_| diff.parameters.is_some());
    let mut come_or_gone = diff.removed.iter().chain(diff.added.iter().map(|added| &added.resource));
    let is_own_unseen = match own {
        Some(own) => observed.is_unseen(&own.type_name, &own.title),
        None => diff.parameters.is_none(),
    };
    !is_own_unseen
        || !diff.changed.keys().all(|(type_name, title)| observed.is_unseen(type_name, title))
        || !come_or_gone.all(|resource| is_quiet(last, walk, resource))
}

/// Returns true if nothing but this walk observes whether a resource is there, or more of it.
fn is_quiet(last: &LastAnswer, walk: &BodyWalk, (type_name, title): &ResourceKey) -> bool {
    let presence = presence_of_resource_hash(type_name, title);
    let asks = |other: &BodyWalk| !std::ptr::eq(other, walk) && other.reads.binary_search(&presence).is_ok();
    last.observed.is_quiet(type_name, title) && !last.walks.iter().any(asks)
}

/// Returns true if a collector may match by a tag what changes or goes. What comes has no tags before it is there.
fn are_collected_by_tag(last: &LastAnswer, walk: &BodyWalk, diff: &TraceDiff) -> bool {
    let own = last.resources().get(walk.resource as usize).filter(|_| diff.parameters.is_some());
    let is_collected = |key: &ResourceKey, is_presence_enough: bool| {
        let tags = || last.resource(key).map(|resource| resource.tags.iter());
        last.observed.may_collect_by_tag(&key.0, tags, is_presence_enough)
    };
    diff.removed.iter().any(|key| is_collected(key, true))
        || diff.changed.keys().any(|key| is_collected(key, false))
        || own.is_some_and(|own| is_collected_by_tag(last, own, false))
}

/// Returns true if something else than the questions of bodies reads a variable that changes, or lists the variables of
/// a class where one comes or goes.
fn are_variables_observed(observed: &ObservedNames, walk: &BodyWalk, diff: &TraceDiff) -> bool {
    // An unknown value counts as a change; undef counts as absent.
    let is_there = |value: &Option<Value>| value.as_ref().map(|value| !value.is_undef());
    let may_come_or_go = |one: &VariableChange| {
        let (before, now) = (is_there(&one.before), is_there(&one.now));
        before.is_none() || before != now
    };
    let are_names_kept = observed.are_names_unread(&walk.name) || !diff.variables.iter().any(may_come_or_go);
    !are_names_kept || !diff.variables.iter().all(|variable| observed.is_unread(&walk.name, &variable.name))
}

/// Returns true if a collector may match a resource by one of its tags.
pub(super) fn is_collected_by_tag(last: &LastAnswer, resource: &Resource, is_presence_enough: bool) -> bool {
    last.observed.may_collect_by_tag(&resource.type_name, || Some(resource.tags.iter()), is_presence_enough)
}

impl Patching<'_> {
    /// Replacements for all resources that edited files declare, or that moved to another line, in the order of the catalog.
    fn replacements(&self) -> Result<Vec<ResourceReplacement>, PatchRefusal> {
        let mut replacements = Vec::new();
        let concerned = AffectedResources::new(self.body_changes, self.last);
        // Resources of one file stand beside each other.
        let mut last: Option<(&Arc<str>, FileEdit<'_>)> = None;
        for (at, old) in (0..).zip(self.last.resources()) {
            let Some(place) = &old.place else {
                // A class that was included stands nowhere.
                if concerned.has(old) {
                    replacements.push(self.replacement(at, old)?);
                }
                continue;
            };
            let file_edit = match last {
                Some((file, file_edit)) if Arc::ptr_eq(file, &place.file) => file_edit,
                _ => self.edit.file_edit(&place.file),
            };
            last = Some((&place.file, file_edit));
            match file_edit {
                FileEdit::Nothing if !concerned.has(old) => continue,
                FileEdit::Moved(lines) if !concerned.has(old) => {
                    let line = lines.now(place.line).ok_or(PatchRefusal::UnknownPosition)?;
                    if line != place.line {
                        let place = catalog::Place { line, ..place.clone() };
                        replacements.push(ResourceReplacement { at, resource: Some(self.placed(old, place)) });
                    }
                    continue;
                }
                _ => {}
            }
            replacements.push(self.replacement(at, old)?);
        }
        Ok(replacements)
    }

    fn replacement(&self, at: u32, old: &Arc<Resource>) -> Result<ResourceReplacement, PatchRefusal> {
        let named = (old.type_name.clone(), old.title.clone());
        // What comes must not be there.
        if self
            .body_changes
            .iter()
            .flat_map(|body_change| &body_change.change.diff.added)
            .any(|added| added.resource == named)
        {
            return Err(PatchRefusal::AlreadyThere);
        }
        let is_gone = self.body_changes.iter().any(|body_change| body_change.change.diff.removed.contains(&named));
        if is_gone && !is_plain(old, self.last) {
            return Err(PatchRefusal::NotPlain);
        }
        let resource = match is_gone {
            true => None,
            false => Some(self.resource(at, old, &named).ok_or(PatchRefusal::NotShown)?),
        };
        Ok(ResourceReplacement { at, resource })
    }

    fn resource(&self, at: u32, old: &Arc<Resource>, named: &ResourceKey) -> Option<Arc<Resource>> {
        let by = declared_by(at, self.last, self.body_changes);
        if let Some(redeclared) = redeclaration(self.body_changes, self.last, at) {
            let as_what = (redeclared.digests, redeclared.defaults?);
            let known = self.rewrites.changed_resource(old, as_what, by, self.place_now(old, named), self.pool);
            // Or it is this node's own.
            return known.or_else(|| {
                let new = with_values(old, redeclared.parameters?, self.last)?;
                let new = Resource { place: self.place_now(old, named)?, ..new };
                Some(if Arc::strong_count(old) > 1 { self.pool.share_resource(new) } else { Arc::new(new) })
            });
        }
        if let Some(known) = self.rewrites.moved_resource(old, by) {
            return Some(known);
        }
        // It is this node's own. What is declared as it was is the same at another place.
        let place = self.place_now(old, named)??;
        Some(self.placed(old, place))
    }

    /// Where it is declared now; `None`: unknown.
    #[allow(clippy::option_option)]
    fn place_now(&self, old: &Resource, named: &ResourceKey) -> Option<Option<catalog::Place>> {
        let Some(known) = &old.place else { return Some(None) };
        match self.edit.file_edit(&known.file) {
            FileEdit::Nothing => Some(Some(known.clone())),
            FileEdit::Moved(lines) => Some(Some(catalog::Place { line: lines.now(known.line)?, ..known.clone() })),
            FileEdit::Bodies => {
                let at = self.body_changes.iter().find_map(|body_change| body_change.change.diff.places.get(named))?;
                place(&at, old).map(Some)
            }
        }
    }

    fn placed(&self, old: &Arc<Resource>, place: catalog::Place) -> Arc<Resource> {
        let placed = Resource { place: Some(place), ..(**old).clone() };
        // A resource that no other node shared will not be shared now either.
        if Arc::strong_count(old) > 1 { self.pool.share_resource(placed) } else { Arc::new(placed) }
    }

    /// Returns all added resources with the indices at which they are inserted, in order.
    fn insertions(&self) -> Result<Vec<Insertion>, PatchRefusal> {
        let resources = self.last.resources();
        let mut insertions: Vec<Insertion> = Vec::new();
        for (number, (body_change, walk)) in self.body_changes.iter().zip(&self.walks).enumerate() {
            for added in &body_change.change.diff.added {
                let container = resources.get(walk.resource as usize).ok_or(PatchRefusal::NotADefinition)?;
                let defaults = walk.defaults_digest.ok_or(PatchRefusal::NotShown)?;
                let what = (&added.resource, added.meaning, defaults);
                let place = |like: &Resource| place(&body_change.change.diff.places.get(&added.resource)?, like);
                let known = self.rewrites.added_resource(what, container, declaring_run(body_change), place, self.pool);
                let (resource, dependencies) = known.ok_or(PatchRefusal::NotShown)?;
                if is_collected_by_tag(self.last, &resource, true) {
                    return Err(PatchRefusal::CollectedByTag);
                }
                let is_known = resources.iter().any(|one| one.type_name == resource.type_name);
                let dependencies = (!is_known).then(|| dependencies.clone());
                let position = self.position(body_change, &added.position);
                let (at, mark) = position.ok_or(PatchRefusal::UnknownPosition)?;
                // A resource around the container could pass more to it than to its contents, which are already evaluated.
                let around = self.last.catalog.edges.iter().filter(|(around, content)| {
                    *content == walk.resource && resources[*around as usize].type_name != "Stage"
                });
                let is_unsure = insertions.iter().any(|known| known.at == at && known.walk != number);
                if at as usize > resources.len() || around.count() > 1 || is_unsure {
                    return Err(PatchRefusal::UnknownPosition);
                }
                let container = walk.resource;
                insertions.push(Insertion { at, resource, walk: number, mark, container, dependencies });
            }
        }
        insertions.sort_by_key(|insertion| insertion.at);
        Ok(insertions)
    }

    /// Returns the index before which an added resource is inserted, and the mark of the body that it stands at.
    fn position(&self, body_change: &NodeBodyChange, position: &InsertionPoint) -> Option<(u32, Option<usize>)> {
        match position {
            InsertionPoint::Mark(mark) => Some((*self.last.walks.marks(body_change.at).get(*mark)?, Some(*mark))),
            InsertionPoint::Behind(named) => {
                let mut known = (0..).zip(self.last.resources());
                let (at, _) = known.find(|(_, one)| type_and_title(one) == (named.0.as_str(), named.1.as_str()))?;
                Some((at + 1, None))
            }
        }
    }

    /// Checks that nothing is added twice, and that everything that the added resources refer to exists and stays.
    fn check_insertions(
        &self,
        insertions: &[Insertion],
        replacements: &[ResourceReplacement],
    ) -> Result<(), PatchRefusal> {
        if insertions.is_empty() {
            return Ok(());
        }
        let (old, new) = (self.last.resources(), insertions.iter().map(|insertion| &insertion.resource));
        let named: FxHashSet<(&str, &str)> = new.clone().map(|one| type_and_title(one)).collect();
        let is_gone =
            |at: u32| replacements.iter().any(|replacement| replacement.at == at && replacement.resource.is_none());
        let is_there =
            |named: (&str, &str)| (0..).zip(old).any(|(at, one)| type_and_title(one) == named && !is_gone(at));
        if named.len() != insertions.len() {
            return Err(PatchRefusal::AlreadyThere);
        }
        let has_all = |one: &Arc<Resource>| {
            relationships(one, |other| other.filter(|other| named.contains(other) || is_there(*other)).map(|_| ()))
        };
        if new.clone().all(has_all) { Ok(()) } else { Err(PatchRefusal::NeedsMissing) }
    }

    /// Checks that no resource that stays may refer to a removed one.
    fn check_orphans(&self, replacements: &[ResourceReplacement]) -> Result<(), PatchRefusal> {
        let gone: FxHashSet<u32> = replacements
            .iter()
            .filter(|replacement| replacement.resource.is_none())
            .map(|replacement| replacement.at)
            .collect();
        if gone.is_empty() {
            return Ok(());
        }
        let resources = self.last.resources();
        let types: FxHashSet<&str> = gone.iter().map(|at| resources[*at as usize].type_name.as_str()).collect();
        let stays = (0..).zip(resources).filter(|(at, _)| !gone.contains(at)).map(|(_, one)| one);
        // A name that is no title of what stays may be another name of anything of its type.
        let there: FxHashSet<(&str, &str)> = stays.clone().map(|one| type_and_title(one)).collect();
        let is_sure = |named: Option<(&str, &str)>| {
            named.filter(|named| !types.contains(named.0) || there.contains(named)).map(|_| ())
        };
        let are_all_sure = stays.clone().all(|one| relationships(one, is_sure));
        if are_all_sure { Ok(()) } else { Err(PatchRefusal::StillNeeded) }
    }

    fn apply(&self, replacements: &[ResourceReplacement], insertions: &[Insertion], spent_steps: u64) -> LastAnswer {
        let last = self.last;
        let old = last.resources();
        let mut resources = Vec::with_capacity(old.len() + insertions.len());
        // Where each of the old resources stands now.
        let mut places: Vec<Option<u32>> = Vec::with_capacity(old.len());
        let mut new_places = Vec::with_capacity(insertions.len());
        let (mut replacements, mut waiting) = (replacements.iter().peekable(), insertions.iter().peekable());
        loop {
            // Most stay what they are.
            let here = places.len();
            let next = replacements
                .peek()
                .map(|replacement| replacement.at)
                .into_iter()
                .chain(waiting.peek().map(|insertion| insertion.at));
            let next = next.min().map_or(old.len(), |next| (next as usize).min(old.len()));
            places.extend((resources.len() as u32..).take(next - here).map(Some));
            resources.extend_from_slice(&old[here..next]);
            while let Some(insertion) = waiting.next_if(|insertion| insertion.at as usize == next) {
                new_places.push(resources.len() as u32);
                resources.push(Arc::clone(&insertion.resource));
            }
            let Some(replacement) = replacements.next_if(|replacement| replacement.at as usize == next) else {
                if next == old.len() {
                    break;
                }
                continue;
            };
            places.push(replacement.resource.as_ref().map(|_| resources.len() as u32));
            resources.extend(replacement.resource.clone());
        }
        let place = |at: u32| places.get(at as usize).copied().flatten();
        let kept = last.catalog.edges.iter().filter_map(|(from, to)| Some((place(*from)?, place(*to)?)));
        let new = insertions.iter().zip(&new_places);
        let new = new.filter_map(|(insertion, at)| Some((place(insertion.container)?, *at)));
        let mut edges = Vec::with_capacity(last.catalog.edges.len() + insertions.len());
        edges.extend(kept.chain(new));
        edges.sort_by_key(|(_, content)| *content);
        let edges = if *edges == *last.catalog.edges { Arc::clone(&last.catalog.edges) } else { edges.into() };
        let catalog = Arc::new(Catalog { resources, edges, ..without_contents(&last.catalog) });
        LastAnswer {
            answer: Arc::new(last.answer.with_patched_catalog(&catalog)),
            dependencies: self.dependencies(insertions),
            basis: last.basis.clone(),
            catalog,
            walks: self.walks_now(&places, insertions),
            spent_steps,
            observed: Arc::clone(&last.observed),
            bindings: self.affected.bindings.clone().or_else(|| last.bindings.clone()),
            lookup_observations: last
                .lookup_observations
                .with_inner(&self.affected.inner)
                .map_or_else(|| Arc::clone(&last.lookup_observations), Arc::new),
        }
    }

    /// Returns how many steps all bodies take now; `None`: more than they may.
    fn spent_steps(&self) -> Option<u64> {
        let mut spent = self.last.spent_steps;
        for (body_change, walk) in self.body_changes.iter().zip(&self.walks) {
            let before = walk.end.as_ref().map_or(0, |end| end.spent_steps);
            spent = spent.saturating_sub(before).saturating_add(body_change.change.end.spent_steps);
        }
        (spent <= self.last.basis.ready.site.max_steps()).then_some(spent)
    }

    fn dependencies(&self, insertions: &[Insertion]) -> DependencySet {
        let dependencies = self.last.dependencies.union(&self.affected.dependencies);
        // What was learnt of several bodies at once depends on the same.
        let mut more: Vec<&DependencySet> =
            self.body_changes.iter().map(|body_change| &body_change.change.dependencies).collect();
        more.extend(insertions.iter().filter_map(|insertion| insertion.dependencies.as_ref()));
        more.dedup();
        more.into_iter().fold(dependencies, |dependencies, more| dependencies.union(more))
    }

    /// Returns the walks as they would be now.
    fn walks_now(&self, places: &[Option<u32>], insertions: &[Insertion]) -> Walks {
        let gone: Vec<u32> = (0..).zip(places).filter(|(_, place)| place.is_none()).map(|(at, _)| at).collect();
        let is_moved = !insertions.is_empty() || !gone.is_empty();
        let mut walks = self.last.walks.clone();
        if is_moved {
            let now = |place: u32| places.get(place as usize).copied().flatten().unwrap_or(UNKNOWN);
            walks.iter_mut().for_each(|walk| walk.resource = now(walk.resource));
            for at in 0..walks.len() {
                let own = self.body_changes.binary_search_by_key(&at, |body_change| body_change.at).ok();
                for (mark, number) in walks.marks_mut(at).iter_mut().zip(0..) {
                    *mark = moved(*mark, own.map(|walk| (walk, number)), &gone, insertions);
                }
            }
        }
        for body_change in self.body_changes {
            let Some(walk) = walks.get_mut(body_change.at) else { continue };
            let (key, end) = (body_change.change.key, Some(Arc::clone(&body_change.change.end)));
            let mut reads: Vec<u32> = walk.reads.iter().chain(&*body_change.change.files).copied().collect();
            let sought = &body_change.change.diff.newly_sought;
            reads.extend(sought.iter().map(|(type_name, title)| presence_of_resource_hash(type_name, title)));
            reads.sort_unstable();
            reads.dedup();
            walk.through =
                self.pool.share_walk(WalkContent { key, end, reads: reads.into(), ..(*walk.through).clone() });
        }
        walks
    }
}

/// The file is the resource's own: a body stands in one.
fn place(at: &At, old: &Resource) -> Option<catalog::Place> {
    let file = old.place.as_ref().map(|place| &place.file).filter(|file| at.unit.source.name() == Some(file))?;
    Some(catalog::Place { file: Arc::clone(file), line: at.place().line()? })
}

/// Returns true if this can be said of all that a resource names in its relationships. What is no name is `None`.
fn relationships<'r>(resource: &'r Resource, can: impl Fn(Option<(&'r str, &'r str)>) -> Option<()>) -> bool {
    let values = RELATIONSHIPS.iter().filter_map(|name| resource.parameter(name));
    values.into_iter().all(|value| match value {
        Value::Array(items) => items.iter().all(|item| can(item.as_str().and_then(split_reference)).is_some()),
        one => can(one.as_str().and_then(split_reference)).is_some(),
    })
}

/// Returns the new index of a mark. `own`: the edited body, and the index of its mark. If a resource was inserted at a
/// mark, a mark of another body at the same index may stand before or behind it: that one becomes unknown. `gone`: the
/// removed indices.
fn moved(mark: u32, own: Option<(usize, usize)>, gone: &[u32], insertions: &[Insertion]) -> u32 {
    if mark == UNKNOWN {
        return UNKNOWN;
    }
    let gone = gone.partition_point(|at| *at < mark) as u32;
    let mut come = 0;
    for insertion in insertions {
        let is_before = match (insertion.mark, own) {
            _ if insertion.at != mark => insertion.at < mark,
            (None, _) => true,
            (Some(of), Some((walk, number))) if walk == insertion.walk => number > of,
            (Some(_), _) => return UNKNOWN,
        };
        come += u32::from(is_before);
    }
    mark - gone + come
}

fn without_contents(catalog: &Catalog) -> Catalog {
    Catalog {
        name: catalog.name.clone(),
        version: catalog.version.clone(),
        code_id: catalog.code_id.clone(),
        environment: catalog.environment.clone(),
        tags: Arc::clone(&catalog.tags),
        classes: Arc::clone(&catalog.classes),
        bound_edges: Arc::clone(&catalog.bound_edges),
        ..Catalog::default()
    }
}
