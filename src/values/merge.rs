//! How a call or data may ask that values be merged: the strategies by their names, and what options each takes.

use std::sync::LazyLock;

use super::{BuiltInOnly, Fault, Type, Value, mismatch, types};

const NAMES: [&str; 7] = ["first", "default", "hash", "unique", "deep", "unconstrained_deep", "reverse_deep"];

/// For each strategy the type of a hash with options for it.
static OPTIONS: LazyLock<[(&str, Result<Type, Fault>); 7]> = LazyLock::new(|| {
    NAMES.map(|name| {
        let text = match name {
            "unconstrained_deep" | "reverse_deep" => "Hash[String[1],Any]".to_owned(),
            "deep" => "Struct[{strategy => Optional[Pattern[deep]], knockout_prefix => Optional[String], \
                       merge_debug => Optional[Boolean], merge_hash_arrays => Optional[Boolean], \
                       sort_merged_arrays => Optional[Boolean]}]"
                .to_owned(),
            plain => format!("Struct[{{strategy => Optional[Pattern[/{plain}/]]}}]"),
        };
        (name, types::parse(&text, &mut BuiltInOnly))
    })
});

pub fn is_strategy(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether a strategy takes these options, the name included.
pub fn check_options(strategy: &str, options: &Value) -> Result<(), Fault> {
    match OPTIONS.iter().find(|(name, _)| *name == strategy) {
        Some((_, expected)) => mismatch::assert_instance("The merge options", &expected.clone()?, options),
        None => Err(Fault::new(format!("Unknown merge strategy: '{strategy}'"))),
    }
}
