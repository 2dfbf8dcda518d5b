//! `pantin node`: what is known of a node before its catalog is compiled.

use std::io;

use clap::Args;

use super::Exit;
use super::console_log::{ConsoleLog, LogArguments};
use super::node_args::NodeArguments;
use super::printable::escaped_json;
use super::world_args::{Refused, WorldArguments};
use crate::catalog::Rich;
use crate::pcore::{Str, Value};
use crate::query::Prepared;
use crate::world::{NodeClasses, Surroundings};

/// Show what is known of a node: facts, trusted data, classification, environment
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin node web01.example.org --facts facts/ --enc /usr/local/bin/enc
  pantin node web01.example.org --os debian-12
  pantin node --node-file web01.json

Prints one JSON object: {name, environment, classes, parameters, facts, trusted, server_facts}. What
JSON cannot say stands in it as {\"__ptype\": …, \"__pvalue\": …}.
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
    node: NodeArguments,

    #[command(flatten)]
    world: WorldArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let prepared = match arguments.prepared(&console) {
        Ok(prepared) => prepared,
        Err(refused) => return Ok(refused.tell(&console)),
    };
    let value = object(&prepared);
    let json = serde_json::to_string_pretty(&Rich::of(&value)).map_err(io::Error::other)?;
    console.print(&escaped_json(json))?;
    Ok(Exit::Accepted)
}

impl Arguments {
    fn prepared(&self, console: &ConsoleLog) -> Result<Prepared, Refused> {
        let mut world = self.world.world()?;
        let disk = std::sync::Arc::clone(&world.disk);
        let sources = self.node.sources(&mut world, &*disk)?;
        console.remarks(&world.remarks);
        let names = sources.names(self.name.as_slice());
        let [name] = names.as_slice() else {
            let some: Vec<&str> = names.iter().take(10).map(Str::as_str).collect();
            let more = if names.len() > some.len() { " …" } else { "" };
            return Err(Refused::Usage(format!("which node? There are {}{more}", some.join(", "))));
        };
        let prepared = sources.prepare(&world, std::slice::from_ref(name)).pop();
        let prepared = prepared.ok_or_else(|| Refused::Usage("no node is named".to_owned()))??;
        console.remarks(&prepared.remarks);
        console.remarks(&prepared.node.clashes(&prepared.environment.name));
        Ok(prepared)
    }
}

fn object(prepared: &Prepared) -> Value {
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
        ("classes", classes),
        ("parameters", Value::Hash(node.parameters.clone())),
        ("facts", Value::Hash(node.facts.clone())),
        ("trusted", Value::Hash(node.trusted.clone())),
        ("server_facts", Value::Hash(node.server_facts.clone())),
    ];
    Value::hash(members.into_iter().map(|(name, value)| (Value::from(name), value)))
}
