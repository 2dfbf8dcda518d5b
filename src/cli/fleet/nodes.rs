//! Each node of a fleet: compiled, its graph looked at, what is to be written made; then the catalog is dropped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_compile::LogLine;
use pantin_compile::catalog::Exchange;
use pantin_model::catalog::{Catalog, Place};
use pantin_model::trace::Level;
use pantin_repository::fleet;
use pantin_repository::fleet::{About, Answer, FilePlace, Message, NodeReport, OwnWords, Reason};
use pantin_values::Str;
use pantin_world::{ExportedResource, LeafKind, Stopwatch};
use serde_json::Value;

use super::bound::Bound;
use super::explain::{Explaining, reason_json};
use super::kept::{Content, Kernel};
use crate::args::node::is_certname;
use crate::nodes::catalogs::{AtHand, Catalogs, Exports, Timed, ToPrepare};
use crate::nodes::graph_check::{Examined, Finding, Wanted};
use crate::nodes::made::catalog_json;
use crate::nodes::memory::{Asked, Memory};
use crate::nodes::reasons;
use crate::nodes::timings::NODE;
use crate::print::console_log::ConsoleLog;

pub(super) struct Nodes<'a> {
    pub(super) catalogs: &'a Catalogs,
    pub(super) console: &'a ConsoleLog,
    pub(super) graph: Wanted,
    /// What is collected, where that is not what the nodes of this run export.
    pub(super) given: Option<Exports>,
    pub(super) exchanges: bool,
    /// Whether catalogs and logs are wanted.
    pub(super) writes: bool,
    pub(super) memory: Option<Memory<'a>>,
    /// How much memory may be taken.
    pub(super) bound: Option<&'a Bound>,
    /// Who is told what makes a node be compiled.
    pub(super) explaining: Option<Explaining<'a>>,
}

/// What is to be written of a node.
#[derive(Default)]
pub(super) struct Kept {
    /// By their names.
    pub(super) files: Vec<(PathBuf, Vec<u8>)>,
    /// The file of the catalog, where there is none now: that of an earlier run would pass for it.
    pub(super) absent: Option<PathBuf>,
    pub(super) graph: Option<Examined>,
    /// Why its catalog cannot be written.
    pub(super) failure: Option<std::io::Error>,
}

impl fleet::Catalogs for Nodes<'_> {
    type Prepared = ToPrepare;
    type Kept = Kept;

    fn prepare(&self, nodes: &[Str]) -> Vec<Self::Prepared> {
        self.catalogs.classified(nodes)
    }

    fn compile(&self, node: &ToPrepare, exports: &Arc<Vec<ExportedResource>>) -> Answer<Kept> {
        let about = |answer: &Answer<Kept>| {
            let report = &answer.report;
            let anew: Vec<Value> = report.anew.iter().map(reason_json).collect();
            vec![
                ("kept", report.is_kept.into()),
                ("ok", report.is_ok().into()),
                ("resources", report.resources.into()),
                ("anew", anew.into()),
            ]
        };
        self.bound.iter().for_each(|bound| bound.make_room(|| self.catalogs.let_go()));
        self.catalogs.timings.timed(NODE, &node.name, || self.answer(node, exports), about)
    }
}

