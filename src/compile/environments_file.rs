//! `environments.pp`: which environments there are, and which one a request gets.
//! It must not know where the settings come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Diagnostic, Location, Source, Span};
use pantin_bindings::{Place, Problem, constant, rule, sort_problems};
use pantin_eval::{Builtins, Settings};
use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_syntax::bindings::{Attribute, SiteItem, expression_text, function_of_call};
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

/// Functions that need a catalog, an environment or an injector.
const FORBIDDEN: [&str; 19] = [
    "include",
    "contain",
    "require",
    "realize",
    "create_resources",
    "defined",
    "tagged",
    "tag",
    "lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "file",
    "find_file",
    "template",
    "inline_template",
    "epp",
    "inline_epp",
];

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
        let mut problems = Vec::new();
        match self.read_site(file, request, &mut evaluate, &mut choice, &mut problems) {
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

    /// Returns what is wrong with the file whatever is asked: its grammar, what may not stand in it, and environments
    /// that are written out.
    pub fn check(&self, folders: &SettingFolders) -> Vec<Problem> {
        let file = match &self.file {
            Ok(file) => file,
            Err(found) => {
                return found.iter().map(|one| Problem::from_diagnostic(one, &self.source, &self.shown)).collect();
            }
        };
        let mut problems = self.refused(&file.ast);
        let request = ChoiceRequest {
            node: NodeData::default(),
            environment: None,
            agent_environment: None,
            folders: folders.clone(),
            now: Timestamp::from_seconds(0),
            seconds: u64::MAX,
        };
        let mut evaluate = |node: NodeId| written_value(&file.ast, node, folders);
        let mut choice = EnvironmentChoice::default();
        // What is worked out for each request ends it: what comes behind is looked at by requests.
        let _ = self.read_site(file, &request, &mut evaluate, &mut choice, &mut problems);
        sort_problems(&mut problems);
        problems
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

    /// What may not stand in the file.
    fn refused(&self, ast: &Ast) -> Vec<Problem> {
        let mut problems = Vec::new();
        for id in ast.ids() {
            match ast.node(id) {
                Node::Call { functor, args, .. } => {
                    if let Node::Name(name) = ast.node(functor) {
                        problems.extend(self.refused_call(ast.text(name), ast.span(functor)));
                    }
                    let called = function_of_call(ast, functor, args);
                    problems.extend(called.and_then(|(name, span)| self.refused_call(name, span)));
                }
                Node::MethodCall { functor, .. } => {
                    if let Node::NamedAccess { name, .. } = ast.node(functor)
                        && let Node::Name(text) = ast.node(name)
                    {
                        problems.extend(self.refused_call(ast.text(text), ast.span(functor)));
                    }
                }
                // Puppet itself knows no such type.
                Node::Resource { type_name, .. } if matches!(ast.node(type_name), Node::Name(name) if ast.text(name) == "environment") =>
                    {}
                Node::Resource { .. }
                | Node::ResourceDefaults { .. }
                | Node::ResourceOverride { .. }
                | Node::Collect { .. }
                | Node::Relationship { .. }
                | Node::Definition(_)
                | Node::NodeDefinition { .. }
                | Node::TypeAlias { .. } => {
                    problems.push(self.problem(rule::STATEMENT, "Nothing can be declared here", ast.span(id)));
                }
                _ => {}
            }
        }
        problems
    }

    fn refused_call(&self, name: &str, span: Span) -> Option<Problem> {
        if pantin_eval::builtins::injection_function(name).is_some() {
            let message = "Injection is not allowed in environments.pp";
            return Some(self.problem(rule::INJECT_NOT_HERE, message, span));
        }
        let message = format!("The function '{name}' cannot be called in environments.pp");
        FORBIDDEN.contains(&name).then(|| self.problem(rule::NOT_IN_ENVIRONMENTS, message, span))
    }

    // ---- the site statement

    fn read_site(
        &self,
        file: &CodeFile,
        request: &ChoiceRequest,
        evaluate: &mut dyn FnMut(NodeId) -> Result<Value, Fault>,
        choice: &mut EnvironmentChoice,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Fault> {
        let ast = &file.ast;
        let (mut names, mut defaults): (Vec<(String, Span)>, Option<Span>) = (Vec::new(), None);
        for item in ast.sites().iter().flat_map(|site| &site.items) {
            match item {
                SiteItem::Defaults { span, attributes } => {
                    if let Some(first) = defaults {
                        let message = format!(
                            "The environment 'Environment' is defined twice, here and at {}",
                            self.place(first).at()
                        );
                        problems.push(self.problem(rule::ENV_TWICE, message, *span));
                        continue;
                    }
                    defaults = Some(*span);
                    choice.defaults = self.attributes(ast, attributes, request, evaluate, problems)?;
                }
                SiteItem::Environments { is_dynamic, bodies, .. } => {
                    for body in bodies {
                        let titles = evaluate(body.title)?;
                        let span = ast.span(body.title);
                        let own = self.attributes(ast, &body.attributes, request, evaluate, problems)?;
                        for title in titles.flattened() {
                            if *is_dynamic {
                                self.dynamic(&title, span, &own, request, choice, problems);
                            } else {
                                self.defined(&title, span, &own, (&mut names, choice), problems);
                            }
                        }
                    }
                }
                SiteItem::Categories { .. } | SiteItem::Layers { .. } => {}
            }
        }
        Ok(())
    }

    fn dynamic(
        &self,
        title: &Value,
        span: Span,
        own: &EnvironmentAttributes,
        request: &ChoiceRequest,
        choice: &mut EnvironmentChoice,
        problems: &mut Vec<Problem>,
    ) {
        let path = title.as_str().map(|text| interpolated(text, &request.folders));
        match path.filter(|path| path.starts_with('/')) {
            Some(path) => choice.dynamic.push((PathBuf::from(path), own.clone())),
            None => {
                let got = pantin_values::format::literal(title);
                let message = format!("dynamic_environments expects an absolute path, got {got}");
                problems.push(self.problem(rule::ENV_PATH, message, span));
            }
        }
    }

    fn defined(
        &self,
        title: &Value,
        span: Span,
        own: &EnvironmentAttributes,
        (names, choice): (&mut Vec<(String, Span)>, &mut EnvironmentChoice),
        problems: &mut Vec<Problem>,
    ) {
        let name = pantin_values::text::display(title).to_string();
        let is_name =
            title.as_str().is_some() && !matches!(name.as_str(), "" | "." | "..") && !name.contains(['/', '\0']);
        if !is_name {
            let message = format!("'{name}' is no name of an environment");
            return problems.push(self.problem(rule::ENV_NAME, message, span));
        }
        if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
            let message = format!("The environment '{name}' is defined twice, here and at {}", self.place(*first).at());
            let problem = self.problem(rule::ENV_TWICE, message, span);
            return problems.push(problem.with_related(self.place(*first), "the first"));
        }
        names.push((name.clone(), span));
        choice.environments.push((name, own.clone()));
    }

    fn attributes(
        &self,
        ast: &Ast,
        attributes: &[Attribute],
        request: &ChoiceRequest,
        evaluate: &mut dyn FnMut(NodeId) -> Result<Value, Fault>,
        problems: &mut Vec<Problem>,
    ) -> Result<EnvironmentAttributes, Fault> {
        let mut found = EnvironmentAttributes::default();
        for attribute in attributes {
            let (name, span) = (attribute.name.text.as_str(), ast.span(attribute.value));
            let value = evaluate(attribute.value)?;
            if name == "templatedir" {
                let message = "templatedir has no effect: templates are those of modules";
                problems.push(self.problem(rule::TEMPLATEDIR, message, attribute.name.span));
                continue;
            }
            if value == Value::Default {
                found.literal_defaults.push(name.to_owned());
                continue;
            }
            if value.is_undef() {
                continue;
            }
            if matches!(name, "rich_data" | "static_catalogs") {
                let flag = value.is_truthy() && value.as_str() != Some("false");
                match name {
                    "rich_data" => found.rich_data = Some(flag),
                    _ => found.static_catalogs = Some(flag),
                }
                continue;
            }
            let text = match &value {
                Value::String(text) => Some(text.to_string()),
                Value::Array(items) if name == "modulepath" => {
                    let items: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
                    items.map(|items| items.join(":"))
                }
                _ => None,
            };
            let Some(text) = text.map(|text| interpolated(&text, &request.folders)) else {
                let got = pantin_values::Type::reduced(&value).generalize();
                let message = format!("The attribute '{name}' expects a path, got {got}");
                problems.push(self.problem(rule::ENV_PATH, message, span));
                continue;
            };
            if name == "envdir" && !text.starts_with('/') {
                let got = pantin_values::format::literal(&value);
                let message = format!("The attribute 'envdir' expects an absolute path, got {got}");
                problems.push(self.problem(rule::ENV_PATH, message, span));
                continue;
            }
            let slot = match name {
                "envdir" => &mut found.envdir,
                "modulepath" => &mut found.modulepath,
                "manifestdir" => &mut found.manifestdir,
                "manifest" => &mut found.manifest,
                "bindingsdir" => &mut found.bindingsdir,
                "config_version" => &mut found.config_version,
                _ => continue,
            };
            *slot = Some(text);
        }
        Ok(found)
    }

    /// Returns the error of a choice that is no environment.
    pub fn unknown(&self, name: &str, node: &str) -> String {
        let span = self.file.as_ref().ok().map(|file| assignment(&file.ast)).filter(|span| span.len > 0);
        let place = span.map(|span| self.source.place(span.start).suffix(self.source.name())).unwrap_or_default();
        format!("unknown environment '{name}'{place} on node {node}")
    }
}

/// The value of what is written out, perhaps with the folders of settings in it.
fn written_value(ast: &Ast, node: NodeId, folders: &SettingFolders) -> Result<Value, Fault> {
    if let Some(value) = constant(ast, node) {
        return Ok(value);
    }
    let text = interpolated(expression_text(ast, node).trim_matches('"'), folders);
    match ast.node(node) {
        Node::Concat(_) if !text.contains('$') => Ok(text.into()),
        _ => Err(Fault::new("it is worked out for each request")),
    }
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
