//! A graph as JSON, version 1.

use pantin_repository::catalog_check::FileLine;
use pantin_repository::graph_view::{GraphView, ViewEdge, ViewVertex};
use serde_json::{Value, json};

/// For programs: vertices are told by their names.
pub(super) fn object(view: &GraphView) -> Value {
    graph(view, &|vertex| view.vertices[vertex].name().into())
}

/// For the page: vertices are told by their numbers, which are never alike.
pub(super) fn numbered(view: &GraphView) -> Value {
    graph(view, &|vertex| vertex.into())
}

fn graph(view: &GraphView, told: &dyn Fn(usize) -> Value) -> Value {
    let vertex = |vertex: &ViewVertex| {
        json!({
            "name": vertex.name(),
            "type": vertex.type_name,
            "title": vertex.title,
            "kind": vertex.kind.name(),
            "container": vertex.container.map(told),
            "file": vertex.place.as_ref().map(|place| &place.file),
            "line": vertex.place.as_ref().map(|place| place.line),
            "in_cycle": vertex.is_in_cycle,
        })
    };
    let edge = |edge: &ViewEdge| {
        json!({
            "earlier": told(edge.earlier),
            "later": told(edge.later),
            "kinds": edge.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>(),
            "in_cycle": edge.is_in_cycle,
        })
    };
    let cycles = view.cycles.iter().map(|cycle| {
        let step = cycle.iter().map(|step| {
            let (file, line) = place(step.place.as_ref());
            json!({"resource": step.resource, "reason": step.reason, "file": file, "line": line})
        });
        step.collect::<Vec<_>>()
    });
    let missing = view.missing.iter().map(|(message, at)| {
        let (file, line) = place(at.as_ref());
        json!({"message": message, "file": file, "line": line})
    });
    json!({
        "version": 1,
        "node": view.node.as_str(),
        "environment": view.environment,
        "resources": view.resources,
        "vertices": view.vertices.iter().map(vertex).collect::<Vec<_>>(),
        "edges": view.edges.iter().map(edge).collect::<Vec<_>>(),
        "cycles": cycles.collect::<Vec<_>>(),
        "missing": missing.collect::<Vec<_>>(),
        "unknown_types": view.unknown_types,
    })
}

fn place(place: Option<&FileLine>) -> (Value, Value) {
    (place.map(|place| place.file.as_str()).into(), place.map(|place| place.line).into())
}
