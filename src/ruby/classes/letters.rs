//! Sets of letters, as `tr`, `count`, `delete` and `squeeze` take them.

use super::encode::is_broken;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("count", 1, ANY, |interp, given| {
        let (text, sets) = (interp.own_text(given)?, char_sets(interp, given.args)?);
        Ok(text.chars().filter(|letter| sets.iter().all(|set| set.has(*letter))).count().into())
    }),
    method("delete", 0, ANY, |interp, given| {
        let text = interp.own_text(given)?;
        // Ruby looks at the arguments after that.
        if text.is_empty() {
            return Ok(Value::text(text));
        }
        interp.check_argument_count(given.args.len(), 1, None, "")?;
        let sets = char_sets(interp, given.args)?;
        Ok(Value::text(text.chars().filter(|letter| !sets.iter().all(|set| set.has(*letter))).collect::<String>()))
    }),
    method("squeeze", 0, ANY, squeeze),
    method("tr", 2, 2, |interp, given| translate(interp, given, false)),
    method("tr_s", 2, 2, |interp, given| translate(interp, given, true)),
];

/// `a-z`, `^0-9`
struct CharSet {
    letters: Vec<char>,
    ranges: Vec<(char, char)>,
    negated: bool,
}

impl CharSet {
    fn parse(interp: &mut Interp<'_>, text: &str) -> Flow<CharSet> {
        let negated = text.starts_with('^') && text.len() > 1;
        let mut set = CharSet { letters: Vec::new(), ranges: Vec::new(), negated };
        for (from, to) in spans_of(if negated { &text[1..] } else { text }) {
            check_range(interp, from, to)?;
            if from == to { set.letters.push(from) } else { set.ranges.push((from, to)) }
        }
        Ok(set)
    }

    fn has(&self, letter: char) -> bool {
        let inside =
            self.letters.contains(&letter) || self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter));
        inside != self.negated
    }
}

fn spans_of(text: &str) -> Vec<(char, char)> {
    let letters: Vec<char> = text.chars().collect();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let mut letter = letters[at];
        if letter == '\\' && at + 1 < letters.len() {
            at += 1;
            letter = letters[at];
        }
        if letters.get(at + 1) == Some(&'-') && at + 2 < letters.len() {
            spans.push((letter, letters[at + 2]));
            if letter == letters[at + 2] {
                // Ruby goes through a range of one letter twice.
                spans.push((letter, letter));
            }
            at += 3;
        } else {
            spans.push((letter, letter));
            at += 1;
        }
    }
    spans
}

fn check_range(interp: &mut Interp<'_>, from: char, to: char) -> Flow<()> {
    if from <= to {
        return Ok(());
    }
    let shown = if from.is_ascii() && to.is_ascii() { format!("range \"{from}-{to}\"") } else { "range".to_owned() };
    interp.raise(Core::ArgumentError, format!("invalid {shown} in string transliteration"))
}

/// So many of the letters that stand in a row.
fn spread(interp: &mut Interp<'_>, text: &str, most: usize) -> Flow<Vec<char>> {
    let mut letters = Vec::new();
    for (from, to) in spans_of(text) {
        if letters.len() >= most {
            break;
        }
        check_range(interp, from, to)?;
        letters.extend(from..=to);
    }
    Ok(letters)
}

/// A text up to where it is no UTF-8, and whether that is all of it: Ruby looks no further than it has to.
fn valid_start(interp: &mut Interp<'_>, value: &Value) -> Flow<(String, bool)> {
    match value {
        Value::String(text) if is_broken(text) => {
            let bytes = text.bytes();
            let valid = std::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
            Ok((String::from_utf8_lossy(&bytes[..valid]).into_owned(), false))
        }
        other => Ok((interp.text_arg(other)?, true)),
    }
}

fn char_sets(interp: &mut Interp<'_>, args: &[Value]) -> Flow<Vec<CharSet>> {
    let mut sets = Vec::new();
    for arg in args {
        let text = interp.text_arg(arg)?;
        sets.push(CharSet::parse(interp, &text)?);
    }
    Ok(sets)
}

fn squeeze(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (text, sets) = (interp.own_text(given)?, char_sets(interp, given.args)?);
    let mut squeezed = String::with_capacity(text.len());
    let mut before = None;
    for letter in text.chars() {
        if before != Some(letter) || !sets.iter().all(|set| set.has(letter)) {
            squeezed.push(letter);
        }
        before = Some(letter);
    }
    Ok(Value::text(squeezed))
}

fn translate(interp: &mut Interp<'_>, given: &CallArguments<'_>, squeezes: bool) -> Flow {
    let text = interp.own_text(given)?;
    let (from, (to, is_whole)) = (interp.text_arg(given.arg(0))?, valid_start(interp, given.arg(1))?);
    if text.is_empty() {
        return Ok(Value::text(text));
    }
    let set = CharSet::parse(interp, &from)?;
    let source = if set.negated { Vec::new() } else { spread(interp, &from, usize::MAX)? };
    let wanted = if set.negated { usize::MAX } else { source.len() };
    let target = spread(interp, &to, wanted)?;
    if !is_whole && target.len() < wanted {
        return interp.raise(Core::ArgumentError, "invalid byte sequence in UTF-8");
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for letter in text.chars() {
        if !set.has(letter) {
            out.push(letter);
            before = None;
            continue;
        }
        let at = if set.negated { usize::MAX } else { source.iter().rposition(|known| *known == letter).unwrap_or(0) };
        let new = target.get(at).or(target.last()).copied();
        if let Some(new) = new
            && !(squeezes && before == Some(new))
        {
            out.push(new);
        }
        before = new;
    }
    Ok(Value::text(out))
}
