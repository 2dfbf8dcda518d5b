//! Reasons as a tree of lines.

use std::borrow::Cow;

use pantin_base::stack;
use pantin_model::trace::Include;
use pantin_repository::provenance::{Reason, ReasonKind, Setter};
use pantin_values::Value;
use pantin_values::format::literal;

use crate::print::layout::wrap;
use crate::print::printable::printable_line;
use crate::print::relative_path::place_text;

/// Longer values are cut.
const MOST_OF_VALUE: usize = 160;

/// Of the includes that came after the first one so many are told.
const MOST_LATER_INCLUDES: usize = 5;

/// `width`: the columns of the terminal, if one shows it.
pub(super) fn tree(reason: &Reason, width: Option<usize>) -> String {
    let mut text = String::new();
    text.push_str(&wrap(&line(reason), width, "  "));
    text.push('\n');
    push_below(reason, "", width, &mut text);
    text
}

/// So many columns a line has, however deep it stands.
const LEAST: usize = 30;

fn push_below(reason: &Reason, indent: &str, width: Option<usize>, text: &mut String) {
    let is_later = |below: &&Reason| matches!(below.kind, ReasonKind::IncludedIn { is_first: false, .. });
    let later = reason.reasons.iter().filter(is_later).count();
    let hidden = later.saturating_sub(MOST_LATER_INCLUDES);
    let mut shown_later = 0;
    let shown = reason.reasons.iter().filter(|below| {
        shown_later += usize::from(is_later(below));
        !is_later(below) || shown_later <= MOST_LATER_INCLUDES
    });
    let mut shown = shown.peekable();
    while let Some(below) = shown.next() {
        let is_last = shown.peek().is_none() && hidden == 0;
        let (branch, inner) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let room = width.map(|width| width.saturating_sub(indent.chars().count() + 5).max(LEAST));
        let inside = format!("{indent}{inner}");
        text.push_str(&format!("{indent}{branch}{}\n", wrap(&line(below), room, &format!("{inside}  "))));
        stack::with_room(|| push_below(below, &inside, width, text));
    }
    if hidden > 0 {
        let s = if hidden == 1 { "" } else { "s" };
        text.push_str(&format!("{indent}└─ and included in {hidden} more place{s}\n"));
    }
}

/// Returns what is said, and where that stands.
pub(super) fn line(reason: &Reason) -> String {
    let place = reason.place.as_ref().and_then(place_text);
    let place = place.map(|place| format!("  ({place})")).unwrap_or_default();
    let repeated = if reason.is_repeated { "  [see above]" } else { "" };
    printable_line(&format!("{}{place}{repeated}", sentence(reason)).replace('\n', " ")).into_owned()
}

