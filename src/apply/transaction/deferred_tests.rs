//! Deferred values on a machine in memory: when they are resolved, and what comes of a call that fails.

use std::cell::RefCell;

use pantin_base::Language;
use pantin_machine::InMemory;
use pantin_values::Value;

use super::testing::{TestRun, catalog_of, run_with_functions, settings};
use crate::deferred::DeferredValues;
use crate::settings::ApplySettings;

/// Knows `upcase` and `hide`, and writes down its calls.
#[derive(Default)]
struct Functions(RefCell<Vec<String>>);

impl DeferredValues for Functions {
    fn resolve(&self, value: &Value) -> Result<Value, String> {
        let Value::Object(call) = value else { return Ok(value.clone()) };
        let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
        let argument = match call.get("arguments") {
            Some(Value::Array(arguments)) => arguments.first().and_then(Value::as_str).unwrap_or_default(),
            _ => "",
        };
        self.0.borrow_mut().push(argument.to_owned());
        match name {
            "upcase" => Ok(Value::string(argument.to_uppercase())),
            "hide" => Ok(Value::sensitive(Value::string(argument))),
            _ => Err(format!("Unknown function: '{name}'")),
        }
    }
}

fn notify(title: &str, function: &str) -> String {
    format!(
        r#"{{"type":"Notify","title":"{title}","parameters":
            {{"message":{{"__ptype":"Deferred","name":"{function}","arguments":["{title}"]}}}}}}"#
    )
}

fn run(resources: &[String], settings: &ApplySettings) -> (TestRun, Vec<String>) {
    let functions = Functions::default();
    let run = run_with_functions(&InMemory::new(), settings, &catalog_of(&resources.join(",")), &functions);
    (run, functions.0.take())
}

#[test]
fn a_value_is_resolved_when_the_turn_of_its_resource_comes() {
    let (run, calls) = run(&[notify("a", "upcase"), notify("b", "upcase")], &settings());
    assert_eq!(calls, ["a", "b"]);
    assert_eq!(run.lines[0], "Notice: A");
    assert_eq!(run.lines[2], "Notice: B");
}

#[test]
fn a_call_that_fails_ends_the_run_where_it_stands() {
    let (run, calls) = run(&[notify("a", "upcase"), notify("b", "nope"), notify("c", "upcase")], &settings());
    assert_eq!(calls, ["a", "b"]);
    assert_eq!(run.lines[0], "Notice: A");
    assert!(run.lines.contains(&"Error: Failed to apply catalog: Unknown function: 'nope'".to_owned()));
}

#[test]
fn where_all_are_resolved_first_nothing_is_applied_after_a_failure() {
    let first = ApplySettings { preprocess_deferred: true, ..settings() };
    let (run, _) = run(&[notify("a", "upcase"), notify("b", "nope")], &first);
    assert_eq!(run.lines, ["Error: Unknown function: 'nope'"]);
    assert!(run.report.is_none());
}

#[test]
fn a_value_that_turns_out_to_be_secret_is_in_no_line() {
    let seven = ApplySettings { preprocess_deferred: true, language: Language::Puppet7, ..settings() };
    for settings in [settings(), seven] {
        let (run, _) = run(&[notify("secret", "hide")], &settings);
        let said: Vec<&String> = run.lines.iter().filter(|line| line.contains("message")).collect();
        assert!(!said.is_empty() && said.iter().all(|line| !line.contains("'secret'")), "{:?}", run.lines);
    }
}
