//! The types that are known by name from the start.

use std::sync::{Arc, LazyLock};

use super::{Alias, Type};
use crate::object;

/// Types of resources that are known without a look at any module.
const RESOURCE_TYPES: [&str; 15] = [
    "Component",
    "Exec",
    "File",
    "Filebucket",
    "Group",
    "Node",
    "Notify",
    "Package",
    "Resources",
    "Schedule",
    "Service",
    "Stage",
    "Tidy",
    "User",
    "Whit",
];

/// Returns the built-in type of this name, in any case: `Integer`, `Data`, `File`.
pub fn built_in_type(name: &str) -> Option<Type> {
    let lower = name.to_ascii_lowercase();
    let lower = lower.strip_prefix("::").unwrap_or(&lower);
    if let Some(kind) = built_in(lower) {
        return Some(kind);
    }
    match lower {
        "annotation" => return Some(Type::Object(object::annotation())),
        "data" => return Some(data()),
        "deferred" => return Some(Type::Object(object::deferred())),
        "error" => return Some(Type::Object(object::error())),
        "pcore" => return Some(Type::Object(object::pcore())),
        "pcore::membername" => return Some(MEMBER_NAME.clone()),
        "puppet::lookupcontext" => return Some(Type::Object(object::lookup_context())),
        "richdatakey" => return Some(rich_data_key()),
        "richdata" => return Some(rich_data()),
        "puppet::lookupkey" => return Some(LOOKUP_KEY.clone()),
        "puppet::lookupvalue" => return Some(LOOKUP_VALUE.clone()),
        _ => {}
    }
    let known = RESOURCE_TYPES.iter().find(|known| known.eq_ignore_ascii_case(lower))?;
    Some(Type::resource(*known, None))
}

pub(super) fn built_in(lower: &str) -> Option<Type> {
    Some(match lower {
        "any" => Type::Any,
        "array" => Type::any_array(),
        "binary" => Type::Binary,
        "boolean" => Type::BOOLEAN,
        "callable" => Type::callable(None, None, None),
        "catalogentry" => Type::CatalogEntry,
        "class" => Type::Class(None),
        "collection" => Type::COLLECTION,
        "default" => Type::Default,
        "enum" => Type::enumeration([], false),
        "float" => Type::FLOAT,
        "hash" => Type::any_hash(),
        "init" => Type::Init(None),
        "integer" => Type::INTEGER,
        "iterable" => Type::Iterable(None),
        "iterator" => Type::Iterator(None),
        "notundef" => Type::NotUndef(None),
        "numeric" => Type::Numeric,
        "object" => Type::Object(Arc::default()),
        "optional" => Type::Optional(None),
        "pattern" => Type::pattern([]),
        "regexp" => Type::Regexp(None),
        "resource" => Type::Resource(None),
        "runtime" => Type::Runtime(None),
        "scalar" => Type::Scalar,
        "scalardata" => Type::ScalarData,
        "semver" => Type::SemVer(Arc::new([])),
        "semverrange" => Type::SemVerRange,
        "sensitive" => Type::Sensitive(None),
        "string" => Type::STRING,
        "struct" => Type::strukt([]),
        "timespan" => Type::Timespan(None),
        "timestamp" => Type::Timestamp(None),
        "tuple" => Type::tuple(Vec::new(), None),
        "type" => Type::Type(None),
        "typealias" => UNRESOLVED_ALIAS.clone(),
        "typereference" => Type::Reference(None),
        "typeset" => Type::TypeSet(None),
        "undef" => Type::Undef,
        "uri" => Type::Uri(None),
        "variant" => Type::Variant(Arc::new([])),
        _ => return None,
    })
}

static DATA: LazyLock<Type> = LazyLock::new(|| {
    recursive("Data", |data| {
        Type::variant([
            Type::ScalarData,
            Type::Undef,
            Type::hash_of(Type::STRING, data.clone()),
            Type::array_of(data.clone()),
        ])
    })
});

static RICH_DATA_KEY: LazyLock<Type> =
    LazyLock::new(|| recursive("RichDataKey", |_| Type::variant([Type::STRING, Type::Numeric])));

static RICH_DATA: LazyLock<Type> = LazyLock::new(|| {
    recursive("RichData", |rich_data| {
        Type::variant([
            Type::Scalar,
            Type::SemVerRange,
            Type::Binary,
            Type::Sensitive(None),
            Type::Type(None),
            Type::TypeSet(None),
            Type::Uri(None),
            Type::Object(Arc::default()),
            Type::Undef,
            Type::Default,
            Type::hash_of(rich_data_key(), rich_data.clone()),
            Type::array_of(rich_data.clone()),
        ])
    })
});

static LOOKUP_KEY: LazyLock<Type> = LazyLock::new(|| recursive("Puppet::LookupKey", |_| rich_data_key()));
static MEMBER_NAME: LazyLock<Type> = LazyLock::new(|| recursive("Pcore::MemberName", |_| object::member_name()));
static LOOKUP_VALUE: LazyLock<Type> = LazyLock::new(|| recursive("Puppet::LookupValue", |_| rich_data()));
static UNRESOLVED_ALIAS: LazyLock<Type> = LazyLock::new(|| recursive("UnresolvedAlias", |_| Type::Reference(None)));

fn recursive(name: &str, expand: impl FnOnce(&Type) -> Type) -> Type {
    let alias = Arc::new(Alias::new(name));
    let of = Type::Alias(alias.clone());
    alias.resolve(expand(&of));
    of
}

pub fn data() -> Type {
    DATA.clone()
}

pub fn rich_data() -> Type {
    RICH_DATA.clone()
}

pub fn rich_data_key() -> Type {
    RICH_DATA_KEY.clone()
}

/// Returns true if it prints by its name even where aliases are expanded.
pub(super) fn is_built_in_alias(name: &str) -> bool {
    matches!(name, "Data" | "RichDataKey" | "RichData" | "Puppet::LookupKey" | "Puppet::LookupValue")
}
