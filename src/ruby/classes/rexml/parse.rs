//! Reads a document: the text becomes a tree of nodes, or an exception that says where it is none.

use super::attribute::make;
use super::attributes::attach;
use super::declaration;
use super::element::{keeps_whitespace, names, xpath_of};
use super::names::{Name, leading};
use super::node::{XmlNode, element_of, made_blank, node_of, parent_of};
use super::parent::{add, children};
use super::parse_tag::{QName, StartTag};
use super::source::{Source, is_space, is_utf16, white_space};
use super::text::{append, fill};
use crate::class::Core;
use crate::interp::Interp;
use crate::stop::{Flow, Stop};
use crate::value::Value;

pub(super) struct Parser {
    pub(super) source: Source,
    /// The names of the elements that are open.
    pub(super) tags: Vec<String>,
    /// The prefixes that each of them declares.
    pub(super) namespaces: Vec<Vec<String>>,
    /// Nothing but declarations, comments and white space has been read.
    pub(super) is_in_prolog: bool,
    /// White space before the next node is left out.
    pub(super) skips_space: bool,
    /// The element that has ended in its start tag.
    closed: bool,
}

pub(super) enum ParseFailure {
    Parse(String),
    /// Ruby's own error, which REXML does not expect: its class, its message, and what REXML says of it.
    Internal(&'static str, String, Option<&'static str>),
    /// A prefix that no element declares.
    Namespace(String),
    Unsupported(String),
}

enum Event {
    Start(StartTag),
    End,
    Text(String),
    Comment(String),
    CData(String),
    Instruction(String, Option<String>),
    Declaration { version: Option<String>, encoding: Option<String>, standalone: Option<String> },
    DocType { name: String, id: [Option<String>; 3] },
}

/// Reads the children of a document from a text, or from what a text can be read from.
pub(super) fn parse(interp: &mut Interp<'_>, document: &Value, source: &Value) -> Flow<()> {
    let text = match source {
        Value::String(_) => source.clone(),
        other if interp.responds(other, "read")? => interp.send(other, "read", &[])?,
        other if interp.responds(other, "to_str")? => Value::text(interp.text_arg(other)?),
        other => {
            let of = interp.class_name_of(other);
            let message =
                format!("{of} is not a valid input stream.  It must walk \nlike either a String, an IO, or a Source.");
            return interp.raise(Core::RuntimeError, message);
        }
    };
    let Value::String(text) = &text else { return Ok(()) };
    if is_utf16(text) {
        return interp.unsupported("an XML document in UTF-16");
    }
    let text = interp.str_of(text)?;
    let mut parser = Parser {
        source: Source::new(text),
        tags: Vec::new(),
        namespaces: Vec::new(),
        is_in_prolog: true,
        skips_space: false,
        closed: false,
    };
    let built = build(interp, document, &mut parser);
    let Err(stop) = built else { return Ok(()) };
    let Stop::Raise(exception) = &*stop else { return Err(stop) };
    let is = |core: Core| interp.is_a(exception, core.class());
    if is(Core::RexmlParseException) || !is(Core::StandardError) {
        return Err(stop);
    }
    // The real one shows here in which lines of its own files the error came up.
    let (class, message) = (interp.class_name_of(exception), interp.exception_message(exception)?);
    let message = format!("#<{class}: {message}>\n...\n{message}{}", parser.source.place());
    interp.raise(Core::RexmlParseException, message)
}

fn build(interp: &mut Interp<'_>, document: &Value, parser: &mut Parser) -> Flow<()> {
    let mut around = document.clone();
    loop {
        interp.step()?;
        let event = match parser.next() {
            Ok(Some(event)) => event,
            Ok(None) if parser.tags.is_empty() => return Ok(()),
            Ok(None) => {
                let message = format!("No close tag for {}", xpath_of(interp, &around)?);
                let failure = parser.failure(&message);
                return fail(interp, parser, failure);
            }
            Err(failure) => return fail(interp, parser, failure),
        };
        match event {
            Event::Start(tag) => {
                parser.closed = tag.is_closed;
                around = start_element(interp, &around, tag)?;
            }
            Event::End => around = parent_of(interp, &around)?.unwrap_or_default(),
            other => add_node(interp, &around, other)?,
        }
    }
}

