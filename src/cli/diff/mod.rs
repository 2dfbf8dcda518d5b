//! `pantin diff`: what differs between two revisions, folders, saved catalogs or sets of options, on which nodes.

mod html;
pub(crate) mod json;
mod junit;
mod markdown;
mod order;
mod sides;
mod text;
pub(crate) mod values;

use std::io;

use clap::{Args, ValueEnum};
use pantin_repository::comparison::{
    Comparison, DataDifferences, IgnoreRule, OpenedSide, Origin, SideInputs, SideModules, SideNames, UninstalledModule,
    Verdict, all_names, changed_configuration, compare, compare_data, install_modules, open_sides,
};
use pantin_repository::configuration::Key;
use pantin_repository::node_compiler::WITHOUT_NODES;
use pantin_repository::options::{OpenError, Options};
use pantin_values::Str;
use pantin_world::{MachineDisk, Stopwatch, Surroundings};

use super::Exit;
use super::args::cache::CacheArguments;
use super::args::candidates;
use super::args::jobs::JobArguments;
use super::args::memory::MemoryArguments;
use super::args::repository::{RepositoryArguments, settle_exports};
use super::args::world::ManifestArguments;
use super::nodes::graph_check::ResourceCheckArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::{escaped_json, print_report};
use super::print::progress::Progress;
use super::print::relative_path::relative_paths;
use sides::{FactAge, SideArguments};

const HELP_AFTER: &str = "\
Examples:
  pantin diff --facts facts/                     what the working tree changes since the main branch was left
  pantin diff HEAD --facts facts/                what is not committed yet
  pantin diff v1.2 v1.3 --nodes 'web*' --facts facts/
  pantin diff --from-puppet 7 --to-puppet 8 --facts facts/
  pantin diff --from-os debian-12 --to-os debian-13
  pantin diff production ../other-checkout --facts facts/ --ignore-resource 'File[/etc/motd]::content'
  pantin diff production --data                  what changes in the data, whether a node looks it up or not
  pantin diff before/ after/                     catalogs that fleet --out, a server or PuppetDB has written

FROM and TO are revisions of git, folders, or files and folders of saved catalogs as JSON; what begins with . or / is a \
path. Without TO it is the working tree; without FROM, the commit at which HEAD parted from the main branch \
(origin/HEAD, or origin/production, origin/main and origin/master, or the branches of these names), or the working tree too \
where an option says what differs. Revisions are read from git, and nothing is checked out. What git ignores, such as installed modules, and \
the modules of the Puppetfile are the same on both sides; where a side names other modules than those that are installed, the \
report says which, and nothing is certain; files that git neither knows nor ignores are in the working tree alone. \
Facts and recorded answers are those of TO on both sides; --from-facts names others for FROM.
The order in a report: what fails newly, what is removed, restarted or run, then the rest. The same change of a resource on several nodes is \
told once.
Formats: text, for a person; json, one object of the schema docs/diff.schema.json; markdown, for the summary of a job or a \
comment, below GitHub's limit of 65,536 characters; html, one page that needs nothing else; junit, a test case for each node, which \
fails where the node newly fails.
Exit codes:
  0  both sides were compared, whether something differs or not
  1  wrong usage, no node matches, a side cannot be read, or exports never settle
  2  with --exit-code: something differs, a side was not compiled with the modules that it names, or a node fails on both sides, so \
that nobody knows what changes behind its error; without: the report could not be written
  3  with --exit-code: a node fails that did not fail before";

/// Show what changes on which nodes between two revisions, or two sets of options
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    /// The side before the change
    from: Option<String>,

    /// The side after it [default: the working tree]
    to: Option<String>,

    /// The nodes: names of certificates, or patterns with * and ?; may be given several times [default: all]
    #[arg(long = "nodes", alias = "node", value_name = "NODE", add = candidates::nodes())]
    nodes: Vec<String>,

    /// Leave out a resource, or a parameter of it: TYPE[TITLE] or TYPE[TITLE]::PARAMETER, with * and ?; may be given several
    /// times; `diff_ignore` of pantin.toml says the same
    #[arg(long = "ignore-resource", value_name = "WHAT", value_parser = IgnoreRule::parse)]
    ignore: Vec<IgnoreRule>,

    /// Tell the differences of the data itself too: each key of each file that a hiera.yaml can lead to, whether a node looks it
    /// up or not; needs no nodes
    #[arg(long)]
    data: bool,

    /// Install the modules that the Puppetfile of each side names, each version once, and compile each side with its own: those of git by
    /// git, those of the Forge by r10k or g10k. `install` in your own pantin.toml says the same
    #[arg(long)]
    install: bool,

    /// How the differences are shown
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Show at most so many resources [default: 100]
    #[arg(long, value_name = "N", default_value_t = 100, hide_default_value = true)]
    limit: usize,

    /// End with 2 where something differs, and with 3 where a node fails newly
    #[arg(long)]
    exit_code: bool,

    /// No progress
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceCheckArguments,

    #[command(flatten)]
    sides: SideArguments,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    memory: MemoryArguments,

    #[command(flatten)]
    cache: CacheArguments,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
    Html,
    Junit,
}

