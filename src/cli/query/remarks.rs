//! What is said beside a result: what is wrong with a selector, what was probably meant, and what is left out.

use std::io;
use std::sync::Arc;

use pantin_base::{Diagnostic, Place, Severity, Source, Span};
use pantin_model::trace::Level;
use pantin_repository::resource_query::{QueryResult, SelectorError};
use pantin_values::Str;

use crate::print::check::Checked;
use crate::print::console_log::ConsoleLog;
use crate::print::counting::{count, count_text};
use crate::print::failures::grouped_by_reason;

/// So many nodes without a catalog are named.
const NAMED: usize = 5;

/// Says why a text is no selector, and points at the place.
pub(super) fn refuse(selector: &str, error: &SelectorError, console: &ConsoleLog) {
    let SelectorError { message, span, help } = error.clone();
    console.report(&checked(selector, Severity::Error, message, span, help));
}

/// What a person should know of a result that is shown.
pub(super) fn tell(result: &QueryResult, console: &ConsoleLog) -> io::Result<()> {
    for hint in result.hints.iter().filter(|_| console.shows_level(Level::Warning)) {
        let (message, help) = (hint.message.clone(), hint.help.clone());
        console.report(&checked(&hint.selector, Severity::Warning, message, hint.span, help));
    }
    if result.undecided_for_secrets > 0 {
        let text = format!(
            "{} left out, because the selector compares a secret",
            count_text(result.undecided_for_secrets, "resource is", "resources are")
        );
        console.say(Level::Warning, &text)?;
    }
    if result.undecided_for_steps > 0 {
        let text = format!(
            "{} left out, because the regular expression takes too many steps",
            count_text(result.undecided_for_steps, "resource is", "resources are")
        );
        console.say(Level::Warning, &text)?;
    }
    tell_failed(&result.failed, console);
    Ok(())
}

/// Says which keys no node asks for, and what was probably meant.
pub(super) fn tell_unasked(unasked: &[(String, Option<String>)], console: &ConsoleLog) -> io::Result<()> {
    for (key, near) in unasked {
        let hint = near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        console.say(Level::Warning, &format!("no node asks for the key {key}{hint}"))?;
    }
    Ok(())
}

/// Says which nodes have no catalog, and why.
pub(super) fn tell_failed(failed: &[(Str, String)], console: &ConsoleLog) {
    for (all, reason) in grouped_by_reason(failed) {
        let names: Vec<&str> = all.iter().take(NAMED).copied().collect();
        let more = if all.len() > NAMED { ", …" } else { "" };
        let nodes = count(all.len(), "node");
        let have = if all.len() == 1 { "has" } else { "have" };
        console.complain(&format!("{nodes} {have} no catalog: {}{more}: {reason}", names.join(", ")));
    }
}

fn checked(selector: &str, severity: Severity, message: String, span: Span, help: Option<String>) -> Checked {
    let name = "selector".to_owned();
    let source = Source::from_bytes(Some(&name), selector.as_bytes().to_vec()).ok().map(Arc::new);
    let before = selector.get(..span.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let place = Place::At {
        line: before.matches('\n').count() as u32 + 1,
        column: before[line_start..].chars().count() as u32 + 1,
    };
    let diagnostic = Diagnostic {
        severity,
        code: if severity == Severity::Error { "SELECTOR" } else { "NOTHING_FITS" },
        message,
        place,
        span: Some(span),
        label: None,
        help,
        related: Vec::new(),
    };
    let checked = Checked::with_error(name, source, diagnostic);
    if severity == Severity::Error {
        return checked;
    }
    Checked { warnings: checked.errors, errors: Vec::new(), error_count: 0, ..checked }
}
