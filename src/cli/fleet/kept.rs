//! What is kept of a node from one run to the next: its report, and its catalog and log as they are written.

use pantin_compile::LogLine;
use pantin_compile::catalog::Exchange;
use pantin_repository::fleet::NodeReport;
use pantin_repository::persist::Plain;
use pantin_values::Str;
use pantin_world::ExportedResource;
use serde::{Deserialize, Serialize};

use crate::nodes::movable::{Movable, Sort};

/// What a run always wants of a node.
#[derive(Serialize, Deserialize)]
pub(super) struct Kernel {
    pub(super) report: NodeReport,
    /// As JSON, whose reader goes only so deep.
    exports: String,
    collects: Vec<Str>,
}

/// What is written of a node, where anything is.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) catalog: Option<String>,
    pub(super) log: Vec<LogLine>,
}

#[derive(Serialize, Deserialize)]
struct PlainExport {
    certname: Str,
    type_name: Str,
    title: Str,
    tags: Vec<Str>,
    parameters: Vec<(Str, Plain)>,
}

impl Movable for Kernel {
    fn each_text(&mut self, visit: &mut dyn FnMut(Sort, &mut String)) {
        visit(Sort::Other, &mut self.exports);
        visit(Sort::Other, &mut self.report.environment);
        for message in &mut self.report.messages {
            visit(Sort::Other, &mut message.text);
            visit(Sort::Other, &mut message.general);
            message.place.iter_mut().for_each(|place| visit(Sort::Path, &mut place.file));
        }
    }
}

impl Movable for Content {
    fn each_text(&mut self, visit: &mut dyn FnMut(Sort, &mut String)) {
        self.catalog.iter_mut().for_each(|catalog| visit(Sort::Catalog, catalog));
        self.log.iter_mut().for_each(|line| visit(Sort::Line, &mut line.text));
    }
}

impl Kernel {
    /// `None`: it exports what is more than data.
    pub(super) fn of(report: &NodeReport, exchange: &Exchange) -> Option<Kernel> {
        let exports = exchange.exports.iter().map(PlainExport::of).collect::<Option<Vec<_>>>()?;
        let exports = serde_json::to_string(&exports).ok()?;
        Some(Kernel { report: report.clone(), exports, collects: exchange.collects.clone() })
    }

    /// What the node has to do with others.
    pub(super) fn exchange(&self) -> Option<Exchange> {
        let exports = serde_json::from_str::<Vec<PlainExport>>(&self.exports).ok()?;
        let exports = exports.iter().map(PlainExport::exported).collect();
        Some(Exchange { exports, collects: self.collects.clone() })
    }
}

impl PlainExport {
    fn of(exported: &ExportedResource) -> Option<PlainExport> {
        let ExportedResource { certname, type_name, title, tags, parameters } = exported.clone();
        let parameters = parameters.into_iter().map(|(name, value)| Some((name, Plain::of(&value)?)));
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
