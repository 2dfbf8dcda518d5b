//! The display, comparison and iteration of values.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt::Write;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use pantin_base::{inspect, number};
use pantin_values::Regexp;

use super::Interp;
use crate::class::Core;
use crate::stop::Flow;
use crate::table::eql;
use crate::text::{Encoding, Text};
use crate::value::{Data, Range, Value};
use crate::{border, classes};

/// What a block was handed in one call.
#[derive(Clone)]
pub(crate) enum YieldedValues {
    One(Value),
    /// None, or more than one: as one value they are an array, or nil.
    Several(Vec<Value>),
}

impl YieldedValues {
    pub(crate) fn from_args(args: &[Value]) -> YieldedValues {
        match args {
            [one] => YieldedValues::One(one.clone()),
            all => YieldedValues::Several(all.to_vec()),
        }
    }

    pub(crate) fn into_value(self) -> Value {
        match self {
            YieldedValues::One(value) => value,
            YieldedValues::Several(all) if all.is_empty() => Value::Nil,
            YieldedValues::Several(all) => Value::array(all),
        }
    }
}

impl Interp<'_> {
    // ---- as text ----

    pub(crate) fn text_of(&mut self, value: &Value) -> Flow<String> {
        let mut text = String::new();
        self.push_to_s(&mut text, value)?;
        Ok(text)
    }

    pub(crate) fn push_to_s(&mut self, out: &mut String, value: &Value) -> Flow<()> {
        match value {
            Value::Nil => {}
            Value::String(text) => match text.as_str() {
                Some(text) => out.push_str(&text),
                // Bytes stay the same bytes.
                None => match std::str::from_utf8(&text.bytes()) {
                    Ok(letters) if text.is_binary() => out.push_str(letters),
                    _ => return self.unsupported("a text of bytes in a text of letters"),
                },
            },
            Value::Symbol(name) => out.push_str(name),
            Value::Array(_) | Value::Hash(_) => out.push_str(&self.inspect(value)?),
            Value::Regex(regex) => out.push_str(&regex_to_s(regex)),
            Value::Foreign(value) => out.push_str(&border::foreign_text(value)),
            Value::Range(range) => {
                self.push_to_s(out, &range.from)?;
                out.push_str(if range.exclusive { "..." } else { ".." });
                self.push_to_s(out, &range.to)?;
            }
            Value::Object(object) => {
                if self.method_of(value, "to_s").is_some_and(|method| method.is_own()) {
                    let text = self.send(value, "to_s", &[])?;
                    return self.push_to_s(out, &text);
                }
                let _ = object;
                out.push_str(&classes::object_text(self, value, false)?);
            }
            other => out.push_str(&self.inspect(other)?),
        }
        Ok(())
    }

    pub(crate) fn inspect(&mut self, value: &Value) -> Flow<String> {
        self.deeper(|interp| interp.inspect_here(value))
    }

    fn inspect_here(&mut self, value: &Value) -> Flow<String> {
        if !value.may_hold() {
            return self.inspect_one(value);
        }
        self.step()?;
        if self.shown.iter().any(|outer| outer.is_same(value)) {
            return Ok(match value {
                Value::Array(_) => "[...]".to_owned(),
                Value::Hash(_) => "{...}".to_owned(),
                other => format!("#<{}: {{...}}>", self.class_name_of(other)),
            });
        }
        self.shown.push(value.clone());
        let bytes = self.shown_bytes;
        let shown = self.inspect_one(value);
        self.shown_bytes = bytes;
        self.shown.pop();
        let shown = shown?;
        self.check_bytes(shown.len())?;
        Ok(shown)
    }

    fn inspect_one(&mut self, value: &Value) -> Flow<String> {
        Ok(match value {
            Value::Nil => "nil".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Big(value) => value.to_string(),
            Value::Float(value) => number::float_text(*value),
            Value::Symbol(name) => symbol_text(name),
            Value::String(text) => inspect_text(text),
            Value::Array(list) => {
                let items = list.items.borrow().clone();
                let mut shown = Vec::with_capacity(items.len());
                for item in &items {
                    shown.push(self.inspect_part(item)?);
                }
                format!("[{}]", shown.join(", "))
            }
            Value::Hash(table) => {
                let mut shown = Vec::with_capacity(table.len());
                for (key, value) in table.pairs() {
                    shown.push(format!("{}=>{}", self.inspect_part(&key)?, self.inspect_part(&value)?));
                }
                format!("{{{}}}", shown.join(", "))
            }
            Value::Range(range) => {
                let mut text = String::new();
                if !range.from.is_nil() {
                    text.push_str(&self.inspect(&range.from)?);
                }
                text.push_str(if range.exclusive { "..." } else { ".." });
                if !range.to.is_nil() {
                    text.push_str(&self.inspect(&range.to)?);
                }
                text
            }
            Value::Regex(regex) => {
                let mut text = "/".to_owned();
                inspect::push_pattern(&mut text, regex.source());
                text.push('/');
                text.push_str(&option_letters(regex));
                text
            }
            Value::Class(class) => self.classes.name(*class).to_string(),
            Value::Proc(block) => if block.is_lambda { "#<Proc (lambda)>" } else { "#<Proc>" }.to_owned(),
            Value::Foreign(value) if matches!(**value, pantin_values::Value::Sensitive(_)) => {
                format!("#<{}>", border::foreign_text(value))
            }
            Value::Foreign(value) => match &**value {
                pantin_values::Value::SemVerRange(range) => range.canonical(),
                _ => border::foreign_text(value),
            },
            Value::View(_) => {
                let whole = self.settle(value.clone())?;
                self.inspect(&whole)?
            }
            Value::Object(_) => classes::object_text(self, value, true)?,
        })
    }

    /// Returns an element: an object of the program may say itself how it is shown.
    fn inspect_part(&mut self, value: &Value) -> Flow<String> {
        if let Value::Object(_) = value
            && self.method_of(value, "inspect").is_some_and(|method| method.is_own())
        {
            let text = self.send(value, "inspect", &[])?;
            return self.text_of(&text);
        }
        let text = self.inspect(value)?;
        // Parts of all containers around it are held until those have ended.
        self.shown_bytes += text.len();
        self.check_bytes(self.shown_bytes)?;
        Ok(text)
    }

    // ---- compared ----

    pub(crate) fn equal(&mut self, a: &Value, b: &Value) -> Flow<bool> {
        if a.may_hold() {
            self.step()?;
        }
        match (a, b) {
            (Value::Array(left), Value::Array(right)) => {
                if Rc::ptr_eq(left, right) {
                    return Ok(true);
                }
                let (left, right) = (left.items.borrow().clone(), right.items.borrow().clone());
                self.lists_are(&left, &right, Self::equal)
            }
            (Value::Hash(left), Value::Hash(right)) => {
                if Rc::ptr_eq(left, right) {
                    return Ok(true);
                }
                self.tables_are(left, right, Self::equal)
            }
            // Of a command that has ended: `$? == 0`.
            (Value::Object(object), Value::Int(_)) if object.class.is(Core::ProcessStatus) => {
                let status = self.send(a, "to_i", &[])?;
                self.equal(&status, b)
            }
            (Value::Object(_), _)
                if self.method_of(a, "==").is_some_and(|method| !method.owner.is(Core::BasicObject)) =>
            {
                Ok(self.send(a, "==", std::slice::from_ref(b))?.is_truthy())
            }
            (Value::Object(_), Value::Object(_)) => classes::objects_equal(self, a, b),
            // What says that it is a text or an array is asked.
            (Value::String(_), Value::Object(_)) if self.responds(b, "to_str")? => {
                Ok(self.send(b, "==", std::slice::from_ref(a))?.is_truthy())
            }
            (Value::Array(_), Value::Object(_)) if self.responds(b, "to_ary")? => {
                Ok(self.send(b, "==", std::slice::from_ref(a))?.is_truthy())
            }
            (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
                Ok(compare_numbers(a, b) == Some(Ordering::Equal))
            }
            (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Object(_))
                if classes::rational_of(b).is_some() =>
            {
                Ok(compare_numbers(a, b) == Some(Ordering::Equal))
            }
            _ => Ok(eql(a, b)),
        }
    }

    /// `<=>`
    pub(crate) fn compare(&mut self, a: &Value, b: &Value) -> Flow<Option<Ordering>> {
        if a.may_hold() {
            self.step()?;
        }
        match (a, b) {
            (Value::String(a), Value::String(b)) => Ok(Some(a.bytes().cmp(&*b.bytes()))),
            (Value::Symbol(a), Value::Symbol(b)) => Ok(Some(a.as_bytes().cmp(b.as_bytes()))),
            (Value::Array(left), Value::Array(right)) if Rc::ptr_eq(left, right) => Ok(Some(Ordering::Equal)),
            (Value::Array(left), Value::Array(right)) => {
                let (left, right) = (left.items.borrow().clone(), right.items.borrow().clone());
                for (a, b) in left.iter().zip(&right) {
                    match self.deeper(|interp| interp.compare(a, b))? {
                        Some(Ordering::Equal) => {}
                        other => return Ok(other),
                    }
                }
                Ok(Some(left.len().cmp(&right.len())))
            }
            (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
                Ok(compare_numbers(a, b))
            }
            (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Object(_))
                if classes::rational_of(b).is_some() =>
            {
                Ok(compare_numbers(a, b))
            }
            (Value::Object(_), _) if self.method_of(a, "<=>").is_some() => {
                match self.send(a, "<=>", std::slice::from_ref(b))? {
                    Value::Int(order) => Ok(Some(order.cmp(&0))),
                    _ => Ok(None),
                }
            }
            (Value::Foreign(a), Value::Foreign(b)) => Ok(border::order_of_foreign(a, b)),
            (Value::Bool(_) | Value::Nil, Value::Bool(_) | Value::Nil) => Ok(a.is_same(b).then_some(Ordering::Equal)),
            _ => Ok(self.equal(a, b)?.then_some(Ordering::Equal)),
        }
    }

    /// The same, where there has to be an order.
    pub(crate) fn order(&mut self, a: &Value, b: &Value) -> Flow<Ordering> {
        match self.compare(a, b)? {
            Some(order) => Ok(order),
            None => self.incomparable(a, b),
        }
    }

    pub(crate) fn incomparable<T>(&mut self, a: &Value, b: &Value) -> Flow<T> {
        let (left, right) = (self.class_name_of(a), self.comparison_name(b)?);
        self.raise(Core::ArgumentError, format!("comparison of {left} with {right} failed"))
    }

    /// Returns the right side, as the error of a comparison shows it.
    pub(crate) fn comparison_name(&mut self, value: &Value) -> Flow<String> {
        match value {
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Symbol(_) => self.inspect(value),
            _ => Ok(self.class_name_of(value).to_string()),
        }
    }

    /// Sorts, with an order that may fail: by merging, as the C library does that Ruby has sort. Equal ones keep their
    /// order, and the same are compared with each other.
    pub(crate) fn sort<T: Clone>(
        &mut self,
        mut items: Vec<T>,
        mut order: impl FnMut(&mut Self, &T, &T) -> Flow<Ordering>,
    ) -> Flow<Vec<T>> {
        self.merge_sort(&mut items, &mut order)?;
        Ok(items)
    }

    fn merge_sort<T: Clone>(
        &mut self,
        items: &mut [T],
        order: &mut impl FnMut(&mut Self, &T, &T) -> Flow<Ordering>,
    ) -> Flow<()> {
        if items.len() < 2 {
            return Ok(());
        }
        let (left, right) = items.split_at_mut(items.len() / 2);
        self.merge_sort(left, order)?;
        self.merge_sort(right, order)?;
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut ours, mut theirs) = (&*left, &*right);
        while let (Some((one, rest)), Some((other, behind))) = (ours.split_first(), theirs.split_first()) {
            if order(self, one, other)?.is_le() {
                merged.push(one.clone());
                ours = rest;
            } else {
                merged.push(other.clone());
                theirs = behind;
            }
        }
        merged.extend_from_slice(ours);
        merged.extend_from_slice(theirs);
        items.clone_from_slice(&merged);
        Ok(())
    }

    // ---- iterated over ----

    /// Returns what `each` hands to its block, call by call.
    pub(crate) fn yields(&mut self, value: &Value) -> Flow<Vec<YieldedValues>> {
        match value {
            Value::Object(object) if !matches!(&*object.data.borrow(), Data::Set(_)) => {
                let collected = Rc::new(RefCell::new(Vec::new()));
                let into = collected.clone();
                let block = Value::native_block(move |interp, args| {
                    interp.check_count(into.borrow().len())?;
                    into.borrow_mut().push(YieldedValues::from_args(args));
                    Ok(Value::Nil)
                });
                self.send_with(value, "each", &[], Some(&block))?;
                Ok(collected.take())
            }
            other => Ok(self.items(other)?.into_iter().map(YieldedValues::One).collect()),
        }
    }

    /// Returns what `each` gives, one after the other.
    pub(crate) fn items(&mut self, value: &Value) -> Flow<Vec<Value>> {
        match value {
            Value::Array(list) => Ok(list.items.borrow().clone()),
            Value::Hash(table) => Ok(table.pairs().into_iter().map(|(key, value)| Value::pair(key, value)).collect()),
            Value::Range(range) => self.range_items(range),
            Value::Nil => Ok(Vec::new()),
            Value::View(_) => {
                let whole = self.settle(value.clone())?;
                self.items(&whole)
            }
            Value::Object(object) => {
                if let Data::Set(table) = &*object.data.borrow() {
                    return Ok(table.keys());
                }
                Ok(self.yields(value)?.into_iter().map(YieldedValues::into_value).collect())
            }
            _ => {
                let described = self.describe_receiver(value)?;
                self.raise(Core::NoMethodError, format!("undefined method `each' for {described}"))
            }
        }
    }

    fn range_items(&mut self, range: &Range) -> Flow<Vec<Value>> {
        match (&range.from, &range.to) {
            (Value::Int(from), Value::Int(to)) => {
                let end = if range.exclusive { *to } else { to.saturating_add(1) };
                let count = end.saturating_sub(*from).max(0) as u64;
                self.check_count(usize::try_from(count).unwrap_or(usize::MAX))?;
                Ok((*from..end).map(Value::Int).collect())
            }
            (Value::Int(_), Value::Nil) => self.raise(Core::RangeError, "cannot convert endless range to an array"),
            (Value::Int(from), Value::Float(to)) => {
                let end = to.floor() as i64;
                let exclusive = range.exclusive && end as f64 == *to;
                let range = Range::new(Value::Int(*from), Value::Int(end), exclusive);
                self.range_items(&range)
            }
            (Value::Symbol(from), Value::Symbol(to)) => {
                let texts = Range::new(Value::text(from.as_str()), Value::text(to.as_str()), range.exclusive);
                let names = self.range_items(&texts)?;
                names.iter().map(|name| self.name_arg(name).map(Value::Symbol)).collect()
            }
            (Value::Object(_), to) if !to.is_nil() && self.responds(&range.from, "succ")? => {
                self.succeeding(&range.from, to, range.exclusive)
            }
            (Value::String(from), Value::String(to)) => {
                let (from, to) = (self.str_of(from)?, self.str_of(to)?);
                if let ([first], [last]) = (from.as_bytes(), to.as_bytes())
                    && from.is_ascii()
                    && to.is_ascii()
                {
                    let end = if range.exclusive { *last } else { last + 1 };
                    return Ok((*first..end).map(|letter| Value::text(char::from(letter))).collect());
                }
                if let (Some(first), Some(last)) = (whole_number(&from), whole_number(&to)) {
                    let last = if range.exclusive { last - 1 } else { last };
                    self.check_texts(usize::try_from(last - first).map_or(0, |more| more.saturating_add(1)))?;
                    let width = from.len();
                    return Ok((first..=last).map(|number| Value::text(format!("{number:0width$}"))).collect());
                }
                let mut items = Vec::new();
                let mut next = from;
                let after = classes::successor(&to);
                if next > to || (range.exclusive && next == to) {
                    return Ok(items);
                }
                while next != after {
                    self.check_count(items.len())?;
                    self.step()?;
                    if range.exclusive && next == to {
                        break;
                    }
                    let is_last = next == to;
                    let following = classes::successor(&next);
                    items.push(Value::text(std::mem::replace(&mut next, following)));
                    if is_last || next.len() > to.len() || next.is_empty() {
                        break;
                    }
                }
                Ok(items)
            }
            (from, _) => {
                let of = self.class_name_of(from);
                self.raise(Core::TypeError, format!("can't iterate from {of}"))
            }
        }
    }

    /// Returns what comes of asking one after the other for the next, up to an end.
    fn succeeding(&mut self, from: &Value, to: &Value, exclusive: bool) -> Flow<Vec<Value>> {
        let (mut items, mut next) = (Vec::new(), from.clone());
        loop {
            match self.compare(&next, to)? {
                Some(Ordering::Less) => {}
                Some(Ordering::Equal) if !exclusive => {
                    items.push(next);
                    return Ok(items);
                }
                _ => return Ok(items),
            }
            self.check_count(items.len())?;
            let following = self.send(&next, "succ", &[])?;
            items.push(std::mem::replace(&mut next, following));
        }
    }

    /// Returns the letters of a text that has to be one.
    pub(crate) fn str_of(&mut self, text: &Text) -> Flow<String> {
        match text.as_str() {
            Some(text) => Ok(text.to_owned()),
            None if text.encoding() == Encoding::Utf8 => {
                self.raise(Core::ArgumentError, "invalid byte sequence in UTF-8")
            }
            None => {
                let encoding = text.encoding().name();
                self.unsupported(format!("to look at the letters of a text in {encoding}"))
            }
        }
    }
}

