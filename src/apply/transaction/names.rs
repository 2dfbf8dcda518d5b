//! No two resources of a type may have one name, which is known when their values are converted: `/srv/x/` is `/srv/x`.

use std::sync::Arc;

use pantin_model::catalog::kinds;
use pantin_values::{Str, Value};
use rustc_hash::FxHashMap;

use crate::failure::{Failure, place_suffix};
use crate::resource::{AttributeValues, ResourceInfo};
use crate::types::find_type;
use crate::value::inspect;

/// The titles and names of the resources so far, each with its type.
#[derive(Default)]
pub(super) struct ResourceNames(FxHashMap<(Str, Str), Arc<ResourceInfo>>);

impl ResourceNames {
    /// Adds a resource. Fails if another one before it has its title or its name, as the agent does.
    pub(super) fn add(&mut self, info: &Arc<ResourceInfo>, values: &AttributeValues) -> Result<(), Failure> {
        if let Some(other) = self.0.insert((info.type_name.clone(), info.title.clone()), Arc::clone(info)) {
            let place = place_suffix(other.place.as_ref());
            let message = format!(
                "Duplicate declaration: {} is already declared{}; cannot redeclare",
                info.reference,
                at(&place)
            );
            return Err(Failure::with_place(message, info.place.as_ref()));
        }
        let Some(name) = name_of(info, values).filter(|name| *name != info.title) else { return Ok(()) };
        match self.0.insert((info.type_name.clone(), name.clone()), Arc::clone(info)) {
            None => Ok(()),
            Some(other) => {
                let own = place_suffix(info.place.as_ref());
                let [type_name, name] = [info.type_name.clone(), name].map(|text| inspect(&Value::String(text)));
                Err(Failure::new(format!(
                    "Cannot alias {} to [{name}]{}; resource [{type_name}, {name}] already declared{}",
                    info.reference,
                    at(&own),
                    place_suffix(other.place.as_ref())
                )))
            }
        }
    }
}

/// Returns a place behind the word `at`; nothing, if it is not known.
fn at(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(" at{place}") }
}

/// The value of the namevar, of a type that has one, and of which no two resources may manage the same.
fn name_of(info: &ResourceInfo, values: &AttributeValues) -> Option<Str> {
    let kind = kinds::native(&info.type_name).filter(|kind| kind.is_isomorphic())?;
    let entry = find_type(&info.type_name)?;
    let namevar = entry.namevar.filter(|namevar| kind.sole_namevar() == Some(namevar))?;
    values.text(namevar).map(Str::from)
}
