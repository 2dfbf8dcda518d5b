//! The code of an environment, ready to make the catalog of any node.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_base::{Diagnostic, Language, Source};
use pantin_eval::{Builtins, Settings};
use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::Catalog;
use pantin_model::catalog::kinds::TypeRef;
use pantin_model::evaluation::EvaluationRecord;
use pantin_model::trace::{Failure, FileKind, Host, Log, NameKind, Traces};
use pantin_ruby::OwnRuby;
use pantin_syntax::SourceKind;
use pantin_values::{Fault, FaultKind, Hash, Str, Value};
use pantin_world::environment::{Environment, Manifest};
use pantin_world::load::{FunctionFile, Modules};
use pantin_world::{CheckedDependencies, Dependencies, Disk, NodeReads, TrackedDisk};

use super::clock::BodyClock;
use super::code::CodeFile;
use super::codebase::{CodeBase, Memos};
pub use super::exchange::Exchange;
use super::loader::Loader;
use super::node::{
    BindingObservations, Bodies, Compiler, InjectionAnswer, InjectionRequest, LookupObservations, Main, MainRun,
    NodeRequest, ObservedNames, Walks,
};
use super::prefetch::Reading;
use super::program::{CompileError, ProgramContext, Request, parse_text};
use super::redefined;
use super::report::{LogLine, error_text, error_without_node, failure_of, log_line};

/// An environment whose site manifests are parsed. Shared by all nodes and threads.
#[derive(Debug)]
pub struct Site {
    base: CodeBase,
    manifests: Result<Vec<Arc<CodeFile>>, SiteManifestError>,
    /// What the parser said of the manifests, for each node anew.
    manifest_log: Vec<LogLine>,
    /// What the manifests, and the list of modules, depend on.
    dependencies: CheckedDependencies,
    reading: Option<Reading>,
}

/// What was worked out of the files of an environment: it holds as long as they do, and may be handed to the next
/// [`Site`] of the same settings and folders.
#[derive(Clone, Default)]
pub struct EnvironmentMemos {
    memos: Arc<Memos>,
    hiera: Arc<pantin_hiera::Hiera>,
}

/// Why there are no site manifests: the error without the node that asked.
#[derive(Debug)]
struct SiteManifestError {
    text: String,
    names_node: bool,
    diagnostic: Option<Box<Diagnostic>>,
    /// What the diagnostic is about.
    source: Option<Arc<Source>>,
}

/// What came of a node's request.
#[derive(Debug)]
pub struct Compilation {
    pub log: Vec<LogLine>,
    pub result: Result<Catalog, CompileError>,
    /// How each body came to its result, in the order in which they ended; only where there are traces for edits.
    pub walks: Walks,
    pub bodies: Bodies,
    /// How many steps of the node's budget all bodies took together.
    pub spent_steps: u64,
    /// Which resources anything but their own body has to do with; only where there are traces for edits.
    pub observed: ObservedNames,
    /// What it asked data for; only where there are traces for edits.
    pub lookup_observations: LookupObservations,
    /// What it asked its injector; only where there are traces for edits, and something is bound.
    pub binding_observations: Option<BindingObservations>,
    /// What was asked for it, and notes that.
    disk: Option<TrackedDisk>,
    /// Which keys of files of data, by their hashes, ascending.
    pub keys: Vec<pantin_hiera::KeyHash>,
    /// It depends on something that is never the same twice: the time, chance, the output of a command.
    pub is_volatile: bool,
    /// Something may be bound in its environment.
    pub has_bindings: bool,
    /// A secret may stand in it, or in the log: what is kept of it has to be sealed.
    pub is_secret: bool,
    /// What eyaml decrypted for it.
    pub decrypted: DecryptedTexts,
    /// What the node has to do with others, where exported resources are collected.
    pub exchange: Exchange,
    /// The facts and other variables of the node that were read.
    pub node_reads: NodeReads,
}

impl Compilation {
    /// There is no catalog, and nothing was evaluated for it.
    pub fn none(log: Vec<LogLine>, ended: CompileError) -> Compilation {
        Compilation {
            log,
            result: Err(ended),
            walks: Walks::default(),
            bodies: Bodies::default(),
            spent_steps: 0,
            observed: ObservedNames::default(),
            lookup_observations: LookupObservations::default(),
            binding_observations: None,
            disk: None,
            keys: Vec::new(),
            is_volatile: false,
            has_bindings: false,
            is_secret: false,
            decrypted: DecryptedTexts::default(),
            exchange: Exchange::default(),
            node_reads: NodeReads::default(),
        }
    }

