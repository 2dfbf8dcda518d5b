//! `pantin compile`: the catalogs that a server would send.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use pantin_base::Source;
use pantin_compile::catalog::Compiled;
use pantin_compile::{Ended, LogLine};
use pantin_model::trace::Level;
use pantin_repository::fleet::{Crew, Reason};
use pantin_repository::persist::Cache;
use pantin_world::{Disk, MachineDisk, Remark, Stopwatch, Surroundings, absolute_path, remove_file, write_file};
use serde::{Deserialize, Serialize};

use super::Exit;
use super::args::cache::{CacheArguments, tell_trouble};
use super::args::node::is_certname;
use super::args::out_path::{Taken, check_out};
use super::args::world::Refused;
use super::nodes::catalogs::{AtHand, CatalogArguments, Catalogs, Exports, Timed, ToPrepare};
use super::nodes::graph_check::Wanted;
use super::nodes::made::{Format, Made, Making};
use super::nodes::memory::{Asked, Memory};
use super::nodes::movable::{Movable, Sort};
use super::nodes::reasons;
use super::nodes::timings::{NODE, TimingArguments};
use super::print::console_log::{ConsoleLog, LogArguments};

/// Compile the catalogs of nodes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin compile web01.example.org --facts facts/
  pantin compile --os debian-12 -e 'include ntp'
  pantin compile --node-file web01.json --environment-dir . --format pretty
  pantin compile --facts facts/ --out catalogs/ --format summary
  pantin compile web01.example.org --facts facts/ --format summary --graph dots/

In the folder of a control repository, or below it, that repository is the environment. Without a NODE all nodes of \
the facts are compiled. A catalog goes to standard output, the log to standard error.
Exit codes:
  0  all catalogs were compiled
  1  a node has none, its graph is wrong, or something could not be read
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The nodes, by the names of their certificates
    #[arg(value_name = "NODE", conflicts_with = "node_file")]
    nodes: Vec<String>,

    /// How a catalog is printed
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    format: Format,

    /// How errors are printed [default: human on a terminal, else puppet]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<LogFormat>,

    /// Write the catalog to this file; of several nodes, each to NODE.json in this folder, from which that of a node
    /// goes which has no catalog now
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    /// What the nodes have exported, for those that collect it: PuppetDB's answer to a query for resources, as JSON
    #[arg(long, value_name = "FILE")]
    exported: Option<PathBuf>,

    /// Say why each node was compiled anew and not answered from the cache, and what has changed since
    #[arg(long, conflicts_with = "no_cache")]
    explain_cache: bool,

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
enum LogFormat {
    /// A report with the source line
    Human,
    /// The lines of the real one
    Puppet,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let console = match arguments.log_format {
        None => console,
        Some(format) => console.with_reports(format == LogFormat::Human),
    };
    match arguments.start() {
        Ok((catalogs, exports, cache)) => {
            let graph = arguments.catalogs.graph.wanted(arguments.format == Format::Summary);
            let memory = catalogs.timings.during("open the cache", || {
                cache.as_ref().and_then(|cache| arguments.memory(&catalogs, cache, &graph, exports.is_some()))
            });
            let run = Run { arguments, console: &console, catalogs: &catalogs, exports, graph, memory };
            let exit = run.all()?;
            if let Some(memory) = run.memory {
                catalogs.timings.during("write the cache", || memory.close());
            }
            cache.map_or(Ok(()), |cache| tell_trouble(&cache, &console))?;
            catalogs.finish(&[("command", "compile".into())])?;
            arguments.catalogs.answers.keep(&catalogs.answers)?;
            Ok(exit)
        }
        Err(refused) => Ok(refused.tell(&console)),
    }
}

/// What all nodes share, what others export, and where answers are kept.
type Started = (ManuallyDrop<Catalogs>, Option<Exports>, Option<Cache>);

impl Arguments {
    fn start(&self) -> Result<Started, Refused> {
        let mut catalogs = self.catalogs.catalogs(self.timings.start())?;
        if catalogs.sources.names(&self.nodes).len() == 1 {
            catalogs.of_one_node();
        }
        let exports = self.exported.as_deref().map(|file| catalogs.exports(file)).transpose()?;
        let cache = self.cache.cache(&MachineDisk::default(), &catalogs.world.settings)?;
        Ok((catalogs, exports, cache))
    }

