//! `environments.pp`: which environments there are, and which one a request gets.
//! It must not know where the settings come from.

mod refused;
mod site_reader;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Diagnostic, Location, Source, Span};
use pantin_bindings::{Place, Problem, constant, rule, sort_problems};
use pantin_eval::{Builtins, Settings};
use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_syntax::bindings::expression_text;
use pantin_syntax::{GIVING_UP, MessageLimits, SourceKind};
use pantin_values::{Fault, Hash, Str, Timestamp, Value};
use pantin_world::environment::{Environment, EnvironmentAttributes};
use pantin_world::load::Modules;
use pantin_world::node::{NodeClasses, NodeData};
use pantin_world::{Answers, TrackedDisk};

use super::bindings::failure_from;
use super::code::CodeFile;
use super::codebase::CodeBase;
use super::node::{Compiler, NodeRequest};
use super::report::{LogLine, error_text};
use site_reader::SiteReader;

/// The folders that the file may name.
#[derive(Clone, Debug, Default)]
pub struct SettingFolders {
    pub confdir: String,
    pub codedir: String,
    pub vardir: String,
}

/// What is known of a request before it has an environment.
#[derive(Clone, Debug)]
pub struct ChoiceRequest {
    pub node: NodeData,
    /// What the ENC said.
    pub environment: Option<String>,
    /// What the agent wants.
    pub agent_environment: Option<String>,
    pub folders: SettingFolders,
    pub now: Timestamp,
    pub seconds: u64,
}

/// What the file says.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentChoice {
    /// What it, or the ENC, has chosen.
    pub name: Option<String>,
    pub defaults: EnvironmentAttributes,
    pub environments: Vec<(String, EnvironmentAttributes)>,
    /// Folders of environments, with what is said of all in each.
    pub dynamic: Vec<(PathBuf, EnvironmentAttributes)>,
    pub log: Vec<LogLine>,
}

/// The environments that the file defines without a request.
#[derive(Debug, Default)]
pub struct WrittenEnvironments {
    pub choice: EnvironmentChoice,
    pub left_to_requests: LeftToRequests,
    /// Errors and warnings of the file.
    pub problems: Vec<Problem>,
}

/// Environments that are known with a request alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftToRequests {
    /// Each request works out what is said of all environments.
    pub defaults: bool,
    /// Each request works out a folder of environments, or what is said of those in it.
    pub dynamic: bool,
    pub names: Vec<String>,
}

impl WrittenEnvironments {
    /// Returns true if each request works out anew what the environment of this name is.
    pub fn leaves(&self, name: &str) -> bool {
        let LeftToRequests { defaults, dynamic, names } = &self.left_to_requests;
        let is_static = self.choice.environments.iter().any(|(known, _)| known == name);
        *defaults || names.iter().any(|left| left == name) || *dynamic && !is_static
    }
}

/// Why there is no choice: the error as it is told, and what was logged before.
#[derive(Clone, Debug)]
pub struct NoChoice {
    pub text: String,
    pub log: Vec<LogLine>,
}

/// The file, parsed.
#[derive(Debug)]
pub struct EnvironmentsFile {
    base: CodeBase,
    file: Result<Arc<CodeFile>, Vec<Diagnostic>>,
    source: Arc<Source>,
    shown: Arc<str>,
}

impl EnvironmentsFile {
    /// Parses the text of the file.
    pub fn parse(
        path: &Path,
        text: Vec<u8>,
        disk: &TrackedDisk,
        settings: Settings,
        builtins: &'static Builtins,
    ) -> Result<EnvironmentsFile, String> {
        let name = path.display().to_string();
        let source = Source::from_bytes(Some(&name), text)
            .map(Arc::new)
            .map_err(|error| pantin_syntax::unreadable_source(error).one_line(Some(&name)))?;
        let base = CodeBase::new(Modules::none(disk.clone()), None, settings, false, builtins);
        let outcome = pantin_syntax::check(
            Arc::clone(&source),
            SourceKind::Manifest,
            &Location::Environments,
            base.syntax_settings(),
            MessageLimits::default(),
        );
        let accepted = outcome.accepted();
        let errors = outcome
            .log
            .iter()
            .chain(&outcome.error)
            .filter(|found| found.code != GIVING_UP && found.severity == pantin_base::Severity::Error);
        let file = match outcome.ast.as_ref().filter(|_| accepted) {
            None => Err(errors.cloned().collect()),
            Some(_) => match outcome.ast {
                Some(ast) => {
                    let none = Str::default();
                    let file = CodeFile::new(
                        Arc::new(ast),
                        SourceKind::Manifest,
                        "environments",
                        [&none, &none],
                        Vec::new(),
                        builtins,
                    );
                    Ok(Arc::new(file))
                }
                None => Err(Vec::new()),
            },
        };
        let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(EnvironmentsFile { base, file, source, shown: shown.into() })
    }

