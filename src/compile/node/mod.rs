//! The state of one node while its catalog is compiled, and the sequence of the steps.
//!
//! What a body asks and does comes in through [`Host`](pantin_model::trace::Host) (`host.rs`); the rest of the room is what
//! follows from it. Two nodes never see each other: all that they share cannot change.

mod classes;
mod collectors;
mod convert;
mod declare;
mod defines;
mod deprecation;
mod exports;
mod fence;
mod finish;
mod host;
mod known_variables;
mod lookup;
mod lookup_observations;
mod names;
mod observations;
mod overrides;
mod paths;
mod questions;
mod references;
mod relationships;
mod resource;
mod resource_interner;
mod scope;
mod shared_locals;
mod start;
mod table;
mod validate;
mod variables;
mod walks;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use pantin_eval::{Body, Instance, run_definition};
use pantin_hiera::Lookups;
use pantin_model::catalog::{Catalog, LentNames, Tags};
use pantin_model::trace::{At, Failure, Host, How, Log, LogSource, News, Purpose, Shape, Standing, Traces, betrays};
use pantin_values::{Digest, Digester, Fault, Str, Timestamp, Value};
use pantin_world::environment::Environment;
use pantin_world::node::NodeData;
use pantin_world::{Answers, ExportedResource};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::clock::BodyRun;
use super::code::{CodeFile, Def};
use super::codebase::CodeBase;
use super::loader::Loader;
use super::report::{self, LogLine};
use collectors::Collector;
pub(super) use lookup::LookupCaller;
use lookup_observations::LookupObservationLog;
pub use lookup_observations::LookupObservations;
use observations::ObservationLog;
pub use observations::{ObservedNames, of_file, of_variable};
use overrides::Override;
use pantin_values::regex;
pub(super) use references::reference_name;
use relationships::Relationship;
use resource::{Resource, ResourceId, ResourceKind};
pub(super) use resource_interner::ResourceInterner;
use scope::{ScopeId, Scopes};
use shared_locals::SharedLocalsStack;
pub(super) use start::main_parameters;
use table::{ResourcesByType, Table};
pub use walks::{BodyWalk, WalkContent, Walks};

/// For so many there is room from the first.
const USUAL_RESOURCES: usize = 512;

/// Everything that the answer depends on, but for the files.
#[derive(Clone, Debug)]
pub struct NodeRequest {
    pub node: Arc<NodeData>,
    pub environment: Arc<Environment>,
    /// What the clock says; asked for once, so that a request has one time.
    pub now: Timestamp,
    /// The version of the catalog.
    pub version: Value,
    /// Whether exported resources are collected: there is something that stores them.
    pub collects_exported: bool,
    /// What the network, and commands, would answer.
    pub answers: Arc<Answers>,
    /// What the nodes have exported, as the store has it.
    pub exports: Arc<Vec<ExportedResource>>,
}

impl NodeRequest {
    /// What is said of the node before anything is done for it: which facts have names that are taken.
    pub(super) fn clashes(&self) -> Vec<LogLine> {
        let clashes = self.node.clashes(&self.environment.name);
        clashes.iter().map(|clash| report::warning(&clash.text)).collect()
    }
}

