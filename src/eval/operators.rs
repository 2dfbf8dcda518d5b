//! Operators: values in, a value out; whom to blame becomes a place.

use std::rc::Rc;

use pantin_base::Strict;
use pantin_syntax::ast::BinaryOp;
use pantin_values::ops::{Blame, Coercion, Match, OperandFault};
use pantin_values::{Fault, Value, ops};

use super::code::Expr;
use super::machine::Machine;
use super::stop::{Flow, Reason, Stop};

/// The parts of an expression that an operator may blame.
struct Sides<'e> {
    whole: &'e Expr,
    left: &'e Expr,
    right: &'e [Expr],
}

impl Sides<'_> {
    fn at(&self, blame: Blame) -> u32 {
        match blame {
            Blame::Whole => self.whole.at,
            Blame::Left => self.left.at,
            Blame::Right => self.right.first().unwrap_or(self.whole).at,
            Blame::Key(index) => self.right.get(index).or(self.right.last()).unwrap_or(self.whole).at,
        }
    }
}

impl Machine<'_> {
    fn operator_settings(&self) -> pantin_syntax::Settings {
        pantin_syntax::Settings {
            strict: self.settings.strict,
            ..pantin_syntax::Settings::from_language(self.settings.language)
        }
    }

    #[inline]
    pub(super) fn operate(&mut self, op: BinaryOp, left: Value, right: Value, parts: (&Expr, &Expr, &Expr)) -> Flow {
        match op {
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => self.arithmetic(op, left, right, parts),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => ops::comparison(op, &left, &right).map_err(Stop::from),
            BinaryOp::Match | BinaryOp::NotMatch => {
                let (whole, left_expr, right_expr) = parts;
                let found = ops::match_operator(&left, &right).map_err(|blamed| {
                    blame(blamed, &Sides { whole, left: left_expr, right: std::slice::from_ref(right_expr) })
                })?;
                let matched = self.keep(found);
                Ok(Value::Boolean(matched == (op == BinaryOp::Match)))
            }
            BinaryOp::In => {
                let found = ops::includes(&right, &left)?;
                Ok(Value::Boolean(self.keep(found)))
            }
            // They do not evaluate both sides, and are done before.
            BinaryOp::And | BinaryOp::Or => Ok(Value::Boolean(false)),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, parts: (&Expr, &Expr, &Expr)) -> Flow {
        let mut coerced = Vec::new();
        let result = ops::arithmetic(op, left, right, &self.operator_settings(), &mut coerced);
        if let (Ok(value), true) = (&result, coerced.is_empty()) {
            match value {
                Value::Array(items) => self.check_elements(items.len())?,
                Value::Hash(entries) => self.check_elements(entries.len())?,
                _ => {}
            }
            return result.map_err(|blamed| blamed.fault.into());
        }
        let (whole, left, right) = parts;
        self.finish(result, coerced, &Sides { whole, left, right: std::slice::from_ref(right) })
    }

    #[inline(never)]
    pub(super) fn minus(&mut self, operand: &Expr, whole: &Expr) -> Flow {
        let value = self.value(operand)?;
        let mut coerced = Vec::new();
        let result = ops::negate(&value, &self.operator_settings(), &mut coerced);
        self.finish(result, coerced, &Sides { whole, left: operand, right: &[] })
    }

    /// `target[keys]` of anything but a type.
    pub(super) fn index(&mut self, target: &Value, keys: &[Value], left: &Expr, key_exprs: &[Expr]) -> Flow {
        let mut coerced = Vec::new();
        let result = ops::index(target, keys, &self.operator_settings(), &mut coerced);
        self.finish(result, coerced, &Sides { whole: left, left, right: key_exprs })
    }

    /// Warns of what was coerced, and gives an error its place.
    fn finish(&mut self, result: Result<Value, OperandFault>, coerced: Vec<Coercion>, sides: &Sides<'_>) -> Flow {
        for coercion in coerced {
            let fault = Fault::issue("NUMERIC_COERCION", coercion.message);
            // The operator gave up where strings may not be numbers; what is left is worth a warning.
            self.report_by_strict(Strict::Warning, fault, sides.at(coercion.blame))?;
        }
        result.map_err(|blamed| blame(blamed, sides))
    }

    pub(super) fn option_matches(&mut self, option: &Value, test: &Value) -> Flow<bool> {
        let found = ops::option_matches(test, option)?;
        Ok(self.keep(found))
    }

    /// What matched becomes `$0`, `$1` …; what did not leaves them as they are.
    fn keep(&mut self, found: Match) -> bool {
        if let Some(captured) = found.captured {
            self.matched = Some(Rc::new(captured));
        }
        found.matched
    }
}

#[cold]
fn blame(blamed: OperandFault, sides: &Sides<'_>) -> Stop {
    match blamed.blame {
        Blame::Whole => blamed.fault.into(),
        part => Reason::FaultAt(blamed.fault, sides.at(part)).into(),
    }
}
