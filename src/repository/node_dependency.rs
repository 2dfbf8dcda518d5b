//! What a stored answer depends on of what is known of its node: the facts that were read, and not the others.
//!
//! The digest of each value that was read is stored, and a short text of it for explanations. What code did not look at may be
//! another one today.

use pantin_apply::SYSTEM_FACTS;
use pantin_compile::catalog::Compilation;
use pantin_values::{Digest, Str, Value};
use pantin_world::{NodeData, NodeRead, NodeVariables, Sight};
use serde::{Deserialize, Serialize};

use crate::own_words::OwnWords;
use crate::persist::{decoded, encoded};

/// A longer text of a value is not stored.
const SHOWN: usize = 80;

/// What was read of a node, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NodeDependency {
    beginning: [u8; 16],
    /// The digest of the names of all variables, if they were asked for.
    names: Option<[u8; 16]>,
    values: Vec<StoredRead>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredRead {
    name: String,
    path: Vec<StoredKey>,
    is_whole: bool,
    digest: [u8; 16],
    /// Empty where it is long, or may not be told.
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
enum StoredKey {
    Name(String),
    Index(i64),
}

/// Something that is known of a node, and is not as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeChange {
    /// As `facts.os.family`.
    pub name: String,
    /// `None`: it is long, or may not be told.
    pub was: Option<String>,
    pub is: Option<String>,
}

/// Returns what of a node's variables says which system it has: which resources its agent takes depends on it.
fn system_reads() -> impl Iterator<Item = NodeRead> {
    SYSTEM_FACTS.iter().map(|path| NodeRead {
        name: "facts".into(),
        path: path.iter().map(|name| Value::from(*name)).collect(),
        sight: Sight::Whole,
    })
}

impl NodeDependency {
    pub(crate) fn new(compiled: &Compilation, node: &NodeData, environment: &str) -> NodeDependency {
        let variables = NodeVariables::new(node, environment);
        let mut reads = compiled.node_reads.list();
        reads.extend(OwnWords::reads());
        reads.extend(system_reads());
        let store = |read: NodeRead| {
            let (path, read) = stored_path(read);
            StoredRead {
                name: read.name.to_string(),
                path,
                is_whole: read.sight == Sight::Whole,
                digest: *variables.digest(&read).bytes(),
                text: Some(variables.value(&read)).filter(|_| !compiled.is_secret).and_then(shown).unwrap_or_default(),
            }
        };
        NodeDependency {
            beginning: *variables.digest_of_beginning(node, environment).bytes(),
            names: compiled.node_reads.names.then(|| *variables.digest_of_names().bytes()),
            values: reads.into_iter().map(store).collect(),
        }
    }

    /// Returns the dependency behind a mark of all that is known of the node: `known` is its digest, where no file of
    /// its own says it.
    pub(crate) fn to_bytes(&self, known: Option<Digest>) -> Option<Vec<u8>> {
        Some([mark(known).as_slice(), &encoded(self)?].concat())
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<NodeDependency> {
        decoded(bytes.get(MARK..)?)
    }

    /// Returns true if all that is known of the node is as it was, as far as that is told without reading a file of its
    /// own.
    pub(crate) fn is_known_as_before(bytes: &[u8], known: Option<Digest>) -> bool {
        bytes.get(..MARK).is_some_and(|marked| marked == mark(known))
    }

    /// Returns all that was read; nothing if the names of all variables were asked for: that is all of them.
    pub(crate) fn reads(&self) -> Option<Vec<NodeRead>> {
        self.names.is_none().then(|| self.values.iter().map(StoredRead::read).collect())
    }

    /// Returns true if all that was read is as it was.
    pub(crate) fn holds(&self, node: &NodeData, environment: &str) -> bool {
        self.changes(node, environment).is_empty()
    }

    /// Returns what of that is not as it was.
    pub(crate) fn changes(&self, node: &NodeData, environment: &str) -> Vec<NodeChange> {
        let variables = NodeVariables::new(node, environment);
        let changed = |name: &str| NodeChange { name: name.to_owned(), was: None, is: None };
        let mut changes = Vec::new();
        if self.beginning != *variables.digest_of_beginning(node, environment).bytes() {
            changes.push(changed("which names of facts are taken"));
        }
        if self.names.is_some_and(|names| names != *variables.digest_of_names().bytes()) {
            changes.push(changed("which facts there are"));
        }
        for stored in self.values.iter().filter(|stored| !stored.holds(&variables)) {
            let read = stored.read();
            let is = Some(variables.value(&read)).filter(|_| !stored.text.is_empty()).and_then(shown);
            let was = Some(stored.text.clone()).filter(|text| !text.is_empty());
            changes.push(NodeChange { name: read.to_string(), was, is });
        }
        changes
    }
}

/// How many bytes a mark has.
const MARK: usize = 17;

fn mark(known: Option<Digest>) -> [u8; MARK] {
    let mut mark = [0; MARK];
    if let Some(known) = known {
        mark[0] = 1;
        mark[1..].copy_from_slice(known.bytes());
    }
    mark
}

impl StoredRead {
    fn read(&self) -> NodeRead {
        NodeRead {
            name: Str::from(self.name.as_str()),
            path: self.path.iter().map(StoredKey::value).collect(),
            sight: if self.is_whole { Sight::Whole } else { Sight::Outside },
        }
    }

    fn holds(&self, variables: &NodeVariables) -> bool {
        self.digest == *variables.digest(&self.read()).bytes()
    }
}

impl StoredKey {
    fn from_value(key: &Value) -> Option<StoredKey> {
        match key {
            Value::String(name) => Some(StoredKey::Name(name.to_string())),
            Value::Integer(index) => Some(StoredKey::Index(*index)),
            _ => None,
        }
    }

    fn value(&self) -> Value {
        match self {
            StoredKey::Name(name) => Value::from(name.as_str()),
            StoredKey::Index(index) => Value::from(*index),
        }
    }
}

/// The path of a read as it is stored, with what is read by that: behind a key of another kind all counts.
fn stored_path(read: NodeRead) -> (Vec<StoredKey>, NodeRead) {
    let path: Vec<StoredKey> = read.path.iter().map_while(StoredKey::from_value).collect();
    if path.len() == read.path.len() {
        return (path, read);
    }
    let shorter = NodeRead { path: read.path[..path.len()].into(), sight: Sight::Whole, ..read };
    (path, shorter)
}

/// Returns a short text of a value; of what is not there, that.
fn shown(value: Option<&Value>) -> Option<String> {
    let Some(value) = value else { return Some("nothing".to_owned()) };
    let is_short = match value {
        Value::Hash(entries) => entries.len() <= 4,
        Value::Array(items) => items.len() <= 8,
        Value::String(text) => text.len() <= SHOWN,
        _ => true,
    };
    is_short.then(|| pantin_values::sprintf::inspect(value)).filter(|text| text.len() <= SHOWN)
}
