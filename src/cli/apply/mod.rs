//! `pantin apply`: brings this machine into the state that its catalog describes.

mod catalog;
mod console;
mod deferred;
mod facts;
mod machine_settings;
mod records;
mod scope;
pub(super) mod signals;
mod sources;
mod verification;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use pantin_apply::{
    Applied, ApplyRequest, ApplySettings, DeferredValues, Level, LogSink, NoDeferredValues, Plan, ReadAhead, Scope,
    Sources, apply,
};
use pantin_machine::{IsolatedRoot, Reading, RealSystem, Stop, System};
use pantin_repository::answer::fresh_uuid;
use pantin_repository::options::{MainManifest, OpenError};
use pantin_values::Hash;
use pantin_world::{Disk, MachineDisk, Surroundings, absolute_path, repository_around};

use super::Exit;
use super::args::cache::CacheArguments;
use super::args::repository::RepositoryArguments;
use super::print::colour::Colour;
use super::print::console_log::ConsoleLog;
use catalog::{NoCatalog, obtain};
pub(super) use console::{ConsoleColours, Destinations};
use deferred::EnvironmentFunctions;
use facts::machine_facts;
pub(super) use machine_settings::{MachineSettings, TypedSettings};
use scope::ScopeArguments;
use sources::ReadFiles;
pub(super) use sources::{ModuleFiles, modules_in};
pub(super) use verification::Differences;
use verification::{WarningsOnly, differences};

/// Bring this machine into the state that a manifest or a catalog describes
#[derive(Debug, Args)]
#[command(version = super::VERSION, after_help = "\
Examples:
  pantin apply site.pp --modulepath modules
  pantin apply -e 'file { \"/etc/motd\": content => \"hello\\n\" }' --noop --show_diff
  pantin apply --catalog web01.json
  pantin apply --changed
  pantin apply --test

Without a manifest, in the folder of a control repository or below it, that repository is the environment; elsewhere \
the manifest is read from standard input.
Every setting of Puppet may be a long option: --statedir DIR, --strict=warning, --no-show_diff.
Facts come from --facts; without it they are those of this machine, external ones too.
Exit codes:
  0  the catalog was applied; without --detailed-exitcodes also where resources failed
  1  it was not: it does not compile, it was refused, or the run did not come to its end
  2  with --detailed-exitcodes: something was changed; else wrong usage
  4  with --detailed-exitcodes: something failed
  6  with --detailed-exitcodes: both
  8  more would be removed than --max-removals allows; the rest was applied

The promise of --changed:
  --changed --ask all leaves the machine as a full run with --owed would, and makes the same refreshes, if at its
  start a second full run would have changed nothing but what the edit asks for and what the table knows to be due;
  notifies, and execs without checks, aside. Without --ask all, checks of execs that stand elsewhere and read what
  the edit writes are not asked. Neither looks for drift elsewhere than in what the edit needs. What others changed
  on the machine since the last run is found by --drift look, mended by --drift mend, and by the next full run.")]
pub(super) struct Arguments {
    /// A manifest, or a folder of them
    #[arg(value_name = "MANIFEST", conflicts_with_all = ["code", "catalog"])]
    manifest: Option<PathBuf>,

    /// Code in place of a manifest
    #[arg(short = 'e', long = "execute", value_name = "CODE", allow_hyphen_values = true, conflicts_with = "catalog")]
    code: Option<String>,

    /// Apply this catalog, which is JSON; - is standard input
    #[arg(short = 'c', long, value_name = "FILE")]
    catalog: Option<PathBuf>,

    /// What the catalog was compiled from, by another process of Pantin
    #[arg(long, hide = true, requires = "catalog")]
    entry: Option<String>,

    /// The name of this machine [default: what puppet.conf says, or the name of the host]
    #[arg(long, value_name = "NAME")]
    certname: Option<String>,

    /// Apply in this tree, as its root: with mounts and processes of its own. Facts are those of the tree
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Change nothing, and say what would be changed
    #[arg(long, overrides_with = "no_noop")]
    noop: bool,

    #[arg(long = "no-noop", hide = true)]
    no_noop: bool,

    /// Show the differences of files that change
    #[arg(long = "show_diff", alias = "show-diff", overrides_with = "no_show_diff")]
    show_diff: bool,

    #[arg(long = "no-show_diff", alias = "no-show-diff", hide = true)]
    no_show_diff: bool,

