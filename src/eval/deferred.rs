//! The types of deferred calls that stand for parameters: what they will return, as far as that is known now.

use pantin_model::trace::{Effect, FunctionCaller, Level, Log, LogSource};
use pantin_ruby::FunctionFile;
use pantin_values::signature::Api;
use pantin_values::{BuiltInOnly, Fault, Object, Str, Type, Value, sprintf, types};
use rustc_hash::FxHashMap;

use super::calls::Args;
use super::code::Lambda;
use super::definition::Instance;
use super::function::RegisteredFunction;
use super::invocation::Invocation;
use super::machine::Machine;
use super::stand_in::Function;
use super::stop::Flow;

/// What the deferred calls among the values of parameters return; `None` where the function does not say it.
#[derive(Default)]
pub(super) struct DeferredTypes(FxHashMap<usize, Option<Type>>);

impl DeferredTypes {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn result_type(&self, call: &Object) -> Option<Type> {
        self.0.get(&address(call)).cloned().flatten()
    }
}

fn address(call: &Object) -> usize {
    std::ptr::from_ref(call) as usize
}

impl Machine<'_> {
    /// Metaparameters come first. That a function does not say what it returns is worth a warning.
    pub(super) fn deferred_types(
        &mut self,
        lambda: &Lambda,
        instance: &Instance<'_>,
        values: &[(Str, Value)],
    ) -> Flow<DeferredTypes> {
        let mut types = DeferredTypes::default();
        let is_object = |(_, value): &(Str, Value)| matches!(value, Value::Object(_));
        if !values.iter().any(is_object) {
            return Ok(types);
        }
        let parameters = lambda.params.iter().map(|parameter| parameter.name.as_str());
        for parameter in instance.metaparameters.iter().copied().chain(parameters) {
            let Some((_, Value::Object(object))) = values.iter().find(|(name, _)| *name == parameter) else {
                continue;
            };
            let Some(Value::String(name)) = object.get("name").filter(|_| object.label() == "Deferred") else {
                continue;
            };
            let arguments = object.get("arguments").unwrap_or(&Value::Undef);
            let of = self.type_of_call(name, arguments)?;
            if of.is_none() {
                self.warn_of_no_type(name)?;
            }
            types.0.insert(address(object), of);
        }
        Ok(types)
    }

    fn warn_of_no_type(&mut self, name: &Str) -> Flow<()> {
        let message =
            format!("Deferred function {name} has no return_type, unable to guarantee value type during compilation.");
        let once = Some(format!("{name}_deferred_warning").into());
        let (level, source) = (Level::Warning, LogSource::Deprecation);
        self.apply(&Effect::Log(Log { level, source, message: message.into(), at: None, once }.into()))?;
        Ok(())
    }

    /// Returns what the way to call a function says that it returns which takes these arguments.
    fn type_of_call(&mut self, name: &Str, arguments: &Value) -> Flow<Option<Type>> {
        let function = match self.builtins.get(name) {
            Some(known) => Function::StandIn(known),
            None => match self.find_function(name, &FunctionCaller::Environment)? {
                Some(function) => function,
                None => return Err(Fault::new("undefined method `dispatcher' for NilClass:Class").into()),
            },
        };
        let found = match arguments {
            Value::Array(arguments) => self.type_of_fitting(&function, arguments.to_vec().into())?,
            // Without a list of them nothing fits, also where none is wanted.
            _ => None,
        };
        found.ok_or_else(|| {
            let shown = if arguments.is_undef() { String::new() } else { sprintf::inspect(arguments) };
            Fault::new(format!("No matching arity found for {name} with arguments {shown}")).into()
        })
    }

    fn type_of_fitting(&mut self, function: &Function, args: Args) -> Flow<Option<Option<Type>>> {
        match function {
            Function::StandIn(known) => self.type_of_known(known, args),
            Function::Puppet(body) => {
                let signature = self.in_unit(body, |machine| machine.signature(&body.lambda))?;
                Ok(signature.check(&args, None)?.then(|| body.returns().cloned()))
            }
            Function::Ruby(file) if file.api == Api::Untyped => Ok(Some(None)),
            Function::Ruby(file) => self.type_of_ruby(file, args),
        }
    }

    fn type_of_known(&mut self, known: &'static RegisteredFunction, mut args: Args) -> Flow<Option<Option<Type>>> {
        let builtin = known.declared;
        if builtin.api == Api::Untyped {
            return Ok(Some(None));
        }
        if builtin.takes_scope {
            args.insert(0, Value::Undef);
        }
        let signatures = known.signatures_with(self)?;
        let language = self.settings.language;
        for (overload, signature) in builtin.overloads.iter().zip(signatures.iter()) {
            if overload.is_in(language) && signature.check(&args, None)? {
                let said = Some(overload.returns).filter(|returns| *returns != "Any");
                return Ok(Some(said.map(|of| types::parse(of, &mut BuiltInOnly)).transpose()?));
            }
        }
        Ok(None)
    }

    fn type_of_ruby(&mut self, file: &FunctionFile, mut args: Args) -> Flow<Option<Option<Type>>> {
        let given = args.to_vec();
        let mut call = Invocation { machine: self, args: &mut args, block: None, name: "", at: 0, locals: &[] };
        let declaration = call.read_declaration(file)?;
        for signature in call.read_signatures(&declaration)?.iter() {
            if signature.takes.check(&given, None)? {
                return Ok(Some(signature.gives.clone()));
            }
        }
        Ok(None)
    }
}
