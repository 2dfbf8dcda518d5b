//! The deep merge: hashes entry by entry, arrays as sets, for all else the value that comes first.
//!
//! `source` comes before `target`. Ruby merges into the very objects it is given: a key that the target does not
//! have is merged with a copy of itself, so that its arrays lose their duplicates and what knocks out.

use pantin_base::stack;
use pantin_values::{Array, Hash, Value, ops};

use super::knockout::Knockout;
use super::order::sort;
use super::union;
use crate::trouble::Trouble;

#[derive(Debug)]
pub(super) struct DeepOptions {
    knockout: Option<Knockout>,
    keep_unmergeable: bool,
    sort_arrays: bool,
    merge_hash_arrays: bool,
    /// Of hiera.yaml 3 alone.
    overwrite_arrays: bool,
    extend_arrays: bool,
    split_arrays: Option<String>,
}

impl DeepOptions {
    pub(super) fn from_options(options: &Hash) -> Result<DeepOptions, Trouble> {
        let flag = |name| options.get_str(name).is_some_and(Value::is_truthy);
        let keep_unmergeable = flag("preserve_unmergeables");
        let knockout = match options.get_str("knockout_prefix") {
            None | Some(Value::Undef | Value::Boolean(false)) => None,
            Some(Value::String(prefix)) if prefix.is_empty() => {
                return Err(Trouble::ruby("knockout_prefix cannot be an empty string in deep_merge!"));
            }
            Some(_) if keep_unmergeable => {
                let message = "overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!";
                return Err(Trouble::ruby(message));
            }
            Some(prefix) => Some(Knockout::new(prefix)?),
        };
        let split_arrays = options.get_str("unpack_arrays").filter(|value| value.is_truthy()).map(ops::to_s);
        Ok(DeepOptions {
            knockout,
            keep_unmergeable,
            sort_arrays: flag("sort_merged_arrays"),
            merge_hash_arrays: flag("merge_hash_arrays"),
            overwrite_arrays: flag("overwrite_arrays"),
            extend_arrays: flag("extend_existing_arrays"),
            split_arrays,
        })
    }

    pub(super) fn merge(&self, source: &mut Value, target: Value) -> Result<Value, Trouble> {
        if source.is_undef() {
            return Ok(target);
        }
        if !target.is_truthy() && !self.keep_unmergeable {
            return Ok(source.clone());
        }
        match source {
            Value::Hash(entries) => stack::with_room(|| self.merge_hash(entries, target)),
            Value::Array(_) => stack::with_room(|| self.merge_array(source, target)),
            _ => match target {
                Value::Array(mut items) if self.extend_arrays => {
                    items.make_mut().push(source.clone());
                    Ok(Value::Array(items))
                }
                target => self.overwrite(source, target),
            },
        }
    }

    /// Returns a value merged with a copy of itself: what becomes of a key that the target does not have.
    fn merge_alone(&self, value: &mut Value) -> Result<Value, Trouble> {
        match value {
            Value::Hash(entries) => stack::with_room(|| {
                let mut merged = Hash::with_capacity(entries.len());
                for index in 0..entries.len() {
                    let Some((key, inner)) = entries.make_mut().get_index_mut(index) else { break };
                    merged.make_mut().insert(key.clone(), self.merge_itself(inner)?);
                }
                Ok(Value::Hash(merged))
            }),
            value => {
                let copy = value.clone();
                self.merge(value, copy)
            }
        }
    }

    /// Returns a value merged with the same object. For arrays that knock out, Ruby then deletes from the array it
    /// walks.
    fn merge_itself(&self, value: &mut Value) -> Result<Value, Trouble> {
        match value {
            Value::Undef | Value::Boolean(false) => Ok(value.clone()),
            Value::Hash(entries) => stack::with_room(|| {
                for index in 0..entries.len() {
                    let Some((_, inner)) = entries.make_mut().get_index_mut(index) else { break };
                    *inner = if inner.is_truthy() { self.merge_itself(inner)? } else { inner.clone() };
                }
                Ok(Value::Hash(entries.clone()))
            }),
            Value::Array(items) if !self.overwrite_arrays && self.split_arrays.is_none() => {
                if let Some(knockout) = &self.knockout {
                    knockout.clear_itself(items.make_mut());
                }
                let copy = items.to_vec();
                self.joined(items, copy)
            }
            value => {
                let copy = value.clone();
                self.merge(value, copy)
            }
        }
    }

