//! The messages of mismatches, in Puppet's words.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use pantin_base::stack;

use super::{Mismatch, MismatchKind, Step};
use crate::types::{Member, Size};
use crate::{Str, Type, types};

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Step::Subject(name) => f.write_str(name),
            Step::EntryValue(key) => write!(f, "entry '{key}'"),
            Step::EntryKey(key) => write!(f, "key of entry '{key}'"),
            Step::Parameter(name) => write!(f, "parameter '{name}'"),
            Step::Return => f.write_str("return"),
            Step::Block => f.write_str("block"),
            Step::Index(index) => write!(f, "index {index}"),
            Step::Variant(index) => write!(f, "variant {index}"),
            Step::Signature(index) => write!(f, "{}.", index + 1),
        }
    }
}

/// With a blank before it.
impl Display for Mismatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for step in &self.path {
            write!(f, " {step}")?;
        }
        match &self.kind {
            MismatchKind::MissingKey(key) => write!(f, " expects a value for key '{key}'"),
            MismatchKind::MissingParameter(name) => write!(f, " expects a value for parameter '{name}'"),
            MismatchKind::UnknownKey { key, .. } => write!(f, " unrecognized key '{key}'"),
            MismatchKind::UnknownParameter(name) => write!(f, " has no parameter named '{name}'"),
            MismatchKind::UnexpectedBlock => f.write_str(" does not expect a block"),
            MismatchKind::MissingBlock => f.write_str(" expects a block"),
            MismatchKind::Unresolved(name) => write!(f, " references an unresolved type '{name}'"),
            MismatchKind::Type { expected, actual } => write_types(f, expected, &without_secrets(actual)),
            MismatchKind::Pattern { expected, actual } => write_pattern(f, expected, &without_secrets(actual)),
            MismatchKind::Size { expected, actual } => {
                write!(f, " expects size to be {}, got {}", range(*expected, "0"), range(*actual, "0"))
            }
            MismatchKind::Count { expected, actual } => {
                let (min, max) = (expected.min, expected.max);
                let one = min == 1 && (max == 1 || expected.is_unbounded()) || min == 0 && max == 1;
                let plural = if one { "" } else { "s" };
                write!(f, " expects {} argument{plural}, got {}", range(*expected, "no"), range(*actual, "none"))
            }
        }
    }
}

/// The type without what it tells of a secret: how long its texts are, which numbers it has.
fn without_secrets(of: &Type) -> Cow<'_, Type> {
    if !holds_secret(of) {
        return Cow::Borrowed(of);
    }
    let plain = |of: &Type| without_secrets(of).into_owned();
    Cow::Owned(stack::with_room(|| match of {
        Type::Sensitive(Some(secret)) => Type::sensitive(&secret.generalize()),
        Type::Array(array) => Type::array(plain(&array.element), array.size),
        Type::Hash(hash) => Type::hash(plain(&hash.key), plain(&hash.value), hash.size),
        Type::Tuple(tuple) => Type::tuple(tuple.types.iter().map(plain).collect(), tuple.size),
        Type::Struct(members) => {
            Type::strukt(members.iter().map(|member| Member { value: plain(&member.value), ..member.clone() }))
        }
        Type::Variant(types) => Type::variant(types.iter().map(plain)),
        // Of anything else in which there is one, only the kind is told.
        other => other.generalize(),
    }))
}

fn holds_secret(of: &Type) -> bool {
    matches!(of, Type::Sensitive(Some(_))) || stack::with_room(|| of.parts().into_iter().any(holds_secret))
}

fn range(size: Size, zero: &str) -> String {
    let Size { min, max } = size;
    match (min, max) {
        (0, 0) => zero.to_owned(),
        _ if min == max => min.to_string(),
        (0, _) if size.is_unbounded() => "unlimited".to_owned(),
        (0, _) => format!("at most {max}"),
        _ if size.is_unbounded() => format!("at least {min}"),
        _ => format!("between {min} and {max}"),
    }
}

fn write_types(f: &mut Formatter<'_>, expected: &Type, actual: &Type) -> fmt::Result {
    let (expected, optional) = match expected {
        Type::Optional(Some(of)) => (&**of, true),
        _ => (expected, false),
    };
    let choices = match expected {
        Type::Variant(types) => types,
        _ => std::slice::from_ref(expected),
    };
    let (mut names, actual) = if in_detail(choices, actual) {
        let names: Vec<String> = choices.iter().map(|of| of.display_expanded().to_string()).collect();
        (names, actual_in_detail(choices, actual))
    } else {
        let mut names: Vec<String> = Vec::new();
        for name in choices.iter().map(short_name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (names, short_name(actual))
    };
    if optional {
        names.insert(0, "Undef".to_owned());
    }
    match names.as_slice() {
        [only] => write!(f, " expects {} {only} value, got {actual}", article(only)),
        [first, second] => write!(f, " expects a value of type {first} or {second}, got {actual}"),
        [all @ .., last] => write!(f, " expects a value of type {}, or {last}, got {actual}", all.join(", ")),
        [] => write!(f, " expects a value of type , got {actual}"),
    }
}

fn article(word: &str) -> &'static str {
    let letter = word.trim_start_matches(['"', '\'']).chars().next().map(|letter| letter.to_ascii_lowercase());
    if matches!(letter, Some('a' | 'e' | 'i' | 'o' | 'u' | 'y')) { "an" } else { "a" }
}

