//! Resources that are surely taken, found out with as little code run as will do: what is refused is made once more, for the agent's words.
//!
//! An attribute whose values are judged alone is only made where code asks for it.

use std::rc::Rc;

use pantin_values::Str;

use super::attributes::{new_attribute, set_accepted, set_plainly};
use super::plans::{DefaultPlan, PlannedAttribute, Plans, ValuePlan};
use super::{CheckedResource, Interp};
use crate::border::inward;
use crate::class::Class;
use crate::stop::{Flow, Stop};
use crate::value::Value;

/// What is found out of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LightVerdict {
    Taken,
    /// It ends in something that is not run here: nobody knows.
    Unknown,
    /// It may be refused, and is to be made as the agent makes it.
    Open,
}

/// An attribute of the resource that is being made, by its number among the planned ones.
#[derive(Clone, Default)]
pub(super) enum Pending {
    /// It is made, or is not there.
    #[default]
    Nothing,
    Given(pantin_values::Value),
    Default,
}

/// So many values of attributes are remembered for a type, and none that is longer.
const MOST_VALUES: usize = 5_000;
const LONGEST_VALUE: usize = 200;

/// What came of a value that was judged alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueVerdict {
    Taken,
    /// Code that is not run here.
    Unknown,
    Refused,
}

