//! A catalog for a reader: how much of what is in it, and what contains what.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use pantin_model::catalog::{Catalog, ResourceTypeKind};

use super::counting::{count, count_text};
use super::layout::wrap;
use super::printable::printable_line;

/// Returns how many resources of which types, the most frequent first.
pub(crate) fn summary(catalog: &Catalog) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for resource in &catalog.resources {
        *counts.entry(resource.type_name.as_str()).or_default() += 1;
    }
    // Those that a catalog lists are with the node block, and without the class that is around all.
    let classes = count_text(counts.get("Class").copied().unwrap_or_default(), "class", "classes");
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(name, number)| (std::cmp::Reverse(number), name));
    let of_kind =
        |kinds: &[ResourceTypeKind]| catalog.resources.iter().filter(|resource| kinds.contains(&resource.kind)).count();
    let mut text = format!(
        "{} in environment {}: {}, {} of them native, {} defined; {}\n",
        catalog.name,
        catalog.environment,
        count(catalog.resources.len(), "resource"),
        of_kind(&[ResourceTypeKind::Native]),
        of_kind(&[ResourceTypeKind::Defined]),
        classes
    );
    for (name, number) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{number:>6} {name}");
    }
    text
}

/// Containers, with what they contain below them.
pub(crate) fn tree(catalog: &Catalog, width: Option<usize>) -> String {
    let mut contents: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut contained = BTreeSet::new();
    for &(container, content) in &*catalog.edges {
        contents.entry(container).or_default().push(content);
        contained.insert(content);
    }
    let mut text = format!("{}\n", catalog.name);
    let all = u32::try_from(catalog.resources.len()).unwrap_or(u32::MAX);
    // The last is the next: each with how deep it stands, and whether it has been seen above itself.
    let mut open: Vec<(u32, usize)> =
        (0..all).rev().filter(|place| !contained.contains(place)).map(|place| (place, 1)).collect();
    let mut shown = BTreeSet::new();
    while let Some((place, depth)) = open.pop() {
        let Some(resource) = catalog.resources.get(place as usize) else { continue };
        let is_again = !shown.insert(place);
        let again = if is_again { " (see above)" } else { "" };
        let line = format!("{}{}{again}", "  ".repeat(depth), printable_line(&resource.reference()));
        let _ = writeln!(text, "{}", wrap(&line, width, &"  ".repeat(depth + 2)));
        if !is_again {
            open.extend(contents.get(&place).into_iter().flatten().rev().map(|&content| (content, depth + 1)));
        }
    }
    text
}
