//! Functions that change the catalog, or ask about it.

use std::sync::{Arc, OnceLock};

use pantin_model::trace::{
    Answer, Declaration, DeclaredBody, Effect, Failure, Include, Parameters, Question, ResourceForm, Shape, Written,
    share_written,
};
use pantin_values::ops::to_s;
use pantin_values::types::ResourceType;
use pantin_values::{Fault, Hash, Str, Type, Value, unconvertible as class_name};

use super::older::{at_least, flattened, no_method};
use crate::{Builtin, Flow, Invocation, overload, repeated, several};

macro_rules! include_function {
    ($name:literal, $how:ident, $doc:literal) => {
        Builtin::typed($name, &[overload(&[several("Any", "names")], None, |call| include(call, Include::$how))], $doc)
    };
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    include_function!("include", Include, "Declares classes, unless they are declared already."),
    include_function!("contain", Contain, "Declares classes within the class that calls."),
    include_function!("require", Require, "Declares classes that the class that calls depends on."),
    Builtin::untyped(
        "realize",
        &[overload(&[repeated("Any", "args")], None, realize)],
        "Makes virtual resources real.",
    ),
    Builtin::untyped(
        "tag",
        &[overload(&[repeated("Any", "args")], None, tag)],
        "Adds tags to the class or defined type that calls, and to all in it.",
    ),
    Builtin::untyped(
        "tagged",
        &[overload(&[repeated("Any", "args")], None, tagged)],
        "Whether the class or defined type that calls has all these tags.",
    ),
    Builtin::untyped(
        "create_resources",
        &[overload(&[repeated("Any", "args")], None, create_resources)],
        "Declares a resource for each entry of a hash.",
    ),
    Builtin::typed(
        "import",
        &[overload(&[repeated("Any", "args")], None, import)],
        "Fails: manifests are no longer imported.",
    ),
];

fn import(_: &mut Invocation<'_, '_>) -> Flow {
    let message = "Use of 'import' has been discontinued in favor of a manifest directory. See \
                   http://links.puppet.com/puppet-import-deprecation";
    Err(Fault::issue("DISCONTINUED_IMPORT", message).into())
}

// ---- classes ----

/// Tasks have no catalog. Which place is told is Puppet's choice: the line alone.
fn needs_catalog(call: &mut Invocation<'_, '_>) -> Flow<()> {
    if !call.is_set("tasks") {
        return Ok(());
    }
    let name = call.name();
    let message = format!("The catalog operation '{name}' is only available when compiling a catalog");
    let fault = Fault::issue("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING", message);
    Err(Failure::new(fault, Shape::Jump, Some(call.place())).into())
}

fn include(call: &mut Invocation<'_, '_>, how: Include) -> Flow {
    needs_catalog(call)?;
    let classes = flattened(call.args()).iter().map(class).collect::<Result<Vec<Str>, Fault>>()?;
    let references = classes.iter().map(|name| Value::Type(Type::Class(Some(name.as_str().into()))));
    let references = Value::array(references);
    let at = call.place();
    call.apply(&Effect::Include { how, classes, at })?;
    Ok(references)
}

/// Returns the name of a class, as a name or a reference says it: in small letters, without `::` before it.
fn class(value: &Value) -> Result<Str, Fault> {
    let name = match value {
        Value::Undef => return Err(Fault::new("Cannot use undef as a class name")),
        Value::String(name) if name.is_empty() => return Err(Fault::new("Cannot use empty string as a class name")),
        Value::String(name) => name.as_str(),
        Value::Resource(resource) if resource.type_name == "Class" => &resource.title,
        Value::Resource(resource) => return class(&Value::Type(resource.reference())),
        Value::Type(of) => match of.resolved() {
            Type::Class(Some(name)) => name,
            Type::Class(None) => return Err(Fault::new("Cannot use an unspecific Class[] Type")),
            Type::Resource(resource) => class_of_resource(resource.as_deref())?,
            _ => return Err(no_method("downcase", &Value::Undef)),
        },
        _ => return Err(no_method("downcase", &Value::Undef)),
    };
    Ok(name.strip_prefix("::").unwrap_or(name).to_lowercase().into())
}

fn class_of_resource(resource: Option<&ResourceType>) -> Result<&str, Fault> {
    let needed = "where a Resource['class', name] is expected";
    let Some(resource) = resource else {
        return Err(Fault::new(format!("Cannot use an unspecific Resource[] {needed}")));
    };
    if resource.type_name != "Class" {
        return Err(Fault::new(format!("Cannot use a Resource[{}] {needed}", resource.type_name)));
    }
    match &resource.title {
        Some(title) => Ok(title),
        None => Err(Fault::new(format!("Cannot use an unspecific Resource['class'] {needed}"))),
    }
}

// ---- resources ----

fn realize(call: &mut Invocation<'_, '_>) -> Flow {
    let references = flattened(&at_least(call, 1)?);
    needs_catalog(call)?;
    let at = call.place();
    call.apply(&Effect::Realize { references, at })?;
    Ok(Value::Undef)
}

