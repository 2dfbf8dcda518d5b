//! `pantin graph`: containment and relationships of one node's catalog, as a drawing.

mod dot;
mod html;
mod json;

use std::io::{self};

use clap::{Args, ValueEnum};
use pantin_repository::graph_view::{GraphSelection, GraphView};
use pantin_repository::options::OpenError;
use pantin_repository::{AnswerNeeds, Repository};
use pantin_values::Str;
use pantin_world::Surroundings;

use super::Exit;
use super::args::cache::CacheArguments;
use super::args::names::NodeOption;
use super::args::repository::{RepositoryArguments, settle_exports};
use super::args::world::ManifestArguments;
use super::nodes::catalog_output::catalog_data;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::{escaped_json, print_report};

const HELP_AFTER: &str = "\
Examples:
  pantin graph --node web01.example.org --facts facts/ --format html > web01.html
  pantin graph --node web01.example.org --facts facts/ --around 'Service[nginx]' --depth 2 | dot -Tsvg > nginx.svg
  pantin graph --node web01.example.org --facts facts/ --class profile::web --format json

What is applied first stands above what follows it. Containers (classes, defined types) are boxes. Relationships of a dependency \
cycle are red, and so are resources that are wanted and are not in the catalog.
With --around and --class, what stands around a resource that is shown is shown too: the classes that contain it.
The drawings that an agent writes with its --graph: pantin compile --graph.
Exit codes:
  0  the graph was drawn, whatever is wrong with it
  1  the node has no catalog, or no such resource, or something could not be read
  2  wrong usage, or the output could not be written";

/// Draw what contains what and what comes before what in the catalog of a node
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    node: NodeOption,

    /// How the graph is drawn
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    format: Format,

    /// Only what is related to this resource, and what it contains: File[/etc/motd]; may be given several times
    #[arg(long, value_name = "RESOURCE")]
    around: Vec<String>,

    /// Only this class with what it contains, and what that is related to; may be given several times
    #[arg(long, value_name = "NAME")]
    class: Vec<String>,

    /// With --around and --class: show what is so many relationships away [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    depth: usize,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,

    #[command(flatten)]
    cache: CacheArguments,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For Graphviz
    Dot,
    /// One object
    Json,
    /// One page that needs nothing else, to search, fold and zoom
    Html,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let (mut repository, node) = match arguments.open(&console) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let needs = AnswerNeeds { catalog: true, ..AnswerNeeds::default() };
    let answer = match repository.answer(&node, needs) {
        Ok(answer) => answer,
        Err(error) => return Ok(console.refuse(error.into())),
    };
    let exit = match (&answer.catalog, answer.failure()) {
        (Some(catalog), _) => {
            let view = GraphView::new(&*catalog_data(catalog)?, &answer.head.decrypted);
            arguments.draw(view, &console, surroundings)?
        }
        (None, Some(failure)) => {
            console.failure(failure, &*repository.compiler.world.disk);
            Exit::Rejected
        }
        (None, None) => Exit::Rejected,
    };
    arguments.repository.close(&mut repository, &console)?;
    Ok(exit)
}

impl Arguments {
    fn open(&self, console: &ConsoleLog) -> Result<(Repository, Str), OpenError> {
        self.main.check()?;
        let mut repository = self.repository.open(self.main.options(), &self.cache, console)?;
        let names = self.node.select_named(&repository, console)?;
        let [node] = <[Str; 1]>::try_from(names).map_err(|names| {
            OpenError::Usage(format!("the graph of one node is drawn, and --node means {} of them", names.len()))
        })?;
        if !repository.exchanges {
            repository.enable_read_ahead();
        }
        repository.open_store();
        settle_exports(&mut repository, std::slice::from_ref(&node))?;
        Ok((repository, node))
    }

    fn draw(&self, view: GraphView, console: &ConsoleLog, surroundings: &Surroundings) -> io::Result<Exit> {
        let selection = GraphSelection { around: self.around.clone(), classes: self.class.clone(), depth: self.depth };
        let view = match view.select(&selection) {
            Ok(view) => view,
            Err(unknown) => {
                console.complain(&unknown.to_string());
                return Ok(Exit::Rejected);
            }
        };
        let text = match self.format {
            Format::Dot => dot::drawing(&view),
            Format::Json => escaped_json(format!("{:#}\n", json::object(&view))),
            Format::Html => html::page(&view),
        };
        print_report(&text, false, surroundings)?;
        Ok(Exit::Accepted)
    }
}
