//! `pantin validate`: checks manifests and templates, and says what Puppet would say.

mod catalogs;

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pantin_repository::comparison::SavedSystems;
use pantin_repository::configuration::{Configuration, Key};
use pantin_repository::fenced_machine;
use pantin_repository::file_check::FileChecker;
use pantin_repository::fleet::work_in_order;
use pantin_repository::options::{FactSource, OpenError, Options, WorldOptions};
use pantin_syntax::{MessageLimits, SourceKind};
use pantin_world::{
    Disk, IgnoreRules, LocationRules, Locator, MachineDisk, Selection, Stopwatch, Surroundings, absolute_path, git_top,
};

use super::Exit;
use super::args::candidates;
use super::args::fence::FenceArguments;
use super::args::gate::FailOn;
use super::args::given_paths::check_present;
use super::args::language::LanguageArguments;
use super::args::node::operating_system;
use super::args::targets::{StandardInput, TargetKind, Targets, display_path, find_targets, kind_of_input};
use super::print::check::Checker;
use super::print::colour::{Colour, report_width};
use super::print::progress::{Progress, ProgressDisplay};
use super::print::report::{Format, Report, Style, Tally, report};
use super::print::safe::workflow_log::LogReader;

const HELP_AFTER: &str = "\
Examples:
  pantin validate                          the current directory, or what is piped in
  pantin validate site.pp modules/         a file, and all that is checked of a folder
  pantin validate --puppet 7 --tasks plans
  pantin validate --stdin-filename site/profile/manifests/web.pp - < unsaved.pp
  pantin validate --catalog web01.json --facts facts/
                                           what the agent would refuse of a catalog
  git diff --name-only -z '*.pp' | xargs -0 pantin validate
  pantin validate --format sarif . > pantin.sarif

Reports go to standard output, the summary and the progress bar to standard error.
Exit codes:
  0  everything was accepted
  1  something was rejected, or with --fail-on warning there is a warning; something could not be read, or is not there: all that was found is ignored, or a named folder
     below a repository's holds nothing that is checked
  2  wrong usage, or the report could not be written";

const HELP_LONG: &str = "\
Formats (without --format: text on a terminal, github if GITHUB_ACTIONS is true, else puppet):
  text    a report with the source's lines for each finding
  puppet  the lines of `puppet parser validate`
  json    JSON lines: an object for each file, in order, with
            file, accepted, errors, warnings, findings: [{severity, code, message,
            line, column, offset, length, label, help, related}]
          (line and column count from 1, column in characters, offset and length in bytes;
          null where unknown), then {\"summary\": {schema, files, rejected, errors, warnings, bytes}}
  sarif   one SARIF 2.1.0 log
  gitlab  a code quality report
  junit   JUnit's XML, a test case for each file
  github  workflow commands: ::error file=…,line=…,col=…,title=…::message
  markdown  a table for a comment on a merge request

Where a manifest stands decides which names it may define. It is found out from, in this order:
  1. --modulepath and --manifest
  2. the nearest environment.conf above it: its modulepath and manifest; examples and other files
     beside manifests, functions, types and plans of a module may hold anything
  3. the nearest folder above it that looks like a module: with a metadata.json, or in a folder
     called modules (or in site or site-modules of a control repository); its examples and other
     files beside manifests, functions, types and plans may then hold anything
--no-location switches these rules off.

";

/// Check manifests, templates, data and files of settings
///
/// Parses and validates .pp and .epp files and says what `puppet parser validate` would say; plans below
/// `plans` as with --tasks. Of ERB templates the Ruby code is parsed, of YAML and JSON the syntax, and keys
/// that stand twice are warnings. hiera.yaml, metadata.json, environment.conf and pantin.toml are checked for
/// what they say as well. Folders are searched for all of these; hidden files and what .gitignore names are
/// left out, and YAML and JSON below `files`, `templates` and `spec/fixtures`.
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER, after_long_help = format!("{HELP_LONG}{HELP_AFTER}"))]
pub(super) struct Arguments {
    /// Files, folders, or - for standard input [default: standard input if it is a pipe or a file, else .]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The form of the report [default: by where it goes]
    #[arg(long, value_name = "FORMAT", alias = "render-as")]
    format: Option<Format>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,

    /// Print findings alone: no summary, no progress bar
    #[arg(short, long)]
    quiet: bool,

    /// How many files to check at once [default: as many as there are cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// What makes the exit code 1
    #[arg(long, value_name = "WHAT", default_value = "failure")]
    fail_on: FailOn,

    /// Take standard input for an EPP template
    #[arg(long)]
    epp: bool,

    /// The file that standard input is the content of, as an editor has it: for messages, and for the names that it may
    /// define
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,

