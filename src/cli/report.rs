//! `pantin report`: what an earlier run did, from the report that it left.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_apply::StoredReport;
use pantin_machine::{Reading, RealSystem};
use pantin_model::catalog::Rich;
use pantin_repository::options::OpenError;
use pantin_world::Surroundings;

use super::Exit;
use super::apply::{MachineSettings, TypedSettings};
use super::args::format::FormatArguments;
use super::print::colour::Colour;
use super::print::console_log::ConsoleLog;

/// No report is larger.
const LARGEST: u64 = 1 << 30;

/// Show what an earlier run did: its report, the last one by default
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin report
  pantin report /var/cache/puppet/reports/web01/202611290400.yaml
  pantin report --format json

Reports of Puppet are read as well as those of pantin apply.
Exit codes:
  0  the report was shown, whatever it says
  1  there is none, or the file is no report
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The file of a report [default: that of the last run on this machine]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = ConsoleLog::plain(arguments.color, surroundings);
    match arguments.shown() {
        Ok(text) => console.print(&text).map(|()| Exit::Accepted),
        Err(refused) => Ok(console.refuse(refused)),
    }
}

impl Arguments {
    fn shown(&self) -> Result<String, OpenError> {
        let machine = RealSystem::new();
        let path = match &self.file {
            Some(file) => file.clone(),
            None => last_report(&machine)?,
        };
        let report = read(&path, &machine)?;
        match self.format.is_json() {
            true => serde_json::to_string_pretty(&Rich::from_value(&report.document()))
                .map(|text| text + "\n")
                .map_err(|error| OpenError::Failed(error.to_string())),
            false => Ok(report.to_text()),
        }
    }
}

/// Returns where the report of the last run on this machine lies.
fn last_report(machine: &RealSystem) -> Result<PathBuf, OpenError> {
    let settings = MachineSettings::read(TypedSettings::default(), machine)?;
    settings.path("lastrunreport").map_err(OpenError::Failed)
}

fn read(path: &Path, machine: &RealSystem) -> Result<StoredReport, OpenError> {
    let shown = path.display();
    let written = machine.read(path, LARGEST).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => OpenError::Failed(format!("there is no report at {shown}: nothing was applied yet")),
        _ => OpenError::Failed(format!("cannot read {shown}: {error}")),
    })?;
    StoredReport::read(&written, &shown.to_string()).map_err(OpenError::Failed)
}
