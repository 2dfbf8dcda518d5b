//! What is the same at every evaluation is worked out once, where that cannot lose an error.

use pantin_values::{BuiltInOnly, Value, types};

use super::super::code::{Access, Expr, ExprKind};

pub(super) fn fold(kind: ExprKind) -> ExprKind {
    match kind {
        ExprKind::Array(items) if items.iter().all(is_plain) => {
            ExprKind::Constant(Value::array(items.iter().filter_map(constant)))
        }
        ExprKind::Hash(entries) if entries.iter().all(|(key, value)| is_plain(key) && is_plain(value)) => {
            let pairs = entries.iter().filter_map(|(key, value)| Some((constant(key)?, constant(value)?)));
            ExprKind::Constant(Value::hash(pairs))
        }
        ExprKind::Minus(operand) => match operand.kind {
            ExprKind::Constant(Value::Integer(value)) if value != i64::MIN => {
                ExprKind::Constant(Value::Integer(-value))
            }
            ExprKind::Constant(Value::Float(value)) => ExprKind::Constant(Value::Float(-value)),
            _ => ExprKind::Minus(operand),
        },
        ExprKind::Access(access) => fold_access(access),
        other => other,
    }
}

/// `Integer[1, 5]` and its like, made of built-in types alone. A mistake in it is told when it is reached.
fn fold_access(access: Box<Access>) -> ExprKind {
    if let ExprKind::Constant(Value::Type(of)) = &access.left.kind
        && access.keys.iter().all(is_plain)
        && !matches!(of, types::Type::Resource(_) | types::Type::Class(_))
    {
        let keys: Vec<Value> = access.keys.iter().filter_map(constant).collect();
        if let Ok(value) = types::access(of, &keys, &mut BuiltInOnly) {
            return ExprKind::Constant(value);
        }
    }
    ExprKind::Access(access)
}

fn is_plain(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Constant(_))
}

fn constant(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Constant(value) => Some(value.clone()),
        _ => None,
    }
}
