//! A person's question for what is bound to a key: the injector is made, and says why the key has its value.
//! It must not know how that is shown.

use std::sync::Arc;

use pantin_base::Language;
use pantin_bindings::{Explanation, Injector, Key, State, key_of, key_of_type, rule};
use pantin_hiera::{DecryptedTexts, KeyRequest as DataKey};
use pantin_model::trace::{Answer, Failure};
use pantin_values::{Fault, Hash, Str, Value, types};

use super::bindings::BindingsOutside;
use super::state::TOP;
use super::{Compiler, Frame, LookupCaller, Main};
use crate::report::failure_of;

/// What a person asks of an injector.
#[derive(Clone, Debug, Default)]
pub struct InjectionRequest {
    pub keys: Vec<WantedKey>,
    /// Ask for each key that is bound.
    pub is_for_all: bool,
    pub arguments: Option<Hash>,
    /// Whether the catalog is made first, so that parameters of its resources are known.
    pub compiles: bool,
}

/// A key in the words of a person.
#[derive(Clone, Debug)]
pub enum WantedKey {
    /// A name, perhaps with the type that its value has to have.
    Name { name: Str, value_type: Option<Str> },
    /// A type without a name.
    Type(Str),
    /// A name of the injector's own, `/param/…`.
    Own(Str),
    /// All variables that are bound.
    Variables,
}

/// What an injector says.
#[derive(Debug)]
pub struct InjectionAnswer {
    pub state: State,
    /// The layers, each with its definitions.
    pub layers: Vec<(Str, Vec<Str>)>,
    pub injections: Vec<ExplainedInjection>,
    /// What was decrypted on the way: it is not shown.
    pub decrypted: DecryptedTexts,
}

/// A key with its value, and why it has that.
#[derive(Debug)]
pub struct ExplainedInjection {
    pub explanation: Explanation,
    /// Who may give a parameter its value, in the order in which they are asked; nothing for another key.
    pub sources: Vec<ParameterGiver>,
}

impl ExplainedInjection {
    pub fn has_value(&self) -> bool {
        matches!(self.explanation.value, Ok(Some(_)))
    }

    /// Returns true if nothing is bound to the key.
    pub fn is_unbound(&self) -> bool {
        match &self.explanation.value {
            Ok(value) => value.is_none(),
            Err(fault) => fault.code() == rule::UNBOUND.code,
        }
    }
}

/// Who may give a parameter its value, and what it said.
#[derive(Clone, Debug)]
pub struct ParameterGiver {
    pub who: &'static str,
    pub said: String,
}

