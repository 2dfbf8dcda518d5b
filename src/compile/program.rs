//! A program: one manifest or one template, evaluated by itself for a node.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_base::{Diagnostic, Language, Location, Severity, Source};
use pantin_eval::{Builtins, Settings};
use pantin_model::evaluation::EvaluationRecord;
use pantin_model::trace::{Failure, Level, Secrets, Shape, Trace, Traces};
use pantin_ruby::OwnRuby;
use pantin_syntax::{MessageLimits, Outcome, SourceKind};
use pantin_values::{Digest, Hash, Str, Timestamp, Value, mismatch};
use pantin_world::environment::Environment;
use pantin_world::load::Modules;
use pantin_world::node::{NodeData, trusted_facts};

use super::catalog::compile_error;
use super::code::CodeFile;
use super::codebase::CodeBase;
use super::node::{Compiler, Main, MainRun, NodeRequest, Walks};
use super::redefined;
use super::report::LogLine;
use super::session::Session;

/// The node and the environment that a program is evaluated for.
#[derive(Clone, Debug)]
pub struct ProgramContext {
    pub(super) base: CodeBase,
    pub(super) request: NodeRequest,
}

/// What to evaluate, for whom, with which settings.
#[derive(Clone, Debug)]
pub struct Request {
    pub source: Arc<Source>,
    pub kind: SourceKind,
    pub settings: Settings,
    pub tasks: bool,
    pub facts: Hash,
    pub trusted_extensions: Hash,
    pub node: String,
    pub environment: String,
    pub server_version: String,
    pub modules: Modules,
    /// What the clock says; asked for once, so that a request has one time.
    pub now: Timestamp,
    /// A template's parameters.
    pub params: Hash,
    /// What runs functions that want more than the small Ruby has.
    pub own_ruby: Option<Arc<dyn OwnRuby>>,
    /// What Ruby code may read beside modules.
    pub ruby_reads: Vec<PathBuf>,
    /// A node of an environment: then it says what is known of facts, modules, data and settings, and not the members here.
    pub context: Option<ProgramContext>,
}

/// What came of it.
#[derive(Debug)]
pub struct ProgramOutput {
    pub log: Vec<LogLine>,
    /// The value of the last expression, or what ended the program.
    pub result: Result<Value, CompileError>,
}

/// An error, in the words of the console, and as data for a better report.
#[derive(Debug)]
pub struct CompileError {
    pub text: String,
    pub failure: Option<Box<Failure>>,
    pub diagnostic: Option<Box<Diagnostic>>,
    /// What the diagnostic is about, where it is not the source that was given.
    pub source: Option<Arc<Source>>,
}

impl CompileError {
    /// An error of which nothing but its words is known.
    pub fn from_text(text: String) -> CompileError {
        CompileError { text, failure: None, diagnostic: None, source: None }
    }
}

/// A parsed and lowered program, ready to run for any node.
#[derive(Debug)]
pub struct Program {
    base: CodeBase,
    pub(super) file: Arc<CodeFile>,
}

/// What is told of a run beside its answer.
struct Recorded<'r> {
    walks: &'r mut Walks,
    record: Option<&'r mut EvaluationRecord>,
}

/// A program that ended well, and the variables it assigned.
type RunnableProgram = (Program, Vec<(Str, Value)>);

impl Program {
    /// Runs for the request that prepared it, or for one that differs only in node, facts and parameters.
    pub fn answer(&self, request: &Request) -> ProgramOutput {
        let node_request = request.for_node();
        let mut compiler = Compiler::new(&node_request, &self.base, None);
        compiler.log = node_request.clashes();
        let result = self.run(request, &mut compiler).map_err(|failure| compile_error(failure, &request.node));
        ProgramOutput { log: compiler.log, result }
    }

    fn run(&self, request: &Request, compiler: &mut Compiler<'_>) -> Result<Value, Failure> {
        let files = std::slice::from_ref(&self.file);
        let run = match request.kind {
            SourceKind::Manifest => MainRun::Manifests,
            SourceKind::Template => {
                request.check_params(self.base.builtins)?;
                MainRun::Template(&request.params)
            }
        };
        compiler.compile(&Main { files, run }).map(|(_, value)| value)
    }
}

impl Request {
    /// Parses, checks and runs, with nothing remembered.
    pub fn answer(&self, builtins: &'static Builtins) -> ProgramOutput {
        self.answer_after(&Session::default(), builtins, None).0
    }

    /// The same, and how each value came about.
    pub fn answer_recorded(&self, builtins: &'static Builtins) -> (ProgramOutput, EvaluationRecord) {
        let mut record = EvaluationRecord::default();
        let recorded = Recorded { walks: &mut Walks::default(), record: Some(&mut record) };
        let (answered, _) = self.answer_walking(&Session::default(), builtins, None, recorded);
        (answered, record)
    }

