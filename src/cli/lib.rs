//! The command line: arguments in, reports and an exit code out. One file for each command.
//!
//! The one crate that prints, and the only user of clap, miette and indicatif. Knows no grammar and
//! opens no file itself.
#![allow(clippy::disallowed_methods, reason = "the room that prints")]

mod apply;
mod args;
mod bindings;
mod cache;
mod compat;
mod compile;
mod completions;
mod config;
mod diff;
mod doc;
mod dump;
mod epp;
mod eval;
mod facts;
mod fleet;
mod graph;
mod impact;
mod inject;
mod lookup;
mod man;
mod modules;
mod node;
mod nodes;
mod plan;
mod print;
mod prompt;
mod query;
mod report;
mod resource;
mod settings;
mod stats;
mod trace;
mod unused;
mod validate;
mod watch;
mod why;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::CompleteEnv;
use pantin_base::nearest;
use pantin_repository::configuration::KEYS;
use pantin_world::{HeldPipes, Surroundings};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PANTIN_COMMIT"), ")");

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  pantin apply site.pp --modulepath modules --noop
  pantin plan site.pp --modulepath modules
  pantin resource package cron
  pantin report
  pantin bindings check path/to/control-repo
  pantin validate path/to/control-repo
  pantin validate --format json site.pp
  pantin dump -e 'notice(1)'
  pantin eval -e 'notice([1, 2, 3].map |$x| { $x * 2 })'
  pantin epp motd.epp --facts facts.yaml
  pantin compile web01.example.org --facts facts/
  pantin fleet --facts facts/ --exported fleet
  pantin diff --facts facts/
  pantin impact site/profile/manifests/base.pp --facts facts/
  pantin unused --facts facts/
  pantin query 'Package[nginx] { ensure != absent }' --facts facts/
  pantin why 'File[/etc/motd]' content --node web01.example.org --facts facts/
  pantin graph --node web01.example.org --facts facts/ --format html > web01.html
  pantin lookup ntp::servers --node web01.example.org --facts facts/ --explain
  pantin inject ntp::tier --node web01.example.org --facts facts/ --explain
  pantin modules
  pantin compat
  pantin node web01.example.org --facts facts/
  pantin settings modulepath
  pantin config
  pantin facts os.release
  pantin trace web01.example.org --facts facts/ --body ntp
  pantin watch --facts facts/
  pantin cache size
  pantin stats run.json
  pantin doc function map

As Puppet says it:
  parser validate   validate        epp render        epp
  parser dump       dump            catalog compile   compile
  epp validate      validate        module list       modules
  facts show        facts           config print      settings

Exit codes:
  0  everything was accepted
  1  something was rejected, failed, or could not be read
  2  wrong usage, or the report could not be written";

/// A compiler for the Puppet language that recompiles only what an edit touches.
#[derive(Debug, Parser)]
#[command(name = "pantin", version = VERSION, after_help = EXAMPLES_AND_EXIT_CODES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Apply(Box<apply::Arguments>),
    Bindings(Box<bindings::Arguments>),
    Plan(Box<plan::Arguments>),
    Resource(resource::Arguments),
    Report(report::Arguments),
    Validate(Box<validate::Arguments>),
    Dump(dump::Arguments),
    Eval(Box<eval::Arguments>),
    Epp(Box<epp::Arguments>),
    Compile(Box<compile::Arguments>),
    Fleet(Box<fleet::Arguments>),
    Diff(Box<diff::Arguments>),
    Impact(Box<impact::Arguments>),
    Unused(Box<unused::Arguments>),
    Query(Box<query::Arguments>),
    Why(Box<why::Arguments>),
    Graph(Box<graph::Arguments>),
    Lookup(Box<lookup::Arguments>),
    Inject(Box<inject::Arguments>),
    Node(Box<node::Arguments>),
    Modules(Box<modules::Arguments>),
    Compat(Box<compat::Arguments>),
    Settings(Box<settings::Arguments>),
    Config(config::Arguments),
    Facts(Box<facts::Arguments>),
    Trace(Box<trace::Arguments>),
    Watch(Box<watch::Arguments>),
    Cache(cache::Arguments),
    Stats(stats::Arguments),
    Doc(doc::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    Accepted,
    Rejected,
    /// Wrong usage, or nowhere to write to.
    Failed,
    /// A node fails that did not fail before.
    NewlyFailing,
    /// What a command of Puppet's ends with.
    Code(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Accepted => 0,
            Exit::Rejected => 1,
            Exit::Failed => 2,
            Exit::NewlyFailing => 3,
            Exit::Code(code) => code,
        })
    }
}

