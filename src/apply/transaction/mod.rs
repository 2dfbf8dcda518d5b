//! The transaction: walks from resource to resource, in order, and does at each what is to be done. Statuses, queued events and
//! failed dependencies are vectors by the number of a vertex.

mod changes;
mod children;
#[cfg(test)]
mod deferred_tests;
mod evaluate;
mod events;
mod generate;
mod history;
mod names;
#[cfg(test)]
mod partial_tests;
mod planning;
mod prefetch;
mod prepare;
mod prune;
#[cfg(test)]
mod random_machine;
#[cfg(test)]
mod random_tests;
mod read_ahead;
#[cfg(test)]
mod record_tests;
mod second_look;
mod seeds;
mod selection;
mod skip;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use pantin_machine::{ReadOnly, Stop, System, Time};
use pantin_model::catalog::Resource;
use pantin_model::graph::{Graph, Vertex, Walk, WalkEdge, WalkVertex};
use pantin_values::Str;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::deferred::{DeferredValues, resolved};
use crate::failure::{Failure, ProviderLack};
use crate::known_sums::KnownSums;
use crate::log::{Level, Log};
use crate::managed::Managed;
use crate::plan::Plan;
use crate::provider::Providers;
use crate::report::{Event, Status};
use crate::resource::{Metaparameters, ResourceInfo};
use crate::settings::ApplySettings;
use crate::sources::Sources;
use crate::state::{Applied, MachineState};
use crate::types::{NewResource, find_type};
use changes::Changes;
use seeds::walk_order;
use selection::Selection;

pub(crate) use generate::generated_resource;
pub(crate) use prepare::{Prepared, PreparedResource, prepare, prepare_resource};
pub use prune::is_removable;
pub(crate) use seeds::Seeds;

/// What a transaction uses and does not change.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub machine: &'a dyn System,
    pub settings: &'a ApplySettings,
    pub sources: &'a dyn Sources,
    pub deferred: &'a dyn DeferredValues,
    pub stop: &'a Stop,
    pub log: &'a Log<'a>,
    pub providers: &'a Providers,
    pub sums: &'a KnownSums,
}

/// A vertex of the walk.
struct Node {
    info: Arc<ResourceInfo>,
    kind: NodeKind,
    status: Status,
    /// Events that wait for its turn.
    queue: Vec<QueuedEvent>,
    failed_dependencies: Vec<u32>,
    /// How many changes there were when its turn came.
    seen_changes: u32,
    /// Events came to it.
    was_told: bool,
    /// When the first of its refreshes was lost that this run makes, in seconds since 1970.
    owed_since: Option<i64>,
}

/// An event that waits for the turn of its target.
struct QueuedEvent {
    event: Event,
    /// The resources that it began with; containers hand it on.
    sources: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NodeKind {
    /// A resource, by its number in the applied catalog.
    Resource(u32),
    /// One that every catalog gets.
    Default,
    /// The beginning or the end of a container, by the number of its vertex; or the end of what a resource made.
    Anchor { container: Option<u32>, is_end: bool },
    /// A container for which beginning and end stand.
    Replaced,
}

/// A walk through a catalog that is being applied.
pub(crate) struct Transaction<'a> {
    around: Surroundings<'a>,
    read_only: ReadOnly<'a>,
    catalog: AppliedCatalog,
    managed: Vec<Option<Box<dyn Managed>>>,
    /// What resources made just before their turn, by the vertices of the makers.
    children: FxHashMap<u32, Vec<u32>>,
    changes: Changes,
    /// Who has made a resource, by vertices.
    makers: FxHashMap<u32, u32>,
    /// What the run applies, if that is not everything.
    selection: Option<Selection<'a>>,
    plan: Plan,
    /// By resource, the classes and defined resources that contain it; `include` is none, `contain` is.
    containers: Vec<SmallVec<[u32; 1]>>,
    /// The place of each vertex in the walk.
    places: FxHashMap<u32, u32>,
    /// What was removed from the machine because it has left the catalog.
    pruned: Vec<String>,
    /// The vertices of those.
    pruning: FxHashSet<u32>,
    /// The vertex of each resource.
    vertices: Vec<u32>,
    /// Why there is no object of a resource.
    lacks: FxHashMap<u32, Failure>,
    /// Resources with values that are known when their turn comes.
    unresolved: FxHashMap<u32, Arc<Resource>>,
    walk: Walk,
    nodes: Vec<Node>,
    state: &'a mut MachineState,
    /// What is recorded for the next run.
    history: Option<Applied<'a>>,
    /// How many vertices the catalog has; those that resources make while they are applied come after.
    resource_count: u32,
    /// How many vertices were come to.
    evaluated: u32,
    /// Failed dependencies that were told.
    told_failures: FxHashSet<u32>,
    told_class_failures: FxHashSet<u32>,
    warned_class_failures: FxHashSet<u32>,
    pub(crate) has_failed_to_generate: bool,
    /// The signal that ended the walk.
    stopped: Option<i32>,
    /// What was under way then.
    interrupted: Option<u32>,
}

