//! What Pantin and the real Puppet say of one source, in a form that can be compared.

use std::sync::Arc;

use pantin::base::{Diagnostic, Language, Location, Place, Severity, Source};
use pantin::syntax;
use pantin::syntax::ast::Ast;
use pantin::syntax::pn::Style;
use pantin::syntax::{MessageLimits, Settings, SourceKind, pn};
use serde_json::{Value, json};

use super::Case;

/// The path that both are told, so that messages carry it.
const PATH: &str = "/manifest.pp";

#[derive(PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// Lines as the console shows them.
    pub(super) log: Vec<String>,
    /// With its place; `None` if the source is accepted.
    pub(super) error: Option<String>,
    /// The tree, where it is accepted and was asked for.
    pub(super) pn: Option<String>,
    /// Offset, line and column of every element of an accepted tree, parents first, likewise.
    pub(super) places: Vec<[u64; 3]>,
    /// An error of Ruby's own, of which `error` is the text.
    pub(super) is_crash: bool,
}

/// The question about a case.
pub(super) fn question(id: usize, case: &Case, with_tree: bool) -> Value {
    let kind = if case.kind == SourceKind::Template { "epp" } else { "pp" };
    let want: &[&str] = if with_tree { &["pn", "positions"] } else { &[] };
    json!({ "id": id, "op": "parse", "kind": kind, "source": case.text, "path": PATH, "want": want })
}

pub(super) fn of_oracle(reply: &Value) -> Verdict {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let log = reply["log"].as_array().into_iter().flatten().filter_map(|entry| text(&entry["text"])).collect();
    let crash = text(&reply["crash"]);
    let places = reply["positions"].as_array().into_iter().flatten().map(place_of_oracle).collect();
    Verdict { log, is_crash: crash.is_some(), error: text(&reply["error"]["message"]), pn: text(&reply["pn"]), places }
}

pub(super) fn of_pantin(case: &Case, language: Language, with_tree: bool) -> Verdict {
    let Ok(source) = Source::new(Some(PATH), case.text.clone()) else {
        return Verdict {
            log: Vec::new(),
            error: Some("not a source".to_owned()),
            pn: None,
            places: Vec::new(),
            is_crash: false,
        };
    };
    let settings = Settings::from_language(language);
    let limits = MessageLimits::default();
    let outcome = syntax::check(Arc::new(source), case.kind, &Location::Anywhere, settings, limits);
    let tree = outcome.ast.as_ref().filter(|_| with_tree && outcome.error.is_none());
    Verdict {
        log: outcome.log.iter().map(console_line).collect(),
        error: outcome.error.as_ref().map(|error| error.one_line(Some(PATH))),
        pn: tree.map(|ast| pn::to_string(ast, Style::Text)),
        places: tree.map(places).unwrap_or_default(),
        is_crash: false,
    }
}

fn console_line(found: &Diagnostic) -> String {
    let level = if found.severity == Severity::Error { "Error" } else { "Warning" };
    format!("{level}: {}", found.one_line(Some(PATH)))
}

/// `[class, offset, length, line, column]` without class and length. The tree has the classes, and
/// the real lengths of some elements are not what they cover.
fn place_of_oracle(position: &Value) -> [u64; 3] {
    [1, 3, 4].map(|at| position[at].as_u64().unwrap_or(u64::MAX))
}

fn places(ast: &Ast) -> Vec<[u64; 3]> {
    let mut places = Vec::new();
    let mut open = vec![ast.root()];
    while let Some(id) = open.pop() {
        let offset = ast.span(id).start;
        if let Place::At { line, column } = ast.source().place(offset) {
            places.push([offset, line, column].map(u64::from));
        }
        let first = open.len();
        ast.each_child(id, |child| open.push(child));
        open[first..].reverse();
    }
    places
}
