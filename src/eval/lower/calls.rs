//! Calls and lambdas.

use std::sync::{Arc, OnceLock};

use pantin_base::names::{is_module_variable, is_reserved_variable};
use pantin_model::trace::{FixedLocal, SlotNames};
use pantin_syntax::ast::{Node, NodeId};
use pantin_values::{Str, Value};

use super::super::code::{Call, Callee, CodeError, Expr, ExprKind, Lambda, Locals, Param, ParamType};
use super::super::issue;
use super::variables::Frame;
use super::{Lower, assigned, last_use};

/// Functions that may evaluate a class. Others may call one of these, but then a class that looks at a local whose value is
/// not at hand any more is an error that says so.
const EVALUATE_CLASSES: [&str; 7] =
    ["include", "contain", "require", "create_resources", "ensure_resource", "ensure_resources", "call"];

impl Lower<'_> {
    pub(super) fn call(&mut self, functor: NodeId, args: &[NodeId], lambda: Option<NodeId>) -> ExprKind {
        let (callee, name) = match self.ast.node(functor) {
            Node::Name(name) => (self.callee(self.text(name)), self.str(name)),
            Node::TypeName(_) => (Callee::New(self.expr(functor)), "new".into()),
            Node::Access { left, .. } if matches!(self.ast.node(left), Node::TypeName(_)) => {
                (Callee::New(self.expr(functor)), "new".into())
            }
            Node::RenderString(_) => {
                (Callee::Wrong(CodeError::from(issue::epp_parameters()), self.place_number(functor)), Str::default())
            }
            _ => {
                let what = pantin_syntax::a_label(self.ast, functor);
                let wrong = CodeError::from(issue::illegal_expression(&what, "function name", "Function Call"));
                (Callee::Wrong(wrong, self.place_number(functor)), Str::default())
            }
        };
        let args = self.exprs(args);
        let lambda = lambda.map(|lambda| Arc::new(self.lambda(lambda)));
        let locals = self.locals_for(&callee);
        ExprKind::Call(Box::new(Call { callee, is_method: false, name, args, lambda, locals }))
    }

    pub(super) fn method_call(&mut self, functor: NodeId, args: &[NodeId], lambda: Option<NodeId>) -> ExprKind {
        let Node::NamedAccess { left, name } = self.ast.node(functor) else {
            let what = pantin_syntax::a_label(self.ast, functor);
            return Self::wrong(issue::illegal_expression(&what, "function accessor", "Method call"));
        };
        let Node::Name(name) = self.ast.node(name) else {
            let what = pantin_syntax::a_label(self.ast, functor);
            return Self::wrong(issue::illegal_expression(&what, "function name", "Method call"));
        };
        let receiver = self.expr(left);
        let args = std::iter::once(receiver).chain(args.iter().map(|&arg| self.expr(arg))).collect();
        let lambda = lambda.map(|lambda| Arc::new(self.lambda(lambda)));
        let callee = self.callee(self.text(name));
        let locals = self.locals_for(&callee);
        ExprKind::Call(Box::new(Call { callee, is_method: true, name: self.str(name), args, lambda, locals }))
    }

    fn locals_for(&mut self, callee: &Callee) -> Option<Box<Locals>> {
        let looks_around = match callee {
            Callee::Builtin(known) => EVALUATE_CLASSES.contains(&known.declared.name),
            // Of those in Ruby the older kind finds variables by their names; it has no namespaces.
            Callee::Named(name) => {
                !name.contains("::")
                    && !self.own_functions.contains(&name.as_str())
                    && !self.builtins.may_stand_in(name)
            }
            _ => false,
        };
        if looks_around {
            self.keep_parameters();
        }
        match callee {
            Callee::Builtin(known) if known.declared.finds_variables => Some(self.locals()),
            _ => None,
        }
    }

    /// Code that runs from here, such as that of a class, sees the parameters of the lambdas around: none is moved out of its
    /// place.
    pub(super) fn keep_parameters(&mut self) {
        let known_otherwise = usize::from(self.shows_parameters);
        self.frames.iter_mut().skip(known_otherwise).for_each(Frame::note_all_seen);
    }

    fn callee(&mut self, name: &str) -> Callee {
        // A module cannot override a core function, so its name says all.
        let core = name.strip_prefix("::").unwrap_or(name);
        let callee = match self.builtins.get(core) {
            Some(builtin) if !self.own_functions.contains(&core) => Callee::Builtin(builtin),
            _ => Callee::Named(core.into()),
        };
        let runs_other_code = matches!(core, "break" | "call" | "epp" | "inline_epp" | "template" | "inline_template");
        self.seeks_functions |= matches!(&callee, Callee::Named(name) if !name.contains("::"));
        if runs_other_code || matches!(callee, Callee::Named(_)) {
            self.breaking_calls += 1;
        }
        callee
    }

    fn lambda(&mut self, id: NodeId) -> Lambda {
        let Node::Lambda { params, returns, body } = self.ast.node(id) else {
            return self.lower_in_own_frame("lambda", &[], None, None, id);
        };
        self.lower_in_own_frame("lambda", self.ast.list(params), returns, body, id)
    }

    /// Parameters and a body in a frame of their own.
    pub(super) fn lower_in_own_frame(
        &mut self,
        callee: &str,
        params: &[NodeId],
        returns: Option<NodeId>,
        body: Option<NodeId>,
        around: NodeId,
    ) -> Lambda {
        let mut slots: Vec<Str> = params.iter().filter_map(|&param| self.param_name(param)).collect();
        let count = slots.len();
        let assigned = body.map(|body| assigned::names(self.ast, body)).unwrap_or_default();
        for name in assigned {
            if !slots.contains(&name) {
                slots.push(name);
            }
        }
        let calls_before = self.breaking_calls;
        let (reads, is_read) = (vec![0; slots.len()], vec![false; slots.len()]);
        self.frames.push(Frame { slots, params: count, default_of: None, reads, is_read, assigned: Vec::new() });
        let params: Box<[Param]> =
            params.iter().enumerate().map(|(index, &param)| self.param(callee, index, param)).collect();
        let returns = returns.map(|returns| self.outside(returns));
        let mut body = self.optional(body, around);
        let frame = self.frames.pop();
        let (slots, reads, is_read, assigned) =
            frame.map(|frame| (frame.slots, frame.reads, frame.is_read, frame.assigned)).unwrap_or_default();
        let mut moved = Vec::new();
        if !(self.frames.is_empty() && self.shows_parameters) {
            last_use::mark(&mut body, &reads[..count]);
            moved.extend((0..count).filter(|slot| reads[*slot] == 1));
        }
        let may_break = self.breaking_calls > calls_before;
        let is_taken = |param: &Param| is_reserved_variable(&param.name) || is_module_variable(&param.name);
        let may_clash = params.iter().any(is_taken);
        let is_plain = !may_clash && params.iter().all(is_plain);
        let slots: Arc<[Str]> = slots.into();
        let number = self.locals.len() as u32;
        self.locals.push(SlotNames {
            slots: Arc::clone(&slots),
            parameters: params.len(),
            moved: moved.into(),
            fixed: assigned_once(assigned),
        });
        Lambda {
            params,
            number,
            slots,
            returns,
            body,
            is_plain,
            may_clash,
            is_read: is_read.into(),
            may_break,
            signature: OnceLock::new(),
            callable: OnceLock::new(),
            declared: OnceLock::new(),
            positions: OnceLock::new(),
        }
    }

    fn param_name(&self, param: NodeId) -> Option<Str> {
        match self.ast.node(param) {
            Node::Param { name, .. } => Some(self.str(name)),
            _ => None,
        }
    }

    fn param(&mut self, callee: &str, index: usize, id: NodeId) -> Param {
        let Node::Param { name, type_expr, value, captures_rest } = self.ast.node(id) else {
            return Param {
                at: self.place_number(id),
                name: Str::default(),
                param_type: None,
                default: None,
                rest: false,
            };
        };
        let of = type_expr.map(|of| self.outside(of));
        self.default_of(Some((index, callee.into())));
        let default = value.map(|value| self.expr(value));
        self.default_of(None);
        Param { at: self.place_number(id), name: self.str(name), param_type: of, default, rest: captures_rest }
    }

    /// Returns the type of a parameter or of a result: it is worked out around the lambda or function, and sees nothing
    /// in it.
    fn outside(&mut self, of: NodeId) -> ParamType {
        let frame = self.frames.pop();
        let of = self.param_type(of);
        self.frames.extend(frame);
        of
    }

    fn default_of(&mut self, of: Option<(usize, Str)>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.default_of = of;
        }
    }

    pub(super) fn param_type(&mut self, id: NodeId) -> ParamType {
        let expr: Expr = self.expr(id);
        match expr.kind {
            ExprKind::Constant(Value::Type(of)) => ParamType::Fixed(of),
            _ => ParamType::Computed(expr),
        }
    }
}

/// Returns what cannot be changed of locals that are assigned in one place.
fn assigned_once(mut assigned: Vec<(usize, Option<FixedLocal>)>) -> Box<[(usize, FixedLocal)]> {
    assigned.sort_by_key(|(slot, _)| *slot);
    let once = assigned.chunk_by(|(one, _), (other, _)| one == other).filter_map(|of| match of {
        [(slot, Some(fixed))] => Some((*slot, fixed.clone())),
        _ => None,
    });
    once.collect()
}

fn is_plain(param: &Param) -> bool {
    !param.rest && param.default.is_none() && !matches!(param.param_type, Some(ParamType::Computed(_)))
}
