//! What one edit came to, over all nodes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::places::without_lines;
use crate::catalog::diff::{ResourceChange, diff};
use crate::compile::{LogLine, without_node};
use crate::pcore::Str;
use crate::query::Answer;

/// What followed an edit.
#[derive(Default, Debug)]
pub struct Round {
    /// From the time it was noticed.
    pub took: Duration,
    /// What was edited means what it meant, at other lines.
    pub moves_lines_alone: bool,
    /// What has other content, or is there, or not there, now.
    pub edited: Vec<Arc<Path>>,
    /// All nodes that are meant.
    pub nodes: usize,
    /// Those whose answers rest on what was edited.
    pub asked: usize,
    /// So many of them have catalogs that were patched, not made again.
    pub patched: usize,
    /// So many bodies were run for them.
    pub bodies_run: usize,
    /// Those whose catalogs are not what they were.
    pub changed: Vec<Str>,
    /// What changed in them: the same change of several nodes stands once.
    pub changes: Vec<Grouped<ResourceChange>>,
    /// Why nodes have no catalog that had one, or had none for another reason; without the name of the node.
    pub broken: Vec<Grouped<String>>,
    /// Nodes that have a catalog again.
    pub mended: Vec<Str>,
    pub appeared: Vec<Str>,
    pub gone: Vec<Str>,
    /// Lines of the log that were not there before.
    pub said: Vec<Grouped<LogLine>>,
}

/// Something that is so for several nodes, in the order of the fleet.
#[derive(Debug)]
pub struct Grouped<T> {
    pub what: T,
    pub nodes: Vec<Str>,
}

/// The same things under one key, in the order in which they were first seen.
struct Groups<T>(IndexMap<String, Grouped<T>, FxBuildHasher>);

impl<T> Groups<T> {
    fn new() -> Groups<T> {
        Groups(IndexMap::default())
    }

    fn add(&mut self, key: String, what: T, node: &Str) {
        self.0.entry(key).or_insert_with(|| Grouped { what, nodes: Vec::new() }).nodes.push(node.clone());
    }

    fn all(self) -> Vec<Grouped<T>> {
        self.0.into_values().collect()
    }
}

impl Round {
    /// From the answers of before to those of now, both in the order of the fleet.
    pub(super) fn between(before: &[Arc<Answer>], now: &[Arc<Answer>]) -> Round {
        let known: FxHashMap<&str, &Arc<Answer>> = before.iter().map(|answer| (answer.node.as_str(), answer)).collect();
        let mut round = Round { nodes: now.len(), ..Round::default() };
        let (mut changes, mut broken, mut said) = (Groups::new(), Groups::new(), Groups::new());
        for answer in now {
            let old = known.get(answer.node.as_str()).copied();
            if old.is_some_and(|old| Arc::ptr_eq(old, answer)) {
                continue;
            }
            round.asked += 1;
            round.patched += usize::from(answer.is_patched);
            round.bodies_run += answer.bodies_run.len();
            let node = &answer.node;
            new_lines(old.map(|old| &old.log[..]).unwrap_or_default(), &answer.log)
                .for_each(|line| said.add(line.text.clone(), line.clone(), node));
            match (old.map(|old| &old.result), &answer.result) {
                (None, Ok(_)) => round.appeared.push(node.clone()),
                (Some(Ok(old)), Ok(new)) => {
                    let differences = diff(old, new);
                    if !differences.is_empty() {
                        round.changed.push(node.clone());
                    }
                    differences.into_iter().for_each(|change| changes.add(group_key(&change), change, node));
                }
                (Some(Err(_)), Ok(_)) => round.mended.push(node.clone()),
                (Some(Err(old)), Err(new)) if without_lines(old.text()) == without_lines(new.text()) => {}
                (_, Err(new)) => {
                    let text = without_node(new.text(), node).to_owned();
                    broken.add(text.clone(), text, node);
                }
            }
        }
        let there: FxHashSet<&str> = now.iter().map(|answer| answer.node.as_str()).collect();
        let gone = before.iter().map(|answer| &answer.node).filter(|node| !there.contains(node.as_str()));
        round.gone = gone.cloned().collect();
        round.changes = changes.all();
        round.broken = broken.all();
        round.said = said.all();
        round
    }

    /// Whether no node is told anything else than before.
    pub fn is_quiet(&self) -> bool {
        self.changes.is_empty()
            && self.broken.is_empty()
            && self.mended.is_empty()
            && self.appeared.is_empty()
            && self.gone.is_empty()
            && self.said.is_empty()
    }
}

/// Lines of the log that were not there before, wherever they come from in a file.
fn new_lines<'l>(before: &[LogLine], now: &'l [LogLine]) -> impl Iterator<Item = &'l LogLine> {
    let is_known = |line: &LogLine| {
        let is_same =
            |known: &LogLine| known.level == line.level && without_lines(&known.text) == without_lines(&line.text);
        before.contains(line) || before.iter().any(is_same)
    };
    now.iter().filter(move |line| !is_known(line))
}

/// Changes that look the same are the same, wherever the resource is declared.
fn group_key(change: &ResourceChange) -> String {
    format!("{} {:?}", change.reference, change.change)
}
