//! `pantin why`: where a resource, a value, a class or a key of one node comes from, and what keeps something away.

mod dot;
mod json;
pub(super) mod text;

use std::io;

use clap::{Args, ValueEnum};
use pantin_repository::Repository;
use pantin_repository::options::{CacheOptions, OpenError};
use pantin_repository::provenance::{NoAnswer, Provenance, Reason, WhyQuestion};
use pantin_repository::timings::Timings;
use pantin_values::Str;
use pantin_world::Surroundings;

use super::Exit;
use super::args::names::NodeOption;
use super::args::repository::{RepositoryArguments, settle_exports};
use super::args::world::ManifestArguments;
use super::print::colour::terminal_width;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::{escaped_json, print_report};

const HELP_AFTER: &str = "\
Examples:
  pantin why 'File[/etc/motd]' --node web01.example.org --facts facts/
  pantin why 'File[/etc/motd]' content --node web01.example.org --facts facts/
  pantin why ntp::servers --node web01.example.org --facts facts/
  pantin why --class profile::web --node web01.example.org --facts facts/
  pantin why --not 'Service[nginx]' --node web01.example.org --facts facts/ --format json

The node is compiled once more, and all of its code is run: what is said is as old as the files are. Places are those of the code \
and of the data that gave a value; a value that is written out has no further reasons.
--not goes by the manifests of the module path that declare the resource or include the class, and says of each how far the \
node's code was from there.
Exit codes:
  0  the answer was printed
  1  there is nothing of that name, the node has no catalog, or something could not be read
  2  wrong usage, or the output could not be written";

/// Say where a resource, a parameter, a class or a key of the data of a node comes from
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    /// A resource such as File[/etc/motd], or a key of the data such as ntp::servers
    #[arg(value_name = "RESOURCE|KEY", required_unless_present_any = ["class", "not"])]
    subject: Option<String>,

    /// Only this parameter of the resource, with all that went into its value
    #[arg(value_name = "PARAM")]
    parameter: Option<String>,

    /// How this class came into the catalog
    #[arg(long, value_name = "NAME", conflicts_with_all = ["subject", "not"])]
    class: Option<String>,

    /// Why this resource, or class (Class[name]), is not in the catalog
    #[arg(long, value_name = "RESOURCE", conflicts_with = "subject")]
    not: Option<String>,

    #[command(flatten)]
    node: NodeOption,

    /// How the answer is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A tree: below each line what it comes from
    Text,
    /// One object
    Json,
    /// For Graphviz
    Dot,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let (repository, node) = match arguments.open(&console) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let provenance = match Provenance::record(&repository, &node) {
        Ok(provenance) => provenance,
        Err(error) => return Ok(console.refuse(error.into())),
    };
    let exit = match &provenance.failure {
        Some(failure) => {
            console.failure(failure, &*repository.compiler.world.disk);
            Exit::Rejected
        }
        None => match provenance.answer(&arguments.question()) {
            Ok(reason) => {
                arguments.print(&reason, &node, surroundings)?;
                Exit::Accepted
            }
            Err(none) => {
                console.complain(&complaint(&none, &node));
                Exit::Rejected
            }
        },
    };
    arguments.repository.answers.keep(&repository.compiler.answers)?;
    Ok(exit)
}

/// Returns why there is no answer, and what may have been meant.
fn complaint(none: &NoAnswer, node: &str) -> String {
    let help = match none {
        NoAnswer::Unknown { near: Some(near), .. } => Some(format!("did you mean {near}?")),
        NoAnswer::Unknown { help, .. } => help.clone(),
        NoAnswer::Inputs(_) => None,
    };
    let help = help.map(|help| format!("; {help}")).unwrap_or_default();
    format!("{node}: {none}{help}")
}

impl Arguments {
    fn question(&self) -> WhyQuestion {
        match (&self.class, &self.not, self.subject.as_deref().unwrap_or_default()) {
            (Some(class), ..) => WhyQuestion::Class(class.clone()),
            (_, Some(reference), _) => WhyQuestion::Absent(reference.clone()),
            (_, _, subject) if subject.contains('[') => {
                WhyQuestion::Resource { reference: subject.to_owned(), parameter: self.parameter.clone() }
            }
            (_, _, key) => WhyQuestion::Key(key.to_owned()),
        }
    }

    fn open(&self, console: &ConsoleLog) -> Result<(Repository, Str), OpenError> {
        self.main.check()?;
        let is_key = matches!(self.question(), WhyQuestion::Key(_));
        if let (true, Some(parameter)) = (is_key, &self.parameter) {
            let subject = self.subject.as_deref().unwrap_or_default();
            return Err(OpenError::Usage(format!(
                "'{subject}' is no resource that could have a parameter {parameter}"
            )));
        }
        let options = self.repository.options(self.main.options())?;
        let mut repository = Repository::open(&options, &CacheOptions::Off, Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        if let Some(reason) = repository.compiler.world.lack_of_code() {
            return Err(OpenError::Usage(reason));
        }
        let names = self.node.select_named(&repository, console)?;
        let [node] = <[Str; 1]>::try_from(names).map_err(|names| {
            OpenError::Usage(format!("the answer is about one node, and --node means {} of them", names.len()))
        })?;
        settle_exports(&mut repository, std::slice::from_ref(&node))?;
        Ok((repository, node))
    }

    fn print(&self, reason: &Reason, node: &str, surroundings: &Surroundings) -> io::Result<()> {
        let text = match self.format {
            Format::Text => text::tree(reason, terminal_width(surroundings)),
            Format::Json => escaped_json(format!("{:#}\n", json::object(reason, node))),
            Format::Dot => dot::drawing(reason),
        };
        print_report(&text, self.format == Format::Text, surroundings)
    }
}
