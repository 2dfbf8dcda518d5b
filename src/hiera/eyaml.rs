//! `eyaml_lookup_key`: YAML whose texts may be encrypted. What is decrypted is noted, to be kept secret.

use std::path::Path;
use std::sync::Arc;

use pantin_base::stack;
use pantin_values::data::eyaml::{Keys, is_encrypted};
use pantin_values::{Digester, Hash, Str, Value};

use super::interpolate::Methods;
use super::lookups::MissingKey;
use super::outside::FileUse;
use super::search::{Search, SearchResult};
use super::store::{Content, Format};
use super::trouble::Trouble;

/// Stands for a value that nobody can read here.
const PLACEHOLDER: &str = "encrypted, and there is no key here";

/// What helps where there is no key.
const WITHOUT_KEY: &str = "--eyaml-missing-key placeholder puts a placeholder in place of what cannot be decrypted";

/// What is decrypted, and how.
struct EyamlReader<'v> {
    key: &'v str,
    path: &'v str,
    options: &'v Hash,
    /// Read when the first encrypted text needs them.
    keys: Option<Result<Arc<Keys>, String>>,
}

impl Search<'_> {
    /// Returns a key of a file.
    pub(super) fn eyaml(&mut self, options: &Hash, key: &Str) -> SearchResult {
        let Some(Value::String(path)) = options.get_str("path") else {
            return Err(Trouble::ruby(
                "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs', 'mapped_paths' must be declared in \
                 hiera.yaml when using this lookup_key function",
            ));
        };
        let (loaded, is_first) = self
            .load_data(Path::new(path.as_str()), Format::Yaml)?
            .ok_or_else(|| Trouble::ruby(format!("Is a directory @ io_fread - {path}")))?;
        let table = match &loaded.content {
            Content::Broken(broken) => return Err(self.unparsed(Path::new(path.as_str()), broken)),
            Content::Table(table) => table,
            Content::Other(value) => {
                self.no_yaml_hash(path, value, is_first)?;
                return Ok(None);
            }
        };
        let Some(value) = table.get(key) else { return Ok(None) };
        let mut reader = EyamlReader { key, path, options, keys: None };
        let plain = self.plain(value, &mut reader);
        plain.map(Some).map_err(|trouble| {
            let trouble = self.locate(trouble, Path::new(path.as_str()), key);
            if matches!(reader.keys, Some(Err(_))) { trouble.with_help(WITHOUT_KEY) } else { trouble }
        })
    }

    fn plain(&mut self, value: &Value, sealed: &mut EyamlReader<'_>) -> Result<Value, Trouble> {
        match value {
            Value::String(text) if is_encrypted(text) => {
                let text = self.decrypt(text, sealed)?;
                let plain = self.interpolate(&text.into(), Methods::Allowed)?;
                self.keep_secret(&plain, sealed.key);
                Ok(plain)
            }
            Value::String(_) => self.interpolate(value, Methods::Allowed),
            Value::Array(items) => stack::with_room(|| {
                let items = items.iter().map(|item| self.plain(item, sealed)).collect::<Result<Vec<_>, _>>()?;
                Ok(Value::array(items))
            }),
            Value::Hash(entries) => stack::with_room(|| {
                let mut plain = Hash::with_capacity(entries.len());
                for (key, value) in entries.iter() {
                    let key = self.interpolate(key, Methods::Allowed)?;
                    plain.insert(key, self.plain(value, sealed)?);
                }
                Ok(Value::Hash(plain))
            }),
            other => Ok(other.clone()),
        }
    }

    /// A placeholder is none.
    fn keep_secret(&self, plain: &Value, key: &str) {
        let is_unread = self.lookups.unread.borrow().contains(key);
        if let Value::String(text) = plain
            && !is_unread
            && !text.is_empty()
        {
            self.lookups.decrypted.borrow_mut().insert(text.clone());
        }
    }

    fn decrypt(&mut self, text: &str, sealed: &mut EyamlReader<'_>) -> Result<String, Trouble> {
        let keys = match &sealed.keys {
            Some(keys) => keys.clone(),
            None => {
                let keys = self.keys(sealed.options);
                sealed.keys = Some(keys.clone());
                keys
            }
        };
        if keys.is_err() && self.lookups.settings.missing_key == MissingKey::Placeholder {
            self.lookups.unread.borrow_mut().insert(sealed.key.into());
            // Another text under the seal is another placeholder, so that a comparison tells it.
            let digits = Digester::new(b"sealed text").text(text).finish().to_hex();
            return Ok(format!("({PLACEHOLDER}: {})", &digits[digits.len() - 8..]));
        }
        keys.and_then(|keys| keys.decrypt(text).map_err(|error| error.message)).map_err(|why| {
            Trouble::lookup(format!(
                "hiera-eyaml backend error decrypting {text} when looking up {} in {}. Error was {why}",
                sealed.key, sealed.path
            ))
        })
    }

    fn keys(&mut self, options: &Hash) -> Result<Arc<Keys>, String> {
        let private = self.pem(options, "private_key")?;
        let public = self.pem(options, "public_key")?;
        Keys::from_pem(&private, &public).map(Arc::new).map_err(|error| error.message)
    }

    /// Returns a key in a file, or in a variable of the process.
    fn pem(&mut self, options: &Hash, name: &str) -> Result<Vec<u8>, String> {
        let option = |name: &str| options.get_str(name).and_then(Value::as_str);
        if let Some(path) = option(&format!("pkcs7_{name}")) {
            return match self.outside.read_as(FileUse::Decryption, Path::new(path)) {
                Ok(Some(bytes)) => Ok(bytes.to_vec()),
                Ok(None) => Err(format!("No such file or directory @ rb_sysopen - {path}")),
                Err(fault) => Err(fault.message.into_owned()),
            };
        }
        let Some(variable) = option(&format!("pkcs7_{name}_env_var")) else {
            return Err(format!("pkcs7_{name} is not defined"));
        };
        let value = self.outside.process_variable(variable);
        value.map(String::into_bytes).ok_or_else(|| format!("env {variable} is not set"))
    }
}
