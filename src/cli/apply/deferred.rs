//! The functions that deferred values of a catalog call: those of its environment.

use std::sync::Arc;

use pantin_apply::DeferredValues;
use pantin_base::Source;
use pantin_compile::Request;
use pantin_eval::builtins;
use pantin_syntax::{SourceKind, unreadable_source};
use pantin_values::Value;
use pantin_world::now;

use super::console::Destinations;

/// Calls the functions of an environment.
pub(super) struct EnvironmentFunctions<'a> {
    pub(super) request: Request,
    pub(super) log: &'a Destinations<'a>,
}

impl DeferredValues for EnvironmentFunctions<'_> {
    fn resolve(&self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::Object(object) if object.label() == "Deferred" => self.call(value)?,
            Value::Array(items) => {
                Value::array(items.iter().map(|item| self.resolve(item)).collect::<Result<Vec<_>, _>>()?)
            }
            Value::Hash(members) => {
                let members = members.iter().map(|(key, member)| -> Result<(Value, Value), String> {
                    Ok((self.resolve(key)?, self.resolve(member)?))
                });
                Value::hash(members.collect::<Result<Vec<_>, String>>()?)
            }
            Value::Sensitive(secret) => Value::sensitive(self.resolve(secret)?),
            known => known.clone(),
        })
    }
}

impl EnvironmentFunctions<'_> {
    /// Makes a call, and those among its arguments.
    fn call(&self, deferred: &Value) -> Result<Value, String> {
        let code = format!("call({})", code_of(deferred)?);
        let source = Source::new(None, code).map_err(|error| unreadable_source(error).one_line(None))?;
        let request =
            Request { source: Arc::new(source), kind: SourceKind::Manifest, now: now(), ..self.request.clone() };
        let output = request.answer(builtins::all());
        output.log.iter().for_each(|line| self.log.say_compiled(line.level, &line.text));
        output.result.map_err(|error| match error.failure {
            // No call of a manifest has failed.
            Some(failure) => failure.message.strip_prefix(CALL).unwrap_or(&failure.message).to_string(),
            None => error.text,
        })
    }
}

/// What stands before the message of a function that fails in a manifest.
const CALL: &str = "Error while evaluating a Function Call, ";

/// Returns the code whose value is this one.
fn code_of(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Undef => "undef".to_owned(),
        Value::Default => "default".to_owned(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items = items.iter().map(code_of).collect::<Result<Vec<_>, _>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Hash(members) => {
            let member = |(key, member): (&Value, &Value)| -> Result<String, String> {
                Ok(format!("{} => {}", code_of(key)?, code_of(member)?))
            };
            let members = members.iter().map(member).collect::<Result<Vec<_>, String>>()?;
            format!("{{{}}}", members.join(", "))
        }
        Value::Sensitive(secret) => format!("Sensitive({})", code_of(secret)?),
        Value::Type(kind) => kind.to_string(),
        Value::Object(object) if object.label() == "Deferred" => {
            let of = |name: &str| code_of(object.get(name).unwrap_or(&Value::Undef));
            format!("Deferred({}, {})", of("name")?, of("arguments")?)
        }
        other => return Err(format!("a deferred function cannot be given {}", pantin_apply::inspect(other))),
    })
}

/// Returns a text as code: in single quotes nothing but a quote and a backslash has a meaning.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use pantin_values::object;

    use super::*;

    #[test]
    fn arguments_are_written_as_code() {
        let inner = [Value::string("upcase"), Value::array([Value::string("it's \\ $x")])];
        let deferred = object::construct(&object::deferred(), &inner).unwrap();
        assert_eq!(code_of(&deferred).unwrap(), r"Deferred('upcase', ['it\'s \\ $x'])");
        let hash = Value::hash([(Value::string("k"), Value::sensitive(Value::Integer(1)))]);
        assert_eq!(code_of(&hash).unwrap(), "{'k' => Sensitive(1)}");
        assert_eq!(code_of(&Value::Float(1.0)).unwrap(), "1.0");
    }
}
