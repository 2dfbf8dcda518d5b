//! `pantin compile`: the catalogs that a server would send.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pantin_model::trace::Level;
use pantin_repository::answer::{Answer, AnsweredCatalog, FailureReport, Head, Outcome};
use pantin_repository::fleet::{NodeReport, Reason};
use pantin_repository::messages::{About, Group, Message};
use pantin_repository::node_compiler::NodeToPrepare;
use pantin_repository::node_sources::{file_stem, is_certname};
use pantin_repository::options::OpenError;
use pantin_repository::{AnswerError, AnswerNeeds, Repository};
use pantin_values::Str;
use pantin_world::{Disk, Surroundings, absolute_path, remove_file, write_file};

use super::Exit;
use super::args::cache::CacheArguments;
use super::args::catalogs::CatalogArguments;
use super::args::jobs::JobArguments;
use super::args::memory::MemoryArguments;
use super::args::names::NodeNames;
use super::args::out_path::{Taken, check_out};
use super::args::repository::settle_exports;
use super::args::timings::TimingArguments;
use super::nodes::catalog_output::{Format, catalog_data};
use super::nodes::graph_check::{GraphDrawings, GraphRequest};
use super::print::colour::terminal_width;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::relative_path::relative_paths;

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
    #[command(flatten)]
    names: NodeNames,

    /// How a catalog is printed
    #[arg(long, value_name = "FORMAT", default_value = "json", alias = "render-as")]
    format: Format,

    /// How errors are printed [default: text on a terminal, else puppet]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<LogFormat>,

    /// Write the catalog to this file; of several nodes, each to NODE.json in this folder, from which that of a node
    /// goes which has no catalog now
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    /// Say why each node was compiled anew and not answered from the cache, and what has changed since
    #[arg(long, conflicts_with = "no_cache")]
    explain_cache: bool,

    #[command(flatten)]
    catalogs: CatalogArguments,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    memory: MemoryArguments,

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
    #[value(name = "text", alias = "human")]
    Human,
    /// The lines of the real one
    Puppet,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    arguments.jobs.start_threads()?;
    let console = match arguments.log_format {
        None => console,
        Some(format) => console.with_reports(format == LogFormat::Human),
    };
    let (mut repository, names) = match arguments.open(&console) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let graph = arguments.catalogs.graph.request(&repository);
    let is_alone = names.len() == 1;
    let width = terminal_width(surroundings);
    let run = Run { arguments, console: &console, repository: &repository, graph, is_alone, width };
    let exit = run.all(&names)?;
    arguments.catalogs.repository.close(&mut repository, &console)?;
    repository.write_timings(&[("command", "compile".into())])?;
    Ok(exit)
}

impl Arguments {
    fn open(&self, console: &ConsoleLog) -> Result<(Repository, Vec<Str>), OpenError> {
        let options = self.catalogs.options()?;
        let mut repository = Repository::open(&options, &self.cache.options(), self.timings.start())?;
        repository.limit_memory(self.memory.bound()?);
        console.remarks(&repository.compiler.world.remarks);
        if let Some(reason) = repository.compiler.world.lack_of_code() {
            return Err(OpenError::Usage(reason));
        }
        let patterns = self.names.patterns();
        let names = repository.named_nodes(&patterns)?;
        console.remarks(&repository.node_remarks(&patterns, &names));
        if let (Some(out), true) = (&self.out, names.len() > 1) {
            check_out(out, Taken::Folder)?;
        }
        if names.len() == 1 && !repository.exchanges {
            repository.enable_read_ahead();
        }
        repository.open_store();
        settle_exports(&mut repository, &names)?;
        Ok((repository, names))
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
        is_folder.then(|| out.join(format!("{}.json", file_stem(node))))
    }
}

struct Run<'a> {
    arguments: &'a Arguments,
    console: &'a ConsoleLog,
    repository: &'a Repository,
    graph: GraphRequest,
    /// It is about one node.
    is_alone: bool,
    /// How many columns the terminal has.
    width: Option<usize>,
}

/// What was said of nodes so far.
#[derive(Default)]
struct Said {
    environments: BTreeSet<String>,
    /// Failures that are shown at the end, equal ones of several nodes as one.
    failures: Vec<(Str, Vec<Message>)>,
}

/// An answer, and what is printed of its catalog.
struct PrintedAnswer {
    answer: Answer,
    output: io::Result<Output>,
}

#[derive(Default)]
struct Output {
    file: Option<(PathBuf, String)>,
    /// For standard output.
    text: Option<String>,
    drawings: Option<GraphDrawings>,
}

