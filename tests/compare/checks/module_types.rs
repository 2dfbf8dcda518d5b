//! Types that modules declare in Ruby: resources made at random, judged by the small Ruby and by the real agent.

use std::collections::BTreeSet;

use pantin::apply::NodeSystem;
use pantin::model::catalog::Catalog;
use pantin::repository::Repository;
use pantin::repository::options::{CacheOptions, EnvironmentFolder, FactSource, Options as RepositoryOptions};
use pantin::repository::timings::Timings;
use pantin::values::{Str, Value};
use serde_json::{Value as Json, json};

use super::super::fleet::libraries;
use super::super::random::numbers::Numbers;
use super::resources::Kind;
use super::{AT_ONCE, Options, Oracle, SYSTEMS, Tally, catalog_of, facts_of, language, value, version};

/// Compares resources of all types that modules have, drawn at random.
pub(super) fn compare(modules: &str, options: &Options) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("environment.conf"), "").map_err(|error| error.to_string())?;
    let repository = open(folder.path(), modules, options)?;
    let inputs = repository.inputs("n").map_err(|error| error.to_string())?;
    let mut oracle = Oracle::start(options.language, Some(&libraries(modules)))?;
    let names = type_names(modules);
    let described = oracle.ask(&json!({ "describe": names }))?;
    let kinds: Vec<Kind> = names.iter().filter_map(|name| Kind::from_json(name, &described["types"][name])).collect();
    let mut numbers = Numbers::new(options.seed);
    let mut tally = Tally { takes_all_types: true, ..Tally::default() };
    let mut made = 0;
    while made < options.count {
        let wanted = AT_ONCE.min(options.count - made);
        let resources: Vec<Json> = (made..made + wanted)
            .map(|number| kinds[numbers.below(kinds.len())].resource(number, &mut numbers))
            .collect();
        made += wanted;
        let catalog = catalog_of(resources);
        let facts = facts_of(SYSTEMS[numbers.below(2)]);
        let theirs = oracle.refused(&facts, &catalog)?;
        let Value::Hash(system) = value(&facts) else { return Err("facts are a hash".to_owned()) };
        let ours = Catalog::read(&catalog.to_string()).map_err(|error| error.to_string())?;
        let refusals = inputs.refused_resources(&ours, &NodeSystem::from_facts(&system, language(options)))?;
        let ours = refusals
            .into_iter()
            .map(|refusal| (ours.resources[refusal.resource as usize].reference(), refusal.message))
            .collect();
        tally.compare(&catalog, &theirs, &ours);
    }
    let what = format!("{} types of {modules}, seed {}, Puppet {}", kinds.len(), options.seed, version(options));
    Ok(tally.report(&what, options.show))
}

fn open(folder: &std::path::Path, modules: &str, options: &Options) -> Result<Repository, String> {
    let mut wanted = RepositoryOptions { root: Some(folder.to_owned()), ..Default::default() };
    wanted.world.folder = EnvironmentFolder::At(folder.to_owned());
    wanted.world.language = Some(language(options));
    wanted.world.settings.push(("basemodulepath".to_owned(), modules.to_owned()));
    let Value::Hash(facts) = value(&facts_of(SYSTEMS[0])) else { return Err("facts are a hash".to_owned()) };
    wanted.nodes.facts = vec![FactSource::Known(Str::from("n"), facts)];
    Repository::open(&wanted, &CacheOptions::Off, Timings::none()).map_err(|error| error.to_string())
}

/// Returns the names of the types that modules in some folders declare, but for those that Pantin knows natively.
fn type_names(modules: &str) -> Vec<String> {
    let mut names = BTreeSet::new();
    let entries = |path: &std::path::Path| std::fs::read_dir(path).into_iter().flatten().flatten();
    for module in modules.split(':').flat_map(|folder| entries(folder.as_ref())) {
        for file in entries(&module.path().join("lib/puppet/type")).map(|entry| entry.path()) {
            if file.extension().is_some_and(|ending| ending == "rb") {
                names.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
    }
    names.into_iter().filter(|name| pantin::model::catalog::kinds::native(name).is_none()).collect()
}
