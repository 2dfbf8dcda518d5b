//! Which resources a partial run applies: decided for each in its turn, by what has changed until then.

use std::path::Path;
use std::sync::Arc;

use pantin_machine::Time;
use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::{ChangeIndex, KnownChanges};
use super::{NodeKind, Transaction};
use crate::footprint::{Footprint, ResolvedPaths};
use crate::managed::{Managed, StateCheck};
use crate::plan::{Because, ChangeOrigin, DriftMode, SeedReason};
use crate::report::EventStatus;
use crate::resource::{Metaparameters, ResourceInfo};

/// What a partial run knows while it walks.
pub(super) struct Selection<'a> {
    pub seeds: FxHashMap<u32, SeedReason>,
    /// What is looked at because a seed, or what it may refresh, comes after it; with that one.
    pub before: FxHashMap<u32, u32>,
    /// Whose dependencies were added to `before`.
    pub expanded: FxHashSet<u32>,
    pub decisions: FxHashMap<u32, Because>,
    /// In the order of the walk.
    pub visited: Vec<u32>,
    pub left_alone: FxHashSet<u32>,
    /// Resources that are only looked at, to tell what others have changed.
    pub only_looked: FxHashSet<u32>,
    /// What was changed so far, by what it reaches.
    changes: ChangeIndex,
    change_count: u32,
    resolved: ResolvedPaths<'a>,
    /// The footprint of the resource whose turn it is, before its turn.
    footprint: Option<Footprint>,
    /// By vertex, a change that it waits for.
    behind: Vec<Option<u32>>,
    /// By class or defined resource, a change of what stands right in it.
    containers: FxHashMap<u32, u32>,
    has_changes: bool,
}

impl<'a> Selection<'a> {
    pub(super) fn new(seeds: FxHashMap<u32, SeedReason>, resolved: ResolvedPaths<'a>) -> Selection<'a> {
        Selection {
            seeds,
            before: FxHashMap::default(),
            expanded: FxHashSet::default(),
            decisions: FxHashMap::default(),
            visited: Vec::new(),
            left_alone: FxHashSet::default(),
            only_looked: FxHashSet::default(),
            changes: ChangeIndex::default(),
            change_count: 0,
            resolved,
            footprint: None,
            behind: Vec::new(),
            containers: FxHashMap::default(),
            has_changes: false,
        }
    }

    /// Takes over a change: of a resource, or of one that has left the catalog.
    pub(super) fn add_change(&mut self, by: ChangeOrigin, footprint: &Footprint) {
        self.resolved.forget();
        let after = self.resolved.resolve(footprint);
        let reach = match self.footprint.take() {
            Some(before) => before.union(&after),
            None => after,
        };
        self.changes.add(self.change_count, by, &reach);
        self.change_count += 1;
        self.has_changes = true;
    }

    /// Remembers which resources wait for a change, or stand in the same class or defined resource.
    pub(super) fn add_reach(&mut self, number: u32, containers: &[u32]) {
        self.has_changes = true;
        self.mark_behind(number, Some(number));
        for container in containers {
            self.containers.entry(*container).or_insert(number);
        }
    }

    fn mark_behind(&mut self, number: u32, change: Option<u32>) {
        let place = number as usize;
        if self.behind.len() <= place {
            self.behind.resize(place + 1, None);
        }
        self.behind[place] = self.behind[place].or(change);
    }

    fn change_before(&self, number: u32) -> Option<u32> {
        self.behind.get(number as usize).copied().flatten()
    }
}

impl Transaction<'_> {
    /// Decides in its turn whether a vertex is applied. In a full run all are.
    pub(super) fn is_selected(&mut self, number: u32) -> bool {
        let Some(selection) = &self.selection else { return true };
        if selection.decisions.contains_key(&number) {
            return true;
        }
        match self.node(number).kind {
            NodeKind::Anchor { .. } => return true,
            NodeKind::Default | NodeKind::Replaced => return false,
            NodeKind::Resource(_) => {}
        }
        let Some(because) = self.reason_to_visit(number) else { return false };
        let only_looks = match because {
            Because::Drift => self.around.settings.scope.drift == Some(DriftMode::Look),
            Because::MadeBy(maker) => self.is_only_looked_at(maker),
            _ => false,
        };
        let info = &self.node(number).info;
        let noop = only_looks.then(|| {
            let metaparameters = Metaparameters { noop: Some(true), ..info.metaparameters.clone() };
            Arc::new(ResourceInfo { metaparameters, ..(**info).clone() })
        });
        if let Some(info) = noop {
            self.node_mut(number).info = info;
        }
        if let Some(selection) = &mut self.selection {
            selection.decisions.insert(number, because);
            selection.visited.push(number);
            if only_looks {
                selection.only_looked.insert(number);
            }
        }
        self.remember_footprint(number);
        true
    }