    fn merge_hash(&self, source: &mut Hash, mut target: Value) -> Result<Value, Trouble> {
        // Ruby goes through the keys; an empty hash therefore changes nothing.
        let mut has_become_source = false;
        for index in 0..source.len() {
            let Some((key, inner)) = source.make_mut().get_index_mut(index) else { break };
            match &mut target {
                Value::Hash(entries) if has_become_source => {
                    if inner.is_truthy() {
                        let merged = self.merge_itself(inner)?;
                        entries.insert(key.clone(), merged.clone());
                        *inner = merged;
                    }
                }
                Value::Hash(entries) => {
                    let slot = entries.make_mut().get_or_insert_with(key, Value::default);
                    let present = std::mem::take(slot);
                    *slot = if present.is_truthy() { self.merge(inner, present)? } else { self.merge_alone(inner)? };
                }
                Value::Array(items) if self.extend_arrays => {
                    items.make_mut().push(Value::Hash(source.clone()));
                }
                _ if self.keep_unmergeable => {}
                _ => {
                    target = Value::Hash(source.clone());
                    has_become_source = true;
                }
            }
        }
        Ok(target)
    }

    fn merge_array(&self, source: &mut Value, mut target: Value) -> Result<Value, Trouble> {
        if self.overwrite_arrays {
            return Ok(source.clone());
        }
        if let Some(between) = &self.split_arrays {
            *source = split_again(source, between);
            if matches!(target, Value::Array(_)) {
                target = split_again(&target, between);
            }
        }
        let Value::Array(items) = source else { return Ok(target) };
        if let Some(knockout) = &self.knockout
            && items.iter().any(|item| knockout.is_bare(item))
        {
            target = clear(target);
            items.make_mut().retain(|item| !knockout.is_bare(item));
        }
        match target {
            Value::Array(mut present) => {
                if let Some(knockout) = &self.knockout {
                    knockout.clear(items, &mut present)?;
                }
                self.joined(items, present.to_vec())
            }
            target => self.overwrite(source, target),
        }
    }

    fn joined(&self, source: &mut Array, target: Vec<Value>) -> Result<Value, Trouble> {
        let all_hashes = |items: &[Value]| items.iter().all(|item| matches!(item, Value::Hash(_)));
        let mut joined = if self.merge_hash_arrays && all_hashes(source) && all_hashes(&target) {
            let mut list = Vec::with_capacity(source.len().max(target.len()));
            let present = target.len();
            for (index, target) in target.into_iter().enumerate() {
                list.push(match source.make_mut().get_mut(index) {
                    Some(source) => self.merge(source, target)?,
                    None => target,
                });
            }
            list.extend(source.iter().skip(present).cloned());
            list
        } else {
            union(&target, source).to_vec()
        };
        if self.sort_arrays {
            sort(&mut joined)?;
        }
        Ok(Value::Array(Array::new(joined)))
    }

    fn overwrite(&self, source: &mut Value, target: Value) -> Result<Value, Trouble> {
        if self.keep_unmergeable {
            return Ok(target);
        }
        let Some(knockout) = &self.knockout else { return Ok(source.clone()) };
        match source {
            Value::String(text) => {
                let knocks_out = knockout.strip_prefix(text)?.is_some();
                Ok(if knocks_out { "".into() } else { source.clone() })
            }
            Value::Array(items) => {
                let mut wrong = None;
                items.make_mut().retain(|item| match item.as_str().map(|text| knockout.matches(text)) {
                    Some(Ok(knocks_out)) => !knocks_out,
                    Some(Err(trouble)) => {
                        wrong = Some(trouble);
                        true
                    }
                    None => true,
                });
                wrong.map_or_else(|| Ok(source.clone()), Err)
            }
            other => Ok(other.clone()),
        }
    }
}

/// Ruby's `clear`, where the value has it.
fn clear(value: Value) -> Value {
    match value {
        Value::Array(_) => Value::array([]),
        Value::Hash(_) => Value::hash([]),
        Value::String(_) => "".into(),
        _ => Value::Undef,
    }
}

/// Returns the items joined to one text, and that split again.
fn split_again(value: &Value, between: &str) -> Value {
    fn push(out: &mut Vec<String>, items: &[Value]) {
        for item in items {
            match item {
                Value::Array(inner) => stack::with_room(|| push(out, inner)),
                other => out.push(ops::to_s(other)),
            }
        }
    }
    let Value::Array(items) = value else { return value.clone() };
    let mut texts = Vec::with_capacity(items.len());
    push(&mut texts, items);
    let joined = texts.join(between);
    let mut parts: Vec<&str> = match between {
        " " => joined.split_ascii_whitespace().collect(),
        _ => joined.split(between).collect(),
    };
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    Value::array(parts.into_iter().map(Value::from))
}
