//! Values on their way between Puppet and Ruby.

use std::cmp::Ordering;
use std::rc::Rc;

use super::class::{Class, Core};
use super::deep::Walk;
use super::table::Table;
use super::text::{Content, Encoding, Text};
use super::value::{List, Value};
use crate::base::{limits, stack};
use crate::pcore::{self, Str, text, unencoded};

/// A value of Puppet's, as Ruby code sees it.
pub(super) fn inward(value: &pcore::Value) -> Value {
    stack::with_room(|| match value {
        pcore::Value::Undef => Value::Nil,
        pcore::Value::Default => Value::symbol("default"),
        pcore::Value::Symbol(name) => Value::Symbol(name.clone()),
        pcore::Value::Boolean(value) => Value::Bool(*value),
        pcore::Value::Integer(value) => Value::Int(*value),
        pcore::Value::Large(value) => Value::Big(Rc::new((**value).clone())),
        pcore::Value::Float(value) => Value::Float(*value),
        pcore::Value::String(text) => {
            let text = Text::new(text.to_string());
            text.lent.set(true);
            Value::String(Rc::new(text))
        }
        pcore::Value::Unencoded(letters) => {
            let text = Text::binary(unencoded::bytes(letters).into_owned());
            text.lent.set(true);
            Value::String(Rc::new(text))
        }
        pcore::Value::Regexp(regexp) => Value::Regex(regexp.clone()),
        pcore::Value::Array(items) => {
            let list = List::of(items.iter().map(inward).collect());
            list.lent.set(true);
            Value::Array(Rc::new(list))
        }
        pcore::Value::Hash(entries) => {
            let table = Table::of(entries.iter().map(|(key, value)| (inward(key), inward(value))));
            table.lent.set(true);
            Value::hash(table)
        }
        // What no array can hold stays on the other side, where nobody can go through it.
        pcore::Value::Iterator(sequence) if sequence.len() <= limits::ELEMENTS => {
            Value::array(sequence.iter().map(|item| inward(&item)).collect())
        }
        other => Value::Foreign(Rc::new(other.clone())),
    })
}

/// A value of Ruby's that Puppet has nothing for.
pub(super) enum NoPuppetValue {
    Of(Value),
    /// It holds itself, or nests too deep, or is too much.
    Endless,
}

/// A value of Ruby's, as Puppet code sees it. What was a view has to be settled before.
pub(super) fn outward(value: &Value) -> Result<pcore::Value, NoPuppetValue> {
    outward_within(value, &Walk::new(limits::NESTING, limits::RUBY_ELEMENTS as u32))
}

fn outward_within(value: &Value, walk: &Walk) -> Result<pcore::Value, NoPuppetValue> {
    if value.may_hold() {
        walk.deeper(|| outward_of(value, walk)).unwrap_or(Err(NoPuppetValue::Endless))
    } else {
        outward_of(value, walk)
    }
}

fn outward_of(value: &Value, walk: &Walk) -> Result<pcore::Value, NoPuppetValue> {
    let all = |items: &[Value]| -> Result<Vec<_>, _> { items.iter().map(|item| outward_within(item, walk)).collect() };
    Ok(match value {
        Value::Nil => pcore::Value::Undef,
        Value::Bool(value) => pcore::Value::Boolean(*value),
        Value::Int(value) => pcore::Value::Integer(*value),
        Value::Big(value) => pcore::Value::from((**value).clone()),
        Value::Float(value) => pcore::Value::Float(*value),
        Value::Symbol(name) if name == "default" => pcore::Value::Default,
        Value::Symbol(name) if name == "undef" => pcore::Value::Undef,
        Value::Symbol(name) => pcore::Value::Symbol(name.clone()),
        Value::String(content) => match content.content() {
            Content::Utf8(text) => pcore::Value::String(text.into()),
            Content::Bytes(Encoding::Binary, bytes) => pcore::Value::unencoded(&bytes),
            Content::Bytes(encoding, bytes) if encoding.has_ascii() && bytes.is_ascii() => {
                match String::from_utf8(bytes) {
                    Ok(text) => pcore::Value::String(text.into()),
                    Err(_) => return Err(NoPuppetValue::Of(value.clone())),
                }
            }
            Content::Bytes(..) => return Err(NoPuppetValue::Of(value.clone())),
        },
        Value::Regex(regex) => pcore::Value::Regexp(regex.clone()),
        Value::Array(list) => {
            let items = all(&list.items.borrow())?;
            pcore::Value::Array(items.into())
        }
        Value::Hash(table) => {
            let mut entries = Vec::with_capacity(table.len());
            for (key, value) in table.pairs() {
                entries.push((outward_within(&key, walk)?, outward_within(&value, walk)?));
            }
            pcore::Value::hash(entries)
        }
        Value::Foreign(value) => (**value).clone(),
        other => return Err(NoPuppetValue::Of(other.clone())),
    })
}

pub(super) fn class_of_foreign(value: &pcore::Value) -> Class {
    match value {
        pcore::Value::Sensitive(_) => Core::PuppetSensitiveValue,
        pcore::Value::Binary(_) => Core::PuppetBinary,
        pcore::Value::SemVer(_) => Core::PuppetVersion,
        pcore::Value::SemVerRange(_) => Core::PuppetVersionRange,
        pcore::Value::Timestamp(_) => Core::PuppetTimestamp,
        pcore::Value::Timespan(_) => Core::PuppetTimespan,
        pcore::Value::Type(pcore::Type::Resource(_)) => Core::PuppetResourceType,
        pcore::Value::Type(_) => Core::PuppetAnyType,
        pcore::Value::Resource(_) => Core::PuppetResource,
        pcore::Value::Object(object) if is_context(object) => Core::PuppetLookupContext,
        _ => Core::PuppetValue,
    }
    .class()
}

/// Whether it is what a back end of Hiera is given.
pub(super) fn is_context(object: &pcore::Object) -> bool {
    object.class.label() == "Puppet::LookupContext"
}

pub(super) fn foreign_class_name(value: &pcore::Value) -> Str {
    pcore::ruby_class(value).into()
}

pub(super) fn foreign_text(value: &pcore::Value) -> String {
    let mut out = String::new();
    text::push_text(&mut out, value);
    out
}

/// Which of two values of one kind comes first; of others it is only known whether they are the same.
pub(super) fn order_of_foreign(one: &pcore::Value, other: &pcore::Value) -> Option<Ordering> {
    match (one, other) {
        (pcore::Value::SemVer(one), pcore::Value::SemVer(other)) => Some(one.compare(other)),
        (pcore::Value::Timestamp(one), pcore::Value::Timestamp(other)) => Some(one.cmp(other)),
        (pcore::Value::Timespan(one), pcore::Value::Timespan(other)) => Some(one.cmp(other)),
        _ => (one == other).then_some(Ordering::Equal),
    }
}
