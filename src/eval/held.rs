//! Variables that Ruby code has set in a scope: the object itself, for other Ruby code of the same body may change it.

use pantin_model::trace::{Effect, VariableName};
use pantin_ruby::HeldValue;
use pantin_values::{Fault, Str, Value};

use super::argument_variables::Place;
use super::assignment::check_unreserved;
use super::code::Locals;
use super::machine::{Machine, NO_FRAME};
use super::stop::Flow;
use super::variable_value::VariableValue;

/// A variable of a frame. What Puppet code gets is what the object is then; other bodies get what it was when it was set.
#[derive(Debug)]
pub(super) struct HeldVariable {
    frame: usize,
    name: Str,
    held: HeldValue,
}

impl HeldVariable {
    pub(super) fn is_in_frame(&self, frame: usize) -> bool {
        self.frame == frame
    }

    pub(super) fn name(&self) -> &Str {
        &self.name
    }

    pub(super) fn value(&self) -> Flow {
        Ok(self.held.value()?)
    }
}

impl Machine<'_> {
    pub(super) fn find_held(&self, name: &str) -> Option<&HeldValue> {
        if self.held.is_empty() || !self.has_own {
            return None;
        }
        let mut frame = self.frame;
        while let Some(here) = self.frames.get(frame) {
            if let Some(found) = self.held.iter().find(|known| known.frame == frame && known.name == name) {
                return Some(&found.held);
            }
            frame = here.parent;
        }
        None
    }

    /// Sets a variable in the scope of the code that runs; `value` is what others get.
    pub(super) fn hold(&mut self, name: &Str, held: HeldValue, value: Value, locals: &Locals) -> Flow<()> {
        let places = locals.iter().find(|(known, _)| known == name).map(|(_, places)| &**places);
        let taken = places.unwrap_or_default().iter().find(|(depth, slot)| self.slot_at(*depth, *slot).is_some());
        if !self.has_own {
            return self.set_at_top(name, value);
        }
        let here = self.frames[self.frame];
        if self.half_done.is_some() {
            return Err(Fault::new(format!("Attempt to assign variable {name} when evaluating parameters")).into());
        }
        let again = || Fault::new(format!("Cannot reassign variable '${name}'"));
        if self.is_predefined(name) {
            return Err(again().into());
        }
        match taken {
            Some((0, _)) => return Err(again().into()),
            Some(_) => {
                let message = format!("scope.setvar cannot set '{name}': code around has a variable of this name");
                return Err(Fault::limit(message).into());
            }
            None if here.exports && here.parent == NO_FRAME => {
                self.apply(&Effect::Export { name: name.clone(), value })?;
            }
            None => check_unreserved(name)?,
        }
        if self.held.iter().any(|known| known.frame == self.frame && known.name == *name) {
            return Err(again().into());
        }
        self.held.push(HeldVariable { frame: self.frame, name: name.clone(), held });
        Ok(())
    }

    /// For a function that was called here, and has no scope but the one at the top.
    fn set_at_top(&mut self, name: &Str, value: Value) -> Flow<()> {
        if self.left.iter().any(|left| left.is_at_top()) {
            let message =
                format!("The variable {name}, set at the top by a function that another one calls, is not supported");
            return Err(Fault::limit(message).into());
        }
        self.apply(&Effect::SetAtTop { name: name.clone(), value }).map(drop)
    }

    /// Ruby code has changed what a variable holds, in place.
    pub(super) fn change(&mut self, name: &VariableName, value: Value, locals: &Locals) -> Flow<()> {
        match name {
            VariableName::FromBody(name) => self.change_at(name, self.place_by_name(name, locals), value),
            VariableName::FromNode(_) => self.apply(&Effect::Change { name: name.clone(), value }).map(drop),
        }
    }

    pub(super) fn change_at(&mut self, name: &Str, place: Option<Place>, value: Value) -> Flow<()> {
        if place.is_none() && self.lent_variable(name).is_some() {
            let message = format!("Ruby code changes ${name} of a template around it in place, which is not supported");
            return Err(Fault::limit(message).into());
        }
        let mut is_exported = true;
        if let Some((depth, slot)) = place
            && let Some(frame) = self.frame_out(depth)
        {
            let of = self.frames[frame];
            self.slots[of.base + slot as usize] = Some(VariableValue::Value(value.clone()));
            // Parameters are told even where what is assigned is not.
            is_exported = frame == 0 && (of.exports || (slot as usize) < self.parameters);
        }
        if is_exported {
            let name = self.standing_name(name);
            self.apply(&Effect::Change { name, value })?;
        }
        Ok(())
    }

    /// The variables of a frame that is left are gone.
    pub(super) fn let_go(&mut self) {
        let frames = self.frames.len();
        self.held.retain(|known| known.frame < frames);
    }
}
