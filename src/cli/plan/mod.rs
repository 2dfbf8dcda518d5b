//! `pantin plan`: what `pantin apply --changed` would do, and why.

mod json;
mod text;

use std::io;

use clap::Args;
use pantin_world::Surroundings;

use super::Exit;
use super::apply;
use super::args::format::FormatArguments;
use super::print::console_log::ConsoleLog;

/// Say what `pantin apply --changed` would do, and why, and do nothing
#[derive(Debug, Args)]
#[command(version = super::VERSION, after_help = "\
Examples:
  pantin plan site.pp
  pantin plan --format json
  pantin plan --prune --show_diff

It takes the options of pantin apply, changes nothing, and runs no checks unless --checks is given.
Exit codes:
  0  there is nothing to do
  1  the catalog does not compile or was refused, or something could not be looked at
  2  something would be changed; or wrong usage")]
#[group(id = "plan")]
pub(super) struct Arguments {
    #[command(flatten)]
    apply: apply::Arguments,

    /// Run the checks of commands as well: they are programs of others
    #[arg(long)]
    checks: bool,

    #[command(flatten)]
    format: FormatArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let planned = match apply::plan(&arguments.apply, arguments.checks, surroundings)? {
        Ok(planned) => planned,
        Err(exit) => return Ok(exit),
    };
    let shown = match arguments.format.is_json() {
        true => json::render(&planned.plan, &planned.differences),
        false => text::render(&planned.plan, &planned.differences),
    };
    ConsoleLog::plain(arguments.apply.colour(), surroundings).print(&shown)?;
    Ok(match () {
        () if planned.has_failed => Exit::Rejected,
        () if planned.plan.has_changes() => Exit::Code(2),
        () => Exit::Accepted,
    })
}
