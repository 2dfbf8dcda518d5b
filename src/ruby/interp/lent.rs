//! What the outside has lent: a variable is a copy here, and one that was changed in place goes back.

use super::Interp;
use crate::pcore::{self, Str};
use crate::ruby::outside::Seen;
use crate::ruby::stop::Flow;
use crate::ruby::value::Value;

pub(in crate::ruby) struct Lent {
    variable: Str,
    /// Of a part of it.
    path: Vec<pcore::Value>,
    original: pcore::Value,
    value: Value,
}

impl Interp<'_> {
    /// A variable of the scope.
    pub(in crate::ruby) fn outer_variable(&mut self, name: &str) -> Flow<Option<Value>> {
        let found = self.outside.variable(name);
        let Some(seen) = self.outside(found)? else { return Ok(None) };
        let original = match &seen {
            Seen::Value(value) => Some(value.clone()),
            Seen::Held(_) | Seen::View(_) => None,
        };
        let value = self.seen(seen)?;
        if let Some(original) = original {
            self.lend(&name.into(), &[], original, &value);
        }
        Ok(Some(value))
    }

    pub(super) fn lend(&mut self, variable: &Str, path: &[pcore::Value], original: pcore::Value, value: &Value) {
        if matches!(value, Value::String(_) | Value::Array(_) | Value::Hash(_)) {
            let (variable, path, value) = (variable.clone(), path.to_vec(), value.clone());
            self.lent.push(Lent { variable, path, original, value });
        }
    }

    /// Gives back what was changed, before anybody else may look at it.
    pub(in crate::ruby) fn give_back(&mut self) -> Flow<()> {
        if !std::mem::take(&mut self.touched) {
            return Ok(());
        }
        let mut changed: Vec<Str> = Vec::new();
        for index in 0..self.lent.len() {
            let value = self.lent[index].value.clone();
            let value = self.leaving(&value)?;
            let lent = &mut self.lent[index];
            if value == lent.original {
                continue;
            }
            lent.original = value.clone();
            let name = lent.variable.clone();
            if !lent.path.is_empty() || changed.contains(&name) {
                return self.unsupported(format!("the change of a part of ${name} in place"));
            }
            let given = self.outside.change_variable(&name, value);
            self.outside(given)?;
            changed.push(name);
        }
        Ok(())
    }
}
