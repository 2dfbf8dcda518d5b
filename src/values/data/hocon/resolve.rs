//! Replaces substitutions by what they name.
//!
//! A value that names its own key means what stood there before: while one value of a merge is resolved, only
//! those below it are seen. A substitution that comes back to itself otherwise is a cycle.

use pantin_base::limits;
use pantin_base::stack::with_room;
use rustc_hash::FxHashMap;

use super::node::{Entries, Node, Object, Reference, concatenate};
use super::problem;
use crate::Value;
use crate::data::Error;

/// Why there is no value.
enum Failure {
    /// A substitution came back to itself; the way it took.
    Cycle(String),
    Error(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

type Result<T> = std::result::Result<T, Failure>;

/// Which values of which merges are left out: all before that index.
type Hidden = Vec<(*const Node, usize)>;

struct Resolver<'a> {
    root: &'a Object,
    variable: &'a dyn Fn(&str) -> Option<String>,
    hidden: Hidden,
    /// The substitutions that are being replaced.
    open: Vec<&'a Reference>,
    /// What was resolved already, without coming upon a cycle.
    known: FxHashMap<(*const Node, Hidden), Option<Node>>,
    cycles: u64,
    steps: u64,
}

pub(super) fn resolve(root: &Object, variable: &dyn Fn(&str) -> Option<String>) -> std::result::Result<Value, Error> {
    let mut resolver = Resolver {
        root,
        variable,
        hidden: Vec::new(),
        open: Vec::new(),
        known: FxHashMap::default(),
        cycles: 0,
        steps: 0,
    };
    match resolver.object(root) {
        Ok(node) => Ok(node.into_value()),
        Err(Failure::Error(error)) => Err(error),
        // Whoever replaces a substitution makes an error of it.
        Err(Failure::Cycle(way)) => Err(problem(1, format!("substitutions form a cycle: {way}"))),
    }
}

impl<'a> Resolver<'a> {
    fn node(&mut self, node: &'a Node) -> Result<Option<Node>> {
        self.count(1)?;
        match node {
            Node::Scalar(_) => Ok(Some(node.clone())),
            _ => with_room(|| self.composite(node)),
        }
    }

    fn count(&mut self, steps: u64) -> Result<()> {
        self.steps += steps;
        if self.steps <= limits::SUBSTITUTIONS {
            return Ok(());
        }
        let line = self.open.last().map_or(1, |reference| reference.line);
        let limit = limits::SUBSTITUTIONS;
        Err(problem(line, format!("substitutions stand for more than {limit} values")).into())
    }

    fn composite(&mut self, node: &'a Node) -> Result<Option<Node>> {
        match node {
            Node::Scalar(_) => Ok(Some(node.clone())),
            Node::List(items) => {
                let items = items.iter().filter_map(|item| self.node(item).transpose());
                Ok(Some(Node::List(items.collect::<Result<_>>()?)))
            }
            Node::Object(object) => self.object(object).map(Some),
            Node::Concatenation { pieces, line } => self.concatenation(pieces, *line),
            Node::Reference(reference) => self.once(node, |resolver| resolver.reference(reference, &[])),
            Node::Merge(stack) => self.once(node, |resolver| resolver.merge(node, stack, &[])),
        }
    }

    fn object(&mut self, object: &'a Object) -> Result<Node> {
        let mut entries = Entries::default();
        for (key, value) in &object.entries {
            if let Some(value) = self.node(value)? {
                entries.insert(key.clone(), value);
            }
        }
        Ok(Node::Object(Object { entries, is_closed: object.is_closed }))
    }

    fn concatenation(&mut self, pieces: &'a [Node], line: u32) -> Result<Option<Node>> {
        let pieces = pieces.iter().filter_map(|piece| self.node(piece).transpose()).collect::<Result<Vec<_>>>()?;
        let mut joined = concatenate(pieces).map_err(|message| problem(line, message))?;
        Ok(joined.pop())
    }

