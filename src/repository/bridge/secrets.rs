//! Secrets that a worker was given: no error of that worker may show them.

use pantin_values::{Value, text};

#[derive(Debug, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Remembers what secrets in a value hold.
    pub(super) fn note(&mut self, value: &Value) {
        if value.holds_sensitive() {
            self.look(value, false);
        }
    }

    fn look(&mut self, value: &Value, is_secret: bool) {
        match value {
            Value::Sensitive(secret) => self.look(secret, true),
            Value::Array(items) => items.iter().for_each(|item| self.look(item, is_secret)),
            Value::Hash(entries) => {
                for (key, value) in entries.iter() {
                    self.look(key, is_secret);
                    self.look(value, is_secret);
                }
            }
            // Everybody knows these, and they say nothing.
            Value::Undef | Value::Default | Value::Symbol(_) | Value::Boolean(_) => {}
            value if is_secret => {
                let mut shown = String::new();
                text::push_text(&mut shown, value);
                if !shown.is_empty() {
                    self.0.push(shown);
                }
            }
            _ => {}
        }
    }

    pub(super) fn are_in(&self, text: &str) -> bool {
        // As Ruby shows a text, with its quotes and backslashes, it is there as well.
        self.0.iter().any(|secret| {
            let escaped = format!("{secret:?}");
            text.contains(secret.as_str()) || text.contains(escaped.trim_matches('"'))
        })
    }
}
