//! Rows: what the answer of an injector is made from, by name, each with a digest in which no place stands.
//!
//! Whoever asks an injector is noted with the rows that were looked at. As long as these are what they were, so is the answer.
//! It must not know who asks.

use std::sync::Arc;

use pantin_syntax::definition_hash;
use pantin_values::{Digest, Digester, Str, Type};
use rustc_hash::FxHashSet;

use super::condition::Rank;
use super::definition::{Callback, Definition, Entry, EntryKind, Expression, Role, SourceFrom};
use super::injector::{Binding, Injector, Link};
use super::key::Key;

/// The name of a row: a key as messages write it, or one of the names that are made here.
pub type Row = Arc<str>;

/// Rows that were looked at.
pub type Rows = FxHashSet<Row>;

/// The list of variables that are bound.
pub const VARIABLES: &str = "/var/";
/// Which classes and types stand in the place of others.
pub const REPLACEMENTS: &str = "replacements";
/// The edges that are bound.
pub const DEPENDENCIES: &str = "dependencies";

/// Returns all bindings of a key, also those that are not effective.
pub(crate) fn candidates_row(key: &Key) -> Row {
    format!("{CANDIDATES}{key}").into()
}

/// Returns the contributions to an id.
pub fn contributions_row(id: &str) -> Row {
    format!("{CONTRIBUTIONS}{id}").into()
}

/// Returns which parameters of a subject are bound by name, and its sources.
pub fn subject_row(of: &str) -> Row {
    format!("/param/{of}/").into()
}

const CANDIDATES: &str = "all of ";
const CONTRIBUTIONS: &str = "contributions to ";

/// Returns the row as a person reads it: without what tells effective bindings from all of a key.
pub fn shown_row(row: &str) -> &str {
    row.strip_prefix(CANDIDATES).unwrap_or(row)
}

/// Returns the digest of an expression without its place.
pub fn expression_digest(expression: &Expression) -> Digest {
    Digester::new(b"expression").bytes(&definition_hash(&expression.file.ast, expression.node)).finish()
}

impl Injector {
    /// Returns the rows that are not the same in the injector of another table, in the same state.
    pub fn changed_rows(&self, now: &Injector) -> Rows {
        let mut rows = self.rows();
        rows.extend(now.rows());
        rows.retain(|row| self.row_digest(row) != now.row_digest(row));
        rows
    }

    /// Returns the names of all rows that say anything.
    fn rows(&self) -> Rows {
        let mut rows = Rows::default();
        // What is renamed may be bound by the data alone.
        for key in self.keys.iter().chain(self.renames.keys()) {
            rows.insert(key.row());
            rows.insert(candidates_row(key));
        }
        rows.extend(self.fragments.keys().map(|id| contributions_row(id)));
        rows.extend(self.parameters.keys().chain(self.sources.keys()).map(|of| subject_row(of)));
        rows.extend([VARIABLES, REPLACEMENTS, DEPENDENCIES].map(Row::from));
        rows
    }

    fn row_digest(&self, row: &str) -> Digest {
        let mut digester = Digester::new(b"row");
        match row {
            VARIABLES => self.bound_variables().iter().for_each(|(name, _)| _ = digester.text(name)),
            REPLACEMENTS => {
                let mut pairs: Vec<(String, String)> =
                    self.replacements.iter().map(|(old, (new, _))| (old.shown(), new.shown())).collect();
                pairs.sort();
                pairs.iter().for_each(|(old, new)| _ = digester.text(old).text(new));
            }
            // A cycle is told with the place of the binding.
            DEPENDENCIES => self.dependencies.iter().for_each(|((from, arrow, to), place)| {
                digester.text(&from.shown()).number(*arrow as u64).text(&to.shown()).text(&place.at());
            }),
            row => self.add_named_row(row, &mut digester),
        }
        digester.finish()
    }

    fn add_named_row(&self, row: &str, digester: &mut Digester) {
        if let Some(key) = row.strip_prefix(CANDIDATES) {
            return self.add_candidates(&Key::own(key), digester);
        }
        if let Some(id) = row.strip_prefix(CONTRIBUTIONS) {
            return self.contributions(id).iter().for_each(|&index| self.add_binding(index, digester));
        }
        if let Some(of) = row.strip_prefix("/param/").and_then(|rest| rest.strip_suffix('/')) {
            let named = self.parameters.get(of).into_iter().flatten();
            named.for_each(|key| _ = digester.text(key.text()));
            let sources = self.sources.get(of).into_iter().flatten();
            return sources.for_each(|&index| self.add_binding(index, digester));
        }
        let key = Key::own(row);
        match key.parameter_parts() {
            // Which group of them gives a value is known when it is asked for.
            Some(_) => self.add_candidates(&key, digester),
            None => self.add_chain(&key, digester),
        }
    }

    fn add_candidates(&self, key: &Key, digester: &mut Digester) {
        for &index in self.by_key.get(key).map(Vec::as_slice).unwrap_or_default() {
            self.add_binding(index, digester);
        }
        for &index in self.renames.get(key).map(Vec::as_slice).unwrap_or_default() {
            digester.text("renamed");
            self.add_binding(index, digester);
        }
    }