fn fail<T>(interp: &mut Interp<'_>, parser: &Parser, failure: ParseFailure) -> Flow<T> {
    let place = parser.source.place();
    match failure {
        ParseFailure::Parse(message) => interp.raise(Core::RexmlParseException, message + &place),
        ParseFailure::Internal(class, inner, said) => {
            let said = said.unwrap_or(&inner);
            let message = format!("#<{class}: {inner}>\n...\n{said}{place}");
            interp.raise(Core::RexmlParseException, message)
        }
        ParseFailure::Namespace(prefix) => {
            interp.raise(Core::RexmlUndefinedNamespace, format!("Undefined prefix {prefix} found"))
        }
        ParseFailure::Unsupported(what) => interp.unsupported(what),
    }
}

fn start_element(interp: &mut Interp<'_>, around: &Value, tag: StartTag) -> Flow {
    let made = made_blank(interp, Core::RexmlElement);
    add(interp, around, &made)?;
    if let (Some(element), Some(around)) = (element_of(&made), element_of(around)) {
        element.context.borrow_mut().clone_from(&around.context.borrow());
        *element.name.borrow_mut() = Name::parse(interp, &tag.name)?;
    }
    for (name, value) in tag.attributes {
        let attribute = make(interp, &name, value)?;
        attach(interp, &made, &attribute)?;
    }
    Ok(made)
}

fn add_node(interp: &mut Interp<'_>, around: &Value, event: Event) -> Flow<()> {
    let text = |text: Option<String>| text.map_or(Value::Nil, Value::text);
    let node = match event {
        Event::Text(content) => return add_text(interp, around, content),
        Event::Comment(content) => {
            let class = Value::Class(Core::RexmlComment.class());
            interp.send(&class, "new", &[Value::text(content)])?
        }
        Event::CData(content) => {
            let made = made_blank(interp, Core::RexmlCData);
            fill(interp, &made, content, true, false)?;
            made
        }
        Event::Instruction(target, content) => {
            let class = Value::Class(Core::RexmlInstruction.class());
            interp.send(&class, "new", &[Value::text(target), text(content)])?
        }
        Event::Declaration { version, encoding, standalone } => {
            let made = made_blank(interp, Core::RexmlXmlDecl);
            if let Some(XmlNode::Declaration(own)) = node_of(&made) {
                declaration::fill(interp, &own, text(version), &text(encoding), &text(standalone))?;
            }
            made
        }
        Event::DocType { name, id } => {
            let made = made_blank(interp, Core::RexmlDocType);
            if let Some(XmlNode::DocType(own)) = node_of(&made) {
                let [external, long_name, uri] = id;
                *own.name.borrow_mut() = Value::text(name);
                *own.external.borrow_mut() = text(external);
                *own.long_name.borrow_mut() = text(long_name);
                *own.uri.borrow_mut() = text(uri);
            }
            made
        }
        Event::Start(_) | Event::End => return Ok(()),
    };
    add(interp, around, &node).map(|_| ())
}

fn add_text(interp: &mut Interp<'_>, around: &Value, content: String) -> Flow<()> {
    if let Some(last) = children(around).last()
        && let Some(XmlNode::Text(text)) = node_of(last)
        && interp.real_class_of(last) == Core::RexmlText.class()
    {
        return append(interp, &text, &content);
    }
    if names(interp, around, "ignore_whitespace_nodes")? && content.trim_matches(is_space).is_empty() {
        return Ok(());
    }
    let made = made_blank(interp, Core::RexmlText);
    let keeps = keeps_whitespace(interp, around)?;
    fill(interp, &made, content, keeps, true)?;
    add(interp, around, &made).map(|_| ())
}

impl Parser {
    pub(super) fn failure(&self, message: &str) -> ParseFailure {
        ParseFailure::Parse(message.to_owned())
    }

