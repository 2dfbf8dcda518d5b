//! Every expression below another one, in the order of the text.
//!
//! Knows the tree alone, and nothing of what is looked for in it.

use crate::code::{BlockArg, Code, Expr, ExprKind, In, Pattern, Target, Targets};

/// What a walk calls back.
pub(super) trait Visitor {
    /// Looks at an expression; says whether what is below it is to be walked by the walk itself.
    fn enter(&mut self, expr: &Expr) -> bool;
}

pub(super) fn code(visitor: &mut dyn Visitor, code: &Code) {
    let params = &code.params;
    params.required.iter().chain(&params.posts).for_each(|each| target(visitor, each));
    params.optional.iter().for_each(|(_, default)| expr(visitor, default));
    params.keywords.iter().filter_map(|keyword| keyword.default.as_ref()).for_each(|default| expr(visitor, default));
    expr(visitor, &code.body);
}

pub(super) fn expr(visitor: &mut dyn Visitor, of: &Expr) {
    if visitor.enter(of) {
        pantin_base::stack::with_room(|| below(visitor, of));
    }
}

fn each<'e>(visitor: &mut dyn Visitor, all: impl IntoIterator<Item = &'e Expr>) {
    all.into_iter().for_each(|one| expr(visitor, one));
}

fn pairs(visitor: &mut dyn Visitor, pairs: &[(Option<Expr>, Expr)]) {
    for (key, value) in pairs {
        each(visitor, key);
        expr(visitor, value);
    }
}

/// What stands directly below an expression.
pub(super) fn below(visitor: &mut dyn Visitor, of: &Expr) {
    match &of.kind {
        ExprKind::Joined(all) | ExprKind::JoinedSymbol(all) | ExprKind::JoinedRegex(all, _) => each(visitor, all),
        ExprKind::Array(all) | ExprKind::Yield(all) | ExprKind::Sequence(all) => each(visitor, all),
        ExprKind::Hash(all) | ExprKind::Keywords(all) => pairs(visitor, all),
        ExprKind::Range(from, to, _) => each(visitor, from.as_deref().into_iter().chain(to.as_deref())),
        ExprKind::Splat(one) | ExprKind::Not(one) | ExprKind::Defined(one) | ExprKind::ConstantOf(one, _) => {
            expr(visitor, one)
        }
        ExprKind::Return(one) | ExprKind::Break(one) | ExprKind::Next(one) => each(visitor, one.as_deref()),
        ExprKind::And(one, other) | ExprKind::Or(one, other) => each(visitor, [&**one, &**other]),
        ExprKind::If(parts) => each(visitor, [&parts.0, &parts.1, &parts.2]),
        ExprKind::Loop(looped) => each(visitor, [&looped.test, &looped.body]),
        ExprKind::MatchWrite(one, _) => expr(visitor, one),
        ExprKind::Lambda(of) => code(visitor, of),
        _ => written(visitor, of),
    }
}

/// Assignments, calls, definitions, choices.
fn written(visitor: &mut dyn Visitor, of: &Expr) {
    match &of.kind {
        ExprKind::Assign(to, value) => {
            target(visitor, to);
            expr(visitor, value);
        }
        ExprKind::OpAssign(parts) => {
            target(visitor, &parts.0);
            expr(visitor, &parts.3);
        }
        ExprKind::AssignMany(to, value) => {
            targets(visitor, to);
            expr(visitor, value);
        }
        ExprKind::Call(call) => {
            each(visitor, &call.receiver);
            each(visitor, &call.args);
            block(visitor, &call.block);
        }
        ExprKind::Super(args, given) => {
            each(visitor, args.iter().flatten());
            block(visitor, given);
        }
        ExprKind::For(parts) => {
            target(visitor, &parts.0);
            each(visitor, [&parts.1, &parts.2]);
        }
        ExprKind::DefineMethod(method) => {
            each(visitor, &method.on);
            code(visitor, &method.code);
        }
        ExprKind::DefineClass(class) => {
            each(visitor, class.within.iter().chain(&class.superclass));
            code(visitor, &class.body);
        }
        ExprKind::SingletonClass(on, body) => {
            expr(visitor, on);
            code(visitor, body);
        }
        _ => chosen(visitor, of),
    }
}

fn chosen(visitor: &mut dyn Visitor, of: &Expr) {
    match &of.kind {
        ExprKind::Case(subject, whens, otherwise) => {
            each(visitor, subject.as_deref());
            for when in whens {
                each(visitor, &when.tests);
                expr(visitor, &when.then);
            }
            expr(visitor, otherwise);
        }
        ExprKind::CaseIn(subject, ins, otherwise) => {
            expr(visitor, subject);
            for In { pattern: wanted, guard, then } in ins {
                pattern(visitor, wanted);
                each(visitor, guard);
                expr(visitor, then);
            }
            each(visitor, otherwise.as_deref());
        }
        ExprKind::Matches(subject, wanted) => {
            expr(visitor, subject);
            pattern(visitor, wanted);
        }
        ExprKind::Begin(begin) => {
            expr(visitor, &begin.body);
            for rescue in &begin.rescues {
                // Its classes are asked for only when something was raised.
                rescue.into.iter().for_each(|into| target(visitor, into));
                expr(visitor, &rescue.body);
            }
            each(visitor, begin.else_body.iter().chain(&begin.ensure));
        }
        _ => {}
    }
}

fn block(visitor: &mut dyn Visitor, given: &BlockArg) {
    match given {
        BlockArg::None => {}
        BlockArg::Code(of) => code(visitor, of),
        BlockArg::Pass(value) => expr(visitor, value),
    }
}

fn target(visitor: &mut dyn Visitor, to: &Target) {
    match to {
        Target::Constant(within, _) => each(visitor, within.as_deref()),
        Target::Index(on, args) => {
            expr(visitor, on);
            each(visitor, args);
        }
        Target::Attribute(on, ..) => expr(visitor, on),
        Target::Many(many) => targets(visitor, many),
        _ => {}
    }
}

fn targets(visitor: &mut dyn Visitor, many: &Targets) {
    many.before.iter().chain(&many.rest).chain(&many.after).for_each(|each| target(visitor, each));
}

fn pattern(visitor: &mut dyn Visitor, wanted: &Pattern) {
    match wanted {
        Pattern::Value(value) => expr(visitor, value),
        Pattern::Either(one, other) => {
            pattern(visitor, one);
            pattern(visitor, other);
        }
        Pattern::Capture(inner, ..) => pattern(visitor, inner),
        Pattern::Array { class, before, after, .. } => {
            each(visitor, class);
            before.iter().chain(after).for_each(|item| pattern(visitor, item));
        }
        Pattern::Find { class, middle, .. } => {
            each(visitor, class);
            middle.iter().for_each(|item| pattern(visitor, item));
        }
        Pattern::Hash { class, pairs, .. } => {
            each(visitor, class);
            pairs.iter().filter_map(|(_, wanted, _)| wanted.as_ref()).for_each(|item| pattern(visitor, item));
        }
        Pattern::Bind(..) => {}
    }
}
