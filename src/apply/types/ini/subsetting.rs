//! The type `ini_subsetting`: one item in the value of a setting.

use std::path::PathBuf;

use pantin_values::Value;

use super::super::file::rules::check_path;
use super::super::file::write::Fault;
use super::super::{NewResource, TypeEntry};
use super::file::{IniFile, IniFormat};
use super::items::{ItemFormat, ItemPlace, Items};
use super::{changed, read, shown_as, write};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{Managed, Observation, ObservationMode, Property};
use crate::resource::{AttributeRule, AttributeValues, Draft};
use crate::value::{display, is_word, symbol, text};

const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];
const SHOWS: &[(&str, &str)] = &[("true", "true"), ("md5", "md5"), ("false", "false")];
const PLACES: &[(&str, &str)] =
    &[("start", "start"), ("end", "end"), ("before", "before"), ("after", "after"), ("index", "index")];

pub(in crate::types) const TYPE: TypeEntry = TypeEntry {
    name: "ini_subsetting",
    namevar: Some("name"),
    provider: Some("ruby"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_text("present"),
        AttributeRule::property("value"),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("section").default_text(""),
        AttributeRule::parameter("setting"),
        AttributeRule::parameter("subsetting"),
        AttributeRule::parameter("subsetting_separator").default_text(" "),
        AttributeRule::parameter("subsetting_key_val_separator").default_text(""),
        AttributeRule::parameter("path").checked(check_path),
        AttributeRule::parameter("show_diff").words(SHOWS).default_text("true"),
        AttributeRule::parameter("key_val_separator").default_text(" = "),
        AttributeRule::parameter("quote_char").checked(check_quote).default_text(""),
        AttributeRule::parameter("use_exact_match").words(TRUE_FALSE).default_text("false"),
        AttributeRule::parameter("insert_type").words(PLACES).default_text("end"),
        AttributeRule::parameter("insert_value"),
        AttributeRule::parameter("delete_if_empty").words(TRUE_FALSE).default_text("false"),
        AttributeRule::parameter("provider"),
    ],
    validate: None,
    spread_secret: None,
    make,
};

fn check_quote(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given) {
        "" | "'" | "\"" => Ok(()),
        _ => Err(Failure::new(r#":quote_char valid values are '', '"' and "'""#)),
    }
}

struct IniSubsetting {
    values: AttributeValues,
    properties: Vec<Property>,
    path: PathBuf,
    shows_differences: bool,
    /// Read once, and kept for the change.
    file: Option<IniFile>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Ok(Box::new(IniSubsetting {
        properties: new.values.properties(),
        path: PathBuf::from(new.values.text("path").unwrap_or_default()),
        shows_differences: new.settings.show_diff,
        values: new.values.clone(),
        file: None,
    }))
}

impl IniSubsetting {
    fn text_of(&self, name: &str) -> String {
        self.values.text(name).unwrap_or_default()
    }

    fn take_file(&mut self, context: &ApplyContext<'_>) -> Result<IniFile, Failure> {
        let format = IniFormat { separator: self.text_of("key_val_separator"), ..IniFormat::default() };
        match self.file.take() {
            Some(file) => Ok(file),
            None => read(&self.path, format, context),
        }
    }

    fn items(&self, file: &IniFile) -> Result<Items, Failure> {
        let value = file.value(&self.text_of("section"), &self.text_of("setting"));
        let format = ItemFormat {
            separator: self.text_of("subsetting_separator"),
            key_separator: self.text_of("subsetting_key_val_separator"),
            is_exact: self.values.is_true("use_exact_match"),
        };
        Items::parse(value, self.text_of("quote_char"), format)
    }

    fn new_place(&self) -> ItemPlace {
        let beside = self.text_of("insert_value");
        match self.text_of("insert_type").as_str() {
            "start" => ItemPlace::Start,
            "before" => ItemPlace::Before(beside),
            "after" => ItemPlace::After(beside),
            "index" => ItemPlace::Index(beside.trim().parse().unwrap_or(0)),
            _ => ItemPlace::End,
        }
    }

    fn set(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let mut file = self.take_file(context)?;
        let mut items = self.items(&file)?;
        items.set(&self.text_of("subsetting"), &self.text_of("value"), &self.new_place());
        file.set(&self.text_of("section"), &self.text_of("setting"), &items.text())?;
        write(&self.path, &file, context)
    }

    fn remove(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let mut file = self.take_file(context)?;
        let mut items = self.items(&file)?;
        items.remove(&self.text_of("subsetting"));
        let (section, setting) = (self.text_of("section"), self.text_of("setting"));
        match items.text() {
            empty if empty.is_empty() => file.remove(&section, &setting),
            value => file.set(&section, &setting, &value)?,
        }
        write(&self.path, &file, context)
    }

    fn show(&self, value: &Value) -> String {
        shown_as(value, self.values.text("show_diff").as_deref(), self.shows_differences)
    }
}

impl Managed for IniSubsetting {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.file = None;
        let file = self.take_file(context)?;
        let items = self.items(&file)?;
        self.file = Some(file);
        let name = self.text_of("subsetting");
        if !items.has(&name) {
            return Ok(Observation::absent(&self.properties));
        }
        let value = items.value(&name).map(Value::string).unwrap_or_default();
        Ok(Observation::new().with("ensure", symbol("present")).with("value", value))
    }

    fn change(&mut self, property: &Property, _is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let done = match property.name == "ensure" && is_word(&property.should(), "absent") {
            true => self.remove(context),
            false => self.set(context),
        };
        changed(property, done, context)
    }

    fn show_current(&self, property: &Property, value: &Value) -> String {
        if property.name == "value" { self.show(value) } else { display(value) }
    }

    fn show_desired(&self, property: &Property) -> String {
        if property.name == "value" { self.show(&property.should()) } else { display(&property.should()) }
    }

    fn footprint(&self) -> Footprint {
        Footprint::Files(FileFootprint { writes: vec![self.path.clone()], ..FileFootprint::default() })
    }

    fn observation_mode(&self) -> ObservationMode {
        ObservationMode::Ahead
    }
}
