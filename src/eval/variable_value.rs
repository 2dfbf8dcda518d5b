//! A value, or a container of the outside of which nothing was looked at yet.

use std::rc::Rc;
use std::sync::Arc;

use pantin_model::trace::{Container, Path, VariableName};
use pantin_values::Value;

/// What a variable holds. A view stands for a container of another scope until a part of it is wanted (then
/// that part alone counts as read) or all of it (then all of it does). Views live in locals and in the hands of
/// the evaluator; they are never stored in a value.
#[derive(Clone, Debug)]
pub(super) enum VariableValue {
    Value(Value),
    View(Rc<View>),
}

const _: () = assert!(size_of::<Option<VariableValue>>() <= 24);

#[derive(Debug)]
pub(super) struct View {
    pub(super) container: Container,
    pub(super) variable: VariableName,
    pub(super) path: Path,
}

impl View {
    /// Returns the way to a part, one step further.
    pub(super) fn step(&self, key: Value) -> Path {
        if self.path.is_empty() {
            return Arc::from([key]);
        }
        self.path.iter().cloned().chain(std::iter::once(key)).collect()
    }
}
