//! What differs on one node: resources, relationships, messages, what an agent would refresh.

use std::sync::Arc;

use pantin_compile::served_sources_of;
use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::diff::{Change, ParameterChange, ResourceChange, ShownValue, diff};
use pantin_model::catalog::{Catalog, CatalogView, MalformedCatalog, Place, Resource};
use pantin_model::graph::{Graph, RelationshipKind, leaves_graph_unchanged};
use pantin_values::{Digester, Digestible, Str};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ignore::IgnoreRule;
use super::relationships::{RelationshipChange, key, relationship_changes};
use super::served_files::{ServedChange, ServedContent, ServedFiles};
use super::side::{PreparedSide, Side, SideAnswer};
use crate::fleet::NodeReport;
use crate::hidden::hide_in_parameters;
use crate::messages::Message;

/// What became of a node. A node fails if it has no catalog that an agent could apply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodeStatus {
    Unchanged,
    Changed,
    Added,
    Removed,
    /// It did not fail before, or was not there.
    NewlyFailing,
    /// It fails on both sides for the same reasons.
    Failing,
    /// It fails on both sides, and not for the same reasons.
    FailingOtherwise,
    Mended,
    /// A side took longer than it may, or Pantin itself is wrong.
    Unknown,
}

/// On which sides a message is, and what that means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MessageState {
    /// On the second side alone.
    New,
    /// On the second side alone: a reason for which a node fails that failed for others before.
    Otherwise,
    /// On both sides. Only what makes a node fail is told again.
    Same,
    /// On the first side alone, where the node fails on the second one or is gone: nobody knows whether it is mended.
    Before,
    /// On the first side alone, where the node does not fail on the second one.
    Mended,
}

/// A resource that is not the same on both sides.
#[derive(Clone, Debug)]
pub struct ResourceDifference {
    /// `File[/etc/motd]`
    pub reference: Str,
    pub type_name: Str,
    /// Parameters that relate it to others are not among them.
    pub change: Change,
    pub relationships: Vec<RelationshipChange>,
    /// Module files that it is a copy of, whose contents differ.
    pub contents: Vec<ContentChange>,
    pub place: Option<Place>,
}

/// A module file whose content differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentChange {
    pub source: Str,
    pub old: ServedContent,
    pub new: ServedContent,
}

/// All that differs on a node.
#[derive(Debug)]
pub(super) struct NodeDifference {
    pub(super) status: NodeStatus,
    pub(super) moved: Option<(String, String)>,
    pub(super) resources: Vec<ResourceDifference>,
    pub(super) refreshed: Vec<Str>,
    pub(super) messages: Vec<(MessageState, Message)>,
    pub(super) compiled: usize,
    pub(super) stored: usize,
    /// How much was left out because somebody does not want to see it.
    pub(super) ignored: usize,
}

impl NodeStatus {
    /// Returns a stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            NodeStatus::Unchanged => "unchanged",
            NodeStatus::Changed => "changed",
            NodeStatus::Added => "added",
            NodeStatus::Removed => "removed",
            NodeStatus::NewlyFailing => "newly_failing",
            NodeStatus::Failing => "failing",
            NodeStatus::FailingOtherwise => "failing_otherwise",
            NodeStatus::Mended => "mended",
            NodeStatus::Unknown => "unknown",
        }
    }
}

impl MessageState {
    pub fn name(self) -> &'static str {
        match self {
            MessageState::New => "new",
            MessageState::Otherwise => "otherwise",
            MessageState::Same => "same",
            MessageState::Before => "before",
            MessageState::Mended => "mended",
        }
    }
}

impl NodeDifference {
    pub(super) fn between(
        from: (&Side, &PreparedSide),
        to: (&Side, &PreparedSide),
        served: &ServedFiles,
        rules: &[IgnoreRule],
    ) -> NodeDifference {
        let (old, new) = (from.0.answer(from.1), to.0.answer(to.1));
        let messages = messages(old.as_ref(), new.as_ref());
        let mut difference = NodeDifference {
            status: status(old.as_ref(), new.as_ref(), &messages),
            moved: moved(old.as_ref(), new.as_ref()),
            resources: Vec::new(),
            refreshed: Vec::new(),
            messages,
            compiled: [&old, &new].into_iter().flatten().filter(|one| one.is_stored == Some(false)).count(),
            stored: [&old, &new].into_iter().flatten().filter(|one| one.is_stored == Some(true)).count(),
            ignored: 0,
        };
        let decrypted: DecryptedTexts =
            [&old, &new].into_iter().flatten().fold(DecryptedTexts::default(), |all, one| all.union(&one.decrypted()));
        difference.messages.iter_mut().for_each(|(_, message)| message.hide(&decrypted));
        if let (Some(mut old), Some(mut new)) = (old, new) {
            difference.add_resources((from, &mut old), (to, &mut new), served, rules);
        }
        let differs = !difference.resources.is_empty() || difference.moved.is_some();
        if difference.status == NodeStatus::Unchanged && differs {
            difference.status = NodeStatus::Changed;
        }
        difference
    }

