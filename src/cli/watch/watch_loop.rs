//! The loop of a watch: the first answers, then one round after another. The reporter knows how they are shown.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pantin_repository::query::{Answer, AnswerFailure};
use pantin_repository::timings::Timings;
use pantin_repository::watch::{CheckChanges, FileWatcher, Round, Session, Waited};
use pantin_values::Str;
use pantin_world::{Disk, Remark, Stopwatch, Touched, lock_of_git};

use super::applying::AppliedRun;
use crate::Exit;

/// So many events are in the file of --timings at most: one watches for days.
const EVENTS: usize = 200_000;

/// Shows what a watch loop finds.
pub(super) trait WatchReporter {
    /// Shows the first answers of all nodes.
    fn first(&mut self, answers: &[Arc<Answer>], took: Duration) -> io::Result<()>;

    /// Returns the nodes that somebody looks at.
    fn looked_at(&self) -> Vec<Str>;

    /// Shows what an edit changed on those nodes, with their new answers; the others are still to be compiled.
    fn early(&mut self, round: Round, answers: Vec<Arc<Answer>>) -> io::Result<()>;

    /// Shows what an edit changed, with the new answers of all nodes.
    fn round(&mut self, round: Round, answers: &[Arc<Answer>]) -> io::Result<()>;

    /// Shows what an edit changed in the relationship graphs of catalogs. Called after the changes of the catalogs are shown.
    fn graph(&mut self, changes: CheckChanges, answers: &[Arc<Answer>]) -> io::Result<()>;

    /// Ends the report of an edit, of which all is shown; `is_quiet`: it changed nothing.
    fn edit_is_shown(&mut self, is_quiet: bool) -> io::Result<()>;

    /// Takes over the answers of all nodes, which say nothing new.
    fn answers(&mut self, answers: &[Arc<Answer>]) -> io::Result<()>;

    /// Reports that nothing was edited.
    fn unchanged(&mut self) -> io::Result<()>;

    /// Shows the remarks about the repository.
    fn remarks(&mut self, remarks: &[Remark]) -> io::Result<()>;

    /// Shows the result of a run on the machine.
    fn applied(&mut self, run: &AppliedRun) -> io::Result<()>;

    /// Returns further paths to watch beside those of answers, each once.
    fn new_paths(&mut self) -> Vec<Arc<Path>> {
        Vec::new()
    }

    /// Handles changes of files that no answer depends on.
    fn files_touched(&mut self, touched: &Touched) -> io::Result<()> {
        let _ = touched;
        Ok(())
    }

    /// Returns the time until `do_due` is to be called, without any edit.
    fn due_in(&self) -> Option<Duration> {
        None
    }

    fn do_due(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn warn(&mut self, text: &str) -> io::Result<()>;

    fn complain(&mut self, text: &str) -> io::Result<()>;
}

pub(super) struct WatchLoop {
    pub(super) session: Session,
    pub(super) watching: FileWatcher,
    pub(super) disk: Arc<dyn Disk>,
    pub(super) here: PathBuf,
    /// So many edits are told.
    pub(super) edits: Option<usize>,
    pub(super) timings: Arc<Timings>,
}

impl WatchLoop {
    pub(super) fn all(&mut self, to: &mut dyn WatchReporter) -> io::Result<Exit> {
        if !self.first(to)? {
            return Ok(Exit::Rejected);
        }
        // What was edited while the first answers were made is found here.
        let mut touched = self.follow(to)?;
        let mut edits = 0;
        let (disk, here) = (Arc::clone(&self.disk), self.here.clone());
        // A switch of branch is one edit, however long it takes.
        let is_busy = || lock_of_git(&*disk, &here).is_some_and(|lock| disk.exists(&lock));
        let mut complaint: Option<Arc<str>> = None;
        loop {
            self.watching.let_finish(&*disk, &is_busy, &mut touched);
            match self.look(&touched, to)? {
                Ok(true) => {
                    complaint = None;
                    self.settle(to)?;
                    edits += 1;
                }
                Ok(false) => {
                    to.unchanged()?;
                    to.files_touched(&touched)?;
                }
                Err(reason) if complaint.as_ref() == Some(&reason) => {}
                Err(reason) => {
                    to.complain(&format!("{reason}; what was told before stays"))?;
                    complaint = Some(reason);
                }
            }
            if self.edits.is_some_and(|most| edits >= most) {
                return Ok(Exit::Accepted);
            }
            touched = match self.next_touched(to)? {
                Some(touched) => touched,
                None => return Ok(Exit::Accepted),
            };
        }
    }

