//! The head of an answer: whether there is a catalog, log lines, what keeps an agent from applying it, exports.

use std::mem;

use pantin_base::Severity;
use pantin_compile::LogLine;
use pantin_compile::catalog::Exchange;
use pantin_hiera::DecryptedTexts;
use pantin_model::trace::Level;
use pantin_values::Str;
use pantin_world::{ExportedResource, Remark};
use serde::{Deserialize, Serialize};

use super::failure::{FailureReport, StoredFailure};
use super::relocate::{Attacher, Detacher, RelocatablePath, RelocatableText};
use crate::catalog_check::{CatalogFindings, FileLine};
use crate::own_words::OwnWords;
use crate::persist::Plain;

#[derive(Debug)]
pub struct Head {
    pub environment: String,
    /// What reading the environment had to say.
    pub environment_remarks: Vec<Remark>,
    /// What Pantin alone says of the environment: to be printed once for a run, and in no node's log.
    pub own_remarks: Vec<Remark>,
    /// What reading about the node had to say.
    pub node_remarks: Vec<Remark>,
    pub log: Vec<LogLine>,
    pub outcome: Outcome,
    /// Names and addresses of the node, which messages of several nodes leave out.
    pub own_words: OwnWords,
    /// What eyaml decrypted for it, which nobody is shown.
    pub decrypted: DecryptedTexts,
    pub exchange: Exchange,
    /// The files of modules that resources of the catalog are copies of, as their sources name them.
    pub served_sources: Vec<Str>,
    /// The functions that the catalog leaves to the agent.
    pub deferred_functions: Vec<Str>,
}

#[derive(Debug)]
pub enum Outcome {
    Catalog {
        /// How many there are.
        resources: usize,
        findings: CatalogFindings,
    },
    Failure(FailureReport),
}

impl Head {
    /// Returns the log of the node: remarks and lines as one, in the order in which they are printed.
    pub fn all_lines(&self) -> Vec<LogLine> {
        let remarks = self.environment_remarks.iter().chain(&self.node_remarks);
        remarks.map(LogLine::from_remark).chain(self.log.iter().cloned()).collect()
    }
}

/// A head as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredHead {
    environment: String,
    environment_remarks: Vec<(Severity, RelocatableText)>,
    own_remarks: Vec<(Severity, RelocatableText)>,
    node_remarks: Vec<(Severity, RelocatableText)>,
    log: Vec<(Level, RelocatableText)>,
    outcome: StoredOutcome,
    own_words: Vec<(Str, u8)>,
    /// Such an answer is sealed.
    decrypted: Vec<Str>,
    /// As JSON, whose reader goes only so deep.
    exports: String,
    collects: Vec<Str>,
    served_sources: Vec<Str>,
    deferred_functions: Vec<Str>,
}

#[derive(Debug, Serialize, Deserialize)]
enum StoredOutcome {
    Catalog { resources: usize, findings: CatalogFindings, places: Vec<RelocatablePath> },
    Failure(StoredFailure),
}

#[derive(Serialize, Deserialize)]
struct PlainExport {
    certname: Str,
    type_name: Str,
    title: Str,
    tags: Vec<Str>,
    parameters: Vec<(Str, Plain)>,
}

