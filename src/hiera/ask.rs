//! A question as `puppet lookup` asks it: several keys, a type, a default.

use pantin_values::{Hash, Str, Type, Value, mismatch};

use super::lookups::{KeyRequest, Lookups};
use super::outside::Outside;
use super::trouble::Trouble;

#[derive(Clone, Debug, Default)]
pub struct LookupRequest {
    /// The first that has a value counts.
    pub keys: Vec<Str>,
    pub value_type: Option<Type>,
    pub default: Option<Value>,
    /// Undef, the name of a strategy, or a hash with the name and options.
    pub merge: Value,
    /// Values that come before and after the data.
    pub overrides: Hash,
    pub default_values: Hash,
}

impl Lookups {
    /// Returns the value, of the right type; or why there is none.
    pub fn ask(&self, asked: &LookupRequest, outside: &mut dyn Outside) -> Result<Value, Trouble> {
        let checked = |subject: &str, value: Value| {
            if let Some(of) = &asked.value_type {
                mismatch::assert_instance(subject, of, &value).map_err(Trouble::mismatch)?;
            }
            Ok(value)
        };
        for key in &asked.keys {
            if let Some(value) = asked.overrides.get_str(key) {
                return checked(&format!("Value found for key '{key}' in override hash"), value.clone());
            }
            let wanted = KeyRequest {
                name: key.clone(),
                merge: asked.merge.clone(),
                overrides: asked.overrides.clone(),
                defaults: asked.default_values.clone(),
                ..KeyRequest::default()
            };
            if let Some(value) = self.lookup(&wanted, outside)? {
                return checked("Found value", value);
            }
        }
        for key in &asked.keys {
            if let Some(value) = asked.default_values.get_str(key) {
                return checked(&format!("Value found for key '{key}' in default values hash"), value.clone());
            }
        }
        match &asked.default {
            Some(default) => checked("Default value", default.clone()),
            None => Err(nothing_found(&asked.keys)),
        }
    }
}

fn nothing_found(keys: &[Str]) -> Trouble {
    Trouble::lookup(match keys {
        [key] => format!("Function lookup() did not find a value for the name '{key}'"),
        _ => {
            let names: Vec<String> = keys.iter().map(|key| format!("'{key}'")).collect();
            format!("Function lookup() did not find a value for any of the names [{}]", names.join(", "))
        }
    })
}
