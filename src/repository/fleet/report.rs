//! The report of one node: the part of its answer that the summary of a run needs.

use pantin_base::limits::OUT_OF_TIME;
use pantin_compile::LogLine;
use pantin_model::trace::Level;
use pantin_values::Str;
use serde::{Deserialize, Serialize};

use super::reason::Reason;
use crate::answer::{Answer, Head, Outcome};
use crate::catalog_check::{CatalogFindings, Checks};
use crate::messages::{About, Message};
use crate::own_words::OwnWords;

/// One node of a fleet.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NodeReport {
    pub name: Str,
    /// Empty where it is not known.
    pub environment: String,
    /// How many resources its catalog has; `None`: it has no catalog.
    pub resources: Option<usize>,
    #[serde(skip)]
    pub seconds: f64,
    /// It was answered in an earlier run, and nothing of it was evaluated in this one.
    #[serde(skip)]
    pub is_kept: bool,
    /// What has changed since it was answered last, where that is asked for.
    #[serde(skip)]
    pub reasons: Vec<Reason>,
    /// How many answers of the disk it depends on, where that is asked for,
    #[serde(skip)]
    pub dependencies: usize,
    /// and whether what is asked about is among them.
    #[serde(skip)]
    pub is_touched: bool,
    /// It took longer than it may, or Pantin itself is wrong: what would have come of it is not known.
    #[serde(skip)]
    pub is_unknown: bool,
    /// In the order in which they were met.
    pub messages: Vec<Message>,
}

impl NodeReport {
    /// Returns what an answer says of its node. `checks`: what counts of that which keeps an agent from applying the
    /// catalog.
    pub fn from_answer(answer: &Answer, checks: Checks) -> NodeReport {
        let Head { environment, outcome, own_words, .. } = &answer.head;
        let mut report = NodeReport {
            name: answer.name.clone(),
            environment: environment.clone(),
            seconds: answer.seconds,
            is_kept: answer.is_stored,
            reasons: answer.reasons.clone(),
            ..NodeReport::default()
        };
        report.log(&answer.head.all_lines(), own_words);
        match outcome {
            Outcome::Catalog { resources, findings } => {
                report.resources = Some(*resources);
                for finding in findings.counted(checks) {
                    report.messages.extend(Message::from_finding(finding, &report.name, own_words));
                }
            }
            Outcome::Failure(failure) => {
                report.is_unknown = failure.detail.as_ref().is_some_and(|detail| detail.diagnostic.code == OUT_OF_TIME);
                let message = Message::new(About::Failure, &failure.text, &report.name, own_words);
                report.messages.push(message.with_failure(failure));
            }
        }
        report
    }

    /// A node of which only the catalog is there.
    pub(crate) fn from_catalog(
        name: &Str,
        environment: &str,
        resources: usize,
        (findings, checks): (&CatalogFindings, Checks),
        own: &OwnWords,
    ) -> NodeReport {
        let resources = Some(resources);
        let mut report =
            NodeReport { name: name.clone(), environment: environment.to_owned(), resources, ..NodeReport::default() };
        for finding in findings.counted(checks) {
            report.messages.extend(Message::from_finding(finding, name, own));
        }
        report
    }

    /// Returns a node of which nothing could be had.
    pub fn without_answer(name: &Str, reason: &str) -> NodeReport {
        let mut report = NodeReport { name: name.clone(), ..NodeReport::default() };
        report.say(About::Failure, reason, &OwnWords::new(name, &pantin_values::Hash::default()));
        report
    }

    /// Notes that the node's catalog is of no use.
    pub fn fail(&mut self, reason: &str, own: &OwnWords) {
        self.resources = None;
        self.say(About::Failure, reason, own);
    }

    /// It has a catalog that an agent could apply, as far as that was looked at.
    pub fn is_ok(&self) -> bool {
        self.resources.is_some() && !self.messages.iter().any(|message| message.about.is_failing())
    }

    /// Keeps what was logged as a warning or worse.
    pub fn log(&mut self, lines: &[LogLine], own: &OwnWords) {
        for line in lines {
            let about = match line.level {
                Level::Debug | Level::Info | Level::Notice => continue,
                Level::Warning => About::Warning,
                Level::Err | Level::Alert | Level::Emerg | Level::Crit => About::Error,
            };
            let label = format!("{}: ", line.level.label());
            let text = line.text.strip_prefix(&label).unwrap_or(&line.text);
            self.messages.push(Message::new(about, text, &self.name, own));
        }
    }

    pub fn say(&mut self, about: About, text: &str, own: &OwnWords) {
        self.messages.push(Message::new(about, text, &self.name, own));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_log_only_what_is_wrong_is_kept() {
        let line = |level: Level, text: &str| LogLine { level, text: text.to_owned() };
        let mut report = NodeReport { resources: Some(1), ..NodeReport::default() };
        let lines = [
            line(Level::Notice, "Notice: Scope(Class[main]): x"),
            line(Level::Warning, "Warning: odd\n   (file: /a, line: 2)"),
            line(Level::Err, "Error: bad"),
        ];
        report.log(&lines, &OwnWords::default());
        let kept: Vec<(About, &str)> = report.messages.iter().map(|said| (said.about, said.text.as_str())).collect();
        assert_eq!(kept, [(About::Warning, "odd"), (About::Error, "bad")]);
        assert!(report.is_ok());
        report.say(About::Cycle, "a => b => a", &OwnWords::default());
        assert!(!report.is_ok());
    }
}