impl Compiler<'_> {
    /// Makes the injector, and the catalog where that is wanted, and asks for keys.
    pub(crate) fn answer_injections(
        &mut self,
        main: &Main<'_>,
        request: &InjectionRequest,
    ) -> Result<InjectionAnswer, Failure> {
        self.bindings.is_explained = true;
        if request.compiles {
            self.evaluate_catalog(main)?;
        } else {
            self.load_manifests(main)?;
        }
        let Some(injector) = self.bindings.injector.clone() else {
            let fault = Fault::new("The environment has no bindings");
            let help = match self.loader.base.settings.language {
                Language::Puppet7 => "with --puppet 7 there are no bindings",
                Language::Puppet8 | Language::OpenVox8 => "a file bindings/default.pp, or a site statement, makes some",
            };
            return Err(failure_of(fault.with_help(help)));
        };
        self.frames.push(Frame::from_scope(TOP));
        let injections = self.explained(&injector, request);
        self.frames.pop();
        let layer = |layer: &pantin_bindings::Layer| {
            let definitions = layer.definitions.iter().map(|definition| definition.uri.clone());
            let data = layer.has_data.then(|| Str::from("hiera:/"));
            (layer.title.clone(), definitions.chain(data).collect())
        };
        let layers = injector.table.layers.iter().map(layer).collect();
        let injections = injections.map_err(failure_of)?;
        Ok(InjectionAnswer { state: injector.state.clone(), layers, injections, decrypted: self.decrypted_texts() })
    }

    fn explained(
        &mut self,
        injector: &Arc<Injector>,
        request: &InjectionRequest,
    ) -> Result<Vec<ExplainedInjection>, Fault> {
        let mut injections = Vec::new();
        for (key, wanted) in self.wanted_keys(injector, request)? {
            let mut explanation = injector.explain(&key, request.arguments.as_ref(), &mut BindingsOutside(self));
            if let (Ok(Some(value)), Some(wanted)) = (&explanation.value, &wanted)
                && let Err(fault) = pantin_bindings::check_type(&key, wanted, value)
            {
                explanation.value = Err(fault);
            }
            let is_unbound = matches!(explanation.value, Ok(None));
            if is_unbound && explanation.candidates.is_empty() {
                explanation.value = Err(injector.unbound(&key));
            }
            let sources = self.parameter_givers(&key, &explanation);
            injections.push(ExplainedInjection { explanation, sources });
        }
        Ok(injections)
    }

    /// The keys that are meant, each with the type that its value has to have.
    fn wanted_keys(
        &mut self,
        injector: &Injector,
        request: &InjectionRequest,
    ) -> Result<Vec<(Key, Option<pantin_values::Type>)>, Fault> {
        let mut keys = Vec::new();
        if request.is_for_all {
            keys.extend(injector.bound_keys().iter().map(|key| (key.clone(), None)));
        }
        for wanted in &request.keys {
            match wanted {
                WantedKey::Name { name, value_type: None } => keys.push((key_of(None, Some(name)), None)),
                WantedKey::Name { name, value_type: Some(of) } => {
                    let of = types::parse(of, &mut self.loader)?;
                    keys.push((key_of(Some(&of), Some(name)), Some(of)));
                }
                WantedKey::Type(of) => keys.push((key_of_type(&types::parse(of, &mut self.loader)?), None)),
                WantedKey::Own(name) => keys.push((Key::own(name), None)),
                WantedKey::Variables => {
                    keys.extend(injector.bound_variables().into_iter().map(|(_, key)| (key, None)));
                }
            }
        }
        Ok(keys)
    }

    /// Says what each of those said that may give a parameter its value.
    fn parameter_givers(&mut self, key: &Key, explanation: &Explanation) -> Vec<ParameterGiver> {
        let Some((subject, name)) = key.parameter_parts() else { return Vec::new() };
        let literal = |value: &Value| pantin_values::format::literal(value).to_string();
        let bound = match &explanation.value {
            Ok(Some(value)) => literal(value),
            Ok(None) => "nothing".to_owned(),
            Err(fault) if fault.code() == rule::UNBOUND.code => "nothing".to_owned(),
            Err(fault) => fault.message.to_string(),
        };
        let giver = |who, said: String| ParameterGiver { who, said };
        let given = giver("declaration", "what is given there comes first".to_owned());
        let Some(class) = subject.strip_prefix("Class[").and_then(|rest| rest.strip_suffix(']')) else {
            let order = match subject.contains('[') {
                true => "above resource defaults",
                false => "below resource defaults",
            };
            return vec![given, giver("bindings", format!("{bound} ({order})")), self.code_default(subject, name)];
        };
        let data = self.data_of_parameter(&format!("{class}::{name}"));
        vec![given, giver("bindings", bound), giver("data", data), self.code_default(subject, name)]
    }

    fn data_of_parameter(&mut self, key: &str) -> String {
        let Some(lookups) = self.lookups.clone() else { return "nothing".to_owned() };
        let wanted = DataKey::named(key.to_owned());
        match self.asking(LookupCaller::default(), |compiler| lookups.lookup_parameter(&wanted, compiler)) {
            Answer::Value(Value::Symbol(_)) => "undef".to_owned(),
            Answer::Value(value) if self.decrypted_texts().hide(&value).is_some() => {
                "Sensitive [value redacted]".to_owned()
            }
            Answer::Value(value) => pantin_values::format::literal(&value).to_string(),
            Answer::Fault(fault) => fault.message.to_string(),
            _ => "nothing".to_owned(),
        }
    }

    fn code_default(&mut self, subject: &str, name: &str) -> ParameterGiver {
        let said = match self.has_code_default(subject, name) {
            Some(true) => "a default",
            Some(false) => "no default",
            None => "no such parameter",
        };
        ParameterGiver { who: "code", said: said.to_owned() }
    }
}
