//! Ruby's `Kernel#format`: a text with directives, and values to put in their places.
//!
//! `scan` reads the directives and finds each one's argument, the others write: whole numbers,
//! floats, and how Ruby shows a value. Knows nothing of calls; a wrong format is a [`Fault`] with Ruby's words.

mod argument;
mod float;
mod inspect;
mod integer;
mod rounding;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use pantin_base::stack;

pub use argument::{float as float_of, integer as integer_of};
pub use inspect::{inspect, inspect_for_order, push_inspect};

use super::{Fault, Hash, Str, Type, Value, unconvertible};

/// How long a result may grow: a field of a billion blanks takes a few characters to ask for.
const RESULT_BYTES: usize = 64 << 20;

/// How wide, how precise, and with which flags a directive wants its value.
#[derive(Clone, Copy, Debug, Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    sharp: bool,
    zero: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

impl Spec {
    fn set_flag(&mut self, flag: u8) {
        match flag {
            b' ' => self.space = true,
            b'#' => self.sharp = true,
            b'+' => self.plus = true,
            b'-' => self.minus = true,
            _ => self.zero = true,
        }
    }

    /// Returns true if a text stands as it is.
    fn is_bare(&self) -> bool {
        self.width.is_none() && self.precision.is_none()
    }

    /// Returns the sign before a number.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// A number in its field: blanks, or zeros between what stands before the digits and them.
    fn push_number(&self, out: &mut String, before: &str, digits: &str) {
        let fill = self.width.unwrap_or(0).saturating_sub(before.len() + digits.len());
        if !self.minus && !self.zero {
            push_fill(out, ' ', fill);
        }
        out.push_str(before);
        if !self.minus && self.zero {
            push_fill(out, '0', fill);
        }
        out.push_str(digits);
        if self.minus {
            push_fill(out, ' ', fill);
        }
    }

    /// A text in its field, cut to the precision.
    fn push_text(&self, out: &mut String, text: &str) {
        if self.is_bare() {
            return out.push_str(text);
        }
        let text = match self.precision.and_then(|count| text.char_indices().nth(count)) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        let fill = self.width.map_or(0, |width| width.saturating_sub(text.chars().count()));
        if !self.minus {
            push_fill(out, ' ', fill);
        }
        out.push_str(text);
        if self.minus {
            push_fill(out, ' ', fill);
        }
    }
}

fn push_fill(out: &mut String, filler: char, mut count: usize) {
    const BLANKS: &str = "                                ";
    const ZEROS: &str = "00000000000000000000000000000000";
    let fillers = match filler {
        ' ' => BLANKS,
        '0' => ZEROS,
        _ => return out.extend(std::iter::repeat_n(filler, count)),
    };
    while count > 0 {
        let some = count.min(fillers.len());
        out.push_str(&fillers[..some]);
        count -= some;
    }
}

/// Where named directives find their values.
enum Names<'a> {
    /// As in a call from Ruby code: a hash of the language has no symbols as keys.
    None,
    /// A hash is the only argument, and its keys are names.
    Of(&'a Hash),
}

/// Ruby's `Kernel.format(format, *arguments)`.
pub fn format(format: &str, arguments: &[Value]) -> Result<String, Fault> {
    let names = match arguments {
        [Value::Hash(names)] => Names::Of(names),
        _ => Names::None,
    };
    scan::Scanner::new(format, arguments, names, None).run()
}

/// Makes of an argument what the letter of a directive wants; `*` is a width or a precision. A text stands as it is, and
/// where a number is wanted it is one that is too large for an integer.
pub type Convert<'c> = dyn FnMut(&Value, u8) -> Result<Value, Fault> + 'c;

/// The same of values that only the caller knows: `arguments` and `names` hold something in their place.
pub fn format_with(
    format: &str,
    arguments: &[Value],
    names: Option<&Hash>,
    convert: &mut Convert<'_>,
) -> Result<String, Fault> {
    let names = names.map_or(Names::None, Names::Of);
    scan::Scanner::new(format, arguments, names, Some(convert)).run()
}

/// Returns the function `sprintf` with its arguments, the format first.
pub fn sprintf(arguments: &[Value]) -> Result<Str, Fault> {
    let (text, values) = match arguments {
        [] => return Err(Fault::new("no implicit conversion of nil into String")),
        [text, values @ ..] => (text, values),
    };
    let converted: Cow<'_, [Value]> = match values.iter().any(|value| needs_old_form(value, false)) {
        true => Cow::Owned(values.iter().map(|value| old_form(value, false)).collect::<Result<_, _>>()?),
        false => Cow::Borrowed(values),
    };
    match &old_form(text, false)? {
        // It is shown as a text, and is none.
        Value::Resource(_) => Err(Fault::new("no implicit conversion of Puppet::Resource into String")),
        Value::String(text) => Ok(format(text, &converted)?.into()),
        _ => Err(Fault::new(format!("no implicit conversion of {} into String", unconvertible(text)))),
    }
}

/// Returns what a function of the older kind is given for a value: a text for a value of a newer type, a resource for a
/// reference, an empty text for `undef` itself.
pub fn older_form(value: &Value) -> Result<Value, Fault> {
    if needs_old_form(value, false) { old_form(value, false) } else { Ok(value.clone()) }
}

/// Returns true if a function of the old kind is given something else in this value's place.
fn needs_old_form(value: &Value, inner: bool) -> bool {
    match value {
        Value::Undef => !inner,
        Value::Regexp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Large(_)
        | Value::Timespan(_)
        | Value::Timestamp(_)
        | Value::Iterator(_)
        | Value::Type(Type::Resource(_) | Type::Class(_) | Type::CatalogEntry) => true,
        Value::Array(items) => items.iter().any(|item| needs_old_form(item, true)),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| needs_old_form(key, true) || needs_old_form(value, true))
        }
        _ => false,
    }
}

fn old_form(value: &Value, inner: bool) -> Result<Value, Fault> {
    Ok(match value {
        Value::Undef if !inner => Value::string(""),
        Value::Large(number) => return Err(super::resource::out_of_range(number)),
        Value::Regexp(regexp) => Value::string(format!("/{}/", regexp.source())),
        Value::SemVer(_) | Value::SemVerRange(_) | Value::Binary(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            Value::String(super::text::display(value))
        }
        // A reference comes as a resource.
        Value::Type(Type::Resource(_) | Type::Class(_) | Type::CatalogEntry) => value.clone().as_parameter()?,
        Value::Iterator(sequence) if !sequence.is_tree() => {
            return Err(Fault::new("Use of an Iterator is not supported here"));
        }
        Value::Array(items) => stack::with_room(|| {
            let items: Result<Vec<_>, _> = items.iter().map(|item| old_form(item, true)).collect();
            items.map(|items| Value::Array(items.into()))
        })?,
        Value::Hash(entries) => stack::with_room(|| {
            let entries: Result<Hash, Fault> =
                entries.iter().map(|(key, value)| Ok((old_form(key, true)?, old_form(value, true)?))).collect();
            entries.map(Value::Hash)
        })?,
        _ => value.clone(),
    })
}
