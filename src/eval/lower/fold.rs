//! What is the same at every evaluation is worked out once, where that cannot lose an error.

use pantin_values::{BuiltInOnly, Value, types};

use super::super::code::{Access, Expr, Kind};

pub(super) fn fold(kind: Kind) -> Kind {
    match kind {
        Kind::Array(items) if items.iter().all(is_plain) => {
            Kind::Constant(Value::array(items.iter().filter_map(constant)))
        }
        Kind::Hash(entries) if entries.iter().all(|(key, value)| is_plain(key) && is_plain(value)) => {
            let pairs = entries.iter().filter_map(|(key, value)| Some((constant(key)?, constant(value)?)));
            Kind::Constant(Value::hash(pairs))
        }
        Kind::Minus(operand) => match operand.kind {
            Kind::Constant(Value::Integer(value)) if value != i64::MIN => Kind::Constant(Value::Integer(-value)),
            Kind::Constant(Value::Float(value)) => Kind::Constant(Value::Float(-value)),
            _ => Kind::Minus(operand),
        },
        Kind::Access(access) => fold_access(access),
        other => other,
    }
}

/// `Integer[1, 5]` and its like, made of built-in types alone. A mistake in it is told when it is reached.
fn fold_access(access: Box<Access>) -> Kind {
    if let Kind::Constant(Value::Type(of)) = &access.left.kind
        && access.keys.iter().all(is_plain)
        && !matches!(of, types::Type::Resource(_) | types::Type::Class(_))
    {
        let keys: Vec<Value> = access.keys.iter().filter_map(constant).collect();
        if let Ok(value) = types::access(of, &keys, &mut BuiltInOnly) {
            return Kind::Constant(value);
        }
    }
    Kind::Access(access)
}

fn is_plain(expr: &Expr) -> bool {
    matches!(expr.kind, Kind::Constant(_))
}

fn constant(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        Kind::Constant(value) => Some(value.clone()),
        _ => None,
    }
}