    /// Apply resources with one of these tags alone
    #[arg(long, value_name = "TAG[,TAG]…")]
    tags: Option<String>,

    /// Leave out resources with one of these tags
    #[arg(long = "skip_tags", alias = "skip-tags", value_name = "TAG[,TAG]…")]
    skip_tags: Option<String>,

    /// Apply resources whatever their schedules say
    #[arg(long)]
    ignoreschedules: bool,

    /// Say with the exit code what happened: 2 changes, 4 failures, 6 both
    #[arg(long = "detailed-exitcodes", alias = "detailed_exitcodes")]
    detailed_exitcodes: bool,

    /// The same as --detailed-exitcodes, --show_diff and --verbose
    #[arg(short = 't', long)]
    test: bool,

    /// Say more
    #[arg(short = 'v', long)]
    verbose: bool,

    /// Say all that there is to say
    #[arg(short = 'd', long)]
    debug: bool,

    /// Say when each resource is evaluated, and how long it took
    #[arg(long)]
    evaltrace: bool,

    /// Where the log goes: console, or the absolute path of a file; several are divided by commas. A file that ends in .json or
    /// .jsonl gets objects
    #[arg(short = 'l', long, value_name = "DESTINATION")]
    logdest: Option<String>,

    /// Print the numbers of the run at its end
    #[arg(long)]
    summarize: bool,

    /// Warn once of resources in a class whose dependencies failed
    #[arg(long = "merge_dependency_warnings", action = ArgAction::SetTrue)]
    merge_dependency_warnings: bool,

    /// Write which classes and resources were applied to classes.txt and resources.txt
    #[arg(long = "write-catalog-summary", alias = "write_catalog_summary")]
    write_catalog_summary: bool,

    /// Run beside another run
    #[arg(long = "no-lock", conflicts_with = "wait_for_lock")]
    no_lock: bool,

    /// Wait so many seconds for another run to end
    #[arg(long = "wait-for-lock", value_name = "SECONDS", default_value_t = 0)]
    wait_for_lock: u64,

    #[command(flatten)]
    scope: ScopeArguments,

    /// Refused: classes of an earlier run are not loaded
    #[arg(short = 'L', long, hide = true)]
    loadclasses: bool,

    /// Refused: `pantin graph` draws the graph
    #[arg(long, hide = true)]
    graph: bool,

    #[arg(long = "use-nodes", alias = "use_nodes", hide = true)]
    use_nodes: bool,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,

    #[command(flatten)]
    cache: CacheArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

impl Arguments {
    /// Names what the catalog is made of.
    fn entry(&self, environment: &str) -> String {
        if let Some(entry) = &self.entry {
            return entry.clone();
        }
        match (&self.catalog, &self.code, &self.manifest) {
            (Some(file), ..) => format!("catalog {}", absolute_path(file).display()),
            (None, Some(code), _) => format!("code {environment} {code}"),
            (None, None, Some(manifest)) => format!("manifest {environment} {}", absolute_path(manifest).display()),
            (None, None, None) => format!("environment {environment}"),
        }
    }

    fn typed_settings(&self) -> TypedSettings<'_> {
        TypedSettings {
            language: self.repository.language(),
            confdir: self.repository.confdir(),
            settings: self.repository.settings(),
            certname: self.certname.as_deref(),
            root: self.root.as_deref(),
        }
    }

    /// Returns what is evaluated first. Where neither a manifest nor an environment is named and no control repository
    /// is around, standard input is the manifest.
    fn main(&self, stdin_is_piped: bool) -> Result<MainManifest, OpenError> {
        match (&self.code, &self.manifest) {
            (Some(code), _) => return Ok(MainManifest::Code(code.clone())),
            (None, Some(manifest)) => return Ok(MainManifest::At(manifest.clone())),
            (None, None) => {}
        }
        let is_known = || repository_around(&MachineDisk::default(), &absolute_path(Path::new("."))).is_some();
        if self.catalog.is_some() || !stdin_is_piped || self.repository.names_environment() || is_known() {
            return Ok(MainManifest::Configured);
        }
        let mut code = String::new();
        let read = io::stdin().read_to_string(&mut code);
        read.map_err(|error| OpenError::Failed(format!("cannot read standard input: {error}")))?;
        Ok(if code.trim().is_empty() { MainManifest::Configured } else { MainManifest::Code(code) })
    }

