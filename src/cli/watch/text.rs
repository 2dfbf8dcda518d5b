//! The changes of an edit as text, for a person.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use pantin_compile::LogLine;
use pantin_model::catalog::diff::{Change, ParameterChange, ResourceChange, ShownValue};
use pantin_repository::messages::{FilePlace, Group};
use pantin_repository::query::{AnswerCounts, PatchRefusal};
use pantin_repository::watch::{CheckChanges, EnvironmentChange, GroupedChanges, NodeGroup, Round, Verdict};
use pantin_values::Str;
use pantin_values::format::literal;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::diff::values::{ChangeLine, structure_lines};
use crate::print::counting::count;
use crate::print::layout::Layout;
use crate::print::message_text::{MessageText, title};
use crate::print::printable::printable_line;
use crate::print::text_style::TextStyle;

/// How it looks.
pub(super) struct Paint {
    pub(super) layout: Layout,
    /// So many different changes are shown.
    pub(super) limit: usize,
    /// True if it is said why nodes were not patched.
    pub(super) explains_cache: bool,
}

/// So many nodes are named.
const NAMED: usize = 4;

pub(super) fn millis(span: Duration) -> String {
    match span.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} ms", seconds * 1000.0),
    }
}

/// Returns what is wrong with the nodes at the start.
pub(super) fn first_text(verdict: &Verdict, took: Duration, paint: &Paint) -> String {
    let mut text = format!("{}\n", verdict_line(verdict, took));
    for group in verdict.groups.iter().take(paint.limit) {
        text.push_str(&wrong(group, paint));
    }
    if verdict.groups.len() > paint.limit {
        text.push_str(&format!("  and {}\n", count(verdict.groups.len() - paint.limit, "more error")));
    }
    text.push_str("watching; Ctrl-C ends it\n");
    text
}

/// Returns how many nodes there are: those that are fine, and those that are not.
pub(super) fn verdict_line(verdict: &Verdict, took: Duration) -> String {
    let Verdict { ok, failed, stored, .. } = verdict;
    let all = count(ok + failed, "node");
    let state = if *failed == 0 { "all ok".to_owned() } else { format!("{ok} ok, {failed} failed") };
    let stored = if *stored > 0 { format!("; {stored} answered from the cache") } else { String::new() };
    format!("{all} in {}: {state}{stored}", millis(took))
}

/// Returns what keeps nodes from having a catalog, or an agent from applying it.
fn wrong(group: &Group, paint: &Paint) -> String {
    let title = title(group);
    let message = MessageText { text: &title, ..MessageText::from_group(group) };
    said((TextStyle::Bad, "✗"), &message, &group.nodes, paint)
}

/// So many errors that an edit has not made are told after it.
const REMAINING: usize = 5;

/// Returns what failed before an edit and still does.
pub(super) fn remaining_text(groups: &[Group], paint: &Paint) -> String {
    let mut text = String::new();
    for group in groups.iter().take(REMAINING) {
        let whole = format!("still: {}", title(group));
        let message = MessageText { text: &whole, help: None, ..MessageText::from_group(group) };
        text.push_str(&said((TextStyle::Bad, "✗"), &message, &group.nodes, paint));
    }
    if groups.len() > REMAINING {
        text.push_str(&format!("  and {}\n", count(groups.len() - REMAINING, "more error")));
    }
    text
}

/// Returns what the check of relationships found after an edit.
pub(super) fn graph_text(changes: &CheckChanges, paint: &Paint) -> String {
    let mut text = String::new();
    for group in changes.broken.iter().take(paint.limit) {
        text.push_str(&wrong(group, paint));
    }
    if changes.broken.len() > paint.limit {
        text.push_str(&format!("  and {}\n", count(changes.broken.len() - paint.limit, "more error")));
    }
    for group in &changes.mended {
        // Its place was that of then.
        let message = MessageText { text: &mended_title(group), place: None, help: None };
        text.push_str(&said((TextStyle::Good, "✓"), &message, &group.nodes, paint));
    }
    text
}

pub(super) fn mended_title(group: &Group) -> String {
    format!("mended: {}", title(group))
}

/// Said of nodes whose catalog of before is not in the cache any more.
pub(super) const LOST: &str = "changes are not known, for the catalog before is no longer in the cache";

