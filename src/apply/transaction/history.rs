//! What a transaction records for the next run: steps in the journal, rows of the table.

use std::io;
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use super::changes::{ChangeIndex, KnownChanges};
use super::{Node, NodeKind, QueuedEvent, Transaction};
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint, ResolvedPaths};
use crate::managed::Managed;
use crate::report::{Event, EventStatus, Status};
use crate::state::{Applied, Entry, Outcome, Row, RunEnd, digest};
use crate::types::find_type;
use crate::value::is_word;

/// The journal of a run, and what it is told of one resource.
pub(super) struct ResourceJournal<'j, 'm> {
    pub applied: &'j mut Applied<'m>,
    pub reference: String,
    pub digest: String,
    pub tells: Vec<String>,
    pub writes: Vec<String>,
    pub time: i64,
    pub has_begun: bool,
}

impl ResourceJournal<'_, '_> {
    /// Records that the resource is about to be changed, once.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let (reference, digest) = (self.reference.clone(), self.digest.clone());
        let (tells, writes) = (self.tells.clone(), self.writes.clone());
        let entry = Entry::Begin { reference, digest, tells, writes, time: self.time, is_refresh: false };
        self.applied.write(&entry).map_err(|error| cannot_record(&error))
    }

    /// Records what became of it, if anything was begun.
    pub(super) fn done(&mut self, outcome: Outcome) -> Result<(), Failure> {
        if !self.has_begun {
            return Ok(());
        }
        let entry = Entry::Done { reference: self.reference.clone(), outcome };
        self.applied.write(&entry).map_err(|error| cannot_record(&error))
    }
}

fn cannot_record(error: &io::Error) -> Failure {
    Failure::new(format!("the journal cannot be written: {error}"))
}

