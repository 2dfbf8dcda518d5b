//! Text files as records: hosts, keys, mounts, jobs. A file is touched where a record of it changes, and then is written as Puppet
//! does: under its header, each record in the form of its type, everything else as it stands.
//!
//! Must not know which types there are.

mod flat_file;
mod provider;
mod resource;
#[cfg(test)]
mod tests;

use pantin_machine::{Date, Reading};
use pantin_values::{Str, Value};

pub(crate) use flat_file::{FlatFile, back_up};
pub(crate) use provider::{RecordProvider, lines, unparsed};
pub(crate) use resource::{RecordResource, RecordRules};

use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::provider::WantedResource;
use crate::resource::AttributeValues;
use crate::value::{is_word, symbol, text};

/// A line of a file that is no record, or a record.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Entry {
    Text(String),
    Record(Record),
}

impl Entry {
    fn record(&self) -> Option<&Record> {
        match self {
            Entry::Record(record) => Some(record),
            Entry::Text(_) => None,
        }
    }
}

/// A record: what is known of one resource.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Record {
    /// What its resource is known by.
    pub name: String,
    /// Nobody gave it that name: it is made of what the record says, and not written.
    pub is_unnamed: bool,
    /// The form of its line, where a file has several.
    pub form: &'static str,
    fields: Vec<(&'static str, Value)>,
}

impl Record {
    pub(crate) fn new(name: impl Into<String>) -> Record {
        Record { name: name.into(), ..Record::default() }
    }

    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, value: Value) -> Record {
        self.set(field, value);
        self
    }

    pub(crate) fn set(&mut self, field: &'static str, value: Value) {
        match self.fields.iter_mut().find(|(known, _)| *known == field) {
            Some((_, known)) => *known = value,
            None => self.fields.push((field, value)),
        }
    }

    /// Returns the value of a field, if it has any.
    pub(crate) fn get(&self, field: &str) -> Option<&Value> {
        let found = self.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value);
        found.filter(|value| !is_absent(value))
    }

    pub(crate) fn text(&self, field: &str) -> Option<String> {
        self.get(field).map(|value| text(value).into_owned())
    }

    /// Returns true if another record says the same, whatever its name: one that nobody named is called by its place.
    fn says_what(&self, other: &Record) -> bool {
        self.form == other.form && self.fields == other.fields
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.fields.iter().map(|(name, value)| (*name, value))
    }
}

/// Returns true for the word that says that there is nothing.
pub(crate) fn is_absent(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            items.len() == 1 && items.iter().all(|item| matches!(item, Value::Symbol(_)) && is_absent(item))
        }
        Value::Symbol(_) => is_word(value, "absent"),
        value => *value == Value::Undef,
    }
}

/// Returns a text field: nothing at all is absent.
pub(crate) fn field(value: Option<&str>) -> Value {
    match value {
        Some(value) if !value.is_empty() => Value::String(Str::from(value)),
        _ => symbol("absent"),
    }
}

/// How the files of a type are found, read and written.
pub(crate) trait RecordFormat: Send + Sync {
    fn type_name(&self) -> &'static str;

    /// Returns where records are that say nothing of it. Not of types that have no such place.
    fn default_target(&self, machine: &dyn Reading) -> Option<String>;

    /// Returns where the record of a resource is meant to be.
    fn target_of(&self, values: &AttributeValues, machine: &dyn Reading) -> Option<String> {
        let _ = machine;
        values.text("target")
    }

    /// Returns all places where records may be found, beside those that resources name.
    fn all_targets(&self, machine: &dyn Reading) -> Vec<String> {
        self.default_target(machine).into_iter().collect()
    }

    /// Reads the text of a place; `None` if nothing is there.
    fn read(&self, target: &str, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        FlatFile::new(target).read(context.machine)
    }

    /// Returns false if a place that cannot be read is told of only where it is to be written.
    fn tells_unreadable(&self) -> bool {
        true
    }

    /// Parses a text, in which no header is left.
    fn parse(&self, text: &str, target: &str) -> Result<Vec<Entry>, Failure>;

    /// Renders a record: one line, or several, without the end of the last one.
    fn line(&self, record: &Record) -> Result<String, Failure>;

    /// Puts the header before a text.
    fn with_header(&self, text: String, now: Date) -> String {
        format!(
            "# HEADER: This file was autogenerated at {}\n\
             # HEADER: by puppet.  While it can still be managed manually, it\n\
             # HEADER: is definitely not recommended.\n{text}",
            now.plain()
        )
    }

    /// Writes a text to its place, for a resource.
    fn write(
        &self,
        target: &str,
        text: &str,
        values: &AttributeValues,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let _ = values;
        FlatFile::new(target).write(text, context)
    }

    /// Refuses to write anything for a resource.
    fn check_set(&self, values: &AttributeValues, machine: &dyn Reading) -> Result<(), Failure> {
        let _ = (values, machine);
        Ok(())
    }

    /// Makes a record of a resource that has none, with what is no property of it.
    fn new_record(&self, wanted: &WantedResource<'_>) -> Record {
        Record::new(wanted.name)
    }

    /// Returns true if places are kept in the file bucket before they are written.
    fn is_backed_up(&self) -> bool {
        true
    }

    /// Returns true if a record is the one of a resource. Names are equal, and nothing else is asked, but for types that say more.
    fn is_of(&self, record: &Record, target: &str, wanted: &WantedResource<'_>, machine: &dyn Reading) -> bool {
        let _ = (target, machine);
        !record.is_unnamed && record.name == wanted.name
    }

    /// Returns true if a resource takes over a record that nobody named.
    fn takes_over(&self, record: &Record, target: &str, wanted: &WantedResource<'_>, machine: &dyn Reading) -> bool {
        let _ = (record, target, wanted, machine);
        false
    }

    /// Says what `ensure` of a record is.
    fn ensure_of(&self, record: &Record, context: &ApplyContext<'_>) -> Value {
        let _ = (record, context);
        symbol("present")
    }
}
