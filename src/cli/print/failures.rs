//! Nodes that fail alike, told together.

use indexmap::IndexMap;
use pantin_values::Str;

/// Groups nodes by the reasons for which nothing is known of them, each with the reason of its first node. An error that names its
/// node is the same on all others.
pub(crate) fn grouped_by_reason(nodes: &[(Str, String)]) -> Vec<(Vec<&str>, &str)> {
    let mut groups: IndexMap<String, (Vec<&str>, &str)> = IndexMap::new();
    for (name, reason) in nodes {
        let (names, _) = groups.entry(reason.replace(&**name, "")).or_insert((Vec::new(), reason));
        names.push(name);
    }
    groups.into_values().collect()
}
