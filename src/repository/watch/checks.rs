//! The checks of a watch: which dependency cycles, missing dependencies and refused resources an edit makes, and which it mends.
//!
//! Only catalogs whose graph may have changed have their graph checked, and only resources that are new are looked at. Knows nothing
//! of how anything is shown.

use std::sync::Arc;
use std::time::Duration;

use pantin_apply::{AnyModulePlugins, ModulePlugins};
use pantin_model::graph::stays_sound;
use pantin_values::Str;
use pantin_world::{Dependencies, LeafId, Stopwatch};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalog_check::{CatalogFindings, Checks, SitePlugins};
use crate::messages::{Group, Message};
use crate::query::{Answer, NodeCatalog};

/// The last answer of each node whose catalog was checked. While a node has no catalog, that is the last one with a catalog.
pub(super) struct CheckedCatalogs {
    checks: Checks,
    answers: FxHashMap<Str, CheckedAnswer>,
    /// What checks have asked of modules beside their code: which providers there are, and files of types.
    plugins: FxHashSet<LeafId>,
    /// How often something of that was edited.
    edits: u64,
}

/// An answer, and what was found.
struct CheckedAnswer {
    answer: Arc<Answer>,
    findings: Arc<CatalogFindings>,
    /// The edit of what modules bring before the check.
    edit: u64,
}

/// How what was found differs from what was found before.
#[derive(Default, Debug)]
pub struct CheckChanges {
    /// How long the check took.
    pub took: Duration,
    /// How many catalogs had their graph checked, since it may have changed.
    pub checked: usize,
    /// What keeps an agent from applying a catalog now, and did not before.
    pub broken: Vec<Group>,
    /// What did so before.
    pub mended: Vec<Group>,
}

/// What changed of one node.
struct NodeCheckChange<'a> {
    answer: &'a Arc<Answer>,
    findings: Arc<CatalogFindings>,
    /// What was asked of modules beside their code.
    plugins: Option<Dependencies>,
    /// The graph was built and searched.
    is_checked: bool,
    broken: Vec<Message>,
    mended: Vec<Message>,
}

impl CheckedCatalogs {
    pub(super) fn new(checks: Checks) -> CheckedCatalogs {
        CheckedCatalogs { checks, answers: FxHashMap::default(), plugins: FxHashSet::default(), edits: 0 }
    }

    /// Takes notice of an edit: if checks have asked for what was edited, all catalogs are to be checked again.
    pub(super) fn note_edited(&mut self, mut edited: impl Iterator<Item = LeafId>) {
        if edited.any(|leaf| self.plugins.contains(&leaf)) {
            self.edits += 1;
        }
    }

    /// Checks the catalogs of all answers that are new, and sets their findings. Ends early if `is_interrupted` says so; what is not
    /// checked then is checked the next time.
    pub(super) fn update(&mut self, answers: &[Arc<Answer>], is_interrupted: &mut dyn FnMut() -> bool) -> CheckChanges {
        let watch = Stopwatch::start();
        let new = self.unchecked(answers);
        let mut changes: Vec<NodeCheckChange<'_>> = Vec::new();
        let (checks, edit) = (self.checks, self.edits);
        for some in new.chunks(AT_ONCE) {
            let checked = some
                .par_iter()
                .filter_map(|answer| NodeCheckChange::new(self.answers.get(&answer.node), answer, checks, edit));
            let checked: Vec<NodeCheckChange<'_>> = checked.collect();
            for change in &checked {
                let (answer, findings) = (Arc::clone(change.answer), Arc::clone(&change.findings));
                self.answers.insert(answer.node.clone(), CheckedAnswer { answer, findings, edit });
                self.plugins.extend(change.plugins.iter().flat_map(|plugins| plugins.iter()).map(|(leaf, _)| *leaf));
            }
            changes.extend(checked);
            if is_interrupted() {
                break;
            }
        }
        let changes = CheckChanges {
            broken: Group::from_messages(changes.iter().map(|change| (&change.answer.node, &change.broken))),
            mended: Group::from_messages(changes.iter().map(|change| (&change.answer.node, &change.mended))),
            checked: changes.iter().filter(|change| change.is_checked).count(),
            took: watch.elapsed(),
        };
        let there: FxHashSet<&str> = answers.iter().map(|answer| answer.node.as_str()).collect();
        self.answers.retain(|node, _| there.contains(node.as_str()));
        changes
    }

