//! The host of the bodies of one catalog: answers their questions and applies their effects.

use pantin_base::budget::Steps;
use pantin_bindings::rule;
use pantin_eval::budget_fault;
use pantin_model::evaluation::EvaluationRecorder;
use pantin_model::trace::{Answer, Effect, Host, NameKind, Outcome, Question};
use pantin_values::{Fault, Value};
use pantin_world::{Sight, entropy};

use super::Compiler;
use super::state::{Observer, ValuePart};
use super::variables::failed;

fn outcome(done: Result<(), Fault>) -> Outcome {
    match done {
        Ok(()) => Outcome::Done,
        Err(fault) => failed(fault),
    }
}

impl Host for Compiler<'_> {
    fn ask(&mut self, question: &Question) -> Answer {
        self.is_volatile |= question.is_volatile();
        self.note_code_question(question);
        // What others may have asked before, and is known since then, is not among the steps of the body.
        let steps = Steps::begin(self.loader.base.settings.limits.steps);
        let mut answer = match self.recorder {
            None => self.answer_to(question),
            Some(_) => self.answer_recorded(question),
        };
        if steps.is_over() {
            answer = Answer::Fault(budget_fault(&self.loader.base.settings.limits));
        }
        drop(steps);
        self.note_paths(question, &answer);
        self.is_secret = self.is_secret || matches!(&answer, Answer::Value(value) if value.holds_sensitive());
        self.tell();
        answer
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        self.is_secret = self.is_secret || effect.holds_secret();
        let steps = Steps::begin(self.loader.base.settings.limits.steps);
        let mut outcome = match self.recorder {
            None => self.carry_out(effect),
            Some(_) => self.carry_out_recorded(effect),
        };
        if steps.is_over() && !matches!(outcome, Outcome::Failed(_)) {
            outcome = failed(budget_fault(&self.loader.base.settings.limits));
        }
        drop(steps);
        if effect.brings_resources() {
            self.mark();
        }
        outcome
    }

    fn has_decrypted(&self) -> bool {
        self.lookups.as_ref().is_some_and(|lookups| lookups.has_decrypted())
    }

    fn contains_decrypted_text(&self, text: &str) -> bool {
        self.lookups.as_ref().is_some_and(|lookups| lookups.contains_decrypted_text(text))
    }

    fn recorder(&mut self) -> Option<&mut EvaluationRecorder> {
        self.recorder.as_deref_mut()
    }
}

