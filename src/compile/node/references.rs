//! Names of resources: how types and titles are written, and how a resource is found by them.

use std::borrow::Cow;

use pantin_base::names;
use pantin_base::names::split_reference;
use pantin_values::{Str, Type, Value};

use super::Compiler;
use super::observations::ObservedPart;
use super::resource::{ResourceId, ResourceKind};

/// Each segment with a capital, as it is written otherwise: `Apache::Vhost`.
pub(crate) fn reference_name(name: &str) -> Str {
    let name = name.strip_prefix("::").unwrap_or(name);
    if is_capitalized(name) { name.into() } else { names::type_name(name).into() }
}

fn is_capitalized(name: &str) -> bool {
    let mut colons = 2;
    for byte in name.bytes() {
        if colons == 2 && !byte.is_ascii_uppercase() {
            return false;
        }
        colons = if byte == b':' { colons + 1 } else { 0 };
    }
    colons == 0
}

/// The title of a class by its name; that of the one around everything is `main`.
pub(crate) fn class_title(name: &str) -> Str {
    names::class_title(name).into()
}

pub(super) fn type_name_of(of: &ResourceKind) -> Str {
    match of {
        ResourceKind::Native(native) => native.type_name().clone(),
        ResourceKind::Def(definition) => reference_name(&definition.name),
    }
}

impl Compiler<'_> {
    /// By title, or by a name that stands for it. Whoever asks has to do with it: that is noted.
    pub(super) fn find_resource(&self, type_name: &str, title: &str) -> Option<ResourceId> {
        self.look_for(type_name, title, Some(ObservedPart::AllOfIt))
    }

    /// The same, for whoever wants to know whether it is there, and nothing else of it.
    pub(super) fn find_presence(&self, type_name: &str, title: &str) -> Option<ResourceId> {
        self.look_for(type_name, title, Some(ObservedPart::Presence))
    }

    /// By a reference, or by the text of one: `File[/x]`.
    pub(super) fn find_by_value(&self, value: &Value) -> Option<ResourceId> {
        let (type_name, title) = named_by(value)?;
        self.find_resource(&type_name, &title)
    }

    /// Whether what a parameter names is there: the parameter itself says who has to do with it.
    pub(super) fn is_there(&self, value: &Value) -> bool {
        named_by(value).is_some_and(|(type_name, title)| self.look_for(&type_name, &title, None).is_some())
    }

    fn look_for(&self, type_name: &str, title: &str, sees: Option<ObservedPart>) -> Option<ResourceId> {
        let type_name = match is_capitalized(type_name) {
            true => Cow::Borrowed(type_name),
            false => Cow::Owned(names::type_name(type_name.strip_prefix("::").unwrap_or(type_name))),
        };
        let class = (type_name == "Class").then(|| munged_class(title));
        let title = class.as_deref().unwrap_or(title);
        let note = |name: &str| {
            if let Some(sees) = sees {
                self.observations.resource(&type_name, name, sees);
            }
        };
        note(title);
        if let Some(found) = self.table.by_title(&type_name, title) {
            note(&self.resource(found).title);
            return Some(found);
        }
        // A class has no other name.
        if class.is_some() {
            return None;
        }
        let native = self.loader.base.resource_type(&type_name).ok()??;
        let key = native.uniqueness_key(title, |_| None).ok()?;
        let key: Vec<Value> = key.into_iter().map(Option::unwrap_or_default).collect();
        key.iter().filter_map(Value::as_str).for_each(note);
        let found = self.table.by_key(&type_name, &key)?;
        note(&self.resource(found).title);
        Some(found)
    }
}

/// Of a reference, or of the text of one.
fn named_by(value: &Value) -> Option<(Str, Str)> {
    match value {
        Value::Type(of) => type_and_title(of),
        Value::Resource(resource) => type_and_title(&resource.reference()),
        Value::String(text) => split_reference(text).map(|(type_name, title)| (type_name.into(), title.into())),
        _ => None,
    }
}

/// The class around everything has no name; `main` is any class.
fn munged_class(title: &str) -> Str {
    if title.is_empty() { "main".into() } else { reference_name(title) }
}

pub(super) fn type_and_title(of: &Type) -> Option<(Str, Str)> {
    match of.resolved() {
        Type::Class(Some(name)) => Some(("Class".into(), class_title(name))),
        Type::Resource(Some(resource)) => {
            let title = resource.title.clone()?;
            let title = if resource.type_name == "Class" { class_title(&title) } else { title };
            Some((resource.type_name.clone(), title))
        }
        Type::Type(Some(of)) => type_and_title(of),
        _ => None,
    }
}

/// A reference as text: `File[/x]`; of a type of resources `File[]`.
pub(super) fn reference_text(of: &Type) -> String {
    match (type_and_title(of), of.resolved()) {
        (Some((type_name, title)), _) => format!("{type_name}[{title}]"),
        (None, Type::Resource(Some(resource))) => format!("{}[]", resource.type_name),
        (None, _) => of.to_string(),
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
