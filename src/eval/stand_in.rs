//! Functions by their names, as a host knows them: code in Puppet, a function that is known natively and stands in for
//! one that a module defines in Ruby, or that Ruby code itself.

use std::any::Any;
use std::sync::Arc;

use pantin_model::trace::{Code, Definition, Unit};
use pantin_ruby::FunctionFile;
use pantin_values::Fault;

use super::code::Body;
use super::function::RegisteredFunction;

#[derive(Clone, Debug)]
pub enum Function {
    Puppet(Arc<Body>),
    StandIn(&'static RegisteredFunction),
    Ruby(Arc<FunctionFile>),
}

impl Function {
    /// Returns what a host has answered with.
    pub fn from_definition(definition: Definition, name: &str) -> Result<Function, Fault> {
        let code: Arc<dyn Any + Send + Sync> = definition.code.clone();
        match code.downcast::<StandIn>() {
            Ok(stand_in) => Ok(Function::StandIn(stand_in.0)),
            Err(code) => match code.downcast::<FunctionFile>() {
                Ok(function) => Ok(Function::Ruby(function)),
                Err(_) => Body::from_definition(definition, name).map(Function::Puppet),
            },
        }
    }
}

/// The definition of a function that is known natively, though not to every environment.
#[derive(Debug)]
pub struct StandIn(pub &'static RegisteredFunction);

impl Code for StandIn {
    fn unit(&self) -> Option<&Arc<Unit>> {
        None
    }
}