impl Nodes<'_> {
    fn answer(&self, node: &ToPrepare, exports: &Arc<Vec<ExportedResource>>) -> Answer<Kept> {
        let exports = if self.exchanges { Some(Arc::clone(exports)) } else { self.given.clone() };
        let running = Stopwatch::start();
        let asked = Asked { node, exports: exports.as_ref() };
        let timings = &self.catalogs.timings;
        let look = |memory| timings.during("look in the cache", || self.remembered(memory, asked));
        if let Some(mut answer) = self.memory.as_ref().and_then(look) {
            answer.report.seconds = running.elapsed().as_secs_f64();
            return answer;
        }
        let compiled = self.catalogs.at_hand(node).and_then(|at_hand| {
            let compiled = self.catalogs.compile(&at_hand, exports.as_ref())?;
            Ok((at_hand, compiled))
        });
        match compiled {
            Ok((at_hand, timed)) => self.of_catalog(asked, &at_hand, timed),
            Err(reason) => self.without(&node.name, &reason),
        }
    }

    /// What was answered in an earlier run.
    fn remembered(&self, memory: &Memory<'_>, asked: Asked<'_>) -> Option<Answer<Kept>> {
        let known = memory.find::<Kernel>(asked)?;
        let content = if self.writes { memory.content(&known)? } else { Content::default() };
        let exchange = known.kernel.exchange()?;
        let rests = |is_so: &dyn Fn(LeafKind, &Path) -> bool| memory.rests_on(&known, is_so);
        let mut report = NodeReport { is_kept: true, ..known.kernel.report.clone() };
        self.explaining.iter().for_each(|explaining| explaining.note(&mut report, rests));
        Some(Answer { kept: self.to_write(&report.name, content), report, exchange })
    }

    fn of_catalog(&self, asked: Asked<'_>, node: &AtHand, timed: Timed<Catalog>) -> Answer<Kept> {
        let Timed { mut compiled, seconds, .. } = timed;
        let timings = &self.catalogs.timings;
        let prepared = &node.prepared;
        let own = OwnWords::of(&prepared.node.name, &prepared.node.facts);
        let mut report = NodeReport {
            name: prepared.node.name.as_str().into(),
            environment: prepared.environment.name.clone(),
            seconds,
            anew: self.why_not(asked),
            ..NodeReport::default()
        };
        let said = node.ready.iter().flat_map(|ready| &ready.remarks).chain(&prepared.remarks);
        let mut log: Vec<LogLine> = said.map(LogLine::of).collect();
        log.append(&mut compiled.log);
        report.log(&log, &own);
        let mut content = Content::default();
        let mut graph = None;
        let mut failure = None;
        match &compiled.result {
            Ok(catalog) => {
                report.resources = Some(catalog.resources.len());
                graph = timings.during("look at the graph", || self.graph.examine(catalog, false));
                if self.writes || self.memory.is_some() {
                    match timings.during("write it as JSON", || catalog_json(catalog)) {
                        Ok(json) => content.catalog = Some(json),
                        Err(error) => failure = Some(error),
                    }
                }
                let findings = graph.iter().flat_map(Examined::findings);
                report.messages.extend(findings.flat_map(|finding| messages(finding, &report.name, &own)));
                log.extend(graph.iter().flat_map(Examined::lines).map(|text| LogLine::labelled(Level::Err, &text)));
            }
            Err(ended) => {
                report.say(About::Failure, &ended.text, &own);
                log.push(LogLine::labelled(Level::Err, &ended.text));
            }
        }
        content.log = log;
        if let Some(memory) = self.memory.as_ref().filter(|_| failure.is_none()) {
            let unkept = timings.during("keep it", || match Kernel::of(&report, &compiled.exchange) {
                Some(mut kernel) => memory.keep(asked, node, &compiled, &mut kernel, &mut content),
                None => Some(reasons::unkept(false)),
            });
            report.anew.extend(unkept.filter(|_| self.tells_why()));
        }
        if let Some(explaining) = &self.explaining {
            explaining.note(&mut report, |is_so| self.catalogs.rests_on(node, &compiled, is_so));
        }
        let kept = Kept { graph, failure, ..self.to_write(&report.name, content) };
        Answer { report, kept, exchange: compiled.exchange }
    }

    /// Why it is compiled, if that is to be told.
    fn why_not(&self, asked: Asked<'_>) -> Vec<Reason> {
        match &self.memory {
            _ if !self.tells_why() => Vec::new(),
            None => vec![reasons::no_cache()],
            Some(memory) => memory.why_not(asked),
        }
    }

    fn tells_why(&self) -> bool {
        self.explaining.is_some() || self.catalogs.timings.are_wanted()
    }

    /// A node that could not even be prepared.
    fn without(&self, name: &Str, reason: &str) -> Answer<Kept> {
        let mut report = NodeReport { name: name.clone(), ..NodeReport::default() };
        report.say(About::Failure, reason, &OwnWords::of(name, &pantin_values::Hash::default()));
        let content = Content { log: vec![LogLine::labelled(Level::Err, reason)], ..Content::default() };
        Answer { report, kept: self.to_write(name, content), exchange: Exchange::default() }
    }

    fn to_write(&self, name: &str, content: Content) -> Kept {
        let mut kept = Kept::default();
        // Another name could lead to another folder.
        if !self.writes || !is_certname(name) {
            return kept;
        }
        let Content { catalog, log } = content;
        let file = PathBuf::from(format!("{name}.json"));
        match catalog {
            Some(json) => kept.files.push((file, json.into_bytes())),
            None => kept.absent = Some(file),
        }
        let shown = log.iter().filter(|line| self.console.shows(line));
        let text: String = shown.map(|line| format!("{}\n", line.text)).collect();
        kept.files.push((format!("{name}.log").into(), text.into_bytes()));
        kept
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
