//! The types of resources that are carried out here, one file or folder each, and the table of them.

mod accounts;
mod concat;
mod cron;
#[cfg(test)]
mod entry;
mod environment_settings;
mod exec;
mod file;
mod file_line;
mod host;
mod ini;
mod keys;
mod listing;
mod mount;
mod native_provider;
mod notify;
mod package;
mod provider_command;
mod purge;
mod required_file;
mod resources;
pub(crate) mod ruby_values;
mod rule_patterns;
mod schedule;
mod service;
mod still;
mod tidy;
pub(crate) mod tool_command;

use pantin_base::Language;
use pantin_machine::Reading;
use pantin_values::Value;

pub(crate) use exec::execute;
pub(crate) use file::backup::keep_in_bucket;
pub(crate) use file::fileset::ruby_words;
pub(crate) use file::rules::check_path;
pub use file::source::FileToRead;
pub(crate) use listing::{ListedResource, Listing, jobs, listing};
pub(crate) use required_file::required_file;
pub(crate) use schedule::Schedule;

use crate::failure::Failure;
use crate::managed::{Managed, Property};
use crate::resource::{AttributeRule, AttributeValues, Draft, ResourceInfo};
use crate::settings::ApplySettings;
use crate::value::symbol;

/// A type: its attributes, and how an object is made of a resource.
pub struct TypeEntry {
    /// In lower case: `file`.
    pub name: &'static str,
    /// The attribute that the title stands for.
    pub namevar: Option<&'static str>,
    /// The provider that carries it out where the resource names none, for the report.
    pub provider: Option<&'static str>,
    /// In the order of their declaration; properties in the order in which they are compared.
    pub attributes: &'static [AttributeRule],
    /// Checks the resource as a whole: `Validation of REF failed: …`.
    pub validate: Option<Validate>,
    /// Hides what says the same as a secret. Returns true for a parameter whose secret the type keeps.
    pub spread_secret: Option<fn(&str, &mut AttributeValues) -> bool>,
    /// Makes the object, of values that were checked.
    pub make: Make,
}

/// Checks a whole resource, and may change its values.
pub type Validate = fn(&mut Draft<'_>) -> Result<(), Failure>;

/// Makes the object of a resource.
pub type Make = fn(&NewResource<'_>) -> Result<Box<dyn Managed>, Failure>;

/// What an object is made of.
pub struct NewResource<'a> {
    pub info: &'a ResourceInfo,
    pub values: &'a AttributeValues,
    pub settings: &'a ApplySettings,
    pub machine: &'a dyn Reading,
}

/// Every type, by its name.
const TYPES: &[&TypeEntry] = &[
    &accounts::GROUP,
    &accounts::USER,
    &concat::CONCAT_FILE,
    #[cfg(test)]
    &entry::TYPE,
    &cron::TYPE,
    &exec::TYPE,
    &file::TYPE,
    &file_line::TYPE,
    &host::TYPE,
    &ini::INI_SETTING,
    &ini::INI_SUBSETTING,
    &keys::SSHKEY,
    &keys::SSH_AUTHORIZED_KEY,
    &mount::TYPE,
    &notify::TYPE,
    &package::TYPE,
    &resources::TYPE,
    &schedule::TYPE,
    &service::TYPE,
    &still::ANCHOR,
    &still::CONCAT_FRAGMENT,
    &still::FILEBUCKET,
    &tidy::TYPE,
];

/// Returns the default of `ensure` of most types: what a resource says something of is there.
pub(crate) fn present_if_managed(draft: &Draft<'_>) -> Option<Value> {
    draft.values.properties().iter().any(Property::is_desired).then(|| symbol("present"))
}

/// Finds the type of this name, in any case.
pub fn find_type(name: &str) -> Option<&'static TypeEntry> {
    TYPES.iter().copied().find(|entry| entry.name.eq_ignore_ascii_case(name))
}

/// The names of all types, in lower case.
pub fn type_names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|entry| entry.name)
}

impl TypeEntry {
    /// Finds the rule of an attribute in a version.
    pub(crate) fn attribute(&self, name: &str, language: Language) -> Option<&'static AttributeRule> {
        self.attributes.iter().find(|rule| rule.name == name && rule.is_in(language))
    }

    pub(crate) fn has_attribute(&self, name: &str) -> bool {
        self.attributes.iter().any(|rule| rule.name == name)
    }
}
