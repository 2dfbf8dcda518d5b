//! `pantin watch`: what an edit changes on which nodes, as soon as it is made.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::Exit;
use super::colour::report_width;
use super::console_log::{ConsoleLog, LogArguments};
use super::inventory::{Given, ToldArguments};
use super::node_args::RepositoryArguments;
use super::watch_json::{first_json, round_json};
use super::watch_text::{Paint, first_text, round_text};
use crate::query::{Answer, Engine, Failed};
use crate::trace::Level;
use crate::watch::{Round, Session, Touched, Watching};
use crate::world::{Disk, MachineDisk, Remark, Stopwatch, Surroundings, lock_of_git, run_shown};

/// Recompile what an edit touches, and print what it changes on which nodes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin watch --facts facts/
  pantin watch web01.example.org --facts facts/
  pantin watch --facts facts/ --format json
  pantin watch --facts facts/ --exec 'notify-send \"catalogs changed\"'

In the folder of a control repository, or below it, that repository is watched: its manifests, modules, data and
settings, and the facts of its nodes. What was edited is decided by content; a catalog whose line numbers alone moved
has not changed. An ENC is asked once for each node. While git changes the working copy, one waits.
Exit codes:
  0  it was ended, or with --edits, so many edits were answered
  1  there was nothing to watch
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The nodes, by the names of their certificates [default: all nodes of the facts]
    #[arg(value_name = "NODE", conflicts_with = "node_file")]
    nodes: Vec<String>,

    /// How changes are printed: for a person, or one JSON object a line for editors
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// So many different changes of an edit are shown in full
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,

    /// Run this command in a shell after each edit that changed something
    #[arg(long, value_name = "CMD")]
    exec: Option<String>,

    /// Look every so many seconds, and wait for no events: network file systems tell none
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    poll: Option<Duration>,

    /// End after so many edits
    #[arg(long, value_name = "COUNT")]
    edits: Option<usize>,

    #[command(flatten)]
    told: ToldArguments,

    #[command(flatten)]
    log: LogArguments,

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
    let Arguments { nodes, format, limit, exec, poll, edits, told, log, repository } = arguments;
    let disk: Arc<dyn Disk> = Arc::new(MachineDisk::default());
    let given = Given { nodes, told, repository };
    if let Some(refused) = given.refused(Arc::clone(&disk)) {
        return Ok(refused.tell(&console));
    }
    let engine = Engine::new(Arc::clone(&disk), Arc::new(given));
    let paint = Paint { colour: log.has_colour(surroundings), width: report_width(&console::Term::stdout()), limit };
    let watching = Watching::start(poll);
    let mut watch =
        Watch { console, disk, session: Session::new(engine), watching, format, paint, exec, here: here(), edits };
    watch.all()
}

/// Paths are shown from here.
fn here() -> PathBuf {
    crate::world::absolute_path(Path::new("."))
}

struct Watch {
    console: ConsoleLog,
    disk: Arc<dyn Disk>,
    session: Session,
    watching: Watching,
    format: Format,
    paint: Paint,
    exec: Option<String>,
    here: PathBuf,
    edits: Option<usize>,
}

impl Watch {
    fn all(&mut self) -> io::Result<Exit> {
        let watch = Stopwatch::start();
        match self.session.first() {
            Ok(remarks) => {
                let answers = self.session.answers();
                self.console.remarks(&remarks);
                self.console.remarks(&remarks_of(answers));
                if let Some(reason) = nothing_there(answers) {
                    self.console.complain(reason);
                    return Ok(Exit::Rejected);
                }
                let text = match self.format {
                    Format::Text => first_text(answers, watch.elapsed(), &self.paint),
                    Format::Json => first_json(answers, watch.elapsed()),
                };
                print(&text)?;
            }
            Err(reason) => {
                self.console.complain(&reason);
                return Ok(Exit::Rejected);
            }
        }
        // What was edited while the first answers were made is found here.
        let mut touched = self.follow()?;
        let mut edits = 0;
        let (disk, here) = (Arc::clone(&self.disk), self.here.clone());
        // A switch of branch is one edit, however long it takes.
        let is_busy = || lock_of_git(&*disk, &here).is_some_and(|lock| disk.exists(&lock));
        let mut complaint: Option<Arc<str>> = None;
        loop {
            self.watching.let_finish(&is_busy, &mut touched);
            match self.session.round(&touched) {
                Ok(Some(round)) => {
                    complaint = None;
                    self.tell(&round)?;
                    edits += 1;
                }
                Ok(None) => {}
                Err(reason) if complaint.as_ref() == Some(&reason) => {}
                Err(reason) => {
                    self.console.complain(&format!("{reason}; what was told before stays"));
                    complaint = Some(reason);
                }
            }
            if self.edits.is_some_and(|most| edits >= most) {
                return Ok(Exit::Accepted);
            }
            let unheard = self.follow()?;
            touched = match unheard.is_nothing() {
                false => unheard,
                true => match self.watching.wait() {
                    Some(touched) => touched,
                    None => return Ok(Exit::Accepted),
                },
            };
        }
    }

    /// Listens where the last answers have looked.
    fn follow(&mut self) -> io::Result<Touched> {
        let touched = self.watching.follow(&*self.disk, &self.session.engine().paths());
        if let Some(complaint) = self.watching.complaint() {
            self.console.say(Level::Warning, &complaint)?;
        }
        Ok(touched)
    }

    fn tell(&self, round: &Round) -> io::Result<()> {
        let text = match self.format {
            Format::Text => round_text(round, &self.here, &self.paint),
            Format::Json => round_json(round),
        };
        print(&text)?;
        match &self.exec {
            Some(command) if !round.is_quiet() => match run_shown(command) {
                Ok(Some(0)) => Ok(()),
                Ok(code) => {
                    let code = code.map_or("by a signal".to_owned(), |code| format!("with {code}"));
                    self.console.say(Level::Warning, &format!("the command of --exec ended {code}"))
                }
                Err(error) => {
                    self.console.say(Level::Warning, &format!("the command of --exec did not start: {error}"))
                }
            },
            _ => Ok(()),
        }
    }
}

/// What finding the nodes, and their environments, had to say: each once.
fn remarks_of(answers: &[Arc<Answer>]) -> Vec<Remark> {
    let mut told = BTreeSet::new();
    let said = answers.iter().flat_map(|answer| &answer.remarks);
    said.filter(|remark| told.insert(remark.text.as_str())).cloned().collect()
}

/// Why no node at all can be compiled: there is no repository, or no node of that name.
fn nothing_there(answers: &[Arc<Answer>]) -> Option<&str> {
    let mut reasons = answers.iter().map(|answer| match &answer.result {
        Err(Failed::Reading(reason)) => Some(reason.as_str()),
        _ => None,
    });
    let first = reasons.next().unwrap_or(Some("there is no node to watch"));
    first.filter(|_| reasons.all(|reason| reason.is_some()))
}

/// How many of them have a catalog.
pub(super) fn compiled(answers: &[Arc<Answer>]) -> usize {
    answers.iter().filter(|answer| answer.result.is_ok()).count()
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
