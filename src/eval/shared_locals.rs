//! What code that is under way has of its own lies on the scope that it stands in: lambdas on that of their body, functions
//! on the top one, templates by their names on that of the node. A class that is evaluated meanwhile sees it there, if that
//! scope is around its own, so that the host is told before.

use std::rc::Rc;

use pantin_base::names::is_reserved_variable;
use pantin_model::trace::{Effect, Layer, SharedLocal, Standing};
use pantin_values::ops::MatchData;
use pantin_values::{Str, Value, identical};

use super::machine::{Frame, Machine};
use super::stop::Flow;
use super::variable_value::{VariableValue, View};

/// Code that was left for code that stands in another scope, and sees nothing of it.
#[derive(Debug)]
pub(super) struct SavedFrames {
    /// So many frames it had.
    frames: usize,
    standing: Standing,
    has_own: bool,
    matched: Option<Rc<MatchData>>,
}

impl SavedFrames {
    /// Returns true if it stands in the top scope, with variables of its own there.
    pub(super) fn is_at_top(&self) -> bool {
        self.standing == Standing::Top && self.has_own
    }
}

impl Machine<'_> {
    /// Runs code in another scope, where nothing has matched.
    pub(super) fn standing_apart<T>(&mut self, standing: Standing, run: impl FnOnce(&mut Self) -> T) -> T {
        self.leave_for(standing, true);
        let result = run(self);
        self.come_back();
        result
    }

    /// Ruby code of a function of the newer kind calls others from the top scope, where it has nothing of its own: what lies
    /// there is seen by them. Says whether the code stands elsewhere from now on, until it comes back.
    pub(super) fn enter_top(&mut self) -> bool {
        let is_main = self.is_around_others && self.subject.is_none();
        let is_there = self.standing == Standing::Top || self.standing == Standing::Own && is_main;
        if !is_there {
            self.leave_for(Standing::Top, false);
        }
        !is_there
    }

    fn leave_for(&mut self, standing: Standing, has_own: bool) {
        let standing = std::mem::replace(&mut self.standing, standing);
        let has_own = std::mem::replace(&mut self.has_own, has_own);
        self.left.push(SavedFrames { frames: self.frames.len(), standing, has_own, matched: self.matched.take() });
    }

    pub(super) fn come_back(&mut self) {
        let Some(left) = self.left.pop() else { return };
        self.standing = left.standing;
        self.has_own = left.has_own;
        self.matched = left.matched;
    }

    /// Tells the host what lies on scopes, before classes that see it are evaluated.
    #[inline]
    pub(super) fn share_locals(&mut self, effect: &Effect) -> Flow<()> {
        let is_plain = self.frames.len() < 2 && self.matched.is_none() && self.shared_layers.is_empty();
        if !is_plain && effect.evaluates_classes() {
            let layers = self.layers()?;
            self.share_layers(layers);
        }
        Ok(())
    }

    /// What has matched in a body stays when it has ended, for those whose scopes its own is around.
    pub(super) fn leave_matched(&mut self) {
        let known =
            self.shared_layers.first().filter(|layer| layer.standing == Standing::Own).map(|layer| &layer.matched);
        let groups = self.groups_of(&self.matched);
        if self.is_around_others && !identical(known.unwrap_or(&Value::Undef), &groups) {
            let layer = Layer { standing: Standing::Own, locals: Box::default(), matched: groups };
            self.share_layers(vec![layer]);
        }
    }

    fn share_layers(&mut self, layers: Vec<Layer>) {
        if !Layer::are_same(&layers, &self.shared_layers) {
            self.shared_layers = layers.into();
            self.host.apply(&Effect::ShareLocals(self.shared_layers.clone()));
        }
    }

    /// From the outermost code to that which runs now.
    fn layers(&mut self) -> Flow<Vec<Layer>> {
        let mut layers = Vec::new();
        // The variables of the body itself are known by other ways.
        let mut begin = 1;
        for index in 0..=self.left.len() {
            let (end, standing, has_own, matched) = match self.left.get(index) {
                Some(left) => (left.frames, left.standing, left.has_own, self.groups_of(&left.matched)),
                None => (self.frames.len(), self.standing, self.has_own, self.groups_of(&self.matched)),
            };
            let is_own = standing == Standing::Own;
            let has_any = end > begin || !matched.is_undef();
            if has_own && (!is_own || self.is_around_others && has_any) {
                layers.push(Layer { standing, locals: self.locals_of(begin, end)?, matched });
            }
            begin = end;
        }
        Ok(layers)
    }

    fn groups_of(&self, matched: &Option<Rc<MatchData>>) -> Value {
        matched.as_ref().map_or(Value::Undef, |matched| matched.groups())
    }

    /// Returns those of some frames, each name once: the innermost counts.
    fn locals_of(&mut self, begin: usize, end: usize) -> Flow<Box<[(Str, SharedLocal)]>> {
        let mut locals: Vec<(Str, SharedLocal)> = Vec::new();
        for index in (begin..end).rev() {
            for held in self.held.iter().filter(|held| held.is_in_frame(index)) {
                locals.push((held.name().clone(), SharedLocal::Value(held.value()?)));
            }
            let unit = self.under_way.unit_of_frame(index, &self.unit).clone();
            let Frame { base, names, .. } = self.frames[index];
            let Some(names) = unit.names(names) else { continue };
            for (slot, name) in names.slots.iter().enumerate().rev() {
                if locals.iter().any(|(known, _)| known == name) {
                    continue;
                }
                match self.slots.get(base + slot).cloned().flatten() {
                    // Nobody knows whether it was moved out, or was nothing from the first.
                    Some(VariableValue::Value(Value::Undef)) if names.moved.contains(&slot) => {
                        locals.push((name.clone(), SharedLocal::Gone));
                    }
                    Some(seen) => locals.push((name.clone(), self.shown(seen)?)),
                    // It is still to be worked out.
                    None if slot < names.parameters => locals.push((name.clone(), SharedLocal::Gone)),
                    None => {}
                }
            }
            self.add_lent(index, &mut locals)?;
        }
        Ok(locals.into())
    }

    /// What a template was given that is no parameter of it, with what was seen where it was rendered.
    fn add_lent(&mut self, frame: usize, locals: &mut Vec<(Str, SharedLocal)>) -> Flow<()> {
        let lent: Vec<(Str, VariableValue)> =
            self.lent_to(frame).map(|(name, seen)| (name.clone(), seen.clone())).collect();
        for (name, seen) in lent {
            if !locals.iter().any(|(known, _)| *known == name) {
                locals.push((name, self.shown(seen)?));
            }
        }
        Ok(())
    }

    fn shown(&mut self, seen: VariableValue) -> Flow<SharedLocal> {
        match seen {
            VariableValue::View(view) if is_of_node(&view) => {
                Ok(SharedLocal::Part { variable: view.variable.clone(), path: view.path.clone() })
            }
            seen => self.settle(seen).map(SharedLocal::Value),
        }
    }
}

fn is_of_node(view: &View) -> bool {
    is_reserved_variable(view.variable.without_top())
}
