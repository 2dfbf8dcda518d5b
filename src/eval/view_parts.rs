//! Parts of containers of the outside, at the end of a path of keys: nothing else of the container is read.
//!
//! Knows no error of a path that leads nowhere: where there may be one, the functions that have the path read the whole container.

use std::rc::Rc;

use pantin_model::trace::Container;
use pantin_values::Value;

use super::builtins::navigation::{find_at, written_path};
use super::function::RegisteredFunction;
use super::machine::Machine;
use super::stop::Flow;
use super::variable_value::{VariableValue, View};

impl Machine<'_> {
    /// Answers a call of `dig` or `get` whose first argument nobody has looked at. `None`: that takes the whole argument.
    pub(super) fn find_part(
        &mut self,
        function: &'static RegisteredFunction,
        view: &Rc<View>,
        args: &[Value],
    ) -> Flow<Option<Value>> {
        let found = match (function.declared.name, args) {
            ("dig", [_, path @ ..]) => self.find_at_path(view, path)?,
            ("get", [_, Value::String(navigation)]) => {
                self.find_written_part(view, navigation.as_str(), &Value::Undef)?
            }
            ("get", [_, Value::String(navigation), default]) => {
                self.find_written_part(view, navigation.as_str(), default)?
            }
            _ => None,
        };
        if found.is_some() {
            function.note_call(0);
        }
        Ok(found)
    }

    /// Finds what stands at the end of a path that is written with dots. `None`: that takes the whole container.
    pub(super) fn find_written_part(
        &mut self,
        view: &Rc<View>,
        navigation: &str,
        default: &Value,
    ) -> Flow<Option<Value>> {
        let Some(path) = written_path(navigation).filter(|path| !path.is_empty()) else { return Ok(None) };
        let found = self.find_at_path(view, &path)?;
        Ok(found.map(|found| if found.is_undef() { default.clone() } else { found }))
    }

    /// Finds what stands at the end of a path, step by step. `None`: a step is none that reads a single part.
    fn find_at_path(&mut self, view: &Rc<View>, path: &[Value]) -> Flow<Option<Value>> {
        let mut seen = VariableValue::View(Rc::clone(view));
        for (step, key) in path.iter().enumerate() {
            let view = match seen {
                VariableValue::View(view) => view,
                VariableValue::Value(value) => return Ok(find_at(&value, &path[step..])),
            };
            if key.is_undef() {
                return Ok(Some(Value::Undef));
            }
            match (view.container, key) {
                (Container::Hash, _) => {}
                (Container::Array, Value::Integer(index)) if *index >= 0 => {}
                (Container::Array, _) => return Ok(None),
            }
            seen = self.part(&view, key.clone())?;
        }
        self.settle(seen).map(Some)
    }
}
