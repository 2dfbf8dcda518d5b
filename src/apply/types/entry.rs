//! A type for tests: lines `name=value` of `/etc/entries`, carried out by a provider that reads them all at once.

use pantin_machine::{Command, NewFile};
use pantin_values::Value;

use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{Managed, Observation};
use crate::provider::{Delta, ProvidedResource, Provider, ProviderEntry, Row, SetMode, WantedResource};
use crate::resource::AttributeRule;
use crate::value::{is_word, symbol, text};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "entry",
    namevar: Some("name"),
    provider: Some("lines"),
    attributes: &[
        AttributeRule::property("ensure").words(&[("present", "present"), ("absent", "absent")]),
        AttributeRule::property("value"),
        AttributeRule::property("note"),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("provider").default_text("lines"),
    ],
    validate: None,
    spread_secret: None,
    make,
};

const FILE: &str = "/etc/entries";

static AT_FLUSH: ProviderEntry =
    ProviderEntry { type_name: "entry", name: "lines", set_mode: SetMode::AtFlush, make: || Box::new(Lines) };

static EACH_PROPERTY: ProviderEntry =
    ProviderEntry { type_name: "entry", name: "each", set_mode: SetMode::EachProperty, make: || Box::new(Lines) };

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let entry = if new.values.is("provider", "each") { &EACH_PROPERTY } else { &AT_FLUSH };
    let footprint = Footprint::Files(FileFootprint { writes: vec![FILE.into()], ..FileFootprint::default() });
    let name = new.values.text("name").unwrap_or_default();
    Ok(Box::new(ProvidedResource::new(new, entry, name, footprint)))
}

/// Lists the file with `/bin/entries`, so that a test can count how often.
struct Lines;

impl Lines {
    fn lines(context: &ApplyContext<'_>) -> Result<Vec<(String, String, String)>, Failure> {
        let command = Command::new("/bin/entries", Vec::<String>::new());
        let output = context.checks.run(&command, context.stop).map_err(|error| Failure::new(error.to_string()))?;
        if !output.is_success() {
            return Err(Failure::new(format!("/bin/entries says {}", output.lossy())));
        }
        let field = |line: &str, place: usize| line.split('=').nth(place).unwrap_or_default().to_owned();
        Ok(output.lossy().lines().map(|line| (field(line, 0), field(line, 1), field(line, 2))).collect())
    }
}

impl Provider for Lines {
    fn get(&mut self, context: &ApplyContext<'_>, wanted: Option<&[WantedResource<'_>]>) -> Result<Vec<Row>, Failure> {
        let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|wanted| wanted.name == name));
        let row = |(name, value, note): (String, String, String)| {
            let state = Observation::new()
                .with("ensure", symbol("present"))
                .with("value", Value::string(value))
                .with("note", Value::string(note));
            Row { name, state }
        };
        Ok(Lines::lines(context)?.into_iter().filter(|(name, ..)| is_wanted(name)).map(row).collect())
    }

    fn set(&mut self, context: &ApplyContext<'_>, changes: &[Delta<'_>]) -> Result<(), Failure> {
        let mut lines = Lines::lines(context)?;
        for change in changes {
            let should = |property: &str| change.should(property).map(|should| text(&should.should()).into_owned());
            if change.should("ensure").is_some_and(|ensure| is_word(&ensure.should(), "absent")) {
                lines.retain(|(name, ..)| name != change.name);
                continue;
            }
            if !change.is.is_present() {
                lines.push((change.name.to_owned(), String::new(), String::new()));
            }
            let line = lines.iter_mut().find(|(name, ..)| name == change.name);
            let Some((_, value, note)) = line else { return Err(Failure::new("the line has gone")) };
            *value = should("value").unwrap_or_else(|| value.clone());
            *note = should("note").unwrap_or_else(|| note.clone());
        }
        let content: String = lines.iter().map(|(name, value, note)| format!("{name}={value}={note}\n")).collect();
        let write = context.machine.replace(FILE.as_ref(), &NewFile::new(content.as_bytes(), 0o644));
        write.map_err(|error| Failure::new(error.to_string()))
    }
}
