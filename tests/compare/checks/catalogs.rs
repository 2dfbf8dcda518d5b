//! Every catalog of a repository, compiled here, and what both sides would refuse of it.

use std::collections::BTreeMap;
use std::path::Path;

use pantin::apply::{NodeSystem, Refusal};
use pantin::model::catalog::Catalog;
use pantin::repository::answer::Answer;
use pantin::repository::catalog_check::{Checks, Finding};
use pantin::repository::options::{CacheOptions, EnvironmentFolder, FactSource};
use pantin::repository::timings::Timings;
use pantin::repository::{AnswerNeeds, Repository};
use pantin::values::Value;
use serde_json::{Value as Json, json};

use super::super::fleet::libraries;
use super::{Options, Oracle, Tally, language, version};

/// Compares every catalog of a repository, with the facts of its nodes.
pub(super) fn compare(folder: &Path, asked: &Options) -> Result<bool, String> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| error.to_string());
    let folder = absolute(folder)?;
    let mut options = pantin::repository::options::Options { root: Some(folder.clone()), ..Default::default() };
    options.world.folder = EnvironmentFolder::At(folder);
    options.world.language = Some(language(asked));
    options.nodes.facts = vec![FactSource::At(absolute(&asked.facts)?)];
    if let Some(modules) = &asked.modules {
        options.world.settings.push(("basemodulepath".to_owned(), modules.clone()));
    }
    let open = Repository::open(&options, &CacheOptions::Off, Timings::none());
    let repository = open.map_err(|error| error.to_string())?;
    let mut oracle = Oracle::start(asked.language, asked.modules.as_deref().map(libraries).as_deref())?;
    let mut tally = Tally::default();
    let needs = AnswerNeeds { catalog: true, ..AnswerNeeds::default() };
    for name in repository.node_names(&[]).map_err(|none| format!("{none:?}"))? {
        let answer = repository.answer(&name, needs).map_err(|error| error.to_string())?;
        let Some(catalog) = &answer.catalog else { continue };
        let inputs = repository.inputs(&name).map_err(|error| error.to_string())?;
        let facts = json_of(&Value::Hash(inputs.prepared.node.facts.clone()));
        let wire: Json = serde_json::from_str(&catalog.to_json().map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())?;
        let theirs = oracle.refused(&facts, &wire)?;
        let system = NodeSystem::from_facts(&inputs.prepared.node.facts, asked.language);
        let ours = Catalog::read(&wire.to_string()).map_err(|error| error.to_string())?;
        let refusals = inputs.refused_resources(&ours, &system)?;
        tally.compare(&wire, &theirs, &refused_in(&answer, &refusals, &ours)?);
    }
    Ok(tally.report(&format!("{}, Puppet {}", asked.facts.display(), version(asked)), asked.show))
}

/// Returns what was found in an answer of refused resources, by their references. A message need not name its resource: an error that no
/// attribute and no type raises on purpose has words of its own.
fn refused_in(answer: &Answer, refusals: &[Refusal], catalog: &Catalog) -> Result<BTreeMap<String, String>, String> {
    let checks = Checks { graph: false, resources: true };
    let found = answer.findings().into_iter().flat_map(|found| found.counted(checks));
    // What was decrypted is hidden in the answer alone, so that the words may differ.
    let said = found.flat_map(Finding::lines).count();
    if said != refusals.len() {
        let (node, again) = (&answer.name, refusals.len());
        return Err(format!("the answer of {node} names {said} refused resources, and its catalog has {again}"));
    }
    let reference = |refusal: &Refusal| catalog.resources[refusal.resource as usize].reference();
    Ok(refusals.iter().map(|refusal| (reference(refusal), refusal.message.clone())).collect())
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Hash(members) => Json::Object(
            members.iter().filter_map(|(name, member)| Some((name.as_str()?.to_owned(), json_of(member)))).collect(),
        ),
        Value::Array(items) => items.iter().map(json_of).collect(),
        Value::String(text) => json!(text.as_str()),
        Value::Boolean(flag) => json!(flag),
        Value::Integer(number) => json!(number),
        _ => Json::Null,
    }
}
