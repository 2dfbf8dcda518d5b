//! From a value to a part of it.

use pantin_values::{Value, ops, ruby_class, text};

use super::explain::{Origin, Step};
use super::search::{Search, SearchResult};
use super::trouble::Trouble;

/// The next part, `None` where there is none, or what a value cannot be asked.
pub(super) fn step(value: &Value, segment: &Value, key: &str) -> Result<Option<Value>, Trouble> {
    match (value, segment) {
        (Value::Undef, _) => Ok(None),
        (Value::Array(items), Value::Integer(index)) => {
            Ok(usize::try_from(*index).ok().and_then(|index| items.get(index)).cloned())
        }
        (Value::Hash(entries), segment) => Ok(entries.get(segment).cloned()),
        (Value::Integer(number), _) => Err(Trouble::ruby(format!("undefined method `include?' for {number}:Integer"))),
        (other, segment) => Err(Trouble::lookup(format!(
            "Data Provider type mismatch: Got {} when a hash-like object was expected to access value using '{}' from \
             key '{key}'",
            ruby_class(other),
            text::display(segment),
        ))),
    }
}

impl Search<'_> {
    /// Follows the segments of a key.
    pub(super) fn dig(&mut self, key: &str, segments: &[Value], value: Value) -> SearchResult {
        if segments.is_empty() {
            return Ok(Some(value));
        }
        let names = || segments.iter().map(ops::to_s).collect::<Vec<_>>().join(".");
        self.with_step(
            || Step::SubKey(names()),
            |search| {
                let mut value = value;
                for segment in segments {
                    let next = search.with_step(
                        || Step::Segment,
                        |search| {
                            let next = step(&value, segment, key)?;
                            let name = text::display(segment);
                            match &next {
                                Some(next) => {
                                    search.explain(|explainer| explainer.record_found(&name, next, Origin::Data));
                                }
                                None => search.explain(|explainer| explainer.record_not_found(&name)),
                            }
                            Ok(next)
                        },
                    )?;
                    match next {
                        Some(next) => value = next,
                        None => return Ok(None),
                    }
                }
                Ok(Some(value))
            },
        )
    }
}
