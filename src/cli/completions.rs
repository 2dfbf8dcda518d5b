//! `pantin completions`: the script that completes this command line in a shell.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

use super::Exit;

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin completions bash > /etc/bash_completion.d/pantin
  pantin completions zsh > ~/.zfunc/_pantin
  pantin completions fish > ~/.config/fish/completions/pantin.fish")]
pub(super) struct Arguments {
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, mut command: Command) -> io::Result<Exit> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "pantin", &mut script);
    io::stdout().write_all(&script)?;
    io::stdout().flush()?;
    Ok(Exit::Accepted)
}
