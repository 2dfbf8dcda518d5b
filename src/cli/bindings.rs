//! `pantin bindings`: what is wrong with the bindings of environments, without a node.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use pantin_base::{Place as LinePlace, Severity};
use pantin_bindings::{Place, Problem};
use pantin_compile::{BindingsCheck, WrittenEnvironments};
use pantin_model::trace::Level;
use pantin_repository::options::OpenError;
use pantin_repository::world::World;
use pantin_world::Surroundings;
use pantin_world::environment::{Environment, Environments};
use serde_json::{Value, json};

use super::Exit;
use super::args::world::WorldArguments;
use super::print::check::Checked;
use super::print::colour::report_width;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::escaped_json;
use super::print::report::{self, Style, Tally, report};

/// Check the bindings of environments
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Box<CheckArguments>),
}

/// Check bindings for every state that a node may be in, without a node
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin bindings check
  pantin bindings check path/to/control-repo
  pantin bindings check --environmentpath environments --confdir puppet --format json

Without --environment, and without a path, all environments of the settings, or of environments.pp, are checked.
Exit codes:
  0  nothing is wrong
  1  something is; with --strict a warning is enough
  2  wrong usage, or the report could not be written")]
struct CheckArguments {
    /// Control repositories [default: the one around the current folder, or the environments of the settings]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Warnings count as errors; `--strict` without a level says the same
    #[arg(long = "fail-on-warnings")]
    fails_on_warnings: bool,

    /// How the report looks
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    world: WorldArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    /// One SARIF 2.1.0 log, for code scanning services
    Sarif,
    /// Workflow commands that GitHub shows beside the code
    Github,
}

/// An environment, and what is wrong with its bindings.
struct CheckedEnvironment {
    name: String,
    check: BindingsCheck,
}

