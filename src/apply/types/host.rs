//! The type `host` of the module host_core: a line of `/etc/hosts`.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::sync::LazyLock;

use pantin_machine::Reading;
use pantin_values::Value;
use pantin_values::regex::{Options, Regex};

use super::ruby_values::{as_text, text_to_check};
use super::tool_command::check_provider;
use super::{NewResource, TypeEntry};
use crate::failure::Failure;
use crate::managed::Managed;
use crate::provider::{ProviderEntry, SetMode};
use crate::record_file::{Entry, Record, RecordFormat, RecordProvider, RecordResource, RecordRules, field, lines};
use crate::resource::{AttributeRule, Draft};
use crate::value::{inspect, text};

const FILE: &str = "/etc/hosts";

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "host",
    namevar: Some("name"),
    provider: Some("parsed"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_made(super::present_if_managed),
        AttributeRule::property("ip").checked(check_address),
        AttributeRule::property("host_aliases").checked(check_alias),
        AttributeRule::property("comment").checked(check_comment),
        AttributeRule::property("target").default_text(FILE),
        AttributeRule::parameter("name").checked(check_name),
        AttributeRule::parameter("provider").checked(|given, draft| check_provider("host", &["parsed"], given, draft)),
    ],
    validate: Some(join_aliases),
    spread_secret: None,
    make,
};

pub(super) static PROVIDER: ProviderEntry = ProviderEntry {
    type_name: "host",
    name: "parsed",
    set_mode: SetMode::AtFlush,
    make: || Box::new(RecordProvider::new(Hosts)),
};

static RULES: RecordRules = RecordRules {
    is_suitable: |machine| machine.stat(Path::new(FILE), true).is_ok_and(|stat| stat.is_some()),
    joined: Some(("host_aliases", " ")),
    ..RecordRules::PLAIN
};

/// Aliases are compared and told as one text.
fn join_aliases(draft: &mut Draft<'_>) -> Result<(), Failure> {
    if let Some(aliases) = draft.values.property("host_aliases").filter(|_| draft.values.is_given("host_aliases")) {
        let joined: Vec<_> = aliases.desired.iter().map(|alias| text(alias).into_owned()).collect();
        draft.values.set_desired("host_aliases", Value::array([Value::string(joined.join(" "))]));
    }
    Ok(())
}

fn check_address(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let address = text_to_check("ip", "match", given)?;
    let is_plain = !address.contains(['\n', '\r']);
    // A zone may stand behind an address of version 6.
    let plain = address.trim().split('%').next().unwrap_or_default();
    let is_v4 = |address: &str| {
        let parts: Vec<&str> = address.split('.').collect();
        let is_part = |part: &&str| {
            (1..=3).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_digit())
                && part.parse::<u16>().is_ok_and(|number| number <= 255)
        };
        address.parse::<Ipv4Addr>().is_ok() || (parts.len() == 4 && parts.iter().all(is_part))
    };
    if is_plain && (is_v4(address) || plain.parse::<Ipv6Addr>().is_ok()) {
        return Ok(());
    }
    Err(Failure::new(format!("Invalid IP address {}", inspect(given))))
}

fn check_alias(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let alias = as_text(given)?;
    if alias.is_empty() {
        let message = "Host aliases cannot be an empty string. Use an empty array to delete all host_aliases ";
        return Err(Failure::new(message));
    }
    match alias.contains(|letter: char| letter.is_ascii_whitespace()) {
        true => Err(Failure::new("Host aliases cannot include whitespace")),
        false => Ok(()),
    }
}

fn check_comment(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let comment = match given {
        // A list or a hash is asked whether that is in it.
        Value::Array(_) | Value::Hash(_) => return Ok(()),
        other => text_to_check("comment", "include?", other)?,
    };
    match comment.contains(['\n', '\r']) {
        true => Err(Failure::new("Comment cannot include newline")),
        false => Ok(()),
    }
}

fn check_name(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let name = text_to_check("name", "split", given)?;
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_part = |part: &str| {
        let inner = part.chars().all(|letter| is_letter(letter) || letter == '-');
        inner && part.starts_with(is_letter) && part.ends_with(is_letter)
    };
    if name.is_empty() {
        return Ok(());
    }
    // A dot at the end separates nothing.
    if !name.trim_end_matches('.').split('.').all(is_part) {
        return Err(Failure::new("Invalid host name"));
    }
    Ok(())
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let name = new.values.text("name").unwrap_or_default();
    Ok(Box::new(RecordResource::new(new, (&PROVIDER, &RULES), name, new.values.text("target"))))
}

/// The form of `/etc/hosts`.
struct Hosts;

/// An address, a name, aliases, and a comment behind a `#`.
static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"^([0-9a-f:]\S+)\s+([^#\s+]\S+)\s*(.*?)?(?:\s*#\s*(.*))?$";
    Regex::new(pattern, Options::default()).ok()
});

impl RecordFormat for Hosts {
    fn type_name(&self) -> &'static str {
        "host"
    }

    fn default_target(&self, _: &dyn Reading) -> Option<String> {
        Some(FILE.to_owned())
    }

    fn parse(&self, text: &str, _target: &str) -> Result<Vec<Entry>, Failure> {
        Ok(lines(text)
            .into_iter()
            .map(|line| record(line).map_or_else(|| Entry::Text(line.into()), Entry::Record))
            .collect())
    }

    fn line(&self, record: &Record) -> Result<String, Failure> {
        let Some(address) = record.text("ip") else {
            return Err(Failure::new("ip is a required attribute for hosts"));
        };
        let mut line = format!("{address}\t{}", record.name);
        if let Some(aliases) = record.get("host_aliases") {
            line.push('\t');
            line.push_str(&match aliases {
                Value::Array(aliases) => {
                    aliases.iter().map(|alias| text(alias).into_owned()).collect::<Vec<_>>().join(" ")
                }
                aliases => text(aliases).into_owned(),
            });
        }
        if let Some(comment) = record.text("comment").filter(|comment| !comment.is_empty()) {
            line.push_str(&format!("\t# {comment}"));
        }
        Ok(line)
    }
}

fn record(line: &str) -> Option<Record> {
    if line.starts_with('#') || line.trim().is_empty() {
        return None;
    }
    let found = LINE.as_ref()?.find_at(line, 0).ok()??;
    let group = |number: usize| found.get(number).and_then(|(start, end)| line.get(start..end));
    let aliases: Vec<&str> = group(3).unwrap_or_default().split_whitespace().collect();
    let aliases = match aliases.is_empty() {
        true => field(None),
        false => Value::array(aliases.into_iter().map(Value::string)),
    };
    let record = Record::new(group(2)?).with("ip", field(group(1))).with("host_aliases", aliases);
    Some(record.with("comment", Value::string(group(4).unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_rendered() {
        let entry = record("10.0.0.1   one  two\tthree # a comment").unwrap();
        assert_eq!(entry.name, "one");
        assert_eq!(Hosts.line(&entry).unwrap(), "10.0.0.1\tone\ttwo three\t# a comment");
        assert!(record("# 10.0.0.1 one").is_none());
        assert!(record("10.0.0.1").is_none());
    }
}
