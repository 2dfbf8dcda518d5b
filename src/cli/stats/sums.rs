//! Sums over a run: by phase, body, file and reason for recompilation. Must not know how they are shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pantin_world::{Disk, absolute_path};
use serde_json::Value;

use pantin_repository::timings::{BODY, Event, FILE, NODE, PHASE, RUN, Trace};

/// A phase, or a body, over all nodes and threads.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Totals {
    pub(super) times: usize,
    pub(super) milliseconds: f64,
}

#[derive(Debug)]
pub(super) struct NodeTime {
    pub(super) name: String,
    pub(super) milliseconds: f64,
    pub(super) is_kept: bool,
}

/// What parsing a file took, and the code in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct FileCost {
    pub(super) parsing: f64,
    pub(super) code: Totals,
}

/// A question that was answered otherwise than before.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChangedRead {
    /// The body that asked; of a node, nothing.
    pub(super) body: Option<String>,
    pub(super) question: String,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Stats {
    pub(super) milliseconds: f64,
    pub(super) threads: usize,
    pub(super) about: BTreeMap<String, Value>,
    pub(super) phases: BTreeMap<String, Totals>,
    pub(super) bodies: BTreeMap<String, Totals>,
    pub(super) files: BTreeMap<String, FileCost>,
    /// What made bodies be run again, and how often.
    pub(super) reads: BTreeMap<ChangedRead, usize>,
    /// What made nodes be compiled again, and which.
    pub(super) recompile_reasons: BTreeMap<ChangedRead, BTreeSet<String>>,
    /// The slowest first. A node of several rounds is there once, with the time of all.
    pub(super) nodes: Vec<NodeTime>,
}

impl FileCost {
    pub(super) fn milliseconds(&self) -> f64 {
        self.parsing + self.code.milliseconds
    }
}

impl Stats {
    pub(super) fn read(disk: &dyn Disk, file: &Path) -> Result<Stats, String> {
        let bytes = disk.read(&absolute_path(file)).map_err(|error| error.to_string())?;
        let bytes = bytes.ok_or("no such file or directory")?;
        let trace: Trace =
            serde_json::from_slice(&bytes).map_err(|error| format!("it is no file of --timings: {error}"))?;
        Stats::from_events(trace.events).ok_or_else(|| "it is no file of --timings: no run is told of".to_owned())
    }

    fn from_events(mut events: Vec<Event>) -> Option<Stats> {
        let whole = events.iter().find(|event| event.is(RUN))?;
        let mut stats = Stats {
            milliseconds: whole.dur / 1000.0,
            about: whole.args.clone().into_iter().collect(),
            ..Stats::default()
        };
        events.retain(|event| [NODE, PHASE, BODY, FILE].iter().any(|sort| event.is(sort)));
        events.sort_by(|one, other| {
            one.tid.cmp(&other.tid).then(one.ts.total_cmp(&other.ts)).then(other.dur.total_cmp(&one.dur))
        });
        stats.threads =
            events.iter().filter(|event| event.tid > 0).map(|event| event.tid).collect::<BTreeSet<_>>().len();
        for (event, own) in own_times(&events, &[PHASE]) {
            stats.phases.entry(event.name.clone()).or_default().add(own);
        }
        for (event, own) in own_times(&events, &[BODY, FILE]) {
            stats.code(event, own);
        }
        events.iter().for_each(|event| stats.again(event));
        stats.nodes = node_times(&events);
        Some(stats)
    }

    /// Adds the time of a body, or of parsing a file.
    fn code(&mut self, event: &Event, own: f64) {
        if event.is(FILE) {
            self.files.entry(event.name.clone()).or_default().parsing += own;
            return;
        }
        self.bodies.entry(event.name.clone()).or_default().add(own);
        if let Some(file) = text_of(&event.args, "file") {
            self.files.entry(file).or_default().code.add(own);
        }
    }

    /// Notes what made something be done again.
    fn again(&mut self, event: &Event) {
        if event.is(BODY)
            && let Some(asked) = text_of(&event.args, "asked")
        {
            let (old, new) = (text_of(&event.args, "old"), text_of(&event.args, "new"));
            *self
                .reads
                .entry(ChangedRead { body: Some(event.name.clone()), question: asked, old, new })
                .or_default() += 1;
        }
        let reasons = event.args.get("anew").and_then(Value::as_array).into_iter().flatten();
        for reason in reasons.filter_map(Value::as_object) {
            let Some(asked) = text_of(reason, "text") else { continue };
            let read =
                ChangedRead { body: None, question: asked, old: text_of(reason, "old"), new: text_of(reason, "new") };
            self.recompile_reasons.entry(read).or_default().insert(event.name.clone());
        }
    }

    /// Returns how many bodies were run, and how many were replayed, of a run that compiled anything.
    pub(super) fn body_counts(&self) -> Option<(u64, u64)> {
        let count = |name| self.about.get(name).and_then(Value::as_u64);
        count("bodies_run").zip(count("bodies_replayed")).filter(|(run, replayed)| run + replayed > 0)
    }

    pub(super) fn reused_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_kept).count()
    }
}

