//! Versions: `Gem::Version` of RubyGems, and how Puppet compares those of packages.

use std::cmp::Ordering;

use num_bigint::BigInt;
use pantin_base::version_order;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::GemVersion, Side::Class, MAKE),
    (Core::GemVersion, Side::Instance, METHODS),
    (Core::PuppetUtilPackage, Side::Class, PACKAGE),
];

/// A version as RubyGems keeps it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct GemVersion {
    /// A hyphen is `.pre.` here.
    text: String,
    segments: Vec<Segment>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Segment {
    Number(BigInt),
    Word(String),
}

const MAKE: &[NativeMethod] = &[
    method("new", 1, 1, |interp, given| made(interp, given.arg(0))),
    method("create", 1, 1, |interp, given| match given.arg(0) {
        Value::Nil => Ok(Value::Nil),
        version if version_from_value(version).is_some() => Ok(version.clone()),
        other => made(interp, other),
    }),
    method("correct?", 1, 1, |interp, given| {
        let text = interp.text_of(given.arg(0))?;
        Ok(is_correct(&text).into())
    }),
];

const METHODS: &[NativeMethod] = &[
    method("version", 0, 0, |_, given| Ok(Value::text(own(given).text))),
    method("to_s", 0, 0, |_, given| Ok(Value::text(own(given).text))),
    method("inspect", 0, 0, |interp, given| {
        let text = interp.inspect(&Value::text(own(given).text))?;
        Ok(Value::text(format!("#<Gem::Version {text}>")))
    }),
    method("segments", 0, 0, |_, given| Ok(list(&own(given).segments))),
    method("canonical_segments", 0, 0, |_, given| Ok(list(&own(given).canonical()))),
    method("prerelease?", 0, 0, |_, given| Ok(own(given).is_prerelease().into())),
    method("release", 0, 0, |interp, given| {
        let own = own(given);
        if own.is_prerelease() {
            made(interp, &Value::text(joined(&own.numbers())))
        } else {
            Ok(given.receiver.clone())
        }
    }),
    method("bump", 0, 0, |interp, given| {
        let mut numbers = own(given).numbers();
        if numbers.len() > 1 {
            numbers.pop();
        }
        if let Some(Segment::Number(last)) = numbers.last_mut() {
            *last += 1;
        }
        made(interp, &Value::text(joined(&numbers)))
    }),
    method("approximate_recommendation", 0, 0, |_, given| {
        let own = own(given);
        let mut numbers = own.numbers();
        numbers.resize(2, Segment::Number(0.into()));
        let pre = if own.is_prerelease() { ".a" } else { "" };
        Ok(Value::text(format!("~> {}{pre}", joined(&numbers))))
    }),
    method("<=>", 1, 1, |interp, given| Ok(order(interp, given)?.map_or(Value::Nil, |order| Value::Int(order as i64)))),
    method("==", 1, 1, |interp, given| Ok((order(interp, given)? == Some(Ordering::Equal)).into())),
    method(
        "eql?",
        1,
        1,
        |_, given| Ok((version_from_value(given.arg(0)) == version_from_value(given.receiver)).into()),
    ),
];

const PACKAGE: &[NativeMethod] = &[method("versioncmp", 2, 3, |interp, given| {
    let (left, right) = (interp.text_arg(given.arg(0))?, interp.text_arg(given.arg(1))?);
    let order = match given.arg(2).is_truthy() {
        false => version_order::compare(&left, &right),
        true => match version_order::compare_ignoring_trailing_zeroes(&left, &right) {
            Some(order) => order,
            None => return interp.raise(Core::NoMethodError, "undefined method `sub!' for nil:NilClass"),
        },
    };
    Ok(Value::Int(order as i64))
})];

