//! The key that was probably meant, where code looks into what a hash does not hold. It helps the reader of the error alone.

use pantin_base::nearest;
use pantin_values::Value;

use super::code::{Access, Expr, ExprKind};
use super::machine::Machine;
use super::stop::{Flow, Reason, Stop};

impl Machine<'_> {
    /// The error of `left[…]`, where `left` is undef, with the key that was meant in `left`.
    #[cold]
    pub(super) fn with_missing_key(&mut self, mut stop: Stop, left: &Expr) -> Stop {
        if let Reason::Fault(fault) | Reason::FaultAt(fault, _) = &mut *stop.0
            && let Ok(Some(help)) = self.missing_key_help(left)
        {
            fault.help = Some(help);
        }
        stop
    }

    fn missing_key_help(&mut self, left: &Expr) -> Flow<Option<String>> {
        let ExprKind::Access(access) = &left.kind else { return Ok(None) };
        if !is_pure(left) {
            return Ok(None);
        }
        let [key] = &*access.keys else { return Ok(None) };
        let (hash, key) = (self.value(&access.left)?, self.value(key)?);
        let (Value::Hash(hash), Value::String(key)) = (hash, key) else { return Ok(None) };
        if hash.get(&Value::String(key.clone())).is_some() {
            return Ok(None);
        }
        let near = nearest(&key, hash.iter().filter_map(|(known, _)| known.as_str()));
        Ok(near.map(|near| {
            format!("the hash in {} has no key '{key}'; did you mean '{near}'?", self.text_of(&access.left))
        }))
    }

    /// Returns an expression as it is written; in an interpolation the `$` may be left out.
    fn text_of(&self, expr: &Expr) -> String {
        let at = self.place(expr.at);
        let span = at.span();
        let text = at.unit.source.text().get(span.start as usize..span.end() as usize).unwrap_or_default();
        if text.starts_with('$') { text.to_owned() } else { format!("${text}") }
    }
}

/// Returns true if an expression can be evaluated twice: variables, constants, and keys of these.
fn is_pure(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Parameter(_) | ExprKind::Variable(_) => true,
        ExprKind::Access(access) => {
            let Access { left, keys, .. } = &**access;
            is_pure(left) && keys.iter().all(is_pure)
        }
        _ => false,
    }
}
