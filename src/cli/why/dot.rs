//! Reasons for Graphviz: arrows go from a reason to what it is the reason of.

use pantin_base::stack;
use pantin_repository::provenance::Reason;

use super::text::sentence;
use crate::print::relative_path::place_text;
use crate::print::safe::dot::quoted;

pub(super) fn drawing(reason: &Reason) -> String {
    let mut text = String::from(
        "digraph why {\n    rankdir = RL\n    node [shape = box, style = rounded, fontname = \"Helvetica\", fontsize = 10]\n",
    );
    let mut count = 0;
    push(reason, &mut count, &mut text);
    text.push_str("}\n");
    text
}

/// Returns the number of the box.
fn push(reason: &Reason, count: &mut usize, text: &mut String) -> usize {
    let number = *count;
    *count += 1;
    let place = reason.place.as_ref().and_then(place_text).map(|place| format!("\n{place}")).unwrap_or_default();
    text.push_str(&format!("    n{number} [label = {}]\n", quoted(&format!("{}{place}", sentence(reason)))));
    for below in &reason.reasons {
        let below = stack::with_room(|| push(below, count, text));
        text.push_str(&format!("    n{below} -> n{number}\n"));
    }
    number
}
