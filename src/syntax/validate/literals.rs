//! Literal values: keys that a hash has twice, and types of parameters that code must work out.
//!
//! Compares and shows literals as the tree has them; nothing is evaluated.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use pantin_base::number::{decimal_text, float_text};
use pantin_base::stack::with_room;
use pantin_base::{Language, Related, Severity, Strict, inspect};
use pantin_regex::Options;

use super::super::ast::{Ast, List, Node, NodeId, Text, UnaryOp};
use super::{Checker, Issue};

/// Up to here comparing each key with each earlier one beats a table.
const FEW_KEYS: usize = 8;

/// A literal as far as one node shows it.
#[derive(Clone, PartialEq)]
enum Shallow<'a> {
    Undef,
    Default,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Text(Cow<'a, str>),
    Regex(&'a str),
    /// Its parts decide, also whether it is a literal at all.
    Compound,
    NotLiteral,
}

/// A literal to look up: texts, which most keys are, without a copy.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Text(Cow<'a, str>),
    Encoded(Vec<u8>),
}

/// Stands for a literal with parts: equal where the literals are.
type Digest = [u8; 32];

/// The literals of one tree, under one version's idea of what is literal.
pub(super) struct Literals<'a> {
    ast: &'a Ast,
    /// Types, and numbers behind a minus, are literals.
    with_types: bool,
    /// Literals with parts that were looked at, `None` where one is no literal. Without it, keys
    /// that hold keys would be gone through again for each hash around them.
    digests: HashMap<NodeId, Option<Digest>>,
}

impl<'a> Checker<'a> {
    /// Flags each entry whose literal key an earlier entry has.
    pub(super) fn check_duplicate_keys(&mut self, entries: List) {
        if self.settings.strict == Strict::Off || entries.len() < 2 {
            return;
        }
        for (entry, first) in self.literals.repeated(self.ast.list(entries)) {
            let key = self.literals.text(self.literals.key_of(entry));
            self.report_duplicate_key(entry, first, key);
        }
    }

    fn report_duplicate_key(&mut self, entry: NodeId, first: NodeId, key: String) {
        let mut finding = self.finding(entry, Issue::DuplicateKey { key });
        if self.settings.strict == Strict::Warning {
            finding.severity = Severity::Warning;
        }
        let note = "first declared here; the later value wins".to_owned();
        finding.related.push(Related { span: self.ast.span(first), note });
        self.findings.add(finding);
    }

    /// Version 8 warns of a class's parameter whose type must be worked out.
    pub(super) fn check_literal_types(&mut self, params: List) {
        if self.settings.language == Language::Puppet7 {
            return;
        }
        let ast = self.ast;
        for &param in ast.list(params) {
            let Node::Param { name, type_expr: Some(type_expr), .. } = ast.node(param) else { continue };
            if !self.literals.is_literal(type_expr) {
                let issue = Issue::IllegalNonliteralParameterType {
                    name: ast.text(name).to_owned(),
                    // The one form of a type that is not a literal as a whole.
                    type_class: "a Puppet::Pops::Model::AccessExpression".to_owned(),
                };
                self.report(param, issue);
            }
        }
    }
}

