//! Start tags: the name of an element, its attributes, and the prefixes that have to be known.

use rustc_hash::FxHashSet;

use super::names::leading;
use super::parse::{ParseFailure, Parser};
use super::source::white_space;

pub(super) struct StartTag {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) is_closed: bool,
}

/// A name with its prefix, as the parser takes them.
pub(super) struct QName<'t> {
    pub(super) whole: &'t str,
    prefix: Option<&'t str>,
    local: &'t str,
}

impl QName<'_> {
    pub(super) fn parse(text: &str) -> Option<QName<'_>> {
        let first = ncname(text)?;
        if let Some(rest) = text[first.len()..].strip_prefix(':')
            && let Some(local) = ncname(rest)
        {
            let whole = &text[..first.len() + 1 + local.len()];
            return Some(QName { whole, prefix: Some(first), local });
        }
        Some(QName { whole: first, prefix: None, local: first })
    }
}

fn ncname(text: &str) -> Option<&str> {
    leading(
        text,
        |letter| letter.is_alphabetic() || letter == '_',
        |letter| letter.is_alphanumeric() || matches!(letter, '-' | '.' | '_'),
    )
}

/// One attribute, and what of the text it takes.
struct ParsedAttribute {
    name: String,
    prefix: Option<String>,
    local: String,
    value: String,
    used: usize,
}

fn attribute(text: &str) -> Option<ParsedAttribute> {
    let mut at = white_space(text);
    let name = QName::parse(&text[at..])?;
    at += name.whole.len();
    at += white_space(&text[at..]);
    text[at..].starts_with('=').then_some(())?;
    at += 1;
    at += white_space(&text[at..]);
    let quote = text[at..].chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let value = &text[at + 1..];
    let length = value.find(quote)?;
    Some(ParsedAttribute {
        name: name.whole.to_owned(),
        prefix: name.prefix.map(str::to_owned),
        local: name.local.to_owned(),
        value: value[..length].to_owned(),
        used: at + 1 + length + 1,
    })
}

impl Parser {
    /// Returns a start tag, from its `<` on.
    pub(super) fn start_tag(&mut self) -> Result<StartTag, ParseFailure> {
        let found = self.source.take(|text| {
            let name = QName::parse(text.strip_prefix('<')?)?;
            Some(((name.whole.to_owned(), name.prefix.map(str::to_owned)), 1 + name.whole.len()))
        });
        let Some((name, prefix)) = found else { return Err(self.failure("malformed XML: missing tag start")) };
        self.is_in_prolog = false;
        self.skips_space = false;
        let mut prefixes: Vec<String> = prefix.into_iter().collect();
        self.namespaces.push(Vec::new());
        let (attributes, is_closed) = self.attributes(&mut prefixes)?;
        for prefix in prefixes {
            if !self.namespaces.iter().any(|known| known.contains(&prefix)) {
                return Err(ParseFailure::Namespace(prefix));
            }
        }
        if is_closed {
            self.namespaces.pop();
        } else {
            self.tags.push(name.clone());
        }
        Ok(StartTag { name, attributes, is_closed })
    }

    /// Returns all up to the next `>`, and whether a slash stands before that.
    fn rest_of_tag(&mut self) -> Option<(String, bool)> {
        self.source.take(|text| {
            let end = text.find('>')?;
            let inside = &text[..end];
            Some(match inside.strip_suffix('/') {
                Some(inside) => ((inside.to_owned(), true), end + 1),
                None => ((inside.to_owned(), false), end + 1),
            })
        })
    }

    fn attributes(&mut self, prefixes: &mut Vec<String>) -> Result<(Vec<(String, String)>, bool), ParseFailure> {
        let mut all: Vec<(String, String)> = Vec::new();
        let mut names = FxHashSet::default();
        let Some((mut raw, mut is_closed)) = self.rest_of_tag() else {
            return Err(self.failure("Start tag isn't ended"));
        };
        let mut at = 0;
        loop {
            at += white_space(&raw[at..]);
            if at >= raw.len() {
                return Ok((all, is_closed));
            }
            let Some(found) = attribute(&raw[at..]) else {
                let (name, quote) = self.unfinished(&raw[at..])?;
                let Some((more, ends)) = self.rest_of_tag() else {
                    return Err(self.failure(&format!("Missing attribute value end quote: <{name}>: <{quote}>")));
                };
                // The `>` was one of the value.
                raw.push_str(if is_closed { "/>" } else { ">" });
                raw.push_str(&more);
                is_closed = ends;
                continue;
            };
            at += found.used;
            self.note_namespace(&found, prefixes)?;
            if !names.insert(found.name.clone()) {
                return Err(self.failure(&format!("Duplicate attribute \"{}\"", found.name)));
            }
            all.push((found.name, found.value));
        }
    }

    /// Returns the name and the quote of an attribute whose value does not end yet.
    fn unfinished(&self, text: &str) -> Result<(String, char), ParseFailure> {
        let Some(name) = QName::parse(text) else {
            return Err(self.failure(&format!("Invalid attribute name: <{text}>")));
        };
        let rest = text[name.whole.len()..].trim_start_matches(super::source::is_space);
        let Some(rest) = rest.strip_prefix('=') else {
            return Err(self.failure(&format!("Missing attribute equal: <{}>", name.whole)));
        };
        match rest.trim_start_matches(super::source::is_space).chars().next() {
            Some(quote @ ('\'' | '"')) => Ok((name.whole.to_owned(), quote)),
            _ => Err(self.failure(&format!("Missing attribute value start quote: <{}>", name.whole))),
        }
    }

    fn note_namespace(&mut self, found: &ParsedAttribute, prefixes: &mut Vec<String>) -> Result<(), ParseFailure> {
        const XML: &str = "http://www.w3.org/XML/1998/namespace";
        const RULES: &str = "(http://www.w3.org/TR/REC-xml-names/#ns-decl)";
        match found.prefix.as_deref() {
            Some("xmlns") => {
                if found.local == "xml" && found.value != XML {
                    let message = format!("The 'xml' prefix must not be bound to any other namespace {RULES}");
                    return Err(self.failure(&message));
                }
                if found.local == "xmlns" {
                    return Err(self.failure(&format!("The 'xmlns' prefix must not be declared {RULES}")));
                }
                if let Some(own) = self.namespaces.last_mut() {
                    own.push(found.local.clone());
                }
            }
            Some(prefix) if prefix != "xml" && !prefixes.iter().any(|known| known == prefix) => {
                prefixes.push(prefix.to_owned());
            }
            _ => {}
        }
        Ok(())
    }
}
