//! What one of the two says of something made at random, in a form that can be compared.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

/// The value or the catalog as text, or the error; and the log at notice and above.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub(super) result: Result<String, String>,
    pub(super) log: Vec<String>,
    /// An error of Ruby's own, or a panic.
    pub(super) is_crash: bool,
}

impl Said {
    pub(super) fn error(&self) -> &str {
        self.result.as_ref().err().map_or("", String::as_str)
    }

    /// The value, or the error.
    pub(super) fn text(&self) -> &str {
        match &self.result {
            Ok(text) | Err(text) => text,
        }
    }

    /// Pantin broke.
    pub(super) fn broken(why: String) -> Said {
        Said { result: Err(why), log: Vec::new(), is_crash: true }
    }
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let crash = if self.is_crash { "crash: " } else { "" };
        match &self.result {
            Ok(value) => write!(f, "{value}")?,
            Err(error) => write!(f, "{crash}{error}")?,
        }
        self.log.iter().try_for_each(|line| write!(f, "\n      {line}"))
    }
}

/// What each says that the other does not: lines that both have are left out, and long ones cut to where they differ.
pub(super) fn apart(theirs: &Said, ours: &Said) -> (String, String) {
    let (theirs, ours) = (theirs.to_string(), ours.to_string());
    let (their_lines, our_lines): (Vec<&str>, Vec<&str>) = (theirs.lines().collect(), ours.lines().collect());
    let only = |of: &[&str], not: &[&str]| {
        let lines = of.iter().enumerate().filter(|(_, line)| !not.contains(line));
        let lines: Vec<String> = lines.map(|(at, line)| from_difference(line, not.get(at).unwrap_or(&""))).collect();
        if lines.is_empty() { "(nothing more, or in another order)".to_owned() } else { lines.join("\n") }
    };
    (only(&their_lines, &our_lines), only(&our_lines, &their_lines))
}

const SHOWN: usize = 700;

fn from_difference(line: &str, other: &str) -> String {
    if line.chars().count() <= SHOWN {
        return line.to_owned();
    }
    let same = line.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    line.chars().skip(same.saturating_sub(40)).take(SHOWN).collect()
}

/// What the oracle replies. `None`: it does not say, the time was over.
pub(super) fn of_oracle(reply: &Value, shown: impl FnOnce(&Value) -> Option<String>) -> Option<Said> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    // A file of Puppet's own that was loaded when the time was over says so in an error of its own.
    let is_late = |text: String| text.contains("Oracle::TimeUp");
    if reply["timeout"] == true || text(&reply["error"]["message"]).is_some_and(is_late) {
        return None;
    }
    let log = reply["log"].as_array().into_iter().flatten().filter_map(|entry| text(&entry["text"])).collect();
    let crash = text(&reply["crash"]).or_else(|| text(&reply["bad_request"]));
    let is_crash = crash.is_some();
    let result = match crash.or_else(|| text(&reply["error"]["message"])) {
        Some(error) => Err(error),
        None => Ok(shown(reply).unwrap_or_default()),
    };
    Some(Said { result, log, is_crash })
}

/// A panic is an answer too.
pub(super) fn or_panic(answer: impl FnOnce() -> Said) -> Said {
    let answered = catch_unwind(AssertUnwindSafe(answer));
    answered.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        Said::broken(message.to_owned())
    })
}
