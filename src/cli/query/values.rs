//! The values of resources as texts, and the columns that they stand in.

use std::io;

use pantin_model::catalog::Rich;
use pantin_model::catalog::diff::ShownValue;
use pantin_repository::resource_query::{ResourceGroup, Values};
use pantin_values::Value;
use pantin_values::format::literal;

use super::Shown;

/// What stands for a secret.
pub(super) const SECRET: &str = "(secret)";

impl Shown<'_> {
    /// The names of the columns: one that stands for all parameters is one for each that any resource has.
    pub(super) fn column_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for column in self.query.columns() {
            match column.to_string() {
                all if all == "*" => {
                    let ways = self.result.groups.iter().flat_map(|group| &group.ways);
                    for (name, _) in ways.flat_map(|(values, _)| values) {
                        if !names.iter().any(|known| known == name.as_str()) {
                            names.push(name.to_string());
                        }
                    }
                }
                name if names.contains(&name) => {}
                name => names.push(name),
            }
        }
        names
    }
}

/// Returns the value of a column.
pub(super) fn value<'v>(values: &'v Values, column: &str) -> &'v ShownValue {
    const ABSENT: ShownValue = ShownValue::Absent;
    values.iter().find(|(name, _)| name == column).map_or(&ABSENT, |(_, value)| value)
}

/// Each value of a column, on how many nodes, the most frequent first.
pub(super) fn counts<'g>(group: &'g ResourceGroup, column: &str) -> Vec<(&'g ShownValue, usize)> {
    let mut counts: Vec<(&ShownValue, usize)> = Vec::new();
    for (values, found) in &group.ways {
        let value = value(values, column);
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += found.len(),
            None => counts.push((value, found.len())),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Returns a value in one line, for a person: a text that says what it is needs no quotation marks.
pub(super) fn short_text(value: &ShownValue) -> String {
    match value {
        ShownValue::Absent => String::new(),
        ShownValue::Secret => SECRET.to_owned(),
        ShownValue::Value(Value::String(text)) if is_plain(text) => text.to_string(),
        ShownValue::Value(value) => literal(value).as_str().replace('\n', "\\n"),
    }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(['\n', '\'', ',', '(']) && text != SECRET
}

/// Returns a value for a program that reads texts: what is no text is JSON.
pub(super) fn whole_text(value: &ShownValue) -> io::Result<String> {
    match value {
        ShownValue::Absent => Ok(String::new()),
        ShownValue::Secret => Ok(SECRET.to_owned()),
        ShownValue::Value(Value::String(text)) => Ok(text.to_string()),
        ShownValue::Value(value) => serde_json::to_string(&Rich::from_value(value)).map_err(io::Error::other),
    }
}

/// Returns a value as JSON. `None`: there is none.
pub(super) fn json_value(value: &ShownValue) -> io::Result<Option<serde_json::Value>> {
    let json = |value: &Value| serde_json::to_value(Rich::from_value(value)).map_err(io::Error::other);
    match value {
        ShownValue::Absent => Ok(None),
        ShownValue::Secret => json(&Value::sensitive(Value::Undef)).map(Some),
        ShownValue::Value(value) => json(value).map(Some),
    }
}
