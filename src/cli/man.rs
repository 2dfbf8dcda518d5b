//! `pantin man`: the manual pages of all commands.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use super::Exit;
use crate::world::write_file;

/// Print the manual page, or write those of all commands to a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin man | man -l -
  pantin man --out /usr/local/share/man/man1")]
pub(super) struct Arguments {
    /// Write pantin.1 and one page for each command to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, mut command: Command) -> io::Result<Exit> {
    command.build();
    let Some(folder) = &arguments.out else {
        io::stdout().write_all(&page(&command)?)?;
        return Ok(Exit::Accepted);
    };
    write_file(&folder.join("pantin.1"), &page(&command)?)?;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        // Its own name has no program before it; its page is to be found as `man pantin-validate`.
        let name = format!("pantin-{}", subcommand.get_name());
        let bytes = page(&subcommand.clone().name(name.clone()))?;
        write_file(&folder.join(name + ".1"), &bytes)?;
    }
    Ok(Exit::Accepted)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Man::new(command.clone()).render(&mut bytes)?;
    Ok(bytes)
}
