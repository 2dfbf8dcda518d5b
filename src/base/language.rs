//! The options that decide how code is checked: the version of Puppet, the setting `strict`, the place of the manifest.

/// Whose behaviour is asked for where versions differ. Each continues the one before it: what Puppet 8 changed holds where
/// `language >= Language::Puppet8`, and what OpenVox changed since where `language >= Language::OpenVox8`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Language {
    Puppet7,
    #[default]
    Puppet8,
    OpenVox8,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::Puppet7, Language::Puppet8, Language::OpenVox8];

    /// Returns the release whose behaviour is followed.
    pub fn release(self) -> &'static str {
        match self {
            Language::Puppet7 => "7.23.0",
            Language::Puppet8 => "8.10.0",
            Language::OpenVox8 => "8.28.1",
        }
    }

    /// Who makes that release, as its fact `implementation` and people say it.
    pub fn product(self) -> &'static str {
        match self {
            Language::Puppet7 | Language::Puppet8 => "Puppet",
            Language::OpenVox8 => "OpenVox",
        }
    }

    /// Returns the word that options and `pantin.toml` name it by.
    pub fn name(self) -> &'static str {
        match self {
            Language::Puppet7 => "7",
            Language::Puppet8 => "8",
            Language::OpenVox8 => "openvox",
        }
    }

    /// The version that a word names. `openvox` is the newest OpenVox that is followed.
    pub fn from_name(name: &str) -> Option<Language> {
        match name {
            "openvox8" => Some(Language::OpenVox8),
            _ => Language::ALL.into_iter().find(|language| language.name() == name),
        }
    }
}

crate::digestible!(enum Language { 7 = Puppet7, 8 = Puppet8, 28 = OpenVox8 });

/// The setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strict {
    Off,
    Warning,
    Error,
}

crate::digestible!(enum Strict { 0 = Off, 1 = Warning, 2 = Error });

impl Strict {
    /// Returns the value of the setting.
    pub fn name(self) -> &'static str {
        match self {
            Strict::Off => "off",
            Strict::Warning => "warning",
            Strict::Error => "error",
        }
    }
}

/// Where a manifest stands, for the rules that tie names to places.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Location {
    /// Not in a module, or an initial manifest: any name may be defined, any statement may stand.
    #[default]
    Anywhere,
    /// `environments.pp`: any statement may stand, and `site` says which environments there are.
    Environments,
    /// In a module, in a folder of it that holds no definitions.
    BadModuleFile,
    /// In a module: what is defined has a name that starts with this, in lower case.
    Namespace(String),
}
