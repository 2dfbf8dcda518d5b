//! Parameters that are read in one place: there the value can be moved out, so that what nobody else holds is changed
//! in place. `reduce` that adds to its memo depends on it.
//!
//! Code runs once for each call of the lambda it is in, so that the one place is the last use. Only the ways on which
//! it pays are walked; a lambda inside has parameters of its own.

use pantin_base::stack::with_room;

use super::super::code::{Expr, ExprKind};

/// `reads`: how often each parameter is read, by this body and by the lambdas in it.
pub(super) fn mark(body: &mut Expr, reads: &[u32]) {
    if reads.contains(&1) {
        walk(body, reads);
    }
}

fn walk(expr: &mut Expr, reads: &[u32]) {
    let each = |expr: &mut Expr| with_room(|| walk(expr, reads));
    match &mut expr.kind {
        ExprKind::Parameter(slot) => {
            let slot = *slot;
            if reads.get(slot as usize) == Some(&1) {
                expr.kind = ExprKind::LastUse(slot);
            }
        }
        ExprKind::Paren(inner) => each(inner),
        ExprKind::Concat(parts) | ExprKind::Array(parts) | ExprKind::Block(parts) => parts.iter_mut().for_each(each),
        ExprKind::Hash(entries) => entries.iter_mut().for_each(|(_, value)| each(value)),
        ExprKind::Binary(parts) => {
            each(&mut parts.1);
            each(&mut parts.2);
        }
        ExprKind::Call(call) => call.args.iter_mut().for_each(each),
        ExprKind::If(parts) => {
            each(&mut parts.test);
            each(&mut parts.then_branch);
            each(&mut parts.else_branch);
        }
        _ => {}
    }
}
