//! What keeps an agent from applying a catalog: missing resources in relationships, cycles, and resources that it refuses. As data
//! that can be stored.
//!
//! Knows nothing of how it is shown.

use std::cell::OnceCell;
use std::sync::Arc;

use pantin_apply::{ModulePlugins, ModuleType, NodeSystem, check_catalog};
use pantin_compile::{CheckedType, Site};
use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::kinds::Relation;
use pantin_model::catalog::{Catalog, Place, Resource};
use pantin_model::graph::{Cycle, Graph, Link, Reason, Vertex};
use pantin_world::Dependencies;
use serde::{Deserialize, Serialize};

/// The last words of an agent that has found cycles.
const GIVES_UP: &str = "Failed to apply catalog: One or more resource dependency cycles detected in graph";

/// What is checked of a catalog, and counts as a failure of its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Relationships lead to resources that are there, and in no circle.
    pub graph: bool,
    /// The agent takes every resource.
    pub resources: bool,
}

impl Checks {
    pub fn is_nothing(self) -> bool {
        !self.graph && !self.resources
    }
}

/// What an agent would say of one catalog before it applies anything.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CatalogFindings {
    pub findings: Vec<Finding>,
    /// Types of resources whose automatic relationships are not known.
    pub unknown_types: Vec<String>,
}

/// One thing that keeps the catalog from being applied. `message`: what the agent says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Finding {
    RefusedResource {
        message: String,
        place: Option<FileLine>,
        /// What probably mends it.
        help: Option<String>,
    },
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
    /// A binding says that it comes before the next one.
    pub is_bound: bool,
}

/// A line of a file; empty where the code is in none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileLine {
    pub file: String,
    pub line: u32,
}

/// What the modules of an environment bring, read when somebody asks: few resources need it.
pub(crate) struct SitePlugins<'s> {
    site: &'s Site,
    asked: OnceCell<pantin_compile::ModulePlugins>,
    /// How often what they bring was edited in this process.
    edits: u64,
}

impl<'s> SitePlugins<'s> {
    pub(crate) fn new(site: &'s Site) -> SitePlugins<'s> {
        SitePlugins { site, asked: OnceCell::new(), edits: 0 }
    }

    /// The same after so many edits of what the modules bring: nothing that was found before is believed.
    pub(crate) fn since_edit(self, edits: u64) -> SitePlugins<'s> {
        SitePlugins { edits, ..self }
    }

    fn plugins(&self) -> &pantin_compile::ModulePlugins {
        self.asked.get_or_init(|| self.site.module_plugins())
    }

    /// Returns what the answers depend on; `None` if nobody has asked.
    pub(crate) fn dependencies(&self) -> Option<Dependencies> {
        self.asked.get().map(pantin_compile::ModulePlugins::dependencies)
    }
}

impl ModulePlugins for SitePlugins<'_> {
    fn has_provider(&self, type_name: &str, name: &str) -> bool {
        self.plugins().has_provider(type_name, name)
    }

    fn type_file(&self, type_name: &str) -> Option<Vec<u8>> {
        self.plugins().type_file(type_name)
    }

    fn edits(&self) -> u64 {
        self.edits
    }

    fn module_type(&self, name: &str) -> Option<Arc<dyn ModuleType>> {
        self.plugins().checked_type(name).map(|kind| Arc::new(RubyType(kind)) as Arc<dyn ModuleType>)
    }
}

/// A type that a module declares in Ruby.
struct RubyType(Arc<CheckedType>);

impl ModuleType for RubyType {
    fn number(&self) -> u64 {
        self.0.number()
    }

    fn refusal(&self, resource: &Resource) -> Option<String> {
        self.0.refusal(resource)
    }
}

impl From<&Place> for FileLine {
    fn from(place: &Place) -> FileLine {
        FileLine { file: place.file.to_string(), line: place.line }
    }
}

impl CatalogFindings {
    /// Checks the relationship graph, and each resource as the agent of a node with this system would.
    pub fn from_catalog(catalog: &Catalog, system: &NodeSystem, modules: &dyn ModulePlugins) -> CatalogFindings {
        CatalogFindings::from_graph_alone(catalog).with_resources(
            catalog,
            (system, modules),
            &DecryptedTexts::default(),
        )
    }

