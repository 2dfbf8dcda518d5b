//! Asks an injector again after an edit of bindings: with the bindings of today, and what their code came to when the node was
//! compiled.
//!
//! Where that does not suffice there is no answer, and the node has to be compiled.

use std::sync::Arc;

use pantin_base::{Language, name_hash};
use pantin_bindings::{
    Call, Definition, ExportedResource, Expression, Injector, Outside, Row, Runtime, SharedInjectors, State, Subject,
    Table, key_of,
};
use pantin_model::trace::{Answer, InjectionQuestion};
use pantin_syntax::ast::Node;
use pantin_values::{Digest, Fault, Hash, Resolve, Str, Timestamp, Type, Value};
use pantin_world::Dependencies;
use pantin_world::environment::Environment;
use rustc_hash::FxHashMap;

use super::bindings::{BindingsFolders, SiteStatements};
use super::catalog::Site;
use super::loader::Loader;
use super::node::{
    BindingObservations, BindingReads, CodeResult, RowHash, code_digest, function_digest, injection_answer, row_hashes,
};

/// The rows that an edit changes, by their hashes.
pub type ChangedRows = FxHashMap<RowHash, Row>;

/// The injectors of the layers as their files are today.
pub struct RereadBindings {
    pub injectors: SharedInjectors,
    /// What they were read from.
    pub dependencies: Dependencies,
}

pub struct InjectionReplayer<'n> {
    injector: &'n Injector,
    outside: RecordedCode<'n>,
}

/// The outside of an injector that is asked again: what code of bindings came to, where no row that it looked at has changed.
struct RecordedCode<'n> {
    /// That of today, for code that does nothing but inject a key.
    injector: Option<&'n Injector>,
    reads: Option<(&'n BindingReads, &'n ChangedRows)>,
    runtime: Runtime,
    /// The rows that the recorded code looked at.
    rows: Vec<RowHash>,
    is_at_a_loss: bool,
    language: Language,
}

impl Site {
    /// Reads the definitions of a node's layers again: files may have come and gone. `None`: something is wrong with one of them, or
    /// the environment has no bindings any more.
    pub fn reread_bindings(&self, before: &BindingObservations, environment: &Environment) -> Option<RereadBindings> {
        let base = self.base().with_own_reads();
        let folders = BindingsFolders::from_environment(environment);
        let is_known = environment.bindings.is_from_environments_file
            || SiteStatements::find(&base, self.manifests()?, &folders).ok()?.is_there
            || base.knows_default_bindings(&folders);
        let resolved = before.layers.resolve(&base, &folders).ok()?;
        if !is_known || !resolved.problems.is_empty() {
            return None;
        }
        let mut layers = resolved.layers;
        for (layer, known) in layers.iter_mut().zip(&before.injector.table.layers) {
            // What an ENC says stands in no file.
            let is_of_file = |of: &Definition| of.source.as_ref().is_some_and(|source| source.name().is_some());
            layer.definitions.extend(known.definitions.iter().filter(|of| !is_of_file(of)).cloned());
        }
        let table = Table::new(layers, &before.state);
        let dependencies = base.modules.disk.dependencies();
        (!table.has_problems()).then(|| RereadBindings { injectors: SharedInjectors::new(table), dependencies })
    }

    /// Returns the injector of a state. `None`: something is wrong with it, or more than bindings decide whether
    /// something is.
    pub fn injector_of_state(&self, injectors: &SharedInjectors, state: &State) -> Option<Arc<Injector>> {
        let mut outside = RecordedCode::new(None, self.base().settings.language);
        let made = injectors.injector_for(state, &mut outside);
        (made.problems.is_empty() && !outside.is_at_a_loss).then_some(made.injector)
    }

    /// Returns true if a class of this name has a parameter of this name.
    pub fn has_class_parameter(&self, class: &str, name: &str) -> bool {
        let base = self.base().with_own_reads();
        let mut loader = Loader::new(&base);
        for file in self.manifests().unwrap_or_default() {
            if loader.import(file).is_err() {
                return false;
            }
        }
        let found = loader.class(class).ok().flatten();
        let body = found.and_then(|class| class.body(base.builtins));
        body.is_some_and(|body| body.has_parameter(name))
    }
}

/// What bindings say of a parameter of a class.
#[derive(Clone, Debug)]
pub enum BoundParameter {
    /// It depends on more of the node than was recorded.
    Unknown,
    Unbound,
    Value(Value),
}

