//! Deprecation warnings of modules, with the calls that led there.

use pantin_base::Place;
use pantin_model::trace::{At, Deprecation, Level, Outcome};
use pantin_values::{Fault, Str, Value, sprintf};

use super::Compiler;
use crate::report::LogLine;

impl Compiler<'_> {
    /// The same while a function is called: what it has evaluated has that call around it.
    pub(super) fn during(&mut self, call: Option<At>, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        self.frame().call = call;
        let outcome = run(self);
        self.frame().call = None;
        outcome
    }

    pub(super) fn deprecate(&mut self, deprecation: &Deprecation) -> Outcome {
        let mut calls = self.calls(&deprecation.calls);
        let mut next = || calls.next().map(|call| call.text()).unwrap_or_default();
        let message = format!("{} at {}:{}", deprecation.message, next(), next());
        drop(calls);
        if deprecation.fails {
            return super::variables::failed(Fault::new(format!("deprecation. {}. {message}", deprecation.key)));
        }
        if self.logged.insert(deprecation.key.clone()) {
            let level = Level::Warning;
            let text = match deprecation.by.as_str() {
                "" => format!("{}: {message}", level.label()),
                by => format!("{}: {message}\n   (location: {by}:in `deprecation')", level.label()),
            };
            self.log.push(LogLine { level, text });
        }
        Outcome::Done
    }

    /// Returns the calls under way, innermost first, and the file at the top if all began there.
    fn calls<'c>(&'c self, within: &'c [At]) -> Box<dyn Iterator<Item = CallSite> + 'c> {
        let around = self.frames.iter().rev().skip(1).filter_map(|frame| frame.call.as_ref());
        let program = self.frames.first().and_then(|frame| frame.program.clone());
        let program = program.map(|file| CallSite { file, line: 0 });
        Box::new(within.iter().chain(around).map(CallSite::new).chain(program))
    }
}

struct CallSite {
    file: Str,
    line: u32,
}

impl CallSite {
    fn new(at: &At) -> CallSite {
        let line = match at.place() {
            Place::At { line, .. } => line,
            _ => 0,
        };
        CallSite { file: at.unit.source.name().unwrap_or_default().into(), line }
    }

    /// As Ruby shows an array of the two.
    fn text(&self) -> String {
        let file = if self.file.is_empty() { "unknown" } else { &self.file };
        format!("[{}, {}]", sprintf::inspect(&Value::from(file)), self.line)
    }
}