pub(super) fn round_text(round: &Round, paint: &Paint) -> String {
    let mut text = format!(
        "\n{}\n",
        paint.layout.in_colour(TextStyle::Faint, &paint.layout.cut_to(2, &heading(round, &paint.layout.here), 0))
    );
    if !round.bindings.is_empty() {
        let what = format!("bound otherwise: {}", round.bindings.join(", "));
        text.push_str(&format!("  {}\n", paint.layout.cut(&printable_line(&what), 2)));
    }
    if paint.explains_cache {
        round.not_patched.iter().for_each(|group| text.push_str(&not_patched(group, paint)));
    }
    round.broken.iter().for_each(|group| text.push_str(&wrong(group, paint)));
    let lists = [
        (TextStyle::Good, "✓", &round.mended, "compiles again", "nodes compile again"),
        (TextStyle::Bad, "?", &round.lost, LOST, LOST),
        (TextStyle::Plain, "+", &round.appeared, "new node", "new nodes"),
        (TextStyle::Plain, "-", &round.gone, "no longer a node", "nodes are no more"),
    ];
    for (shade, sign, list, one, many) in lists {
        let what = match list.len() {
            0 => continue,
            1 => format!("{one}: {}", some(list)),
            number => format!("{number} {many}: {}", some(list)),
        };
        text.push_str(&format!("{} {}\n", paint.layout.in_colour(shade, sign), paint.layout.cut(&what, 2)));
    }
    for group in &round.moved {
        let what = format!("{}: {}", moved_title(&group.what), some(&group.nodes));
        text.push_str(&format!("{} {}\n", paint.layout.in_colour(TextStyle::Plain, "~"), paint.layout.cut(&what, 2)));
    }
    let changes = round.changes.iter().map(|group| change(group, paint));
    let lines = round.said.iter().map(|group| logged(group, paint));
    text.extend(changes.chain(lines).take(paint.limit));
    let all = round.changes.len() + round.said.len();
    if all > paint.limit {
        text.push_str(&format!("  and {} more\n", all - paint.limit));
    }
    if round.is_quiet() {
        text.push_str("  no catalog changed\n");
    }
    text
}

/// Said of nodes that are in another environment.
pub(super) fn moved_title(EnvironmentChange { from, to }: &EnvironmentChange) -> String {
    format!("environment {from} becomes {to}")
}

/// Returns a message with its nodes.
fn said((shade, sign): (TextStyle, &str), message: &MessageText<'_>, whose: &[Str], paint: &Paint) -> String {
    message.render(&paint.layout.in_colour(shade, sign), &format!("on {}", nodes(whose)), &paint.layout)
}

/// A line of the log, where it comes from, and whose it is.
fn logged(group: &NodeGroup<LogLine>, paint: &Paint) -> String {
    let (text, place) = FilePlace::beside(group.what.text.trim_end());
    let message = MessageText { text, place: place.as_ref(), help: None };
    said((TextStyle::Odd, "»"), &message, &group.nodes, paint)
}

/// Says why nodes were compiled after an edit, and not patched.
fn not_patched(group: &NodeGroup<PatchRefusal>, paint: &Paint) -> String {
    let text = format!("compiled, not patched: {}", group.what.words());
    said((TextStyle::Faint, "·"), &MessageText { text: &text, place: None, help: None }, &group.nodes, paint)
}

/// Returns what was edited, how many nodes it affects, and how long the update took.
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
    let AnswerCounts { patched, .. } = round.counts;
    let patched = if patched > 0 { format!(", {patched} patched") } else { String::new() };
    format!(
        "{edited} · {} of {} affected{patched}, {} changed · {}",
        round.counts.affected(),
        count(round.nodes, "node"),
        round.changed.len(),
        millis(round.took),
    )
}

/// Returns how many they are comes first: a line may be cut.
pub(super) fn nodes(names: &[Str]) -> String {
    match names.len() {
        1 => some(names),
        number => format!("{number} nodes: {}", some(names)),
    }
}

