//! What the agent would say of a catalog before it applies anything, on the console; and the drawings of its graph.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_model::catalog::Catalog;
use pantin_model::graph::{Drawing, Graph};
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::catalog_check::{CatalogFindings, Checks};
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

/// Whether resources are checked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Resources")]
pub(crate) struct ResourceCheckArguments {
    /// Do not check whether the agent would refuse a resource for one of its values
    #[arg(long)]
    no_check_resources: bool,

    /// Check that, as is done by default
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        default_missing_value = "true",
        require_equals = true,
        hide = true,
        conflicts_with = "no_check_resources"
    )]
    check_resources: Option<bool>,
}

impl ResourceCheckArguments {
    /// Returns what was typed; `None` if nothing was.
    pub(crate) fn typed(&self) -> Option<bool> {
        self.check_resources.or(self.no_check_resources.then_some(false))
    }
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

/// What a run is to do with its catalogs before any agent does: what is checked of them, and whether their graphs are drawn.
pub(crate) struct GraphRequest {
    pub(crate) checks: Checks,
    folder: Option<PathBuf>,
}

impl GraphCheckArguments {
    pub(crate) fn is_checked(&self) -> bool {
        self.check_graph.unwrap_or(!self.no_check_graph)
    }
}

impl GraphArguments {
    pub(crate) fn request(&self, repository: &Repository) -> GraphRequest {
        let folder = self.graph.as_deref().map(absolute_path);
        GraphRequest {
            checks: Checks { graph: self.check.is_checked(), resources: repository.checks_resources },
            folder,
        }
    }
}

/// The drawings of one catalog, and what its graph has to say, which names one of them.
pub(crate) struct GraphDrawings {
    files: Vec<(PathBuf, String)>,
    pub(crate) findings: CatalogFindings,
}

impl GraphRequest {
    /// Returns true if drawings are wanted: the catalog itself is needed for them.
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
        let findings = CatalogFindings::from_graph(catalog, &graph, &cycles, drawn.as_deref());
        Some(GraphDrawings { files, findings })
    }

    /// Says on the console what keeps an agent from applying the catalog; whether it could.
    pub(crate) fn report(
        &self,
        graph: &CatalogFindings,
        node: &str,
        console: &ConsoleLog,
        disk: &dyn Disk,
    ) -> io::Result<bool> {
        if !graph.unknown_types.is_empty() && (self.checks.graph || self.draws()) {
            let text = format!(
                "What resources of these types are related to by themselves is not known: {}",
                graph.unknown_types.join(", ")
            );
            console.say(Level::Info, &text)?;
        }
        let mut is_applicable = true;
        for finding in graph.counted(self.checks) {
            is_applicable = false;
            if console.is_for_person() {
                graph_report::report(finding, node, console, disk);
                continue;
            }
            finding.lines().iter().for_each(|line| console.complain(line));
        }
        Ok(is_applicable)
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
