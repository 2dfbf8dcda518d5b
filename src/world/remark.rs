//! Warnings from reading the world: what is worth a line in the log, but is no error.

use pantin_base::Severity;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Remark {
    pub severity: Severity,
    /// As the real one logs it.
    pub text: String,
}

impl Remark {
    pub fn warning(text: String) -> Remark {
        Remark { severity: Severity::Warning, text }
    }

    pub fn error(text: String) -> Remark {
        Remark { severity: Severity::Error, text }
    }
}