impl StoredHead {
    /// `None`: the node exports what is more than data.
    pub(crate) fn detach(head: &Head, detacher: &mut Detacher<'_>) -> Option<StoredHead> {
        let exports = head.exchange.exports.iter().map(PlainExport::from_exported).collect::<Option<Vec<_>>>()?;
        let exports = serde_json::to_string(&exports).ok()?;
        detacher.plain(&exports);
        detacher.plain(&head.environment);
        let named = head.served_sources.iter().chain(&head.deferred_functions);
        named.for_each(|name| detacher.plain(name));
        head.decrypted.texts().iter().for_each(|text| detacher.plain(text));
        let mut remarks = |remarks: &[Remark]| {
            remarks.iter().map(|remark| (remark.severity, detacher.text(&remark.text))).collect::<Vec<_>>()
        };
        let [environment_remarks, own_remarks, node_remarks] =
            [&head.environment_remarks, &head.own_remarks, &head.node_remarks].map(|list| remarks(list));
        Some(StoredHead {
            environment: head.environment.clone(),
            environment_remarks,
            own_remarks,
            node_remarks,
            log: head.log.iter().map(|line| (line.level, detacher.text(&line.text))).collect(),
            outcome: match &head.outcome {
                Outcome::Catalog { resources, findings } => {
                    StoredOutcome::of_catalog(*resources, findings.clone(), detacher)
                }
                Outcome::Failure(report) => StoredOutcome::Failure(StoredFailure::detach(report, detacher)),
            },
            own_words: head.own_words.numbered().collect(),
            decrypted: head.decrypted.texts().to_vec(),
            exports,
            collects: head.exchange.collects.clone(),
            served_sources: head.served_sources.clone(),
            deferred_functions: head.deferred_functions.clone(),
        })
    }

    /// `None`: it says something of lines that have moved.
    pub(crate) fn attach(self, attacher: &Attacher<'_>) -> Option<Head> {
        let remarks = |remarks: Vec<(Severity, RelocatableText)>| {
            let remarks = remarks.iter();
            let attached = |(severity, text): &(Severity, RelocatableText)| {
                Some(Remark { severity: *severity, text: attacher.text(text)? })
            };
            remarks.map(attached).collect::<Option<Vec<_>>>()
        };
        let log = self.log.iter().map(|(level, text)| Some(LogLine { level: *level, text: attacher.text(text)? }));
        let exports = serde_json::from_str::<Vec<PlainExport>>(&self.exports).ok()?;
        let exports = exports.iter().map(PlainExport::exported).collect();
        Some(Head {
            environment_remarks: remarks(self.environment_remarks)?,
            own_remarks: remarks(self.own_remarks)?,
            node_remarks: remarks(self.node_remarks)?,
            log: log.collect::<Option<_>>()?,
            outcome: self.outcome.attached(attacher)?,
            own_words: OwnWords::from_numbered(self.own_words),
            decrypted: self.decrypted.into_iter().collect(),
            exchange: Exchange { exports, collects: self.collects },
            served_sources: self.served_sources,
            deferred_functions: self.deferred_functions,
            environment: self.environment,
        })
    }
}

impl StoredOutcome {
    fn of_catalog(resources: usize, mut findings: CatalogFindings, detacher: &mut Detacher<'_>) -> StoredOutcome {
        findings.texts().for_each(|text| detacher.plain(text));
        let places = findings.places_mut().map(|place| detacher.path(&mem::take(&mut place.file))).collect();
        StoredOutcome::Catalog { resources, findings, places }
    }

    fn attached(self, attacher: &Attacher<'_>) -> Option<Outcome> {
        match self {
            StoredOutcome::Failure(failure) => failure.attach(attacher).map(Outcome::Failure),
            StoredOutcome::Catalog { resources, mut findings, places } => {
                for (FileLine { file, line }, path) in findings.places_mut().zip(&places) {
                    *file = attacher.path(path);
                    *line = attacher.line(file, *line)?;
                }
                Some(Outcome::Catalog { resources, findings })
            }
        }
    }
}

impl PlainExport {
    fn from_exported(exported: &ExportedResource) -> Option<PlainExport> {
        let ExportedResource { certname, type_name, title, tags, parameters } = exported.clone();
        let parameters = parameters.into_iter().map(|(name, value)| Some((name, Plain::from_value(&value)?)));
        Some(PlainExport { certname, type_name, title, tags, parameters: parameters.collect::<Option<_>>()? })
    }

    fn exported(&self) -> ExportedResource {
        let parameters = self.parameters.iter().map(|(name, value)| (name.clone(), value.value()));
        ExportedResource {
            certname: self.certname.clone(),
            type_name: self.type_name.clone(),
            title: self.title.clone(),
            tags: self.tags.clone(),
            parameters: parameters.collect(),
        }
    }
}
