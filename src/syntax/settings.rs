//! The few settings that change what a source means to the parser and the checks.

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

/// The setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strict {
    Off,
    Warning,
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    pub language: Language,
    pub strict: Strict,
    /// Whether `plan` and `apply` are keywords.
    pub tasks: bool,
}

impl Settings {
    /// The defaults of a version.
    pub fn of(language: Language) -> Settings {
        let strict = match language {
            Language::Puppet7 => Strict::Warning,
            Language::Puppet8 => Strict::Error,
        };
        Settings { language, strict, tasks: false }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(Language::default())
    }
}

/// What a source holds: code, or a template with code in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Manifest,
    Template,
}

/// Where a manifest stands, for the rules that tie names to places.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Location {
    /// Not in a module, or an initial manifest: any name may be defined, any statement may stand.
    #[default]
    Anywhere,
    /// In a module, in a folder of it that holds no definitions.
    BadModuleFile,
    /// In a module: what is defined has a name that starts with this, in lower case.
    Namespace(String),
}