/// Texts of digits alone are counted as numbers are.
fn whole_number(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

pub(crate) fn compare_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Object(_), _) | (_, Value::Object(_)) => classes::order_of_rationals(a, b),
        (Value::Float(a), _) => compare_to_float(b, *a).map(Ordering::reverse),
        (_, Value::Float(b)) => compare_to_float(a, *b),
        _ => Some(big_of(a)?.cmp(&big_of(b)?)),
    }
}

/// Returns an integer beside a float, to the last digit: a large one need not be a float at all.
fn compare_to_float(whole: &Value, float: f64) -> Option<Ordering> {
    /// Up to here every integer is a float.
    const EXACT: u64 = 1 << 53;
    match whole {
        Value::Int(whole) if whole.unsigned_abs() <= EXACT => (*whole as f64).partial_cmp(&float),
        _ => match BigInt::from_f64(float.trunc()) {
            Some(near) => Some(big_of(whole)?.cmp(&near).then(0.0.partial_cmp(&float.fract())?)),
            // Infinite, or no number at all.
            None => 0.0.partial_cmp(&float),
        },
    }
}

pub(crate) fn float_of(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Big(value) => value.to_f64(),
        Value::Float(value) => Some(*value),
        Value::Object(_) => Some(classes::rational_of(value)?.as_float()),
        _ => None,
    }
}

