//! Reads the states of all units that a catalog names: two commands, whatever their number.

use pantin_machine::SystemQuery;
use pantin_values::Value;
use rustc_hash::FxHashMap;

use super::super::provider_command::query;
use super::systemd::Enablement;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Observation;
use crate::provider::{Delta, Provider, ProviderEntry, Row, SetMode, WantedResource};
use crate::value::{symbol, text};

pub(super) static UNITS: ProviderEntry =
    ProviderEntry { type_name: "service", name: "systemd", set_mode: SetMode::EachProperty, make: || Box::new(Units) };

/// What units are called by where nothing else is said.
const SUFFIX: &str = ".service";

/// The units of systemd. Services change themselves: this one only looks.
struct Units;

impl Provider for Units {
    /// Gives a row to each unit of which both is known: whether it is active, and what its file is called. Others are looked at alone.
    fn get(&mut self, context: &ApplyContext<'_>, wanted: Option<&[WantedResource<'_>]>) -> Result<Vec<Row>, Failure> {
        let wanted = wanted.unwrap_or_default();
        // One is asked for alone.
        if wanted.len() < 2 {
            return Ok(Vec::new());
        }
        let names: Vec<String> = wanted.iter().map(|wanted| wanted.name.to_owned()).collect();
        let active = query(&SystemQuery::UnitStates(names.clone()), context)?.lossy();
        let active: Vec<&str> = active.lines().collect();
        if active.len() != names.len() {
            return Ok(Vec::new());
        }
        let files = unit_files(context)?;
        let row = |(name, active): (String, &str)| {
            let file = if name.contains('.') { files.get(&name) } else { files.get(&format!("{name}{SUFFIX}")) };
            let is_active = matches!(active, "active" | "reloading" | "refreshing");
            let state = Observation::new()
                .with("ensure", symbol(if is_active { "running" } else { "stopped" }))
                .with("enable", Value::string(file?.as_str()));
            Some(Row { name, state })
        };
        Ok(names.into_iter().zip(active).filter_map(row).collect())
    }

    fn set(&mut self, _context: &ApplyContext<'_>, changes: &[Delta<'_>]) -> Result<(), Failure> {
        let names: Vec<&str> = changes.iter().map(|change| change.name).collect();
        Err(Failure::new(format!("units are changed one by one, not as rows: {}", names.join(", "))))
    }
}

/// Returns what systemd calls the files of units: `enabled`, `static`.
fn unit_files(context: &ApplyContext<'_>) -> Result<FxHashMap<String, String>, Failure> {
    let listed = query(&SystemQuery::UnitFiles, context)?.lossy();
    let unit = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.to_owned()))
    };
    Ok(listed.lines().filter_map(unit).collect())
}

/// Reads the start at boot from a row. That of a script has its own way.
pub(super) fn enablement(row: &Observation) -> Option<Enablement> {
    let word = text(row.get("enable")?).into_owned();
    let is_success = match word.as_str() {
        "enabled" | "enabled-runtime" | "static" | "alias" | "indirect" => true,
        "disabled" | "masked" | "masked-runtime" | "linked" | "linked-runtime" | "bad" => false,
        _ => return None,
    };
    Some(Enablement { word, is_success })
}
