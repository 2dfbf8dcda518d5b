//! A watched fleet: the last answers of its nodes.

use std::path::Path;
use std::sync::Arc;

use pantin_compile::UnsettledExports;
use pantin_values::Str;
use pantin_world::{Remark, Stopwatch, Touched};
use rustc_hash::FxHashSet;

use super::round::{LastGoodAnswers, Round};
use crate::query::{Answer, EditedLeaf, Engine};

pub struct Session {
    engine: Engine,
    last: Vec<Arc<Answer>>,
    good: LastGoodAnswers,
    unsettled: Option<UnsettledExports>,
    /// So many questions had been put to the disk when somebody wanted to know where.
    known: usize,
}

impl Session {
    /// Nobody has been asked yet.
    pub fn new(engine: Engine) -> Session {
        Session { engine, last: Vec::new(), good: LastGoodAnswers::default(), unsettled: None, known: 0 }
    }

    /// Asks all nodes for the first time; with what opening the repository had to say. `Err`: it cannot be opened.
    pub fn first(&mut self) -> Result<Vec<Remark>, Arc<str>> {
        let (names, remarks) = self.engine.names()?;
        let told = self.engine.answers(&names);
        (self.last, self.unsettled) = (told.answers, told.unsettled);
        Ok(remarks)
    }

    /// Every folder and file that was asked about since this was last wanted.
    pub fn new_paths(&mut self) -> Vec<Arc<Path>> {
        self.engine.new_paths(&mut self.known)
    }

    /// What the nodes were told last.
    pub fn answers(&self) -> &[Arc<Answer>] {
        &self.last
    }

    /// What the nodes export changes for ever, as they were told last.
    pub fn unsettled(&self) -> Option<&UnsettledExports> {
        self.unsettled.as_ref()
    }

    /// What may have been edited is looked at; `None`: nothing was.
    pub fn look(&mut self, touched: &Touched) -> Option<Edit> {
        let noticed = Stopwatch::start();
        let edited = self.engine.refresh(touched);
        let moves_lines_alone = !edited.is_empty() && edited.iter().all(EditedLeaf::moves_lines_alone);
        let mut paths: Vec<_> = edited.into_iter().map(|edited| edited.leaf.path).collect();
        paths.sort();
        paths.dedup();
        (!paths.is_empty()).then_some(Edit { paths, moves_lines_alone, noticed })
    }

    /// What can be said of an edit before anybody is asked: if manifests mean what they meant, no catalog is another one
    /// but for lines.
    pub fn beforehand(&self, edit: &Edit) -> Option<Round> {
        edit.moves_lines_alone.then(|| Round {
            edited: edit.paths.clone(),
            nodes: self.last.len(),
            moves_lines_alone: true,
            took: edit.noticed.elapsed(),
            ..Round::default()
        })
    }

    /// What an edit comes to on those of the nodes that somebody looks at: they are asked before the others. `None`: on
    /// none of them to anything, or nothing can be said before all are asked, or they are all.
    pub fn early(&mut self, edit: &Edit, looked_at: &[Str]) -> Option<(Round, Vec<Arc<Answer>>)> {
        if looked_at.is_empty() {
            return None;
        }
        let looked_at: FxHashSet<&Str> = looked_at.iter().collect();
        let (mut names, _) = self.engine.names().ok()?;
        let nodes = names.len();
        names.retain(|name| looked_at.contains(name));
        if names.len() == nodes {
            return None;
        }
        let before: Vec<_> = self.last.iter().filter(|answer| looked_at.contains(&answer.node)).cloned().collect();
        let now = self.engine.answers_of(&names)?;
        let round = Round::between(&before, &now, &self.good);
        let round = Round { nodes, edited: edit.paths.clone(), took: edit.noticed.elapsed(), ..round };
        (!round.is_quiet()).then_some((round, now))
    }

    /// What the nodes are told after an edit. `Err`: the repository cannot be opened as it is, and what was told before
    /// stays.
    pub fn round(&mut self, edit: Edit) -> Result<Round, Arc<str>> {
        let (names, _) = self.engine.names()?;
        let told = self.engine.answers(&names);
        let now = told.answers;
        let mut round = Round::between(&self.last, &now, &self.good);
        self.unsettled = told.unsettled;
        round.moves_lines_alone = edit.moves_lines_alone;
        round.edited = edit.paths;
        round.took = edit.noticed.elapsed();
        self.remember(now);
        Ok(round)
    }

    /// What a node was told last that had a catalog is remembered until it has one again.
    fn remember(&mut self, now: Vec<Arc<Answer>>) {
        let last = std::mem::replace(&mut self.last, now);
        let failing = self.last.iter().filter(|answer| answer.result.is_err());
        let failing: FxHashSet<&str> = failing.map(|answer| answer.node.as_str()).collect();
        self.good.retain(|node, _| failing.contains(node.as_str()));
        let good = last.into_iter().filter(|answer| answer.result.is_ok() && failing.contains(answer.node.as_str()));
        self.good.extend(good.map(|answer| (answer.node.clone(), answer)));
    }
}

/// What was edited.
#[derive(Debug)]
pub struct Edit {
    paths: Vec<Arc<Path>>,
    moves_lines_alone: bool,
    noticed: Stopwatch,
}