    /// Check a saved catalog in place of manifests, or all of a folder: whether the agent would refuse a resource for one of its
    /// values; may be given several times
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["paths", "epp", "stdin_filename"], help_heading = "Catalogs")]
    catalog: Vec<PathBuf>,

    /// Facts of the nodes that the catalogs are for: a JSON or YAML file, a folder with a file for each node, or an export of
    /// PuppetDB; may be given several times. What depends on the system of a node without facts is not checked
    #[arg(long, value_name = "FILE|DIR", requires = "catalog", help_heading = "Catalogs")]
    facts: Vec<PathBuf>,

    /// Made-up facts of the nodes that the catalogs are for: a fresh machine with this operating system, such as debian-12
    #[arg(long, value_name = "NAME", requires = "catalog", conflicts_with = "facts", value_parser = operating_system, add = candidates::operating_systems(), help_heading = "Catalogs")]
    os: Option<String>,

    #[command(flatten)]
    fence: FenceArguments,

    #[command(flatten)]
    language: LanguageArguments,

    /// Show at most this many errors of a file; one is always shown, and never more than 10000
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Limits")]
    max_errors: usize,

    /// Show at most this many warnings of a file
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Limits")]
    max_warnings: usize,

    /// Show at most this many deprecations of a file
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Limits")]
    max_deprecations: usize,

    /// Leave out what this pattern of .gitignore names; may be given several times
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    ignore: Vec<String>,

    /// Check what .gitignore names, too
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,

    /// Check files and folders whose name starts with a dot, too
    #[arg(long, help_heading = "Files")]
    hidden: bool,

    /// Folders of modules, divided by colons, in place of those that are found
    #[arg(long, value_name = "DIR[:DIR]…", value_delimiter = ':', help_heading = "Location")]
    modulepath: Option<Vec<PathBuf>>,

    /// The file or folder of the initial manifests, in place of the one that is found
    #[arg(long, value_name = "FILE|DIR", help_heading = "Location")]
    manifest: Option<PathBuf>,

    /// Allow any name in any file
    #[arg(long, conflicts_with_all = ["modulepath", "manifest"], help_heading = "Location")]
    no_location: bool,

    /// The environment that puppet's messages name
    #[arg(long, value_name = "NAME", default_value = "production", help_heading = "Location")]
    environment: String,
}

pub(super) fn run(mut arguments: Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let running = Stopwatch::start();
    let format = arguments.format.unwrap_or_else(|| Format::for_surroundings(surroundings));
    let paths = std::mem::take(&mut arguments.paths);
    if !arguments.catalog.is_empty() {
        return validate_catalogs(&arguments, format, surroundings);
    }
    // Clap asks for no option that others exclude.
    if !arguments.facts.is_empty() || arguments.os.is_some() {
        let refused = OpenError::Usage("--facts and --os are for --catalog, which names saved catalogs".to_owned());
        return Ok(arguments.refuse(refused, surroundings));
    }
    let paths = if paths.is_empty() { default_paths(surroundings) } else { paths };
    let threads = arguments.jobs.map_or(0, usize::from);
    let standard_input = arguments.standard_input();
    let prepare = || {
        let disk = arguments.fenced_disk(&paths)?;
        Ok::<_, OpenError>((arguments.selection(threads)?, arguments.checker(format, Arc::clone(&disk))?, disk))
    };
    let (selection, checker, disk) = match prepare() {
        Ok(prepared) => prepared,
        Err(refused) => return Ok(arguments.refuse(refused, surroundings)),
    };
    let Targets { checked: mut targets, others, ignored, empty } = find_targets(&paths, &standard_input, &selection);
    targets.iter_mut().for_each(|target| target.hold_to(&*disk));

    let report = report(format, arguments.style(surroundings));
    let has_bar = surroundings.stderr_is_terminal && !arguments.quiet;
    let shown = if has_bar { ProgressDisplay::Bar } else { ProgressDisplay::Nothing };
    let progress = Progress::new(shown, "files", targets.len());
    let mut printer = Printer::new(report.as_ref(), format, progress, surroundings);
    printer.failure = printer.print(&report.begin()).err();
    work_in_order(
        &targets,
        threads,
        |target| {
            let checked = checker.check(target);
            (report.file(&checked), Tally::new(&checked))
        },
        |(text, tally)| printer.next(&text, tally, running),
    )?;
    let unchecked =
        Unchecked { others, ignored, empty: empty.into_iter().filter(|folder| !is_repository(folder)).collect() };
    printer.finish(&arguments, running, &unchecked)
}

