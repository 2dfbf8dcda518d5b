//! What a file of bindings says, row by row: by that a stored answer knows whether an edit of the file can concern it.
//!
//! The row of a key holds the values of its constants. All else is *structure*, which every answer of the environment depends on:
//! it decides which bindings are effective, and whether anything is wrong with them.
//! It must not know which layer the file is in.

use std::sync::Arc;

use pantin_base::Source;
use pantin_syntax::Settings;
use pantin_values::{Digest, Digester, Type, Value, types};
use rustc_hash::FxHashMap;

use super::condition::Rank;
use super::definition::{Definition, Entry, EntryKind, Role};
use super::empty_outside::EmptyOutside;
use super::injector::{Binding, Injector};
use super::key::is_data;
use super::rows::{Row, Rows, contributions_row};

/// The row of all that is no value of a constant.
pub const STRUCTURE: &str = "structure";

/// Returns the rows of a file, each with its digest, ascending by name. `None`: something is wrong with the file, or doubtful.
pub fn file_rows(name: &str, text: &[u8], settings: Settings) -> Option<Vec<(Row, Digest)>> {
    let definition = read(name, text, settings).filter(|definition| definition.problems.is_empty())?;
    let mut rows: FxHashMap<Row, Digester> = FxHashMap::default();
    let mut structure = Digester::new(b"structure of bindings");
    structure.text(&definition.name);
    for (index, entry) in definition.entries.iter().enumerate() {
        match constant_row(entry) {
            Some((row, value)) => {
                rows.entry(row).or_insert_with(|| Digester::new(b"constants")).item(value);
                entry.add_structure(&mut structure);
            }
            None => _ = structure.digest(definition.entry_digest(index)),
        }
        add_condition(entry, &mut structure);
    }
    let mut rows: Vec<(Row, Digest)> = rows.into_iter().map(|(row, digester)| (row, digester.finish())).collect();
    rows.push((STRUCTURE.into(), structure.finish()));
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    Some(rows)
}

/// Returns what a file of bindings binds otherwise than before: keys, ids and targets of parameters, in their order. `None`: one of the
/// two cannot be read.
pub fn changed_bindings(name: &str, before: &[u8], now: &[u8], settings: Settings) -> Option<Vec<String>> {
    let [before, now] = [before, now].map(|text| Some(whole_rows(&read(name, text, settings)?)));
    let (before, now) = (before?, now?);
    let mut names: Vec<String> = before.keys().chain(now.keys()).cloned().collect();
    names.sort();
    names.dedup();
    names.retain(|name| before.get(name) != now.get(name));
    Some(names)
}

/// A binding as it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenBinding {
    /// Its key, what it contributes to or is a source for, and its condition.
    pub name: String,
    /// The value of a constant; of anything else the text or a word for it.
    pub value: Value,
    /// True if it makes a Sensitive value.
    pub is_secret: bool,
    pub digest: Digest,
}

/// Returns the bindings of a file in their order; those of one name as one. `None`: it cannot be read.
pub fn written_bindings(name: &str, text: &[u8], settings: Settings) -> Option<Vec<WrittenBinding>> {
    let definition = read(name, text, settings)?;
    let mut written: Vec<WrittenBinding> = Vec::new();
    for (index, entry) in definition.entries.iter().enumerate() {
        let name = format!("{}{}", entry.usage_name(), shown_condition(entry));
        let (value, is_secret) = written_value(entry);
        let digest = definition.entry_digest(index);
        match written.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                known.digest = Digester::new(b"written").digest(known.digest).digest(digest).finish();
                known.is_secret |= is_secret;
                let all = match &known.value {
                    Value::Array(items) => items.iter().cloned().chain([value]).collect(),
                    one => vec![one.clone(), value],
                };
                known.value = Value::array(all);
            }
            None => written.push(WrittenBinding { name, value, is_secret, digest }),
        }
    }
    Some(written)
}

fn shown_condition(entry: &Entry) -> String {
    let conjunction = |parts: &super::condition::Conjunction| {
        let parts: Vec<String> =
            parts.iter().map(|(category, values)| format!("{category} {}", values.join("|"))).collect();
        parts.join(" and ")
    };
    let all: Vec<String> = entry.alternatives.iter().map(conjunction).filter(|text| !text.is_empty()).collect();
    if all.is_empty() { String::new() } else { format!(" when {}", all.join(" or ")) }
}