    /// Returns true if a resource is looked at only in order to tell what others have changed.
    pub(super) fn is_only_looked_at(&self, number: u32) -> bool {
        self.selection.as_ref().is_some_and(|selection| selection.only_looked.contains(&number))
    }

    /// Remembers what a resource reaches before its turn: a link leads elsewhere after it.
    fn remember_footprint(&mut self, number: u32) {
        let footprint = self.managed(number).map(Managed::footprint);
        if let Some(selection) = &mut self.selection {
            let footprint = footprint.map(|footprint| selection.resolved.resolve(&footprint));
            selection.footprint = footprint;
        }
    }

    fn reason_to_visit(&mut self, number: u32) -> Option<Because> {
        if let Some(maker) = self.makers.get(&number).copied() {
            return self.reason_to_visit_made(number, maker);
        }
        let selection = self.selection.as_ref()?;
        if selection.seeds.contains_key(&number) {
            return Some(Because::Seed);
        }
        if !self.node(number).queue.is_empty() {
            return Some(Because::Told);
        }
        match self.managed(number).map(Managed::state_check) {
            Some(StateCheck::Look) => self.reason_to_look(number),
            Some(StateCheck::Command) => self.reason_to_ask(number),
            // What is carried out by nobody was a failure before, and is a seed.
            Some(StateCheck::Record) | None => None,
        }
    }

    /// What another resource made is applied if that one is; if it comes before its maker, it was made because that one is.
    fn reason_to_visit_made(&self, number: u32, maker: u32) -> Option<Because> {
        let selection = self.selection.as_ref()?;
        let is_left_alone = selection.left_alone.contains(&maker);
        (!is_left_alone || !self.node(number).queue.is_empty()).then_some(Because::MadeBy(maker))
    }

    fn reason_to_look(&mut self, number: u32) -> Option<Because> {
        let drift = self.around.settings.scope.drift;
        if let Some(later) = self.selection.as_ref()?.before.get(&number) {
            return Some(Because::Before(*later));
        }
        if let Some(by) = self.change_that_meets(number) {
            return Some(Because::Meets(by));
        }
        drift.map(|_| Because::Drift)
    }

    /// Returns the origin of a change that may show in a resource.
    fn change_that_meets(&mut self, number: u32) -> Option<ChangeOrigin> {
        let footprint = self.managed(number)?.footprint();
        let selection = self.selection.as_mut()?;
        if selection.change_count == 0 {
            return None;
        }
        let footprint = selection.resolved.resolve(&footprint);
        let family: FxHashSet<u32> = [number].into_iter().collect();
        selection.changes.find(&footprint, &KnownChanges { changes: 0, family: &family })
    }

    fn reason_to_ask(&self, number: u32) -> Option<Because> {
        let selection = self.selection.as_ref()?;
        if let Some(change) = selection.change_before(number) {
            return Some(Because::Behind(change));
        }
        let containers = self.all_containers(number);
        if let Some(change) = containers.iter().find_map(|container| selection.containers.get(container)) {
            return Some(Because::SameContainer(*change));
        }
        (self.around.settings.scope.asks_all && selection.has_changes).then_some(Because::BehindAll)
    }

    /// Returns the classes and defined resources in which a resource stands, the innermost ones; of what another resource made, that one's.
    pub(super) fn own_containers(&self, number: u32) -> Vec<u32> {
        let mut declared = number;
        while let Some(maker) = self.makers.get(&declared) {
            declared = *maker;
        }
        self.containers.get(declared as usize).map(|containers| containers.to_vec()).unwrap_or_default()
    }

    /// Returns all classes and defined resources that contain a resource, from the inside out.
    pub(super) fn all_containers(&self, number: u32) -> Vec<u32> {
        let mut found = self.own_containers(number);
        let mut at = 0;
        while let Some(container) = found.get(at).copied() {
            at += 1;
            let above = self.containers.get(container as usize).into_iter().flatten();
            let above: Vec<u32> = above.copied().filter(|above| !found.contains(above)).collect();
            found.extend(above);
        }
        found
    }

