//! What was found as JSON, version 1.

use std::io;

use pantin_model::catalog::Place;
use pantin_repository::resource_query::{FoundOn, ResourceGroup, Values};
use serde_json::{Map, Value, json};

use super::values::{counts, json_value};
use super::{Rows, Shown};

pub(super) fn report(shown: &Shown<'_>) -> io::Result<String> {
    let result = shown.result;
    let resources = match shown.rows {
        Rows::Alike => alike(shown),
        Rows::Each => each(shown),
        Rows::Counts => counted(shown),
    };
    let failed: Vec<Value> =
        result.failed.iter().map(|(name, message)| json!({"name": name.as_str(), "message": message})).collect();
    let report = json!({
        "version": 1,
        "selectors": shown.selectors,
        "nodes": {"looked_at": result.nodes, "with_any": result.nodes_with_any, "failed": failed},
        "left_out": {"secret": result.undecided_for_secrets, "too_many_steps": result.undecided_for_steps},
        "resources": resources?,
    });
    Ok(format!("{report:#}"))
}

fn object(group: &ResourceGroup) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), group.type_name.as_str().into());
    object.insert("title".to_owned(), group.title.as_str().into());
    object
}

fn values(values: &Values) -> io::Result<Value> {
    let mut object = Map::new();
    for (name, value) in values {
        if let Some(value) = json_value(value)? {
            object.insert(name.to_string(), value);
        }
    }
    Ok(object.into())
}

fn insert_place(object: &mut Map<String, Value>, place: Option<&Place>) {
    object.insert("file".to_owned(), place.map(|place| &*place.file).into());
    object.insert("line".to_owned(), place.map(|place| place.line).into());
}

fn alike(shown: &Shown<'_>) -> io::Result<Vec<Value>> {
    let mut resources = Vec::new();
    for group in &shown.result.groups {
        for (of_way, found) in &group.ways {
            let mut object = object(group);
            insert_place(&mut object, common_place(found));
            object.insert("values".to_owned(), values(of_way)?);
            object.insert("nodes".to_owned(), found.iter().map(|found| found.node.as_str()).collect());
            resources.push(object.into());
        }
    }
    Ok(resources)
}

/// Where all nodes have it declared; `None`: that differs.
fn common_place(found: &[FoundOn]) -> Option<&Place> {
    let first = found.first()?.place.as_ref()?;
    found.iter().all(|one| one.place.as_ref() == Some(first)).then_some(first)
}

fn each(shown: &Shown<'_>) -> io::Result<Vec<Value>> {
    let mut resources = Vec::new();
    for group in &shown.result.groups {
        for (of_way, found) in &group.ways {
            let of_way = values(of_way)?;
            for found in found {
                let mut object = object(group);
                object.insert("node".to_owned(), found.node.as_str().into());
                insert_place(&mut object, found.place.as_ref());
                object.insert("values".to_owned(), of_way.clone());
                resources.push(object.into());
            }
        }
    }
    Ok(resources)
}

/// Of a parameter that is not set on some nodes `value` is left out there.
fn counted(shown: &Shown<'_>) -> io::Result<Vec<Value>> {
    let names = shown.column_names();
    let mut resources = Vec::new();
    for group in &shown.result.groups {
        let mut counted = Map::new();
        for name in &names {
            let mut list = Vec::new();
            for (value, nodes) in counts(group, name) {
                let mut object = Map::new();
                if let Some(value) = json_value(value)? {
                    object.insert("value".to_owned(), value);
                }
                object.insert("nodes".to_owned(), nodes.into());
                list.push(Value::Object(object));
            }
            counted.insert(name.clone(), list.into());
        }
        let mut object = object(group);
        object.insert("nodes".to_owned(), group.node_count().into());
        object.insert("values".to_owned(), counted.into());
        resources.push(object.into());
    }
    Ok(resources)
}
