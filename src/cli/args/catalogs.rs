//! The options that change what is in a catalog, and which say what is known of nodes.

use clap::Args;
use pantin_repository::options::{CatalogOptions, ExportedSource, OpenError, Options};

use super::answers::AnswerArguments;
use super::encrypted::EncryptedArguments;
use super::node::RepositoryArguments;
use crate::nodes::graph_check::GraphArguments;

#[derive(Debug, Args)]
pub(crate) struct CatalogArguments {
    #[command(flatten)]
    pub(crate) answers: AnswerArguments,

    #[command(flatten)]
    encrypted: EncryptedArguments,

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
    repository: RepositoryArguments,
}

impl CatalogArguments {
    /// What these options say, where all that was typed is there.
    pub(crate) fn options(&self, exported: ExportedSource) -> Result<Options, OpenError> {
        self.repository.check()?;
        let catalogs = CatalogOptions {
            answers: self.answers.options(),
            missing_key: self.encrypted.missing_key(),
            exported,
            code_id: self.code_id.clone(),
            run_config_version: self.run_config_version,
            keeps_every_trace: false,
        };
        Ok(Options { catalogs, ..self.repository.options()? })
    }
}