    fn add_resources(
        &mut self,
        ((from, old_node), old): ((&Side, &PreparedSide), &mut SideAnswer),
        ((to, new_node), new): ((&Side, &PreparedSide), &mut SideAnswer),
        served: &ServedFiles,
        rules: &[IgnoreRule],
    ) {
        let environments = (old.report.environment.clone(), new.report.environment.clone());
        // Nobody knows what was served with a catalog that was saved.
        let served = |source: &Str| {
            served.change((from.repository()?, &environments.0), (to.repository()?, &environments.1), source)
        };
        let has_other_files = new.served_sources().iter().any(|source| served(source).is_some());
        let have_catalogs = old.report.resources.is_some() && new.report.resources.is_some();
        if !have_catalogs || (old.is_same_stored(new) && !has_other_files) {
            return;
        }
        let decrypted = old.decrypted().union(&new.decrypted());
        let lacks_secrets = old.lacks_secrets || new.lacks_secrets;
        let lacks_edges = old.lacks_edges || new.lacks_edges;
        let name = new.report.name.clone();
        let catalogs = [from.catalog(old_node, old), to.catalog(new_node, new)];
        let [Ok(old), Ok(new)] = &catalogs else {
            return catalogs.into_iter().filter_map(Result::err).for_each(|reason| self.fail(&name, &reason));
        };
        let pair = CatalogPair { old: old.view(), new: new.view() };
        let found = pair.differences(has_other_files.then_some(&served), |resource| {
            resource.change = hide_in_parameters(resource.change.clone(), &decrypted);
            if lacks_secrets {
                resource.forget_absent_secrets();
            }
            if lacks_edges {
                resource.relationships.retain(|one| one.kind != RelationshipKind::Contains);
            }
            let (ignored, is_left) = IgnoreRule::apply(rules, resource);
            self.ignored += ignored;
            is_left
        });
        match found {
            Ok((resources, refreshed)) => (self.resources, self.refreshed) = (resources, refreshed),
            Err(error) => return self.fail(&name, &error.to_string()),
        }
        if !decrypted.is_empty() {
            self.refreshed.iter_mut().for_each(|reference| hide_in_name(reference, &decrypted));
            self.resources.iter_mut().for_each(|resource| resource.hide_in_names(&decrypted));
        }
    }

    /// The node cannot be compared, which must not look as if nothing differed.
    fn fail(&mut self, name: &Str, reason: &str) {
        let fails_before =
            matches!(self.status, NodeStatus::Mended | NodeStatus::Failing | NodeStatus::FailingOtherwise);
        let (status, state) = match fails_before {
            true => (NodeStatus::FailingOtherwise, MessageState::Otherwise),
            false => (NodeStatus::NewlyFailing, MessageState::New),
        };
        self.status = status;
        let mended = self.messages.iter_mut().filter(|(state, _)| *state == MessageState::Mended);
        mended.for_each(|(state, _)| *state = MessageState::Before);
        let report = NodeReport::without_answer(name, &format!("its catalogs cannot be compared: {reason}"));
        self.messages.extend(report.messages.into_iter().map(|message| (state, message)));
    }
}

/// A title may be made of what was decrypted.
fn hide_in_name(name: &mut Str, decrypted: &DecryptedTexts) {
    if let Some(hidden) = decrypted.hide_in_text(name) {
        *name = hidden.into();
    }
}

fn status(old: Option<&SideAnswer>, new: Option<&SideAnswer>, messages: &[(MessageState, Message)]) -> NodeStatus {
    if [old, new].into_iter().flatten().any(|answer| answer.report.is_unknown) {
        return NodeStatus::Unknown;
    }
    let is_ok = |answer: Option<&SideAnswer>| answer.map(|answer| answer.report.is_ok());
    match (is_ok(old), is_ok(new)) {
        (_, None) => NodeStatus::Removed,
        (None | Some(true), Some(false)) => NodeStatus::NewlyFailing,
        (None, Some(true)) => NodeStatus::Added,
        (Some(true), Some(true)) => NodeStatus::Unchanged,
        (Some(false), Some(true)) => NodeStatus::Mended,
        (Some(false), Some(false)) => {
            let is_other =
                |(state, message): &(MessageState, Message)| message.about.is_failing() && *state != MessageState::Same;
            if messages.iter().any(is_other) { NodeStatus::FailingOtherwise } else { NodeStatus::Failing }
        }
    }
}

