//! Where an example meets the compiler of catalogs.

use pantin::base::Language;
use pantin::model::trace::{Secrets, Traces};
use pantin::values::Digest;
use pantin::world::environment::LoadedEnvironment;

use super::example::Example;
use super::rendering;
use super::request::{self, Given};
use super::said::Said;
use super::stdlib;

/// A catalog's JSON as a block `catalog` has it: to be read, or as it stands.
pub(super) fn shown(json: &str, as_it_stands: bool) -> Result<String, String> {
    if as_it_stands { Ok(json.to_owned()) } else { rendering::render(json) }
}

/// What Pantin says.
pub(super) fn compile(example: &Example, version: Language) -> Result<Said, String> {
    let answer = request::compile(&given(example, version), stdlib::builtins())?;
    let json = example.settings.json;
    let catalog = answer.result.as_ref().ok().map(|catalog| shown(catalog, json)).transpose()?;
    Ok(Said::compiled(catalog.as_deref(), &answer.log, answer.result.err().as_deref()))
}

/// CPU seconds of one catalog and its JSON once all is loaded, without traces and with those of earlier ones; nothing
/// for one that fails. `seconds`: how long each is measured.
pub(super) fn seconds(example: &Example, version: Language, seconds: f64) -> Result<Option<(f64, f64)>, String> {
    let given = given(example, version);
    let Ok(LoadedEnvironment { environment, .. }) = given.environment()? else { return Ok(None) };
    let (site, request, _) = request::prepared(&given, environment, stdlib::builtins())?;
    let traces = Traces::new(Digest::from_text("speed"), Secrets::new([7; 32]));
    if request::answer(&site, &request, Some(&traces)).result.is_err() {
        return Ok(None);
    }
    let one = |traces| super::speed::seconds_of(seconds, || drop(request::answer(&site, &request, traces)));
    Ok(Some((one(None), one(Some(&traces)))))
}

pub(super) fn given(example: &Example, version: Language) -> Given {
    let (around, settings) = (&example.surroundings, &example.settings);
    let mut files = around.files.clone();
    if let Some(version) = settings.stdlib {
        let module = stdlib::files(version).into_iter().flatten();
        files.extend(module.map(|(path, text)| (format!("modules/{path}"), text.clone())));
    }
    Given {
        language: version,
        files,
        node: settings.node.clone().unwrap_or_else(|| "node.example.org".to_owned()),
        environment: settings.environment.clone(),
        facts: around.facts.clone().unwrap_or_default(),
        extensions: around.trusted.clone().unwrap_or_default(),
        enc: around.enc.clone(),
        exported: around.exported.clone(),
        strict: settings.strict,
        strict_variables: settings.strict_variables,
        tasks: settings.tasks,
        settings: settings.more.clone(),
    }
}
