//! Names what is desired of a resource, so that the next run knows whether it is still the same.

use pantin_values::Value;

use super::applied::CODE;
use crate::applied_catalog::AppliedCatalog;
use crate::resource::{AttributeValues, ResourceInfo};
use crate::value::inspect;

/// Returns the digest of what is desired: of the attributes, of what the resource learnt elsewhere, and of its schedule. Secrets are in
/// it, keyed; tags, place and edges are not.
pub(crate) fn digest(
    info: &ResourceInfo,
    values: &AttributeValues,
    learnt: &[String],
    catalog: &AppliedCatalog,
    key: &[u8; 32],
) -> String {
    let mut hasher = blake3::Hasher::new_keyed(key);
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(CODE);
    add(&info.type_name);
    add(&info.title);
    add(&format!("{:?}", info.metaparameters.noop));
    add_values(values, &mut add);
    add(&learnt.len().to_string());
    learnt.iter().for_each(|part| add(part));
    if let Some(schedule) = &info.metaparameters.schedule {
        add(schedule);
        if let Some((_, values)) = catalog.find("schedule", schedule) {
            add_values(values, &mut add);
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn add_values(values: &AttributeValues, add: &mut impl FnMut(&str)) {
    for (name, value) in values.iter().filter(|(_, value)| **value != Value::Undef) {
        add(name);
        add(&inspect(value));
    }
}
