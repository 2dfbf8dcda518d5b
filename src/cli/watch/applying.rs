//! `pantin watch --apply`: after each edit the catalog of this machine is applied, by a process of its own, since in another root no
//! thread may be. The first run is a full one; each later one applies what the edit asks for.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use pantin_machine::RealSystem;
use pantin_model::catalog::Sent;
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::answer::fresh_uuid;
use pantin_repository::options::{CacheOptions, FactSource, NodeOptions, OpenError, Options};
use pantin_repository::query::Answer;
use pantin_repository::timings::Timings;
use pantin_repository::watch::{CheckChanges, Round};
use pantin_values::Str;
use pantin_world::{Remark, Stopwatch, Touched};

use super::source_files::SourceFiles;
use super::watch_loop::WatchReporter;
use crate::apply::{ModuleFiles, ThisMachine, modules_in, this_machine};
use crate::args::repository::RepositoryArguments;
use crate::print::console_log::ConsoleLog;

/// Whether this machine's catalog is applied, and where.
#[derive(Debug, Args)]
pub(super) struct ApplyArguments {
    /// After each edit, apply what it asks for to this machine; at the start, everything. The node is this machine, with its own facts
    /// unless --facts is given
    #[arg(long)]
    apply: bool,

    /// With --apply: change nothing, and say what would be changed
    #[arg(long, requires = "apply")]
    noop: bool,

    /// With --apply: apply in this tree, as its root
    #[arg(long, value_name = "DIR", requires = "apply")]
    root: Option<PathBuf>,

    /// With --apply: apply everything again after this time, also where nothing was edited: 30m, 2h, 1d
    #[arg(long, value_name = "TIME", requires = "apply", value_parser = time_span)]
    full_every: Option<Duration>,

    /// With --apply: after each edit look at everything, and say what a full run would still change
    #[arg(long, requires = "apply")]
    verify: bool,
}

/// Reads a number of seconds, minutes, hours or days: `90`, `30m`.
fn time_span(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err("it is a number with s, m, h or d".to_owned()),
    };
    let count: u64 = digits.parse().map_err(|_| "it is a number with s, m, h or d")?;
    let span = count.checked_mul(seconds).filter(|span| *span > 0).ok_or("it is more than nothing")?;
    Ok(Duration::from_secs(span))
}

impl ApplyArguments {
    /// Says how the catalog is applied, if it is. Without a name the node is this machine; without facts they are those of this machine, or
    /// of the tree.
    pub(super) fn application(
        self,
        options: &mut Options,
        nodes: &mut Vec<String>,
        repository: &RepositoryArguments,
        (cache, output): (&CacheOptions, RunOutput),
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
        let ApplyArguments { root, noop: is_noop, full_every, verify: verifies, .. } = self;
        let (options, cache) = (options.clone(), cache.clone());
        let full_run = Arc::default();
        Ok(Some(Application { node, options, cache, root, is_noop, output, is_named, full_every, verifies, full_run }))
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
    output: RunOutput,
    /// The node was named: its name need not be that of this machine.
    is_named: bool,
    /// After so long a full run is due.
    full_every: Option<Duration>,
    /// A partial run is verified.
    verifies: bool,
    /// Somebody asks for a full run.
    pub(super) full_run: Arc<AtomicBool>,
}

/// Where the lines of a run go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RunOutput {
    /// To the streams of this process.
    Inherited,
    /// To the reporter.
    Reported,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub(super) struct AppliedRun {
    pub(super) node: Str,
    pub(super) took: Duration,
    pub(super) is_full: bool,
    pub(super) is_noop: bool,
    /// `None`: a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) log: Vec<String>,
    pub(super) errors: Vec<String>,
}

/// Hands on what is told, and applies the catalog when an edit has been told.
pub(super) struct Applying<'r> {
    reporter: &'r mut dyn WatchReporter,
    application: Application,
    current: Option<Arc<Answer>>,
    /// A full run has come to its end.
    has_applied: bool,
    /// Since the last full run was begun.
    since_full: Stopwatch,
    sources: SourceFiles,
}

