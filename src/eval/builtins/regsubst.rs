//! `regsubst`: replaces what a pattern matches, as Ruby's `sub` and `gsub` do.

use pantin_base::Language;
use pantin_values::regex::{Captures, Options, Regex};
use pantin_values::{Fault, Hash, Regexp, Type, Value};

use super::matching::{find_into, find_span};
use crate::{Builtin, Flow, Invocation, optional, overload, required};

macro_rules! by_text_overload {
    ($target:expr) => {
        overload(
            &[
                required($target, "target"),
                required("String", "pattern"),
                required("Variant[String,Hash[String,String]]", "replacement"),
                optional("Optional[Pattern[/^[GEIM]*$/]]", "flags"),
                optional("Enum['N','E','S','U']", "encoding"),
            ],
            None,
            by_text,
        )
    };
}

macro_rules! by_regexp_overload {
    ($target:expr) => {
        overload(
            &[
                required($target, "target"),
                required("Variant[Regexp,Type[Regexp]]", "pattern"),
                required("Variant[String,Hash[String,String]]", "replacement"),
                optional("Pattern[/^G?$/]", "flags"),
            ],
            None,
            by_regexp,
        )
    };
}

pub(super) static FUNCTIONS: &[Builtin] = &[Builtin::typed(
    "regsubst",
    &[
        by_text_overload!("Variant[Array[String],String]").until(Language::Puppet8),
        by_regexp_overload!("Variant[Array[String],String]").until(Language::Puppet8),
        by_text_overload!(TARGET_OF_OPENVOX).since(Language::OpenVox8),
        by_regexp_overload!(TARGET_OF_OPENVOX).since(Language::OpenVox8),
    ],
    "The texts with the first match of a pattern replaced, or every match with the flag G.",
)];

/// A text, an array of texts, and both with what is Sensitive, as OpenVox writes it.
const TARGET_OF_OPENVOX: &str = "Variant[Array[Variant[String,Sensitive[String]]],\
    Sensitive[Array[Variant[String,Sensitive[String]]]],Variant[String,Sensitive[String]]]";

fn by_text(call: &mut Invocation<'_, '_>) -> Flow {
    if !call.arg(4).is_undef() && call.settings().language >= Language::Puppet8 {
        let message = "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed \
                       in a future release";
        call.deprecated("regsubst_function_encoding", message, false)?;
    }
    let flags = call.take(3);
    let flags = flags.as_str().unwrap_or_default();
    let options =
        Options { ignore_case: flags.contains('I'), multi_line: flags.contains('M'), extended: flags.contains('E') };
    let regexp = match call.take(1) {
        Value::String(source) => Regexp::from_string(&source, options),
        _ => return Ok(Value::Undef),
    };
    substitute_all(call, &Pattern::Regex(regexp.checked_regex()?), flags.contains('G'))
}

fn by_regexp(call: &mut Invocation<'_, '_>) -> Flow {
    let all = call.arg(3).as_str() == Some("G");
    let pattern = call.take(1);
    match &pattern {
        Value::Regexp(regexp) => substitute_all(call, &Pattern::Regex(regexp.checked_regex()?), all),
        Value::Type(of) => {
            let text = match of.resolved() {
                Type::Regexp(Some(regexp)) if regexp.options() == Options::default() => regexp.source().to_owned(),
                Type::Regexp(Some(regexp)) => regexp.to_string(),
                _ => String::new(),
            };
            substitute_all(call, &Pattern::Text(&text), all)
        }
        _ => Ok(Value::Undef),
    }
}

/// What is looked for.
enum Pattern<'p> {
    Regex(&'p Regex),
    /// A type's expression: its text as it stands.
    Text(&'p str),
}

/// A match; where the pattern has groups, with the whole and them as captures.
struct RegexMatch<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    captures: &'t Captures,
}

impl Pattern<'_> {
    /// From where to where it matches next; the groups are written into `captures`.
    fn find(&self, text: &str, start: usize, captures: &mut Captures) -> Result<Option<(usize, usize)>, Fault> {
        match self {
            Pattern::Regex(regex) if regex.group_count() == 0 => find_span(regex, text, start),
            Pattern::Regex(regex) => {
                let is_found = find_into(regex, text, start, captures)?;
                Ok(captures.get(0).filter(|_| is_found))
            }
            Pattern::Text(wanted) => Ok(text[start..].find(wanted).map(|at| (start + at, start + at + wanted.len()))),
        }
    }

    /// Groups count by number where none has a name.
    fn has_numbers(&self) -> bool {
        matches!(self, Pattern::Regex(regex) if regex.group_names().is_empty())
    }

    /// Returns the group that a name means: of several, the last that took part.
    fn group_named(&self, name: &str, found: &RegexMatch<'_>) -> Option<usize> {
        let Pattern::Regex(regex) = self else { return None };
        let (_, numbers) = regex.group_names().iter().find(|(known, _)| known == name)?;
        let matched = numbers.iter().rev().find(|&&number| found.group(number).is_some());
        matched.or(numbers.last()).copied()
    }
}