impl<'n> InjectionReplayer<'n> {
    /// A replayer with the injector of today, and what was recorded of a node before.
    pub fn new(
        site: &Site,
        before: &'n BindingObservations,
        injector: &'n Injector,
        changed: &'n ChangedRows,
    ) -> InjectionReplayer<'n> {
        let recorded = RecordedCode::new(Some((&before.reads, changed)), site.base().settings.language);
        InjectionReplayer { injector, outside: RecordedCode { injector: Some(injector), ..recorded } }
    }

    /// Returns the answer to a question of code; `None`: it depends on more of the node than was recorded.
    pub fn injection(&mut self, question: &InjectionQuestion) -> Option<Answer> {
        let answer = injection_answer(self.injector, question, &mut self.outside);
        let is_told = match &answer {
            Answer::Value(value) => value.is_plain_data(),
            Answer::Absent => true,
            _ => false,
        };
        (is_told && !self.outside.is_at_a_loss).then_some(answer)
    }

    /// Returns what is bound for a parameter of a class.
    pub fn parameter(&mut self, key: &str) -> BoundParameter {
        let Some((class, name)) = key.rsplit_once("::") else { return BoundParameter::Unknown };
        let bound = self.injector.parameter(&format!("Class[{class}]"), name, &mut self.outside);
        match bound {
            Ok(_) if self.outside.is_at_a_loss => BoundParameter::Unknown,
            Ok(Some(value)) if value.is_plain_data() => BoundParameter::Value(value),
            Ok(None) => BoundParameter::Unbound,
            Ok(Some(_)) | Err(_) => BoundParameter::Unknown,
        }
    }

    /// The rows that were looked at since the last call.
    pub fn take_rows(&mut self) -> Vec<RowHash> {
        let mut rows = std::mem::take(&mut self.outside.rows);
        rows.extend(row_hashes(&self.outside.runtime.take_rows()));
        rows
    }
}

/// Returns the rows that are not the same in two injectors of one state.
pub fn changed_rows(before: &Injector, now: &Injector) -> ChangedRows {
    let rows = before.changed_rows(now);
    rows.into_iter().map(|row| (name_hash(&row), row)).collect()
}

impl<'n> RecordedCode<'n> {
    fn new(reads: Option<(&'n BindingReads, &'n ChangedRows)>, language: Language) -> RecordedCode<'n> {
        RecordedCode {
            injector: None,
            reads,
            runtime: Runtime::default(),
            rows: Vec::new(),
            is_at_a_loss: false,
            language,
        }
    }

    fn at_a_loss<T>(&mut self, instead: T) -> T {
        self.is_at_a_loss = true;
        instead
    }

    fn recorded(&mut self, code: &Digest) -> Value {
        let found = self.reads.and_then(|(reads, changed)| {
            let CodeResult { value, rows } = reads.result(code)?;
            rows.iter().all(|row| !changed.contains_key(row)).then_some((value, rows))
        });
        match found {
            Some((value, rows)) => {
                self.rows.extend_from_slice(rows);
                value.clone()
            }
            None => self.at_a_loss(Value::Undef),
        }
    }
}

/// Returns the key of code that is `inject('key')`, and nothing else.
fn injected_name(expression: &Expression) -> Option<Str> {
    let ast = &expression.file.ast;
    let Node::Call { functor, args, lambda: None, .. } = ast.node(expression.node) else { return None };
    let (Node::Name(function), &[argument]) = (ast.node(functor), ast.list(args)) else { return None };
    match ast.node(argument) {
        Node::String(name) if ast.text(function) == "inject" => Some(ast.text(name).into()),
        _ => None,
    }
}

impl Resolve for RecordedCode<'_> {
    fn resolve(&mut self, _: &str) -> Result<Option<Type>, Fault> {
        Ok(self.at_a_loss(None))
    }

    fn language(&self) -> Language {
        self.language
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        Err(self.at_a_loss(Fault::new("the time is not known")))
    }
}

impl Outside for RecordedCode<'_> {
    fn evaluate(&mut self, expression: &Expression) -> Result<Value, Fault> {
        let Some((name, injector)) = injected_name(expression).zip(self.injector) else {
            return Ok(self.recorded(&code_digest(expression, &[])));
        };
        let call = Call { key: key_of(None, Some(&name)), wanted: None, arguments: None, instance: None };
        match injector.inject(&call, self)? {
            Some(value) => Ok(value),
            None => Ok(self.at_a_loss(Value::Undef)),
        }
    }

    fn call_lambda(&mut self, lambda: &Expression, arguments: Vec<Value>) -> Result<Value, Fault> {
        Ok(self.recorded(&code_digest(lambda, &arguments)))
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, Fault> {
        Ok(Some(self.recorded(&function_digest(name, &arguments))))
    }

    fn new_instance(&mut self, _: &Type, _: Option<&Type>, _: Option<Hash>) -> Result<Value, Fault> {
        Ok(self.at_a_loss(Value::Undef))
    }

    fn look_up(&mut self, _: &str) -> Result<Option<Value>, Fault> {
        Ok(self.at_a_loss(None))
    }

    fn parameter_names(&mut self, _: &Subject) -> Result<Option<Vec<Str>>, Fault> {
        Ok(self.at_a_loss(None))
    }

    fn resource(&mut self, _: &str, _: &str) -> Option<Vec<(Str, Value)>> {
        self.at_a_loss(None)
    }

    fn exported(&mut self, _: &str) -> Result<Vec<ExportedResource>, Fault> {
        Ok(self.at_a_loss(Vec::new()))
    }

    fn may_be_known_variable(&mut self, _: &str) -> bool {
        self.at_a_loss(true)
    }

    fn is_metaparameter(&self, _: &str) -> bool {
        false
    }

    fn has_function(&mut self, _: &str) -> bool {
        self.at_a_loss(true)
    }

    fn replacement_problem(&mut self, _: &Subject, _: &Subject) -> Option<String> {
        self.at_a_loss(None)
    }

    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}