/// Reads `--strict` without a level as what it means for this command alone: warnings count as errors.
pub(super) fn translate(given: Vec<OsString>) -> Vec<OsString> {
    if given.get(1).is_none_or(|command| command != "bindings") {
        return given;
    }
    let is_level =
        |word: Option<&OsString>| word.is_some_and(|word| word == "off" || word == "warning" || word == "error");
    let bare = |index: usize| given[index] == "--strict" && !is_level(given.get(index + 1));
    let word = |index: usize| if bare(index) { OsString::from("--fail-on-warnings") } else { given[index].clone() };
    (0..given.len()).map(word).collect()
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let Command::Check(arguments) = &arguments.command;
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let checked = match arguments.check(&console) {
        Ok(checked) => checked,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    for environment in &checked {
        for (key, why) in &environment.check.left_to_nodes {
            console.say(Level::Info, &format!("{key} is left to the nodes: {why}"))?;
        }
    }
    let text = match arguments.format {
        Format::Json => escaped_json(format!("{:#}\n", arguments.json(&checked))),
        Format::Text if surroundings.stdout_is_terminal => {
            arguments.report(&checked, report::Format::Human, surroundings)
        }
        Format::Text => arguments.report(&checked, report::Format::Puppet, surroundings),
        Format::Sarif => arguments.report(&checked, report::Format::Sarif, surroundings),
        Format::Github => arguments.report(&checked, report::Format::Github, surroundings),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    let is_right = checked.iter().all(|environment| arguments.accepts(environment));
    Ok(if is_right { Exit::Accepted } else { Exit::Rejected })
}

impl CheckArguments {
    fn check(&self, console: &ConsoleLog) -> Result<Vec<CheckedEnvironment>, OpenError> {
        let mut checked = Vec::new();
        if self.paths.is_empty() {
            let world = self.world.checked_world()?;
            console.remarks(&world.remarks);
            checked = match world.written_environments()? {
                Some(written) => self.check_written(&world, written, console)?,
                None => {
                    let names = self.environments(&world)?;
                    names.iter().map(|name| check_environment(&world, name)).collect::<Result<_, _>>()?
                }
            };
        }
        for path in &self.paths {
            let world = self.world.world_at(Some(path))?;
            console.remarks(&world.remarks);
            let name = world.environment.clone();
            checked.push(check_environment(&world, &name)?);
        }
        Ok(checked)
    }

    /// Checks `environments.pp`, and the environments that it defines.
    fn check_written(
        &self,
        world: &World,
        written: WrittenEnvironments,
        console: &ConsoleLog,
    ) -> Result<Vec<CheckedEnvironment>, OpenError> {
        let is_typed = self.world.names_environment();
        let mut names = if is_typed { Vec::new() } else { world.written_names(&written)? };
        if names.is_empty() {
            names.push(world.environment.clone());
        }
        let is_broken = written.problems.iter().any(|problem| problem.rule.severity == Severity::Error);
        let mut checked = Vec::new();
        for name in names {
            let check = match world.written_environment(&written, &name) {
                Ok(found) => check_loaded(world, &found.environment)?,
                // What is wrong with the file is why it does not say more.
                Err(_) if is_broken => BindingsCheck::default(),
                Err(reason) if is_typed || !written.leaves(&name) => return Err(reason.into()),
                Err(reason) => {
                    let text = format!("The environment '{name}' is not checked: {reason}");
                    // Nothing can be done where nobody listens.
                    let _ = console.say(Level::Warning, &text);
                    continue;
                }
            };
            checked.push(CheckedEnvironment { name, check });
        }
        // The file is of no environment: it is told with the first.
        if checked.is_empty() {
            checked.push(CheckedEnvironment { name: world.environment.clone(), check: BindingsCheck::default() });
        }
        checked[0].check.problems.splice(0..0, written.problems);
        Ok(checked)
    }

    /// Returns the one that was typed, or that is around; else all that the settings know.
    fn environments(&self, world: &World) -> Result<Vec<String>, OpenError> {
        if self.world.names_environment() || !world.is_in_path() {
            return Ok(vec![world.environment.clone()]);
        }
        let names = Environments { settings: &world.settings }.names()?;
        Ok(if names.is_empty() { vec![world.environment.clone()] } else { names })
    }

    fn accepts(&self, environment: &CheckedEnvironment) -> bool {
        let is_counted = |problem: &Problem| self.fails_on_warnings || problem.rule.severity == Severity::Error;
        !environment.check.problems.iter().any(is_counted)
    }

    fn json(&self, checked: &[CheckedEnvironment]) -> Value {
        let one = |environment: &CheckedEnvironment| {
            let problems = &environment.check.problems;
            let left = &environment.check.left_to_nodes;
            json!({
                "environment": environment.name,
                "ok": self.accepts(environment),
                "diagnostics": problems.iter().map(diagnostic_json).collect::<Vec<_>>(),
                "left_to_nodes": left.iter().map(|(key, why)| json!({"key": key, "why": why})).collect::<Vec<_>>(),
            })
        };
        match checked {
            [only] => one(only),
            all => Value::Array(all.iter().map(one).collect()),
        }
    }

    fn report(&self, checked: &[CheckedEnvironment], format: report::Format, surroundings: &Surroundings) -> String {
        let style = Style {
            colour: self.log.has_colour(surroundings),
            on_terminal: surroundings.stdout_is_terminal,
            width: report_width(&console::Term::stdout()),
            max_errors: usize::MAX,
            environment: checked.first().map(|checked| checked.name.clone()).unwrap_or_default(),
        };
        let report = report(format, style);
        let (mut text, mut tally) = (report.begin(), Tally::default());
        let mut is_first = true;
        for file in checked.iter().flat_map(|environment| by_file(&environment.check.problems)) {
            let one = report.file(&file);
            if !one.is_empty() && !std::mem::take(&mut is_first) {
                text.push_str(report.between());
            }
            text.push_str(&one);
            tally.add(Tally::new(&file));
        }
        text.push_str(&report.end(&tally));
        text
    }
}

fn check_environment(world: &World, name: &str) -> Result<CheckedEnvironment, OpenError> {
    let environment = Arc::clone(&world.environment(name)?.environment);
    Ok(CheckedEnvironment { name: name.to_owned(), check: check_loaded(world, &environment)? })
}

fn check_loaded(world: &World, environment: &Arc<Environment>) -> Result<BindingsCheck, OpenError> {
    Ok(world.ready(environment)?.site.check_bindings(environment))
}

/// Returns what is wrong, by the files that it is in.
fn by_file(problems: &[Problem]) -> Vec<Checked> {
    let mut files: Vec<Checked> = Vec::new();
    for problem in problems {
        let name = problem.place.file().unwrap_or(&problem.place.shown).to_owned();
        let place = match files.iter().position(|file| file.name.as_deref() == Some(&name)) {
            Some(place) => place,
            None => {
                let source = problem.place.source.clone();
                files.push(Checked { source, ..Checked::without_findings(name) });
                files.len() - 1
            }
        };
        let file = &mut files[place];
        match problem.rule.severity {
            Severity::Error => {
                file.errors.push(problem.diagnostic());
                file.error_count += 1;
            }
            Severity::Warning | Severity::Deprecation => file.warnings.push(problem.diagnostic()),
        }
    }
    files
}

fn diagnostic_json(problem: &Problem) -> Value {
    let severity = match problem.rule.severity {
        Severity::Error => "error",
        Severity::Warning | Severity::Deprecation => "warning",
    };
    let place = |place: &Place| match place.line_place() {
        LinePlace::At { line, column } => (Some(line), Some(column)),
        LinePlace::Nowhere | LinePlace::WholeFile => (None, None),
    };
    let file = |of: &Place| of.file().map(str::to_owned);
    let (line, column) = place(&problem.place);
    let related = problem.related.iter().map(|(of, note)| {
        let (line, column) = place(of);
        json!({"file": file(of), "line": line, "column": column, "note": note})
    });
    json!({
        "severity": severity,
        "code": problem.rule.code,
        "message": problem.message,
        "file": file(&problem.place),
        "line": line,
        "column": column,
        "label": problem.label,
        "help": problem.help,
        "related": related.collect::<Vec<_>>(),
    })
}
