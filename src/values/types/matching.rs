//! Patterns against texts.

use crate::{Fault, Regexp, too_many_steps};

/// Whether something is so, or what kept it from being found out: small, as the question is asked all the time.
pub(super) type Answer = Result<bool, Box<Fault>>;

/// Whether the pattern is found anywhere in the text.
pub(super) fn matches(pattern: &Regexp, text: &str) -> Answer {
    match pattern.regex() {
        Ok(regex) => regex.is_match(text).map_err(|_| Box::new(too_many_steps(regex, text))),
        Err(_) => Ok(false),
    }
}
