//! The functions that Hiera brings with it: files in YAML, JSON and HOCON, and encrypted YAML.

use pantin_values::{Type, Value, data, mismatch, types};

use super::config::FunctionKind;
use super::layer::Layer;
use super::outside::Function;
use super::provider::Entry;
use super::search::Search;
use super::store::{BrokenData, Format};
use super::trouble::Trouble;

/// What answers for an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Implementation {
    File(Format),
    Eyaml,
    /// Of a module or of the core.
    Function,
}

/// Returns a file's content as data, or what is wrong with it, with its name.
pub(super) fn parse(format: Format, bytes: &[u8], name: &str) -> Result<Value, BrokenData> {
    let broken = |error: &data::Error, message: String| BrokenData { message, line: error.line, column: error.column };
    match format {
        Format::Yaml => {
            let options =
                data::yaml::Options { symbols: data::yaml::Symbols::TextAsKey, ..data::yaml::Options::default() };
            data::yaml::load(bytes, name, options).map_err(|error| {
                let message = error.message.clone();
                broken(&error, message)
            })
        }
        Format::Json => data::json::load(bytes).map_err(|error| broken(&error, format!("({name}): {}", error.message))),
        // Variables of the process are not looked at: an answer must not depend on them.
        Format::Hocon => {
            data::hocon::load(bytes, &|_| None).map_err(|error| broken(&error, format!("({name}): {}", error.message)))
        }
    }
}

impl Search<'_> {
    pub(super) fn implementation(&mut self, entry: &Entry, layer: &Layer) -> Result<(Implementation, bool), Trouble> {
        let name = &entry.function_name;
        let is_hash = matches!(entry.function, FunctionKind::DataHash | FunctionKind::V3DataHash);
        let is_key = matches!(entry.function, FunctionKind::LookupKey | FunctionKind::V3LookupKey);
        let known = match name.as_str() {
            "yaml_data" => Some(Implementation::File(Format::Yaml)),
            "json_data" => Some(Implementation::File(Format::Json)),
            "hocon_data" => Some(Implementation::File(Format::Hocon)),
            "eyaml_lookup_key" => Some(Implementation::Eyaml),
            _ => None,
        };
        match known {
            Some(Implementation::Eyaml) if is_key => return Ok((Implementation::Eyaml, false)),
            Some(file @ Implementation::File(_)) if is_hash => return Ok((file, false)),
            Some(_) => {
                return Err(Trouble::ruby(format!(
                    "'{name}' is not a function for '{}': its arguments are others",
                    entry.tag()
                )));
            }
            None => {}
        }
        if entry.function == FunctionKind::V3Backend {
            let line = layer.config.file().line_matching(&format!(r"[^\w]{name}(?:[^\w]|$)"), 1);
            let message = format!("the back end '{name}' of Hiera 3 is written in Ruby, which is not supported yet");
            return Err(layer.config.wrong(message, line));
        }
        let found = self.outside.function(name).map_err(Trouble::from_load_fault)?;
        match found {
            Some(Function { returns: None }) => Ok((Implementation::Function, false)),
            Some(Function { returns: Some(returns) }) => {
                let expected = if is_hash || entry.function == FunctionKind::Legacy {
                    Type::hash_of(types::rich_data_key(), types::rich_data())
                } else {
                    types::rich_data()
                };
                let subject = format!("Return type of '{}' function named '{name}'", entry.tag());
                mismatch::assert_assignable(&subject, &expected, &returns).map_err(Trouble::mismatch)?;
                Ok((Implementation::Function, true))
            }
            None => {
                let message = format!("Unable to find '{}' function named '{name}'", entry.tag());
                Err(layer.config.wrong(message, None))
            }
        }
    }
}
