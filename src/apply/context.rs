//! What a call of a resource may use: the door to the machine, the log, the catalog by questions, settings.

use pantin_machine::{Stop, System};
use pantin_values::Str;

use crate::applied_catalog::AppliedCatalog;
use crate::failure::Failure;
use crate::known_sums::KnownSums;
use crate::log::{Level, Log, Source};
use crate::provider::{ProviderEntry, Providers, Row};
use crate::resource::ResourceInfo;
use crate::settings::ApplySettings;
use crate::sources::Sources;

/// What a call of a resource may use.
#[derive(Clone, Copy)]
pub struct ApplyContext<'a> {
    /// The machine. Where the resource may change nothing, it refuses changes.
    pub machine: &'a dyn System,
    /// Where commands run that only check: also in a run that changes nothing.
    pub checks: &'a dyn System,
    pub settings: &'a ApplySettings,
    pub catalog: &'a AppliedCatalog,
    pub resource: &'a ResourceInfo,
    /// What `puppet:///` leads to.
    pub sources: &'a dyn Sources,
    /// Asked by whoever waits.
    pub stop: &'a Stop,
    pub(crate) log: &'a Log<'a>,
    pub(crate) providers: &'a Providers,
    pub(crate) sums: &'a KnownSums,
    /// The resource may change nothing.
    pub is_noop: bool,
}

impl ApplyContext<'_> {
    /// Says a line of the resource: `Notice: /Stage[main]/Main/File[/x]: TEXT`.
    pub fn say(&self, level: Level, text: impl Into<String>) {
        self.log.say(level, self.resource.source(), text.into());
    }

    /// Says a line of a property or parameter: `Notice: /Stage[main]/Main/Exec[x]/returns: TEXT`.
    pub fn say_of(&self, attribute: &str, level: Level, text: impl Into<String>) {
        let path = format!("{}/{attribute}", self.resource.path);
        self.log.say(level, Source { path: &path, ..self.resource.source() }, text.into());
    }

    /// Says a line of a provider: `Debug: Exec[x](provider=posix): TEXT`.
    pub fn say_of_provider(&self, provider: &str, level: Level, text: impl Into<String>) {
        let path = format!("{}(provider={provider})", self.resource.reference);
        self.log.say(level, Source { path: &path, ..self.resource.source() }, text.into());
    }

    /// Says a line without a source: `Notice: TEXT`.
    pub fn say_bare(&self, level: Level, text: impl Into<String>) {
        self.log.bare(level, text);
    }

    /// Says a warning without a source, once in a run for each key.
    pub fn warn_once(&self, key: &str, text: impl Into<String>) {
        self.log.warn_once(key, text);
    }

    /// Returns true if lines of this level are said at all.
    pub fn says(&self, level: Level) -> bool {
        self.log.says(level)
    }

    /// Lists all that a provider finds on the machine, whatever the catalog says.
    pub fn list(&self, provider: &'static ProviderEntry) -> Result<Vec<Row>, Failure> {
        self.providers.list(provider, self)
    }

    /// Returns the tags of the resource.
    pub fn tags(&self) -> &[Str] {
        &self.resource.tags
    }
}
