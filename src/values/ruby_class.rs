//! The Ruby class of a value, which some of Puppet's messages name.

use std::borrow::Cow;

use super::Value;

/// `Integer`, `NilClass`, `Puppet::Pops::Types::PIntegerType`
pub fn ruby_class(value: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match value {
        Value::Undef => "NilClass",
        Value::Default | Value::Symbol(_) => "Symbol",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Integer(_) | Value::Large(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) | Value::Unencoded(_) => "String",
        Value::Regexp(_) => "Regexp",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Value::SemVer(_) => "SemanticPuppet::Version",
        Value::SemVerRange(_) => "SemanticPuppet::VersionRange",
        Value::Resource(_) => "Puppet::Resource",
        Value::Uri(uri) => uri.ruby_class(),
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::Iterator(sequence) => sequence.ruby_class(),
        Value::Type(of) => return Cow::Owned(format!("Puppet::Pops::Types::P{}Type", of.simple_name())),
        Value::Object(object) => return Cow::Owned(object.class.label().to_owned()),
    })
}

/// The same in "can't convert … into …", where `nil`, `true` and `false` stand for themselves.
pub fn unconvertible(value: &Value) -> Cow<'static, str> {
    match value {
        Value::Undef => "nil".into(),
        Value::Boolean(true) => "true".into(),
        Value::Boolean(false) => "false".into(),
        other => ruby_class(other),
    }
}
