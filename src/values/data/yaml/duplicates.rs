//! Keys that stand twice in one mapping of a YAML text. Of two, the later one counts, and nobody says so.

use pantin_base::stack::with_room;
use rustc_hash::FxHashMap;

use super::parser::{self, Content, Node};
use crate::data::DuplicateKey;

/// Finds the keys that a mapping of the first document has twice; none where the text is no YAML.
pub fn duplicate_keys(text: &[u8]) -> Vec<DuplicateKey> {
    let mut found = Vec::new();
    if let Ok(Some(root)) = parser::parse(text) {
        collect(&root, &mut found);
    }
    found.sort_by_key(|duplicate: &DuplicateKey| (duplicate.line, duplicate.column));
    found
}

fn collect(node: &Node, found: &mut Vec<DuplicateKey>) {
    with_room(|| match &node.content {
        Content::Sequence(items) => items.iter().for_each(|item| collect(item, found)),
        Content::Mapping(entries) => {
            collect_of_mapping(entries, found);
            for (key, value) in entries {
                collect(key, found);
                collect(value, found);
            }
        }
        Content::Scalar { .. } | Content::Alias(_) => {}
    });
}

/// Several `<<` are merged one after the other: they are no duplicates. `1` and `'1'` are two keys.
fn collect_of_mapping(entries: &[(Node, Node)], found: &mut Vec<DuplicateKey>) {
    let mut lines = FxHashMap::default();
    for (key, _) in entries {
        let Content::Scalar { text, is_text } = &key.content else { continue };
        if text == "<<" && !is_text {
            continue;
        }
        let is_plain_text = *is_text || text.starts_with(|first: char| first.is_alphabetic());
        let (line, column) = (key.mark.line + 1, key.mark.column + 1);
        if let Some(first) = lines.insert((text.as_str(), is_plain_text, key.tag.as_deref()), line) {
            found.push(DuplicateKey { key: text.clone(), first_line: first, line, column });
        }
    }
}
