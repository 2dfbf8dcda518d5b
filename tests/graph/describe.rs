//! What Pantin says of a catalog's graph, in the form of `tests/oracle/graph.rb`, and the short form that is committed.

use pantin::model::catalog::Catalog;
use pantin::model::graph::{Drawing, Graph};
use serde_json::{Value, json};

/// The same members as the real one's answer.
pub(crate) fn described(catalog: &Catalog) -> Value {
    let graph = Graph::from_catalog(catalog);
    if let Some(missing) = graph.missing().first() {
        let place = catalog.resources[missing.resource as usize].place.as_ref();
        let place = place.map(|place| format!(" (file: {}, line: {})", place.file, place.line)).unwrap_or_default();
        return json!({ "missing": missing.message(catalog) + &place });
    }
    let cycles = graph.cycles();
    let order: Vec<_> = graph.order().into_iter().map(|vertex| graph.reference(vertex)).collect();
    json!({
        "missing": null,
        "resources": graph.to_dot(Drawing::Resources),
        "relationships": graph.to_dot(Drawing::Relationships),
        "expanded_relationships": graph.to_dot(Drawing::ExpandedRelationships),
        "order": order,
        "cycles": (!cycles.is_empty()).then(|| graph.message(&cycles, None)),
        "cycles_dot": (!cycles.is_empty()).then(|| graph.cycles_to_dot(&cycles)),
    })
}

/// Of each drawing, the edges alone.
pub(crate) fn short(mut described: Value) -> Value {
    for name in ["resources", "relationships", "expanded_relationships"] {
        if let Some(drawing) = described[name].as_str() {
            let edges = drawing.lines().filter(|line| line.contains(" -> "));
            let edges: Vec<_> = edges.map(|line| line.trim().trim_end_matches(" [")).collect();
            described[name] = json!(edges);
        }
    }
    described
}