    /// Checks the relationship graph alone.
    pub(crate) fn from_graph_alone(catalog: &Catalog) -> CatalogFindings {
        let graph = Graph::from_catalog(catalog);
        CatalogFindings::from_graph(catalog, &graph, &graph.cycles(), None)
    }

    /// Adds the resources that the agent would refuse: it says that before anything of the graph. `decrypted`: what is shown to nobody.
    #[must_use]
    pub(crate) fn with_resources(
        mut self,
        catalog: &Catalog,
        (system, modules): (&NodeSystem, &dyn ModulePlugins),
        decrypted: &DecryptedTexts,
    ) -> CatalogFindings {
        let hidden = |text: String| decrypted.hide_in_text(&text).unwrap_or(text);
        let refused = check_catalog(catalog, system, modules).into_iter().map(|refusal| {
            let place = catalog.resources.get(refusal.resource as usize).and_then(|resource| resource.place.as_ref());
            Finding::RefusedResource {
                message: hidden(refusal.message),
                place: place.map(FileLine::from),
                help: refusal.help.map(hidden),
            }
        });
        self.findings.splice(..0, refused);
        self
    }

    /// Replaces what is said of the graph, and keeps what is said of resources.
    pub fn set_graph(&mut self, graph: &CatalogFindings) {
        self.findings.retain(Finding::is_of_resource);
        self.findings.extend(graph.findings.iter().filter(|finding| !finding.is_of_resource()).cloned());
        self.unknown_types.clone_from(&graph.unknown_types);
    }

    /// Returns these findings without those that do not count.
    pub(crate) fn counting(&self, checks: Checks) -> CatalogFindings {
        CatalogFindings { findings: self.counted(checks).cloned().collect(), unknown_types: self.unknown_types.clone() }
    }

    /// Returns what is known of the graph, if nothing of it keeps an agent from applying the catalog.
    pub(crate) fn graph_if_fine(&self) -> Option<CatalogFindings> {
        let is_fine = self.findings.iter().all(Finding::is_of_resource);
        is_fine.then(|| CatalogFindings { findings: Vec::new(), unknown_types: self.unknown_types.clone() })
    }

    /// Returns the findings that count.
    pub fn counted(&self, checks: Checks) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| match finding {
            Finding::RefusedResource { .. } => checks.resources,
            Finding::MissingDependency { .. } | Finding::Cycles { .. } => checks.graph,
        })
    }

    /// `drawn`: the file in which the cycles are drawn, which the agent names.
    pub fn from_graph(catalog: &Catalog, graph: &Graph<'_>, cycles: &[Cycle], drawn: Option<&str>) -> CatalogFindings {
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
        CatalogFindings { findings, unknown_types }
    }

    /// Returns every place that the findings name.
    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut FileLine> {
        self.findings.iter_mut().flat_map(|finding| -> Box<dyn Iterator<Item = &mut FileLine>> {
            match finding {
                Finding::RefusedResource { place, .. } | Finding::MissingDependency { place, .. } => {
                    Box::new(place.iter_mut())
                }
                Finding::Cycles { cycles, .. } => {
                    Box::new(cycles.iter_mut().flatten().filter_map(|step| step.place.as_mut()))
                }
            }
        })
    }

    /// Returns every text that the findings have beside places.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let findings = self.findings.iter().flat_map(|finding| -> Box<dyn Iterator<Item = &str>> {
            match finding {
                Finding::MissingDependency { message, .. } => Box::new(std::iter::once(message.as_str())),
                Finding::RefusedResource { message, help, .. } => {
                    Box::new(std::iter::once(message.as_str()).chain(help.as_deref()))
                }
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
    /// Returns true if it is about a resource alone, and not about relationships.
    fn is_of_resource(&self) -> bool {
        matches!(self, Finding::RefusedResource { .. })
    }

    /// Returns what the agent prints of it.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Finding::RefusedResource { message, place, .. } | Finding::MissingDependency { message, place } => {
                vec![format!("{message}{}", suffix(place.as_ref()))]
            }
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
        let bound_at = match link.reason {
            Reason::Declared(_) => bound_at(catalog, &graph.name(link.vertex), &later),
            Reason::Contains | Reason::Automatic(_) => None,
        };
        let is_bound = bound_at.is_some();
        let reason = match link.reason {
            Reason::Contains if contains => format!("contains {later}"),
            Reason::Contains => format!("is a part of {later}"),
            Reason::Declared(relation) => match bound_at {
                Some(at) => format!("comes before {later}, as is bound at {at}"),
                None => format!("comes before {later}{}", parameter_that_says_so(relation, &later)),
            },
            Reason::Automatic(relation) => {
                format!("comes before {later}{} by itself", parameter_that_says_so(relation, &later))
            }
        };
        let place = graph.place(link.vertex).map(FileLine::from);
        CycleStep { resource: graph.name(link.vertex), place, reason, is_bound }
    };
    around.map(step).collect()
}

