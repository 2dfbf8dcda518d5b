//! Look-ups: how Hiera sees the node that is being compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::Language;
use pantin_bindings::rule;
use pantin_hiera::{
    DecryptedTexts, Explainer, FileUse, Function, KeyHash, KeyRequest, Module, Outside, Trouble, Warning,
};
use pantin_model::trace::{
    Answer, Body, Failure, FunctionCaller, Host, LookupQuestion, Question, Shape, Standing, VariableName,
};
use pantin_values::{Digest, Digester, Fault, Hash, Object, Resolve, Str, Timestamp, Type, Value};
use pantin_world::Disk;

use super::fence::data_file;
use super::state::{Observer, TOP};
use super::{Compiler, Frame};
use crate::catalog::{DataQuestion, ExplainMode};
use crate::report::failure_of;

/// What the look-up that is under way may know of the code that asks.
#[derive(Default)]
pub(crate) struct LookupCaller {
    /// Names of locals, and the values of those that were asked for.
    names: Arc<[Str]>,
    values: Hash,
    /// Those that are to be asked for.
    wanted: Vec<Str>,
    warnings: Vec<Warning>,
}

/// By what an answer knows that a binding was wanted, among the keys of data that it has asked for.
pub(crate) fn hash_of_binding(name: &str) -> KeyHash {
    pantin_hiera::hash_of_key(&format!("binding {name}"))
}

impl Compiler<'_> {
    pub(super) fn look_up(&mut self, question: &LookupQuestion) -> Answer {
        if let Some(place) = self.bindings.forbidden_in {
            let message = format!("The function 'lookup' cannot be called in {place}");
            return Answer::Fault(Fault::issue(rule::NOT_IN_ENVIRONMENTS.code, message));
        }
        self.note_look_up();
        let Some(lookups) = self.lookups.clone() else { return Answer::Absent };
        let wanted = KeyRequest::from_question(question);
        self.note_call(&wanted.name);
        self.asking(LookupCaller::from_question(question), |compiler| lookups.lookup(&wanted, compiler))
    }

    /// Returns what the data has for a parameter of the class whose body is about to run: for nearly none it has
    /// anything.
    pub(super) fn look_up_parameter(&mut self, key: &Str) -> Answer {
        if let Some(bound) = self.bound_parameter(key) {
            return bound;
        }
        self.note_look_up();
        let Some(lookups) = self.lookups.clone() else { return Answer::Absent };
        if lookups.surely_lacks(key) {
            return Answer::Absent;
        }
        let wanted = KeyRequest::named(key.clone());
        self.asking(LookupCaller::default(), |compiler| {
            compiler.before_it_is_named(|compiler| lookups.lookup_parameter(&wanted, compiler))
        })
    }

    pub(super) fn asking(
        &mut self,
        asking: LookupCaller,
        look_up: impl FnOnce(&mut Self) -> Result<Option<Value>, Trouble>,
    ) -> Answer {
        let outer = std::mem::replace(&mut self.asking, asking);
        self.look_ups += 1;
        let result = look_up(self);
        self.look_ups -= 1;
        let asking = std::mem::replace(&mut self.asking, outer);
        if !asking.wanted.is_empty() {
            return Answer::Wants(asking.wanted.into());
        }
        for warning in asking.warnings {
            self.say(warning);
        }
        match result {
            Ok(Some(value)) => Answer::Value(value),
            Ok(None) => Answer::Absent,
            Err(trouble) => Answer::Fault(trouble.into()),
        }
    }

    /// A class has its title and name, and is found by other code, only when its data has been asked.
    pub(super) fn before_it_is_named<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let Some(scope) = self.frames.last().map(|frame| frame.scope) else { return work(self) };
        let names = self.state.hide_class(scope);
        let result = work(self);
        self.state.show_class(scope, names);
        result
    }

    /// Returns a person's question for data, asked in the top scope, with its explanation if one is wanted: that of a
    /// look-up that failed ends with the error.
    pub(crate) fn answer(&mut self, question: &DataQuestion) -> (Result<Value, Failure>, Option<Explainer>) {
        let Some(lookups) = self.lookups.clone() else { return (Ok(Value::Undef), None) };
        if let Some(explains) = question.explains {
            lookups.explain_with(Explainer::new(explains == ExplainMode::Options));
        }
        self.frames.push(Frame::from_scope(TOP));
        let result = lookups.ask(&question.asked, self);
        self.frames.pop();
        for warning in std::mem::take(&mut self.asking.warnings) {
            self.say(warning);
        }
        let explanation = match (&result, lookups.explained()) {
            (Err(trouble), Some(mut explainer)) if trouble.is_lookup() => {
                explainer.text(trouble.message.as_str());
                Some(explainer)
            }
            (Err(_), _) => None,
            (Ok(_), explainer) => explainer,
        };
        let explanation = explanation.map(|mut explainer| {
            explainer.hide_decrypted(&lookups.decrypted());
            explainer
        });
        let result = result.map_err(|trouble| {
            let mut failure = failure_of(trouble.into());
            // Whoever asks is a person: the answer is not stored, and depends on nothing.
            let near = || question.asked.keys.iter().find_map(|key| lookups.nearest_key(key));
            failure.help = failure.help.or_else(|| near().map(|near| format!("did you mean {near}?")));
            failure
        });
        (result, explanation)
    }

    /// Returns what helps where code wants a key that the data does not have.
    pub(super) fn help_for_key(&mut self, name: &str) -> String {
        let near = self.lookups.clone().and_then(|lookups| {
            // Which key is near, all keys decide.
            for path in lookups.read_files() {
                let _ = self.loader.base.read_data(FileUse::Whole, &path);
            }
            lookups.nearest_key(name)
        });
        match near {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("pantin lookup {name} --node NODE --explain says where it was looked for"),
        }
    }

    pub(crate) fn decrypted_texts(&self) -> DecryptedTexts {
        self.lookups.as_ref().map(|lookups| lookups.decrypted()).unwrap_or_default()
    }

    pub(crate) fn asked_keys(&self) -> Vec<KeyHash> {
        let mut keys = self.lookups.as_ref().map(|lookups| lookups.asked_keys()).unwrap_or_default();
        let own = keys.len();
        keys.extend(self.bindings.runtime.uses().map(hash_of_binding));
        keys.extend(self.rows_for_store());
        if keys.len() > own {
            keys.sort_unstable();
            keys.dedup();
        }
        keys
    }

    /// The keys of encrypted data that nobody could read, if that was no error.
    pub(crate) fn tell_unread(&mut self) {
        let unread = self.lookups.as_ref().map(|lookups| lookups.unread()).unwrap_or_default();
        if !unread.is_empty() {
            let keys = unread.join(", ");
            self.warn(format!("A placeholder stands for encrypted data whose private key is not at hand: {keys}"));
        }
    }

    pub(super) fn context_method(&mut self, object: &Object, name: &str, arguments: &[Value]) -> Answer {
        let Some(lookups) = self.lookups.clone() else { return Answer::Absent };
        match lookups.call_context(object, name, arguments, self) {
            Ok(value) => Answer::Value(value),
            Err(trouble) => Answer::Fault(trouble.into()),
        }
    }

    fn say(&mut self, warning: Warning) {
        let is_new = match &warning.once {
            Some((kind, _)) if kind.switch().is_some_and(|kind| self.is_silenced(kind)) => false,
            Some((_, key)) => self.logged.insert(key.as_str().into()),
            None => true,
        };
        if is_new {
            self.warn(warning.message);
        }
    }

    /// A local that the data interpolates, or a name as the code that asks means it.
    fn local(&mut self, name: &str) -> Local {
        if let Some(value) = self.asking.values.get_str(name) {
            return Local::Value(value.clone());
        }
        if self.asking.names.iter().any(|known| known == name) {
            self.asking.wanted.push(name.into());
            return Local::Wanted;
        }
        let standing = self.frames.last().map_or(Standing::Own, |frame| frame.standing);
        Local::Outer(match standing {
            _ if name.contains("::") => name.into(),
            Standing::Own => name.into(),
            Standing::Top => VariableName::FromBody(format!("::{name}").into()),
            Standing::Node => VariableName::FromNode(name.into()),
        })
    }
}

