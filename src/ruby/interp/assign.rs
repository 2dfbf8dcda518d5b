//! Assignments.

use pantin_values::Str;

use super::{Args, Frame, Interp};
use crate::class::Core;
use crate::code::{Expr, ExprKind, OpWrite, Target, Targets};
use crate::stop::Flow;
use crate::value::Value;

/// Returns true if it is an attribute of `self`, whose private methods may be called.
fn is_own(target: &Target) -> bool {
    matches!(target, Target::Attribute(receiver, ..) if matches!(receiver.kind, ExprKind::SelfValue))
}

impl Interp<'_> {
    pub(super) fn assign(&mut self, target: &Target, value: &Expr, frame: &Frame) -> Flow {
        match target {
            // A view may stay one where nobody else can see it.
            Target::Local(depth, slot) => {
                let value = self.expr(value, frame)?;
                frame.env.set(*depth, *slot, value.clone());
                Ok(value)
            }
            _ => {
                let value = self.settled_expr(value, frame)?;
                self.assign_value(target, value.clone(), frame)?;
                Ok(value)
            }
        }
    }

    pub(super) fn assign_value(&mut self, target: &Target, value: Value, frame: &Frame) -> Flow<()> {
        match target {
            Target::Local(depth, slot) => frame.env.set(*depth, *slot, value),
            Target::Instance(name) => self.set_instance_variable(&frame.context.self_value, name, value)?,
            Target::Global(name) => {
                self.check_sealed()?;
                self.globals.insert(name.clone(), value);
            }
            Target::ClassVariable(name) => {
                self.check_sealed()?;
                self.set_class_variable(name, value, frame);
            }
            Target::Constant(within, name) => {
                self.check_sealed()?;
                let class = match within {
                    Some(within) => match self.expr(within, frame)? {
                        Value::Class(class) => class,
                        _ => return self.raise(Core::TypeError, "this is not a class/module"),
                    },
                    None => self.constants_class(frame),
                };
                self.set_constant(class, name, value);
            }
            Target::Index(receiver, args) => {
                let receiver = self.expr(receiver, frame)?;
                let mut args = self.values(args, frame)?;
                args.push(value);
                self.send(&receiver, "[]=", &args)?;
            }
            Target::Attribute(receiver, name, safe) => {
                let receiver = self.expr(receiver, frame)?;
                if !(*safe && receiver.is_nil()) {
                    let is_own = is_own(target);
                    let args = Args::from_values(vec![value]);
                    self.call(&receiver, &format!("{name}="), args, None, Some(frame), is_own, false)?;
                }
            }
            Target::Many(targets) => self.spread(targets, value, frame)?,
            Target::Nothing => {}
        }
        Ok(())
    }

    pub(super) fn assign_many(&mut self, targets: &Targets, value: &Expr, frame: &Frame) -> Flow {
        let value = self.settled_expr(value, frame)?;
        self.spread(targets, value.clone(), frame)?;
        Ok(value)
    }

    /// Takes an array apart; anything else is one of one element.
    pub(super) fn spread(&mut self, targets: &Targets, value: Value, frame: &Frame) -> Flow<()> {
        let value = self.settle(value)?;
        let items = self.as_array(&value)?.unwrap_or_else(|| vec![value]);
        let after = targets.after.len();
        for (index, target) in targets.before.iter().enumerate() {
            self.assign_value(target, items.get(index).cloned().unwrap_or_default(), frame)?;
        }
        let start = targets.before.len().min(items.len());
        let end = items.len().saturating_sub(after).max(start);
        if let Some(rest) = &targets.rest {
            self.assign_value(rest, Value::array(items[start..end].to_vec()), frame)?;
        }
        let tail = if targets.rest.is_some() { end } else { start };
        for (index, target) in targets.after.iter().enumerate() {
            self.assign_value(target, items.get(tail + index).cloned().unwrap_or_default(), frame)?;
        }
        Ok(())
    }

    pub(super) fn op_assign(&mut self, parts: &(Target, OpWrite, Str, Expr), at: u32, frame: &Frame) -> Flow {
        let (target, how, operator, value) = parts;
        // What stands before a dot or in brackets is worth the same both times: it is evaluated once.
        let (receiver, args) = match target {
            Target::Index(receiver, args) => (self.expr(receiver, frame)?, self.values(args, frame)?),
            Target::Attribute(receiver, ..) => (self.expr(receiver, frame)?, Vec::new()),
            _ => (Value::Nil, Vec::new()),
        };
        if matches!(target, Target::Attribute(_, _, true)) && receiver.is_nil() {
            return Ok(Value::Nil);
        }
        self.at = at;
        let old = match target {
            Target::Local(depth, slot) => frame.env.get(*depth, *slot),
            Target::Instance(name) => self.instance_variable(&frame.context.self_value, name)?,
            Target::Global(name) => self.globals.get(name).cloned().unwrap_or_default(),
            Target::ClassVariable(name) => self.class_variable_if(name, frame).unwrap_or_default(),
            Target::Constant(_, name) => {
                let class = self.constants_class(frame);
                self.own_constant(class, name).unwrap_or_default()
            }
            Target::Index(..) => self.send(&receiver, "[]", &args)?,
            Target::Attribute(_, name, _) => {
                self.call(&receiver, name, Args::default(), None, Some(frame), is_own(target), false)?
            }
            Target::Many(_) | Target::Nothing => Value::Nil,
        };
        let new = match how {
            OpWrite::Or if old.is_truthy() => return Ok(old),
            OpWrite::And if !old.is_truthy() => return Ok(old),
            OpWrite::Or | OpWrite::And => self.settled_expr(value, frame)?,
            OpWrite::Operator => {
                let operand = self.settled_expr(value, frame)?;
                self.at = at;
                self.send(&old, operator, &[operand])?
            }
        };
        match target {
            Target::Index(..) => {
                let mut args = args;
                args.push(new.clone());
                self.send(&receiver, "[]=", &args)?;
            }
            Target::Attribute(_, name, _) => {
                let args = Args::from_values(vec![new.clone()]);
                self.call(&receiver, &format!("{name}="), args, None, Some(frame), is_own(target), false)?;
            }
            _ => self.assign_value(target, new.clone(), frame)?,
        }
        Ok(new)
    }
}