    /// Refuses what Puppet has and Pantin has not, with the reason.
    fn check(&self) -> Result<(), OpenError> {
        let refused = match () {
            () if self.loadclasses => {
                "--loadclasses: classes of an earlier run are not loaded; a manifest can include them"
            }
            () if self.graph => {
                "--graph: the graph of a catalog is drawn by pantin graph, or by pantin compile --graph"
            }
            () if self.write_catalog_summary && self.scope.is_partial() => {
                "--write-catalog-summary: a run with --changed does not go through all resources"
            }
            () => return Ok(()),
        };
        Err(OpenError::Usage(refused.to_owned()))
    }

    /// Returns the level below which nothing is said, where the settings say another one.
    fn level(&self, by_setting: Level) -> Level {
        match () {
            () if self.debug => Level::Debug,
            () if self.verbose || self.test => by_setting.min(Level::Info),
            () => by_setting,
        }
    }
}

impl Arguments {
    /// Returns when to use colours.
    pub(super) fn colour(&self) -> Colour {
        self.color
    }
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let colours = ConsoleColours {
        out: arguments.color.is_on(surroundings, surroundings.stdout_is_terminal),
        err: arguments.color.is_on(surroundings, surroundings.stderr_is_terminal),
    };
    let console = ConsoleLog::plain(arguments.color, surroundings);
    let machine = RealSystem::new();
    let settings = match arguments.scope.check_partial().and_then(|()| arguments.settings(&machine)) {
        Ok(settings) => settings,
        Err(refused) => return Ok(console.refuse_as_error(refused)),
    };
    let level = arguments.level(settings.level().map_err(io::Error::other)?);
    let by_setting = settings.text("logdest").ok().filter(|named| !named.is_empty());
    let log = Destinations::open(arguments.logdest.as_deref().or(by_setting.as_deref()), colours, level, &machine)?;
    let run =
        Run { arguments, settings: &settings, machine: &machine, console: &console, log: &log, sink: &log, level };
    match run.apply(arguments.scope.scope(), surroundings)? {
        Ok(completed) => finish(arguments, &completed, &settings, (&machine, &log)),
        Err(exit) => Ok(exit),
    }
}

/// The machine that this process runs on, or a tree.
pub(super) struct ThisMachine {
    pub certname: String,
    pub facts: Hash,
    /// What could not be read of external facts.
    pub troubles: Vec<String>,
}

/// Reads the name and the facts of this machine, or of a tree.
pub(super) fn this_machine(repository: &RepositoryArguments, root: Option<&Path>) -> Result<ThisMachine, OpenError> {
    let machine = RealSystem::new();
    let typed = TypedSettings {
        language: repository.language(),
        confdir: repository.confdir(),
        settings: repository.settings(),
        certname: None,
        root,
    };
    let settings = MachineSettings::read(typed, &machine)?;
    let found = machine_facts(&machine, root, &settings, &Stop::default())?;
    Ok(ThisMachine { certname: settings.certname, facts: found.facts, troubles: found.troubles })
}

/// What `pantin apply` would do.
pub(super) struct Planned {
    pub plan: Plan,
    /// What `--show_diff` shows, by resource.
    pub differences: Differences,
    /// Something could not be looked at.
    pub has_failed: bool,
}

/// Finds out what a run of what changed would do. Only what goes wrong is told.
pub(super) fn plan(
    arguments: &Arguments,
    runs_checks: bool,
    surroundings: &Surroundings,
) -> io::Result<Result<Planned, Exit>> {
    let err = arguments.color.is_on(surroundings, surroundings.stderr_is_terminal);
    let console = ConsoleLog::plain(arguments.color, surroundings);
    let machine = RealSystem::new();
    let settings = match arguments.settings(&machine) {
        Ok(settings) => settings,
        Err(refused) => return Ok(Err(console.refuse_as_error(refused))),
    };
    let log = Destinations::open(None, ConsoleColours { out: false, err }, Level::Warning, &machine)?;
    // Differences are said at the level of their resources, and shown with the plan.
    let level = if arguments.show_diff { Level::Debug } else { Level::Warning };
    let sink = &WarningsOnly(&log);
    let run = Run { arguments, settings: &settings, machine: &machine, console: &console, log: &log, sink, level };
    let scope = Scope {
        is_partial: true,
        makes_owed: true,
        is_plan: true,
        plans_checks: runs_checks,
        ..arguments.scope.scope()
    };
    let applied = match run.apply(scope, surroundings)? {
        Ok(completed) => completed.applied,
        Err(exit) => return Ok(Err(exit)),
    };
    let Some(report) = &applied.report else { return Ok(Err(Exit::Rejected)) };
    let has_failed = applied.has_failed || report.exit_code() & 4 != 0;
    let differences = differences(report);
    Ok(Ok(Planned { plan: applied.plan, differences, has_failed }))
}