impl<'a> Literals<'a> {
    pub(super) fn new(ast: &'a Ast, language: Language) -> Literals<'a> {
        Literals { ast, with_types: language != Language::Puppet7, digests: HashMap::new() }
    }

    /// Each entry whose key an earlier entry has, and the first that has it.
    fn repeated(&mut self, entries: &[NodeId]) -> Vec<(NodeId, NodeId)> {
        let mut repeated = Vec::new();
        if entries.len() <= FEW_KEYS {
            for (index, &entry) in entries.iter().enumerate().skip(1) {
                let key = self.key_of(entry);
                let earlier = entries[..index].iter().find(|&&first| self.same(self.key_of(first), key));
                repeated.extend(earlier.map(|&first| (entry, first)));
            }
            return repeated;
        }
        let mut firsts: HashMap<Key<'_>, NodeId> = HashMap::with_capacity(entries.len());
        for &entry in entries {
            let Some(value) = self.lookup_key(self.key_of(entry)) else { continue };
            match firsts.entry(value) {
                Entry::Vacant(place) => {
                    place.insert(entry);
                }
                Entry::Occupied(first) => repeated.push((entry, *first.get())),
            }
        }
        repeated
    }

    fn key_of(&self, entry: NodeId) -> NodeId {
        match self.ast.node(entry) {
            Node::Entry { key, .. } => key,
            _ => entry,
        }
    }

    fn shallow(&self, id: NodeId) -> Shallow<'a> {
        let text = |text: Text| Shallow::Text(Cow::Borrowed(self.ast.text(text)));
        match self.ast.node(id) {
            Node::Undef => Shallow::Undef,
            Node::Default => Shallow::Default,
            Node::Boolean(value) => Shallow::Boolean(value),
            Node::Integer { value, .. } => Shallow::Integer(value),
            Node::Float(value) => Shallow::Float(value),
            Node::String(value) | Node::Name(value) => text(value),
            Node::Regex(pattern) => Shallow::Regex(self.ast.text(pattern)),
            Node::TypeName(name) if self.with_types => {
                Shallow::Text(Cow::Owned(self.ast.text(name).to_ascii_lowercase()))
            }
            Node::Unary { op: UnaryOp::Minus, operand } if self.with_types => match self.ast.node(operand) {
                Node::Integer { value, .. } => Shallow::Integer(-value),
                Node::Float(value) => Shallow::Float(-value),
                // Ruby's minus gives a text as it is.
                Node::String(value) | Node::Name(value) => text(value),
                Node::BigInteger { .. } => Shallow::Compound,
                _ => Shallow::NotLiteral,
            },
            Node::Access { .. } if self.with_types => Shallow::Compound,
            Node::BigInteger { .. } | Node::Array(_) | Node::Hash(_) => Shallow::Compound,
            _ => Shallow::NotLiteral,
        }
    }