    /// Returns true if the file has this text.
    pub fn is_of(&self, text: &[u8]) -> bool {
        self.source.text().as_bytes() == text
    }

    fn place(&self, span: Span) -> Place {
        Place { shown: Arc::clone(&self.shown), source: Some(Arc::clone(&self.source)), span }
    }

    fn problem(&self, found: rule::Rule, message: impl Into<String>, span: Span) -> Problem {
        Problem::new(found, message, self.place(span))
    }

    /// Returns the choice for a request.
    pub fn choose(&self, request: &ChoiceRequest) -> Result<EnvironmentChoice, NoChoice> {
        let node = request.node.name.clone();
        let fail = |mut problems: Vec<Problem>, mut log: Vec<LogLine>| {
            sort_problems(&mut problems);
            let failure = failure_from(&problems, &mut log);
            let text = failure.map(|failure| error_text(&failure, &node)).unwrap_or_default();
            NoChoice { text, log }
        };
        let file = match &self.file {
            Ok(file) => file,
            Err(found) => {
                let problems = found.iter().map(|found| Problem::from_diagnostic(found, &self.source, &self.shown));
                return Err(fail(problems.collect(), Vec::new()));
            }
        };
        let refused = self.refused(&file.ast);
        if !refused.is_empty() {
            return Err(fail(refused, Vec::new()));
        }
        let mut known = request.node.clone();
        known.facts = without_environment(&known.facts);
        let variables = self.outer_variables(request);
        variables.iter().for_each(|(name, value)| known.parameters.insert(name.clone(), value.clone()));
        known.server_facts = without_environment(&known.server_facts);
        let node_request = NodeRequest {
            node: Arc::new(known),
            environment: Arc::new(Environment::default()),
            now: request.now,
            version: Value::Undef,
            collects_exported: false,
            answers: Arc::new(Answers::default()),
            exports: Arc::default(),
            seconds: request.seconds,
        };
        let mut compiler = Compiler::new(&node_request, &self.base, None);
        let chosen = compiler.choose_environment(file).map_err(|failure| NoChoice {
            text: error_text(&failure, &node),
            log: std::mem::take(&mut compiler.log),
        })?;
        let mut choice = EnvironmentChoice { log: std::mem::take(&mut compiler.log), ..EnvironmentChoice::default() };
        choice.name = match chosen {
            Value::Undef => request.environment.clone(),
            Value::String(name) => Some(name.to_string()),
            other => {
                let got = pantin_values::Type::reduced(&other).generalize();
                let message = format!("$environment must be a String, got {got}");
                let problem = self.problem(rule::ENV_VALUE, message, assignment(&file.ast));
                return Err(fail(vec![problem], choice.log));
            }
        };
        let mut evaluate = |node: NodeId| compiler.evaluate_in_choice(file, node);
        let mut reader = SiteReader::new(self, &file.ast, &request.folders, &mut evaluate);
        let outcome = reader.read();
        let SiteReader { choice: found, problems, .. } = reader;
        choice = EnvironmentChoice { name: choice.name, log: choice.log, ..found };
        match outcome {
            Ok(()) if problems.iter().all(|problem| problem.rule.severity != pantin_base::Severity::Error) => {
                problems.iter().for_each(|problem| {
                    choice.log.push(LogLine::with_label(pantin_model::trace::Level::Warning, &problem.one_line()));
                });
                Ok(choice)
            }
            Ok(()) => Err(fail(problems, choice.log)),
            Err(fault) => Err(NoChoice { text: error_text(&super::report::failure_of(fault), &node), log: choice.log }),
        }
    }