/// Checks saved catalogs, and prints the report.
fn validate_catalogs(arguments: &Arguments, format: Format, surroundings: &Surroundings) -> io::Result<Exit> {
    let running = Stopwatch::start();
    // What a catalog names is shown as far as the fence lets it be.
    if let Err(refused) = arguments.fenced_disk(&arguments.catalog) {
        return Ok(arguments.refuse(refused, surroundings));
    }
    let checked = arguments.saved_systems().and_then(|systems| {
        let checked = arguments.catalog.iter().map(|file| catalogs::check(file, &systems));
        checked.collect::<Result<Vec<_>, _>>().map_err(OpenError::Failed)
    });
    let checked = match checked {
        Ok(checked) => checked,
        Err(refused) => return Ok(arguments.refuse(refused, surroundings)),
    };
    let report = report(format, arguments.style(surroundings));
    let progress = Progress::new(ProgressDisplay::Nothing, "files", 0);
    let mut printer = Printer::new(report.as_ref(), format, progress, surroundings);
    printer.failure = printer.print(&report.begin()).err();
    for checked in checked.iter().flatten() {
        if printer.next(&report.file(checked), Tally::new(checked), running).is_break() {
            break;
        }
    }
    printer.finish(arguments, running, &Unchecked { others: Vec::new(), ignored: 0, empty: Vec::new() })
}

/// Returns true for the top folder of a repository, which need not have any manifests.
fn is_repository(folder: &Path) -> bool {
    let folder = absolute_path(folder);
    git_top(&MachineDisk::default(), &folder).is_none_or(|top| top == folder)
}

/// What was named or found, and not checked.
struct Unchecked {
    others: Vec<PathBuf>,
    ignored: usize,
    empty: Vec<PathBuf>,
}

fn default_paths(surroundings: &Surroundings) -> Vec<PathBuf> {
    vec![PathBuf::from(if surroundings.stdin_is_given { "-" } else { "." })]
}

impl Arguments {
    fn standard_input(&self) -> StandardInput {
        let path = self.stdin_filename.clone();
        let kind = if self.epp { TargetKind::Puppet(SourceKind::Template) } else { kind_of_input(path.as_deref()) };
        StandardInput { kind, path }
    }

    fn selection(&self, threads: usize) -> Result<Selection, OpenError> {
        let here = absolute_path(Path::new("."));
        let configuration = Configuration::read(&MachineDisk::default(), &here)?;
        let mut ignored = Vec::new();
        let configured =
            configuration.get(Key::Ignore).map(|value| (value.origin.folder().unwrap_or(&here), &value.texts));
        for (folder, patterns) in configured.into_iter().chain([(here.as_path(), &self.ignore)]) {
            ignored.push(Arc::new(IgnoreRules::new(folder, patterns).map_err(OpenError::Usage)?));
        }
        Ok(Selection { honour_gitignore: !self.no_ignore, hidden: self.hidden, threads, ignored })
    }

    /// The disk as far as a link in the repository may lead. `paths`: what was named.
    fn fenced_disk(&self, paths: &[PathBuf]) -> Result<Arc<dyn Disk>, OpenError> {
        self.fence.check()?;
        let mut fence = self.fence.options();
        fence.add.extend(paths.iter().map(|path| absolute_path(path)));
        let world = WorldOptions { fence, ..WorldOptions::default() };
        let options = Options { world, reads_configuration: true, ..Options::default() };
        Ok(fenced_machine(&options.configured(&MachineDisk::default())?))
    }

    /// Reads facts of the nodes whose catalogs are checked: what is typed, or what the configuration says.
    fn saved_systems(&self) -> Result<SavedSystems, OpenError> {
        self.facts.iter().try_for_each(|path| check_present("--facts", path))?;
        let mut options = Options { reads_configuration: true, ..Options::default() };
        let typed = self.facts.iter().cloned().map(FactSource::At);
        options.nodes.facts = typed.chain(self.os.iter().cloned().map(FactSource::OperatingSystem)).collect();
        options.world.language = self.language.language();
        let wants_all = !options.nodes.facts.is_empty();
        let disk = MachineDisk::default();
        let options = options.configured(&disk)?;
        SavedSystems::read(&disk, &options.nodes, options.world.language.unwrap_or_default(), wants_all)
    }

    fn refuse(&self, refused: OpenError, surroundings: &Surroundings) -> Exit {
        let text = format!("Error: {refused}");
        let reader = LogReader::new(surroundings.stderr_is_terminal, surroundings);
        let _ = writeln!(io::stderr(), "{}", reader.shown(&text));
        Exit::Failed
    }

    fn checker(&self, format: Format, disk: Arc<dyn Disk>) -> Result<Checker, OpenError> {
        Ok(Checker {
            settings: self.language.settings()?,
            limits: MessageLimits {
                errors: self.max_errors,
                warnings: self.max_warnings,
                deprecations: self.max_deprecations,
            },
            locator: Locator::new(LocationRules {
                off: self.no_location,
                modulepath: self.modulepath.clone(),
                manifest: self.manifest.clone(),
            }),
            files: FileChecker::new(disk),
            absolute_names: format == Format::Puppet,
        })
    }

