//! The compilation of one node: the bodies that are run, the sequence of the steps, and what follows from questions and effects.
//!
//! Questions and effects of a body come in through [`Host`](pantin_model::trace::Host) (`host.rs`). The catalog under construction
//! is in `state/`, where whatever code looks at is recorded: nothing here must read it in another way. Two nodes never see each
//! other: all that they share cannot change.

mod binding_observations;
mod bindings;
mod bindings_code;
mod bindings_enc;
mod bindings_outside;
mod bindings_parameters;
mod bindings_providers;
mod bindings_replacements;
mod classes;
mod collector_query;
mod collectors;
mod data_origin;
mod declare;
mod defines;
mod deprecation;
mod fence;
mod finish;
mod host;
mod inject;
mod lookup;
mod lookup_observations;
mod overrides;
mod paths;
mod questions;
mod recorded;
mod recording;
mod recording_bindings;
mod references;
mod relationships;
mod start;
mod state;
mod variables;
mod walks;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::budget::{self, Steps, TimeLimit};
use pantin_eval::{Body, Instance, budget_fault, run_definition};
use pantin_hiera::Lookups;
use pantin_model::catalog::Catalog;
use pantin_model::evaluation::EvaluationRecorder;
use pantin_model::trace::{
    At, Failure, Host, Log, LogSource, NewReply, Purpose, Shape, Standing, Traces, WalkKind, value_reveals_secret,
};
use pantin_values::{Digest, Digester, Fault, Str, Timestamp, Value};

use pantin_world::environment::Environment;
use pantin_world::node::NodeData;
use pantin_world::{Answers, ExportedResource, thread_time};
use rustc_hash::{FxHashMap, FxHashSet};

use super::clock::BodyRun;
use super::code::Def;
use super::codebase::CodeBase;
use super::loader::Loader;
use super::report::{self, LogLine};
pub use binding_observations::hash_of_row;
pub use binding_observations::{BindingObservations, BindingReads, RowHash};
pub(crate) use binding_observations::{CodeResult, row_hashes};
pub(super) use bindings::{BindingsOutside, injection_answer};
pub(crate) use bindings_outside::{code_digest, function_digest};
use collectors::Collector;
pub use inject::{ExplainedInjection, InjectionAnswer, InjectionRequest, ParameterGiver, WantedKey};
pub(super) use lookup::LookupCaller;
pub(super) use lookup::hash_of_binding;
use lookup_observations::LookupObservationLog;
pub use lookup_observations::LookupObservations;
use pantin_values::regex;
pub(super) use references::reference_name;
use relationships::Relationship;
pub(super) use start::{Main, MainRun, main_parameters};
use state::{CatalogState, Observer, ResourceKind, ScopeId, TOP};
pub(super) use state::{ObservationLog, ResourceInterner};
pub use state::{ObservedNames, file_hash, presence_of_resource_hash, variable_hash};
pub use walks::{BodyWalk, WalkContent, Walks};

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
    /// So many seconds of the processor it may take. They are no part of the answer: what they end is not the same twice.
    pub seconds: u64,
}

impl NodeRequest {
    /// Returns what is said of the node before anything is done for it: which facts have names that are taken.
    pub(super) fn clashes(&self) -> Vec<LogLine> {
        let clashes = self.node.clashes(&self.environment.name);
        clashes.iter().map(|clash| report::warning(&clash.text)).collect()
    }
}

