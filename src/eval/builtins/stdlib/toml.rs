//! Hashes as TOML, in the way of the module's own writer: what is simple first, then tables, then arrays of tables.

use pantin_base::stack;
use pantin_values::sprintf::inspect;
use pantin_values::{Hash, Value};

use super::ordering::{compare, incomparable};
use super::ruby::{Result, fits, text_of};
use crate::builtins::older::no_method;

pub(super) fn toml(data: &Value) -> Result {
    let mut out = String::new();
    if let Value::Hash(entries) = data {
        visit(&mut out, entries, &[])?;
    }
    Ok(out.into())
}

/// The entries of a hash in the order of their keys.
#[derive(Default)]
struct Sorted<'h> {
    simple: Vec<(&'h Value, &'h Value)>,
    tables: Vec<(&'h Value, &'h Hash)>,
    arrays: Vec<(&'h Value, &'h [Value])>,
}

impl<'h> Sorted<'h> {
    fn from_entries(entries: &'h Hash) -> Result<Sorted<'h>> {
        let mut all: Vec<(&Value, &Value)> = entries.iter().collect();
        let mut wrong = None;
        all.sort_by(|(a, _), (b, _)| {
            compare(a, b).unwrap_or_else(|| {
                wrong.get_or_insert_with(|| incomparable(a, b));
                std::cmp::Ordering::Equal
            })
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let mut sorted = Sorted::default();
        for (key, value) in all {
            match value {
                Value::Hash(inner) => sorted.tables.push((key, inner)),
                Value::Array(items) if matches!(items.first(), Some(Value::Hash(_))) => {
                    sorted.arrays.push((key, items))
                }
                _ => sorted.simple.push((key, value)),
            }
        }
        Ok(sorted)
    }

    fn write(&self, out: &mut String, prefix: &[String]) -> Result<()> {
        for (key, value) in &self.simple {
            out.push_str(&format!("{} = {}\n", name(key)?, shown(value)));
        }
        let below = |key: &Value| -> Result<Vec<String>> {
            let mut path = prefix.to_vec();
            path.push(name(key)?);
            Ok(path)
        };
        for (key, inner) in &self.tables {
            visit(out, inner, &below(key)?)?;
        }
        for (key, items) in &self.arrays {
            let path = below(key)?;
            for item in *items {
                let Value::Hash(item) = item else { return Err(no_method("keys", item)) };
                out.push_str(&format!("[[{}]]\n", path.join(".")));
                stack::with_room(|| Sorted::from_entries(item)?.write(out, &path))?;
            }
        }
        Ok(())
    }
}

fn visit(out: &mut String, entries: &Hash, prefix: &[String]) -> Result<()> {
    let sorted = Sorted::from_entries(entries)?;
    if !prefix.is_empty() && (!sorted.simple.is_empty() || entries.is_empty()) {
        out.push_str(&format!("[{}]\n", prefix.join(".")));
    }
    stack::with_room(|| sorted.write(out, prefix))
}

fn name(key: &Value) -> Result<String> {
    let text = text_of(key);
    if fits(&text, "^[a-zA-Z0-9_-]*$")? {
        return Ok(text.to_string());
    }
    match key {
        Value::String(text) => Ok(format!("\"{}\"", text.replace("\"", "\\\""))),
        other => Err(no_method("gsub", other)),
    }
}

/// As Ruby shows it to a developer, but without the escapes that only Ruby needs.
fn shown(value: &Value) -> String {
    match value {
        Value::String(_) => inspect(value).replace("\\#$", "#$").replace("\\#@", "#@").replace("\\#{", "#{"),
        Value::Regexp(_) => inspect(&inspect(value).into()),
        other => inspect(other),
    }
}
