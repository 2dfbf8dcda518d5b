//! `pantin watch --apply`: after each edit the catalog of this machine is applied, by a process of its own, since in another root no
//! thread may be. The first run is a full one; each later one applies what the edit asks for.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pantin_model::catalog::Sent;
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::answer::fresh_uuid;
use pantin_repository::options::{CacheOptions, FactSource, NodeOptions, OpenError, Options};
use pantin_repository::query::Answer;
use pantin_repository::timings::Timings;
use pantin_repository::watch::{CheckChanges, Round};
use pantin_values::Str;
use pantin_world::{Remark, Stopwatch};
use serde_json::json;

use super::Format;
use super::json::line;
use super::looking::WatchReporter;
use crate::apply::{ThisMachine, this_machine};
use crate::args::repository::RepositoryArguments;
use crate::print::console_log::ConsoleLog;

/// Whether this machine's catalog is applied, and where.
#[derive(Debug, Args)]
pub(super) struct ApplyArguments {
    /// After each edit, apply what it asks for to this machine; at the start, everything. The node is this machine, with its own facts
    /// unless --facts is given
    #[arg(long, conflicts_with = "interactive")]
    apply: bool,

    /// With --apply: change nothing, and say what would be changed
    #[arg(long, requires = "apply")]
    noop: bool,

    /// With --apply: apply in this tree, as its root
    #[arg(long, value_name = "DIR", requires = "apply")]
    root: Option<PathBuf>,
}

impl ApplyArguments {
    /// Says how the catalog is applied, if it is. Without a name the node is this machine; without facts they are those of this machine, or
    /// of the tree.
    pub(super) fn application(
        self,
        options: &mut Options,
        nodes: &mut Vec<String>,
        repository: &RepositoryArguments,
        (cache, format): (&CacheOptions, Format),
        console: &ConsoleLog,
    ) -> Result<Option<Application>, OpenError> {
        if !self.apply {
            return Ok(None);
        }
        let ThisMachine { certname, facts, troubles } = this_machine(repository, self.root.as_deref())?;
        for trouble in troubles {
            console.say(Level::Warning, &trouble).map_err(|error| OpenError::Failed(error.to_string()))?;
        }
        let is_named = !nodes.is_empty();
        match nodes.as_slice() {
            [] => nodes.push(certname.clone()),
            [_] => {}
            _ => return Err(OpenError::Usage("--apply takes one node".to_owned())),
        }
        if options.nodes.facts.is_empty() && options.nodes.node_file.is_none() {
            let source = FactSource::Known(Str::from(certname.as_str()), facts);
            options.nodes = NodeOptions { facts: vec![source], ..std::mem::take(&mut options.nodes) };
        }
        let node = nodes.first().map(|node| Str::from(node.as_str())).unwrap_or_default();
        let ApplyArguments { root, noop, .. } = self;
        let (options, cache) = (options.clone(), cache.clone());
        Ok(Some(Application { node, options, cache, root, is_noop: noop, format, is_named }))
    }
}

/// How this machine's catalog is applied.
pub(super) struct Application {
    node: Str,
    /// The options of the watch, which say where modules are.
    options: Options,
    cache: CacheOptions,
    root: Option<PathBuf>,
    /// Nothing is changed, and told what would be.
    is_noop: bool,
    format: Format,
    /// The node was named: its name need not be that of this machine.
    is_named: bool,
}

/// Hands on what is told, and applies the catalog when an edit has been told.
pub(super) struct Applying<'r> {
    reporter: &'r mut dyn WatchReporter,
    application: Application,
    current: Option<Arc<Answer>>,
    /// A full run has come to its end.
    has_applied: bool,
}