    /// Adds what is effective, and what it must be.
    fn add_chain(&self, key: &Key, digester: &mut Digester) {
        let chain = match self.chain(key, None) {
            Ok(chain) => chain,
            Err(problem) => {
                digester.text(&problem.one_line());
                return;
            }
        };
        for link in &chain.links {
            match *link {
                Link::Data => {
                    digester.text("data");
                    let ranks = self.data_ranks(key, None);
                    ranks.first().into_iter().for_each(|rank| self.add_abstract_types(key, rank, digester));
                }
                Link::Binding(index) => {
                    self.add_binding(index, digester);
                    self.add_abstract_types(key, &self.bindings[index].rank, digester);
                }
            }
        }
        if let Some(problem) = &chain.conflict {
            digester.text(&problem.one_line());
        }
        if let Some(index) = chain.abstract_end {
            digester.text("abstract");
            self.add_binding(index, digester);
        }
    }

    /// Adds the types that a value at a rank has to be of.
    fn add_abstract_types(&self, key: &Key, rank: &Rank, digester: &mut Digester) {
        for (wanted, _) in self.abstract_types(key, rank) {
            digester.text(&wanted.to_string());
        }
    }

    fn add_binding(&self, index: usize, digester: &mut Digester) {
        let Binding { rank, definition, entry, .. } = &self.bindings[index];
        digester.number(rank.layer as u64).number(rank.vector.0.len() as u64);
        rank.vector.0.iter().for_each(|number| _ = digester.number(u64::from(*number)));
        digester.digest(definition.entry_digest(*entry));
    }
}

impl Definition {
    /// Returns the digest of all that an entry says, without its place and its condition.
    pub(crate) fn entry_digest(&self, entry: usize) -> Digest {
        self.digests.get_or_init(|| self.entries.iter().map(Entry::digest).collect())[entry]
    }
}

impl Entry {
    fn digest(&self) -> Digest {
        let mut digester = Digester::new(b"binding");
        self.add_structure(&mut digester);
        add_kind(&self.kind, &mut digester);
        digester.finish()
    }

    /// Adds all that it says but for what it binds.
    pub(crate) fn add_structure(&self, digester: &mut Digester) {
        let flags = [self.is_abstract, self.is_override, self.is_optional, self.is_singleton];
        flags.iter().for_each(|flag| _ = digester.number(u64::from(*flag)));
        digester.text(&self.declared.as_ref().map(Type::to_string).unwrap_or_default());
        if let Some(arguments) = &self.arguments {
            digester.digest(expression_digest(arguments));
        }
        add_role(&self.role, digester);
    }
}

fn add_role(role: &Role, digester: &mut Digester) {
    match role {
        Role::Key(key) => _ = digester.text("key").text(key.text()),
        Role::Fragment { id, name } => {
            digester.text("contribution").text(id).number(u64::from(name.is_some()));
            digester.text(name.as_deref().unwrap_or_default());
        }
        Role::Dependency(pairs) => pairs.iter().for_each(|(from, arrow, to)| {
            digester.text("dependency").text(&from.shown()).number(*arrow as u64).text(&to.shown());
        }),
        Role::Source(source) => {
            digester.text("source").text(&source.target.key_text());
            match &source.from {
                SourceFrom::Values => _ = digester.text("values"),
                SourceFrom::Subject(subject) => _ = digester.text("subject").text(&subject.key_text()),
                SourceFrom::Query(query) => query.add_to(digester.text("query")),
            }
            if let Some(map) = &source.map {
                add_pairs(map, digester);
            }
            add_callback(source.select_result.as_ref(), digester);
        }
    }
}

fn add_kind(kind: &EntryKind, digester: &mut Digester) {
    match kind {
        EntryKind::Abstract => _ = digester.text("abstract"),
        EntryKind::Constant(value) => _ = digester.text("constant").item(value),
        EntryKind::Expression(expression) => _ = digester.text("expression").digest(expression_digest(expression)),
        EntryKind::Named(name) => _ = digester.text("producer").text(name),
        EntryKind::New(text) => _ = digester.text("new").text(text),
        EntryKind::Type { text, .. } => _ = digester.text("type").text(text),
        EntryKind::Query(query) => query.add_to(digester.text("query")),
        EntryKind::Copy(copy) => {
            let flags = u64::from(copy.is_rename) + 2 * u64::from(copy.is_rebind);
            digester.text("copy").text(copy.old.text()).number(flags);
        }
        EntryKind::Multibind(multibind) => {
            digester.text("multibind").text(&multibind.id).number(u64::from(multibind.is_hash));
            add_callback(multibind.combinator.as_ref(), digester);
        }
        EntryKind::Map(pairs) => add_pairs(pairs, digester.text("map")),
    }
}

fn add_pairs(pairs: &[(Str, Str)], digester: &mut Digester) {
    digester.number(pairs.len() as u64);
    pairs.iter().for_each(|(of, from)| _ = digester.text(of).text(from));
}

fn add_callback(callback: Option<&Callback>, digester: &mut Digester) {
    match callback {
        None => _ = digester.text("none"),
        Some(Callback::Lambda(lambda)) => _ = digester.text("lambda").digest(expression_digest(lambda)),
        Some(Callback::Named(name)) => _ = digester.text("function").text(name),
    }
}
