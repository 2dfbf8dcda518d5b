//! The parameters of a class, a defined type, a template: by name.

use pantin_base::nearest;

use super::describe::describe;
use super::{Mismatch, MismatchKind, Step, help_for, joined};
use crate::{Fault, Object, Str, Type, Value};

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Str,
    pub param_type: Type,
    /// Whether it has no default.
    pub required: bool,
}

/// What a deferred call will return, as far as anybody knows.
pub type ReturnsOf<'a> = &'a dyn Fn(&Object) -> Option<Type>;

/// Checks the values given for parameters. What is wrong is one sentence, or a list of them, after `subject` and a colon.
pub fn check_parameters<'a>(
    subject: &str,
    parameters: &[Parameter],
    given: impl Iterator<Item = (&'a Str, &'a Value)> + Clone,
    returns_of: ReturnsOf<'_>,
) -> Result<(), Fault> {
    let mut errors = Vec::new();
    for (name, _) in given.clone() {
        if !parameters.iter().any(|parameter| parameter.name == *name) {
            errors.push(Mismatch::new(&[], MismatchKind::UnknownParameter(name.clone())));
        }
    }
    for parameter in parameters {
        match given.clone().find(|(name, _)| **name == parameter.name) {
            Some((_, value)) => errors.extend(of_value(parameter, value, returns_of)?),
            None if !parameter.required => {}
            None => errors.push(Mismatch::new(&[], MismatchKind::MissingParameter(parameter.name.clone()))),
        }
    }
    let Some(message) = told(subject, &errors) else { return Ok(()) };
    let near = similar_parameter(parameters, given.map(|(name, _)| name.as_str()));
    let help = near.map(|near| format!("did you mean {near}?"));
    Err(Fault::new(message).with_help_if(help.or_else(|| help_for(&errors))))
}

fn of_value(parameter: &Parameter, value: &Value, returns_of: ReturnsOf<'_>) -> Result<Vec<Mismatch>, Fault> {
    let path = [Step::Parameter(parameter.name.clone())];
    if let Value::Object(object) = value
        && object.class.name.as_deref() == Some("Deferred")
    {
        return Ok(match returns_of(object) {
            Some(of) if !parameter.param_type.generalize().assignable(&of.generalize()) => {
                describe(&parameter.param_type, &of, &path)
            }
            _ => Vec::new(),
        });
    }
    Ok(match parameter.param_type.accepts(value)? {
        true => Vec::new(),
        false => describe(&parameter.param_type, &Type::infer(value), &path),
    })
}

/// The parameter that a given name, which is none, may be a slip of the keyboard for. For the help of the error.
fn similar_parameter<'p>(parameters: &'p [Parameter], mut given: impl Iterator<Item = &'p str>) -> Option<&'p str> {
    let names = || parameters.iter().map(|parameter| parameter.name.as_str());
    let unknown = given.find(|given| !names().any(|name| name == *given))?;
    nearest(unknown, names())
}

fn told(subject: &str, errors: &[Mismatch]) -> Option<String> {
    match errors {
        [] => None,
        [only] => Some(format!("{subject}:{only}")),
        several => Some(format!("{subject}:\n {}", joined(several))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_parameter_may_be_meant_for_another() {
        let parameter = |name: &str| Parameter { name: name.into(), param_type: Type::Any, required: true };
        let parameters = [parameter("ensure"), parameter("port")];
        assert_eq!(similar_parameter(&parameters, ["port", "ensrue"].into_iter()), Some("ensure"));
        assert_eq!(similar_parameter(&parameters, ["port"].into_iter()), None);
        assert_eq!(similar_parameter(&parameters, ["something"].into_iter()), None);
    }
}
