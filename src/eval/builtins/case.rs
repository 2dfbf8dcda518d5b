//! Functions that change the case of letters.
//!
//! Letters are mapped as Ruby maps them: by themselves, without regard to what stands around them.

use pantin_base::stack;
use pantin_values::{Hash, Str, Value};

use super::iteration::go_through_all;
use super::older::no_method;
use crate::{Builtin, Flow, Invocation, overload, required};

/// Numbers stay, texts are changed, and so are the texts of whatever can be gone through.
macro_rules! of_strings {
    ($name:literal, $change:expr, $doc:literal) => {
        Builtin::typed(
            $name,
            &[
                overload(&[required("Numeric", "arg")], None, |call| Ok(call.take(0))),
                overload(&[required("String", "arg")], None, |call| {
                    Ok($crate::builtins::case::changed(&call.take(0), $change))
                }),
                overload(&[required("Iterable[Variant[String, Numeric]]", "arg")], None, |call| {
                    $crate::builtins::case::each(call, $change)
                }),
            ],
            $doc,
        )
    };
}
pub(super) use of_strings;

/// The same at any depth of arrays and hashes.
macro_rules! of_string_data {
    ($name:literal, $change:expr, $doc:literal) => {
        Builtin::typed(
            $name,
            &[
                overload(&[required("Numeric", "arg")], None, |call| Ok(deep(&call.take(0), $change))),
                overload(&[required("String", "arg")], None, |call| Ok(deep(&call.take(0), $change))),
                overload(&[required("Array[StringData]", "arg")], None, |call| Ok(deep(&call.take(0), $change))),
                overload(&[required("Hash[StringData, StringData]", "arg")], None, |call| {
                    Ok(deep(&call.take(0), $change))
                }),
            ],
            $doc,
        )
        .with_types(STRING_DATA)
    };
}

const STRING_DATA: &[(&str, &str)] =
    &[("StringData", "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]")];

pub(super) static FUNCTIONS: &[Builtin] = &[
    of_string_data!("upcase", upcase, "The texts in capital letters, also those in arrays and hashes."),
    of_string_data!("downcase", downcase, "The texts in small letters, also those in arrays and hashes."),
    of_strings!("capitalize", capitalize, "The texts with the first letter large and all others small."),
    of_strings!("camelcase", camelcase, "The texts with every part between underscores capitalized, without these."),
];

pub(super) type Change = fn(&str) -> Str;

pub(super) fn changed(value: &Value, change: Change) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        other => other.clone(),
    }
}

pub(super) fn each(call: &mut Invocation<'_, '_>, change: Change) -> Flow {
    let collection = call.take(0);
    if let Value::Type(_) = &collection {
        // What its elements are is known, but not to Ruby's `map`.
        return Err(no_method("map", &collection).into());
    }
    let mut all = Vec::new();
    go_through_all(call, &collection, |_, element| {
        all.push(changed(&element.value(), change));
        Ok(true)
    })?;
    Ok(Value::Array(all.into()))
}

fn deep(value: &Value, change: Change) -> Value {
    match value {
        Value::Array(items) => {
            Value::array(stack::with_room(|| items.iter().map(|item| deep(item, change)).collect::<Vec<_>>()))
        }
        Value::Hash(entries) => Value::Hash(stack::with_room(|| {
            entries.iter().map(|(key, value)| (deep(key, change), deep(value, change))).collect::<Hash>()
        })),
        other => changed(other, change),
    }
}

fn upcase(text: &str) -> Str {
    match text.is_ascii() {
        true => text.to_ascii_uppercase().into(),
        false => text.chars().flat_map(char::to_uppercase).collect(),
    }
}

pub(super) fn downcase(text: &str) -> Str {
    match text.is_ascii() {
        true => text.to_ascii_lowercase().into(),
        false => text.chars().flat_map(char::to_lowercase).collect(),
    }
}

fn capitalize(text: &str) -> Str {
    let mut capitalized = Str::with_capacity(text.len());
    push_capitalized(&mut capitalized, text);
    capitalized
}

fn camelcase(text: &str) -> Str {
    let mut joined = Str::with_capacity(text.len());
    text.split('_').for_each(|part| push_capitalized(&mut joined, part));
    joined
}

fn push_capitalized(out: &mut Str, text: &str) {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return };
    out.extend(titlecase(first));
    out.extend(chars.flat_map(char::to_lowercase));
}

/// Returns a letter at the start of a title: large, but of a letter that is two in one only the first is.
fn titlecase(letter: char) -> impl Iterator<Item = char> {
    let single = match letter {
        'Ǆ'..='ǆ' => Some('ǅ'),
        'Ǉ'..='ǉ' => Some('ǈ'),
        'Ǌ'..='ǌ' => Some('ǋ'),
        'Ǳ'..='ǳ' => Some('ǲ'),
        // Georgian has large letters, but no titles in them.
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => Some(letter),
        // A Greek letter with an iota below.
        '\u{1f80}'..='\u{1faf}' => char::from_u32(u32::from(letter) | 8),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(u32::from(letter) + 9),
        '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}' => Some(letter),
        _ => None,
    };
    let upper = letter.to_uppercase();
    // An apostrophe before the letter is no first letter.
    let keeps_all = letter == 'ŉ';
    let several = upper.enumerate().flat_map(move |(index, upper)| {
        let lower = (index > 0 && !keeps_all).then(|| upper.to_lowercase());
        let upper = (index == 0 || keeps_all).then_some(upper);
        upper.into_iter().chain(lower.into_iter().flatten())
    });
    single.into_iter().chain(several.filter(move |_| single.is_none()))
}
