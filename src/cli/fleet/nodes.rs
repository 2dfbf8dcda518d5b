//! The compilation of each node of a fleet: its report and its output; the catalog is then dropped.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_compile::LogLine;
use pantin_compile::catalog::Exchange;
use pantin_model::trace::Level;
use pantin_repository::answer::{Answer, AnsweredCatalog, Outcome};
use pantin_repository::catalog_check::Finding;
use pantin_repository::fleet::{self, NodeReport};
use pantin_repository::node_compiler::{Exports, NodeToPrepare};
use pantin_repository::node_sources::{file_stem, is_certname};
use pantin_repository::{AnswerNeeds, Repository};
use pantin_values::Str;
use pantin_world::{ExportedResource, Remark};

use super::explain::ReuseExplainer;
use crate::nodes::catalog_output::{Format, catalog_data};
use crate::nodes::graph_check::{GraphDrawings, GraphRequest};
use crate::print::console_log::ConsoleLog;

pub(super) struct Nodes<'a> {
    pub(super) repository: &'a Repository,
    pub(super) console: &'a ConsoleLog,
    pub(super) graph: GraphRequest,
    /// Whether catalogs and logs are wanted.
    pub(super) writes: bool,
    /// What is to be printed once for the run, by its text.
    pub(super) own_remarks: Mutex<BTreeMap<String, Remark>>,
    /// Who is told what makes a node be compiled.
    pub(super) explaining: Option<ReuseExplainer<'a>>,
}

/// What is to be written of a node.
#[derive(Default)]
pub(super) struct Output {
    /// By their names.
    pub(super) files: Vec<(PathBuf, Vec<u8>)>,
    /// The file of the catalog, where there is none now: that of an earlier run would pass for it.
    pub(super) absent: Option<PathBuf>,
    pub(super) drawings: Option<GraphDrawings>,
}

impl fleet::Catalogs for Nodes<'_> {
    type Prepared = NodeToPrepare;
    type Kept = io::Result<Output>;

    fn prepare(&self, nodes: &[Str]) -> Vec<Self::Prepared> {
        self.repository.classify(nodes)
    }

    fn compile(&self, node: &NodeToPrepare, exports: &Arc<Vec<ExportedResource>>) -> fleet::Answer<Self::Kept> {
        let exports: Option<Exports> =
            if self.repository.exchanges { Some(Arc::clone(exports)) } else { self.repository.exports.clone() };
        let needs = AnswerNeeds { catalog: self.writes || self.graph.draws(), reasons: self.tells_why() };
        match self.repository.answer_classified(node, exports.as_ref(), needs) {
            Ok(answer) => self.report(answer),
            Err(error) => self.without(&node.name, &error.to_string()),
        }
    }
}

impl Nodes<'_> {
    fn report(&self, mut answer: Answer) -> fleet::Answer<io::Result<Output>> {
        if !answer.head.own_remarks.is_empty() {
            let mut known = self.own_remarks.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(answer.head.own_remarks.iter().map(|remark| (remark.text.clone(), remark.clone())));
        }
        let catalog = answer.catalog.take();
        let drawings = match catalog.as_ref().filter(|_| self.graph.draws()) {
            Some(catalog) => catalog_data(catalog).map(|catalog| self.graph.draw(&catalog, false)),
            None => Ok(None),
        };
        let (drawings, failure) = match drawings {
            Ok(drawings) => (drawings, None),
            Err(error) => (None, Some(error)),
        };
        if let (Some(drawings), Outcome::Catalog { findings, .. }) = (&drawings, &mut answer.head.outcome) {
            findings.set_graph(&drawings.findings);
        }
        let mut report = NodeReport::from_answer(&answer, self.graph.checks);
        if let Some(explaining) = &self.explaining {
            explaining.note(&mut report, |is_so| self.repository.count_dependencies(&answer, is_so));
        }
        let kept = match failure {
            Some(error) => Err(error),
            None => self.output(&answer, catalog.as_ref(), drawings),
        };
        // A catalog that cannot be written is the end of its node, and not that of the fleet.
        let kept = kept.or_else(|error| {
            let reason = error.to_string();
            report.fail(&reason, &answer.head.own_words);
            self.written(&answer.name, None, &[LogLine::with_label(Level::Err, &reason)])
        });
        fleet::Answer { report, kept, exchange: answer.head.exchange }
    }

    fn tells_why(&self) -> bool {
        self.explaining.is_some() || self.repository.timings().is_enabled()
    }

    /// Returns a node that could not even be prepared.
    fn without(&self, name: &Str, reason: &str) -> fleet::Answer<io::Result<Output>> {
        let report = NodeReport::without_answer(name, reason);
        let log = [LogLine::with_label(Level::Err, reason)];
        fleet::Answer { report, kept: self.written(name, None, &log), exchange: Exchange::default() }
    }

    fn output(
        &self,
        answer: &Answer,
        catalog: Option<&AnsweredCatalog>,
        drawings: Option<GraphDrawings>,
    ) -> io::Result<Output> {
        if !self.writes {
            return Ok(Output { drawings, ..Output::default() });
        }
        let json = match catalog {
            Some(catalog) => {
                let json = || Format::Json.json(catalog);
                Some(self.repository.timings().during("write it as JSON", json)?)
            }
            None => None,
        };
        let mut log = answer.head.all_lines();
        match &answer.head.outcome {
            Outcome::Catalog { findings, .. } => {
                let lines = findings.counted(self.graph.checks).flat_map(Finding::lines);
                log.extend(lines.map(|text| LogLine::with_label(Level::Err, &text)));
            }
            Outcome::Failure(failure) => log.push(LogLine::with_label(Level::Err, &failure.text)),
        }
        Ok(Output { drawings, ..self.written(&answer.name, json, &log)? })
    }

    fn written(&self, name: &str, json: Option<String>, log: &[LogLine]) -> io::Result<Output> {
        let mut output = Output::default();
        // Another name could lead to another folder.
        if !self.writes || !is_certname(name) {
            return Ok(output);
        }
        let stem = file_stem(name);
        let file = PathBuf::from(format!("{stem}.json"));
        match json {
            Some(json) => output.files.push((file, json.into_bytes())),
            None => output.absent = Some(file),
        }
        let shown = log.iter().filter(|line| self.console.shows(line));
        let text: String = shown.map(|line| format!("{}\n", line.text)).collect();
        output.files.push((format!("{stem}.log").into(), text.into_bytes()));
        Ok(output)
    }
}