/// One node while its catalog is compiled.
pub(super) struct Compiler<'c> {
    pub(super) request: &'c NodeRequest,
    pub(super) loader: Loader<'c>,
    /// What earlier requests have left to be used again; without it every body is run.
    traces: Option<&'c Traces>,
    state: CatalogState<'c>,
    frames: Vec<Frame>,
    /// The types of resources that were named, as they are written.
    kinds: FxHashMap<Str, ResourceKind>,
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
    session_variables: Vec<(Str, Value)>,
    /// Of the node block, if one was chosen.
    node_scope: Option<ScopeId>,
    /// How each body came to its result, in the order in which they ended.
    pub(super) walks: Walks,
    pub(super) bodies: Bodies,
    /// A question was asked whose answer is never the same twice.
    pub(super) is_volatile: bool,
    /// Whether code has seen a secret, or done something with one.
    pub(super) is_secret: bool,
    consulting: LookupObservationLog,
    bindings: bindings::NodeBindings,
    /// Records each evaluation, for whoever explains the node.
    recorder: Option<Box<EvaluationRecorder>>,
    /// How many steps of the node's budget its bodies took.
    pub(super) spent_steps: u64,
    /// How many edges its relationships have made.
    edges: u64,
    /// Kept until the catalog is made.
    _regex_steps: regex::Allowance,
    _time_limit: TimeLimit,
}

/// How many bodies a catalog took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bodies {
    /// Their code was run,
    pub run: usize,
    /// or their traces were replayed to the end.
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
    looked_up: Vec<pantin_hiera::KeyHash>,
    /// The rows of the injector that its questions looked at.
    injected: Vec<pantin_bindings::Row>,
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
            injected: Vec::new(),
        }
    }
}

