//! The result of one edit over all nodes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pantin_compile::LogLine;
use pantin_model::catalog::diff::{Change, ParameterChange, ResourceChange};
use pantin_values::{Digest, Digester, Str};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::places::without_lines;
use super::verdict::failure_message;
use crate::hidden::hide_in_change;
use crate::messages::{Group, Message};
use crate::node_groups::{NodeGroup, NodeGroups};
use crate::query::{Answer, AnswerCounts, PatchRefusal};

/// What followed an edit.
#[derive(Default, Debug)]
pub struct Round {
    /// From the time it was noticed.
    pub took: Duration,
    /// What was edited means what it meant, at other lines.
    pub moves_lines_alone: bool,
    /// What has other content, or is there, or not there, now.
    pub edited: Vec<Arc<Path>>,
    /// What edited files of bindings bind otherwise: keys, ids and targets of parameters.
    pub bindings: Vec<String>,
    /// All nodes that are meant.
    pub nodes: usize,
    /// How they were answered.
    pub counts: AnswerCounts,
    /// Why nodes were walked or compiled, and not patched.
    pub not_patched: Vec<NodeGroup<PatchRefusal>>,
    /// How many bodies were run.
    pub bodies_run: usize,
    /// Those whose catalogs are not what they were.
    pub changed: Vec<Str>,
    /// What changed in them: the same resource that changed alike on several nodes stands once.
    pub changes: Vec<NodeGroup<GroupedChanges>>,
    /// Why nodes have no catalog that had one, or had none for another reason.
    pub broken: Vec<Group>,
    /// Nodes that have a catalog again. Those that had one before are among the changed, if this is another.
    pub mended: Vec<Str>,
    /// Nodes whose catalogs of before are no longer in the store: nobody knows what changed in them.
    pub lost: Vec<Str>,
    pub appeared: Vec<Str>,
    pub gone: Vec<Str>,
    /// Nodes that are in another environment than before.
    pub moved: Vec<NodeGroup<EnvironmentChange>>,
    /// Lines of the log that were not there before.
    pub said: Vec<NodeGroup<LogLine>>,
}

/// Resources that came, or went, or of which parameters of the same names changed. From which values to which may differ
/// from node to node: a content may hold a node's name.
pub type GroupedChanges = Vec<NodeGroup<ResourceChange>>;

/// The environment that a node was in, and the one that it is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnvironmentChange {
    pub from: Str,
    pub to: Str,
}

impl EnvironmentChange {
    fn between(old: Option<&Arc<Answer>>, new: &Answer) -> Option<EnvironmentChange> {
        let (from, to) = old?.environment.clone().zip(new.environment.clone())?;
        (from != to).then_some(EnvironmentChange { from, to })
    }
}

/// The last answers with a catalog of nodes that have none now.
pub(super) type LastGoodAnswers = FxHashMap<Str, Arc<Answer>>;

impl Round {
    /// From the answers of before to those of now, both in the order of the fleet. A catalog that comes after errors is
    /// compared with the last good one.
    pub(super) fn between(before: &[Arc<Answer>], now: &[Arc<Answer>], good: &LastGoodAnswers) -> Round {
        let mut round = Round { nodes: now.len(), ..Round::default() };
        let (mut changes, mut said) = (NodeGroups::<_, NodeGroups<_, _>>::default(), NodeGroups::default());
        let (mut not_patched, mut moved) = (NodeGroups::default(), NodeGroups::default());
        let mut broken: Vec<(&Str, Message)> = Vec::new();
        for (answer, news) in NodeChange::of_all(before, now, good) {
            round.counts.add(answer.how);
            round.bodies_run += answer.bodies_run.len();
            let node = &answer.node;
            answer.not_patched.into_iter().for_each(|refusal| not_patched.add(refusal, refusal, node));
            EnvironmentChange::between(news.old, answer)
                .into_iter()
                .for_each(|change| moved.add(change.clone(), change, node));
            news.lines.into_iter().for_each(|line| said.add(line.text.clone(), line.clone(), node));
            match (news.old.map(|old| &old.result), &answer.result) {
                (None, Ok(_)) => round.appeared.push(node.clone()),
                (Some(old), Ok(_)) => {
                    if old.is_err() {
                        round.mended.push(node.clone());
                    }
                    if !news.changes.is_empty() {
                        round.changed.push(node.clone());
                    }
                    if news.is_lost {
                        round.lost.push(node.clone());
                    }
                    for CommonChange { alike, way, change } in news.changes {
                        changes.group(alike, node, NodeGroups::default).add(way, change, node);
                    }
                }
                (Some(Err(old)), Err(new)) if without_lines(old.text()) == without_lines(new.text()) => {}
                (_, Err(new)) => broken.push((node, failure_message(answer, new))),
            }
        }
        round.counts.unaffected = now.len() - round.counts.affected();
        let there: FxHashSet<&str> = now.iter().map(|answer| answer.node.as_str()).collect();
        let gone = before.iter().map(|answer| &answer.node).filter(|node| !there.contains(node.as_str()));
        round.gone = gone.cloned().collect();
        let ways = changes.all().into_iter().map(|NodeGroup { what, nodes }| NodeGroup { what: what.all(), nodes });
        round.changes = ways.collect();
        round.broken = Group::from_messages(broken.iter().map(|(node, message)| (*node, [message])));
        round.said = said.all();
        round.moved = moved.all();
        round.not_patched = not_patched.all();
        round.not_patched.sort_by_key(|group| group.what);
        round
    }

