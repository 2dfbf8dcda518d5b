//! The report of one node: the part of its answer that the summary of a run needs.

use std::fmt;

use pantin_compile::{LogLine, without_node};
use pantin_model::trace::Level;
use pantin_values::Str;
use serde::{Deserialize, Serialize};

use super::reason::Reason;
use crate::answer::{Answer, FailureDetail, Head, Outcome};
use crate::graph_check::{FileLine, Finding};
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
    /// In the order in which they were met.
    pub messages: Vec<Message>,
}

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum About {
    /// There is no catalog.
    Failure,
    /// An agent would not apply the catalog: relationships lead in a circle,
    Cycle,
    /// or to what is not there.
    Missing,
    /// Logged as an error, and gone on.
    Error,
    Warning,
}

/// What is said of a node, or of many.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    pub about: About,
    /// Without the place, and without the node's name at its end.
    pub text: String,
    /// The same without the node's own words.
    pub general: String,
    pub place: Option<FilePlace>,
    /// What probably mends it.
    pub help: Option<String>,
}

/// Where it stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FilePlace {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

impl About {
    /// A node of which something like this is said is not as it should be.
    pub fn is_failing(self) -> bool {
        matches!(self, About::Failure | About::Cycle | About::Missing)
    }

    /// A stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            About::Failure => "failure",
            About::Cycle => "cycle",
            About::Missing => "missing_dependency",
            About::Error => "error",
            About::Warning => "warning",
        }
    }
}

impl NodeReport {
    /// What an answer says of its node. `checks_graph`: whether it counts if an agent could not apply the catalog.
    pub fn from_answer(answer: &Answer, checks_graph: bool) -> NodeReport {
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
            Outcome::Catalog { resources, graph } => {
                report.resources = Some(*resources);
                for finding in graph.findings.iter().filter(|_| checks_graph) {
                    report.find(finding, own_words);
                }
            }
            Outcome::Failure(failure) => {
                let message = Message::new(About::Failure, &failure.text, &report.name, own_words);
                let detail = failure.detail.as_ref();
                let help = detail.and_then(|detail| detail.diagnostic.help.clone());
                // Of code the text itself names the place, of data and templates the code that met the error.
                let place = detail.and_then(FailureDetail::file_place).filter(|place| !place.file.ends_with(".pp"));
                let message = message.at(place);
                report.messages.push(Message { help, ..message });
            }
        }
        report
    }

    /// A node of which nothing could be had.
    pub fn without_answer(name: &Str, reason: &str) -> NodeReport {
        let mut report = NodeReport { name: name.clone(), ..NodeReport::default() };
        report.say(About::Failure, reason, &OwnWords::new(name, &pantin_values::Hash::default()));
        report
    }

    fn find(&mut self, finding: &Finding, own: &OwnWords) {
        let place = |place: &FileLine| {
            let is_of_file = !place.file.is_empty();
            is_of_file.then(|| FilePlace { file: place.file.clone(), line: place.line, column: None })
        };
        match finding {
            Finding::MissingDependency { message, place: at } => {
                let message = Message::new(About::Missing, message, &self.name, own);
                self.messages.push(message.at(at.as_ref().and_then(place)));
            }
            Finding::Cycles { cycles, .. } => {
                for steps in cycles {
                    let names: Vec<&str> =
                        steps.iter().chain(steps.first()).map(|step| step.resource.as_str()).collect();
                    let at = steps.iter().find_map(|step| step.place.as_ref());
                    let message = Message::new(About::Cycle, &names.join(" => "), &self.name, own);
                    self.messages.push(message.at(at.and_then(place)));
                }
            }
        }
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

impl Message {
    /// `text`: in the words of the console, with its place.
    pub fn new(about: About, text: &str, node: &str, own: &OwnWords) -> Message {
        let text = text.trim_end();
        let text = without_node(text, node);
        let (text, place) = FilePlace::beside(text);
        Message { about, text: text.to_owned(), general: own.generalize(text), place, help: None }
    }

    pub fn at(mut self, place: Option<FilePlace>) -> Message {
        self.place = place.or(self.place);
        self
    }
}

impl FilePlace {
    /// A text without the place that it ends with, and its last place. One in its middle belongs to the sentence.
    pub fn beside(text: &str) -> (&str, Option<FilePlace>) {
        let place = FilePlace::last_in(text);
        let text = match (&place, text.rfind("(file: ")) {
            (Some(_), Some(at)) if text.ends_with(')') => text[..at].trim_end(),
            _ => text,
        };
        (text, place)
    }

    /// The last `(file: F, line: L)` of a text, or `(file: F, line: L, column: C)`.
    fn last_in(text: &str) -> Option<FilePlace> {
        let inside = &text[text.rfind("(file: ")? + "(file: ".len()..];
        let (file, rest) = inside.split_once(", line: ")?;
        let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
        let column = rest.split_once(", column: ").and_then(|(_, column)| number(column));
        Some(FilePlace { file: file.to_owned(), line: number(rest)?, column })
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(to, ":{column}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message::new(About::Failure, text, "web01.a", &OwnWords::new("web01.a", &pantin_values::Hash::default()))
    }

    #[test]
    fn a_message_is_taken_apart() {
        let said = message("Evaluation Error: no web01 (file: /e/site.pp, line: 3, column: 7) on node web01.a");
        let place = FilePlace { file: "/e/site.pp".to_owned(), line: 3, column: Some(7) };
        assert_eq!(
            (said.text.as_str(), said.general.as_str()),
            ("Evaluation Error: no web01", "Evaluation Error: no <host>")
        );
        assert_eq!((said.place.as_ref().unwrap().to_string(), said.place), ("/e/site.pp:3:7".to_owned(), Some(place)));
        let twice = message("X is already declared at (file: /a, line: 1); cannot redeclare (file: /b, line: 2)");
        assert_eq!(twice.text, "X is already declared at (file: /a, line: 1); cannot redeclare");
        assert_eq!(twice.place.unwrap().to_string(), "/b:2");
        let middle = message("declared at (file: /a, line: 1); no more");
        assert_eq!((middle.text.as_str(), middle.place.unwrap().line), ("declared at (file: /a, line: 1); no more", 1));
        let plain = message("there are no facts of node web01.a");
        assert_eq!((plain.general.as_str(), plain.place), ("there are no facts of node <node>", None));
        assert_eq!(message("(file: /a, line: x)").place, None);
    }

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
