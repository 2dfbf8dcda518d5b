//! `pantin man`: the manual pages of all commands.

mod markdown;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use pantin_world::write_file;

use super::Exit;

/// The section that has what stands at the end of the help.
const EXTRA: &str = ".SH EXTRA\n";

/// Print the manual page, or write those of all commands to a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin man | man -l -
  pantin man --out /usr/local/share/man/man1
  pantin man --markdown > reference.md")]
pub(super) struct Arguments {
    /// Write pantin.1 and one page for each command to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print a reference of all commands as Markdown
    #[arg(long, conflicts_with = "out")]
    markdown: bool,
}

pub(super) fn run(arguments: &Arguments, mut command: Command) -> io::Result<Exit> {
    command.build();
    if arguments.markdown {
        io::stdout().write_all(markdown::reference(&command).as_bytes())?;
        io::stdout().flush()?;
        return Ok(Exit::Accepted);
    }
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
    Ok(keep_lines(&String::from_utf8_lossy(&bytes)).into_bytes())
}

/// Returns the page with the examples and lists at its end as they are: nothing else of it has lines of its own, and
/// `man` would run these together.
fn keep_lines(page: &str) -> String {
    let Some((before, rest)) = page.split_once(EXTRA) else { return page.to_owned() };
    let end = rest.find("\n.SH ").map_or(rest.len(), |at| at + 1);
    let (extra, after) = rest.split_at(end);
    let mut text = format!("{before}{EXTRA}");
    let mut is_kept = false;
    for line in extra.lines() {
        let request = match (is_kept, line.starts_with(' ')) {
            (false, true) => ".nf\n",
            (true, false) => ".fi\n",
            (false, false) => ".br\n",
            (true, true) => "",
        };
        is_kept = line.starts_with(' ');
        text.push_str(&format!("{request}{line}\n"));
    }
    if is_kept {
        text.push_str(".fi\n");
    }
    text + after
}
