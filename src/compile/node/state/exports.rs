//! The exported resources of a node, as PuppetDB would store them. Knows nothing of who collects them.

use pantin_values::ops::to_s;
use pantin_values::sprintf::inspect;
use pantin_values::{Fault, Str, Value};
use pantin_world::ExportedResource;

use super::CatalogState;
use super::resource::{ExportFlag, Resource};

impl CatalogState<'_> {
    /// Returns the exported resources of a node whose catalog is finished.
    pub(in crate::node) fn exports(&self, certname: &Str) -> Result<Vec<ExportedResource>, Fault> {
        let own = self.resources.iter().filter(|resource| resource.exported == ExportFlag::Yes);
        own.map(|resource| self.exported(resource, certname)).collect()
    }

    fn exported(&self, resource: &Resource, certname: &Str) -> Result<ExportedResource, Fault> {
        let mut stored: Vec<(Str, Value)> = self.parameters(resource)?;
        let aliases = aliases(resource, &stored);
        if !aliases.is_empty() {
            stored.retain(|(name, _)| name != "alias");
            stored.push(("alias".into(), Value::array(aliases)));
        }
        // A secret is not stored.
        stored.retain(|(name, _)| !resource.sensitive.iter().any(|secret| secret.eq_ignore_ascii_case(name)));
        for (name, value) in &mut stored {
            *value = match std::mem::take(value) {
                Value::Array(items) if UNORDERED.contains(&name.as_str()) => sorted(&items),
                other => as_text(other),
            };
        }
        Ok(ExportedResource {
            certname: certname.clone(),
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            tags: resource.tags.to_vec(&self.tag_names),
            parameters: stored,
        })
    }
}

/// Metaparameters in which the order of values says nothing.
const UNORDERED: [&str; 8] = ["alias", "audit", "before", "check", "notify", "require", "subscribe", "tag"];

fn sorted(items: &[Value]) -> Value {
    let mut items: Vec<Value> = items.iter().cloned().map(as_text).collect();
    items.sort_by_cached_key(to_s);
    Value::array(items)
}

/// What JSON cannot say is stored as its text.
fn as_text(value: Value) -> Value {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value,
        Value::Array(items) => Value::array(items.iter().cloned().map(as_text)),
        Value::Hash(entries) => Value::hash(entries.iter().map(|(key, value)| (as_key(key), as_text(value.clone())))),
        Value::Default => "default".into(),
        // Puppet puts the number of an object behind it, another one each time.
        Value::Sensitive(_) => "#<Sensitive [value redacted]>".into(),
        Value::Regexp(_) => Value::string(inspect(&value)),
        other => Value::string(to_s(&other)),
    }
}

fn as_key(key: &Value) -> Value {
    match as_text(key.clone()) {
        Value::String(name) if name == "__ptype" || name == "__pvalue" => {
            Value::string(format!("reserved key: {name}"))
        }
        name @ Value::String(_) => name,
        other => Value::string(to_s(&other)),
    }
}

/// Other names of a resource: its aliases, and its name if its title is another, where that is one
/// parameter and sets it apart from others.
fn aliases(resource: &Resource, stored: &[(Str, Value)]) -> Vec<Value> {
    let (namevar, is_isomorphic) = match resource.native() {
        Some(native) => match native.sole_namevar() {
            Some(namevar) => (namevar, native.is_isomorphic()),
            None => return Vec::new(),
        },
        None => ("name", true),
    };
    let value = |wanted: &str| stored.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let mut aliases = match value("alias") {
        Some(Value::Array(aliases)) => aliases.to_vec(),
        other => other.into_iter().collect(),
    };
    if let Some(name) = value(namevar).filter(|_| is_isomorphic)
        && name.as_str() != Some(resource.title.as_str())
        && !aliases.contains(&name)
    {
        aliases.push(name);
    }
    aliases
}
