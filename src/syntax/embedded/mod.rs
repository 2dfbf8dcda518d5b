//! Text in a heredoc that names its syntax: JSON, Base64, Puppet code and Puppet templates.
//!
//! Knows nothing of the tree the text came from, save how deep in such text it stands.

use std::sync::Arc;

use pantin_base::stack::with_room;
use pantin_base::{Diagnostic, Location, Place, Source, SourceError, json, limits};

use super::{Issue, MessageLimits, Outcome, Parse, Settings, SourceKind};

/// What came of a check.
#[derive(Default)]
pub(super) struct Embedded {
    /// What the check of Puppet text logged. Places are in that text, so they are in the message.
    pub(super) log: Vec<Diagnostic>,
    /// What is wrong with the text.
    pub(super) error: Option<Issue>,
}

/// Checks text under the full name of its syntax. A name nobody knows is tried again without what
/// stands before its first `+`, and so on; in the end the text is left alone.
pub(super) fn check(syntax: &str, text: &str, settings: Settings, embedding: u32) -> Embedded {
    let mut name = syntax.trim_end_matches('+');
    loop {
        match name {
            "json" => return Embedded { error: check_json(syntax, text), ..Embedded::default() },
            "base64" => return Embedded { error: check_base64(syntax, text), ..Embedded::default() },
            // The real checkers of Puppet text stop with an error of their own on any other name.
            "pp" if syntax != name => return Embedded { error: Some(Issue::PpSyntaxNotAlone), ..Embedded::default() },
            "epp" if syntax != name => {
                return Embedded { error: Some(Issue::EppSyntaxNotAlone), ..Embedded::default() };
            }
            "pp" => return check_puppet(text, SourceKind::Manifest, settings, embedding),
            "epp" => return check_puppet(text, SourceKind::Template, settings, embedding),
            _ => match name.split_once('+') {
                Some((_, rest)) => name = rest,
                None => return Embedded::default(),
            },
        }
    }
}

fn check_json(syntax: &str, text: &str) -> Option<Issue> {
    let error = json::read(text, &mut json::Check).err()?;
    Some(Issue::IllegalJson { syntax: syntax.to_owned(), detail: excerpt(&error.message, 100) })
}

/// Returns the beginning of a message, on one line.
fn excerpt(message: &str, characters: usize) -> String {
    let end = message.char_indices().nth(characters).map_or(message.len(), |(at, _)| at);
    message[..end].replace("\r\n", "\\n").replace('\n', "\\n")
}

/// White space, and question marks too, do not count.
fn check_base64(syntax: &str, text: &str) -> Option<Issue> {
    let is_skipped = |ch: char| {
        matches!(ch, '\r' | '\n' | '?' | '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
            || matches!(ch, '\u{202f}' | '\u{205f}' | '\u{3000}')
    };
    let cleaned: String = text.chars().filter(|&ch| !is_skipped(ch)).collect();
    if is_strict_base64(cleaned.as_bytes()) {
        return None;
    }
    let syntax = syntax.to_owned();
    if !(cleaned.len() * 8).is_multiple_of(6) {
        Some(Issue::IllegalBase64Padding { syntax })
    } else {
        Some(Issue::IllegalBase64Letters { syntax })
    }
}

fn is_strict_base64(text: &[u8]) -> bool {
    fn digit(byte: u8) -> Option<u8> {
        match byte {
            b'A'..=b'Z' => Some(byte - b'A'),
            b'a'..=b'z' => Some(byte - b'a' + 26),
            b'0'..=b'9' => Some(byte - b'0' + 52),
            b'+' => Some(62),
            b'/' => Some(63),
            _ => None,
        }
    }
    let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let (digits, _) = text.split_at(text.len() - padding);
    // The bits that the last digit has too many must be zero.
    let spare_bits = match padding {
        0 => 0,
        1 => 0b11,
        _ => 0b1111,
    };
    text.len().is_multiple_of(4)
        && digits.iter().all(|&byte| digit(byte).is_some())
        && digits.last().and_then(|&last| digit(last)).is_none_or(|last| last & spare_bits == 0)
}

/// Puppet text is parsed and validated as a source without a name.
fn check_puppet(text: &str, kind: SourceKind, settings: Settings, embedding: u32) -> Embedded {
    let (log, error) = match outcome_of(text, kind, settings, embedding) {
        Ok(Outcome { log, error, .. }) => (log, error.map(|error| error.one_line(None))),
        Err(issue) => (Vec::new(), Some(issue.message())),
    };
    let log = log
        .into_iter()
        .map(|entry| Diagnostic { message: entry.one_line(None), place: Place::Nowhere, span: None, ..entry })
        .map(|entry| Diagnostic { related: Vec::new(), label: None, ..entry })
        .collect();
    let error = error.map(|message| {
        let (syntax, detail) = (syntax_of(kind).to_owned(), excerpt(&message, 500));
        match kind {
            SourceKind::Manifest => Issue::IllegalPp { syntax, detail },
            SourceKind::Template => Issue::IllegalEpp { syntax, detail },
        }
    });
    Embedded { log, error }
}

fn syntax_of(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Manifest => "pp",
        SourceKind::Template => "epp",
    }
}

fn outcome_of(text: &str, kind: SourceKind, settings: Settings, embedding: u32) -> Result<Outcome, Issue> {
    if embedding >= limits::EMBEDDING {
        return Err(Issue::NestedTooDeep { limit: limits::EMBEDDING.to_string() });
    }
    let source = Source::new(None, text).map_err(|error| match error {
        SourceError::ByteOrderMark { format, bytes } => Issue::IllegalBom { format: format.to_owned(), bytes },
        SourceError::NotUtf8 { byte, .. } => Issue::NotUtf8 { byte: byte.to_string() },
        SourceError::TooLarge { bytes } => Issue::SourceTooLarge { bytes: bytes.to_string() },
    })?;
    Ok(with_room(|| {
        let Parse { warnings, result } = super::parse(Arc::new(source), kind, settings);
        match result {
            Ok(ast) => {
                let findings = super::validate::validate_embedded(&ast, &Location::Anywhere, settings, embedding + 1);
                Outcome::new(warnings, Some(ast), findings, MessageLimits::default())
            }
            Err(error) => Outcome::failed(warnings, error),
        }
    }))
}