/// Runs the command that the process was given.
pub fn run() -> ExitCode {
    CompleteEnv::with_factory(Arguments::command).complete();
    outlive_file_limit();
    let given: Vec<OsString> = std::env::args_os().collect();
    let failed = exit_of_failed(given.get(1).map_or(OsStr::new(""), OsString::as_os_str));
    if let Some(answer) = args::aliases::answer_for_missing(&given) {
        let _ = writeln!(io::stderr(), "error: {answer}");
        return Exit::Failed.into();
    }
    // To make all commands and options takes most of the time of so short a run.
    if let [_, only] = &*given
        && (only == "--version" || only == "-V")
    {
        return ended(writeln!(io::stdout(), "pantin {VERSION}").map(|()| Exit::Accepted), failed);
    }
    let mut program = Arguments::command();
    let mut pipes = HeldPipes::default();
    let given = match translated(given, &program, &mut pipes) {
        Ok(given) => given,
        Err(error) => return ended(Err(error), failed),
    };
    let matches = program.try_get_matches_from_mut(given);
    let parsed = matches.and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches));
    let arguments = match parsed.map_err(|error| error.format(&mut program)) {
        Ok(arguments) => arguments,
        Err(error) => {
            let printed = error.print().and_then(|()| io::stdout().flush());
            if error.use_stderr() {
                return failed.into();
            }
            return ended(printed.map(|()| Exit::Accepted), failed);
        }
    };
    let surroundings = Surroundings::read();
    for slip in variable_slips(pantin_world::process_variable_names()) {
        let _ = writeln!(io::stderr(), "warning: {slip}");
    }
    ended(run_command(arguments.command, &surroundings), failed)
}

fn run_command(command: Command, surroundings: &Surroundings) -> io::Result<Exit> {
    match command {
        Command::Apply(arguments) => apply::run(&arguments, surroundings),
        Command::Bindings(arguments) => bindings::run(&arguments, surroundings),
        Command::Plan(arguments) => plan::run(&arguments, surroundings),
        Command::Resource(arguments) => resource::run(&arguments, surroundings),
        Command::Report(arguments) => report::run(&arguments, surroundings),
        Command::Validate(arguments) => validate::run(*arguments, surroundings),
        Command::Dump(arguments) => dump::run(&arguments, surroundings),
        Command::Eval(arguments) => eval::run(&arguments, surroundings),
        Command::Epp(arguments) => epp::run(&arguments, surroundings),
        Command::Compile(arguments) => compile::run(&arguments, surroundings),
        Command::Fleet(arguments) => fleet::run(&arguments, surroundings),
        Command::Diff(arguments) => diff::run(&arguments, surroundings),
        Command::Impact(arguments) => impact::run(&arguments, surroundings),
        Command::Unused(arguments) => unused::run(&arguments, surroundings),
        Command::Query(arguments) => query::run(&arguments, surroundings),
        Command::Why(arguments) => why::run(&arguments, surroundings),
        Command::Graph(arguments) => graph::run(&arguments, surroundings),
        Command::Lookup(arguments) => lookup::run(&arguments, surroundings),
        Command::Inject(arguments) => inject::run(&arguments, surroundings),
        Command::Node(arguments) => node::run(&arguments, surroundings),
        Command::Modules(arguments) => modules::run(&arguments, surroundings),
        Command::Compat(arguments) => compat::run(&arguments, surroundings),
        Command::Settings(arguments) => settings::run(&arguments, surroundings),
        Command::Config(arguments) => config::run(&arguments, surroundings),
        Command::Facts(arguments) => facts::run(&arguments, surroundings),
        Command::Trace(arguments) => trace::run(&arguments, surroundings),
        Command::Watch(arguments) => watch::run(*arguments, surroundings),
        Command::Cache(arguments) => cache::run(&arguments, surroundings),
        Command::Stats(arguments) => stats::run(&arguments, surroundings),
        Command::Doc(arguments) => doc::run(&arguments, surroundings),
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
        Command::Man(arguments) => man::run(&arguments, Arguments::command()),
    }
}