    /// Returns which files, and what of them, the answer depends on: thousands, which not everybody wants to know.
    pub fn dependencies(&self) -> Dependencies {
        self.disk.as_ref().map(TrackedDisk::dependencies).unwrap_or_default()
    }
}

/// A question for data, as a person asks it.
#[derive(Debug)]
pub struct DataQuestion {
    pub asked: pantin_hiera::LookupRequest,
    /// Whether the catalog is made first, so that the data sees the variables of its code.
    pub compiles: bool,
    pub explains: Option<ExplainMode>,
}

/// What is to be explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExplainMode {
    Everything,
    /// How the keys are looked up.
    Options,
}

/// What came of it.
#[derive(Debug)]
pub struct LookupOutput {
    pub log: Vec<LogLine>,
    pub result: Result<Value, CompileError>,
    pub explanation: Option<pantin_hiera::Explainer>,
}

impl Site {
    pub fn load(
        environment: &Environment,
        modules: Modules,
        settings: Settings,
        tasks: bool,
        builtins: &'static Builtins,
        worked_out: &EnvironmentMemos,
    ) -> Site {
        let manifest = match &environment.manifest {
            Manifest::Path(path) => Some(path.as_path()),
            _ => None,
        };
        let mut base = CodeBase::new(modules, manifest, settings, tasks, builtins);
        base.data = Some(data_settings(environment, settings));
        base.memos = Arc::clone(&worked_out.memos);
        base.hiera = Arc::clone(&worked_out.hiera);
        let mut site = Site {
            base,
            manifests: Ok(Vec::new()),
            manifest_log: Vec::new(),
            dependencies: CheckedDependencies::default(),
            reading: None,
        };
        let parsed = match &environment.manifest {
            Manifest::None => Ok(Vec::new()),
            Manifest::Code(code) => site.parse_code(environment, code),
            Manifest::Path(_) => site.parse_files(environment),
        };
        site.manifests = parsed;
        site.dependencies = CheckedDependencies::new(site.base.modules.disk.dependencies());
        site
    }

    /// Why no catalog may be compiled, whatever the manifests say.
    pub fn with_refusal(mut self, reason: Option<String>) -> Site {
        if let Some(reason) = reason {
            self.manifests = Err(SiteManifestError::from_text(reason));
        }
        self
    }

    /// What stands for encrypted values where their key is not at hand.
    pub fn with_missing_key(mut self, missing_key: pantin_hiera::MissingKey) -> Site {
        if let Some(data) = &mut self.base.data {
            data.missing_key = missing_key;
        }
        self
    }

    /// What runs functions that want more than the small Ruby has.
    pub fn with_own_ruby(mut self, own_ruby: Option<Arc<dyn OwnRuby>>) -> Site {
        self.base.own_ruby = own_ruby;
        self
    }

    /// What Ruby code may read beside the environment.
    pub fn with_ruby_reads(mut self, paths: Vec<PathBuf>) -> Site {
        self.base.ruby_reads = paths.into();
        self
    }

    /// Lets each node make all of its resources, whatever others had.
    pub fn with_nothing_alike(mut self) -> Site {
        self.base.alike = None;
        self
    }

    /// Sets the clock that is called after each body.
    pub fn with_clock(mut self, clock: Option<Arc<dyn BodyClock>>) -> Site {
        self.base.clock = clock;
        self
    }

    /// Sets how many threads read what the code names before a node gets to it.
    pub fn with_read_ahead(mut self, threads: usize) -> Site {
        if threads > 0 {
            self.reading = Some(Reading::begin(&mut self.base, threads, self.manifests.as_deref().unwrap_or_default()));
        }
        self
    }

    fn parse_code(&mut self, environment: &Environment, code: &str) -> Result<Vec<Arc<CodeFile>>, SiteManifestError> {
        let source =
            Source::new(None, code).map_err(|_| SiteManifestError::from_text("the code is too large".to_owned()))?;
        let source = Arc::new(source);
        let mut log = Vec::new();
        let parsed = parse_text(&self.base, &source, SourceKind::Manifest, self.base.syntax_settings(), &mut log);
        self.manifest_log.append(&mut log);
        let source = Some(source);
        match parsed {
            Ok(file) => {
                let files: Vec<_> = file.into_iter().map(Arc::new).collect();
                redefined::redefinition_error(&files)
                    .map_or(Ok(files), |problem| Err(SiteManifestError::from_text(problem)))
            }
            Err(error) if error.code == pantin_syntax::GIVING_UP => Err(SiteManifestError {
                text: error.message.clone(),
                names_node: false,
                diagnostic: Some(error),
                source,
            }),
            Err(error) => {
                let place = error.place.suffix(None);
                let text = format!("Could not parse for environment {}: {}{place}", environment.name, error.message);
                Err(SiteManifestError { text, names_node: true, diagnostic: Some(error), source })
            }
        }
    }