    /// Returns the program alone, to be run any number of times with [`Program::answer`].
    pub fn prepare(&self, builtins: &'static Builtins) -> Result<Option<Program>, CompileError> {
        self.prepare_logged(builtins, &mut Vec::new())
    }

    /// Runs after the accepted inputs of a session, and becomes one of them if it ends well. With its trace, unless
    /// that is too long or tells the time.
    pub fn answer_in(&self, session: &mut Session, builtins: &'static Builtins) -> (ProgramOutput, Option<Trace>) {
        // Of this process alone: the trace is shown, not kept.
        let traces = Traces::new(Digest::from_text("session"), Secrets::new([0; 32]));
        let (answered, accepted) = self.answer_after(session, builtins, Some(&traces));
        let mut trace = None;
        if let Some((program, assigned)) = accepted {
            let key = traces.key(program.file.main.digest, super::node::main_parameters(self.kind, &self.params));
            trace = traces.tree(&key).and_then(|tree| tree.only_trace());
            session.keep(program, assigned);
        }
        (answered, trace)
    }

    /// Parses and checks, and runs only what the traces of earlier requests cannot answer. With how each body came to
    /// its result, in the order in which they ended.
    pub fn answer_through(&self, traces: &Traces, builtins: &'static Builtins) -> (ProgramOutput, Walks) {
        let mut walks = Walks::default();
        let recorded = Recorded { walks: &mut walks, record: None };
        let (answered, _) = self.answer_walking(&Session::default(), builtins, Some(traces), recorded);
        (answered, walks)
    }

    fn answer_after(
        &self,
        session: &Session,
        builtins: &'static Builtins,
        traces: Option<&Traces>,
    ) -> (ProgramOutput, Option<RunnableProgram>) {
        let recorded = Recorded { walks: &mut Walks::default(), record: None };
        self.answer_walking(session, builtins, traces, recorded)
    }

    /// With the program and what it assigned, if it ended well.
    fn answer_walking(
        &self,
        session: &Session,
        builtins: &'static Builtins,
        traces: Option<&Traces>,
        recorded: Recorded<'_>,
    ) -> (ProgramOutput, Option<RunnableProgram>) {
        let mut log = Vec::new();
        let program = match self.prepare_logged(builtins, &mut log) {
            Ok(Some(program)) => program,
            Ok(None) => return (ProgramOutput { log, result: Ok(Value::Undef) }, None),
            Err(ended) => return (ProgramOutput { log, result: Err(ended) }, None),
        };
        let request = self.for_node();
        let mut compiler = Compiler::new(&request, &program.base, traces);
        compiler.log = request.clashes();
        compiler.begin_after(session);
        if recorded.record.is_some() {
            compiler.record();
        }
        let result = program.run(self, &mut compiler);
        if let Some(record) = recorded.record {
            *record = compiler.take_record();
        }
        *recorded.walks = std::mem::take(&mut compiler.walks);
        log.append(&mut compiler.log);
        let assigned = std::mem::take(&mut compiler.assigned);
        drop(compiler);
        let accepted = result.is_ok().then_some((program, assigned));
        (ProgramOutput { log, result: result.map_err(|failure| compile_error(failure, &self.node)) }, accepted)
    }

    /// Parses, checks and lowers; `None`: there is nothing to run.
    fn prepare_logged(
        &self,
        builtins: &'static Builtins,
        log: &mut Vec<LogLine>,
    ) -> Result<Option<Program>, CompileError> {
        let source = self.named_source();
        let base = self.code_base(builtins);
        let settings = pantin_syntax::Settings { definitions: true, ..base.syntax_settings() };
        let file = match parse_text(&base, &source, self.kind, settings, log) {
            Err(error) => return Err(self.not_parsed(error, source.name())),
            Ok(Some(file)) => Arc::new(file),
            Ok(None) => return Ok(None),
        };
        let program = Program { base, file };
        match redefined::redefinition_error(std::slice::from_ref(&program.file)) {
            Some(problem) => Err(CompileError::from_text(format!("{problem} on node {}", self.node))),
            None => Ok(Some(program)),
        }
    }

    fn code_base(&self, builtins: &'static Builtins) -> CodeBase {
        if let Some(context) = &self.context {
            return context.base.with_own_reads();
        }
        let mut base = CodeBase::new(self.modules.clone(), None, self.settings, self.tasks, builtins);
        base.own_ruby = self.own_ruby.clone();
        base.ruby_reads = self.ruby_reads.clone().into();
        base
    }

