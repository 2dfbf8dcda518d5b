//! `pantin modules`: the modules of an environment, what they need, and what is not there.

use std::fmt::Write as _;
use std::io;

use clap::Args;
use pantin_repository::options::OpenError;
use pantin_world::environment::Environment;
use pantin_world::modules::{Module, ModuleListing, Unmet, modules_in, unmet};
use pantin_world::{Puppetfile, PuppetfileModule, Surroundings, missing_from, other_versions};
use serde_json::{Value as Json, json};

use super::Exit;
use super::args::format::FormatArguments;
use super::args::world::WorldArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::escaped_json;

/// List the modules of an environment, and what they miss
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin modules
  pantin modules --environment-dir . --format json

Of each module path its modules, with their versions; then dependencies that are not met, and modules that the \
Puppetfile names and that are not there, or there in another version. --format json prints one object: {modules, unmet, missing, \
other_versions}.
Exit codes:
  0  nothing is missing
  1  something is, or the environment cannot be read
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    world: WorldArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let found = match arguments.found(&console) {
        Ok(found) => found,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let text = if arguments.format.is_json() { escaped_json(found.json().to_string()) } else { found.text() };
    console.print(text.trim_end())?;
    Ok(if found.is_complete() { Exit::Accepted } else { Exit::Rejected })
}

struct ModuleInventory {
    environment: std::sync::Arc<Environment>,
    modules: Vec<Module>,
    missing: Vec<PuppetfileModule>,
    /// What the Puppetfile names, and what is there in its place.
    other_versions: Vec<(PuppetfileModule, Module)>,
}

impl Arguments {
    fn found(&self, console: &ConsoleLog) -> Result<ModuleInventory, OpenError> {
        let world = self.world.checked_world()?;
        let loaded = world.environment(&world.environment)?;
        let environment = std::sync::Arc::clone(&loaded.environment);
        let (ModuleListing { modules, .. }, remarks) = modules_in(
            &*world.disk,
            environment.module.as_ref(),
            &environment.modulepath,
            world.settings.strict()?,
            world.settings.language(),
        )?;
        for remarks in [&world.remarks, &loaded.remarks, &remarks] {
            console.remarks(remarks);
        }
        let (listed, remarks) = Puppetfile::read(&*world.disk, &environment)?;
        console.remarks(&remarks);
        let missing = listed.as_ref().map(|listed| missing_from(listed, &modules)).unwrap_or_default();
        let others = listed.iter().flat_map(|listed| other_versions(listed, &modules));
        let other_versions = others.map(|(listed, module)| (listed.clone(), module.clone())).collect();
        Ok(ModuleInventory { environment, modules, missing, other_versions })
    }
}

impl ModuleInventory {
    fn unmet(&self) -> impl Iterator<Item = (&Module, String, String)> {
        self.modules.iter().flat_map(|module| {
            unmet(module, &self.modules).into_iter().map(move |(dependency, why)| {
                let why = match why {
                    Unmet::Missing => "it is not there".to_owned(),
                    Unmet::OtherVersion(version) => format!("version {version} is there"),
                    Unmet::NotAVersion(version) => format!("version {version} cannot be compared"),
                };
                (module, format!("{} {}", dependency.name, dependency.requirement), why)
            })
        })
    }

    fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.other_versions.is_empty() && self.unmet().next().is_none()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if let Some(own) = &self.environment.module {
            for module in self.modules.iter().filter(|module| module.folder == own.folder) {
                let _ = writeln!(text, "{}\n└── {}", own.folder.display(), shown(module));
            }
        }
        for folder in &self.environment.modulepath {
            let _ = writeln!(text, "{}", folder.display());
            let within: Vec<&Module> =
                self.modules.iter().filter(|module| module.folder.parent() == Some(folder)).collect();
            for (index, module) in within.iter().enumerate() {
                let branch = if index + 1 == within.len() { "└──" } else { "├──" };
                let _ = writeln!(text, "{branch} {}", shown(module));
            }
            if within.is_empty() {
                let _ = writeln!(text, "└── (no modules)");
            }
        }
        for (module, wanted, why) in self.unmet() {
            let _ = writeln!(text, "{} needs {wanted}: {why}", module.name);
        }
        for listed in &self.missing {
            let version = listed.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
            let _ = writeln!(text, "Puppetfile:{}: {}{version} is not there", listed.line, listed.full_name);
        }
        for (listed, module) in &self.other_versions {
            let (wanted, there) = (listed.full_version(), module.full_version());
            let _ = writeln!(text, "Puppetfile:{}: {wanted} is not there, but {there}", listed.line);
        }
        text
    }

    fn json(&self) -> Json {
        let modules: Vec<Json> = self
            .modules
            .iter()
            .map(|module| {
                let metadata = module.metadata.as_ref();
                json!({
                    "name": module.name,
                    "folder": module.folder,
                    "full_name": metadata.and_then(|metadata| metadata.full_name.as_ref()),
                    "version": metadata.map(|metadata| &metadata.version),
                })
            })
            .collect();
        let unmet: Vec<Json> = self
            .unmet()
            .map(|(module, wanted, why)| json!({ "module": module.name, "needs": wanted, "but": why }))
            .collect();
        let missing: Vec<Json> = self
            .missing
            .iter()
            .map(|listed| json!({ "name": listed.full_name, "version": listed.version, "line": listed.line }))
            .collect();
        let other_versions: Vec<Json> = self
            .other_versions
            .iter()
            .map(|(listed, module)| {
                json!({
                    "name": listed.full_name,
                    "version": listed.version,
                    "line": listed.line,
                    "installed": module.full_version(),
                })
            })
            .collect();
        json!({ "modules": modules, "unmet": unmet, "missing": missing, "other_versions": other_versions })
    }
}

fn shown(module: &Module) -> String {
    let Some(metadata) = &module.metadata else { return module.name.clone() };
    let full_name = metadata.full_name.as_deref().map_or(module.name.clone(), |name| name.replace('/', "-"));
    format!("{full_name} (v{})", metadata.version)
}
