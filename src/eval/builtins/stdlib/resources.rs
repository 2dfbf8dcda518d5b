//! Functions that declare resources unless they are declared, and that ask about those in the catalog.

use pantin_model::trace::{Answer, Level, Question, ResourcePart};
use pantin_values::sprintf::older_form;
use pantin_values::{Fault, Hash, Str, Type, Value};

use super::hashes::warn_of_loading;
use super::ruby::{Result, fail, is_blank, older_with_call, text_of};
use crate::builtins::older::{flattened, no_method};
use crate::{Builtin, Flow, Invocation, optional, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older_with_call!("ensure_resource", ensure_resource, "Declares a resource, unless it is declared just so."),
    older_with_call!("ensure_resources", ensure_resources, "Declares resources, unless they are declared just so."),
    older_with_call!(
        "defined_with_params",
        defined_with_params,
        "Whether a resource is declared with at least these parameters."
    ),
    older_with_call!("getparam", getparam, "What a resource has for a parameter."),
    older_with_call!("assert_private", assert_private, "Fails where code of another module uses a class or type."),
    Builtin::typed(
        "stdlib::str2resource",
        &[overload(&[required("String", "res_string")], None, str2resource)],
        "The resource of the catalog that a text names.",
    ),
];

/// Of versions before 6.4.
pub(super) static EARLIER: &[Builtin] = &[older_with_call!(
    "defined_with_params",
    defined_with_params_of_earlier,
    "Whether a resource is declared with at least these parameters."
)];

/// Since then.
pub(super) static SINCE_6_4: &[Builtin] = &[older_with_call!(
    "defined_with_params",
    defined_with_params,
    "Whether a resource is declared with at least these parameters."
)];

pub(super) static OLD: &[Builtin] = &[
    Builtin::typed(
        "ensure_packages",
        &[overload(
            &[
                required("Variant[String[1], Array[String[1]], Hash[String[1], Any]]", "packages"),
                optional("Hash", "default_attributes"),
            ],
            None,
            ensure_packages,
        )],
        PACKAGES,
    ),
    older_with_call!("private", private, "The same as `assert_private`, which it tells to use."),
];

pub(super) static NEW: &[Builtin] = &[Builtin::typed(
    "stdlib::ensure_packages",
    &[
        overload(
            &[required("Variant[String[1], Array[String[1]]]", "packages"), optional("Hash", "default_attributes")],
            None,
            ensure_packages_of_9,
        ),
        overload(
            &[required("Hash[String[1], Any]", "packages"), optional("Hash", "default_attributes")],
            None,
            ensure_packages_hash_of_9,
        ),
    ],
    PACKAGES,
)];

const PACKAGES: &str = "Declares packages as installed, unless they are declared just so.";

// ---- declaring ----

/// Ruby takes an argument that is not there, or false, for none.
fn needed<'a>(args: &'a [Value], index: usize, what: &str) -> Result<&'a Value> {
    match args.get(index).filter(|arg| arg.is_truthy()) {
        Some(arg) => Ok(arg),
        None => fail(format!("Must specify a {what}")),
    }
}

fn params_of(value: Option<&Value>) -> Value {
    value.filter(|params| params.is_truthy()).cloned().unwrap_or_else(|| Value::hash([]))
}

fn ensure_resource(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let type_name = needed(&args, 0, "type")?;
    let title = needed(&args, 1, "title")?;
    let params = params_of(args.get(2));
    for item in flattened(std::slice::from_ref(title)) {
        ensure(call, type_name, &item, &params)?;
    }
    Ok(Value::Undef)
}

fn ensure(call: &mut Invocation<'_, '_>, type_name: &Value, title: &Value, params: &Value) -> Flow<()> {
    let reference = checked_reference(&format!("{}[{}]", text_of(type_name), text_of(title)))?;
    if declared_with(call, &reference, params)? {
        return Ok(());
    }
    let Value::String(type_name) = type_name else { return Err(no_method("capitalize", type_name).into()) };
    let instances = Value::hash([(title.clone(), params.clone())]);
    let args = [Value::String(type_name.clone()), instances];
    call.call_without_block("create_resources", args.into_iter().collect()).map(|_| ())
}

fn ensure_resources(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let type_name = needed(&args, 0, "type")?;
    let titles = needed(&args, 1, "title")?;
    let params = params_of(args.get(2));
    let Value::Hash(titles) = titles else {
        return Ok(fail("ensure_resources(): Requires second argument to be a Hash")?);
    };
    for (title, own) in titles.iter() {
        let params = if own.is_truthy() { merged(&params, own)? } else { params.clone() };
        for item in flattened(std::slice::from_ref(title)) {
            ensure(call, type_name, &item, &params)?;
        }
    }
    Ok(Value::Undef)
}

