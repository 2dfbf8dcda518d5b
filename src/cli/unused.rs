//! `pantin unused`: what no node of the fleet uses.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use pantin_repository::comparison::SideInputs;
use pantin_repository::options::OpenError;
use pantin_repository::unused::{Unused, UnusedItem, unused};
use pantin_values::Str;
use pantin_world::{Stopwatch, Surroundings};
use serde_json::{Value, json};

use super::Exit;
use super::args::fleet::{FleetArguments, OpenedFleet};
use super::args::format::PlainFormat;
use super::print::colour::terminal_width;
use super::print::console_log::ConsoleLog;
use super::print::counting::count;
use super::print::layout::wrap;
use super::print::printable::{escaped_json, printable_line};
use super::print::relative_path::relative_paths;
use super::print::repository_path::repository_path;
use super::print::safe::workflow_log::LogReader;

const HELP_AFTER: &str = "\
Examples:
  pantin unused --facts facts/
  pantin unused --facts facts/ --exported fleet --format json
  pantin unused --facts facts/ --since origin/main

A class, defined type, function, template or file is unused if no catalog of the nodes was made from it; a key of data, if no node \
looked it up; a binding, if no node wanted its key. It is exact for the nodes that were asked, and says nothing of others: with facts of half the fleet, what the other half uses is \
told as well. Modules that the Puppetfile names, and those outside of the repository, are left out. With --since, \
only what was used at that revision of git, or was not there.
Exit codes:
  0  what is unused was told, whether there is any
  1  with --exit-code, something is unused; or nodes fail, so that what they would use is not known, or exports never settle
  2  wrong usage, or no node matches";

/// List classes, functions, templates, files, keys of data and bindings that no node uses
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    /// Only what this change made unused: it is used at this revision of git, or is not there
    #[arg(long, value_name = "REV")]
    since: Option<String>,

    /// Also what is in modules that were installed
    #[arg(long)]
    all: bool,

    /// How it is told
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: PlainFormat,

    /// Exit with 1 if anything is unused
    #[arg(long)]
    exit_code: bool,

    #[command(flatten)]
    fleet: FleetArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.fleet.begin(surroundings)?;
    let running = Stopwatch::start();
    let mut repositories = match arguments.open(&console) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let mut found = Vec::new();
    for (repository, names) in &mut repositories {
        let mut progress = arguments.fleet.progress(surroundings, names.len());
        found.push(unused(repository, names, arguments.all, || progress.advance(running))?);
        progress.finish();
        arguments.fleet.repository.close(repository, &console)?;
    }
    let Some(mut now) = found.pop() else { return Ok(Exit::Failed) };
    if let Some(before) = found.pop() {
        let known: BTreeSet<_> = before.items.iter().map(identity).collect();
        now.items.retain(|item| !known.contains(&identity(item)));
    }
    let text = match arguments.format {
        PlainFormat::Text => {
            LogReader::of_stdout(surroundings).laid_out(&text(&now, terminal_width(surroundings))).into_owned()
        }
        PlainFormat::Json => escaped_json(format!("{:#}\n", json(&now))),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    let is_found = arguments.exit_code && !now.items.is_empty();
    Ok(if now.failing.is_empty() && !is_found { Exit::Accepted } else { Exit::Rejected })
}

/// Lines move.
fn identity(item: &UnusedItem) -> (&'static str, String, String) {
    (item.kind.name(), item.name.clone(), item.file.display().to_string())
}

impl Arguments {
    /// The working tree, and before it the revision that it is compared with, if there is one.
    fn open(&self, console: &ConsoleLog) -> Result<Vec<OpenedFleet>, OpenError> {
        match &self.since {
            Some(revision) => self
                .fleet
                .open_since(revision, SideInputs::Shared, &self.fleet.cache(), console)
                .map(|sides| sides.into()),
            None => Ok(vec![self.fleet.open(console)?]),
        }
    }
}

fn text(unused: &Unused, width: Option<usize>) -> String {
    let mut text = String::new();
    let mut last = None;
    for item in &unused.items {
        // Writing to a string cannot fail.
        if last != Some(item.kind) {
            let gap = if last.is_some() { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}", item.kind.title());
            last = Some(item.kind);
        }
        let file = item.file.display().to_string();
        let line = item.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = format!("{}{line}", relative_paths(&file));
        let line = format!("  {} ({})", printable_line(&item.name), printable_line(&place));
        let _ = writeln!(text, "{}", wrap(&line, width, "    "));
    }
    let gap = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(
        text,
        "{gap}{} that no node uses, of {}",
        count(unused.items.len(), "thing"),
        count(unused.asked, "node")
    );
    if !unused.failing.is_empty() {
        let names: Vec<&str> = unused.failing.iter().take(4).map(Str::as_str).collect();
        let more = if unused.failing.len() > names.len() { ", …" } else { "" };
        let _ = writeln!(
            text,
            "{} of them without a catalog: what they would use is not known ({}{more})",
            unused.failing.len(),
            printable_line(&names.join(", "))
        );
    }
    text
}

fn json(unused: &Unused) -> Value {
    let item = |item: &UnusedItem| {
        json!({
            "kind": item.kind.name(),
            "name": item.name,
            "file": repository_path(&item.file.display().to_string()),
            "line": item.line,
        })
    };
    json!({
        "unused": unused.items.iter().map(item).collect::<Vec<_>>(),
        "asked": unused.asked,
        "compiled": unused.compiled,
        "failing": unused.failing.iter().map(Str::as_str).collect::<Vec<_>>(),
    })
}
