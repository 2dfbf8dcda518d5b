//! A repository and all its nodes: answers memoized in memory and on disk, nodes compiled in parallel, edits followed.
//!
//! Knows nothing of arguments or of terminals. A command line, a server or a test fills in [`Options`](options::Options) and opens a
//! [`Repository`]:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use pantin_repository::options::{CacheOptions, EnvironmentFolder, FactSource, Options};
//! use pantin_repository::timings::Timings;
//! use pantin_repository::{AnswerNeeds, Repository};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (folder, facts) = ("../../fixtures/control-repo", "../../fixtures/facts");
//! # let cache = tempfile::tempdir()?;
//! # let cache = cache.path();
//! // The repository in `folder`, and nodes whose facts stand in files of `facts`.
//! let mut options = Options { root: Some(folder.into()), ..Options::default() };
//! options.world.folder = EnvironmentFolder::At(folder.into());
//! options.nodes.facts = vec![FactSource::At(facts.into())];
//! let mut repository = Repository::open(&options, &CacheOptions::In(Some(cache.into())), Timings::none())?;
//! // Answers that earlier processes have stored are found from here on.
//! repository.open_store();
//!
//! // What is known of a node before it is compiled.
//! let inputs = repository.inputs("web01.example.org")?;
//! assert_eq!(inputs.prepared.environment.name, "production");
//!
//! // One node: its catalog, or why its code failed; the log; how many files that depends on.
//! let answer = repository.answer("web01.example.org", AnswerNeeds { catalog: true, ..AnswerNeeds::default() })?;
//! let catalog = answer.catalog.as_ref().ok_or("no catalog")?;
//! assert!(catalog.to_json()?.contains("web01.example.org"));
//! let (dependencies, _) = repository.count_dependencies(&answer, |_, _| true);
//! assert!(dependencies > 100);
//!
//! // Many nodes, on all threads, in order. Whoever breaks cancels the rest.
//! let names = repository.node_names(&[])?;
//! let mut compiled = 0;
//! let ended = repository.fleet(&names[..20], AnswerNeeds::default(), 0, |_, answer| {
//!     compiled += usize::from(answer.is_ok_and(|answer| answer.has_catalog()));
//!     if compiled < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//! })?;
//! assert!(ended.is_break() && compiled == 10);
//!
//! // Writes the new answers for later processes.
//! repository.close_store();
//! # Ok(())
//! # }
//! ```
//!
//! What an edit changes on which nodes says a [`watch::Session`]: it keeps all answers in memory, and starts from stored ones.
//!
//! ```
//! use std::sync::Arc;
//!
//! use pantin_repository::options::{CacheOptions, EnvironmentFolder, FactSource, Options};
//! use pantin_repository::watch::{Session, WatchOptions};
//! use pantin_world::{MachineDisk, Touched};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! # std::fs::create_dir_all(folder.join("manifests"))?;
//! # std::fs::create_dir_all(folder.join("facts"))?;
//! # std::fs::write(folder.join("facts/web01.json"), "{}")?;
//! std::fs::write(folder.join("manifests/site.pp"), "notify { 'one': }")?;
//! let mut options = Options { root: Some(folder.into()), ..Options::default() };
//! options.world.folder = EnvironmentFolder::At(folder.into());
//! options.nodes.facts = vec![FactSource::At(folder.join("facts"))];
//! let watched = WatchOptions { options, nodes: Vec::new(), cache: CacheOptions::Off, checks_graph: true, timings: None };
//! let mut session = Session::open(watched, Arc::new(MachineDisk::default()))?;
//! session.first().map_err(|reason| reason.to_string())?;
//!
//! std::fs::write(folder.join("manifests/site.pp"), "notify { 'one': } notify { 'two': }")?;
//! let edit = session.look(&Touched::Everything).ok_or("nothing was edited")?;
//! let round = session.round(edit).map_err(|reason| reason.to_string())?;
//! assert_eq!((round.changed.len(), round.changes.len()), (1, 1));
//! # Ok(())
//! # }
//! ```

pub mod answer;
mod answer_error;
pub mod bridge;
pub mod catalog_check;
mod class_nodes;
pub mod comparison;
pub mod configuration;
mod edited_paths;
mod environment_name;
mod exports;
mod fence;
pub mod file_check;
pub mod fleet;
pub mod graph_view;
pub mod hidden;
pub mod impact;
mod inputs;
pub mod inventory;
pub mod key_query;
pub mod messages;
pub mod node_compiler;
mod node_dependency;
pub mod node_groups;
pub mod node_selection;
pub mod node_sources;
pub mod options;
mod own_words;
mod pattern;
pub mod persist;
pub mod provenance;
pub mod query;
pub mod reads;
mod reasons;
mod repository;
pub mod resource_query;
mod stored_answers;
mod stored_uses;
pub mod timings;
pub mod unused;
pub mod watch;
pub mod world;

pub use answer_error::AnswerError;
pub use fence::{breach_of_typed_file, fenced_machine, read_to_show};
pub use inputs::{NodeInjection, NodeInputs};
pub use repository::{AnswerNeeds, Repository};