    /// Returns the next thing that the text has; `None` at its end.
    fn next(&mut self) -> Result<Option<Event>, ParseFailure> {
        if std::mem::take(&mut self.closed) {
            return Ok(Some(Event::End));
        }
        if self.source.is_empty() {
            return Ok(None);
        }
        if self.is_in_prolog
            && !self.skips_space
            && let Some(event) = self.prolog()?
        {
            return Ok(Some(event));
        }
        if self.skips_space {
            self.source.take(|text| Some(((), white_space(text))));
        }
        if self.source.buffer().chars().nth(1).is_none() {
            self.source.read();
        }
        let mut letters = self.source.buffer().chars();
        Ok(Some(match (letters.next(), letters.next()) {
            (Some('<'), Some('/')) => self.end_tag()?,
            (Some('<'), Some('!')) => self.comment_or_cdata()?,
            (Some('<'), Some('?')) => self.instruction()?,
            (Some('<'), _) => Event::Start(self.start_tag()?),
            _ => {
                let text = self.source.take(|text| {
                    let end = text.find('<').unwrap_or(text.len());
                    Some((text[..end].to_owned(), end))
                });
                Event::Text(text.unwrap_or_default())
            }
        }))
    }

    /// What may stand before the first element alone.
    fn prolog(&mut self) -> Result<Option<Event>, ParseFailure> {
        let word = self.source.find(|text| match white_space(text) {
            0 => {
                let end = text.starts_with('<').then(|| text.find('>')).flatten()?;
                Some(text[..=end].to_owned())
            }
            length => Some(text[..length].to_owned()),
        });
        let word = word.unwrap_or_default();
        if word.starts_with("<!--") {
            let nil =
                || ParseFailure::Internal("NoMethodError", "undefined method `[]' for nil:NilClass".to_owned(), None);
            return self.source.take(comment).map(|text| Some(Event::Comment(text))).ok_or_else(nil);
        }
        if word.strip_prefix("<?xml").is_some_and(|rest| rest.starts_with(is_space)) {
            return self.declaration().map(Some);
        }
        if word.starts_with("<?") {
            return self.instruction().map(Some);
        }
        if word.strip_prefix("<!DOCTYPE").is_some_and(|rest| rest.starts_with(is_space)) {
            return self.doctype().map(Some);
        }
        if !word.starts_with(is_space) {
            self.skips_space = true;
        }
        Ok(None)
    }

    fn declaration(&mut self) -> Result<Event, ParseFailure> {
        let found = self.source.take(|text| {
            let rest = text.strip_prefix("<?xml")?;
            let rest = &rest[white_space(rest)..];
            let end = rest.find("?>")?;
            Some((rest[..end].to_owned(), text.len() - rest.len() + end + 2))
        });
        let Some(found) = found else {
            let message = "undefined method `[]' for nil:NilClass".to_owned();
            return Err(ParseFailure::Internal("NoMethodError", message, None));
        };
        let encoding = pseudo_attribute(&found, "encoding");
        match encoding.as_deref() {
            None | Some("UTF-8") => {}
            Some(name) if name.eq_ignore_ascii_case("UTF-8") => self.source.begin_again(),
            Some(name) if name.eq_ignore_ascii_case("UTF-16") => {}
            Some(name) => return Err(ParseFailure::Unsupported(format!("an XML document in the encoding {name}"))),
        }
        let (version, standalone) = (pseudo_attribute(&found, "version"), pseudo_attribute(&found, "standalone"));
        Ok(Event::Declaration { version, encoding, standalone })
    }

