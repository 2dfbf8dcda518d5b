//! The few settings that change what a source means to the parser and the checks.

use pantin_base::{Language, Strict};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    pub language: Language,
    pub strict: Strict,
    /// Whether `plan` and `apply` are keywords.
    pub tasks: bool,
    /// Whether `site` and `bindings` may begin a statement: Puppet bindings.
    pub bindings: bool,
    /// Whether definitions of bindings may stand beside other code: in a program that is evaluated by itself.
    pub definitions: bool,
}

impl Settings {
    /// The defaults of a version.
    pub fn from_language(language: Language) -> Settings {
        let strict = match language {
            Language::Puppet7 => Strict::Warning,
            Language::Puppet8 | Language::OpenVox8 => Strict::Error,
        };
        Settings { language, strict, tasks: false, bindings: language >= Language::Puppet8, definitions: false }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::from_language(Language::default())
    }
}

/// What a source holds: code, or a template with code in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SourceKind {
    Manifest,
    Template,
}
