//! The text that Facter prints for a person: JSON with arrows, and without quotes and commas on the outside.

use pantin_values::{Hash, Value};

use super::json::{Syntax, inner, key, quoted, write};

const TEXT: Syntax = Syntax { arrow: " => ", quotes_names: false, string: nested };

/// Returns the text of several facts, without a line end at its end.
pub fn to_text(facts: &Hash) -> String {
    let mut lines = Vec::with_capacity(facts.len());
    for (name, value) in facts.iter() {
        lines.push(format!("{} => {}", outer(&key(name)), with_line_ends(&top_level(value))));
    }
    lines.join("\n")
}

impl super::SingleFact<'_> {
    /// Returns the text of one fact that was asked for alone.
    pub fn to_text(&self) -> String {
        match self.0 {
            None | Some(Value::Undef) => String::new(),
            Some(Value::String(text)) => text.to_string(),
            Some(value) => structured(value),
        }
    }
}

fn top_level(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => outer(text),
        value => structured(value),
    }
}

fn structured(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0, &TEXT);
    out
}

/// Returns a text inside of others: in quotes, each backslash alone.
fn nested(text: &str) -> String {
    quoted(text).replace("\\\\", "\\")
}

/// Returns a text without quotes, and with quotes in it as they are.
fn outer(text: &str) -> String {
    inner(&quoted(text)).replace("\\\\", "\\").replace("\\\"", "\"")
}

/// Line ends that were written as such.
fn with_line_ends(text: &str) -> String {
    text.replace("\\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::super::SingleFact;
    use super::*;

    #[test]
    fn quotes_are_where_facter_has_them() {
        let pair = |name: &str, value: Value| (Value::from(name), value);
        let facts: Hash = [
            pair("a", Value::from("x \"y\" \\c")),
            pair("b", Value::hash([pair("c", Value::from("d"))])),
            pair("e", Value::from("f\ng")),
            pair("h", Value::array([Value::from("i"), Value::Boolean(true)])),
            pair("n", Value::Undef),
        ]
        .into_iter()
        .collect();
        let expected = "a => x \"y\" \\c\nb => {\n  c => \"d\"\n}\ne => f\ng\nh => [\n  \"i\",\n  true\n]\nn => ";
        assert_eq!(to_text(&facts), expected);
    }

    #[test]
    fn one_fact_is_its_value() {
        let text = |value: Value| SingleFact(Some(&value)).to_text();
        assert_eq!(text(Value::from("a\nb")), "a\nb");
        assert_eq!(text(Value::hash([(Value::from("c"), Value::from("d"))])), "{\n  c => \"d\"\n}");
        assert_eq!(SingleFact(None).to_text(), "");
    }
}
