//! Values that the outside has lent to Ruby: a variable is copied in, and a copy that was changed in place is written back.

use pantin_base::stack;
use pantin_model::trace::VariableName;

use super::Interp;
use crate::outside::OutsideVariable;
use crate::stop::Flow;
use crate::value::Value;

pub(crate) struct LentValue {
    owner: Owner,
    original: pantin_values::Value,
    value: Value,
}

/// Who has lent it.
#[derive(Clone)]
enum Owner {
    Variable(VariableName),
    PartOf(VariableName),
    /// Whoever calls the function.
    Argument(usize),
    /// The context of a look-up.
    Context,
}

impl Interp<'_> {
    /// Returns a variable of the scope; with `@` before it, as a template has it.
    pub(crate) fn outer_variable(&mut self, name: &str) -> Flow<Option<Value>> {
        let found = self.outside.variable(name);
        let name = name.strip_prefix('@').unwrap_or(name);
        let Some(seen) = self.outside(found)? else { return Ok(None) };
        let original = match &seen {
            OutsideVariable::Value(value) => Some(value.clone()),
            OutsideVariable::Held(_) | OutsideVariable::View(_) => None,
        };
        let value = self.value_from_outside(seen)?;
        if let Some(original) = original {
            self.lend(&name.into(), &[], original, &value);
        }
        Ok(Some(value))
    }

    pub(super) fn lend(
        &mut self,
        variable: &VariableName,
        path: &[pantin_values::Value],
        original: pantin_values::Value,
        value: &Value,
    ) {
        let owner = if path.is_empty() { Owner::Variable(variable.clone()) } else { Owner::PartOf(variable.clone()) };
        self.lend_as(owner, original, value);
    }

    /// What the context of a look-up keeps, and the code that runs has in its hands too.
    pub(crate) fn lend_cached(&mut self, original: pantin_values::Value, value: &Value) {
        mark(value);
        self.lend_as(Owner::Context, original, value);
    }

    /// An argument of the function that runs.
    pub(crate) fn lend_argument(&mut self, index: usize, original: &pantin_values::Value, value: &Value) {
        self.lend_as(Owner::Argument(index), original.clone(), value);
    }

    fn lend_as(&mut self, owner: Owner, original: pantin_values::Value, value: &Value) {
        if matches!(value, Value::String(_) | Value::Array(_) | Value::Hash(_)) {
            self.lent.push(LentValue { owner, original, value: value.clone() });
        }
    }

    /// Before something that the outside has lent is changed: what is known of the node is frozen.
    pub(crate) fn freeze_fixed(&mut self) -> Flow<()> {
        while let Some(lent) = self.lent.get(self.judged) {
            self.judged += 1;
            let value = lent.value.clone();
            let is_fixed = match lent.owner.clone() {
                Owner::Variable(name) | Owner::PartOf(name) => self.outside.is_fixed(&name),
                Owner::Argument(index) => self.outside.is_fixed_argument(index),
                Owner::Context => continue,
            };
            if self.outside(is_fixed)? {
                freeze(&value);
            }
        }
        Ok(())
    }

    /// The same where it is this value that matters.
    pub(crate) fn check_lent_value(&mut self, value: &Value) -> Flow<()> {
        let is_lent = match value {
            Value::String(text) => text.lent.get(),
            Value::Array(list) => list.lent.get(),
            Value::Hash(table) => table.lent.get(),
            _ => false,
        };
        if is_lent { self.freeze_fixed() } else { Ok(()) }
    }

    /// Gives back what was changed, before anybody else may look at it.
    pub(crate) fn give_back(&mut self) -> Flow<()> {
        if !std::mem::take(&mut self.touched) {
            return Ok(());
        }
        let mut changed: Vec<VariableName> = Vec::new();
        for index in 0..self.lent.len() {
            let value = self.lent[index].value.clone();
            let value = self.leaving(&value)?;
            let lent = &mut self.lent[index];
            if value == lent.original {
                continue;
            }
            lent.original = value.clone();
            let name = match lent.owner.clone() {
                Owner::Variable(name) if !changed.contains(&name) => name,
                Owner::Variable(name) | Owner::PartOf(name) => {
                    return self.unsupported(format!("the change of a part of ${} in place", name.written()));
                }
                Owner::Argument(index) => {
                    let given = self.outside.change_argument(index, value);
                    self.outside(given)?;
                    continue;
                }
                Owner::Context => {
                    return self.unsupported("the change in place of what the context of a look-up keeps");
                }
            };
            let given = self.outside.change_variable(&name, value);
            self.outside(given)?;
            changed.push(name);
        }
        Ok(())
    }
}

/// A change of it, or of anything in it, is noted.
fn mark(value: &Value) {
    stack::with_room(|| match value {
        Value::String(text) => text.lent.set(true),
        Value::Array(list) => {
            list.lent.set(true);
            list.items.borrow().iter().for_each(mark);
        }
        Value::Hash(table) => {
            table.lent.set(true);
            table.values().iter().for_each(mark);
        }
        _ => {}
    });
}

fn freeze(value: &Value) {
    stack::with_room(|| match value {
        Value::String(text) => text.frozen.set(true),
        Value::Array(list) => {
            list.frozen.set(true);
            list.items.borrow().iter().for_each(freeze);
        }
        Value::Hash(table) => {
            table.frozen.set(true);
            table.values().iter().for_each(freeze);
        }
        _ => {}
    });
}
