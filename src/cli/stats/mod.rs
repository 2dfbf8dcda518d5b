//! `pantin stats`: summarizes a run from the file that `--timings` has written.

mod report;
mod sums;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pantin_world::{MachineDisk, Surroundings};

use super::Exit;
use super::print::console_log::LogArguments;
use super::print::printable::{escaped_json, printable};
use super::print::safe::workflow_log::LogReader;
use sums::Stats;

/// Sum up what a run did, from the file of its --timings
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin fleet --facts facts/ --timings run.json
  pantin stats run.json
  pantin stats run.json --format json

A phase is told with the time that its threads spent in it, less that of phases within it; and so is the code of \
classes and defined types, less that of others within it and of parsing. What such a body did for one node is done \
again for another that is told the same, without running its code: then it is replayed, and has no time. A file has \
the time of parsing it and of the code that stands in it; site manifests are parsed while their environment is made \
ready.
Of a run of watch it is told what bodies were told that they had not been told before, and were run again for; of a \
run of fleet, what made nodes be compiled that had an answer in the cache.
Exit codes:
  0  it was summed up
  1  the file could not be read, or is no such file
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The file that --timings has written
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// So many of the slowest nodes, of what took longest, and of what made others run, are told
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For a person
    Text,
    /// One object
    Json,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let stats = match Stats::read(&MachineDisk::default(), &arguments.file) {
        Ok(stats) => stats,
        Err(reason) => {
            console.complain(&format!("{}: {reason}", arguments.file.display()));
            return Ok(Exit::Rejected);
        }
    };
    let text = match arguments.format {
        Format::Text => {
            let text = printable(&report::text(&stats, arguments.limit)).into_owned();
            LogReader::of_stdout(surroundings).laid_out(&text).into_owned()
        }
        Format::Json => escaped_json(report::json(&stats, arguments.limit).to_string()) + "\n",
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(Exit::Accepted)
}
