//! What Ruby writes of the values of `tests/data/to_yaml.jsonl`, and what Pantin does.

use serde_json::Value as Json;

use super::to_yaml;
use crate::Value;

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => (*truth).into(),
        Json::Number(number) => number.as_i64().unwrap().into(),
        Json::String(text) => text.as_str().into(),
        Json::Object(of) if of.contains_key("f") => of["f"].as_str().unwrap().parse::<f64>().unwrap().into(),
        Json::Object(of) if of.contains_key("a") => Value::array(of["a"].as_array().unwrap().iter().map(value)),
        Json::Object(of) => {
            Value::hash(of["h"].as_array().unwrap().iter().map(|entry| (value(&entry[0]), value(&entry[1]))))
        }
        Json::Array(_) => panic!("no value of this table"),
    }
}

#[test]
fn values_are_written_as_ruby_writes_them() {
    let table = include_str!("../../../../../tests/data/to_yaml.jsonl");
    let mut wrong = Vec::new();
    for line in table.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        let (ours, theirs) = (to_yaml(&value(&line["v"])), line["y"].as_str().unwrap());
        if ours.as_deref() != Ok(theirs) {
            wrong.push(format!("{}\n  {theirs:?}\n  {ours:?}", line["v"]));
        }
    }
    assert!(table.lines().count() > 700 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_no_data_is_refused() {
    assert_eq!(to_yaml(&Value::array([Value::sensitive("x".into())])), Err("Sensitive[String]".to_owned()));
}

#[test]
fn indentation_takes_steps() {
    let numbers = Value::array((0..4).map(Value::Integer));
    let deep = (0..3_900).fold(numbers, |inner, _| Value::array([Value::Integer(1), inner, Value::Integer(2)]));
    let steps = pantin_base::budget::Steps::begin(1_000_000);
    let written = to_yaml(&deep).unwrap();
    assert!(steps.is_over() && written.len() < 5_000_000, "{}", written.len());
}
