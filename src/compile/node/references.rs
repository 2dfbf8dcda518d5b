//! Names of resources: how types, titles and references are written.
//! It must not know which resources there are.

use pantin_base::names;
use pantin_base::names::split_reference;
use pantin_values::{Str, Type, Value};

use super::state::ResourceKind;

/// Returns the name of a type as references write it, with a capital in each segment: `Apache::Vhost`.
pub(crate) fn reference_name(name: &str) -> Str {
    let name = name.strip_prefix("::").unwrap_or(name);
    if is_capitalized(name) { name.into() } else { names::type_name(name).into() }
}

pub(super) fn is_capitalized(name: &str) -> bool {
    let mut colons = 2;
    for byte in name.bytes() {
        if colons == 2 && !byte.is_ascii_uppercase() {
            return false;
        }
        colons = if byte == b':' { colons + 1 } else { 0 };
    }
    colons == 0
}

/// Returns the title of a class by its name; that of the one around everything is `main`.
pub(crate) fn class_title(name: &str) -> Str {
    names::class_title(name).into()
}

pub(super) fn type_name_of(kind: &ResourceKind) -> Str {
    match kind {
        ResourceKind::Native(native) => native.type_name().clone(),
        ResourceKind::Def(definition) => reference_name(&definition.name),
    }
}

/// Returns the type and the title that a reference names, or the text of one.
pub(super) fn type_and_title_of(value: &Value) -> Option<(Str, Str)> {
    match value {
        Value::Type(reference) => type_and_title(reference),
        Value::Resource(resource) => type_and_title(&resource.reference()),
        Value::String(text) => split_reference(text).map(|(type_name, title)| (type_name.into(), title.into())),
        _ => None,
    }
}

/// Returns the title of a class as it is looked for. The class around everything has no name; `main` is any class.
pub(super) fn normalized_class_title(title: &str) -> Str {
    if title.is_empty() { "main".into() } else { reference_name(title) }
}

pub(super) fn type_and_title(reference: &Type) -> Option<(Str, Str)> {
    match reference.resolved() {
        Type::Class(Some(name)) => Some(("Class".into(), class_title(name))),
        Type::Resource(Some(resource)) => {
            let title = resource.title.clone()?;
            let title = if resource.type_name == "Class" { class_title(&title) } else { title };
            Some((resource.type_name.clone(), title))
        }
        Type::Type(Some(reference)) => type_and_title(reference),
        _ => None,
    }
}

/// Returns a reference as text: `File[/x]`; of a type of resources `File[]`.
pub(super) fn reference_text(reference: &Type) -> String {
    match (type_and_title(reference), reference.resolved()) {
        (Some((type_name, title)), _) => format!("{type_name}[{title}]"),
        (None, Type::Resource(Some(resource))) => format!("{}[]", resource.type_name),
        (None, _) => reference.to_string(),
    }
}

/// Said of a text that should be a reference.
pub(super) fn no_title(text: &str) -> String {
    let mut shown = String::new();
    pantin_base::inspect::push_quoted(&mut shown, text);
    untitled(&shown)
}

/// The same of what is shown as it is.
pub(super) fn untitled(shown: &str) -> String {
    format!("No title provided and {shown} is not a valid resource reference")
}
