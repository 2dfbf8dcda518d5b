//! Tells a host that wants to know how each value came about what is evaluated. It must not change what code is worth: where values
//! are recorded, only short cuts are left out.

use pantin_model::evaluation::{EvaluationRecorder, ExpressionKind, RunParameter, WrittenAttribute};
use pantin_values::{Str, Value};

use super::code::{Assign, Attribute, Attributes, Expr, ExprKind, Lambda, Locals, Param, Target};
use super::machine::Machine;
use super::stop::Flow;
use super::variable_value::VariableValue;

impl Machine<'_> {
    /// The value of an expression, recorded.
    #[cold]
    #[inline(never)]
    pub(super) fn recorded_value(&mut self, expr: &Expr) -> Flow {
        let is_new = self.begin_expression(expr);
        let result = self.unrecorded_value(expr);
        self.end_expression(expr, is_new, result.as_ref().ok());
        result
    }

    /// The same, with a container of the outside as one that nobody has looked into.
    #[cold]
    #[inline(never)]
    pub(super) fn recorded_look(&mut self, expr: &Expr) -> Flow<VariableValue> {
        let is_new = self.begin_expression(expr);
        let result = self.unrecorded_look(expr);
        let value = match &result {
            Ok(VariableValue::Value(value)) => Some(value),
            _ => None,
        };
        self.end_expression(expr, is_new, value);
        result
    }

    fn begin_expression(&mut self, expr: &Expr) -> bool {
        let at = self.place(expr.at);
        let local = self.local_of(expr);
        let Some(recorder) = self.host.recorder() else { return false };
        recorder.begin_expression(at, |recorder| expression_kind(expr, local, recorder))
    }

    fn end_expression(&mut self, expr: &Expr, is_new: bool, value: Option<&Value>) {
        if !is_new {
            return;
        }
        let depth = self.frame;
        let Some(recorder) = self.host.recorder() else { return };
        if let (ExprKind::Assign(assign), Some(_)) = (&expr.kind, value.or(Some(&Value::Undef))) {
            each_name(&assign.target, &mut |name| recorder.bind(depth, name));
        }
        recorder.end(value.cloned());
    }

    /// The depth of the frame that has the local which an expression is, and its name.
    fn local_of(&self, expr: &Expr) -> Option<(usize, Str)> {
        let (depth, slot) = match &expr.kind {
            ExprKind::Parameter(slot) | ExprKind::LastUse(slot) => (0, *slot),
            ExprKind::TooEarly(early) => early.by_name.map(|(depth, slot, _)| (depth, slot))?,
            ExprKind::Variable(variable) => {
                let is_bound = |&&(depth, slot): &&(u32, u32)| self.slot_at(depth, slot).is_some();
                variable.places.iter().find(is_bound).copied()?
            }
            _ => return None,
        };
        let index = self.frame_out(depth)?;
        let name = self.names_of(index)?.slots.get(slot as usize)?.clone();
        Some((index, name))
    }

    /// A local is read by its name, as templates in Ruby do.
    #[cold]
    #[inline(never)]
    pub(super) fn record_local(&mut self, name: &str, locals: &Locals) {
        let places = locals.iter().find(|(known, _)| known == name).map(|(_, places)| &**places);
        let mut places = places.unwrap_or_default().iter();
        let Some((depth, seen)) = places.find_map(|&(depth, slot)| Some((depth, self.slot_at(depth, slot)?))) else {
            return;
        };
        let value = match seen {
            VariableValue::Value(value) => Some(value.clone()),
            VariableValue::View(_) => None,
        };
        let Some(index) = self.frame_out(depth) else { return };
        if let Some(recorder) = self.host.recorder() {
            recorder.read_local(index, name, value);
        }
    }

    /// A frame begins: code with locals of its own.
    #[cold]
    #[inline(never)]
    pub(super) fn record_run(&mut self, lambda: &Lambda, is_lambda: bool) {
        let (unit, depth) = (self.unit.clone(), self.frame);
        if let Some(recorder) = self.host.recorder() {
            let parameter = |param: &Param| RunParameter {
                name: param.name.clone(),
                default: param.default.as_ref().map(|default| default.at),
            };
            recorder.begin_run(unit, lambda.params.iter().map(parameter).collect(), depth, is_lambda);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn record_end_of_run(&mut self) {
        let depth = self.frames.len();
        if let Some(recorder) = self.host.recorder() {
            recorder.end_run(depth);
        }
    }
}

fn expression_kind(expr: &Expr, local: Option<(usize, Str)>, recorder: &EvaluationRecorder) -> ExpressionKind {
    if let Some((depth, name)) = local {
        return ExpressionKind::Variable { name, run: recorder.run_at(depth) };
    }
    match &expr.kind {
        ExprKind::Variable(variable) => ExpressionKind::Variable { name: variable.name.clone(), run: None },
        ExprKind::Assign(assign) => assignment(assign),
        ExprKind::Access(_) => ExpressionKind::Access,
        ExprKind::Call(call) => ExpressionKind::Call {
            name: call.name.clone(),
            arguments: call.args.iter().map(|argument| argument.at).collect(),
        },
        ExprKind::If(parts) => ExpressionKind::If {
            test: parts.test.at,
            then_branch: parts.then_branch.at,
            else_branch: parts.else_branch.at,
        },
        ExprKind::Case(case) => ExpressionKind::Case { test: case.test.at, is_selector: case.is_selector },
        ExprKind::Resource(resource) => attributes_of(resource.bodies.iter().map(|body| &body.attributes)),
        ExprKind::Defaults(parts) | ExprKind::Override(parts) => attributes_of([&parts.2]),
        ExprKind::Collect(collect) => attributes_of([&collect.attributes]),
        _ => ExpressionKind::Other,
    }
}

fn assignment(assign: &Assign) -> ExpressionKind {
    let mut names = Vec::new();
    each_name(&assign.target, &mut |name| names.push(name.clone()));
    ExpressionKind::Assignment { names: names.into(), value: assign.value.at }
}

fn each_name(target: &Target, see: &mut dyn FnMut(&Str)) {
    match target {
        Target::Name { name, .. } => see(name),
        Target::List(targets) => targets.iter().for_each(|(target, _)| each_name(target, see)),
        Target::Wrong(..) => {}
    }
}

fn attributes_of<'a>(all: impl IntoIterator<Item = &'a Attributes>) -> ExpressionKind {
    let written = all.into_iter().flat_map(|attributes| &attributes.list).map(|attribute| match attribute {
        Attribute::Named { value, at, .. } => WrittenAttribute { at: *at, value: value.at, is_splat: false },
        Attribute::Splat { value, at } => WrittenAttribute { at: *at, value: value.at, is_splat: true },
    });
    ExpressionKind::Attributes(written.collect())
}
