//! An explanation as JSON: of one key an object, of several an array.

use pantin_base::Place as LinePlace;
use pantin_bindings::{Candidate, ConditionPart, LeadsTo, Place, Verdict};
use pantin_compile::ExplainedInjection;
use pantin_model::catalog::Rich;
use pantin_values::{Type, Value};
use serde_json::{Value as Json, json};

use super::NodeAnswer;

pub(super) fn explanation(answers: &[NodeAnswer<'_>]) -> Json {
    let mut all = Vec::new();
    for answer in answers {
        all.extend(answer.answer.injections.iter().map(|injection| one(answer, injection)));
    }
    match all.len() {
        1 => all.remove(0),
        _ => Json::Array(all),
    }
}

fn one(answer: &NodeAnswer<'_>, injection: &ExplainedInjection) -> Json {
    let explanation = &injection.explanation;
    let (key_type, name) = explanation.key.parts();
    let found = explanation.value.as_ref().ok().and_then(Option::as_ref);
    let is_secret = found.is_some_and(|value| answer.is_secret(value));
    let state = &answer.answer.state;
    let categories = state.categories.iter().map(|category| {
        let number = state.number(&category.name);
        json!({"category": category.name, "value": category.value, "number": number})
    });
    let layers = answer.answer.layers.iter();
    json!({
        "key": {"type": Some(key_type).filter(|of| !of.is_empty()), "name": name},
        "node": answer.node,
        "environment": answer.environment,
        "state": categories.collect::<Vec<_>>(),
        "layers": layers.map(|(name, uris)| json!({"name": name, "definitions": uris})).collect::<Vec<_>>(),
        "found": found.is_some(),
        "value": found.filter(|_| !is_secret).map(value_json),
        "sensitive": is_secret,
        "type": found.map(|value| Type::reduced(value).generalize().to_string()),
        "candidates": explanation.candidates.iter().map(|one| candidate(answer, one)).collect::<Vec<_>>(),
        "fragments": explanation.fragments.iter().map(|one| fragment(answer, one)).collect::<Vec<_>>(),
        "sources": injection.sources.iter().map(|one| json!({"from": one.who, "said": one.said})).collect::<Vec<_>>(),
        "error": error(injection),
    })
}

fn value_json(value: &Value) -> Json {
    serde_json::to_value(Rich::from_value(value)).unwrap_or_default()
}

fn error(injection: &ExplainedInjection) -> Json {
    let Err(fault) = &injection.explanation.value else { return Json::Null };
    let places = injection
        .explanation
        .candidates
        .iter()
        .filter(|candidate| matches!(candidate.verdict, Verdict::Won | Verdict::InConflict | Verdict::Abstract));
    let places: Vec<Json> = places.filter_map(|candidate| candidate.place.as_ref()).map(place).collect();
    json!({"code": fault.code(), "message": &*fault.message, "places": places})
}

fn place(of: &Place) -> Json {
    let (line, column) = line_and_column(of);
    json!({"file": &*of.shown, "line": line, "column": column})
}

fn line_and_column(of: &Place) -> (Option<u32>, Option<u32>) {
    match of.line_place() {
        LinePlace::At { line, column } => (Some(line), Some(column)),
        LinePlace::Nowhere | LinePlace::WholeFile => (None, None),
    }
}

fn candidate(answer: &NodeAnswer<'_>, of: &Candidate) -> Json {
    let (line, column) = of.place.as_ref().map(line_and_column).unwrap_or_default();
    json!({
        "verdict": of.verdict.text(),
        "because": of.because,
        "layer": of.layer,
        "vector": of.vector,
        "condition": of.condition.iter().map(condition).collect::<Vec<_>>(),
        "uri": of.uri,
        "file": of.place.as_ref().map(|place| place.shown.to_string()),
        "line": line,
        "column": column,
        "operation": of.operation,
        "flags": of.flags,
        "producer": of.producer,
        "leads_to": of.leads_to.iter().map(|one| led(answer, one)).collect::<Vec<_>>(),
    })
}

fn fragment(answer: &NodeAnswer<'_>, of: &Candidate) -> Json {
    let mut fragment = candidate(answer, of);
    let is_secret = of.value.as_ref().is_some_and(|value| answer.is_secret(value));
    fragment["name"] = json!(of.name);
    fragment["value"] = of.value.as_ref().filter(|_| !is_secret).map(value_json).unwrap_or_default();
    fragment["sensitive"] = is_secret.into();
    fragment
}

fn condition(part: &ConditionPart) -> Json {
    json!({"category": part.category, "values": part.values, "holds": part.holds})
}

fn led(answer: &NodeAnswer<'_>, to: &LeadsTo) -> Json {
    match to {
        LeadsTo::Key(key, candidates) => {
            let candidates: Vec<Json> = candidates.iter().map(|one| candidate(answer, one)).collect();
            json!({"key": key.text(), "candidates": candidates})
        }
        LeadsTo::Subject(subject) => json!({"parameters_of": subject}),
        LeadsTo::Resource { certname, reference } => json!({"certname": certname, "resource": reference}),
    }
}