impl<'r> Applying<'r> {
    pub(super) fn new(reporter: &'r mut dyn WatchReporter, application: Application) -> Applying<'r> {
        Applying {
            reporter,
            application,
            current: None,
            has_applied: false,
            since_full: Stopwatch::start(),
            sources: SourceFiles::default(),
        }
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
        let json = sent.to_json().map_err(io::Error::other)?;
        let environment = answer.environment.clone().unwrap_or_default();
        let known = answer.module_folders().map(Ok);
        let folders = match known.unwrap_or_else(|| self.application.module_folders(&environment)) {
            Ok(folders) => folders,
            Err(reason) => return self.reporter.warn(&format!("nothing is applied: {reason}")),
        };
        let command = self.command(&environment, &folders)?;
        // What is edited while the run copies it is found to be another after it.
        let machine = RealSystem::new();
        self.sources.take(&catalog, &ModuleFiles::new(&machine, modules_in(&machine, &folders)), &machine);
        let is_full = !self.has_applied;
        if is_full {
            self.since_full = Stopwatch::start();
        }
        let run = self.application.run(command, &json, is_full)?;
        let code = run.code;
        self.reporter.applied(&run)?;
        // A run that was refused, or ended early, has not looked at everything.
        self.has_applied |= code != Some(1) && code.is_some();
        Ok(())
    }

    fn command(&self, environment: &str, folders: &[PathBuf]) -> io::Result<Command> {
        let Application { node, root, is_noop, is_named, verifies, .. } = &self.application;
        let program = std::env::current_exe()?;
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let mut command = Command::new(program);
        command.args(["apply", "--catalog", "-", "--verbose", "--detailed-exitcodes"]);
        command.args(["--entry", &format!("environment {environment}"), "--modulepath", &folders.join(":")]);
        if self.has_applied {
            command.arg("--changed");
            if *verifies {
                command.arg("--verify");
            }
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
    /// Returns the folders in which an environment's modules are, where only a stored answer is known of the node.
    fn module_folders(&self, environment: &str) -> Result<Vec<PathBuf>, String> {
        let opened = Repository::open(&self.options, &self.cache, Timings::none());
        let repository = opened.map_err(|error| error.to_string())?;
        let found = repository.compiler.world.environment(environment).map_err(|error| error.to_string())?;
        Ok(found.environment.modulepath.iter().map(|folder| folder.to_path_buf()).collect())
    }

    /// Runs the process, which reads the catalog from its standard input.
    fn run(&self, mut command: Command, catalog: &str, is_full: bool) -> io::Result<AppliedRun> {
        let watch = Stopwatch::start();
        command.stdin(Stdio::piped());
        if self.output == RunOutput::Reported {
            command.args(["--color", "never"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that was refused does not read to the end.
            let _ = stdin.write_all(catalog.as_bytes());
        }
        let output = child.wait_with_output()?;
        let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        Ok(AppliedRun {
            node: self.node.clone(),
            took: watch.elapsed(),
            is_full,
            is_noop: self.is_noop,
            code: output.status.code(),
            log: lines(&output.stdout),
            errors: lines(&output.stderr),
        })
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

    fn applied(&mut self, run: &AppliedRun) -> io::Result<()> {
        self.reporter.applied(run)
    }

    fn new_paths(&mut self) -> Vec<Arc<Path>> {
        self.sources.take_new()
    }

    /// A file that is copied may be another: the catalog is the same, and what it asks for is not.
    fn files_touched(&mut self, touched: &Touched) -> io::Result<()> {
        if self.sources.have_changed(touched, &RealSystem::new()) { self.apply() } else { Ok(()) }
    }

    fn due_in(&self) -> Option<Duration> {
        if self.application.full_run.load(Ordering::Acquire) {
            return Some(Duration::ZERO);
        }
        Some(self.application.full_every?.saturating_sub(self.since_full.elapsed()))
    }

    fn do_due(&mut self) -> io::Result<()> {
        self.application.full_run.store(false, Ordering::Release);
        self.has_applied = false;
        self.since_full = Stopwatch::start();
        self.apply()
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.reporter.warn(text)
    }

    fn complain(&mut self, text: &str) -> io::Result<()> {
        self.reporter.complain(text)
    }
}
