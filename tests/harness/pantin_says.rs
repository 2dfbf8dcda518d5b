//! Runs an example through Pantin.

use std::path::Path;
use std::sync::Arc;

use pantin::base::{Diagnostic, Language, Location, Severity, Source};
use pantin::syntax;
use pantin::syntax::{Outcome, Parse, unreadable_source};
use pantin::world::clean_path;
use pantin::world::location::Layout;

use super::catalog;
use super::document::Mode;
use super::evaluation::{self, Evaluation};
use super::example::Example;
use super::lookup;
use super::said::Said;

/// Pantin's answer, and the codes of what it found.
pub(super) struct Answer {
    pub(super) said: Said,
    pub(super) codes: Vec<&'static str>,
}

/// `Err`: Pantin panicked, or shows a tree that is none.
pub(super) fn ask(example: &Example, version: Language) -> Result<Answer, String> {
    std::panic::catch_unwind(|| answer(example, version)).unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().map(String::as_str).or(cause.downcast_ref::<&str>().copied());
        Err(format!("Pantin panicked: {}", text.unwrap_or_default()))
    })
}

fn answer(example: &Example, version: Language) -> Result<Answer, String> {
    if example.mode == Mode::Evaluate {
        let (said, code) = evaluation::evaluate(&Evaluation::new(example, version));
        return Ok(Answer { said, codes: code.into_iter().collect() });
    }
    if example.mode == Mode::Compile {
        return catalog::compile(example, version).map(|said| Answer { said, codes: Vec::new() });
    }
    if example.mode == Mode::Lookup {
        return lookup::said(example, version).map(|said| Answer { said, codes: Vec::new() });
    }
    let outcome = outcome(example, version);
    let path = example.path.as_deref();
    let log: Vec<String> = outcome.log.iter().map(|found| console_line(found, path)).collect();
    let error = outcome.error.as_ref().map(|error| error.one_line(path));
    let ast = outcome.ast.as_ref().filter(|_| outcome.accepted() && example.settings.ast);
    let ast = ast.map(|ast| syntax::pn::to_string(ast, syntax::pn::Style::Text));
    let codes = outcome.log.iter().chain(&outcome.error).map(|found| found.code).collect();
    Ok(Answer { said: Said::new(ast.as_deref(), &log, error.as_deref())?, codes })
}

fn outcome(example: &Example, version: Language) -> Outcome {
    let source = match Source::from_bytes(example.path.as_deref(), example.source.clone()) {
        Ok(source) => Arc::new(source),
        Err(error) => return Outcome::failed(Vec::new(), unreadable_source(error)),
    };
    let settings = example.settings.for_version(version);
    if !example.settings.validate {
        let Parse { warnings, result } = syntax::parse(source, example.kind, settings);
        return match result {
            Ok(ast) => Outcome { log: warnings, error: None, error_count: 0, ast: Some(ast) },
            Err(error) => Outcome::failed(warnings, error),
        };
    }
    syntax::check(source, example.kind, &location(example), settings, example.settings.limits)
}

fn console_line(found: &Diagnostic, path: Option<&str>) -> String {
    let level = match found.severity {
        Severity::Error => "Error",
        Severity::Warning | Severity::Deprecation => "Warning",
    };
    format!("{level}: {}", found.one_line(path))
}

/// Where the file would stand if the environment were the root folder.
fn location(example: &Example) -> Location {
    let Some(path) = &example.path else { return Location::Anywhere };
    let root = Path::new("/");
    let layout = Layout {
        manifest: Some(root.join(&example.settings.manifest)),
        modulepath: example.settings.modulepath.iter().map(|folder| root.join(folder)).collect(),
    };
    layout.location(&clean_path(&root.join(path)))
}
