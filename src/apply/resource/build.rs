//! Makes an applicable resource of the catalog's: each attribute is checked and converted, defaults are filled in.

use std::borrow::Cow;

use pantin_base::Language;
use pantin_machine::Reading;
use pantin_model::catalog::kinds::{self, METAPARAMETERS};
use pantin_model::catalog::{Place, Resource};
use pantin_values::{Str, Value};
use smallvec::SmallVec;

use super::attribute::{AttributeRule, DefaultValue, Feature};
use super::draft::{Draft, Judge};
use super::info::Metaparameters;
use super::metaparameters;
use super::values::{AttributeOrder, AttributeValue, AttributeValues, LAST};
use crate::check::has_feature;
use crate::failure::{Failure, place_suffix};
use crate::log::{Level, Log};
use crate::settings::ApplySettings;
use crate::types::TypeEntry;

/// The checked attributes of a resource.
pub(crate) struct Built {
    pub values: AttributeValues,
    pub metaparameters: Metaparameters,
}

/// How much of a resource is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Completeness {
    Whole,
    /// Some values come later: the whole is not judged.
    InPart,
}

/// Checks and converts all attributes of a resource, in the order in which Puppet does.
pub(crate) fn build(
    kind: &'static TypeEntry,
    resource: &Resource,
    reference: &str,
    (settings, machine, log): (&ApplySettings, &dyn Reading, &Log<'_>),
    judge: Judge<'_>,
    completeness: Completeness,
) -> Result<Built, Failure> {
    let place = resource.place.as_ref();
    let values = AttributeValues::default();
    let draft = Draft { reference, title: &resource.title, place, values, settings, machine, judge, log };
    let language = draft.language();
    let mut builder = Builder { kind, draft, place, metaparameters: Metaparameters::default() };
    let given = named_attributes(kind, resource)?;
    let rules = ordered_rules(kind, language);
    for &rule in &rules {
        match given.iter().find(|(name, _)| *name == rule.name) {
            Some(_) if builder.lacks_feature(rule) => {}
            Some((_, value)) => builder.accept(rule, value, false)?,
            None if Some(rule.name) == kind.namevar || rule.name == "provider" => builder.fill_default(rule)?,
            None => {}
        }
    }
    for name in METAPARAMETERS {
        if let Some((_, value)) = given.iter().find(|(given, _)| *given == name) {
            builder.accept_metaparameter(name, value)?;
        }
    }
    let is_known = |name: &str| kind.attribute(name, language).is_some() || METAPARAMETERS.contains(&name);
    if let Some((unknown, _)) = given.iter().find(|(name, _)| !is_known(name)) {
        return Err(Failure::with_place(format!("no parameter named '{unknown}'"), place));
    }
    builder.add_audited();
    for &rule in &rules {
        if !builder.draft.values.has(rule.name) && rule.has_default() && !builder.lacks_feature(rule) {
            builder.fill_default(rule)?;
        }
    }
    builder.finish(resource, completeness)
}

/// Returns true if a resource is surely taken: what `build` does without defaults, order and words. False says nothing.
pub(crate) fn is_surely_taken(
    kind: &'static TypeEntry,
    resource: &Resource,
    (settings, machine, log): (&ApplySettings, &dyn Reading, &Log<'_>),
    judge: Judge<'_>,
    completeness: Completeness,
) -> bool {
    let place = resource.place.as_ref();
    let values = AttributeValues::default();
    let draft = Draft { reference: "", title: &resource.title, place, values, settings, machine, judge, log };
    let language = draft.language();
    let mut builder = Builder { kind, draft, place, metaparameters: Metaparameters::default() };
    let Some((given, metaparameters)) = sorted_attributes(kind, resource, language) else { return false };
    // Features of the usual provider decide about other attributes.
    let mut has_provider = !["service", "package"].contains(&kind.name);
    for (rank, rule, value) in given {
        if rank > 1 && !has_provider {
            has_provider = true;
            if !builder.take_usual_provider() {
                return false;
            }
        }
        has_provider |= rule.name == "provider";
        if !builder.lacks_feature(rule) && builder.accept_lightly(rule, &value).is_err() {
            return false;
        }
    }
    let mut taken = metaparameters.iter().map(|(name, value)| builder.accept_metaparameter(name, value));
    if taken.any(|taken| taken.is_err()) {
        return false;
    }
    match kind.validate.filter(|_| completeness == Completeness::Whole) {
        Some(validate) => validate(&mut builder.draft).is_ok(),
        None => true,
    }
}

type RankedAttributes<'r> = SmallVec<[(u8, &'static AttributeRule, Cow<'r, Value>); 8]>;
type GivenMetaparameters<'r> = SmallVec<[(&'static str, &'r Value); 4]>;

/// The attributes that a resource gives in the order in which they are set, and its metaparameters. `None`: one is not known.
fn sorted_attributes<'r>(
    kind: &'static TypeEntry,
    resource: &'r Resource,
    language: Language,
) -> Option<(RankedAttributes<'r>, GivenMetaparameters<'r>)> {
    let mut given = RankedAttributes::new();
    let mut metaparameters = GivenMetaparameters::new();
    let find = |name: &str| kind.attribute(name, language);
    for (name, value) in resource.parameters.iter().filter(|(_, value)| **value != Value::Undef) {
        let name = kind.namevar.filter(|_| *name == "name").unwrap_or(name.as_str());
        match find(name) {
            Some(rule) => given.push((rank_of(kind, rule), rule, Cow::Borrowed(value))),
            None => metaparameters.push((METAPARAMETERS.into_iter().find(|known| *known == name)?, value)),
        }
    }
    let mut add = |name: &str, value: Value| {
        if let Some(rule) = find(name).filter(|rule| given.iter().all(|(_, known, _)| known.name != rule.name)) {
            given.push((rank_of(kind, rule), rule, Cow::Owned(value)));
        }
    };
    match kinds::native(kind.name) {
        Some(native) => {
            let parsed = native.parse_title(&resource.title).ok()?;
            parsed.into_iter().for_each(|(name, value)| add(name, value));
        }
        None => kind.namevar.iter().for_each(|namevar| add(namevar, Value::String(resource.title.clone()))),
    }
    given.sort_by_key(|(_, rule, _)| order_of(kind, rule));
    Some((given, metaparameters))
}

fn rank_of(kind: &TypeEntry, rule: &AttributeRule) -> u8 {
    match rule.name {
        // The first of the two that name a key.
        "type" if kind.name == "sshkey" => 0,
        name if Some(name) == kind.namevar => 0,
        "provider" => 1,
        _ if rule.is_property() => 2,
        _ => LAST_RANK,
    }
}

const LAST_RANK: u8 = 3;

/// Returns the rules of a type in the order in which attributes are set: the namevar first, the provider second, then the properties, then
/// the parameters.
fn ordered_rules(kind: &'static TypeEntry, language: Language) -> SmallVec<[&'static AttributeRule; 64]> {
    let rules = kind.attributes.iter().filter(|rule| rule.is_in(language));
    let ranked: SmallVec<[(u8, &AttributeRule); 64]> = rules.map(|rule| (rank_of(kind, rule), rule)).collect();
    let of_rank = |rank| ranked.iter().filter(move |(of, _)| *of == rank).map(|(_, rule)| *rule);
    (0..=LAST_RANK).flat_map(of_rank).collect()
}

/// Returns what values are sorted by. The rules of a type stand in one list: where one lies says which comes first.
fn order_of(kind: &TypeEntry, rule: &'static AttributeRule) -> AttributeOrder {
    (rank_of(kind, rule), std::ptr::from_ref(rule) as usize)
}

/// The parameters of a resource, with what its title says. `name` is another word for the namevar.
fn named_attributes(kind: &TypeEntry, resource: &Resource) -> Result<Vec<(Str, Value)>, Failure> {
    let mut given: Vec<(Str, Value)> = Vec::new();
    for (name, value) in resource.parameters.iter().filter(|(_, value)| **value != Value::Undef) {
        let name = match kind.namevar {
            Some(namevar) if name == "name" => Str::from(namevar),
            _ => name.clone(),
        };
        given.push((name, value.clone()));
    }
    let from_title: Vec<(Str, Value)> = match kinds::native(kind.name) {
        Some(native) => {
            let parsed = native.parse_title(&resource.title).map_err(|fault| Failure::new(fault.to_string()))?;
            parsed.into_iter().map(|(name, value)| (Str::from(name), value)).collect()
        }
        None => {
            kind.namevar.iter().map(|namevar| (Str::from(*namevar), Value::String(resource.title.clone()))).collect()
        }
    };
    for (name, value) in from_title {
        if !given.iter().any(|(known, _)| *known == name) {
            given.push((name, value));
        }
    }
    Ok(given)
}

struct Builder<'a> {
    kind: &'static TypeEntry,
    draft: Draft<'a>,
    place: Option<&'a Place>,
    metaparameters: Metaparameters,
}

