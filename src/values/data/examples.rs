//! The documents of `tests/data`: what the real Puppet reads out of each. `tests/oracle/data.rb` writes the answers.

use pantin_base::number::float_text;

use crate::Value;

/// A document with its answers, as `tests/oracle/data.rb` explains them.
struct Example<'a> {
    name: &'a str,
    options: Vec<&'a str>,
    text: String,
    /// What the real Puppet says, and Pantin too unless it is meant to differ.
    said: String,
}

fn examples(document: &str) -> Vec<Example<'_>> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut is_over = false;
    for line in document.lines().skip_while(|line| !line.starts_with("==== ")) {
        if let Some(title) = line.strip_prefix("==== ") {
            let (name, options) =
                title.strip_suffix(')').and_then(|title| title.split_once(" (")).unwrap_or((title, ""));
            let options = options.split(", ").collect();
            examples.push(Example { name, options, text: String::new(), said: String::new() });
            is_over = false;
            continue;
        }
        let Some(example) = examples.last_mut() else { continue };
        if let Some(said) = line.strip_prefix("===") {
            // Where Pantin is meant to differ, its own words stand last.
            example.said = said.strip_prefix('~').map_or(said.to_owned(), |own| format!("!{own}"));
            is_over = true;
        } else if !is_over {
            example.text.push_str(line);
            example.text.push('\n');
        }
    }
    examples
}

/// As Ruby reads a string in double quotes.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line.trim_end_matches('\n').bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().unwrap() {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    bytes
}

pub(super) fn show(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        Value::Undef => "nil".to_owned(),
        Value::String(text) => serde_json::to_string(text.as_str()).unwrap(),
        Value::Float(number) => float_text(*number),
        Value::Array(items) => format!("[{}]", list(items.iter().map(show).collect())),
        Value::Hash(hash) => {
            format!(
                "{{{}}}",
                list(hash.iter().map(|(key, value)| format!("{} => {}", show(key), show(value))).collect())
            )
        }
        Value::Object(object) => format!(":{}", object.values[0].as_str().unwrap()),
        other => format!("{other:?}"),
    }
}

/// Fails on every document to which the answer is another than the one that stands there.
pub(super) fn check<'a>(
    documents: impl IntoIterator<Item = (&'a str, &'a str)>,
    least: usize,
    answer: impl Fn(&[u8], &[&str]) -> String,
) {
    let (mut count, mut wrong) = (0, Vec::new());
    for (file, document) in documents {
        for Example { name, options, text, said } in examples(document) {
            let bytes = if options.contains(&"escaped") { unescaped(&text) } else { text.into_bytes() };
            let answer = answer(&bytes, &options);
            count += 1;
            if answer != said {
                wrong.push(format!("{file}: {name}\n  expected {said}\n  pantin   {answer}"));
            }
        }
    }
    assert!(count >= least, "only {count} documents were found");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
