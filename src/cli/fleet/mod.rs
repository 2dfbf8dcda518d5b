//! `pantin fleet`: compiles all nodes, and reports on them together.

mod explain;
mod found;
mod github;
mod html;
mod json;
mod junit;
mod listener;
mod markdown;
mod nodes;
mod out;
mod text;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueEnum};
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::fleet::{Plan, RunEnd, Shard, Summary};
use pantin_repository::messages::About;
use pantin_repository::options::{MainManifest, OpenError};
use pantin_values::Str;
use pantin_world::{Stopwatch, Surroundings, absolute_path};

use super::Exit;
use super::args::cache::CacheArguments;
use super::args::catalogs::CatalogArguments;
use super::args::gate::FailOn;
use super::args::jobs::JobArguments;
use super::args::memory::MemoryArguments;
use super::args::names::NodeNames;
use super::args::out_path::{Taken, check_out};
use super::args::timings::TimingArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::print_report;
use super::print::progress::Progress;
use super::print::report;
use explain::{Explanation, ReuseExplainer, Subject};
use listener::FleetListener;
use nodes::Nodes;
use out::OutputTarget;

const HELP_AFTER: &str = "\
Examples:
  pantin fleet --facts facts/
  pantin fleet 'web*' 'db*' --facts facts/ --out catalogs/
  pantin fleet --facts facts/ --exported fleet --format html > fleet.html
  pantin fleet --facts-from puppetdb-export inventory.json --shard 1/4 --format junit > fleet.xml
  pantin fleet --facts facts/ --explain-cache web01.example.org
  pantin fleet --facts facts/ --explain-cache profile::ntp
  pantin fleet --class 'role::*' --os debian-12 --os redhat-9

In the folder of a control repository, or below it, that repository is the environment. Files are written beside \
their place and renamed, so that none is ever half there. With --exported fleet the nodes are compiled again until \
what they export no longer changes, at most 20 times.
Formats: text, for a person; json, one object; junit, a test case for each node; github, workflow commands; gitlab, \
a code quality report; sarif, one SARIF 2.1.0 log; markdown, for the summary of a job or a comment, below GitHub's limit \
of 65,536 characters; html, one page that needs nothing else.
Exit codes:
  0  every node has a catalog, in each the relationships lead to resources that are there, and in no circle, and the agent takes \
the values of resources of its own types. What its providers would say is not checked
  1  that is not so for a node, exports never settle, something could not be read, or --fail-on warning and there is one
  2  wrong usage, no node matches, the output could not be written, or --memory is not enough";

/// Compile all nodes, in parallel, and say what is wrong with any of them
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    names: NodeNames,

    /// Compile these classes in place of nodes, each on each set of facts: a name, or a pattern with * and ?; may be given several
    /// times. The site manifests are left out, but for --manifest
    #[arg(long, value_name = "NAME", conflicts_with = "enc")]
    class: Vec<String>,

    /// Only one share of the nodes in N, by their names alone: a new node moves no other
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    memory: MemoryArguments,

    /// Stop at the first node that fails; those after it are not told of
    #[arg(long)]
    fail_fast: bool,

    /// What makes the exit code 1
    #[arg(long, value_name = "WHAT", default_value = "failure")]
    fail_on: FailOn,

    /// How the run is reported, on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write the catalog of each node as NODE.json, and what was said of it as NODE.log, into this folder or archive; a
    /// NODE.json of an earlier run goes where the node has no catalog now
    #[arg(long, value_name = "DIR|FILE.tar")]
    out: Option<PathBuf>,

    /// Say why nodes were compiled anew and not answered from the cache, and what has changed since. Of a NODE, why it
    /// was, or how much its answer depends on; of a CLASS or defined type, which nodes an edit to its file asks again
    #[arg(long, value_name = "CLASS|NODE", num_args = 0..=1, default_missing_value = "", conflicts_with = "no_cache")]
    explain_cache: Option<String>,

    /// No progress
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    catalogs: CatalogArguments,

    #[command(flatten)]
    cache: CacheArguments,

    #[command(flatten)]
    timings: TimingArguments,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Junit,
    Github,
    Gitlab,
    Sarif,
    Markdown,
    Html,
}

/// What messages are about, in the order in which they are told.
const SECTIONS: [(About, &str); 6] = [
    (About::Failure, "Failed"),
    (About::Cycle, "Dependency cycles"),
    (About::Missing, "Missing dependencies"),
    (About::Refused, "Refused resources"),
    (About::Error, "Logged errors"),
    (About::Warning, "Warnings"),
];

/// A run that is over.
struct FinishedRun<'a> {
    summary: Summary,
    ended: RunEnd,
    threads: usize,
    seconds: f64,
    /// How many nodes were looked at.
    planned: usize,
    shard: Option<Shard>,
    exchanges: bool,
    out: Option<&'a Path>,
    explained: Explanation,
    has_no_facts: bool,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    arguments.jobs.start_threads()?;
    let (mut repository, request) = match arguments.open() {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    console.remarks(&repository.compiler.world.remarks);
    console.remarks(&repository.node_remarks(&arguments.names.patterns(), &request.plan.nodes));
    let done = arguments.compile(&mut repository, request, &console, surroundings)?;
    arguments.catalogs.repository.answers.keep(&repository.compiler.answers)?;
    let text = repository.timings().during("report", || arguments.report(&done, surroundings))?;
    repository.write_timings(&done.about())?;
    print_report(&text, arguments.format == Format::Text, surroundings)?;
    let is_fine = done.summary.failed_count() == 0
        && done.ended.settled.unsettled.is_none()
        && !done.explained.is_unknown()
        && (arguments.fail_on == FailOn::Failure || done.summary.groups.is_empty());
    Ok(if is_fine { Exit::Accepted } else { Exit::Rejected })
}

