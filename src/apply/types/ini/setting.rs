//! The type `ini_setting`: one setting of a section.

use std::path::PathBuf;

use pantin_values::Value;

use super::super::file::rules::check_path;
use super::super::file::write::Fault;
use super::super::{NewResource, TypeEntry};
use super::file::{IniFile, IniFormat};
use super::{changed, read, shown_as, write};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{Managed, Observation, ObservationMode, Property};
use crate::resource::{AttributeRule, AttributeValues, Draft, munging_failed};
use crate::value::{display, is_word, symbol, text};

const SHOWS: &[(&str, &str)] = &[("true", "true"), ("md5", "md5"), ("false", "false")];

pub(in crate::types) const TYPE: TypeEntry = TypeEntry {
    name: "ini_setting",
    namevar: Some("name"),
    provider: Some("ruby"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_text("present"),
        AttributeRule::property("value").converted(convert_value),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("section").default_text(""),
        AttributeRule::parameter("setting").converted(convert_setting),
        AttributeRule::parameter("force_new_section_creation").boolean().default_boolean(true),
        AttributeRule::parameter("path").checked(check_path),
        AttributeRule::parameter("show_diff").words(SHOWS).default_text("true"),
        AttributeRule::parameter("key_val_separator").default_text(" = "),
        AttributeRule::parameter("section_prefix").default_text("["),
        AttributeRule::parameter("section_suffix").default_text("]"),
        AttributeRule::parameter("indent_char").default_text(" "),
        AttributeRule::parameter("indent_width"),
        AttributeRule::parameter("refreshonly").boolean().default_boolean(false),
        AttributeRule::parameter("provider"),
    ],
    validate: None,
    spread_secret: None,
    make,
};

fn convert_value(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::string(text(given).trim()))
}

/// What Ruby says of the module's code.
const WARN: &str = "private method `warn' called for Puppet:Module\n\n        Puppet.warn('Settings should not have spaces in the \
    value, we are going to strip the whitespace')\n              ^^^^^\nDid you mean?  warning";

fn convert_setting(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let setting = text(given);
    let is_space = |letter: char| letter.is_ascii_whitespace();
    // The module means to warn of spaces around it, and fails instead.
    match setting.starts_with(is_space) || setting.ends_with(is_space) {
        true => Err(munging_failed("setting", given, WARN)),
        false => Ok(Value::string(&*setting)),
    }
}

struct IniSetting {
    values: AttributeValues,
    properties: Vec<Property>,
    path: PathBuf,
    section: String,
    setting: Option<String>,
    is_refresh_only: bool,
    shows_differences: bool,
    /// Read once, and kept for the change.
    file: Option<IniFile>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Ok(Box::new(IniSetting {
        properties: new.values.properties(),
        path: PathBuf::from(new.values.text("path").unwrap_or_default()),
        section: new.values.text("section").unwrap_or_default(),
        setting: new.values.text("setting"),
        is_refresh_only: new.values.is_true("refreshonly"),
        shows_differences: new.settings.show_diff,
        values: new.values.clone(),
        file: None,
    }))
}

impl IniSetting {
    fn format(&self) -> IniFormat {
        let text = |name: &str| self.values.text(name).unwrap_or_default();
        IniFormat {
            separator: text("key_val_separator"),
            section_prefix: text("section_prefix"),
            section_suffix: text("section_suffix"),
            indent: text("indent_char"),
            indent_width: self.values.text("indent_width").and_then(|width| width.trim().parse().ok()),
        }
    }

    fn take_file(&mut self, context: &ApplyContext<'_>) -> Result<IniFile, Failure> {
        match self.file.take() {
            Some(file) => Ok(file),
            None => read(&self.path, self.format(), context),
        }
    }

    fn is_there(&self, file: &IniFile) -> bool {
        match &self.setting {
            None => file.has_section(&self.section),
            Some(setting) => file.value(&self.section, setting).is_some(),
        }
    }

    fn set(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let mut file = self.take_file(context)?;
        let value = self.values.text("value");
        match (&self.setting, value) {
            (None, None) => file.add_section(&self.section),
            (setting, value) => {
                let (setting, value) = (setting.clone().unwrap_or_default(), value.unwrap_or_default());
                file.set(&self.section, &setting, &value)?;
            }
        }
        write(&self.path, &file, context)
    }

    fn remove(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let mut file = self.take_file(context)?;
        file.remove(&self.section, self.setting.as_deref().unwrap_or_default());
        write(&self.path, &file, context)
    }

    fn show(&self, value: &Value) -> String {
        shown_as(value, self.values.text("show_diff").as_deref(), self.shows_differences)
    }
}

impl Managed for IniSetting {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.file = None;
        let file = self.take_file(context)?;
        let is_there = self.is_there(&file);
        let value = self.setting.as_deref().and_then(|setting| file.value(&self.section, setting)).map(Value::string);
        // A section that is not to be made lets nothing be wanted in it.
        let is_unwanted = !is_there
            && self.setting.is_some()
            && !file.has_section(&self.section)
            && !self.values.is_true("force_new_section_creation");
        self.file = Some(file);
        if is_unwanted {
            for property in self.properties.iter_mut().filter(|property| property.name == "ensure") {
                property.desired = vec![symbol("absent")];
            }
        }
        match is_there {
            true => Ok(Observation::new().with("ensure", symbol("present")).with("value", value.unwrap_or_default())),
            false => Ok(Observation::absent(&self.properties)),
        }
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> Result<bool, Failure> {
        Ok(self.is_refresh_only || property.matches(is))
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

    fn can_refresh(&self) -> bool {
        true
    }

    fn refresh(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match (self.is_refresh_only, self.values.is("ensure", "absent")) {
            (false, _) => Ok(()),
            (true, true) => self.remove(context).map_err(Fault::into_failure),
            (true, false) => self.set(context).map_err(Fault::into_failure),
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint::Files(FileFootprint { writes: vec![self.path.clone()], ..FileFootprint::default() })
    }

    fn observation_mode(&self) -> ObservationMode {
        ObservationMode::Ahead
    }
}
