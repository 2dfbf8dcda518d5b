//! `pantin stats`: what a run did, of the file that `--timings` has written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::Exit;
use super::console_log::LogArguments;
use super::printable::{escaped_json, printable};
use super::timings::{BODY, Event, NODE, PHASE, RUN, Trace};
use crate::world::{Disk, MachineDisk, Surroundings, absolute_path};

/// Sum up what a run did, from the file of its --timings
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin fleet --facts facts/ --timings run.json
  pantin stats run.json
  pantin stats run.json --format json

A phase is told with the time that its threads spent in it, less that of phases within it; and so is the code of classes
and defined types.
Exit codes:
  0  it was summed up
  1  the file could not be read, or is no such file
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The file that --timings has written
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// So many of the slowest nodes, and of what took longest, are told
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    limit: usize,

    #[command(flatten)]
    log: LogArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For a person
    Text,
    /// One object
    Json,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let stats = match Stats::read(&MachineDisk::default(), &arguments.file) {
        Ok(stats) => stats,
        Err(reason) => {
            console.complain(&format!("{}: {reason}", arguments.file.display()));
            return Ok(Exit::Rejected);
        }
    };
    let text = match arguments.format {
        Format::Text => printable(&stats.text(arguments.limit)).into_owned(),
        Format::Json => escaped_json(stats.json(arguments.limit).to_string()) + "\n",
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(Exit::Accepted)
}

/// A phase, or a body, over all nodes and threads.
#[derive(Clone, PartialEq, Debug, Default)]
struct Own {
    times: usize,
    milliseconds: f64,
}

#[derive(Debug)]
struct NodeTime {
    name: String,
    milliseconds: f64,
    is_kept: bool,
}

#[derive(Debug, Default)]
struct Stats {
    milliseconds: f64,
    threads: usize,
    about: BTreeMap<String, Value>,
    phases: BTreeMap<String, Own>,
    bodies: BTreeMap<String, Own>,
    /// The slowest first. A node of several rounds is there once, with the time of all.
    nodes: Vec<NodeTime>,
}

impl Stats {
    fn read(disk: &dyn Disk, file: &Path) -> Result<Stats, String> {
        let bytes = disk.read(&absolute_path(file)).map_err(|error| error.to_string())?;
        let bytes = bytes.ok_or("no such file or directory")?;
        let trace: Trace =
            serde_json::from_slice(&bytes).map_err(|error| format!("it is no file of --timings: {error}"))?;
        Stats::of(trace.events).ok_or_else(|| "it is no file of --timings: no run is told of".to_owned())
    }

    fn of(mut events: Vec<Event>) -> Option<Stats> {
        let whole = events.iter().find(|event| event.is(RUN))?;
        let mut stats = Stats {
            milliseconds: whole.dur / 1000.0,
            about: whole.args.clone().into_iter().collect(),
            ..Stats::default()
        };
        events.retain(|event| [NODE, PHASE, BODY].iter().any(|sort| event.is(sort)));
        events.sort_by(|one, other| {
            one.tid.cmp(&other.tid).then(one.ts.total_cmp(&other.ts)).then(other.dur.total_cmp(&one.dur))
        });
        stats.threads =
            events.iter().filter(|event| event.tid > 0).map(|event| event.tid).collect::<BTreeSet<_>>().len();
        (stats.phases, stats.bodies) = (own_times(&events, PHASE), own_times(&events, BODY));
        let mut nodes: BTreeMap<&str, NodeTime> = BTreeMap::new();
        for event in events.iter().filter(|event| event.is(NODE)) {
            let is_kept = event.args.get("kept").and_then(Value::as_bool).unwrap_or_default();
            let known = nodes.entry(&event.name).or_insert_with(|| NodeTime {
                name: event.name.clone(),
                milliseconds: 0.0,
                is_kept: true,
            });
            known.milliseconds += event.dur / 1000.0;
            known.is_kept &= is_kept;
        }
        stats.nodes = nodes.into_values().collect();
        stats.nodes.sort_by(|one, other| other.milliseconds.total_cmp(&one.milliseconds));
        Some(stats)
    }

