//! Types as values of a catalog: objects whose class is the kind of the type, with its attributes.
//!
//! What Puppet leaves out because it is the default is left out here too.

use pantin_base::{limits, stack};
use pantin_values::types::{CallableType, ResourceType, Size, TupleType};
use pantin_values::{Str, Type};
use serde::ser::{Error, Serialize, SerializeMap, Serializer};

/// Far more than a type may have where nobody raises the limit: whoever makes a catalog has told where such a type stands.
const MOST_PARTS: u64 = 10 * limits::TYPE_PARTS;

/// A type on its way into JSON.
pub(super) struct RichType<'t>(pub(super) &'t Type);

impl Serialize for RichType<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.expanded_parts(MOST_PARTS) > MOST_PARTS {
            return Err(S::Error::custom("the type is made of too many types to be sent"));
        }
        let encoded = encoded(self.0);
        let encoded = encoded.ok_or_else(|| S::Error::custom(format!("the type {} cannot be sent", self.0)))?;
        encoded.serialize(to)
    }
}

enum EncodedType {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Text(Str),
    List(Vec<EncodedType>),
    Object(String, Vec<(&'static str, EncodedType)>),
}

impl Serialize for EncodedType {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            EncodedType::Null => to.serialize_unit(),
            EncodedType::Boolean(truth) => to.serialize_bool(*truth),
            EncodedType::Integer(number) => to.serialize_i64(*number),
            EncodedType::Float(number) => to.serialize_f64(*number),
            EncodedType::Text(text) => to.serialize_str(text),
            EncodedType::List(items) => to.collect_seq(items),
            EncodedType::Object(class, attributes) => {
                let mut map = to.serialize_map(Some(attributes.len() + 1))?;
                map.serialize_entry("__ptype", class)?;
                for (name, value) in attributes {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

type Attributes = Vec<(&'static str, EncodedType)>;

/// `None`: it has parts that are not written yet.
fn encoded(of: &Type) -> Option<EncodedType> {
    stack::with_room(|| encoded_object(of))
}

fn encoded_object(of: &Type) -> Option<EncodedType> {
    let attributes: Attributes = match of {
        Type::Any | Type::Unit | Type::Undef | Type::Default | Type::Scalar | Type::ScalarData => Vec::new(),
        Type::Numeric | Type::Binary | Type::SemVerRange | Type::CatalogEntry => Vec::new(),
        Type::Integer(range) => bounds(range.from, range.to),
        Type::Float(range) => {
            let bound = |name, number: f64| number.is_finite().then_some((name, EncodedType::Float(number)));
            [bound("from", range.from), bound("to", range.to)].into_iter().flatten().collect()
        }
        Type::Boolean(value) => value.iter().map(|value| ("value", EncodedType::Boolean(*value))).collect(),
        Type::String(size) => sized("size_type_or_value", *size),
        Type::StringValue(value) => vec![("size_type_or_value", EncodedType::Text(value.clone()))],
        Type::Enum(of) => {
            let values = of.values.iter().cloned().map(EncodedType::Text).collect();
            let mut attributes = vec![("values", EncodedType::List(values))];
            if of.case_insensitive {
                attributes.push(("case_insensitive", EncodedType::Boolean(true)));
            }
            attributes
        }
        Type::Pattern(patterns) => {
            let patterns = patterns.iter().map(|pattern| encoded(&Type::Regexp(Some(pattern.clone()))));
            listed("patterns", patterns.collect::<Option<_>>()?)
        }
        Type::Regexp(pattern) => {
            pattern.iter().map(|pattern| ("pattern", EncodedType::Text(pattern.source().into()))).collect()
        }
        Type::Collection(size) => sized("size_type", *size),
        Type::Array(of) => {
            let parts = [inner("element_type", &of.element)?, sized("size_type", of.size)];
            parts.into_iter().flatten().collect()
        }
        Type::Hash(of) => {
            let parts = [inner("key_type", &of.key)?, inner("value_type", &of.value)?, sized("size_type", of.size)];
            parts.into_iter().flatten().collect()
        }
        Type::Tuple(of) => tuple(of)?,
        Type::Struct(members) => {
            let members = members.iter().map(|member| {
                let name = Type::StringValue(member.name.clone());
                let key = if member.optional { Type::Optional(Some(name.into())) } else { name };
                let attributes = vec![("key_type", encoded(&key)?), ("value_type", encoded(&member.value)?)];
                Some(EncodedType::Object("Pcore::StructElement".to_owned(), attributes))
            });
            listed("elements", members.collect::<Option<_>>()?)
        }
        Type::Variant(types) => listed("types", types.iter().map(encoded).collect::<Option<_>>()?),
        Type::Optional(of) | Type::NotUndef(of) | Type::Type(of) | Type::Sensitive(of) => contained(of.as_deref())?,
        Type::Iterable(of) | Type::Iterator(of) => contained(of.as_deref())?,
        Type::Callable(of) => callable(of)?,
        Type::Alias(alias) if alias.is_recursive() => return None,
        Type::Alias(alias) => vec![
            ("name", EncodedType::Text(alias.name().into())),
            ("type_expr", EncodedType::Null),
            ("resolved_type", encoded(alias.resolved()?)?),
        ],
        Type::Class(name) => name.iter().map(|name| ("class_name", EncodedType::Text(name.as_ref().into()))).collect(),
        Type::Resource(of) => of.as_deref().map(resource).unwrap_or_default(),
        Type::Timespan(None) | Type::Timestamp(None) | Type::Uri(None) => Vec::new(),
        Type::SemVer(ranges) if ranges.is_empty() => Vec::new(),
        _ => return None,
    };
    let class = match of {
        Type::Alias(_) => "TypeAlias",
        Type::StringValue(_) => "String",
        Type::Resource(_) => "Resource",
        Type::Class(_) => "Class",
        other => other.simple_name(),
    };
    Some(EncodedType::Object(format!("Pcore::{class}Type"), attributes))
}

fn resource(of: &ResourceType) -> Attributes {
    let title = of.title.clone().map(|title| ("title", EncodedType::Text(title)));
    [("type_name", EncodedType::Text(of.type_name.clone()))].into_iter().chain(title).collect()
}

fn bounds(from: i64, to: i64) -> Attributes {
    let from = (from != i64::MIN).then_some(("from", EncodedType::Integer(from)));
    let to = (to != i64::MAX).then_some(("to", EncodedType::Integer(to)));
    from.into_iter().chain(to).collect()
}

fn sized(name: &'static str, size: Size) -> Attributes {
    if size == Size::ANY {
        return Vec::new();
    }
    let from = i64::try_from(size.min).unwrap_or(i64::MAX);
    let to = if size.max >= Size::UNBOUNDED { i64::MAX } else { i64::try_from(size.max).unwrap_or(i64::MAX) };
    vec![(name, EncodedType::Object("Pcore::IntegerType".to_owned(), bounds(from, to)))]
}

/// Returns what a container holds; anything is not said.
fn inner(name: &'static str, of: &Type) -> Option<Attributes> {
    match of {
        Type::Any => Some(Vec::new()),
        of => Some(vec![(name, encoded(of)?)]),
    }
}

fn contained(of: Option<&Type>) -> Option<Attributes> {
    of.map_or(Some(Vec::new()), |of| Some(vec![("type", encoded(of)?)]))
}

fn listed(name: &'static str, items: Vec<EncodedType>) -> Attributes {
    if items.is_empty() { Vec::new() } else { vec![(name, EncodedType::List(items))] }
}

fn tuple(of: &TupleType) -> Option<Attributes> {
    let mut attributes = vec![("types", EncodedType::List(of.types.iter().map(encoded).collect::<Option<_>>()?))];
    attributes.extend(of.size.into_iter().flat_map(|size| sized("size_type", size)));
    Some(attributes)
}

fn callable(of: &CallableType) -> Option<Attributes> {
    let Some(params) = &of.params else { return Some(Vec::new()) };
    let or_null = |of: &Option<Type>| of.as_ref().map_or(Some(EncodedType::Null), encoded);
    Some(vec![
        ("param_types", EncodedType::Object("Pcore::TupleType".to_owned(), tuple(params)?)),
        ("block_type", or_null(&of.block)?),
        ("return_type", or_null(&of.returns)?),
    ])
}
