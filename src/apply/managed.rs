//! A resource that can look at the machine and bring it into its desired state.

use std::any::Any;

use pantin_machine::Reading;
use pantin_values::{Str, Value};

use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::Footprint;
use crate::provider::ProvidedBy;
use crate::types::FileToRead;
use crate::value::{display, is_word, text};

/// A resource that can be applied. A type says what is and what should be; the transaction says what changed.
pub trait Managed: Send {
    /// The properties that the resource has a value for, or that are audited: `ensure` first, then as the type declares them. A
    /// type without any has nothing to look at or to change itself.
    fn properties(&self) -> &[Property] {
        &[]
    }

    /// Looks at the machine: the current value of each property.
    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let _ = context;
        Ok(Observation::new())
    }

    /// Returns true if nothing is to be done for a property. Asked only for one with a desired value.
    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        let _ = context;
        Ok(property.matches(is))
    }

    /// Brings one property into its desired state. What `ensure` does to create must set all others too.
    fn change(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let _ = (is, context);
        Err(Failure::new(format!("the property {} cannot be changed", property.name)))
    }

    /// Says a change in words of the type's own, before a noop or after a change.
    fn describe(&self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> ChangeMessage {
        let _ = (property, is, context);
        ChangeMessage::Standard
    }

    /// Looks up what shows a recorded value.
    fn learn_recorded(&mut self, property: &Property, recorded: &Value, context: &ApplyContext<'_>) {
        let _ = (property, recorded, context);
    }

    /// Shows a current value (also a recorded one).
    fn show_current(&self, property: &Property, value: &Value) -> String {
        let _ = property;
        display(value)
    }

    /// Shows the desired value.
    fn show_desired(&self, property: &Property) -> String {
        display(&property.should())
    }

    /// Returns the name of the event of a change, where the type has one of its own: `executed_command`.
    fn event_name(&self, property: &Property) -> Option<String> {
        let _ = property;
        None
    }

    /// Returns true if a change of this property makes a refresh that waits for the resource needless.
    fn drops_refresh(&self, property: &Property) -> bool {
        let _ = property;
        false
    }

    /// Ends what was changed. Called once, if anything was.
    fn flush(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let _ = context;
        Ok(())
    }

    /// Returns true if events refresh the resource.
    fn can_refresh(&self) -> bool {
        false
    }

    /// Reacts to events.
    fn refresh(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let _ = context;
        Ok(())
    }

    /// Returns true if a change of the resource refreshes it as well.
    fn refreshes_itself(&self) -> bool {
        false
    }

    /// Says why the resource cannot be carried out on the machine as it is now: it may wait for what brings its provider.
    fn lack(&self, machine: &dyn Reading) -> Option<ProviderLack> {
        let _ = machine;
        None
    }

    /// Looks for what the resource needs in the catalog. A failure ends the run before anything is applied.
    fn check(&self, catalog: &AppliedCatalog) -> Result<(), Failure> {
        let _ = catalog;
        Ok(())
    }

    /// Makes more resources before anything is applied. They stand behind this one in the catalog, or before it where the type is
    /// applied from below (`generates_before`).
    fn generate(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let _ = context;
        Ok(Vec::new())
    }

    /// Returns true if what `generate` makes has the relationships of its maker.
    fn hands_on_relations(&self) -> bool {
        false
    }

    /// Returns true if what `generate` makes comes before its maker: a folder is removed after its content.
    fn generates_before(&self) -> bool {
        false
    }

    /// Makes the resources inside this one, just before it is looked at.
    fn children(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let _ = context;
        Ok(Vec::new())
    }

    /// Returns the name by which `children` of other resources find this one; of a file its path.
    fn name(&self) -> Option<&str> {
        None
    }

    /// The names of the resources that a child may lie in, the nearest first.
    fn ancestors(&self) -> Vec<String> {
        Vec::new()
    }

    /// Finds out what is desired beside the attributes before the resource's turn: looks at its source, asks the catalog. A failure says
    /// that this is not known before the turn.
    fn learn(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let _ = context;
        Ok(())
    }

    /// Returns what is desired beside the attributes, once the resource was looked at: what stands at its source, what
    /// it asked of the catalog.
    fn learnt_parts(&self, catalog: &AppliedCatalog) -> Vec<String> {
        let _ = catalog;
        Vec::new()
    }

    /// Returns the provider that reads and carries out the resource together with others of its type.
    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        None
    }

    /// Returns what a change of the resource can reach.
    fn footprint(&self) -> Footprint {
        Footprint::Anything
    }

    fn observation_mode(&self) -> ObservationMode {
        ObservationMode::InTurn
    }

    /// Returns the files that a look at the resource reads whole.
    fn files_to_read(&self) -> Vec<FileToRead> {
        Vec::new()
    }

    /// Says how it is found out whether the resource is in step.
    fn state_check(&self) -> StateCheck {
        StateCheck::Look
    }
}

