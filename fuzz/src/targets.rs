//! What each fuzz target does with its bytes, and what must hold whatever they are.
//!
//! Shared by cargo fuzz and by the test binary, which runs every target on its seeds and on
//! mutations of them. A target panics when an invariant is broken.
#![allow(dead_code)]

use std::sync::Arc;

use pantin::base::{Language, Location, Place, Source};
use pantin::syntax::ast::{Ast, NodeId};
use pantin::syntax::pn::Style;
use pantin::syntax::{MessageLimits, Settings, SourceKind, pn};
use pantin::values::data::{hocon, json, yaml};
use pantin::{bindings, ruby, syntax};
use serde_json::Value;

/// The settings are drawn from the input's length, so that all of them are reached.
fn settings(data: &[u8]) -> Settings {
    let language = if data.len().is_multiple_of(2) { Language::Puppet8 } else { Language::Puppet7 };
    Settings { tasks: data.len().is_multiple_of(3), ..Settings::from_language(language) }
}

fn source(data: &[u8]) -> Option<Arc<Source>> {
    match Source::from_bytes(None, data.to_vec()) {
        Ok(source) => Some(Arc::new(source)),
        Err(_) => None,
    }
}

/// Every token lies within the source, at its place; lexing ends.
pub(crate) fn lexer(data: &[u8]) {
    let Some(source) = source(data) else { return };
    for kind in [SourceKind::Manifest, SourceKind::Template] {
        let tokens = syntax::tokens(&source, kind, settings(data));
        for token in &tokens.list {
            assert!(token.span.end() as usize <= source.text().len(), "{token:?} ends behind the source");
            assert_eq!(token.place, source.place(token.span.start), "{token:?}");
        }
        if let Some(error) = tokens.error {
            assert!(!error.message.is_empty());
        }
    }
}

/// A source is accepted or refused with words and a place; the tree is sound.
pub(crate) fn parser(data: &[u8]) {
    check(data, SourceKind::Manifest);
}

/// The same for a template.
pub(crate) fn epp(data: &[u8]) {
    check(data, SourceKind::Template);
}

fn check(data: &[u8], kind: SourceKind) {
    let Some(source) = source(data) else { return };
    let settings = settings(data);
    let parse = syntax::parse(Arc::clone(&source), kind, settings);
    match &parse.result {
        Ok(ast) => sound(ast),
        Err(error) => assert!(!error.message.is_empty() && error.span.is_some(), "{error:?}"),
    }
    let again = syntax::check(Arc::clone(&source), kind, &Location::Anywhere, settings, MessageLimits::default());
    if let Err(error) = &parse.result {
        assert_eq!(again.error.as_ref(), Some(error), "a second parse says something else");
    }
    for found in again.log.iter().chain(&again.error) {
        if let Some(span) = found.span {
            assert!(span.end() as usize <= source.text().len() + 1, "{found:?} points behind the source");
        }
        if let Place::At { line, column } = found.place {
            assert!(line >= 1 && column >= 1 && line <= source.lines().count(), "{found:?}");
        }
    }
}

/// Children stand before their parents, and every node of the tree has one parent.
fn sound(ast: &Ast) {
    let mut has_parent = vec![false; ast.len()];
    let mut open = vec![ast.root()];
    while let Some(id) = open.pop() {
        let span = ast.span(id);
        assert!(span.end() as usize <= ast.source().text().len(), "{id:?} ends behind the source");
        ast.each_child(id, |child: NodeId| {
            assert!(child < id, "{child:?} stands behind its parent {id:?}");
            assert!(!has_parent[child.index()], "{child:?} has two parents");
            has_parent[child.index()] = true;
            open.push(child);
        });
    }
}

/// A file of bindings is accepted or refused with words and a place.
pub(crate) fn bindings_file(data: &[u8]) {
    let Some(source) = source(data) else { return };
    let parsed = syntax::parse_bindings(&source, Settings::default());
    let errors = match &parsed.result {
        Ok(file) => {
            assert!(!file.definition.name.text.is_empty());
            &[]
        }
        Err(errors) => errors.as_slice(),
    };
    assert!(parsed.result.is_ok() || !errors.is_empty(), "refused without a word");
    for found in parsed.warnings.iter().chain(errors) {
        assert!(!found.message.is_empty() && found.span.is_some(), "{found:?}");
        assert!(found.span.is_none_or(|span| span.end() as usize <= source.text().len() + 1), "{found:?}");
    }
}

