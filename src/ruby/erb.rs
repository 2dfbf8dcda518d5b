//! ERB templates: their text as Ruby code, as the real ERB makes it with the trim mode `-`, or without one.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pantin_base::{Lines, Source};
use pantin_values::Str;
use rustc_hash::FxHashMap;

use super::code::Script;
use super::parse::{SyntaxError, check_syntax};

/// Returns a template in a file, ready to be rendered. Its lines are those of the text.
pub fn template(source: &Arc<Source>) -> Result<Arc<Script>, SyntaxError> {
    let script = parse(source.name().unwrap_or_default(), source.text())?;
    Ok(Arc::new(Script { source: Some(Arc::clone(source)), ..script }))
}

/// Something wrong with the text of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateFault {
    /// Its code is no Ruby.
    Syntax(SyntaxError),
    /// A tag that begins on this line is never closed: it stays in the text, and its code is not run.
    OpenTag { line: u32 },
}

/// Checks the text of a template without running it, and whether or not Pantin can run it.
pub fn check_template(name: &str, text: &str) -> Vec<TemplateFault> {
    let open = ends_open(text).then(|| text.rfind("<%").unwrap_or_default());
    let open = open.map(|at| TemplateFault::OpenTag { line: Lines::from_text(text).line(at as u32) });
    let code = ruby(text, Style { trims: true, out: "_erbout" });
    let wrong = check_syntax(name, &code).err().map(TemplateFault::Syntax);
    wrong.into_iter().chain(open).collect()
}

/// Returns true if the last tag of a text is never closed.
fn ends_open(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, tag, after)) = opening(rest, true) {
        rest = after;
        if tag.is_none() {
            continue;
        }
        loop {
            let Some((_, end, after)) = closing(rest, true) else { return true };
            rest = after;
            if end != "%%>" {
                break;
            }
        }
    }
    false
}

fn parse(name: &str, text: &str) -> Result<Script, SyntaxError> {
    Script::parse(name, &ruby(text, Style { trims: true, out: "_erbout" }))
}

/// What stands for the path of a text that is in no file.
pub(super) const INLINE: &str = "(erb)";

/// So many texts are known.
const MOST_INLINE: usize = 512;

/// Returns a text as a template: parsed once for all nodes, as far as texts are known.
pub fn inline_template(text: &str) -> Result<Arc<Script>, SyntaxError> {
    static KNOWN: LazyLock<Mutex<FxHashMap<Box<str>, Arc<Script>>>> = LazyLock::new(Mutex::default);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(script) = known().get(text) {
        return Ok(script.clone());
    }
    let script = Arc::new(parse(INLINE, text)?);
    let mut known = known();
    if known.len() < MOST_INLINE {
        known.insert(text.into(), script.clone());
    }
    Ok(script)
}

/// The same of a text that code has made a template of, to be run among its locals.
pub(super) fn template_within(
    name: &str,
    text: &str,
    style: Style<'_>,
    around: &[Vec<Str>],
) -> Result<Script, SyntaxError> {
    Script::parse_within(name, &ruby(text, style), around)
}

/// What is said of a template where it is made.
#[derive(Clone, Copy)]
pub(super) struct Style<'s> {
    /// The trim mode `-`.
    pub(super) trims: bool,
    /// The local in which its text grows.
    pub(super) out: &'s str,
}

/// What stands between tags, and how a tag begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Code,
    Value,
    Comment,
}

/// The code grows line by line, so that each line of it is the line of the template.
struct Code<'s> {
    style: Style<'s>,
    out: String,
    line: Vec<String>,
}

impl Code<'_> {
    fn push(&mut self, piece: String) {
        self.line.push(piece);
    }

    fn end_line(&mut self) {
        self.out.push_str(&self.line.join("; "));
        self.line.clear();
        self.out.push('\n');
    }

    fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut literal = format!("{}.<< \"", self.style.out);
        for letter in text.chars() {
            match letter {
                '\n' => literal.push_str("\\n"),
                '"' | '\\' | '#' => literal.extend(['\\', letter]),
                '\r' => literal.push_str("\\r"),
                '\0' => literal.push_str("\\0"),
                other => literal.push(other),
            }
        }
        literal.push_str("\".freeze");
        literal.extend(text.chars().filter(|letter| *letter == '\n'));
        self.push(literal);
    }

    fn end(mut self) -> String {
        self.push(self.style.out.to_owned());
        self.end_line();
        self.out
    }
}

/// Returns the code of a template.
fn ruby(text: &str, style: Style<'_>) -> String {
    let mut code = Code { style, out: String::new(), line: Vec::new() };
    code.push(format!("{} = +''", style.out));
    let mut rest = text;
    let mut plain = String::new();
    while !rest.is_empty() {
        let Some((before, tag, after)) = opening(rest, style.trims) else {
            plain.push_str(rest);
            break;
        };
        plain.push_str(before);
        rest = after;
        let Some(tag) = tag else {
            plain.push_str("<%");
            continue;
        };
        code.put(&std::mem::take(&mut plain));
        let mut inside = String::new();
        loop {
            let Some((content, end, after)) = closing(rest, style.trims) else {
                // A tag that is never closed: its content is text, to the real one as well.
                plain.push_str(&inside);
                plain.push_str(rest);
                rest = "";
                break;
            };
            inside.push_str(content);
            rest = after;
            match end {
                "%%>" => inside.push_str("%>"),
                end => {
                    push_tag(&mut code, tag, &inside);
                    if end == "-%>" {
                        let line_end = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'));
                        if line_end.is_some() || rest.is_empty() {
                            rest = line_end.unwrap_or(rest);
                            code.end_line();
                        }
                    }
                    break;
                }
            }
        }
    }
    code.put(&plain);
    code.end()
}

fn push_tag(code: &mut Code<'_>, tag: Tag, inside: &str) {
    match tag {
        Tag::Code => match inside.strip_suffix('\n') {
            Some(content) => {
                code.push(content.to_owned());
                code.end_line();
            }
            None => code.push(inside.to_owned()),
        },
        Tag::Value => code.push(format!("{}.<<(({inside}).to_s)", code.style.out)),
        Tag::Comment => {}
    }
}

/// The text before the next tag, what it is (`None`: `<%%`, which stands for `<%`), and what follows.
fn opening(text: &str, trims: bool) -> Option<(&str, Option<Tag>, &str)> {
    let at = text.find("<%")?;
    let after = &text[at + 2..];
    Some(match after.as_bytes().first() {
        Some(b'-') if trims => {
            // White space before it, back to the beginning of the line or of what is looked at, goes with it.
            let before = &text[..at];
            let trimmed = before.trim_end_matches([' ', '\t']);
            let before = if trimmed.is_empty() || trimmed.ends_with('\n') { trimmed } else { before };
            (before, Some(Tag::Code), &after[1..])
        }
        Some(b'%') => (&text[..at], None, &after[1..]),
        Some(b'=') => (&text[..at], Some(Tag::Value), &after[1..]),
        Some(b'#') => (&text[..at], Some(Tag::Comment), &after[1..]),
        _ => (&text[..at], Some(Tag::Code), after),
    })
}

fn closing(text: &str, trims: bool) -> Option<(&str, &'static str, &str)> {
    let at = text.find("%>")?;
    let (from, end) = match text.as_bytes().get(at.wrapping_sub(1)) {
        Some(b'%') => (at - 1, "%%>"),
        Some(b'-') if trims => (at - 1, "-%>"),
        _ => (at, "%>"),
    };
    Some((&text[..from], end, &text[at + 2..]))
}
