//! The outside of an injector: code, data, functions and resources of the node that is compiled.
//! It must not know what is bound.

use std::sync::Arc;

use pantin_base::Language;
use pantin_bindings::{ExportedResource, Expression, Outside, Runtime, Subject, expression_digest};
use pantin_eval::Body;
use pantin_hiera::KeyRequest;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Answer, Failure, FunctionCaller};
use pantin_values::{Digest, Digester, Fault, Hash, Resolve, Str, Timestamp, Type, Value};

use super::LookupCaller;
use super::bindings::BindingsOutside;
use super::state::Observer;

impl Resolve for BindingsOutside<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.0.loader.resolve(name)
    }

    fn language(&self) -> Language {
        self.0.loader.language()
    }

    fn most_elements(&self) -> u64 {
        self.0.loader.most_elements()
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        Ok(self.0.request.now)
    }
}

impl BindingsOutside<'_, '_> {
    fn lowered(&mut self, expression: &Expression) -> Arc<Body> {
        let name = expression.file.ast.source().name().unwrap_or_default();
        self.0.loader.base.binding_code(&expression.file, &expression.file.ast, expression.node, name)
    }

    fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, Fault> {
        let unit = self.0.loader.main_unit();
        let (settings, builtins) = (self.0.loader.base.settings, self.0.loader.base.builtins);
        let known = arguments.clone();
        self.0.run_binding_code(
            || function_digest(name, &known),
            |compiler| {
                compiler.run_apart(|host| -> Result<Value, Failure> {
                    pantin_eval::call(name, arguments, &unit, host, settings, builtins)
                })
            },
        )
    }
}

impl Outside for BindingsOutside<'_, '_> {
    fn evaluate(&mut self, expression: &Expression) -> Result<Value, Fault> {
        let body = self.lowered(expression);
        self.0.run_binding_code(|| code_digest(expression, &[]), |compiler| compiler.evaluate_apart(&body, false))
    }

    fn call_lambda(&mut self, lambda: &Expression, arguments: Vec<Value>) -> Result<Value, Fault> {
        let body = self.lowered(lambda);
        let (settings, builtins) = (self.0.loader.base.settings, self.0.loader.base.builtins);
        let known = arguments.clone();
        self.0.run_binding_code(
            || code_digest(lambda, &known),
            |compiler| {
                compiler.run_apart(move |host| pantin_eval::call_lambda(&body, arguments, host, settings, builtins))
            },
        )
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, Fault> {
        if !self.has_function(name) {
            return Ok(None);
        }
        self.call_function(name, arguments).map(Some)
    }

    fn new_instance(&mut self, of: &Type, wanted: Option<&Type>, arguments: Option<Hash>) -> Result<Value, Fault> {
        let arguments = self.0.instance_arguments(of, wanted, arguments)?;
        let arguments = arguments.into_iter().map(Value::Hash);
        self.call_function("new", [Value::Type(of.clone())].into_iter().chain(arguments).collect())
    }

    fn look_up(&mut self, key: &str) -> Result<Option<Value>, Fault> {
        let Some(lookups) = self.0.lookups.clone() else { return Ok(None) };
        // A dotted name is looked up whole.
        let name = if key.contains('.') { format!("'{key}'") } else { key.to_owned() };
        let wanted = KeyRequest::named(name);
        self.0.note_call(&wanted.name);
        self.0.note_data_key(&wanted.name);
        if key.contains("::") {
            // What the data of a module alone has stays behind all bindings.
            let shared = KeyRequest { skips_modules: true, ..wanted.clone() };
            match self.0.asking(LookupCaller::default(), |compiler| lookups.lookup_parameter(&shared, compiler)) {
                Answer::Value(_) => {}
                Answer::Fault(fault) => return Err(fault),
                _ => return Ok(None),
            }
        }
        let answer = self.0.asking(LookupCaller::default(), |compiler| lookups.lookup_parameter(&wanted, compiler));
        match answer {
            Answer::Value(Value::Symbol(name)) if name == "undef" => Ok(None),
            Answer::Value(value) => Ok(Some(value)),
            Answer::Fault(fault) => Err(fault),
            _ => Ok(None),
        }
    }

    fn parameter_names(&mut self, of: &Subject) -> Result<Option<Vec<Str>>, Fault> {
        self.0.subject_parameters(of)
    }

    fn resource(&mut self, type_name: &str, title: &str) -> Option<Vec<(Str, Value)>> {
        let log = self.0.state.log(Observer::Data);
        let found = self.0.state.find_resource(type_name, title, &log)?;
        let names: Vec<Str> = self.0.state.parameter_names(found, &log).cloned().collect();
        Some(
            names
                .into_iter()
                .filter(|name| self.0.is_given(found.id(), name))
                .map(|name| {
                    let value = self.0.state.parameter(found, &name, &log);
                    (name, value)
                })
                .collect(),
        )
    }

    fn exported(&mut self, type_name: &str) -> Result<Vec<ExportedResource>, Fault> {
        let request = self.0.request;
        if !request.collects_exported {
            let message = "You cannot collect exported resources without storeconfigs being set; the query is ignored";
            if self.0.logged.insert(message.into()) {
                self.0.warn(message);
            }
            return Ok(Vec::new());
        }
        self.0.note_collected(type_name);
        let others = request.exports.iter().filter(|resource| {
            resource.type_name.eq_ignore_ascii_case(type_name) && resource.certname != request.node.name
        });
        Ok(others
            .map(|resource| ExportedResource {
                certname: resource.certname.clone(),
                type_name: resource.type_name.clone(),
                title: resource.title.clone(),
                tags: resource.tags.clone(),
                parameters: resource.parameters.clone(),
            })
            .collect())
    }

    fn may_be_known_variable(&mut self, name: &str) -> bool {
        self.0.state.is_known_of_node(name)
    }

    fn is_metaparameter(&self, name: &str) -> bool {
        METAPARAMETERS.contains(&name)
    }

    fn has_function(&mut self, name: &str) -> bool {
        let name: Str = name.strip_prefix("::").unwrap_or(name).into();
        if self.0.loader.base.builtins.get(&name).is_some() {
            return true;
        }
        let log = self.0.state.log(Observer::Data);
        let found = self.0.loader.function(&name, &FunctionCaller::Environment, &log);
        self.0.tell();
        !matches!(found, Ok(None))
    }

    fn replacement_problem(&mut self, old: &Subject, new: &Subject) -> Option<String> {
        self.0.replacement_reason(old, new).ok().flatten()
    }

    fn runtime(&mut self) -> &mut Runtime {
        &mut self.0.bindings.runtime
    }
}

/// Stands for code of bindings that is run with these arguments.
pub(crate) fn code_digest(expression: &Expression, arguments: &[Value]) -> Digest {
    let mut digester = Digester::new(b"code of bindings");
    digester.digest(expression_digest(expression));
    arguments.iter().for_each(|argument| _ = digester.item(argument));
    digester.finish()
}

/// Stands for a function that bindings call with these arguments.
pub(crate) fn function_digest(name: &str, arguments: &[Value]) -> Digest {
    let mut digester = Digester::new(b"function of bindings");
    digester.text(name);
    arguments.iter().for_each(|argument| _ = digester.item(argument));
    digester.finish()
}
