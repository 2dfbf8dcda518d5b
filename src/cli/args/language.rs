//! The options that change what a source means, shared by all commands that parse.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use pantin_base::{Language, Strict};
use pantin_syntax::Settings;
use pantin_world::Disk;

#[derive(Debug, Args)]
#[command(next_help_heading = "Language")]
pub(crate) struct LanguageArguments {
    /// Whose behaviour to follow where versions differ
    #[arg(long, value_name = "VERSION", default_value = "8")]
    puppet: PuppetVersion,

    /// What to do about questionable code; by default as the version does: warning for 7, error for 8
    #[arg(long, value_name = "LEVEL")]
    strict: Option<StrictLevel>,

    /// Take `plan` and `apply` as keywords
    #[arg(long)]
    tasks: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PuppetVersion {
    #[value(name = "7")]
    Seven,
    #[value(name = "8")]
    Eight,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrictLevel {
    Off,
    Warning,
    Error,
}

impl LanguageArguments {
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::of(self.language());
        match self.strict {
            None => {}
            Some(StrictLevel::Off) => settings.strict = Strict::Off,
            Some(StrictLevel::Warning) => settings.strict = Strict::Warning,
            Some(StrictLevel::Error) => settings.strict = Strict::Error,
        }
        settings.tasks = self.tasks;
        settings
    }

    /// The same among all settings of the real one. `Err`: a sentence for a person.
    pub(crate) fn world_settings(&self, disk: Arc<dyn Disk>) -> Result<pantin_world::settings::Settings, String> {
        let mut settings = pantin_world::settings::Settings::new(self.language(), disk);
        match self.strict {
            None => {}
            Some(StrictLevel::Off) => settings.set("strict", "off")?,
            Some(StrictLevel::Warning) => settings.set("strict", "warning")?,
            Some(StrictLevel::Error) => settings.set("strict", "error")?,
        }
        if self.tasks {
            settings.set("tasks", "true")?;
        }
        Ok(settings)
    }

    fn language(&self) -> Language {
        match self.puppet {
            PuppetVersion::Seven => Language::Puppet7,
            PuppetVersion::Eight => Language::Puppet8,
        }
    }
}