/// The state of one catalog.
pub(super) struct Compiler<'c> {
    pub(super) request: &'c NodeRequest,
    pub(super) loader: Loader<'c>,
    /// What earlier requests have left to be used again; without it every body is run.
    traces: Option<&'c Traces>,
    scopes: Scopes,
    laid: SharedLocalsStack,
    frames: Vec<Frame>,
    resources: Vec<Resource>,
    table: Table,
    of_types: ResourcesByType,
    /// The types of resources that were named, as they are written.
    kinds: FxHashMap<Str, ResourceKind>,
    /// Container and content, in the order in which they were added.
    edges: Vec<(ResourceId, ResourceId)>,
    classes: Vec<Str>,
    tags: Tags,
    tag_names: LentNames,
    overrides: IndexMap<String, Vec<Override>, FxBuildHasher>,
    /// Classes by whose collectors parameters were overridden: those may override anything from then on.
    overriding: FxHashSet<usize>,
    collectors: Vec<Option<Collector>>,
    relationships: Vec<Relationship>,
    pub(super) log: Vec<LogLine>,
    logged: FxHashSet<Str>,
    /// Top-scope variables that the main code has assigned, in order: for a session.
    pub(super) assigned: Vec<(Str, Value)>,
    lookups: Option<Rc<Lookups>>,
    /// What the look-up that is under way may know of the code that asks.
    asking: LookupCaller,
    /// So many look-ups are under way inside each other.
    look_ups: usize,
    /// Files that back ends of the data are to read at the moment.
    data_files: Vec<Str>,
    /// What a session has assigned before.
    given_variables: Vec<(Str, Value)>,
    /// Of the node block, if one was chosen.
    node_scope: Option<ScopeId>,
    /// Everything before it is done with, as far as the queue is concerned.
    first_unevaluated: usize,
    /// How each body came to its result, in the order in which they ended.
    pub(super) walks: Walks,
    pub(super) bodies: Bodies,
    /// Something was asked that is never answered the same twice.
    pub(super) is_volatile: bool,
    /// Whether code was told a secret, or did something with one.
    pub(super) is_secret: bool,
    pub(super) observations: ObservationLog,
    consulting: LookupObservationLog,
    /// A question of a body is being answered, which its trace shows.
    is_asked: bool,
    /// Kept until the catalog is made.
    _regex_steps: regex::Allowance,
}

/// How many bodies a catalog took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bodies {
    /// Their code was run,
    pub run: usize,
    /// or what other nodes were told was walked through to its end.
    pub replayed: usize,
}

/// A body that is being walked.
#[derive(Debug)]
struct Frame {
    scope: ScopeId,
    standing: Standing,
    /// The collectors that it has made, in order.
    collectors: Vec<usize>,
    /// The call of a function that is under way in it.
    call: Option<At>,
    /// Of code at the top: the file it stands in, empty where it stands in none.
    program: Option<Str>,
    /// How many resources there were, as [`Walks::marks`] has them.
    marks: Vec<u32>,
    /// The keys that it has looked up, by their hashes.
    looked_up: Vec<u64>,
    /// The variables of classes, and the files, that it has asked for, as [`WalkContent::reads`] has them.
    reads: RefCell<Vec<u32>>,
}

impl Frame {
    fn from_scope(scope: ScopeId) -> Frame {
        Frame {
            scope,
            standing: Standing::Own,
            collectors: Vec::new(),
            call: None,
            program: None,
            marks: Vec::new(),
            looked_up: Vec::new(),
            reads: RefCell::default(),
        }
    }
}

