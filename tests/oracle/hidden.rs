//! What of catalogs is secret, and whether it can be read in a folder of answers that are kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

/// What is shorter stands in many a text by chance.
const SHORTEST: usize = 6;

/// The texts within the sensitive parameters of a catalog's resources. `Deferred` is the name of a type, and no secret.
pub(crate) fn secrets_of(catalog: &str) -> BTreeSet<String> {
    let mut secrets = BTreeSet::new();
    let catalog: Json = serde_json::from_str(catalog).unwrap_or_default();
    for resource in catalog["resources"].as_array().into_iter().flatten() {
        let names = resource["sensitive_parameters"].as_array().into_iter().flatten();
        for name in names.filter_map(Json::as_str) {
            texts_of(&resource["parameters"][name], &mut secrets);
        }
    }
    secrets.remove("Deferred");
    secrets
}

fn texts_of(value: &Json, texts: &mut BTreeSet<String>) {
    match value {
        Json::String(text) if text.len() >= SHORTEST => drop(texts.insert(text.clone())),
        Json::Array(elements) => elements.iter().for_each(|element| texts_of(element, texts)),
        Json::Object(members) => members.values().for_each(|member| texts_of(member, texts)),
        _ => {}
    }
}

/// Those of some texts that stand anywhere below a folder, in the bytes of a file or in what its compressed payload unpacks to.
pub(crate) fn readable<'t>(folder: &Path, texts: &'t BTreeSet<String>) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(readable(&path, texts));
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_default();
        let plain = unpacked(&bytes);
        let stands = |text: &&String| {
            [&bytes, &plain].iter().any(|bytes| memchr::memmem::find(bytes, text.as_bytes()).is_some())
        };
        found.extend(texts.iter().filter(stands).map(String::as_str));
    }
    found
}

/// The payload behind the header of an entry.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let payload = bytes.get(128..).unwrap_or_default();
    (8..26).find_map(|shift| lz4_flex::block::decompress(payload, 1 << shift).ok()).unwrap_or_default()
}
