//! Trials of the room, on a small world that really looks up and really appends.

mod bounds;
mod cases;
mod program;
mod random;
mod sharing;
mod walks;
mod world;

use std::sync::Arc;

use pantin_base::{Source, Span};
use pantin_values::{Digest, Value};

use super::{At, Body, Effect, Failure, Log, LogSource, Question, Secrets, Shape, Traces, Unit, WalkKind};
use crate::trace::Level;

fn secrets() -> Secrets {
    Secrets::new([7; 32])
}

fn traces() -> Traces {
    Traces::new(Digest::from_text("build"), secrets())
}

fn body(name: &str) -> Body<'_> {
    Body { name, unit: None }
}

fn variable(name: &str) -> Question {
    Question::Variable(name.into())
}

fn part(name: &str, path: &[&str]) -> Question {
    Question::Part { variable: name.into(), path: path.iter().map(|key| Value::from(*key)).collect() }
}

fn whole(name: &str) -> Question {
    Question::Whole { variable: name.into(), path: [].into() }
}

fn notice(message: &str) -> Effect {
    let message = message.into();
    Effect::Log(Log { level: Level::Notice, source: LogSource::Scope, message, at: None, once: None }.into())
}

fn export(name: &str, value: impl Into<Value>) -> Effect {
    Effect::Export { name: name.into(), value: value.into() }
}

fn failure(message: &str) -> Failure {
    Failure {
        shape: Shape::Evaluation,
        code: "",
        message: message.into(),
        at: None,
        calls: Vec::new(),
        help: None,
        sighting: None,
    }
}

/// Returns a unit whose expression 0 stands on this line.
fn unit(key: &str, line: usize) -> Arc<Unit> {
    let text = format!("{}expression", "\n".repeat(line - 1));
    let source = Arc::new(Source::new(Some("site.pp"), text).unwrap());
    Arc::new(Unit { key: key.into(), source, spans: vec![Span::new(line as u32 - 1, 10)], ..Unit::default() })
}

fn at(unit: &Arc<Unit>) -> At {
    At { unit: Arc::clone(unit), node: 0 }
}

fn line(at: &At) -> u32 {
    match at.place() {
        pantin_base::Place::At { line, .. } => line,
        place => panic!("no line: {place:?}"),
    }
}

fn is_replayed(how: WalkKind) -> bool {
    how == WalkKind::Replayed
}

fn lookup(key: pantin_values::Str, merge: Value) -> Question {
    Question::Lookup(Arc::new(super::LookupQuestion { key, merge, ..Default::default() }))
}