    /// What earlier runs were answered to what this one asks. What is to be said of graphs is not kept.
    fn memory<'a>(&self, catalogs: &'a Catalogs, cache: &Cache, graph: &Wanted, is_given: bool) -> Option<Memory<'a>> {
        if graph.is_any() {
            return None;
        }
        let form = (self.format, self.out.is_some(), is_given);
        Memory::open(catalogs, cache, &format!("compile {:?} {form:?}", self.catalogs))
    }

    /// Where the catalog of a node goes, if not to standard output.
    fn target(&self, disk: &dyn Disk, node: &str, is_alone: bool) -> Option<PathBuf> {
        let in_folder = self.target_in_folder(disk, node, is_alone);
        in_folder.or_else(|| self.out.as_deref().map(absolute_path))
    }

    /// The same where it is a file in a folder of catalogs.
    fn target_in_folder(&self, disk: &dyn Disk, node: &str, is_alone: bool) -> Option<PathBuf> {
        let given = self.out.as_deref()?;
        let out = absolute_path(given);
        let is_folder = !is_alone || disk.is_folder(&out) || given.as_os_str().as_encoded_bytes().ends_with(b"/");
        is_folder.then(|| out.join(format!("{node}.json")))
    }
}

struct Run<'a> {
    arguments: &'a Arguments,
    console: &'a ConsoleLog,
    catalogs: &'a Catalogs,
    exports: Option<Exports>,
    graph: Wanted,
    memory: Option<Memory<'a>>,
}

/// What is to be said of a node beside its catalog.
#[derive(Serialize, Deserialize)]
struct Around {
    /// Why it was compiled, if that is to be told.
    #[serde(skip)]
    anew: Vec<Reason>,
    environment: String,
    of_environment: Vec<Remark>,
    of_node: Vec<Remark>,
}

/// What is printed of a catalog, as it is kept.
#[derive(Serialize, Deserialize)]
struct Content {
    json: Option<String>,
    text: Option<String>,
    log: Vec<LogLine>,
}

impl Movable for Around {
    fn each_text(&mut self, visit: &mut dyn FnMut(Sort, &mut String)) {
        visit(Sort::Other, &mut self.environment);
        let remarks = self.of_environment.iter_mut().chain(&mut self.of_node);
        remarks.for_each(|remark| visit(Sort::Line, &mut remark.text));
    }
}

impl Movable for Content {
    fn each_text(&mut self, visit: &mut dyn FnMut(Sort, &mut String)) {
        self.json.iter_mut().chain(&mut self.text).for_each(|text| visit(Sort::Catalog, text));
        self.log.iter_mut().for_each(|line| visit(Sort::Line, &mut line.text));
    }
}

impl Around {
    fn of(node: &AtHand) -> Around {
        Around {
            anew: Vec::new(),
            environment: node.prepared.environment.name.clone(),
            of_environment: node.ready.iter().flat_map(|ready| ready.remarks.clone()).collect(),
            of_node: node.prepared.remarks.clone(),
        }
    }
}

/// What is to be printed of a node.
type Answer = Result<Timed<io::Result<Made>>, String>;

