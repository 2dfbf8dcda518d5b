//! What the agent would say of a catalog before it applies anything: relationships with what is not there, and
//! dependency cycles. And the drawings of its graph.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_model::catalog::kinds::Relation;
use pantin_model::catalog::{Catalog, Place};
use pantin_model::graph::{Cycle, Drawing, Graph, Link, Reason, Vertex};
use pantin_model::trace::Level;
use pantin_world::{Disk, absolute_path, write_file};

use super::graph_report;
use crate::print::console_log::ConsoleLog;

/// The last words of an agent that has found cycles.
const GIVES_UP: &str = "Failed to apply catalog: One or more resource dependency cycles detected in graph";

#[derive(Debug, Args)]
#[command(next_help_heading = "Relationships")]
pub(crate) struct GraphArguments {
    /// Say which relationships lead nowhere and which lead in a circle, as the agent would before it applies anything
    /// [default: with --format summary, and of a fleet]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    check_graph: Option<bool>,

    /// Draw what comes before what into this folder, as the agent's --graph does; of several nodes, each into a folder
    /// of its name
    #[arg(long, value_name = "DIR")]
    graph: Option<PathBuf>,
}

/// What is wanted to be known of the graphs of a run.
pub(crate) struct Wanted {
    is_checked: bool,
    folder: Option<PathBuf>,
}

impl GraphArguments {
    pub(crate) fn wanted(&self, by_default: bool) -> Wanted {
        let folder = self.graph.as_deref().map(absolute_path);
        Wanted { is_checked: self.check_graph.unwrap_or(by_default), folder }
    }
}

/// What the graph of one catalog has to say; the catalog is not needed any more.
pub(crate) struct Examined {
    drawings: Vec<(PathBuf, String)>,
    findings: Vec<Finding>,
    unknown_types: Vec<String>,
}

/// One thing that keeps the catalog from being applied.
pub(crate) enum Finding {
    Missing { said: String, place: Option<Place> },
    Cycles { said: String, shortest: Vec<Vec<Step>> },
}

/// A resource of a cycle, and why it comes before the next one.
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) place: Option<Place>,
    pub(crate) why: String,
}

impl Wanted {
    pub(crate) fn is_any(&self) -> bool {
        self.is_checked || self.draws()
    }

    pub(crate) fn draws(&self) -> bool {
        self.folder.is_some()
    }

    /// `is_alone`: no other catalog is drawn.
    pub(crate) fn examine(&self, catalog: &Catalog, is_alone: bool) -> Option<Examined> {
        if !self.is_checked && self.folder.is_none() {
            return None;
        }
        let graph = Graph::of(catalog);
        let cycles = graph.cycles();
        let folder = self.folder.as_ref().map(|folder| match is_alone {
            true => folder.clone(),
            false => folder.join(&catalog.name),
        });
        let mut drawings = Vec::new();
        let mut drawn = None;
        if let Some(folder) = folder {
            let one = |drawing: Drawing| (folder.join(drawing.file_name()), graph.to_dot(drawing));
            drawings.extend(Drawing::ALL.map(one));
            if !cycles.is_empty() {
                let file = folder.join("cycles.dot");
                drawn = Some(file.display().to_string());
                drawings.push((file, graph.cycles_to_dot(&cycles)));
            }
        }
        let mut findings: Vec<Finding> = Vec::new();
        if self.is_checked {
            findings.extend(graph.missing().iter().map(|missing| {
                let place = graph.place(Vertex::Resource(missing.resource)).cloned();
                Finding::Missing { said: missing.message(catalog), place }
            }));
        }
        if self.is_checked && !cycles.is_empty() {
            let said = graph.message(&cycles, drawn.as_deref());
            let shortest = cycles.iter().map(|cycle| steps(&graph, catalog, cycle)).collect();
            findings.push(Finding::Cycles { said, shortest });
        }
        let unknown_types = graph.unknown_types().iter().map(|name| (*name).to_owned()).collect();
        Some(Examined { drawings, findings, unknown_types })
    }
}

fn steps(graph: &Graph<'_>, catalog: &Catalog, cycle: &Cycle) -> Vec<Step> {
    let around = cycle.shortest.iter().zip(cycle.shortest.iter().cycle().skip(1));
    let step = |(link, next): (&Link, &Link)| {
        let other = graph.name(next.vertex);
        let contains = match (link.vertex, next.vertex) {
            (Vertex::Resource(one), Vertex::Resource(other)) => catalog.edges.contains(&(one, other)),
            _ => false,
        };
        let why = match link.reason {
            Reason::Contains if contains => format!("contains {other}"),
            Reason::Contains => format!("is a part of {other}"),
            Reason::Told(relation) => {
                format!("comes before {other}{}", told(relation, "it", &other))
            }
            Reason::Automatic(relation) => {
                format!("comes before {other}{} by itself", told(relation, "it", &other))
            }
        };
        Step { name: graph.name(link.vertex), place: graph.place(link.vertex).cloned(), why }
    };
    around.map(step).collect()
}

/// Whose parameter it is.
fn told(relation: Relation, earlier: &str, later: &str) -> String {
    match relation {
        Relation::Require => format!(", which requires {earlier}"),
        Relation::Subscribe => format!(", which subscribes to {earlier}"),
        Relation::Before => format!(": it says `before => {later}`"),
        Relation::Notify => format!(": it notifies {later}"),
    }
}

impl Examined {
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Writes the drawings.
    pub(crate) fn draw(&self) -> io::Result<()> {
        self.drawings.iter().try_for_each(|(file, drawing)| write(file, drawing))
    }

    /// The lines of an agent.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.findings.iter().flat_map(Finding::lines).collect()
    }

    /// Whether the agent could apply the catalog. Says it if not, and writes the drawings.
    pub(crate) fn tell(&self, node: &str, console: &ConsoleLog, disk: &dyn Disk) -> io::Result<bool> {
        self.draw()?;
        if !self.unknown_types.is_empty() {
            let text = format!(
                "What resources of these types are related to by themselves is not known: {}",
                self.unknown_types.join(", ")
            );
            console.say(Level::Info, &text)?;
        }
        for finding in &self.findings {
            if console.is_for_person() {
                graph_report::tell(finding, node, console, disk);
                continue;
            }
            finding.lines().iter().for_each(|line| console.complain(line));
        }
        Ok(self.findings.is_empty())
    }
}

impl Finding {
    /// What the agent says of it.
    fn lines(&self) -> Vec<String> {
        match self {
            Finding::Missing { said, place } => vec![format!("{said}{}", suffix(place.as_ref()))],
            Finding::Cycles { said, .. } => vec![said.clone(), GIVES_UP.to_owned()],
        }
    }
}

fn suffix(place: Option<&Place>) -> String {
    match place {
        Some(Place { file, line }) if file.is_empty() => format!(" (line: {line})"),
        Some(Place { file, line }) => format!(" (file: {file}, line: {line})"),
        None => String::new(),
    }
}

fn write(file: &Path, drawing: &str) -> io::Result<()> {
    let reason = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", file.display()));
    write_file(file, drawing.as_bytes()).map_err(reason)
}
