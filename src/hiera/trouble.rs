//! The errors of look-ups, and their conversion to errors of the code that looked up.

use std::path::Path;
use std::sync::Arc;

use pantin_base::{Diagnostic, Sighting};
use pantin_values::{Fault, FaultKind, Str};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    pub kind: TroubleKind,
    /// With the place that it names.
    pub message: String,
    /// The line of data or of a configuration that is wrong, for a person.
    pub sighting: Option<Arc<Sighting>>,
    /// The text with the expression that failed.
    pub subject: Option<Str>,
}

/// Which class of error it is in Puppet: that decides who wraps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TroubleKind {
    /// An error of the look-up itself. One without an issue of its own is wrapped where it leaves the global layer.
    Lookup { has_issue: bool },
    /// Another error of Puppet's: becomes one of the look-up where it leaves a key.
    Puppet,
    /// An error of Ruby's, which nobody wraps.
    Ruby,
    /// A limit of our own.
    Limit,
}

impl Trouble {
    pub fn new(kind: TroubleKind, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into(), sighting: None, subject: None }
    }

    pub fn lookup(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Lookup { has_issue: false }, message)
    }

    pub fn issue(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Lookup { has_issue: true }, message)
    }

    /// Returns an issue of a configuration, with its file and line.
    pub fn in_file(message: impl Into<String>, file: Option<&Path>, line: Option<usize>) -> Trouble {
        let mut message = message.into();
        match (file, line) {
            (Some(file), Some(line)) => message.push_str(&format!(" (file: {}, line: {line})", file.display())),
            (Some(file), None) => message.push_str(&format!(" (file: {})", file.display())),
            (None, Some(line)) => message.push_str(&format!(" (line: {line})")),
            (None, None) => {}
        }
        Trouble::issue(message)
    }

    pub fn puppet(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Puppet, message)
    }

    pub fn ruby(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Ruby, message)
    }

    /// Returns a value of the wrong type.
    pub fn mismatch(fault: Fault) -> Trouble {
        let kind = if fault.kind == FaultKind::Limit { TroubleKind::Limit } else { TroubleKind::Puppet };
        Trouble::new(kind, fault.message)
    }

    /// Returns what the outside could not answer.
    pub fn outside(fault: Fault) -> Trouble {
        let kind = if fault.kind == FaultKind::Limit { TroubleKind::Limit } else { TroubleKind::Ruby };
        Trouble::new(kind, fault.message)
    }

    /// Locals have to be known first. Nobody sees it: the look-up is asked again with their values.
    pub fn wants_locals() -> Trouble {
        Trouble::new(TroubleKind::Limit, "the values of locals are wanted first")
    }

    /// Returns why a function could not be loaded: the text of its file is wrong, or its file has something else.
    pub fn from_load_fault(fault: Fault) -> Trouble {
        match fault.kind {
            FaultKind::Located | FaultKind::Logged => Trouble::puppet(fault.message.into_owned()),
            _ => Trouble::outside(fault),
        }
    }

    pub fn is_lookup(&self) -> bool {
        matches!(self.kind, TroubleKind::Lookup { .. })
    }

    /// With what helps a person who is shown it.
    #[must_use]
    pub fn with_help(self, help: &str) -> Trouble {
        let sighting = self.sighting.map(|seen| {
            let diagnostic = Diagnostic { help: Some(help.to_owned()), ..seen.diagnostic.clone() };
            Arc::new(Sighting { source: seen.source.clone(), diagnostic })
        });
        Trouble { sighting, ..self }
    }

    /// As it leaves the look-up of a key.
    pub fn leaves_key(self) -> Trouble {
        match self.kind {
            TroubleKind::Puppet => Trouble { kind: TroubleKind::Lookup { has_issue: false }, ..self },
            _ => self,
        }
    }

    /// As it leaves the global layer.
    pub fn leaves_global(self, top_key: &str) -> Trouble {
        match self.kind {
            TroubleKind::Lookup { has_issue: false } => {
                let message = format!("Lookup of key '{top_key}' failed: {}", self.message);
                Trouble { kind: TroubleKind::Puppet, message, ..self }
            }
            _ => self,
        }
    }
}

/// Errors of the look-up carry their place themselves, and nothing is put around them; not even the node is named of one
/// without an issue.
impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Fault {
        let fault = match trouble.kind {
            TroubleKind::Lookup { has_issue } => {
                if has_issue {
                    Fault::located(trouble.message)
                } else {
                    Fault::logged(trouble.message)
                }
            }
            TroubleKind::Puppet | TroubleKind::Ruby => Fault::new(trouble.message),
            TroubleKind::Limit => Fault::limit(trouble.message),
        };
        Fault { sighting: trouble.sighting, ..fault }
    }
}