impl Arguments {
    /// Reads the settings of the machine, and refuses what cannot be done.
    fn settings(&self, machine: &RealSystem) -> Result<MachineSettings, OpenError> {
        self.check()?;
        self.scope.check()?;
        MachineSettings::read(self.typed_settings(), machine)
    }
}

/// What a run of the command uses.
struct Run<'r> {
    arguments: &'r Arguments,
    settings: &'r MachineSettings,
    machine: &'r RealSystem,
    console: &'r ConsoleLog,
    log: &'r Destinations<'r>,
    /// Takes what the run itself says.
    sink: &'r dyn LogSink,
    level: Level,
}

impl Run<'_> {
    /// Gets the catalog and applies it. `Err`: how the process ends where it was refused.
    fn apply(&self, scope: Scope, surroundings: &Surroundings) -> io::Result<Result<Completed, Exit>> {
        let Run { arguments, settings, machine, console, log, sink, level } = *self;
        let begin = machine.now();
        let main = match arguments.main(!surroundings.stdin_is_terminal) {
            Ok(main) => main,
            Err(refused) => return Ok(Err(console.refuse_as_error(refused))),
        };
        let obtained = match obtain(arguments, (settings, main), machine, console, log) {
            Ok(obtained) => obtained,
            Err(NoCatalog::Told) => return Ok(Err(Exit::Rejected)),
            Err(NoCatalog::Refused(refused)) => return Ok(Err(console.refuse_as_error(refused))),
        };
        if let Some(refused) = refuse_other_node(arguments, settings, &obtained.catalog.name) {
            return Ok(Err(console.refuse_as_error(refused)));
        }
        let mounts = settings.path("confdir").map_err(io::Error::other)?.join("fileserver.conf");
        let files = ModuleFiles::new(machine, obtained.modules).with_mounts(&mounts);
        let read_files = match &arguments.root {
            Some(_) => Some(ReadFiles::of_catalog(&obtained.catalog, &files)?),
            None => None,
        };
        // The thread that hears of signals is started before: in another root no thread can be.
        let stop = signals::watch()?;
        let functions = obtained.functions.map(|request| EnvironmentFunctions { request, log });
        // From here on everything happens in the other root.
        let _root = arguments.root.as_deref().map(IsolatedRoot::enter).transpose()?;
        if !scope.is_plan {
            records::make_folders(settings, machine)?;
        }
        let by_arguments = apply_settings(arguments, settings, &obtained.environment).map_err(io::Error::other)?;
        let noop = by_arguments.noop || scope.is_plan;
        let apply_settings = ApplySettings { level, noop, scope, ..by_arguments };
        let request = ApplyRequest {
            catalog: obtained.catalog,
            settings: &apply_settings,
            machine,
            sources: read_files.as_ref().map_or(&files as &dyn Sources, |read| read as &dyn Sources),
            deferred: functions
                .as_ref()
                .map_or(&NoDeferredValues as &dyn DeferredValues, |known| known as &dyn DeferredValues),
            stop: &stop,
            sink,
            begin,
            retrieval_seconds: obtained.seconds,
            transaction_uuid: fresh_uuid("transaction"),
            catalog_uuid: fresh_uuid("catalog"),
        };
        let again = arguments.scope.verifies().then(|| request.clone());
        let applied = apply(request)?;
        let deviations = match again.filter(|_| !applied.has_failed && applied.report.is_some()) {
            Some(request) => verification::deviations(request, log)?,
            None => 0,
        };
        Ok(Ok(Completed { applied, deviations }))
    }
}

/// What came of a run.
struct Completed {
    applied: Applied,
    /// How much a full run would still change, where that was asked.
    deviations: usize,
}

/// A catalog of another machine is not applied to this one by mistake.
fn refuse_other_node(arguments: &Arguments, settings: &MachineSettings, node: &str) -> Option<OpenError> {
    let is_own =
        arguments.catalog.is_none() || arguments.root.is_some() || node.is_empty() || node == settings.own_name;
    if is_own || arguments.certname.as_deref() == Some(node) {
        return None;
    }
    let own = &settings.own_name;
    Some(OpenError::Usage(format!(
        "the catalog is of {node}, and this machine is {own}: --certname {node} applies it all the same"
    )))
}

