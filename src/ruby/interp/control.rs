//! Loops, cases, jumps and definitions as expressions.

use std::rc::Rc;

use super::{Frame, Interp};
use crate::class::Core;
use crate::code::{Begin, Expr, ExprKind, Loop, Rescue, When};
use crate::stop::{Flow, Stop};
use crate::value::{Proc, ProcKind, Value};

impl Interp<'_> {
    pub(super) fn control(&mut self, expr: &Expr, frame: &Frame) -> Flow {
        match &expr.kind {
            ExprKind::Loop(parts) => self.run_loop(parts, expr.at, frame),
            ExprKind::For(parts) => {
                let (target, collection, body) = &**parts;
                let collection = self.settled_expr(collection, frame)?;
                for item in self.items(&collection)? {
                    self.step()?;
                    self.assign_value(target, item, frame)?;
                    match self.expr(body, frame).map_err(|stop| *stop) {
                        Ok(_) | Err(Stop::Next(_)) => {}
                        Err(Stop::Break(0, value)) => return Ok(value),
                        Err(stop) => return Err(Box::new(stop)),
                    }
                }
                Ok(collection)
            }
            ExprKind::Case(subject, whens, otherwise) => self.case(subject.as_deref(), whens, otherwise, frame),
            ExprKind::CaseIn(subject, ins, otherwise) => {
                self.case_in(subject, ins, otherwise.as_deref(), expr.at, frame)
            }
            ExprKind::Matches(value, pattern) => {
                let value = self.settled_expr(value, frame)?;
                Ok(Value::Bool(self.matches(pattern, &value, frame)?))
            }
            ExprKind::Begin(begin) => self.begin(begin, frame),
            ExprKind::Return(value) => {
                let value = self.jump_value(value.as_deref(), frame)?;
                Err(Box::new(Stop::Return(frame.context.tag, value)))
            }
            // What a block breaks out of is put in by whoever runs the block.
            ExprKind::Break(value) => Err(Box::new(Stop::Break(0, self.jump_value(value.as_deref(), frame)?))),
            ExprKind::Next(value) => Err(Box::new(Stop::Next(self.jump_value(value.as_deref(), frame)?))),
            ExprKind::Retry => Err(Box::new(Stop::Retry)),
            ExprKind::DefineMethod(method) => self.define_method(method, frame),
            ExprKind::DefineClass(class) => self.define_class(class, expr.at, frame),
            ExprKind::SingletonClass(of, body) => self.open_singleton(of, body, frame),
            ExprKind::Alias(new, old) => {
                self.at = expr.at;
                self.alias(new, old, frame)
            }
            ExprKind::UndefMethods(names) => {
                let class = self.definition_class(frame);
                names.iter().for_each(|name| self.classes.undefine(class, name));
                Ok(Value::Nil)
            }
            _ => {
                self.at = expr.at;
                self.unsupported("this construct")
            }
        }
    }

    fn jump_value(&mut self, value: Option<&Expr>, frame: &Frame) -> Flow {
        value.map_or(Ok(Value::Nil), |value| self.expr(value, frame))
    }

    fn run_loop(&mut self, parts: &Loop, at: u32, frame: &Frame) -> Flow {
        let mut first = parts.body_first;
        loop {
            self.at = at;
            self.step()?;
            if !std::mem::take(&mut first) && self.expr(&parts.test, frame)?.is_truthy() == parts.until {
                return Ok(Value::Nil);
            }
            match self.expr(&parts.body, frame).map_err(|stop| *stop) {
                Ok(_) | Err(Stop::Next(_)) => {}
                Err(Stop::Break(0, value)) => return Ok(value),
                Err(stop) => return Err(Box::new(stop)),
            }
        }
    }

    fn case(&mut self, subject: Option<&Expr>, whens: &[When], otherwise: &Expr, frame: &Frame) -> Flow {
        let subject = match subject {
            Some(subject) => Some(self.expr(subject, frame)?),
            None => None,
        };
        for when in whens {
            for test in &when.tests {
                let candidates = match &test.kind {
                    ExprKind::Splat(inside) => {
                        let value = self.expr(inside, frame)?;
                        self.splat(value)?
                    }
                    _ => vec![self.settled_expr(test, frame)?],
                };
                for candidate in candidates {
                    self.at = test.at;
                    let hit = match &subject {
                        Some(subject) => self.case_equal(&candidate, subject, frame)?,
                        None => candidate.is_truthy(),
                    };
                    if hit {
                        return self.expr(&when.then, frame);
                    }
                }
            }
        }
        self.expr(otherwise, frame)
    }

    // ---- exceptions ----

    fn begin(&mut self, begin: &Begin, frame: &Frame) -> Flow {
        let result = loop {
            match self.guarded(begin, frame) {
                Err(stop) if matches!(*stop, Stop::Retry) => self.step()?,
                other => break other,
            }
        };
        if let Some(ensure) = &begin.ensure
            && !matches!(&result, Err(stop) if matches!(**stop, Stop::Fatal(_)))
        {
            self.expr(ensure, frame)?;
        }
        result
    }

    fn guarded(&mut self, begin: &Begin, frame: &Frame) -> Flow {
        let stop = match self.expr(&begin.body, frame) {
            Ok(value) => {
                return match &begin.else_body {
                    Some(otherwise) => self.expr(otherwise, frame),
                    None => Ok(value),
                };
            }
            Err(stop) => stop,
        };
        let exception = match *stop {
            Stop::Raise(exception) => exception,
            other => return Err(Box::new(other)),
        };
        for rescue in &begin.rescues {
            if self.rescues(rescue, &exception, frame)? {
                let outer = self.globals.insert("$!".into(), exception.clone());
                if let Some(target) = &rescue.into {
                    self.assign_value(target, exception, frame)?;
                }
                let result = self.expr(&rescue.body, frame);
                match outer {
                    Some(outer) => self.globals.insert("$!".into(), outer),
                    None => self.globals.remove("$!"),
                };
                return result;
            }
        }
        Err(Box::new(Stop::Raise(exception)))
    }

    fn rescues(&mut self, rescue: &Rescue, exception: &Value, frame: &Frame) -> Flow<bool> {
        if rescue.classes.is_empty() {
            return Ok(self.is_a(exception, Core::StandardError.class()));
        }
        for class in self.values(&rescue.classes, frame)? {
            match class {
                Value::Class(class) if self.is_a(exception, class) => return Ok(true),
                Value::Class(_) => {}
                _ => return self.raise(Core::TypeError, "class or module required for rescue clause"),
            }
        }
        Ok(false)
    }

    /// Returns the block of a call, as a value.
    pub(super) fn block_value(&mut self, block: &crate::code::BlockArg, frame: &Frame) -> Flow<Option<Value>> {
        use crate::code::BlockArg;
        Ok(match block {
            BlockArg::None => None,
            BlockArg::Code(code) => {
                let kind = ProcKind::Code { code: code.clone(), frame: frame.clone() };
                Some(Value::Proc(Rc::new(Proc { tag: self.tag(), kind, is_lambda: false })))
            }
            BlockArg::Pass(passed) => match self.expr(passed, frame)? {
                Value::Nil => None,
                Value::Symbol(name) => {
                    Some(Value::Proc(Rc::new(Proc { tag: 0, kind: ProcKind::Symbol(name), is_lambda: true })))
                }
                Value::Proc(given) => Some(Value::Proc(given)),
                other if self.responds(&other, "to_proc")? => Some(self.send(&other, "to_proc", &[])?),
                other => {
                    let of = self.class_name_of(&other);
                    return self.raise(Core::TypeError, format!("wrong argument type {of} (expected Proc)"));
                }
            },
        })
    }
}