fn written_value(entry: &Entry) -> (Value, bool) {
    let word = |word: &str| (Value::from(word), false);
    match &entry.kind {
        EntryKind::Constant(value) => (value.clone(), false),
        EntryKind::Expression(expression) => {
            let text = pantin_syntax::bindings::expression_text(&expression.file.ast, expression.node);
            (Value::from(text), text.contains("Sensitive"))
        }
        EntryKind::Named(name) => (Value::from(format!("producer {name}")), false),
        EntryKind::New(text) | EntryKind::Type { text, .. } => word(text),
        EntryKind::Abstract => word("abstract"),
        EntryKind::Query(_) => word("a query"),
        EntryKind::Copy(copy) => (Value::from(format!("what {} gives", copy.old)), false),
        EntryKind::Multibind(multibind) => (Value::from(format!("contributions to '{}'", multibind.id)), false),
        EntryKind::Map(_) => word("a map"),
    }
}

/// All that a definition says, by what it is said of.
fn whole_rows(definition: &Definition) -> FxHashMap<String, Digest> {
    let mut rows: FxHashMap<String, Digester> = FxHashMap::default();
    for (index, entry) in definition.entries.iter().enumerate() {
        let name = match entry.usage_name() {
            name if name.is_empty() => "a dependency".to_owned(),
            name => name,
        };
        let digester = rows.entry(name).or_insert_with(|| Digester::new(b"bindings"));
        digester.digest(definition.entry_digest(index));
        add_condition(entry, digester);
    }
    rows.into_iter().map(|(name, digester)| (name, digester.finish())).collect()
}

fn read(name: &str, text: &[u8], settings: Settings) -> Option<Definition> {
    let source = Arc::new(Source::from_bytes(Some(name), text.to_vec()).ok()?);
    let parsed = pantin_syntax::parse_bindings(&source, settings);
    let file = Arc::new(parsed.result.ok()?);
    let shown: Arc<str> = name.into();
    parsed.warnings.is_empty().then(|| Definition::from_file("", &file, &source, &shown, &mut EmptyOutside::default()))
}

/// The row of an entry whose value may change without any other part in what is effective, or wrong.
fn constant_row(entry: &Entry) -> Option<(Row, &Value)> {
    let EntryKind::Constant(value) = &entry.kind else { return None };
    if entry.declared.is_some() || entry.arguments.is_some() || !is_data(value) {
        return None;
    }
    match &entry.role {
        Role::Key(key) => Some((key.row(), value)),
        Role::Fragment { id, .. } => Some((contributions_row(id), value)),
        Role::Source(_) | Role::Dependency(_) => None,
    }
}

fn add_condition(entry: &Entry, digester: &mut Digester) {
    digester.number(entry.alternatives.len() as u64);
    for conjunction in entry.alternatives.iter() {
        digester.number(conjunction.len() as u64);
        for (category, values) in &**conjunction {
            digester.text(category).number(values.len() as u64);
            values.iter().for_each(|value| _ = digester.text(value));
        }
    }
}

impl Injector {
    /// Returns the rows whose values decide whether anything is wrong, whoever asks for them.
    pub fn constrained(&self) -> &Rows {
        self.constrained.get_or_init(|| self.constrained_rows())
    }

    fn constrained_rows(&self) -> Rows {
        let mut rows = Rows::default();
        for key in &self.keys {
            let candidates = self.by_key.get(key).into_iter().flatten().map(|&index| &self.bindings[index]);
            let mut ranks: Vec<&Rank> = Vec::new();
            for binding in candidates {
                let is_typed = binding.entry().is_abstract && binding.entry().declared.is_some();
                let is_second = binding.is_concrete() && ranks.contains(&&binding.rank);
                if is_typed || is_second {
                    rows.insert(key.row());
                }
                if binding.is_concrete() {
                    ranks.push(&binding.rank);
                }
            }
        }
        for (index, _) in self.multibinds() {
            let EntryKind::Multibind(multibind) = &self.bindings[index].entry().kind else { continue };
            let element = element_type(self.bindings[index].entry().declared.as_ref());
            let takes_all = element.is_none_or(|of| of.assignable(&types::data()));
            if !takes_all || self.has_equal_names(&multibind.id) {
                rows.insert(contributions_row(&multibind.id));
            }
        }
        rows
    }

    /// Returns true if two contributions have one name and one rank.
    fn has_equal_names(&self, id: &str) -> bool {
        let contributions = self.contributions(id);
        contributions.iter().enumerate().any(|(at, &index)| {
            let is_same = |other: usize| {
                let (one, other): (&Binding, &Binding) = (&self.bindings[index], &self.bindings[other]);
                one.rank == other.rank
            };
            let name = self.fragment_name(index);
            name.is_some()
                && contributions[..at].iter().any(|&other| self.fragment_name(other) == name && is_same(other))
        })
    }
}

fn element_type(declared: Option<&Type>) -> Option<&Type> {
    match declared?.resolved() {
        Type::Array(array) => Some(&array.element),
        Type::Hash(hash) => Some(&hash.value),
        _ => None,
    }
}
