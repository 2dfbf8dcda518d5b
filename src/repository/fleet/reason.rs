//! Why a node was compiled anew.

use std::fmt;

/// Something that is not as it was, or why there is nothing to go by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reason {
    /// A stable name for programs.
    pub kind: &'static str,
    /// For a person, without what was said.
    pub text: String,
    /// The file, the folder or the name that it is about.
    pub subject: Option<String>,
    /// What was said then, as far as that is known and may be told,
    pub was: Option<String>,
    /// and what is said now.
    pub is: Option<String>,
}

impl Reason {
    pub fn new(kind: &'static str, text: &str) -> Reason {
        Reason { kind, text: text.to_owned(), subject: None, was: None, is: None }
    }

    pub fn with_subject(kind: &'static str, subject: &str, text: &str) -> Reason {
        Reason { subject: Some(subject.to_owned()), ..Reason::new(kind, text) }
    }

    /// For programs.
    pub fn to_json(&self) -> serde_json::Value {
        let Reason { kind, text, subject, was, is } = self;
        serde_json::json!({"kind": kind, "text": text, "subject": subject, "old": was, "new": is})
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text)?;
        match (&self.was, &self.is) {
            (Some(was), Some(is)) => write!(to, ": {was} → {is}"),
            _ => Ok(()),
        }
    }
}
