//! What was found as comma-separated values (RFC 4180, with line feeds): a row for each resource of each node, or with counts.

use std::io;

use super::table::count_list;
use super::values::{value, whole_text};
use super::{Rows, Shown};
use crate::print::safe::csv::push_row;

pub(super) fn report(shown: &Shown<'_>) -> io::Result<String> {
    let names = shown.column_names();
    let first = if shown.rows == Rows::Counts { "nodes" } else { "node" };
    let mut text = String::new();
    let head = [first, "type", "title"].map(str::to_owned);
    push_row(&mut text, head.into_iter().chain(names.iter().cloned()));
    for group in &shown.result.groups {
        let named = [group.type_name.to_string(), group.title.to_string()];
        if shown.rows == Rows::Counts {
            let counted = names.iter().map(|name| count_list(group, name));
            push_row(&mut text, std::iter::once(group.node_count().to_string()).chain(named).chain(counted));
            continue;
        }
        for (values, found) in &group.ways {
            let texts =
                names.iter().map(|name| whole_text(value(values, name))).collect::<io::Result<Vec<String>>>()?;
            for found in found {
                let before = std::iter::once(found.node.to_string()).chain(named.clone());
                push_row(&mut text, before.chain(texts.iter().cloned()));
            }
        }
    }
    Ok(text)
}
