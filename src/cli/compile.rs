//! `pantin compile`: the catalogs that a server would send.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::Exit;
use super::answers::AnswerArguments;
use super::console_log::{ConsoleLog, LogArguments};
use super::encrypted::EncryptedArguments;
use super::graph_check::{GraphArguments, Wanted};
use super::made::{Format, Made, Making};
use super::node_args::{NodeArguments, Sources};
use super::world_args::{ManifestArguments, Refused, World, WorldArguments};
use crate::base::Source;
use crate::compile::Ended;
use crate::compile::catalog::Compiled;
use crate::query::{Prepared, Ready, Shelf};
use crate::trace::Level;
use crate::world::environment::Environment;
use crate::world::{Answers, Disk, ExportedResource, Rests, Stopwatch, Surroundings, absolute_path, write_file};

/// So many nodes are compiled before the first of them is printed.
const AT_ONCE: usize = 64;

/// Compile the catalogs of nodes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin compile web01.example.org --facts facts/
  pantin compile --os debian-12 -e 'include ntp'
  pantin compile --node-file web01.json --environment-dir . --format pretty
  pantin compile --facts facts/ --out catalogs/ --format summary
  pantin compile web01.example.org --facts facts/ --format summary --graph dots/

In the folder of a control repository, or below it, that repository is the environment. Without a NODE all
nodes of the facts are compiled. A catalog goes to standard output, the log to standard error.
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

    /// Write the catalog to this file; of several nodes, each to NODE.json in this folder
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    /// What the nodes have exported, for those that collect it: PuppetDB's answer to a query for resources, as JSON
    #[arg(long, value_name = "FILE")]
    exported: Option<PathBuf>,

    #[command(flatten)]
    answers: AnswerArguments,

    #[command(flatten)]
    encrypted: EncryptedArguments,

    /// The version of the code, which makes catalogs static: they hold what a server would say of the files of modules,
    /// unless the environment has static_catalogs = false
    #[arg(long, value_name = "ID")]
    code_id: Option<String>,

    /// Run the environment's config_version for the version of catalogs [default: the time]
    #[arg(long)]
    run_config_version: bool,

    #[command(flatten)]
    graph: GraphArguments,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    first: ManifestArguments,

    #[command(flatten)]
    node: NodeArguments,

    #[command(flatten)]
    world: WorldArguments,
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
        Ok((world, sources, exports, answers)) => {
            let graph = arguments.graph.wanted(arguments.format == Format::Summary);
            let run = Run { arguments, console, world, sources, exports, answers, graph };
            let exit = run.all()?;
            arguments.answers.keep(&run.answers)?;
            Ok(exit)
        }
        Err(refused) => Ok(refused.tell(&console)),
    }
}

impl Arguments {
    fn start(&self) -> Result<(World, Sources, Option<Exports>, Arc<Answers>), Refused> {
        let mut world = self.world.world_with(&self.first)?;
        self.encrypted.tell(&mut world);
        let sources = self.node.sources(&mut world)?;
        let exports = self.exported.as_deref().map(|file| read_exports(&*world.disk, file)).transpose()?;
        let answers = self.answers.read(&*world.disk)?;
        Ok((world, sources, exports, answers))
    }

    /// Where the catalog of a node goes, if not to standard output.
    fn target(&self, disk: &dyn Disk, node: &str, is_alone: bool) -> Option<PathBuf> {
        let out = absolute_path(self.out.as_deref()?);
        let is_folder =
            !is_alone || disk.is_folder(&out) || self.out.as_ref()?.as_os_str().as_encoded_bytes().ends_with(b"/");
        Some(if is_folder { out.join(format!("{node}.json")) } else { out })
    }
}

struct Run<'a> {
    arguments: &'a Arguments,
    console: ConsoleLog,
    world: World,
    sources: Sources,
    exports: Option<Exports>,
    answers: Arc<Answers>,
    graph: Wanted,
}

/// What the nodes have exported.
type Exports = Arc<Vec<ExportedResource>>;

