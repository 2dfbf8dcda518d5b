//! Names what is desired of a resource, so that the next run knows whether it is still the same.

use pantin_values::Value;

use super::applied::CODE;
use crate::applied_catalog::AppliedCatalog;
use crate::resource::{AttributeValues, ResourceInfo};
use crate::value::push_inspected;

/// Returns the digest of what is desired: of the attributes, of what the resource learnt elsewhere, and of its schedule. Secrets are in
/// it, keyed; tags, place and edges are not.
pub(crate) fn digest(
    info: &ResourceInfo,
    values: &AttributeValues,
    learnt: &[String],
    catalog: &AppliedCatalog,
    key: &[u8; 32],
) -> String {
    let mut parts = Parts { texts: String::with_capacity(1024), lengths: Vec::with_capacity(512) };
    parts.add(CODE);
    parts.add(&info.type_name);
    parts.add(&info.title);
    parts.add(match info.metaparameters.noop {
        None => "",
        Some(true) => "noop",
        Some(false) => "op",
    });
    parts.add_values(values);
    parts.add(&learnt.len().to_string());
    learnt.iter().for_each(|part| parts.add(part));
    if let Some(schedule) = &info.metaparameters.schedule {
        parts.add(schedule);
        if let Some((_, values)) = catalog.find("schedule", schedule) {
            parts.add_values(values);
        }
    }
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(&(parts.texts.len() as u64).to_le_bytes()).update(parts.texts.as_bytes()).update(&parts.lengths);
    hex_start(&hasher.finalize(), 16)
}

/// Returns the first bytes of a digest in hexadecimal digits.
pub(super) fn hex_start(digest: &blake3::Hash, bytes: usize) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut text = String::with_capacity(2 * bytes);
    for byte in digest.as_bytes().iter().take(bytes) {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 15)]);
    }
    text
}

/// Texts one after the other, and their lengths: no two rows of texts are alike.
struct Parts {
    texts: String,
    lengths: Vec<u8>,
}

impl Parts {
    fn add(&mut self, text: &str) {
        self.write(|texts| texts.push_str(text));
    }

    fn add_values(&mut self, values: &AttributeValues) {
        for (name, value) in values.iter().filter(|(_, value)| **value != Value::Undef) {
            self.add(name);
            self.write(|texts| push_inspected(texts, value));
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut String)) {
        let start = self.texts.len();
        write(&mut self.texts);
        self.lengths.extend_from_slice(&((self.texts.len() - start) as u64).to_le_bytes());
    }
}
