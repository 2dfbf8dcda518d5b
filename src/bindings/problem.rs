//! What is wrong with bindings: a rule, a message, and the places that it is about.

use std::sync::Arc;

use pantin_base::{Diagnostic, Place as LinePlace, Severity, Source, Span};
use pantin_syntax::bindings::rule::{self, Rule};

/// A place in a file of bindings, or in what an ENC or a function provides.
#[derive(Clone, Debug)]
pub struct Place {
    /// The path as messages show it: relative to the environment, or to the folder of settings.
    pub shown: Arc<str>,
    pub source: Option<Arc<Source>>,
    pub span: Span,
}

impl Place {
    /// Returns `file:line`.
    pub fn at(&self) -> String {
        match self.line() {
            Some(line) => format!("{}:{line}", self.shown),
            None => self.shown.to_string(),
        }
    }

    pub fn line(&self) -> Option<u32> {
        self.line_place().line()
    }

    pub fn line_place(&self) -> LinePlace {
        self.source.as_ref().map_or(LinePlace::Nowhere, |source| source.place(self.span.start))
    }

    /// Returns the path of the file.
    pub fn file(&self) -> Option<&str> {
        self.source.as_ref().and_then(|source| source.name())
    }
}

#[derive(Clone, Debug)]
pub struct Problem {
    pub rule: Rule,
    pub message: String,
    pub place: Place,
    pub label: Option<String>,
    pub help: Option<String>,
    pub related: Vec<(Place, String)>,
    /// By what problems are told in order: the layer, then the name of the definition.
    pub order: (usize, Arc<str>),
}

impl Problem {
    pub fn new(rule: Rule, message: impl Into<String>, place: Place) -> Problem {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Problem {
            rule,
            message: message.into(),
            label: text(rule.label),
            help: text(rule.help),
            order: (0, Arc::clone(&place.shown)),
            place,
            related: Vec::new(),
        }
    }

    /// A problem that the parser has found.
    pub fn from_diagnostic(found: &Diagnostic, source: &Arc<Source>, shown: &Arc<str>) -> Problem {
        let rule = Rule { code: found.code, label: "", help: "", severity: found.severity };
        let at = |span| Place { shown: Arc::clone(shown), source: Some(Arc::clone(source)), span };
        let place = at(found.span.unwrap_or_default());
        let mut problem = Problem::new(rule, found.message.clone(), place);
        problem.label.clone_from(&found.label);
        problem.help.clone_from(&found.help);
        problem.related = found.related.iter().map(|related| (at(related.span), related.note.clone())).collect();
        problem
    }

    /// Returns true for an error behind which nothing else is looked for. That a resource cannot be replaced is told together with whatever
    /// else is wrong.
    pub fn ends_the_making(&self) -> bool {
        self.rule.severity == Severity::Error && self.rule.code != rule::REPLACE_INSTANCE.code
    }

    pub fn with_help(mut self, help: Option<String>) -> Problem {
        self.help = help.or(self.help);
        self
    }

    pub fn with_related(mut self, place: Place, note: &str) -> Problem {
        self.related.push((place, note.to_owned()));
        self
    }

    /// Returns the problem as the parser would tell it, for a report with the source.
    pub fn diagnostic(&self) -> Diagnostic {
        let is_same_file = |place: &Place| match (&place.source, &self.place.source) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        let related = self.related.iter().filter(|(place, _)| is_same_file(place));
        Diagnostic {
            severity: self.rule.severity,
            code: self.rule.code,
            message: self.message.clone(),
            place: self.place.line_place(),
            span: self.place.source.as_ref().map(|_| self.place.span),
            label: self.label.clone(),
            help: self.help.clone(),
            related: related
                .map(|(place, note)| pantin_base::Related { span: place.span, note: note.clone() })
                .collect(),
        }
    }

    /// Returns the message with its place behind it, as Puppet writes it.
    pub fn one_line(&self) -> String {
        format!("{}{}", self.message, self.place.line_place().suffix(self.place.file()))
    }
}

/// Puts problems into the order of their places, each once.
pub fn sort_problems(problems: &mut Vec<Problem>) {
    let key = |problem: &Problem| (problem.order.clone(), Arc::clone(&problem.place.shown), problem.place.span.start);
    problems.sort_by_key(key);
    let mut told = rustc_hash::FxHashSet::default();
    problems.retain(|problem| {
        let file = problem.place.shown.to_string();
        told.insert((problem.rule.code, file, problem.place.span.start, problem.message.clone()))
    });
}
