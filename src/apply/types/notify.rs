//! The type `notify`: says a message in each run.

use pantin_values::Value;

use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::managed::{Managed, Observation, Property, StateCheck};
use crate::resource::AttributeRule;
use crate::value::{symbol, text};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "notify",
    namevar: Some("name"),
    provider: None,
    attributes: &[
        AttributeRule::property("message").default_made(|draft| draft.get("name").cloned()),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("withpath").words(&[("true", "true"), ("false", "false")]).default_text("false"),
    ],
    validate: None,
    spread_secret: None,
    make,
};

struct Notify {
    properties: Vec<Property>,
    has_path: bool,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    // The value false is as good as none.
    let is_said = |property: &Property| property.desired != [Value::Boolean(false)];
    let properties = new.values.properties().into_iter().filter(is_said).collect();
    Ok(Box::new(Notify { properties, has_path: new.values.is_true("withpath") }))
}

impl Managed for Notify {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, _context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        Ok(Observation::new().with("message", symbol("absent")))
    }

    fn is_in_step(&mut self, _: &Property, _: &Value, _: &ApplyContext<'_>) -> Result<bool, Failure> {
        Ok(false)
    }

    fn change(&mut self, property: &Property, _is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let should = property.should();
        let message = match property.is_secret {
            true => "Sensitive [value redacted]".to_owned(),
            false => text(&should).into_owned(),
        };
        let level = context.resource.metaparameters.level;
        match self.has_path {
            true => context.say_of(property.name, level, message),
            false => context.say_bare(level, message),
        }
        Ok(())
    }

    fn footprint(&self) -> Footprint {
        Footprint::Nothing
    }

    fn state_check(&self) -> StateCheck {
        StateCheck::Record
    }
}
