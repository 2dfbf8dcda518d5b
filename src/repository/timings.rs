//! The timings of a run by thread, as a Chrome trace for Perfetto, `chrome://tracing` and `pantin stats`.
//!
//! Where nobody asks for it, nothing is measured.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pantin_compile::{BodyClock, BodyRun};
use pantin_model::trace::Before;
use pantin_world::{Stopwatch, absolute_path, write_file};
use serde::{Deserialize, Serialize};

use crate::fleet::worker;
use crate::query::{Answer, NodeCatalog, NodeClock};

/// What is told of a node beside its phases.
pub const NODE: &str = "node";

/// What a thread does for a while: reading, compiling, writing.
pub const PHASE: &str = "phase";

/// The code of a class, of an instance of a defined type, of a node.
pub const BODY: &str = "body";

/// A file that is read and parsed.
pub const FILE: &str = "file";

/// The whole.
pub const RUN: &str = "run";

pub struct Timings {
    running: Stopwatch,
    /// `None`: nobody asks.
    spans: Option<Mutex<Vec<Event>>>,
    file: Option<PathBuf>,
}

/// As a Chrome trace has it; times in microseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    pub name: String,
    #[serde(default)]
    pub cat: String,
    pub ph: String,
    #[serde(default)]
    pub ts: f64,
    #[serde(default)]
    pub dur: f64,
    pub pid: u32,
    pub tid: usize,
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub args: Members,
}

type Members = serde_json::Map<String, serde_json::Value>;

/// The file as a whole.
#[derive(Debug, Serialize, Deserialize)]
pub struct Trace {
    #[serde(rename = "traceEvents")]
    pub events: Vec<Event>,
    #[serde(rename = "displayTimeUnit")]
    unit: String,
}

/// One process is all there is.
const PROCESS: u32 = 1;

/// Something that is whole: it has a beginning and a length.
const COMPLETE: &str = "X";

/// Something that is said of a thread.
const ABOUT: &str = "M";

impl Timings {
    /// Begins to measure, if there is a file for what is measured.
    pub fn start(file: Option<&Path>) -> Timings {
        let file = file.map(absolute_path);
        Timings { running: Stopwatch::start(), spans: file.is_some().then(Mutex::default), file }
    }

    /// Nothing is measured.
    pub fn none() -> Timings {
        Timings { running: Stopwatch::start(), spans: None, file: None }
    }

    pub fn is_enabled(&self) -> bool {
        self.spans.is_some()
    }