/// A property of a resource, with its desired value.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    pub name: &'static str,
    /// The desired values: any of them will do, or all of them if it is a list. Empty if the property is only audited.
    pub desired: Vec<Value>,
    pub is_list: bool,
    pub is_secret: bool,
}

impl Property {
    /// Returns the desired value: the first one, or the whole list.
    pub fn should(&self) -> Value {
        match self.is_list {
            true => Value::array(self.desired.iter().cloned()),
            false => self.desired.first().cloned().unwrap_or_default(),
        }
    }

    /// Returns true if the resource says what should be.
    pub fn is_desired(&self) -> bool {
        !self.desired.is_empty()
    }

    /// Compares as types do that have no rule of their own: by value, and by text.
    pub fn matches(&self, is: &Value) -> bool {
        if !self.is_list {
            return self.desired.is_empty() || self.desired.iter().any(|desired| is_equal(is, desired));
        }
        match is {
            Value::Array(items) => {
                items.len() == self.desired.len()
                    && items.iter().zip(&self.desired).all(|(is, desired)| is_equal(is, desired))
            }
            _ => self.desired.is_empty(),
        }
    }
}

/// Returns true if a current value is the desired one, or its text.
pub fn is_equal(is: &Value, desired: &Value) -> bool {
    is == desired || matches!(is, Value::String(is) if *is == *text(desired))
}

/// The current values of a resource's properties.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Observation {
    values: Vec<(&'static str, Value)>,
}

impl Observation {
    pub fn new() -> Observation {
        Observation::default()
    }

    /// Sets the current value of a property.
    pub fn set(&mut self, property: &'static str, value: Value) {
        match self.values.iter_mut().find(|(name, _)| *name == property) {
            Some((_, known)) => *known = value,
            None => self.values.push((property, value)),
        }
    }

    #[must_use]
    pub fn with(mut self, property: &'static str, value: Value) -> Observation {
        self.set(property, value);
        self
    }

    /// Returns what there is to be said of something that is not there: all that `properties` name is absent.
    pub fn absent(properties: &[Property]) -> Observation {
        let mut observation = Observation::new().with("ensure", Value::Symbol(Str::from("absent")));
        properties.iter().for_each(|property| observation.set(property.name, Value::Symbol(Str::from("absent"))));
        observation
    }

    pub fn get(&self, property: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| *name == property).map(|(_, value)| value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    /// Returns false if what is managed is not there.
    pub fn is_present(&self) -> bool {
        !self.get("ensure").is_some_and(|ensure| is_word(ensure, "absent"))
    }
}

/// How a change is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChangeMessage {
    /// `mode changed '0644' to '0600'`; of `ensure`: `created`, `removed`, `ensure changed 'a' to 'b'`.
    Standard,
    Text(String),
}

/// `created`, `removed` or `ensure changed 'a' to 'b'`: how types that can be absent tell a change of `ensure`.
pub fn ensure_message(is: &Value, should: &Value) -> String {
    if is_word(is, "absent") || *is == Value::Undef {
        "created".to_owned()
    } else if is_word(should, "absent") {
        "removed".to_owned()
    } else {
        format!("ensure changed {} to {}", display(is), display(should))
    }
}

/// A resource that another one makes.
pub struct Generated {
    /// `File`
    pub type_name: &'static str,
    pub title: String,
    pub parameters: Vec<(Str, Value)>,
    /// The resource where its maker has made the object too; else it is built of the parameters, by the rules of its type.
    pub managed: Option<Box<dyn Managed>>,
    /// What its maker hands on besides.
    pub payload: Option<Box<dyn Any + Send>>,
}

impl Generated {
    pub fn new(type_name: &'static str, title: impl Into<String>, parameters: Vec<(Str, Value)>) -> Generated {
        Generated { type_name, title: title.into(), parameters, managed: None, payload: None }
    }
}

/// When a resource may be observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservationMode {
    /// Ahead of the walk, beside others: looks through `Reading` alone.
    Ahead,
    /// In its turn only: runs a command.
    InTurn,
}

/// How it is found out whether a resource is in step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateCheck {
    /// By looking at the machine.
    Look,
    /// By running a command that belongs to the resource.
    Command,
    /// By what was recorded: it was carried out since it was described like this. Looking would not tell.
    Record,
}