impl<'c> Compiler<'c> {
    pub(super) fn new(request: &'c NodeRequest, base: &'c CodeBase, traces: Option<&'c Traces>) -> Compiler<'c> {
        Compiler {
            request,
            loader: Loader::new(base),
            traces,
            scopes: Scopes::default(),
            laid: SharedLocalsStack::default(),
            frames: Vec::new(),
            resources: Vec::with_capacity(USUAL_RESOURCES),
            table: Table::with_capacity(USUAL_RESOURCES),
            of_types: ResourcesByType::default(),
            kinds: FxHashMap::default(),
            edges: Vec::with_capacity(USUAL_RESOURCES),
            classes: Vec::new(),
            tags: Tags::default(),
            tag_names: base.tags.lend(),
            overrides: IndexMap::default(),
            overriding: FxHashSet::default(),
            collectors: Vec::new(),
            relationships: Vec::new(),
            log: Vec::new(),
            logged: FxHashSet::default(),
            assigned: Vec::new(),
            lookups: base.data.clone().map(|data| Rc::new(Lookups::new(base.hiera.clone(), data))),
            asking: LookupCaller::default(),
            look_ups: 0,
            given_variables: Vec::new(),
            node_scope: None,
            first_unevaluated: 0,
            walks: Walks::default(),
            bodies: Bodies::default(),
            is_volatile: false,
            is_secret: false,
            data_files: Vec::new(),
            consulting: LookupObservationLog::default(),
            is_asked: false,
            observations: ObservationLog::new(traces.is_some_and(|traces| traces.purpose() == Purpose::Edits)),
            _regex_steps: regex::Allowance::from_steps(base.settings.limits.regex_steps),
        }
    }

    /// All of it, with the value of the last expression of the site manifests.
    pub(super) fn compile(&mut self, main: &Main<'_>) -> Result<(Catalog, Value), Failure> {
        let value = self.evaluate_main(main)?;
        self.evaluate_node_block()?;
        self.evaluate_node_classes()?;
        self.evaluate_generators()?;
        self.finish()?;
        self.fail_on_unevaluated()?;
        self.validate_relationships()?;
        let catalog = self.take_catalog().map_err(|fault| Failure::new(fault, Shape::Plain, None))?;
        Ok((catalog, value))
    }

    // ---- bodies ----

    /// Walks the tree of a body in its scope, or runs it; `parameters` says by what the tree is found.
    fn walk(
        &mut self,
        body: &Arc<Body>,
        scope: ScopeId,
        parameters: impl FnOnce(&Self) -> Digest,
        run: impl FnOnce(&mut dyn Host) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        if self.frames.len() >= pantin_base::limits::BODY_DEPTH {
            return Err(report::failure_of(Fault::limit(format!(
                "More than {} classes and defined types are being evaluated inside each other",
                pantin_base::limits::BODY_DEPTH
            ))));
        }
        let program = (scope == scope::TOP).then(|| body.unit.source.name().unwrap_or_default().into());
        self.frames.push(Frame { program, ..Frame::from_scope(scope) });
        let laid_before = self.laid.begin();
        self.mark();
        let given = if self.is_remembered() { self.scopes.given_around(scope) } else { None };
        let clock = self.loader.base.clock.clone();
        let begun = clock.as_ref().map(|clock| clock.now());
        let ran = |news: Option<&News>| {
            if let Some((clock, begun)) = clock.as_ref().zip(begun) {
                clock.ran(BodyRun { body: &body.name, file: body.unit.source.name(), begun, news });
            }
        };
        let traced = self.traces.filter(|traces| traces.shares(&body.digest));
        let (result, walk) = pantin_base::stack::with_room(|| match traced {
            None => {
                let result = run(self);
                ran(None);
                (result, None)
            }
            Some(traces) => {
                let key = traces.key(body.digest, parameters(self));
                let traced = pantin_model::trace::Body { name: &body.name, unit: Some(&body.unit) };
                let walked = traces.walk(&key, traced, self, run);
                if walked.how != How::Replayed {
                    // What is news to a node is none to others, where each is asked once.
                    let is_edited = traces.purpose() == Purpose::Edits;
                    ran(walked.news.as_deref().filter(|_| is_edited));
                }
                let resource = self.scopes.get(scope).resource.0;
                let (name, how, end) = (body.name.clone(), walked.how, walked.end);
                let mut reads = self.frames.last().map(|frame| frame.reads.take()).unwrap_or_default();
                reads.sort_unstable();
                reads.dedup();
                let through = WalkContent { name, how, key, end, given, reads: reads.into() };
                (walked.result, Some((through, resource)))
            }
        });
        let frame = self.frames.pop();
        if let Some(matched) = self.laid.end(laid_before) {
            self.scopes.get_mut(scope).matched = matched;
        }
        let is_replay = walk.as_ref().is_some_and(|(through, _)| through.how == How::Replayed);
        self.bodies.run += usize::from(!is_replay);
        self.bodies.replayed += usize::from(is_replay);
        if self.is_remembered()
            && let (Some(frame), Some((through, resource))) = (frame, walk)
        {
            self.note_calls(frame.looked_up);
            self.walks.push(through, resource, &frame.marks);
        }
        result
    }

    /// Whether what its bodies came to is to be compared with what they come to next.
    fn is_remembered(&self) -> bool {
        self.traces.is_some_and(|traces| traces.purpose() == Purpose::Edits)
    }

    /// What is brought from here on comes behind all that is there.
    fn mark(&mut self) {
        if self.is_remembered() {
            let count = self.resources.len() as u32;
            self.frame().marks.push(count);
        }
    }

    /// The body of a class, a defined type or a node block.
    fn walk_definition(&mut self, body: &Arc<Body>, scope: ScopeId, instance: Instance<'_>) -> Result<Value, Failure> {
        let of = instance.clone();
        let parameters = move |compiler: &Self| compiler.instance_digest(&of);
        let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        self.walk(body, scope, parameters, |host| run_definition(body, instance, host, settings, builtins))
    }

    /// What a class, or an instance of a defined type, was declared as.
    fn instance_digest(&self, instance: &Instance<'_>) -> Digest {
        let shows_secret = self.has_decrypted() && instance.given.iter().any(|(_, value)| betrays(self, value));
        let digest = instance_digest(instance);
        if shows_secret { digest.hidden() } else { digest }
    }

    fn frame(&mut self) -> &mut Frame {
        let index = self.frames.len() - 1;
        &mut self.frames[index]
    }

    /// The scope in which the code that runs now stands.
    fn here(&self) -> ScopeId {
        let Some(frame) = self.frames.last() else { return scope::TOP };
        match frame.standing {
            Standing::Own => frame.scope,
            Standing::Top => scope::TOP,
            Standing::Node => self.scopes.global(frame.scope),
        }
    }

    fn source(&self, scope: ScopeId) -> Arc<Def> {
        self.scopes.get(scope).source.clone()
    }

    fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.index()]
    }

    fn resource_mut(&mut self, id: ResourceId) -> &mut Resource {
        &mut self.resources[id.index()]
    }

    // ---- the log ----

    fn write(&mut self, log: &Log) {
        if log.source == LogSource::Deprecation && self.is_silenced("deprecations") {
            return;
        }
        if log.once.as_ref().is_none_or(|key| self.logged.insert(key.clone())) {
            let scope = self.scopes.get(self.here()).resource;
            let line = report::log_line(log, &self.resource(scope).reference());
            self.log.push(line);
        }
    }

    /// Whether the setting `disable_warnings` names this kind.
    fn is_silenced(&self, kind: &str) -> bool {
        let disabled = self.request.environment.settings.get_str("disable_warnings");
        matches!(disabled, Some(Value::Array(kinds)) if kinds.iter().any(|disabled| disabled.as_str() == Some(kind)))
    }

    /// What was said while files were loaded.
    fn tell(&mut self) {
        if !self.loader.said.is_empty() {
            let said = std::mem::take(&mut self.loader.said);
            self.log.extend(said.iter().map(|log| report::log_line(log, "")));
        }
    }

    fn warn(&mut self, message: impl Into<Str>) {
        self.log.push(report::warning(&message.into()));
    }
}

pub(super) fn instance_digest(instance: &Instance<'_>) -> Digest {
    let subject = instance.subject.as_str();
    // Most classes are given nothing.
    if instance.given.is_empty() && instance.matched.is_none() {
        return Digest::of_text(subject);
    }
    let mut digester = Digester::new(b"instance");
    digester.text(subject).number(instance.given.len() as u64);
    for (name, value) in instance.given {
        digester.text(name).item(value);
    }
    let captures = instance.matched.iter().flat_map(|matched| (0..=9).map(|number| matched.group(number)));
    captures.filter(|group| !group.is_undef()).for_each(|group| {
        digester.item(&group);
    });
    digester.finish()
}

/// The code that is evaluated first.
pub(super) struct Main<'m> {
    pub(super) files: &'m [Arc<CodeFile>],
    pub(super) run: MainRun<'m>,
}

/// How a file of it is run, and by what its traces are found beside its code.
pub(super) enum MainRun<'m> {
    Manifests,
    /// A template with values for its parameters.
    Template(&'m pantin_values::Hash),
}
