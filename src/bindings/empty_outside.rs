//! An outside without code, data and resources: what a value is worked out to is its source.
//! It is for tests of the injector by itself.

use pantin_syntax::bindings::{Subject, expression_text};
use pantin_values::{Fault, Hash, Resolve, Str, Type, Value};

use super::definition::Expression;
use super::outside::{ExportedResource, Outside};
use super::produce::Runtime;

#[derive(Debug, Default)]
pub struct EmptyOutside {
    runtime: Runtime,
}

impl Resolve for EmptyOutside {
    fn resolve(&mut self, _: &str) -> Result<Option<Type>, Fault> {
        Ok(None)
    }
}

impl Outside for EmptyOutside {
    fn evaluate(&mut self, expression: &Expression) -> Result<Value, Fault> {
        Ok(expression_text(&expression.file.ast, expression.node).into())
    }

    fn call_lambda(&mut self, _: &Expression, arguments: Vec<Value>) -> Result<Value, Fault> {
        Ok(Value::array(arguments))
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, Fault> {
        Ok(Some(Value::array([Value::from(name), Value::array(arguments)])))
    }

    fn new_instance(&mut self, _: &Type, _: Option<&Type>, _: Option<Hash>) -> Result<Value, Fault> {
        Err(Fault::new("there are no objects"))
    }

    fn look_up(&mut self, _: &str) -> Result<Option<Value>, Fault> {
        Ok(None)
    }

    fn parameter_names(&mut self, _: &Subject) -> Result<Option<Vec<Str>>, Fault> {
        Ok(None)
    }

    fn resource(&mut self, _: &str, _: &str) -> Option<Vec<(Str, Value)>> {
        None
    }

    fn exported(&mut self, _: &str) -> Result<Vec<ExportedResource>, Fault> {
        Ok(Vec::new())
    }

    fn may_be_known_variable(&mut self, _: &str) -> bool {
        false
    }

    fn is_metaparameter(&self, _: &str) -> bool {
        false
    }

    fn has_function(&mut self, _: &str) -> bool {
        true
    }

    fn replacement_problem(&mut self, _: &Subject, _: &Subject) -> Option<String> {
        None
    }

    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}
