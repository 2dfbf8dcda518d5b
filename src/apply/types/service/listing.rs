//! Finds all services of a machine: the units of systemd, or the init scripts.

use std::path::{Path, PathBuf};

use pantin_machine::{FileKind, SystemQuery};
use pantin_values::Value;
use rustc_hash::FxHashMap;

use super::super::listing::ListedResource;
use super::super::native_provider::NativeProvider;
use super::super::provider_command::query;
use super::provider::ServiceProvider;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Observation;
use crate::value::symbol;

const SCRIPTS: &str = "/etc/init.d";

/// Scripts that are no services, or must not be asked for their state.
const NO_SERVICES: [&str; 20] = [
    "functions.sh",
    "reboot.sh",
    "shutdown.sh",
    "functions",
    "halt",
    "killall",
    "single",
    "linuxconf",
    "reboot",
    "boot",
    "wait-for-state",
    "portmap-wait",
    "rcS",
    "module-init-tools",
    "plymouth-ready",
    "idmapd-mounting",
    "startpar-bridge",
    "cryptdisks-udev",
    "statd-mounting",
    "gssd-mounting",
];

/// What the files of units may be called, of those that are listed.
const ENABLEMENTS: [&str; 6] = ["disabled", "enabled", "masked", "indirect", "bad", "static"];

/// Lists all services.
pub(in crate::types) fn list(context: &ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure> {
    match ServiceProvider::usual(context.machine) {
        Some(ServiceProvider::Systemd) => units(context),
        Some(provider @ (ServiceProvider::Debian | ServiceProvider::Init)) => Ok(scripts(provider, context)),
        Some(ServiceProvider::Base) | None => Ok(Vec::new()),
    }
}

/// Lists the files of services, and which of them run: two commands, whatever their number.
fn units(context: &ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure> {
    let files = query(&SystemQuery::ServiceFiles, context)?;
    if !files.is_success() {
        return Ok(Vec::new());
    }
    let running = running_units(context)?;
    let unit = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, enablement) = (words.next()?, words.next()?.to_lowercase());
        let is_whole = words.next().is_none_or(|preset| !preset.starts_with('-')) || words.next().is_none();
        if !is_whole || !ENABLEMENTS.contains(&enablement.as_str()) || line.starts_with(char::is_whitespace) {
            return None;
        }
        let is_running = running.get(name).copied().unwrap_or_default();
        let state = Observation::new()
            .with("ensure", symbol(if is_running { "running" } else { "stopped" }))
            .with("enable", symbol(if matches!(enablement.as_str(), "enabled" | "static") { "true" } else { "false" }));
        let provider = ("provider", Value::string("systemd"));
        Some(ListedResource { name: name.to_owned(), parameters: vec![provider], state: Some(state) })
    };
    Ok(files.lossy().lines().filter_map(unit).collect())
}

/// Returns which of the loaded units are active.
fn running_units(context: &ApplyContext<'_>) -> Result<FxHashMap<String, bool>, Failure> {
    let listed = query(&SystemQuery::LoadedServices, context)?.lossy();
    let unit = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, _load, active) = (words.next()?, words.next()?, words.next()?);
        Some((name.to_owned(), matches!(active, "active" | "reloading" | "refreshing")))
    };
    Ok(listed.lines().filter_map(unit).collect())
}

fn scripts(provider: ServiceProvider, context: &ApplyContext<'_>) -> Vec<ListedResource> {
    let is_service = |name: &String| {
        let path = PathBuf::from(SCRIPTS).join(name);
        !name.starts_with('.')
            && !NO_SERVICES.contains(&name.as_str())
            && matches!(context.machine.stat(&path, true), Ok(Some(found)) if found.kind != FileKind::Folder)
            && context.machine.is_executable(&path)
            && context.machine.link_target(&path).map_or(true, |target| target != Path::new("/lib/init/upstart-job"))
    };
    let names = context.machine.list(Path::new(SCRIPTS)).unwrap_or_default();
    let names = names.into_iter().map(|name| name.to_string_lossy().into_owned()).filter(is_service);
    let listed =
        |name| ListedResource { name, parameters: vec![("provider", Value::string(provider.name()))], state: None };
    names.map(listed).collect()
}
