//! `pantin fleet`: all nodes at once, and what is to be said of them together.

mod bound;
mod explain;
mod found;
mod github;
mod html;
mod json;
mod junit;
mod kept;
mod listener;
mod markup;
mod nodes;
mod out;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pantin_base::bytes_of_text;
use pantin_repository::fleet::{About, Crew, Ended, Plan, Shard, Summary, select};
use pantin_repository::persist::Cache;
use pantin_world::{MachineDisk, Stopwatch, Surroundings, absolute_path};

use super::Exit;
use super::args::cache::{CacheArguments, tell_trouble};
use super::args::out_path::{Taken, check_out};
use super::args::world::Refused;
use super::nodes::catalogs::{CatalogArguments, Catalogs, Exports};
use super::nodes::memory::Memory;
use super::nodes::timings::TimingArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::printable;
use super::print::progress::{Progress, Shown};
use bound::Bound;
use explain::{Explained, Explaining, Subject};
use listener::Ear;
use nodes::Nodes;
use out::Out;

const HELP_AFTER: &str = "\
Examples:
  pantin fleet --facts facts/
  pantin fleet --facts facts/ --nodes 'web*' --nodes 'db*' --out catalogs/
  pantin fleet --facts facts/ --exported fleet --format html > fleet.html
  pantin fleet --facts-from puppetdb-export inventory.json --shard 1/4 --format junit > fleet.xml
  pantin fleet --facts facts/ --explain-cache web01.example.org
  pantin fleet --facts facts/ --explain-cache profile::ntp

In the folder of a control repository, or below it, that repository is the environment. Files are written beside \
their place and renamed, so that none is ever half there. With --exported fleet the nodes are compiled again until \
what they export no longer changes, at most 20 times.
Formats: text, for a person; json, one object; junit, a test case for each node; github, workflow commands; sarif, \
one SARIF 2.1.0 log; html, one page that needs nothing else.
Exit codes:
  0  every node has a catalog that an agent could apply
  1  a node has none, its graph is wrong, exports never settle, or something could not be read
  2  wrong usage, no node matches, the output could not be written, or --memory is not enough";

/// Compile all nodes, in parallel, and say what is wrong with any of them
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    /// Only the nodes whose names match, with * and ?; several such options add up
    #[arg(long, value_name = "PATTERN")]
    nodes: Vec<String>,

    /// Only one share of the nodes in N, by their names alone: a new node moves no other
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// How many nodes to compile at once [default: RAYON_NUM_THREADS, or as many as there are cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Take at most so much memory, such as 256M: where it grows tight, one node is compiled at a time, and what they share
    /// is made anew; what needs more ends the run
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,

    /// Stop at the first node that fails; those after it are not told of
    #[arg(long)]
    fail_fast: bool,

    /// How the run is reported, on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write the catalog of each node as NODE.json, and what was said of it as NODE.log, into this folder or archive; a
    /// NODE.json of an earlier run goes where the node has no catalog now
    #[arg(long, value_name = "DIR|FILE.tar")]
    out: Option<PathBuf>,

    /// What the nodes collect of exported resources: what the other nodes of this run export (the word fleet), or
    /// PuppetDB's answer to a query for resources, as JSON
    #[arg(long, value_name = "fleet|FILE")]
    exported: Option<PathBuf>,

    /// Say why nodes were compiled anew and not answered from the cache, and what has changed since. Of a NODE, why it
    /// was, or on how much its answer rests; of a CLASS or defined type, which nodes an edit to its file asks again
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
    Sarif,
    Html,
}

/// What messages are about, in the order in which they are told.
const SECTIONS: [(About, &str); 5] = [
    (About::Failure, "Failed"),
    (About::Cycle, "Dependency cycles"),
    (About::Missing, "Missing dependencies"),
    (About::Error, "Logged errors"),
    (About::Warning, "Warnings"),
];

/// A run that is over.
struct Done<'a> {
    summary: Summary,
    ended: Ended,
    threads: usize,
    seconds: f64,
    shard: Option<Shard>,
    exchanges: bool,
    out: Option<&'a Path>,
    explained: Explained,
    has_no_facts: bool,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let catalogs = match arguments.catalogs.catalogs(arguments.timings.start()) {
        Ok(catalogs) => catalogs,
        Err(refused) => return Ok(refused.tell(&console)),
    };
    let plan = match catalogs.timings.during("choose nodes", || arguments.plan(&catalogs)) {
        Ok(plan) => plan,
        Err(refused) => return Ok(refused.tell(&console)),
    };
    let given = match arguments.given(&catalogs) {
        Ok(given) => given,
        Err(refused) => return Ok(refused.tell(&console)),
    };
    let subject = match arguments.explain_cache.as_ref().map(|name| Subject::of(name, &plan.nodes)).transpose() {
        Ok(subject) => subject,
        Err(refused) => return Ok(refused.tell(&console)),
    };
    let explaining = subject.map(|subject| Explaining::new(subject, &catalogs));
    let kept = arguments.cache.cache(&MachineDisk::default(), &catalogs.world.settings).map_err(Refused::from);
    let (cache, bound) = match kept.and_then(|cache| Ok((cache, arguments.bound()?))) {
        Ok(wanted) => wanted,
        Err(refused) => return Ok(refused.tell(&console)),
    };
    console.remarks(&catalogs.world.remarks);
    let wanted = Wanted { given, explaining, cache, bound };
    let done = arguments.compile(&plan, &catalogs, wanted, &console, surroundings)?;
    arguments.catalogs.answers.keep(&catalogs.answers)?;
    let text = catalogs.timings.during("report", || arguments.report(&done, surroundings))?;
    catalogs.finish(&done.about())?;
    let is_for_terminal = surroundings.stdout_is_terminal && arguments.format != Format::Text;
    let text = if is_for_terminal { printable(&text).into_owned() } else { text };
    io::Write::write_all(&mut io::stdout().lock(), text.as_bytes())?;
    let is_fine = done.summary.failed() == 0 && done.ended.settled.unsettled.is_none() && !done.explained.is_unknown();
    Ok(if is_fine { Exit::Accepted } else { Exit::Rejected })
}

