//! Keys and values of Hiera's data: keys that no look-up finds, expressions that Hiera refuses or takes for something else, and
//! encrypted texts that are damaged. Nobody has to look the key up for that, and nothing is decrypted.

use pantin_base::{Diagnostic, Severity, Source, stack};
use pantin_hiera::{ExpressionProblem, problem_of_expressions};
use pantin_values::data::eyaml::{SealedProblem, problem_of_sealed};
use pantin_values::{Str, Value};

use super::{finding, line_with};

pub(super) fn check_values(source: &Source, data: &Value) -> Vec<Diagnostic> {
    let Value::Hash(entries) = data else { return Vec::new() };
    let mut found = Vec::new();
    for (key, value) in entries.iter() {
        let Value::String(key) = key else { continue };
        found.extend(check_key(source, key));
        if let ("lookup_options", Value::Hash(options)) = (key.as_str(), value) {
            let names = options.iter().filter_map(|(name, _)| name.as_str());
            found.extend(names.filter(|name| !name.starts_with('^')).filter_map(|name| check_key(source, name)));
        }
        check_value(source, key, value, &mut found);
    }
    found
}

/// Checks a name of data: the parameter of a class has two colons between its segments, and none before them.
fn check_key(source: &Source, key: &str) -> Option<Diagnostic> {
    let message = if key.starts_with("::") {
        format!("no parameter is looked up as '{key}': the keys of parameters do not begin with '::'")
    } else if key.split("::").any(|segment| segment.contains(':')) {
        format!("no parameter is looked up as '{key}': the keys of parameters have '::' between their segments")
    } else {
        return None;
    };
    let written = key.trim_start_matches(':').split(':').filter(|segment| !segment.is_empty());
    let help = format!("write '{}'", written.collect::<Vec<_>>().join("::"));
    let found = finding(source, Severity::Warning, "DATA_KEY", &message, place_of(source, key));
    Some(Diagnostic { help: Some(help), ..found })
}

fn check_value(source: &Source, key: &Str, value: &Value, found: &mut Vec<Diagnostic>) {
    match value {
        Value::String(text) => found.extend(check_text(source, key, text)),
        Value::Array(items) => {
            stack::with_room(|| items.iter().for_each(|item| check_value(source, key, item, found)));
        }
        Value::Hash(entries) => stack::with_room(|| {
            for (name, value) in entries.iter() {
                check_value(source, key, name, found);
                check_value(source, key, value, found);
            }
        }),
        _ => {}
    }
}

fn check_text(source: &Source, key: &Str, text: &str) -> Option<Diagnostic> {
    if let Some(problem) = problem_of_sealed(text) {
        let message = match problem {
            SealedProblem::Open => format!("an encrypted text below the key '{key}' has no ']' at its end"),
            SealedProblem::NoBase64 => format!("an encrypted text below the key '{key}' is damaged: it is no base64"),
            SealedProblem::CutOff => {
                format!("an encrypted text below the key '{key}' is cut off: its base64 is not whole")
            }
        };
        return Some(finding(source, Severity::Error, "ENCRYPTED_TEXT", &message, place_of(source, beginning(text))));
    }
    let (severity, message, help) = match problem_of_expressions(text)? {
        ExpressionProblem::Refused(reason) => (Severity::Error, format!("{reason}, below the key '{key}'"), None),
        ExpressionProblem::TextBehindCall { expression, call } => (
            Severity::Warning,
            format!("Hiera takes '{expression}' for the name of a variable, below the key '{key}'"),
            Some(format!("write '%{{{call}}}', and the rest behind the brace")),
        ),
    };
    let found = finding(source, severity, "DATA_EXPRESSION", &message, place_of(source, beginning(text)));
    Some(Diagnostic { help, ..found })
}

/// Returns what a search for a text in a file looks for: it may go on in another line.
fn beginning(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.split([' ', '"', '\'']).next().unwrap_or_default()
}

fn place_of(source: &Source, text: &str) -> Option<(u32, Option<u32>)> {
    line_with(source.text(), text).filter(|_| !text.is_empty()).map(|line| (line, None))
}

#[cfg(test)]
mod tests {
    use pantin_values::data::yaml;

    use super::*;

    fn told(text: &str) -> Vec<(String, Option<u32>)> {
        let source = Source::new(Some("a.yaml"), text).unwrap();
        let value = yaml::load_or_say(text.as_bytes(), "a.yaml", yaml::Options::default()).unwrap();
        check_values(&source, &value).into_iter().map(|found| (found.message, found.place.line())).collect()
    }

    #[test]
    fn keys_that_no_parameter_has_are_told() {
        assert_eq!(told("a: 1\na::b: 1\na_b::c_d::e: 1\n'other key': 1\n"), []);
        let one = "no parameter is looked up as 'a:b': the keys of parameters have '::' between their segments";
        let first = "no parameter is looked up as '::a::b': the keys of parameters do not begin with '::'";
        let found = told("x: 1\na:b: 1\n'::a::b': 1\nlookup_options:\n  a:b: {}\n  '^a:b': {}\n");
        assert_eq!(found, [(one.to_owned(), Some(2)), (first.to_owned(), Some(3)), (one.to_owned(), Some(2))]);
    }

    #[test]
    fn encrypted_texts_that_are_damaged_are_told() {
        assert_eq!(told("a: ENC[PKCS7,aGVsbG8h]\nb: >\n  ENC[PKCS7,aGVs\n  bG8h]\nc: ENC[GPG,aGVsbG8h]\n"), []);
        // What another scheme makes of its text is its own.
        assert_eq!(told("a: ENC[VAULT,secret/x#y]\nb: the form is ENC[…]\n"), []);
        let open = "an encrypted text below the key 'a' has no ']' at its end";
        let no_base64 = "an encrypted text below the key 'c' is damaged: it is no base64";
        let cut = "an encrypted text below the key 'd' is cut off: its base64 is not whole";
        let found = told("a: {b: 'ENC[PKCS7,aGVsbG8h'}\nc: ['x', 'ENC[PKCS7,aG!sbG8h]']\nd: ENC[PKCS7,aGVsbG8]\n");
        let expected = [(open, 1), (no_base64, 2), (cut, 3)];
        assert_eq!(found, expected.map(|(message, line)| (message.to_owned(), Some(line))));
    }

    #[test]
    fn expressions_that_hiera_refuses_or_misunderstands_are_told() {
        assert_eq!(told("a: \"%{facts.x} %{lookup('b')} %{alias(\\\"c\\\")} %{}\"\nb: 'no %{end'\n"), []);
        assert_eq!(
            told("a: 1\nb: [\"%{lokup('b')}\"]\n"),
            [("Unknown interpolation method 'lokup', below the key 'b'".to_owned(), Some(2))]
        );
        assert_eq!(
            told("b: \"%{lookup('b'):80}\"\n"),
            [("Hiera takes 'lookup('b'):80' for the name of a variable, below the key 'b'".to_owned(), Some(1))]
        );
    }
}
