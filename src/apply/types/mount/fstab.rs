//! The form of `/etc/fstab`, and what is mounted now.

use std::path::Path;

use pantin_machine::Reading;
use pantin_values::Value;

use crate::failure::Failure;
use crate::record_file::{Entry, Record, field, lines};
use crate::value::text;

/// The fields of a line, in their order.
const FIELDS: [&str; 6] = ["device", "name", "fstype", "options", "dump", "pass"];

/// No list of mounts is longer.
const LARGEST: u64 = 16 << 20;

/// Returns a path as the table is matched by: without slashes at its end.
pub(super) fn plain_name(path: &str) -> String {
    match path.trim_end_matches('/') {
        "" => path.get(..1).unwrap_or_default().to_owned(),
        plain => plain.to_owned(),
    }
}

pub(super) fn parse(content: &str) -> Vec<Entry> {
    lines(content)
        .into_iter()
        .map(|line| record(line).map_or_else(|| Entry::Text(line.to_owned()), Entry::Record))
        .collect()
}

fn record(line: &str) -> Option<Record> {
    if line.trim_start().starts_with('#') || line.split_whitespace().count() < 2 {
        return None;
    }
    let is_space = |letter: char| letter.is_ascii_whitespace();
    // What a line begins with is its first field, even if that is nothing.
    let mut words = line.split(is_space).enumerate().filter(|(place, word)| *place == 0 || !word.is_empty());
    let mut words: Vec<String> = std::iter::from_fn(|| words.next().map(|(_, word)| word.to_owned())).collect();
    if words.len() > FIELDS.len() {
        let rest = words.split_off(FIELDS.len() - 1).join("\t");
        words.push(rest);
    }
    let mut record = Record::default();
    for (place, name) in FIELDS.into_iter().enumerate() {
        let word = words.get(place).map(|word| match name {
            "device" | "name" => word.replace("\\040", " "),
            _ => word.clone(),
        });
        if name == "name" {
            record.name = plain_name(word.as_deref().unwrap_or_default());
        }
        record.set(name, field(word.as_deref()));
    }
    record.set("name", Value::string(record.name.as_str()));
    Some(record)
}

pub(super) fn line(record: &Record) -> Result<String, Failure> {
    // A line that says nothing of them is no new one.
    let is_new = !record.fields().any(|(name, _)| name == "fstype" || name == "options") || record.form == NEW;
    if record.get("fstype").is_none() && is_new {
        return Err(Failure::new(format!("Mount[{}]: Field 'fstype' is required", record.name)));
    }
    let mut words = Vec::new();
    for name in FIELDS {
        let word = match record.get(name) {
            Some(value) => text(value).into_owned(),
            None if name == "device" || name == "name" => {
                return Err(Failure::new(format!("Field '{name}' is required")));
            }
            None if name == "options" && is_new => "defaults".to_owned(),
            None => String::new(),
        };
        words.push(if ["device", "name"].contains(&name) { word.replace(' ', "\\040") } else { word });
    }
    Ok(words.join("\t"))
}

/// The form of a record that no line stands for yet.
pub(super) const NEW: &str = "new";

/// Returns the paths where something is mounted.
pub(in crate::types) fn mounted(machine: &dyn Reading) -> Result<Vec<String>, Failure> {
    let path = Path::new("/proc/self/mounts");
    let bytes = machine.read(path, LARGEST).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter_map(|line| line.split(' ').nth(1)).map(unescaped).collect())
}

/// Reads the numbers that stand for spaces and the like.
fn unescaped(path: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .into_iter()
        .fold(path.to_owned(), |path, (number, letter)| path.replace(number, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(line_of: &str) -> String {
        line(&record(line_of).unwrap()).unwrap()
    }

    #[test]
    fn fields_are_separated_by_tabs() {
        assert_eq!(rendered("/dev/a   /mnt/a/ ext4 ro 0 1"), "/dev/a\t/mnt/a\text4\tro\t0\t1");
        assert_eq!(rendered("LABEL=a\\040b /x\\040y ext4 ro 0 0"), "LABEL=a\\040b\t/x\\040y\text4\tro\t0\t0");
        assert_eq!(rendered("/dev/a /mnt"), "/dev/a\t/mnt\t\t\t\t");
    }

    #[test]
    fn notes_and_half_lines_are_no_records() {
        assert!(record(" # /dev/a /mnt ext4").is_none());
        assert!(record("alone").is_none());
    }
}