    fn kept(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_kept).count()
    }

    fn text(&self, limit: usize) -> String {
        let mut out = String::new();
        let (all, kept) = (self.nodes.len(), self.kept());
        let _ = writeln!(out, "{all} nodes in {:.1} ms on {} threads", self.milliseconds, self.threads.max(1));
        if all > 0 {
            let share = kept as f64 * 100.0 / all as f64;
            let _ = writeln!(out, "{kept} as in an earlier run, {} compiled: {share:.0}% from the cache", all - kept);
        }
        lines(&mut out, "Phases, of all threads together", &by_time(&self.phases));
        let bodies = by_time(&self.bodies);
        lines(&mut out, "Classes and defined types whose code took longest", &bodies[..limit.min(bodies.len())]);
        if all > 0 {
            let _ = writeln!(out, "\nSlowest nodes");
        }
        for node in self.nodes.iter().take(limit) {
            let how = if node.is_kept { " (from the cache)" } else { "" };
            let _ = writeln!(out, "{:>10.1} ms  {}{how}", node.milliseconds, node.name);
        }
        out
    }

    fn json(&self, limit: usize) -> Value {
        let bodies = by_time(&self.bodies);
        let nodes: Vec<Value> = self
            .nodes
            .iter()
            .take(limit)
            .map(|node| json!({"name": node.name, "milliseconds": node.milliseconds, "kept": node.is_kept}))
            .collect();
        json!({
            "milliseconds": self.milliseconds,
            "threads": self.threads.max(1),
            "nodes": self.nodes.len(),
            "kept": self.kept(),
            "run": self.about,
            "phases": as_json(&by_time(&self.phases)),
            "bodies": as_json(&bodies[..limit.min(bodies.len())]),
            "slowest": nodes,
        })
    }
}

/// What each of a sort took, less what others of that sort took within it. `events`: by thread, then as they begin.
fn own_times(events: &[Event], sort: &str) -> BTreeMap<String, Own> {
    let mut times: BTreeMap<String, Own> = BTreeMap::new();
    let mut open: Vec<&Event> = Vec::new();
    for event in events.iter().filter(|event| event.is(sort)) {
        open.retain(|around| around.tid == event.tid && event.ts < around.ts + around.dur);
        if let Some(around) = open.last() {
            times.entry(around.name.clone()).or_default().milliseconds -= event.dur / 1000.0;
        }
        let own = times.entry(event.name.clone()).or_default();
        own.times += 1;
        own.milliseconds += event.dur / 1000.0;
        open.push(event);
    }
    times
}

/// The longest first.
fn by_time(times: &BTreeMap<String, Own>) -> Vec<(&String, &Own)> {
    let mut times: Vec<_> = times.iter().collect();
    times.sort_by(|(_, one), (_, other)| other.milliseconds.total_cmp(&one.milliseconds));
    times
}

fn lines(out: &mut String, heading: &str, times: &[(&String, &Own)]) {
    if times.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{heading}");
    for (name, own) in times {
        let _ = writeln!(out, "{:>10.1} ms {:>7} times  {name}", own.milliseconds, own.times);
    }
}

fn as_json(times: &[(&String, &Own)]) -> Vec<Value> {
    let one =
        |(name, own): &(&String, &Own)| json!({"name": name, "times": own.times, "milliseconds": own.milliseconds});
    times.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(sort: &str, name: &str, tid: usize, ts: f64, dur: f64) -> Event {
        let args = serde_json::Map::default();
        Event { name: name.to_owned(), cat: sort.to_owned(), ph: "X".to_owned(), ts, dur, pid: 1, tid, args }
    }

    #[test]
    fn a_phase_has_the_time_that_is_its_own() {
        let stats = Stats::of(vec![
            event(RUN, "pantin", 0, 0.0, 10_000.0),
            event(NODE, "a", 1, 0.0, 5000.0),
            event(PHASE, "ready", 1, 1000.0, 3000.0),
            event(PHASE, "read", 1, 2000.0, 1000.0),
            event(PHASE, "read", 2, 0.0, 500.0),
            event(NODE, "a", 2, 600.0, 400.0),
            event(BODY, "outer", 2, 600.0, 375.0),
            event(BODY, "inner", 2, 700.0, 125.0),
        ]);
        let stats = stats.unwrap();
        assert_eq!(stats.phases["ready"], Own { times: 1, milliseconds: 2.0 });
        assert_eq!(stats.phases["read"], Own { times: 2, milliseconds: 1.5 });
        assert_eq!((stats.bodies["outer"].milliseconds, stats.bodies["inner"].milliseconds), (0.25, 0.125));
        assert_eq!((stats.threads, stats.nodes.len(), stats.nodes[0].milliseconds), (2, 1, 5.4));
        assert!(Stats::of(vec![event(NODE, "a", 1, 0.0, 1.0)]).is_none());
    }
}
