//! From the tree of a document to values, as Psych's `safe_load` does it: tags, merge keys, aliases.
//!
//! A class of Ruby's that is not allowed is refused before what stands in it is looked at, and the first
//! refusal is the one that is told.

use std::sync::Arc;

use pantin_base::limits;
use pantin_base::stack::with_room;
use rustc_hash::FxHashMap;

use super::parser::{Content, Node};
use super::scalar::{self, Scalar};
use super::symbol;
use super::text::Mark;
use super::{Options, Symbols};
use crate::regex;
use crate::scalar::BinaryFormat;
use crate::{Binary, Hash, Regexp, Value};

/// Why there is no value.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Ruby's class is not among those that are allowed.
    Class(String),
    /// There is no such anchor.
    Alias(String),
    /// Ruby raises an error in these words, which tell no file.
    Ruby(String),
    /// What Ruby could read, and Pantin cannot.
    Unsupported(String, Mark),
}

type Result<T> = std::result::Result<T, Refusal>;

pub(super) fn build(root: &Node, options: Options<'_>) -> Result<Value> {
    let mut builder = Builder { options, anchors: FxHashMap::default(), opened: 0, size: 0 };
    builder.value(root)
}

/// What an anchor names.
enum Anchored {
    /// A collection that is being read, by the number it was opened with.
    Open(usize),
    /// A value, and how many values it holds.
    Done(Value, u64),
}

struct Builder<'a> {
    options: Options<'a>,
    anchors: FxHashMap<&'a str, Anchored>,
    opened: usize,
    /// How many values there are so far, those behind aliases included.
    size: u64,
}

/// Returns what stands as a key: `<<` merges unless a tag says that it is a text.
fn is_merge(key: &Node, value: &Value) -> bool {
    key.tag.as_deref() != Some("tag:yaml.org,2002:str") && value.as_str() == Some("<<")
}

fn unsupported<T>(what: &str, node: &Node) -> Result<T> {
    Err(Refusal::Unsupported(what.to_owned(), node.mark))
}

impl<'a> Builder<'a> {
    fn value(&mut self, node: &'a Node) -> Result<Value> {
        self.size += 1;
        match &node.content {
            Content::Alias(name) => self.alias(name, node),
            Content::Scalar { text, is_text } => {
                let value = self.scalar(node, text, *is_text)?;
                if let Some(name) = &node.anchor {
                    self.anchors.insert(name, Anchored::Done(value.clone(), 1));
                }
                Ok(value)
            }
            Content::Sequence(items) => with_room(|| self.sequence(node, items)),
            Content::Mapping(entries) => with_room(|| self.mapping(node, entries)),
        }
    }

    fn alias(&mut self, name: &str, node: &Node) -> Result<Value> {
        match self.anchors.get(name) {
            None => Err(Refusal::Alias(name.to_owned())),
            Some(Anchored::Open(_)) => unsupported("an alias of something that it stands in is not supported", node),
            Some(Anchored::Done(value, size)) => {
                self.size += size;
                if self.size > limits::ELEMENTS {
                    return unsupported(&format!("aliases stand for more than {} values", limits::ELEMENTS), node);
                }
                Ok(value.clone())
            }
        }
    }

    /// Reads a collection that an anchor may name.
    fn collect(&mut self, node: &'a Node, read: impl FnOnce(&mut Self) -> Result<Value>) -> Result<Value> {
        let Some(name) = &node.anchor else { return read(self) };
        self.opened += 1;
        let (number, before) = (self.opened, self.size);
        self.anchors.insert(name, Anchored::Open(number));
        let value = read(self)?;
        // The same name may have been given again within.
        if matches!(self.anchors.get(name.as_str()), Some(Anchored::Open(open)) if *open == number) {
            self.anchors.insert(name, Anchored::Done(value.clone(), self.size - before + 1));
        }
        Ok(value)
    }

    fn class(&self, name: &str) -> Result<()> {
        if self.options.classes.contains(&name) { Ok(()) } else { Err(Refusal::Class(name.to_owned())) }
    }

    fn symbol(&self, name: &str) -> Result<Value> {
        match self.options.symbols {
            Symbols::Refused => Err(Refusal::Class("Symbol".to_owned())),
            Symbols::Text => Ok(name.into()),
            Symbols::TextAsKey | Symbols::Kept => Ok(symbol::value(name)),
        }
    }