/// Resources whose providers do not work on this machine, so far.
#[derive(Default)]
struct Deferral {
    waiting: Vec<u32>,
    /// Something was applied since they began to wait.
    has_moved: bool,
    /// Types without any provider, for the end of the run.
    types: Vec<String>,
}

/// What came of a walk.
#[derive(Default)]
pub(crate) struct Walked {
    pub nodes: Vec<(Arc<ResourceInfo>, Status)>,
    pub has_failed_to_generate: bool,
    pub is_completed: bool,
    /// Why the walk ended before its end.
    pub failure: Option<Failure>,
    pub stopped: Option<i32>,
    /// Why what was done could not be recorded.
    pub history_error: Option<std::io::Error>,
    /// What was selected, and why.
    pub plan: Plan,
}

impl<'a> Transaction<'a> {
    /// Begins a transaction: from the catalog's graph, which has no cycle, and the objects of its resources.
    pub(crate) fn new(
        prepared: Prepared,
        graph: &Graph<'_>,
        walk: Walk,
        around: Surroundings<'a>,
        (state, history): (&'a mut MachineState, Option<Applied<'a>>),
        seeds: Option<Seeds>,
    ) -> Transaction<'a> {
        let makers: Vec<Option<String>> = prepared.resources.iter().map(|resource| resource.maker.clone()).collect();
        let mut transaction = Transaction {
            around,
            read_only: ReadOnly(around.machine),
            catalog: prepared.applied_catalog(),
            managed: Vec::with_capacity(prepared.resources.len()),
            children: FxHashMap::default(),
            changes: Changes::default(),
            makers: FxHashMap::default(),
            selection: None,
            plan: Plan::default(),
            containers: prepared.containers(),
            places: (0..).zip(walk_order(&walk)).map(|(place, number)| (number, place)).collect(),
            pruned: Vec::new(),
            pruning: FxHashSet::default(),
            vertices: (0..prepared.resources.len() as u32).collect(),
            lacks: FxHashMap::default(),
            unresolved: FxHashMap::default(),
            nodes: Vec::with_capacity(walk.count() as usize),
            resource_count: walk.count(),
            evaluated: 0,
            walk,
            state,
            history,
            told_failures: FxHashSet::default(),
            told_class_failures: FxHashSet::default(),
            warned_class_failures: FxHashSet::default(),
            has_failed_to_generate: prepared.has_failed_to_generate,
            stopped: None,
            interrupted: None,
        };
        transaction.add_nodes(graph, &prepared.resources);
        if let Some(order) = &prepared.declared_order {
            // What resources make moves others about, and is not there in each run.
            let places: FxHashMap<&str, u32> = order.iter().map(String::as_str).zip(0..).collect();
            let place = |number: u32| Some((number, *places.get(transaction.info(number).reference.as_str())?));
            transaction.places = (0..transaction.nodes.len() as u32).filter_map(place).collect();
        }
        for (number, resource) in (0..).zip(prepared.resources) {
            transaction.managed.push(resource.managed);
            resource.lack.and_then(|lack| transaction.lacks.insert(number, lack));
            resource.unresolved.and_then(|unresolved| transaction.unresolved.insert(number, unresolved));
        }
        transaction.add_makers(&makers);
        if around.settings.scope.makes_owed {
            transaction.settle_owed();
        }
        if let Some(seeds) = seeds {
            transaction.begin_selection(seeds);
        }
        transaction
    }

    /// Remembers who has made which resources.
    fn add_makers(&mut self, makers: &[Option<String>]) {
        let made = (0..).zip(makers).filter_map(|(made, maker): (u32, _)| Some((made, maker.as_ref()?)));
        for (made, maker) in made {
            if let Some(maker) = self.nodes.iter().position(|node| node.info.reference == *maker) {
                self.makers.insert(made, maker as u32);
            }
        }
    }

    fn add_nodes(&mut self, graph: &Graph<'_>, resources: &[PreparedResource]) {
        for number in 0..self.walk.count() {
            let (info, kind) = match self.walk.vertex(number) {
                WalkVertex::Replaced(at) => (Arc::clone(&resources[at as usize].info), NodeKind::Replaced),
                WalkVertex::OfGraph(Vertex::Resource(at)) => {
                    (Arc::clone(&resources[at as usize].info), NodeKind::Resource(at))
                }
                WalkVertex::OfGraph(Vertex::Default(name)) => (Arc::new(default_info(name)), NodeKind::Default),
                WalkVertex::OfGraph(vertex @ (Vertex::Admissible(at) | Vertex::Completed(at))) => {
                    let name = graph.name(vertex);
                    let container = &resources[at as usize].info;
                    let info = ResourceInfo { path: name.clone(), reference: name, ..(**container).clone() };
                    let is_end = matches!(vertex, Vertex::Completed(_));
                    (Arc::new(info), NodeKind::Anchor { container: Some(at), is_end })
                }
                WalkVertex::Made | WalkVertex::EndOf(_) => continue,
            };
            let node = self.new_node(info, kind);
            self.nodes.push(node);
        }
    }

    /// Walks to every resource. What is skipped or fails has a status that says so.
    pub(crate) fn run(mut self) -> Walked {
        let failure = self.walk_all().err();
        if failure.is_none() && self.stopped.is_none() {
            self.prune();
        }
        self.finish_plan();
        let history_error = self.finish_history().err();
        let is_anchor = |node: &Node| matches!(node.kind, NodeKind::Anchor { .. } | NodeKind::Replaced);
        let is_completed = failure.is_none() && self.stopped.is_none();
        let left_alone = self.selection.as_ref().map(|selection| &selection.left_alone);
        let is_told = |number: u32| left_alone.is_none_or(|left_alone| !left_alone.contains(&number));
        let nodes = (0..).zip(self.nodes).filter(|(number, node)| !is_anchor(node) && is_told(*number));
        let nodes = nodes.map(|(_, node)| (node.info, node.status)).collect();
        Walked {
            nodes,
            has_failed_to_generate: self.has_failed_to_generate,
            is_completed,
            failure,
            stopped: self.stopped,
            history_error,
            plan: self.plan,
        }
    }

    fn walk_all(&mut self) -> Result<(), Failure> {
        let mut deferral = Deferral::default();
        self.read_ahead();
        while let Some(number) = self.walk.next_ready() {
            if self.around.stop.signal().is_some() {
                self.stopped = self.around.stop.signal();
                break;
            }
            self.queue_owed(number);
            if !self.is_selected(number) {
                self.leave_alone(number);
                self.end_turn(number);
                self.end_deferral(&mut deferral);
                continue;
            }
            if self.lacks_provider(number) && !self.make_again(number) {
                deferral.waiting.push(number);
                self.end_deferral(&mut deferral);
                continue;
            }
            deferral.has_moved = true;
            if self.is_passed_in_plan(number) {
                self.end_turn(number);
                self.end_deferral(&mut deferral);
                continue;
            }
            self.prefetch(number);
            self.make_children(number);
            self.evaluated += 1;
            self.trace_evaluation(number, || "Starting to evaluate the resource".to_owned());
            let begin = self.now();
            self.evaluate(number)?;
            let seconds = self.now().seconds_since(begin);
            self.trace_evaluation(number, || format!("Evaluated in {seconds:.2} seconds"));
            self.end_turn(number);
            if self.stopped.is_some() {
                break;
            }
            self.end_deferral(&mut deferral);
        }
        for type_name in deferral.types {
            self.around.log.bare(Level::Err, format!("Could not find a suitable provider for {type_name}"));
        }
        Ok(())
    }

    fn lacks_provider(&self, number: u32) -> bool {
        self.provider_lack(number).is_some()
    }

    /// Returns why nothing carries a resource out on this machine, as far as is known before its turn or said by the
    /// machine now.
    fn provider_lack(&self, number: u32) -> Option<Failure> {
        let NodeKind::Resource(at) = self.node(number).kind else { return None };
        let known = self.lacks.get(&at).filter(|lack| lack.provider_lack().is_some()).cloned();
        known.or_else(|| self.managed(number)?.lack(self.around.machine).map(Failure::lack))
    }

    /// Makes the object of a resource whose provider did not work before. Returns true if it works now.
    fn make_again(&mut self, number: u32) -> bool {
        let NodeKind::Resource(at) = self.node(number).kind else { return false };
        let info = Arc::clone(&self.node(number).info);
        let (Some(kind), Some(values)) = (find_type(&info.type_name), self.catalog.values(at).cloned()) else {
            return false;
        };
        let (settings, machine) = (self.around.settings, self.around.machine);
        match (kind.make)(&NewResource { info: &info, values: &values, settings, machine }) {
            Ok(managed) => {
                let works = managed.lack(machine).is_none();
                self.managed[at as usize] = Some(managed);
                self.lacks.remove(&at);
                works
            }
            Err(lack) => {
                let works = lack.provider_lack().is_none();
                self.lacks.insert(at, lack);
                works
            }
        }
    }

    /// Where nothing else is ready, lets what waits for its provider try again if anything has moved meanwhile, and else fails it.
    fn end_deferral(&mut self, deferral: &mut Deferral) {
        if self.walk.has_ready() || deferral.waiting.is_empty() {
            return;
        }
        let has_moved = std::mem::take(&mut deferral.has_moved);
        for number in std::mem::take(&mut deferral.waiting) {
            if has_moved {
                self.walk.put_back(number);
                continue;
            }
            let settings = self.around.settings;
            let is_meant = settings.tags.is_empty() || self.info(number).has_tag(&settings.tags);
            let lack = self.provider_lack(number);
            match lack.as_ref().and_then(Failure::provider_lack).filter(|_| is_meant) {
                Some(ProviderLack::Named(_)) => {
                    let text = lack.as_ref().map(ToString::to_string).unwrap_or_default();
                    self.say(number, Level::Err, text);
                    self.node_mut(number).status.is_failed = true;
                }
                Some(ProviderLack::OfType(type_name)) => {
                    if !deferral.types.contains(type_name) {
                        deferral.types.push(type_name.clone());
                    }
                    self.node_mut(number).status.is_failed = true;
                }
                None => {}
            }
            self.walk.finish(number);
        }
    }

    /// Comes to a vertex: skips it, or applies it and hands its events on.
    fn evaluate(&mut self, number: u32) -> Result<(), Failure> {
        self.node_mut(number).seen_changes = self.changes.count();
        self.resolve_deferred(number)?;
        self.fail_for_prefetch(number);
        self.propagate_failures(number);
        if self.is_not_verified(number) {
            self.node_mut(number).queue.clear();
            return Ok(());
        }
        if self.is_skipped(number)? {
            self.node_mut(number).status.is_skipped = true;
            self.debug(number, "Resource is being skipped, unscheduling all events");
            self.drop_events(number);
            return Ok(());
        }
        if self.is_only_refreshed(number) {
            self.node_mut(number).status.evaluation_seconds = Some(0.0);
        } else {
            self.apply_node(number);
        }
        if self.stopped.is_none() {
            self.process_events(number);
        }
        self.note_reach(number);
        Ok(())
    }

    /// Resolves the deferred values of a resource, and makes its object of them. A failure ends the run.
    fn resolve_deferred(&mut self, number: u32) -> Result<(), Failure> {
        let NodeKind::Resource(at) = self.node(number).kind else { return Ok(()) };
        let Some(unresolved) = self.unresolved.remove(&at) else { return Ok(()) };
        let resource = resolved(&unresolved, self.around.deferred)?;
        let containment = self.info(number).containment.clone();
        let prepared = prepare_resource(&resource, containment, self.around).map_err(|failure| bare(&failure))?;
        self.catalog.replace(at, Arc::clone(&prepared.info), prepared.values);
        self.node_mut(number).info = prepared.info;
        self.managed[at as usize] = prepared.managed;
        prepared.lack.and_then(|lack| self.lacks.insert(at, lack));
        Ok(())
    }

    fn trace_evaluation(&self, number: u32, text: impl FnOnce() -> String) {
        if !self.around.settings.is_evaluation_traced {
            return;
        }
        let mut text = text();
        if text.starts_with("Starting") {
            let replaced = self.nodes.iter().filter(|node| node.kind == NodeKind::Replaced).count();
            text = format!("{text} ({} of {})", self.evaluated, self.nodes.len() - replaced);
        }
        self.say(number, Level::Info, text);
    }

    fn now(&self) -> Time {
        self.around.machine.now()
    }

    fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    fn info(&self, number: u32) -> &ResourceInfo {
        &self.node(number).info
    }

    fn say(&self, number: u32, level: Level, text: impl Into<String>) {
        self.around.log.say(level, self.info(number).source(), text.into());
    }

    fn debug(&self, number: u32, text: &str) {
        if self.around.log.says(Level::Debug) {
            self.say(number, Level::Debug, text);
        }
    }

    /// Returns true if a resource may change nothing.
    fn is_noop(&self, number: u32) -> bool {
        self.may_change_nothing(self.info(number))
    }

    /// In a plan nothing may change, whatever a resource says.
    fn may_change_nothing(&self, info: &ResourceInfo) -> bool {
        let settings = self.around.settings;
        settings.scope.is_plan || info.metaparameters.noop.unwrap_or(settings.noop)
    }

    fn context<'c>(&'c self, info: &'c ResourceInfo) -> ApplyContext<'c> {
        let is_noop = self.may_change_nothing(info);
        ApplyContext {
            machine: if is_noop { &self.read_only } else { self.around.machine },
            checks: self.around.machine,
            settings: self.around.settings,
            catalog: &self.catalog,
            resource: info,
            sources: self.around.sources,
            stop: self.around.stop,
            log: self.around.log,
            providers: self.around.providers,
            sums: self.around.sums,
            is_noop,
        }
    }

    /// Calls a resource's object with its context; what it does not have is no call.
    fn with_managed<R>(
        &mut self,
        number: u32,
        call: impl FnOnce(&mut dyn Managed, &ApplyContext<'_>) -> R,
    ) -> Option<R> {
        let NodeKind::Resource(at) = self.node(number).kind else { return None };
        let mut managed = self.managed.get_mut(at as usize)?.take()?;
        let info = Arc::clone(&self.node(number).info);
        let result = call(managed.as_mut(), &self.context(&info));
        self.managed[at as usize] = Some(managed);
        Some(result)
    }

    fn managed(&self, number: u32) -> Option<&dyn Managed> {
        match self.node(number).kind {
            NodeKind::Resource(at) => self.managed.get(at as usize)?.as_deref(),
            _ => None,
        }
    }

    /// Returns the edges that leave a vertex. What is removed when the walk is over has none.
    fn edges(&self, number: u32) -> &[WalkEdge] {
        if number < self.walk.count() { self.walk.edges(number) } else { &[] }
    }

    fn is_anchor(&self, number: u32) -> bool {
        matches!(self.node(number).kind, NodeKind::Anchor { .. })
    }
}

/// Returns what is known of a resource that every catalog gets.
fn default_info(name: &str) -> ResourceInfo {
    let (type_name, title) = name.split_once('[').unwrap_or((name, ""));
    let title = title.trim_end_matches(']');
    ResourceInfo {
        type_name: Str::from(type_name),
        title: Str::from(title),
        reference: name.to_owned(),
        path: format!("/{name}"),
        containment: vec![name.to_owned()],
        place: None,
        tags: vec![Str::from(type_name.to_lowercase()), Str::from(title)],
        provider: None,
        metaparameters: Metaparameters::default(),
    }
}

/// Returns what is wrong with a value, without the attribute and the place: a value that comes late is told so.
fn bare(failure: &Failure) -> Failure {
    let message = failure.message();
    let of_attribute = message.strip_prefix("Parameter ").and_then(|rest| rest.split_once(" failed on "));
    let Some((_, wrong)) = of_attribute.and_then(|(_, rest)| rest.split_once("]: ")) else {
        return Failure::new(message);
    };
    Failure::new(wrong.rfind(" (file: ").map_or(wrong, |place| &wrong[..place]))
}
