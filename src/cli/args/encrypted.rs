//! The option for encrypted data whose key is not at hand, as in most pipelines.

use clap::{Args, ValueEnum};
use pantin_repository::options::MissingKey;

#[derive(Debug, Args)]
pub(crate) struct EncryptedArguments {
    /// What stands for encrypted values of the data where their private key is not at hand; a warning names the keys
    /// that got a placeholder [default: error]
    #[arg(long, value_name = "WHAT")]
    eyaml_missing_key: Option<MissingSecret>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum MissingSecret {
    /// The look-up fails
    Error,
    /// A text that says so
    Placeholder,
}

impl EncryptedArguments {
    pub(crate) fn missing_key(&self) -> Option<MissingKey> {
        self.eyaml_missing_key.map(|missing| match missing {
            MissingSecret::Error => MissingKey::Error,
            MissingSecret::Placeholder => MissingKey::Placeholder,
        })
    }
}