    /// Something that takes a while.
    pub fn during<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        self.time_span(PHASE, name, work, |_| Vec::new())
    }

    /// The same, with what is to be said of it when it is done.
    pub fn time_span<T>(
        &self,
        sort: &str,
        name: &str,
        work: impl FnOnce() -> T,
        about: impl FnOnce(&T) -> Vec<(&'static str, serde_json::Value)>,
    ) -> T {
        let Some(spans) = &self.spans else { return work() };
        let begun = self.running.elapsed();
        let done = work();
        let args = about(&done).into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        self.note(spans, sort, name, begun, args);
        done
    }

    fn note(&self, spans: &Mutex<Vec<Event>>, sort: &str, name: &str, begun: Duration, args: Members) {
        let ended = self.running.elapsed();
        let event = Event {
            name: name.to_owned(),
            cat: sort.to_owned(),
            ph: COMPLETE.to_owned(),
            ts: microseconds(begun),
            dur: microseconds(ended.saturating_sub(begun)),
            pid: PROCESS,
            tid: worker().map_or(0, |number| number + 1),
            args,
        };
        spans.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// Of a run that has no end: no more than so many events are held, and those of long ago go first.
    pub fn forget(&self, most: usize) {
        let Some(spans) = &self.spans else { return };
        let mut spans = spans.lock().unwrap_or_else(PoisonError::into_inner);
        let too_many = spans.len().saturating_sub(most);
        if too_many > 0 {
            spans.drain(..too_many);
        }
    }

    /// Writes the file, if one is wanted. `about`: what is said of the run as a whole.
    pub fn write(&self, about: &[(&'static str, serde_json::Value)]) -> io::Result<()> {
        let (Some(spans), Some(file)) = (&self.spans, &self.file) else { return Ok(()) };
        let whole = Event {
            name: "pantin".to_owned(),
            cat: RUN.to_owned(),
            ph: COMPLETE.to_owned(),
            ts: 0.0,
            dur: microseconds(self.running.elapsed()),
            pid: PROCESS,
            tid: 0,
            args: about.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect(),
        };
        let mut events = spans.lock().unwrap_or_else(PoisonError::into_inner).clone();
        events.sort_by(|one, other| one.ts.total_cmp(&other.ts).then(other.dur.total_cmp(&one.dur)));
        let last = events.iter().map(|event| event.tid).max().unwrap_or(0);
        let names = (0..=last).map(name_of_thread);
        let trace = Trace { events: names.chain([whole]).chain(events).collect(), unit: "ms".to_owned() };
        let json = serde_json::to_string(&trace).map_err(io::Error::other)?;
        written(file, &json)
    }
}

impl NodeClock for Timings {
    fn now(&self) -> Duration {
        self.running.elapsed()
    }

    fn record_answer(&self, answer: &Answer, begun: Duration) {
        let Some(spans) = &self.spans else { return };
        let resources = answer.result.as_ref().ok().map(NodeCatalog::resource_count);
        let about = [
            ("kept", false.into()),
            ("ok", answer.result.is_ok().into()),
            ("resources", resources.into()),
            ("bodies_run", answer.bodies_run.len().into()),
        ];
        let about = about.into_iter().map(|(key, value): (_, serde_json::Value)| (key.to_owned(), value));
        self.note(spans, NODE, &answer.node, begun, about.collect());
    }
}

impl std::fmt::Debug for Timings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Timings").field("file", &self.file).finish_non_exhaustive()
    }
}

impl BodyClock for Timings {
    fn now(&self) -> Duration {
        self.running.elapsed()
    }

    fn record_run(&self, ran: BodyRun<'_>) {
        let Some(spans) = &self.spans else { return };
        let mut about = Members::new();
        about.extend(ran.file.map(|file| ("file".to_owned(), file.into())));
        if let Some(news) = ran.news {
            let before = match news.before() {
                Before::One(text) => text,
                Before::Several(count) => format!("one of {count} other answers"),
            };
            about.insert("asked".to_owned(), news.step().into());
            about.insert("old".to_owned(), before.into());
            about.insert("new".to_owned(), news.now().into());
        }
        self.note(spans, BODY, ran.body, ran.begun, about);
    }

    fn record_parse(&self, file: &str, begun: Duration) {
        if let Some(spans) = &self.spans {
            self.note(spans, FILE, file, begun, Members::new());
        }
    }
}

fn written(file: &Path, json: &str) -> io::Result<()> {
    let reason = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", file.display()));
    write_file(file, format!("{json}\n").as_bytes()).map_err(reason)
}

fn name_of_thread(tid: usize) -> Event {
    let name = if tid == 0 { "main".to_owned() } else { format!("worker {tid}") };
    let args = [("name".to_owned(), name.into())].into_iter().collect();
    Event {
        name: "thread_name".to_owned(),
        cat: String::new(),
        ph: ABOUT.to_owned(),
        ts: 0.0,
        dur: 0.0,
        pid: PROCESS,
        tid,
        args,
    }
}

impl Event {
    /// Returns true if it is something that was done, and of this sort.
    pub fn is(&self, sort: &str) -> bool {
        self.ph == COMPLETE && self.cat == sort
    }
}

fn microseconds(span: Duration) -> f64 {
    span.as_nanos() as f64 / 1000.0
}
