//! Every kind of thing, beside `serde_json`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::*;

fn compact(what: &impl Serialize) -> String {
    Compact::write(what, 0).unwrap()
}

#[test]
fn a_text_of_all_characters_is_as_serde_json_writes_it() {
    let text: String = (0..0x3000).filter_map(char::from_u32).chain(['\u{1F600}']).collect();
    assert_eq!(compact(&text), serde_json::to_string(&text).unwrap());
}

#[test]
fn each_byte_is_found_at_each_place() {
    for byte in 0..=127_u8 {
        for before in 0..20 {
            let text = format!("{}{}{}", "a".repeat(before), char::from(byte), "b".repeat(9));
            assert_eq!(compact(&text), serde_json::to_string(&text).unwrap(), "{byte} behind {before}");
        }
    }
}

#[derive(Serialize)]
enum Kinds {
    Unit,
    New(u8),
    Tuple(i64, char),
    Struct { a: f64, b: Option<()> },
}

#[derive(Serialize)]
struct Nothing;

#[derive(Serialize)]
struct Pair(i8, Nothing);

#[test]
fn all_kinds_are_as_serde_json_writes_them() {
    let kinds = [Kinds::Unit, Kinds::New(7), Kinds::Tuple(-5, '"'), Kinds::Struct { a: f64::NAN, b: Some(()) }];
    let raw = RawValue::from_string("1.0e+20".to_owned()).unwrap();
    let map = BTreeMap::from([("a\n", vec![1.5, 2.0]), ("b", Vec::new())]);
    let all = (kinds, Pair(-3, Nothing), (raw, "a text behind it"), map, [true, false], u64::MAX);
    assert_eq!(compact(&all), serde_json::to_string(&all).unwrap());
}

#[test]
fn a_key_is_a_text() {
    let error = Compact::write(&BTreeMap::from([([1], 2)]), 0).unwrap_err();
    assert_eq!(error.to_string(), "key must be a string");
}
