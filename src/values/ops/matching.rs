//! `=~`, and how a case or selector option matches a value.

use pantin_base::stack::with_room;
use pantin_regex::{Captures, Options};

use super::equality::equals;
use super::{Blame, OperandFault};
use crate::label::a_an;
use crate::{Fault, Regexp, SemVer, SemVerRange, Str, Value, too_many_steps};

/// Whether something matched, and what the last regular expression that did has captured.
/// It may have captured where the whole has not matched: the variables `$0`, `$1`, … are set nevertheless.
#[derive(Debug)]
pub struct Match {
    pub matched: bool,
    pub captured: Option<MatchData>,
}

impl From<bool> for Match {
    fn from(matched: bool) -> Match {
        Match { matched, captured: None }
    }
}

/// What a regular expression captured, and of which text.
#[derive(Clone, Debug)]
pub struct MatchData {
    pub text: Str,
    pub captures: Captures,
    /// The text is one in no encoding, and so are the parts of it.
    pub is_unencoded: bool,
}

impl MatchData {
    /// `$number`; 0 is the whole match. `undef`: no such group took part.
    pub fn group(&self, number: usize) -> Value {
        let part = |text: &str| if self.is_unencoded { Value::Unencoded(text.into()) } else { text.into() };
        self.group_text(number).map_or(Value::Undef, part)
    }

    pub fn group_text(&self, number: usize) -> Option<&str> {
        let (start, end) = self.captures.get(number)?;
        self.text.get(start..end)
    }

    /// Returns all of them as an array, undef where a group did not take part.
    pub fn groups(&self) -> Value {
        Value::array((0..self.captures.len()).map(|number| self.group(number)))
    }
}

/// `left =~ pattern`.
pub fn match_operator(left: &Value, pattern: &Value) -> Result<Match, OperandFault> {
    match pattern {
        Value::Type(of) => return Ok(of.accepts(left)?.into()),
        Value::SemVerRange(range) => return Ok(range_matches(range, left).into()),
        Value::Regexp(regexp) => return apply(regexp, left_text(left)?).map_err(OperandFault::from),
        Value::Unencoded(letters) => return match_operator(left, &Value::String(letters.clone())),
        _ => {}
    }
    let Value::String(source) = pattern else {
        return Err(no_pattern(&format!("no implicit conversion of {} into String", crate::unconvertible(pattern))));
    };
    let regexp = Regexp::from_string(source, Options::default());
    regexp.checked_regex().map_err(|fault| no_pattern(&fault.message))?;
    apply(&regexp, left_text(left)?).map_err(OperandFault::from)
}

fn left_text(left: &Value) -> Result<&Value, OperandFault> {
    match left {
        Value::String(_) | Value::Unencoded(_) => Ok(left),
        _ => {
            let message = format!("Left match operand must result in a String value. Got {}.", a_an(left));
            Err(OperandFault::issue(Blame::Left, "MATCH_NOT_STRING", message))
        }
    }
}

fn no_pattern(detail: &str) -> OperandFault {
    let message = format!("Can not convert right match operand to a regular expression. Caused by '{detail}'.");
    OperandFault::issue(Blame::Right, "MATCH_NOT_REGEXP", message)
}

/// Whether a value is one of those that an option of a case or a selector stands for.
pub fn option_matches(value: &Value, option: &Value) -> Result<Match, Fault> {
    let mut captured = None;
    let matched = matches(value, option, &mut captured)?;
    Ok(Match { matched, captured })
}

pub(super) fn matches(value: &Value, option: &Value, captured: &mut Option<MatchData>) -> Result<bool, Fault> {
    match (option, value) {
        (Value::String(option), Value::String(value)) => Ok(option.eq_ignore_ascii_case(value)),
        (Value::Regexp(regexp), Value::String(_) | Value::Unencoded(_)) => take(apply(regexp, value)?, captured),
        (Value::Regexp(_), _) => Ok(false),
        (Value::Type(of), _) => of.accepts(value),
        (Value::Default, _) => Ok(true),
        // The real one names what is not there.
        (Value::Symbol(_), _) => Err(Fault::new(
            "undefined local variable or method `default' for #<Puppet::Pops::Evaluator::CompareOperator>",
        )),
        (Value::SemVer(version), Value::String(text) | Value::Unencoded(text)) => {
            Ok(SemVer::parse(text).is_ok_and(|parsed| parsed == **version))
        }
        (Value::SemVerRange(range), _) => Ok(range_matches(range, value)),
        (Value::Array(options), Value::Array(values)) => {
            if options.len() != values.len() {
                return Ok(false);
            }
            with_room(|| all(values.iter().zip(options.iter()), captured))
        }
        // Only the keys of the option count.
        (Value::Hash(options), Value::Hash(values)) => with_room(|| {
            all(options.iter().map(|(key, option)| (values.get(key).unwrap_or(&Value::Undef), option)), captured)
        }),
        (Value::Array(_) | Value::Hash(_), _) => Ok(false),
        _ => Ok(equals(value, option)),
    }
}

fn all<'a>(
    mut pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    captured: &mut Option<MatchData>,
) -> Result<bool, Fault> {
    pairs.try_fold(true, |so_far, (value, option)| Ok(so_far && matches(value, option, captured)?))
}

/// Keeps what was captured; a match that fails leaves what an earlier one has set.
pub(super) fn take(found: Match, captured: &mut Option<MatchData>) -> Result<bool, Fault> {
    if found.captured.is_some() {
        *captured = found.captured;
    }
    Ok(found.matched)
}

pub(super) fn range_matches(range: &SemVerRange, value: &Value) -> bool {
    match value {
        Value::SemVer(version) => range.includes(version),
        Value::String(text) | Value::Unencoded(text) => {
            SemVer::parse(text).is_ok_and(|version| range.includes(&version))
        }
        _ => false,
    }
}

/// Looks for it in a text; in nothing else it is found.
pub(super) fn apply(regexp: &Regexp, text: &Value) -> Result<Match, Fault> {
    let (Value::String(text) | Value::Unencoded(text), is_unencoded) = (text, text.is_unencoded()) else {
        return Ok(false.into());
    };
    let compiled = regexp.checked_regex()?;
    if is_unencoded && !text.is_ascii() && !regexp.source().is_ascii() {
        let message = "incompatible encoding regexp match (UTF-8 regexp with ASCII-8BIT string)";
        return Err(Fault::new(message));
    }
    match compiled.find_at(text, 0) {
        Ok(Some(captures)) => {
            let captured = Some(MatchData { text: text.clone(), captures, is_unencoded });
            Ok(Match { matched: true, captured })
        }
        Ok(None) => Ok(false.into()),
        Err(_) => Err(too_many_steps(compiled, text)),
    }
}
