//! The systems on which modules are compiled: Pantin's made-up facts, and what modules' own facts would add.

use std::path::Path;

use pantin::base::Language;
use pantin::model::catalog::Rich;
use pantin::values::{Hash, Value};
use pantin::world::MachineDisk;
use pantin::world::facts::{Facts, sanitize};
use serde_json::Value as Json;

/// In the order in which they are chosen for a module that says what it supports: the name as metadata has it, the facts.
pub(super) const SYSTEMS: [&str; 11] = [
    "debian-12",
    "ubuntu-22.04",
    "redhat-9",
    "centos-7",
    "sles-15",
    "freebsd-14",
    "windows-2022",
    "rocky-8",
    "debian-11",
    "ubuntu-20.04",
    "redhat-8",
];

/// What the custom facts of modules would say on a fresh machine: without them hardly a class of theirs compiles.
fn of_modules(system: &str, language: Language) -> Vec<(&'static str, Value)> {
    let packages = match system.split('-').next() {
        Some(name @ ("debian" | "ubuntu")) => name.to_owned(),
        _ => "rpm".to_owned(),
    };
    vec![
        ("os_service_default", "<SERVICE DEFAULT>".into()),
        ("os_package_type", packages.into()),
        ("os_workers", 2.into()),
        ("os_workers_small", 2.into()),
        ("os_workers_large", 4.into()),
        ("os_workers_heat_engine", 4.into()),
        ("os_workers_keystone", 2.into()),
        ("systemd", Value::Boolean(!system.starts_with("freebsd") && !system.starts_with("windows"))),
        ("puppet_vardir", "/opt/puppetlabs/puppet/cache".into()),
        ("staging_http_get", "curl".into()),
        // What an agent sends of itself.
        ("clientcert", "node.example.org".into()),
        ("clientnoop", Value::Boolean(false)),
        ("clientversion", language.release().into()),
    ]
}

/// The facts of one system.
pub(super) fn facts(system: &str, language: Language) -> Result<Hash, String> {
    let of_system = Facts::for_os(system, language, true)?.for_node(&MachineDisk::default(), "node.example.org")?;
    let mut facts: Vec<(Value, Value)> = Vec::new();
    if let Some(known) = of_system {
        facts.extend(known.facts.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    facts.extend(of_modules(system, language).into_iter().map(|(name, value)| (name.into(), value)));
    Ok(sanitize(&facts.into_iter().collect()))
}

/// Writes the facts of all systems; whether they were others before.
pub(super) fn write_all(folder: &Path, language: Language) -> Result<bool, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut changed = false;
    for system in SYSTEMS {
        let value = Value::Hash(facts(system, language)?);
        let json = serde_json::to_string(&Rich::from_value(&value)).map_err(|error| error.to_string())?;
        let path = folder.join(format!("{system}.json"));
        let parsed = |text: &str| serde_json::from_str::<Json>(text).ok();
        if std::fs::read_to_string(&path).is_ok_and(|before| parsed(&before) == parsed(&json)) {
            continue;
        }
        changed = true;
        std::fs::write(&path, json).map_err(|error| error.to_string())?;
    }
    Ok(changed)
}