impl Interp<'_> {
    /// Judges a resource. What it leaves behind is good for nothing.
    pub(super) fn judge_lightly(&mut self, class: Class, resource: CheckedResource<'_>) -> LightVerdict {
        let plans = Rc::clone(&self.checks().plans);
        let Some(numbered) = numbered(&plans, resource) else { return LightVerdict::Open };
        let looks_at_resource = plans.looks_at_resource
            || numbered.iter().any(|(number, _)| plans.attributes[*number].values == ValuePlan::OfResource);
        if !looks_at_resource {
            let mut given = numbered.iter().map(|(number, value)| self.judge_value(&plans, *number, value));
            return match given.all(|verdict| verdict == ValueVerdict::Taken) {
                true => LightVerdict::Taken,
                // What is unknown matters to nobody, but where it may have set something.
                false => self.judge_unknown(&plans, &numbered),
            };
        }
        let made = self.make_lightly(class, &plans, &numbered, resource);
        self.checks().pending.clear();
        match made.map_err(|stop| *stop) {
            Ok(verdict) => verdict,
            Err(Stop::Raise(_)) => LightVerdict::Open,
            // A variable was asked for that is not there before the whole is made.
            Err(_) if self.checks().reads_hidden => LightVerdict::Open,
            Err(_) => LightVerdict::Unknown,
        }
    }

    fn judge_unknown(&mut self, plans: &Plans, numbered: &[(usize, &pantin_values::Value)]) -> LightVerdict {
        let sets_attributes = self.checks().sets_attributes;
        let is_fine = |interp: &mut Self, number: usize, value: &pantin_values::Value| {
            matches!(interp.judge_value(plans, number, value), ValueVerdict::Taken | ValueVerdict::Unknown)
        };
        match !sets_attributes && numbered.iter().all(|(number, value)| is_fine(self, *number, value)) {
            true => LightVerdict::Taken,
            false => LightVerdict::Open,
        }
    }

    fn make_lightly(
        &mut self,
        class: Class,
        plans: &Rc<Plans>,
        numbered: &[(usize, &pantin_values::Value)],
        resource: CheckedResource<'_>,
    ) -> Flow<LightVerdict> {
        let object = self.begin_resource(class, resource)?;
        self.checks().pending = vec![Pending::Nothing; plans.attributes.len()];
        let mut is_given = vec![false; plans.attributes.len()];
        for (number, value) in numbered {
            let (number, planned) = (*number, &plans.attributes[*number]);
            is_given[number] = true;
            match planned.values {
                ValuePlan::Unknown => drop(self.checks().unknown.insert(planned.name.clone())),
                ValuePlan::OfResource => self.set_given(&object, &planned.name, inward(value))?,
                ValuePlan::Plain | ValuePlan::Named | ValuePlan::OfValue => {
                    match self.judge_value(plans, number, value) {
                        ValueVerdict::Taken => self.checks().pending[number] = Pending::Given((*value).clone()),
                        ValueVerdict::Unknown if !self.checks().sets_attributes => {
                            self.checks().unknown.insert(planned.name.clone());
                        }
                        ValueVerdict::Unknown | ValueVerdict::Refused => return Ok(LightVerdict::Open),
                    }
                }
            }
        }
        for (number, planned) in plans.attributes.iter().enumerate().filter(|(number, _)| !is_given[*number]) {
            self.leave_default(&object, number, planned)?;
        }
        self.validate_whole(&object, resource.reference)?;
        Ok(LightVerdict::Taken)
    }

    fn leave_default(&mut self, object: &Value, number: usize, planned: &PlannedAttribute) -> Flow<()> {
        match planned.default {
            _ if planned.name == "provider" => drop(self.checks().unknown.insert(planned.name.clone())),
            DefaultPlan::None => {}
            // Code may have set it.
            DefaultPlan::Taken => {
                if self.attribute_object_if(object, &planned.name)?.is_nil() {
                    self.checks().pending[number] = Pending::Default;
                }
            }
            DefaultPlan::Unknown => drop(self.checks().unknown.insert(planned.name.clone())),
            DefaultPlan::OfResource => self.set_default(object, &planned.name)?,
        }
        Ok(())
    }

    /// Judges a value of an attribute that does not look at its resource.
    fn judge_value(&mut self, plans: &Plans, number: usize, value: &pantin_values::Value) -> ValueVerdict {
        let planned = &plans.attributes[number];
        match (planned.values, value) {
            (ValuePlan::Unknown | ValuePlan::Plain, _) => ValueVerdict::Taken,
            (_, pantin_values::Value::Array(items)) if planned.is_property => {
                if items.iter().any(|item| matches!(item, pantin_values::Value::Array(_))) {
                    return ValueVerdict::Refused;
                }
                let mut verdicts = items.iter().map(|item| self.judge_item(planned, number, item));
                let first = verdicts.find(|verdict| *verdict != ValueVerdict::Taken);
                first.unwrap_or(ValueVerdict::Taken)
            }
            (_, value) => self.judge_item(planned, number, value),
        }
    }

    fn judge_item(&mut self, planned: &PlannedAttribute, number: usize, value: &pantin_values::Value) -> ValueVerdict {
        if planned.values == ValuePlan::Named
            && let Some(text) = as_text(value)
        {
            let named = self.checks().values.get(&planned.class).cloned();
            let found = named.and_then(|values| values.find_text(text));
            if found.is_some_and(|found| !found.needs_feature) {
                return ValueVerdict::Taken;
            }
        }
        let key = as_text(value).filter(|text| text.len() <= LONGEST_VALUE).map(|text| {
            let is_text = matches!(value, pantin_values::Value::String(_));
            (number, is_text, Str::from(text))
        });
        if let Some(key) = &key
            && let Some(known) = self.checks().judged.get(key)
        {
            return *known;
        }
        let verdict = self.run_value(planned, value);
        if let Some(key) = key {
            let judged = &mut self.checks().judged;
            if judged.len() >= MOST_VALUES {
                judged.clear();
            }
            judged.insert(key, verdict);
        }
        verdict
    }

    fn run_value(&mut self, planned: &PlannedAttribute, value: &pantin_values::Value) -> ValueVerdict {
        let Ok(attribute) = new_attribute(self, planned.class, &Value::Nil) else { return ValueVerdict::Refused };
        let set = self.send(&attribute, "value=", &[inward(value)]).map(drop);
        let verdict = match set.map_err(|stop| *stop) {
            Ok(()) => return ValueVerdict::Taken,
            Err(Stop::Raise(exception)) if self.is_about_lack(&exception) => ValueVerdict::Unknown,
            Err(Stop::Fatal(_)) if self.has_steps() => ValueVerdict::Unknown,
            Err(_) => ValueVerdict::Refused,
        };
        self.forget_lack();
        verdict
    }

    /// Makes an attribute that nobody has asked for before.
    pub(super) fn make_pending(&mut self, resource: &Value, name: &str) -> Flow<Option<Value>> {
        if self.checks().pending.is_empty() {
            return Ok(None);
        }
        let plans = Rc::clone(&self.checks().plans);
        let Some(number) = plans.number(name) else { return Ok(None) };
        let planned = &plans.attributes[number];
        let value = match self.checks().pending.get_mut(number).map(std::mem::take) {
            None | Some(Pending::Nothing) => return Ok(None),
            Some(Pending::Default) => {
                self.take_default(resource, &planned.name, planned.class)?;
                return Ok(self.made_attributes().get(&Value::Symbol(planned.name.clone())));
            }
            Some(Pending::Given(value)) => inward(&value),
        };
        let attribute = new_attribute(self, planned.class, resource)?;
        self.made_attributes().insert(Value::Symbol(planned.name.clone()), attribute.clone());
        match planned.values {
            ValuePlan::Plain => set_plainly(self, &attribute, value)?,
            _ => set_accepted(self, &attribute, value)?,
        }
        Ok(Some(attribute))
    }

    /// Makes all attributes that nobody has asked for before.
    pub(super) fn make_all_pending(&mut self, resource: &Value) -> Flow<()> {
        let plans = Rc::clone(&self.checks().plans);
        for planned in &plans.attributes {
            self.make_pending(resource, &planned.name)?;
        }
        Ok(())
    }
}

/// The attributes that a resource gives, by their numbers, in the order in which they are set. `None`: one is none of the type, or not judged
/// here.
fn numbered<'r>(plans: &Plans, resource: CheckedResource<'r>) -> Option<Vec<(usize, &'r pantin_values::Value)>> {
    let mut numbered = Vec::with_capacity(resource.attributes.len());
    for (name, value) in resource.attributes {
        match plans.number(name) {
            Some(number) => numbered.push((number, value)),
            None if pantin_model::catalog::kinds::METAPARAMETERS.contains(&name.as_str()) => {}
            None => return None,
        }
    }
    numbered.sort_by_key(|(number, _)| *number);
    // The namevar may have been given by two names.
    numbered.dedup_by_key(|(number, _)| *number);
    Some(numbered)
}

/// Returns what a value is compared as, where that is the same in Ruby.
fn as_text(value: &pantin_values::Value) -> Option<&str> {
    match value {
        pantin_values::Value::String(text) => Some(text),
        pantin_values::Value::Boolean(true) => Some("true"),
        pantin_values::Value::Boolean(false) => Some("false"),
        _ => None,
    }
}
