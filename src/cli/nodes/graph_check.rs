//! What the agent would say of a catalog before it applies anything, on the console; and the drawings of its graph.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_model::catalog::Catalog;
use pantin_model::graph::{Drawing, Graph};
use pantin_model::trace::Level;
use pantin_repository::graph_check::GraphFindings;
use pantin_world::{Disk, absolute_path, write_file};

use super::graph_report;
use crate::print::console_log::ConsoleLog;

/// Whether the graph is checked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Relationships")]
pub(crate) struct GraphCheckArguments {
    /// Do not check whether relationships lead nowhere or in a circle, as the agent does before it applies anything
    #[arg(long)]
    no_check_graph: bool,

    /// Check that, as is done by default
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        default_missing_value = "true",
        require_equals = true,
        hide = true,
        conflicts_with = "no_check_graph"
    )]
    check_graph: Option<bool>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Relationships")]
pub(crate) struct GraphArguments {
    #[command(flatten)]
    check: GraphCheckArguments,

    /// Draw what comes before what into this folder, as the agent's --graph does; of several nodes, each into a folder
    /// of its name
    #[arg(long, value_name = "DIR")]
    graph: Option<PathBuf>,
}

/// What a run is to do with the graphs of its catalogs.
pub(crate) struct GraphRequest {
    pub(crate) is_checked: bool,
    folder: Option<PathBuf>,
}

impl GraphCheckArguments {
    pub(crate) fn is_checked(&self) -> bool {
        self.check_graph.unwrap_or(!self.no_check_graph)
    }
}

impl GraphArguments {
    pub(crate) fn request(&self) -> GraphRequest {
        let folder = self.graph.as_deref().map(absolute_path);
        GraphRequest { is_checked: self.check.is_checked(), folder }
    }
}

/// The drawings of one catalog, and what its graph has to say, which names one of them.
pub(crate) struct GraphDrawings {
    files: Vec<(PathBuf, String)>,
    pub(crate) findings: GraphFindings,
}

impl GraphRequest {
    /// Whether drawings are wanted: the catalog itself is needed for them.
    pub(crate) fn draws(&self) -> bool {
        self.folder.is_some()
    }

    /// `is_alone`: no other catalog is drawn. `None`: no drawings are wanted.
    pub(crate) fn draw(&self, catalog: &Catalog, is_alone: bool) -> Option<GraphDrawings> {
        let folder = match (self.folder.as_ref()?, is_alone) {
            (folder, true) => folder.clone(),
            (folder, false) => folder.join(&catalog.name),
        };
        let graph = Graph::from_catalog(catalog);
        let cycles = graph.cycles();
        let one = |drawing: Drawing| (folder.join(drawing.file_name()), graph.to_dot(drawing));
        let mut files: Vec<(PathBuf, String)> = Drawing::ALL.map(one).into();
        let mut drawn = None;
        if !cycles.is_empty() {
            let file = folder.join("cycles.dot");
            drawn = Some(file.display().to_string());
            files.push((file, graph.cycles_to_dot(&cycles)));
        }
        let findings = GraphFindings::from_graph(catalog, &graph, &cycles, drawn.as_deref());
        Some(GraphDrawings { files, findings })
    }

    /// Says on the console what keeps an agent from applying the catalog; whether it could.
    pub(crate) fn report(
        &self,
        graph: &GraphFindings,
        node: &str,
        console: &ConsoleLog,
        disk: &dyn Disk,
    ) -> io::Result<bool> {
        if !self.is_checked && !self.draws() {
            return Ok(true);
        }
        if !graph.unknown_types.is_empty() {
            let text = format!(
                "What resources of these types are related to by themselves is not known: {}",
                graph.unknown_types.join(", ")
            );
            console.say(Level::Info, &text)?;
        }
        if !self.is_checked {
            return Ok(true);
        }
        for finding in &graph.findings {
            if console.is_for_person() {
                graph_report::report(finding, node, console, disk);
                continue;
            }
            finding.lines().iter().for_each(|line| console.complain(line));
        }
        Ok(graph.findings.is_empty())
    }
}

impl GraphDrawings {
    pub(crate) fn write(&self) -> io::Result<()> {
        self.files.iter().try_for_each(|(file, drawing)| write(file, drawing))
    }
}

fn write(file: &Path, drawing: &str) -> io::Result<()> {
    let reason = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", file.display()));
    write_file(file, drawing.as_bytes()).map_err(reason)
}
