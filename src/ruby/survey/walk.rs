//! Every expression below another one, in the order of the text.
//!
//! Knows the tree alone, and nothing of what is looked for in it.

use crate::code::{BlockArg, Code, Expr, In, Kind, Pattern, Target, Targets};

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
        Kind::Joined(all) | Kind::JoinedSymbol(all) | Kind::JoinedRegex(all, _) => each(visitor, all),
        Kind::Array(all) | Kind::Yield(all) | Kind::Sequence(all) => each(visitor, all),
        Kind::Hash(all) | Kind::Keywords(all) => pairs(visitor, all),
        Kind::Range(from, to, _) => each(visitor, from.as_deref().into_iter().chain(to.as_deref())),
        Kind::Splat(one) | Kind::Not(one) | Kind::Defined(one) | Kind::ConstantOf(one, _) => expr(visitor, one),
        Kind::Return(one) | Kind::Break(one) | Kind::Next(one) => each(visitor, one.as_deref()),
        Kind::And(one, other) | Kind::Or(one, other) => each(visitor, [&**one, &**other]),
        Kind::If(parts) => each(visitor, [&parts.0, &parts.1, &parts.2]),
        Kind::Loop(looped) => each(visitor, [&looped.test, &looped.body]),
        Kind::MatchWrite(one, _) => expr(visitor, one),
        Kind::Lambda(of) => code(visitor, of),
        _ => written(visitor, of),
    }
}

/// Assignments, calls, definitions, choices.
fn written(visitor: &mut dyn Visitor, of: &Expr) {
    match &of.kind {
        Kind::Assign(to, value) => {
            target(visitor, to);
            expr(visitor, value);
        }
        Kind::OpAssign(parts) => {
            target(visitor, &parts.0);
            expr(visitor, &parts.3);
        }
        Kind::AssignMany(to, value) => {
            targets(visitor, to);
            expr(visitor, value);
        }
        Kind::Call(call) => {
            each(visitor, &call.receiver);
            each(visitor, &call.args);
            block(visitor, &call.block);
        }
        Kind::Super(args, given) => {
            each(visitor, args.iter().flatten());
            block(visitor, given);
        }
        Kind::For(parts) => {
            target(visitor, &parts.0);
            each(visitor, [&parts.1, &parts.2]);
        }
        Kind::DefineMethod(method) => {
            each(visitor, &method.on);
            code(visitor, &method.code);
        }
        Kind::DefineClass(class) => {
            each(visitor, class.within.iter().chain(&class.superclass));
            code(visitor, &class.body);
        }
        Kind::SingletonClass(on, body) => {
            expr(visitor, on);
            code(visitor, body);
        }
        _ => chosen(visitor, of),
    }
}

fn chosen(visitor: &mut dyn Visitor, of: &Expr) {
    match &of.kind {
        Kind::Case(subject, whens, otherwise) => {
            each(visitor, subject.as_deref());
            for when in whens {
                each(visitor, &when.tests);
                expr(visitor, &when.then);
            }
            expr(visitor, otherwise);
        }
        Kind::CaseIn(subject, ins, otherwise) => {
            expr(visitor, subject);
            for In { pattern: wanted, guard, then } in ins {
                pattern(visitor, wanted);
                each(visitor, guard);
                expr(visitor, then);
            }
            each(visitor, otherwise.as_deref());
        }
        Kind::Matches(subject, wanted) => {
            expr(visitor, subject);
            pattern(visitor, wanted);
        }
        Kind::Begin(begin) => {
            expr(visitor, &begin.body);
            for rescue in &begin.rescues {
                // Its classes are asked for only when something was raised.
                rescue.into.iter().for_each(|into| target(visitor, into));
                expr(visitor, &rescue.body);
            }
            each(visitor, begin.otherwise.iter().chain(&begin.ensure));
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
