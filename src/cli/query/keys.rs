//! `pantin query --key`: who asks for a key of data or of bindings, shown as a table, JSON or CSV.

use std::io;

use pantin_model::evaluation::DataOrigin;
use pantin_repository::key_query::{KeyAnswer, KeyQueryResult};
use pantin_repository::provenance::SourcePlace;
use pantin_values::Str;
use serde_json::{Map, Value, json};

use super::table::{node_list, push_table};
use super::values::{json_value, short_text, whole_text};
use crate::print::counting::{count, count_text};
use crate::print::relative_path::place_text;
use crate::print::safe::csv::push_row;
use crate::why::text::level_name;

/// `is_each`: a row for each node; `width`: the columns of the terminal, if one shows it.
pub(super) fn table(result: &KeyQueryResult, is_each: bool, has_colour: bool, width: Option<usize>) -> String {
    let columns = ["key", "value", "from", "place", "asked for in"].map(str::to_owned);
    let node_column = if is_each { "node" } else { "nodes" };
    let head: Vec<String> = columns.into_iter().chain([node_column.to_owned()]).collect();
    let mut rows = Vec::new();
    for answer in &result.answers {
        let value = match short_text(&answer.value) {
            empty if empty.is_empty() => "(none)".to_owned(),
            value => value,
        };
        let row = [
            answer.key.to_string(),
            value,
            levels(answer).join(", "),
            places(answer).join(", "),
            answer.asked_in.join(", "),
        ];
        let names: Vec<&str> = answer.nodes.iter().map(Str::as_str).collect();
        let with = |nodes: String| row.iter().cloned().chain([nodes]).collect::<Vec<String>>();
        match is_each {
            true => rows.extend(names.iter().map(|name| with((*name).to_owned()))),
            false => rows.push(with(node_list(&names))),
        }
    }
    let mut text = String::new();
    if !rows.is_empty() {
        push_table(&mut text, &head, &rows, has_colour, width);
        text.push('\n');
    }
    let (nodes, ask) = (count(result.nodes, "node"), result.nodes_with_any);
    let asking = count_text(ask, "of them asks for it", "of them ask for it");
    text.push_str(&format!("{nodes} looked at; {asking}\n"));
    text
}

/// Names the levels or layers that gave the value, in the words of `pantin why`.
fn levels(answer: &KeyAnswer) -> Vec<String> {
    let word = origin_word(answer);
    let name = |origin: &DataOrigin| format!("{word} {}", level_name(&origin.level));
    let mut levels: Vec<String> = answer.origins.iter().map(name).collect();
    levels.dedup();
    levels
}

/// Returns what the origins of a value are.
fn origin_word(answer: &KeyAnswer) -> &'static str {
    if answer.is_bound { "layer" } else { "level" }
}

fn places(answer: &KeyAnswer) -> Vec<String> {
    answer.origins.iter().filter_map(|origin| place_text(&place(origin))).collect()
}

fn place(origin: &DataOrigin) -> SourcePlace {
    SourcePlace { file: origin.file.as_deref().map(Into::into), line: origin.line }
}

pub(super) fn json(result: &KeyQueryResult, keys: &[String], is_each: bool) -> io::Result<String> {
    let mut answers = Vec::new();
    for answer in &result.answers {
        let object = object(answer)?;
        let with = |name: &str, nodes: Value| {
            let mut object = object.clone();
            object.insert(name.to_owned(), nodes);
            Value::Object(object)
        };
        match is_each {
            true => answers.extend(answer.nodes.iter().map(|node| with("node", node.as_str().into()))),
            false => answers.push(with("nodes", answer.nodes.iter().map(|node| node.as_str()).collect())),
        }
    }
    let failed: Vec<Value> =
        result.failed.iter().map(|(name, message)| json!({"name": name.as_str(), "message": message})).collect();
    let report = json!({
        "version": 1,
        "keys": keys,
        "nodes": {"looked_at": result.nodes, "with_any": result.nodes_with_any, "failed": failed},
        "answers": answers,
    });
    Ok(format!("{report:#}"))
}

fn object(answer: &KeyAnswer) -> io::Result<Map<String, Value>> {
    let mut object = Map::new();
    object.insert("key".to_owned(), answer.key.as_str().into());
    object.insert("bound".to_owned(), answer.is_bound.into());
    if let Some(value) = json_value(&answer.value)? {
        object.insert("value".to_owned(), value);
    }
    let word = origin_word(answer);
    let from =
        answer.origins.iter().map(|DataOrigin { level, file, line }| json!({word: level, "file": file, "line": line}));
    object.insert("from".to_owned(), from.collect());
    object.insert("asked_in".to_owned(), answer.asked_in.clone().into());
    Ok(object)
}

/// Returns a row for each key of each node.
pub(super) fn csv(result: &KeyQueryResult) -> io::Result<String> {
    let mut text = String::new();
    push_row(&mut text, ["node", "key", "value", "from", "place", "asked_in"].into_iter().map(str::to_owned));
    for answer in &result.answers {
        let [from, place, asked_in] =
            [levels(answer), places(answer), answer.asked_in.clone()].map(|texts| texts.join(", "));
        let row = [answer.key.to_string(), whole_text(&answer.value)?, from, place, asked_in];
        for node in &answer.nodes {
            push_row(&mut text, std::iter::once(node.to_string()).chain(row.clone()));
        }
    }
    Ok(text)
}