impl Transaction<'_> {
    /// Whom a change of a resource would refresh, through the ends of containers.
    pub(super) fn told_by(&self, number: u32) -> Vec<String> {
        let mut seen = vec![number];
        let mut open = vec![number];
        let mut told = Vec::new();
        while let Some(next) = open.pop() {
            for edge in self.edges(next).iter().filter(|edge| edge.passes_events) {
                if seen.contains(&edge.target) {
                    continue;
                }
                seen.push(edge.target);
                match self.node(edge.target).kind {
                    NodeKind::Anchor { .. } => open.push(edge.target),
                    _ if self.can_refresh(edge.target) => told.push(self.info(edge.target).reference.clone()),
                    _ => {}
                }
            }
        }
        told
    }

    pub(super) fn digest_of(&self, number: u32) -> String {
        let NodeKind::Resource(at) = self.node(number).kind else { return String::new() };
        let (Some(history), Some(values)) = (&self.history, self.catalog.values(at)) else { return String::new() };
        digest(self.info(number), values, &self.learnt_parts(number), &self.catalog, history.key())
    }

    fn learnt_parts(&self, number: u32) -> Vec<String> {
        self.managed(number).map_or(Vec::new(), |managed| managed.learnt_parts(&self.catalog))
    }

    /// Records that refreshes are owed: their target did not get them, or the end of a container did not hand them on.
    pub(super) fn note_owed(&mut self, number: u32) {
        let node = self.node(number);
        let real = node.queue.iter().filter(|queued| queued.event.status != EventStatus::Noop);
        let mut because: Vec<String> = Vec::new();
        for source in real.flat_map(|queued| &queued.sources) {
            let reference = &self.info(*source).reference;
            if !because.contains(reference) {
                because.push(reference.clone());
            }
        }
        if because.is_empty() {
            return;
        }
        let targets = match node.kind {
            NodeKind::Resource(_) if self.is_noop(number) => Vec::new(),
            NodeKind::Resource(_) => vec![node.info.reference.clone()],
            NodeKind::Anchor { .. } => self.told_by(number),
            NodeKind::Default | NodeKind::Replaced => Vec::new(),
        };
        for target in targets {
            if let Some(history) = &mut self.history {
                // The event that was lost is told by the log in any case.
                let _ = history.note_owed(&target, because.clone());
            }
        }
    }

    /// Records that a refresh begins. A run that ends in the middle of it owes it, and those that it would tell.
    pub(super) fn begin_refresh(&mut self, number: u32) -> Result<(), Failure> {
        if self.history.is_none() || !matches!(self.node(number).kind, NodeKind::Resource(_)) {
            return Ok(());
        }
        let (digest, tells, writes) = (self.digest_of(number), self.told_by(number), self.paths_of(number));
        let (reference, time) = (self.info(number).reference.clone(), self.now().seconds);
        let Some(history) = &mut self.history else { return Ok(()) };
        let begin = Entry::Begin { reference, digest, tells, writes, time, is_refresh: true };
        history.write(&begin).map_err(|error| cannot_record(&error))
    }

    /// Records what became of a refresh.
    pub(super) fn end_refresh(&mut self, number: u32) {
        let reference = self.info(number).reference.clone();
        let status = &self.node(number).status;
        let outcome = match () {
            () if self.stopped.is_some() => Outcome::RefreshUnderWay,
            () if status.is_failed_to_restart => Outcome::FailedToRestart,
            () if status.has_failed() => Outcome::Failed,
            () => Outcome::Changed,
        };
        if let Some(history) = self.history.as_mut().filter(|history| history.has_journal()) {
            let _ = history.write(&Entry::Done { reference, outcome });
        }
    }

    /// Drops refreshes that earlier runs owe to what is noop by now, or because of whom nobody refreshes it any more.
    pub(super) fn settle_owed(&mut self) {
        let Some(history) = &self.history else { return };
        let owed: Vec<(String, Vec<String>)> =
            history.owed().map(|(target, sources)| (target.to_owned(), sources.to_vec())).collect();
        if owed.is_empty() {
            return;
        }
        let number = |reference: &String| self.nodes.iter().position(|node| node.info.reference == *reference);
        let mut kept: Vec<(String, Vec<String>)> = Vec::new();
        for (target, sources) in owed {
            // What is not in this catalog may come back.
            let Some(at) = number(&target) else { continue };
            let is_owed = |source: &&String| match number(source) {
                _ if self.is_marked_noop(at as u32) => false,
                // What another resource made tells whom that one tells.
                Some(source) => {
                    let maker = self.makers.get(&(source as u32)).copied();
                    self.told_by(maker.unwrap_or(source as u32)).contains(&target)
                }
                // What a resource makes has no row, and may be made again; a resource with a row has left the catalog.
                None => !history.has_row(source),
            };
            let sources = sources.iter().filter(is_owed).cloned().collect();
            kept.push((target, sources));
        }
        if let Some(history) = &mut self.history {
            kept.iter().for_each(|(target, sources)| history.retain_owed(target, |source| sources.contains(source)));
        }
    }

    /// Records that a refresh was made, or is needless.
    pub(super) fn note_refreshed(&mut self, number: u32) {
        let reference = self.info(number).reference.clone();
        let is_noted = |history: &&mut Applied<'_>| {
            history.has_journal() || history.row(&reference).is_some_and(|row| !row.owed.is_empty())
        };
        if let Some(history) = self.history.as_mut().filter(is_noted) {
            let _ = history.write(&Entry::Refreshed { reference });
        }
    }

    /// Lets the refreshes that earlier runs lost wait for the turn of a resource, where this run makes them.
    pub(super) fn queue_owed(&mut self, number: u32) {
        if !self.around.settings.scope.makes_owed || self.is_marked_noop(number) || !self.can_refresh(number) {
            return;
        }
        let reference = &self.info(number).reference;
        let Some(row) = self.history.as_ref().and_then(|history| history.row(reference)) else { return };
        let (owed, since) = (row.owed.clone(), row.owed_since);
        let status = if self.is_noop(number) { EventStatus::Noop } else { EventStatus::Success };
        for because in owed {
            let source = self.nodes.iter().position(|node| node.info.reference == because);
            let event = Event::of_resource("owed_refresh", status, "", self.now());
            let sources = source.into_iter().map(|source| source as u32).collect();
            let node = self.node_mut(number);
            node.owed_since = since.or(Some(0));
            node.queue.push(QueuedEvent { event, sources });
        }
    }

    /// Ends the records of a run: what each resource has now.
    pub(super) fn finish_history(&mut self) -> io::Result<()> {
        if self.history.is_none() || self.around.settings.noop {
            return Ok(());
        }
        if self.stopped.is_some() {
            (0..self.nodes.len() as u32).for_each(|number| self.note_owed(number));
            self.note_interrupted();
        }
        self.settle_owed();
        let unsettled = self.look_again();
        let mut end = RunEnd { removed: std::mem::take(&mut self.pruned), ..RunEnd::default() };
        for number in 0..self.resource_count {
            let Some(reference) = self.recorded_reference(number) else { continue };
            let place = self.places.get(&number).copied().unwrap_or(number);
            let is_unsettled = self.family(number).iter().any(|member| unsettled.contains(member));
            if self.is_left_alone(number) {
                end.places.push((reference.clone(), place));
                end.unknown.extend(is_unsettled.then_some(reference));
                continue;
            }
            let mut row = self.row(number, place);
            if is_unsettled && matches!(row.outcome, Outcome::InStep | Outcome::Changed) {
                row.outcome = Outcome::Unknown;
            }
            end.rows.push(row);
        }
        self.note_removed_ones(&mut end);
        match &mut self.history {
            Some(history) => history.finish(end),
            None => Ok(()),
        }
    }

    /// Records what a change that was cut off would have told.
    fn note_interrupted(&mut self) {
        let Some(number) = self.interrupted.filter(|number| !self.is_noop(*number)) else { return };
        let reference = self.info(number).reference.clone();
        for target in self.told_by(number) {
            if let Some(history) = &mut self.history {
                let _ = history.note_owed(&target, vec![reference.clone()]);
            }
        }
    }

    /// Returns a resource and what it has made: its failures and its drift are its own.
    fn family(&self, number: u32) -> Vec<u32> {
        let made = self.makers.iter().filter(|(_, maker)| **maker == number).map(|(made, _)| *made);
        std::iter::once(number).chain(made).collect()
    }

    /// Returns the name under which a vertex is recorded: of containers, and of what others made, nothing is.
    fn recorded_reference(&self, number: u32) -> Option<String> {
        let is_recorded = matches!(self.node(number).kind, NodeKind::Resource(_)) && !self.makers.contains_key(&number);
        is_recorded.then(|| self.info(number).reference.clone())
    }

    /// Returns true if nothing was done with a resource that could be recorded.
    fn is_left_alone(&self, number: u32) -> bool {
        self.is_only_looked_at(number)
            || self.selection.as_ref().is_some_and(|selection| !selection.decisions.contains_key(&number))
    }

    /// Marks what has left the catalog as unknown where this run has changed something that it reaches.
    fn note_removed_ones(&self, end: &mut RunEnd) {
        let Some(history) = self.history.as_ref().filter(|_| !self.changes.is_empty()) else { return };
        let known = self.declared_references();
        let removed = history.rows().filter(|row| !known.contains(row.reference.as_str()));
        let changes = ChangeIndex::new(&self.changes, self.around.machine);
        let mut resolved = ResolvedPaths::new(self.around.machine);
        let nobody = FxHashSet::default();
        let seen = KnownChanges { changes: 0, family: &nobody };
        for row in removed {
            // What must be asked never becomes unknown this way.
            let can_be_looked_at = !matches!(row.footprint, Footprint::Anything | Footprint::Nothing);
            if can_be_looked_at && changes.meets(&resolved.resolve(&row.footprint), &seen) {
                end.unknown.push(row.reference.clone());
            }
        }
    }

    /// Returns the paths that a resource writes.
    pub(super) fn paths_of(&self, number: u32) -> Vec<String> {
        match self.managed(number).map(|managed| managed.footprint()) {
            Some(Footprint::Files(FileFootprint { writes, writes_below, .. })) => {
                texts(writes.iter().chain(&writes_below))
            }
            _ => Vec::new(),
        }
    }

    fn row(&mut self, number: u32, place: u32) -> Row {
        let NodeKind::Resource(at) = self.node(number).kind else {
            return Row::unknown(&self.info(number).reference);
        };
        let family = self.family(number);
        let mut outcomes = family.iter().map(|member| self.outcome_now(*member));
        let outcome = outcomes.find(|outcome| outcome.is_out_of_step()).unwrap_or_else(|| self.outcome_now(number));
        // The file of fragments is another resource.
        let is_joined = self.info(number).type_name.eq_ignore_ascii_case("concat_file");
        let is_created = family.iter().take(if is_joined { 2 } else { 1 }).any(|one| is_created(self.node(*one)));
        let is_changed = family.iter().any(|member| self.node(*member).status.is_changed);
        let was_created = is_created || self.was_created(number);
        let node = self.node(number);
        let name = self.catalog.values(at).and_then(|values| {
            let entry = find_type(&node.info.type_name)?;
            // Several commands may be the same.
            values.text(entry.namevar.filter(|_| entry.name != "exec")?)
        });
        let name = name.unwrap_or_else(|| node.info.title.to_string());
        Row {
            reference: node.info.reference.clone(),
            identity: self.identity_digest(&node.info.type_name, &name),
            digest: self.digest_of(number),
            outcome,
            owed: Vec::new(),
            owed_since: None,
            number: place,
            footprint: self.managed(number).map_or(Footprint::Nothing, Managed::footprint),
            is_created,
            left: if is_changed && was_created { self.left_state(number) } else { None },
            serial: 0,
        }
    }

    /// Names a resource by its type and its name on the machine, which may be a secret.
    fn identity_digest(&self, type_name: &str, name: &str) -> String {
        let Some(history) = &self.history else { return String::new() };
        let text = format!("{} {name}", type_name.to_lowercase());
        blake3::keyed_hash(history.key(), text.as_bytes()).to_hex()[..16].to_owned()
    }

    fn was_created(&self, number: u32) -> bool {
        let reference = &self.info(number).reference;
        self.history.as_ref().and_then(|history| history.row(reference)).is_some_and(|row| row.is_created)
    }

    fn outcome_now(&self, number: u32) -> Outcome {
        if self.interrupted == Some(number) {
            return Outcome::UnderWay;
        }
        outcome(self.node(number))
    }
}

