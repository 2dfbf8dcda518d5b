//! What is looked at without changing it: everything, after a partial run; and the differences that a plan shows.

use std::collections::BTreeMap;
use std::io;

use pantin_apply::{ApplyRequest, ApplySettings, Level, LogLine, LogSink, Report, Scope, apply};

use super::console::Destinations;

/// The differences of files that would be changed, as `diff` shows them, by resource.
pub(crate) type Differences = BTreeMap<String, String>;

/// Passes on what goes wrong.
pub(super) struct WarningsOnly<'a>(pub &'a dyn LogSink);

impl LogSink for WarningsOnly<'_> {
    fn line(&self, line: &LogLine) {
        if line.level >= Level::Warning {
            self.0.line(line);
        }
    }
}

/// Looks at everything, and tells what a full run would change. Returns how much that is.
pub(super) fn deviations(request: ApplyRequest<'_>, log: &Destinations<'_>) -> io::Result<usize> {
    let sink = &WarningsOnly(log);
    let settings = ApplySettings { scope: Scope::verification(), level: Level::Warning, ..request.settings.clone() };
    let verified = apply(ApplyRequest { settings: &settings, sink, ..request })?;
    for change in &verified.plan.changes {
        let (is, should) = (change.is.escape_debug(), change.should.escape_debug());
        let text = format!("a full run would still change {} from '{is}' to '{should}'", change.property);
        log.say_of(Level::Err, &change.resource, &text);
    }
    for unknown in &verified.plan.unknown {
        log.say_of(Level::Warning, &unknown.resource, &format!("it is not verified: {}", unknown.because));
    }
    if verified.has_failed || verified.report.is_none() {
        log.say(Level::Err, "Not everything could be verified");
        return Ok(1);
    }
    let count = verified.plan.changes.len();
    if count == 0 {
        log.say(Level::Notice, "Verified: a full run would change nothing");
    }
    Ok(count)
}

/// Returns what a run has said of the differences of files.
pub(super) fn differences(report: &Report) -> Differences {
    let paths: BTreeMap<&str, &str> =
        report.statuses.iter().map(|(info, _)| (info.path.as_str(), info.reference.as_str())).collect();
    let of_file = |line: &LogLine| {
        let path = line.source.strip_suffix("/content").or_else(|| line.source.strip_suffix("/checksum_value"))?;
        let text = line.message.strip_prefix('\n').filter(|text| !text.is_empty());
        let is_hidden = line.message == "[diff redacted]";
        let text = text.or(is_hidden.then_some(line.message.as_str()))?;
        Some(((*paths.get(path)?).to_owned(), text.to_owned()))
    };
    report.lines.iter().filter_map(of_file).collect()
}