    /// Returns true if no node is told anything else than before.
    pub fn is_quiet(&self) -> bool {
        self.changes.is_empty()
            && self.broken.is_empty()
            && self.mended.is_empty()
            && self.lost.is_empty()
            && self.appeared.is_empty()
            && self.gone.is_empty()
            && self.moved.is_empty()
            && self.said.is_empty()
    }
}

/// What a node is told otherwise.
struct NodeChange<'a> {
    /// What it was told before.
    old: Option<&'a Arc<Answer>>,
    changes: Vec<CommonChange>,
    /// The catalog of before is no longer in the store.
    is_lost: bool,
    lines: Vec<&'a LogLine>,
}

/// With what it has in common with others, and what names the way in which it changed.
struct CommonChange {
    alike: String,
    way: Digest,
    change: ResourceChange,
}

impl<'a> NodeChange<'a> {
    /// Of all nodes that are told anything anew: each is looked at on its own.
    fn of_all(
        before: &'a [Arc<Answer>],
        now: &'a [Arc<Answer>],
        good: &'a LastGoodAnswers,
    ) -> Vec<(&'a Answer, NodeChange<'a>)> {
        let known: FxHashMap<&str, &Arc<Answer>> = before.iter().map(|answer| (answer.node.as_str(), answer)).collect();
        let old = |answer: &Answer| known.get(answer.node.as_str()).copied();
        let told = now.par_iter().map(|answer| (answer, old(answer)));
        let anew = told.filter(|(answer, old)| !old.is_some_and(|old| Arc::ptr_eq(old, answer)));
        anew.map(|(answer, old)| (&**answer, NodeChange::new(answer, old, good))).collect()
    }

    fn new(answer: &'a Answer, old: Option<&'a Arc<Answer>>, good: &'a LastGoodAnswers) -> NodeChange<'a> {
        let known: Vec<&Arc<Answer>> = old.into_iter().chain(good.get(&answer.node)).collect();
        let good = known.iter().find_map(|known| Some((known, known.result.as_ref().ok()?)));
        let both = good.zip(answer.result.as_ref().ok());
        let changes = both.map_or_else(|| Some(Vec::new()), |((_, old), new)| old.diff(new));
        let is_lost = changes.is_none();
        let decrypted = good.map(|(old, _)| old.decrypted.union(&answer.decrypted)).unwrap_or_default();
        let changes = changes.unwrap_or_default().into_iter().map(|change| {
            let change = if decrypted.is_empty() { change } else { hide_in_change(change, &decrypted) };
            let (alike, way) = (alike(&change), Digester::new(b"change").item(&change.change).finish());
            CommonChange { alike, way, change }
        });
        NodeChange { old, changes: changes.collect(), is_lost, lines: new_lines(&known, &answer.log).collect() }
    }
}

/// Lines of the log that were not there before, wherever they come from in a file.
fn new_lines<'l>(before: &[&Arc<Answer>], now: &'l [LogLine]) -> impl Iterator<Item = &'l LogLine> {
    let is_known = |line: &LogLine| {
        let is_same =
            |known: &LogLine| known.level == line.level && without_lines(&known.text) == without_lines(&line.text);
        before.iter().any(|answer| answer.log.contains(line) || answer.log.iter().any(is_same))
    };
    now.iter().filter(move |line| !is_known(line))
}

/// Returns what resources have in common that changed alike, wherever they are declared.
fn alike(change: &ResourceChange) -> String {
    let mut key = change.reference.clone();
    match &change.change {
        Change::Added => key.push_str(" +"),
        Change::Removed => key.push_str(" -"),
        Change::Changed(parameters) => {
            for ParameterChange { name, .. } in parameters {
                key.push(' ');
                key.push_str(name);
            }
        }
    }
    key
}