fn write_pattern(f: &mut Formatter<'_>, expected: &Type, actual: &Type) -> fmt::Result {
    let (expected, or_undef) = match expected {
        Type::Optional(Some(of)) => (&**of, "an undef value or "),
        _ => (expected, ""),
    };
    let actual = match actual {
        Type::StringValue(text) => format!("'{text}'"),
        _ => short_name(actual),
    };
    write!(f, " expects {or_undef}a match for {}, got {actual}", expected.display_expanded())
}

/// Names of types that wrap another are told with that one's.
fn short_name(of: &Type) -> String {
    let inner = match of {
        Type::Type(inner)
        | Type::NotUndef(inner)
        | Type::Sensitive(inner)
        | Type::Iterable(inner)
        | Type::Iterator(inner)
        | Type::Optional(inner) => inner.as_deref(),
        Type::Init(init) => init.as_ref().and_then(|init| init.target.as_ref()),
        _ => None,
    };
    match inner {
        // An object type that has no name shows as nothing in there.
        Some(Type::Object(object)) if object.name.is_none() => format!("{}[]", name(of)),
        Some(inner) if !matches!(inner, Type::Any) => format!("{}[{}]", name(of), name(inner)),
        _ => name(of).to_string(),
    }
}

fn name(of: &Type) -> Str {
    match of {
        Type::Alias(alias) => alias.name().into(),
        Type::Object(object) => object.name.clone().unwrap_or_else(|| of.simple_name().into()),
        Type::ObjectExtension(extension) => extension.0.name.clone().unwrap_or_else(|| of.simple_name().into()),
        Type::TypeSet(None) => "DefaultTypeSet".into(),
        Type::TypeSet(Some(set)) => set.name.clone().unwrap_or_else(|| of.simple_name().into()),
        _ => of.simple_name().into(),
    }
}

/// Returns true if the types must be told in full, because their names alone would not show the difference.
fn in_detail(expected: &[Type], actual: &Type) -> bool {
    expected.iter().any(|of| is_of_a_kind(of, actual)) || expected.iter().any(|of| in_general(of).assignable(actual))
}

fn is_of_a_kind(expected: &Type, actual: &Type) -> bool {
    let is_text = |of: &Type| matches!(of, Type::String(_) | Type::StringValue(_));
    std::mem::discriminant(expected) == std::mem::discriminant(actual)
        || is_text(expected) && is_text(actual)
        || matches!(expected, Type::Alias(_))
        || matches!(actual, Type::Alias(_))
        || matches!((expected, actual), (Type::Struct(_), Type::Hash(_)) | (Type::Tuple(_), Type::Array(_)))
}

fn actual_in_detail(expected: &[Type], actual: &Type) -> String {
    let general = actual.generalize();
    let in_full = |of: &Type| is_of_a_kind(of.resolved(), actual) || of.resolved().assignable(&general);
    if expected.iter().any(in_full) { actual.display_expanded().to_string() } else { name(actual).to_string() }
}

/// Returns the kind of a type without any parameters.
fn in_general(of: &Type) -> Type {
    match of.resolved() {
        Type::Integer(_) => Type::INTEGER,
        Type::Float(_) => Type::FLOAT,
        Type::Boolean(_) => Type::BOOLEAN,
        Type::String(_) | Type::StringValue(_) => Type::STRING,
        Type::Enum(_) => Type::enumeration([], false),
        Type::Pattern(_) => Type::pattern([]),
        Type::Regexp(_) => Type::Regexp(None),
        Type::Collection(_) => Type::COLLECTION,
        Type::Array(_) => Type::any_array(),
        Type::Hash(_) => Type::any_hash(),
        Type::Tuple(_) => Type::tuple(Vec::new(), None),
        Type::Struct(_) => Type::strukt([]),
        Type::Variant(_) => Type::Variant([].into()),
        Type::Optional(_) => Type::Optional(None),
        Type::NotUndef(_) => Type::NotUndef(None),
        Type::Type(_) => Type::Type(None),
        Type::Sensitive(_) => Type::Sensitive(None),
        Type::Iterable(_) => Type::Iterable(None),
        Type::Iterator(_) => Type::Iterator(None),
        Type::Init(_) => Type::Init(None),
        Type::Callable(_) => Type::callable(None, None, None),
        Type::Runtime(_) => Type::Runtime(None),
        Type::Timespan(_) => Type::Timespan(None),
        Type::Timestamp(_) => Type::Timestamp(None),
        Type::SemVer(_) => Type::SemVer([].into()),
        Type::Uri(_) => Type::Uri(None),
        Type::Object(_) | Type::ObjectExtension(_) => types::built_in_type("Object").unwrap_or(Type::Any),
        Type::TypeSet(_) => Type::TypeSet(None),
        Type::Reference(_) => Type::Reference(None),
        Type::Resource(_) => Type::Resource(None),
        Type::Class(_) => Type::Class(None),
        other => other.clone(),
    }
}
