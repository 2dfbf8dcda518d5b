//! Keys: a type and a name. All plain types share the type `Data`.

use std::fmt;
use std::sync::Arc;

use pantin_syntax::bindings::Subject;
use pantin_values::{Fault, Type, Value};

use super::rows::Row;

/// A key, by the text that messages write.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(Arc<str>);

impl Key {
    /// Returns the key `Data, "name"`.
    pub fn data(name: &str) -> Key {
        Key(format!("Data, \"{name}\"").into())
    }

    /// Returns a name of the injector's own: `/param/…`.
    pub fn own(name: &str) -> Key {
        Key(name.into())
    }

    pub fn parameter(subject: &str, name: &str) -> Key {
        Key(format!("/param/{subject}/{name}").into())
    }

    pub fn variable(name: &str) -> Key {
        Key(format!("/var/{name}").into())
    }

    /// A key whose type is a class or a type of resources.
    pub(crate) fn from_subject(subject: &Subject, name: Option<&str>) -> Key {
        Key(match name {
            Some(name) => format!("{}, \"{name}\"", subject.shown()).into(),
            None => subject.shown().into(),
        })
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the name of the row with what is effective of it.
    pub(crate) fn row(&self) -> Row {
        Arc::clone(&self.0)
    }

    /// Returns the name of a key; of one without a name its type.
    pub fn name(&self) -> &str {
        self.data_name().unwrap_or(&self.0)
    }

    /// Returns the name of a key `Data, "name"`.
    pub fn data_name(&self) -> Option<&str> {
        self.0.strip_prefix("Data, \"").and_then(|rest| rest.strip_suffix('"'))
    }

    /// Returns true if values of any type may be bound to it.
    pub fn takes_anything(&self) -> bool {
        self.0.starts_with('/')
    }

    /// Returns the type of a key, without its name.
    pub(crate) fn type_text(&self) -> &str {
        self.0.split_once(", \"").map_or(&self.0, |(of, _)| of)
    }

    pub fn variable_name(&self) -> Option<&str> {
        self.0.strip_prefix("/var/")
    }

    /// Returns what a parameter is of, and its name.
    pub fn parameter_parts(&self) -> Option<(&str, &str)> {
        self.0.strip_prefix("/param/")?.rsplit_once('/')
    }

    /// Returns the type of the key and its name, as JSON shows them.
    pub fn parts(&self) -> (String, Option<String>) {
        if self.0.starts_with('/') {
            return (String::new(), Some(self.0.to_string()));
        }
        match self.0.strip_suffix('"').and_then(|rest| rest.split_once(", \"")) {
            Some((of, name)) => (of.to_owned(), Some(name.to_owned())),
            None => (self.0.to_string(), None),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Parameters whose names are not written out are those of their subject.
        let subject = self.0.strip_prefix("/param/").and_then(|rest| rest.strip_suffix('/'));
        f.write_str(subject.unwrap_or(&self.0))
    }
}

/// Returns the key of a type and a name.
pub fn key_of(of: Option<&Type>, name: Option<&str>) -> Key {
    match (of, name) {
        (_, Some(name)) if name.starts_with('/') => Key::own(name),
        (None, Some(name)) => Key::data(name),
        (Some(of), Some(name)) if is_plain(of, 0) => Key::data(name),
        (Some(of), Some(name)) => Key(format!("{}, \"{name}\"", type_name(of)).into()),
        (Some(of), None) => Key(type_name(of).into()),
        (None, None) => Key(Arc::from("")),
    }
}

/// Returns the key of a type alone.
pub fn key_of_type(of: &Type) -> Key {
    Key(type_name(of).into())
}

/// Returns a type as messages and keys write it: objects and types that are not known by their names alone.
pub(crate) fn type_name(of: &Type) -> String {
    let parameters = |base: &str, types: &[&Type]| {
        let names: Vec<String> = types.iter().map(|of| pantin_base::stack::with_room(|| type_name(of))).collect();
        format!("{base}[{}]", names.join(", "))
    };
    match of {
        Type::Alias(alias) => alias.name().to_owned(),
        // References in bindings are written without quotes.
        Type::Resource(Some(resource)) => match &resource.title {
            Some(title) => format!("{}[{title}]", resource.type_name),
            None => resource.type_name.to_string(),
        },
        Type::Class(Some(name)) => format!("Class[{name}]"),
        Type::Reference(Some(name)) => name.to_string(),
        Type::Object(object) => match &object.name {
            Some(name) => name.to_string(),
            None => of.to_string(),
        },
        Type::Array(array) => match of.to_string() {
            text if !array.size.is_unbounded() => text,
            _ => parameters("Array", &[&array.element]),
        },
        Type::Type(Some(inner)) => parameters("Type", &[inner]),
        Type::Optional(Some(inner)) => parameters("Optional", &[inner]),
        Type::Variant(types) if !types.is_empty() => parameters("Variant", &types.iter().collect::<Vec<&Type>>()),
        Type::Hash(hash) if hash.size.is_unbounded() && hides_name(&hash.value) => {
            parameters("Hash", &[&hash.key, &hash.value])
        }
        other => other.to_string(),
    }
}

/// Returns a declared type as messages write it: of an alias what it stands for too.
pub(crate) fn declared_text(of: &Type) -> String {
    match of {
        Type::Alias(_) => of.to_string(),
        of => type_name(of),
    }
}

/// Returns true if a type by itself writes more than its name.
fn hides_name(of: &Type) -> bool {
    matches!(of, Type::Object(_) | Type::Reference(_))
}

/// How deep types in types are looked at; what is deeper recurs.
const DEPTH: u32 = 32;

/// Returns true if all values of a type are data: no types, references or objects.
pub(crate) fn is_plain(of: &Type, depth: u32) -> bool {
    if depth > DEPTH {
        return true;
    }
    let inner = |of: &Type| pantin_base::stack::with_room(|| is_plain(of, depth + 1));
    match of {
        Type::Undef
        | Type::Unit
        | Type::Default
        | Type::Scalar
        | Type::ScalarData
        | Type::Numeric
        | Type::Binary
        | Type::SemVerRange
        | Type::Integer(_)
        | Type::Float(_)
        | Type::Boolean(_)
        | Type::String(_)
        | Type::StringValue(_)
        | Type::Enum(_)
        | Type::Pattern(_)
        | Type::Regexp(_)
        | Type::Timespan(_)
        | Type::Timestamp(_)
        | Type::SemVer(_)
        | Type::Uri(_) => true,
        Type::Array(array) => inner(&array.element),
        Type::Hash(hash) => inner(&hash.key) && inner(&hash.value),
        Type::Tuple(tuple) => tuple.types.iter().all(inner),
        Type::Struct(members) => members.iter().all(|member| inner(&member.value)),
        Type::Variant(types) => types.iter().all(inner),
        Type::Optional(Some(of)) | Type::NotUndef(Some(of)) => inner(of),
        Type::Sensitive(of) => of.as_deref().is_none_or(inner),
        Type::Alias(alias) => match alias.name() {
            "Data" | "RichData" | "RichDataKey" => true,
            _ => alias.resolved().is_none_or(inner),
        },
        _ => false,
    }
}

/// Returns `a` or `an`, with a space behind it.
pub(crate) fn article(word: &str) -> &'static str {
    match word.chars().next().map(|letter| letter.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an ",
        _ => "a ",
    }
}

/// Returns true if a value may be bound where a type is wanted: of a class or a resource the reference itself.
pub(crate) fn accepts(of: &Type, value: &Value) -> Result<bool, Fault> {
    match (of.resolved(), value) {
        (Type::Class(_) | Type::Resource(_) | Type::CatalogEntry, Value::Type(reference)) => {
            Ok(of.assignable(reference) || of.accepts(value)?)
        }
        (Type::Array(array), Value::Array(items)) if !is_plain(of, 0) => {
            let all = items.iter().map(|item| pantin_base::stack::with_room(|| accepts(&array.element, item)));
            Ok(array.size.contains(items.len()) && all.collect::<Result<Vec<bool>, Fault>>()?.into_iter().all(|is| is))
        }
        (Type::Hash(hash), Value::Hash(entries)) if !is_plain(of, 0) => {
            for (key, value) in entries.iter() {
                if !accepts(&hash.key, key)? || !pantin_base::stack::with_room(|| accepts(&hash.value, value))? {
                    return Ok(false);
                }
            }
            Ok(hash.size.contains(entries.len()))
        }
        _ => of.accepts(value),
    }
}

/// Returns the type of a value as messages name it.
pub(crate) fn inferred(value: &Value) -> String {
    type_name(&Type::reduced(value).generalize())
}

/// Returns true if a value is data: no types, references or objects in it.
pub(crate) fn is_data(value: &Value) -> bool {
    let is_other =
        |value: &Value| matches!(value, Value::Type(_) | Value::Resource(_) | Value::Object(_) | Value::Iterator(_));
    !value.holds(is_other)
}