/// Returns what was typed, in the words of this program: Puppet's commands and settings become its own, pipes become
/// files.
fn translated(given: Vec<OsString>, program: &clap::Command, pipes: &mut HeldPipes) -> io::Result<Vec<OsString>> {
    let given = args::pipes::with_files(given, pipes)?;
    let given = args::format::with_format_option(args::aliases::translate(given), program);
    Ok(bindings::translate(args::settings_as_options::with_settings(given, program)))
}

/// A file that may not grow further (`ulimit -f`) is an error of whoever writes it, and not the end of the process: a cache may
/// lack an entry.
fn outlive_file_limit() {
    // Where that cannot be arranged, all is as it was.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(libc::SIGXFSZ, std::sync::Arc::default());
}

/// Returns how a command ends that was asked wrongly, or can write nowhere. Of some the code 2 says that something differs, or was changed.
fn exit_of_failed(command: &OsStr) -> Exit {
    if ["diff", "apply", "plan"].iter().any(|known| command == *known) { Exit::Rejected } else { Exit::Failed }
}

/// Environment variables that are a slip of the keyboard away from one that Pantin reads.
fn variable_slips(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let known = || KEYS.iter().map(|known| known.variable).chain(["PANTIN_CACHE_SIZE", "PANTIN_CACHE_KEY"]);
    let of_pantin = names.into_iter().filter(|name| name.starts_with("PANTIN_") && !known().any(|known| known == name));
    let slip = |name: String| Some(format!("no variable is called {name}; did you mean {}?", nearest(&name, known())?));
    of_pantin.filter_map(slip).collect()
}

fn ended(result: io::Result<Exit>, failed: Exit) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        // Whoever closed the pipe has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Accepted.into(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}{error}", where_it_failed(&error));
            failed.into()
        }
    }
}

/// Errors of files name them. What the system says of writing and nobody has put a name to is of standard output.
fn where_it_failed(error: &io::Error) -> &'static str {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    let is_of_writing = matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge);
    if is_of_writing && error.raw_os_error().is_some() { "cannot write to standard output: " } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_a_variable_is_told() {
        let names = ["PANTIN_FACT", "PANTIN_FACTS", "PANTIN_CACHE_KEY", "PANTIN_SOMETHING_ELSE", "HOME"];
        let slips = variable_slips(names.map(str::to_owned));
        assert_eq!(slips, ["no variable is called PANTIN_FACT; did you mean PANTIN_FACTS?"]);
    }

    /// Options of one name that take other values in some commands, with the reason.
    const TWO_FORMS: [(&str, &str); 4] = [
        ("catalog", "of a run it is one; validate takes a folder of them, too"),
        ("explain-cache", "a fleet has many answers, of which one can be named"),
        ("out", "a fleet has many catalogs, which an archive may hold"),
        ("strict", "Facter's own flag has this name"),
    ];

    #[test]
    fn an_option_means_the_same_in_every_command() {
        let program = Arguments::command();
        let mut known: std::collections::BTreeMap<String, Vec<(String, bool, String)>> = Default::default();
        for command in program.get_subcommands() {
            for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
                let Some(name) = option.get_long() else { continue };
                let values = option.get_value_names().unwrap_or_default();
                let values: Vec<&str> = values.iter().map(|value| value.as_str()).collect();
                let takes_values = option.get_action().takes_values();
                let meanings = known.entry(name.to_owned()).or_default();
                if meanings
                    .iter()
                    .all(|(_, takes, shown)| (*takes, shown.as_str()) != (takes_values, &values.join(" ")))
                {
                    meanings.push((command.get_name().to_owned(), takes_values, values.join(" ")));
                }
            }
        }
        let mut differing = String::new();
        for (name, meanings) in known.iter().filter(|(_, meanings)| meanings.len() > 1) {
            if !TWO_FORMS.iter().any(|(known, _)| known == name) {
                differing.push_str(&format!("--{name}: {meanings:?}\n"));
            }
        }
        assert!(differing.is_empty(), "{differing}");
    }

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