    /// The parts of a literal that has some, none where it is no literal.
    fn parts(&self, id: NodeId) -> Option<&'a [NodeId]> {
        match self.ast.node(id) {
            Node::Array(values) => Some(self.ast.list(values)),
            Node::Access { keys, .. } => {
                let keys = self.ast.list(keys);
                let nested = matches!(keys, &[only] if matches!(self.ast.node(only), Node::Array(_)));
                Some(keys).filter(|_| !nested)
            }
            _ => None,
        }
    }

    fn is_literal(&self, id: NodeId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match (self.shallow(id), self.ast.node(id)) {
                (Shallow::NotLiteral, _) => return false,
                (Shallow::Compound, Node::Hash(entries)) => {
                    for &entry in self.ast.list(entries) {
                        self.ast.each_child(entry, |part| pending.push(part));
                    }
                }
                (Shallow::Compound, Node::Array(_) | Node::Access { .. }) => match self.parts(id) {
                    Some(parts) => pending.extend(parts),
                    None => return false,
                },
                _ => {}
            }
        }
        true
    }

    fn same(&mut self, left: NodeId, right: NodeId) -> bool {
        match (self.shallow(left), self.shallow(right)) {
            (Shallow::NotLiteral, _) | (_, Shallow::NotLiteral) => false,
            (Shallow::Compound, Shallow::Compound) => {
                let digest = self.digest(left);
                digest.is_some() && digest == self.digest(right)
            }
            (left, right) => left == right,
        }
    }

    fn lookup_key(&mut self, id: NodeId) -> Option<Key<'a>> {
        if let Shallow::Text(text) = self.shallow(id) {
            return Some(Key::Text(text));
        }
        let mut encoded = Vec::new();
        self.encode(id, &mut encoded).then_some(Key::Encoded(encoded))
    }

    /// Writes bytes that are equal where the values are; false where it is no literal.
    fn encode(&mut self, id: NodeId, out: &mut Vec<u8>) -> bool {
        fn sized(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
            out.push(tag);
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(bytes);
        }
        match self.shallow(id) {
            Shallow::NotLiteral => return false,
            Shallow::Undef => out.push(b'u'),
            Shallow::Default => out.push(b'd'),
            Shallow::Boolean(value) => out.push(if value { b't' } else { b'f' }),
            Shallow::Integer(value) => sized(out, b'i', &value.to_le_bytes()),
            // Adding zero makes one zero of the two.
            Shallow::Float(value) => sized(out, b'F', &(value + 0.0).to_bits().to_le_bytes()),
            Shallow::Text(text) => sized(out, b's', text.as_bytes()),
            Shallow::Regex(pattern) => sized(out, b'r', pattern.as_bytes()),
            Shallow::Compound => match self.digest(id) {
                Some(digest) => sized(out, b'c', &digest),
                None => return false,
            },
        }
        true
    }

    /// Returns what stands for a literal with parts, worked out once.
    fn digest(&mut self, id: NodeId) -> Option<Digest> {
        if let Some(&known) = self.digests.get(&id) {
            return known;
        }
        let mut encoded = Vec::new();
        let is_literal = with_room(|| self.encode_parts(id, &mut encoded));
        let digest = is_literal.then(|| *blake3::hash(&encoded).as_bytes());
        self.digests.insert(id, digest);
        digest
    }

    fn encode_parts(&mut self, id: NodeId, out: &mut Vec<u8>) -> bool {
        if let Node::Hash(entries) = self.ast.node(id) {
            let mut pairs = Vec::new();
            for (key, value) in self.pairs(entries) {
                let (mut key_bytes, mut value_bytes) = (Vec::new(), Vec::new());
                if !self.encode(key, &mut key_bytes) || !self.encode(value, &mut value_bytes) {
                    return false;
                }
                pairs.push((key_bytes, value_bytes));
            }
            // Hashes are equal whatever the order; of equal keys the last counts.
            pairs.reverse();
            pairs.sort_by(|left, right| left.0.cmp(&right.0));
            pairs.dedup_by(|later, first| later.0 == first.0);
            out.push(b'{');
            for (key, value) in pairs {
                out.extend(key);
                out.extend(value);
            }
            return true;
        }
        if let Some(number) = self.big_integer(id) {
            out.push(b'I');
            out.extend_from_slice(number.as_bytes());
            return true;
        }
        let Some(parts) = self.parts(id) else { return false };
        out.push(b'[');
        parts.iter().all(|&part| self.encode(part, out))
    }

    fn pairs(&self, entries: List) -> impl Iterator<Item = (NodeId, NodeId)> + use<'a> {
        let ast = self.ast;
        ast.list(entries).iter().filter_map(move |&entry| match ast.node(entry) {
            Node::Entry { key, value } => Some((key, value)),
            _ => None,
        })
    }

    fn big_integer(&self, id: NodeId) -> Option<String> {
        match self.ast.node(id) {
            Node::BigInteger { digits, radix } => Some(decimal_text(self.ast.text(digits), radix)),
            Node::Unary { operand, .. } => self.big_integer(operand).map(|number| format!("-{number}")),
            _ => None,
        }
    }

    /// Returns the literal as Ruby interpolates it.
    fn text(&mut self, id: NodeId) -> String {
        let mut out = String::new();
        match self.shallow(id) {
            Shallow::Undef => {}
            Shallow::Default => out.push_str("default"),
            Shallow::Text(text) => out.push_str(&text),
            Shallow::Regex(pattern) => {
                let mut shown = String::new();
                inspect::push_pattern(&mut shown, pattern);
                let _ = Options::default().write_group(&mut out, &shown);
            }
            _ => self.inspect(id, &mut out),
        }
        out
    }

    /// The literal as Ruby shows it inside a list.
    fn inspect(&mut self, id: NodeId, out: &mut String) {
        match self.shallow(id) {
            Shallow::NotLiteral => {}
            Shallow::Undef => out.push_str("nil"),
            Shallow::Default => out.push_str(":default"),
            Shallow::Boolean(value) => out.push_str(if value { "true" } else { "false" }),
            Shallow::Integer(value) => drop(write!(out, "{value}")),
            Shallow::Float(value) => out.push_str(&float_text(value)),
            Shallow::Text(text) => inspect::push_quoted(out, &text),
            Shallow::Regex(pattern) => {
                out.push('/');
                inspect::push_pattern(out, pattern);
                out.push('/');
            }
            Shallow::Compound => with_room(|| self.inspect_compound(id, out)),
        }
    }

    fn inspect_compound(&mut self, id: NodeId, out: &mut String) {
        if let Some(number) = self.big_integer(id) {
            out.push_str(&number);
        } else if let Node::Hash(entries) = self.ast.node(id) {
            out.push('{');
            let mut shown: Vec<(NodeId, NodeId)> = Vec::new();
            let mut places: HashMap<Option<Key<'_>>, usize> = HashMap::new();
            for (key, value) in self.pairs(entries) {
                // A key again takes the place of the first, with the later value.
                let place = *places.entry(self.lookup_key(key)).or_insert(shown.len());
                match shown.get_mut(place) {
                    Some(pair) => pair.1 = value,
                    None => shown.push((key, value)),
                }
            }
            for (index, (key, value)) in shown.into_iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                self.inspect(key, out);
                out.push_str("=>");
                self.inspect(value, out);
            }
            out.push('}');
        } else {
            out.push('[');
            for (index, &part) in self.parts(id).unwrap_or_default().iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                self.inspect(part, out);
            }
            out.push(']');
        }
    }
}
