//! Providers, as far as files that declare types of resources meet them: a base class that a module shares among its
//! providers, and one that a type declares on the spot.
//!
//! What a provider does is the agent's affair. Its words are heard and forgotten, and the block of `provide` is never run.

use pantin_values::Str;

use super::types::{nothing, own};
use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const OF_PROVIDERS: Table = (Core::PuppetProvider, Side::Class, WORDS);

const RESOURCE_TYPE: &str = "@resource_type";

const WORDS: &[NativeMethod] = &[
    method("initvars", 0, 0, nothing),
    method("commands", 0, ANY, nothing),
    method("optional_commands", 0, ANY, nothing),
    method("has_command", 2, 2, nothing),
    method("confine", 1, 1, nothing),
    method("defaultfor", 0, ANY, nothing),
    method("notdefaultfor", 0, ANY, nothing),
    method("has_feature", 0, ANY, nothing),
    method("has_features", 0, ANY, nothing),
    method("mk_resource_methods", 0, 0, nothing),
    method("desc", 1, 1, nothing),
    method("doc=", 1, 1, nothing),
    method("name", 0, 0, |interp, given| interp.instance_variable(given.receiver, &"@name".into())),
    method("resource_type", 0, 0, |interp, given| interp.instance_variable(given.receiver, &RESOURCE_TYPE.into())),
];

/// `provide(name, options) { … }` of a type: the class of the provider.
pub(super) fn provide(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let of = own(given);
    let name = interp.name_arg(given.arg(0))?;
    interp.providify(of)?;
    new_provider(interp, of, name, parent(given.arg(1)))
}

/// `provider(name)` of a type: the class of a provider that was declared in this run, or that a module has a file of; else nil.
pub(super) fn provider(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let of = own(given);
    let name = interp.name_arg(given.arg(0))?;
    let known = interp.instance_variable(&Value::Class(of), &kept_name(&name))?;
    if !known.is_nil() {
        return Ok(known);
    }
    let type_name = interp.instance_variable(&Value::Class(of), &"@name".into())?;
    let file = format!("puppet/provider/{}/{name}", interp.text_of(&type_name)?);
    let found = interp.outside.library(&file);
    match interp.outside(found)? {
        Some(_) => new_provider(interp, of, name, Core::PuppetProvider.class()),
        None => Ok(Value::Nil),
    }
}

fn new_provider(interp: &mut Interp<'_>, of: Class, name: Str, parent: Class) -> Flow {
    let class = Value::Class(interp.classes.add(Str::new(), Some(parent), false));
    interp.set_instance_variable(&Value::Class(of), &kept_name(&name), class.clone())?;
    interp.set_instance_variable(&class, &"@name".into(), Value::Symbol(name))?;
    interp.set_instance_variable(&class, &RESOURCE_TYPE.into(), Value::Class(of))?;
    Ok(class)
}

/// Under which variable a type keeps a provider: no code can write it.
fn kept_name(provider: &str) -> Str {
    format!("provider {provider}").into()
}

/// `parent:` as a class; any other is a provider of the same type, which has not more methods that a type could call.
fn parent(options: &Value) -> Class {
    match options {
        Value::Hash(options) => match options.get_symbol("parent") {
            Some(Value::Class(parent)) => parent,
            _ => Core::PuppetProvider.class(),
        },
        _ => Core::PuppetProvider.class(),
    }
}