impl<'t> RegexMatch<'t> {
    fn whole(&self) -> &'t str {
        &self.text[self.start..self.end]
    }

    fn group(&self, number: usize) -> Option<&'t str> {
        match number {
            0 => Some(self.whole()),
            _ => self.captures.get(number).map(|(start, end)| &self.text[start..end]),
        }
    }

    fn last_group(&self) -> Option<&'t str> {
        (1..self.captures.len()).rev().find_map(|number| self.group(number))
    }
}

fn substitute_all(call: &mut Invocation<'_, '_>, pattern: &Pattern<'_>, all: bool) -> Flow {
    let replacement = call.take(2);
    let substitute = |text: &Value| substitute(call, text, pattern, &replacement, all);
    let target = call.arg(0).clone();
    match &target {
        Value::Array(texts) => substitute_each(call, texts, substitute),
        // An array that is secret as a whole becomes one whose texts are not: only those that are secret themselves stay so.
        Value::Sensitive(secret) => match &**secret {
            Value::Array(texts) => substitute_each(call, texts, substitute),
            text => Ok(Value::sensitive(substitute(text)?)),
        },
        text => Ok(substitute(text)?),
    }
}

/// Substitutes in each text of an array; one that is secret stays so.
fn substitute_each(
    call: &Invocation<'_, '_>,
    texts: &[Value],
    substitute: impl Fn(&Value) -> Result<Value, Fault>,
) -> Flow {
    let (mut made, mut bytes) = (Vec::with_capacity(texts.len()), 0);
    for text in texts {
        let (text, is_secret) = match text {
            Value::Sensitive(secret) => (substitute(secret)?, true),
            text => (substitute(text)?, false),
        };
        bytes += text.as_str().map_or(0, str::len);
        call.check_text(bytes)?;
        made.push(if is_secret { Value::sensitive(text) } else { text });
    }
    Ok(Value::Array(made.into()))
}

fn substitute(
    call: &Invocation<'_, '_>,
    whole: &Value,
    pattern: &Pattern<'_>,
    replacement: &Value,
    all: bool,
) -> Result<Value, Fault> {
    let text = whole.as_str().unwrap_or_default();
    let mut captures = Captures::default();
    let mut next = pattern.find(text, 0, &mut captures)?;
    if next.is_none() {
        return Ok(whole.clone());
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    while let Some((start, end)) = next {
        let found = RegexMatch { text, start, end, captures: &captures };
        call.push_text(&mut out, &text[rest..start])?;
        match replacement {
            Value::Hash(replacements) => call.push_text(&mut out, replacement_of(replacements, found.whole()))?,
            other => {
                let mut push = |text: &str| call.push_text(&mut out, text);
                push_replacement(&mut push, other.as_str().unwrap_or_default(), pattern, &found)?;
            }
        }
        rest = end;
        if !all {
            break;
        }
        if start == end {
            // An empty match: the character behind it is passed over.
            let Some(next) = text[rest..].chars().next() else { break };
            out.push(next);
            rest += next.len_utf8();
        }
        next = pattern.find(text, rest, &mut captures)?;
    }
    call.push_text(&mut out, &text[rest..])?;
    Ok(out.into())
}

fn replacement_of<'r>(replacements: &'r Hash, whole: &str) -> &'r str {
    replacements.get_str(whole).and_then(Value::as_str).unwrap_or_default()
}

/// Pushes a replacement with what its escapes stand for: each may stand for the whole text.
fn push_replacement(
    push: &mut impl FnMut(&str) -> Result<(), Fault>,
    replacement: &str,
    pattern: &Pattern<'_>,
    found: &RegexMatch<'_>,
) -> Result<(), Fault> {
    let mut rest = replacement;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        push(&rest[..at])?;
        let escape = &rest[at + 1..];
        let Some(letter) = escape.chars().next() else {
            return push("\\");
        };
        rest = &escape[letter.len_utf8()..];
        match letter {
            '0' | '&' => push(found.whole())?,
            '1'..='9' if pattern.has_numbers() => {
                push(found.group(usize::from(letter as u8 - b'0')).unwrap_or_default())?;
            }
            '1'..='9' => {}
            '+' => push(found.last_group().unwrap_or_default())?,
            '`' => push(&found.text[..found.start])?,
            '\'' => push(&found.text[found.end..])?,
            '\\' => push("\\")?,
            'k' if rest.starts_with('<') => {
                let Some((name, behind)) = rest[1..].split_once('>') else {
                    return Err(Fault::new("invalid group name reference format"));
                };
                let Some(group) = pattern.group_named(name, found) else {
                    return Err(Fault::new(format!("undefined group name reference: {name}")));
                };
                push(found.group(group).unwrap_or_default())?;
                rest = behind;
            }
            other => {
                push("\\")?;
                push(other.encode_utf8(&mut [0; 4]))?;
            }
        }
    }
    push(rest)
}
