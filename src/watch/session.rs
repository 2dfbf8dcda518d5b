//! A fleet that is watched: what its nodes were told last.

use std::path::Path;
use std::sync::Arc;

use super::Touched;
use super::round::Round;
use crate::compile::Unsettled;
use crate::query::{Answer, Edited, Engine};
use crate::world::{Remark, Stopwatch};

pub struct Session {
    engine: Engine,
    last: Vec<Arc<Answer>>,
    unsettled: Option<Unsettled>,
}

impl Session {
    /// Nobody has been asked yet.
    pub fn new(engine: Engine) -> Session {
        Session { engine, last: Vec::new(), unsettled: None }
    }

    /// Asks all nodes for the first time; with what opening the repository had to say. `Err`: it cannot be opened.
    pub fn first(&mut self) -> Result<Vec<Remark>, Arc<str>> {
        let (names, remarks) = self.engine.names()?;
        let told = self.engine.answers(&names);
        (self.last, self.unsettled) = (told.answers, told.unsettled);
        Ok(remarks)
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What the nodes were told last.
    pub fn answers(&self) -> &[Arc<Answer>] {
        &self.last
    }

    /// What the nodes export changes for ever, as they were told last.
    pub fn unsettled(&self) -> Option<&Unsettled> {
        self.unsettled.as_ref()
    }

    /// What may have been edited is looked at; `None`: nothing was.
    pub fn look(&mut self, touched: &Touched) -> Option<Edit> {
        let noticed = Stopwatch::start();
        let edited = self.engine.refresh(|path| touched.concerns(path));
        let moves_lines_alone = !edited.is_empty() && edited.iter().all(Edited::moves_lines_alone);
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

    /// What the nodes are told after an edit. `Err`: the repository cannot be opened as it is, and what was told before
    /// stays.
    pub fn round(&mut self, edit: Edit) -> Result<Round, Arc<str>> {
        let (names, _) = self.engine.names()?;
        let told = self.engine.answers(&names);
        let now = told.answers;
        let mut round = Round::between(&self.last, &now);
        self.unsettled = told.unsettled;
        round.moves_lines_alone = edit.moves_lines_alone;
        round.edited = edit.paths;
        round.took = edit.noticed.elapsed();
        self.last = now;
        Ok(round)
    }
}

/// What was edited.
#[derive(Debug)]
pub struct Edit {
    paths: Vec<Arc<Path>>,
    moves_lines_alone: bool,
    noticed: Stopwatch,
}
