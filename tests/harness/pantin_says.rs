//! Runs an example through Pantin.

use std::path::Path;
use std::sync::Arc;

use pantin::base::{Diagnostic, Place, Severity, Source, SourceError};
use pantin::syntax::{self, Issue, Location, Outcome, Parse};

use super::example::{Example, Version};
use super::said::Said;

/// Pantin's answer, and the codes of what it found.
pub(super) struct Answer {
    pub(super) said: Said,
    pub(super) codes: Vec<&'static str>,
}

pub(super) fn ask(example: &Example, version: Version) -> Result<Answer, String> {
    let outcome = outcome(example, version);
    let path = example.path.as_deref();
    let log: Vec<String> = outcome.log.iter().map(|found| console_line(found, path)).collect();
    let error = outcome.error.as_ref().map(|error| error.one_line(path));
    let ast = outcome.ast.as_ref().filter(|_| outcome.accepted() && example.settings.ast);
    let ast = ast.map(pn_of);
    let codes = outcome.log.iter().chain(&outcome.error).map(|found| found.code).collect();
    Ok(Answer { said: Said::new(ast.as_deref(), &log, error.as_deref())?, codes })
}

fn outcome(example: &Example, version: Version) -> Outcome {
    let source = match Source::from_bytes(example.path.as_deref(), example.source.clone()) {
        Ok(source) => Arc::new(source),
        Err(error) => return Outcome { log: Vec::new(), error: Some(source_error(error)), ast: None },
    };
    let settings = example.settings.for_version(version);
    if !example.settings.validate {
        let Parse { warnings, result } = syntax::parse(source, example.kind, settings);
        return match result {
            Ok(ast) => Outcome { log: warnings, error: None, ast: Some(ast) },
            Err(error) => Outcome { log: warnings, error: Some(error), ast: None },
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

fn location(example: &Example) -> Location {
    let Some(path) = example.path.as_deref().map(Path::new) else { return Location::Anywhere };
    let is_manifest = path.extension().is_some_and(|ending| ending == "pp");
    if !is_manifest || path.to_string_lossy().starts_with(&example.settings.manifest) {
        return Location::Anywhere;
    }
    let Some(inside) = example.settings.modulepath.iter().find_map(|folder| path.strip_prefix(folder).ok()) else {
        return Location::Anywhere;
    };
    let lower = inside.with_extension("").to_string_lossy().to_lowercase();
    let mut names: Vec<&str> = lower.split('/').collect();
    if names.len() < 3 || !["manifests", "functions", "types", "plans"].contains(&names[1]) {
        return Location::BadModuleFile;
    }
    names.remove(1);
    if names.len() == 2 && names[1] == "init" {
        names.truncate(1);
    }
    Location::Namespace(names.join("::"))
}

fn source_error(error: SourceError) -> Diagnostic {
    match error {
        SourceError::ByteOrderMark { format, bytes } => {
            Issue::IllegalBom { format: format.to_owned(), bytes }.at(Place::Nowhere, None)
        }
        SourceError::NotUtf8 { place, byte } => Issue::NotUtf8 { byte: format!("0x{byte:02X}") }.at(place, None),
        SourceError::TooLarge { bytes } => {
            Issue::SourceTooLarge { bytes: bytes.to_string() }.at(Place::WholeFile, None)
        }
    }
}

/// The tree as Puppet's PN text.
fn pn_of(_ast: &syntax::ast::Ast) -> String {
    super::spec::NO_PRINTER.to_owned()
}
