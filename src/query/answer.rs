//! What a node is answered, as it is kept.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::compile::{BodyWalk, Ended, LogLine};
use crate::pcore::Str;
use crate::trace::How;
use crate::world::Remark;

/// The answer to a node's request.
#[derive(Debug)]
pub struct Answer {
    pub node: Str,
    pub environment: Str,
    /// What finding the node, and its environment, had to say.
    pub remarks: Vec<Remark>,
    pub log: Vec<LogLine>,
    pub result: Result<Arc<Catalog>, Failed>,
    pub bodies: Bodies,
    /// So many questions to the disk it rests on.
    pub rests_on: usize,
}

/// Why there is no catalog.
#[derive(Debug)]
pub enum Failed {
    /// The compiler says so, in the words of the real one.
    Compiling(Ended),
    /// What it needs could not be had.
    Reading(String),
}

/// How the bodies of a catalog came to their results.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bodies {
    /// Those for which code was run, in the order in which they ended.
    pub run: Vec<Str>,
    pub replayed: usize,
}

impl Bodies {
    pub fn of(walks: &[BodyWalk]) -> Bodies {
        let run = walks.iter().filter(|walk| walk.how != How::Replayed).map(|walk| walk.name.clone());
        let run: Vec<Str> = run.collect();
        Bodies { replayed: walks.len() - run.len(), run }
    }
}

impl Failed {
    pub fn text(&self) -> &str {
        match self {
            Failed::Compiling(ended) => &ended.text,
            Failed::Reading(reason) => reason,
        }
    }
}

impl Answer {
    /// Of a node of which nothing can be read.
    pub(super) fn unread(node: &Str, reason: &str) -> Answer {
        Answer {
            node: node.clone(),
            environment: Str::default(),
            remarks: Vec::new(),
            log: Vec::new(),
            result: Err(Failed::Reading(reason.to_owned())),
            bodies: Bodies::default(),
            rests_on: 0,
        }
    }
}