fn read_exports(disk: &dyn Disk, file: &Path) -> Result<Exports, String> {
    let wrong = |reason: String| format!("cannot take exported resources from {}: {reason}", file.display());
    let bytes = disk.read(&absolute_path(file)).map_err(|error| wrong(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| wrong("no such file or directory".to_owned()))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text in UTF-8".to_owned()))?;
    ExportedResource::list(&text).map(Arc::new).map_err(wrong)
}

/// A node's answer, with the time it took.
struct Answer {
    compiled: Compiled<io::Result<Made>>,
    seconds: f64,
    /// How long a static catalog took beside that.
    static_seconds: Option<f64>,
}

impl Run<'_> {
    fn all(&self) -> io::Result<Exit> {
        self.console.remarks(&self.world.remarks);
        let names = self.sources.names(&self.arguments.nodes);
        let is_alone = names.len() == 1;
        let mut ready: BTreeMap<String, Result<Arc<Ready>, String>> = BTreeMap::new();
        let mut told: BTreeSet<String> = BTreeSet::new();
        let mut exit = Exit::Accepted;
        for names_at_once in names.chunks(AT_ONCE) {
            let prepared = self.sources.prepare(&self.world, names_at_once);
            for prepared in prepared.iter().flatten() {
                let environment = &prepared.environment;
                let get_ready = || self.ready(environment).map(Arc::new);
                ready.entry(environment.name.clone()).or_insert_with(get_ready);
            }
            let answers: Vec<Result<Answer, String>> = prepared
                .par_iter()
                .map(|prepared| {
                    let prepared = prepared.as_ref().map_err(String::clone)?;
                    match ready.get(&prepared.environment.name) {
                        Some(Ok(ready)) => self.answer(prepared, ready, is_alone),
                        Some(Err(reason)) => Err(reason.clone()),
                        None => Err(format!("the environment {} is not ready", prepared.environment.name)),
                    }
                })
                .collect();
            for ((name, prepared), answer) in names_at_once.iter().zip(&prepared).zip(answers) {
                if let Ok(prepared) = prepared {
                    let name = &prepared.environment.name;
                    if told.insert(name.clone())
                        && let Some(Ok(ready)) = ready.get(name)
                    {
                        self.console.remarks(&ready.remarks);
                    }
                    self.console.remarks(&prepared.remarks);
                }
                if !self.tell(name, answer)? {
                    exit = Exit::Rejected;
                }
            }
        }
        Ok(exit)
    }

    fn ready(&self, environment: &Arc<Environment>) -> Result<Ready, String> {
        let World { settings, disk, missing_key, .. } = &self.world;
        let runs_version = self.arguments.run_config_version;
        let ready = Ready::new(settings, Arc::clone(disk), environment, runs_version, &Shelf::default())?;
        Ok(ready.with_missing_key(*missing_key))
    }

    fn answer(&self, prepared: &Prepared, ready: &Ready, is_alone: bool) -> Result<Answer, String> {
        let watch = Stopwatch::start();
        let collects = self.world.collects_exported()?;
        let compiled = self.compiled(prepared, ready, collects, is_alone);
        let (compiled, static_seconds) = self.made_static(compiled, prepared, ready);
        let seconds = watch.elapsed().as_secs_f64();
        let file = self.arguments.target(&*self.world.disk, &prepared.node.name, is_alone);
        let making = Making { format: self.arguments.format, file, graph: &self.graph, is_alone };
        Ok(Answer { compiled: compiled.map(|catalog| making.make(&catalog)), seconds, static_seconds })
    }

    /// With the time that it took, if the catalog is static.
    fn made_static(&self, mut compiled: Compiled, prepared: &Prepared, ready: &Ready) -> (Compiled, Option<f64>) {
        let (Ok(catalog), Some(code_id)) = (&mut compiled.result, &self.arguments.code_id) else {
            return (compiled, None);
        };
        let watch = Stopwatch::start();
        match ready.site.make_static(catalog, &prepared.environment, code_id) {
            Ok(made) => {
                compiled.log.extend(made.log);
                (compiled, made.is_static.then(|| watch.elapsed().as_secs_f64()))
            }
            Err(text) => {
                compiled.result = Err(Ended { text, failure: None, diagnostic: None });
                (compiled, None)
            }
        }
    }

    /// What one node's bodies were told serves the others; one alone has nobody to leave it to.
    fn compiled(&self, prepared: &Prepared, ready: &Ready, collects_exported: bool, is_alone: bool) -> Compiled {
        if let Some(conflict) = prepared.environment.conflicts.first() {
            return halted(&prepared.node.name, conflict);
        }
        let mut request = ready.request(prepared);
        request.collects_exported = collects_exported || self.exports.is_some();
        request.exports = self.exports.clone().unwrap_or_default();
        request.answers = Arc::clone(&self.answers);
        ready.site.compile(&request, (!is_alone).then_some(&ready.traces))
    }

    /// Whether there was a catalog, and an agent could apply it as far as that was asked for.
    fn tell(&self, node: &str, answer: Result<Answer, String>) -> io::Result<bool> {
        let Answer { compiled, seconds, static_seconds } = match answer {
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
                made.graph.map_or(Ok(true), |graph| graph.tell(node, &self.console, &*self.world.disk))
            }
            Err(ended) => {
                self.fail(&ended);
                Ok(false)
            }
        }
    }

    fn fail(&self, ended: &Ended) {
        // Of a manifest that could not be parsed there is no line to show: its place is in the text.
        match (&ended.failure, Source::new(None, "")) {
            (Some(_), Ok(source)) => self.console.error(ended, &Arc::new(source)),
            _ => self.console.complain(&ended.text),
        }
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

/// An environment that contradicts the settings has no catalogs.
fn halted(node: &str, conflict: &str) -> Compiled {
    let text = format!(
        "Compilation has been halted because: {conflict} For more information, see \
         https://puppet.com/docs/puppet/latest/environments_about.html on node {node}"
    );
    let ended = Ended { text, failure: None, diagnostic: None };
    Compiled { log: Vec::new(), result: Err(ended), walks: Vec::new(), rests: Rests::default(), is_volatile: false }
}