pub(crate) fn big_of(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(value) => Some(BigInt::from(*value)),
        Value::Big(value) => Some((**value).clone()),
        _ => None,
    }
}

fn inspect_text(text: &Text) -> String {
    let mut shown = String::new();
    if let Some(letters) = text.as_str().filter(|_| text.encoding() == Encoding::Utf8) {
        inspect::push_quoted(&mut shown, &letters);
        return shown;
    }
    shown.push('"');
    match text.encoding() {
        Encoding::Utf8 => {
            for chunk in text.bytes().utf8_chunks() {
                push_inside(&mut shown, chunk.valid());
                chunk.invalid().iter().for_each(|byte| push_byte(&mut shown, *byte));
            }
        }
        Encoding::Binary | Encoding::UsAscii | Encoding::Latin1 => {
            for &byte in text.bytes().iter() {
                match byte.is_ascii_graphic() || matches!(byte, 7..=13 | 27 | b' ') {
                    true => push_inside(&mut shown, (byte as char).encode_utf8(&mut [0; 4])),
                    false => push_byte(&mut shown, byte),
                }
            }
        }
        encoding => {
            for piece in classes::pieces(encoding, &text.bytes()) {
                match piece {
                    classes::Piece::Letter(letter) if letter.is_ascii() => {
                        push_inside(&mut shown, letter.encode_utf8(&mut [0; 4]));
                    }
                    classes::Piece::Letter(letter) if letter as u32 > 0xffff => {
                        let _ = write!(shown, "\\u{{{:X}}}", letter as u32);
                    }
                    classes::Piece::Letter(letter) => drop(write!(shown, "\\u{:04X}", letter as u32)),
                    classes::Piece::Wrong { bytes, .. } => bytes.iter().for_each(|byte| push_byte(&mut shown, *byte)),
                }
            }
        }
    }
    shown.push('"');
    shown
}

