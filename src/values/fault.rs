//! Errors of operations on values, before their place is known.

use std::borrow::Cow;
use std::sync::Arc;

use pantin_base::{Diagnostic, Sighting, Source};

/// An error without a place. The evaluator adds the place, and the words around it that its kind asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub message: Cow<'static, str>,
    /// Which of the keys of `[…]` is to blame, where one is.
    pub key: Option<usize>,
    /// What probably helps, for a person at a terminal.
    pub help: Option<String>,
    /// Of an error whose message has its place: what a person is shown instead.
    pub sighting: Option<Arc<Sighting>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An error of Ruby's or of Puppet's without an issue (an `ArgumentError`, `fail`): inside a call it is shown as
    /// "Error while evaluating a Function Call, …".
    Plain,
    /// An error with a code of its own, shown as it stands: "Evaluation Error: …".
    Issue(&'static str),
    /// A file that had to be loaded is wrong, or a catalog cannot be so. The message has its place, and nothing is put
    /// around it.
    Located,
    /// The same, told without the node: the sum of errors that were logged themselves, and errors of look-ups.
    Logged,
    /// A limit of Pantin's own was reached.
    Limit,
}

impl Fault {
    pub fn new(message: impl Into<Cow<'static, str>>) -> Fault {
        Fault { kind: FaultKind::Plain, message: message.into(), key: None, help: None, sighting: None }
    }

    pub fn issue(code: &'static str, message: impl Into<Cow<'static, str>>) -> Fault {
        Fault { kind: FaultKind::Issue(code), message: message.into(), key: None, help: None, sighting: None }
    }

    /// Returns an error of a file, with its place in the message.
    pub fn located(message: impl Into<Cow<'static, str>>) -> Fault {
        Fault { kind: FaultKind::Located, message: message.into(), key: None, help: None, sighting: None }
    }

    /// Returns an error of a file, with its place in the message, of which only what the log says counts.
    pub fn logged(message: impl Into<Cow<'static, str>>) -> Fault {
        Fault { kind: FaultKind::Logged, message: message.into(), key: None, help: None, sighting: None }
    }

    pub fn limit(message: impl Into<Cow<'static, str>>) -> Fault {
        Fault { kind: FaultKind::Limit, message: message.into(), key: None, help: None, sighting: None }
    }

    /// Returns a limit that is raised by a setting.
    pub fn beyond(what: impl std::fmt::Display, setting: &str) -> Fault {
        Fault::limit(format!("{what}; the setting {setting} raises the limit"))
    }

    /// Returns the name of its issue; empty where it has none.
    pub fn code(&self) -> &'static str {
        match self.kind {
            FaultKind::Issue(code) => code,
            FaultKind::Plain | FaultKind::Logged => "",
            FaultKind::Located => self.sighting.as_ref().map_or("", |seen| seen.diagnostic.code),
            FaultKind::Limit => "LIMIT",
        }
    }

    /// Blames one of several keys, by its place.
    pub fn about_key(mut self, index: usize) -> Fault {
        self.key = Some(index);
        self
    }

    /// With what a person is shown of it.
    pub fn seen_in(mut self, source: Option<Arc<Source>>, diagnostic: Diagnostic) -> Fault {
        self.sighting = Some(Arc::new(Sighting { source, diagnostic }));
        self
    }

    /// A name that was probably meant, if there is one.
    pub fn meant(self, similar: Option<&str>) -> Fault {
        match similar {
            Some(similar) => self.with_help(format!("did you mean {similar}?")),
            None => self,
        }
    }

    /// With what helps, if anything is known that does.
    pub fn with_help_if(self, help: Option<String>) -> Fault {
        match help {
            Some(help) => self.with_help(help),
            None => self,
        }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
