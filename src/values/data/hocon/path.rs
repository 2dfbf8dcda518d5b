//! Paths of keys: `a.b."c.d"`.

use std::fmt;

use super::scalar::quoted;
use super::tokens::Token;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Path(pub(super) Vec<String>);

impl Path {
    /// Returns the path that tokens spell; points outside of quotes part its keys.
    pub(super) fn spelled(tokens: &[Token]) -> Result<Path, String> {
        if tokens.is_empty() {
            return Err("Expecting a field name or path here, but got nothing".to_owned());
        }
        let mut keys = vec![Key::default()];
        for token in tokens {
            match token {
                Token::Blanks(_) => {}
                Token::Value(value) if value.is_quoted() => add(&mut keys, true, &value.text()),
                Token::Value(value) => add(&mut keys, false, &value.text()),
                Token::Text(text) => add(&mut keys, false, text),
                other => {
                    let advice = "(you can double-quote this token if you really want it here)";
                    return Err(format!("Token not allowed in path expression: {other} {advice}"));
                }
            }
        }
        if keys.iter().any(|key| key.text.is_empty() && !key.may_be_empty) {
            let advice = "(use quoted \"\" empty string if you want an empty element)";
            return Err(format!("path has a leading, trailing, or two adjacent period '.' {advice}"));
        }
        Ok(Path(keys.into_iter().map(|key| key.text).collect()))
    }
}

#[derive(Default)]
struct Key {
    text: String,
    may_be_empty: bool,
}

fn add(keys: &mut Vec<Key>, is_quoted: bool, text: &str) {
    let mut parts = text.split(|ch| ch == '.' && !is_quoted);
    if let (Some(key), Some(first)) = (keys.last_mut(), parts.next()) {
        key.text.push_str(first);
        key.may_be_empty |= is_quoted && key.text.is_empty();
    }
    keys.extend(parts.map(|part| Key { text: part.to_owned(), may_be_empty: false }));
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, key) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            let is_plain = !key.is_empty() && key.chars().all(|ch| ch.is_alphanumeric() || ch == '-' || ch == '_');
            f.write_str(&if is_plain { key.clone() } else { quoted(key) })?;
        }
        Ok(())
    }
}
