//! Parameters while the defaults of others are worked out. The body has them for itself; whoever looks at them from outside, or
//! by a name that is no local, is shown those that have a value by then.

use std::sync::Arc;

use pantin_model::trace::{Effect, Failure, Shape, Standing};
use pantin_values::{Fault, Str, Value};

use super::code::{Lambda, Locals};
use super::definition::Instance;
use super::machine::Machine;
use super::stop::{Flow, Reason, Stop};
use super::variable_value::VariableValue;

#[derive(Debug)]
pub(super) struct PendingParameters {
    /// The names of the slots: the parameters first, so many.
    slots: Arc<[Str]>,
    count: usize,
    /// What the resource was given that is no parameter: a variable beside them.
    beside: Vec<(Str, Value)>,
    /// What stands before the names of a class's variables for others: `a::b::`.
    prefix: Option<Str>,
    /// The one whose default is being worked out.
    of: usize,
    is_shown: bool,
}

impl PendingParameters {
    pub(super) fn new(lambda: &Lambda, instance: &Instance<'_>) -> PendingParameters {
        let beside = instance.arguments.iter().filter(|(name, _)| lambda.position(name).is_none());
        PendingParameters {
            slots: Arc::clone(&lambda.slots),
            count: lambda.params.len(),
            beside: beside.cloned().collect(),
            prefix: instance.data_prefix.clone(),
            of: 0,
            is_shown: false,
        }
    }

    fn names(&self) -> &[Str] {
        &self.slots[..self.count]
    }

    /// The name that a variable has in the scope of the body, if this is how the code that stands there would ask for it.
    fn own_name<'n>(&self, name: &'n str, standing: Standing) -> Option<&'n str> {
        if !name.contains("::") {
            return (standing == Standing::Own).then_some(name);
        }
        let own = name.strip_prefix("::").unwrap_or(name).strip_prefix(self.prefix.as_deref()?)?;
        (!own.contains("::")).then_some(own)
    }
}

impl Machine<'_> {
    /// The value of a parameter that was given none.
    pub(super) fn default_parameter(&mut self, lambda: &Lambda, instance: &Instance<'_>, slot: usize) -> Flow {
        let Some(default) = &lambda.params[slot].default else { return Ok(Value::Undef) };
        let half_done = self.half_done.get_or_insert_with(|| PendingParameters::new(lambda, instance));
        (half_done.of, half_done.is_shown) = (slot, false);
        let result = self.default_value(default).map_err(|stop| self.at_definition(self.as_own(stop)));
        Ok(result?.as_parameter()?)
    }

    /// An error that knows no place is told that of the definition.
    fn at_definition(&self, stop: Stop) -> Stop {
        match *stop.0 {
            Reason::Failure(failure)
                if matches!(failure.shape, Shape::Plain | Shape::Bare) && !tells_place(&failure) =>
            {
                let definition = self.unit.spans.len().saturating_sub(1) as u32;
                let shape = if failure.shape == Shape::Plain { Shape::Default } else { Shape::BareDefault };
                Failure { shape, at: Some(self.place(definition)), ..failure }.into()
            }
            other => other.into(),
        }
    }

    /// Before the outside is asked for a variable that may be a parameter, or stands beside them.
    pub(super) fn before_asking(&mut self, name: &str) -> Flow<()> {
        let Some(half_done) = &self.half_done else { return Ok(()) };
        let Some(own) = half_done.own_name(name, self.standing) else { return Ok(()) };
        match half_done.names().iter().position(|known| known == own) {
            Some(slot) if self.slots[slot].is_none() => Err(Reason::TooEarly(self.too_early(half_done, slot)).into()),
            None if !half_done.beside.iter().any(|(known, _)| known == own) => Ok(()),
            _ => {
                self.show_parameters();
                Ok(())
            }
        }
    }

    fn too_early(&self, half_done: &PendingParameters, slot: usize) -> Fault {
        let subject = self.subject.as_deref().unwrap_or_default();
        let (names, of) = (half_done.names(), half_done.of);
        Fault::new(too_early(subject, &names[of], &names[slot], slot < of))
    }

    /// Before anything is done or asked in which others look at the parameters.
    pub(super) fn show_parameters(&mut self) {
        let Some(half_done) = &mut self.half_done else { return };
        if std::mem::replace(&mut half_done.is_shown, true) {
            return;
        }
        let mut values = half_done.beside.clone();
        for (name, seen) in half_done.names().iter().zip(&self.slots) {
            if let Some(VariableValue::Value(value)) = seen {
                values.push((name.clone(), value.clone()));
            }
        }
        let of = half_done.names()[half_done.of].clone();
        self.host.apply(&Effect::Showing { of, values: values.into() });
    }

    /// Returns true if a template has not this variable for its own, although the code that renders it sees it: it has
    /// those of the scope and of lambdas, and no parameter before all of them have values.
    pub(super) fn hides(&self, name: &str, locals: &Locals) -> bool {
        let Some(half_done) = self.half_done.as_ref().filter(|_| self.standing == Standing::Own) else { return false };
        let places = locals.iter().find(|(known, _)| known == name).map(|(_, places)| &**places);
        let mut places = places.unwrap_or_default().iter();
        match places.find(|(depth, slot)| self.slot_at(*depth, *slot).is_some()) {
            Some(&(depth, _)) => (0..depth).fold(self.frame, |frame, _| self.frames[frame].parent) == 0,
            None => {
                half_done.beside.iter().any(|(known, _)| known == name)
                    || half_done.names().iter().any(|known| known == name)
            }
        }
    }

    /// Returns true if others can look at them at all: those of a class alone are known by a name.
    pub(super) fn is_looked_at(&self) -> bool {
        self.half_done.as_ref().is_some_and(|half_done| half_done.prefix.is_some())
    }

    /// Others that look at a parameter without a value end the default, whatever they were about.
    fn as_own(&self, stop: Stop) -> Stop {
        let Some(half_done) = &self.half_done else { return stop };
        let subject = self.subject.as_deref().unwrap_or_default();
        let of = &half_done.names()[half_done.of];
        let own = |message: &str| {
            let place = message.find(&too_early(subject, of, "", false)).or_else(|| {
                let others = half_done.names()[..half_done.of].iter();
                others.filter_map(|wanted| message.find(&too_early(subject, of, wanted, true))).next()
            });
            place.and_then(|place| message[place..].lines().next()).map(String::from)
        };
        match *stop.0 {
            Reason::Failure(failure) => match own(&failure.message) {
                Some(message) => Fault::new(message).into(),
                None => failure.into(),
            },
            other => other.into(),
        }
    }
}

/// Returns the error of a parameter's default that looks at another one without a value.
pub fn too_early(subject: &str, of: &str, wanted: &str, comes_before: bool) -> String {
    match comes_before {
        true => format!("{subject}: expects a value for parameter ${wanted}"),
        false => {
            format!("{subject}: default expression for ${of} tries to illegally access not yet evaluated ${wanted}")
        }
    }
}

/// Returns true if an error says where it is.
fn tells_place(failure: &Failure) -> bool {
    // A bare message has no place, even where the failure has one for a person.
    (failure.at.is_some() && failure.shape != Shape::Bare) || failure.message.contains(" (file: ")
}