/// Letters as they are shown between quotes.
fn push_inside(shown: &mut String, letters: &str) {
    let mut quoted = String::new();
    inspect::push_quoted(&mut quoted, letters);
    shown.push_str(&quoted[1..quoted.len() - 1]);
}

fn push_byte(shown: &mut String, byte: u8) {
    let _ = write!(shown, "\\x{byte:02X}");
}

pub(super) fn symbol_text(name: &str) -> String {
    let mut shown = String::new();
    inspect::push_symbol(&mut shown, name);
    shown
}

fn option_letters(regex: &Regexp) -> String {
    let options = regex.options();
    let letters = [(options.multi_line, 'm'), (options.ignore_case, 'i'), (options.extended, 'x')];
    letters.into_iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect()
}

/// A pattern with its options, so that it can stand in another.
pub(crate) fn regex_to_s(regex: &Regexp) -> String {
    let options = regex.options();
    let letters = [(options.multi_line, 'm'), (options.ignore_case, 'i'), (options.extended, 'x')];
    let on: String = letters.iter().filter(|(set, _)| *set).map(|(_, letter)| *letter).collect();
    let off: String = letters.iter().filter(|(set, _)| !*set).map(|(_, letter)| *letter).collect();
    let minus = if off.is_empty() { "" } else { "-" };
    let mut text = format!("(?{on}{minus}{off}:");
    inspect::push_pattern(&mut text, regex.source());
    text.push(')');
    text
}
