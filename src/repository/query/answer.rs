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
    /// It is what the answer of before was, but for what an edit did to the resources of other nodes too: nothing was made
    /// again.
    pub is_patched: bool,
    /// What it has to do with other nodes, where they exchange what they export.
    pub exchange: Exchange,
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
    /// The same with its catalog patched.
    pub(super) fn patched(&self, catalog: &Arc<Catalog>) -> Answer {
        Answer {
            node: self.node.clone(),
            remarks: self.remarks.clone(),
            log: self.log.clone(),
            result: Ok(Arc::clone(catalog)),
            bodies_run: Vec::new(),
            is_patched: true,
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
            is_patched: false,
            exchange: Exchange::default(),
        }
    }
}