    /// Returns what the file says whatever is asked: environments that are written out, and what is wrong with it.
    pub fn written(&self, folders: &SettingFolders) -> WrittenEnvironments {
        let file = match &self.file {
            Ok(file) => file,
            Err(found) => {
                let problem = |one| Problem::from_diagnostic(one, &self.source, &self.shown);
                return WrittenEnvironments {
                    problems: found.iter().map(problem).collect(),
                    ..WrittenEnvironments::default()
                };
            }
        };
        let mut evaluate = |node: NodeId| written_value(&file.ast, node, folders);
        let mut reader = SiteReader::new(self, &file.ast, folders, &mut evaluate);
        let left_to_requests = reader.read_written();
        let SiteReader { choice, mut problems, .. } = reader;
        problems.extend(self.refused(&file.ast));
        sort_problems(&mut problems);
        WrittenEnvironments { choice, left_to_requests, problems }
    }

    /// Variables that the file's own assignments hide.
    fn outer_variables(&self, request: &ChoiceRequest) -> Hash {
        let text = |text: &Option<String>| text.as_deref().map(Value::from).unwrap_or_default();
        let classes: Vec<Value> = match &request.node.classes {
            NodeClasses::Names(names) => names.iter().cloned().map(Value::String).collect(),
            NodeClasses::WithParameters(classes) => {
                classes.iter().map(|(name, _)| Value::String(name.clone())).collect()
            }
        };
        let SettingFolders { confdir, codedir, vardir } = &request.folders;
        [
            ("classes", Value::array(classes)),
            ("environment", text(&request.environment)),
            ("agent_environment", text(&request.agent_environment)),
            ("confdir", confdir.as_str().into()),
            ("codedir", codedir.as_str().into()),
            ("vardir", vardir.as_str().into()),
        ]
        .into_iter()
        .map(|(name, value)| (Value::from(name), value))
        .collect()
    }

    /// Returns the error of a choice that is no environment.
    pub fn unknown(&self, name: &str, node: &str) -> String {
        let span = self.file.as_ref().ok().map(|file| assignment(&file.ast)).filter(|span| span.len > 0);
        let place = span.map(|span| self.source.place(span.start).suffix(self.source.name())).unwrap_or_default();
        format!("unknown environment '{name}'{place} on node {node}")
    }
}

/// Returns the value of what is written out, perhaps with the folders of settings in it.
fn written_value(ast: &Ast, node: NodeId, folders: &SettingFolders) -> Result<Value, Fault> {
    if let Some(value) = constant(ast, node) {
        return Ok(value);
    }
    match ast.node(node) {
        Node::Array(items) => {
            let items = ast.list(items).iter().map(|&item| written_value(ast, item, folders));
            Ok(Value::array(items.collect::<Result<Vec<_>, _>>()?))
        }
        Node::Concat(_) => {
            let text = interpolated(expression_text(ast, node).trim_matches('"'), folders);
            if text.contains(['$', '\\']) { Err(per_request()) } else { Ok(text.into()) }
        }
        _ => Err(per_request()),
    }
}

fn per_request() -> Fault {
    Fault::new("it is worked out for each request")
}

/// Returns the facts without one of the name `environment`: no environment is chosen yet.
fn without_environment(facts: &Hash) -> Hash {
    let others = facts.iter().filter(|(name, _)| name.as_str() != Some("environment"));
    others.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns where `$environment` is assigned.
fn assignment(ast: &Ast) -> Span {
    let found = ast.ids().find_map(|id| match ast.node(id) {
        Node::Assign { left, .. } => match ast.node(left) {
            Node::Variable(name) if ast.text(name) == "environment" => Some(ast.span(left)),
            _ => None,
        },
        _ => None,
    });
    found.unwrap_or_default()
}

/// Returns a text as puppet.conf reads it: `$confdir/x`.
fn interpolated(text: &str, folders: &SettingFolders) -> String {
    let mut text = text.to_owned();
    for (name, value) in [("confdir", &folders.confdir), ("codedir", &folders.codedir), ("vardir", &folders.vardir)] {
        text = text.replace(&format!("${{{name}}}"), value).replace(&format!("${name}"), value);
    }
    text
}
