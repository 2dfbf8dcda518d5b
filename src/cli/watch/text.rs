//! The changes of an edit as text, for a person.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use pantin_compile::without_node;
use pantin_model::catalog::diff::{Change, ParameterChange, ResourceChange, ShownValue};
use pantin_repository::fleet::FilePlace;
use pantin_repository::query::{Answer, AnswerCounts};
use pantin_repository::watch::{GroupedChanges, NodeGroup, Round};
use pantin_values::Str;
use pantin_values::format::literal;

use super::text_style::{PLAIN_AGAIN, TextStyle, cut, cut_front};
use super::{compiled, stored};
use crate::print::counting::{count, count_text};

/// How it looks.
pub(super) struct Paint {
    pub(super) colour: bool,
    /// That of the terminal; what goes elsewhere is not cut.
    pub(super) width: Option<usize>,
    /// So many different changes are shown.
    pub(super) limit: usize,
    /// Paths are shown from here.
    pub(super) here: PathBuf,
}

/// So many nodes are named.
const NAMED: usize = 4;

/// So many lines of the terminal an error may take: what went wrong stands at its end.
const LINES_OF_ERROR: usize = 6;

impl Paint {
    fn in_colour(&self, shade: TextStyle, text: &str) -> String {
        if self.colour { format!("{}{text}{PLAIN_AGAIN}", shade.escape()) } else { text.to_owned() }
    }

    /// Within the width of the terminal.
    fn cut(&self, text: &str, indent: usize) -> String {
        self.cut_to(1, text, indent)
    }

    /// Within so many lines of the terminal, which breaks them itself.
    fn cut_to(&self, lines: usize, text: &str, indent: usize) -> String {
        cut(text, self.room(lines, indent))
    }

    /// What matters in a place is its end.
    fn cut_place(&self, file: &str, line: impl Display, indent: usize) -> String {
        let file = Path::new(file).strip_prefix(&self.here).ok().and_then(Path::to_str).unwrap_or(file);
        cut_front(&format!("{file}:{line}"), self.room(1, indent))
    }

    fn room(&self, lines: usize, indent: usize) -> usize {
        self.width.map_or(usize::MAX, |width| (width * lines).saturating_sub(indent).max(20))
    }
}

pub(super) fn millis(span: Duration) -> String {
    match span.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} ms", seconds * 1000.0),
    }
}

pub(super) fn first_text(answers: &[Arc<Answer>], took: Duration, paint: &Paint) -> String {
    let ok = compiled(answers);
    let from_cache = match stored(answers) {
        0 => String::new(),
        number => format!(", {number} from the cache"),
    };
    let mut text = format!("{} compiled in {}{from_cache}", count(ok, "node"), millis(took));
    let errors = first_errors(answers);
    if errors.is_empty() {
        text.push('\n');
    } else {
        text.push_str(&format!(", {} not:\n", answers.len() - ok));
        for (what, nodes) in errors.iter().take(paint.limit) {
            text.push_str(&said((TextStyle::Bad, "✗"), what, nodes, paint));
        }
        if errors.len() > paint.limit {
            text.push_str(&format!("  and {}\n", count(errors.len() - paint.limit, "more error")));
        }
    }
    text.push_str("watching; Ctrl-C ends it\n");
    text
}

/// Why nodes have no catalog, each reason once.
fn first_errors(answers: &[Arc<Answer>]) -> IndexMap<&str, Vec<Str>> {
    let mut errors: IndexMap<&str, Vec<Str>> = IndexMap::new();
    for answer in answers {
        if let Err(failed) = &answer.result {
            errors.entry(without_node(failed.text(), &answer.node)).or_default().push(answer.node.clone());
        }
    }
    errors
}

/// Said of nodes whose catalog of before is not in the cache any more.
pub(super) const LOST: &str = "changes are not known, for the catalog before is no longer in the cache";

pub(super) fn round_text(round: &Round, paint: &Paint) -> String {
    let mut text =
        format!("\n{}\n", paint.in_colour(TextStyle::Faint, &paint.cut_to(2, &heading(round, &paint.here), 0)));
    for group in &round.broken {
        text.push_str(&said((TextStyle::Bad, "✗"), &group.what, &group.nodes, paint));
    }
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
        text.push_str(&format!("{} {}\n", paint.in_colour(shade, sign), paint.cut(&what, 2)));
    }
    let changes = round.changes.iter().map(|group| change(group, paint));
    let lines = round.said.iter().map(|group| said((TextStyle::Odd, "»"), &group.what.text, &group.nodes, paint));
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

/// An error or a line of the log, where it comes from, and whose it is.
fn said((shade, sign): (TextStyle, &str), what: &str, whose: &[Str], paint: &Paint) -> String {
    let (what, place) = FilePlace::beside(what.trim_end());
    let what: Vec<String> = what.lines().map(|line| paint.cut_to(LINES_OF_ERROR, line, 2)).collect();
    let mut text = format!("{} {}\n", paint.in_colour(shade, sign), what.join("\n  "));
    let place = place.map(|FilePlace { file, line, column }| {
        let line = column.map_or(line.to_string(), |column| format!("{line}:{column}"));
        paint.cut_place(&file, line, 4)
    });
    let whose = paint.cut(&format!("on {}", nodes(whose)), 4);
    for line in place.into_iter().chain([whose]) {
        text.push_str(&format!("    {}\n", paint.in_colour(TextStyle::Faint, &line)));
    }
    text
}

/// What was edited, how many nodes it affects, and how long the update took.
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
        "{edited} · {} of {} affected{patched}, {} run, {} changed · {}",
        round.counts.affected(),
        count(round.nodes, "node"),
        count_text(round.bodies_run, "body", "bodies"),
        round.changed.len(),
        millis(round.took),
    )
}

/// How many they are comes first: a line may be cut.
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
    let reference = paint.cut(reference, 2);
    let mut text = format!("{} {reference}", paint.in_colour(shade, sign));
    if let Some(place) = place {
        // Beside the resource where there is room, brackets counted.
        let taken = 2 + console::measure_text_width(&reference) + 3;
        let place = format!(" ({})", paint.cut_place(&place.file, place.line, taken));
        text.push_str(&paint.in_colour(TextStyle::Faint, &place));
    }
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
            text.push_str(&format!("    {}\n", paint.in_colour(TextStyle::Faint, &on)));
        }
    }
    text
}

/// What is told of the ways in which a resource changed, and of which nodes: of long texts that differ a single line is told,
/// which may be the same.
pub(super) fn looks(ways: &GroupedChanges) -> IndexMap<Vec<String>, Vec<Str>> {
    let mut looks: IndexMap<Vec<String>, Vec<Str>> = IndexMap::new();
    for NodeGroup { what, nodes } in ways {
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