/// What a run is asked.
struct RunRequest {
    plan: Plan,
    subject: Option<Subject>,
}

impl Arguments {
    fn open(&self) -> Result<(Repository, RunRequest), OpenError> {
        let mut options = self.catalogs.options()?;
        options.nodes.classes.clone_from(&self.class);
        if !self.class.is_empty() && options.main == MainManifest::Configured {
            options.main = MainManifest::Code("# The classes alone.\n".to_owned());
        }
        let mut repository = Repository::open(&options, &self.cache.options(), self.timings.start())?;
        repository.limit_memory(self.memory.bound()?);
        let plan = repository.timings().during("choose nodes", || self.plan(&repository))?;
        let subject = self.explain_cache.as_ref().map(|name| Subject::new(name, &plan.nodes)).transpose()?;
        Ok((repository, RunRequest { plan, subject }))
    }

    fn plan(&self, repository: &Repository) -> Result<Plan, OpenError> {
        self.out.iter().try_for_each(|out| check_out(out, Taken::FolderOrArchive))?;
        if let Some(reason) = repository.compiler.world.lack_of_code() {
            return Err(OpenError::Usage(reason));
        }
        let selected = repository.named_nodes(&self.names.patterns())?;
        // What the others export counts, whoever is reported on.
        let nodes = if repository.exchanges { repository.all_node_names(&selected) } else { selected.clone() };
        let selected: BTreeSet<Str> = selected.into_iter().collect();
        let is_reported = |node: &Str| selected.contains(node) && self.shard.is_none_or(|shard| shard.has(node));
        let is_reported: Vec<bool> = nodes.iter().map(is_reported).collect();
        Ok(Plan { nodes, is_reported, exchanges: repository.exchanges, fail_fast: self.fail_fast })
    }

    fn compile(
        &self,
        repository: &mut Repository,
        request: RunRequest,
        console: &ConsoleLog,
        surroundings: &Surroundings,
    ) -> io::Result<FinishedRun<'_>> {
        let running = Stopwatch::start();
        let RunRequest { plan, subject } = request;
        repository.open_store();
        let crew = repository.crew(self.jobs.count(), plan.nodes.len())?;
        let nodes = Nodes {
            repository,
            console,
            graph: self.catalogs.graph.request(repository),
            writes: self.out.is_some(),
            own_remarks: Mutex::default(),
            explaining: subject.map(|subject| ReuseExplainer::new(subject, &repository.compiler)),
        };
        let reported = plan.is_reported.iter().filter(|&&is_reported| is_reported).count();
        let progress = Progress::for_nodes(self.quiet, surroundings, reported);
        let mut ear =
            FleetListener::new(OutputTarget::open(self.out.as_deref())?, progress, running, repository.timings());
        let ended = plan.run(&crew, &nodes, &mut ear)?;
        let threads = crew.threads();
        let summary = Summary::from_nodes(ear.finish()?);
        let own_remarks = nodes.own_remarks.into_inner().unwrap_or_else(PoisonError::into_inner);
        console.remarks(&own_remarks.into_values().collect::<Vec<_>>());
        let explained = nodes.explaining.map_or(Explanation::Nothing, |explaining| explaining.explained(&summary));
        repository.close_store();
        for trouble in repository.store_troubles() {
            console.say(Level::Warning, &trouble)?;
        }
        Ok(FinishedRun {
            summary,
            explained,
            ended,
            threads,
            planned: if plan.exchanges { plan.nodes.len() } else { plan.is_reported.iter().filter(|&&is| is).count() },
            seconds: running.elapsed().as_secs_f64(),
            shard: self.shard,
            exchanges: plan.exchanges,
            out: self.out.as_deref(),
            has_no_facts: repository.compiler.sources.have_no_facts(),
        })
    }

    fn report(&self, done: &FinishedRun<'_>, surroundings: &Surroundings) -> io::Result<String> {
        match self.format {
            Format::Text => {
                let shows_warnings = self.log.shows(Level::Warning);
                Ok(text::report(done, self.log.has_colour(surroundings), shows_warnings))
            }
            Format::Json => json::report(done),
            Format::Junit => Ok(junit::report(done)),
            Format::Github => Ok(github::report(done)),
            Format::Gitlab => Ok(found::report(done, report::Format::Gitlab)),
            Format::Sarif => Ok(found::report(done, report::Format::Sarif)),
            Format::Markdown => Ok(markdown::report(done)),
            Format::Html => Ok(html::report(done)),
        }
    }
}

/// A path as it is read from here, if it is below the current folder.
fn short(file: &str) -> &str {
    let here = absolute_path(Path::new("."));
    let below = Path::new(file).strip_prefix(&here).ok().and_then(Path::to_str);
    below.unwrap_or(file)
}

impl FinishedRun<'_> {
    /// Returns what is said of the run as a whole beside its timings.
    fn about(&self) -> [(&'static str, serde_json::Value); 5] {
        let kept = self.summary.nodes.iter().filter(|node| node.is_kept).count();
        [
            ("command", "fleet".into()),
            ("nodes", self.summary.nodes.len().into()),
            ("kept", kept.into()),
            ("threads", self.threads.into()),
            ("rounds", self.ended.settled.rounds.into()),
        ]
    }

    /// Those that are not reported on count too.
    fn nodes_a_second(&self) -> f64 {
        self.planned as f64 / self.seconds.max(1e-9)
    }
}