impl Run<'_> {
    fn all(&self) -> io::Result<Exit> {
        self.console.remarks(&self.catalogs.world.remarks);
        let names = self.catalogs.sources.names(&self.arguments.nodes);
        let is_alone = names.len() == 1;
        if let Some(Err(refused)) =
            self.arguments.out.as_ref().filter(|_| !is_alone).map(|out| check_out(out, Taken::Folder))
        {
            return Ok(refused.tell(self.console));
        }
        let mut told: BTreeSet<String> = BTreeSet::new();
        let mut ended: io::Result<Exit> = Ok(Exit::Accepted);
        let _ = Crew::for_items(0, names.len())?.in_waves(
            &names,
            |wave| self.catalogs.classified(wave),
            |node| self.timed(node, is_alone),
            |at, _, answer| {
                let mut explained = Ok(());
                if let Ok((around, _)) = &answer {
                    self.remarks(around, &mut told);
                    explained = self.explain(&names[at], around);
                }
                let answer = answer.and_then(|(_, answer)| answer);
                let has_none = !answer.as_ref().is_ok_and(|timed| timed.compiled.result.is_ok());
                match explained.and_then(|()| self.tell(&names[at], answer)) {
                    Ok(true) => return ControlFlow::Continue(()),
                    Ok(false) if has_none => ended = self.forget(&names[at], is_alone).map(|()| Exit::Rejected),
                    Ok(false) => ended = Ok(Exit::Rejected),
                    Err(error) => ended = Err(error),
                }
                if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        ended
    }

    /// What reading the world had to say: of an environment with its first node.
    fn remarks(&self, around: &Around, told: &mut BTreeSet<String>) {
        if told.insert(around.environment.clone()) {
            self.console.remarks(&around.of_environment);
        }
        self.console.remarks(&around.of_node);
    }

    /// Why a node is compiled.
    fn explain(&self, node: &str, around: &Around) -> io::Result<()> {
        let mut said = around.anew.iter().map(|reason| format!("{node} is compiled anew: {reason}"));
        said.try_for_each(|text| self.console.say(Level::Notice, &text))
    }

    /// What was answered in an earlier run.
    fn remembered(&self, node: &ToPrepare, is_alone: bool) -> Option<(Around, Answer)> {
        let memory = self.memory.as_ref()?;
        let running = Stopwatch::start();
        let known = memory.find::<Around>(self.asked(node))?;
        let Content { json, text, log } = memory.content(&known)?;
        let environment = known.kernel.environment.clone();
        let file = self.target(&node.name, is_alone).zip(json);
        let made = Made { environment, file, text, graph: None };
        let compiled = Compiled::kept(log, Ok(Ok(made)));
        let timed = Timed { compiled, seconds: running.elapsed().as_secs_f64(), static_seconds: None };
        Some((known.kernel, Ok(timed)))
    }

    /// What was answered in an earlier run, or else is compiled.
    fn timed(&self, node: &ToPrepare, is_alone: bool) -> Result<(Around, Answer), String> {
        let timings = &self.catalogs.timings;
        let answer = || match timings.during("look in the cache", || self.remembered(node, is_alone)) {
            Some(known) => (true, Ok(known)),
            None => (false, self.answer(node, is_alone)),
        };
        timings.timed(NODE, &node.name, answer, |(is_kept, _)| vec![("kept", (*is_kept).into())]).1
    }

    fn asked<'a>(&'a self, node: &'a ToPrepare) -> Asked<'a> {
        Asked { node, exports: self.exports.as_ref() }
    }

    fn target(&self, node: &str, is_alone: bool) -> Option<PathBuf> {
        self.arguments.target(&*self.catalogs.world.disk, node, is_alone)
    }

    fn answer(&self, node: &ToPrepare, is_alone: bool) -> Result<(Around, Answer), String> {
        let at_hand = self.catalogs.at_hand(node)?;
        let mut around = Around::of(&at_hand);
        if self.arguments.explain_cache {
            let why = self.memory.as_ref().map(|memory| memory.why_not(self.asked(node)));
            around.anew = why.unwrap_or_else(|| vec![reasons::no_cache()]);
        }
        let compiled = match self.catalogs.compile(&at_hand, self.exports.as_ref()) {
            Ok(compiled) => compiled,
            Err(reason) => return Ok((around, Err(reason))),
        };
        let file = self.target(&at_hand.prepared.node.name, is_alone);
        let making = Making { format: self.arguments.format, file, graph: &self.graph, is_alone };
        let timed = compiled.map(|catalog| making.make(&catalog));
        if let (Some(memory), Ok(Ok(made))) = (&self.memory, &timed.compiled.result) {
            let json = made.file.as_ref().map(|(_, json)| json.clone());
            let mut content = Content { json, text: made.text.clone(), log: timed.compiled.log.clone() };
            let unkept = memory.keep(self.asked(node), &at_hand, &timed.compiled, &mut around, &mut content);
            around.anew.extend(unkept.filter(|_| self.arguments.explain_cache));
        }
        Ok((around, Ok(timed)))
    }

    /// Whether there was a catalog, and an agent could apply it as far as that was asked for.
    fn tell(&self, node: &str, answer: Answer) -> io::Result<bool> {
        let Timed { compiled, seconds, static_seconds } = match answer {
            Ok(answer) => answer,
            Err(reason) => {
                self.console.complain(&reason);
                return Ok(false);
            }
        };
        self.console.log(&compiled.log)?;
        match compiled.result {
            Ok(made) => {
                let made = made?;
                let around = format!("catalog for {node} in environment {}", made.environment);
                let text = match static_seconds {
                    None => format!("Compiled {around} in {seconds:.2} seconds"),
                    Some(more) => {
                        let text = format!("Inlined resource metadata into static {around} in {more:.2} seconds");
                        self.console.say(Level::Notice, &text)?;
                        format!("Compiled static {around} in {seconds:.2} seconds")
                    }
                };
                self.console.say(Level::Notice, &text)?;
                self.print(&made)?;
                made.graph.map_or(Ok(true), |graph| graph.tell(node, self.console, &*self.catalogs.world.disk))
            }
            Err(ended) => {
                self.fail(&ended);
                Ok(false)
            }
        }
    }

    fn fail(&self, ended: &Ended) {
        // Whoever knows a line to show knows its source as well.
        let has_report = ended.failure.is_some() || ended.source.is_some();
        match Source::new(None, "") {
            Ok(source) if has_report => self.console.error(ended, &Arc::new(source)),
            _ => self.console.complain(&ended.text),
        }
    }

    /// A node without a catalog has none of an earlier run in a folder of catalogs either.
    fn forget(&self, node: &str, is_alone: bool) -> io::Result<()> {
        // Another name could lead to another folder.
        let disk = &*self.catalogs.world.disk;
        let file = self.arguments.target_in_folder(disk, node, is_alone).filter(|_| is_certname(node));
        let Some(file) = file else { return Ok(()) };
        let reason = |error: io::Error| io::Error::other(format!("cannot remove {}: {error}", file.display()));
        remove_file(&file).map_err(reason)
    }

    fn print(&self, made: &Made) -> io::Result<()> {
        if let Some((file, json)) = &made.file {
            let reason = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", file.display()));
            write_file(file, json.as_bytes()).map_err(reason)?;
        }
        let Some(text) = &made.text else { return Ok(()) };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}
