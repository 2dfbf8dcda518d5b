//! Each node of a fleet: compiled, its graph looked at, what is to be written made; then the catalog is dropped.

use std::path::PathBuf;
use std::sync::Arc;

use crate::catalog::{Catalog, Place};
use crate::cli::catalogs::{AtHand, Catalogs, Exports, Wish};
use crate::cli::console_log::ConsoleLog;
use crate::cli::graph_check::{Examined, Finding, Wanted};
use crate::cli::made::catalog_json;
use crate::cli::node_args::is_certname;
use crate::compile::LogLine;
use crate::compile::catalog::{Compiled, Exchange};
use crate::fleet::{self, About, Answer, Bodies, FilePlace, Message, NodeReport, OwnWords};
use crate::pcore::Str;
use crate::trace::Level;
use crate::world::ExportedResource;

pub(super) struct Nodes<'a> {
    pub(super) catalogs: &'a Catalogs,
    pub(super) console: &'a ConsoleLog,
    pub(super) graph: Wanted,
    /// What is collected, where that is not what the nodes of this run export.
    pub(super) given: Option<Exports>,
    pub(super) exchanges: bool,
    /// Whether catalogs and logs are wanted.
    pub(super) writes: bool,
}

/// What is to be written of a node.
#[derive(Default)]
pub(super) struct Kept {
    /// By their names.
    pub(super) files: Vec<(PathBuf, Vec<u8>)>,
    pub(super) graph: Option<Examined>,
    /// Why its catalog cannot be written.
    pub(super) failure: Option<std::io::Error>,
}

impl fleet::Catalogs for Nodes<'_> {
    type Prepared = (Str, Result<AtHand, String>);
    type Kept = Kept;

    fn prepare(&self, nodes: &[Str]) -> Vec<Self::Prepared> {
        nodes.iter().cloned().zip(self.catalogs.prepare(nodes)).collect()
    }

    fn compile(&self, (name, node): &Self::Prepared, exports: &Arc<Vec<ExportedResource>>) -> Answer<Kept> {
        let exports = if self.exchanges { Some(Arc::clone(exports)) } else { self.given.clone() };
        let compiled = node.as_ref().map_err(String::clone).and_then(|node| {
            let compiled = self.catalogs.compile(node, &Wish { exports, by_traces: true })?;
            Ok((node, compiled))
        });
        match compiled {
            Ok((node, timed)) => self.of_catalog(node, timed.compiled, timed.seconds),
            Err(reason) => self.without(name, &reason),
        }
    }
}

impl Nodes<'_> {
    fn of_catalog(&self, node: &AtHand, mut compiled: Compiled, seconds: f64) -> Answer<Kept> {
        let prepared = &node.prepared;
        let own = OwnWords::of(&prepared.node.name, &prepared.node.facts);
        let mut report = NodeReport {
            name: prepared.node.name.as_str().into(),
            environment: prepared.environment.name.clone(),
            seconds,
            bodies: Bodies::of(&compiled.walks),
            ..NodeReport::default()
        };
        let said = node.ready.iter().flat_map(|ready| &ready.remarks).chain(&prepared.remarks);
        let mut log: Vec<LogLine> = said.map(LogLine::of).collect();
        log.append(&mut compiled.log);
        report.log(&log, &own);
        let mut kept = Kept::default();
        match &compiled.result {
            Ok(catalog) => {
                report.resources = Some(catalog.resources.len());
                kept.graph = self.graph.examine(catalog, false);
                self.keep(catalog, &mut kept);
                let findings = kept.graph.iter().flat_map(Examined::findings);
                report.messages.extend(findings.flat_map(|finding| messages(finding, &report.name, &own)));
                log.extend(
                    kept.graph.iter().flat_map(Examined::lines).map(|text| LogLine::labelled(Level::Err, &text)),
                );
            }
            Err(ended) => {
                report.say(About::Failure, &ended.text, &own);
                log.push(LogLine::labelled(Level::Err, &ended.text));
            }
        }
        self.keep_log(&report.name, &log, &mut kept);
        Answer { report, kept, exchange: compiled.exchange }
    }

    /// A node that could not even be prepared.
    fn without(&self, name: &Str, reason: &str) -> Answer<Kept> {
        let mut report = NodeReport { name: name.clone(), ..NodeReport::default() };
        report.say(About::Failure, reason, &OwnWords::of(name, &crate::pcore::Hash::default()));
        let mut kept = Kept::default();
        self.keep_log(name, &[LogLine::labelled(Level::Err, reason)], &mut kept);
        Answer { report, kept, exchange: Exchange::default() }
    }

    fn keep(&self, catalog: &Catalog, kept: &mut Kept) {
        if !self.writes {
            return;
        }
        match catalog_json(catalog) {
            Ok(json) => kept.files.push((format!("{}.json", catalog.name).into(), json.into_bytes())),
            Err(error) => kept.failure = Some(error),
        }
    }

    fn keep_log(&self, name: &str, log: &[LogLine], kept: &mut Kept) {
        // Another name could lead to another folder.
        if self.writes && is_certname(name) {
            let shown = log.iter().filter(|line| self.console.shows(line));
            let text: String = shown.map(|line| format!("{}\n", line.text)).collect();
            kept.files.push((format!("{name}.log").into(), text.into_bytes()));
        }
    }
}

fn messages(finding: &Finding, node: &str, own: &OwnWords) -> Vec<Message> {
    match finding {
        Finding::Missing { said, place } => {
            vec![Message::of(About::Missing, said, node, own).at(place.as_ref().map(file_place))]
        }
        Finding::Cycles { shortest, .. } => shortest
            .iter()
            .map(|steps| {
                let names: Vec<&str> = steps.iter().chain(steps.first()).map(|step| step.name.as_str()).collect();
                let place = steps.iter().find_map(|step| step.place.as_ref());
                Message::of(About::Cycle, &names.join(" => "), node, own).at(place.map(file_place))
            })
            .collect(),
    }
}

fn file_place(place: &Place) -> FilePlace {
    FilePlace { file: place.file.to_string(), line: place.line, column: None }
}
