//! The options that say which nodes are meant: names, and patterns of names.

use std::io::{self, BufRead, Write};

use clap::Args;
use pantin_repository::options::OpenError;
use pantin_repository::{AnswerError, Repository};
use pantin_values::Str;
use pantin_world::{Remark, Surroundings};

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
    /// Returns the nodes that are meant; without a name the one node that there is.
    pub(crate) fn select(&self, repository: &Repository, console: &ConsoleLog) -> Result<Vec<Str>, OpenError> {
        let names = self.names(repository)?;
        console.remarks(&repository.node_remarks(&self.node, &names));
        Ok(names)
    }

    /// Like `select`, for what is seldom about all nodes: of several that are known, and of which none is named, one is asked for at a
    /// terminal, or the first is taken and said to be.
    pub(crate) fn select_one(
        &self,
        repository: &Repository,
        console: &ConsoleLog,
        surroundings: &Surroundings,
    ) -> Result<Vec<Str>, OpenError> {
        match repository.one_node(None) {
            Err(AnswerError::NotOneNode(names)) if self.node.is_empty() => {
                let Some(first) = names.first() else { return self.select(repository, console) };
                let is_dialogue = surroundings.stdin_is_terminal && surroundings.stderr_is_terminal;
                let chosen = if is_dialogue { ask_for_node(&names)? } else { None };
                if chosen.is_none() {
                    let text = format!("of {} nodes {first} is taken; --node NAME says another", names.len());
                    console.remarks(&[Remark::warning(text)]);
                }
                let chosen = vec![chosen.unwrap_or_else(|| first.clone())];
                console.remarks(&repository.node_remarks(&[], &chosen));
                Ok(chosen)
            }
            _ => self.select(repository, console),
        }
    }

    /// The same for data, which is seldom the same for all nodes: it is told where nobody says what the facts are.
    pub(crate) fn select_for_data(
        &self,
        repository: &Repository,
        console: &ConsoleLog,
        surroundings: &Surroundings,
    ) -> Result<Vec<Str>, OpenError> {
        let names = self.select_one(repository, console, surroundings)?;
        console.remarks(self.unsaid_remark(repository, &names).as_slice());
        Ok(names)
    }

    /// Returns what there is to say of nodes whose facts nobody gave, where it was not said because nobody named one.
    pub(crate) fn unsaid_remark(&self, repository: &Repository, names: &[Str]) -> Option<Remark> {
        repository.unnamed_node_remark(names).filter(|_| self.node.is_empty())
    }

    /// The same for a catalog of the repository. `Err` also where nobody has named a node or said where facts are.
    pub(crate) fn select_named(&self, repository: &Repository, console: &ConsoleLog) -> Result<Vec<Str>, OpenError> {
        repository.named_nodes(&self.node)?;
        self.select(repository, console)
    }

    fn names(&self, repository: &Repository) -> Result<Vec<Str>, OpenError> {
        Ok(match self.node.as_slice() {
            [] => vec![repository.one_node(None).map_err(|error| match error {
                AnswerError::NotOneNode(_) => OpenError::Usage(format!("{error}; --node NAME says it")),
                other => other.into(),
            })?],
            patterns => repository.node_names(patterns)?,
        })
    }
}

/// So many nodes are named where one is asked for.
const OFFERED: usize = 20;

/// Asks at the terminal which node is meant, until the answer is one. `None`: the first one.
fn ask_for_node(names: &[Str]) -> Result<Option<Str>, OpenError> {
    let failed = |error: io::Error| OpenError::Failed(format!("cannot ask which node: {error}"));
    let mut to = io::stderr().lock();
    let offered: Vec<&str> = names.iter().take(OFFERED).map(Str::as_str).collect();
    let more = if names.len() > offered.len() { ", …" } else { "" };
    loop {
        let question = format!("Which node? There are {}{more} [{}]: ", offered.join(", "), offered[0]);
        write!(to, "{question}").and_then(|()| to.flush()).map_err(failed)?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).map_err(failed)? == 0 || line.trim().is_empty() {
            return Ok(None);
        }
        if let Some(name) = names.iter().find(|name| name.as_str() == line.trim()) {
            return Ok(Some(name.clone()));
        }
    }
}
