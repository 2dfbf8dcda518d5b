//! Runs today's code of a class or defined type on the answers in one of its traces. Asks neither a node nor a catalog.

use std::sync::{Arc, OnceLock};

use pantin_base::budget::Steps;
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
    /// A trace of one node, as an example: other nodes share most of its steps.
    example: OnceLock<Trace>,
}

/// The parameters that a body is given, with their values.
type GivenParameters = Vec<(Str, Value)>;

impl Site {
    /// Returns how many steps the code of one node may take.
    pub fn max_steps(&self) -> u64 {
        self.base().settings.limits.steps
    }

    /// For the class or the defined type of this name; `None`: it is not found.
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
    /// Returns the file that the definition stands in.
    pub fn file(&self) -> Option<&str> {
        self.definition.file()
    }

    /// Returns the trace of the walk with the current code, and its key; `None` if the code asks a question without a
    /// recorded answer. `given`: the parameters in its old and in its new declaration, if the declaration changed.
    pub fn replay(
        &self,
        walk: &BodyWalk,
        of: &Resource,
        given: Option<[GivenParameters; 2]>,
        recorded: &Trace,
        traces: &Traces,
    ) -> Option<(Key, Trace)> {
        let subject: Str = of.reference().into();
        let key_of = |given: &[(Str, Value)]| {
            traces.key(self.body.digest, instance_digest(&self.instance(subject.clone(), given)))
        };
        let is_it = |given: &[(Str, Value)]| key_of(given).parameters == walk.key.parameters;
        let given = match given {
            Some([before, now]) => is_it(&before).then_some(now)?,
            None => recorded_parameters(recorded, is_it)?,
        };
        let instance = self.instance(subject.clone(), &given);
        let (body, settings, builtins) = (&self.body, self.settings, self.builtins);
        let run = |host: &mut dyn pantin_model::trace::Host| {
            let steps = Steps::begin(settings.limits.steps);
            let result = run_definition(body, instance, host, settings, builtins);
            host.note_steps(steps.spent());
            result
        };
        let mut now = stack::with_room(|| recall(recorded, traces.secrets(), &body.name, run))?;
        let example = self.example.get().map(|example| &example.steps[..]);
        traces.share_with([&recorded.steps, example.unwrap_or_default()], &mut now);
        // If several threads get here at once, any of their traces will do.
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

/// Returns the parameters that the body was declared with in this trace: they come first among the values of its
/// parameters.
fn recorded_parameters(recorded: &Trace, is_it: impl Fn(&[(Str, Value)]) -> bool) -> Option<GivenParameters> {
    if is_it(&[]) {
        return Some(Vec::new());
    }
    let values = recorded.steps.iter().find_map(|recorded| match recorded.step.effect() {
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
