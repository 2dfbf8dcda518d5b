//! What the host adds to the record of evaluations for injections: which binding gave a value, and which it hides.
//! It must not change any answer.

use pantin_base::Place as LinePlace;
use pantin_bindings::{Candidate, Key, Subject, Verdict, key_of, key_of_type};
use pantin_model::evaluation::{DataLookup, DataOrigin, EvaluationKind};
use pantin_model::trace::{Answer, Question};
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::bindings::BindingsOutside;

impl Compiler<'_> {
    /// The key that a question is about, if anything is bound to it.
    pub(super) fn bound_key(&self, question: &Question) -> Option<Key> {
        let injector = self.bindings.injector.as_ref()?;
        match question {
            Question::Injection(asked) => match (&asked.value_type, &asked.name) {
                (of, Some(name)) => Some(key_of(of.as_ref(), Some(name))),
                (Some(of), None) => Some(key_of_type(of)),
                (None, None) => None,
            },
            Question::Parameter(name) => {
                let (class, parameter) = name.rsplit_once("::")?;
                let subject = Subject::Class(class.to_owned()).key_text();
                let key = Key::parameter(&subject, parameter);
                (injector.has_parameters(&subject) && injector.gives_parameter(&subject, parameter)).then_some(key)
            }
            _ => None,
        }
    }

    /// Records an injection with what it evaluates, and where the binding stands that gave its value.
    pub(super) fn injection_recorded(
        &mut self,
        key: &Key,
        lookup: DataLookup,
        ask: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(EvaluationKind::Lookup(lookup));
        }
        let answer = ask(self);
        let value = match &answer {
            Answer::Value(value) => Some(value.clone()),
            _ => None,
        };
        let (origins, overridden) = if value.is_some() { self.binding_origins(key) } else { Default::default() };
        if let Some(recorder) = &mut self.recorder {
            recorder.amend(|kind| {
                if let EvaluationKind::Lookup(lookup) = kind {
                    lookup.is_found = value.is_some();
                    (lookup.origins, lookup.overridden) = (origins, overridden);
                }
            });
            recorder.end(value);
        }
        answer
    }

    /// Records what is bound for a parameter of a resource.
    pub(super) fn parameter_recorded(
        &mut self,
        subject: &str,
        name: &Str,
        ask: impl FnOnce(&mut Self) -> Result<Option<Value>, Fault>,
    ) -> Result<Option<Value>, Fault> {
        if self.recorder.is_none() {
            return ask(self);
        }
        let key = Key::parameter(subject, name);
        let lookup = DataLookup {
            key: key.text().into(),
            is_parameter: true,
            is_found: false,
            origins: Vec::new(),
            overridden: Vec::new(),
            is_bound: true,
        };
        let mut result = Ok(None);
        self.injection_recorded(&key, lookup, |compiler| {
            result = ask(compiler);
            match &result {
                Ok(Some(value)) => Answer::Value(value.clone()),
                _ => Answer::Absent,
            }
        });
        result
    }

    /// Returns the bindings that gave the value of a key, and those that they hide: it is asked once more, and nothing
    /// of that is told.
    fn binding_origins(&mut self, key: &Key) -> (Vec<DataOrigin>, Vec<DataOrigin>) {
        let Some(injector) = self.bindings.injector.clone() else { return Default::default() };
        let recorder = self.recorder.take();
        let (lines, logged) = (self.log.len(), self.logged.clone());
        let (is_volatile, is_secret) = (self.is_volatile, self.is_secret);
        let explained = injector.explain(key, None, &mut BindingsOutside(self));
        self.log.truncate(lines);
        (self.logged, self.recorder) = (logged, recorder);
        (self.is_volatile, self.is_secret) = (is_volatile, is_secret);
        let with = |verdict: Verdict| {
            let all = explained.candidates.iter().chain(&explained.fragments);
            all.filter(move |candidate| candidate.verdict == verdict).map(origin).collect::<Vec<DataOrigin>>()
        };
        let origins = with(Verdict::Won).into_iter().chain(with(Verdict::Contributed)).collect();
        (origins, with(Verdict::Shadowed))
    }
}

fn origin(candidate: &Candidate) -> DataOrigin {
    let place = candidate.place.as_ref();
    let line = place.and_then(|place| match place.line_place() {
        LinePlace::At { line, .. } => Some(line),
        LinePlace::Nowhere | LinePlace::WholeFile => None,
    });
    DataOrigin {
        level: candidate.layer.to_string(),
        file: place.and_then(|place| place.file()).map(str::to_owned),
        line,
    }
}