/// Returns where bindings say that one resource comes before another.
fn bound_at<'c>(catalog: &'c Catalog, earlier: &str, later: &str) -> Option<&'c str> {
    let bound = catalog.bound_edges.iter().find(|edge| edge.from == earlier && edge.to == later);
    bound.map(|edge| edge.at.as_str())
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may panic, and sets up files")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pantin_apply::NoModulePlugins;
    use pantin_base::Language;
    use pantin_values::{Hash, Str, Value};

    use super::*;
    use crate::Repository;
    use crate::options::{CacheOptions, EnvironmentFolder, FactSource, Options};
    use crate::timings::Timings;

    /// Takes every resource, and counts the things.
    struct CountingType(Arc<AtomicUsize>);

    impl ModuleType for CountingType {
        fn number(&self) -> u64 {
            1
        }

        fn refusal(&self, resource: &Resource) -> Option<String> {
            self.0.fetch_add(usize::from(resource.type_name == "Thing"), Ordering::Relaxed);
            None
        }
    }

    struct CountingPlugins(Arc<AtomicUsize>);

    impl ModulePlugins for CountingPlugins {
        fn has_provider(&self, type_name: &str, name: &str) -> bool {
            NoModulePlugins.has_provider(type_name, name)
        }

        fn type_file(&self, type_name: &str) -> Option<Vec<u8>> {
            NoModulePlugins.type_file(type_name)
        }

        fn module_type(&self, _: &str) -> Option<Arc<dyn ModuleType>> {
            Some(Arc::new(CountingType(Arc::clone(&self.0))))
        }
    }

    #[test]
    fn resources_that_differ_in_tags_and_lines_alone_are_checked_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("environment.conf", "modulepath = modules\n");
        write(
            "modules/things/lib/puppet/type/thing.rb",
            "Puppet::Type.newtype(:thing) do\n  newparam(:name, namevar: true)\n  newparam(:size)\nend\n",
        );
        write(
            "manifests/site.pp",
            "node a {\n  tag('one')\n  thing { 't': size => 1 }\n}\n\nnode b {\n  tag('two')\n  thing { 't': size => 1 }\n}\n\
             node c { thing { 't': size => 2 } }\n",
        );
        let mut options = Options { root: Some(folder.path().to_owned()), ..Options::default() };
        options.world.folder = EnvironmentFolder::At(folder.path().to_owned());
        let facts: Hash = [(Value::from("kernel"), Value::from("Linux"))].into_iter().collect();
        options.nodes.facts =
            ["a", "b", "c"].map(|name| FactSource::Known(Str::from(name), facts.clone())).into_iter().collect();
        let repository = Repository::open(&options, &CacheOptions::Off, Timings::none()).unwrap();
        let checked = Arc::new(AtomicUsize::new(0));
        let system = NodeSystem::from_facts(&facts, Language::Puppet8);
        for (name, so_far) in [("a", 1), ("b", 1), ("c", 2)] {
            let catalog = repository.inputs(name).unwrap().compile().unwrap().result.unwrap();
            assert!(catalog.resources.iter().any(|resource| resource.type_name == "Thing"));
            assert_eq!(check_catalog(&catalog, &system, &CountingPlugins(Arc::clone(&checked))), []);
            assert_eq!(checked.load(Ordering::Relaxed), so_far, "{name}");
        }
    }
}
