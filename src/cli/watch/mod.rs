//! `pantin watch`: what an edit changes on which nodes, as soon as it is made.

mod applying;
mod json;
mod lines;
mod source_files;
mod text;
mod view;
mod watch_loop;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use pantin_repository::options::OpenError;
use pantin_repository::watch::{FileWatcher, Session, WatchOptions};
use pantin_world::{Disk, MachineDisk, Surroundings};

use super::Exit;
use super::args::cache::CacheArguments;
use super::args::jobs::JobArguments;
use super::args::names::NodeNames;
use super::args::repository::RepositoryArguments;
use super::args::timings::TimingArguments;
use super::args::world::ManifestArguments;
use super::nodes::graph_check::{GraphCheckArguments, ResourceCheckArguments};
use super::print::colour::report_width;
use super::print::console_log::LogArguments;
use super::print::layout::Layout;
use super::print::safe::workflow_log::LogReader;
use applying::{ApplyArguments, Applying, RunOutput};
use lines::{Failures, Lines};
use text::Paint;
use watch_loop::WatchLoop;

/// Recompile what an edit touches, and print what it changes on which nodes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin watch --facts facts/
  pantin watch web01.example.org --facts facts/
  pantin watch --facts facts/ --interactive
  pantin watch --facts facts/ --format json
  pantin watch --facts facts/ --exec 'notify-send \"catalogs changed\"'
  pantin watch --apply --noop

In the folder of a control repository, or below it, that repository is watched: its manifests, modules, data and \
settings, and the facts of its nodes. Nodes that pantin fleet or pantin compile has stored answers of are shown from \
these at once, and compiled in the background. What was edited is decided by content; a catalog whose line numbers \
alone moved has not changed. When an error is mended, its nodes are compared with what they had before it. Dependency cycles, \
missing dependencies and resources that the agent would refuse, which an edit makes or mends, are told after its changes, \
and then what failed before it and still does. A change whose \
values differ from node to node is told once, with those of one node; --format json has all. An ENC is asked once \
for each node. While git changes the working copy, one waits. With --exported fleet, nodes that collect what others \
export are asked in rounds, as pantin fleet does. The file of --timings is written after each edit. \
Ctrl-C ends it as a signal ends any command: the shell has 130.
Exit codes:
  0  with --edits, so many edits were answered; with --interactive, it was left
  1  there was nothing to watch
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    #[command(flatten)]
    names: NodeNames,

    /// How changes are printed: for a person, or one JSON object a line for editors
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// So many different changes of an edit are shown in full
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// Run this command in a shell after each edit that changed something
    #[arg(long, value_name = "CMD")]
    exec: Option<String>,

    /// Look every so many seconds, and wait for no events: network file systems tell none
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    poll: Option<Duration>,

    /// Show the changes of the last edit on the whole terminal: filter them, expand one, look at a node's catalog
    #[arg(short, long, conflicts_with_all = ["format", "exec", "limit"])]
    interactive: bool,

    /// Say after each edit why nodes were compiled and not patched, with the nodes of each reason; --format json always says it
    #[arg(long, conflicts_with = "interactive")]
    explain_cache: bool,

    #[command(flatten)]
    applying: ApplyArguments,

    /// End after so many edits, at least one
    #[arg(long, value_name = "COUNT")]
    edits: Option<NonZeroUsize>,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    cache: CacheArguments,

    #[command(flatten)]
    timings: TimingArguments,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    graph: GraphCheckArguments,

    #[command(flatten)]
    resources: ResourceCheckArguments,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For a person
    Text,
    /// One JSON object a line
    Json,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is a number of seconds")?;
    Duration::try_from_secs_f64(seconds).ok().filter(|span| !span.is_zero()).ok_or("it is more than nothing".to_owned())
}

pub(super) fn run(arguments: Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    arguments.jobs.start_threads()?;
    let mut nodes = arguments.names.patterns();
    let Arguments {
        format,
        limit,
        exec,
        poll,
        interactive,
        explain_cache,
        edits,
        applying,
        cache,
        timings,
        log,
        graph,
        resources,
        main,
        repository,
        ..
    } = arguments;
    if interactive && !(surroundings.stdin_is_terminal && surroundings.stdout_is_terminal) {
        return Ok(console.refuse(OpenError::Usage("--interactive needs a terminal".to_owned())));
    }
    let run_output = match format {
        Format::Text if !interactive => RunOutput::Inherited,
        _ => RunOutput::Reported,
    };
    let timings = Arc::new(timings.start());
    let disk: Arc<dyn Disk> = Arc::new(MachineDisk::default());
    let measured = timings.is_enabled().then(|| Arc::clone(&timings));
    let options = main.check().and_then(|()| repository.options(main.options()));
    let opened = options.and_then(|mut options| {
        options.catalogs.checks_resources = resources.typed();
        if options.catalogs.answers.record {
            return Err(OpenError::Usage(
                "--record: commands are not run again after each edit; record with pantin fleet".to_owned(),
            ));
        }
        let (cache, checks_graph) = (cache.options(), graph.is_checked());
        let application =
            applying.application(&mut options, &mut nodes, &repository, (&cache, run_output), &console)?;
        let watched = WatchOptions { options, nodes, cache, checks_graph, timings: measured };
        Ok((Session::open(watched, Arc::clone(&disk))?, application))
    });
    let (session, application) = match opened {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let watching = FileWatcher::start(poll);
    let colour = log.has_colour(surroundings);
    let edits = edits.map(NonZeroUsize::get);
    let mut looking = WatchLoop { session, watching, disk, here: here(), edits, timings };
    if interactive {
        return view::run(looking, application, colour, &console);
    }
    let width = surroundings.stdout_is_terminal.then(|| report_width(&console::Term::stdout()));
    let paint = Paint { layout: Layout { colour, width, here: here() }, limit, explains_cache: explain_cache };
    let reader = LogReader::of_stdout(surroundings);
    let mut lines = Lines { console, format, paint, exec, reader, failures: Failures::default() };
    match application {
        Some(application) => looking.all(&mut Applying::new(&mut lines, application)),
        None => looking.all(&mut lines),
    }
}

/// Paths are shown from here.
fn here() -> PathBuf {
    pantin_world::absolute_path(Path::new("."))
}