/// Of a function as what answers for data: what code it is, it asks itself.
fn digest_of_call(name: &str) -> Digest {
    Digester::new(b"back end").text(name).finish()
}

fn digest_of_arguments(arguments: &[Value]) -> Digest {
    let mut digester = Digester::new(b"arguments");
    digester.number(arguments.len() as u64);
    for argument in arguments {
        match argument {
            // Its class is always the same, and has a long text for its digest.
            Value::Object(context) if context.class.name.as_deref() == Some("Puppet::LookupContext") => {
                digester.number(1).number(context.values.len() as u64);
                context.values.iter().for_each(|value| _ = digester.item(value));
            }
            other => _ = digester.number(0).item(other),
        }
    }
    digester.finish()
}

enum Local {
    Value(Value),
    /// Its value has to be asked of the code first.
    Wanted,
    /// By this name it is asked for outside.
    Outer(VariableName),
}

impl LookupCaller {
    pub(crate) fn from_question(question: &LookupQuestion) -> LookupCaller {
        let (names, values) = (Arc::clone(&question.local_names), question.locals.clone());
        LookupCaller { names, values, ..LookupCaller::default() }
    }

    /// Returns true if the code that asks has a local of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.get_str(name).is_some() || self.names.iter().any(|known| known == name)
    }
}

impl Resolve for Compiler<'_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.loader.resolve(name)
    }

    fn language(&self) -> Language {
        self.loader.language()
    }

    fn most_elements(&self) -> u64 {
        self.loader.most_elements()
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        Ok(self.request.now)
    }
}

