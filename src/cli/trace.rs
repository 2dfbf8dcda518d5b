//! `pantin trace`: the questions and effects of bodies, and where the traces of two nodes part.

use std::io;
use std::sync::Arc;

use clap::Args;
use indexmap::IndexMap;
use pantin_compile::BodyWalk;
use pantin_model::trace::{Key, WalkKind};
use pantin_repository::options::{CacheOptions, OpenError};
use pantin_repository::query::ReadyEnvironment;
use pantin_repository::timings::Timings;
use pantin_repository::{AnswerError, NodeInputs, Repository};
use pantin_world::Surroundings;
use rustc_hash::FxBuildHasher;

use super::Exit;
use super::args::names::NodeNames;
use super::args::repository::{RepositoryArguments, settle_exports};
use super::args::world::ManifestArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::printable;

/// Show what the bodies of a catalog asked and did: classes, defined types, the site manifests
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin trace web01.example.org --facts facts/
  pantin trace web01.example.org web02.example.org --facts facts/ --body ntp

The nodes are compiled one after the other, each by way of what those before have left. Without --body: a line for \
each body with its steps, how many variants of them the nodes took, and for how many catalogs its code was run from the \
start (run), run from where an answer was new (resumed), or not run at all (replayed). With it: each question with \
the answer or its hash, and each effect; where the nodes were told different things, each way below the other.
Nothing that is Sensitive is shown.
Exit codes:
  0  it was printed
  1  a catalog could not be compiled, or no body has this name
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    #[command(flatten)]
    names: NodeNames,

    /// Show all steps of this one: the name of a class or a defined type, or the path of a manifest after `main`
    #[arg(long, value_name = "NAME")]
    body: Option<String>,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let mut seen = TraceReport { exit: Exit::Accepted, traced: Vec::new() };
    if let Err(refused) = arguments.compile(&console, &mut seen) {
        return Ok(console.refuse(refused));
    }
    match &arguments.body {
        None => seen.list(&console)?,
        Some(name) => seen.show(name, &console)?,
    }
    Ok(seen.exit)
}

impl Arguments {
    fn compile(&self, console: &ConsoleLog, seen: &mut TraceReport) -> Result<(), OpenError> {
        self.main.check()?;
        let mut options = self.repository.options(self.main.options())?;
        options.catalogs.keeps_every_trace = true;
        let mut repository = Repository::open(&options, &CacheOptions::Off, Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        let patterns = self.names.patterns();
        let names = repository.named_nodes(&patterns)?;
        console.remarks(&repository.node_remarks(&patterns, &names));
        settle_exports(&mut repository, &names)?;
        for name in names {
            let inputs = repository.inputs(&name)?;
            console.remarks(&inputs.prepared.remarks);
            let traced = seen.environment(&inputs, console)?;
            let compiled = inputs.compile()?;
            for walk in compiled.walks.iter() {
                traced.walks.entry(walk.key).or_default().push(walk.clone());
            }
            if let Err(ended) = compiled.result {
                console.complain(&ended.text);
                seen.exit = Exit::Rejected;
            }
        }
        self.repository.answers.keep(&repository.compiler.answers).map_err(|error| OpenError::from(error.to_string()))
    }
}

/// An environment with the walks through its bodies.
struct TracedEnvironment {
    environment: String,
    ready: Arc<ReadyEnvironment>,
    /// By body and parameters, in the order in which they first ended.
    walks: IndexMap<Key, Vec<BodyWalk>, FxBuildHasher>,
}

struct TraceReport {
    exit: Exit,
    traced: Vec<TracedEnvironment>,
}

impl TraceReport {
    /// Returns the environment of a node; what reading it had to say is printed once.
    fn environment(
        &mut self,
        inputs: &NodeInputs,
        console: &ConsoleLog,
    ) -> Result<&mut TracedEnvironment, AnswerError> {
        let environment = &inputs.prepared.environment.name;
        let known = self.traced.iter().position(|traced| traced.environment == *environment);
        let at = match known {
            Some(at) => at,
            None => {
                let ready = Arc::clone(inputs.environment()?);
                console.remarks(&ready.remarks);
                console.remarks(&ready.own_remarks);
                let environment = environment.clone();
                self.traced.push(TracedEnvironment { environment, ready, walks: IndexMap::default() });
                self.traced.len() - 1
            }
        };
        Ok(&mut self.traced[at])
    }

    fn list(&self, console: &ConsoleLog) -> io::Result<()> {
        for traced in &self.traced {
            console.print(&format!("{}:", traced.environment))?;
            console.print(&format!(
                "{:>8} {:>8} {:>5} {:>8} {:>9}  body",
                "steps", "variants", "run", "resumed", "replayed"
            ))?;
            for (key, walks) in &traced.walks {
                let tree = traced.ready.traces.tree(key);
                let (steps, variants) = tree.map(|tree| (tree.len(), tree.variants())).unwrap_or_default();
                let count = |is: fn(WalkKind) -> bool| walks.iter().filter(|walk| is(walk.how)).count();
                let run = count(|how| how == WalkKind::Fresh);
                let resumed = count(|how| matches!(how, WalkKind::Resumed { .. }));
                let replayed = count(|how| how == WalkKind::Replayed);
                let name = walks.first().map(|walk| walk.name.as_str()).unwrap_or_default();
                console.print(&format!("{steps:>8} {variants:>8} {run:>5} {resumed:>8} {replayed:>9}  {name}"))?;
            }
        }
        Ok(())
    }

    fn show(&mut self, wanted: &str, console: &ConsoleLog) -> io::Result<()> {
        let wanted = wanted.strip_prefix("::").unwrap_or(wanted);
        let mut is_shown = false;
        for traced in &self.traced {
            for (key, walks) in &traced.walks {
                let Some(name) = walks.first().map(|walk| walk.name.as_str()).filter(|name| *name == wanted) else {
                    continue;
                };
                is_shown = true;
                let text = match traced.ready.traces.tree(key) {
                    Some(tree) => tree.dump(),
                    None => "there is no trace of it\n".to_owned(),
                };
                console.print(&format!("{name} in {}:\n{}", traced.environment, printable(text.trim_end())))?;
            }
        }
        if !is_shown {
            console
                .complain(&format!("no body that was evaluated is called '{wanted}'; without --body they are listed"));
            self.exit = Exit::Rejected;
        }
        Ok(())
    }
}