fn version_from_value(value: &Value) -> Option<GemVersion> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Version(version) => Some((**version).clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the version that a method is called on.
fn own(given: &CallArguments<'_>) -> GemVersion {
    version_from_value(given.receiver).unwrap_or_else(|| GemVersion::read("0"))
}

fn made(interp: &mut Interp<'_>, from: &Value) -> Flow {
    if from.is_nil() {
        return interp.unsupported("a version that is nil");
    }
    let text = interp.text_of(from)?;
    if !is_correct(&text) {
        return interp.raise(Core::ArgumentError, format!("Malformed version number string {text}"));
    }
    Ok(Value::object(Core::GemVersion.class(), Data::Version(Box::new(GemVersion::read(&text)))))
}

/// `1.2.a-b.c`: a number first, then parts of letters and digits; behind a hyphen such parts with hyphens.
fn is_correct(text: &str) -> bool {
    let text = trimmed(text);
    let (main, rest) = match text.split_once('-') {
        Some((main, rest)) => (main, Some(rest)),
        None => (text, None),
    };
    let are_words = |text: &str, hyphens: bool| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || hyphens && byte == b'-';
        text.split('.').all(|part| !part.is_empty() && part.bytes().all(is_part))
    };
    let starts_well = main.split('.').next().is_some_and(|first| first.bytes().all(|byte| byte.is_ascii_digit()));
    text.is_empty() || starts_well && are_words(main, false) && rest.is_none_or(|rest| are_words(rest, true))
}

/// Without the space around it that a pattern of Ruby's knows.
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}'])
}

impl GemVersion {
    fn read(text: &str) -> GemVersion {
        let text = match trimmed(text) {
            "" => "0".to_owned(),
            text => text.replace('-', ".pre."),
        };
        let mut segments = Vec::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.bytes().next() {
            let is_number = first.is_ascii_digit();
            let belongs = |byte: u8| if is_number { byte.is_ascii_digit() } else { byte.is_ascii_alphabetic() };
            let end = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
            let (segment, after) = rest.split_at(end.max(1));
            if is_number {
                segments.push(Segment::Number(segment.parse().unwrap_or_default()));
            } else if first.is_ascii_alphabetic() {
                segments.push(Segment::Word(segment.to_owned()));
            }
            rest = after;
        }
        GemVersion { text, segments }
    }

    fn is_prerelease(&self) -> bool {
        self.text.bytes().any(|byte| byte.is_ascii_alphabetic())
    }

    /// Returns the segments before the first word.
    fn numbers(&self) -> Vec<Segment> {
        let is_number = |segment: &&Segment| matches!(segment, Segment::Number(_));
        self.segments.iter().take_while(is_number).cloned().collect()
    }

    /// Without the zeroes that end the numbers, and those that end the rest.
    fn canonical(&self) -> Vec<Segment> {
        let (numbers, rest) = self.segments.split_at(self.numbers().len());
        [numbers, rest].map(without_zeroes).concat()
    }
}

fn without_zeroes(segments: &[Segment]) -> &[Segment] {
    let is_zero = |segment: &Segment| matches!(segment, Segment::Number(number) if *number == BigInt::ZERO);
    let count = segments.iter().rposition(|segment| !is_zero(segment)).map_or(0, |last| last + 1);
    &segments[..count]
}

fn joined(segments: &[Segment]) -> String {
    let texts = segments.iter().map(|segment| match segment {
        Segment::Number(number) => number.to_string(),
        Segment::Word(word) => word.clone(),
    });
    texts.collect::<Vec<_>>().join(".")
}

fn list(segments: &[Segment]) -> Value {
    let values = segments.iter().map(|segment| match segment {
        Segment::Number(number) => Value::big(number.clone()),
        Segment::Word(word) => Value::text(word.as_str()),
    });
    Value::array(values.collect())
}

/// What is no version, nor a text that is one, cannot be compared.
fn order(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<Ordering>> {
    let other = match given.arg(0) {
        text @ Value::String(_) => {
            let text = interp.text_arg(text)?;
            is_correct(&text).then(|| GemVersion::read(&text))
        }
        other => version_from_value(other),
    };
    Ok(other.map(|other| compared(&own(given), &other)))
}

fn compared(left: &GemVersion, right: &GemVersion) -> Ordering {
    let (left, right) = (left.canonical(), right.canonical());
    let zero = Segment::Number(BigInt::ZERO);
    for index in 0..left.len().max(right.len()) {
        let order = match (left.get(index).unwrap_or(&zero), right.get(index).unwrap_or(&zero)) {
            (Segment::Number(left), Segment::Number(right)) => left.cmp(right),
            (Segment::Word(left), Segment::Word(right)) => left.cmp(right),
            (Segment::Word(_), Segment::Number(_)) => Ordering::Less,
            (Segment::Number(_), Segment::Word(_)) => Ordering::Greater,
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}
