//! The differences as one page that needs nothing else: no file beside it, no network.
//!
//! The page holds the report as JSON, and its script makes of it what somebody looks at: a fleet of thousands of nodes opens at
//! once.

use std::collections::HashMap;
use std::fmt::Write;

use pantin_model::catalog::Place;
use pantin_model::catalog::diff::{ParameterChange, ShownValue};
use pantin_repository::comparison::{
    DataDifferences, DifferenceGroup, MessageGroup, MessageState, ResourceDifference, Verdict,
};
use pantin_repository::messages::FilePlace;
use pantin_values::Str;
use serde_json::{Value, json};

use super::Compared;
use super::json::{content, node, parameter, relationship};
use super::text::{
    self, FAILS_OTHERWISE, LAST_MESSAGES, NEW_MESSAGES, Section, data_file, fact_age, messages, side_names, unreadable,
    verb, verdict,
};
use super::values::{ChangeLine, structure_lines, unified};
use crate::print::counting::count;
use crate::print::page::{self, REPORT_STYLE, escape};
use crate::print::repository_path::repository_path;

const STYLE: &str = include_str!("page.css");
/// Of so many values of one change the page shows each; of more it names the nodes. A page of all would take long to open.
const WAYS: usize = 20;

const SCRIPT: &str = include_str!("page.js");

pub(super) fn report(compared: &Compared<'_>) -> String {
    let mut page = page::head(&format!("Diff: {}", verdict(compared)), &format!("{REPORT_STYLE}{STYLE}"));
    header(compared, &mut page);
    page.push_str(
        "<main>\n<div class=\"tools\"><input id=\"words\" type=\"search\" placeholder=\"Search resources, values, messages, \
         files\" aria-label=\"Search resources, values, messages, files\"><input id=\"node\" type=\"search\" \
         placeholder=\"Only nodes with this in their names\" aria-label=\"Only nodes with this in their names\"><button \
         id=\"fold\" type=\"button\">Fold all</button><span id=\"found\" role=\"status\"></span></div>\n\
         <noscript><p class=\"note\">The list needs JavaScript; --format text does not.</p></noscript>\n</main>\n",
    );
    page::push_data(&mut page, "report", &data(compared).to_string());
    page::finish(&mut page, SCRIPT);
    page
}

fn header(compared: &Compared<'_>, page: &mut String) {
    let comparison = &compared.comparison;
    let state = match compared.verdict() {
        Verdict::FailsNewly | Verdict::Unknown => "bad",
        Verdict::Differs | Verdict::Unsure => "odd",
        Verdict::Same => "good",
    };
    let [from, to] = side_names(compared);
    let _ = writeln!(
        page,
        "<header class=\"{state}\">\n<h1>{}</h1>\n<p class=\"sides\">{} → {}</p>\n<dl>",
        escape(&verdict(compared)),
        escape(&from),
        escape(&to)
    );
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value));
    };
    fact("Compared", count(comparison.nodes.len(), "node"));
    if comparison.compiled + comparison.stored > 0 {
        fact("Catalogs", format!("{} compiled, {} from the cache", comparison.compiled, comparison.stored));
    }
    fact("Time", format!("{:.1} s", compared.seconds));
    for age in &compared.facts {
        fact("Facts", fact_age(age));
    }
    if comparison.ignored > 0 {
        fact("Left out by --ignore-resource or diff_ignore", count(comparison.ignored, "difference"));
    }
    page.push_str("</dl>\n");
    for remark in compared.review.iter().chain(&compared.remarks) {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(remark));
    }
    page.push_str("</header>\n");
}

/// Nodes by their places in the list of all.
struct Nodes<'a>(HashMap<&'a str, usize>);

impl Nodes<'_> {
    /// As runs: the first one, how many follow each other, and so on.
    fn runs(&self, names: &[Str]) -> Vec<usize> {
        let mut places: Vec<usize> = names.iter().filter_map(|name| self.0.get(name.as_str()).copied()).collect();
        places.sort_unstable();
        let mut runs: Vec<usize> = Vec::new();
        for place in places {
            match &mut runs[..] {
                [.., first, length] if *first + *length == place => *length += 1,
                _ => runs.extend([place, 1]),
            }
        }
        runs
    }
}

