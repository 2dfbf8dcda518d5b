//! Which nodes depend on a file, a class, a function, a template, or a key of data, as their answers say.
//!
//! An answer that is stored and holds is not compiled again. Knows nothing of how it is shown.

mod facts;
mod search;
mod since;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use pantin_base::nearest;
use pantin_compile::bound_names;
use pantin_hiera::{hash_of_key, hash_of_name, key_names};
use pantin_values::Str;
use pantin_world::LeafKind;

use crate::graph_view::{GraphView, VertexKind, ViewVertex};
use crate::node_compiler::{Definition, NodeToPrepare};
use crate::provenance::{CodeUse, UsedThing};
use crate::reads::{AllReads, Read, ReadFilter};
use crate::{AnswerError, AnswerNeeds, Repository};
pub use facts::impact_on_facts;
use search::{ExchangedTypes, ImpactSearch, add_collectors};
pub use since::{ImpactSince, impact_since};

/// What nodes may depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImpactSubject {
    /// A file or a folder, there or not.
    Path(PathBuf),
    /// A class or a defined type.
    Resource(String),
    Function(String),
    Template(String),
    Key(String),
}

/// Who depends on the subjects.
#[derive(Default, Debug)]
pub struct Impact {
    /// The nodes that depend on any of them, in the order of the fleet, each with how.
    pub nodes: Vec<ImpactedNode>,
    /// How many nodes were asked.
    pub asked: usize,
    pub compiled: usize,
    pub stored: usize,
    /// Nodes of which nothing could be had, and why.
    pub unknown: Vec<(Str, String)>,
    /// Paths among the subjects that are not there.
    pub missing_paths: Vec<MissingPath>,
    /// Facts among the subjects that no node has; with the fact that was probably meant.
    pub missing_facts: Vec<(String, Option<String>)>,
    /// Keys that no data which the nodes read has, and no node looks up; with the key that was probably meant.
    pub missing_keys: Vec<(String, Option<String>)>,
}

/// A node that depends on a subject, with how.
#[derive(Default, Debug)]
pub struct ImpactedNode {
    pub name: Str,
    /// The reads that make it depend on a subject.
    pub reads: Vec<Read>,
    /// The sources of its files that are subjects.
    pub served: Vec<Str>,
    /// The keys among the subjects that it looks up.
    pub keys: Vec<String>,
    /// The types of exported resources that it collects, where other nodes that are reached may export these.
    pub collects: Vec<CollectedType>,
    /// The classifier is a subject.
    pub classifier: Option<PathBuf>,
    /// The places in its code that use a subject, where these were asked for.
    pub uses: Vec<CodeUse>,
}

/// A type of exported resources that a node collects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CollectedType {
    pub name: Str,
    /// A node that is reached and exports some. `None`: a node that is reached may begin to.
    pub exporter: Option<Str>,
}

/// A path that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingPath {
    pub path: PathBuf,
    /// The path that was probably meant.
    pub near: Option<PathBuf>,
    pub seen_by: SeenBy,
}

/// Who sees a file when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenBy {
    /// Nodes that look for it, or for what is around it.
    Nodes,
    /// It would be a file of facts, and make a node.
    Facts,
    /// No node that has a catalog. Others may look for it.
    Unknown,
    Nobody,
}

impl ImpactedNode {
    fn is_reached(&self) -> bool {
        let ImpactedNode { name: _, reads, served, keys, collects, classifier, uses } = self;
        let is_empty = reads.is_empty() && served.is_empty() && keys.is_empty() && collects.is_empty();
        !(is_empty && classifier.is_none() && uses.is_empty())
    }
}

/// Returns the files in which the subjects are. `Err`: one is nowhere.
pub fn subject_paths(repository: &Repository, subjects: &[ImpactSubject]) -> Result<Vec<PathBuf>, String> {
    let environment = &repository.compiler.world.environment;
    let mut paths = Vec::new();
    for subject in subjects {
        let (what, kind) = match subject {
            ImpactSubject::Path(path) => {
                paths.push(path.clone());
                continue;
            }
            ImpactSubject::Key(_) => continue,
            ImpactSubject::Resource(name) => (Definition::Resource(name), "class or defined type"),
            ImpactSubject::Function(name) => (Definition::Function(name), "function"),
            ImpactSubject::Template(name) => (Definition::Template(name), "template"),
        };
        let (Definition::Resource(name) | Definition::Function(name) | Definition::Template(name)) = what;
        match repository.compiler.file_of(environment, what)? {
            Some(path) => paths.push(path),
            None => {
                let help = repository.compiler.help_for(environment, what);
                let help = help.map(|help| format!("; {help}")).unwrap_or_default();
                return Err(format!("there is no {kind} {name} in the environment {environment}{help}"));
            }
        }
    }
    Ok(paths)
}

