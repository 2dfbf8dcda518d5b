//! The metaparameters that say how a resource is applied.

use pantin_values::{Str, Value};

use super::info::Metaparameters;
use crate::failure::Failure;
use crate::log::Level;
use crate::types::TypeEntry;
use crate::value::{inspect, text};

/// What children take over from their maker.
const INHERITED: [&str; 4] = ["noop", "loglevel", "schedule", "audit"];

/// Reads a metaparameter into what is known of the resource. `None`: it is none of them.
pub(super) fn accept(
    name: &str,
    given: &Value,
    (kind, reference): (&TypeEntry, &str),
    into: &mut Metaparameters,
) -> Option<Result<(), Failure>> {
    if INHERITED.contains(&name) {
        into.inherited.push((Str::from(name), given.clone()));
    }
    let accepted = match name {
        "noop" => flag(given).map(|noop| into.noop = Some(noop)),
        "loglevel" => level(given).map(|level| into.level = level),
        "schedule" => {
            into.schedule = Some(text(given).into_owned());
            Ok(())
        }
        "audit" => audit(given, kind, reference).map(|audit| into.audit = audit),
        "tag" => check_tags(given),
        "alias" | "require" | "subscribe" | "before" | "notify" | "stage" | "export" | "consume" => Ok(()),
        _ => return None,
    };
    Some(accepted)
}

/// Refuses what cannot be a tag: letters, digits and underscores, and behind the first of them dots, colons and dashes.
fn check_tags(given: &Value) -> Result<(), Failure> {
    match given {
        Value::Array(items) => items.iter().try_for_each(check_tags),
        Value::Undef => Ok(()),
        one => {
            let tag = text(one).to_lowercase();
            let is_first = |letter: char| letter.is_alphanumeric() || letter == '_';
            let name = tag.strip_suffix('\n').unwrap_or(&tag);
            match name.starts_with(is_first) && name.chars().all(|letter| is_first(letter) || ":.-".contains(letter)) {
                true => Ok(()),
                false => Err(Failure::new(format!("Invalid tag '{tag}'"))),
            }
        }
    }
}

fn flag(given: &Value) -> Result<bool, Failure> {
    match &*text(given) {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Failure::new(format!("Invalid value {}. Valid values are true, false.", inspect(given)))),
    }
}

fn level(given: &Value) -> Result<Level, Failure> {
    let known = |name: &str| Level::from_name(name).filter(|_| name != "warn");
    known(&text(given)).ok_or_else(|| {
        let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
        let names = names.join(", ");
        Failure::new(format!("Invalid value {}. Valid values are {names}, verbose.", inspect(given)))
    })
}

fn audit(given: &Value, kind: &TypeEntry, reference: &str) -> Result<Vec<Str>, Failure> {
    let properties = || kind.attributes.iter().filter(|rule| rule.is_property()).map(|rule| Str::from(rule.name));
    let named: Vec<Str> = match given {
        Value::Array(items) => items.iter().map(|item| Str::from(&*text(item))).collect(),
        one => vec![Str::from(&*text(one))],
    };
    if named.len() == 1 && named[0] == "all" {
        return Ok(match given {
            // A list with `all` in it audits a property of that name, which there is not.
            Value::Array(_) => Vec::new(),
            _ => properties().collect(),
        });
    }
    for name in &named {
        if !kind.has_attribute(name) {
            return Err(Failure::new(format!("Cannot audit {name}: not a valid attribute for {reference}")));
        }
    }
    Ok(named)
}