impl<'c> Compiler<'c> {
    pub(super) fn new(request: &'c NodeRequest, base: &'c CodeBase, traces: Option<&'c Traces>) -> Compiler<'c> {
        Compiler {
            request,
            loader: Loader::new(base),
            traces,
            state: CatalogState::new(base, traces.is_some_and(|traces| traces.purpose() == Purpose::Edits)),
            frames: Vec::new(),
            kinds: FxHashMap::default(),
            collectors: Vec::new(),
            relationships: Vec::new(),
            log: Vec::new(),
            logged: FxHashSet::default(),
            assigned: Vec::new(),
            lookups: base.data.clone().map(|data| Rc::new(Lookups::new(base.hiera.clone(), data))),
            asking: LookupCaller::default(),
            look_ups: 0,
            session_variables: Vec::new(),
            node_scope: None,
            walks: Walks::default(),
            bodies: Bodies::default(),
            is_volatile: false,
            is_secret: false,
            data_files: Vec::new(),
            consulting: LookupObservationLog::default(),
            bindings: bindings::NodeBindings::default(),
            recorder: None,
            spent_steps: 0,
            edges: 0,
            _regex_steps: regex::Allowance::from_steps(base.settings.limits.regex_steps),
            _time_limit: TimeLimit::begin(thread_time, request.seconds),
        }
    }

    /// Returns all of it, with the value of the last expression of the site manifests.
    pub(super) fn compile(&mut self, main: &Main<'_>) -> Result<(Catalog, Value), Failure> {
        let value = self.evaluate_main(main)?;
        // What is done for collectors, overrides and relationships has a count of its own.
        let _steps = self.evaluate_behind_main()?;
        let log = self.state.log(Observer::Finish);
        let mut catalog = self
            .state
            .take_catalog(self.request, &mut self.walks, &log)
            .map_err(|fault| Failure::new(fault, Shape::Plain, None))?;
        if !self.bindings.edges.is_empty() {
            catalog.bound_edges = std::mem::take(&mut self.bindings.edges).into();
        }
        self.check_steps(None)?;
        Ok((catalog, value))
    }

    /// Evaluates all that a catalog is made of, without making it.
    fn evaluate_catalog(&mut self, main: &Main<'_>) -> Result<(), Failure> {
        self.evaluate_main(main)?;
        self.evaluate_behind_main().map(drop)
    }

    /// Evaluates what comes behind the main code: the node block, classes, what waits in queues, the checks of all of it.
    fn evaluate_behind_main(&mut self) -> Result<Steps, Failure> {
        self.evaluate_node_block()?;
        self.evaluate_node_classes()?;
        self.include_bound_classes()?;
        let steps = Steps::begin(self.loader.base.settings.limits.steps);
        self.evaluate_generators()?;
        self.finish()?;
        self.fail_on_unevaluated()?;
        self.state.validate_relationships(self.loader.base.settings.limits.edges).map_err(report::failure_of)?;
        self.check_steps(None)?;
        Ok(steps)
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
        let program = (scope == TOP).then(|| body.unit.source.name().unwrap_or_default().into());
        self.frames.push(Frame { program, ..Frame::from_scope(scope) });
        self.state.begin_body();
        let locals_before = self.state.begin_locals();
        self.mark();
        let given = if self.is_remembered() { self.state.defaults_around(scope) } else { None };
        let clock = self.loader.base.clock.clone();
        let begun = clock.as_ref().map(|clock| clock.now());
        let ran = |news: Option<&NewReply>| {
            if let Some((clock, begun)) = clock.as_ref().zip(begun) {
                clock.record_run(BodyRun { body: &body.name, file: body.unit.source.name(), begun, news });
            }
        };
        self.begin_recorded_body(scope);
        let (most_steps, spent) = (self.loader.base.settings.limits.steps, Cell::new(0));
        let run = |host: &mut dyn Host| {
            let steps = Steps::begin(most_steps);
            let result = run(host);
            spent.set(steps.spent());
            host.note_steps(spent.get());
            result
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
                if walked.how != WalkKind::Replayed {
                    // What is news to a node is none to others, where each is asked once.
                    let is_edited = traces.purpose() == Purpose::Edits;
                    ran(walked.news.as_deref().filter(|_| is_edited));
                }
                let place = self.state.place_of(scope);
                let (name, how, end) = (body.name.clone(), walked.how, walked.end);
                let through = WalkContent { name, how, key, end, defaults_digest: given, reads: Box::default() };
                (walked.result, Some((through, place)))
            }
        });
        self.end_recorded();
        let recorded = walk.as_ref().filter(|(through, _)| through.how == WalkKind::Replayed);
        let recorded = recorded.and_then(|(through, _)| Some(through.end.as_ref()?.spent_steps));
        let result = self.take_steps(recorded.unwrap_or(spent.get()), body, result);
        let frame = self.frames.pop();
        let reads = self.state.end_body();
        if let Some(matched) = self.state.end_locals(locals_before) {
            self.state.set_matched(scope, matched);
        }
        let is_replay = walk.as_ref().is_some_and(|(through, _)| through.how == WalkKind::Replayed);
        self.bodies.run += usize::from(!is_replay);
        self.bodies.replayed += usize::from(is_replay);
        if let Some(frame) = frame.filter(|_| self.is_remembered()) {
            self.note_walk(frame, reads, walk);
        }
        result
    }

    /// Keeps the walk through a body that has ended. `walk`: none where it is not recorded.
    fn note_walk(&mut self, frame: Frame, reads: Box<[u32]>, walk: Option<(WalkContent, u32)>) {
        if !frame.injected.is_empty() {
            self.note_injected(walk.as_ref().map(|_| self.walks.len() as u32), &frame.injected);
        }
        if let Some((through, place)) = walk {
            self.note_calls(frame.looked_up);
            self.walks.push(WalkContent { reads, ..through }, place, &frame.marks);
        }
    }

    /// Adds the steps that a body took, whether it was run or replayed: all of the node's have a limit together.
    fn take_steps(&mut self, steps: u64, body: &Body, result: Result<Value, Failure>) -> Result<Value, Failure> {
        self.spent_steps = self.spent_steps.saturating_add(steps);
        self.is_volatile |= budget::is_out_of_time();
        let limits = &self.loader.base.settings.limits;
        if self.spent_steps <= limits.steps || result.is_err() {
            return result;
        }
        Err(Failure::new(budget_fault(limits), Shape::Evaluation, Some(body.place())))
    }

    /// Fails if what is done for the node beside its bodies takes too many steps, or too long.
    /// `at`: what it is done for.
    pub(super) fn check_steps(&mut self, at: Option<&At>) -> Result<(), Failure> {
        if !budget::is_over() {
            return Ok(());
        }
        self.is_volatile |= budget::is_out_of_time();
        Err(Failure::new(budget_fault(&self.loader.base.settings.limits), Shape::Evaluation, at.cloned()))
    }

    /// Returns true if what its bodies came to is to be compared with what they come to next.
    fn is_remembered(&self) -> bool {
        self.traces.is_some_and(|traces| traces.purpose() == Purpose::Edits)
    }

    /// What is brought from here on comes behind all that is there.
    fn mark(&mut self) {
        if self.is_remembered() {
            let place = self.state.next_place();
            self.frame().marks.push(place);
        }
    }

    /// Returns the body of a class, a defined type or a node block.
    fn walk_definition(&mut self, body: &Arc<Body>, scope: ScopeId, instance: Instance<'_>) -> Result<Value, Failure> {
        let declared = instance.clone();
        let parameters = move |compiler: &Self| compiler.instance_digest(&declared);
        let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        self.walk(body, scope, parameters, |host| run_definition(body, instance, host, settings, builtins))
    }

    /// Returns what a class, or an instance of a defined type, was declared as.
    fn instance_digest(&self, instance: &Instance<'_>) -> Digest {
        let shows_secret =
            self.has_decrypted() && instance.arguments.iter().any(|(_, value)| value_reveals_secret(self, value));
        let digest = instance_digest(instance);
        if shows_secret { digest.hidden() } else { digest }
    }

    fn frame(&mut self) -> &mut Frame {
        let index = self.frames.len() - 1;
        &mut self.frames[index]
    }

    /// Returns the scope of the body that runs now.
    fn own_scope(&self) -> ScopeId {
        self.frames.last().map_or(TOP, |frame| frame.scope)
    }

    /// The scope in which the code that runs now stands.
    fn here(&self) -> ScopeId {
        let Some(frame) = self.frames.last() else { return TOP };
        match frame.standing {
            Standing::Own => frame.scope,
            Standing::Top => TOP,
            Standing::Node => self.state.node_scope(frame.scope),
        }
    }

    fn source(&self, scope: ScopeId) -> Arc<Def> {
        self.state.source(scope).clone()
    }

    /// For what a question looks at. In the midst of a look-up it is not the body that asks: its trace does not show the question.
    fn question_log(&self) -> ObservationLog {
        self.state.log(if self.look_ups == 0 { Observer::Body } else { Observer::Data })
    }

    pub(super) fn take_observed(&self) -> ObservedNames {
        self.state.take_observed()
    }

    // ---- the log ----

    fn write(&mut self, log: &Log) {
        if log.source == LogSource::Deprecation && self.is_silenced("deprecations") {
            return;
        }
        if log.once.as_ref().is_none_or(|key| self.logged.insert(key.clone())) {
            let resource = self.state.resource_of(self.here());
            let line = report::log_line(log, &self.state.reference(resource));
            self.log.push(line);
        }
    }

    /// Returns true if the setting `disable_warnings` names this kind.
    fn is_silenced(&self, kind: &str) -> bool {
        let disabled = self.request.environment.settings.get_str("disable_warnings");
        matches!(disabled, Some(Value::Array(kinds)) if kinds.iter().any(|disabled| disabled.as_str() == Some(kind)))
    }

    /// What was said while files were loaded.
    fn tell(&mut self) {
        if !self.loader.pending_logs.is_empty() {
            let said = std::mem::take(&mut self.loader.pending_logs);
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
    if instance.arguments.is_empty() && instance.matched.is_none() {
        return Digest::from_text(subject);
    }
    let mut digester = Digester::new(b"instance");
    digester.text(subject).number(instance.arguments.len() as u64);
    for (name, value) in instance.arguments {
        digester.text(name).item(value);
    }
    let captures = instance.matched.iter().flat_map(|matched| (0..=9).map(|number| matched.group(number)));
    captures.filter(|group| !group.is_undef()).for_each(|group| {
        digester.item(&group);
    });
    digester.finish()
}
