//! What reading the world has to say without failing: a line for the log.

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