/// What a run is asked beside its nodes.
struct Wanted<'a> {
    given: Option<Exports>,
    explaining: Option<Explaining<'a>>,
    cache: Option<Cache>,
    bound: Option<Bound>,
}

impl Arguments {
    fn bound(&self) -> Result<Option<Bound>, Refused> {
        let Some(written) = &self.memory else { return Ok(None) };
        let bytes = bytes_of_text(written).map_err(|reason| format!("--memory: {reason}"));
        bytes.and_then(|bytes| Bound::new(written, bytes)).map(Some).map_err(Refused::Usage)
    }

    fn exchanges(&self) -> bool {
        self.exported.as_deref() == Some(Path::new("fleet"))
    }

    fn plan(&self, catalogs: &Catalogs) -> Result<Plan, Refused> {
        self.out.iter().try_for_each(|out| check_out(out, Taken::FolderOrArchive))?;
        let names = catalogs.sources.names(&[]);
        let nodes = select(names, &self.nodes).map_err(|none| Refused::Usage(none.to_string()))?;
        let told: Vec<bool> = nodes.iter().map(|node| self.shard.is_none_or(|shard| shard.has(node))).collect();
        Ok(Plan { nodes, told, exchanges: self.exchanges(), fail_fast: self.fail_fast })
    }

    /// A list of what is exported, where there is one.
    fn given(&self, catalogs: &Catalogs) -> Result<Option<Exports>, Refused> {
        match &self.exported {
            Some(file) if !self.exchanges() => Ok(Some(catalogs.exports(file)?)),
            _ => Ok(None),
        }
    }

    /// What earlier runs were answered to what this one asks.
    fn memory<'a>(&self, catalogs: &'a Catalogs, cache: &Cache, is_given: bool) -> Option<Memory<'a>> {
        // Every option of a catalog counts, so none can be forgotten.
        let question = format!("fleet {:?} {} {is_given}", self.catalogs, self.exchanges());
        Memory::open(catalogs, cache, &question)
    }

    fn compile(
        &self,
        plan: &Plan,
        catalogs: &Catalogs,
        wanted: Wanted<'_>,
        console: &ConsoleLog,
        surroundings: &Surroundings,
    ) -> io::Result<Done<'_>> {
        let running = Stopwatch::start();
        let Wanted { given, explaining, cache, bound } = wanted;
        let is_tight = || bound.as_ref().is_some_and(Bound::is_tight);
        let crew = Crew::new(self.jobs.map_or(0, usize::from))?.watching(&is_tight);
        let graph = self.catalogs.graph.wanted(true);
        let writes = self.out.is_some();
        // What is drawn is drawn anew.
        let cache_of_answers = cache.as_ref().filter(|_| !graph.draws());
        let memory = catalogs.timings.during("open the cache", || {
            cache_of_answers.and_then(|cache| self.memory(catalogs, cache, given.is_some()))
        });
        let nodes = Nodes {
            catalogs,
            console,
            graph,
            given,
            exchanges: plan.exchanges,
            writes,
            memory,
            bound: bound.as_ref(),
            explaining,
        };
        let shown = match (self.quiet, surroundings.stderr_is_terminal) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Bar,
            (false, false) => Shown::Lines,
        };
        let progress = Progress::new(shown, "nodes", plan.told.iter().filter(|&&told| told).count());
        let mut ear =
            Ear::new(Out::open(self.out.as_deref())?, progress, running, &catalogs.timings).within(bound.as_ref());
        let ended = plan.run(&crew, &nodes, &mut ear);
        let reports = ear.finish()?;
        if let Some(memory) = nodes.memory {
            catalogs.timings.during("write the cache", || memory.close());
        }
        cache.map_or(Ok(()), |cache| tell_trouble(&cache, console))?;
        let summary = Summary::of(reports);
        let explained = nodes.explaining.map_or(Explained::Nothing, |explaining| explaining.explained(&summary));
        Ok(Done {
            summary,
            explained,
            ended,
            threads: crew.threads(),
            seconds: running.elapsed().as_secs_f64(),
            shard: self.shard,
            exchanges: plan.exchanges,
            out: self.out.as_deref(),
            has_no_facts: catalogs.sources.have_no_facts(),
        })
    }

    fn report(&self, done: &Done<'_>, surroundings: &Surroundings) -> io::Result<String> {
        match self.format {
            Format::Text => Ok(text::report(done, self.log.has_colour(surroundings))),
            Format::Json => json::report(done),
            Format::Junit => Ok(junit::report(done)),
            Format::Github => Ok(github::report(done)),
            Format::Sarif => Ok(found::sarif(done)),
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

impl Done<'_> {
    /// What is said of the run as a whole beside its timings.
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

    fn nodes_a_second(&self) -> f64 {
        self.summary.nodes.len() as f64 / self.seconds.max(1e-9)
    }
}