fn moved(old: Option<&SideAnswer>, new: Option<&SideAnswer>) -> Option<(String, String)> {
    let (old, new) = (&old?.report.environment, &new?.report.environment);
    (old != new && !old.is_empty() && !new.is_empty()).then(|| (old.clone(), new.clone()))
}

/// Returns what is said of a node on one of the sides, and what makes it fail on both.
fn messages(old: Option<&SideAnswer>, new: Option<&SideAnswer>) -> Vec<(MessageState, Message)> {
    let fails = |answer: Option<&SideAnswer>| answer.is_some_and(|answer| !answer.report.is_ok());
    let (fails_before, is_mended) = (fails(old), new.is_some() && !fails(new));
    let messages =
        |answer: Option<&SideAnswer>| answer.map(|answer| answer.report.messages.clone()).unwrap_or_default();
    let (old, new) = (messages(old), messages(new));
    let key = |message: &Message| (message.about, message.general.clone());
    let [before, after] = [&old, &new].map(|messages| messages.iter().map(key).collect::<FxHashSet<_>>());
    let mut told = FxHashSet::default();
    let now = new.into_iter().filter_map(|message| {
        let state = match before.contains(&key(&message)) {
            true => MessageState::Same,
            false if fails_before && message.about.is_failing() => MessageState::Otherwise,
            false => MessageState::New,
        };
        let counts = state != MessageState::Same || message.about.is_failing();
        (counts && told.insert(key(&message))).then_some((state, message))
    });
    let mut messages: Vec<_> = now.collect();
    let gone = old.into_iter().filter(|message| !after.contains(&key(message)) && told.insert(key(message)));
    let state = if is_mended { MessageState::Mended } else { MessageState::Before };
    messages.extend(gone.map(|message| (state, message)));
    messages
}

/// Parameters that are told as relationships.
const RELATIONSHIPS: [&str; 4] = ["require", "before", "notify", "subscribe"];

/// The catalogs of a node.
struct CatalogPair<'c> {
    old: CatalogView<'c>,
    new: CatalogView<'c>,
}

impl CatalogPair<'_> {
    /// Returns the resources that differ, without those that `is_wanted` refuses, and what an agent refreshes because
    /// of them. `served`: says what a source means on either side, if any source means something else. An error: a
    /// stored catalog cannot be read.
    fn differences(
        self,
        served: Option<&impl Fn(&Str) -> Option<ServedChange>>,
        is_wanted: impl FnMut(&mut ResourceDifference) -> bool,
    ) -> Result<(Vec<ResourceDifference>, Vec<Str>), MalformedCatalog> {
        let difference = diff(self.old, self.new)?;
        let has_same_graph = leaves_graph_unchanged(&difference);
        if difference.changes.is_empty() && has_same_graph && served.is_none() {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut found = FoundDifferences::new(difference.changes);
        let new = self.new.read()?;
        let graph = Graph::from_catalog(&new);
        if !has_same_graph {
            found.add_relationships(&*self.old.read()?, &graph);
        }
        if let Some(served) = served {
            found.add_contents(&new, served);
        }
        found.differences.retain_mut(is_wanted);
        let refreshed = if found.differences.is_empty() { Vec::new() } else { refreshed(&graph, &found.differences) };
        Ok((found.differences, refreshed))
    }
}

/// What differs, by resource.
struct FoundDifferences {
    differences: Vec<ResourceDifference>,
    /// By the references of the resources.
    places: FxHashMap<Str, usize>,
}

impl FoundDifferences {
    fn new(changes: Vec<ResourceChange>) -> FoundDifferences {
        let differences: Vec<ResourceDifference> =
            changes.into_iter().filter_map(ResourceDifference::without_relationships).collect();
        let places = differences.iter().enumerate().map(|(at, one)| (one.reference.clone(), at)).collect();
        FoundDifferences { differences, places }
    }

    fn add_relationships(&mut self, old: &Catalog, new: &Graph<'_>) {
        let by_name: FxHashMap<(&str, &str), &Arc<Resource>> =
            new.catalog().resources.iter().map(|one| (key(one), one)).collect();
        for (change, resource) in relationship_changes(old, new) {
            let resource = by_name.get(&key(resource)).map_or(resource, |resource| resource);
            self.get_mut(resource).relationships.push(change);
        }
    }

