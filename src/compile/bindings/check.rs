//! What is wrong with the bindings of an environment, without a node.

use std::sync::Arc;

use pantin_base::{Language, Place as LinePlace, Severity, Source};
use pantin_bindings::{
    ExportedResource, Expression, Outside, Problem, Runtime, StateCheck, Subject, UnknownKeys, check_all_states,
    constant, rule, sort_problems,
};
use pantin_syntax::ast::NodeId;
use pantin_values::{Fault, Hash, Resolve, Str, Timestamp, Type, Value};
use pantin_world::Answers;
use pantin_world::environment::Environment;
use pantin_world::node::NodeData;

use super::check_manifests::{broken_manifests, misplaced_statements};
use super::files::{BindingsFolders, FileBinding};
use super::layers::{LayerRequests, are_errors, unknown_scheme};
use super::site::{SiteFailure, SiteStatements, place};
use crate::catalog::Site;
use crate::code::CodeFile;
use crate::codebase::CodeBase;
use crate::node::{BindingsOutside, Compiler, NodeRequest};

/// What is wrong with the bindings of an environment.
#[derive(Debug, Default)]
pub struct BindingsCheck {
    pub problems: Vec<Problem>,
    /// Keys that only a node decides, and why.
    pub left_to_nodes: Vec<(String, String)>,
}

impl Site {
    /// Returns the bindings in the files of the environment, its modules and the folder of settings that wait for
    /// somebody who wants them.
    pub fn bindings_in_files(&self, environment: &Environment) -> Vec<FileBinding> {
        let base = self.base().with_own_reads();
        base.bindings_in_files(&BindingsFolders::from_environment(environment)).unwrap_or_default()
    }

    /// Says what is wrong with the bindings of the environment, in whatever state a node may be.
    pub fn check_bindings(&self, environment: &Arc<Environment>) -> BindingsCheck {
        let base = self.base().with_own_reads();
        let folders = BindingsFolders::from_environment(environment);
        let mut check = BindingsCheck::default();
        let Some(manifests) = self.manifests() else {
            check.problems = broken_manifests(&base, environment, &folders);
            return check;
        };
        match check_environment(&base, manifests, environment, &folders, &mut check) {
            Ok(()) => {}
            Err(fault) => check.problems.push(problem_from_fault(&fault)),
        }
        sort_problems(&mut check.problems);
        check
    }
}

fn check_environment(
    base: &CodeBase,
    manifests: &[Arc<CodeFile>],
    environment: &Arc<Environment>,
    folders: &BindingsFolders,
    check: &mut BindingsCheck,
) -> Result<(), Fault> {
    let statements = SiteStatements::find(base, manifests, folders)?;
    let mut left = Vec::new();
    let mut evaluate = |file: &Arc<CodeFile>, node: NodeId, what: &'static str| match constant(&file.ast, node) {
        Some(value) => Ok(value),
        None => {
            if what == "layers" {
                let shown = place(file, file.ast.span(node), folders).at();
                left.push((format!("the layers at {shown}"), "their names are worked out for each node".to_owned()));
            }
            Ok(Value::Undef)
        }
    };
    let name = environment.name.as_str();
    let site = match statements.evaluate(manifests, folders, ("", name), &mut evaluate) {
        Ok(mut site) => {
            check.problems.append(&mut site.problems);
            site
        }
        Err(SiteFailure::Problems(problems)) => {
            check.problems.extend(problems);
            return Ok(());
        }
        Err(SiteFailure::Fault(fault)) => return Err(fault),
    };
    check.left_to_nodes.extend(left);
    check.problems.extend(unlayered(base, folders)?);
    check.problems.extend(misplaced_statements(base, folders)?);
    check_layers(base, manifests, environment, folders, &site.layers, &statements, check)
}

fn check_layers(
    base: &CodeBase,
    manifests: &[Arc<CodeFile>],
    environment: &Arc<Environment>,
    folders: &BindingsFolders,
    requests: &LayerRequests,
    statements: &SiteStatements,
    check: &mut BindingsCheck,
) -> Result<(), Fault> {
    let mut resolved = requests.resolve(base, folders)?;
    check.problems.extend(resolved.problems);
    for (layer, wanted) in &resolved.others {
        let scheme = &wanted.uri.scheme;
        let layer = &mut resolved.layers[*layer];
        layer.unknown = match scheme.as_str() {
            "enc" if layer.unknown == UnknownKeys::None => UnknownKeys::OfClassifier,
            "enc" => layer.unknown,
            _ => UnknownKeys::Any,
        };
        if scheme == "enc" && super::EncParts::named(&wanted.uri).is_none() && !wanted.uri.is_optional {
            check.problems.push(super::not_found(wanted));
        }
        if scheme != "enc" && !resolved.layers.iter().any(|layer| layer.provides(scheme)) {
            check.problems.push(unknown_scheme(wanted));
        }
        check.left_to_nodes.push((format!("{scheme}:"), "what it provides is known of a node alone".to_owned()));
    }
    check.problems.extend(requests.unknown_exclusions(&resolved.layers));
    if resolved.layers.iter().any(|layer| layer.has_data) {
        check.left_to_nodes.push(("hiera:".to_owned(), "data is known of a node alone".to_owned()));
    }
    if are_errors(&check.problems) {
        return Ok(());
    }
    let request = nobody(environment);
    let mut compiler = Compiler::new(&request, base, None);
    for file in manifests {
        compiler.loader.import(file)?;
    }
    let state = statements.categories_without_node(manifests, &environment.name);
    let mut outside = CheckOutside(BindingsOutside(&mut compiler));
    let StateCheck { problems, left_to_nodes } = check_all_states(resolved.layers, &state, &mut outside);
    check.left_to_nodes.extend(left_to_nodes);
    // An error of a scheme of one's own is found where its function is called.
    check.problems.extend(problems);
    Ok(())
}

