//! Begins a partial run from its seeds, and tells at its end what was selected and why.

use pantin_values::Value;
use rustc_hash::FxHashSet;

use super::seeds::Seeds;
use super::selection::Selection;
use super::{NodeKind, Transaction};
use crate::footprint::ResolvedPaths;
use crate::managed::{Managed, StateCheck};
use crate::plan::{Because, ChangeOrigin, PlannedChange, PlannedResource, SeedReason};
use crate::report::{Event, EventStatus};
use crate::state::Outcome;
use crate::value::text;

impl Transaction<'_> {
    /// Takes over the seeds, and finds out what must be looked at before them.
    pub(super) fn begin_selection(&mut self, seeds: Seeds) {
        let unknown = |(resource, because): (String, String)| PlannedResource { resource, because };
        self.plan.unknown = seeds.unknown.into_iter().map(unknown).collect();
        let mut by_vertex = rustc_hash::FxHashMap::default();
        for number in 0..self.nodes.len() as u32 {
            let Some(reason) = seeds.reasons.get(&self.info(number).reference) else { continue };
            let is_settled = matches!(reason, SeedReason::OwesRefresh(_)) && !self.owes_refresh(number);
            if matches!(self.node(number).kind, NodeKind::Resource(_)) && !is_settled {
                by_vertex.insert(number, reason.clone());
            }
        }
        let mut open: Vec<u32> = by_vertex.keys().copied().collect();
        open.sort_unstable();
        self.selection = Some(Selection::new(by_vertex, ResolvedPaths::new(self.around.machine)));
        self.begin_interrupted();
        let judged = self.possible_targets(open);
        for number in judged.iter().copied() {
            self.look_at_dependencies(number, number);
        }
        for number in self.possibly_asked(&judged) {
            self.look_at_dependencies(number, number);
        }
    }

    fn owes_refresh(&self, number: u32) -> bool {
        let reference = &self.info(number).reference;
        let row = self.history.as_ref().and_then(|history| history.row(reference));
        row.is_some_and(|row| !row.owed.is_empty()) && !self.is_marked_noop(number)
    }

    /// Takes what was under way when a run ended for a change that was made before this one.
    fn begin_interrupted(&mut self) {
        let Some(history) = &self.history else { return };
        let rows = history.rows().filter(|row| matches!(row.outcome, Outcome::UnderWay | Outcome::RefreshUnderWay));
        let interrupted: Vec<_> = rows.map(|row| (row.reference.clone(), row.footprint.clone())).collect();
        for (reference, recorded) in interrupted {
            let number = self.nodes.iter().position(|node| node.info.reference == reference).map(|at| at as u32);
            let footprint = number.and_then(|number| self.managed(number)).map_or(recorded, Managed::footprint);
            let containers = number.map(|number| self.own_containers(number));
            let Some(selection) = &mut self.selection else { return };
            selection.add_change(number.map_or(ChangeOrigin::EarlierRun, ChangeOrigin::ThisRun), &footprint);
            if let (Some(number), Some(containers)) = (number, containers) {
                selection.add_reach(number, &containers);
            }
        }
    }

    /// Returns these vertices, and all that their events may refresh.
    fn possible_targets(&self, mut open: Vec<u32>) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = open.iter().copied().collect();
        let mut found = open.clone();
        while let Some(next) = open.pop() {
            for edge in self.walk.edges(next).iter().filter(|edge| edge.passes_events) {
                if self.can_refresh(edge.target) && seen.insert(edge.target) {
                    open.push(edge.target);
                    found.push(edge.target);
                }
            }
        }
        found.retain(|number| matches!(self.node(*number).kind, NodeKind::Resource(_)));
        found
    }

    /// Returns those whose checks may be run if these change.
    fn possibly_asked(&self, changing: &[u32]) -> Vec<u32> {
        let mut behind: FxHashSet<u32> = changing.iter().copied().collect();
        let mut open = changing.to_vec();
        while let Some(next) = open.pop() {
            open.extend(self.walk.edges(next).iter().map(|edge| edge.target).filter(|target| behind.insert(*target)));
        }
        let place = |number: u32| self.places.get(&number).copied().unwrap_or(u32::MAX);
        let first = changing.iter().map(|number| place(*number)).min();
        let containers: FxHashSet<u32> = changing.iter().flat_map(|number| self.own_containers(*number)).collect();
        let asks_all = self.around.settings.scope.asks_all;
        let may_be_asked = |number: &u32| {
            let is_command = self.managed(*number).is_some_and(|one| one.state_check() == StateCheck::Command);
            let is_inside = || self.all_containers(*number).iter().any(|container| containers.contains(container));
            let is_later = || first.is_some_and(|first| place(*number) > first);
            is_command && (behind.contains(number) || (is_later() && (asks_all || is_inside())))
        };
        (0..self.nodes.len() as u32).filter(may_be_asked).collect()
    }

    /// Passes a resource by that only its checks, or values that are not known yet, can tell of. Returns true if it was one.
    pub(super) fn is_passed_in_plan(&mut self, number: u32) -> bool {
        let scope = &self.around.settings.scope;
        if !scope.is_plan {
            return false;
        }
        let NodeKind::Resource(at) = self.node(number).kind else { return false };
        let is_command = self.managed(number).is_some_and(|one| one.state_check() == StateCheck::Command);
        let reason = match () {
            () if self.unresolved.contains_key(&at) => "it has a deferred value",
            () if is_command && !scope.plans_checks => "its checks are not run",
            () => {
                // One that waits for a refresh asks its checks with that.
                let waits = self.catalog.values(at).is_some_and(|values| values.is_true("refreshonly"));
                if is_command && !waits {
                    let reference = self.info(number).reference.clone();
                    self.plan.checks_run.push(reference);
                }
                return false;
            }
        };
        let resource = self.info(number).reference.clone();
        self.plan.unknown.push(PlannedResource { resource, because: reason.to_owned() });
        self.plan.has_more_to_do = true;
        if self.may_have_changed_in_plan(number) {
            let event = Event::of_resource("noop", EventStatus::Noop, "", self.now());
            self.queue_events(number, &[event], &[number]);
        }
        self.node_mut(number).queue.clear();
        true
    }

    /// Returns true if looking does not tell whether a resource is in step, or nobody wants it to be brought there.
    pub(super) fn is_not_verified(&self, number: u32) -> bool {
        let is_recorded = || self.managed(number).is_some_and(|one| one.state_check() == StateCheck::Record);
        self.around.settings.scope.is_verification && (self.is_marked_noop(number) || is_recorded())
    }

    /// Returns true if a plan takes it for possible that a resource changes although nobody has looked.
    pub(super) fn may_have_changed_in_plan(&self, number: u32) -> bool {
        let NodeKind::Resource(at) = self.node(number).kind else { return false };
        let Some(selection) = self.selection.as_ref().filter(|_| self.around.settings.scope.is_plan) else {
            return false;
        };
        let is_seed_or_told = matches!(selection.decisions.get(&number), Some(Because::Seed | Because::Told));
        let is_unseen = self.unresolved.contains_key(&at)
            || self.managed(number).is_some_and(|one| one.state_check() == StateCheck::Command);
        is_seed_or_told && is_unseen && !self.around.settings.scope.plans_checks
    }

    /// Tells what was selected and why, and what would be changed.
    pub(super) fn finish_plan(&mut self) {
        let known = self.declared_references();
        let rows = self.history.iter().flat_map(|history| history.rows());
        let is_removed = |row: &&crate::state::Row| !known.contains(row.reference.as_str()) && !row.digest.is_empty();
        let removed: Vec<String> = rows.filter(is_removed).map(|row| row.reference.clone()).collect();
        self.plan.removed = removed;
        if let Some(selection) = &self.selection {
            let is_recorded = |number: &u32| !self.makers.contains_key(number);
            for number in selection.visited.iter().copied().filter(is_recorded) {
                let resource = self.info(number).reference.clone();
                match selection.seeds.get(&number) {
                    Some(reason) => self.plan.seeds.push(PlannedResource { resource, because: reason.text() }),
                    None if selection.only_looked.contains(&number) => {}
                    None => {
                        let because = self.words_of_decision(selection.decisions.get(&number));
                        self.plan.looked_at.push(PlannedResource { resource, because });
                    }
                }
            }
            self.plan.left_alone = selection.left_alone.iter().filter(|number| is_recorded(number)).count() as u32;
        }
        for number in 0..self.nodes.len() as u32 {
            self.add_changes_of(number);
        }
    }

    /// Returns the names of what the catalog itself has, without what resources have made and what is removed.
    pub(super) fn declared_references(&self) -> FxHashSet<&str> {
        let is_declared = |number: &u32| !self.makers.contains_key(number) && !self.pruning.contains(number);
        let nodes = (0..).zip(&self.nodes).filter(|(number, _)| is_declared(number));
        nodes.map(|(_, node)| node.info.reference.as_str()).collect()
    }

    fn add_changes_of(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        if !matches!(node.kind, NodeKind::Resource(_)) {
            return;
        }
        let resource = &node.info.reference;
        let is_drift = self.selection.as_ref().is_some_and(|selection| selection.only_looked.contains(&number));
        let noop = || node.status.events.iter().filter(|event| event.status == EventStatus::Noop);
        if is_drift && noop().next().is_some() {
            self.plan.drifted.push(resource.clone());
        }
        self.plan.has_more_to_do |= node.was_told && self.around.settings.scope.is_plan;
        for event in noop().filter(|event| event.property.is_some()) {
            self.plan.changes.push(PlannedChange {
                resource: resource.clone(),
                property: event.property.clone().unwrap_or_default(),
                is: shown(&event.previous),
                should: shown(&event.desired),
            });
        }
    }

    fn words_of_decision(&self, because: Option<&Because>) -> String {
        let name = |number: &u32| self.info(*number).reference.as_str();
        match because {
            Some(Because::Seed) | None => String::new(),
            Some(Because::Before(later)) => format!("{} waits for it", name(later)),
            Some(Because::Told) => "an event of this run refreshes it".to_owned(),
            Some(Because::Meets(ChangeOrigin::ThisRun(by))) => format!("{} may have changed it", name(by)),
            Some(Because::Meets(ChangeOrigin::EarlierRun)) => {
                "what was under way when a run ended may have changed it".to_owned()
            }
            Some(Because::Behind(change)) => format!("it waits for {}", name(change)),
            Some(Because::SameContainer(change)) => format!("it stands with {}", name(change)),
            Some(Because::BehindAll) => "all checks behind a change are run".to_owned(),
            Some(Because::MadeBy(maker)) => format!("{} makes it", name(maker)),
            Some(Because::Drift) => "others may have changed it".to_owned(),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Binary(bytes) => String::from_utf8_lossy(bytes.bytes()).into_owned(),
        value => text(value).into_owned(),
    }
}
