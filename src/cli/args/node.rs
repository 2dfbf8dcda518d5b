//! The options that say what is known of nodes: facts, a node's file, an ENC.

use std::path::PathBuf;

use clap::Args;
use pantin_repository::options::{
    CatalogOptions, EncOptions, FactSource, FunctionSet, NodeOptions, OpenError, Options,
};
use pantin_world::facts::os_names;

use super::own_ruby::OwnRubyArguments;
use super::world::{ManifestArguments, WorldArguments};

/// Where facts may come from by the name of it.
const PUPPETDB_EXPORT: &str = "puppetdb-export";

#[derive(Debug, Args)]
#[command(next_help_heading = "Nodes")]
pub(crate) struct NodeArguments {
    /// Facts: a JSON or YAML file, a folder with a file for each node, or an export of PuppetDB
    #[arg(long, value_name = "FILE|DIR")]
    facts: Option<PathBuf>,

    /// Facts as another tool has them. KIND is puppetdb-export: PuppetDB's answer to a query for facts, or for its
    /// inventory
    #[arg(long, num_args = 2, value_names = ["KIND", "FILE"], conflicts_with_all = ["facts", "os", "node_file"])]
    facts_from: Option<Vec<String>>,

    /// Made-up facts of a fresh machine with this operating system, such as debian-12
    #[arg(long, value_name = "NAME", conflicts_with_all = ["facts", "node_file"], value_parser = operating_system)]
    os: Option<&'static str>,

    /// All about one node: an object with name, facts, trusted, server_facts, classes, parameters, environment and
    /// settings
    #[arg(long, value_name = "FILE", conflicts_with_all = ["facts", "enc"])]
    node_file: Option<PathBuf>,

    /// A command that classifies nodes, called with the node's name
    #[arg(long, value_name = "CMD")]
    enc: Option<String>,

    /// Keep the answers of the ENC in this folder, and do not ask again for those that are there
    #[arg(long, value_name = "DIR")]
    enc_answers: Option<PathBuf>,

    /// Ask the ENC again, and keep what it says now
    #[arg(long, requires = "enc_answers")]
    refresh_enc: bool,
}

/// The options that say which repository, what is evaluated of it first, and what is known of its nodes.
#[derive(Debug, Args)]
pub(crate) struct RepositoryArguments {
    #[command(flatten)]
    first: ManifestArguments,

    #[command(flatten)]
    node: NodeArguments,

    #[command(flatten)]
    own_ruby: OwnRubyArguments,

    #[command(flatten)]
    world: WorldArguments,
}

impl RepositoryArguments {
    /// What these options say, with catalogs as they are by default.
    pub(crate) fn options(&self) -> Result<Options, OpenError> {
        Ok(Options {
            world: self.world.options(),
            main: self.first.options(),
            nodes: self.node.options()?,
            ruby: self.own_ruby.options(),
            catalogs: CatalogOptions::default(),
            functions: FunctionSet::default(),
            root: None,
        })
    }

    /// Whether what was typed is there. It is asked once: what goes later is for whoever follows edits.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        self.world.check()?;
        self.first.check()?;
        self.own_ruby.check()
    }
}

fn operating_system(name: &str) -> Result<&'static str, String> {
    os_names().find(|known| *known == name).ok_or_else(|| {
        let known: Vec<&str> = os_names().collect();
        format!("there are {}", known.join(", "))
    })
}

impl NodeArguments {
    pub(crate) fn options(&self) -> Result<NodeOptions, OpenError> {
        let facts = match (self.facts_from.as_deref(), &self.facts, self.os) {
            (Some([kind, file]), ..) if kind == PUPPETDB_EXPORT => FactSource::At(PathBuf::from(file)),
            (Some([kind, ..]), ..) => {
                return Err(OpenError::Usage(format!("facts are taken from {PUPPETDB_EXPORT}, not from '{kind}'")));
            }
            (_, Some(path), _) => FactSource::At(path.clone()),
            (_, None, Some(name)) => FactSource::OperatingSystem(name),
            (_, None, None) => FactSource::None,
        };
        let enc =
            EncOptions { command: self.enc.clone(), answers: self.enc_answers.clone(), refresh: self.refresh_enc };
        Ok(NodeOptions { facts, node_file: self.node_file.clone(), enc })
    }
}
