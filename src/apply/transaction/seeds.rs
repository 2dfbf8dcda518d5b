//! Finds the resources with which a partial run begins: their digests are compared with the table of the last runs.

use pantin_machine::ReadOnly;
use pantin_model::graph::{Vertex, Walk, WalkVertex};
use pantin_values::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Prepared, Surroundings};
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::footprint::{Footprint, ResolvedPaths};
use crate::log::{Level, Log, NoLog};
use crate::plan::{Placed, SeedInputs, SeedReason, reason_of_row, reordered};
use crate::state::{Applied, Outcome, digest};
use crate::value::text;

/// The resources with which a partial run begins, by their references.
#[derive(Default)]
pub(crate) struct Seeds {
    pub reasons: FxHashMap<String, SeedReason>,
    /// What is known only when it is applied, and why: a plan does not find it out.
    pub unknown: Vec<(String, String)>,
}

impl Prepared {
    /// Compares each resource with its row. `walk` is a fresh one of the catalog's graph.
    pub(crate) fn find_seeds(&mut self, walk: &Walk, around: Surroundings<'_>, history: &Applied<'_>) -> Seeds {
        let catalog = self.applied_catalog();
        let is_other_build = matches!(history.headers(), (Some(table), own) if table.build != own.build);
        let mut seeds = Seeds::default();
        for number in 0..self.resources.len() {
            let Some(known) = self.known_digest(number, &catalog, around, history) else { continue };
            let reference = self.resources[number].info.reference.clone();
            let row = history.row(&reference);
            let inputs = SeedInputs { digest: known.as_deref().ok(), is_other_build };
            let Some(reason) = reason_of_row(row, &inputs) else { continue };
            match (reason, known) {
                (SeedReason::NotKnownBefore, Err(UnknownDigest { reason, is_by_nature: true }))
                    if around.settings.scope.is_plan =>
                {
                    seeds.unknown.push((reference, reason));
                }
                (reason, _) => drop(seeds.reasons.insert(reference, reason)),
            }
        }
        self.add_reordered(walk, around, history, &mut seeds);
        seeds
    }

    /// Returns the digest of what is desired of a resource; nothing of what is only a container.
    fn known_digest(
        &mut self,
        number: usize,
        catalog: &AppliedCatalog,
        around: Surroundings<'_>,
        history: &Applied<'_>,
    ) -> Option<Result<String, UnknownDigest>> {
        let resource = &mut self.resources[number];
        if pantin_model::graph::is_container(self.catalog.resources.get(number)?) {
            return None;
        }
        if resource.unresolved.is_some() {
            return Some(Err(UnknownDigest { reason: "it has a deferred value".to_owned(), is_by_nature: true }));
        }
        let info = &resource.info;
        let learnt = match &mut resource.managed {
            Some(managed) => {
                let read_only = ReadOnly(around.machine);
                let log = Log::new(&NoLog, around.machine, Level::Crit);
                let context = ApplyContext {
                    machine: &read_only,
                    checks: &read_only,
                    settings: around.settings,
                    catalog,
                    resource: info,
                    sources: around.sources,
                    stop: around.stop,
                    log: &log,
                    providers: around.providers,
                    sums: around.sums,
                    is_noop: true,
                };
                if let Err(failure) = managed.learn(&context) {
                    let sources = resource.values.list("source");
                    let is_elsewhere = |source: &Value| text(source).starts_with("http");
                    let is_by_nature = sources.iter().any(is_elsewhere);
                    return Some(Err(UnknownDigest { reason: failure.to_string(), is_by_nature }));
                }
                managed.learnt_parts(catalog)
            }
            None => Vec::new(),
        };
        Some(Ok(digest(info, &resource.values, &learnt, catalog, history.key())))
    }

    /// Adds what has changed its order with what it meets.
    fn add_reordered(&self, walk: &Walk, around: Surroundings<'_>, history: &Applied<'_>, seeds: &mut Seeds) {
        let mut resolved = ResolvedPaths::new(around.machine);
        let mut known: Vec<(&str, u32, Footprint)> = Vec::new();
        for number in walk_order(walk) {
            let WalkVertex::OfGraph(Vertex::Resource(at)) = walk.vertex(number) else { continue };
            let resource = &self.resources[at as usize];
            let (Some(managed), Some(row)) = (&resource.managed, history.row(&resource.info.reference)) else {
                continue;
            };
            if row.digest.is_empty() || row.outcome == Outcome::KeptAway {
                continue;
            }
            known.push((&resource.info.reference, row.number, managed.footprint()));
        }
        if known.is_sorted_by_key(|(_, old, ..)| *old) {
            return;
        }
        known.iter_mut().for_each(|(.., footprint)| *footprint = resolved.resolve(footprint));
        let placed: Vec<Placed<'_>> =
            known.iter().map(|(reference, old, footprint)| Placed { reference, old: *old, footprint }).collect();
        for (reference, other) in reordered(&placed) {
            let reason = || SeedReason::Order(other.to_owned());
            seeds.reasons.entry(reference.to_owned()).or_insert_with(reason);
        }
    }

    /// Returns the resources that make others before anything is applied, where they are seeds or come before one.
    pub(crate) fn makers(&self, walk: &Walk, seeds: &Seeds) -> FxHashSet<String> {
        let reference = |number: u32| match walk.vertex(number) {
            WalkVertex::OfGraph(Vertex::Resource(at)) => Some(&self.resources[at as usize].info.reference),
            _ => None,
        };
        let is_seed = |number: &u32| reference(*number).is_some_and(|name| seeds.reasons.contains_key(name));
        let mut open: Vec<u32> = (0..walk.count()).filter(is_seed).collect();
        let mut seen: FxHashSet<u32> = open.iter().copied().collect();
        while let Some(next) = open.pop() {
            open.extend(walk.dependencies(next).iter().copied().filter(|dependency| seen.insert(*dependency)));
        }
        let is_concat = |name: &&String| name.starts_with("Concat_file[");
        let all = (0..walk.count()).filter_map(reference).filter(is_concat);
        seen.iter().filter_map(|number| reference(*number)).chain(all).cloned().collect()
    }
}

/// Why it is not known before its turn what should be of a resource.
struct UnknownDigest {
    reason: String,
    /// It can never be known before: nothing is wrong with it.
    is_by_nature: bool,
}

/// Returns the vertices in the order of a walk in which no resource makes others.
pub(super) fn walk_order(walk: &Walk) -> Vec<u32> {
    let mut walk = walk.clone();
    let mut order = Vec::with_capacity(walk.count() as usize);
    while let Some(number) = walk.next_ready() {
        order.push(number);
        walk.finish(number);
    }
    order
}
