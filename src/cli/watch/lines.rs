//! A watch as lines that are printed one after another, for a person or as JSON.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use pantin_model::trace::Level;
use pantin_repository::messages::Group;
use pantin_repository::query::Answer;
use pantin_repository::watch::{CheckChanges, Round, Verdict};
use pantin_values::Str;
use pantin_world::{OutTo, Remark, run_shown};

use super::Format;
use super::applying::AppliedRun;
use super::json::{applied_json, first_json, graph_json, round_json};
use super::text::{Paint, first_text, graph_text, remaining_text, round_text};
use super::watch_loop::WatchReporter;
use crate::print::console_log::ConsoleLog;
use crate::print::message_text::title;
use crate::print::safe::workflow_log::LogReader;

pub(super) struct Lines {
    pub(super) console: ConsoleLog,
    pub(super) format: Format,
    pub(super) paint: Paint,
    /// Is run after each edit that changed something.
    pub(super) exec: Option<String>,
    /// Who reads the text for a person.
    pub(super) reader: LogReader,
    pub(super) failures: Failures,
}

/// What fails, and how much of it the last edit has told.
#[derive(Default)]
pub(super) struct Failures {
    answers: Vec<Arc<Answer>>,
    told: Vec<Group>,
}

impl Failures {
    /// Takes over what all nodes are answered now, and errors that are told.
    fn update(&mut self, answers: &[Arc<Answer>], told: &[Group]) {
        self.answers = answers.to_vec();
        self.told.extend_from_slice(told);
    }

    /// Returns the errors that were there before the edit, and are still there.
    fn take_remaining(&mut self) -> Vec<Group> {
        let told = std::mem::take(&mut self.told);
        let is_told = |group: &Group| {
            told.iter().any(|told| title(told) == title(group) && told.nodes.len() >= group.nodes.len())
        };
        let mut groups = Verdict::from_answers(&std::mem::take(&mut self.answers)).groups;
        groups.retain(|group| !is_told(group));
        groups
    }
}

impl Lines {
    fn print_text(&self, text: &str) -> io::Result<()> {
        print(&self.reader.laid_out(text))
    }
}

impl WatchReporter for Lines {
    fn first(&mut self, answers: &[Arc<Answer>], took: Duration) -> io::Result<()> {
        let verdict = Verdict::from_answers(answers);
        match self.format {
            Format::Text => self.print_text(&first_text(&verdict, took, &self.paint)),
            Format::Json => print(&first_json(answers, &verdict, took)),
        }
    }

    /// Lines are read when they are all there.
    fn looked_at(&self) -> Vec<Str> {
        Vec::new()
    }

    fn early(&mut self, _: Round, _: Vec<Arc<Answer>>) -> io::Result<()> {
        Ok(())
    }

    fn round(&mut self, round: Round, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.failures.update(answers, &round.broken);
        match self.format {
            Format::Text => self.print_text(&round_text(&round, &self.paint)),
            Format::Json => print(&round_json(&round, answers)),
        }
    }

    fn graph(&mut self, changes: CheckChanges, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.failures.update(answers, &changes.broken);
        match self.format {
            Format::Text => self.print_text(&graph_text(&changes, &self.paint)),
            Format::Json => print(&graph_json(&changes)),
        }
    }

    fn edit_is_shown(&mut self, is_quiet: bool) -> io::Result<()> {
        let remaining = self.failures.take_remaining();
        if matches!(self.format, Format::Text) && !remaining.is_empty() {
            self.print_text(&remaining_text(&remaining, &self.paint))?;
        }
        let out = match self.format {
            Format::Text => OutTo::Ours,
            Format::Json => OutTo::StandardError,
        };
        match &self.exec {
            Some(command) if !is_quiet => match run_shown(command, out) {
                Ok(Some(0)) => Ok(()),
                Ok(code) => {
                    let code = code.map_or("by a signal".to_owned(), |code| format!("with {code}"));
                    self.warn(&format!("the command of --exec ended {code}"))
                }
                Err(error) => self.warn(&format!("the command of --exec did not start: {error}")),
            },
            _ => Ok(()),
        }
    }

    /// In text the run has said itself what it did.
    fn applied(&mut self, run: &AppliedRun) -> io::Result<()> {
        match self.format {
            Format::Text => Ok(()),
            Format::Json => print(&applied_json(run)),
        }
    }

    fn answers(&mut self, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.failures.update(answers, &[]);
        Ok(())
    }

    fn unchanged(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn remarks(&mut self, remarks: &[Remark]) -> io::Result<()> {
        self.console.remarks(remarks);
        Ok(())
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.console.say(Level::Warning, text)
    }

    fn complain(&mut self, text: &str) -> io::Result<()> {
        self.console.complain(text);
        Ok(())
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
