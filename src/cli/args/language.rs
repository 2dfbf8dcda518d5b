//! The options that change what a source means, shared by all commands that parse.

use clap::{Args, ValueEnum};
use pantin_base::{Language, Strict};
use pantin_repository::options::{OpenError, Options};
use pantin_syntax::Settings;
use pantin_world::MachineDisk;

#[derive(Debug, Args)]
#[command(next_help_heading = "Language")]
pub(crate) struct LanguageArguments {
    /// Whose behaviour to follow where versions differ [default: 8]
    #[arg(long, value_name = "VERSION")]
    puppet: Option<PuppetVersion>,

    /// What to do about questionable code; by default as the version does: warning for 7, error for 8
    #[arg(long, value_name = "LEVEL")]
    strict: Option<StrictLevel>,

    /// Take `plan` and `apply` as keywords
    #[arg(long)]
    tasks: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PuppetVersion {
    #[value(name = "7")]
    Seven,
    #[value(name = "8")]
    Eight,
    /// OpenVox 8.28
    #[value(name = "openvox", alias = "openvox8")]
    OpenVox,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrictLevel {
    Off,
    Warning,
    Error,
}

impl LanguageArguments {
    /// Returns the rules for a command that knows no repository: what is typed, then what the configuration of the
    /// current folder says.
    pub(crate) fn settings(&self) -> Result<Settings, OpenError> {
        let mut options = Options { reads_configuration: true, ..Options::default() };
        options.world.language = self.language();
        options.world.strict = self.strict();
        let options = options.configured(&MachineDisk::default())?;
        let settings = Settings::from_language(options.world.language.unwrap_or_default());
        Ok(Settings { strict: options.world.strict.unwrap_or(settings.strict), tasks: self.tasks, ..settings })
    }

    pub(crate) fn strict(&self) -> Option<Strict> {
        self.strict.map(|level| match level {
            StrictLevel::Off => Strict::Off,
            StrictLevel::Warning => Strict::Warning,
            StrictLevel::Error => Strict::Error,
        })
    }

    pub(crate) fn tasks(&self) -> bool {
        self.tasks
    }

    pub(crate) fn language(&self) -> Option<Language> {
        self.puppet.map(Language::from)
    }
}

impl From<PuppetVersion> for Language {
    fn from(version: PuppetVersion) -> Language {
        match version {
            PuppetVersion::Seven => Language::Puppet7,
            PuppetVersion::Eight => Language::Puppet8,
            PuppetVersion::OpenVox => Language::OpenVox8,
        }
    }
}
