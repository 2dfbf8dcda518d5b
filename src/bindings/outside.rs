//! The one way in which an injector knows what is outside: code, data, functions, resources.

use pantin_syntax::bindings::Subject;
use pantin_values::{Fault, Hash, Resolve, Str, Type, Value};

use super::definition::Expression;
use super::produce::Runtime;

/// A resource that another node exports.
#[derive(Clone, Debug)]
pub struct ExportedResource {
    pub certname: Str,
    pub type_name: Str,
    pub title: Str,
    pub tags: Vec<Str>,
    pub parameters: Vec<(Str, Value)>,
}

pub trait Outside: Resolve {
    /// Works out an expression of a file of bindings, at the top scope.
    fn evaluate(&mut self, expression: &Expression) -> Result<Value, Fault>;

    /// Calls a lambda of a file of bindings.
    fn call_lambda(&mut self, lambda: &Expression, arguments: Vec<Value>) -> Result<Value, Fault>;

    /// Calls a function by its name; `None` where there is none.
    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, Fault>;

    /// Makes an instance of a type. `wanted`: the type that was asked for, where another is made.
    fn new_instance(&mut self, of: &Type, wanted: Option<&Type>, arguments: Option<Hash>) -> Result<Value, Fault>;

    /// Looks a key up in the data.
    fn look_up(&mut self, key: &str) -> Result<Option<Value>, Fault>;

    /// The names of the parameters of a class or a type, metaparameters left out; `None` where there is no such thing.
    fn parameter_names(&mut self, of: &Subject) -> Result<Option<Vec<Str>>, Fault>;

    /// Returns the parameters of a resource as they stand in the catalog; `None` where it is not there.
    fn resource(&mut self, type_name: &str, title: &str) -> Option<Vec<(Str, Value)>>;

    /// Returns the resources of a type that other nodes export, in the order of certname and title.
    fn exported(&mut self, type_name: &str) -> Result<Vec<ExportedResource>, Fault>;

    /// Returns true if a variable may be one that the node brings.
    fn may_be_known_variable(&mut self, name: &str) -> bool;

    /// Returns true if a parameter is one that any resource may have.
    fn is_metaparameter(&self, name: &str) -> bool;

    /// Returns true if there is a function of this name.
    fn has_function(&mut self, name: &str) -> bool;

    /// Returns why one class or type cannot stand in the place of another; `None` where it can.
    fn replacement_problem(&mut self, old: &Subject, new: &Subject) -> Option<String>;

    /// Returns what was worked out for this node so far.
    fn runtime(&mut self) -> &mut Runtime;
}
