//! How one node depends on the paths and keys that are asked about.
//!
//! Knows nothing of how nodes are compiled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pantin_base::nearest;
use pantin_compile::row_hashes_of_name;
use pantin_hiera::{KeyHash, hash_of_name};
use pantin_values::Str;
use pantin_world::{LeafKind, absolute_path};

use super::{CollectedType, ImpactedNode, MissingPath, SeenBy};
use crate::Repository;
use crate::answer::{Answer, AnswerDependencies};
use crate::edited_paths::EditedPaths;
use crate::reads::{Read, SurroundingReads};

/// Finds out of each answer how it depends on the subjects.
pub(super) struct ImpactSearch<'r> {
    repository: &'r Repository,
    pub(super) edited: EditedPaths<'r>,
    surroundings: SurroundingReads<'r>,
    /// The keys of data and of bindings, with all hashes by which answers know them.
    keys: Vec<(Vec<KeyHash>, String)>,
    /// The file of the classifier's command that is among the paths.
    classifier: Option<PathBuf>,
    asks_about_paths: bool,
}

/// The types of exported resources that a node exports, and those that it collects.
#[derive(Default, Debug)]
pub(super) struct ExchangedTypes {
    exports: Vec<Str>,
    collects: Vec<Str>,
}

impl<'r> ImpactSearch<'r> {
    pub(super) fn new(repository: &'r Repository, paths: &[PathBuf], keys: &[String]) -> ImpactSearch<'r> {
        let edited = EditedPaths::new(repository.compiler.files(), paths);
        let words = repository.compiler.sources.classifier().into_iter().flat_map(|classifier| classifier.words());
        let classifier = words.map(|word| absolute_path(Path::new(word))).find(|path| {
            // An argument that is no path is none of the files.
            edited.may_change(LeafKind::Content, path)
        });
        ImpactSearch {
            repository,
            edited,
            surroundings: SurroundingReads::new(repository),
            keys: keys.iter().map(|key| (hashes_of_key(key), key.clone())).collect(),
            classifier,
            asks_about_paths: !paths.is_empty(),
        }
    }

    /// Returns how a node depends on the subjects. `reads`: those of its answer that may be answered differently.
    pub(super) fn node(&self, name: &Str, answer: &Answer, reads: Vec<Read>) -> ImpactedNode {
        let mut node = ImpactedNode { name: name.clone(), reads, ..ImpactedNode::default() };
        // Whoever reads a file has looked for it.
        let is_text = |read: &&Read| read.kind.is_text();
        let read: BTreeSet<PathBuf> = node.reads.iter().filter(is_text).map(|read| read.path.clone()).collect();
        let is_look = |read: &Read| matches!(read.kind, LeafKind::Exists | LeafKind::Named | LeafKind::BindingsFile);
        node.reads.retain(|one| !(is_look(one) && read.contains(&one.path)));
        if self.asks_about_paths {
            let around = self.surroundings.of_environment(&answer.head.environment);
            let facts = self.surroundings.of_facts(name);
            let around = around.iter().chain(&facts);
            node.reads.extend(around.filter(|read| self.edited.may_change_content(read.kind, &read.path)).cloned());
            let served = self.repository.served_paths(answer).into_iter();
            node.served = served.filter(|(_, path)| self.edited.touch(path)).map(|(source, _)| source).collect();
            node.classifier.clone_from(&self.classifier);
        }
        if !self.keys.is_empty() {
            // What nobody knows any more may be any of them.
            let known = self.repository.looked_up_keys(answer);
            let asks = |hash: KeyHash| known.as_ref().is_none_or(|known| known.contains(&hash));
            let asked = self.keys.iter().filter(|(hashes, _)| hashes.iter().any(|hash| asks(*hash)));
            node.keys = asked.map(|(_, key)| key.clone()).collect();
        }
        node
    }

    /// Returns why nobody knows all that an answer depends on: programs may have read any file.
    pub(super) fn unseen_reads(&self, answer: &Answer) -> impl Iterator<Item = String> {
        let classifier = self.repository.compiler.sources.classifier().filter(|classifier| classifier.runs_program());
        let classifier = classifier.and_then(|classifier| classifier.words().next());
        let classifier =
            classifier.map(|program| format!("{}; --enc-answers keeps what it says", reads_any_file(program)));
        let ran = matches!(answer.dependencies, AnswerDependencies::Compiled { ran_programs: true, .. });
        let command = ran.then(|| "its code runs a program, which may read any file".to_owned());
        classifier.into_iter().chain(command).filter(|_| self.asks_about_paths)
    }

    /// Returns the paths that are not there, with who would see them. `has_failing`: some node has no catalog.
    pub(super) fn missing_paths(
        &self,
        paths: &[PathBuf],
        nodes: &[ImpactedNode],
        has_failing: bool,
    ) -> Vec<MissingPath> {
        let is_seen = |at: usize, node: &ImpactedNode| {
            node.classifier.is_some()
                || !node.served.is_empty()
                || node.reads.iter().any(|read| self.edited.may_be_changed_by(at, read.kind, &read.path))
        };
        let folders = self.repository.compiler.sources.facts_folders();
        let missing = |at: usize| {
            let path = paths.get(at)?;
            let seen_by = match () {
                () if nodes.iter().any(|node| is_seen(at, node)) => SeenBy::Nodes,
                () if folders.iter().any(|folder| self.edited.may_be_changed_by(at, LeafKind::List, folder)) => {
                    SeenBy::Facts
                }
                () if has_failing => SeenBy::Unknown,
                () => SeenBy::Nobody,
            };
            Some(MissingPath { path: path.clone(), near: near_path(self.repository, path), seen_by })
        };
        self.edited.missing().filter_map(missing).collect()
    }
}

impl ExchangedTypes {
    pub(super) fn from_answer(answer: &Answer) -> ExchangedTypes {
        let exchange = &answer.head.exchange;
        let mut exports: Vec<Str> = exchange.exports.iter().map(|exported| exported.type_name.clone()).collect();
        exports.sort_unstable();
        exports.dedup();
        ExchangedTypes { exports, collects: exchange.collects.clone() }
    }
}

/// Returns by what an answer knows that it looked a key up, or injected it.
fn hashes_of_key(key: &str) -> Vec<KeyHash> {
    [hash_of_name(key)].into_iter().chain(row_hashes_of_name(key)).collect()
}

/// Says why nobody knows what a classifier depends on.
pub(super) fn reads_any_file(program: &str) -> String {
    format!("the classifier {program} is a program, which may read any file")
}

/// Adds the nodes that collect what nodes which are reached export, or may begin to export, and what makes them depend on these; in
/// the order of the fleet.
pub(super) fn add_collectors(nodes: &mut Vec<ImpactedNode>, order: &[Str], exchanging: &[(Str, ExchangedTypes)]) {
    let mut reached: Vec<ImpactedNode> = std::mem::take(nodes);
    let exported = |type_name: &Str| {
        let exporters = exchanging
            .iter()
            .filter(|(name, types)| types.exports.contains(type_name) && reached.iter().any(|node| node.name == *name));
        exporters.map(|(name, _)| name.clone()).next()
    };
    let collected = |types: &ExchangedTypes| -> Vec<CollectedType> {
        types.collects.iter().map(|name| CollectedType { name: name.clone(), exporter: exported(name) }).collect()
    };
    let collectors: Vec<(Str, Vec<CollectedType>)> =
        exchanging.iter().map(|(name, types)| (name.clone(), collected(types))).collect();
    for (name, collects) in collectors.into_iter().filter(|(_, collects)| !collects.is_empty()) {
        match reached.iter_mut().find(|node| node.name == name) {
            Some(node) => node.collects = collects,
            None => reached.push(ImpactedNode { name, collects, ..ImpactedNode::default() }),
        }
    }
    let place = |node: &ImpactedNode| order.iter().position(|name| *name == node.name);
    reached.sort_by_cached_key(place);
    *nodes = reached;
}

/// Returns the path that was probably meant by one that is not there: the first part that is not there, corrected; or the same path, taken
/// from the folder of the repository.
fn near_path(repository: &Repository, path: &Path) -> Option<PathBuf> {
    let disk = repository.compiler.files();
    let here = absolute_path(Path::new("."));
    if let Ok(inside) = path.strip_prefix(&here) {
        let from_root = repository.compiler.root.join(inside);
        if disk.is_named(&from_root) {
            return Some(from_root);
        }
    }
    let missing = path.ancestors().take_while(|above| !disk.is_named(above)).last()?;
    let (folder, name) = (missing.parent()?, missing.file_name()?.to_str()?);
    let entries = disk.list(folder).ok().flatten()?;
    let known: Vec<String> = entries.iter().map(|entry| entry.name.to_string_lossy().into_owned()).collect();
    let near = folder.join(nearest(name, known.iter().map(String::as_str))?);
    let whole = near.join(path.strip_prefix(missing).ok()?);
    Some(if disk.is_named(&whole) { clean(&whole) } else { near })
}

/// Removes the slash that joining nothing leaves at the end.
fn clean(path: &Path) -> PathBuf {
    path.components().collect()
}