fn merged(under: &Value, over: &Value) -> Result {
    let Value::Hash(under) = under else { return Err(no_method("merge", under)) };
    let Value::Hash(over) = over else {
        let class = pantin_values::unconvertible(over);
        return fail(format!("no implicit conversion of {class} into Hash"));
    };
    let mut all = under.clone();
    over.iter().for_each(|(key, value)| all.insert(key.clone(), value.clone()));
    Ok(Value::Hash(all))
}

// ---- packages ----

fn installed(more: &Value) -> Hash {
    let mut defaults: Hash = [("ensure".into(), "installed".into())].into_iter().collect();
    if let Value::Hash(more) = more {
        more.iter().for_each(|(key, value)| defaults.insert(key.clone(), value.clone()));
    }
    defaults
}

/// As the functions of the older kind see them that these hand all to.
fn packages_and_more(call: &mut Invocation<'_, '_>) -> Result<(Value, Value)> {
    let [packages, more] = [0, 1].map(|index| match call.take(index) {
        Value::Undef => Ok(Value::Undef),
        given => older_form(&given),
    });
    Ok((packages?, more?))
}

fn ensure_packages(call: &mut Invocation<'_, '_>) -> Flow {
    let (packages, more) = packages_and_more(call)?;
    let mut defaults = installed(&more);
    if defaults.get_str("ensure") == Some(&"present".into()) {
        defaults.insert("ensure".into(), "installed".into());
    }
    let defaults = Value::Hash(defaults);
    if matches!(packages, Value::Hash(_)) {
        return ensure_resources(call, vec!["package".into(), packages, defaults]);
    }
    for name in flattened(&[packages]) {
        ensure(call, &"package".into(), &name, &defaults)?;
    }
    Ok(Value::Undef)
}

fn ensure_packages_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let (packages, more) = packages_and_more(call)?;
    for name in flattened(&[packages]) {
        ensure_package(call, &name, &more)?;
    }
    Ok(Value::Undef)
}

fn ensure_packages_hash_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let (packages, more) = packages_and_more(call)?;
    let Value::Hash(packages) = packages else { return Ok(Value::Undef) };
    let more = if more.is_undef() { Value::hash([]) } else { more };
    for (name, own) in packages.iter() {
        let attributes = merged(&more, own)?;
        ensure_package(call, name, &attributes)?;
    }
    Ok(Value::Undef)
}

/// One that is declared as `present` may stay so.
fn ensure_package(call: &mut Invocation<'_, '_>, name: &Value, more: &Value) -> Flow<()> {
    let mut defaults = installed(more);
    if let Some(Value::String(ensure)) = defaults.get_str("ensure")
        && matches!(ensure.as_str(), "present" | "installed")
    {
        let reference: Str = format!("Package[{}]", text_of(name)).into();
        let present = Value::hash([("ensure".into(), "present".into())]);
        let is_present = declared_with(call, &reference, &present)?;
        defaults.insert("ensure".into(), if is_present { "present" } else { "installed" }.into());
    }
    ensure(call, &"package".into(), name, &Value::Hash(defaults))
}

// ---- asking ----

/// Returns what Ruby makes of a text that should be a reference.
fn checked_reference(text: &str) -> Result<Str> {
    let is_one = text.split_once('[').is_some_and(|(name, rest)| {
        !name.is_empty() && !name.contains(']') && rest.strip_suffix(']').is_some_and(|title| !title.is_empty())
    });
    if is_one {
        return Ok(text.into());
    }
    fail(format!("No title provided and {} is not a valid resource reference", super::ruby::inspect(text)))
}

fn declared_with(call: &mut Invocation<'_, '_>, reference: &Str, parameters: &Value) -> Flow<bool> {
    let question = Question::DeclaredWith { reference: reference.clone(), parameters: parameters.clone() };
    match call.ask(&question) {
        Answer::Value(Value::Boolean(found)) => Ok(found),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Ok(false),
    }
}

/// Of titles it says the same, but that the resource whose code asks counts too.
fn defined_with_params_of_earlier(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let named = match args.first() {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Resource(resource)) if !resource.title.is_empty() => Some(resource.to_string().into()),
        Some(Value::Type(of)) => reference_text(of),
        _ => None,
    };
    let own = match call.ask(&Question::Frame("resource".into())) {
        Answer::Value(Value::String(own)) => own,
        _ => Str::default(),
    };
    match named {
        Some(named) if named.contains('[') && !own.eq_ignore_ascii_case(&named) => defined_with_params(call, args),
        _ => {
            let message = "defined_with_params() of puppetlabs-stdlib before 6.4, of a resource without a title or of \
                           that whose code asks, is not supported";
            Err(Fault::limit(message).into())
        }
    }
}