impl Outside for Compiler<'_> {
    fn ask(&mut self, question: &Question) -> Answer {
        let (name, path) = match question {
            Question::Variable(name) => (name, None),
            Question::Part { variable, path } | Question::Whole { variable, path } => (variable, Some(path)),
            _ => return Answer::Absent,
        };
        match (self.local(name.written()), question) {
            (Local::Wanted, _) => Answer::Wants(self.asking.wanted.as_slice().into()),
            (Local::Value(value), Question::Variable(_)) => super::variables::answer(Some(value)),
            (Local::Value(value), Question::Part { .. }) => {
                Answer::of_part(&value, path.map(|path| &path[..]).unwrap_or_default())
            }
            (Local::Value(value), _) => Answer::of_whole(&value, path.map(|path| &path[..]).unwrap_or_default()),
            (Local::Outer(variable), _) => {
                let path = || path.cloned().unwrap_or_else(|| [].into());
                let outer = match question {
                    Question::Variable(_) => Question::Variable(variable),
                    Question::Part { .. } => Question::Part { variable, path: path() },
                    _ => Question::Whole { variable, path: path() },
                };
                let answer = Host::ask(self, &outer);
                self.note_told(question, &answer);
                answer
            }
        }
    }

    fn has_local(&self, name: &str) -> bool {
        self.asking.has(name)
    }

    fn wants_any(&mut self, names: &[Str]) -> bool {
        for name in names {
            if self.asking.values.get_str(name).is_none() && self.asking.names.contains(name) {
                self.asking.wanted.push(name.clone());
            }
        }
        !self.asking.wanted.is_empty()
    }

    fn unknown_variable(&mut self, name: &str) -> (String, String) {
        Compiler::unknown_variable(self, name)
    }

    fn calling_class(&mut self) -> Option<Str> {
        self.state.calling_class(self.here()).cloned()
    }

    fn read_as(&mut self, file_use: FileUse, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.loader.base.read_data(file_use, path)
    }

    fn exists(&mut self, path: &Path) -> bool {
        self.loader.base.has_data(path)
    }

    fn glob(&mut self, pattern: &str) -> Result<Vec<PathBuf>, Fault> {
        self.loader.base.files_of_data(pattern)
    }

    fn reveal(&mut self, path: &str) {
        self.loader.base.modules.disk.reveal(path);
    }

    fn process_variable(&mut self, name: &str) -> Option<String> {
        self.loader.base.modules.disk.process_variable(name)
    }

    fn module(&mut self, name: &str) -> Option<Module> {
        self.loader.base.module_with_data(name)
    }

    fn function(&mut self, name: &str) -> Result<Option<Function>, Fault> {
        let name: Str = name.strip_prefix("::").unwrap_or(name).into();
        if self.loader.base.builtins.get(&name).is_some() || self.is_answered(&name) {
            return Ok(Some(Function { returns: None }));
        }
        let found = self.loader.function(&name, &FunctionCaller::Environment, &self.state.log(Observer::Data));
        self.tell();
        let Some(definition) = found? else { return Ok(None) };
        Ok(Some(match pantin_eval::Function::from_definition(definition, &name)? {
            pantin_eval::Function::Puppet(body) => Function { returns: body.returns().cloned() },
            pantin_eval::Function::StandIn(_) | pantin_eval::Function::Ruby(_) => Function { returns: None },
        }))
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, Fault> {
        let unit = self.loader.main_unit();
        let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        // A function stands in a scope of its own; who asked for the data stands where it stood.
        let standing = self.frames.last().map(|frame| frame.standing);
        let body = digest_of_call(name);
        let is_explained = self.lookups.as_ref().is_some_and(|lookups| lookups.explains());
        let traced = self.traces.filter(|traces| !is_explained && traces.shares(&body));
        let key = traced.map(|traces| (traces, traces.key(body, digest_of_arguments(&arguments))));
        let file = data_file(&arguments);
        let known = self.data_files.len();
        self.data_files.extend(file);
        let locals_before = self.state.begin_locals();
        let run = |host: &mut dyn Host| pantin_eval::call(name, arguments, &unit, host, settings, builtins);
        let result = match key {
            None => run(self),
            Some((traces, key)) => traces.walk(&key, Body { name, unit: Some(&unit) }, self, run).result,
        };
        self.data_files.truncate(known);
        self.state.end_locals(locals_before);
        if let (Some(frame), Some(standing)) = (self.frames.last_mut(), standing) {
            frame.standing = standing;
        }
        result.map_err(|failure| {
            let text = crate::report::error_without_node(&failure);
            // Arguments that do not fit are the error of whoever wanted the call.
            match failure.shape {
                _ if failure.has_no_place() => Fault::new(text),
                shape => {
                    if matches!(shape, Shape::Bare | Shape::BareDefault) {
                        Fault::logged(text)
                    } else {
                        Fault::located(text)
                    }
                }
            }
        })
    }

    fn warn(&mut self, warning: Warning) {
        self.asking.warnings.push(warning);
    }
}
