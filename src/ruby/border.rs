//! The conversion of values between Puppet and Ruby.

use std::cmp::Ordering;
use std::rc::Rc;

use pantin_base::{limits, stack};
use pantin_values::{Str, text, unencoded};

use super::class::{Class, Core};
use super::deep::Walk;
use super::memory;
use super::table::Table;
use super::text::{Content, Encoding, Text};
use super::value::{List, Value};

/// What an array or hash takes beside what is in it: as much as so many values.
const VALUES_OF_CONTAINER: usize = 8;

/// What an entry of a hash takes beside its key and its value.
const VALUES_OF_ENTRY: usize = 2;

/// So many bytes of a text take as much as a value.
const BYTES_OF_VALUE: usize = 32;

/// Converts a value of Puppet's to what Ruby code sees. It is copied wherever it stands: a run whose values take too much memory gets
/// no more of it, and ends with its next step.
pub(super) fn inward(value: &pantin_values::Value) -> Value {
    stack::with_room(|| match value {
        pantin_values::Value::Undef => Value::Nil,
        pantin_values::Value::Default => Value::symbol("default"),
        pantin_values::Value::Symbol(name) => Value::Symbol(name.clone()),
        pantin_values::Value::Boolean(value) => Value::Bool(*value),
        pantin_values::Value::Integer(value) => Value::Int(*value),
        pantin_values::Value::Large(value) => Value::Big(Rc::new((**value).clone())),
        pantin_values::Value::Float(value) => Value::Float(*value),
        pantin_values::Value::String(text) => {
            let text = Text::new(text.to_string());
            text.lent.set(true);
            Value::String(Rc::new(text))
        }
        pantin_values::Value::Unencoded(letters) => {
            let text = Text::binary(unencoded::bytes(letters).into_owned());
            text.lent.set(true);
            Value::String(Rc::new(text))
        }
        pantin_values::Value::Regexp(regexp) => Value::Regex(regexp.clone()),
        pantin_values::Value::Array(_) | pantin_values::Value::Hash(_) if memory::is_full() => Value::Nil,
        pantin_values::Value::Array(items) => {
            let list = List::from_values(items.iter().map(inward).collect());
            list.lent.set(true);
            Value::Array(Rc::new(list))
        }
        pantin_values::Value::Hash(entries) => {
            let table = Table::from_pairs(entries.iter().map(|(key, value)| (inward(key), inward(value))));
            table.lent.set(true);
            Value::hash(table)
        }
        // What no array can hold stays on the other side, where nobody can go through it.
        pantin_values::Value::Iterator(sequence) if sequence.len() <= limits::ELEMENTS => {
            Value::array(sequence.iter().map(|item| inward(&item)).collect())
        }
        other => Value::Foreign(Rc::new(other.clone())),
    })
}

/// A value of Ruby's that Puppet has nothing for.
pub(super) enum NoPuppetValue {
    Of(Value),
    /// It holds itself, or nests too deep.
    Endless,
    /// It is made of too many values, each counted wherever it stands.
    TooLarge,
}

/// What becomes of the symbol `:undef` on its way to Puppet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UndefSymbol {
    Undef,
    /// Ruby code is on the other side too.
    Symbol,
}

/// Returns a value of Ruby's, as Puppet code sees it. What was a view has to be settled before.
pub(super) fn outward(value: &Value, symbol: UndefSymbol) -> Result<pantin_values::Value, NoPuppetValue> {
    outward_within(value, &Walk::new(limits::NESTING, limits::RUBY_ELEMENTS as u32), symbol)
}

fn outward_within(value: &Value, walk: &Walk, symbol: UndefSymbol) -> Result<pantin_values::Value, NoPuppetValue> {
    if value.may_hold() {
        walk.deeper(|| outward_of(value, walk, symbol)).unwrap_or_else(|| {
            take(walk, 1)?;
            Err(NoPuppetValue::Endless)
        })
    } else {
        outward_of(value, walk, symbol)
    }
}

/// Counts values that are about to be made.
fn take(walk: &Walk, values: usize) -> Result<(), NoPuppetValue> {
    if walk.take(values) { Ok(()) } else { Err(NoPuppetValue::TooLarge) }
}