    /// Returns a file, or all `.pp` files in a folder and those below it, in the order of their paths.
    fn parse_files(&mut self, environment: &Environment) -> Result<Vec<Arc<CodeFile>>, SiteManifestError> {
        let disk = self.base.modules.disk.clone();
        let mut paths = environment.manifest.files(&disk).map_err(SiteManifestError::from_text)?;
        // One that is not there is as good as empty.
        paths.retain(|path| disk.exists(path));
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            match self.base.manifest(&path, &Str::default()) {
                Ok(file) => {
                    self.manifest_log.extend(file.warnings.iter().map(|log: &Log| log_line(log, "")));
                    files.push(file);
                    if let Some(problem) = redefined::redefinition_error(&files) {
                        return Err(SiteManifestError::from_text(problem));
                    }
                }
                Err(broken) => {
                    self.manifest_log.extend(broken.log.iter().map(|log| log_line(log, "")));
                    return Err(SiteManifestError::from_fault(environment, &broken.fault));
                }
            }
        }
        Ok(files)
    }

    /// Drops lowered code of bindings whose text nobody has any more.
    pub fn drop_unused_code(&self) {
        self.base.names.binding_code.drop_unused();
    }

    /// Returns of how many texts of bindings lowered code is kept.
    pub fn binding_text_count(&self) -> usize {
        self.base.names.binding_code.file_count()
    }

    pub(super) fn base(&self) -> &CodeBase {
        &self.base
    }

    pub(super) fn manifests(&self) -> Option<&[Arc<CodeFile>]> {
        self.manifests.as_deref().ok()
    }

    /// Returns the site manifests; `Err`: why there are none.
    pub(super) fn parsed_manifests(&self) -> Result<&[Arc<CodeFile>], String> {
        self.manifests.as_deref().map_err(|unparsed| unparsed.text.clone())
    }

    pub(super) fn modules(&self) -> &Modules {
        &self.base.modules
    }

    /// Returns a type of resources by its name, in any case: one of Puppet's own, or one that a module declares in
    /// Ruby.
    pub fn resource_type(&self, name: &str) -> Result<Option<TypeRef>, Fault> {
        self.base.resource_type(name)
    }

    /// Returns the file of a template, as the functions that render it name it.
    pub fn template_file(&self, name: &str) -> Option<PathBuf> {
        let file = self.base.with_own_reads().file(FileKind::Template, &name.into())?;
        Some(file.to_path_buf())
    }

    /// Returns the file that defines a class, or a defined type, of this name. What cannot be loaded defines nothing.
    pub fn definition_file(&self, name: &str) -> Option<PathBuf> {
        let base = self.base.with_own_reads();
        let mut loader = Loader::new(&base);
        for file in self.manifests.iter().flatten() {
            loader.import(file).ok()?;
        }
        let class = loader.class(name).ok().flatten();
        let found = class.or_else(|| loader.define(name).ok().flatten())?;
        found.file().map(PathBuf::from)
    }

    /// Returns the file that defines a function of this name.
    pub fn function_file(&self, name: &str) -> Option<PathBuf> {
        match self.base.function_file(name, "")? {
            FunctionFile::Puppet(file) | FunctionFile::Ruby(_, file) => Some(file),
        }
    }

    /// Returns what helps where no class and no defined type has this name.
    pub fn help_for_definition(&self, name: &str) -> Option<String> {
        Loader::new(&self.base.with_own_reads()).help_for_class(name)
    }

    /// Returns what helps where no module has a function of this name.
    pub fn help_for_function(&self, name: &str) -> Option<String> {
        if self.base.builtins.get(name).is_some() {
            return Some("it is built in, and in no file".to_owned());
        }
        Loader::new(&self.base.with_own_reads()).help_for_name(NameKind::Function, name).filter(|_| name.contains("::"))
    }

    /// Returns what helps where no template has this name.
    pub fn help_for_template(&self, name: &str) -> Option<String> {
        Loader::new(&self.base.with_own_reads()).help_for_template(name)
    }

    /// Returns the value of a key, as the node sees it.
    pub fn lookup(&self, request: &NodeRequest, question: &DataQuestion) -> LookupOutput {
        let base = self.base.with_own_reads();
        let mut compiler = Compiler::new(request, &base, None);
        let mut log = request.clashes();
        let started = if question.compiles {
            log.extend_from_slice(&self.manifest_log);
            match &self.manifests {
                Ok(files) => compiler.compile(&Main { files, run: MainRun::Manifests }).map(|_| ()),
                Err(unparsed) => return LookupOutput { log, result: Err(unparsed.without_node()), explanation: None },
            }
        } else {
            compiler.begin()
        };
        let answered = started.map(|()| compiler.answer(question));
        compiler.tell_unread();
        log.append(&mut compiler.log);
        match answered {
            Ok((result, explanation)) => LookupOutput { log, result: result.map_err(ended_alone), explanation },
            Err(failure) => LookupOutput { log, result: Err(ended_alone(failure)), explanation: None },
        }
    }

    /// Returns what is bound to keys, as the node sees it, with the log of finding out.
    pub fn inject(
        &self,
        request: &NodeRequest,
        question: &InjectionRequest,
    ) -> (Vec<LogLine>, Result<InjectionAnswer, CompileError>) {
        let base = self.base.with_own_reads();
        let mut compiler = Compiler::new(request, &base, None);
        let mut log = request.clashes();
        log.extend_from_slice(&self.manifest_log);
        let files = match &self.manifests {
            Ok(files) => files,
            Err(unparsed) => return (log, Err(unparsed.without_node())),
        };
        let answered = compiler.answer_injections(&Main { files, run: MainRun::Manifests }, question);
        compiler.tell_unread();
        log.append(&mut compiler.log);
        (log, answered.map_err(ended_alone))
    }

    /// Returns the version of Puppet whose behaviour counts.
    pub fn language(&self) -> Language {
        self.base.settings.language
    }

    /// Returns a request for a program that is evaluated by itself for a node of this environment; without code.
    pub fn program_request(&self, request: NodeRequest) -> Request {
        Request {
            source: Arc::new(Source::default()),
            kind: SourceKind::Manifest,
            settings: self.base.settings,
            tasks: self.base.tasks,
            facts: Hash::default(),
            trusted_extensions: Hash::default(),
            node: request.node.name.clone(),
            environment: request.environment.name.clone(),
            server_version: self.base.settings.language.release().to_owned(),
            modules: self.base.modules.clone(),
            now: request.now,
            params: Hash::default(),
            own_ruby: None,
            ruby_reads: Vec::new(),
            context: Some(ProgramContext { base: self.base.clone(), request }),
        }
    }

    /// Returns the catalog of a node; with `traces`, by way of what earlier requests have left there.
    pub fn compile(&self, request: &NodeRequest, traces: Option<&Traces>) -> Compilation {
        self.compile_with(request, traces, None)
    }

    /// Returns the catalog of a node, and how each value in it came about. All code is run, and nothing of it is used
    /// again.
    pub fn compile_recorded(&self, request: &NodeRequest) -> (Compilation, EvaluationRecord) {
        let mut record = EvaluationRecord::default();
        let compiled = self.compile_with(request, None, Some(&mut record));
        (compiled, record)
    }

    fn compile_with(
        &self,
        request: &NodeRequest,
        traces: Option<&Traces>,
        record: Option<&mut EvaluationRecord>,
    ) -> Compilation {
        let node = &request.node.name;
        if let Some(conflict) = request.environment.conflicts.first() {
            return Compilation::none(Vec::new(), environment_conflict_error(node, conflict));
        }
        let mut log = request.clashes();
        log.extend_from_slice(&self.manifest_log);
        // The site manifests, and which modules there are, every answer depends on.
        let base = self.base.with_own_reads();
        base.modules.disk.uses(&self.dependencies);
        let disk = Some(base.modules.disk.clone());
        let manifests = match &self.manifests {
            Ok(manifests) => manifests,
            Err(unparsed) => {
                let none = Compilation::none(log, unparsed.for_node(node));
                return Compilation { disk, ..none };
            }
        };
        let mut compiler = Compiler::new(request, &base, traces);
        if record.is_some() {
            compiler.record();
        }
        let result = compiler.compile(&Main { files: manifests, run: MainRun::Manifests });
        if let Some(record) = record {
            *record = compiler.take_record();
        }
        compiler.tell_unread();
        let walks = std::mem::take(&mut compiler.walks);
        let (bodies, spent_steps) = (compiler.bodies, compiler.spent_steps);
        let observed = compiler.take_observed();
        let consulted = compiler.take_lookup_observations();
        let is_volatile = compiler.is_volatile;
        let has_bindings = compiler.has_bindings();
        let is_secret = compiler.is_secret || compiler.has_decrypted();
        log.append(&mut compiler.log);
        let (result, exchange) = match request.collects_exported.then(|| compiler.exchange(result.is_ok())) {
            Some(Err(fault)) => (Err(failure_of(fault)), Exchange::default()),
            exchange => (result, exchange.and_then(Result::ok).unwrap_or_default()),
        };
        let result = result.map(|(catalog, _)| catalog).map_err(|failure| compile_error(failure, node));
        let holds_secret = |catalog: &Catalog| catalog.resources.iter().any(|resource| !resource.sensitive.is_empty());
        let is_secret = is_secret || result.as_ref().is_ok_and(holds_secret);
        let keys = compiler.asked_keys();
        compiler.depend_on_whole_bindings(&log, result.as_ref().ok());
        let binding_observations = compiler.take_binding_observations();
        let node_reads = compiler.take_node_reads();
        let decrypted = compiler.decrypted_texts();
        Compilation {
            log,
            result,
            walks,
            bodies,
            spent_steps,
            observed,
            lookup_observations: consulted,
            binding_observations,
            disk,
            keys,
            is_volatile,
            has_bindings,
            is_secret,
            decrypted,
            exchange,
            node_reads,
        }
    }
}