/// Asks all these nodes which of them an edit of one of the paths, or of files below, may reach; of a path that is not there, which
/// of them see it when it is made.
pub fn impact(
    repository: &Repository,
    names: &[Str],
    paths: &[PathBuf],
    keys: &[String],
    mut progress: impl FnMut() + Send,
) -> io::Result<Impact> {
    // What a node exports is collected by nodes that nobody has asked about.
    let asked =
        if repository.exchanges && !paths.is_empty() { repository.all_node_names(names) } else { names.to_vec() };
    let search = ImpactSearch::new(repository, paths, keys);
    let mut impact = Impact { asked: names.len(), ..Impact::default() };
    let filter = ReadFilter::new(repository, |kind: LeafKind, path: &Path| search.edited.may_change(kind, path));
    let mut all_reads = AllReads::new(repository);
    let mut exchanging = Vec::new();
    let mut has_failing = false;
    repository.each_answer(&asked, AnswerNeeds::default(), |name, answer| {
        progress();
        has_failing |= answer.as_ref().map_or(true, |answer| answer.failure().is_some());
        match answer {
            Err(error) => impact.unknown.push((name.clone(), AnswerError::to_string(&error))),
            Ok(answer) => {
                *(if answer.is_stored { &mut impact.stored } else { &mut impact.compiled }) += 1;
                // What it would depend on behind its error is not known.
                impact.unknown.extend(answer.failure().map(|failure| (name.clone(), failure.text.clone())));
                if !keys.is_empty() {
                    all_reads.add(&answer);
                }
                let node = search.node(name, &answer, filter.reads(&answer));
                if !node.is_reached() {
                    let unseen = search.unseen_reads(&answer);
                    impact.unknown.extend(unseen.map(|reason| (name.clone(), reason)));
                }
                if repository.exchanges {
                    exchanging.push((name.clone(), ExchangedTypes::from_answer(&answer)));
                }
                impact.nodes.extend(node.is_reached().then_some(node));
            }
        }
    })?;
    drop(filter);
    // A new node may export what others collect.
    let is_facts = |missing: &MissingPath| missing.seen_by == SeenBy::Facts;
    let makes_node = search.missing_paths(paths, &impact.nodes, has_failing).iter().any(is_facts);
    if makes_node || !paths.is_empty() && !impact.nodes.is_empty() {
        add_collectors(&mut impact.nodes, &asked, &exchanging);
    }
    impact.missing_paths = search.missing_paths(paths, &impact.nodes, has_failing);
    let is_meant: BTreeSet<&Str> = names.iter().collect();
    impact.nodes.retain(|node| is_meant.contains(&node.name));
    impact.unknown.retain(|(name, _)| is_meant.contains(name));
    let looked_up = |key: &&String| impact.nodes.iter().any(|node| node.keys.contains(*key));
    let idle: Vec<&String> = keys.iter().filter(|key| !looked_up(key)).collect();
    impact.missing_keys = missing_keys(repository, &all_reads, &idle);
    Ok(impact)
}

/// Asks all these nodes which code of theirs uses one of these things. A node is compiled for that unless an earlier run has asked it,
/// and nothing has changed since: an answer that is stored says what was read of the disk, and not by which code.
pub fn impact_on_code(
    repository: &Repository,
    names: &[Str],
    things: &[UsedThing],
    mut progress: impl FnMut() + Send,
) -> io::Result<Impact> {
    let mut impact = Impact { asked: names.len(), ..Impact::default() };
    let crew = repository.crew(0, names.len())?;
    let stored_uses = repository.open_uses();
    let has_facts = things.iter().any(|thing| matches!(thing, UsedThing::Fact(_)));
    let ask = |node: &NodeToPrepare| {
        repository.make_room();
        let (uses, is_stored) = repository.code_uses(stored_uses.as_ref(), node)?;
        let known = has_facts.then(|| repository.compiler.known_node(node)).flatten();
        let missing = known.map(|known| UsedThing::missing_facts(things, &known.node.facts));
        Ok::<_, AnswerError>((uses.users_of(things), missing.unwrap_or_default(), uses.failure, is_stored))
    };
    let mut missing_on_all: Option<Vec<(String, Option<String>)>> = None;
    crew.each_in_waves(
        names,
        |wave| repository.classify(wave),
        ask,
        |_, node, asked| {
            progress();
            match asked {
                Err(error) => impact.unknown.push((node.name.clone(), error.to_string())),
                Ok((uses, missing, failure, is_stored)) => {
                    *(if is_stored { &mut impact.stored } else { &mut impact.compiled }) += 1;
                    match &mut missing_on_all {
                        None => missing_on_all = Some(missing),
                        Some(all) => all.retain(|(fact, _)| missing.iter().any(|(known, _)| known == fact)),
                    }
                    // What the code behind the error would use is not known.
                    impact.unknown.extend(failure.map(|failure| (node.name.clone(), failure)));
                    if !uses.is_empty() {
                        impact.nodes.push(ImpactedNode { name: node.name.clone(), uses, ..ImpactedNode::default() });
                    }
                }
            }
        },
    )?;
    if let Some(stored) = stored_uses {
        stored.close();
    }
    impact.missing_facts = missing_on_all.unwrap_or_default();
    Ok(impact)
}