fn outward_of(value: &Value, walk: &Walk, symbol: UndefSymbol) -> Result<pantin_values::Value, NoPuppetValue> {
    let all = |items: &[Value]| -> Result<Vec<_>, _> {
        items.iter().map(|item| outward_within(item, walk, symbol)).collect()
    };
    Ok(match value {
        Value::Nil => pantin_values::Value::Undef,
        Value::Bool(value) => pantin_values::Value::Boolean(*value),
        Value::Int(value) => pantin_values::Value::Integer(*value),
        Value::Big(value) => pantin_values::Value::from((**value).clone()),
        Value::Float(value) => pantin_values::Value::Float(*value),
        Value::Symbol(name) if name == "default" => pantin_values::Value::Default,
        Value::Symbol(name) if name == "undef" && symbol == UndefSymbol::Undef => pantin_values::Value::Undef,
        Value::Symbol(name) => pantin_values::Value::Symbol(name.clone()),
        Value::String(content) => match content.content() {
            Content::Utf8(text) => {
                take(walk, text.len() / BYTES_OF_VALUE)?;
                pantin_values::Value::String(text.into())
            }
            Content::Bytes(Encoding::Binary, bytes) => {
                take(walk, bytes.len() / BYTES_OF_VALUE)?;
                pantin_values::Value::unencoded(&bytes)
            }
            Content::Bytes(encoding, bytes) if encoding.has_ascii() && bytes.is_ascii() => {
                match String::from_utf8(bytes) {
                    Ok(text) => pantin_values::Value::String(text.into()),
                    Err(_) => return Err(NoPuppetValue::Of(value.clone())),
                }
            }
            Content::Bytes(..) => return Err(NoPuppetValue::Of(value.clone())),
        },
        Value::Regex(regex) => pantin_values::Value::Regexp(regex.clone()),
        Value::Array(list) => {
            take(walk, VALUES_OF_CONTAINER + list.items.borrow().len())?;
            let items = all(&list.items.borrow())?;
            pantin_values::Value::Array(items.into())
        }
        Value::Hash(table) => {
            take(walk, VALUES_OF_CONTAINER + (2 + VALUES_OF_ENTRY) * table.len())?;
            let mut entries = Vec::with_capacity(table.len());
            for (key, value) in table.pairs() {
                entries.push((outward_within(&key, walk, symbol)?, outward_within(&value, walk, symbol)?));
            }
            pantin_values::Value::hash(entries)
        }
        Value::Foreign(value) => (**value).clone(),
        other => return Err(NoPuppetValue::Of(other.clone())),
    })
}

pub(super) fn class_of_foreign(value: &pantin_values::Value) -> Class {
    match value {
        pantin_values::Value::Sensitive(_) => Core::PuppetSensitiveValue,
        pantin_values::Value::Binary(_) => Core::PuppetBinary,
        pantin_values::Value::SemVer(_) => Core::PuppetVersion,
        pantin_values::Value::SemVerRange(_) => Core::PuppetVersionRange,
        pantin_values::Value::Timestamp(_) => Core::PuppetTimestamp,
        pantin_values::Value::Timespan(_) => Core::PuppetTimespan,
        pantin_values::Value::Type(pantin_values::Type::Resource(_)) => Core::PuppetResourceType,
        pantin_values::Value::Type(_) => Core::PuppetAnyType,
        pantin_values::Value::Resource(_) => Core::PuppetResource,
        pantin_values::Value::Object(object) if is_context(object) => Core::PuppetLookupContext,
        _ => Core::PuppetValue,
    }
    .class()
}

/// Returns true if it is what a back end of Hiera is given.
pub(super) fn is_context(object: &pantin_values::Object) -> bool {
    object.class.label() == "Puppet::LookupContext"
}

pub(super) fn foreign_class_name(value: &pantin_values::Value) -> Str {
    pantin_values::ruby_class(value).into()
}

pub(super) fn foreign_text(value: &pantin_values::Value) -> String {
    let mut out = String::new();
    text::push_text(&mut out, value);
    out
}

/// Returns which of two values of one kind comes first; of others it is only known whether they are the same.
pub(super) fn order_of_foreign(one: &pantin_values::Value, other: &pantin_values::Value) -> Option<Ordering> {
    match (one, other) {
        (pantin_values::Value::SemVer(one), pantin_values::Value::SemVer(other)) => Some(one.compare(other)),
        (pantin_values::Value::Timestamp(one), pantin_values::Value::Timestamp(other)) => Some(one.cmp(other)),
        (pantin_values::Value::Timespan(one), pantin_values::Value::Timespan(other)) => Some(one.cmp(other)),
        _ => (one == other).then_some(Ordering::Equal),
    }
}
