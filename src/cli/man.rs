//! `pantin man`: the manual pages of all commands.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
        io::stdout().flush()?;
        return Ok(Exit::Accepted);
    };
    write_page(&folder.join("pantin.1"), &command)?;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        // Its own name has no program before it; its page is to be found as `man pantin-validate`.
        let name = format!("pantin-{}", subcommand.get_name());
        write_page(&folder.join(format!("{name}.1")), &subcommand.clone().name(name))?;
    }
    Ok(Exit::Accepted)
}

fn write_page(path: &Path, command: &Command) -> io::Result<()> {
    write_file(path, &page(command)?)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Man::new(command.clone()).render(&mut bytes)?;
    Ok(bytes)
}
