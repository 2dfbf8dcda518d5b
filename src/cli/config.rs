//! `pantin config`: the configuration, and where each value comes from.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pantin_repository::configuration::{Configuration, FILE_NAME, KEYS, KeyScope};
use pantin_repository::options::OpenError;
use pantin_world::{MachineDisk, Surroundings, absolute_path};
use serde_json::json;

use super::Exit;
use super::print::colour::terminal_width;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::layout::wrap;

/// Show the configuration of a repository, and where each value comes from
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin config
  pantin config --environment-dir ../control-repo --format json

What one would type each time can stand in pantin.toml, in the repository or above it:

  facts = [\"facts\"]
  exported = \"fleet\"
  puppet = 7

An option of the command line comes first, then a variable such as PANTIN_FACTS, then pantin.toml of the repository, then \
your own ~/.config/pantin/pantin.toml. Keys that could run a program or move secrets count in your own file and in \
variables only, for a pull request can edit the file of a repository.
Exit codes:
  0  it was printed
  2  a file or a variable is wrong, or the output could not be written")]
pub(super) struct Arguments {
    /// The repository [default: the current folder]
    #[arg(long, value_name = "DIR")]
    environment_dir: Option<PathBuf>,

    /// How the configuration is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON object
    Json,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let folder = absolute_path(arguments.environment_dir.as_deref().unwrap_or(Path::new(".")));
    match Configuration::read(&MachineDisk::default(), &folder) {
        Ok(configuration) => {
            arguments.print(&configuration, &console, terminal_width(surroundings)).map(|()| Exit::Accepted)
        }
        Err(OpenError::Usage(reason) | OpenError::Failed(reason)) => Ok(console.refuse(OpenError::Usage(reason))),
    }
}

impl Arguments {
    fn print(&self, configuration: &Configuration, console: &ConsoleLog, width: Option<usize>) -> io::Result<()> {
        match self.format {
            Format::Text => console.print(text(configuration, width).trim_end()),
            Format::Json => console.print(&json(configuration)?),
        }
    }
}

fn text(configuration: &Configuration, room: Option<usize>) -> String {
    let name_width = KEYS.iter().map(|known| known.name.len()).max().unwrap_or_default();
    let rows: Vec<(&str, String, String)> = KEYS
        .iter()
        .map(|known| match configuration.get(known.key) {
            Some(value) => (known.name, value.texts.join(", "), value.origin.to_string()),
            None => (known.name, "-".to_owned(), format!("not set: {}", known.about)),
        })
        .collect();
    let width = rows.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or_default().min(50);
    let indent = name_width + 2 + width + 2;
    let left = room.map(|room| room.saturating_sub(indent).max(20));
    let row = |(name, value, origin): &(&str, String, String)| {
        let origin = wrap(origin, left, &" ".repeat(indent));
        format!("{name:name_width$}  {value:width$}  {origin}\n")
    };
    let mut text: String = rows.iter().map(row).collect();
    let file = |file: &Option<PathBuf>| match file {
        Some(path) => path.display().to_string(),
        None => format!("no {FILE_NAME} here or above"),
    };
    text.push_str(&format!("\nof the repository: {}\n", file(&configuration.repository_file)));
    text.push_str(&format!("your own:          {}\n", file(&configuration.own_file)));
    text
}

fn json(configuration: &Configuration) -> io::Result<String> {
    let keys = KEYS.iter().map(|known| {
        let value = configuration.get(known.key);
        json!({
            "key": known.name,
            "value": value.map(|value| &value.texts),
            "origin": value.map(|value| value.origin.to_string()),
            "variable": known.variable,
            "option": known.option,
            "in_repository": known.scope == KeyScope::Repository,
        })
    });
    let object = json!({
        "keys": keys.collect::<Vec<_>>(),
        "repository_file": configuration.repository_file,
        "own_file": configuration.own_file,
    });
    serde_json::to_string_pretty(&object).map_err(io::Error::other)
}