impl Run<'_> {
    fn all(&self, names: &[Str]) -> io::Result<Exit> {
        let mut said = Said::default();
        let mut ended: io::Result<Exit> = Ok(Exit::Accepted);
        let _ = self.repository.crew(0, names.len())?.in_waves(
            names,
            |wave| self.repository.classify(wave),
            |node| self.print_answer(node),
            |at, _, printed| {
                match self.tell(&names[at], printed, &mut said) {
                    Ok(NodeEnd::Compiled) => return ControlFlow::Continue(()),
                    Ok(NodeEnd::WithoutCatalog) => ended = self.forget(&names[at]).map(|()| Exit::Rejected),
                    Ok(NodeEnd::NotApplicable) => ended = Ok(Exit::Rejected),
                    Err(error) => ended = Err(error),
                }
                if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        )?;
        self.console.message_groups(&Group::from_messages(said.failures.iter().map(|(node, said)| (node, said))));
        ended
    }

    fn print_answer(&self, node: &NodeToPrepare) -> Result<PrintedAnswer, AnswerError> {
        let needs = AnswerNeeds { catalog: true, reasons: self.arguments.explain_cache };
        let mut answer = self.repository.answer_classified(node, self.repository.exports.as_ref(), needs)?;
        let output = match answer.catalog.take() {
            Some(catalog) => self.output(&catalog, &node.name),
            None => Ok(Output::default()),
        };
        Ok(PrintedAnswer { answer, output })
    }

    fn output(&self, catalog: &AnsweredCatalog, node: &str) -> io::Result<Output> {
        let drawings = match self.graph.draws() {
            true => self.graph.draw(&*catalog_data(catalog)?, self.is_alone),
            false => None,
        };
        let file = self.arguments.target(&*self.repository.compiler.world.disk, node, self.is_alone);
        let text = self.arguments.format.text(catalog, self.width, file.is_some())?;
        let file = match file {
            Some(file) => Some((file, self.arguments.format.json(catalog)?)),
            None => None,
        };
        Ok(Output { file, text, drawings })
    }

    /// What reading the world had to say: of an environment with its first node.
    fn remarks(&self, head: &Head, environments: &mut BTreeSet<String>) {
        if environments.insert(head.environment.clone()) {
            self.console.remarks(&head.environment_remarks);
            self.console.remarks(&head.own_remarks);
        }
        self.console.remarks(&head.node_remarks);
    }

    /// Why a node is compiled.
    fn explain(&self, node: &str, reasons: &[Reason]) -> io::Result<()> {
        let mut said =
            reasons.iter().map(|reason| format!("{node} is compiled anew: {}", relative_paths(&reason.to_string())));
        said.try_for_each(|text| self.console.say(Level::Notice, &text))
    }

    fn tell(&self, node: &Str, printed: Result<PrintedAnswer, AnswerError>, said: &mut Said) -> io::Result<NodeEnd> {
        let PrintedAnswer { answer, output } = match printed {
            Ok(printed) => printed,
            Err(error) => return Ok(self.without_catalog(node, &error.to_string(), said)),
        };
        self.remarks(&answer.head, &mut said.environments);
        self.explain(node, &answer.reasons)?;
        self.console.log(&answer.head.log)?;
        match &answer.head.outcome {
            Outcome::Failure(failure) if self.groups_failures() => {
                let message = Message::new(About::Failure, &failure.text, node, &answer.head.own_words);
                said.failures.push((node.clone(), vec![message.with_failure(failure)]));
                Ok(NodeEnd::WithoutCatalog)
            }
            Outcome::Failure(failure) => {
                self.fail(failure);
                Ok(NodeEnd::WithoutCatalog)
            }
            Outcome::Catalog { findings, .. } => {
                // A catalog that cannot be written is the end of its node alone.
                let output = match output {
                    Ok(output) => output,
                    Err(error) => return Ok(self.without_catalog(node, &error.to_string(), said)),
                };
                self.say_compiled(node, &answer)?;
                self.print(&output)?;
                let mut findings = Cow::Borrowed(findings);
                if let Some(drawings) = &output.drawings {
                    findings.to_mut().set_graph(&drawings.findings);
                }
                let disk = &*self.repository.compiler.world.disk;
                let is_applicable = self.graph.report(&findings, node, self.console, disk)?;
                Ok(if is_applicable { NodeEnd::Compiled } else { NodeEnd::NotApplicable })
            }
        }
    }

    fn without_catalog(&self, node: &Str, reason: &str, said: &mut Said) -> NodeEnd {
        match self.groups_failures() {
            true => said.failures.push((node.clone(), NodeReport::without_answer(node, reason).messages)),
            false => self.console.complain(reason),
        }
        NodeEnd::WithoutCatalog
    }

    fn say_compiled(&self, node: &str, answer: &Answer) -> io::Result<()> {
        let Answer { head, seconds, static_seconds, .. } = answer;
        let around = format!("catalog for {node} in environment {}", head.environment);
        let text = match static_seconds {
            None => format!("Compiled {around} in {seconds:.2} seconds"),
            Some(more) => {
                let text = format!("Inlined resource metadata into static {around} in {more:.2} seconds");
                self.console.say(Level::Notice, &text)?;
                format!("Compiled static {around} in {seconds:.2} seconds")
            }
        };
        self.console.say(Level::Notice, &text)
    }

    /// A person who compiles several nodes is shown each error once, with its nodes.
    fn groups_failures(&self) -> bool {
        self.console.is_for_person() && !self.is_alone
    }

    fn fail(&self, failure: &FailureReport) {
        match failure.detail {
            Some(_) => self.console.failure(failure, &*self.repository.compiler.world.disk),
            None => self.console.complain(&failure.text),
        }
    }

    /// A node without a catalog has none of an earlier run in a folder of catalogs either.
    fn forget(&self, node: &str) -> io::Result<()> {
        // Another name could lead to another folder.
        let disk = &*self.repository.compiler.world.disk;
        let file = self.arguments.target_in_folder(disk, node, self.is_alone).filter(|_| is_certname(node));
        let Some(file) = file else { return Ok(()) };
        let reason = |error: io::Error| io::Error::other(format!("cannot remove {}: {error}", file.display()));
        remove_file(&file).map_err(reason)
    }

    fn print(&self, output: &Output) -> io::Result<()> {
        output.drawings.as_ref().map_or(Ok(()), GraphDrawings::write)?;
        if let Some((file, json)) = &output.file {
            let reason = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", file.display()));
            write_file(file, json.as_bytes()).map_err(reason)?;
        }
        let Some(text) = &output.text else { return Ok(()) };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

/// How a node ended.
enum NodeEnd {
    Compiled,
    WithoutCatalog,
    /// An agent could not apply its catalog.
    NotApplicable,
}