/// Definitions, divided by lines of `---`, make one injector in whatever order they are found, and what it says of a key is the same.
pub(crate) fn injector(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut layers: Vec<bindings::Layer> = Vec::new();
    for (number, part) in text.split("---\n").enumerate().take(6) {
        let name = format!("f{number}");
        let Ok(source) = Source::new(Some(&name), part).map(Arc::new) else { return };
        let Ok(file) = syntax::parse_bindings(&source, Settings::default()).result else { continue };
        let (uri, shown) = (format!("env:/{name}"), Arc::from(name.as_str()));
        let mut outside = bindings::EmptyOutside::default();
        let definition = bindings::Definition::from_file(&uri, &Arc::new(file), &source, &shown, &mut outside);
        if number % 2 == 0 {
            let title = format!("layer {number}").as_str().into();
            layers.push(bindings::Layer {
                title,
                definitions: Vec::new(),
                has_data: false,
                unknown: bindings::UnknownKeys::None,
            });
        }
        if let Some(layer) = layers.last_mut() {
            layer.definitions.push(Arc::new(definition));
        }
    }
    let said = |layers: Vec<bindings::Layer>| {
        let category = |name: &str, value: &str| bindings::Category { name: name.into(), value: Some(value.into()) };
        let state = bindings::State { categories: vec![category("node", "n"), category("virtual", "true")] };
        let mut outside = bindings::EmptyOutside::default();
        let (injector, problems) = bindings::Injector::new(layers.clone(), state, &mut outside);
        let mut said: Vec<String> = problems.iter().map(bindings::Problem::one_line).collect();
        for key in injector.bound_keys() {
            let explained = injector.explain(key, None, &mut outside);
            said.push(format!("{key} {:?}", explained.value.map_err(|fault| fault.message.to_string())));
        }
        let anywhere = bindings::State { categories: vec![bindings::Category { name: "node".into(), value: None }] };
        let checked = bindings::check_all_states(layers, &anywhere, &mut bindings::EmptyOutside::default());
        said.extend(checked.problems.iter().map(bindings::Problem::one_line));
        said
    };
    let backwards = layers.iter().map(|layer| {
        let definitions = layer.definitions.iter().rev().cloned().collect();
        bindings::Layer { definitions, ..layer.clone() }
    });
    let backwards = backwards.collect();
    assert_eq!(said(layers), said(backwards));
}

/// The four forms of the notation hold the same tree, and definitions hash the same twice.
pub(crate) fn dump(data: &[u8]) {
    let Some(source) = source(data) else { return };
    for kind in [SourceKind::Manifest, SourceKind::Template] {
        let Ok(ast) = syntax::parse(Arc::clone(&source), kind, settings(data)).result else { continue };
        let text = pn::to_string(&ast, Style::Text);
        // What reads the JSON here goes 128 levels deep; deeper trees are not for this target.
        let Some(json) = read_json(&pn::to_string(&ast, Style::Json)) else { continue };
        let Some(pretty) = read_json(&pn::to_string(&ast, Style::PrettyJson)) else { continue };
        assert_eq!(json, pretty, "the pretty JSON is another tree");
        let tree = Reader::new(&text).whole();
        assert_eq!(
            tree,
            Reader::new(&pn::to_string(&ast, Style::PrettyText)).whole(),
            "the pretty text is another tree"
        );
        assert_eq!(without_numbers(tree), without_numbers(json), "text and JSON are different trees");
        let mut shown = String::new();
        syntax::write_tree(&ast, &mut shown).expect("a String takes everything");
        assert_eq!(syntax::definition_hash(&ast, ast.root()), syntax::definition_hash(&ast, ast.root()));
    }
}

/// A text of data has a value or an error with words, and the same ones a second time.
pub(crate) fn yaml(data: &[u8]) {
    let options = yaml::Options { symbols: yaml::Symbols::Kept, classes: &["Foo"], regexps: true };
    said_twice(|| yaml::load(data, "F", options));
}

pub(crate) fn json(data: &[u8]) {
    said_twice(|| json::load(data));
}

pub(crate) fn hocon(data: &[u8]) {
    said_twice(|| hocon::load(data, &|_| None));
}

