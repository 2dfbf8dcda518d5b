//! The graph check of a watch: which dependency cycles and missing dependencies an edit makes, and which it mends.
//!
//! Only catalogs whose graph may have changed are checked. Knows nothing of how anything is shown.

use std::sync::Arc;
use std::time::Duration;

use pantin_model::graph::stays_sound;
use pantin_values::Str;
use pantin_world::Stopwatch;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph_check::GraphFindings;
use crate::messages::{Group, Message};
use crate::query::{Answer, NodeCatalog};

/// The last answer of each node whose catalog was checked. While a node has no catalog, that is the last one with a catalog.
#[derive(Default)]
pub(super) struct CheckedGraphs(FxHashMap<Str, Arc<Answer>>);

/// How the graphs of catalogs differ from those that were checked before.
#[derive(Default, Debug)]
pub struct GraphChanges {
    /// How long the check took.
    pub took: Duration,
    /// How many catalogs were checked, since their graphs may have changed.
    pub checked: usize,
    /// What keeps an agent from applying a catalog now, and did not before.
    pub broken: Vec<Group>,
    /// What did so before.
    pub mended: Vec<Group>,
}

/// What changed in the graph of one node.
struct NodeGraphChange<'a> {
    node: &'a Str,
    /// The graph was built and searched.
    is_checked: bool,
    broken: Vec<Message>,
    mended: Vec<Message>,
}

impl CheckedGraphs {
    /// Checks the catalogs of all answers that are new, and sets their findings. Ends early if `is_interrupted` says so; what is not
    /// checked then is checked the next time.
    pub(super) fn update(&mut self, answers: &[Arc<Answer>], is_interrupted: &mut dyn FnMut() -> bool) -> GraphChanges {
        let watch = Stopwatch::start();
        let new = self.unchecked(answers);
        let mut changes: Vec<NodeGraphChange<'_>> = Vec::new();
        for some in new.chunks(AT_ONCE) {
            let checked = some.par_iter().filter_map(|answer| NodeGraphChange::new(self.0.get(&answer.node), answer));
            changes.extend(checked.collect::<Vec<_>>());
            self.0.extend(some.iter().map(|answer| (answer.node.clone(), Arc::clone(answer))));
            if is_interrupted() {
                break;
            }
        }
        let changes = GraphChanges {
            broken: Group::from_messages(changes.iter().map(|change| (change.node, &change.broken))),
            mended: Group::from_messages(changes.iter().map(|change| (change.node, &change.mended))),
            checked: changes.iter().filter(|change| change.is_checked).count(),
            took: watch.elapsed(),
        };
        let there: FxHashSet<&str> = answers.iter().map(|answer| answer.node.as_str()).collect();
        self.0.retain(|node, _| there.contains(node.as_str()));
        changes
    }

    /// The answers with catalogs that are to be checked.
    pub(super) fn unchecked<'a>(&self, answers: &'a [Arc<Answer>]) -> Vec<&'a Arc<Answer>> {
        let has_catalog = answers.par_iter().filter(|answer| answer.result.is_ok());
        let is_known = |answer: &Arc<Answer>| self.0.get(&answer.node).is_some_and(|known| Arc::ptr_eq(known, answer));
        has_catalog.filter(|answer| !is_known(answer)).collect()
    }
}

/// So many catalogs are checked before somebody may interrupt it.
const AT_ONCE: usize = 16;

impl GraphChanges {
    /// True if nothing is broken or mended.
    pub fn is_quiet(&self) -> bool {
        self.broken.is_empty() && self.mended.is_empty()
    }
}

impl<'a> NodeGraphChange<'a> {
    /// Sets the findings of an answer; `None`: it has no catalog.
    fn new(old: Option<&Arc<Answer>>, answer: &'a Answer) -> Option<NodeGraphChange<'a>> {
        let catalog = answer.result.as_ref().ok()?;
        let unchanged = old.and_then(|old| unchanged_findings(old, catalog));
        let is_checked = unchanged.is_none();
        answer.graph.get_or_init(|| unchanged.unwrap_or_else(|| catalog.check_graph()));
        let (before, now) = (old.map(|old| graph_messages(old)).unwrap_or_default(), graph_messages(answer));
        Some(NodeGraphChange {
            node: &answer.node,
            is_checked,
            broken: missing_from(&before, &now),
            mended: missing_from(&now, &before),
        })
    }
}

/// The findings of the catalog before, if there is nothing wrong with it, nor with this one. Findings with places are made anew: lines
/// may have moved.
fn unchanged_findings(old: &Answer, catalog: &NodeCatalog) -> Option<Arc<GraphFindings>> {
    let findings = old.graph.get().filter(|findings| findings.findings.is_empty())?;
    let (Ok(NodeCatalog::Compiled(old)), NodeCatalog::Compiled(new)) = (&old.result, catalog) else { return None };
    stays_sound(old, new).then(|| Arc::clone(findings))
}

/// What the check of its graph says of a node; nothing, if nobody has checked it.
pub(super) fn graph_messages(answer: &Answer) -> Vec<Message> {
    let findings = answer.graph.get().into_iter().flat_map(|findings| &findings.findings);
    findings.flat_map(|finding| Message::from_finding(finding, &answer.node, &answer.own_words)).collect()
}

/// The messages of the one list that the other has not, wherever they stand.
fn missing_from(list: &[Message], messages: &[Message]) -> Vec<Message> {
    let is_known =
        |message: &&Message| list.iter().any(|known| known.about == message.about && known.text == message.text);
    messages.iter().filter(|message| !is_known(message)).cloned().collect()
}