fn create_resources(call: &mut Invocation<'_, '_>) -> Flow {
    let args = at_least(call, 2)?;
    needs_catalog(call)?;
    let count = args.len();
    if count > 3 {
        let message = format!("create_resources(): wrong number of arguments ({count}; must be 2 or 3)");
        return Err(call.fault(message));
    }
    let Value::Hash(instances) = &args[1] else {
        return Err(call.fault("create_resources(): second argument must be a hash"));
    };
    let defaults = match args.get(2) {
        None => Hash::default(),
        Some(Value::Hash(defaults)) => defaults.clone(),
        Some(_) => return Err(call.fault("create_resources(): third argument, if provided, must be a hash")),
    };
    let Value::String(written) = &args[0] else { return Err(no_method("sub", &args[0]).into()) };
    let (form, type_name) = match (written.strip_prefix("@@"), written.strip_prefix('@')) {
        (Some(name), _) => (ResourceForm::Exported, name.to_lowercase()),
        (None, Some(name)) => (ResourceForm::Virtual, name.to_lowercase()),
        (None, None) => (ResourceForm::Regular, written.as_str().to_lowercase()),
    };
    if type_name == "class" && form != ResourceForm::Regular {
        return Err(Fault::issue("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable").into());
    }
    let type_name: Str = type_name.into();
    // Mostly all are given the same parameters.
    let kept = OnceLock::new();
    for (title, parameters) in instances.iter() {
        let bodies = declared(call, title, &defaults, parameters, &kept)?;
        check_type(call, &type_name)?;
        if type_name == "class" && matches!(title, Value::Resource(_)) {
            // Of a class the real one takes no reference for the name, and says so in these words.
            return Err(Fault::new("wrong number of arguments (given 2, expected 1)").into());
        }
        if titles(title).contains(&Value::Undef) {
            let message = format!("No title provided and :{type_name} is not a valid resource reference");
            return Err(Fault::new(message).into());
        }
        let at = call.place();
        let declaration = Declaration {
            form,
            type_name: type_name.clone(),
            bodies: bodies.into_iter().collect(),
            by_function: true,
            at,
        };
        call.apply(&Effect::Declare(Arc::new(declaration)))?;
    }
    Ok(Value::Undef)
}

fn check_type(call: &mut Invocation<'_, '_>, name: &Str) -> Flow<()> {
    if name == "class" {
        return Ok(());
    }
    match call.ask(&Question::Defined(Type::resource(name.clone(), None).into())) {
        Answer::Value(Value::Boolean(true)) => Ok(()),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Err(call.fault(format!("Unknown resource type: '{name}'"))),
    }
}

/// One entry of the hash: its title or titles, and its parameters before the defaults.
fn declared(
    call: &Invocation<'_, '_>,
    title: &Value,
    defaults: &Hash,
    parameters: &Value,
    kept: &OnceLock<Arc<[Written]>>,
) -> Result<Vec<DeclaredBody>, Fault> {
    let Value::Hash(parameters) = parameters else {
        return Err(Fault::new(format!("no implicit conversion of {} into Hash", class_name(parameters))));
    };
    let mut merged = defaults.clone();
    for (name, value) in parameters.iter() {
        merged.insert(name.clone(), value.clone());
    }
    let written = merged.iter().map(|(name, _)| Written { name: to_s(name).into(), append: false, at: call.place() });
    let written: Vec<Written> = written.collect();
    let values = merged.iter().map(|(_, value)| value.clone());
    let parameters = Parameters::new(share_written(kept, &written, |one| one), values.collect());
    let node = call.place().node;
    let is_text = |title: &Value| matches!(title, Value::String(_));
    let alike = titles(title).chunk_by(|one, next| is_text(one) == is_text(next));
    let bodies = alike.map(|titles| DeclaredBody {
        titles: titles.iter().map(|title| to_s(title).into()).collect(),
        are_texts: titles.iter().all(is_text),
        parameters: parameters.clone(),
        node,
    });
    Ok(bodies.collect())
}

/// A key of the hash may name several resources.
fn titles(key: &Value) -> &[Value] {
    match key {
        Value::Array(titles) => titles,
        title => std::slice::from_ref(title),
    }
}

// ---- tags ----

fn tag(call: &mut Invocation<'_, '_>) -> Flow {
    let values = flattened(&at_least(call, 1)?);
    needs_catalog(call)?;
    let mut tags = Vec::new();
    for value in values {
        if value.is_undef() {
            continue;
        }
        tags.push(Str::from(to_s(&value).to_lowercase()));
    }
    call.apply(&Effect::Tag(tags))?;
    Ok(Value::Undef)
}

fn tagged(call: &mut Invocation<'_, '_>) -> Flow {
    let tags: Arc<[Str]> = at_least(call, 1)?.iter().map(|tag| Str::from(to_s(tag).to_lowercase())).collect();
    needs_catalog(call)?;
    match call.ask(&Question::Tagged(tags)) {
        Answer::Value(answer) => Ok(answer),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Err(call.fault("Tags need a catalog, which is not there")),
    }
}