/// What is to be compared.
struct Opened {
    sides: [OpenedSide; 2],
    facts: Vec<FactAge>,
    rules: Vec<IgnoreRule>,
    review: Vec<String>,
}

/// A comparison that is done.
struct Compared<'a> {
    comparison: Comparison,
    /// `None`: nobody asked for it.
    data: Option<DataDifferences>,
    origins: [&'a Origin; 2],
    /// What each side has of its own beside files.
    own_options: [Vec<String>; 2],
    remarks: Vec<String>,
    /// The modules that each side names otherwise than the other one, and was not compiled with.
    modules: [&'a [UninstalledModule]; 2],
    /// Changes of what the comparison itself goes by.
    review: Vec<String>,
    facts: Vec<FactAge>,
    seconds: f64,
    limit: usize,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    arguments.jobs.start_threads()?;
    let running = Stopwatch::start();
    let Opened { mut sides, facts, rules, review } = match arguments.open() {
        Ok(opened) => opened,
        Err(refused) => return Ok(refuse(&console, refused)),
    };
    let names = match arguments.settle(&mut sides, &console) {
        Ok(names) => names,
        Err(refused) => return Ok(refuse(&console, refused)),
    };
    let data = match arguments.data.then(|| compare_data([&sides[0].side, &sides[1].side])).transpose() {
        Ok(data) => data,
        Err(reason) => return Ok(refuse(&console, OpenError::Usage(reason))),
    };
    let comparison = arguments.compare(&sides, &names, &rules, running, surroundings)?;
    let [from, to] = &sides;
    let compared = Compared {
        comparison,
        data,
        origins: [&from.origin, &to.origin],
        own_options: arguments.sides.own_options(),
        remarks: from.remarks.iter().chain(&to.remarks).cloned().collect(),
        modules: [&from.modules, &to.modules],
        review,
        facts,
        seconds: running.elapsed().as_secs_f64(),
        limit: arguments.limit,
    };
    let text = match arguments.format {
        Format::Text => text::report(&compared, arguments.log.has_colour(surroundings)),
        Format::Json => escaped_json(json::report(&compared)) + "\n",
        Format::Markdown => markdown::report(&compared),
        Format::Html => html::report(&compared),
        Format::Junit => junit::report(&compared),
    };
    print_report(&text, arguments.format == Format::Text, surroundings)?;
    let exit = arguments.exit(&compared);
    arguments.close(sides, &console)?;
    Ok(exit)
}

/// Whatever goes wrong must not look like a difference.
fn refuse(console: &ConsoleLog, error: OpenError) -> Exit {
    console.refuse(error);
    Exit::Rejected
}

impl Arguments {
    fn open(&self) -> Result<Opened, OpenError> {
        self.main.check()?;
        let mut common = self.repository.options(self.main.options())?;
        common.catalogs.checks_resources = self.resources.typed();
        let options = self.sides.options(&common)?;
        let names = SideNames { from: self.from.as_deref(), to: self.to.as_deref(), inputs: SideInputs::Shared };
        let options = [&options[0], &options[1]];
        let modules = match self.installs(&common)? {
            true => install_modules(&names, options, &self.cache.options())?,
            false => SideModules::default(),
        };
        let mut sides = open_sides(&names, options, &modules, &self.cache.options())?;
        sides[1].remarks.extend(modules.remarks);
        let bound = self.memory.bound()?;
        for repository in sides.iter_mut().filter_map(|opened| opened.side.repository_mut()) {
            repository.limit_memory(bound.clone());
        }
        let (rules, mut review) = self.ignore_rules(&common, &sides)?;
        review.extend(sides[0].changed_inputs.iter().map(|change| relative_paths(change).into_owned()));
        Ok(Opened { sides, facts: SideArguments::fact_ages(options), rules, review })
    }

    /// Returns true if the modules of each side are installed.
    fn installs(&self, common: &Options) -> Result<bool, OpenError> {
        let configuration = common.configuration(&MachineDisk::default())?;
        let is_configured = configuration.is_some_and(|configuration| configuration.texts(Key::Install) == ["on"]);
        Ok(self.install || is_configured)
    }

    /// Returns what was typed, and what the configuration of FROM says; of saved catalogs, that of the other side. With
    /// what the other side configures otherwise: whoever makes a change does not say what is shown of it.
    fn ignore_rules(
        &self,
        options: &Options,
        sides: &[OpenedSide; 2],
    ) -> Result<(Vec<IgnoreRule>, Vec<String>), OpenError> {
        let mut review = Vec::new();
        let configuration = match [&sides[0].configuration, &sides[1].configuration] {
            [Some(Ok(from)), to] => {
                if let Some(Ok(to)) = to {
                    review = changed_configuration(from, to);
                }
                Some(from.clone())
            }
            [Some(Err(reason)), _] => {
                review.push(format!("the pantin.toml of FROM cannot be read, and none of it counts: {reason}"));
                None
            }
            [None, _] => options.configuration(&MachineDisk::default())?,
        };
        let mut rules = self.ignore.clone();
        if let Some(value) = configuration.as_ref().and_then(|configuration| configuration.get(Key::DiffIgnore)) {
            for text in &value.texts {
                let wrong = |reason| OpenError::Usage(format!("{}: 'diff_ignore': {reason}", value.origin));
                rules.push(IgnoreRule::parse(text).map_err(wrong)?);
            }
        }
        Ok((rules, review))
    }

    /// Chooses the nodes, and compiles what they collect from each other.
    fn settle(&self, sides: &mut [OpenedSide; 2], console: &ConsoleLog) -> Result<Vec<Str>, OpenError> {
        let patterns = self.sides.node_patterns(&self.nodes);
        if patterns.is_empty() && sides.iter().any(|opened| opened.side.has_no_facts()) {
            if self.data {
                return Ok(Vec::new());
            }
            return Err(OpenError::Usage(WITHOUT_NODES.to_owned()));
        }
        let [one, other] = &mut *sides;
        let selected = [one.side.select(&patterns), other.side.select(&patterns)];
        if let [Err(_), Err(none)] = selected {
            return Err(none.into());
        }
        for opened in &mut *sides {
            let names = opened.side.names().to_vec();
            let Some(repository) = opened.side.repository_mut() else { continue };
            console.remarks(&repository.compiler.world.remarks);
            repository.open_store();
            settle_exports(repository, &names)?;
        }
        let [one, other] = &*sides;
        Ok(all_names(one.side.names(), other.side.names()))
    }

    fn compare(
        &self,
        [from, to]: &[OpenedSide; 2],
        names: &[Str],
        rules: &[IgnoreRule],
        running: Stopwatch,
        surroundings: &Surroundings,
    ) -> io::Result<Comparison> {
        let mut progress = Progress::for_nodes(self.quiet, surroundings, names.len());
        let compared = compare([&from.side, &to.side], names, rules, || progress.advance(running));
        progress.finish();
        compared
    }

    fn close(&self, sides: [OpenedSide; 2], console: &ConsoleLog) -> io::Result<()> {
        for mut opened in sides {
            let Some(repository) = opened.side.repository_mut() else { continue };
            self.repository.close(repository, console)?;
        }
        Ok(())
    }

    fn exit(&self, compared: &Compared<'_>) -> Exit {
        match compared.verdict() {
            Verdict::FailsNewly if self.exit_code => Exit::NewlyFailing,
            Verdict::Differs | Verdict::Unsure | Verdict::Unknown if self.exit_code => Exit::Failed,
            _ => Exit::Accepted,
        }
    }
}

impl Compared<'_> {
    /// Returns what nodes, data, modules and changes of the comparison itself come to.
    fn verdict(&self) -> Verdict {
        let has_data = self.data.as_ref().is_some_and(|data| !data.files.is_empty() || !data.unreadable.is_empty());
        let beside = match self.modules.iter().any(|modules| !modules.is_empty()) {
            _ if has_data || !self.review.is_empty() => Verdict::Differs,
            true => Verdict::Unsure,
            false => Verdict::Same,
        };
        self.comparison.verdict().max(beside)
    }
}