fn apply_settings(
    arguments: &Arguments,
    settings: &MachineSettings,
    environment: &str,
) -> Result<ApplySettings, String> {
    let tags = |given: &Option<String>, name: &str| match given {
        Some(given) => {
            Ok(given.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_lowercase).collect())
        }
        None => settings.list(name),
    };
    Ok(ApplySettings {
        language: settings.language,
        environment: environment.to_owned(),
        noop: arguments.noop || (!arguments.no_noop && settings.flag("noop")?),
        show_diff: arguments.show_diff || arguments.test || (!arguments.no_show_diff && settings.flag("show_diff")?),
        diff: (settings.text("diff")?, settings.text("diff_args")?.split_whitespace().map(str::to_owned).collect()),
        tags: tags(&arguments.tags, "tags")?,
        skip_tags: tags(&arguments.skip_tags, "skip_tags")?,
        ignore_schedules: arguments.ignoreschedules || settings.flag("ignoreschedules")?,
        merge_dependency_warnings: arguments.merge_dependency_warnings || settings.flag("merge_dependency_warnings")?,
        is_evaluation_traced: arguments.evaltrace || settings.flag("evaltrace")?,
        preprocess_deferred: settings.flag("preprocess_deferred")?,
        bucket: settings.path("clientbucketdir")?,
        entry: arguments.entry(environment),
        takes_no_lock: arguments.no_lock,
        lock_wait: arguments.wait_for_lock,
        reads_all_files: arguments.scope.reads_all_files(),
        read_ahead: read_ahead_for_tests(),
        state: Some(settings.path("statedir")?),
        puppet_state: Some(settings.path("statefile")?),
        state_lifetime: settings.seconds("statettl")?,
        digest_algorithm: settings.text("digest_algorithm")?,
        prerun_command: settings.text("prerun_command")?,
        postrun_command: settings.text("postrun_command")?,
        ..ApplySettings::new(&settings.certname)
    })
}

/// The variable by which a test says how files are read ahead.
#[cfg(debug_assertions)]
const READ_AHEAD: &str = "PANTIN_TEST_READ_AHEAD";

/// Returns how files are read ahead. Only a test says so: `never`, or a program that is called before and after.
#[cfg(debug_assertions)]
fn read_ahead_for_tests() -> ReadAhead {
    match MachineDisk::default().process_variable(READ_AHEAD).as_deref() {
        None => ReadAhead::Usual,
        Some("never") => ReadAhead::Never,
        Some(program) => ReadAhead::Between(PathBuf::from(program)),
    }
}

#[cfg(not(debug_assertions))]
fn read_ahead_for_tests() -> ReadAhead {
    ReadAhead::Usual
}

/// Writes what the run leaves behind, and says how the process ends.
fn finish(
    arguments: &Arguments,
    Completed { applied, deviations }: &Completed,
    settings: &MachineSettings,
    (machine, log): (&dyn System, &Destinations<'_>),
) -> io::Result<Exit> {
    let Some(report) = &applied.report else { return Ok(Exit::Rejected) };
    match applied.stopped {
        Some(signals::INTERRUPT) => log.say_exiting(),
        Some(_) => log.say(Level::Err, "Could not run: SIGTERM"),
        None => {}
    }
    records::write(report, settings, machine)?;
    if arguments.write_catalog_summary {
        records::write_catalog_summary(report, settings, machine)?;
    }
    if arguments.summarize || settings.flag("summarize").unwrap_or_default() {
        let mut out = io::stdout().lock();
        out.write_all(report.summary_text(machine.now()).as_bytes())?;
        out.flush()?;
    }
    let drift = if applied.plan.drifted.is_empty() { 0 } else { 2 };
    let deviates = *deviations > 0;
    Ok(match () {
        () if applied.has_failed => Exit::Rejected,
        () if applied.plan.has_too_many_removals => Exit::Code(8),
        () if arguments.detailed_exitcodes || arguments.test => {
            Exit::Code(report.exit_code() | drift | if deviates { 4 } else { 0 })
        }
        () if deviates => Exit::Rejected,
        () => Exit::Accepted,
    })
}