fn texts<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Vec<String> {
    paths.map(|path| path.display().to_string()).collect()
}

/// Returns what became of a resource, in the words of the table.
fn outcome(node: &Node) -> Outcome {
    let status = &node.status;
    match () {
        () if status.is_failed_to_restart => Outcome::FailedToRestart,
        () if status.is_failed => Outcome::Failed,
        () if status.is_skipped && !node.failed_dependencies.is_empty() => Outcome::SkippedForFailure,
        () if status.is_skipped || status.evaluation_seconds.is_none() => Outcome::KeptAway,
        () if status.is_changed => Outcome::Changed,
        () => Outcome::InStep,
    }
}

fn is_created(node: &Node) -> bool {
    node.status.events.iter().any(|event| {
        let is_of_ensure = event.property.as_deref() == Some("ensure") && event.status == EventStatus::Success;
        is_of_ensure && is_word(&event.previous, "absent")
    })
}

/// Returns what became of a resource that was just applied.
pub(super) fn outcome_of(status: &Status, failure: Option<&Failure>) -> Outcome {
    match () {
        // The command may have been ended in the middle of its work.
        () if failure.is_some_and(|failure| failure.signal().is_some()) => Outcome::UnderWay,
        () if status.has_failed() => Outcome::Failed,
        () if status.is_changed => Outcome::Changed,
        () => Outcome::InStep,
    }
}