impl<'r> Applying<'r> {
    pub(super) fn new(reporter: &'r mut dyn WatchReporter, application: Application) -> Applying<'r> {
        Applying { reporter, application, current: None, has_applied: false }
    }

    fn take(&mut self, answers: &[Arc<Answer>]) {
        self.current = answers.iter().find(|answer| answer.node == self.application.node).cloned();
    }

    /// Applies what the machine's node is answered now. Where that is an error, nothing is applied: the error was told.
    fn apply(&mut self) -> io::Result<()> {
        let Some(answer) = self.current.clone() else {
            return self.reporter.warn(&format!("nothing is applied: no node is called {}", self.application.node));
        };
        let Ok(catalog) = &answer.result else { return Ok(()) };
        let Some(catalog) = catalog.read() else {
            return self.reporter.warn("nothing is applied: the catalog is no longer in the store");
        };
        let sent = Sent { catalog: &catalog, uuid: &fresh_uuid(&answer.node) };
        let catalog = sent.to_json().map_err(io::Error::other)?;
        let environment = answer.environment.clone().unwrap_or_default();
        let command = match self.command(&environment) {
            Ok(command) => command,
            Err(reason) => return self.reporter.warn(&format!("nothing is applied: {reason}")),
        };
        let code = self.application.run(command, &catalog, !self.has_applied)?;
        // A run that was refused, or ended early, has not looked at everything.
        self.has_applied |= code != Some(1) && code.is_some();
        Ok(())
    }

    fn command(&self, environment: &str) -> Result<Command, String> {
        let Application { node, options, cache, root, is_noop, is_named, .. } = &self.application;
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let repository = Repository::open(options, cache, Timings::none()).map_err(|error| error.to_string())?;
        let environments = repository.compiler.world.environment(environment).map_err(|error| error.to_string())?;
        let folders: Vec<String> =
            environments.environment.modulepath.iter().map(|folder| folder.display().to_string()).collect();
        let mut command = Command::new(program);
        command.args(["apply", "--catalog", "-", "--verbose", "--detailed-exitcodes"]);
        command.args(["--entry", &format!("environment {environment}"), "--modulepath", &folders.join(":")]);
        if self.has_applied {
            command.arg("--changed");
        }
        if *is_noop {
            command.arg("--noop");
        }
        if let Some(root) = root {
            command.arg("--root").arg(root);
            if *is_named {
                command.args(["--certname", node]);
            }
        }
        Ok(command)
    }
}

impl Application {
    /// Runs the process, which reads the catalog from its standard input. Returns its exit code.
    fn run(&self, mut command: Command, catalog: &str, is_full: bool) -> io::Result<Option<i32>> {
        let watch = Stopwatch::start();
        command.stdin(Stdio::piped());
        if self.format == Format::Json {
            command.args(["--color", "never"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that was refused does not read to the end.
            let _ = stdin.write_all(catalog.as_bytes());
        }
        let output = child.wait_with_output()?;
        let code = output.status.code();
        if self.format == Format::Json {
            let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
            let event = json!({
                "event": "applied",
                "seconds": watch.elapsed().as_secs_f64(),
                "node": self.node.as_str(),
                "full": is_full,
                "noop": self.is_noop,
                "exit": code,
                "log": lines(&output.stdout),
                "errors": lines(&output.stderr),
            });
            let mut out = io::stdout().lock();
            out.write_all(line(&event).as_bytes())?;
            out.flush()?;
        }
        Ok(code)
    }
}

impl WatchReporter for Applying<'_> {
    fn first(&mut self, answers: &[Arc<Answer>], took: Duration) -> io::Result<()> {
        self.reporter.first(answers, took)?;
        self.take(answers);
        self.apply()
    }

    fn looked_at(&self) -> Vec<Str> {
        self.reporter.looked_at()
    }

    fn early(&mut self, round: Round, answers: Vec<Arc<Answer>>) -> io::Result<()> {
        self.reporter.early(round, answers)
    }

    fn round(&mut self, round: Round, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.take(answers);
        self.reporter.round(round, answers)
    }

    fn graph(&mut self, changes: CheckChanges, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.reporter.graph(changes, answers)
    }

    fn edit_is_shown(&mut self, is_quiet: bool) -> io::Result<()> {
        self.reporter.edit_is_shown(is_quiet)?;
        self.apply()
    }

    fn answers(&mut self, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.take(answers);
        self.reporter.answers(answers)
    }

    fn unchanged(&mut self) -> io::Result<()> {
        self.reporter.unchanged()
    }

    fn remarks(&mut self, remarks: &[Remark]) -> io::Result<()> {
        self.reporter.remarks(remarks)
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.reporter.warn(text)
    }

    fn complain(&mut self, text: &str) -> io::Result<()> {
        self.reporter.complain(text)
    }
}