impl Compiler<'_> {
    pub(super) fn answer_to(&mut self, question: &Question) -> Answer {
        match question {
            Question::Variable(_) | Question::Part { .. } | Question::Whole { .. } => self.answer_variable(question),
            Question::Fixed(name) => Answer::Value(Value::Boolean(self.is_fixed(name))),
            Question::Function { name, .. } if self.is_answered(name) => Answer::Absent,
            Question::Function { name, .. }
                if self.bindings.is_known && pantin_eval::builtins::injection_function(name).is_some() =>
            {
                pantin_eval::builtins::injection_function(name).map_or(Answer::Absent, Answer::Definition)
            }
            Question::Function { name, caller } => {
                let log = self.question_log();
                self.loader.function(name, caller, &log).into()
            }
            Question::Type(name) => self.loader.type_named(name),
            Question::Template(_)
            | Question::Ruby { .. }
            | Question::FindFile { .. }
            | Question::Content(_)
            | Question::Glob(_) => {
                let log = self.question_log();
                self.loader.answer_from_files(question, &log).unwrap_or(Answer::Absent)
            }
            Question::Beyond(paths) => self.beyond(paths),
            Question::Setting(name) => self.setting(name),
            Question::Reveal(text) => Answer::Value(text.clone().into()),
            Question::Defined(what) => self.is_defined(what).map(Value::Boolean).into(),
            Question::Unknown(name) => {
                let (shown, reason) = self.unknown_variable(name);
                Answer::Value(Value::array([shown.into(), reason.into()]))
            }
            Question::Tagged(tags) => Answer::Value(Value::Boolean(self.state.has_tags(self.here(), tags))),
            Question::Classes => Answer::Value(self.classes_and_tags()),
            Question::Lookup(question) => self.look_up(question),
            Question::Injection(question) => self.answer_injection(question),
            Question::Parameter(key) => self.look_up_parameter(key),
            Question::Method { object, name, arguments } => self.context_method(object, name, arguments),
            Question::Frame(what) => self.about_frame(what),
            Question::Defaults(type_name) => Answer::Value(self.defaults_here(type_name)),
            Question::ResourceValue { reference, part } => self.resource_value(reference, part),
            Question::DeclaredWith { reference, parameters } => self.declared_with(reference, parameters).into(),
            Question::Random => Answer::Value(Value::Integer(entropy())),
            Question::ResourceParameter { reference, name } => self.resource_parameter(reference, name).into(),
            Question::Generate(command) => self.request.answers.command_output(command).map_err(Fault::new).into(),
            Question::Command(command) => match self.request.answers.command_answer(command) {
                Ok(answer) => answer.map_or(Answer::Absent, Answer::Value),
                Err(reason) => Answer::Fault(Fault::limit(reason)),
            },
            Question::Recorded { function, arguments } => self.recorded_answer(function, arguments),
            Question::Names => {
                let names = self.state.variable_names(self.own_scope(), self.here(), &self.question_log());
                Answer::Value(Value::array(names.into_iter().map(Value::from)))
            }
            Question::Similar { kind: NameKind::Variable, name } => {
                let similar = self.state.similar_variable(name, self.here());
                similar.map_or(Answer::Absent, |similar| Answer::Value(similar.into()))
            }
            Question::Similar { kind: NameKind::Key, name } => Answer::Value(self.help_for_key(name).into()),
            Question::Similar { kind, name } => {
                self.loader.help_for_name(*kind, name).map_or(Answer::Absent, |help| Answer::Value(help.into()))
            }
            Question::OwnRuby(_) => Answer::Value(true.into()),
            Question::Now => Answer::Value(Value::Timestamp(self.request.now)),
        }
    }

    pub(super) fn carry_out(&mut self, effect: &Effect) -> Outcome {
        if self.forbidding_code().is_some() && effect.declares() {
            let fault = Fault::issue(rule::STATEMENT.code, "Nothing can be declared here");
            return failed(fault.with_help(rule::STATEMENT.help));
        }
        match effect {
            Effect::Log(log) => {
                self.write(log);
                Outcome::Done
            }
            Effect::Deprecate(deprecation) => self.deprecate(deprecation),
            Effect::Export { name, value } => self.export(name, value.clone()),
            Effect::ExportPart { name, variable, path } => {
                let log = self.state.log(Observer::Data);
                let part = ValuePart { path, sight: Sight::Whole };
                let value = self.part(variable, part, &log).unwrap_or_default();
                self.export(name, value)
            }
            Effect::Change { name, value } => outcome(self.change(name, value)),
            Effect::SetAtTop { name, value } => self.set_at_top(name, value.clone()),
            Effect::Stand(standing) => {
                self.frame().standing = *standing;
                Outcome::Done
            }
            Effect::ShareLocals(layers) => {
                self.share_locals(layers);
                Outcome::Done
            }
            Effect::Showing { of: parameter, values } => {
                self.show_parameters(parameter, values);
                Outcome::Done
            }
            Effect::Parameters(values) => outcome(self.take_parameters(values)),
            Effect::Declare(declaration) => {
                let call = declaration.by_function.then(|| declaration.at.clone());
                self.during(call, |compiler| compiler.declare(declaration))
            }
            Effect::Defaults { type_name, parameters, .. } => outcome(self.set_defaults(type_name, parameters)),
            Effect::Override { references, parameters, at } => outcome(self.override_all(references, parameters, at)),
            Effect::Relate { arrow, left, right, at } => self.relate(*arrow, left, right, at).unwrap_or_else(failed),
            Effect::Collect { type_name, exported, query, parameters, at } => {
                self.collect(type_name, *exported, query, parameters, at).unwrap_or_else(failed)
            }
            Effect::Include { how, classes, at } => {
                self.during(Some(at.clone()), |compiler| compiler.include(*how, classes))
            }
            Effect::Realize { references, at } => {
                self.realize(references, at);
                Outcome::Done
            }
            Effect::Tag(tags) => outcome(self.state.tag(self.here(), tags)),
        }
    }

    fn setting(&self, name: &str) -> Answer {
        match name {
            "environment" => Answer::Value(self.request.environment.name.as_str().into()),
            "certname" => Answer::Value(self.request.node.name.as_str().into()),
            "storeconfigs" => Answer::Value(self.request.collects_exported.into()),
            "tasks" => Answer::Value(self.loader.base.tasks.into()),
            _ => self
                .request
                .environment
                .settings
                .get_str(name)
                .map_or(Answer::Absent, |value| Answer::Value(value.clone())),
        }
    }
}