    fn resolved(&self, scalar: Scalar, node: &Node) -> Result<Value> {
        match scalar {
            Scalar::Value(value) => Ok(value),
            Scalar::Symbol(name) => self.symbol(&name),
            Scalar::Instance(class) => Err(Refusal::Class(class.to_owned())),
            Scalar::TooBig => unsupported("an integer of so many digits is not supported", node),
            Scalar::Wrong(message) => Err(Refusal::Ruby(message)),
        }
    }

    fn scalar(&mut self, node: &Node, text: &str, is_text: bool) -> Result<Value> {
        if is_text {
            return Ok(text.into());
        }
        let plain = || scalar::resolve(text);
        let Some(tag) = node.tag.as_deref() else { return self.resolved(plain(), node) };
        match tag {
            "!binary" | "tag:yaml.org,2002:binary" => binary(text),
            "!str" | "!ruby/string" | "tag:yaml.org,2002:str" => Ok(text.into()),
            "!float" | "tag:yaml.org,2002:float" => self.resolved(scalar::to_float(plain()), node),
            "!ruby/object:BigDecimal" | "!ruby/object:DateTime" | "!ruby/object:Complex" | "!ruby/object:Rational" => {
                Err(Refusal::Class(tag["!ruby/object:".len()..].to_owned()))
            }
            "!ruby/regexp" if self.options.regexps => match regexp(text) {
                Some(regexp) => Ok(regexp),
                None => unsupported("a regular expression that is not written as `/x/mix` is not supported", node),
            },
            "!ruby/regexp" => Err(Refusal::Class("Regexp".to_owned())),
            "!ruby/range" => Err(Refusal::Class("Range".to_owned())),
            "!ruby/class" | "!ruby/module" if text.is_empty() => Ok(Value::Undef),
            "!ruby/class" | "!ruby/module" => Err(Refusal::Class(text.to_owned())),
            "!ruby/encoding" => unsupported("an encoding as a value is not supported", node),
            _ if tag.starts_with("!ruby/sym") => self.symbol(text),
            _ => match tag.strip_prefix("!str:").or(tag.strip_prefix("!ruby/string:")) {
                Some("") => Ok(text.into()),
                Some(class) => Err(Refusal::Class(class.to_owned())),
                None => self.resolved(plain(), node),
            },
        }
    }

    fn sequence(&mut self, node: &'a Node, items: &'a [Node]) -> Result<Value> {
        let tag = node.tag.as_deref().unwrap_or_default();
        if let Some(class) = tag.strip_prefix("!seq:").or(tag.strip_prefix("!ruby/array:")) {
            return refuse_class(class, node);
        }
        if matches!(tag, "!omap" | "tag:yaml.org,2002:omap") {
            return self.collect(node, |builder| builder.ordered(items));
        }
        self.collect(node, |builder| {
            items
                .iter()
                .map(|item| builder.value(item))
                .collect::<Result<Vec<_>>>()
                .map(|items| Value::Array(items.into()))
        })
    }

    /// Returns a list of mappings, of each of which Psych takes the first key and the last value.
    fn ordered(&mut self, items: &'a [Node]) -> Result<Value> {
        let mut hash = Hash::default();
        for item in items {
            let ends = match &item.content {
                Content::Mapping(entries) => entries.first().zip(entries.last()),
                _ => None,
            };
            let Some(((key, _), (_, value))) = ends else {
                return unsupported("an ordered mapping of something else than single entries is not supported", item);
            };
            let key = self.value(key)?;
            hash.insert(key, self.value(value)?);
        }
        Ok(Value::Hash(hash))
    }

    fn mapping(&mut self, node: &'a Node, entries: &'a [(Node, Node)]) -> Result<Value> {
        if let Some(tag) = node.tag.as_deref() {
            self.check_mapping_tag(tag, node, entries)?;
        }
        let are_symbols_kept = self.options.symbols == Symbols::Kept;
        self.collect(node, |builder| {
            let mut hash = Hash::with_capacity(entries.len());
            for (key_node, value_node) in entries {
                let key = builder.value(key_node)?;
                let value = builder.value(value_node)?;
                if is_merge(key_node, &key) && merge(&mut hash, value_node, &value) {
                    continue;
                }
                let key = if are_symbols_kept { key } else { symbol::as_key(key) };
                hash.insert(key, value);
            }
            Ok(Value::Hash(hash))
        })
    }

