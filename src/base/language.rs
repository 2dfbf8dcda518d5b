//! The options that decide how code is checked: the version of Puppet, the setting `strict`, the place of the manifest.

/// Whose behaviour is asked for where versions differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    Puppet7,
    #[default]
    Puppet8,
}

impl Language {
    /// The release of Puppet whose behaviour is followed.
    pub fn release(self) -> &'static str {
        match self {
            Language::Puppet7 => "7.23.0",
            Language::Puppet8 => "8.10.0",
        }
    }
}

crate::digestible!(enum Language { 7 = Puppet7, 8 = Puppet8 });

/// The setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strict {
    Off,
    Warning,
    Error,
}

crate::digestible!(enum Strict { 0 = Off, 1 = Warning, 2 = Error });

impl Strict {
    /// The value of the setting.
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
