//! What an answer read of what is known of its node: variables of the top scope, by name and by the path into them.
//!
//! Facts change with every run of an agent, and an answer depends on a few of them. What was read is a list; whoever knows the
//! node today can say what stands there now.

use std::collections::BTreeMap;

use pantin_model::trace::{Answer, dig};
use pantin_values::sprintf::inspect;
use pantin_values::{Digest, Digester, Hash, Str, Value};
use rustc_hash::FxHashMap;

use super::node::NodeData;

/// How much of a value was looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sight {
    /// Whether it is there; of an array or a hash, that it is one; of all else, all of it.
    Outside,
    /// All of it, and in which order.
    Whole,
}

/// A value that was looked at: the name of a variable, and keys and indices that lead into it.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeRead {
    pub name: Str,
    pub path: Box<[Value]>,
    pub sight: Sight,
}

impl std::fmt::Display for NodeRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        self.path.iter().try_for_each(|key| match key {
            Value::String(name) => write!(f, ".{name}"),
            other => write!(f, ".{}", inspect(other)),
        })
    }
}

/// The variables of the top scope before any code has run.
#[derive(Clone, Debug)]
pub struct NodeVariables {
    /// Those that the server alone sets; they hide the others.
    reserved: [(&'static str, Value); 4],
    of_node: [Hash; 3],
}

/// Facts of these names end the compilation: only the server sets such variables. (One called `trusted` is hidden, and no error.)
pub const RESERVED_FACTS: [&str; 2] = ["facts", "server_facts"];

impl NodeVariables {
    pub fn new(node: &NodeData, environment: &str) -> NodeVariables {
        let reserved = [
            ("environment", environment.into()),
            ("trusted", Value::Hash(node.trusted.clone())),
            ("server_facts", Value::Hash(node.server_facts.clone())),
            ("facts", Value::Hash(node.facts.clone())),
        ];
        NodeVariables { reserved, of_node: node.variables() }
    }

    /// Returns the reserved variables, and those of parameters, facts and server facts.
    pub fn into_parts(self) -> ([(&'static str, Value); 4], [Hash; 3]) {
        (self.reserved, self.of_node)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        let reserved = self.reserved.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        reserved.or_else(|| self.of_node.iter().find_map(|known| known.get_str(name)))
    }

    /// Returns what stands where something was read.
    pub fn value(&self, read: &NodeRead) -> Option<&Value> {
        dig(self.get(&read.name)?, &read.path)
    }

    /// The digest of what is seen there.
    pub fn digest(&self, read: &NodeRead) -> Digest {
        let Some(whole) = self.get(&read.name) else { return Answer::Absent.digest() };
        match read.sight {
            Sight::Outside => Answer::of_part(whole, &read.path).digest(),
            Sight::Whole => Answer::of_whole(whole, &read.path).digest(),
        }
    }

    /// The digest of what holds before any code runs: the environment, what is said, and what fails. `node`: what these are the
    /// variables of.
    pub fn digest_of_beginning(&self, node: &NodeData, environment: &str) -> Digest {
        let mut digester = Digester::new(b"beginning of a node");
        digester.text(environment);
        for name in RESERVED_FACTS {
            digester.number(self.of_node.iter().filter(|known| known.get_str(name).is_some()).count() as u64);
        }
        for remark in node.clashes(environment) {
            digester.text(&remark.text);
        }
        digester.finish()
    }

    /// The digest of the names of all of them that are not undef.
    pub fn digest_of_names(&self) -> Digest {
        let of_node = self.of_node.iter().flat_map(Hash::iter);
        let names = of_node.filter_map(|(name, value)| Some((name.as_str()?, matches!(value, Value::Undef))));
        // The first of a name hides the others.
        let mut seen: BTreeMap<&str, bool> = BTreeMap::new();
        names.for_each(|(name, is_undef)| _ = seen.entry(name).or_insert(is_undef));
        let mut digester = Digester::new(b"names of a node's variables");
        for (name, is_undef) in seen {
            digester.text(name).number(u64::from(is_undef));
        }
        digester.finish()
    }
}

/// All that was read, while an answer is made.
#[derive(Clone, Default, Debug)]
pub struct NodeReads {
    by_name: FxHashMap<Str, ReadsOfName>,
    /// Whether the names of all variables were asked for.
    pub names: bool,
}

#[derive(Clone, Default, Debug)]
struct ReadsOfName {
    is_seen: bool,
    is_whole: bool,
    parts: FxHashMap<Box<[Value]>, Sight>,
}

impl NodeReads {
    /// Notes that something was looked at.
    pub fn note(&mut self, name: &str, path: &[Value], sight: Sight) {
        let reads = match self.by_name.get_mut(name) {
            Some(reads) => reads,
            None => self.by_name.entry(name.into()).or_default(),
        };
        match (path, sight) {
            _ if reads.is_whole => {}
            ([], Sight::Outside) => reads.is_seen = true,
            ([], Sight::Whole) => reads.is_whole = true,
            (path, sight) => match reads.parts.get_mut(path) {
                Some(known) => *known = (*known).max(sight),
                None => _ = reads.parts.insert(path.into(), sight),
            },
        }
    }

    /// Returns all of them, in an order that is always the same. What is seen anyway is left out.
    pub fn list(&self) -> Vec<NodeRead> {
        let of_name = |(name, reads): (&Str, &ReadsOfName)| reads.list(name);
        let mut all: Vec<NodeRead> = self.by_name.iter().flat_map(of_name).collect();
        all.sort_by_cached_key(|read| (read.to_string(), read.sight));
        all
    }
}

impl ReadsOfName {
    fn list(&self, name: &Str) -> Vec<NodeRead> {
        let read = |path: &[Value], sight| NodeRead { name: name.clone(), path: path.into(), sight };
        if self.is_whole {
            return vec![read(&[], Sight::Whole)];
        }
        let whether = self.is_seen.then(|| read(&[], Sight::Outside));
        whether.into_iter().chain(self.parts.iter().map(|(path, sight)| read(path, *sight))).collect()
    }
}
