//! What the initialization hashes of object types, their members and of type sets must look like.

use std::sync::{Arc, LazyLock};

use crate::pcore::new::shapes::*;
use crate::pcore::types::{ObjectType, Type};

pub(super) const MEMBER_NAME: &str = r"\A[a-z_]\w*\z";
pub(super) const QUALIFIED_REFERENCE: &str = r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z";

/// The class that annotations are instances of.
fn annotations() -> Type {
    let annotation = Type::Object(Arc::new(ObjectType { name: Some("Annotation".into()), ..ObjectType::default() }));
    optional(hash(type_of(annotation), hash(pattern(MEMBER_NAME), Type::Any, 0), 0))
}

fn members() -> Type {
    hash(pattern(MEMBER_NAME), Type::NotUndef(None), 0)
}

pub(super) static OBJECT: LazyLock<Type> = LazyLock::new(|| {
    let member_name = || pattern(MEMBER_NAME);
    structure([
        ("name?", pattern(QUALIFIED_REFERENCE)),
        ("parent?", any_type()),
        ("type_parameters?", members()),
        ("attributes?", members()),
        ("constants?", hash(member_name(), Type::Any, 0)),
        ("functions?", hash(variant([member_name(), Type::StringValue("[]".into())]), Type::NotUndef(None), 0)),
        ("equality?", variant([member_name(), array(member_name(), 0)])),
        ("equality_include_type?", boolean()),
        ("checks?", Type::Any),
        ("annotations?", annotations()),
    ])
});

pub(super) static ATTRIBUTE: LazyLock<Type> = LazyLock::new(|| {
    structure([
        ("type", any_type()),
        ("final?", boolean()),
        ("override?", boolean()),
        ("kind?", enumeration(&["constant", "derived", "given_or_derived", "reference"], false)),
        ("value?", Type::Any),
        ("annotations?", annotations()),
    ])
});

pub(super) static CALLABLE: LazyLock<Type> = LazyLock::new(|| type_of(any_callable()));

pub(super) static FUNCTION: LazyLock<Type> = LazyLock::new(|| {
    structure([
        ("type", type_of(any_callable())),
        ("final?", boolean()),
        ("override?", boolean()),
        ("annotations?", annotations()),
    ])
});

/// All that the pattern of Ruby's `URI` comes down to where it need not match from start to end.
const URI: &str = r"[a-zA-Z][\-+.a-zA-Z\d]*:";

pub(super) static TYPE_SET: LazyLock<Type> = LazyLock::new(|| {
    let version = || variant([text_of(1), Type::SemVer(Arc::from([]))]);
    let simple_name = || pattern(r"\A[A-Z]\w*\z");
    let reference = structure([
        ("name", pattern(QUALIFIED_REFERENCE)),
        ("version_range", variant([text_of(1), Type::SemVerRange])),
        ("name_authority?", pattern(URI)),
        ("annotations?", annotations()),
    ]);
    structure([
        ("pcore_uri?", pattern(URI)),
        ("pcore_version", version()),
        ("name_authority?", pattern(URI)),
        ("name?", pattern(QUALIFIED_REFERENCE)),
        ("version?", version()),
        ("types?", hash(simple_name(), variant([any_type(), OBJECT.clone()]), 1)),
        ("references?", hash(simple_name(), reference, 1)),
        ("annotations?", annotations()),
    ])
});
