//! The functions that Hiera brings with it: files in YAML, JSON and HOCON, and encrypted YAML.

use std::path::Path;

use super::config::FunctionKind;
use super::interpolate::Methods;
use super::layer::Layer;
use super::outside::Function;
use super::provider::Entry;
use super::search::{Found, Search};
use super::store::{Content, Format};
use super::trouble::Trouble;
use crate::base::stack;
use crate::data;
use crate::pcore::{Hash, Str, Type, Value, mismatch, types};

/// What answers for an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Implementation {
    File(Format),
    Eyaml,
    Puppet,
}

/// A file's content as data, or what is wrong with it, with its name.
pub(super) fn parse(format: Format, bytes: &[u8], name: &str) -> Result<Value, String> {
    match format {
        Format::Yaml => {
            let options = data::yaml::Options { symbols: data::yaml::Symbols::Keys, classes: &[] };
            data::yaml::load(bytes, name, options).map_err(|error| error.message)
        }
        Format::Json => data::json::load(bytes).map_err(|error| format!("({name}): {}", error.message)),
        Format::Hocon => Err(format!("({name}): HOCON is not supported yet")),
    }
}

/// The first encrypted text in a value.
fn encrypted(value: &Value) -> Option<&Str> {
    match value {
        Value::String(text) => text.split_once("ENC[").filter(|(_, rest)| rest.contains(']')).map(|_| text),
        Value::Array(items) => stack::with_room(|| items.iter().find_map(encrypted)),
        Value::Hash(entries) => stack::with_room(|| entries.values().find_map(encrypted)),
        _ => None,
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
            return Err(self.in_ruby(layer, name, &format!("the back end '{name}' of Hiera 3")));
        }
        let found = self.outside.function(name).map_err(|fault| Trouble::puppet(fault.message.into_owned()))?;
        match found {
            Some(Function::Puppet { returns: None }) => Ok((Implementation::Puppet, false)),
            Some(Function::Puppet { returns: Some(returns) }) => {
                let expected = if is_hash || entry.function == FunctionKind::Legacy {
                    Type::hash_of(types::rich_data_key(), types::rich_data())
                } else {
                    types::rich_data()
                };
                let subject = format!("Return type of '{}' function named '{name}'", entry.tag());
                mismatch::assert_assignable(&subject, &expected, &returns).map_err(Trouble::mismatch)?;
                Ok((Implementation::Puppet, true))
            }
            Some(Function::Ruby { file }) => {
                Err(self.in_ruby(layer, name, &format!("the function '{name}' in {}", file.display())))
            }
            None => {
                let message = format!("Unable to find '{}' function named '{name}'", entry.tag());
                Err(layer.config.wrong(message, None))
            }
        }
    }

    /// A back end that is a program in Ruby.
    fn in_ruby(&self, layer: &Layer, name: &str, what: &str) -> Trouble {
        let line = layer.config.file().line_matching(&format!(r"[^\w]{name}(?:[^\w]|$)"), 1);
        layer.config.wrong(format!("{what} is written in Ruby, which is not supported yet"), line)
    }

    /// A key of a file whose values may be encrypted.
    pub(super) fn eyaml(&mut self, options: &Hash, key: &Str) -> Found {
        let Some(Value::String(path)) = options.get_str("path") else {
            return Err(Trouble::ruby(
                "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs', 'mapped_paths' must be declared in \
                 hiera.yaml when using this lookup_key function",
            ));
        };
        let (loaded, is_first) = self
            .load(Path::new(path.as_str()), Format::Yaml)?
            .ok_or_else(|| Trouble::ruby(format!("Is a directory @ io_fread - {path}")))?;
        let table = match &loaded.content {
            Content::Broken(message) => return Err(Trouble::lookup(format!("Unable to parse {message}"))),
            Content::Table(table) => table,
            Content::Other(value) => {
                self.no_yaml_hash(path, value, is_first)?;
                return Ok(None);
            }
        };
        let Some(value) = table.get(key) else { return Ok(None) };
        if let Some(secret) = encrypted(value) {
            return Err(Trouble::lookup(format!(
                "hiera-eyaml backend error decrypting {secret} when looking up {key} in {path}. Error was encrypted \
                 values are not supported yet"
            )));
        }
        self.interpolate(value, Methods::Allowed).map(Some)
    }
}
