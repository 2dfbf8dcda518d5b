//! Which code of a node uses a fact, a key of the data, or a file: bodies of classes, defined types, node blocks and the site
//! manifests, each with the place. It must not know what came of it, nor how it is stored.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use pantin_base::nearest;
use pantin_hiera::split;
use pantin_model::evaluation::{
    EvaluationId, EvaluationKind, ExpressionKind, NodeVariable, VariableHolder, VariableRead,
};
use pantin_model::trace::dig;
use pantin_values::{Hash, Value, ops};
use pantin_world::{NodeRead, Sight};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::Provenance;
use super::reason::SourcePlace;

/// What code may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UsedThing {
    /// `os.family`
    Fact(String),
    Key(String),
    /// A file of code, of data, a template or another file that is read, or a folder with such.
    Path(PathBuf),
}

/// A place in the code of a node that uses something.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CodeUse {
    /// The resource in whose body it is.
    pub body: String,
    pub place: Option<SourcePlace>,
    pub code: Option<String>,
    /// The key that is looked up, where the data comes between the code and what it uses.
    pub key: Option<String>,
}

impl UsedThing {
    /// Returns the keys that lead to a fact.
    fn fact_path(text: &str) -> Vec<String> {
        let parts = split(text).unwrap_or_default();
        parts.iter().map(|part| ops::to_s(part).to_string()).collect()
    }

    /// Returns true if whoever read this of a node may use it. What only a file says is not known by that.
    pub(crate) fn may_be_used_by(&self, read: &NodeRead) -> bool {
        let UsedThing::Fact(fact) = self else { return true };
        let (read_path, fact) = (path_in_facts(&read.name, &read.path), UsedThing::fact_path(fact));
        // Whoever only saw that a hash is one used no part of it.
        let is_part = read.sight == Sight::Whole || read_path.len() >= fact.len();
        is_part && is_same_way(&read_path, &fact)
    }

    /// Returns the facts among these things that are not among a node's, each with one that was probably meant.
    pub(crate) fn missing_facts(things: &[UsedThing], facts: &Hash) -> Vec<(String, Option<String>)> {
        let missing = things.iter().filter_map(|thing| {
            let UsedThing::Fact(fact) = thing else { return None };
            let mut value = Some(Value::Hash(facts.clone()));
            let mut walked: Vec<String> = Vec::new();
            for key in UsedThing::fact_path(fact) {
                let index = key.parse().map_or_else(|_| Value::from(key.as_str()), Value::Integer);
                let next = value.as_ref().and_then(|value| dig(value, std::slice::from_ref(&index)).cloned());
                if next.is_none() {
                    let Some(Value::Hash(known)) = &value else { return Some((fact.clone(), None)) };
                    let near = nearest(&key, known.iter().filter_map(|(name, _)| name.as_str()));
                    let near =
                        near.map(|near| walked.iter().map(String::as_str).chain([near]).collect::<Vec<_>>().join("."));
                    return Some((fact.clone(), near));
                }
                walked.push(key);
                value = next;
            }
            None
        });
        missing.collect()
    }
}

/// All that the code of a node uses.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CodeUses {
    /// Each once, in the order in which the node came by.
    places: Vec<CodeUse>,
    /// What is used, each with the index of the place.
    used: Vec<(Used, usize)>,
    /// Why the node has no catalog. What the code behind the error would use is not known.
    pub failure: Option<String>,
}

/// Something that code has used.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Used {
    /// The keys that lead to it, from the hash of all facts.
    Fact(Vec<String>),
    /// A key of data, with the files that have a value for it.
    Key {
        key: String,
        files: Vec<String>,
    },
    File(String),
}

impl CodeUses {
    /// Returns the code that uses any of these things, each place once.
    pub fn users_of(&self, things: &[UsedThing]) -> Vec<CodeUse> {
        let wanted: Vec<Wanted<'_>> = things.iter().map(Wanted::new).collect();
        let is_wanted = |used: &Used| wanted.iter().any(|wanted| wanted.fits(used));
        let places: BTreeSet<usize> =
            self.used.iter().filter(|(used, _)| is_wanted(used)).map(|(_, place)| *place).collect();
        places.into_iter().map(|place| self.places[place].clone()).collect()
    }

    /// Returns true if every index of a place is one: what was read from the disk may be anything.
    pub(crate) fn is_sound(&self) -> bool {
        self.used.iter().all(|(_, place)| *place < self.places.len())
    }
}

