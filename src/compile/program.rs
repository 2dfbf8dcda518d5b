//! A program: a manifest's own code with the functions and types it brings along.

use std::sync::Arc;

use super::definitions::{Defined, defined_in};
use super::host::ProgramHost;
use super::report::{LogLine, error_text, log_line};
use super::session::Session;
use crate::base::{Diagnostic, Place, Severity, Source};
use crate::eval::{self, Body, Builtins, Settings};
use crate::load::Modules;
use crate::pcore::{Digest, Digester, Fault, Hash, Str, Timestamp, Value, mismatch, types};
use crate::syntax::ast::{Ast, DefinitionKind, Node, NodeId};
use crate::syntax::{self, Kind, Location, MessageLimits, Outcome};
use crate::trace::{Body as TracedBody, Failure, Host, How, Level, Recorder, Secrets, Shape, Trace, Traces};

/// What to evaluate, for whom, with which settings.
#[derive(Clone, Debug)]
pub struct Request {
    pub source: Arc<Source>,
    pub kind: Kind,
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
}

/// What came of it.
#[derive(Debug)]
pub struct Answered {
    pub log: Vec<LogLine>,
    /// The value of the last expression, or what ended the program.
    pub result: Result<Value, Ended>,
}

/// An error, in the words of the console, and as data for a better report.
#[derive(Debug)]
pub struct Ended {
    pub text: String,
    pub failure: Option<Box<Failure>>,
    pub diagnostic: Option<Box<Diagnostic>>,
}

/// A parsed and lowered program, ready to run for any node.
#[derive(Debug)]
pub struct Program {
    pub(super) ast: Arc<Ast>,
    pub(super) body: Arc<Body>,
    pub(super) functions: Vec<(Str, NodeId)>,
    pub(super) aliases: Vec<(Str, NodeId)>,
    /// Classes, defined types, plans.
    pub(super) definitions: Vec<Defined>,
}

/// A program that ended well, and the variables it assigned.
type Accepted = (Program, Vec<(Str, Value)>);

impl Program {
    fn new(ast: Arc<Ast>, kind: Kind, builtins: &'static Builtins) -> Program {
        let body = match kind {
            Kind::Manifest => eval::main_body(&ast, builtins),
            Kind::Template => eval::template_body(&ast, ast.source().name().unwrap_or_default(), builtins),
        };
        let mut program = Program {
            body: Arc::new(body),
            functions: Vec::new(),
            aliases: Vec::new(),
            definitions: defined_in(&ast).collect(),
            ast,
        };
        let ast = program.ast.clone();
        for id in ast.ids() {
            match ast.node(id) {
                Node::Definition(definition) => {
                    let definition = ast.definition(definition);
                    if definition.kind == DefinitionKind::Function {
                        program.functions.push((ast.text(definition.name).into(), id));
                    }
                }
                Node::TypeAlias { name, .. } => program.aliases.push((ast.text(name).into(), id)),
                _ => {}
            }
        }
        program
    }
}

impl Program {
    /// What is wrong with a name that is defined twice, or that is Puppet's own.
    fn redefinition(&self) -> Option<String> {
        let refuse = |what: &str, name: &str, by: String| {
            let entity = format!("http://puppet.com/2016.1/runtime/{what}/{}", name.to_lowercase());
            Some(format!("Attempt to redefine entity '{entity}'. Originally set {by}."))
        };
        let set_at = |id: NodeId| {
            let Place::At { line, column } = self.ast.place(id) else { return String::new() };
            match self.ast.source().name() {
                Some(file) => format!("at file://{file}?line={line}&pos={column}"),
                None => format!("at string:?line={line}&pos={column}"),
            }
        };
        for (what, definitions) in [("function", &self.functions), ("type", &self.aliases)] {
            for (index, (name, _)) in definitions.iter().enumerate() {
                if what == "type" && types::named(name).is_some() {
                    return refuse(what, name, "by Puppet-Type-System/Static-Loader".to_owned());
                }
                let same = |earlier: &&(Str, NodeId)| earlier.0.eq_ignore_ascii_case(name);
                if let Some((_, earlier)) = definitions[..index].iter().find(same) {
                    return refuse(what, name, set_at(*earlier));
                }
            }
        }
        None
    }

    /// Runs for the request that prepared it, or for one that differs only in node, facts and parameters.
    pub fn answer(&self, request: &Request, builtins: &'static Builtins) -> Answered {
        let session = Session::default();
        let mut host = ProgramHost::new(request, self, &session, builtins);
        let result = self.run(request, &mut host, builtins).map_err(|failure| request.ended(failure));
        Answered { log: host.log.iter().map(log_line).collect(), result }
    }

    fn run(&self, request: &Request, host: &mut dyn Host, builtins: &'static Builtins) -> Result<Value, Failure> {
        match request.kind {
            Kind::Manifest => eval::run(&self.body, host, request.settings, builtins),
            Kind::Template => {
                request.check_params(builtins)?;
                eval::render(&self.body, &request.params, host, request.settings, builtins)
            }
        }
    }
}

impl Request {
    /// Parses, checks and runs, with nothing remembered.
    pub fn answer(&self, builtins: &'static Builtins) -> Answered {
        self.answer_by(builtins, |program, host| program.run(self, host, builtins))
    }

    /// The program alone, to be run any number of times with [`Program::answer`].
    pub fn prepare(&self, builtins: &'static Builtins) -> Result<Option<Program>, Ended> {
        self.prepared(builtins, &mut Vec::new())
    }