    fn instruction(&mut self) -> Result<Event, ParseFailure> {
        let found = self.source.take(|text| {
            let rest = text.strip_prefix("<?")?;
            let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':');
            let target = leading(rest, is_letter, |letter| is_letter(letter) || matches!(letter, '-' | '.'))?;
            let content = &rest[target.len()..];
            let end = content.find("?>")?;
            let content = &content[..end];
            if !(content.is_empty() || content.starts_with(is_space)) {
                return None;
            }
            let kept = (!content.is_empty()).then(|| content.to_owned());
            Some(((target.to_owned(), kept), 2 + target.len() + end + 2))
        });
        match found {
            Some((target, content)) => Ok(Event::Instruction(target, content)),
            None => Err(self.failure("Invalid processing instruction node")),
        }
    }

    fn doctype(&mut self) -> Result<Event, ParseFailure> {
        let whole = self.source.take(|text| {
            let end = text.find(['>', '['])?;
            Some((text[..=end].to_owned(), end + 1))
        });
        let malformed = || ParseFailure::Unsupported("a malformed document type of an XML document".to_owned());
        let whole = whole.ok_or_else(malformed)?;
        if whole.ends_with('[') {
            return Err(ParseFailure::Unsupported("the internal subset of an XML document's type".to_owned()));
        }
        self.namespaces.push(Vec::new());
        let inside = whole["<!DOCTYPE".len()..whole.len() - 1].trim_matches(is_space);
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':');
        let name = leading(inside, is_letter, |letter| is_letter(letter) || matches!(letter, '-' | '.'));
        let name = name.ok_or_else(malformed)?.to_owned();
        let rest = inside[name.len()..].trim_start_matches(is_space);
        let id = external_id(rest).ok_or_else(malformed)?;
        self.skips_space = true;
        // An internal subset was looked for in all that follows.
        while self.source.read() {}
        self.source.take(|text| Some(((), white_space(text))));
        Ok(Event::DocType { name, id })
    }

    fn end_tag(&mut self) -> Result<Event, ParseFailure> {
        self.namespaces.pop();
        let last = self.tags.pop();
        let found = self.source.take(|text| {
            let name = QName::parse(text.strip_prefix("</")?)?.whole;
            let rest = &text[2 + name.len()..];
            let space = white_space(rest);
            rest[space..].starts_with('>').then(|| (name.to_owned(), 2 + name.len() + space + 1))
        });
        match (last, found) {
            (None, Some(got)) => Err(self.failure(&format!("Unexpected top-level end tag (got '{got}')"))),
            (Some(last), Some(got)) if last == got => Ok(Event::End),
            (last, got) => {
                let got = got.map_or(String::new(), |got| format!(" (got '{got}')"));
                Err(self.failure(&format!("Missing end tag for '{}'{got}", last.unwrap_or_default())))
            }
        }
    }

    fn comment_or_cdata(&mut self) -> Result<Event, ParseFailure> {
        let Some(is_comment) = self.source.find(|text| text.contains('>').then(|| text[2..].starts_with('-'))) else {
            return Err(self.failure("Malformed node"));
        };
        if is_comment {
            let nil = || {
                let message = "undefined method `[]' for nil:NilClass".to_owned();
                ParseFailure::Internal("NoMethodError", message, Some("Exception parsing"))
            };
            let text = self.source.take(comment).ok_or_else(nil)?;
            if text.contains("--") || text.ends_with('-') {
                return Err(self.failure("Malformed comment"));
            }
            return Ok(Event::Comment(text));
        }
        let found = self.source.take(|text| {
            let start = text.find("<![CDATA[")? + 9;
            let end = start + text[start..].find("]]>")?;
            Some((text[start..end].to_owned(), end + 3))
        });
        match found {
            Some(text) => Ok(Event::CData(text)),
            None => Err(self.failure("Declarations can only occur in the doctype declaration.")),
        }
    }
}

fn comment(text: &str) -> Option<(String, usize)> {
    let start = text.find("<!--")? + 4;
    let end = start + text[start..].find("-->")?;
    Some((text[start..end].to_owned(), end + 3))
}

/// `version="1.0"` in a declaration, with quotes of either kind on each side.
fn pseudo_attribute(text: &str, name: &str) -> Option<String> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.match_indices(name).find_map(|(at, _)| {
        if text[..at].ends_with(is_word) {
            return None;
        }
        let rest = text[at + name.len()..].trim_start_matches(is_space).strip_prefix('=')?;
        let value = rest.trim_start_matches(is_space).strip_prefix(['"', '\''])?;
        Some(value[..value.find(['"', '\''])?].to_owned())
    })
}

/// `SYSTEM "…"` or `PUBLIC "…" "…"`, or nothing.
fn external_id(text: &str) -> Option<[Option<String>; 3]> {
    if text.is_empty() {
        return Some([None, None, None]);
    }
    let (kind, rest) = text.split_at_checked(6)?;
    let (first, rest) = quoted(rest)?;
    match kind {
        "SYSTEM" if rest.trim_matches(is_space).is_empty() => Some([Some(kind.to_owned()), Some(first), None]),
        "PUBLIC" => {
            let (second, rest) = quoted(rest)?;
            rest.trim_matches(is_space).is_empty().then(|| [Some(kind.to_owned()), Some(first), Some(second)])
        }
        _ => None,
    }
}

fn quoted(text: &str) -> Option<(String, &str)> {
    let rest = text.trim_start_matches(is_space);
    (rest.len() < text.len()).then_some(())?;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (inside, behind) = rest[1..].split_once(quote)?;
    Some((inside.to_owned(), behind))
}