/// A thing that somebody asks about, ready to be compared.
enum Wanted<'t> {
    Fact(Vec<String>),
    Key(&'t str),
    Path(&'t Path),
}

impl Wanted<'_> {
    fn new(thing: &UsedThing) -> Wanted<'_> {
        match thing {
            UsedThing::Fact(fact) => Wanted::Fact(UsedThing::fact_path(fact)),
            UsedThing::Key(key) => Wanted::Key(key),
            UsedThing::Path(path) => Wanted::Path(path),
        }
    }

    fn fits(&self, used: &Used) -> bool {
        match (self, used) {
            (Wanted::Fact(fact), Used::Fact(path)) => is_same_way(path, fact),
            (Wanted::Key(wanted), Used::Key { key, .. }) => key == wanted,
            (Wanted::Path(path), Used::Key { files, .. }) => files.iter().any(|file| Path::new(file).starts_with(path)),
            (Wanted::Path(path), Used::File(file)) => Path::new(file).starts_with(path),
            (Wanted::Fact(_), Used::Key { .. } | Used::File(_))
            | (Wanted::Key(_), Used::Fact(_) | Used::File(_))
            | (Wanted::Path(_), Used::Fact(_)) => false,
        }
    }
}

impl Provenance {
    /// Collects what the code of the node uses.
    pub(crate) fn code_uses(&self) -> CodeUses {
        let mut places: IndexSet<CodeUse, FxBuildHasher> = IndexSet::default();
        let mut used: IndexSet<(Used, usize), FxBuildHasher> = IndexSet::default();
        for (id, evaluation) in self.record.iter() {
            let found = match &evaluation.kind {
                EvaluationKind::Read(read) if is_part_of_fact(read) => {
                    Some(Used::Fact(path_in_facts(&read.name, &self.read_path(id, read))))
                }
                EvaluationKind::Lookup(lookup) => {
                    let origins = lookup.origins.iter().chain(&lookup.overridden);
                    let files = origins.filter_map(|origin| origin.file.clone()).collect();
                    Some(Used::Key { key: lookup.key.to_string(), files })
                }
                EvaluationKind::Run { unit, is_lambda: false, .. } => {
                    unit.source.name().map(|file| Used::File(file.to_owned()))
                }
                EvaluationKind::File { path } => Some(Used::File(path.to_string())),
                _ => None,
            };
            if let Some(found) = found {
                let (place, _) = places.insert_full(self.code_use(id));
                used.insert((found, place));
            }
        }
        CodeUses {
            places: places.into_iter().collect(),
            used: used.into_iter().collect(),
            failure: self.failure.as_ref().map(|failure| failure.text.clone()),
        }
    }

    /// Returns the way to the part of a fact that a read is about: `$facts.dig('os', 'family')` reads no more than
    /// that.
    fn read_path(&self, id: EvaluationId, read: &VariableRead) -> Vec<Value> {
        let mut path = read.path.to_vec();
        let call = self.record.ancestors(id).skip(1).take(2).find_map(|around| match &self.record.get(around).kind {
            EvaluationKind::Expression { kind: ExpressionKind::Call { name, arguments }, .. } if name == "dig" => {
                Some((around, arguments))
            }
            _ => None,
        });
        if let Some((call, arguments)) = call {
            for argument in arguments.iter().skip(1) {
                let value = self.record.expression_below(call, *argument);
                let Some(value) = value.and_then(|value| self.record.get(value).value.clone()) else { break };
                path.push(value);
            }
        }
        path
    }

    fn code_use(&self, id: EvaluationId) -> CodeUse {
        let lookup = self.record.ancestors(id).find_map(|id| match &self.record.get(id).kind {
            EvaluationKind::Lookup(lookup) => Some((id, lookup.key.to_string())),
            _ => None,
        });
        // What the data reads is a matter of whoever looks the key up.
        let asker = lookup.as_ref().map_or(id, |(id, _)| *id);
        let expression = self.record.ancestors(asker).skip(1).take_while(|id| !self.is_body(*id)).find_map(|id| {
            let at = self.record.get(id).at()?;
            Some((id, at))
        });
        let place = match &expression {
            Some((_, at)) => Some(SourcePlace::from_at(at)),
            None => self.record.body_around(asker).and_then(|(_, resource)| self.definition_place(resource)),
        };
        CodeUse {
            body: self.body_text(asker),
            place,
            code: expression.and_then(|(id, _)| self.explainer().code(id)),
            key: lookup.map(|(_, key)| key),
        }
    }

    fn is_body(&self, id: EvaluationId) -> bool {
        matches!(self.record.get(id).kind, EvaluationKind::Body { .. })
    }
}

/// Returns true if a read is one of a fact or of a part of it, and not only a look at what kind of value a container is.
fn is_part_of_fact(read: &VariableRead) -> bool {
    !read.is_container && read.holder == VariableHolder::Node(NodeVariable::Fact)
}

/// Returns the keys that lead to what was read, from the hash of all facts: a fact is a variable too.
fn path_in_facts(name: &str, path: &[Value]) -> Vec<String> {
    let keys = path.iter().map(|key| ops::to_s(key).to_string());
    match name.trim_start_matches("::") {
        "facts" => keys.collect(),
        name => std::iter::once(name.to_owned()).chain(keys).collect(),
    }
}

/// Returns true if one of them leads on from where the other one leads.
fn is_same_way(read: &[String], asked: &[String]) -> bool {
    read.iter().zip(asked).all(|(read, asked)| read == asked)
}
