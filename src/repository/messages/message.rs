//! A message about a node: what it is about, its text and its place.

use std::fmt;

use pantin_compile::without_node;
use pantin_hiera::DecryptedTexts;
use serde::{Deserialize, Serialize};

use super::ciphertext::shorten_ciphertexts;
use crate::answer::{FailureDetail, FailureReport};
use crate::catalog_check::{CycleStep, FileLine, Finding};
use crate::own_words::OwnWords;

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum About {
    /// There is no catalog.
    Failure,
    /// An agent would not apply the catalog: relationships lead in a circle,
    Cycle,
    /// or to what is not there,
    Missing,
    /// or a resource has a value that the agent does not take.
    Refused,
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

impl Message {
    /// Puts signs in the place of what eyaml decrypted.
    pub(crate) fn hide(&mut self, decrypted: &DecryptedTexts) {
        for text in [Some(&mut self.text), Some(&mut self.general), self.help.as_mut()].into_iter().flatten() {
            if let Some(hidden) = decrypted.hide_in_text(text) {
                *text = hidden;
            }
        }
    }
}

impl About {
    /// A node of which something like this is said is not as it should be.
    pub fn is_failing(self) -> bool {
        matches!(self, About::Failure | About::Cycle | About::Missing | About::Refused)
    }

    /// Returns a stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            About::Failure => "failure",
            About::Cycle => "cycle",
            About::Missing => "missing_dependency",
            About::Refused => "refused_resource",
            About::Error => "error",
            About::Warning => "warning",
        }
    }
}

impl Message {
    /// `text`: in the words of the console, with its place.
    pub fn new(about: About, text: &str, node: &str, own: &OwnWords) -> Message {
        let text = text.trim_end();
        let text = without_node(text, node);
        let (text, place) = FilePlace::beside(text);
        let text = &*shorten_ciphertexts(text);
        Message { about, text: text.to_owned(), general: own.generalize(text), place, help: None }
    }

    /// Returns what keeps an agent from applying the catalog of a node: each cycle, the missing resource, or the
    /// refused one.
    pub fn from_finding(finding: &Finding, node: &str, own: &OwnWords) -> Vec<Message> {
        match finding {
            Finding::RefusedResource { message, place, help } => {
                let refused = Message::new(About::Refused, message, node, own).at(place.as_ref());
                vec![Message { help: help.clone(), ..refused }]
            }
            Finding::MissingDependency { message, place } => {
                vec![Message::new(About::Missing, message, node, own).at(place.as_ref())]
            }
            Finding::Cycles { cycles, .. } => {
                cycles.iter().map(|steps| Message::from_cycle(steps, node, own)).collect()
            }
        }
    }

    fn from_cycle(steps: &[CycleStep], node: &str, own: &OwnWords) -> Message {
        let names: Vec<&str> = steps.iter().chain(steps.first()).map(|step| step.resource.as_str()).collect();
        let place = steps.iter().find_map(|step| step.place.as_ref());
        let bound = steps.iter().filter(|step| step.is_bound);
        let bound: Vec<String> = bound.map(|step| format!("{} {}", step.resource, step.reason)).collect();
        let help = (!bound.is_empty()).then(|| bound.join("; "));
        Message { help, ..Message::new(About::Cycle, &names.join(" => "), node, own).at(place) }
    }

    /// With the likely fix of a failure, and its place. Of code the text itself names the place, of data and templates the code
    /// that met the error.
    #[must_use]
    pub fn with_failure(self, failure: &FailureReport) -> Message {
        let shown = failure.detail.as_deref().and_then(FailureDetail::file_place);
        let place = shown.clone().filter(|place| !place.file.ends_with(".pp")).or(self.place).or(shown);
        Message { help: failure.help().map(str::to_owned), place, ..self }
    }

    fn at(mut self, place: Option<&FileLine>) -> Message {
        let place = place.filter(|place| !place.file.is_empty());
        let place = place.map(|place| FilePlace { file: place.file.clone(), line: place.line, column: None });
        self.place = place.or(self.place);
        self
    }
}

impl FilePlace {
    /// Returns a text without the place that it ends with, and its last place. One in its middle belongs to the
    /// sentence.
    pub fn beside(text: &str) -> (&str, Option<FilePlace>) {
        let place = FilePlace::last_in(text);
        let text = match (&place, text.rfind("(file: ")) {
            (Some(_), Some(at)) if text.ends_with(')') => text[..at].trim_end(),
            _ => text,
        };
        (text, place)
    }

    /// Returns the last `(file: F, line: L)` of a text, or `(file: F, line: L, column: C)`.
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
}