    fn style(&self, surroundings: &Surroundings) -> Style {
        Style {
            colour: self.color.is_on(surroundings, surroundings.stdout_is_terminal),
            on_terminal: LogReader::of_stdout(surroundings) != LogReader::Program,
            width: report_width(&console::Term::stdout()),
            max_errors: self.max_errors,
            environment: self.environment.clone(),
        }
    }
}

/// Writes the texts of the targets as they come, and keeps the counts.
struct Printer<'a> {
    report: &'a dyn Report,
    to: BufWriter<io::Stdout>,
    reader: LogReader,
    tally: Tally,
    has_printed: bool,
    progress: Progress,
    failure: Option<io::Error>,
}

impl<'a> Printer<'a> {
    fn new(report: &'a dyn Report, format: Format, progress: Progress, surroundings: &Surroundings) -> Printer<'a> {
        Printer {
            report,
            to: BufWriter::new(io::stdout()),
            reader: match format {
                Format::Human | Format::Puppet => LogReader::of_stdout(surroundings),
                _ => LogReader::Program,
            },
            tally: Tally::default(),
            has_printed: false,
            progress,
            failure: None,
        }
    }

    fn next(&mut self, text: &str, tally: Tally, running: Stopwatch) -> ControlFlow<()> {
        self.tally.add(tally);
        self.progress.advance(running);
        if self.failure.is_none() && !text.is_empty() {
            self.failure = self.print_next(text).err();
        }
        match &self.failure {
            // Whoever closed the pipe has read enough, but the exit code is for others: it goes on until it is known.
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe && self.tally.rejected == 0 => {
                ControlFlow::Continue(())
            }
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn print_next(&mut self, text: &str) -> io::Result<()> {
        let between = if self.has_printed { self.report.between() } else { "" };
        self.has_printed = true;
        self.print(&format!("{between}{text}"))
    }

    fn print(&mut self, text: &str) -> io::Result<()> {
        let (to, text) = (&mut self.to, self.reader.laid_out(text));
        self.progress.aside(|| {
            to.write_all(text.as_bytes())?;
            to.flush()
        })
    }

    fn finish(mut self, arguments: &Arguments, running: Stopwatch, unchecked: &Unchecked) -> io::Result<Exit> {
        let Unchecked { others, ignored, empty } = unchecked;
        self.progress.finish();
        // Whoever makes a change could have all of it left out.
        let is_all_ignored = self.tally.files == 0 && *ignored > 0;
        let is_warned = arguments.fail_on == FailOn::Warning && self.tally.warnings > 0;
        let is_accepted = !is_warned && self.tally.rejected == 0 && !is_all_ignored && empty.is_empty();
        let verdict = if is_accepted { Exit::Accepted } else { Exit::Rejected };
        let end = self.report.end(&self.tally);
        let written = match self.failure.take() {
            Some(error) => Err(error),
            None => self.print(&end),
        };
        match written {
            // The verdict stands.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(verdict),
            written => written?,
        }
        if let Some(text) = not_checked(others) {
            let _ = writeln!(io::stderr(), "{text}");
        }
        for folder in empty {
            let _ = writeln!(io::stderr(), "Error: {} holds nothing that is checked", display_path(folder));
        }
        if is_all_ignored {
            let _ = writeln!(io::stderr(), "Error: all that was found is ignored, by .gitignore, 'ignore' or --ignore");
        }
        if !arguments.quiet && (self.tally.files > 0 || others.is_empty()) {
            let ignored = if *ignored > 0 { format!("; {ignored} ignored") } else { String::new() };
            let _ = writeln!(io::stderr(), "{}{ignored}", summary(&self.tally, running));
        }
        Ok(verdict)
    }
}

/// So many files are named that are not checked.
const OTHERS: usize = 5;

/// Says which of the named files are not checked.
fn not_checked(others: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = others.iter().take(OTHERS).map(|path| display_path(path)).collect();
    let more = others.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty())
        .then(|| format!("Not checked, for validate checks manifests, templates and data: {}{more}", names.join(", ")))
}

fn summary(tally: &Tally, running: Stopwatch) -> String {
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    if tally.files == 0 {
        return "Nothing was checked: no manifests, templates or data found".to_owned();
    }
    let verdict = if tally.rejected == 0 { "all accepted".to_owned() } else { format!("{} rejected", tally.rejected) };
    format!(
        "Checked {} ({}) in {:.3} s: {verdict}, {}, {}",
        count(tally.files, "file"),
        readable_bytes(tally.bytes),
        running.elapsed().as_secs_f64(),
        count(tally.errors, "error"),
        count(tally.warnings, "warning"),
    )
}

fn readable_bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
