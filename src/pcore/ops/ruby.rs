//! Values as Ruby itself shows them, for the messages into which Puppet puts them as they are.

use std::fmt::Write;

use crate::pcore::Value;
use crate::pcore::sprintf::push_inspect;

/// Ruby's `to_s`: texts bare, but quoted inside an array or a hash.
pub fn to_s(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Undef => {}
        Value::Default => out.push_str("default"),
        Value::String(text) => out.push_str(text),
        Value::Regexp(regexp) => drop(write!(out, "{regexp}")),
        Value::SemVerRange(range) => drop(write!(out, "{range}")),
        Value::Uri(uri) => drop(write!(out, "{uri}")),
        Value::Sensitive(_) => out.push_str("Sensitive [value redacted]"),
        // Ruby shows the address of an object, which means nothing to anybody.
        Value::Object(_) => drop(write!(out, "#<{}>", class_name(value))),
        _ => push_inspect(&mut out, value),
    }
    out
}

/// How Ruby names what it cannot convert: `Integer`, but `nil` and `true`.
pub(super) fn class_name(value: &Value) -> String {
    let name = match value {
        Value::Undef => "nil",
        Value::Default => "Symbol",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Regexp(_) => "Regexp",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Value::SemVer(_) => "SemanticPuppet::Version",
        Value::SemVerRange(_) => "SemanticPuppet::VersionRange",
        Value::Uri(uri) => uri.ruby_class(),
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::Type(_) => "Puppet::Pops::Types::PAnyType",
        Value::Object(object) => return object.class.name.as_deref().unwrap_or("Object").to_owned(),
        Value::Iterator(_) => "Puppet::Pops::Types::Iterator",
    };
    name.to_owned()
}
