//! Each text is what Puppet makes of it.

use super::{literal, string_new};
use crate::Value;

fn said(value: &Value, format: &str) -> String {
    match string_new(value, &[format.into()]) {
        Ok(Value::String(text)) => text.to_string(),
        Ok(other) => format!("{other:?}"),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn scalars_know_their_letters() {
    for (value, format, expected) in [
        (Value::from(255), "%#x", "0xff"),
        (
            255.into(),
            "%q",
            "Illegal format 'q' specified for value of Integer type - expected one of the characters 'dxXobBeEfgGaAspc'",
        ),
        (955.into(), "%#c", "\"λ\""),
        (5.into(), "%#s", "\"5\""),
        (1.5.into(), "%#s", "\"1.5\""),
        ("ab::cd".into(), "%C", "Ab::Cd"),
        ("ab".into(), "%-5u|", "The format '%-5u|' is not a valid format on the form '%<flags><width>.<prec><format>'"),
        ("ab".into(), "%--u", "The same flag can only be used once, got '%--u'"),
        ("  ab ".into(), "%#t", "'ab'"),
        (true.into(), "%#Y", "Y"),
        (false.into(), "%.1f", "0.0"),
        (Value::Undef, "%5n", "  nil"),
        (Value::Default, "%#D", "\"Default\""),
    ] {
        assert_eq!(said(&value, format), expected, "{format}");
    }
}

#[test]
fn values_are_written_as_in_a_source() {
    let list = Value::array([Value::Undef, "it's".into(), Value::array([1.5.into(), true.into(), Value::Default])]);
    assert_eq!(literal(&list), "[undef, 'it\\'s', [1.5, true, default]]");
    assert_eq!(literal(&Value::hash([("a".into(), 1.into())])), "{'a' => 1}");
}
