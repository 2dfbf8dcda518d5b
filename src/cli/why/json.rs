//! Reasons as JSON, version 1.

use pantin_base::stack;
use pantin_model::catalog::Rich;
use pantin_model::trace::Include;
use pantin_repository::provenance::{Reason, ReasonKind, Setter};
use serde_json::{Map, Value, json};

use crate::print::relative_path::relative_paths;

pub(super) fn object(reason: &Reason, node: &str) -> Value {
    json!({ "version": 1, "node": node, "answer": step(reason) })
}

fn step(reason: &Reason) -> Value {
    let (kind, about) = kind(&reason.kind);
    let mut object = Map::new();
    object.insert("kind".into(), kind.into());
    object.extend(about.as_object().cloned().unwrap_or_default());
    if let Some(place) = &reason.place {
        object.insert("file".into(), json!(place.file.as_deref().map(relative_paths)));
        object.insert("line".into(), json!(place.line));
    }
    if let Some(code) = &reason.code {
        object.insert("code".into(), json!(code));
    }
    if let Some(value) = &reason.value {
        let shown = match value.holds_sensitive() {
            true => json!({ "secret": true }),
            false => serde_json::to_value(Rich::from_value(value)).unwrap_or_default(),
        };
        object.insert("value".into(), shown);
    }
    if reason.is_repeated {
        object.insert("repeated".into(), true.into());
    }
    let reasons = stack::with_room(|| reason.reasons.iter().map(step).collect::<Vec<_>>());
    object.insert("because".into(), reasons.into());
    object.into()
}

fn kind(kind: &ReasonKind) -> (&'static str, Value) {
    match kind {
        ReasonKind::Resource(resource) => ("resource", json!({ "resource": resource })),
        ReasonKind::DeclaredIn { body } => ("declared_in", json!({ "body": body })),
        ReasonKind::IncludedIn { class, body, how, is_first } => {
            let function = match how {
                Include::Include => "include",
                Include::Contain => "contain",
                Include::Require => "require",
            };
            ("included_in", json!({ "class": class, "body": body, "function": function, "first": is_first }))
        }
        ReasonKind::InheritedBy { class } => ("inherited_by", json!({ "class": class })),
        ReasonKind::Classifier { class } => ("classifier", json!({ "class": class })),
        ReasonKind::ExportedBy { node } => ("exported_by", json!({ "exporter": node })),
        ReasonKind::RealizedIn { body } => ("collected_in", json!({ "body": body })),
        ReasonKind::Condition { is_taken } => ("condition", json!({ "taken": is_taken })),
        ReasonKind::Branch => ("branch", json!({})),
        ReasonKind::Parameter { name, setter } => {
            ("parameter", json!({ "name": name, "setter": setter_name(*setter) }))
        }
        ReasonKind::Assignment { name } => ("assignment", json!({ "name": name })),
        ReasonKind::Fact { path } => ("fact", json!({ "path": path })),
        ReasonKind::Trusted { path } => ("trusted", json!({ "path": path })),
        ReasonKind::ServerFact { path } => ("server_fact", json!({ "path": path })),
        ReasonKind::NodeVariable { name } => ("node_variable", json!({ "name": name })),
        ReasonKind::Unset { name } => ("unset", json!({ "name": name })),
        ReasonKind::Variable { name } => ("variable", json!({ "name": name })),
        ReasonKind::Lookup { key, is_found } => ("lookup", json!({ "key": key, "found": is_found })),
        ReasonKind::DataLevel { level, is_overridden } => {
            ("data_level", json!({ "level": level, "overridden": is_overridden }))
        }
        ReasonKind::Injection { key, is_found } => ("injection", json!({ "key": key, "found": is_found })),
        ReasonKind::Binding { layer, is_overridden } => {
            ("binding", json!({ "layer": layer, "overridden": is_overridden }))
        }
        ReasonKind::AskedIn { body } => ("asked_in", json!({ "body": body })),
        ReasonKind::AskedByNobody => ("asked_by_nobody", json!({})),
        ReasonKind::Call { function } => ("call", json!({ "function": function })),
        ReasonKind::Template { name } => ("template", json!({ "name": name })),
        ReasonKind::Argument { name } => ("argument", json!({ "name": name })),
        ReasonKind::Element { name } => ("element", json!({ "name": name })),
        ReasonKind::Present(resource) => ("present", json!({ "resource": resource })),
        ReasonKind::Unreached { body } => ("unreached", json!({ "body": body })),
        ReasonKind::NotEvaluated { body } => ("not_evaluated", json!({ "body": body })),
        ReasonKind::OtherTitle { titles, total } => ("other_titles", json!({ "titles": titles, "total": total })),
        ReasonKind::OtherClasses { body, classes, total } => {
            ("other_classes", json!({ "body": body, "classes": classes, "total": total }))
        }
        ReasonKind::NotRealized => ("not_realized", json!({})),
        ReasonKind::NowhereDeclared => ("nowhere_declared", json!({})),
        ReasonKind::NowhereIncluded => ("nowhere_included", json!({})),
    }
}

fn setter_name(setter: Setter) -> &'static str {
    match setter {
        Setter::Declaration => "declaration",
        Setter::Override => "override",
        Setter::Collector => "collector",
        Setter::Defaults => "resource_defaults",
        Setter::Data => "data",
        Setter::Binding => "binding",
        Setter::Default => "default",
        Setter::Function => "function",
        Setter::Classifier => "classifier",
        Setter::Relationship => "relationship",
        Setter::Container => "container",
        Setter::Puppet => "puppet",
    }
}