/// Returns what the settings say of data.
fn data_settings(environment: &Environment, settings: Settings) -> pantin_hiera::Settings {
    let text = |name: &str| environment.settings.get_str(name).and_then(Value::as_str).unwrap_or_default();
    let terminus = text("data_binding_terminus");
    pantin_hiera::Settings {
        language: settings.language,
        strict: settings.strict,
        strict_variables: settings.strict_variables,
        hiera_config: text("hiera_config").into(),
        codedir: text("codedir").into(),
        environment: environment.name.as_str().into(),
        environment_path: environment.folder.clone(),
        environment_data_provider: Some(text("environment_data_provider"))
            .filter(|name| !name.is_empty())
            .map(Str::from),
        missing_key: pantin_hiera::MissingKey::Error,
        data_binding_terminus: if terminus.is_empty() { "hiera".into() } else { terminus.into() },
    }
}

impl SiteManifestError {
    fn from_text(text: String) -> SiteManifestError {
        SiteManifestError { text, names_node: true, diagnostic: None, source: None }
    }

    fn from_fault(environment: &Environment, fault: &Fault) -> SiteManifestError {
        let names_node = fault.kind != FaultKind::Logged;
        let text = match names_node {
            true => format!("Could not parse for environment {}: {}", environment.name, fault.message),
            false => fault.message.to_string(),
        };
        let seen = fault.sighting.as_ref();
        let diagnostic = seen.map(|seen| Box::new(seen.diagnostic.clone()));
        SiteManifestError { text, names_node, diagnostic, source: seen.and_then(|seen| seen.source.clone()) }
    }