    fn for_node(&self) -> NodeRequest {
        if let Some(context) = &self.context {
            return NodeRequest { now: self.now, ..context.request.clone() };
        }
        let implementation =
            (self.settings.language >= Language::OpenVox8).then_some(("serverimplementation", "openvox"));
        let server_facts = [
            ("serverversion", self.server_version.as_str()),
            ("servername", "puppet.example.org"),
            ("serverip", "192.0.2.1"),
            ("environment", self.environment.as_str()),
        ];
        let node = NodeData {
            name: self.node.clone(),
            facts: self.facts.clone(),
            trusted: trusted_facts(&self.node, self.trusted_extensions.clone()),
            server_facts: implementation
                .into_iter()
                .chain(server_facts)
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            ..NodeData::default()
        };
        let environment = Environment {
            name: self.environment.clone(),
            modulepath: self.modules.modulepath.to_vec(),
            rich_data: true,
            settings: self.settings_variables(),
            ..Environment::default()
        };
        NodeRequest {
            node: Arc::new(node),
            environment: Arc::new(environment),
            now: self.now,
            version: Value::Integer(1),
            collects_exported: false,
            answers: Arc::default(),
            exports: Arc::default(),
            seconds: pantin_base::limits::NODE_SECONDS,
        }
    }

    fn settings_variables(&self) -> Hash {
        let strict = self.settings.strict.name();
        let settings = [
            ("strict", Value::from(strict)),
            ("strict_variables", self.settings.strict_variables.into()),
            ("environment", self.environment.as_str().into()),
            ("certname", self.node.as_str().into()),
        ];
        settings.into_iter().map(|(name, value)| (name.into(), value)).collect()
    }

    /// Returns the source by the name that messages have for it: a template that is no file has one too.
    fn named_source(&self) -> Arc<Source> {
        match (self.kind, self.source.name()) {
            (SourceKind::Template, None) => match Source::new(Some(pantin_eval::INLINE_TEMPLATE), self.source.text()) {
                Ok(named) => Arc::new(named),
                Err(_) => self.source.clone(),
            },
            _ => self.source.clone(),
        }
    }

    /// Returns the function that would render the template.
    fn renderer(&self) -> &'static str {
        if self.source.name().is_some() { "epp" } else { "inline_epp" }
    }

    /// What a template is given has to be what that function takes.
    fn check_params(&self, builtins: &'static Builtins) -> Result<(), Failure> {
        let name = self.renderer();
        let Some(function) = builtins.get(name).filter(|_| !self.params.is_empty()) else { return Ok(()) };
        let args = [Value::from(""), Value::Hash(self.params.clone())];
        let checked = function.signatures().map_err(Clone::clone).and_then(|signatures| {
            for signature in signatures {
                if signature.check(&args, None)? {
                    return Ok(());
                }
            }
            Err(mismatch::call_fault(name, signatures, &args, None))
        });
        checked.map_err(|fault| Failure::new(fault, Shape::Plain, None))
    }

    fn not_parsed(&self, error: Box<Diagnostic>, file: Option<&str>) -> CompileError {
        let place = error.place.suffix(file);
        let text = if self.kind == SourceKind::Template {
            format!("{}(): Invalid EPP: {}{place} on node {}", self.renderer(), error.message, self.node)
        } else if error.code == pantin_syntax::GIVING_UP {
            error.message.clone()
        } else {
            format!(
                "Could not parse for environment {}: {}{place} on node {}",
                self.environment, error.message, self.node
            )
        };
        CompileError { diagnostic: Some(error), ..CompileError::from_text(text) }
    }
}

/// Code that is the first to be evaluated, wherever it came from. `None`: there is nothing in it.
pub(super) fn parse_text(
    base: &CodeBase,
    source: &Arc<Source>,
    kind: SourceKind,
    settings: pantin_syntax::Settings,
    log: &mut Vec<LogLine>,
) -> Result<Option<CodeFile>, Box<Diagnostic>> {
    let limits = MessageLimits::default();
    let outcome: Outcome = pantin_syntax::check(source.clone(), kind, &Location::Anywhere, settings, limits);
    log.extend(outcome.log.iter().map(|warning| diagnostic_line(warning, source.name())));
    match (outcome.error, outcome.ast) {
        (Some(error), _) => Err(Box::new(error)),
        (None, Some(ast)) => {
            let key = if kind == SourceKind::Template { source.name().unwrap_or_default() } else { "main" };
            Ok(Some(CodeFile::new(Arc::new(ast), kind, key, [&Str::default(); 2], Vec::new(), base.builtins)))
        }
        (None, None) => Ok(None),
    }
}

fn diagnostic_line(diagnostic: &Diagnostic, file: Option<&str>) -> LogLine {
    let level = match diagnostic.severity {
        Severity::Error => Level::Err,
        Severity::Warning | Severity::Deprecation => Level::Warning,
    };
    LogLine { level, text: format!("{}: {}{}", level.label(), diagnostic.message, diagnostic.place.suffix(file)) }
}
