//! The options that say which repository, what is known of its nodes, and what code may learn from elsewhere: shared by all
//! commands that run code of a repository.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_base::Language;
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::options::{CatalogOptions, FunctionSet, MainManifest, OpenError, Options};
use pantin_repository::timings::Timings;
use pantin_values::Str;

use super::answers::AnswerArguments;
use super::cache::CacheArguments;
use super::encrypted::EncryptedArguments;
use super::exported::exported_source;
use super::node::NodeArguments;
use super::own_ruby::OwnRubyArguments;
use super::world::WorldArguments;
use crate::print::console_log::ConsoleLog;

#[derive(Debug, Args)]
pub(crate) struct RepositoryArguments {
    #[command(flatten)]
    pub(crate) answers: AnswerArguments,

    #[command(flatten)]
    encrypted: EncryptedArguments,

    /// What the nodes collect of exported resources: what all other nodes export (the word fleet), or PuppetDB's answer to
    /// a query for resources, as JSON
    #[arg(long, value_name = "fleet|FILE")]
    exported: Option<PathBuf>,

    #[command(flatten)]
    node: NodeArguments,

    #[command(flatten)]
    own_ruby: OwnRubyArguments,

    #[command(flatten)]
    world: WorldArguments,
}

impl RepositoryArguments {
    /// Returns what these options say, where all that was typed is there. `main`: what is evaluated first.
    pub(crate) fn options(&self, main: MainManifest) -> Result<Options, OpenError> {
        // What goes later is for whoever follows edits.
        self.world.check()?;
        self.node.check()?;
        self.own_ruby.check()?;
        let catalogs = CatalogOptions {
            answers: self.answers.options(),
            missing_key: self.encrypted.missing_key(),
            exported: exported_source(self.exported.as_deref()),
            ..CatalogOptions::default()
        };
        Ok(Options {
            world: self.world.options(),
            main,
            nodes: self.node.options()?,
            ruby: self.own_ruby.options(),
            catalogs,
            functions: FunctionSet::default(),
            reads_configuration: true,
            root: None,
        })
    }
}

impl RepositoryArguments {
    /// Returns the folders of modules that were typed, divided by colons.
    pub(crate) fn modulepath(&self) -> Option<&str> {
        self.world.modulepath()
    }

    /// Returns the name and the folders of an environment that was typed by its name.
    pub(crate) fn named_environment(&self) -> Option<(&str, Option<&str>)> {
        self.world.named_environment()
    }

    /// Returns true if an environment was typed.
    pub(crate) fn names_environment(&self) -> bool {
        self.world.names_environment()
    }

    pub(crate) fn confdir(&self) -> Option<&Path> {
        self.world.confdir()
    }

    /// Returns the settings that were typed.
    pub(crate) fn settings(&self) -> &[(String, String)] {
        self.world.settings()
    }

    /// Returns the version that was typed.
    pub(crate) fn language(&self) -> Option<Language> {
        self.world.language()
    }

    /// The repository of these options, with what opening it had to say printed. `Err` also where there is no code to compile.
    pub(crate) fn open(
        &self,
        main: MainManifest,
        cache: &CacheArguments,
        console: &ConsoleLog,
    ) -> Result<Repository, OpenError> {
        let repository = Repository::open(&self.options(main)?, &cache.options(), Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        repository.compiler.world.lack_of_code().map_or(Ok(repository), |reason| Err(OpenError::Usage(reason)))
    }

    /// Writes what a run adds to the store, and to the file of recorded answers; says what went wrong with the store.
    pub(crate) fn close(&self, repository: &mut Repository, console: &ConsoleLog) -> io::Result<()> {
        repository.close_store();
        for trouble in repository.store_troubles() {
            console.say(Level::Warning, &trouble)?;
        }
        self.answers.keep(&repository.compiler.answers)
    }
}

/// With `--exported fleet`: compiles all nodes, so that these collect what the others export. `Err`: that never settles.
pub(crate) fn settle_exports(repository: &mut Repository, names: &[Str]) -> Result<(), OpenError> {
    if !repository.exchanges {
        return Ok(());
    }
    let settled = repository.settle_exports(names).map_err(|error| error.to_string())?;
    settled.unsettled.map_or(Ok(()), |unsettled| Err(OpenError::Failed(unsettled.to_string())))
}