    /// Returns what a node is told.
    fn for_node(&self, node: &str) -> CompileError {
        let mut ended = self.without_node();
        if self.names_node {
            ended.text.push_str(&format!(" on node {node}"));
        }
        ended
    }

    fn without_node(&self) -> CompileError {
        let SiteManifestError { diagnostic, source, .. } = self;
        CompileError {
            diagnostic: diagnostic.clone(),
            source: source.clone(),
            ..CompileError::from_text(self.text.clone())
        }
    }
}

/// Returns an environment that contradicts the settings has no catalogs.
fn environment_conflict_error(node: &str, conflict: &str) -> CompileError {
    let text = format!(
        "Compilation has been halted because: {conflict} For more information, see \
         https://puppet.com/docs/puppet/latest/environments_about.html on node {node}"
    );
    CompileError::from_text(text)
}

pub(super) fn compile_error(failure: Failure, node: &str) -> CompileError {
    let text = error_text(&failure, node);
    CompileError { failure: Some(Box::new(failure)), ..CompileError::from_text(text) }
}

/// Where nobody asked for a catalog, no node is named.
fn ended_alone(failure: Failure) -> CompileError {
    let text = error_without_node(&failure);
    CompileError { failure: Some(Box::new(failure)), ..CompileError::from_text(text) }
}
