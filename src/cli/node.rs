//! `pantin node`: what is known of a node before its catalog is compiled, and which node block it gets.

use std::io;

use clap::Args;
use pantin_compile::NodeBlock;
use pantin_model::catalog::Rich;
use pantin_repository::Repository;
use pantin_repository::options::{CacheOptions, OpenError};
use pantin_repository::query::Prepared;
use pantin_repository::timings::Timings;
use pantin_values::Value;
use pantin_world::{NodeClasses, Remark, Surroundings};

use super::Exit;
use super::args::repository::RepositoryArguments;
use super::args::world::ManifestArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::escaped_json;

/// Show what is known of a node: facts, trusted data, classification, node block, environment
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin node web01.example.org --facts facts/ --enc /usr/local/bin/enc
  pantin node web01.example.org --os debian-12
  pantin node --node-file web01.json

Prints one JSON object: {name, environment, node_block, classes, parameters, facts, trusted, server_facts}. The node \
block is {name, file, line}, its name as it is written; null where the manifests have none, or none for this node, \
which is said. What JSON cannot say stands in it as {\"__ptype\": …, \"__pvalue\": …}.
Exit codes:
  0  it was printed
  1  the node, its facts or its environment cannot be had
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The node [default: the one that the facts or the file are of]
    #[arg(value_name = "NAME", conflicts_with = "node_file")]
    name: Option<String>,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let (prepared, block) = match arguments.prepare(&console) {
        Ok(known) => known,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let value = object(&prepared, block.as_ref());
    let json = serde_json::to_string_pretty(&Rich::from_value(&value)).map_err(io::Error::other)?;
    console.print(&escaped_json(json))?;
    Ok(Exit::Accepted)
}

impl Arguments {
    fn prepare(&self, console: &ConsoleLog) -> Result<(Prepared, Option<NodeBlock>), OpenError> {
        self.main.check()?;
        let options = self.repository.options(self.main.options())?;
        let repository = Repository::open(&options, &CacheOptions::Off, Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        let patterns: Vec<String> = self.name.iter().cloned().collect();
        repository.named_nodes(&patterns)?;
        let name = repository.one_node(self.name.as_ref())?;
        console.remarks(&repository.node_remarks(&patterns, std::slice::from_ref(&name)));
        let inputs = repository.inputs(&name)?;
        console.remarks(&inputs.node_remarks());
        console.remarks(&inputs.environment()?.remarks);
        console.remarks(&inputs.environment()?.own_remarks);
        let block = inputs.node_block()?.unwrap_or_else(|why| {
            console.remarks(&[Remark::warning(why)]);
            None
        });
        Ok((inputs.prepared, block))
    }
}

fn describe(block: &NodeBlock) -> Value {
    let NodeBlock { matcher: of, file, line } = block;
    let file = file.as_deref().map_or(Value::Undef, Value::from);
    let line = line.map_or(Value::Undef, |line| Value::Integer(line.into()));
    Value::hash([("name".into(), of.as_str().into()), ("file".into(), file), ("line".into(), line)])
}

fn object(prepared: &Prepared, block: Option<&NodeBlock>) -> Value {
    let node = &prepared.node;
    let classes = match &node.classes {
        NodeClasses::Names(names) => Value::array(names.iter().cloned().map(Value::String)),
        NodeClasses::WithParameters(classes) => Value::hash(classes.iter().map(|(name, parameters)| {
            let parameters = parameters.clone().map_or(Value::Undef, Value::Hash);
            (Value::String(name.clone()), parameters)
        })),
    };
    let members = [
        ("name", Value::from(node.name.as_str())),
        ("environment", Value::from(prepared.environment.name.as_str())),
        ("node_block", block.map_or(Value::Undef, describe)),
        ("classes", classes),
        ("parameters", Value::Hash(node.parameters.clone())),
        ("facts", Value::Hash(node.facts.clone())),
        ("trusted", Value::Hash(node.trusted.clone())),
        ("server_facts", Value::Hash(node.server_facts.clone())),
    ];
    Value::hash(members.into_iter().map(|(name, value)| (Value::from(name), value)))
}
