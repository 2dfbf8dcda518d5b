//! What code finds around it in Puppet: the environment, a module of it, the node.

use super::catalog::lacking;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::outside::CallForm;
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 7] = [
    (Core::PuppetScope, Side::Instance, &[method("environment", 0, 0, environment)]),
    (Core::PuppetCompiler, Side::Instance, OF_COMPILER),
    (Core::PuppetEnvironment, Side::Instance, OF_ENVIRONMENT),
    (Core::PuppetModule, Side::Instance, OF_MODULES),
    (Core::PuppetModule, Side::Class, &[method("find", 1, 2, module)]),
    (Core::PuppetNode, Side::Instance, OF_NODE),
    (Core::Puppet, Side::Class, &[method("lookup", 1, 1, lookup)]),
];

const OF_COMPILER: &[NativeMethod] = &[
    method("environment", 0, 0, environment),
    method("node", 0, 0, |_, _| Ok(Value::object(Core::PuppetNode.class(), Data::None))),
];

const OF_ENVIRONMENT: &[NativeMethod] = &[
    method("name", 0, 0, |interp, _| Ok(Value::symbol(&environment_name(interp)?))),
    method("to_sym", 0, 0, |interp, _| Ok(Value::symbol(&environment_name(interp)?))),
    method("to_s", 0, 0, |interp, _| Ok(Value::text(environment_name(interp)?))),
    method("module", 1, 1, module),
];

const OF_MODULES: &[NativeMethod] = &[
    method("name", 0, 0, |interp, given| interp.instance_variable(given.receiver, &NAME.into())),
    method("path", 0, 0, |interp, given| interp.instance_variable(given.receiver, &PATH.into())),
    method("file", 1, 1, |interp, given| within(interp, given, "files")),
    method("template", 1, 1, |interp, given| within(interp, given, "templates")),
    method("manifest", 1, 1, |interp, given| within(interp, given, "manifests")),
    method("script", 1, 1, |interp, given| within(interp, given, "scripts")),
    method("plugin", 1, 1, |interp, given| within(interp, given, "lib")),
    method("files?", 0, 0, |interp, given| Ok((!within(interp, given, "files")?.is_nil()).into())),
    method("templates?", 0, 0, |interp, given| Ok((!within(interp, given, "templates")?.is_nil()).into())),
    method("manifests?", 0, 0, |interp, given| Ok((!within(interp, given, "manifests")?.is_nil()).into())),
    method("to_s", 0, 0, |interp, given| {
        let (name, path) = (part(interp, given, NAME)?, part(interp, given, PATH)?);
        Ok(Value::text(format!("Module {name}({path})")))
    }),
    method("method_missing", 1, ANY, lacking),
];

const OF_NODE: &[NativeMethod] = &[
    method("name", 0, 0, |interp, _| {
        let name = interp.outside.part(&"::trusted".into(), &["certname".into()]);
        match interp.outside(name)? {
            Some(seen) => interp.value_from_outside(seen),
            None => interp.unsupported("the name of a node where there is none"),
        }
    }),
    method("environment", 0, 0, environment),
    method("method_missing", 1, ANY, lacking),
];

/// Names that no code can write.
const NAME: &str = "__name__";
const PATH: &str = "__path__";

fn environment(_: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    Ok(Value::object(Core::PuppetEnvironment.class(), Data::None))
}

fn environment_name(interp: &mut Interp<'_>) -> Flow<String> {
    let name = interp.outside.setting("environment");
    match interp.outside(name)? {
        Some(pantin_values::Value::String(name)) => Ok(name.to_string()),
        _ => interp.unsupported("the name of an environment where there is none"),
    }
}

/// `Puppet.lookup(:current_environment)`
fn lookup(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match &*interp.name_arg(given.arg(0))? {
        "current_environment" => environment(interp, given),
        "global_scope" => Ok(Value::object(Core::PuppetScope.class(), Data::TopScope)),
        other => interp.unsupported(format!("Puppet.lookup of {other}")),
    }
}

/// A module of the environment, by its name or what stands behind it; nil where there is none. Of another environment
/// nobody knows.
fn module(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.text_of(given.arg(0))?;
    if let Some(environment) = given.args.get(1).filter(|environment| !environment.is_nil()) {
        let wanted = interp.name_arg(environment)?;
        if *wanted != *environment_name(interp)? {
            return interp.unsupported("a module of another environment");
        }
    }
    let path = interp.call_puppet("module_directory", &[Value::text(name.as_str())], CallForm::ByScope)?;
    if path.is_nil() {
        return Ok(Value::Nil);
    }
    let module = Value::object(Core::PuppetModule.class(), Data::None);
    interp.set_instance_variable(&module, &NAME.into(), Value::text(name))?;
    interp.set_instance_variable(&module, &PATH.into(), path)?;
    Ok(module)
}

fn part(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow<String> {
    let value = interp.instance_variable(given.receiver, &name.into())?;
    interp.text_of(&value)
}

/// The path of a file in a folder of a module, if it is there.
fn within(interp: &mut Interp<'_>, given: &CallArguments<'_>, folder: &str) -> Flow {
    let path = format!("{}/{folder}", part(interp, given, PATH)?);
    let path = match given.arg(0) {
        Value::Nil => path,
        name => format!("{path}/{}", interp.text_of(name)?),
    };
    let is_file = interp.outside.exists(&path);
    let is_there = interp.outside(is_file)? || {
        let is_folder = interp.outside.is_folder(&path);
        interp.outside(is_folder)?
    };
    Ok(if is_there { Value::text(path) } else { Value::Nil })
}
