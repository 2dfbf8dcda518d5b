//! Values as the log shows them, and as texts.

use std::borrow::Cow;

use pantin_values::{Str, Value, format, ops};

/// Returns a value as the log shows it: texts and symbols in quotes, numbers bare, nothing for nothing.
pub fn display(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::Symbol(text) => format::literal(&Value::String(text.clone())).into(),
        // As Puppet shows a number that stands alone: 1.000000.
        Value::Float(_) => match format::string_new(value, &[]) {
            Ok(shown) => text(&shown).into_owned(),
            Err(_) => format::literal(value).into(),
        },
        Value::Array(_) | Value::Hash(_) => {
            let value = with_texts(value);
            match format::string_new(&value, &[Value::string("%#p")]) {
                Ok(shown) => text(&shown).into_owned(),
                Err(_) => format::literal(&value).into(),
            }
        }
        _ => format::literal(value).into(),
    }
}

/// Turns symbols inside a value into texts.
fn with_texts(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Symbol(text) => Cow::Owned(Value::String(text.clone())),
        Value::Array(items) => Cow::Owned(Value::array(items.iter().map(|item| with_texts(item).into_owned()))),
        Value::Hash(entries) => Cow::Owned(Value::hash(
            entries.iter().map(|(key, value)| (with_texts(key).into_owned(), with_texts(value).into_owned())),
        )),
        _ => Cow::Borrowed(value),
    }
}

/// Returns a value as Ruby's `to_s` does: texts and symbols bare.
pub fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Undef => Cow::Borrowed(""),
        Value::String(text) | Value::Symbol(text) => Cow::Borrowed(text),
        Value::Boolean(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
        Value::Integer(number) => Cow::Owned(number.to_string()),
        Value::Float(_) => Cow::Owned(ops::to_s(value).to_string()),
        Value::Array(_) | Value::Hash(_) => Cow::Owned(inspect(value)),
        other => match format::string_new(other, &[]) {
            Ok(Value::String(shown)) => Cow::Owned(shown.into()),
            _ => Cow::Owned(format::literal(other).into()),
        },
    }
}

/// Returns a value as Ruby's `inspect` does, for messages that quote what was given.
pub fn inspect(value: &Value) -> String {
    let mut out = String::new();
    push_inspected(&mut out, value);
    out
}

/// Writes a value behind a text as Ruby's `inspect` does.
pub(crate) fn push_inspected(out: &mut String, value: &Value) {
    match value {
        Value::Undef => out.push_str("nil"),
        Value::String(text) => pantin_base::inspect::push_quoted(out, text),
        Value::Symbol(text) => {
            out.push(':');
            out.push_str(text);
        }
        Value::Array(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                push_inspected(out, item);
            }
            out.push(']');
        }
        Value::Hash(entries) => {
            out.push('{');
            for (number, (key, value)) in entries.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                push_inspected(out, key);
                out.push_str("=>");
                push_inspected(out, value);
            }
            out.push('}');
        }
        other => out.push_str(&text(other)),
    }
}

/// Returns a symbol of Ruby's, as types have them for values that they know.
pub(crate) fn symbol(name: &'static str) -> Value {
    Value::Symbol(Str::from(name))
}

/// Returns true for the symbol or text of this name.
pub(crate) fn is_word(value: &Value, word: &str) -> bool {
    matches!(value, Value::Symbol(text) | Value::String(text) if text == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_values_in_the_words_of_the_language() {
        for (value, shown) in [
            (symbol("absent"), "'absent'"),
            (Value::string("it's"), "'it\\'s'"),
            (Value::Integer(4), "4"),
            (Value::Undef, ""),
            (Value::array([symbol("a"), Value::string("b")]), "['a', 'b']"),
            (Value::string("a\nb"), "\"a\\nb\""),
        ] {
            assert_eq!(display(&value), shown);
        }
    }

    #[test]
    fn inspection_is_rubys() {
        assert_eq!(inspect(&Value::array([Value::string("a"), Value::Integer(1), symbol("b")])), "[\"a\", 1, :b]");
    }
}