impl Impact {
    /// Takes over which code of its nodes uses the subjects.
    pub fn add_uses(&mut self, code: Impact) {
        for of_code in code.nodes {
            if let Some(node) = self.nodes.iter_mut().find(|node| node.name == of_code.name) {
                node.uses = of_code.uses;
            }
        }
        self.unknown.extend(code.unknown);
        self.compiled += code.compiled;
    }
}

/// The nodes that have a resource in their catalogs.
#[derive(Default, Debug)]
pub struct ResourceImpact {
    /// Each with where it is declared, and what comes after it.
    pub nodes: Vec<(Str, Vec<String>)>,
    pub asked: usize,
    pub compiled: usize,
    pub unknown: Vec<(Str, String)>,
    /// Of resources that no node has, one that was probably meant.
    pub near: Vec<(String, Option<String>)>,
}

/// Asks all these nodes which of them have any of these resources, and what comes after it on them.
pub fn impact_of_resources(
    repository: &Repository,
    names: &[Str],
    resources: &[String],
    mut progress: impl FnMut() + Send,
) -> io::Result<ResourceImpact> {
    let mut impact = ResourceImpact { asked: names.len(), ..ResourceImpact::default() };
    let needs = AnswerNeeds { catalog: true, ..AnswerNeeds::default() };
    let mut near: Vec<(String, Option<String>)> = resources.iter().map(|resource| (resource.clone(), None)).collect();
    repository.each_answer(names, needs, |name, answer| {
        progress();
        let found = answer.map_err(|error| error.to_string()).and_then(|answer| {
            impact.compiled += usize::from(!answer.is_stored);
            let catalog = answer.catalog.as_ref().ok_or_else(|| match answer.failure() {
                Some(failure) => failure.text.clone(),
                None => "it has no catalog".to_owned(),
            })?;
            let catalog = catalog.catalog().map_err(|error| error.to_string())?;
            let view = GraphView::new(&catalog, &answer.head.decrypted);
            for (resource, near) in near.iter_mut().filter(|(_, near)| near.is_none()) {
                let names: Vec<String> = view.vertices.iter().map(ViewVertex::name).collect();
                *near = nearest(resource, names.iter().map(String::as_str)).map(str::to_owned);
            }
            Ok(resources.iter().flat_map(|resource| followers(&view, resource)).collect::<Vec<_>>())
        });
        match found {
            Err(reason) => impact.unknown.push((name.clone(), reason)),
            Ok(found) if found.is_empty() => {}
            Ok(found) => impact.nodes.push((name.clone(), found)),
        }
    })?;
    if impact.nodes.is_empty() {
        impact.near = near;
    }
    Ok(impact)
}

/// Where a resource is declared, and what comes after it; nothing where there is no such resource.
fn followers(view: &GraphView, resource: &str) -> Vec<String> {
    let is_it =
        |vertex: &ViewVertex| vertex.kind != VertexKind::Missing && vertex.name().eq_ignore_ascii_case(resource);
    let Some(index) = view.vertices.iter().position(is_it) else { return Vec::new() };
    let vertex = &view.vertices[index];
    let place = vertex.place.as_ref().map(|place| format!(" in {}:{}", place.file, place.line)).unwrap_or_default();
    let mut lines = vec![format!("has {}{place}", vertex.name())];
    // What comes after a container comes after all that is in it. After a stage comes everything of the next one.
    let containers = std::iter::successors(Some(index), |around| view.vertices[*around].container);
    for around in containers.filter(|around| view.vertices[*around].kind != VertexKind::Stage) {
        let it = match around == index {
            true => "it".to_owned(),
            false => format!("{}, which contains it", view.vertices[around].name()),
        };
        for edge in view.edges.iter().filter(|edge| edge.earlier == around) {
            let kinds: Vec<&str> = edge.kinds.iter().map(|kind| kind.name()).collect();
            lines.push(format!("{} comes after {it} ({})", view.vertices[edge.later].name(), kinds.join(", ")));
        }
    }
    lines
}

/// Returns those of the keys that no data has which was read, each with a key of the data that was probably meant.
fn missing_keys(repository: &Repository, reads: &AllReads<'_>, keys: &[&String]) -> Vec<(String, Option<String>)> {
    if keys.is_empty() {
        return Vec::new();
    }
    let disk = &repository.compiler.world.disk;
    let files = reads.reads().into_iter().filter(|read| read.kind == LeafKind::Data || read.kind.is_text());
    let paths: BTreeSet<PathBuf> = files.map(|read| read.path).collect();
    let bytes = |path: &PathBuf| disk.read(path).ok().flatten();
    let names = |path: &PathBuf| {
        let bytes = bytes(path)?;
        let is_code = path.extension().is_some_and(|extension| extension == "pp");
        if is_code { bound_names(path, &bytes) } else { key_names(path, &bytes) }
    };
    let known: BTreeSet<Str> = paths.iter().filter_map(names).flatten().collect();
    let is_missing = |key: &&&String| !known.iter().any(|name| hash_of_key(name) == hash_of_name(key));
    let near = |key: &&String| {
        let near = nearest(key, known.iter().map(Str::as_str)).map(str::to_owned);
        ((*key).clone(), near)
    };
    keys.iter().filter(is_missing).map(near).collect()
}
