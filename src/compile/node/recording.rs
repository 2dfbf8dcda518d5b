//! What the host adds to the record of evaluations: bodies, what code asks and does, and where data comes from. It must not change
//! any answer.

use std::path::Path;

use pantin_hiera::{Explainer, KeyRequest, ValueOrigin, line_of_key};
use pantin_model::evaluation::{
    DataLookup, DataOrigin, EvaluationKind, EvaluationRecord, EvaluationRecorder, VariableRead,
};
use pantin_model::trace::{Answer, Effect, FileKind, Outcome, Question, RubyFile};
use pantin_values::{Str, Value};
use pantin_world::Disk;

use super::state::ScopeId;
use super::{Compiler, LookupCaller};

impl Compiler<'_> {
    /// From here on each evaluation is recorded.
    pub(crate) fn record(&mut self) {
        self.recorder = Some(Box::default());
    }

    /// The record of what was evaluated so far, with the resources as they are now.
    pub(crate) fn take_record(&mut self) -> EvaluationRecord {
        let recorder: EvaluationRecorder = self.recorder.take().map(|recorder| *recorder).unwrap_or_default();
        recorder.finish(self.state.recorded_resources())
    }

    #[inline]
    pub(super) fn begin_recorded_body(&mut self, scope: ScopeId) {
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(EvaluationKind::Body { resource: self.state.place_of(scope) as usize });
        }
    }

    pub(super) fn begin_recorded_parent(&mut self, class: &Str) {
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(EvaluationKind::Inherits { class: class.clone() });
        }
    }

    #[inline]
    pub(super) fn end_recorded(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.end(None);
        }
    }

    #[cold]
    pub(super) fn answer_recorded(&mut self, question: &Question) -> Answer {
        let kind = match question {
            Question::Variable(name) => self.variable_read(name, &[]),
            Question::Part { variable, path } | Question::Whole { variable, path } => {
                self.variable_read(variable, path)
            }
            Question::Lookup(asked) => {
                return self.look_up_recorded(question, &KeyRequest::from_question(asked), false);
            }
            Question::Parameter(key) => {
                return self.look_up_recorded(question, &KeyRequest::named(key.clone()), true);
            }
            Question::Injection(asked) => {
                let Some(key) = self.bound_key(question) else { return self.answer_to(question) };
                let name = asked.name.clone().unwrap_or_else(|| key.text().into());
                let lookup = DataLookup {
                    key: name,
                    is_parameter: false,
                    is_found: false,
                    origins: Vec::new(),
                    overridden: Vec::new(),
                    is_bound: true,
                };
                return self.injection_recorded(&key, lookup, |compiler| compiler.answer_to(question));
            }
            Question::Content(path) => EvaluationKind::File { path: path.clone() },
            Question::Template(name) | Question::Ruby { file: RubyFile::Template, name } => {
                match self.loader.base.file(FileKind::Template, name) {
                    Some(file) => EvaluationKind::File { path: file.to_string_lossy().as_ref().into() },
                    None => return self.answer_to(question),
                }
            }
            _ => return self.answer_to(question),
        };
        self.begin_recorded(kind);
        let answer = self.answer_to(question);
        if let (Some(recorder), Answer::View(_)) = (&mut self.recorder, &answer) {
            recorder.amend(|kind| {
                if let EvaluationKind::Read(read) = kind {
                    read.is_container = true;
                }
            });
        }
        self.end_with_answer(&answer);
        answer
    }

    #[cold]
    pub(super) fn carry_out_recorded(&mut self, effect: &Effect) -> Outcome {
        self.begin_recorded(EvaluationKind::Effect(effect.clone()));
        let outcome = self.carry_out(effect);
        self.end_recorded();
        outcome
    }

    fn begin_recorded(&mut self, kind: EvaluationKind) {
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(kind);
        }
    }

    fn end_with_answer(&mut self, answer: &Answer) {
        if let Some(recorder) = &mut self.recorder {
            recorder.end(match answer {
                Answer::Value(value) => Some(value.clone()),
                _ => None,
            });
        }
    }

    fn variable_read(&self, variable: &pantin_model::trace::VariableName, path: &[Value]) -> EvaluationKind {
        EvaluationKind::Read(VariableRead {
            name: variable.written().into(),
            path: path.into(),
            holder: self.state.recorded_holder(self.own_scope(), variable),
            is_container: false,
        })
    }

    // ---- data ----

    fn look_up_recorded(&mut self, question: &Question, request: &KeyRequest, is_parameter: bool) -> Answer {
        let lookup = DataLookup {
            key: request.name.clone(),
            is_parameter,
            is_found: false,
            origins: Vec::new(),
            overridden: Vec::new(),
            is_bound: false,
        };
        if let Some(bound) = self.bound_key(question) {
            return self.injection_recorded(&bound, DataLookup { is_bound: true, ..lookup }, |compiler| {
                compiler.answer_to(question)
            });
        }
        self.begin_recorded(EvaluationKind::Lookup(lookup));
        let answer = self.answer_to(question);
        // A look-up inside of another one is a matter of that one.
        if let (Answer::Value(value), 0) = (&answer, self.look_ups) {
            let origins = self.levels_with(question, request);
            // A merge asks every level.
            let strategy = if matches!(value, Value::Hash(_)) { "hash" } else { "unique" };
            let all = self.levels_with(question, &KeyRequest { merge: strategy.into(), ..request.clone() });
            let overridden = all.into_iter().filter(|level| !origins.contains(level)).collect();
            let [origins, overridden] = [origins, overridden].map(|levels| self.data_origins(&request.name, levels));
            self.amend_lookup(|lookup| (lookup.origins, lookup.overridden) = (origins, overridden));
        }
        let is_found = matches!(answer, Answer::Value(_));
        self.amend_lookup(|lookup| lookup.is_found = is_found);
        self.end_with_answer(&answer);
        answer
    }

    fn amend_lookup(&mut self, change: impl FnOnce(&mut DataLookup)) {
        if let Some(recorder) = &mut self.recorder {
            recorder.amend(|kind| {
                if let EvaluationKind::Lookup(lookup) = kind {
                    change(lookup);
                }
            });
        }
    }

    /// Returns the levels of the hierarchy that have a key: it is looked up once more, with an explanation, and nothing
    /// of that is told. Values that cannot be merged end such a look-up, which is no error of the node's.
    fn levels_with(&mut self, question: &Question, request: &KeyRequest) -> Vec<ValueOrigin> {
        let Some(lookups) = self.lookups.clone() else { return Vec::new() };
        let recorder = self.recorder.take();
        let (lines, logged) = (self.log.len(), self.logged.clone());
        let (is_volatile, is_secret) = (self.is_volatile, self.is_secret);
        lookups.explain_with(Explainer::new(false));
        let _ = match question {
            Question::Lookup(asked) => {
                self.asking(LookupCaller::from_question(asked), |compiler| lookups.lookup_parameter(request, compiler))
            }
            _ => self.asking(LookupCaller::default(), |compiler| {
                compiler.before_it_is_named(|compiler| lookups.lookup_parameter(request, compiler))
            }),
        };
        let explained = lookups.explained();
        self.log.truncate(lines);
        (self.logged, self.recorder) = (logged, recorder);
        (self.is_volatile, self.is_secret) = (is_volatile, is_secret);
        explained.map(|explained| explained.origins(&request.name)).unwrap_or_default()
    }

    fn data_origins(&mut self, key: &str, levels: Vec<ValueOrigin>) -> Vec<DataOrigin> {
        let top_key = key.split('.').next().unwrap_or(key);
        let origin = |level: ValueOrigin| {
            let line = level.file.as_deref().and_then(|file| self.line_of(file, top_key));
            let file = level.file.map(|file| file.to_string_lossy().into_owned());
            DataOrigin { level: level.level, file, line }
        };
        levels.into_iter().map(origin).collect()
    }

    fn line_of(&self, file: &Path, key: &str) -> Option<u32> {
        let bytes = self.loader.base.modules.disk.read(file).ok().flatten()?;
        line_of_key(file, &bytes, key)
    }
}
