//! What an edit changed, for a person.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;

use super::compiled;
use super::shade::{PLAIN_AGAIN, Shade, cut};
use crate::catalog::diff::{Change, ParameterChange, ResourceChange, Shown};
use crate::pcore::Str;
use crate::pcore::format::literal;
use crate::query::Answer;
use crate::watch::{Grouped, Round, Ways};

/// How it looks.
pub(super) struct Paint {
    pub(super) colour: bool,
    pub(super) width: usize,
    /// So many different changes are shown.
    pub(super) limit: usize,
}

/// So many nodes are named.
const NAMED: usize = 4;

impl Paint {
    fn in_colour(&self, shade: Shade, text: &str) -> String {
        if self.colour { format!("{}{text}{PLAIN_AGAIN}", shade.escape()) } else { text.to_owned() }
    }

    /// Within the width of the terminal.
    fn cut(&self, text: &str, indent: usize) -> String {
        cut(text, self.width.saturating_sub(indent).max(20))
    }
}

pub(super) fn millis(span: Duration) -> String {
    match span.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} ms", seconds * 1000.0),
    }
}

pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

pub(super) fn first_text(answers: &[Arc<Answer>], took: Duration, paint: &Paint) -> String {
    let ok = compiled(answers);
    let mut text = format!("{} compiled in {}", count(ok, "node", "nodes"), millis(took));
    let failed: Vec<&Arc<Answer>> = answers.iter().filter(|answer| answer.result.is_err()).collect();
    if !failed.is_empty() {
        text.push_str(&format!(", {} not:", failed.len()));
        for answer in failed.iter().take(paint.limit) {
            let why = answer.result.as_ref().err().map_or("", |failed| failed.text());
            text.push_str(&format!("\n  {} {}", paint.in_colour(Shade::Bad, "✗"), paint.cut(why, 4)));
        }
        if failed.len() > paint.limit {
            text.push_str(&format!("\n  and {} more", failed.len() - paint.limit));
        }
    }
    text.push_str("\nwatching; Ctrl-C ends it\n");
    text
}

pub(super) fn round_text(round: &Round, here: &Path, paint: &Paint) -> String {
    let mut text = format!("\n{}\n", paint.in_colour(Shade::Faint, &paint.cut(&heading(round, here), 0)));
    let mut lines = 0;
    for group in &round.broken {
        text.push_str(&format!("{} {}\n", paint.in_colour(Shade::Bad, "✗"), paint.cut(&group.what, 2)));
        text.push_str(&format!("  on {}\n", paint.cut(&nodes(&group.nodes), 5)));
    }
    if !round.mended.is_empty() {
        let mended = format!("compiles again: {}", nodes(&round.mended));
        text.push_str(&format!("{} {}\n", paint.in_colour(Shade::Good, "✓"), paint.cut(&mended, 2)));
    }
    for (sign, what, list) in [("+", "new node", &round.appeared), ("-", "no longer a node", &round.gone)] {
        if !list.is_empty() {
            text.push_str(&format!("{sign} {}\n", paint.cut(&format!("{what}: {}", nodes(list)), 2)));
        }
    }
    for group in &round.changes {
        lines += 1;
        if lines <= paint.limit {
            text.push_str(&change(group, paint));
        }
    }
    for group in &round.said {
        lines += 1;
        if lines <= paint.limit {
            text.push_str(&format!("{} {}\n", paint.in_colour(Shade::Odd, "»"), paint.cut(&group.what.text, 2)));
            text.push_str(&format!("  on {}\n", paint.cut(&nodes(&group.nodes), 5)));
        }
    }
    if lines > paint.limit {
        text.push_str(&format!("  and {} more\n", lines - paint.limit));
    }
    if round.is_quiet() {
        text.push_str("  no catalog changed\n");
    }
    text
}

/// What was edited, who was asked, how long it took.
pub(super) fn heading(round: &Round, here: &Path) -> String {
    let shown = |path: &Arc<Path>| path.strip_prefix(here).unwrap_or(path).display().to_string();
    let edited = match &round.edited[..] {
        [] => "nothing".to_owned(),
        [one] => shown(one),
        [first, ..] => format!("{} and {} more", shown(first), round.edited.len() - 1),
    };
    if round.moves_lines_alone && round.is_quiet() {
        return format!("{edited} · lines alone moved · {}", millis(round.took));
    }
    let patched = if round.patched > 0 { format!(", {} patched", round.patched) } else { String::new() };
    format!(
        "{edited} · {} of {} asked{patched}, {} run, {} changed · {}",
        round.asked,
        count(round.nodes, "node", "nodes"),
        count(round.bodies_run, "body", "bodies"),
        round.changed.len(),
        millis(round.took),
    )
}