fn data(compared: &Compared<'_>) -> Value {
    let comparison = &compared.comparison;
    let nodes = Nodes(comparison.nodes.iter().enumerate().map(|(at, node)| (node.name.as_str(), at)).collect());
    let mut sections = Vec::new();
    let mut add = |title: &str, kind: &str, items: Vec<Value>| {
        if !items.is_empty() {
            sections.push(json!({"title": title, "kind": kind, "items": items}));
        }
    };
    let groups = |which: Section| {
        let groups = comparison.differences.iter().filter(move |group| Section::for_difference(group.first()) == which);
        groups.map(|group| resource(group, &nodes)).collect::<Vec<Value>>()
    };
    let of_state = |state: MessageState| {
        text::of_state(compared, state).into_iter().map(|group| message(group, &nodes)).collect::<Vec<Value>>()
    };
    let modules = text::module_lines(compared);
    add(text::MODULES, "failing", modules.iter().map(|line| json!({"title": line, "nodes": []})).collect());
    for (about, title) in NEW_MESSAGES {
        let new = messages(compared, MessageState::New, about);
        add(title, "failing", new.into_iter().map(|group| message(group, &nodes)).collect());
    }
    add(FAILS_OTHERWISE, "failing", of_state(MessageState::Otherwise));
    add(Section::Removed.title(), "removed", groups(Section::Removed));
    let refreshed = comparison.refreshed.iter();
    let refreshed = refreshed.map(|group| json!({"title": &*group.what, "nodes": nodes.runs(&group.nodes)}));
    add("Restarted or run, because something else changes", "refreshed", refreshed.collect());
    for section in &Section::ALL[1..] {
        add(section.title(), section.name(), groups(*section));
    }
    if let Some(found) = &compared.data {
        add("Data", "changed", data_files(found));
    }
    add("Mended", "mended", of_state(MessageState::Mended));
    for (state, title) in LAST_MESSAGES {
        add(title, "failing", of_state(state));
    }
    json!({"nodes": node_list(compared), "sections": sections})
}

/// Files of data are of no node.
fn data_files(found: &DataDifferences) -> Vec<Value> {
    let files = found.files.iter().map(|file| {
        let keys: Vec<Value> = file.keys.iter().map(parameter_with_lines).collect();
        let way = json!({"nodes": [], "parameters": keys, "contents": [], "relationships": []});
        json!({"title": data_file(file), "place": null, "ways": [way], "others": []})
    });
    let unreadable = found.unreadable.iter().map(|one| json!({"title": unreadable(one), "nodes": []}));
    files.chain(unreadable).collect()
}

/// Returns every node, with how many resources change on it.
fn node_list(compared: &Compared<'_>) -> Vec<Value> {
    let mut changes: HashMap<&str, usize> = HashMap::new();
    let ways = compared.comparison.differences.iter().flat_map(|group| &group.ways);
    for name in ways.flat_map(|way| &way.nodes) {
        *changes.entry(name.as_str()).or_default() += 1;
    }
    let with_changes = compared.comparison.nodes.iter().map(|one| {
        let mut value = node(one);
        value["changes"] = changes.get(one.name.as_str()).copied().unwrap_or_default().into();
        value
    });
    with_changes.collect()
}

fn resource(group: &DifferenceGroup, nodes: &Nodes<'_>) -> Value {
    let first = group.first();
    let place = first.place.as_ref().map(|Place { file, line }| format!("{}:{line}", repository_path(file)));
    let (shown, others) = group.ways.split_at(group.ways.len().min(WAYS));
    let ways: Vec<Value> = shown.iter().map(|one| way(&one.what, nodes.runs(&one.nodes))).collect();
    let others: Vec<Str> = others.iter().flat_map(|way| way.nodes.iter().cloned()).collect();
    json!({"title": &*first.reference, "place": place, "ways": ways, "others": nodes.runs(&others)})
}

fn way(difference: &ResourceDifference, nodes: Vec<usize>) -> Value {
    let relationships = difference.relationships.iter().map(|change| {
        let mut value = relationship(change);
        value["verb"] = verb(change).into();
        value
    });
    json!({
        "nodes": nodes,
        "parameters": difference.parameters().iter().map(parameter_with_lines).collect::<Vec<_>>(),
        "contents": difference.contents.iter().map(content).collect::<Vec<_>>(),
        "relationships": relationships.collect::<Vec<_>>(),
    })
}

/// A text of several lines is shown by the lines that differ, a hash or an array by keys and elements.
fn parameter_with_lines(change: &ParameterChange) -> Value {
    let mut value = parameter(change);
    if let Some(lines) = structure_lines(change).filter(|_| value["secret"] == false) {
        value["lines"] = lines.iter().skip(1).map(ChangeLine::signed_text).collect::<Vec<_>>().into();
    }
    if let (ShownValue::Value(old), ShownValue::Value(new)) = (&change.old, &change.new)
        && let (Some(old), Some(new)) = (old.as_str(), new.as_str())
        && (old.contains('\n') || new.contains('\n'))
        && value["secret"] == false
    {
        value["diff"] = unified(old, new).into();
    }
    value
}

fn message(MessageGroup { group, .. }: &MessageGroup, nodes: &Nodes<'_>) -> Value {
    let place = group.place.as_ref().map(|FilePlace { file, line, .. }| format!("{}:{line}", repository_path(file)));
    json!({"title": group.text, "place": place, "help": group.help, "nodes": nodes.runs(&group.nodes)})
}
