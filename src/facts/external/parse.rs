//! Texts of external facts: YAML, JSON, lines of names and values, and what programs say.

use pantin_values::Value;
use pantin_values::data::{json as json_data, yaml as yaml_data};

type Named = Vec<(String, Value)>;

/// Reads YAML. A date or time in it is a text.
pub(super) fn yaml(text: &[u8]) -> Result<Named, String> {
    let text = with_quoted_times(&String::from_utf8_lossy(text));
    let value = yaml_data::load(text.as_bytes(), "<unknown>", yaml_data::Options::default());
    named(value.map_err(|error| error.to_string())?)
}

pub(super) fn json(text: &[u8]) -> Result<Named, String> {
    named(json_data::load(text).map_err(|error| error.to_string())?)
}

/// Reads lines `name=value`; others say nothing.
pub(super) fn lines(text: &[u8]) -> Named {
    let text = String::from_utf8_lossy(text);
    let fact = |line: &str| {
        // A name has a letter before the sign, even if that is one itself.
        let (start, _) = line.char_indices().nth(1)?;
        let sign = start + line[start..].find('=')?;
        let (name, value) = (&line[..sign], &line[sign + 1..]);
        (!value.is_empty()).then(|| (name.to_owned(), Value::string(value)))
    };
    text.lines().filter_map(fact).collect()
}

/// Reads what a program says: YAML or JSON with a hash in it, or else lines.
pub(super) fn output(text: &[u8]) -> Named {
    let options = yaml_data::Options { symbols: yaml_data::Symbols::Text, ..yaml_data::Options::default() };
    let quoted = with_quoted_times(&String::from_utf8_lossy(text));
    let value = yaml_data::load(quoted.as_bytes(), "<unknown>", options).ok();
    value.and_then(|value| named(value).ok()).unwrap_or_else(|| lines(text))
}

fn named(value: Value) -> Result<Named, String> {
    let Value::Hash(hash) = value else {
        // An empty file is none.
        return if value.is_undef() { Ok(Vec::new()) } else { Err("it holds no hash".to_owned()) };
    };
    let name = |key: &Value| match key {
        Value::String(name) => name.to_string(),
        other => pantin_values::ops::to_s(other),
    };
    Ok(hash.iter().map(|(key, value)| (name(key), value.clone())).collect())
}

/// Puts dates and times that end a line into quotes, so that they are texts.
fn with_quoted_times(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let start = [": ", "- "].iter().filter_map(|before| content.rfind(before)).max().map(|at| at + 2);
        let start = start.map(|start| start + (content[start..].len() - content[start..].trim_start().len()));
        match start.filter(|start| is_date_or_time(&content[*start..])) {
            Some(start) => {
                quoted.extend([&content[..start], "\"", &content[start..], "\""]);
                quoted.push_str(&line[content.len()..]);
            }
            None => quoted.push_str(line),
        }
    }
    quoted
}

/// `2020-01-02`, `2020-01-02 10:00:00.5 +02:00`, `2020-01-02T10:00:00Z`
fn is_date_or_time(text: &str) -> bool {
    let date_end = text.find(|letter: char| !(letter.is_ascii_digit() || letter == '-')).unwrap_or(text.len());
    let (date, time) = text.split_at(date_end);
    let parts: Vec<&str> = date.split('-').collect();
    let is_date = matches!(parts.as_slice(), [year, month, day]
        if year.len() == 4 && (1..=2).contains(&month.len()) && (1..=2).contains(&day.len()));
    let is_part_of_time = |letter: char| letter.is_ascii_digit() || " tTzZ:.+-".contains(letter);
    is_date && (time.is_empty() || time.matches(':').count() >= 2) && time.chars().all(is_part_of_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_name_and_a_value() {
        let found = lines(b"a=1\r\nb = 2 \nc=\n=d\n=e=f\nno sign\ng==\n");
        let found: Vec<(&str, &str)> =
            found.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default())).collect();
        assert_eq!(found, [("a", "1"), ("b ", " 2 "), ("=e", "f"), ("g", "=")]);
    }

    #[test]
    fn dates_and_times_are_texts() {
        for time in ["2020-01-02", "2020-1-2 1:00:00", "2020-01-02T10:00:00.5Z", "2020-01-02 10:00:00 +02:00"] {
            assert!(is_date_or_time(time), "{time}");
            let facts = yaml(format!("a: {time}\nb:\n  -   {time}\n").as_bytes()).unwrap();
            assert_eq!(facts[0].1, Value::from(time));
            assert_eq!(facts[1].1, Value::array([Value::from(time)]));
        }
        assert!(!is_date_or_time("2020-01-02 later") && !is_date_or_time("1.2.3") && !is_date_or_time(""));
    }

    #[test]
    fn a_program_may_say_yaml_json_or_lines() {
        assert_eq!(output(b"{\"a\": [1]}")[0].1, Value::array([Value::Integer(1)]));
        assert_eq!(output(b"a: :b")[0].1, Value::from("b"));
        assert_eq!(output(b"a=b\n"), [("a".to_owned(), Value::from("b"))]);
        assert_eq!(output(b""), []);
    }
}
