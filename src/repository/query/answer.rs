//! The answer of a node in the engine's memory.

use std::sync::Arc;

use pantin_compile::{CompileError, Exchange, LogLine};
use pantin_model::catalog::Catalog;
use pantin_values::Str;
use pantin_world::Remark;

/// The answer to a node's request.
#[derive(Debug)]
pub struct Answer {
    pub node: Str,
    /// What finding the node, and its environment, had to say.
    pub remarks: Vec<Remark>,
    pub log: Vec<LogLine>,
    pub result: Result<Arc<Catalog>, AnswerFailure>,
    /// The bodies of which code was run, in the order in which they ended.
    pub bodies_run: Vec<Str>,
    pub how: HowComputed,
    /// What it has to do with other nodes, where they exchange what they export.
    pub exchange: Exchange,
}

/// How an answer was computed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HowComputed {
    /// Code of some of its bodies was run.
    #[default]
    Compiled,
    /// All bodies were replayed from traces of before.
    Walked,
    /// The catalog was made out of the one before.
    Patched,
}

/// How many nodes were answered in which way after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AnswerCounts {
    /// Nothing that the answer depends on has changed.
    pub unaffected: usize,
    pub patched: usize,
    pub walked: usize,
    pub compiled: usize,
}

impl AnswerCounts {
    pub(crate) fn add(&mut self, how: HowComputed) {
        match how {
            HowComputed::Patched => self.patched += 1,
            HowComputed::Walked => self.walked += 1,
            HowComputed::Compiled => self.compiled += 1,
        }
    }

    /// Nodes that depend on what was edited.
    pub fn affected(&self) -> usize {
        self.patched + self.walked + self.compiled
    }
}

/// Why there is no catalog.
#[derive(Debug)]
pub enum AnswerFailure {
    /// The compiler says so, in the words of the real one.
    Compiling(CompileError),
    /// What it needs could not be had.
    Reading(String),
}

impl AnswerFailure {
    pub fn text(&self) -> &str {
        match self {
            AnswerFailure::Compiling(ended) => &ended.text,
            AnswerFailure::Reading(reason) => reason,
        }
    }
}

impl Answer {
    pub fn is_patched(&self) -> bool {
        self.how == HowComputed::Patched
    }

    /// The same with its catalog patched.
    pub(super) fn patched(&self, catalog: &Arc<Catalog>) -> Answer {
        Answer {
            node: self.node.clone(),
            remarks: self.remarks.clone(),
            log: self.log.clone(),
            result: Ok(Arc::clone(catalog)),
            bodies_run: Vec::new(),
            how: HowComputed::Patched,
            exchange: self.exchange.clone(),
        }
    }

    /// Of a node of which nothing can be read.
    pub(super) fn unread(node: &Str, reason: &str) -> Answer {
        Answer {
            node: node.clone(),
            remarks: Vec::new(),
            log: Vec::new(),
            result: Err(AnswerFailure::Reading(reason.to_owned())),
            bodies_run: Vec::new(),
            how: HowComputed::Compiled,
            exchange: Exchange::default(),
        }
    }
}
