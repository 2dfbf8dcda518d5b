//! The type `service`: a program in the background that runs or does not, and is started at boot or is not.

mod actions;
mod init;
mod listing;
mod process_table;
mod provider;
mod systemd;
mod table;
#[cfg(test)]
mod tests;
mod units;

use pantin_values::{Str, Value};

use super::native_provider::NativeProvider;
use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::log::Level;
use crate::managed::{Managed, Observation, Property, StateCheck};
use crate::provider::{ProvidedBy, WantedResource};
use crate::resource::AttributeValues;
use crate::value::{is_word, symbol, text};
pub(super) use listing::list;
use provider::ServiceProvider;
use systemd::Enablement;

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "service",
    namevar: Some("name"),
    provider: None,
    attributes: table::ATTRIBUTES,
    validate: None,
    spread_secret: None,
    make,
};

struct Service {
    properties: Vec<Property>,
    values: AttributeValues,
    provider: ServiceProvider,
    name: String,
    /// What systemd last said of the start at boot.
    enablement: Option<Enablement>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let provider = ServiceProvider::choose(new.values, new.machine)?;
    Ok(Box::new(Service {
        properties: new.values.properties(),
        values: new.values.clone(),
        provider,
        name: new.values.text("name").unwrap_or_default(),
        enablement: None,
    }))
}

impl Managed for Service {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let row = self.row(context)?;
        self.enablement = row.as_ref().and_then(units::enablement);
        let state = row.and_then(|row| row.get("ensure").cloned()).filter(|_| !self.values.has("status"));
        let mut observation = Observation::new();
        for property in self.properties.clone() {
            match property.name {
                "ensure" => observation.set(
                    "ensure",
                    match &state {
                        Some(state) => state.clone(),
                        None => self.state(context)?,
                    },
                ),
                "enable" => observation.set("enable", self.enabled(context)?),
                _ => {}
            }
        }
        Ok(observation)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        match property.name {
            "enable" => self.is_enabled_as_desired(property, is, context),
            _ => Ok(property.matches(is)),
        }
    }

    /// A change of `ensure` sets `enable` in the same go.
    fn change(&mut self, property: &Property, _: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if property.name == "enable" {
            return self.set_enabled(&property.should(), context);
        }
        match is_word(&property.should(), "running") {
            true => self.start(context)?,
            false => self.stop(context)?,
        }
        let Some(enable) = self.properties.iter().find(|one| one.name == "enable").cloned() else { return Ok(()) };
        let is = self.enabled(context)?;
        match !enable.is_desired() || self.is_enabled_as_desired(&enable, &is, context)? {
            true => Ok(()),
            false => self.set_enabled(&enable.should(), context),
        }
    }

    fn event_name(&self, property: &Property) -> Option<String> {
        if !property.is_desired() {
            return None;
        }
        let should = property.should();
        let name = match (property.name, &*text(&should)) {
            ("ensure", "running") => "service_started",
            ("ensure", _) => "service_stopped",
            ("enable", "true") => "service_enabled",
            ("enable", "manual") => "service_manual_start",
            ("enable", "delayed") => "service_delayed_start",
            ("enable", _) => "service_disabled",
            _ => return None,
        };
        Some(name.to_owned())
    }

    fn drops_refresh(&self, property: &Property) -> bool {
        property.name == "ensure" && is_word(&property.should(), "running")
    }

    fn can_refresh(&self) -> bool {
        true
    }

    /// Restarts what runs.
    fn refresh(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if is_word(&self.state(context)?, "running") {
            return self.restart(context);
        }
        if context.says(Level::Debug) {
            context.say(Level::Debug, "Skipping restart; service is not running");
        }
        Ok(())
    }

    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        let looks_at_unit = self.provider == ServiceProvider::Systemd && !self.properties.is_empty();
        looks_at_unit.then_some(ProvidedBy { entry: &units::UNITS, name: &self.name, values: &self.values })
    }

    fn footprint(&self) -> Footprint {
        let has_own_commands =
            ["start", "stop", "restart", "status", "binary"].into_iter().any(|name| self.values.has(name));
        match self.provider == ServiceProvider::Systemd && !has_own_commands {
            true => Footprint::Units,
            false => Footprint::Anything,
        }
    }

    /// Systemd and the table of processes can be looked at; others run a script of the service.
    fn state_check(&self) -> StateCheck {
        let runs_script = match self.provider {
            ServiceProvider::Systemd | ServiceProvider::Base => false,
            ServiceProvider::Debian | ServiceProvider::Init => self.values.is_true("hasstatus"),
        };
        match runs_script || self.values.has("status") {
            true => StateCheck::Command,
            false => StateCheck::Look,
        }
    }
}

impl Service {
    /// Returns what was read of the unit together with others.
    fn row(&self, context: &ApplyContext<'_>) -> Result<Option<Observation>, Failure> {
        match self.provided_by() {
            Some(by) => context.providers.row(by.entry, &WantedResource { name: by.name, values: by.values }, context),
            None => Ok(None),
        }
    }

    /// Returns whether the service is started at boot, as the values of `enable`.
    fn enabled(&mut self, context: &ApplyContext<'_>) -> Result<Value, Failure> {
        let word = match self.provider {
            ServiceProvider::Systemd => self.unit_enabled(context)?,
            _ if self.is_started_by_links(context)? => "true",
            _ => "false",
        };
        Ok(symbol(word))
    }

    fn is_enabled_as_desired(
        &mut self,
        property: &Property,
        is: &Value,
        context: &ApplyContext<'_>,
    ) -> Result<bool, Failure> {
        match self.provider {
            ServiceProvider::Systemd => self.is_unit_as_desired(property, is, context),
            _ => Ok(property.matches(is)),
        }
    }

    fn set_enabled(&mut self, should: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match (self.provider, &*text(should)) {
            (ServiceProvider::Systemd, "true") => self.enable_unit(context),
            (ServiceProvider::Systemd, "mask") => self.mask_unit(context),
            (ServiceProvider::Systemd, _) => self.change_unit("disable", context),
            (_, "true") => self.enable_script(context),
            (..) => self.disable_script(context),
        }
    }

    /// Says a line of the provider: `Service[x](provider=base)`.
    fn say(&self, level: Level, text: &str, context: &ApplyContext<'_>) {
        if context.says(level) {
            context.say_of_provider(self.provider.name(), level, text);
        }
    }
}

/// Returns a command of these words.
fn command_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Value {
    Value::array(words.into_iter().map(|word| Value::String(Str::from(word))))
}