impl Builder<'_> {
    /// Sets the provider of a resource that names none.
    fn take_usual_provider(&mut self) -> bool {
        match self.kind.attributes.iter().find(|rule| rule.name == "provider") {
            Some(rule) => self.fill_default(rule).is_ok(),
            None => true,
        }
    }

    fn accept(&mut self, rule: &'static AttributeRule, given: &Value, is_default: bool) -> Result<(), Failure> {
        let (given, is_secret) = match given {
            Value::Sensitive(inner) => (&**inner, true),
            other => (other, false),
        };
        let value = rule.accept(given, &self.draft).map_err(|failure| self.parameter_failure(rule.name, &failure))?;
        self.draft.values.put(AttributeValue {
            name: rule.name,
            order: order_of(self.kind, rule),
            value,
            is_property: rule.is_property(),
            is_list: rule.is_list(),
            is_secret,
            is_default,
        });
        Ok(())
    }

    /// Checks a value without what cannot fail.
    fn accept_lightly(&mut self, rule: &'static AttributeRule, given: &Value) -> Result<(), Failure> {
        let given = match given {
            Value::Sensitive(inner) => &**inner,
            other => other,
        };
        let value = rule.accept_lightly(given, &self.draft)?;
        self.draft.values.put(AttributeValue {
            name: rule.name,
            order: order_of(self.kind, rule),
            value,
            is_property: rule.is_property(),
            is_list: rule.is_list(),
            is_secret: false,
            is_default: false,
        });
        Ok(())
    }

    fn accept_metaparameter(&mut self, name: &'static str, given: &Value) -> Result<(), Failure> {
        let subject = (self.kind, self.draft.reference);
        match metaparameters::accept(name, given, subject, &mut self.metaparameters) {
            Some(accepted) => accepted.map_err(|failure| self.parameter_failure(name, &failure)),
            None => Ok(()),
        }
    }

    /// Returns true if the provider cannot do what an attribute needs.
    fn lacks_feature(&self, rule: &AttributeRule) -> bool {
        let Some(Feature { name, is_of }) = rule.feature else { return false };
        let named = self.draft.text("provider");
        if let Some(node) = self.draft.node() {
            let usual = || node.usual_provider(self.kind.name).map(str::to_owned);
            // Of what nobody knows whether it is left out, nothing is said.
            let provider = named.or_else(usual).unwrap_or_default();
            return has_feature(self.kind.name, &provider, name, self.draft.language()) != Some(true);
        }
        let provider = named.as_deref().or(self.kind.provider).unwrap_or_default();
        let lacks = !is_of(provider, self.draft.machine);
        if lacks && self.draft.log.says(Level::Debug) {
            let text =
                format!("Provider {provider} does not support features {name}; not managing attribute {}", rule.name);
            self.draft.say(Level::Debug, text);
        }
        lacks
    }

    fn fill_default(&mut self, rule: &'static AttributeRule) -> Result<(), Failure> {
        let value = match rule.default {
            DefaultValue::None => None,
            DefaultValue::Text(text) => Some(Value::string(text)),
            DefaultValue::Integer(number) => Some(Value::Integer(number)),
            DefaultValue::Boolean(flag) => Some(Value::Boolean(flag)),
            DefaultValue::Made(make) => make(&self.draft),
        };
        value.map_or(Ok(()), |value| self.accept(rule, &value, true))
    }

    /// Returns the reference as it is while attributes are set: the title of an `sshkey` is made of two of them.
    fn reference_now(&self) -> Cow<'_, str> {
        if self.kind.name != "sshkey" {
            return Cow::Borrowed(self.draft.reference);
        }
        let part = |name: &str| self.draft.text(name).unwrap_or_default();
        Cow::Owned(format!("Sshkey[{}@{}]", part("name"), part("type")))
    }

    fn parameter_failure(&self, name: &str, failure: &Failure) -> Failure {
        if failure.is_whole() {
            return failure.clone();
        }
        let reference = self.reference_now();
        let message = format!("Parameter {name} failed on {reference}: {}", failure.message());
        Failure::with_place(message, self.place)
    }

    /// Adds properties that are audited and have no value: they get no default either.
    fn add_audited(&mut self) {
        for audited in &self.metaparameters.audit {
            if let Some(rule) = self.kind.attributes.iter().find(|rule| rule.name == audited && rule.is_property())
                && !self.draft.values.has(rule.name)
                && !self.lacks_feature(rule)
            {
                self.draft.values.put(AttributeValue {
                    name: rule.name,
                    order: order_of(self.kind, rule),
                    value: Value::array([]),
                    is_property: true,
                    is_list: rule.is_list(),
                    is_secret: false,
                    is_default: true,
                });
            }
        }
    }

    /// Asks the type about the whole, and marks what is secret.
    fn finish(mut self, resource: &Resource, completeness: Completeness) -> Result<Built, Failure> {
        self.metaparameters.audit.retain(|audited| self.draft.values.property(audited).is_some());
        self.draft.values.sort();
        if let Some(validate) = self.kind.validate.filter(|_| completeness == Completeness::Whole) {
            let reference = self.draft.reference;
            validate(&mut self.draft).map_err(|failure| {
                let place = place_suffix(self.place);
                Failure::new(format!("Validation of {reference} failed: {}{place}", failure.message()))
            })?;
        }
        for secret in &resource.sensitive {
            let secret = secret.to_lowercase();
            self.draft.values.set_secret(&secret);
            let is_kept = self.kind.spread_secret.is_some_and(|spread| spread(&secret, &mut self.draft.values));
            if !is_kept && self.draft.values.property(&secret).is_none() && completeness == Completeness::Whole {
                self.draft.say(
                    Level::Warning,
                    format!(
                        "Unable to mark '{secret}' as sensitive: {secret} is a parameter and not a property, and cannot be \
                         automatically redacted."
                    ),
                );
            }
        }
        Ok(Built { values: self.draft.values, metaparameters: self.metaparameters })
    }
}

impl AttributeValues {
    /// Takes a value away: a type has made something else of it.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        let value = self.get(name).cloned();
        self.remove(name);
        value
    }

    /// Marks the value of an attribute as secret, because another one is.
    pub(crate) fn hide(&mut self, name: &str) {
        self.set_secret(name);
    }

    /// Sets the value of a parameter that a maker gives.
    pub(crate) fn set_parameter(&mut self, rule: &AttributeRule, value: Value) {
        self.put(AttributeValue {
            name: rule.name,
            order: LAST,
            value,
            is_property: false,
            is_list: false,
            is_secret: false,
            is_default: false,
        });
    }

    /// Gives a property other desired values, as the type compares them.
    pub(crate) fn set_desired(&mut self, name: &str, desired: Value) {
        self.replace_value(name, desired);
    }

    /// Sets the value of a property that the type works out.
    pub(crate) fn set_property(&mut self, rule: &AttributeRule, value: Value) {
        self.put(AttributeValue {
            name: rule.name,
            order: LAST,
            value: match value {
                Value::Array(items) => Value::Array(items),
                one => Value::array([one]),
            },
            is_property: true,
            is_list: rule.is_list(),
            is_secret: false,
            is_default: true,
        });
    }
}
