//! The types of resources that modules declare in Ruby: attributes, namevars and title patterns, compared with what
//! Puppet 7.23 tells of the same files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use pantin::compile::catalog::{EnvironmentMemos, Site};
use pantin::eval;
use pantin::eval::builtins;
use pantin::model::catalog::kinds::{Titles, TypeTable};
use pantin::world::MachineDisk;
use pantin::world::environment::Environment;
use pantin::world::load::Modules;
use serde_json::{Value, json};

/// Where a distribution's packages put modules.
const MODULES: &str = "/usr/share/puppet/modules";

/// `folders`: of modules, one folder a module path.
pub(super) fn run(folders: &[String]) -> Result<bool, String> {
    let folders: Vec<PathBuf> =
        if folders.is_empty() { vec![MODULES.into()] } else { folders.iter().map(PathBuf::from).collect() };
    let theirs = ask(&folders)?;
    let site = site(&folders)?;
    let began = Instant::now();
    let mut equal = 0;
    let mut differences = Vec::new();
    let theirs = theirs.as_array().ok_or("the oracle has told of no types")?;
    for theirs in theirs {
        let name = theirs["name"].as_str().unwrap_or_default();
        let ours = match site.resource_type(name) {
            Ok(Some(table)) => described(&table),
            Ok(None) => json!({ "name": name, "error": "not found" }),
            Err(fault) => json!({ "name": name, "error": &*fault.message }),
        };
        match ours == *theirs {
            true => equal += 1,
            false => differences.push(format!("{name}\n  here:   {ours}\n  Puppet: {theirs}")),
        }
    }
    println!("{equal} of {} types of modules are equal; all were read in {:?}", theirs.len(), began.elapsed());
    differences.iter().for_each(|difference| println!("{difference}"));
    Ok(differences.is_empty())
}

fn site(folders: &[PathBuf]) -> Result<Site, String> {
    let environment = Environment { name: "production".to_owned(), modulepath: folders.to_vec(), ..Default::default() };
    let (modules, _) = Modules::list(
        Arc::new(MachineDisk::default()),
        folders,
        None,
        pantin::base::Strict::Off,
        pantin::base::Language::Puppet8,
    )?;
    let settings = eval::Settings::from_language(pantin::base::Language::Puppet7);
    Ok(Site::load(&environment, modules, settings, false, builtins::all(), &EnvironmentMemos::default()))
}

fn described(table: &TypeTable) -> Value {
    let names = |names: &[_]| names.iter().map(ToString::to_string).collect::<Vec<String>>();
    let patterns = match table.titles() {
        Titles::Namevar => json!([["(.*)", true, names(table.namevars())]]),
        Titles::Patterns(patterns) => patterns
            .iter()
            .map(|each| {
                json!([
                    each.regexp.source(),
                    each.regexp.options().multi_line,
                    each.fills.iter().map(|fill| fill.name.to_string()).collect::<Vec<_>>()
                ])
            })
            .collect(),
        Titles::Wrong(fault) => json!(&*fault.message),
    };
    json!({
        "name": table.name(),
        "properties": names(table.properties()),
        "parameters": names(table.parameters()),
        "namevars": names(table.namevars()),
        "isomorphic": table.is_isomorphic(),
        "patterns": patterns,
    })
}

fn ask(folders: &[PathBuf]) -> Result<Value, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/types.rb");
    let output = std::process::Command::new("ruby").arg(script).args(folders).output();
    let output = output.map_err(|error| format!("ruby cannot be started: {error}"))?;
    match output.status.success() {
        true => serde_json::from_slice(&output.stdout).map_err(|error| error.to_string()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
