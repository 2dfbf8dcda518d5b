//! YAML and JSON: whether they can be read, and keys that stand twice.
//!
//! A file that Hiera reads may hold what Hiera takes, which is less than YAML has, and has to be a hash.

use pantin_base::{Diagnostic, Related, Severity, Source, Span};
use pantin_values::data::{DuplicateKey, Error, json, yaml};
use pantin_values::{Value, ruby_class};

use super::data_values::check_values;
use super::finding;

pub(super) fn check_yaml(source: &Source, is_data: bool) -> Vec<Diagnostic> {
    let text = source.text().as_bytes();
    let name = source.name().unwrap_or_default();
    let options = yaml::Options { symbols: yaml::Symbols::TextAsKey, ..yaml::Options::default() };
    let value = match yaml::load_or_say(text, name, options) {
        Ok(value) => value,
        Err(yaml::Wrong::Syntax(error) | yaml::Wrong::Else(error)) => {
            return vec![broken(source, "YAML_SYNTAX", &error, &in_file(&error.message, name))];
        }
        // Other tools may know such classes; Hiera does not.
        Err(yaml::Wrong::Class(_)) if !is_data => return duplicates(source, yaml::duplicate_keys(text)),
        Err(yaml::Wrong::Class(class)) => {
            let message = yaml::unspecified_class(&class);
            return vec![finding(source, Severity::Error, "YAML_CLASS", &message, None)];
        }
        Err(yaml::Wrong::Alias(alias)) => {
            let message = yaml::unknown_alias(&alias);
            let line = super::line_with(source.text(), &format!("*{alias}"));
            return vec![finding(source, Severity::Error, "YAML_SYNTAX", &message, line.map(|line| (line, None)))];
        }
    };
    let mut found = if is_data { check_data(source, &value) } else { Vec::new() };
    found.extend(duplicates(source, yaml::duplicate_keys(text)));
    found
}

pub(super) fn check_json(source: &Source, is_data: bool) -> Vec<Diagnostic> {
    let text = source.text().as_bytes();
    let value = match json::load_typed(text) {
        Ok(value) => value,
        Err(error) => return vec![broken(source, "JSON_SYNTAX", &error, &error.message)],
    };
    let mut found = if is_data { check_data(source, &value) } else { Vec::new() };
    found.extend(duplicates(source, json::duplicate_keys(text)));
    found
}

fn check_data(source: &Source, value: &Value) -> Vec<Diagnostic> {
    no_hash(source, value).into_iter().chain(check_values(source, value)).collect()
}

fn broken(source: &Source, code: &'static str, error: &Error, message: &str) -> Diagnostic {
    finding(source, Severity::Error, code, message, error.line.map(|line| (line, error.column)))
}

/// Cuts off the name of the file, which a report says anyway, and the place at the end.
fn in_file(message: &str, name: &str) -> String {
    let message = message.strip_prefix(&format!("({name}): ")).unwrap_or(message);
    message.rsplit_once(" at line ").map_or(message, |(words, _)| words).to_owned()
}

/// An empty file is taken for one without keys.
fn no_hash(source: &Source, value: &Value) -> Option<Diagnostic> {
    if matches!(value, Value::Hash(_) | Value::Undef | Value::Boolean(false)) {
        return None;
    }
    let message = format!("data for Hiera has to be a hash, not {}", ruby_class(value));
    Some(finding(source, Severity::Error, "DATA_NO_HASH", &message, None))
}

/// Says of each key that stands twice where both stand.
pub(super) fn duplicates(source: &Source, keys: Vec<DuplicateKey>) -> Vec<Diagnostic> {
    let warning = |duplicate: DuplicateKey| {
        let DuplicateKey { key, first_line, line, column } = duplicate;
        let message = format!("the key '{key}' stands on line {first_line} already; the value on line {line} counts");
        let found = finding(source, Severity::Warning, "DUPLICATE_KEY", &message, Some((line, Some(column))));
        let related = line_span(source, first_line).map(|span| Related { span, note: "here first".to_owned() });
        Diagnostic { label: Some("here again".to_owned()), related: related.into_iter().collect(), ..found }
    };
    keys.into_iter().map(warning).collect()
}

fn line_span(source: &Source, line: u32) -> Option<Span> {
    Diagnostic::in_source(source, line, None, "")?.span
}

#[cfg(test)]
mod tests {
    use super::*;

    type FoundLine = (String, Option<u32>, &'static str);

    fn told(found: Vec<Diagnostic>) -> Vec<FoundLine> {
        found.into_iter().map(|found| (found.message, found.place.line(), found.code)).collect()
    }

    fn yaml_of(text: &str, is_data: bool) -> Vec<FoundLine> {
        told(check_yaml(&Source::new(Some("a.yaml"), text).unwrap(), is_data))
    }

    fn json_of(text: &str) -> Vec<FoundLine> {
        told(check_json(&Source::new(Some("a.json"), text).unwrap(), true))
    }

    #[test]
    fn keys_that_stand_twice_are_told_with_both_lines() {
        let message = "the key 'a' stands on line 1 already; the value on line 3 counts";
        assert_eq!(yaml_of("a: 1\nb: 2\na: 3\n", true), [(message.to_owned(), Some(3), "DUPLICATE_KEY")]);
        assert_eq!(yaml_of("a: {a: 1}\nb: [{a: 1}, {a: 2}]\n1: x\n'1': y\n", true), []);
        assert_eq!(yaml_of("x: &x {a: 1}\ny: &y {b: 1}\nz:\n  <<: *x\n  <<: *y\n", true), []);
        assert_eq!(
            json_of("{\"a\": \"a\",\n \"b\": {\"a\": 1},\n \"a\": 2}"),
            [(message.to_owned(), Some(3), "DUPLICATE_KEY")]
        );
    }

    #[test]
    fn what_cannot_be_read_is_an_error_with_its_place() {
        let found = yaml_of("a: 1\n b: 2\n", true);
        assert_eq!(found, [("mapping values are not allowed in this context".to_owned(), Some(2), "YAML_SYNTAX")]);
        assert_eq!(yaml_of("a: *b\n", true), [("Unknown alias: b".to_owned(), Some(1), "YAML_SYNTAX")]);
        assert_eq!(json_of("{\"a\": 1,\n}"), [("unexpected '}'".to_owned(), Some(2), "JSON_SYNTAX")]);
    }

    #[test]
    fn data_is_a_hash_of_what_hiera_takes() {
        let message = "data for Hiera has to be a hash, not Array";
        assert_eq!(yaml_of("- 1\n", true), [(message.to_owned(), None, "DATA_NO_HASH")]);
        assert_eq!((yaml_of("- 1\n", false), yaml_of("# nothing\n", true)), (vec![], vec![]));
        let class = ("Tried to load unspecified class: Date".to_owned(), None, "YAML_CLASS");
        assert_eq!((yaml_of("a: 2020-01-01\n", true), yaml_of("a: 2020-01-01\n", false)), (vec![class], vec![]));
    }
}
