//! The words of attributes and types that say what is taken. Where no resource is checked they are heard and forgotten.

use std::rc::Rc;

use pantin_values::Str;

use super::values::AllowedValues;
use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp, Method, MethodKind, Visibility};
use crate::native::Side;
use crate::puppet::types::own;
use crate::stop::Flow;
use crate::value::Value;

/// `validate do |value| … end`, `munge` and `unmunge`: the block becomes a method of the attribute, or of the type.
pub(in crate::puppet) fn hear_block(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let method = match given.name {
        "validate" => "unsafe_validate",
        "munge" => "unsafe_munge",
        _ => "unsafe_unmunge",
    };
    if interp.declared.checks.is_some()
        && let Some(block) = given.block
    {
        define(interp, own(given), method, block)?;
    }
    Ok(Value::Nil)
}

/// `defaultto value`, or a block that says it.
pub(in crate::puppet) fn give_default(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if interp.declared.checks.is_none() {
        return Ok(Value::Nil);
    }
    match (given.block, given.arg(0)) {
        (Some(block), _) => define(interp, own(given), "default", block)?,
        (None, Value::Nil) => {
            return interp.raise(Core::PuppetDevError, "Either a default value or block must be provided");
        }
        (None, value) => {
            let value = value.clone();
            define(interp, own(given), "default", &Value::native_block(move |_, _| Ok(value.clone())))?;
        }
    }
    Ok(Value::Nil)
}

/// `nodefault`
pub(in crate::puppet) fn no_default(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if interp.declared.checks.is_some() && interp.instance_method(own(given), "default").is_some() {
        let class = own(given);
        let method = Method { kind: MethodKind::Undefined, owner: class, visibility: Visibility::Public };
        interp.classes.define(class, Side::Instance, "default".into(), method);
    }
    Ok(Value::Nil)
}

/// `newvalue(name, options) { … }`: what the block does is the provider's affair.
pub(in crate::puppet) fn new_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let needs_feature = match given.arg(1) {
        Value::Hash(options) => options.get_symbol("required_features").is_some_and(|needed| needed.is_truthy()),
        _ => false,
    };
    add_values(interp, own(given), &given.args[..1], needs_feature)
}

/// `newvalues(name, …)`
pub(in crate::puppet) fn new_values(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    add_values(interp, own(given), given.args, false)
}

/// `aliasvalue(name, other)`
pub(in crate::puppet) fn alias_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    change_values(interp, own(given), |interp, values| values.add_alias(interp, given.arg(0), given.arg(1)))
}

/// `defaultvalues` of an `ensure`.
pub(in crate::puppet) fn default_values(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    add_values(interp, own(given), &[Value::symbol("present"), Value::symbol("absent")], false)
}

/// `self.required_features = …`
pub(in crate::puppet) fn feature_needed(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = own(given);
    if let Some(checks) = interp.declared.checks.as_mut().filter(|_| given.arg(0).is_truthy()) {
        checks.featured.insert(class);
    }
    Ok(Value::Nil)
}

/// `self.array_matching = :all`
pub(in crate::puppet) fn list_matching(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = own(given);
    if interp.declared.checks.is_some() {
        let takes_all = interp.name_arg(given.arg(0))? == "all";
        let lists = &mut interp.checks().lists;
        let _ = if takes_all { lists.insert(class) } else { lists.remove(&class) };
    }
    Ok(Value::Nil)
}

/// `self.unmanaged = true`
pub(in crate::puppet) fn unmanaged(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = own(given);
    if let Some(checks) = interp.declared.checks.as_mut().filter(|_| given.arg(0).is_truthy()) {
        checks.unmanaged.insert(class);
    }
    Ok(Value::Nil)
}

fn add_values(interp: &mut Interp<'_>, class: Class, names: &[Value], needs_feature: bool) -> Flow {
    change_values(interp, class, |interp, values| {
        names.iter().try_for_each(|name| values.add(interp, name, needs_feature))
    })
}

fn change_values(
    interp: &mut Interp<'_>,
    class: Class,
    change: impl FnOnce(&mut Interp<'_>, &mut AllowedValues) -> Flow<()>,
) -> Flow {
    let Some(checks) = &interp.declared.checks else { return Ok(Value::Nil) };
    let mut values = checks.values.get(&class).map(|values| (**values).clone()).unwrap_or_default();
    change(interp, &mut values)?;
    interp.checks().values.insert(class, Rc::new(values));
    Ok(Value::Nil)
}

/// Makes a block a method of a class's objects.
fn define(interp: &mut Interp<'_>, class: Class, name: &str, block: &Value) -> Flow<()> {
    let body = interp.proc_of(block)?;
    let method = Method { kind: MethodKind::Proc(body), owner: class, visibility: Visibility::Public };
    interp.classes.define(class, Side::Instance, Str::from(name), method);
    Ok(())
}

impl Interp<'_> {
    /// Takes the options with which an attribute was declared.
    pub(in crate::puppet) fn hear_options(&mut self, class: Class, options: &Value) -> Flow<()> {
        let Value::Hash(options) = options else { return Ok(()) };
        for (option, word) in [("array_matching", "array_matching="), ("required_features", "required_features=")] {
            if let Some(value) = options.get_symbol(option).filter(Value::is_truthy) {
                self.send(&Value::Class(class), word, &[value])?;
            }
        }
        Ok(())
    }
}
