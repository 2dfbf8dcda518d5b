//! What Pantin says of the cases of a module: one environment for all of them, in process, on all threads.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pantin::base::Language;
use pantin::compile::NodeRequest;
use pantin::compile::catalog::{EnvironmentMemos, Site};
use pantin::compile::compat::Support;
use pantin::eval::{Settings as EvalSettings, builtins};
use pantin::model::trace::{Secrets, Traces};
use pantin::values::{Digest, Hash, Timestamp, Value};
use pantin::world::environment::{Environment, Environments};
use pantin::world::facts::sanitize;
use pantin::world::load::Modules;
use pantin::world::node::{NodeClasses, NodeData, Server};
use pantin::world::settings::Settings;
use pantin::world::{Disk, MachineDisk, node};
use rayon::prelude::*;

use super::answers::{Answers, Case, Key, Outcome};
use super::systems;
use crate::request;

type Facts = BTreeMap<&'static str, Hash>;

/// Our answers, and how many of the places that were refused `pantin compat` tells of, of how many.
type Told = (BTreeMap<Key, Outcome>, (usize, usize));

/// The answers to the same questions that the real Puppet was asked.
pub(super) fn of(answers: &Answers<'_>, module: &str, cases: &[Case]) -> Result<Told, String> {
    let site = Prepared::load(answers, module)?;
    let traces = Traces::new(Digest::from_text("modules"), Secrets::new([7; 32]));
    let asked: Vec<(&Case, &String)> =
        cases.iter().flat_map(|case| case.systems.iter().map(move |system| (case, system))).collect();
    let answered = asked.par_iter().map(|(case, system)| {
        let outcome = site.answer(case, system, &traces)?;
        Ok(((case.node.clone(), (*system).clone()), outcome))
    });
    let answered: BTreeMap<Key, Outcome> = answered.collect::<Result<_, String>>()?;
    let refused: BTreeSet<(String, u32)> =
        answered.values().filter_map(|outcome| refused(outcome.as_ref().err()?)).collect();
    let foretold = if refused.is_empty() { 0 } else { refused.intersection(&site.foretold()).count() };
    Ok((answered, (foretold, refused.len())))
}

/// The place of Ruby code that is not supported.
fn refused(error: &str) -> Option<(String, u32)> {
    let (_, place) = error.split_once(" is not supported in Ruby code that Pantin runs (file: ")?;
    let (file, rest) = place.split_once(", line: ")?;
    let line = rest.split([')', ',']).next()?.parse().ok()?;
    Some((file.to_owned(), line))
}

/// An environment that is ready.
struct Prepared {
    language: Language,
    environment: Arc<Environment>,
    site: Site,
    facts: Facts,
}

impl Prepared {
    fn load(answers: &Answers<'_>, module: &str) -> Result<Prepared, String> {
        let language = answers.language;
        let disk: Arc<dyn Disk> = Arc::new(MachineDisk::default());
        let mut settings = Settings::new(language, Arc::clone(&disk));
        settings.set("basemodulepath", &answers.folder.join("modules").display().to_string())?;
        let folder = answers.folder.join("environments").join(module);
        let environment = Environments { settings: &settings }.in_folder(module, &folder)?.environment;
        let evaluated = EvalSettings::from_language(language);
        let (modules, _) =
            Modules::list(disk, &environment.modulepath, Some(&folder), evaluated.strict, evaluated.language)?;
        let site = Site::load(&environment, modules, evaluated, false, builtins::all(), &EnvironmentMemos::default());
        // The real one has no fence.
        let site = site.with_ruby_reads(vec!["/".into()]);
        let facts = systems::SYSTEMS.iter().map(|system| Ok((*system, systems::facts(system, language)?)));
        Ok(Prepared { language, environment, site, facts: facts.collect::<Result<_, String>>()? })
    }

    /// The places that would fail, as `pantin compat` finds them.
    fn foretold(&self) -> BTreeSet<(String, u32)> {
        let mut places = BTreeSet::new();
        for part in self.site.compat() {
            if let Support::Fails(failing) = part.how {
                places.extend(failing.into_iter().filter_map(|one| Some((one.file, one.line?))));
            }
        }
        places
    }

    fn answer(&self, case: &Case, system: &str, traces: &Traces) -> Result<Outcome, String> {
        let of_system = self.facts.get(system).ok_or_else(|| format!("no facts of {system}"))?;
        let mut facts = of_system.clone();
        for (name, value) in &case.facts {
            facts.insert(name.as_str().into(), request::from_json(value));
        }
        let node = &case.node;
        let server = Server {
            name: "puppet.example.org".to_owned(),
            address: "192.0.2.1".to_owned(),
            ..Server::new(self.language)
        };
        let request = NodeRequest {
            node: Arc::new(NodeData {
                name: node.clone(),
                facts: sanitize(&facts),
                trusted: node::trusted_facts(node, Hash::default()),
                server_facts: server.facts(&self.environment.name),
                classes: NodeClasses::default(),
                parameters: Hash::default(),
            }),
            environment: Arc::clone(&self.environment),
            now: Timestamp::from_seconds(0),
            version: Value::Integer(1),
            collects_exported: false,
            answers: Arc::default(),
            exports: Arc::default(),
            seconds: pantin::base::limits::NODE_SECONDS,
        };
        let answer = || request::answer(&self.site, &request, Some(traces)).result;
        Ok(catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err("Pantin panicked".to_owned())))
    }
}
