//! What keeps an agent from applying a catalog: missing resources in relationships, and cycles. As data that can be
//! stored.
//!
//! Knows nothing of how it is shown.

use pantin_model::catalog::kinds::Relation;
use pantin_model::catalog::{Catalog, Place};
use pantin_model::graph::{Cycle, Graph, Link, Reason, Vertex};
use serde::{Deserialize, Serialize};

/// The last words of an agent that has found cycles.
const GIVES_UP: &str = "Failed to apply catalog: One or more resource dependency cycles detected in graph";

/// What the relationship graph of one catalog has to say.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GraphFindings {
    pub findings: Vec<Finding>,
    /// Types of resources whose automatic relationships are not known.
    pub unknown_types: Vec<String>,
}

/// One thing that keeps the catalog from being applied. `message`: what the agent says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Finding {
    MissingDependency {
        message: String,
        place: Option<FileLine>,
    },
    Cycles {
        message: String,
        /// The shortest way around each.
        cycles: Vec<Vec<CycleStep>>,
    },
}

/// A resource of a cycle, and why it comes before the next one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CycleStep {
    pub resource: String,
    pub place: Option<FileLine>,
    pub reason: String,
}

/// A line of a file; empty where the code is in none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileLine {
    pub file: String,
    pub line: u32,
}

impl From<&Place> for FileLine {
    fn from(place: &Place) -> FileLine {
        FileLine { file: place.file.to_string(), line: place.line }
    }
}

impl GraphFindings {
    pub fn from_catalog(catalog: &Catalog) -> GraphFindings {
        let graph = Graph::from_catalog(catalog);
        GraphFindings::from_graph(catalog, &graph, &graph.cycles(), None)
    }

    /// `drawn`: the file in which the cycles are drawn, which the agent names.
    pub fn from_graph(catalog: &Catalog, graph: &Graph<'_>, cycles: &[Cycle], drawn: Option<&str>) -> GraphFindings {
        let missing = graph.missing().iter().map(|missing| Finding::MissingDependency {
            message: missing.message(catalog),
            place: graph.place(Vertex::Resource(missing.resource)).map(FileLine::from),
        });
        let mut findings: Vec<Finding> = missing.collect();
        if !cycles.is_empty() {
            let message = graph.message(cycles, drawn);
            let cycles = cycles.iter().map(|cycle| steps(graph, catalog, cycle)).collect();
            findings.push(Finding::Cycles { message, cycles });
        }
        let unknown_types = graph.unknown_types().iter().map(|name| (*name).to_owned()).collect();
        GraphFindings { findings, unknown_types }
    }

    /// The lines that an agent prints.
    pub fn lines(&self) -> Vec<String> {
        self.findings.iter().flat_map(Finding::lines).collect()
    }

    /// Every place that the findings name.
    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut FileLine> {
        self.findings.iter_mut().flat_map(|finding| -> Box<dyn Iterator<Item = &mut FileLine>> {
            match finding {
                Finding::MissingDependency { place, .. } => Box::new(place.iter_mut()),
                Finding::Cycles { cycles, .. } => {
                    Box::new(cycles.iter_mut().flatten().filter_map(|step| step.place.as_mut()))
                }
            }
        })
    }

    /// Every text that the findings have beside places.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let findings = self.findings.iter().flat_map(|finding| -> Box<dyn Iterator<Item = &str>> {
            match finding {
                Finding::MissingDependency { message, .. } => Box::new(std::iter::once(message.as_str())),
                Finding::Cycles { message, cycles } => {
                    let steps = cycles.iter().flatten().flat_map(|step| [step.resource.as_str(), step.reason.as_str()]);
                    Box::new(std::iter::once(message.as_str()).chain(steps))
                }
            }
        });
        findings.chain(self.unknown_types.iter().map(String::as_str))
    }
}

impl Finding {
    /// What the agent prints of it.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Finding::MissingDependency { message, place } => vec![format!("{message}{}", suffix(place.as_ref()))],
            Finding::Cycles { message, .. } => vec![message.clone(), GIVES_UP.to_owned()],
        }
    }
}

fn steps(graph: &Graph<'_>, catalog: &Catalog, cycle: &Cycle) -> Vec<CycleStep> {
    let around = cycle.shortest.iter().zip(cycle.shortest.iter().cycle().skip(1));
    let step = |(link, next): (&Link, &Link)| {
        let later = graph.name(next.vertex);
        let contains = match (link.vertex, next.vertex) {
            (Vertex::Resource(one), Vertex::Resource(other)) => catalog.edges.contains(&(one, other)),
            _ => false,
        };
        let reason = match link.reason {
            Reason::Contains if contains => format!("contains {later}"),
            Reason::Contains => format!("is a part of {later}"),
            Reason::Declared(relation) => format!("comes before {later}{}", parameter_that_says_so(relation, &later)),
            Reason::Automatic(relation) => {
                format!("comes before {later}{} by itself", parameter_that_says_so(relation, &later))
            }
        };
        let place = graph.place(link.vertex).map(FileLine::from);
        CycleStep { resource: graph.name(link.vertex), place, reason }
    };
    around.map(step).collect()
}

fn parameter_that_says_so(relation: Relation, later: &str) -> String {
    match relation {
        Relation::Require => ", which requires it".to_owned(),
        Relation::Subscribe => ", which subscribes to it".to_owned(),
        Relation::Before => format!(": it says `before => {later}`"),
        Relation::Notify => format!(": it notifies {later}"),
    }
}

fn suffix(place: Option<&FileLine>) -> String {
    match place {
        Some(FileLine { file, line }) if file.is_empty() => format!(" (line: {line})"),
        Some(FileLine { file, line }) => format!(" (file: {file}, line: {line})"),
        None => String::new(),
    }
}
