//! Runs resources through a transaction on a machine in memory, for tests of types and of the transaction itself.

use std::cell::RefCell;

use pantin_machine::{InMemory, Stop, System};
use pantin_model::catalog::Catalog;

use crate::deferred::{DeferredValues, NoDeferredValues};
use crate::log::{Level, LogLine, LogSink};
use crate::plan::Plan;
use crate::report::Report;
use crate::run::{ApplyRequest, apply};
use crate::settings::ApplySettings;
use crate::sources::NoSources;

/// What a run said and did.
pub(crate) struct TestRun {
    /// As the console shows them: `Notice: SOURCE: TEXT`.
    pub lines: Vec<String>,
    pub report: Option<Report>,
    pub plan: Plan,
}

#[derive(Default)]
struct Lines(RefCell<Vec<String>>);

impl LogSink for Lines {
    fn line(&self, line: &LogLine) {
        self.0.borrow_mut().push(shown(line));
    }
}

fn shown(line: &LogLine) -> String {
    let level = match line.level {
        Level::Err => "Error".to_owned(),
        level => {
            let name = level.name();
            format!("{}{}", name[..1].to_uppercase(), &name[1..])
        }
    };
    match line.source.as_str() {
        "Puppet" => format!("{level}: {}", line.message),
        source => format!("{level}: {source}: {}", line.message),
    }
}

/// Settings that say what `--verbose` says.
pub(crate) fn settings() -> ApplySettings {
    ApplySettings { level: Level::Info, ..ApplySettings::new("web01") }
}

/// Applies resources, as the JSON of a catalog's list of them, that lie in `Class[main]`.
pub(crate) fn run(machine: &InMemory, settings: &ApplySettings, resources: &str) -> TestRun {
    run_catalog(machine, settings, &catalog_of(resources))
}

/// A catalog of resources that lie in `Class[main]`, or in the `container` that each names.
pub(crate) fn catalog_of(resources: &str) -> Catalog {
    let head = r#"{"type":"Stage","title":"main","parameters":{"name":"main"}},{"type":"Class","title":"main","parameters":{"name":"main"}}"#;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&format!("[{resources}]")).unwrap();
    let mut edges = vec![r#"{"source":"Stage[main]","target":"Class[main]"}"#.to_owned()];
    let mut bodies = vec![head.to_owned()];
    for mut resource in listed {
        let body = resource.as_object_mut().unwrap();
        let container = body.remove("container").unwrap_or("Class[main]".into());
        if body["type"] != "Class" {
            body.entry("kind").or_insert("compilable_type".into());
        }
        let name = body["type"].as_str().unwrap().to_lowercase();
        body.entry("tags").or_insert(vec![name, "class".to_owned()].into());
        let target = format!("{}[{}]", body["type"].as_str().unwrap(), body["title"].as_str().unwrap());
        edges.push(serde_json::json!({"source": container, "target": target}).to_string());
        bodies.push(resource.to_string());
    }
    let json = format!(
        r#"{{"name":"web01","environment":"production","resources":[{}],"edges":[{}]}}"#,
        bodies.join(","),
        edges.join(",")
    );
    Catalog::read(&json).unwrap()
}

pub(crate) fn run_catalog(machine: &dyn System, settings: &ApplySettings, catalog: &Catalog) -> TestRun {
    try_run(machine, settings, catalog).unwrap()
}

/// Like `run_catalog`, where state may not be written.
pub(crate) fn try_run(machine: &dyn System, settings: &ApplySettings, catalog: &Catalog) -> std::io::Result<TestRun> {
    try_with_functions(machine, settings, catalog, &NoDeferredValues)
}

/// Like `run_catalog`, where the functions of deferred values are known.
pub(crate) fn run_with_functions(
    machine: &dyn System,
    settings: &ApplySettings,
    catalog: &Catalog,
    deferred: &dyn DeferredValues,
) -> TestRun {
    try_with_functions(machine, settings, catalog, deferred).unwrap()
}

fn try_with_functions(
    machine: &dyn System,
    settings: &ApplySettings,
    catalog: &Catalog,
    deferred: &dyn DeferredValues,
) -> std::io::Result<TestRun> {
    let (lines, stop) = (Lines::default(), Stop::default());
    let request = ApplyRequest {
        catalog: catalog.clone(),
        settings,
        machine,
        sources: &NoSources,
        deferred,
        stop: &stop,
        sink: &lines,
        begin: machine.now(),
        retrieval_seconds: 0.0,
        transaction_uuid: String::new(),
        catalog_uuid: String::new(),
    };
    let applied = apply(request)?;
    let is_of_run =
        |line: &String| !line.starts_with("Info: Using environment") && !line.starts_with("Notice: Applied catalog");
    Ok(TestRun {
        lines: lines.0.take().into_iter().filter(is_of_run).collect(),
        report: applied.report,
        plan: applied.plan,
    })
}
