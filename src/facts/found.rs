//! The facts that one source gives: structured ones, and the flat ones of old times.

use pantin_values::{Hash, Value};

/// The facts of one source.
#[derive(Default, Debug)]
pub(crate) struct Found {
    pub structured: Vec<(String, Value)>,
    pub legacy: Vec<(String, Value)>,
}

impl Found {
    /// Adds a structured fact, if it has a value.
    pub(crate) fn fact(&mut self, name: &str, value: Value) {
        if !value.is_undef() {
            self.structured.push((name.to_owned(), value));
        }
    }

    /// Adds a flat fact, if it has a value.
    pub(crate) fn legacy(&mut self, name: impl Into<String>, value: Value) {
        if !value.is_undef() {
            self.legacy.push((name.into(), value));
        }
    }

    /// Adds flat facts that are members of a hash: each with the name that it has in `names`.
    pub(crate) fn legacy_members(&mut self, value: &Value, names: &[(&str, &str)]) {
        let Value::Hash(hash) = value else { return };
        for (name, member) in names {
            self.legacy(*name, hash.get_str(member).cloned().unwrap_or_default());
        }
    }
}

/// A text, or nothing where there may be one.
pub(crate) trait Textual {
    fn into_value(self) -> Value;
}

impl Textual for &str {
    fn into_value(self) -> Value {
        Value::string(self)
    }
}

impl Textual for &String {
    fn into_value(self) -> Value {
        Value::string(self.as_str())
    }
}

impl Textual for String {
    fn into_value(self) -> Value {
        Value::string(self)
    }
}

impl<T: AsRef<str>> Textual for Option<T> {
    fn into_value(self) -> Value {
        self.map(|text| Value::string(text.as_ref())).unwrap_or_default()
    }
}

pub(crate) fn text(value: impl Textual) -> Value {
    value.into_value()
}

pub(crate) fn integer(value: u64) -> Value {
    i64::try_from(value).map(Value::Integer).unwrap_or(Value::Integer(i64::MAX))
}

/// Returns a hash of the members that have a value; nothing if none has.
pub(crate) fn hash<'n>(members: impl IntoIterator<Item = (&'n str, Value)>) -> Value {
    let present = members.into_iter().filter(|(_, value)| !value.is_undef());
    let hash: Hash = present.map(|(name, value)| (Value::string(name), value)).collect();
    if hash.is_empty() { Value::Undef } else { Value::Hash(hash) }
}

/// Returns a hash that is one even without anything in it.
pub(crate) fn table(members: Vec<(String, Value)>) -> Value {
    Value::hash(members.into_iter().map(|(name, value)| (Value::string(name), value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_is_left_out() {
        assert_eq!(hash([("a", Value::Undef)]), Value::Undef);
        let full = hash([("a", Value::Undef), ("b", text("x"))]);
        let mut found = Found::default();
        found.legacy_members(&full, &[("old_a", "a"), ("old_b", "b")]);
        assert_eq!(found.legacy, [("old_b".to_owned(), Value::from("x"))]);
    }
}
