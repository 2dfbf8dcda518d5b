//! The type `package`: a package of the system is there, in which version, or is not.

mod apt;
mod dpkg;
mod installed;
mod job;
mod provider;
mod table;
#[cfg(test)]
mod tests;
mod version;

use pantin_machine::Reading;
use pantin_values::{Str, Value};

use super::native_provider::NativeProvider;
use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::{Failure, place_suffix};
use crate::footprint::Footprint;
use crate::log::Level;
use crate::managed::{ChangeMessage, Managed, Observation, Property};
use crate::provider::{ProvidedBy, ProvidedResource, ProviderEntry};
use crate::value::{display, inspect, is_word, text};
use job::PackageJob;
use provider::PackageProvider;

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "package",
    namevar: Some("name"),
    provider: None,
    attributes: table::ATTRIBUTES,
    validate: Some(table::validate),
    spread_secret: None,
    make,
};

/// Returns the provider of resources that name none.
pub(super) fn provider_entry(machine: &dyn Reading) -> Option<&'static ProviderEntry> {
    PackageProvider::usual(machine).map(PackageProvider::entry)
}

struct Package {
    resource: ProvidedResource,
    provider: PackageProvider,
    name: String,
    /// Somebody asked for it, and not another package. Known once something is about to be changed.
    is_manual: Option<bool>,
    /// The version that `latest` means, once it was asked for; nothing where there is none.
    latest: Option<String>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let provider = PackageProvider::choose(new.values, new.machine)?;
    let name = new.values.text("name").unwrap_or_default();
    let resource = ProvidedResource::new(new, provider.entry(), name.clone(), Footprint::Anything);
    Ok(Box::new(Package { resource, provider, name, is_manual: None, latest: None }))
}

impl Managed for Package {
    fn properties(&self) -> &[Property] {
        self.resource.properties()
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.resource.observe(context)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        if property.name != "ensure" {
            return Ok(property.matches(is));
        }
        let is_one_of = |words: &[&str]| words.iter().any(|word| is_word(is, word));
        for should in &property.desired {
            let Value::Symbol(word) = should else {
                match () {
                    () if is == should => return Ok(true),
                    () if self.provider == PackageProvider::Apt => return Ok(apt::is_in_range(is, &property.should())),
                    () => continue,
                }
            };
            let is_as_desired = match &**word {
                "present" => !is_one_of(&["absent", "purged", "disabled"]),
                "latest" if is_one_of(&["absent", "purged"]) => return Ok(false),
                "latest" => self.is_latest(is, context)?,
                "absent" => is_one_of(&["absent", "purged"]),
                _ => is == should,
            };
            if is_as_desired {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn change(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if self.provider == PackageProvider::Apt && self.is_manual.is_none() {
            self.is_manual = Some(job::is_manual(&self.name, context)?);
        }
        let should = property.should();
        let is_simple = ["absent", "purged"].iter().any(|word| is_word(&should, word)) || property.name != "ensure";
        let lacks_source = self.provider == PackageProvider::Dpkg && !self.resource.values.has("source");
        self.resource.change(property, is, context).map_err(|failure| match failure.signal() {
            Some(_) => failure,
            None if is_simple => failure,
            None if is_word(&should, "present") && lacks_source => {
                // What is no error of Puppet's own is told as one below.
                let place = place_suffix(context.resource.place.as_ref());
                let message = format!("Could not set 'present' on ensure: {failure}{place}");
                context.say_bare(Level::Err, &message);
                Failure::new(message).wrapping(failure)
            }
            None if is_word(&should, "present") => failure,
            None => Failure::new(format!("Could not update: {failure}")),
        })
    }

    fn describe(&self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> ChangeMessage {
        if property.name != "ensure" {
            return ChangeMessage::Standard;
        }
        let should = property.should();
        let is_gone = |value: &Value| is_word(value, "absent") || is_word(value, "purged");
        ChangeMessage::Text(match () {
            () if is_word(&should, "purged") => "purged".to_owned(),
            () if (is_gone(is) || *is == Value::Undef) && !is_gone(&should) => "created".to_owned(),
            () if is_word(is, "absent") => "created".to_owned(),
            () if is_word(&should, "absent") => "removed".to_owned(),
            () => format!("ensure changed {} to {}", display(is), self.show_desired(property)),
        })
    }

    fn show_desired(&self, property: &Property) -> String {
        match &self.latest {
            Some(latest) if property.name == "ensure" => display(&Value::string(latest.as_str())),
            _ => display(&property.should()),
        }
    }

    fn event_name(&self, property: &Property) -> Option<String> {
        if property.name != "ensure" {
            return None;
        }
        Some(match &*text(&property.should()) {
            "present" => "package_installed".to_owned(),
            "absent" => "package_removed".to_owned(),
            "purged" => "package_purged".to_owned(),
            _ => "package_changed".to_owned(),
        })
    }

    /// Marks what was changed as asked for, unless it was before.
    fn flush(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let is_absent = self.resource.values.is("ensure", "absent");
        match self.provider == PackageProvider::Apt && !is_absent && self.is_manual == Some(false) {
            true => apt::mark_as_manual(&self.name, context),
            false => Ok(()),
        }
    }

    /// Does nothing: a refresh reaches the package, and neither dpkg nor apt installs one again.
    fn can_refresh(&self) -> bool {
        true
    }

    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        self.resource.provided_by()
    }

    fn footprint(&self) -> Footprint {
        self.resource.footprint()
    }
}

impl Package {
    /// Returns true if what is there is the newest version that could be.
    fn is_latest(&mut self, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        if self.latest.is_none() {
            let job = PackageJob {
                provider: self.provider,
                name: self.name.clone(),
                values: &self.resource.values,
                is_held: false,
            };
            let newest = job.newest(context);
            self.latest = newest.map_err(|failure| Failure::new(format!("Could not get latest version: {failure}")))?;
        }
        let latest = self.latest.clone().map(|latest| Value::String(Str::from(latest))).unwrap_or_default();
        if *is == latest {
            return Ok(true);
        }
        if context.says(Level::Debug) {
            let (is, latest) = (inspect(is), inspect(&latest));
            context.say(Level::Debug, format!("{} {is} is installed, latest is {latest}", self.name));
        }
        Ok(false)
    }
}
