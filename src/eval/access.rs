//! Access expressions, `$a[1]`: to containers, types and resources. What is an element of the outside is asked for alone.

use std::rc::Rc;

use pantin_model::trace::{Answer, Container, Failure, Question, Shape};
use pantin_values::{Fault, Str, Type, Value, ops, types, unencoded};

use super::code::{Access, AccessPath, Expr, ExprKind, Variable};
use super::machine::Machine;
use super::stop::{Flow, Reason, Stop};
use super::variable_value::{VariableValue, View};

impl Machine<'_> {
    #[inline(never)]
    pub(super) fn access(&mut self, access: &Access) -> Flow<VariableValue> {
        if let Some(way) = &access.access_path
            && !self.is_recorded
            && let Some(seen) = self.end_of(way)
        {
            return Ok(seen);
        }
        let Access { left, keys, .. } = access;
        let keys = &**keys;
        if let [key] = keys
            && let (Some(target), Some(key)) = (self.at_hand(left), self.at_hand(key))
            && let Some(found) = element(target, key)
        {
            return Ok(VariableValue::Value(found.clone()));
        }
        let seen = self.look(left)?;
        let target = match seen {
            VariableValue::Value(value) => value,
            VariableValue::View(view) => {
                let [key] = keys else {
                    let whole = self.settle(VariableValue::View(view))?;
                    return self.access_value(whole, left, keys);
                };
                if matches!(key.kind, ExprKind::Unfold(_)) {
                    let whole = self.settle(VariableValue::View(view))?;
                    return self.access_value(whole, left, keys);
                }
                let value = self.value(key)?;
                let is_leaf = match (view.container, &value) {
                    (Container::Hash, _) => true,
                    (Container::Array, Value::Integer(index)) => *index >= 0,
                    (Container::Array, _) => false,
                };
                if is_leaf {
                    return self.part(&view, value);
                }
                let whole = self.settle(VariableValue::View(view))?;
                return self.access_with(whole, left, keys, &[value]).map(VariableValue::Value);
            }
        };
        self.access_value(target, left, keys)
    }

    /// Returns what stands at the end of a way through containers of the outside, asked for in one go: where something
    /// stands there, each step before it is a container. `None` where nothing does: which step is missing is then seen
    /// one by one.
    fn end_of(&mut self, way: &AccessPath) -> Option<VariableValue> {
        let Variable { name, places, .. } = &way.variable;
        let is_near = places.iter().any(|&(depth, slot)| self.slot_at(depth, slot).is_some())
            || self.lent_variable(name).is_some()
            || self.find_held(name).is_some();
        // What is wrong with asking for it is told by the step that does.
        if is_near || self.before_asking(name).is_err() {
            return None;
        }
        let (variable, path) = (self.standing_name(name), way.path.clone());
        let question = Question::Part { variable, path };
        let answer = self.host.ask(&question);
        match (answer, question) {
            (Answer::Value(value), _) => Some(VariableValue::Value(value)),
            (Answer::View(container), Question::Part { variable, path }) => {
                Some(VariableValue::View(Rc::new(View { container, variable, path })))
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn access_value(&mut self, target: Value, left: &Expr, keys: &[Expr]) -> Flow<VariableValue> {
        // The common case without a list of keys.
        if let [key] = keys
            && !matches!(key.kind, ExprKind::Unfold(_))
        {
            let key = self.value(key)?;
            return match element(&target, &key) {
                Some(found) => Ok(VariableValue::Value(found.clone())),
                None => self.access_with(target, left, keys, &[key]).map(VariableValue::Value),
            };
        }
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            values.push(self.value(key)?);
        }
        self.access_with(target, left, keys, &values).map(VariableValue::Value)
    }

    /// Returns what `*value` is spread into.
    pub(super) fn splat(&self, value: Value) -> Result<Vec<Value>, Fault> {
        Ok(match value {
            Value::Undef => Vec::new(),
            Value::Array(items) => items.to_vec(),
            Value::Hash(entries) => {
                entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
            }
            Value::Iterator(sequence) => {
                self.check_elements(usize::try_from(sequence.len()).unwrap_or(usize::MAX))?;
                self.cursors.each(&sequence).collect()
            }
            other => vec![other],
        })
    }

    /// An error about one of the keys stands where that key does. Those that came out of one list have no places of
    /// their own: that of the list is for reports alone.
    #[cold]
    fn blame_key(&self, stop: Stop, keys: &[Expr]) -> Stop {
        match *stop.0 {
            Reason::Fault(fault) => match (fault.key.map(|key| keys.get(key)), keys.last()) {
                (Some(Some(key)), _) => Reason::FaultAt(fault, key.at).into(),
                (Some(None), Some(last)) => {
                    let message = format!("Evaluation Error: {}", fault.message).into();
                    let failure = Failure::new(fault, Shape::Whole, Some(self.place(last.at)));
                    Failure { message, ..failure }.into()
                }
                _ => fault.into(),
            },
            other => other.into(),
        }
    }

    pub(super) fn access_with(&mut self, target: Value, left: &Expr, keys: &[Expr], values: &[Value]) -> Flow {
        match target {
            Value::Type(of) => match self.access_type(&of, values) {
                Err(stop) => Err(self.blame_key(stop, keys)),
                done => done,
            },
            Value::Resource(resource) if resource.title.is_empty() => {
                let class = "Puppet::Pops::Types::PResourceType";
                Err(Fault::new(format!("undefined method `title=' for #<{class}>:{class}")).into())
            }
            Value::Resource(resource) => self.resource_parameters(&resource.reference(), values),
            Value::Undef => {
                let result = self.index(&Value::Undef, values, left, keys);
                result.map_err(|stop| self.with_missing_key(stop, left))
            }
            target => self.index(&target, values, left, keys),
        }
    }

    pub(super) fn access_type(&mut self, of: &Type, keys: &[Value]) -> Flow {
        // `File['a']['mode']` is the value of a parameter.
        let titled = match of {
            Type::Resource(Some(resource)) => resource.title.is_some(),
            Type::Class(Some(_)) => true,
            _ => false,
        };
        if titled {
            return self.resource_parameters(of, keys);
        }
        let made = if unencoded::are_any() {
            let keys = unencoded::all_in_utf8(keys, || format!("{of}[]"))?;
            types::access(of, &keys, self)?
        } else {
            types::access(of, keys, self)?
        };
        self.checked(made)
    }

    fn resource_parameters(&mut self, of: &Type, keys: &[Value]) -> Flow {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            // No parameter is called by a number, or by anything that is no text.
            let name: Str = ops::to_s(key).into();
            let question = Question::ResourceParameter { reference: of.clone(), name };
            match self.host.ask(&question) {
                Answer::Value(value) => found.push(value),
                Answer::Fault(fault) => return Err(fault.into()),
                _ => found.push(Value::Undef),
            }
        }
        Ok(if found.len() == 1 { found.swap_remove(0) } else { Value::Array(found.into()) })
    }
}

/// Returns what stands in a collection under a key, where that needs no more than to look: a hash, or a place of an
/// array.
#[inline]
pub(super) fn element<'v>(target: &'v Value, key: &Value) -> Option<&'v Value> {
    match (target, key) {
        (Value::Hash(entries), key) => Some(entries.get(key).unwrap_or(&Value::Undef)),
        (Value::Array(items), Value::Integer(index)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    }
}
