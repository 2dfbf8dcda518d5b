//! `pantin query`: resources of many nodes, chosen by type, title, parameters and what is around them; and who asks for a key.

mod csv;
mod json;
mod keys;
mod remarks;
mod table;
mod values;

use std::io::{self};

use clap::{Args, ValueEnum};
use pantin_repository::Repository;
use pantin_repository::options::OpenError;
use pantin_repository::resource_query::{Column, QueryResult, ResourceQuery, Selector};
use pantin_values::Str;
use pantin_world::{Stopwatch, Surroundings};

use super::Exit;
use super::args::fleet::FleetArguments;
use super::print::colour::terminal_width;
use super::print::console_log::ConsoleLog;
use super::print::printable::{escaped_json, print_report};

const HELP_AFTER: &str = "\
Examples:
  pantin query 'Package[nginx]' --facts facts/
  pantin query 'Package[nginx] { ensure != absent }' --facts facts/
  pantin query 'File[/etc/*] { owner != root and not tag = web }' --show mode,group --facts facts/
  pantin query '{ class = profile::base and node = web* }' --each --facts facts/
  pantin query Service --show ensure,enable --group --facts facts/
  pantin query --key ntp::servers --facts facts/
  pantin query 'resources[certname, title] { type = \"Package\" and title ~ \"^ng\" }' --format csv --facts facts/

A selector is TYPE, TYPE[TITLE], TYPE[TITLE, TITLE], or one of these with conditions in braces; conditions alone choose among \
all resources. In a type, a title or a value without quotation marks * stands for any letters, and ? for one.
A condition is FIELD OPERATOR VALUE, or the name of a parameter alone: it is set. Conditions are joined by and, or, not and \
parentheses. Operators: =, !=, ~ and !~ (a regular expression), <, <=, >, >= (numbers, or versions).
A field is a parameter (ensure, parameters.ensure), a part of its value (options.timeout, servers.0), or one of: type; title; \
tag; class, any class that contains the resource; file, the end of its path is enough; line; node; environment; exported. A \
parameter of such a name is written parameters.tag. Of a value that is an array, any item may fit. != also fits where \
the parameter is not set.
A key is one of data or of bindings, * in it stands for any letters. Of each node that asks for it the value is told, the layer or the \
level that gave it with its place, and the code that asks; nodes are compiled for that.
A comparison with a secret (Sensitive, or decrypted by eyaml) is neither true nor false: the resource is left out, which is \
said. No secret is shown in any format.
Exit codes:
  0  every node was looked at, whether something was found or not
  1  a node has no catalog, something could not be read, or exports never settle
  2  wrong usage, no node matches, or the output could not be written";

/// Find resources on all nodes, by type, title, parameters, tags and classes, or who asks for a key
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    /// Which resources: of several selectors, those that any of them chooses [default: all]
    #[arg(value_name = "SELECTOR")]
    selectors: Vec<String>,

    /// In place of resources: who asks for this key of data or of bindings, which value it has there, and from where; may be
    /// given several times
    #[arg(long, value_name = "KEY", conflicts_with_all = ["selectors", "show", "group"])]
    key: Vec<String>,

    /// Show these as well as the parameters that the selectors name: parameters, parts of them such as options.timeout, * for
    /// all of them, and the words tag, class, file, line, environment, exported
    #[arg(long, value_name = "PARAM,…", value_delimiter = ',', value_parser = Column::parse)]
    show: Vec<Column>,

    /// Count: each resource once, on how many nodes it is, and on how many it has which value
    #[arg(long, conflicts_with = "each")]
    group: bool,

    /// A row for each resource of each node [default: what is alike on several nodes is shown once, with these nodes; in CSV
    /// each]
    #[arg(long)]
    each: bool,

    /// How resources are shown
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    fleet: FleetArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A table; long values are cut
    Text,
    /// One object
    Json,
    /// A row for each resource of each node
    Csv,
}

/// What is a row of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rows {
    /// A resource with the same values, on all nodes that have it.
    Alike,
    /// A resource of a node.
    Each,
    /// A resource, with counts.
    Counts,
}

/// What is shown, and how.
struct Shown<'a> {
    query: &'a ResourceQuery,
    selectors: &'a [String],
    result: &'a QueryResult,
    rows: Rows,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.fleet.begin(surroundings)?;
    let mut selectors = Vec::with_capacity(arguments.selectors.len());
    for text in &arguments.selectors {
        match Selector::parse(text) {
            Ok(selector) => selectors.push(selector),
            Err(error) => {
                remarks::refuse(text, &error, &console);
                return Ok(Exit::Failed);
            }
        }
    }
    let query = ResourceQuery::new(selectors, &arguments.show);
    let (mut repository, names) = match arguments.open(&console) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    if !arguments.key.is_empty() {
        return arguments.tell_keys(&mut repository, &names, surroundings, &console);
    }
    let result = arguments.find(&repository, &names, &query, surroundings)?;
    let shown = Shown { query: &query, selectors: &arguments.selectors, result: &result, rows: arguments.rows() };
    let text = match arguments.format {
        Format::Text => {
            table::report(&shown, arguments.fleet.log.has_colour(surroundings), terminal_width(surroundings))
        }
        Format::Json => escaped_json(json::report(&shown)? + "\n"),
        Format::Csv => csv::report(&shown)?,
    };
    print_report(&text, arguments.format == Format::Text, surroundings)?;
    remarks::tell(&result, &console)?;
    arguments.fleet.repository.close(&mut repository, &console)?;
    Ok(if result.failed.is_empty() { Exit::Accepted } else { Exit::Rejected })
}

impl Arguments {
    fn rows(&self) -> Rows {
        match (self.group, self.each || self.format == Format::Csv) {
            (true, _) => Rows::Counts,
            (false, true) => Rows::Each,
            (false, false) => Rows::Alike,
        }
    }

    fn open(&self, console: &ConsoleLog) -> Result<(Repository, Vec<Str>), OpenError> {
        let (repository, names) = self.fleet.open(console)?;
        console.remarks(&repository.node_remarks(&self.fleet.nodes, &names));
        Ok((repository, names))
    }

    /// Tells who asks for keys.
    fn tell_keys(
        &self,
        repository: &mut Repository,
        names: &[Str],
        surroundings: &Surroundings,
        console: &ConsoleLog,
    ) -> io::Result<Exit> {
        let running = Stopwatch::start();
        let mut progress = self.fleet.progress(surroundings, names.len());
        let result = repository.query_keys(names, &self.key, || progress.advance(running));
        progress.finish();
        let result = result?;
        let text = match self.format {
            Format::Text => {
                let has_colour = self.fleet.log.has_colour(surroundings);
                keys::table(&result, self.each, has_colour, terminal_width(surroundings))
            }
            Format::Json => escaped_json(keys::json(&result, &self.key, self.each)? + "\n"),
            Format::Csv => keys::csv(&result)?,
        };
        print_report(&text, self.format == Format::Text, surroundings)?;
        remarks::tell_unasked(&result.unasked, console)?;
        remarks::tell_failed(&result.failed, console);
        self.fleet.repository.close(repository, console)?;
        Ok(if result.failed.is_empty() { Exit::Accepted } else { Exit::Rejected })
    }

    fn find(
        &self,
        repository: &Repository,
        names: &[Str],
        query: &ResourceQuery,
        surroundings: &Surroundings,
    ) -> io::Result<QueryResult> {
        let running = Stopwatch::start();
        let mut progress = self.fleet.progress(surroundings, names.len());
        let result = repository.query_resources(names, query, 0, || progress.advance(running));
        progress.finish();
        result
    }
}
