//! `pantin completions`: the line that makes a shell complete this command line.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_complete::env::Shells;

use super::Exit;

/// The variable with which a shell asks for candidates.
const VARIABLE: &str = "COMPLETE";

/// Print the completion script of a shell
///
/// The script asks pantin itself, so it completes nodes, environments and operating systems too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin completions bash > /etc/bash_completion.d/pantin
  pantin completions zsh > ~/.zfunc/_pantin
  pantin completions fish > ~/.config/fish/completions/pantin.fish")]
pub(super) struct Arguments {
    shell: Shell,

    /// Print a script that knows options alone and never runs pantin
    #[arg(long = "static")]
    is_static: bool,
}

pub(super) fn run(arguments: &Arguments, mut command: Command) -> io::Result<Exit> {
    // The generators panic where they cannot write, so they write to memory.
    let mut script = Vec::new();
    let shells = Shells::builtins();
    match shells.completer(&arguments.shell.to_string()).filter(|_| !arguments.is_static) {
        Some(shell) => shell.write_registration(VARIABLE, "pantin", "pantin", "pantin", &mut script)?,
        None => clap_complete::generate(arguments.shell, &mut command, "pantin", &mut script),
    }
    io::stdout().write_all(&script)?;
    io::stdout().flush()?;
    Ok(Exit::Accepted)
}
