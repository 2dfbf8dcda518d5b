//! A fleet that is watched: what its nodes were told last.

use std::sync::Arc;

use super::Touched;
use super::round::Round;
use crate::query::{Answer, Engine};
use crate::world::{Remark, Stopwatch};

pub struct Session {
    engine: Engine,
    last: Vec<Arc<Answer>>,
}

impl Session {
    /// Nobody has been asked yet.
    pub fn new(engine: Engine) -> Session {
        Session { engine, last: Vec::new() }
    }

    /// Asks all nodes for the first time; with what opening the repository had to say. `Err`: it cannot be opened.
    pub fn first(&mut self) -> Result<Vec<Remark>, Arc<str>> {
        let (names, remarks) = self.engine.names()?;
        self.last = self.engine.answers(&names);
        Ok(remarks)
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What the nodes were told last.
    pub fn answers(&self) -> &[Arc<Answer>] {
        &self.last
    }

    /// What is told now that something may have been edited; `None` where nothing was. `Err`: the repository cannot be
    /// opened as it is, and what was told before stays.
    pub fn round(&mut self, touched: &Touched) -> Result<Option<Round>, Arc<str>> {
        let watch = Stopwatch::start();
        let mut edited: Vec<_> =
            self.engine.refresh(|path| touched.concerns(path)).into_iter().map(|leaf| leaf.path).collect();
        if edited.is_empty() {
            return Ok(None);
        }
        edited.sort();
        edited.dedup();
        let (names, _) = self.engine.names()?;
        let now = self.engine.answers(&names);
        let mut round = Round::between(&self.last, &now);
        round.edited = edited;
        round.took = watch.elapsed();
        self.last = now;
        Ok(Some(round))
    }
}
