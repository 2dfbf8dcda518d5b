//! The texts that eyaml decrypted for a node, and their hiding in what a person is shown.
//!
//! What code makes of such a text (a hash of it, its first letter) is not known for what it is.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use pantin_base::stack;
use pantin_values::{Str, Value};

/// What is shown in the place of such a text.
pub const DECRYPTED: &str = "[decrypted by eyaml]";

/// Of a shorter text the place in a longer one would say too much: all of that is hidden.
const SHORTEST_PART: usize = 4;

/// Each text once. They are shown by nothing, `Debug` included.
#[derive(Clone, Default)]
pub struct DecryptedTexts(Arc<[Str]>);

impl DecryptedTexts {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// For a store that seals them.
    pub fn texts(&self) -> &[Str] {
        &self.0
    }

    /// Returns the texts of both sets.
    #[must_use]
    pub fn union(&self, other: &DecryptedTexts) -> DecryptedTexts {
        if other.is_empty() || Arc::ptr_eq(&self.0, &other.0) {
            return self.clone();
        }
        self.0.iter().chain(other.0.iter()).cloned().collect()
    }

    /// The text with signs in the place of what was decrypted; `None`: nothing of it was.
    pub fn hide_in_text(&self, text: &str) -> Option<String> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for secret in &*self.0 {
            let places = text.match_indices(secret.as_str()).map(|(at, secret)| at..at + secret.len());
            let before = found.len();
            found.extend(places);
            if found.len() > before && secret.len() < SHORTEST_PART {
                return Some(DECRYPTED.to_owned());
            }
        }
        if found.is_empty() {
            return None;
        }
        found.sort_by_key(|range| range.start);
        let (mut hidden, mut end) = (String::with_capacity(text.len()), 0);
        for range in found {
            // Where two overlap, one sign stands for both.
            if range.start >= end {
                hidden.push_str(&text[end..range.start]);
                hidden.push_str(DECRYPTED);
            }
            end = end.max(range.end);
        }
        hidden.push_str(&text[end..]);
        Some(hidden)
    }

    /// The value with signs in the place of what was decrypted, at any depth; `None`: nothing of it was.
    pub fn hide(&self, value: &Value) -> Option<Value> {
        if self.is_empty() {
            return None;
        }
        let hide_or_keep = |value: &Value| self.hide(value).unwrap_or_else(|| value.clone());
        match value {
            Value::String(text) | Value::Unencoded(text) => self.hide_in_text(text).map(Value::from),
            Value::Array(items) => stack::with_room(|| {
                let has_any = items.iter().any(|item| self.hide(item).is_some());
                has_any.then(|| Value::array(items.iter().map(hide_or_keep)))
            }),
            Value::Hash(entries) => stack::with_room(|| {
                let has_any = entries.iter().any(|(key, value)| self.hide(key).or(self.hide(value)).is_some());
                let hidden = || entries.iter().map(|(key, value)| (hide_or_keep(key), hide_or_keep(value)));
                has_any.then(|| Value::hash(hidden()))
            }),
            // An object of a type is hidden as a whole.
            Value::Object(object) => stack::with_room(|| object.values.iter().any(|value| self.hide(value).is_some()))
                .then(|| DECRYPTED.into()),
            _ => None,
        }
    }
}

impl FromIterator<Str> for DecryptedTexts {
    fn from_iter<I: IntoIterator<Item = Str>>(texts: I) -> DecryptedTexts {
        let mut texts: Vec<Str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        texts.sort_unstable();
        texts.dedup();
        DecryptedTexts(texts.into())
    }
}

impl fmt::Debug for DecryptedTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecryptedTexts({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> DecryptedTexts {
        texts.iter().map(|text| Str::from(*text)).collect()
    }

    #[test]
    fn a_text_is_hidden_wherever_it_stands() {
        let hidden = |secrets: &[&str], text: &str| texts(secrets).hide_in_text(text);
        assert_eq!(hidden(&["hunter2"], "hunter"), None);
        assert_eq!(hidden(&["hunter2"], "hunter2").as_deref(), Some(DECRYPTED));
        assert_eq!(
            hidden(&["hunter2", "swordfish"], "a=hunter2\nb=swordfish\nc=hunter2 ").as_deref(),
            Some("a=[decrypted by eyaml]\nb=[decrypted by eyaml]\nc=[decrypted by eyaml] ")
        );
        // Nothing is left of two that overlap, or of one inside another.
        for secrets in [&["abcdef", "efghij"][..], &["abcd", "abcdefghij"], &["abcdefghij", "cdef"]] {
            assert_eq!(hidden(secrets, "<abcdefghij>").as_deref(), Some("<[decrypted by eyaml]>"), "{secrets:?}");
        }
        assert_eq!(hidden(&["abc"], "x abc y").as_deref(), Some(DECRYPTED));
        assert_eq!(hidden(&["größe"], "die größe").as_deref(), Some("die [decrypted by eyaml]"));
        assert_eq!(hidden(&[""], "any"), None);
    }

    #[test]
    fn a_value_is_hidden_at_any_depth() {
        let secrets = texts(&["hunter2"]).union(&texts(&["swordfish"]));
        let value = |one: &str, other: &str| {
            Value::array([Value::hash([("key".into(), one.into()), (other.into(), Value::from(1))]), "plain".into()])
        };
        assert_eq!(secrets.hide(&value("hunter2", "x swordfish")), Some(value(DECRYPTED, "x [decrypted by eyaml]")));
        assert_eq!(secrets.hide(&value("other", "other")), None);
        assert!(!format!("{secrets:?}").contains("hunter2"));
    }
}