    /// Where something may have been edited; waits for it, and compiles pending nodes meanwhile. `None`: nothing more will come.
    fn next_touched(&mut self, to: &mut dyn WatchReporter) -> io::Result<Option<Touched>> {
        loop {
            if to.due_in().is_some_and(|rest| rest.is_zero()) {
                to.do_due()?;
            }
            let unheard = self.follow(to)?;
            if !unheard.is_nothing() {
                return Ok(Some(unheard));
            }
            let has_unchecked_catalogs = self.session.has_unchecked_catalogs();
            if !has_unchecked_catalogs && !self.session.is_pending() {
                match self.watching.wait(to.due_in()) {
                    Waited::For(touched) => return Ok(Some(touched)),
                    Waited::ForNothing => return Ok(None),
                    Waited::TooLong => continue,
                }
            }
            if let Some(touched) = self.watching.poll() {
                return Ok(Some(touched));
            }
            if has_unchecked_catalogs {
                self.check_catalogs(to)?;
                continue;
            }
            self.timings.during("compile in the background", || self.session.compile_some());
            self.check_catalogs(to)?;
            if self.session.has_unshown() {
                // It may have been read while somebody was writing it.
                return Ok(Some(self.watching.settle()));
            }
        }
    }

    /// Looks at what may have been edited, and tells what that comes to; whether anything was. Where it moves lines alone
    /// that is told at once, and then nodes are asked all the same: their catalogs have the new lines, and if the edit has
    /// changed more than could be seen beforehand, that is told as well.
    fn look(&mut self, touched: &Touched, to: &mut dyn WatchReporter) -> io::Result<Result<bool, Arc<str>>> {
        let timings = Arc::clone(&self.timings);
        let Some(edit) = timings.during("look at the disk", || self.session.look(touched)) else {
            return Ok(Ok(false));
        };
        let beforehand = self.session.beforehand(&edit);
        let is_told = beforehand.is_some();
        if let Some(round) = beforehand {
            to.round(round, self.session.answers())?;
        } else if let Some((round, answers)) = timings.during("edit", || self.session.early(&edit, &to.looked_at())) {
            to.early(round, answers)?;
        }
        let round = match timings.during("edit", || self.session.round(edit)) {
            Ok(round) => round,
            Err(reason) => return Ok(Err(reason)),
        };
        let is_quiet = round.is_quiet();
        if is_told && is_quiet {
            to.answers(self.session.answers())?;
        } else {
            to.round(round, self.session.answers())?;
        }
        let has_same_findings = self.check_catalogs(to)?;
        to.edit_is_shown(is_quiet && has_same_findings)?;
        Ok(Ok(true))
    }

    /// Checks catalogs that have changed, until something happens; true if it finds what it found before.
    fn check_catalogs(&mut self, to: &mut dyn WatchReporter) -> io::Result<bool> {
        let WatchLoop { session, watching, timings, edits, .. } = self;
        // After a number of edits there is no next one that could come before the rest.
        let mut is_interrupted = || edits.is_none() && watching.has_pending();
        let changes = timings.during("check the catalogs", || session.check_catalogs(&mut is_interrupted));
        let is_quiet = changes.is_quiet();
        if !is_quiet {
            to.graph(changes, self.session.answers())?;
        }
        Ok(is_quiet)
    }

    /// Whether there is anything to watch.
    fn first(&mut self, to: &mut dyn WatchReporter) -> io::Result<bool> {
        let watch = Stopwatch::start();
        let remarks = match self.timings.during("first answers", || self.session.first()) {
            Ok(remarks) => remarks,
            Err(reason) => {
                to.complain(&reason)?;
                return Ok(false);
            }
        };
        let answers = self.session.answers();
        to.remarks(&remarks)?;
        to.remarks(&remarks_of(answers))?;
        if let Some(reason) = nothing_there(answers) {
            to.complain(reason)?;
            return Ok(false);
        }
        to.first(answers, watch.elapsed())?;
        self.settle(to)?;
        Ok(true)
    }

    /// What is to be done when an edit has been told: nobody waits for it.
    fn settle(&self, to: &mut dyn WatchReporter) -> io::Result<()> {
        if let Some(unsettled) = self.session.unsettled() {
            to.warn(&unsettled.to_string())?;
        }
        self.timings.forget(EVENTS);
        self.timings.write(&[("command", "watch".into())])
    }

    /// Listens where the last answers have looked.
    fn follow(&mut self, to: &mut dyn WatchReporter) -> io::Result<Touched> {
        let paths = self.session.new_paths().into_iter().chain(to.new_paths()).collect();
        let touched = self.watching.follow(&*self.disk, paths);
        if let Some(complaint) = self.watching.complaint() {
            to.warn(&complaint)?;
        }
        Ok(touched)
    }
}

/// Returns what finding the nodes, and their environments, had to say: each once.
fn remarks_of(answers: &[Arc<Answer>]) -> Vec<Remark> {
    let mut told = BTreeSet::new();
    let said = answers.iter().flat_map(|answer| &answer.remarks);
    said.filter(|remark| told.insert(remark.text.as_str())).cloned().collect()
}

/// Returns why no node at all can be compiled: there is no repository, or no node of that name.
fn nothing_there(answers: &[Arc<Answer>]) -> Option<&str> {
    let mut reasons = answers.iter().map(|answer| match &answer.result {
        Err(AnswerFailure::Reading(reason)) => Some(reason.as_str()),
        _ => None,
    });
    let first = reasons.next().unwrap_or(Some("there is no node to watch"));
    first.filter(|_| reasons.all(|reason| reason.is_some()))
}