pub(super) fn nodes(names: &[Str]) -> String {
    let named: Vec<&str> = names.iter().take(NAMED).map(Str::as_str).collect();
    match names.len().checked_sub(NAMED) {
        None | Some(0) => named.join(", "),
        Some(more) => format!("{} and {more} more", named.join(", ")),
    }
}

fn change(group: &Grouped<Ways>, paint: &Paint) -> String {
    let Some(Grouped { what: ResourceChange { reference, change, place }, .. }) = group.what.first() else {
        return String::new();
    };
    let (sign, shade) = match change {
        Change::Added => ("+", Shade::Good),
        Change::Removed => ("-", Shade::Bad),
        Change::Changed(_) => ("~", Shade::Odd),
    };
    let place = place.as_ref().map(|place| format!(" ({}:{})", place.file, place.line)).unwrap_or_default();
    let mut text = format!("{} {}", paint.in_colour(shade, sign), paint.cut(reference, 2));
    text.push_str(&paint.in_colour(Shade::Faint, &paint.cut(&place, 2 + console::measure_text_width(reference))));
    text.push('\n');
    let mut looks = looks(&group.what).into_iter();
    let (lines, alike) = looks.next().unwrap_or_default();
    for line in lines {
        text.push_str(&format!("    {}\n", paint.cut(&line, 4)));
    }
    // One way stands for all.
    let otherwise: Vec<Str> = looks.flat_map(|(_, nodes)| nodes).collect();
    for (on, names) in [("on", &alike), ("with other values on", &otherwise)] {
        if !names.is_empty() {
            let on = paint.cut(&format!("{on} {}", nodes(names)), 4);
            text.push_str(&format!("    {}\n", paint.in_colour(Shade::Faint, &on)));
        }
    }
    text
}

/// What is told of the ways in which a resource changed, and of which nodes: of long texts that differ a single line is told,
/// which may be the same.
pub(super) fn looks(ways: &Ways) -> IndexMap<Vec<String>, Vec<Str>> {
    let mut looks: IndexMap<Vec<String>, Vec<Str>> = IndexMap::new();
    for Grouped { what, nodes } in ways {
        let lines = match &what.change {
            Change::Added | Change::Removed => Vec::new(),
            Change::Changed(parameters) => parameters.iter().map(parameter_text).collect(),
        };
        looks.entry(lines).or_default().extend_from_slice(nodes);
    }
    looks
}

pub(super) fn parameter_text(parameter: &ParameterChange) -> String {
    let ParameterChange { name, old, new } = parameter;
    match (old, new) {
        (Shown::Absent, new) => format!("{name}: added {}", shown(new)),
        (old, Shown::Absent) => format!("{name}: removed, was {}", shown(old)),
        (Shown::Secret, Shown::Secret) => format!("{name}: another secret"),
        (Shown::Value(old), Shown::Value(new)) => match (old.as_str(), new.as_str()) {
            (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => lines_text(name, old, new),
            _ => format!("{name}: {} → {}", literal(old), literal(new)),
        },
        (old, new) => format!("{name}: {} → {}", shown(old), shown(new)),
    }
}

pub(super) fn shown(value: &Shown) -> String {
    match value {
        Shown::Absent => "nothing".to_owned(),
        Shown::Secret => "a secret".to_owned(),
        Shown::Value(value) => literal(value).to_string(),
    }
}

/// Of texts of several lines, the first line that differs.
fn lines_text(name: &str, old: &str, new: &str) -> String {
    let (mut before, mut after) = (old.lines(), new.lines());
    let mut number = 1;
    loop {
        match (before.next(), after.next()) {
            (Some(old), Some(new)) if old == new => number += 1,
            (None, None) => return format!("{name}: another end of its last line"),
            (old, new) => {
                let quoted = |line: Option<&str>| line.map_or("no line".to_owned(), |line| format!("'{line}'"));
                return format!("{name}, line {number}: {} → {}", quoted(old), quoted(new));
            }
        }
    }
}