pub(super) fn value_text(value: &Value) -> String {
    if value.holds_sensitive() {
        return "(secret)".to_owned();
    }
    let text = literal(value).to_string();
    match text.char_indices().nth(MOST_OF_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns the body as a person names it.
fn body(reference: &str) -> Cow<'_, str> {
    if reference.eq_ignore_ascii_case("class[main]") {
        return "the site manifests".into();
    }
    match reference.strip_prefix("Node[").and_then(|rest| rest.strip_suffix(']')) {
        Some(name) => format!("the block of node {name}").into(),
        None => reference.into(),
    }
}

/// Returns the code, where it says more than the value.
fn code_beside(reason: &Reason, value: Option<&str>) -> String {
    let Some(code) = &reason.code else { return String::new() };
    let is_value = value.is_some_and(|value| {
        // As it is shown, in double quotes, or as a bare word.
        *code == value || code.replace('"', "'") == value || format!("'{code}'") == value
    });
    if is_value { String::new() } else { format!(": {code}") }
}

pub(super) fn sentence(reason: &Reason) -> String {
    let value = reason.value.as_ref().map(value_text);
    let equals = value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    let is = value.as_deref().unwrap_or("unknown");
    let code = reason.code.as_deref().unwrap_or_default();
    match &reason.kind {
        ReasonKind::Resource(reference) => format!("{reference}{equals}"),
        ReasonKind::DeclaredIn { body: of } => format!("declared in {}", body(of)),
        ReasonKind::IncludedIn { body: of, how, is_first, .. } => {
            let how = match how {
                Include::Include => "included",
                Include::Contain => "contained",
                Include::Require => "required",
            };
            format!("{}{how} in {}", if *is_first { "" } else { "also " }, body(of))
        }
        ReasonKind::InheritedBy { class } => format!("inherited by class {class}"),
        ReasonKind::Classifier { class } => format!("the node's classification names class {class}"),
        ReasonKind::ExportedBy { node } => format!("exported by {node}"),
        ReasonKind::RealizedIn { body: of } => format!("collected in {}{}", body(of), code_beside(reason, None)),
        ReasonKind::Condition { is_taken: true } => format!("because {code} is {is}"),
        ReasonKind::Condition { is_taken: false } => format!("not reached, because {code} is {is}"),
        ReasonKind::Branch => format!("so that it is {code}"),
        ReasonKind::Parameter { name, setter } => {
            let code = code_beside(reason, value.as_deref());
            format!("{name} => {is}{}{code}", setter_text(*setter))
        }
        ReasonKind::Assignment { name } => format!("${name}{equals}{}", code_beside(reason, value.as_deref())),
        ReasonKind::Fact { path } => format!("{}{equals}", named("fact", path)),
        ReasonKind::Trusted { path } => format!("{}{equals}", named("trusted data", path)),
        ReasonKind::ServerFact { path } => format!("{}{equals}", named("server fact", path)),
        ReasonKind::NodeVariable { name } => format!("variable of the node ${name}{equals}"),
        ReasonKind::Unset { name } => format!("${name} is not set"),
        ReasonKind::Variable { name } => format!("${name}{equals}"),
        ReasonKind::Lookup { key, is_found: true } => format!("key {key} of the data{equals}"),
        ReasonKind::Lookup { key, is_found: false } => format!("the data has no key {key}"),
        ReasonKind::DataLevel { level, is_overridden: false } => format!("at level {}", level_name(level)),
        ReasonKind::DataLevel { level, is_overridden: true } => format!("overrides level {}", level_name(level)),
        ReasonKind::Injection { key, is_found: true } => format!("{key} is bound{equals}"),
        ReasonKind::Injection { key, is_found: false } => format!("nothing is bound to {key}"),
        ReasonKind::Binding { layer, is_overridden: false } => format!("by a binding in layer {layer}"),
        ReasonKind::Binding { layer, is_overridden: true } => format!("above a binding in layer {layer}"),
        ReasonKind::AskedIn { body: of } => format!("asked for in {}{}", body(of), code_beside(reason, None)),
        ReasonKind::AskedByNobody => "no code of this node asks for it".to_owned(),
        ReasonKind::Call { function } => {
            let code = if reason.code.is_some() { code.to_owned() } else { format!("{function}()") };
            format!("{code}{equals}")
        }
        ReasonKind::Template { name } => format!("template {name}"),
        ReasonKind::Argument { name } => format!("argument ${name}{equals}{}", code_beside(reason, value.as_deref())),
        ReasonKind::Element { name } => format!("${name}{equals}, one of{}", code_beside(reason, None)),
        ReasonKind::Present(reference) => format!("{reference} is in the catalog"),
        ReasonKind::Unreached { body: of } => format!("written in {}{}", body(of), code_beside(reason, None)),
        ReasonKind::NotEvaluated { body: of } if of.starts_with("node ") => "that block is of another node".to_owned(),
        ReasonKind::NotEvaluated { body: of } => format!("the node has no {}", body(of)),
        ReasonKind::OtherTitle { titles, total } => {
            let code = reason.code.as_ref().map(|code| format!("{code}: ")).unwrap_or_default();
            format!("{code}declared with other titles: {}", shortened(titles, *total))
        }
        ReasonKind::OtherClasses { body: of, classes, total } => {
            let code = code_beside(reason, None);
            format!("what is included in {} is worked out{code}: {}", body(of), shortened(classes, *total))
        }
        ReasonKind::NotRealized => "it is virtual, and no collector brings it".to_owned(),
        ReasonKind::NowhereDeclared => "no manifest of the module path declares it".to_owned(),
        ReasonKind::NowhereIncluded => "no manifest of the module path includes it".to_owned(),
    }
}

/// The first of so many names.
fn shortened(names: &[String], total: usize) -> String {
    match total.saturating_sub(names.len()) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// A part of what is known of a node, or all of it.
fn named(what: &str, path: &str) -> String {
    if path.is_empty() { format!("all {what}s").replace("datas", "data") } else { format!("{what} {path}") }
}

/// The name of an entry of the hierarchy, as `lookup --explain` writes it, without what all have before it.
pub(crate) fn level_name(level: &str) -> &str {
    level.strip_prefix("Hierarchy entry ").unwrap_or(level)
}

fn setter_text(setter: Setter) -> &'static str {
    match setter {
        Setter::Declaration => "",
        Setter::Override => ", by an override",
        Setter::Collector => ", by a collector",
        Setter::Defaults => ", a resource default",
        Setter::Data => ", from the data",
        Setter::Binding => ", bound",
        Setter::Default => ", the default of the definition",
        Setter::Function => ", given to a function",
        Setter::Classifier => ", from the node's classification",
        Setter::Relationship => ", from a relationship",
        Setter::Container => ", passed on by what contains it",
        Setter::Puppet => ", set by Puppet",
    }
}