    /// Whether a mapping with this tag is a hash, and not an instance of a class that is not allowed.
    fn check_mapping_tag(&mut self, tag: &str, node: &'a Node, entries: &'a [(Node, Node)]) -> Result<()> {
        let rest_of = |prefix: &str| tag.strip_prefix(prefix).map(|rest| rest.strip_prefix(':').unwrap_or(rest));
        if let Some(class) = rest_of("!ruby/struct") {
            return self.class(if class.is_empty() { "Struct" } else { class });
        }
        if let Some(class) = rest_of("!ruby/object") {
            return match class {
                "Hash" => Ok(()),
                "" => self.class("Object"),
                class => self.class(class),
            };
        }
        if let Some(class) = rest_of("!ruby/exception") {
            // Its parts are read before its class is looked at.
            for (key, value) in entries {
                self.value(key)?;
                self.value(value)?;
            }
            return self.class(if class.is_empty() { "Exception" } else { class });
        }
        match tag {
            "!ruby/range" => return self.class("Range"),
            "!set" | "tag:yaml.org,2002:set" => return self.class("Psych::Set"),
            "!omap" | "tag:yaml.org,2002:omap" => return self.class("Psych::Omap"),
            "!str" | "!ruby/string" | "tag:yaml.org,2002:str" => {
                return unsupported("a text written as a mapping is not supported", node);
            }
            "!ruby/hash-with-ivars" => return unsupported("a hash with instance variables is not supported", node),
            _ => {}
        }
        let of_class = ["!str:", "!ruby/string:", "!ruby/array:", "!ruby/hash-with-ivars:", "!map:", "!ruby/hash:"];
        match of_class.iter().chain(&["!ruby/marshalable:"]).find_map(|prefix| tag.strip_prefix(prefix)) {
            Some(class) => refuse_class(class, node).map(|_| ()),
            None => Ok(()),
        }
    }
}

/// From `/source/mix`.
fn regexp(text: &str) -> Option<Value> {
    let (source, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    let mut options = regex::Options::default();
    for flag in flags.chars() {
        match flag {
            'm' => options.multi_line = true,
            'i' => options.ignore_case = true,
            'x' => options.extended = true,
            _ => return None,
        }
    }
    Some(Value::Regexp(Arc::new(Regexp::new(source, options))))
}

fn refuse_class(class: &str, node: &Node) -> Result<Value> {
    if class.is_empty() {
        return unsupported("a tag that names no class is not supported", node);
    }
    Err(Refusal::Class(class.to_owned()))
}

/// Returns true if there was something to merge; else `<<` is a key like any other.
fn merge(hash: &mut Hash, node: &Node, value: &Value) -> bool {
    match (&node.content, value) {
        (Content::Alias(_) | Content::Mapping(_), Value::Hash(from)) => {
            from.iter().for_each(|(key, value)| hash.insert(key.clone(), value.clone()));
            true
        }
        (Content::Sequence(_), Value::Array(items)) => {
            let hashes = items.iter().rev().map(|item| match item {
                Value::Hash(hash) => Some(hash),
                _ => None,
            });
            let Some(hashes) = hashes.collect::<Option<Vec<_>>>() else { return false };
            let mut merged = Hash::default();
            let entries = hashes.into_iter().flat_map(Hash::iter);
            entries.for_each(|(key, value)| merged.insert(key.clone(), value.clone()));
            merged.iter().for_each(|(key, value)| hash.insert(key.clone(), value.clone()));
            true
        }
        _ => false,
    }
}

/// Texts are UTF-8: other bytes are none, though Ruby would hold them.
fn binary(text: &str) -> Result<Value> {
    let bytes = Binary::parse(text, BinaryFormat::Relaxed).map_err(|error| Refusal::Ruby(error.to_string()))?;
    match std::str::from_utf8(bytes.bytes()) {
        Ok(text) => Ok(text.into()),
        Err(_) => Ok(Value::Binary(bytes)),
    }
}
