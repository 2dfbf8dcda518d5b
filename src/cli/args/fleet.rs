//! The options of a command that asks many nodes of a repository, and both sides of `--since`: a revision of git, and the working tree.

use std::io;

use clap::Args;
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::comparison::{SideInputs, SideModules, SideNames, open_sides};
use pantin_repository::options::{CacheOptions, OpenError, Options};
use pantin_values::Str;
use pantin_world::Surroundings;

use super::cache::CacheArguments;
use super::candidates;
use super::jobs::JobArguments;
use super::memory::MemoryArguments;
use super::repository::{RepositoryArguments, settle_exports};
use super::world::ManifestArguments;
use crate::print::console_log::{ConsoleLog, LogArguments};
use crate::print::progress::Progress;

#[derive(Debug, Args)]
pub(crate) struct FleetArguments {
    /// The nodes that are asked: names of certificates, or patterns with * and ?; may be given several times [default: all]
    #[arg(long = "nodes", alias = "node", value_name = "NODE", conflicts_with = "node_file", add = candidates::nodes())]
    pub(crate) nodes: Vec<String>,

    /// No progress
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    pub(crate) repository: RepositoryArguments,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    memory: MemoryArguments,

    #[command(flatten)]
    cache: CacheArguments,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

/// A repository that is open, its store too, with the nodes that are meant.
pub(crate) type OpenedFleet = (Repository, Vec<Str>);

impl FleetArguments {
    /// Begins a run: its log, which goes to standard error, and its threads.
    pub(crate) fn begin(&self, surroundings: &Surroundings) -> io::Result<ConsoleLog> {
        self.jobs.start_threads()?;
        Ok(self.log.console(surroundings, "<code>").with_all_to_err())
    }

    pub(crate) fn progress(&self, surroundings: &Surroundings, nodes: usize) -> Progress {
        Progress::for_nodes(self.quiet, surroundings, nodes)
    }

    /// Opens the repository as it is now. Its store is not open yet.
    pub(crate) fn open_repository(&self, console: &ConsoleLog) -> Result<Repository, OpenError> {
        self.main.check()?;
        let mut repository = self.repository.open(self.main.options(), &self.cache, console)?;
        repository.limit_memory(self.memory.bound()?);
        Ok(repository)
    }

    /// Opens the repository as it is now, with the nodes that are meant.
    pub(crate) fn open(&self, console: &ConsoleLog) -> Result<OpenedFleet, OpenError> {
        self.with_nodes(self.open_repository(console)?)
    }

    /// Chooses the nodes, opens the store, and compiles what they collect from each other.
    pub(crate) fn with_nodes(&self, repository: Repository) -> Result<OpenedFleet, OpenError> {
        let names = repository.named_nodes(&self.nodes)?;
        settled(repository, names)
    }

    /// Where answers are stored, as it was typed.
    pub(crate) fn cache(&self) -> CacheOptions {
        self.cache.options()
    }

    /// Opens a revision and the working tree, and says what there is to say of either. `inputs`: where the facts of the revision come
    /// from; `cache`: where both sides store answers.
    pub(crate) fn open_since(
        &self,
        revision: &str,
        inputs: SideInputs,
        cache: &CacheOptions,
        console: &ConsoleLog,
    ) -> Result<[OpenedFleet; 2], OpenError> {
        self.main.check()?;
        let options: Options = self.repository.options(self.main.options())?;
        let names = SideNames { from: Some(revision), to: None, inputs };
        let bound = self.memory.bound()?;
        let [from, to] = open_sides(&names, [&options, &options], &SideModules::default(), cache)?.map(|opened| {
            for remark in &opened.remarks {
                console.say(Level::Warning, remark).map_err(|error| error.to_string())?;
            }
            for module in &opened.modules {
                console.say(Level::Warning, &module.sentence()).map_err(|error| error.to_string())?;
            }
            let mut repository = opened.side.into_repository().ok_or_else(|| {
                OpenError::Usage(format!("{revision} is saved catalogs: nobody knows what they were made from"))
            })?;
            repository.limit_memory(bound.clone());
            console.remarks(&repository.compiler.world.remarks);
            Ok::<_, OpenError>(repository)
        });
        let (from, to) = (from?, self.with_nodes(to?)?);
        let from = match inputs {
            SideInputs::Shared => self.with_nodes(from)?,
            // A node may be new.
            SideInputs::OfEachSide => {
                let names = from.named_nodes(&self.nodes).unwrap_or_default();
                settled(from, names)?
            }
        };
        Ok([from, to])
    }
}

fn settled(mut repository: Repository, names: Vec<Str>) -> Result<OpenedFleet, OpenError> {
    repository.open_store();
    settle_exports(&mut repository, &names)?;
    Ok((repository, names))
}
