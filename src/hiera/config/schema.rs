//! The types that configurations have to be of.

use std::sync::LazyLock;

use pantin_values::{BuiltInOnly, Fault, Type, types};

const NAME: &str = "String[1]";
const OPTIONS: &str = r"Hash[Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/], Data]";

static V4: LazyLock<Result<Type, Fault>> = LazyLock::new(|| {
    parse_type(&format!(
        "Struct[{{version => Integer[4, 4], Optional[datadir] => {NAME}, Optional[hierarchy] => Array[Struct[{{\
         backend => {NAME}, name => {NAME}, Optional[datadir] => {NAME}, Optional[path] => {NAME}, \
         Optional[paths] => Array[{NAME}]}}]]}}]"
    ))
});

static V5: LazyLock<Result<Type, Fault>> = LazyLock::new(|| {
    let hierarchy = format!(
        "Array[Struct[{{name => {NAME}, Optional[options] => {OPTIONS}, Optional[data_hash] => {NAME}, \
         Optional[lookup_key] => {NAME}, Optional[hiera3_backend] => {NAME}, Optional[v4_data_hash] => {NAME}, \
         Optional[data_dig] => {NAME}, Optional[path] => {NAME}, Optional[paths] => Array[{NAME}, 1], \
         Optional[glob] => {NAME}, Optional[globs] => Array[{NAME}, 1], Optional[uri] => {NAME}, \
         Optional[uris] => Array[{NAME}, 1], Optional[mapped_paths] => Array[{NAME}, 3, 3], \
         Optional[datadir] => {NAME}}}]]"
    );
    parse_type(&format!(
        "Struct[{{version => Integer[5, 5], Optional[defaults] => Struct[{{Optional[data_hash] => {NAME}, \
         Optional[lookup_key] => {NAME}, Optional[data_dig] => {NAME}, Optional[datadir] => {NAME}, \
         Optional[options] => {OPTIONS}}}], Optional[hierarchy] => {hierarchy}, \
         Optional[plan_hierarchy] => {hierarchy}, Optional[default_hierarchy] => {hierarchy}}}]"
    ))
});

fn parse_type(text: &str) -> Result<Type, Fault> {
    types::parse(text, &mut BuiltInOnly)
}

pub(super) fn v4() -> Result<Type, Fault> {
    V4.clone()
}

pub(super) fn v5() -> Result<Type, Fault> {
    V5.clone()
}

/// Of version 3: each back end may have a hash of its own.
pub(super) fn v3(backends: &[pantin_values::Str]) -> Result<Type, Fault> {
    let mut own = String::new();
    for backend in backends {
        let name = pantin_values::text::quoted(backend);
        own.push_str(&format!(", Optional[{name}] => Hash[{NAME}, Any]"));
    }
    let names = format!("Variant[{NAME}, Array[{NAME}]]");
    parse_type(&format!(
        "Struct[{{Optional[version] => Integer[3, 3], Optional[backends] => {names}, Optional[logger] => {NAME}, \
         Optional[merge_behavior] => Enum['deep', 'deeper', 'native'], \
         Optional[deep_merge_options] => Hash[{NAME}, Variant[String, Boolean]], \
         Optional[hierarchy] => {names}{own}}}]"
    ))
}
