//! The options that say which nodes are meant: names, and patterns of names.

use clap::Args;
use pantin_repository::options::OpenError;
use pantin_repository::{AnswerError, Repository};
use pantin_values::Str;

use super::candidates;
use crate::print::console_log::ConsoleLog;

/// The nodes of a command whose arguments are nodes.
#[derive(Debug, Args)]
pub(crate) struct NodeNames {
    /// The nodes: names of certificates, or patterns with * and ? [default: all nodes that there are facts of]
    #[arg(value_name = "NODE", conflicts_with = "node_file", add = candidates::nodes())]
    nodes: Vec<String>,

    /// The same as NODE; may be given several times
    #[arg(
        long = "nodes",
        alias = "node",
        value_name = "NODE",
        conflicts_with = "node_file",
        add = candidates::nodes()
    )]
    named: Vec<String>,
}

impl NodeNames {
    pub(crate) fn patterns(&self) -> Vec<String> {
        self.nodes.iter().chain(&self.named).cloned().collect()
    }
}

/// The nodes of a command whose arguments are something else.
#[derive(Debug, Args)]
pub(crate) struct NodeOption {
    /// The node: the name of its certificate, or a pattern with * and ? for several; may be given several times
    #[arg(
        long = "node",
        alias = "nodes",
        value_name = "NODE",
        conflicts_with = "node_file",
        add = candidates::nodes()
    )]
    node: Vec<String>,
}

impl NodeOption {
    /// The nodes that are meant; without a name the one node that there is.
    pub(crate) fn select(&self, repository: &Repository, console: &ConsoleLog) -> Result<Vec<Str>, OpenError> {
        let names = match self.node.as_slice() {
            [] => vec![repository.one_node(None).map_err(|error| match error {
                AnswerError::NotOneNode(_) => OpenError::Usage(format!("{error}; --node NAME says it")),
                other => other.into(),
            })?],
            patterns => repository.node_names(patterns)?,
        };
        console.remarks(&repository.node_remarks(&self.node, &names));
        Ok(names)
    }
}