/// Code in Ruby, and a template with it, has a value or an error with words, and the same one a second time.
pub(crate) fn ruby(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let bounds = ruby::Bounds { steps: 2_000, bytes: 1 << 20 };
    let template = Source::new(Some("F"), text).ok().and_then(|source| ruby::template(&Arc::new(source)).ok());
    for script in ruby::Script::parse("F", text).map(Arc::new).into_iter().chain(template) {
        let said = || match ruby::evaluate(&script, bounds) {
            Ok(value) => value,
            Err(ruby::RubyError::Raised(raised)) => format!("{}: {}", raised.class, raised.message),
            Err(ruby::RubyError::Fatal(fault, _) | ruby::RubyError::Lacks(fault)) => {
                assert!(!fault.message.is_empty());
                fault.message.to_string()
            }
        };
        let first = said();
        // Where an object is in memory, and its number, are another time elsewhere.
        if !text.contains("_id") && !text.contains("hash") && !first.contains("0x") {
            assert_eq!(first, said());
        }
    }
}

fn said_twice(load: impl Fn() -> Result<pantin::values::Value, pantin::values::data::Error>) {
    match (load(), load()) {
        (Ok(first), Ok(second)) => assert_eq!(format!("{first:?}"), format!("{second:?}")),
        (Err(first), Err(second)) => assert!(!first.message.is_empty() && first == second, "{first:?}"),
        (first, second) => panic!("{first:?}, then {second:?}"),
    }
}

fn read_json(text: &str) -> Option<Value> {
    match serde_json::from_str(text) {
        Ok(value) => Some(value),
        Err(error) if error.to_string().starts_with("recursion limit") => None,
        // A float beyond the range of its reader.
        Err(error) if error.to_string().starts_with("number out of range") => None,
        Err(error) => panic!("no JSON: {error}"),
    }
}

/// Numbers are compared as text elsewhere; serde_json keeps no big integer exactly.
fn without_numbers(value: Value) -> Value {
    match value {
        Value::Number(_) => Value::String("a number".to_owned()),
        Value::Array(values) => Value::Array(values.into_iter().map(without_numbers).collect()),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, without_numbers(value))).collect(),
        other => other,
    }
}

/// Reads the notation's text into the shape of its JSON.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        Reader { text: text.as_bytes(), at: 0 }
    }

    fn whole(mut self) -> Value {
        let value = self.value();
        self.skip_blanks();
        assert_eq!(self.at, self.text.len(), "text behind the notation");
        value
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while !self.peek().is_ascii_whitespace() && !matches!(self.peek(), b'(' | b')' | b'[' | b']' | b'{' | b'}' | 0)
        {
            self.at += 1;
        }
        String::from_utf8(self.text[start..self.at].to_vec()).expect("the notation is UTF-8")
    }

    fn until(&mut self, close: u8, mut each: impl FnMut(&mut Self)) {
        loop {
            self.skip_blanks();
            if self.peek() == close {
                self.at += 1;
                return;
            }
            assert_ne!(self.peek(), 0, "the notation ends early");
            each(self);
        }
    }

    fn value(&mut self) -> Value {
        self.skip_blanks();
        let mut values = Vec::new();
        match self.peek() {
            b'(' => {
                self.at += 1;
                values.push(Value::String(self.word()));
                self.until(b')', |reader| values.push(reader.value()));
                serde_json::json!({ "^": values })
            }
            b'[' => {
                self.at += 1;
                self.until(b']', |reader| values.push(reader.value()));
                Value::Array(values)
            }
            b'{' => {
                self.at += 1;
                self.until(b'}', |reader| {
                    reader.at += 1;
                    values.push(Value::String(reader.word()));
                    values.push(reader.value());
                });
                serde_json::json!({ "#": values })
            }
            b'"' => Value::String(self.string()),
            _ => match self.word().as_str() {
                "nil" => Value::Null,
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                number => {
                    assert!(number.parse::<f64>().is_ok() || number.ends_with("Infinity"), "{number} is no number");
                    Value::Number(0.into())
                }
            },
        }
    }

    fn string(&mut self) -> String {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let byte = self.peek();
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).expect("the notation is UTF-8"),
                b'\\' => {
                    let escape = self.peek();
                    self.at += 1;
                    match escape {
                        b't' => bytes.push(b'\t'),
                        b'n' => bytes.push(b'\n'),
                        b'r' => bytes.push(b'\r'),
                        b'o' => {
                            let digits = std::str::from_utf8(&self.text[self.at..self.at + 3]).expect("three digits");
                            bytes.push(u8::from_str_radix(digits, 8).expect("an octal number"));
                            self.at += 3;
                        }
                        other => bytes.push(other),
                    }
                }
                other => {
                    assert!(self.at <= self.text.len(), "a string is not closed");
                    bytes.push(other);
                }
            }
        }
    }
}