impl Totals {
    fn add(&mut self, milliseconds: f64) {
        self.times += 1;
        self.milliseconds += milliseconds;
    }
}

fn text_of(members: &serde_json::Map<String, Value>, name: &str) -> Option<String> {
    members.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// Returns what each of some sorts took, in milliseconds, less what others of these sorts took within it. `events`: by
/// thread, then as they begin.
fn own_times<'e>(events: &'e [Event], sorts: &[&str]) -> Vec<(&'e Event, f64)> {
    let mut times: Vec<(&Event, f64)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for event in events.iter().filter(|event| sorts.iter().any(|sort| event.is(sort))) {
        open.retain(|&around| {
            let around = times[around].0;
            around.tid == event.tid && event.ts < around.ts + around.dur
        });
        if let Some(&around) = open.last() {
            times[around].1 -= event.dur / 1000.0;
        }
        open.push(times.len());
        times.push((event, event.dur / 1000.0));
    }
    times
}

fn node_times(events: &[Event]) -> Vec<NodeTime> {
    let mut nodes: BTreeMap<&str, NodeTime> = BTreeMap::new();
    for event in events.iter().filter(|event| event.is(NODE)) {
        let is_kept = event.args.get("kept").and_then(Value::as_bool).unwrap_or_default();
        let fresh = || NodeTime { name: event.name.clone(), milliseconds: 0.0, is_kept: true };
        let known = nodes.entry(&event.name).or_insert_with(fresh);
        known.milliseconds += event.dur / 1000.0;
        known.is_kept &= is_kept;
    }
    let mut nodes: Vec<NodeTime> = nodes.into_values().collect();
    nodes.sort_by(|one, other| other.milliseconds.total_cmp(&one.milliseconds));
    nodes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(sort: &str, name: &str, tid: usize, ts: f64, dur: f64) -> Event {
        let args = serde_json::Map::default();
        Event { name: name.to_owned(), cat: sort.to_owned(), ph: "X".to_owned(), ts, dur, pid: 1, tid, args }
    }

    fn with(mut event: Event, args: &Value) -> Event {
        event.args = args.as_object().unwrap().clone();
        event
    }

    #[test]
    fn a_phase_has_the_time_that_is_its_own() {
        let stats = Stats::from_events(vec![
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
        assert_eq!(stats.phases["ready"], Totals { times: 1, milliseconds: 2.0 });
        assert_eq!(stats.phases["read"], Totals { times: 2, milliseconds: 1.5 });
        assert_eq!((stats.bodies["outer"].milliseconds, stats.bodies["inner"].milliseconds), (0.25, 0.125));
        assert_eq!((stats.threads, stats.nodes.len(), stats.nodes[0].milliseconds), (2, 1, 5.4));
        assert!(Stats::from_events(vec![event(NODE, "a", 1, 0.0, 1.0)]).is_none());
    }

    #[test]
    fn a_file_has_the_time_of_its_parsing_and_of_its_code() {
        let stats = Stats::from_events(vec![
            event(RUN, "pantin", 0, 0.0, 10_000.0),
            with(event(BODY, "outer", 1, 0.0, 4000.0), &json!({"file": "/a.pp"})),
            event(FILE, "/b.pp", 1, 1000.0, 500.0),
            with(event(BODY, "inner", 1, 2000.0, 1000.0), &json!({"file": "/b.pp"})),
            with(event(BODY, "inner", 2, 2000.0, 250.0), &json!({"file": "/b.pp"})),
        ]);
        let stats = stats.unwrap();
        assert_eq!(stats.bodies["outer"].milliseconds, 2.5);
        let code = Totals { times: 2, milliseconds: 1.25 };
        assert_eq!(stats.files["/b.pp"], FileCost { parsing: 0.5, code });
        assert_eq!((stats.files["/a.pp"].milliseconds(), stats.files["/b.pp"].milliseconds()), (2.5, 1.75));
    }

    #[test]
    fn what_made_something_run_again_is_counted() {
        let read = json!({"asked": "ask data", "old": "80", "new": "81"});
        let anew = json!({"anew": [{"text": "the content of /f", "old": "#1", "new": "#2"}]});
        let stats = Stats::from_events(vec![
            event(RUN, "pantin", 0, 0.0, 10.0),
            with(event(BODY, "web", 1, 0.0, 1.0), &read),
            with(event(BODY, "web", 2, 0.0, 1.0), &read),
            event(BODY, "web", 2, 2.0, 1.0),
            with(event(NODE, "b", 2, 3.0, 1.0), &anew),
            with(event(NODE, "a", 2, 5.0, 1.0), &anew),
        ]);
        let stats = stats.unwrap();
        let told = |body: Option<&str>, asked: &str, old: &str, new: &str| ChangedRead {
            body: body.map(str::to_owned),
            question: asked.to_owned(),
            old: Some(old.to_owned()),
            new: Some(new.to_owned()),
        };
        assert_eq!(stats.reads, BTreeMap::from([(told(Some("web"), "ask data", "80", "81"), 2)]));
        let nodes = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert_eq!(stats.recompile_reasons, BTreeMap::from([(told(None, "the content of /f", "#1", "#2"), nodes)]));
    }
}