/// Returns a request of no node: nothing is evaluated for it.
fn nobody(environment: &Arc<Environment>) -> NodeRequest {
    NodeRequest {
        node: Arc::new(NodeData::default()),
        environment: Arc::clone(environment),
        now: Timestamp::from_seconds(0),
        version: Value::Undef,
        collects_exported: false,
        answers: Arc::new(Answers::default()),
        exports: Arc::default(),
        seconds: u64::MAX,
    }
}

/// Returns what is wrong with files of bindings that no layer wants: their grammar and their names.
fn unlayered(base: &CodeBase, folders: &BindingsFolders) -> Result<Vec<Problem>, Fault> {
    let mut problems = Vec::new();
    for file in base.all_definition_files(folders)? {
        if let Err(found) = base.definition(&file, folders)? {
            problems.extend(found.iter().cloned());
        }
    }
    Ok(problems)
}

fn problem_from_fault(fault: &Fault) -> Problem {
    let seen = fault.sighting.as_ref();
    let source: Option<Arc<Source>> = seen.and_then(|seen| seen.source.clone());
    let shown = source.as_ref().and_then(|source| source.name()).unwrap_or_default();
    let found = seen.map(|seen| &seen.diagnostic);
    let code = found.map_or("BINDINGS", |found| found.code);
    let rule = rule::Rule { code, label: "", help: "", severity: Severity::Error };
    let span = found.filter(|found| found.place != LinePlace::Nowhere).and_then(|found| found.span).unwrap_or_default();
    let message = found.map_or_else(|| fault.message.to_string(), |found| found.message.clone());
    let place = pantin_bindings::Place { shown: shown.into(), source, span };
    Problem::new(rule, message, place).with_help(fault.help.clone())
}

/// The outside without a node: data and expressions are left to the nodes.
struct CheckOutside<'c, 'e>(BindingsOutside<'c, 'e>);

impl Resolve for CheckOutside<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.0.resolve(name)
    }

    fn language(&self) -> Language {
        self.0.language()
    }
}

impl Outside for CheckOutside<'_, '_> {
    fn evaluate(&mut self, _: &Expression) -> Result<Value, Fault> {
        Err(Fault::new("It is worked out for each node"))
    }

    fn call_lambda(&mut self, _: &Expression, _: Vec<Value>) -> Result<Value, Fault> {
        Err(Fault::new("It is worked out for each node"))
    }

    fn call(&mut self, _: &str, _: Vec<Value>) -> Result<Option<Value>, Fault> {
        Err(Fault::new("It is worked out for each node"))
    }

    fn new_instance(&mut self, _: &Type, _: Option<&Type>, _: Option<Hash>) -> Result<Value, Fault> {
        Err(Fault::new("It is made for each node"))
    }

    /// What the data has is left to the nodes: it may be anything.
    fn look_up(&mut self, _: &str) -> Result<Option<Value>, Fault> {
        Ok(Some(Value::Undef))
    }

    fn parameter_names(&mut self, of: &Subject) -> Result<Option<Vec<Str>>, Fault> {
        self.0.parameter_names(of)
    }

    fn resource(&mut self, _: &str, _: &str) -> Option<Vec<(Str, Value)>> {
        None
    }

    fn exported(&mut self, _: &str) -> Result<Vec<ExportedResource>, Fault> {
        Ok(Vec::new())
    }

    fn is_metaparameter(&self, name: &str) -> bool {
        self.0.is_metaparameter(name)
    }

    fn has_function(&mut self, name: &str) -> bool {
        self.0.has_function(name)
    }

    fn replacement_problem(&mut self, old: &Subject, new: &Subject) -> Option<String> {
        self.0.replacement_problem(old, new)
    }

    /// Facts and parameters of an ENC are known of a node alone.
    fn may_be_known_variable(&mut self, _: &str) -> bool {
        true
    }

    fn runtime(&mut self) -> &mut Runtime {
        self.0.runtime()
    }
}
