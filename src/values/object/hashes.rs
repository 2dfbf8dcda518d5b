//! What the initialization hashes of object types, their members and of type sets must look like.

use std::sync::{Arc, LazyLock};

use pantin_base::Language;

use crate::new::shapes::*;
use crate::types::Type;

pub(super) const MEMBER_NAME: &str = r"\A[a-z_]\w*\z";

/// Returns what the name of a member of an object type looks like.
pub fn member_name() -> Type {
    pattern(MEMBER_NAME)
}

/// Returns what the name of a type looks like, as a version writes it.
pub fn type_name(language: Language) -> Type {
    pattern(match language {
        Language::Puppet7 => r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z",
        _ => r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z",
    })
}

/// A type of Puppet 7, and that of every later version.
struct ByVersion([LazyLock<Type>; 2]);

impl ByVersion {
    fn for_language(&self, language: Language) -> &Type {
        match language {
            Language::Puppet7 => &self.0[0],
            _ => &self.0[1],
        }
    }
}

pub(super) fn object(language: Language) -> &'static Type {
    static TYPES: ByVersion =
        ByVersion([LazyLock::new(|| object_of(Language::Puppet7)), LazyLock::new(|| object_of(Language::Puppet8))]);
    TYPES.for_language(language)
}

pub(super) fn type_set(language: Language) -> &'static Type {
    static TYPES: ByVersion =
        ByVersion([LazyLock::new(|| type_set_of(Language::Puppet7)), LazyLock::new(|| type_set_of(Language::Puppet8))]);
    TYPES.for_language(language)
}

/// Returns the class that annotations are instances of.
fn annotations() -> Type {
    optional(hash(type_of(Type::Object(super::annotation())), hash(pattern(MEMBER_NAME), Type::Any, 0), 0))
}

fn members() -> Type {
    hash(pattern(MEMBER_NAME), Type::NotUndef(None), 0)
}

fn object_of(language: Language) -> Type {
    let member_name = || pattern(MEMBER_NAME);
    structure([
        ("name?", type_name(language)),
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
}

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

fn type_set_of(language: Language) -> Type {
    let version = || variant([text_of(1), Type::SemVer(Arc::from([]))]);
    let simple_name = || pattern(r"\A[A-Z]\w*\z");
    let reference = structure([
        ("name", type_name(language)),
        ("version_range", variant([text_of(1), Type::SemVerRange])),
        ("name_authority?", pattern(URI)),
        ("annotations?", annotations()),
    ]);
    structure([
        ("pcore_uri?", pattern(URI)),
        ("pcore_version", version()),
        ("name_authority?", pattern(URI)),
        ("name?", type_name(language)),
        ("version?", version()),
        ("types?", hash(simple_name(), variant([any_type(), object_of(language)]), 1)),
        ("references?", hash(simple_name(), reference, 1)),
        ("annotations?", annotations()),
    ])
}
