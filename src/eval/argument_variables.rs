//! Arguments of Ruby functions that are variables of the calling code: Ruby code that changes one in place changes the variable.
//! Values that may not be changed in place: what is known of the node, and literal texts.

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use pantin_model::trace::{Answer, FixedLocal, Question, SlotNames, UNNAMED, VariableName};
use pantin_values::{Str, Value};
use rustc_hash::FxBuildHasher;

use super::code::{Expr, ExprKind, Local, Locals, Variable};
use super::machine::{Frame, Machine};
use super::stop::{Flow, Stop};
use super::variable_value::VariableValue;

/// How many frames out a local is, and its slot there.
pub(super) type Place = (u32, u32);

/// A variable, or a part of one.
struct ViewedVariable {
    name: Str,
    /// Where it is local.
    place: Option<Place>,
    path: Vec<Value>,
}

impl Machine<'_> {
    /// Ruby code has changed an argument.
    pub(super) fn change_argument(&mut self, given: &[Expr], index: usize, value: Value) -> Flow<()> {
        let Some(ViewedVariable { name, place, path }) = self.behind(given, index)? else { return Ok(()) };
        let whole = if path.is_empty() { Some(value) } else { self.with_part(&name, place, &path, value)? };
        whole.map_or(Ok(()), |whole| self.change_at(&name, place, whole))
    }

    /// Returns true if an argument is frozen in Ruby's hands.
    pub(super) fn is_fixed_argument(&mut self, given: &[Expr], index: usize) -> Flow<bool> {
        match self.behind(given, index)? {
            Some(ViewedVariable { name, place, .. }) => self.is_fixed_at(&name, place),
            None => Ok(false),
        }
    }

    /// Returns true if a variable is, as code with these locals sees it.
    pub(super) fn is_fixed(&mut self, name: &VariableName, locals: &Locals) -> Flow<bool> {
        match name {
            VariableName::FromBody(name) => self.is_fixed_at(name, self.place_by_name(name, locals)),
            VariableName::FromNode(_) => self.ask_fixed(name.clone()),
        }
    }

    /// The locals that code sees from here, for functions that find them by their names.
    pub(super) fn locals_here(&mut self) -> Rc<Locals> {
        let Some(frame) = self.frames.get(self.frame).filter(|_| self.has_own) else { return Rc::from([]) };
        let unit = Arc::as_ptr(self.under_way.unit_of_frame(self.frame, &self.unit)) as usize;
        let code = (unit, frame.names);
        if let Some(known) = self.locals_of_code.get(&code) {
            return Rc::clone(known);
        }
        let locals: Rc<Locals> = self.locals_from(self.frame).into();
        if code.1 != UNNAMED {
            self.locals_of_code.insert(code, Rc::clone(&locals));
        }
        locals
    }

    fn locals_from(&self, mut frame: usize) -> Vec<Local> {
        let mut seen: IndexMap<Str, Vec<Place>, FxBuildHasher> = IndexMap::default();
        for depth in 0.. {
            let Some(Frame { parent, .. }) = self.frames.get(frame) else { break };
            for (slot, name) in (0..).zip(self.names_of(frame).iter().flat_map(|names| &*names.slots)) {
                let places = seen.entry(name.clone()).or_default();
                match places.last_mut() {
                    // Of two parameters of one name the last one counts.
                    Some((known, of_before)) if *known == depth => *of_before = slot,
                    _ => places.push((depth, slot)),
                }
            }
            frame = *parent;
        }
        seen.into_iter().map(|(name, places)| (name, places.into())).collect()
    }

    /// Returns true if nobody knows what a local of this name holds: its value may have been moved to where it was
    /// read.
    pub(super) fn may_be_moved(&self, name: &str, locals: &Locals) -> bool {
        let Some((depth, slot)) = self.place_by_name(name, locals) else { return false };
        let is_undef = matches!(self.slot_at(depth, slot), Some(VariableValue::Value(Value::Undef)));
        let names = self.frame_out(depth).and_then(|frame| self.names_of(frame));
        is_undef && names.is_some_and(|names| names.moved.contains(&(slot as usize)))
    }

    pub(super) fn place_by_name(&self, name: &str, locals: &Locals) -> Option<Place> {
        let places = locals.iter().find(|(known, _)| known == name).map(|(_, places)| &**places);
        self.bound_place(places.unwrap_or_default())
    }

    fn bound_place(&self, places: &[Place]) -> Option<Place> {
        places.iter().copied().find(|(depth, slot)| self.slot_at(*depth, *slot).is_some())
    }

    /// Behind a list that was unfolded nobody knows which argument is which.
    fn behind(&mut self, given: &[Expr], index: usize) -> Flow<Option<ViewedVariable>> {
        let mut known = given.iter().take_while(|expr| !matches!(expr.kind, ExprKind::Unfold(_)));
        let Some(mut expr) = known.nth(index) else { return Ok(None) };
        let mut path = Vec::new();
        loop {
            match &expr.kind {
                ExprKind::Paren(inner) => expr = inner,
                ExprKind::Access(access) => match &access.keys[..] {
                    [key]
                        if matches!(
                            key.kind,
                            ExprKind::Constant(_) | ExprKind::Parameter(_) | ExprKind::Variable(_)
                        ) =>
                    {
                        path.push(self.value(key)?);
                        expr = &access.left;
                    }
                    _ => return Ok(None),
                },
                ExprKind::Parameter(slot) | ExprKind::LastUse(slot) => {
                    path.reverse();
                    let name = self.local_name(0, *slot);
                    return Ok(name.map(|name| ViewedVariable { name, place: Some((0, *slot)), path }));
                }
                ExprKind::Variable(variable) => {
                    path.reverse();
                    let Variable { name, places, .. } = &**variable;
                    return Ok(Some(ViewedVariable { name: name.clone(), place: self.bound_place(places), path }));
                }
                _ => return Ok(None),
            }
        }
    }

    /// What a variable holds, with another value for a part; `None` where it has no such part.
    fn with_part(&mut self, name: &Str, place: Option<Place>, path: &[Value], part: Value) -> Flow<Option<Value>> {
        let local = place.and_then(|(depth, slot)| self.slot_at(depth, slot).cloned());
        let seen = match local {
            Some(seen) => Some(seen),
            None => self.ask_variable(name)?,
        };
        let whole = seen.map(|seen| self.settle(seen)).transpose()?;
        Ok(whole.and_then(|whole| replace_part(whole, path, part)))
    }

    fn is_fixed_at(&mut self, name: &Str, place: Option<Place>) -> Flow<bool> {
        match place {
            Some((depth, slot)) => match self.fixed_local(depth, slot) {
                Some(FixedLocal::Text) => Ok(true),
                Some(FixedLocal::As(variable, path)) => {
                    let variable = self.standing_name(&variable);
                    let is_part = path.is_empty() || {
                        let question = Question::Part { variable: variable.clone(), path };
                        matches!(self.host.ask(&question), Answer::Value(_) | Answer::View(_))
                    };
                    Ok(is_part && self.ask_fixed(variable)?)
                }
                None => Ok(false),
            },
            None if self.lent_variable(name).is_some() || self.find_held(name).is_some() => Ok(false),
            None => self.ask_fixed(self.standing_name(name)),
        }
    }

    fn ask_fixed(&mut self, name: VariableName) -> Flow<bool> {
        match self.host.ask(&Question::Fixed(name)) {
            Answer::Fault(fault) => Err(Stop::from(fault)),
            answer => Ok(matches!(answer, Answer::Value(Value::Boolean(true)))),
        }
    }

    pub(super) fn frame_out(&self, depth: u32) -> Option<usize> {
        (0..depth).try_fold(self.frame, |frame, _| self.frames.get(frame).map(|frame| frame.parent))
    }

    pub(super) fn names_of(&self, frame: usize) -> Option<&SlotNames> {
        let names = self.frames.get(frame)?.names;
        self.under_way.unit_of_frame(frame, &self.unit).names(names)
    }

    fn fixed_local(&self, depth: u32, slot: u32) -> Option<FixedLocal> {
        let names = self.names_of(self.frame_out(depth)?)?;
        names.fixed.iter().find(|(known, _)| *known == slot as usize).map(|(_, fixed)| fixed.clone())
    }

    fn local_name(&self, depth: u32, slot: u32) -> Option<Str> {
        self.names_of(self.frame_out(depth)?)?.slots.get(slot as usize).cloned()
    }
}

fn replace_part(whole: Value, path: &[Value], part: Value) -> Option<Value> {
    let Some((key, rest)) = path.split_first() else { return Some(part) };
    match (whole, key) {
        (Value::Array(mut items), Value::Integer(index)) => {
            let index = if *index < 0 { index + items.len() as i64 } else { *index };
            let item = items.make_mut().get_mut(usize::try_from(index).ok()?)?;
            *item = replace_part(std::mem::take(item), rest, part)?;
            Some(Value::Array(items))
        }
        (Value::Hash(mut entries), key) => {
            let value = replace_part(entries.get(key)?.clone(), rest, part)?;
            entries.insert(key.clone(), value);
            Some(Value::Hash(entries))
        }
        _ => None,
    }
}
