//! The shapes in which facts are handed over, and their detection.
//!
//! A plain hash of facts; `{"name": …, "values": …}`, also as the object that a Puppet server keeps; and the
//! answers of PuppetDB: a list of facts, the inventory, factsets.

use pantin_values::{Array, Hash, Str, Value};

use super::NodeFacts;
use crate::node::trusted_facts;

pub(super) enum Shape {
    One(Option<Str>, Box<NodeFacts>),
    Many(Vec<(Str, NodeFacts)>),
}

/// `Err`: what it is instead of facts.
pub(super) fn from_value(value: Value) -> Result<Shape, String> {
    match value {
        Value::Hash(hash) => {
            if let Some(node) = facts_from_inventory(&hash)? {
                let (name, known) = node;
                return Ok(Shape::One(Some(name), Box::new(known)));
            }
            let (name, known) = match enveloped(&hash) {
                Some((name, facts)) => {
                    let trusted = name.as_ref().and_then(|name| trusted_of(&hash, name));
                    (name, NodeFacts { facts: facts.clone(), trusted, ..NodeFacts::default() })
                }
                None => (None, NodeFacts { facts: hash, ..NodeFacts::default() }),
            };
            named_by_texts(&known.facts)?;
            Ok(Shape::One(name, Box::new(known)))
        }
        Value::Array(items) => of_list(&items),
        other => Err(format!("it holds no hash of names and values, but {}", kind(&other))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Undef => "nothing",
        Value::String(_) => "a text",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "a truth value",
        Value::Array(_) => "a list",
        _ => "something else",
    }
}

/// What stands beside the values in what a server keeps; what the certificate said may be put there too.
const ENVELOPE: [&str; 6] = ["name", "values", "timestamp", "_timestamp", "expiration", "trusted"];

fn enveloped(hash: &Hash) -> Option<(Option<Str>, &Hash)> {
    let Some(Value::Hash(values)) = hash.get_str("values") else { return None };
    let is_envelope = hash.keys().all(|key| key.as_str().is_some_and(|key| ENVELOPE.contains(&key)));
    is_envelope.then(|| (hash.get_str("name").and_then(Value::as_str).map(Str::from), values))
}

/// Returns all that is trusted, or the extensions alone: what else there is follows from the name.
fn trusted_of(hash: &Hash, name: &str) -> Option<Hash> {
    let Some(Value::Hash(given)) = hash.get_str("trusted") else { return None };
    match given.get_str("extensions") {
        Some(Value::Hash(extensions)) if given.get_str("certname").is_none() => {
            Some(trusted_facts(name, extensions.clone()))
        }
        _ => Some(given.clone()),
    }
}

/// `{"certname": …, "facts": {…}, "trusted": {…}}`; a factset has `{"data": [{"name": …, "value": …}]}` for facts.
fn facts_from_inventory(hash: &Hash) -> Result<Option<(Str, NodeFacts)>, String> {
    let (Some(Value::String(name)), Some(Value::Hash(facts))) = (hash.get_str("certname"), hash.get_str("facts"))
    else {
        return Ok(None);
    };
    let facts = match facts.get_str("data") {
        Some(Value::Array(data)) if facts.get_str("href").is_some() || facts.len() == 1 => {
            let named = data.iter().map(|fact| match fact {
                Value::Hash(fact) => Ok((member(fact, "name")?, member(fact, "value")?)),
                other => Err(format!("a fact of {name} is {}", kind(other))),
            });
            named.collect::<Result<Hash, String>>()?
        }
        _ => facts.clone(),
    };
    named_by_texts(&facts)?;
    let trusted = match hash.get_str("trusted") {
        Some(Value::Hash(trusted)) if !trusted.is_empty() => Some(trusted.clone()),
        _ => None,
    };
    let environment = hash.get_str("environment").and_then(Value::as_str).map(str::to_owned);
    Ok(Some((name.clone(), NodeFacts { facts, trusted, environment })))
}

fn of_list(items: &Array) -> Result<Shape, String> {
    let mut nodes: Vec<(Str, NodeFacts)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Value::Hash(hash) = item else {
            return Err(format!("element {} of the list is {}", index + 1, kind(item)));
        };
        if let Some(node) = facts_from_inventory(hash)? {
            nodes.push(node);
            continue;
        }
        let wrong = |name: String| format!("element {} of the list is no answer of PuppetDB: {name}", index + 1);
        let (Value::String(certname), Value::String(name)) =
            (member(hash, "certname").map_err(wrong)?, member(hash, "name").map_err(wrong)?)
        else {
            return Err(wrong("its name is no text".to_owned()));
        };
        let value = member(hash, "value").map_err(wrong)?;
        // Facts of one node stand together, most of the time.
        let known = match nodes.iter_mut().rev().find(|(node, _)| *node == certname) {
            Some((_, known)) => known,
            None => {
                nodes.push((certname, NodeFacts::default()));
                let Some((_, known)) = nodes.last_mut() else { continue };
                known.environment = hash.get_str("environment").and_then(Value::as_str).map(str::to_owned);
                known
            }
        };
        known.facts.insert(Value::String(name), value);
    }
    if nodes.is_empty() {
        return Err("the list is empty".to_owned());
    }
    Ok(Shape::Many(nodes))
}

fn member(hash: &Hash, name: &str) -> Result<Value, String> {
    hash.get_str(name).cloned().ok_or_else(|| format!("it has no '{name}'"))
}

fn named_by_texts(facts: &Hash) -> Result<(), String> {
    match facts.keys().find(|key| key.as_str().is_none()) {
        Some(key) => Err(format!("the name of a fact is {}", kind(key))),
        None => Ok(()),
    }
}
