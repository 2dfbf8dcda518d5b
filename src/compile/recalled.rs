//! Runs today's code of a class or defined type on the answers in one of its traces. Asks neither a node nor a catalog.

use std::sync::{Arc, OnceLock};

use pantin_base::stack;
use pantin_eval::{Body, Builtins, Instance, run_definition};
use pantin_model::catalog::Resource;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Effect, Key, Trace, Traces, recall};
use pantin_values::{Str, Value};

use super::catalog::Site;
use super::code::Def;
use super::loader::Loader;
use super::node::{BodyWalk, instance_digest};

/// A definition that was found once, for all nodes.
pub struct Recaller {
    definition: Arc<Def>,
    is_class: bool,
    body: Arc<Body>,
    settings: pantin_eval::Settings,
    builtins: &'static Builtins,
    /// What it came to for one node: much of it is the same for others.
    example: OnceLock<Trace>,
}

/// The parameters that a body is given, with their values.
type GivenParameters = Vec<(Str, Value)>;

impl Site {
    /// For a class, or a defined type, by its name; `None`: there is no finding it.
    pub fn recaller(&self, name: &Str, is_class: bool) -> Option<Recaller> {
        let base = self.base().with_own_reads();
        let mut loader = Loader::new(&base);
        for file in self.manifests()? {
            loader.import(file).ok()?;
        }
        let found = if is_class { loader.class(name) } else { loader.define(name) };
        let definition = found.ok()??;
        let body = definition.body(base.builtins)?;
        Some(Recaller {
            definition,
            is_class,
            body,
            settings: base.settings,
            builtins: base.builtins,
            example: OnceLock::new(),
        })
    }
}

impl Recaller {
    /// The file that the definition stands in.
    pub fn file(&self) -> Option<&str> {
        self.definition.file()
    }

    /// What the walk would come to now, and by what it is found; `None` if that takes more than what it was told. `given`: what
    /// its declaration gave it, and what that gives it now, if it says something else.
    pub fn replay(
        &self,
        walk: &BodyWalk,
        of: &Resource,
        given: Option<[GivenParameters; 2]>,
        told: &Trace,
        traces: &Traces,
    ) -> Option<(Key, Trace)> {
        let subject: Str = of.reference().into();
        let key_of = |given: &[(Str, Value)]| {
            traces.key(self.body.digest, instance_digest(&self.instance(subject.clone(), given)))
        };
        let is_it = |given: &[(Str, Value)]| key_of(given).parameters == walk.key.parameters;
        let given = match given {
            Some([before, now]) => is_it(&before).then_some(now)?,
            None => recorded_parameters(told, is_it)?,
        };
        let instance = self.instance(subject.clone(), &given);
        let (body, settings, builtins) = (&self.body, self.settings, self.builtins);
        let run = |host: &mut dyn pantin_model::trace::Host| run_definition(body, instance, host, settings, builtins);
        let mut now = stack::with_room(|| recall(told, traces.secrets(), &body.name, run))?;
        let example = self.example.get().map(|example| &example.steps[..]);
        traces.share_with([&told.steps, example.unwrap_or_default()], &mut now);
        // Of several that come at once any will do.
        self.example.get_or_init(|| now.clone());
        Some((key_of(&given), now))
    }

    fn instance<'g>(&self, subject: Str, given: &'g [(Str, Value)]) -> Instance<'g> {
        Instance {
            subject,
            arguments: given,
            metaparameters: &METAPARAMETERS,
            data_prefix: self.is_class.then(|| format!("{}::", self.definition.name).into()),
            matched: None,
            is_node: false,
        }
    }
}

/// What a body was given when it was told this: of the values that it then worked with, those come first.
fn recorded_parameters(told: &Trace, is_it: impl Fn(&[(Str, Value)]) -> bool) -> Option<GivenParameters> {
    if is_it(&[]) {
        return Some(Vec::new());
    }
    let values = told.steps.iter().find_map(|recorded| match recorded.step.effect() {
        Some(Effect::Parameters(values)) => Some(values),
        _ => None,
    })?;
    let mut given = GivenParameters::with_capacity(values.len());
    for (name, value) in values {
        given.push((name.clone(), value.clone()));
        if is_it(&given) {
            return Some(given);
        }
    }
    None
}
