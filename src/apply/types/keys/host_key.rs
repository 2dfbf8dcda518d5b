//! The type `sshkey`: the key that a host is known by.

use pantin_machine::Reading;
use pantin_values::{Str, Value};

use super::HOST_KEY_KINDS;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Managed;
use crate::provider::{ProviderEntry, SetMode, WantedResource};
use crate::record_file::{
    Entry, FlatFile, Record, RecordFormat, RecordProvider, RecordResource, RecordRules, field, lines,
};
use crate::resource::{AttributeRule, AttributeValues, Draft};
use crate::types::ruby_values::as_text;
use crate::types::tool_command::check_provider;
use crate::types::{NewResource, TypeEntry, present_if_managed};
use crate::value::text;

const FILE: &str = "/etc/ssh/ssh_known_hosts";

pub(in crate::types) const TYPE: TypeEntry = TypeEntry {
    name: "sshkey",
    namevar: Some("name"),
    provider: Some("parsed"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_made(present_if_managed),
        AttributeRule::property("key"),
        AttributeRule::property("host_aliases").checked(check_alias),
        AttributeRule::property("target").default_text(FILE),
        AttributeRule::parameter("type").words(HOST_KEY_KINDS),
        AttributeRule::parameter("name").checked(check_name),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("sshkey", &["parsed"], given, draft)),
    ],
    validate: Some(gather_aliases),
    spread_secret: None,
    make,
};

pub(in crate::types) static PROVIDER: ProviderEntry = ProviderEntry {
    type_name: "sshkey",
    name: "parsed",
    set_mode: SetMode::AtFlush,
    make: || Box::new(RecordProvider::new(KnownHosts)),
};

static RULES: RecordRules = RecordRules::PLAIN;

/// Aliases are compared as one list.
fn gather_aliases(draft: &mut Draft<'_>) -> Result<(), Failure> {
    if let Some(aliases) = draft.values.property("host_aliases").filter(|_| draft.values.is_given("host_aliases")) {
        draft.values.set_desired("host_aliases", Value::array([Value::array(aliases.desired)]));
    }
    Ok(())
}

fn check_alias(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let alias = as_text(given)?;
    if alias.contains(|letter: char| letter.is_ascii_whitespace()) {
        return Err(Failure::new("Aliases cannot include whitespace"));
    }
    match alias.contains(',') {
        true => Err(Failure::new("Aliases must be provided as an array, not a comma-separated list")),
        false => Ok(()),
    }
}

fn check_name(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let name = as_text(given)?;
    if name.contains(|letter: char| letter.is_ascii_whitespace()) {
        return Err(Failure::new("Resourcename cannot include whitespaces"));
    }
    if name.contains(',') {
        let message = "No comma in resourcename allowed. If you want to specify aliases use the host_aliases property";
        return Err(Failure::new(message));
    }
    Ok(())
}

/// `HOST@KIND`
fn key_name(values: &AttributeValues) -> String {
    format!("{}@{}", values.text("name").unwrap_or_default(), values.text("type").unwrap_or_default())
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let name = key_name(new.values);
    Ok(Box::new(RecordResource::new(new, (&PROVIDER, &RULES), name, new.values.text("target"))))
}

/// The form of `known_hosts`.
struct KnownHosts;

impl RecordFormat for KnownHosts {
    fn type_name(&self) -> &'static str {
        "sshkey"
    }

    fn default_target(&self, _: &dyn Reading) -> Option<String> {
        Some(FILE.to_owned())
    }

    fn parse(&self, content: &str, _target: &str) -> Result<Vec<Entry>, Failure> {
        let entry = |line: &str| {
            if line.starts_with('#') || line.trim().is_empty() {
                return Entry::Text(line.to_owned());
            }
            let is_space = |letter: char| letter.is_ascii_whitespace();
            let mut fields = line.split(is_space).enumerate().filter(|(place, field)| *place == 0 || !field.is_empty());
            let mut next = || fields.next().map(|(_, field)| field);
            let (hosts, kind) = (next().unwrap_or_default(), next());
            let rest: Vec<&str> = std::iter::from_fn(next).collect();
            let mut names = hosts.split(',');
            let host = names.next().unwrap_or_default();
            let record = Record::new(format!("{host}@{}", kind.unwrap_or_default()))
                .with("name", field(Some(host)))
                .with("type", field(kind))
                .with("key", field(Some(&rest.join(" "))));
            Entry::Record(record.with("host_aliases", Value::array(names.map(Value::string))))
        };
        Ok(lines(content).into_iter().map(entry).collect())
    }

    fn line(&self, record: &Record) -> Result<String, Failure> {
        let needed = |name: &str| record.text(name).ok_or_else(|| Failure::new(format!("Field '{name}' is required")));
        let mut hosts = vec![needed("name")?];
        if let Some(Value::Array(aliases)) = record.get("host_aliases") {
            hosts.extend(aliases.iter().map(|alias| text(alias).into_owned()));
        }
        Ok([hosts.join(","), needed("type")?, needed("key")?].join(" "))
    }

    fn new_record(&self, wanted: &WantedResource<'_>) -> Record {
        let value = |name: &str| wanted.values.text(name).map(|value| Value::String(Str::from(value)));
        let mut record = Record::new(wanted.name);
        for name in ["name", "type"] {
            if let Some(value) = value(name) {
                record.set(name, value);
            }
        }
        record
    }

    fn write(&self, target: &str, text: &str, _: &AttributeValues, context: &ApplyContext<'_>) -> Result<(), Failure> {
        FlatFile::new(target).with_mode(0o644).write(text, context)
    }
}
