//! The options that change what is in a catalog, and which say what is known of nodes.

use clap::Args;
use pantin_repository::options::{CatalogOptions, OpenError, Options};

use super::repository::RepositoryArguments;
use super::world::ManifestArguments;
use crate::nodes::graph_check::{GraphArguments, ResourceCheckArguments};

#[derive(Debug, Args)]
pub(crate) struct CatalogArguments {
    /// The version of the code, which makes catalogs static: they hold what a server would say of the files of modules,
    /// unless the environment has static_catalogs = false
    #[arg(long, value_name = "ID")]
    code_id: Option<String>,

    /// Run the environment's config_version for the version of catalogs [default: the time]
    #[arg(long)]
    run_config_version: bool,

    #[command(flatten)]
    pub(crate) graph: GraphArguments,

    #[command(flatten)]
    resources: ResourceCheckArguments,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    pub(crate) repository: RepositoryArguments,
}

impl CatalogArguments {
    /// Returns what these options say, where all that was typed is there.
    pub(crate) fn options(&self) -> Result<Options, OpenError> {
        self.main.check()?;
        let options = self.repository.options(self.main.options())?;
        let catalogs = CatalogOptions {
            code_id: self.code_id.clone(),
            run_config_version: self.run_config_version,
            checks_resources: self.resources.typed(),
            ..options.catalogs
        };
        Ok(Options { catalogs, ..options })
    }
}
