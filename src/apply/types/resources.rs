//! The type `resources`: removes what no catalog names, of a type whose resources can be listed.

use pantin_model::catalog::kinds;
use pantin_values::Value;

use super::purge::{KeptUsers, highest_system_uid, removals};
use super::ruby_values::integer;
use super::rule_patterns::DECIMAL;
use super::{NewResource, TypeEntry, find_type};
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::managed::{Generated, Managed};
use crate::resource::{AttributeRule, Draft, munging_failed};
use crate::value::{inspect, text};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "resources",
    namevar: Some("name"),
    provider: None,
    attributes: &[
        AttributeRule::parameter("name").checked(check_name),
        AttributeRule::parameter("purge").boolean().checked(check_purge).default_boolean(false),
        AttributeRule::parameter("unless_system_user")
            .words(&[("true", "true"), ("false", "false")])
            .patterns(&[DECIMAL])
            .converted(convert_highest)
            .default_made(|draft| draft.values.is("name", "user").then_some(Value::Boolean(true))),
        AttributeRule::parameter("unless_uid").converted(convert_uids),
    ],
    validate: None,
    spread_secret: None,
    make,
};

/// The number of the highest user who is kept, or that none is.
fn convert_highest(given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
    Ok(match &*text(given) {
        // The texts are allowed, and then not known.
        word @ ("true" | "false") if matches!(given, Value::String(_)) => {
            let detail = format!("Invalid value {}", inspect(&Value::string(word)));
            return Err(munging_failed("unless_system_user", given, &detail));
        }
        "true" => Value::Integer(highest_system_uid(draft.machine)),
        "false" => Value::Boolean(false),
        number => Value::Integer(number.parse().unwrap_or(i64::MAX)),
    })
}

/// Types whose resources cannot be listed, so that nothing is ever removed.
const UNLISTED: [&str; 6] = ["file", "exec", "notify", "tidy", "file_line", "concat_file"];

fn check_name(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let name = text(given);
    match is_known(&name) || draft.is_type_of_module(&name) {
        true => Ok(()),
        false => Err(Failure::new(format!("Could not find resource type '{name}'"))),
    }
}

/// Returns true for a type that the agent brings itself.
fn is_known(name: &str) -> bool {
    find_type(name).is_some() || kinds::native(name).is_some()
}

fn check_purge(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given).to_lowercase() {
        "true" | "yes" => {}
        "false" | "no" => return Ok(()),
        _ => return Err(munging_failed("purge", given, "expected a boolean value")),
    }
    let name = draft.text("name").unwrap_or_default();
    // What a type of a module accepts is not known.
    if !is_known(&name) {
        return Ok(());
    }
    let has_ensure = find_type(&name).is_some_and(|entry| entry.has_attribute("ensure"))
        || kinds::native(&name).is_some_and(|native| native.attribute("ensure").is_some());
    match has_ensure {
        true => Ok(()),
        false => Err(Failure::new("Purging is only supported on types that accept 'ensure'")),
    }
}

fn convert_uids(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let mut items = Vec::new();
    flatten(given, &mut items);
    let uid = |item: &&Value| match item {
        Value::Integer(_) => Ok((*item).clone()),
        Value::String(written) => integer(written).map(Value::Integer).ok_or_else(|| {
            munging_failed("unless_uid", given, &format!("invalid value for Integer(): {}", inspect(item)))
        }),
        _ => Err(munging_failed("unless_uid", given, &format!("Invalid value {}.", inspect(item)))),
    };
    Ok(Value::array(items.iter().map(uid).collect::<Result<Vec<_>, _>>()?))
}

/// Collects the elements of lists in lists.
fn flatten<'v>(value: &'v Value, items: &mut Vec<&'v Value>) {
    match value {
        Value::Array(inner) => inner.iter().for_each(|item| flatten(item, items)),
        one => items.push(one),
    }
}

struct Resources {
    name: String,
    purges: bool,
    kept: KeptUsers,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let name = new.values.text("name").unwrap_or_default();
    let integer = |value: &Value| match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    };
    let kept = KeptUsers {
        up_to: new.values.get("unless_system_user").and_then(integer),
        uids: new.values.list("unless_uid").iter().filter_map(integer).collect(),
    };
    Ok(Box::new(Resources { name, purges: new.values.is_true("purge"), kept }))
}

impl Managed for Resources {
    fn generate(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        if !self.purges || UNLISTED.iter().any(|name| name.eq_ignore_ascii_case(&self.name)) {
            return Ok(Vec::new());
        }
        match removals(&self.name.to_lowercase(), &self.kept, context)? {
            Some(removals) => Ok(removals),
            None => Err(Failure::new(format!("no native provider yet lists resources of the type {}", self.name))),
        }
    }

    fn hands_on_relations(&self) -> bool {
        true
    }

    fn learnt_parts(&self, catalog: &AppliedCatalog) -> Vec<String> {
        match self.purges {
            true => catalog.declared_of_type(&self.name).map(|(info, _)| info.title.to_string()).collect(),
            false => Vec::new(),
        }
    }

    fn footprint(&self) -> Footprint {
        if self.purges { Footprint::Anything } else { Footprint::Nothing }
    }
}