/// The names of the first of them.
fn some(names: &[Str]) -> String {
    let named: Vec<&str> = names.iter().take(NAMED).map(Str::as_str).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

fn change(group: &NodeGroup<GroupedChanges>, paint: &Paint) -> String {
    let Some(NodeGroup { what: ResourceChange { reference, change, place }, .. }) = group.what.first() else {
        return String::new();
    };
    let (sign, shade) = match change {
        Change::Added => ("+", TextStyle::Good),
        Change::Removed => ("-", TextStyle::Bad),
        Change::Changed(_) => ("~", TextStyle::Odd),
    };
    let reference = paint.layout.cut(reference, 2);
    let mut text = format!("{} {reference}", paint.layout.in_colour(shade, sign));
    if let Some(place) = place {
        // Beside the resource where there is room, brackets counted.
        let taken = 2 + console::measure_text_width(&reference) + 3;
        let place = format!(" ({})", paint.layout.cut_place(&place.file, place.line, taken));
        text.push_str(&paint.layout.in_colour(TextStyle::Faint, &place));
    }
    text.push('\n');
    let mut looks = looks(&group.what).into_iter();
    let (lines, alike) = looks.next().unwrap_or_default();
    for line in lines {
        text.push_str(&format!("    {}\n", paint.layout.cut(&line, 4)));
    }
    // One way stands for all.
    let otherwise: Vec<Str> = looks.flat_map(|(_, nodes)| nodes).collect();
    for (on, names) in [("on", &alike), ("with other values on", &otherwise)] {
        if !names.is_empty() {
            let on = paint.layout.cut(&format!("{on} {}", nodes(names)), 4);
            text.push_str(&format!("    {}\n", paint.layout.in_colour(TextStyle::Faint, &on)));
        }
    }
    text
}

/// Returns what is told of the ways in which a resource changed, and of which nodes: of long texts that differ a single
/// line is told, which may be the same.
pub(super) fn looks(ways: &GroupedChanges) -> IndexMap<Vec<String>, Vec<Str>> {
    let mut looks: IndexMap<Vec<String>, Vec<Str>> = IndexMap::new();
    for NodeGroup { what, nodes } in ways {
        let lines = match &what.change {
            Change::Added | Change::Removed => Vec::new(),
            Change::Changed(parameters) => parameters.iter().flat_map(parameter_texts).collect(),
        };
        looks.entry(lines).or_default().extend_from_slice(nodes);
    }
    looks
}

/// Returns how a parameter changed; of a hash or an array a line for each key and element that did.
pub(super) fn parameter_texts(parameter: &ParameterChange) -> Vec<String> {
    match structure_lines(parameter) {
        Some(lines) => lines.iter().map(ChangeLine::signed_text).collect(),
        None => vec![parameter_text(parameter)],
    }
}

fn parameter_text(parameter: &ParameterChange) -> String {
    let ParameterChange { name, old, new } = parameter;
    match (old, new) {
        (ShownValue::Absent, new) => format!("{name}: added {}", value_text(new)),
        (old, ShownValue::Absent) => format!("{name}: removed, was {}", value_text(old)),
        (ShownValue::Secret, ShownValue::Secret) => format!("{name}: another secret"),
        (ShownValue::Value(old), ShownValue::Value(new)) => match (old.as_str(), new.as_str()) {
            (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => lines_text(name, old, new),
            _ => format!("{name}: {} → {}", literal(old), literal(new)),
        },
        (old, new) => format!("{name}: {} → {}", value_text(old), value_text(new)),
    }
}

pub(super) fn value_text(value: &ShownValue) -> String {
    match value {
        ShownValue::Absent => "nothing".to_owned(),
        ShownValue::Secret => "a secret".to_owned(),
        ShownValue::Value(value) => literal(value).to_string(),
    }
}

/// Tells of texts of several lines the first line that was changed, added or removed, and how many others were.
fn lines_text(name: &str, old: &str, new: &str) -> String {
    let [before, after] = [old, new].map(|text| text.lines().collect::<Vec<_>>());
    let mut changes = capture_diff_slices(Algorithm::Myers, &before, &after);
    changes.retain(|change| change.tag() != DiffTag::Equal);
    let Some(first) = changes.first() else { return format!("{name}: another end of its last line") };
    let (removed, added) = (first.old_range(), first.new_range());
    let line = |lines: &[&str], range: Range<usize>| match lines.get(range).and_then(<[_]>::first) {
        Some(line) => format!("'{line}'"),
        None => "no line".to_owned(),
    };
    let number = if added.is_empty() { removed.start } else { added.start } + 1;
    let total: usize = changes.iter().map(|change| change.old_range().len().max(change.new_range().len())).sum();
    let others = if total > 1 { format!(", and {}", count(total - 1, "more line")) } else { String::new() };
    format!("{name}, line {number}: {} → {}{others}", line(&before, removed), line(&after, added))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_come_and_go_are_no_changed_ones() {
        for (old, new, told) in [
            ("one\ntwo\nthree\n", "one\nthree\n", "content, line 2: 'two' → no line"),
            ("one\nthree\n", "one\ntwo\nthree\nfour\n", "content, line 2: no line → 'two', and 1 more line"),
            ("one\ntwo\n", "one\n2\n", "content, line 2: 'two' → '2'"),
            ("one\ntwo", "one\ntwo\n", "content: another end of its last line"),
        ] {
            assert_eq!(lines_text("content", old, new), told);
        }
    }
}
