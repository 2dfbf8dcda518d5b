//! The form of `authorized_keys`: options, kind, key and name on a line; keys of the first protocol; notes.

use std::sync::LazyLock;

use pantin_values::Value;
use pantin_values::regex::{Options, Regex};

use crate::failure::Failure;
use crate::record_file::{Entry, Record, field, is_absent, lines, unparsed};
use crate::value::{symbol, text};

/// A line with a key. Spaces inside it are none of the pattern's.
static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let kinds = "ssh-dss|ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|\
        ecdsa-sk|ed25519-sk|sk-ecdsa-sha2-nistp256@openssh.com|sk-ssh-ed25519@openssh.com|\
        ssh-rsa-cert-v01@openssh.com|ssh-ed25519-cert-v01@openssh.com|ssh-dss-cert-v01@openssh.com|\
        ecdsa-sha2-nistp256-cert-v01@openssh.com|ecdsa-sha2-nistp384-cert-v01@openssh.com|\
        ecdsa-sha2-nistp521-cert-v01@openssh.com";
    Regex::new(&format!(r"^(?:(.+)\s+)?({kinds})\s+([^ ]+)\s*(.*)$"), Options::default()).ok()
});

/// A key of the first protocol.
static OLD_KEY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:(.+) )?(\d+) (\d+) (\d+)(?: (.+))?$", Options::default()).ok());

const OLD: &str = "of the first protocol";

fn groups<'l>(pattern: &Option<Regex>, line: &'l str) -> Option<[Option<&'l str>; 6]> {
    let found = pattern.as_ref()?.find_at(line, 0).ok()??;
    let group = |number: usize| found.get(number).and_then(|(start, end)| line.get(start..end));
    Some([0, 1, 2, 3, 4, 5].map(group))
}

/// Parses a file. A key without a name is named after the file and its number.
pub(super) fn parse(content: &str, target: &str) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    let mut unnamed = 0;
    for (number, line) in (2..).zip(lines(content)) {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            entries.push(Entry::Text(line.to_owned()));
        } else if let Some([_, options, kind, key, name, _]) = groups(&KEY, line) {
            let mut record = Record::new(name.unwrap_or_default());
            if record.name.is_empty() {
                unnamed += 1;
                record.name = format!("{target}:unnamed-{unnamed}");
                record.is_unnamed = true;
            }
            let options = match options {
                Some(options) if !options.is_empty() => Value::array(split_options(options).map(Value::string)),
                _ => Value::array([symbol("absent")]),
            };
            entries
                .push(Entry::Record(record.with("options", options).with("type", field(kind)).with("key", field(key))));
        } else if let Some([_, options, bits, exponent, modulus, name]) = groups(&OLD_KEY, line) {
            let mut record = Record::new(name.unwrap_or_default());
            record.form = OLD;
            let fields = [("options", options), ("bits", bits), ("exponent", exponent), ("modulus", modulus)];
            fields.into_iter().for_each(|(name, value)| record.set(name, field(value)));
            entries.push(Entry::Record(record));
        } else {
            return Err(unparsed(line, target, number));
        }
    }
    Ok(entries)
}

/// Splits options at the commas that stand in no quotes.
fn split_options(options: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    let mut rest = options.trim_start_matches([' ', '\t']);
    loop {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let name = rest.find(|letter: char| !is_name(letter)).unwrap_or(rest.len());
        if name == 0 {
            break;
        }
        let length = rest[name..].strip_prefix("=\"").and_then(end_of_quotes).map_or(name, |inside| name + 2 + inside);
        found.push(rest[..length].to_owned());
        let after = rest[length..].trim_start_matches([' ', '\t']);
        rest = after.strip_prefix(',').unwrap_or(after).trim_start_matches([' ', '\t']);
    }
    found.into_iter()
}

/// Returns where the quotes end that a text stands in: behind the first quotes that are not escaped, and not at once.
fn end_of_quotes(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    (1..bytes.len()).find(|&place| bytes[place] == b'"' && bytes[place - 1] != b'\\').map(|place| place + 1)
}

/// Renders a key.
pub(super) fn line(record: &Record) -> Result<String, Failure> {
    let name = if record.is_unnamed { "" } else { &record.name };
    let needed = |field: &str| record.text(field).ok_or_else(|| Failure::new(format!("Field '{field}' is required")));
    let options = match record.get("options") {
        Some(Value::Array(options)) if !options.iter().any(is_absent) => {
            options.iter().map(|option| text(option).into_owned()).collect::<Vec<_>>().join(",")
        }
        Some(Value::String(options)) => options.to_string(),
        _ => String::new(),
    };
    let fields = match record.form {
        OLD => vec![options, needed("bits")?, needed("exponent")?, needed("modulus")?, name.to_owned()],
        _ => vec![options, needed("type")?, needed("key")?, name.to_owned()],
    };
    Ok(fields.join(" ").trim_start().to_owned())
}

/// Returns the names of the keys in a file, as resources are called that remove them.
pub(in crate::types) fn names_in(content: &str, target: &str) -> Vec<String> {
    let mut unnamed = 0;
    let name = |line: &str| {
        let [_, _, _, _, name, _] = groups(&KEY, line)?;
        Some(match name.unwrap_or_default() {
            "" => {
                unnamed += 1;
                format!("{target}:unnamed-{unnamed}")
            }
            name => name.to_owned(),
        })
    };
    content.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_in_quotes_keep_their_commas() {
        let split: Vec<String> = split_options(r#"no-pty, command="a \"b\", c",from="*""#).collect();
        assert_eq!(split, ["no-pty", r#"command="a \"b\", c""#, r#"from="*""#]);
    }

    #[test]
    fn lines_are_rendered_as_they_were_read() {
        let content = "# note\nssh-rsa AAAA a\nno-pty,from=\"x, y\" ssh-ed25519 BBBB b c\n1024 35 123 old\n";
        let entries = parse(content, "/k").unwrap();
        let rendered: Vec<String> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Text(line) => line.clone(),
                Entry::Record(record) => line(record).unwrap(),
            })
            .collect();
        assert_eq!(rendered.join("\n") + "\n", content);
        assert!(parse("nonsense\n", "/k").is_err());
    }
}
