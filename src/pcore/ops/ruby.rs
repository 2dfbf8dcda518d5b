//! Values as Ruby itself shows them, for the messages into which Puppet puts them as they are.

use std::fmt::Write;

use crate::base::inspect::{push_pattern, push_quoted};
use crate::base::number::float_text;
use crate::base::stack::with_room;
use crate::pcore::Value;

/// Ruby's `to_s`: texts bare, but quoted inside an array or a hash.
pub fn to_s(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Undef => {}
        Value::Default => out.push_str("default"),
        Value::String(text) => out.push_str(text),
        Value::Regexp(regexp) => drop(write!(out, "{regexp}")),
        Value::Sensitive(_) => out.push_str("Sensitive [value redacted]"),
        _ => push_inspected(&mut out, value),
    }
    out
}

fn push_inspected(out: &mut String, value: &Value) {
    // Writing to a string cannot fail.
    match value {
        Value::Undef => out.push_str("nil"),
        Value::Default => out.push_str(":default"),
        Value::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Integer(value) => drop(write!(out, "{value}")),
        Value::Float(value) => out.push_str(&float_text(*value)),
        Value::String(text) => push_quoted(out, text),
        Value::Regexp(regexp) => {
            out.push('/');
            push_pattern(out, regexp.source());
            out.push('/');
        }
        Value::Array(_) | Value::Hash(_) => with_room(|| push_collection(out, value)),
        Value::Sensitive(_) => out.push_str("#<Sensitive [value redacted]>"),
        Value::Type(of) => drop(write!(out, "{of}")),
        Value::Timespan(span) => drop(write!(out, "{span}")),
        Value::Timestamp(time) => drop(write!(out, "{time}")),
        Value::SemVer(version) => drop(write!(out, "{version}")),
        Value::SemVerRange(range) => drop(write!(out, "{range}")),
        Value::Uri(uri) => drop(write!(out, "{uri}")),
        Value::Binary(binary) => drop(write!(out, "{binary}")),
        // Ruby shows the address of the object, which means nothing to anybody.
        Value::Object(_) | Value::Iterator(_) => drop(write!(out, "#<{}>", class_name(value))),
    }
}

fn push_collection(out: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                push_inspected(out, item);
            }
            out.push(']');
        }
        Value::Hash(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                push_inspected(out, key);
                out.push_str("=>");
                push_inspected(out, value);
            }
            out.push('}');
        }
        _ => {}
    }
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
        Value::Uri(uri) => return uri_class(&uri.to_string()).to_owned(),
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::Type(_) => "Puppet::Pops::Types::PAnyType",
        Value::Object(object) => return object.class.name.as_deref().unwrap_or("Object").to_owned(),
        Value::Iterator(_) => "Puppet::Pops::Types::Iterator",
    };
    name.to_owned()
}

/// Ruby has a class of its own for the schemes it knows.
fn uri_class(uri: &str) -> &'static str {
    match uri.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).as_deref() {
        Some("http") => "URI::HTTP",
        Some("https") => "URI::HTTPS",
        Some("ftp") => "URI::FTP",
        Some("file") => "URI::File",
        Some("ldap") => "URI::LDAP",
        Some("ldaps") => "URI::LDAPS",
        Some("mailto") => "URI::MailTo",
        Some("ws") => "URI::WS",
        Some("wss") => "URI::WSS",
        _ => "URI::Generic",
    }
}
