//! Which code of a node uses a fact, a key of the data, or a file: bodies of classes, defined types, node blocks and the site
//! manifests, each with the place. It must not know what came of it.

use std::path::{Path, PathBuf};

use pantin_base::nearest;
use pantin_hiera::split;
use pantin_model::evaluation::{
    DataOrigin, EvaluationId, EvaluationKind, ExpressionKind, NodeVariable, VariableHolder, VariableRead,
};
use pantin_model::trace::dig;
use pantin_values::{Hash, Value, ops};
use pantin_world::{NodeRead, Sight};

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeUse {
    /// The resource in whose body it is.
    pub body: String,
    pub place: Option<SourcePlace>,
    pub code: Option<String>,
    /// The key that is looked up, where the data comes between the code and what it uses.
    pub key: Option<String>,
}

impl UsedThing {
    /// The keys that lead to a fact.
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

impl Provenance {
    /// The code that uses any of these things, each place once, in the order in which the node came by.
    pub fn uses(&self, things: &[UsedThing]) -> Vec<CodeUse> {
        let facts: Vec<Vec<String>> = things
            .iter()
            .filter_map(|thing| match thing {
                UsedThing::Fact(fact) => Some(UsedThing::fact_path(fact)),
                _ => None,
            })
            .collect();
        let is_asked =
            |path: &Path| things.iter().any(|thing| matches!(thing, UsedThing::Path(asked) if path.starts_with(asked)));
        let mut uses: Vec<CodeUse> = Vec::new();
        for (id, evaluation) in self.record.iter() {
            let found = match &evaluation.kind {
                EvaluationKind::Read(read) => {
                    !facts.is_empty() && {
                        let path = self.read_path(id, read);
                        facts.iter().any(|fact| reads_fact(read, &path, fact))
                    }
                }
                EvaluationKind::Lookup(lookup) => {
                    let is_from =
                        |origin: &DataOrigin| origin.file.as_deref().is_some_and(|file| is_asked(file.as_ref()));
                    things.iter().any(|thing| matches!(thing, UsedThing::Key(key) if lookup.key == *key))
                        || lookup.origins.iter().chain(&lookup.overridden).any(is_from)
                }
                EvaluationKind::Run { unit, is_lambda: false, .. } => {
                    unit.source.name().is_some_and(|file| is_asked(file.as_ref()))
                }
                EvaluationKind::File { path } => is_asked(path.as_str().as_ref()),
                _ => false,
            };
            if found {
                let used = self.code_use(id);
                if !uses.contains(&used) {
                    uses.push(used);
                }
            }
        }
        uses
    }

    /// Those of the facts that the node does not have, each with one that was probably meant.
    pub fn missing_facts(&self, things: &[UsedThing]) -> Vec<(String, Option<String>)> {
        UsedThing::missing_facts(things, &self.inputs.prepared.node.facts)
    }

    /// The way to the part of a fact that a read is about: `$facts.dig('os', 'family')` reads no more than that.
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

/// Whether the value of a read has anything to do with a fact: one of them is a part of the other.
fn reads_fact(read: &VariableRead, path: &[Value], fact: &[String]) -> bool {
    if read.is_container || read.holder != VariableHolder::Node(NodeVariable::Fact) {
        return false;
    }
    is_same_way(&path_in_facts(&read.name, path), fact)
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
