//! The options that say what is known of nodes: facts, a node's file, an ENC.

use std::path::PathBuf;

use clap::Args;
use pantin_base::nearest;
use pantin_repository::options::{EncOptions, FactChange, FactSource, NodeOptions, OpenError};
use pantin_world::facts::check_os_name;

use super::candidates;
use super::given_paths::check_present;

/// Where facts may come from by the name of it.
const PUPPETDB_EXPORT: &str = "puppetdb-export";

#[derive(Debug, Args)]
#[command(next_help_heading = "Nodes")]
pub(crate) struct NodeArguments {
    /// Facts: a JSON or YAML file, a folder with a file for each node, or an export of PuppetDB; may be given several
    /// times, each with nodes of its own
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "node_file")]
    facts: Vec<PathBuf>,

    /// Facts as another tool has them. KIND is puppetdb-export: PuppetDB's answer to a query for facts, or for its
    /// inventory
    #[arg(long, num_args = 2, value_names = ["KIND", "FILE"], conflicts_with = "node_file")]
    facts_from: Option<Vec<String>>,

    /// Made-up facts of a fresh machine with this operating system, such as debian-12; given several times, each is a node
    /// of that name
    #[arg(long, value_name = "NAME", conflicts_with = "node_file", value_parser = operating_system, add = candidates::operating_systems())]
    os: Vec<String>,

    /// Set a fact of every node: os.release.major=13. The value is JSON, or a text; what was a text stays one. May be given
    /// several times
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "node_file", value_parser = FactChange::parse)]
    fact: Vec<FactChange>,

    /// Set a trusted fact of every node: extensions.pp_role=web. The value is JSON, or a text. May be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = trusted_fact)]
    trusted: Vec<FactChange>,

    /// All about one node: an object with name, facts, trusted, server_facts, classes, parameters, environment and
    /// settings
    #[arg(long, value_name = "FILE", conflicts_with = "enc")]
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

    /// The environment that an agent asks for: environments.pp sees it as $agent_environment [default: the fact
    /// agent_specified_environment]
    #[arg(long, value_name = "NAME")]
    agent_environment: Option<String>,
}

/// What `$trusted` has, by its first names.
const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];

/// Reads `NAME=VALUE` of a trusted fact.
fn trusted_fact(text: &str) -> Result<FactChange, String> {
    let change =
        FactChange::parse(text).map_err(|reason| reason.replace("os.release.major=13", "extensions.pp_role=web"))?;
    let name = change.name();
    let first = name.split('.').next().unwrap_or_default();
    if TRUSTED.contains(&first) {
        return Ok(change);
    }
    let near = nearest(first, TRUSTED).map_or_else(|| format!("extensions.{name}"), str::to_owned);
    Err(format!("$trusted has no '{first}'; did you mean {near}?"))
}

/// Returns the name of an operating system whose facts can be made up.
pub(crate) fn operating_system(name: &str) -> Result<String, String> {
    check_os_name(name).map(|()| name.to_owned())
}

impl NodeArguments {
    /// Whether what was typed is there.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        self.facts.iter().try_for_each(|path| check_present("--facts", path))?;
        match self.facts_from.as_deref() {
            Some([kind, file]) if kind == PUPPETDB_EXPORT => check_present("--facts-from", file.as_ref()),
            _ => Ok(()),
        }
    }

    pub(crate) fn options(&self) -> Result<NodeOptions, OpenError> {
        let mut facts: Vec<FactSource> = self.facts.iter().cloned().map(FactSource::At).collect();
        match self.facts_from.as_deref() {
            Some([kind, file]) if kind == PUPPETDB_EXPORT => facts.push(FactSource::At(PathBuf::from(file))),
            Some([kind, ..]) => {
                return Err(OpenError::Usage(format!("facts are taken from {PUPPETDB_EXPORT}, not from '{kind}'")));
            }
            Some([]) | None => {}
        }
        facts.extend(self.os.iter().cloned().map(FactSource::OperatingSystem));
        let enc =
            EncOptions { command: self.enc.clone(), answers: self.enc_answers.clone(), refresh: self.refresh_enc };
        Ok(NodeOptions {
            facts,
            fact_changes: self.fact.clone(),
            trusted_changes: self.trusted.clone(),
            classes: Vec::new(),
            node_file: self.node_file.clone(),
            enc,
            agent_environment: self.agent_environment.clone(),
        })
    }
}