    /// Runs after the accepted inputs of a session, and becomes one of them if it ends well. With its trace, unless
    /// that is too long or tells the time.
    pub fn answer_in(&self, session: &mut Session, builtins: &'static Builtins) -> (Answered, Option<Trace>) {
        let mut trace = None;
        // Of this process alone: the trace is shown, not kept.
        let secrets = Secrets::new([0; 32]);
        let (answered, accepted) = self.answer_after(session, builtins, |program, host| {
            let mut recorder = Recorder::new(host, &secrets, &program.body.name);
            let result = program.run(self, &mut recorder, builtins);
            let finished = recorder.finish(result);
            trace = finished.trace;
            finished.result
        });
        if let Some((program, assigned)) = accepted {
            session.keep(program, assigned);
        }
        (answered, trace)
    }

    /// Parses and checks, and runs only what the traces of earlier requests cannot answer.
    pub fn answer_through(&self, traces: &Traces, builtins: &'static Builtins) -> (Answered, Option<How>) {
        let mut how = None;
        let answered = self.answer_by(builtins, |program, host| {
            let body = TracedBody { name: &program.body.name, unit: Some(&program.body.unit) };
            let key = traces.key(program.body.digest, self.parameters_digest());
            let walked = traces.walk(&key, body, host, |host| program.run(self, host, builtins));
            how = Some(walked.how);
            walked.result
        });
        (answered, how)
    }

    /// Of all that changes the meaning of the code, beside the code and what it asks.
    fn parameters_digest(&self) -> Digest {
        let mut digester = Digester::new(b"program");
        digester.text(&format!("{:?} {:?}", self.kind, self.settings));
        digester.value(&Value::Hash(self.params.clone()));
        digester.finish()
    }

    fn answer_by(
        &self,
        builtins: &'static Builtins,
        run: impl FnOnce(&Program, &mut dyn Host) -> Result<Value, Failure>,
    ) -> Answered {
        self.answer_after(&Session::default(), builtins, run).0
    }

    /// With the program and what it assigned, if it ended well.
    fn answer_after(
        &self,
        session: &Session,
        builtins: &'static Builtins,
        run: impl FnOnce(&Program, &mut dyn Host) -> Result<Value, Failure>,
    ) -> (Answered, Option<Accepted>) {
        let mut log = Vec::new();
        let program = match self.prepared(builtins, &mut log) {
            Ok(Some(program)) => program,
            Ok(None) => return (Answered { log, result: Ok(Value::Undef) }, None),
            Err(ended) => return (Answered { log, result: Err(ended) }, None),
        };
        let mut host = ProgramHost::new(self, &program, session, builtins);
        let result = run(&program, &mut host);
        log.extend(host.log.iter().map(log_line));
        let assigned = host.assigned;
        let accepted = result.is_ok().then_some((program, assigned));
        (Answered { log, result: result.map_err(|failure| self.ended(failure)) }, accepted)
    }

    /// Parses, checks and lowers; `None`: there is nothing to run.
    fn prepared(&self, builtins: &'static Builtins, log: &mut Vec<LogLine>) -> Result<Option<Program>, Ended> {
        let source = self.named_source();
        let outcome = self.check(&source);
        log.extend(outcome.log.iter().map(|warning| diagnostic_line(warning, source.name())));
        let ast = match (outcome.error, outcome.ast) {
            (Some(error), _) => return Err(self.not_parsed(error, source.name())),
            (None, Some(ast)) => Arc::new(ast),
            (None, None) => return Ok(None),
        };
        let program = Program::new(ast, self.kind, builtins);
        match program.redefinition() {
            Some(problem) => {
                Err(Ended { text: format!("{problem} on node {}", self.node), failure: None, diagnostic: None })
            }
            None => Ok(Some(program)),
        }
    }

    fn ended(&self, failure: Failure) -> Ended {
        Ended { text: error_text(&failure, &self.node), failure: Some(Box::new(failure)), diagnostic: None }
    }

    /// The source by the name that messages have for it: a template that is no file has one too.
    fn named_source(&self) -> Arc<Source> {
        match (self.kind, self.source.name()) {
            (Kind::Template, None) => match Source::new(Some(eval::INLINE_TEMPLATE), self.source.text()) {
                Ok(named) => Arc::new(named),
                Err(_) => self.source.clone(),
            },
            _ => self.source.clone(),
        }
    }

    /// The function that would render the template.
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
            Err(Fault::new(mismatch::describe_call(name, signatures, &args, None)))
        });
        checked.map_err(|fault| Failure::of(fault, Shape::Plain, None))
    }

    fn check(&self, source: &Arc<Source>) -> Outcome {
        let settings =
            syntax::Settings { language: self.settings.language, strict: self.settings.strict, tasks: self.tasks };
        syntax::check(source.clone(), self.kind, &Location::Anywhere, settings, MessageLimits::default())
    }

    fn not_parsed(&self, error: Diagnostic, file: Option<&str>) -> Ended {
        let place = error.place.suffix(file);
        let text = if self.kind == Kind::Template {
            format!("{}(): Invalid EPP: {}{place} on node {}", self.renderer(), error.message, self.node)
        } else if error.code == syntax::GIVING_UP {
            error.message.clone()
        } else {
            format!(
                "Could not parse for environment {}: {}{place} on node {}",
                self.environment, error.message, self.node
            )
        };
        Ended { text, failure: None, diagnostic: Some(Box::new(error)) }
    }
}

fn diagnostic_line(diagnostic: &Diagnostic, file: Option<&str>) -> LogLine {
    let level = match diagnostic.severity {
        Severity::Error => Level::Err,
        Severity::Warning | Severity::Deprecation => Level::Warning,
    };
    LogLine { level, text: format!("{}: {}{}", level.label(), diagnostic.message, diagnostic.place.suffix(file)) }
}
