//! Whether a text matches a pattern of a type.

use crate::pcore::regex::StepLimit;
use crate::pcore::{Fault, Regexp};

/// A pattern that is none matches nothing; it was reported where the type was made.
pub(super) fn matches(pattern: &Regexp, text: &str) -> Result<bool, StepLimit> {
    match pattern.compiled() {
        Ok(regex) => regex.is_match(text),
        Err(_) => Ok(false),
    }
}

pub(super) fn step_limit(_: StepLimit) -> Fault {
    Fault::limit("A regular expression took too many steps to match")
}
