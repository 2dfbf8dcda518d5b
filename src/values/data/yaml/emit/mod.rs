//! Values as YAML, byte for byte as Ruby's `to_yaml` writes them: Psych's choice of styles, libyaml's layout.
//!
//! Only what data is made of can be written: a value that Ruby would write as one of its own objects is refused.

mod anchors;
mod scalar;
#[cfg(test)]
mod tests;
mod writer;

use pantin_base::stack;

use crate::{Binary, Value, ops, unencoded};
use anchors::{Anchors, Mark};
use scalar::Style;
use writer::Writer;

/// Returns the document of a value. `Err`: what cannot be written, in words that follow "a value of the type".
pub fn to_yaml(value: &Value) -> Result<String, String> {
    to_yaml_in(Layout::default(), value)
}

/// The same; an array or hash that stands in several places is written in the first, and named in the others.
pub fn to_yaml_with_anchors(value: &Value) -> Result<String, String> {
    document(Layout::default(), Anchors::from_value(value), value)
}

/// The same, laid out in another way.
pub fn to_yaml_in(layout: Layout, value: &Value) -> Result<String, String> {
    document(layout, Anchors::default(), value)
}

/// The same; a scalar whose text is chosen stands in double quotes, and keys in as few quotes as can be.
pub fn to_yaml_with_quotes(value: &Value, is_quoted: fn(&str) -> bool) -> Result<String, String> {
    let to = Writer::new(Layout::default());
    emitted(Emitter { to, indent: None, anchors: Anchors::default(), is_quoted: Some(is_quoted) }, value)
}

fn document(layout: Layout, anchors: Anchors, value: &Value) -> Result<String, String> {
    emitted(Emitter { to: Writer::new(layout), indent: None, anchors, is_quoted: None }, value)
}

fn emitted(mut emitter: Emitter, value: &Value) -> Result<String, String> {
    emitter.to.indicator("---", true, false, false);
    emitter.node(value, Around::Document)?;
    Ok(emitter.to.finish())
}

/// What a node stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Document,
    Sequence,
    Mapping,
    /// A key that stands before a colon on one line.
    Key,
}

struct Emitter {
    to: Writer,
    /// Of the collection that is written; none of the document.
    indent: Option<usize>,
    anchors: Anchors,
    /// Says of texts whether they are quoted where their style would not ask for it.
    is_quoted: Option<fn(&str) -> bool>,
}

/// How a document is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// How much deeper each level stands.
    pub step: usize,
    /// Behind this column a line is broken at its next blank.
    pub width: usize,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { step: 2, width: 80 }
    }
}

/// Longer keys are told by a question mark.
const KEY_BYTES: usize = 128;

impl Emitter {
    fn node(&mut self, value: &Value, around: Around) -> Result<(), String> {
        match self.anchors.mark(value) {
            None => {}
            Some(Mark::Anchor(number)) => self.to.indicator(&format!("&{number}"), true, false, false),
            Some(Mark::Alias(number)) => {
                self.to.indicator(&format!("*{number}"), true, false, false);
                return Ok(());
            }
        }
        match value {
            Value::Array(items) if items.is_empty() => self.to.indicator("[]", true, false, false),
            Value::Hash(entries) if entries.is_empty() => self.to.indicator("{}", true, false, false),
            Value::Array(items) => return stack::with_room(|| self.sequence(items, around)),
            Value::Hash(entries) => return stack::with_room(|| self.mapping(entries)),
            scalar => {
                let (text, mut style) = written(scalar)?;
                if let Some(is_quoted) = self.is_quoted {
                    style = match () {
                        () if around == Around::Key => Style::Plain,
                        () if is_quoted(&text) => Style::DoubleQuoted,
                        () => style,
                    };
                }
                if is_bytes(value) {
                    self.to.indicator("!binary", true, false, false);
                }
                if text == scalar::MERGE {
                    self.to.indicator("!!str", true, false, false);
                }
                // It is no text, though it stands in quotes.
                if value.is_undef() && around == Around::Key {
                    self.to.indicator("!", true, false, false);
                }
                let step = self.to.layout().step;
                let indent = self.indent.map_or(step, |indent| indent + step);
                scalar::write(&mut self.to, &text, style, indent, around == Around::Key);
            }
        }
        Ok(())
    }

    fn sequence(&mut self, items: &[Value], around: Around) -> Result<(), String> {
        let outer = self.indent;
        // Below a key, the items stand where the key stands.
        let is_beside = around == Around::Mapping && !self.to.is_at_indent();
        self.indent = Some(match outer {
            None => 0,
            Some(indent) if is_beside => indent,
            Some(indent) => indent + self.to.layout().step,
        });
        for item in items {
            self.to.new_line(self.indent.unwrap_or_default());
            self.to.indicator("-", true, false, true);
            self.node(item, Around::Sequence)?;
        }
        self.indent = outer;
        Ok(())
    }

    fn mapping(&mut self, entries: &crate::Hash) -> Result<(), String> {
        let outer = self.indent;
        self.indent = Some(outer.map_or(0, |indent| indent + self.to.layout().step));
        for (key, value) in entries.iter() {
            self.to.new_line(self.indent.unwrap_or_default());
            if is_simple(key)? {
                self.node(key, Around::Key)?;
                self.to.indicator(":", false, false, false);
            } else {
                self.to.indicator("?", true, false, true);
                self.node(key, Around::Mapping)?;
                self.to.new_line(self.indent.unwrap_or_default());
                self.to.indicator(":", true, false, true);
            }
            self.node(value, Around::Mapping)?;
        }
        self.indent = outer;
        Ok(())
    }
}

fn is_simple(key: &Value) -> Result<bool, String> {
    Ok(match key {
        Value::Array(items) => items.is_empty(),
        Value::Hash(entries) => entries.is_empty(),
        scalar => {
            let (text, _) = written(scalar)?;
            text.len() <= KEY_BYTES && !text.contains(scalar::is_break)
        }
    })
}

/// Returns a text in no encoding that is more than letters of ASCII.
fn is_bytes(value: &Value) -> bool {
    matches!(value, Value::Unencoded(letters) if !letters.is_ascii())
}

/// Returns the text of a scalar, and the style that Psych asks for.
fn written(value: &Value) -> Result<(String, Style), String> {
    Ok(match value {
        Value::Undef => (String::new(), Style::Plain),
        Value::Boolean(_) | Value::Integer(_) | Value::Large(_) => (ops::to_s(value).to_string(), Style::Plain),
        Value::Float(number) if number.is_nan() => (".nan".to_owned(), Style::Plain),
        Value::Float(number) if number.is_infinite() => {
            (if *number > 0.0 { ".inf" } else { "-.inf" }.to_owned(), Style::Plain)
        }
        Value::Float(_) => (ops::to_s(value).to_string(), Style::Plain),
        Value::Symbol(name) => (format!(":{name}"), Style::Plain),
        // A symbol, for Ruby.
        Value::Default => (":default".to_owned(), Style::Plain),
        Value::Unencoded(letters) if is_bytes(value) => {
            (Binary::new(&*unencoded::bytes(letters)).to_base64(), Style::Literal)
        }
        Value::String(text) | Value::Unencoded(text) => (text.to_string(), scalar::style_of(text)),
        other => return Err(crate::Type::infer(other).to_string()),
    })
}