    /// Passes a vertex by: nothing is done with it.
    pub(super) fn leave_alone(&mut self, number: u32) {
        self.node_mut(number).seen_changes = self.changes.count();
        self.propagate_failures(number);
        let is_resource = matches!(self.node(number).kind, NodeKind::Resource(_));
        if let Some(selection) = self.selection.as_mut().filter(|_| is_resource) {
            selection.left_alone.insert(number);
        }
    }

    /// Returns true if a resource only gets its refresh: what it does by itself it has done for this description.
    pub(super) fn is_only_refreshed(&self, number: u32) -> bool {
        let Some(selection) = &self.selection else { return false };
        let is_by_record = self.managed(number).is_some_and(|one| one.state_check() == StateCheck::Record);
        is_by_record && !selection.seeds.get(&number).is_some_and(SeedReason::runs_again)
    }

    /// Ends the turn of a vertex: what it changed, and who comes after it.
    pub(super) fn end_turn(&mut self, number: u32) {
        if self.selection.is_some() {
            self.note_change(number);
            let targets: Vec<u32> = self.walk.edges(number).iter().map(|edge| edge.target).collect();
            if let Some(selection) = &mut self.selection {
                let change = selection.change_before(number);
                targets.into_iter().for_each(|target| selection.mark_behind(target, change));
            }
        }
        self.walk.finish(number);
    }

    fn note_change(&mut self, number: u32) {
        let has_changed = self.has_changed(number);
        let may_change = self.may_have_changed_in_plan(number);
        if has_changed || may_change {
            let footprint = self.managed(number).map_or(Footprint::Nothing, Managed::footprint);
            let containers = self.own_containers(number);
            let Some(selection) = &mut self.selection else { return };
            if has_changed {
                selection.add_change(ChangeOrigin::ThisRun(number), &footprint);
            }
            selection.add_reach(number, &containers);
        }
        if let Some(selection) = &mut self.selection {
            selection.footprint = None;
        }
    }

    /// Returns true if a resource has changed something, or has run a command in order to. In a run that changes nothing: if it would.
    fn has_changed(&self, number: u32) -> bool {
        let NodeKind::Resource(_) = self.node(number).kind else { return false };
        if self.is_only_looked_at(number) {
            return false;
        }
        let (node, status) = (self.node(number), &self.node(number).status);
        if self.around.settings.noop && self.is_noop(number) && !self.is_marked_noop(number) {
            return node.was_told || status.events.iter().any(|event| event.status == EventStatus::Noop);
        }
        if self.is_noop(number) {
            return false;
        }
        let has_failed_to_change =
            status.events.iter().any(|event| event.status == EventStatus::Failure && event.property.is_some());
        let has_begun_to_change = || match self.managed(number).map(Managed::footprint) {
            Some(Footprint::Files(files)) => {
                files.writes_anything || files.writes.iter().any(|path| self.has_changed_since(path, status.time))
            }
            Some(Footprint::Nothing) | None => false,
            Some(_) => true,
        };
        status.is_changed
            || status.is_restarted
            || status.is_failed_to_restart
            || (has_failed_to_change && has_begun_to_change())
    }

    /// Returns true if something that stands at a path may have changed since a time: a file is there although its owner could not be
    /// set. The clock of a file system is behind that of the machine, by less than a second.
    fn has_changed_since(&self, path: &Path, time: Time) -> bool {
        let stat = self.around.machine.stat(path, false);
        stat.is_ok_and(|stat| stat.is_some_and(|stat| stat.stamp.ctime.seconds + 1 >= time.seconds))
    }

    /// Returns true if a resource is noop by its own description, and not because the run is.
    pub(super) fn is_marked_noop(&self, number: u32) -> bool {
        self.info(number).metaparameters.noop == Some(true)
    }

    /// Adds all that a vertex waits for, however far, to what is looked at.
    pub(super) fn look_at_dependencies(&mut self, number: u32, because: u32) {
        if self.selection.is_none() {
            return;
        }
        let mut open = vec![number];
        while let Some(next) = open.pop() {
            let dependencies: Vec<u32> = self.walk.dependencies(next).to_vec();
            for dependency in dependencies {
                let can_be_looked_at = matches!(self.node(dependency).kind, NodeKind::Resource(_))
                    && self.managed(dependency).is_some_and(|one| one.state_check() == StateCheck::Look);
                let Some(selection) = &mut self.selection else { return };
                if can_be_looked_at {
                    selection.before.entry(dependency).or_insert(because);
                }
                if selection.expanded.insert(dependency) {
                    open.push(dependency);
                }
            }
        }
    }
}
