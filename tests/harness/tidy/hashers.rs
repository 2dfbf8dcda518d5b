//! The value of a `Hasher` stays in memory: it has 64 bits and no key, so that another content can be made that has the same one.
//! What is stored is named by `Digest`, or by `name_hash`.

use super::File;

/// Sources that take the value of a hasher, for tables in memory alone. None of them writes anything.
const IN_MEMORY: [&str; 14] = [
    "src/base/shared.rs",
    "src/compile/node/state/observations.rs",
    "src/compile/node/state/resource_interner.rs",
    "src/model/catalog/same.rs",
    "src/model/trace/diff/declared.rs",
    "src/model/trace/secrets.rs",
    "src/model/trace/steps.rs",
    "src/model/trace/traces.rs",
    "src/repository/query/patch/resource_rewrites.rs",
    "src/repository/query/pool.rs",
    "src/ruby/table.rs",
    "src/values/entry_order.rs",
    "src/values/types/equal.rs",
    "src/world/entropy.rs",
];

/// What takes the value of a hasher.
const TAKING: [&str; 7] =
    ["FxHasher", "DefaultHasher", "SipHasher", "RandomState", "hash_one(", "build_hasher(", "std::hash::Hasher;"];

/// What writes, or makes what is written.
const WRITING: [&str; 4] = ["serde", "Serialize", "encoded(", "bincode"];

pub(super) fn complaints(files: &[File]) -> Vec<String> {
    let is_source = |file: &&File| {
        let is_code = file.path.starts_with("src/") || file.path.starts_with("cache/src/");
        file.is_rust() && is_code && !file.path.contains("tests")
    };
    let mut complaints = Vec::new();
    for file in files.iter().filter(is_source) {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_in_memory = IN_MEMORY.contains(&file.path.as_str());
        for (line, text) in code.lines().enumerate() {
            let text = text.split("//").next().unwrap_or_default();
            let at = format!("{}:{}", file.path, line + 1);
            if !is_in_memory && TAKING.iter().any(|word| text.contains(word)) {
                complaints.push(format!(
                    "{at}: a hasher's value is no name for what is stored: take a Digest or name_hash; where it never leaves \
                     memory, add the file to IN_MEMORY in tests/harness/tidy/hashers.rs"
                ));
            }
            if is_in_memory && WRITING.iter().any(|word| text.contains(word)) {
                complaints.push(format!("{at}: a source that takes the value of a hasher writes: take the two apart"));
            }
        }
    }
    complaints
}