    /// Returns the answers with catalogs that are to be checked.
    pub(super) fn unchecked<'a>(&self, answers: &'a [Arc<Answer>]) -> Vec<&'a Arc<Answer>> {
        let has_catalog = answers.par_iter().filter(|answer| answer.result.is_ok());
        let is_known = |answer: &Arc<Answer>| {
            let known = self.answers.get(&answer.node);
            known.is_some_and(|known| Arc::ptr_eq(&known.answer, answer) && known.edit == self.edits)
        };
        has_catalog.filter(|answer| !is_known(answer)).collect()
    }
}

/// So many catalogs are checked before somebody may interrupt it.
const AT_ONCE: usize = 16;

impl CheckChanges {
    /// Returns true if nothing is broken or mended.
    pub fn is_quiet(&self) -> bool {
        self.broken.is_empty() && self.mended.is_empty()
    }
}

impl<'a> NodeCheckChange<'a> {
    /// Sets the findings of an answer; `None`: it has no catalog.
    fn new(
        old: Option<&CheckedAnswer>,
        answer: &'a Arc<Answer>,
        checks: Checks,
        edit: u64,
    ) -> Option<NodeCheckChange<'a>> {
        let catalog = answer.result.as_ref().ok()?;
        let unchanged = old.and_then(|old| unchanged_graph(old, catalog));
        let is_checked = checks.graph && unchanged.is_none();
        let (findings, plugins) = match answer.findings.get_since(edit) {
            Some(known) => (known, None),
            None => {
                let (found, plugins) = find(answer, catalog, unchanged, (checks, edit));
                let found = Arc::new(found);
                answer.findings.set(edit, Arc::clone(&found));
                (found, plugins)
            }
        };
        let before = old.map(|old| messages(&old.answer, &old.findings)).unwrap_or_default();
        let now = messages(answer, &findings);
        Some(NodeCheckChange {
            broken: missing_from(&before, &now),
            mended: missing_from(&now, &before),
            answer,
            findings,
            plugins,
            is_checked,
        })
    }
}

/// Returns what keeps an agent from applying a catalog, as far as it counts, and what was asked of modules for that. `unchanged`: what is
/// known of its graph.
fn find(
    answer: &Answer,
    catalog: &NodeCatalog,
    unchanged: Option<CatalogFindings>,
    (checks, edit): (Checks, u64),
) -> (CatalogFindings, Option<Dependencies>) {
    let catalog = match catalog {
        NodeCatalog::Stored(stored) => return (stored.findings().counting(checks), None),
        NodeCatalog::Compiled(catalog) => catalog,
    };
    let graph = match checks.graph {
        true => unchanged.unwrap_or_else(|| CatalogFindings::from_graph_alone(catalog)),
        false => CatalogFindings::default(),
    };
    if !checks.resources {
        return (graph, None);
    }
    let plugins = answer.ready.as_deref().map(|ready| SitePlugins::new(&ready.site).since_edit(edit));
    let modules: &dyn ModulePlugins = plugins.as_ref().map_or(&AnyModulePlugins, |plugins| plugins);
    let found = graph.with_resources(catalog, (&answer.system, modules), &answer.decrypted);
    (found, plugins.and_then(|plugins| plugins.dependencies()))
}

/// The findings of the graph before, if it had none that keeps an agent from applying it, and is as sound now. Findings with places are
/// made anew: lines may have moved.
fn unchanged_graph(old: &CheckedAnswer, catalog: &NodeCatalog) -> Option<CatalogFindings> {
    let graph = old.findings.graph_if_fine()?;
    let (Ok(NodeCatalog::Compiled(old)), NodeCatalog::Compiled(new)) = (&old.answer.result, catalog) else {
        return None;
    };
    stays_sound(old, new).then_some(graph)
}

/// Returns what the checks say of a node; nothing, if nobody has checked it.
pub(super) fn check_messages(answer: &Answer) -> Vec<Message> {
    answer.findings.get().map(|findings| messages(answer, &findings)).unwrap_or_default()
}

fn messages(answer: &Answer, findings: &CatalogFindings) -> Vec<Message> {
    let message = |finding| Message::from_finding(finding, &answer.node, &answer.own_words);
    findings.findings.iter().flat_map(message).collect()
}

/// The messages of the one list that the other has not, wherever they stand.
fn missing_from(list: &[Message], messages: &[Message]) -> Vec<Message> {
    let is_known =
        |message: &&Message| list.iter().any(|known| known.about == message.about && known.text == message.text);
    messages.iter().filter(|message| !is_known(message)).cloned().collect()
}