fn defined_with_params(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let reference = needed(&args, 0, "reference")?;
    let params = match args.get(1).filter(|params| params.is_truthy() && !is_blank(params)) {
        None => Value::hash([]),
        Some(params @ Value::Hash(_)) => params.clone(),
        Some(other) => return Err(no_method("map", other).into()),
    };
    let reference = match reference {
        Value::String(text) => checked_reference(text)?,
        Value::Resource(resource) if resource.title.is_empty() => resource.type_name.clone(),
        Value::Resource(resource) => resource.to_string().into(),
        Value::Type(of) => match reference_text(of) {
            Some(text) => text,
            None => return Ok(not_understood(reference)?),
        },
        other => return Ok(not_understood(other)?),
    };
    Ok(declared_with(call, &reference, &params)?.into())
}

fn not_understood(value: &Value) -> Result {
    fail(format!("Reference is not understood: '{}'", super::ruby::class_name(value)))
}

/// `Package[x]`, or `Package` where all are meant.
fn reference_text(of: &Type) -> Option<Str> {
    match of.resolved() {
        Type::Resource(Some(resource)) => match &resource.title {
            Some(title) => Some(format!("{}[{title}]", resource.type_name).into()),
            None => Some(resource.type_name.clone()),
        },
        Type::Class(Some(name)) => Some(format!("Class[{name}]").into()),
        Type::Class(None) => Some("Class".into()),
        _ => None,
    }
}

fn getparam(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let reference = needed(&args, 0, "reference")?;
    let Some(Value::String(name)) = args.get(1) else {
        return Ok(fail("Must specify name of a parameter")?);
    };
    if name.is_empty() {
        return Ok("".into());
    }
    let reference = match reference {
        Value::Resource(resource) => resource.to_string().into(),
        Value::Type(of) => reference_text(of).unwrap_or_else(|| of.to_string().into()),
        other => text_of(other),
    };
    let reference = checked_reference(&reference)?;
    match call.ask(&Question::ResourceValue { reference, part: ResourcePart::Parameter(name.clone()) }) {
        Answer::Value(value) if !value.is_undef() => Ok(value),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Ok("".into()),
    }
}

fn str2resource(call: &mut Invocation<'_, '_>) -> Flow {
    let written = call.take(0);
    let reference = checked_reference(written.as_str().unwrap_or_default())?;
    let (type_name, title) = reference.split_once('[').unwrap_or_default();
    let title = title.strip_suffix(']').unwrap_or(title);
    let of = Type::resource(type_name, Some(title.into()));
    match call.ask(&Question::Defined(of.clone().into())) {
        Answer::Value(Value::Boolean(true)) => Ok(Value::from(of).as_parameter()?),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Err(call.fault(format!(
            "stdlib::str2resource(): could not find {type_name}[{title}], this is parse order dependent and values \
             should not be quoted"
        ))),
    }
}

// ---- privacy ----

fn assert_private(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    if args.len() > 1 {
        let given = args.len();
        return Ok(fail(format!("assert_private(): Wrong number of arguments given ({given}}}) for 0 or 1)"))?);
    }
    let module = call.variable("module_name")?.unwrap_or_default();
    let caller = call.variable("caller_module_name")?.unwrap_or_default();
    if module == caller && !(module.is_undef() && caller.is_undef() && is_at_top(call)) {
        return Ok(Value::Undef);
    }
    if let Some(Value::String(message)) = args.first() {
        return Err(Fault::new(message.to_string()).into());
    }
    match call.ask(&Question::Frame("definition".into())) {
        Answer::Value(definition) => Err(call.fault(format!("{} is private", text_of(&definition)))),
        _ => Err(call.fault("Class  is private")),
    }
}

/// Its name is a keyword of the language: it is called by `call('private')`.
fn private(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    call.log(
        Level::Warning,
        "private() DEPRECATED: This function will cease to function on Puppet 4; please use assert_private() before \
         upgrading to puppet 4 for backwards-compatibility, or migrate to the new parser's typing system."
            .into(),
    )?;
    for method in ["loaded?", "load"] {
        warn_of_loading(call, method, "assert_private")?;
    }
    assert_private(call, args.into_iter().take(1).collect())
}

/// Where no class is around, the two names are not the same nothing to Ruby.
fn is_at_top(call: &mut Invocation<'_, '_>) -> bool {
    matches!(call.ask(&Question::Frame("definition".into())), Answer::Value(Value::String(of)) if of == "Class ")
}
