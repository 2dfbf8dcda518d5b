//! The front door: open a repository with options, then ask for the answers of nodes.
//!
//! Knows nothing of arguments or terminals, nor of how an answer is shown.

use std::collections::BTreeSet;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use pantin_apply::{AnyModulePlugins, ModulePlugins, NodeSystem};
use pantin_compile::catalog::Compilation;
use pantin_compile::{CompileError, deferred_functions, served_sources};
use pantin_model::catalog::Catalog;
use pantin_values::Str;
use pantin_world::{Dependencies, Disk, LeafKind, MachineDisk, Remark, Stopwatch, TrackedDisk};

use crate::answer::{Answer, AnswerDependencies, AnsweredCatalog, FailureReport, Head, Outcome, fresh_uuid};
use crate::answer_error::AnswerError;
use crate::catalog_check::{CatalogFindings, SitePlugins};
use crate::fleet::{Crew, MemoryBound, Reason};
use crate::inputs::NodeInputs;
use crate::node_compiler::{Exports, NodeCompiler, NodeToPrepare, PreparedNode, TimedNode};
use crate::node_selection::NoneMatch;
use crate::options::{CacheOptions, ExportedSource, OpenError, Options};
use crate::own_words::OwnWords;
use crate::persist::{Cache, open_cache};
use crate::reads::Read;
use crate::reasons;
use crate::stored_answers::{NewlyCompiled, NodeQuestion, StoredAnswers, StoredHit, StoredQuestion};
use crate::stored_uses::StoredUses;
use crate::timings::{NODE, Timings};

/// A repository that is open: its settings and environments are read when they are wanted, and once.
pub struct Repository {
    pub compiler: ManuallyDrop<NodeCompiler>,
    store: Option<Arc<StoredAnswers>>,
    cache: Option<Cache>,
    /// What the nodes collect, where that is not what other nodes of the run export.
    pub exports: Option<Exports>,
    /// The nodes collect what the others export.
    pub exchanges: bool,
    /// A resource that the agent would refuse counts as a failure.
    pub checks_resources: bool,
    /// What the configuration was read from that is not on the command line.
    configuration_reads: Vec<Read>,
    memory_bound: Option<MemoryBound>,
}

/// What somebody wants to know of an answer beside its head.
#[derive(Clone, Copy, Default, Debug)]
pub struct AnswerNeeds {
    pub catalog: bool,
    /// Why a node is compiled, and why its answer is not stored.
    pub reasons: bool,
}

impl Repository {
    /// Reads settings, where facts come from, and the store.
    pub fn open(options: &Options, cache: &CacheOptions, timings: Timings) -> Result<Repository, OpenError> {
        Repository::open_on(Arc::new(MachineDisk::default()), options, cache, timings)
    }

    /// The same of a repository on another disk: a revision of it. What nobody typed is configured by files of the machine.
    pub fn open_on(
        files: Arc<dyn Disk>,
        options: &Options,
        cache: &CacheOptions,
        timings: Timings,
    ) -> Result<Repository, OpenError> {
        let disk = MachineDisk::default();
        let recorded = TrackedDisk::from(Arc::new(MachineDisk::default()));
        let configuration = options.configuration(&recorded)?;
        let configuration_reads = Read::all(recorded.leaves(), &recorded.dependencies());
        if let Some(configuration) = &configuration {
            configuration.check_names(&disk, options)?;
        }
        let options = &options.filled_by(configuration.as_ref());
        let compiler = NodeCompiler::open(files, options, timings)?;
        let exchanges = options.catalogs.exported == ExportedSource::Fleet;
        let checks_resources = options.catalogs.checks_resources();
        let exports = match &options.catalogs.exported {
            ExportedSource::File(file) => Some(compiler.exports(file)?),
            ExportedSource::None | ExportedSource::Fleet => None,
        };
        let cache_folder = configuration.and_then(|configuration| configuration.cache_folder());
        let cache = open_cache(&disk, &compiler.world.settings, cache, cache_folder)?;
        Ok(Repository {
            compiler,
            store: None,
            cache,
            exports,
            exchanges,
            checks_resources,
            configuration_reads,
            memory_bound: None,
        })
    }