    fn add_contents(&mut self, new: &Catalog, served: &impl Fn(&Str) -> Option<ServedChange>) {
        for resource in new.resources.iter().filter(|resource| resource.type_name == "File") {
            for source in served_sources_of(resource) {
                let Some((old, new)) = served(&source) else { continue };
                let difference = self.get_mut(resource);
                if !matches!(difference.change, Change::Added) {
                    difference.contents.push(ContentChange { source, old, new });
                }
            }
        }
    }

    /// Returns what differs of a resource; of one of which nothing was found so far, nothing.
    fn get_mut(&mut self, resource: &Resource) -> &mut ResourceDifference {
        let at = *self.places.entry(resource.reference().into()).or_insert(self.differences.len());
        if at == self.differences.len() {
            self.differences.push(ResourceDifference::unchanged(resource));
        }
        &mut self.differences[at]
    }
}

/// Returns what an agent would restart or run, although it does not change itself.
fn refreshed(graph: &Graph<'_>, differences: &[ResourceDifference]) -> Vec<Str> {
    let resources = &graph.catalog().resources;
    let changed: FxHashSet<&str> =
        differences.iter().filter(|one| one.changes_the_node()).map(|one| &*one.reference).collect();
    let places = resources.iter().enumerate().filter(|(_, resource)| changed.contains(&*resource.reference()));
    let places: Vec<u32> = places.map(|(at, _)| at as u32).collect();
    let refreshed = graph.refreshed_by(&places);
    refreshed.into_iter().filter_map(|at| Some(resources.get(at as usize)?.reference().into())).collect()
}

impl ResourceDifference {
    /// Of a resource of which nothing differs yet.
    fn unchanged(resource: &Resource) -> ResourceDifference {
        ResourceDifference {
            reference: resource.reference().into(),
            type_name: resource.type_name.clone(),
            change: Change::Changed(Vec::new()),
            relationships: Vec::new(),
            contents: Vec::new(),
            place: resource.place.clone(),
        }
    }

    /// `None`: nothing but relationships differs.
    fn without_relationships(change: ResourceChange) -> Option<ResourceDifference> {
        let ResourceChange { reference, change, place } = change;
        let type_name = reference.split('[').next().unwrap_or_default().into();
        let change = match change {
            Change::Changed(mut parameters) => {
                parameters.retain(|parameter| !RELATIONSHIPS.contains(&&*parameter.name));
                if parameters.is_empty() {
                    return None;
                }
                Change::Changed(parameters)
            }
            change => change,
        };
        let (relationships, contents) = (Vec::new(), Vec::new());
        Some(ResourceDifference { reference: reference.into(), type_name, change, relationships, contents, place })
    }

    /// A secret that one side alone has, where the other one was saved without its secrets, is no difference.
    fn forget_absent_secrets(&mut self) {
        let Change::Changed(parameters) = &mut self.change else { return };
        parameters.retain(|one| {
            let sides = [&one.old, &one.new];
            !(sides.contains(&&ShownValue::Absent) && sides.contains(&&ShownValue::Secret))
        });
    }

    fn hide_in_names(&mut self, decrypted: &DecryptedTexts) {
        hide_in_name(&mut self.reference, decrypted);
        for change in &mut self.relationships {
            hide_in_name(&mut change.source, decrypted);
            hide_in_name(&mut change.target, decrypted);
        }
    }

    /// Returns the parameters that differ.
    pub fn parameters(&self) -> &[ParameterChange] {
        match &self.change {
            Change::Changed(parameters) => parameters,
            Change::Added | Change::Removed => &[],
        }
    }

    /// Returns true if an agent would do something: not where nothing but the order changes, or classes come and go.
    fn changes_the_node(&self) -> bool {
        match &self.change {
            Change::Added | Change::Removed => true,
            Change::Changed(parameters) => !parameters.is_empty() || !self.contents.is_empty(),
        }
    }

    /// Returns true if anything differs.
    pub(super) fn says_something(&self) -> bool {
        self.changes_the_node() || !self.relationships.is_empty() || !self.contents.is_empty()
    }

    /// `added`, `removed` or `changed`.
    pub fn action(&self) -> &'static str {
        match self.change {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed(_) => "changed",
        }
    }
}

impl Digestible for ResourceDifference {
    fn add_to(&self, digester: &mut Digester) {
        let ResourceDifference { reference, type_name: _, change, relationships, contents, place: _ } = self;
        digester.text(reference).item(change).number(relationships.len() as u64);
        for RelationshipChange { kind, source, target, is_added } in relationships {
            digester.text(kind.name()).text(source).text(target).number(u64::from(*is_added));
        }
        // What a source means is the same for all nodes of an environment.
        digester.number(contents.len() as u64);
        for ContentChange { source, .. } in contents {
            digester.text(source);
        }
    }
}
