//! What dpkg knows of the packages of a machine, a line for each that is not as in its base.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Returns what is said of each package, by a name that no path has.
pub(crate) fn read(root: &Path) -> BTreeMap<String, String> {
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let states = text("var/lib/apt/extended_states");
    let automatic: BTreeSet<&str> = states
        .split("\n\n")
        .filter(|state| field(state, "Auto-Installed") == "1")
        .map(|state| field(state, "Package"))
        .collect();
    let known = text("var/lib/dpkg/status");
    let line = |package: &str| {
        let name = field(package, "Package");
        let why = if automatic.contains(name) { "automatic" } else { "manual" };
        let version = [field(package, "Version"), field(package, "Config-Version")].concat();
        (format!("package {name}"), format!("{version} {} {why}", field(package, "Status")))
    };
    known.split("\n\n").filter(|package| !package.trim().is_empty()).map(line).collect()
}

fn field<'t>(stanza: &'t str, name: &str) -> &'t str {
    let value = stanza.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    value.unwrap_or_default()
}
