//! Takes bindings of parameters, variables, maps and dependencies apart, each of several names.
//! It must not know what a class or a type has.

use std::sync::Arc;

use pantin_syntax::ast::{Node, NodeId};
use pantin_syntax::bindings::{DependencyArrow, Flags, Operation, Producer, Subject, Target, TypeUse, subject_of};
use pantin_values::Str;

use super::condition::Conjunction;
use super::definition::{EntryKind, ParameterSource, Role, SourceFrom};
use super::definition_reader::{NewEntry, Reader, option};
use super::key::Key;

impl Reader<'_> {
    pub(crate) fn parameters(&mut self, operation: &Operation, around: &[Conjunction], of: &TypeUse, target: &Target) {
        let Some(subject) = subject_of(self.ast(), of) else { return };
        let flags = operation.flags;
        if let Producer::Expression(id) = &target.producer
            && let Some(pairs) = self.written_pairs(*id)
        {
            for (name, value) in pairs {
                let role = Role::Key(Key::parameter(&subject.key_text(), &name));
                let kind = self.value_kind(value);
                self.push(operation, around, NewEntry { flags, role, kind, target: Some(target), declared: None });
            }
            return;
        }
        let (from, kind) = match &target.producer {
            Producer::Class(name) => {
                let class = TypeUse::Class(name.clone());
                (subject_of(self.ast(), &class).map(SourceFrom::Subject), EntryKind::Abstract)
            }
            Producer::Type(id) => {
                (subject_of(self.ast(), &TypeUse::Type(*id)).map(SourceFrom::Subject), EntryKind::Abstract)
            }
            Producer::Query { .. } => match self.producer(target) {
                EntryKind::Query(query) => (Some(SourceFrom::Query(query)), EntryKind::Abstract),
                other => (None, other),
            },
            _ => (Some(SourceFrom::Values), self.producer(target)),
        };
        let Some(from) = from else { return };
        let map = option(&target.options, "map").map(|option| self.map(option.value));
        let select_result = option(&target.options, "select_result").map(|option| self.callback(option.value));
        let source = ParameterSource { target: subject, from, map, select_result };
        let role = Role::Source(Arc::new(source));
        self.push(operation, around, NewEntry { flags, role, kind, target: Some(target), declared: None });
    }

    /// The pairs of a hash whose names are written out.
    pub(crate) fn written_pairs(&self, id: NodeId) -> Option<Vec<(String, NodeId)>> {
        let ast = self.ast();
        let Node::Hash(entries) = ast.node(id) else { return None };
        let pair = |&entry: &NodeId| match ast.node(entry) {
            Node::Entry { key, value } => match ast.node(key) {
                Node::String(text) | Node::Name(text) => Some((ast.text(text).to_owned(), value)),
                _ => None,
            },
            _ => None,
        };
        ast.list(entries).iter().map(pair).collect()
    }

    pub(crate) fn variables(&mut self, target: &Target, flags: Flags) -> Vec<(String, EntryKind)> {
        let Producer::Expression(id) = target.producer else { return Vec::new() };
        if flags.is_abstract.is_none() {
            let pairs = self.written_pairs(id).unwrap_or_default();
            return pairs.into_iter().map(|(name, value)| (name, self.value_kind(value))).collect();
        }
        let ast = self.ast();
        let text = |id: NodeId| match ast.node(id) {
            Node::String(text) => Some((ast.text(text).to_owned(), EntryKind::Abstract)),
            _ => None,
        };
        match ast.node(id) {
            Node::Array(items) => ast.list(items).iter().filter_map(|&id| text(id)).collect(),
            _ => text(id).into_iter().collect(),
        }
    }

    pub(crate) fn map(&self, pairs: NodeId) -> Arc<[(Str, Str)]> {
        let ast = self.ast();
        let text = |id: NodeId| match ast.node(id) {
            Node::String(text) | Node::Name(text) => Str::from(ast.text(text)),
            _ => Str::default(),
        };
        match ast.node(pairs) {
            Node::Hash(entries) => {
                let pair = |&entry: &NodeId| match ast.node(entry) {
                    Node::Entry { key, value } => Some((text(key), text(value))),
                    _ => None,
                };
                ast.list(entries).iter().filter_map(pair).collect()
            }
            Node::Array(items) => ast.list(items).iter().map(|&id| (text(id), text(id))).collect(),
            _ => Arc::from([]),
        }
    }

    pub(crate) fn dependency(
        &self,
        sides: &[Vec<TypeUse>],
        arrows: &[DependencyArrow],
    ) -> Vec<(Subject, DependencyArrow, Subject)> {
        let mut pairs = Vec::new();
        for (window, &arrow) in sides.windows(2).zip(arrows) {
            let [left, right] = window else { continue };
            for from in left {
                for to in right {
                    if let (Some(from), Some(to)) = (subject_of(self.ast(), from), subject_of(self.ast(), to)) {
                        pairs.push((from, arrow, to));
                    }
                }
            }
        }
        pairs
    }
}
