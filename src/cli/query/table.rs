//! What was found as a table for a person.

use pantin_repository::resource_query::{FoundOn, ResourceGroup};

use super::values::{counts, short_text, value};
use super::{Rows, Shown};
use crate::print::counting::{count, count_text};
use crate::print::printable::printable_line;
use crate::print::text_style::{PLAIN_AGAIN, TextStyle, cut, cut_front};

/// So many columns of the terminal a value takes.
const VALUE_WIDTH: usize = 60;

/// So many nodes are named, and so many different values of one parameter.
const NAMED: usize = 3;

/// A column is not made narrower than that.
const NARROWEST: usize = 10;

/// `width`: the columns of the terminal, if one shows it.
pub(super) fn report(shown: &Shown<'_>, has_colour: bool, width: Option<usize>) -> String {
    let names = shown.column_names();
    let (mut head, rows) = match shown.rows {
        Rows::Alike => (vec!["resource".to_owned()], alike(shown, &names)),
        Rows::Each => (vec!["node".to_owned(), "resource".to_owned()], each(shown, &names)),
        Rows::Counts => (vec!["nodes".to_owned(), "resource".to_owned()], counted(shown, &names)),
    };
    head.extend(names);
    if shown.rows == Rows::Alike {
        head.push("nodes".to_owned());
    }
    let mut text = String::new();
    if !rows.is_empty() {
        push_table(&mut text, &head, &rows, has_colour, width);
        text.push('\n');
    }
    text.push_str(&summary(shown));
    text
}

fn summary(shown: &Shown<'_>) -> String {
    let result = shown.result;
    let nodes = count(result.nodes, "node");
    match result.groups.len() {
        0 => format!("No resource of {nodes} fits\n"),
        found => {
            let found = count(found, "resource");
            let have = count_text(result.nodes_with_any, "of them has", "of them have");
            format!("{found} found; {nodes} looked at, {have} any\n")
        }
    }
}

fn alike(shown: &Shown<'_>, names: &[String]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for group in &shown.result.groups {
        for (values, found) in &group.ways {
            let mut row = vec![group.reference()];
            row.extend(names.iter().map(|name| short_text(value(values, name))));
            row.push(nodes(found));
            rows.push(row);
        }
    }
    rows
}

fn nodes(found: &[FoundOn]) -> String {
    node_list(&found.iter().map(|found| found.node.as_str()).collect::<Vec<_>>())
}

/// Returns a few nodes by name; of more their number and the first ones.
pub(super) fn node_list(names: &[&str]) -> String {
    match names.len() {
        0..=NAMED => names.join(", "),
        all => format!("{all}: {}, …", names[..NAMED - 1].join(", ")),
    }
}

fn each(shown: &Shown<'_>, names: &[String]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for group in &shown.result.groups {
        for (values, found) in &group.ways {
            for found in found {
                let mut row = vec![found.node.to_string(), group.reference()];
                row.extend(names.iter().map(|name| short_text(value(values, name))));
                rows.push(row);
            }
        }
    }
    rows
}

fn counted(shown: &Shown<'_>, names: &[String]) -> Vec<Vec<String>> {
    let mut groups: Vec<&ResourceGroup> = shown.result.groups.iter().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.node_count()));
    let row = |group: &ResourceGroup| {
        let mut row = vec![group.node_count().to_string(), group.reference()];
        row.extend(names.iter().map(|name| count_list(group, name)));
        row
    };
    groups.into_iter().map(row).collect()
}

/// `latest (38), absent (2)`; of one value on all nodes the value alone.
pub(super) fn count_list(group: &ResourceGroup, column: &str) -> String {
    let counts = counts(group, column);
    if let [(value, _)] = &counts[..] {
        return short_text(value);
    }
    let text = |(value, count): &(&_, usize)| match short_text(value) {
        text if text.is_empty() => format!("not set ({count})"),
        text => format!("{} ({count})", cut(&text, VALUE_WIDTH / 2)),
    };
    let mut list: Vec<String> = counts.iter().take(NAMED).map(text).collect();
    if counts.len() > NAMED {
        list.push(format!("{} more values", counts.len() - NAMED));
    }
    list.join(", ")
}

/// Makes the widest columns narrower until all of them have room, with two blanks between.
fn fit(widths: &mut [usize], room: usize) {
    let gaps = widths.len().saturating_sub(1) * 2;
    while widths.iter().sum::<usize>() + gaps > room {
        let widest = widths.iter_mut().max_by_key(|width| **width);
        match widest.filter(|width| **width > NARROWEST) {
            Some(width) => *width -= 1,
            None => return,
        }
    }
}

pub(super) fn push_table(
    text: &mut String,
    head: &[String],
    rows: &[Vec<String>],
    has_colour: bool,
    room: Option<usize>,
) {
    let cell = |row: &[String], column: usize| -> String {
        let text = row.get(column).map_or("", String::as_str);
        // Names are whole; the rest need not be.
        match column + 1 == head.len() || text.ends_with(']') {
            true => printable_line(text).into_owned(),
            false => cut(text, VALUE_WIDTH),
        }
    };
    let measure = |column: usize| {
        let cells = std::iter::once(head).chain(rows.iter().map(Vec::as_slice)).map(|row| cell(row, column));
        cells.map(|cell| console::measure_text_width(&cell)).max().unwrap_or_default()
    };
    let mut widths: Vec<usize> = (0..head.len()).map(measure).collect();
    if let Some(room) = room {
        fit(&mut widths, room);
    }
    let line = |row: &[String]| {
        let mut line = String::new();
        for (column, width) in widths.iter().enumerate() {
            let cell = cell(row, column);
            // What is cut tells two resources apart by its end.
            let cell = if cell.ends_with(']') { cut_front(&cell, *width) } else { cut(&cell, *width) };
            line.push_str(&cell);
            let gap = (width + 2).saturating_sub(console::measure_text_width(&cell));
            line.extend(std::iter::repeat_n(' ', gap));
        }
        line.trim_end().to_owned()
    };
    let header = line(head);
    match has_colour {
        true => text.push_str(&format!("{}{header}{PLAIN_AGAIN}\n", TextStyle::Faint.escape())),
        false => text.push_str(&format!("{header}\n")),
    }
    for row in rows {
        text.push_str(&line(row));
        text.push('\n');
    }
}