    /// Resolves a node unless it was already, with the same values hidden.
    fn once(
        &mut self,
        node: &'a Node,
        resolve: impl FnOnce(&mut Self) -> Result<Option<Node>>,
    ) -> Result<Option<Node>> {
        let name = (std::ptr::from_ref(node), self.hidden.clone());
        if let Some(known) = self.known.get(&name).cloned() {
            self.count(known.as_ref().map_or(1, Node::size))?;
            return Ok(known);
        }
        let cycles = self.cycles;
        let value = resolve(self)?;
        if cycles == self.cycles {
            self.known.insert(name, value.clone());
        }
        Ok(value)
    }

    /// Returns what a substitution names, or what stands there under further keys.
    fn reference(&mut self, reference: &'a Reference, keys: &[String]) -> Result<Option<Node>> {
        if self.open.iter().any(|open| std::ptr::eq(*open, reference)) {
            self.cycles += 1;
            let way: Vec<String> = self.open.iter().chain([&reference]).map(|open| open.to_string()).collect();
            return Err(Failure::Cycle(way.join(", ")));
        }
        let (open, hidden) = (self.open.len(), self.hidden.len());
        self.open.push(reference);
        let path: Vec<String> = reference.path.0.iter().chain(keys).cloned().collect();
        let found = self.look_up(&path);
        self.open.truncate(open);
        self.hidden.truncate(hidden);
        match found {
            Ok(None) if !reference.is_optional && keys.is_empty() => Err(unresolved(reference, &reference.to_string())),
            Err(Failure::Cycle(_)) if reference.is_optional => Ok(None),
            Err(Failure::Cycle(way)) => {
                let detail = format!("{reference} was part of a cycle of substitutions involving {way}");
                Err(unresolved(reference, &detail))
            }
            other => other,
        }
    }

    fn look_up(&mut self, path: &[String]) -> Result<Option<Node>> {
        let Some((first, rest)) = path.split_first() else { return Ok(None) };
        let found = match self.root.entries.get(first) {
            Some(node) => self.under(node, rest)?,
            None => None,
        };
        match (found, path) {
            (None, [name]) => Ok((self.variable)(name).map(Node::text)),
            (found, _) => Ok(found),
        }
    }

    /// Returns what stands under keys in a node, of which no more is resolved than that.
    fn under(&mut self, node: &'a Node, keys: &[String]) -> Result<Option<Node>> {
        let Some((first, rest)) = keys.split_first() else { return self.node(node) };
        match node {
            Node::Scalar(_) | Node::List(_) => Ok(None),
            Node::Object(object) => match object.entries.get(first) {
                Some(value) => with_room(|| self.under(value, rest)),
                None => Ok(None),
            },
            Node::Concatenation { .. } => Ok(self.node(node)?.and_then(|value| value.get_path(keys).cloned())),
            Node::Reference(reference) => with_room(|| self.reference(reference, keys)),
            Node::Merge(stack) => with_room(|| self.merge(node, stack, keys)),
        }
    }

    /// The values of one key over each other, or what they have under further keys.
    fn merge(&mut self, node: &'a Node, stack: &'a [Node], keys: &[String]) -> Result<Option<Node>> {
        let name = std::ptr::from_ref(node);
        let start = self.hidden.iter().rev().find(|(hidden, _)| *hidden == name).map_or(0, |(_, start)| *start);
        let mut merged: Option<Node> = None;
        for (index, value) in stack.iter().enumerate().skip(start) {
            let before = self.hidden.clone();
            if value.is_open() {
                self.hidden.retain(|(hidden, _)| *hidden != name);
                self.hidden.push((name, index + 1));
            }
            let found = self.under(value, keys);
            self.hidden = before;
            if let Some(found) = found? {
                let below = !matches!(found, Node::Object(_));
                merged = Some(match merged {
                    Some(over) => over.merge_over(found),
                    None => found,
                });
                if below {
                    break;
                }
            }
            if !keys.is_empty() && matches!(value, Node::Scalar(_) | Node::List(_)) {
                break;
            }
        }
        Ok(merged)
    }
}

fn unresolved(reference: &Reference, detail: &str) -> Failure {
    problem(reference.line, format!("Could not resolve substitution to a value: {detail}")).into()
}