    /// Reads which answers earlier runs have stored: from now on they are found.
    pub fn open_store(&mut self) {
        let Repository { compiler, cache, exports, exchanges, checks_resources, .. } = self;
        let question =
            StoredQuestion { has_exports: exports.is_some() || *exchanges, checks_resources: *checks_resources };
        self.store = compiler.timings.during("open the cache", || {
            let open = |cache| StoredAnswers::open(compiler, cache, question).map(Arc::new);
            cache.as_ref().and_then(open)
        });
    }

    /// From now on runs over many nodes take no more memory than that, or end.
    pub fn limit_memory(&mut self, bound: Option<MemoryBound>) {
        self.memory_bound = bound;
    }

    /// Threads for so many nodes (0: as many as there are cores), which keep within the memory that a run may take.
    pub fn crew(&self, threads: usize, nodes: usize) -> io::Result<Crew<'_>> {
        Ok(Crew::for_items(threads, nodes)?.within(self.memory_bound.as_ref()))
    }

    /// Lets go of what all nodes share where memory is tight.
    pub(crate) fn make_room(&self) {
        if let Some(bound) = &self.memory_bound {
            bound.make_room(|| self.compiler.let_go());
        }
    }

    /// Returns true if answers can be stored at all.
    pub fn has_cache(&self) -> bool {
        self.cache.is_some()
    }

    /// A run is about one node: threads that have nothing else to do parse what it will need.
    pub fn enable_read_ahead(&mut self) {
        self.compiler.enable_read_ahead();
    }

    /// Returns the nodes that fit these names and patterns; all that facts are known of, where there are none of these.
    pub fn node_names(&self, patterns: &[String]) -> Result<Vec<Str>, NoneMatch> {
        self.compiler.sources.select(patterns)
    }

    /// The same for a command that is about the nodes of the repository. `Err` also where nobody has named a node or said where facts
    /// are.
    pub fn named_nodes(&self, patterns: &[String]) -> Result<Vec<Str>, OpenError> {
        self.compiler.sources.select_named(&self.compiler.world, patterns)
    }

    /// Returns what is said once of the nodes of a run, for which `patterns` were typed.
    pub fn node_remarks(&self, patterns: &[String], names: &[Str]) -> Vec<Remark> {
        self.compiler.sources.remarks(&MachineDisk::default(), names, !patterns.is_empty())
    }

    /// Returns what is said of a node without facts that nobody has named, where code or data of a repository is looked
    /// at as that node sees it.
    pub fn unnamed_node_remark(&self, names: &[Str]) -> Option<Remark> {
        self.compiler.sources.lack_of_facts(names).filter(|_| self.compiler.world.is_in_repository())
    }

    /// Returns all nodes that facts are known of, and these.
    pub fn all_node_names(&self, named: &[Str]) -> Vec<Str> {
        let mut names = self.node_names(&[]).unwrap_or_default();
        let known: BTreeSet<Str> = names.iter().cloned().collect();
        names.extend(named.iter().filter(|name| !known.contains(*name)).cloned());
        names
    }

    /// The nodes as an external classifier has them, in the order of the names. It is asked once for all of them.
    pub fn classify(&self, names: &[Str]) -> Vec<NodeToPrepare> {
        self.compiler.classify(names)
    }

    fn classify_one(&self, name: &str) -> Result<NodeToPrepare, AnswerError> {
        let node = self.classify(&[Str::from(name)]).pop();
        node.ok_or_else(|| AnswerError::Inputs(format!("there is no node {name}")))
    }

    /// Returns the one node that is meant: the named one, or the only one that anything is known of; of the systems
    /// that a module is for, the first.
    pub fn one_node(&self, named: Option<&String>) -> Result<Str, AnswerError> {
        match <[Str; 1]>::try_from(self.node_names(named.map(std::slice::from_ref).unwrap_or_default())?) {
            Ok([name]) => Ok(name),
            Err(names) if named.is_none() && !names.is_empty() && self.compiler.world.module().is_some() => {
                Ok(names[0].clone())
            }
            Err(names) => Err(AnswerError::NotOneNode(names)),
        }
    }

    /// Returns what a node's catalog is compiled from.
    pub fn inputs(&self, name: &str) -> Result<NodeInputs, AnswerError> {
        self.classified_inputs(&self.classify_one(name)?)
    }

    pub(crate) fn classified_inputs(&self, node: &NodeToPrepare) -> Result<NodeInputs, AnswerError> {
        let prepared = self.compiler.prepared_node(node).map_err(AnswerError::Inputs)?;
        let PreparedNode { prepared, ready, dependencies } = prepared;
        let (answers, exports) = (Arc::clone(&self.compiler.answers), self.exports.clone());
        Ok(NodeInputs { prepared, ready, answers, exports, dependencies })
    }

    /// Returns the answer of one node, found in the store or compiled. An error of the node's code is an answer.
    pub fn answer(&self, name: &str, needs: AnswerNeeds) -> Result<Answer, AnswerError> {
        self.answer_classified(&self.classify_one(name)?, self.exports.as_ref(), needs)
    }

    /// Gives the answers of many nodes, on so many threads (0: on all), to `sink` in the order of the names. If
    /// `sink` breaks, no further node is begun. Nodes that collect what others export see what [`Repository::exports`]
    /// says: `fleet::Plan` has the rounds in which exports settle.
    pub fn fleet(
        &self,
        names: &[Str],
        needs: AnswerNeeds,
        threads: usize,
        mut sink: impl FnMut(&Str, Result<Answer, AnswerError>) -> ControlFlow<()> + Send,
    ) -> io::Result<ControlFlow<()>> {
        let crew = self.crew(threads, names.len())?;
        let answer = |node: &NodeToPrepare| self.answer_classified(node, self.exports.as_ref(), needs);
        crew.in_waves(names, |wave| self.classify(wave), answer, |_, node, answer| sink(&node.name, answer))
    }

    /// Hands the answers of all these nodes to `sink`, like [`Repository::fleet`], on all threads and to the end.
    pub fn each_answer(
        &self,
        names: &[Str],
        needs: AnswerNeeds,
        mut sink: impl FnMut(&Str, Result<Answer, AnswerError>) + Send,
    ) -> io::Result<()> {
        let sink = |name: &Str, answer: Result<Answer, AnswerError>| {
            sink(name, answer);
            ControlFlow::Continue(())
        };
        self.fleet(names, needs, 0, sink).map(|_| ())
    }

    /// Answers a node that was classified. `exports`: what its collectors find.
    pub fn answer_classified(
        &self,
        node: &NodeToPrepare,
        exports: Option<&Exports>,
        needs: AnswerNeeds,
    ) -> Result<Answer, AnswerError> {
        self.make_room();
        let question = NodeQuestion { compiler: &self.compiler, node, exports };
        let answer = || {
            panic_for_tests(&node.name);
            let stored = self.compiler.timings.during("look in the cache", || self.stored_answer(question, needs));
            stored.map_or_else(|| self.compiled_answer(question, needs), Ok)
        };
        // One node's end is that node's error, and not that of the fleet.
        let answer = || caught(answer).unwrap_or_else(|reason| Err(AnswerError::Internal(reason)));
        self.compiler.timings.time_span(NODE, &node.name, answer, |answer| match answer {
            Ok(answer) => answer.span_fields(),
            Err(_) => vec![("ok", false.into())],
        })
    }

    fn stored_answer(&self, question: NodeQuestion<'_>, needs: AnswerNeeds) -> Option<Answer> {
        let store = self.store.as_ref()?;
        let running = Stopwatch::start();
        let (head, found) = store.find(question)?;
        let catalog = match needs.catalog {
            true => store.catalog(&found).ok()?,
            false => None,
        };
        Some(Answer {
            name: question.node.name.clone(),
            head,
            catalog,
            seconds: running.elapsed().as_secs_f64(),
            static_seconds: None,
            is_stored: true,
            reasons: Vec::new(),
            dependencies: AnswerDependencies::Stored(Box::new(found)),
        })
    }

    /// Returns the catalog of an answer that was found without it. `None`: the answer has none, or its catalog is lost.
    pub(crate) fn stored_catalog(&self, answer: &Answer) -> Option<AnsweredCatalog> {
        let AnswerDependencies::Stored(found) = &answer.dependencies else { return None };
        self.store.as_ref()?.catalog(found).ok().flatten()
    }

    /// The stored answer of a node that holds now, if there is one.
    pub(crate) fn stored_hit(&self, node: &NodeToPrepare) -> Option<StoredHit> {
        let question = NodeQuestion { compiler: &self.compiler, node, exports: self.exports.as_ref() };
        Some(self.store.as_ref()?.find(question)?.1)
    }

    /// Returns why the newest stored answer of a node does not hold.
    pub(crate) fn reasons_against_stored(&self, node: &NodeToPrepare) -> Vec<String> {
        let question = NodeQuestion { compiler: &self.compiler, node, exports: self.exports.as_ref() };
        self.store
            .as_ref()
            .map(|store| store.why_not(question))
            .unwrap_or_default()
            .iter()
            .map(Reason::to_string)
            .collect()
    }

    /// Returns what the configuration was read from that is not on the command line.
    pub(crate) fn configuration_reads(&self) -> &[Read] {
        &self.configuration_reads
    }

    /// Opens what earlier runs have stored of what code uses.
    pub(crate) fn open_uses(&self) -> Option<StoredUses> {
        StoredUses::open(&self.compiler, self.cache.as_ref()?, self.exports.is_some())
    }

    /// Returns what earlier runs have stored; `None`: nothing is stored, or [`Repository::open_store`] was not called.
    pub(crate) fn store(&self) -> Option<&Arc<StoredAnswers>> {
        self.store.as_ref()
    }

    /// Frees all memory. A command that ends leaves that to the process.
    pub(crate) fn free(self) {
        drop(ManuallyDrop::into_inner(self.compiler));
    }

    fn compiled_answer(&self, question: NodeQuestion<'_>, needs: AnswerNeeds) -> Result<Answer, AnswerError> {
        let mut reasons = self.reasons_to_compile(question, needs);
        let compiler = &self.compiler;
        let node = compiler.prepared_node(question.node).map_err(AnswerError::Inputs)?;
        let (is_ready, timed) = match compiler.compile(&node, question.exports) {
            Ok(timed) => (true, timed),
            Err(reason) => {
                let compiled = Compilation::none(Vec::new(), CompileError::from_text(reason));
                (false, TimedNode { compiled, seconds: 0.0, static_seconds: None })
            }
        };
        let TimedNode { compiled, seconds, static_seconds } = timed;
        let (head, plugins) = self.head(&node, &compiled);
        let uuid = fresh_uuid(&question.node.name);
        let mut dependencies = compiler.dependencies(&node.dependencies, &compiled);
        dependencies.extend(plugins);
        if let Some(store) = self.store.as_ref().filter(|_| is_ready) {
            let new = NewlyCompiled {
                node: &node,
                compiled: &compiled,
                head: &head,
                dependencies: &dependencies,
                uuid: &uuid,
            };
            let store = || store.store(question, new);
            let refused = compiler.timings.during("store the answer", store);
            reasons.extend(refused.filter(|_| needs.reasons));
        }
        let may_run_programs = compiler.answers.records() || compiler.world.own_ruby.is_some();
        let dependencies = AnswerDependencies::Compiled {
            reads: dependencies,
            keys: compiled.keys.clone(),
            node_reads: compiled.node_reads.clone(),
            ran_programs: compiled.is_volatile && may_run_programs,
        };
        let catalog = compiled.result.ok().map(|catalog| AnsweredCatalog::compiled(catalog, uuid));
        let name = question.node.name.clone();
        Ok(Answer { name, head, catalog, seconds, static_seconds, is_stored: false, reasons, dependencies })
    }

    fn reasons_to_compile(&self, question: NodeQuestion<'_>, needs: AnswerNeeds) -> Vec<Reason> {
        match &self.store {
            _ if !needs.reasons => Vec::new(),
            None => vec![reasons::no_cache()],
            Some(store) => store.why_not(question),
        }
    }

    /// The head of an answer, and what its checks have read of modules.
    fn head(&self, node: &PreparedNode, compiled: &Compilation) -> (Head, Option<Dependencies>) {
        let prepared = &node.prepared;
        let (outcome, plugins) = match &compiled.result {
            Ok(catalog) => {
                let (findings, plugins) = self.findings(node, catalog, compiled);
                (Outcome::Catalog { resources: catalog.resources.len(), findings }, plugins)
            }
            Err(ended) => (Outcome::Failure(FailureReport::from_ended(ended, None)), None),
        };
        let head = Head {
            environment: prepared.environment.name.clone(),
            environment_remarks: node.ready.iter().flat_map(|ready| ready.catalog_remarks().cloned()).collect(),
            own_remarks: node.ready.iter().flat_map(|ready| ready.own_remarks.clone()).collect(),
            node_remarks: prepared.remarks.clone(),
            log: compiled.log.clone(),
            outcome,
            own_words: OwnWords::new(&prepared.node.name, &prepared.node.facts),
            decrypted: compiled.decrypted.clone(),
            exchange: compiled.exchange.clone(),
            served_sources: compiled.result.as_ref().map(served_sources).unwrap_or_default(),
            deferred_functions: compiled.result.as_ref().map(deferred_functions).unwrap_or_default(),
        };
        (head, plugins)
    }

    /// Checks a catalog, and returns what was read of modules for that. Without the check of resources nothing is.
    fn findings(
        &self,
        node: &PreparedNode,
        catalog: &Catalog,
        compiled: &Compilation,
    ) -> (CatalogFindings, Option<Dependencies>) {
        let timings = &self.compiler.timings;
        let graph = timings.during("look at the graph", || CatalogFindings::from_graph_alone(catalog));
        if !self.checks_resources {
            return (graph, None);
        }
        let plugins = node.ready.as_ref().ok().map(|ready| SitePlugins::new(&ready.site));
        let modules: &dyn ModulePlugins = plugins.as_ref().map_or(&AnyModulePlugins, |plugins| plugins);
        let system = NodeSystem::from_facts(&node.prepared.node.facts, self.compiler.world.settings.language());
        let with_resources = || graph.with_resources(catalog, (&system, modules), &compiled.decrypted);
        let findings = timings.during("look at the resources", with_resources);
        (findings, plugins.and_then(|plugins| plugins.dependencies()))
    }

    /// On how many answers of the disk an answer depends, and for how many of these something is so.
    pub fn count_dependencies(&self, answer: &Answer, is_so: impl Fn(LeafKind, &Path) -> bool) -> (usize, usize) {
        match (&answer.dependencies, &self.store) {
            (AnswerDependencies::Compiled { reads, .. }, _) => self.compiler.count_dependencies(reads, is_so),
            (AnswerDependencies::Stored(found), Some(store)) => store.count_dependencies(found, is_so),
            (AnswerDependencies::Stored(_), None) => (0, 0),
        }
    }

    /// Writes what this run adds to the store.
    pub fn close_store(&mut self) {
        if let Some(store) = self.store.take().and_then(Arc::into_inner) {
            self.compiler.timings.during("write the cache", || store.close());
        }
    }

    /// Returns what went wrong with the store: answers are right all the same.
    pub fn store_troubles(&self) -> Vec<String> {
        let Some(cache) = &self.cache else { return Vec::new() };
        let unwritten = cache.store.trouble().map(|trouble| format!("the cache is of no use: {trouble}"));
        cache.complaint.clone().into_iter().chain(unwritten).collect()
    }

    /// Writes the timings of the run, if they are wanted. `about`: what is said of the whole.
    pub fn write_timings(&self, about: &[(&'static str, serde_json::Value)]) -> io::Result<()> {
        self.compiler.finish(about)
    }

    /// Returns what is measured of this run.
    pub fn timings(&self) -> &Arc<Timings> {
        &self.compiler.timings
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("exchanges", &self.exchanges).finish_non_exhaustive()
    }
}

/// The variable in which a test names a node that is to make Pantin panic.
#[cfg(debug_assertions)]
const PANICKING_NODE: &str = "PANTIN_TEST_PANIC";

/// Panics on a node that a test has named. No node does in a build for people.
#[cfg(debug_assertions)]
fn panic_for_tests(node: &str) {
    if MachineDisk::default().process_variable(PANICKING_NODE).as_deref() == Some(node) {
        panic!("a test wants this of {node}");
    }
}

#[cfg(not(debug_assertions))]
fn panic_for_tests(_node: &str) {}

/// Returns what a function gives, or what it says of its panic. What it shares with others is locked only for as long
/// as nothing can go wrong.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|said| {
        let text = said.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| said.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(super::caught(|| 1), Ok(1));
        let number = 7;
        assert_eq!(super::caught::<()>(|| panic!("wrong: {number}")), Err("wrong: 7".to_owned()));
    }
}
