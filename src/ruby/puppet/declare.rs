//! The words in which a file of Ruby declares a function: `create_function`, `dispatch`, `param`, `newfunction` …

use pantin_values::Str;
use pantin_values::signature::ParamKind;

use super::function::{Declaration, DeclaredBlock, DeclaredParam, Dispatch, Weave};
use crate::class::{Class, Core};
use crate::interp::{Args, CallArguments, Interp, MethodKind};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::outside::CallForm;
use crate::stop::{Flow, Stop};
use crate::table::Table as Entries;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 8] = [
    (Core::PuppetFunctions, Side::Class, CREATE),
    (Core::PuppetFunction, Side::Class, OF_CLASS),
    (Core::PuppetFunction, Side::Instance, OF_FUNCTION),
    (Core::PuppetInternalFunction, Side::Instance, OF_INTERNAL),
    (Core::PuppetLoader, Side::Instance, &[method("method_missing", 1, ANY, super::catalog::lacking)]),
    (Core::PuppetDispatch, Side::Instance, DISPATCH),
    (Core::PuppetLocalTypes, Side::Instance, LOCAL_TYPES),
    (Core::PuppetParserFunctions, Side::Class, OLDER),
];

/// A function of the newer kind while its file is run, and after that.
pub(super) struct Declaring {
    pub(super) declaration: Declaration,
    pub(super) class: Class,
}

/// A function of the older kind.
#[derive(Clone)]
pub(super) struct Older {
    pub(super) name: Str,
    pub(super) body: Value,
    pub(super) arity: i64,
    pub(super) is_value: bool,
}

const CREATE: &[NativeMethod] = &[
    method("create_function", 1, 2, create_function),
    method("create_loaded_function", 2, 3, |interp, given| {
        let args: Vec<Value> = std::iter::once(given.arg(0)).chain(given.args.get(2)).cloned().collect();
        create_function(interp, &CallArguments { args: &args, ..*given })
    }),
];

const OF_CLASS: &[NativeMethod] = &[
    method("dispatch", 1, 1, |interp, given| dispatch(interp, given, false)),
    method("argument_mismatch", 1, 1, |interp, given| dispatch(interp, given, true)),
    method("local_types", 0, 0, |interp, given| {
        let Some(block) = given.block else { return Ok(Value::Nil) };
        let builder = Value::object(Core::PuppetLocalTypes.class(), Data::None);
        let block = interp.proc_of(block)?;
        interp.call_proc_as(&block, Args::default(), None, Some(&builder), None)
    }),
    method("loader", 0, 0, |_, _| Ok(Value::Nil)),
];

const OF_FUNCTION: &[NativeMethod] = &[
    method("call_function", 1, ANY, |interp, given| call_function(interp, given, CallForm::Newer)),
    method("closure_scope", 0, 0, |_, _| Ok(Value::object(Core::PuppetScope.class(), Data::TopScope))),
    method("loader", 0, 0, |interp, _| interp.unsupported("the loader of a function")),
];

const OF_INTERNAL: &[NativeMethod] = &[method("call_function_with_scope", 2, ANY, |interp, given| {
    let how = if super::scope::is_top(given.arg(0)) { CallForm::Newer } else { CallForm::ByScope };
    call_function(interp, &CallArguments { args: &given.args[1..], ..*given }, how)
})];

const DISPATCH: &[NativeMethod] = &[
    method("param", 2, 2, |interp, given| param(interp, given, ParamKind::Required)),
    method("required_param", 2, 2, |interp, given| param(interp, given, ParamKind::Required)),
    method("optional_param", 2, 2, |interp, given| param(interp, given, ParamKind::Optional)),
    method("repeated_param", 2, 2, |interp, given| param(interp, given, ParamKind::Repeated)),
    method("optional_repeated_param", 2, 2, |interp, given| param(interp, given, ParamKind::Repeated)),
    method("required_repeated_param", 2, 2, |interp, given| param(interp, given, ParamKind::RequiredRepeated)),
    method("block_param", 0, 2, |interp, given| block(interp, given, false)),
    method("required_block_param", 0, 2, |interp, given| block(interp, given, false)),
    method("optional_block_param", 0, 2, |interp, given| block(interp, given, true)),
    method("return_type", 1, 1, |interp, given| {
        let of = interp.text_arg(given.arg(0))?;
        if let Some(dispatch) = current(interp) {
            dispatch.returns = Some(of);
        }
        Ok(Value::Nil)
    }),
    method("scope_param", 0, 0, |interp, _| {
        if let Some(dispatch) = current(interp) {
            dispatch.weaving.push(Weave::Scope);
        }
        Ok(Value::Nil)
    }),
    method("cache_param", 0, 0, |interp, _| interp.unsupported("a cache that lives as long as a catalog")),
    method("compiler_param", 0, 0, |interp, _| interp.unsupported("the compiler as an object")),
    method("script_compiler_param", 0, 0, |interp, _| interp.unsupported("the compiler as an object")),
    method("pal_compiler_param", 0, 0, |interp, _| interp.unsupported("the compiler as an object")),
];

const LOCAL_TYPES: &[NativeMethod] = &[method("type", 1, 1, |interp, given| {
    let alias = interp.text_arg(given.arg(0))?;
    if let Some(declaring) = &mut interp.declared.newer {
        declaring.declaration.local_types.push(alias);
    }
    Ok(Value::Nil)
})];

const OLDER: &[NativeMethod] = &[
    method("newfunction", 1, 2, newfunction),
    method("function", 1, 2, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        let known = interp.outside.has_function(&name);
        let known = interp.outside(known)?;
        Ok(if known { Value::text(format!("function_{name}")) } else { Value::Bool(false) })
    }),
    method("autoloader", 0, 1, |_, given| Ok(given.receiver.clone())),
    // Each warns there that it is deprecated.
    method("loaded?", 1, 1, |interp, _| {
        interp.unsupported("the method loaded? of Puppet::Parser::Functions.autoloader")
    }),
    method("load", 1, 2, |interp, _| interp.unsupported("the method load of Puppet::Parser::Functions.autoloader")),
    method("loadall", 0, 0, |_, _| Ok(Value::Nil)),
];

fn current<'i>(interp: &'i mut Interp<'_>) -> Option<&'i mut Dispatch> {
    interp.declared.newer.as_mut()?.declaration.dispatches.last_mut()
}

fn create_function(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let base = match given.args.get(1) {
        Some(Value::Class(base)) => *base,
        _ => Core::PuppetFunction.class(),
    };
    if !interp.class_is_a(base, Core::PuppetFunction.class()) {
        let shown = interp.classes.name(base);
        let message = format!("Functions must be based on Puppet::Pops::Functions::Function. Got {shown}");
        return interp.raise(Core::ArgumentError, message);
    }
    let class = interp.classes.add(name.clone(), Some(base), false);
    let declaration = Declaration { name: name.clone(), ..Declaration::default() };
    interp.declared.newer = Some(Declaring { declaration, class });
    let made = define(interp, given, &name, class);
    match made.map_err(|stop| *stop) {
        Err(Stop::Raise(exception)) if interp.is_a(&exception, Core::StandardError.class()) => {
            let message = interp.exception_message(&exception)?;
            let message = format!("Function Load Error for function '{name}': {message}");
            interp.raise(Core::ArgumentError, message)
        }
        Err(stop) => Err(Box::new(stop)),
        Ok(()) => Ok(Value::Class(class)),
    }
}

fn define(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str, class: Class) -> Flow<()> {
    if let Some(block) = given.block {
        let block = interp.proc_of(block)?;
        interp.call_proc_as(&block, Args::default(), None, Some(&Value::Class(class)), None)?;
    }
    let has_any = interp.declared.newer.as_ref().is_some_and(|declaring| !declaring.declaration.dispatches.is_empty());
    if has_any {
        return Ok(());
    }
    let simple = name.rsplit("::").next().unwrap_or(name);
    let Some(found) = interp.instance_method(class, simple).filter(|method| method.is_own()) else {
        let message = format!(
            "Function Creation Error, cannot create a default dispatcher for function '{simple}', no method with this \
             name found"
        );
        return interp.raise(Core::ArgumentError, message);
    };
    let MethodKind::Code { code, .. } = &found.kind else { return interp.unsupported("a function that is no method") };
    let (least, most) = code.params.arity();
    let mut params: Vec<DeclaredParam> = Vec::new();
    let names = &code.params.names;
    for index in 0..most.unwrap_or(least + code.params.optional.len()) {
        let kind = if index < least { ParamKind::Required } else { ParamKind::Optional };
        params.push(DeclaredParam { type_text: None, name: names.get(index).cloned().unwrap_or_default(), kind });
    }
    if most.is_none() {
        let name = names.last().cloned().unwrap_or_default();
        params.push(DeclaredParam { type_text: None, name, kind: ParamKind::Repeated });
    }
    if let Some(declaring) = &mut interp.declared.newer {
        let dispatch = Dispatch { method: simple.into(), params, ..Dispatch::default() };
        declaring.declaration.dispatches.push(dispatch);
    }
    Ok(())
}

fn dispatch(interp: &mut Interp<'_>, given: &CallArguments<'_>, explains: bool) -> Flow {
    let method = interp.name_arg(given.arg(0))?;
    match &mut interp.declared.newer {
        Some(declaring) => {
            declaring.declaration.dispatches.push(Dispatch { method, explains, ..Dispatch::default() });
        }
        None => return interp.unsupported("dispatch outside of create_function"),
    }
    let Some(block) = given.block else { return Ok(Value::Nil) };
    let builder = Value::object(Core::PuppetDispatch.class(), Data::None);
    let block = interp.proc_of(block)?;
    interp.call_proc_as(&block, Args::default(), None, Some(&builder), None)
}

fn param(interp: &mut Interp<'_>, given: &CallArguments<'_>, kind: ParamKind) -> Flow {
    let (of, name) = (interp.text_arg(given.arg(0))?, interp.name_arg(given.arg(1))?);
    let wrong = match current(interp) {
        Some(dispatch) => {
            let last = dispatch.params.last().map(|param| param.kind);
            let wrong = match (last, kind) {
                _ if dispatch.block.is_some() => Some("Parameters cannot be added after a block parameter"),
                (Some(ParamKind::Repeated | ParamKind::RequiredRepeated), _) => {
                    Some("Parameters cannot be added after a repeated parameter")
                }
                (Some(ParamKind::Optional), ParamKind::Required) => {
                    Some("A required parameter cannot be added after an optional parameter")
                }
                (Some(ParamKind::Optional), ParamKind::RequiredRepeated) => {
                    Some("A required repeated parameter cannot be added after an optional parameter")
                }
                _ => None,
            };
            let at = dispatch.params.len();
            let repeats = matches!(kind, ParamKind::Repeated | ParamKind::RequiredRepeated);
            dispatch.weaving.push(if repeats { Weave::From(at) } else { Weave::Argument(at) });
            dispatch.params.push(DeclaredParam { type_text: Some(of), name, kind });
            wrong
        }
        None => None,
    };
    wrong.map_or(Ok(Value::Nil), |wrong| interp.raise(Core::ArgumentError, wrong))
}

fn block(interp: &mut Interp<'_>, given: &CallArguments<'_>, optional: bool) -> Flow {
    let (of, name) = match given.args {
        [] => (None, "block".into()),
        [name] => (None, interp.name_arg(name)?),
        [of, name, ..] => (Some(interp.text_arg(of)?), interp.name_arg(name)?),
    };
    let again = match current(interp) {
        Some(dispatch) => dispatch.block.replace(DeclaredBlock { type_text: of, name, optional }).is_some(),
        None => false,
    };
    if again { interp.raise(Core::ArgumentError, "Attempt to redefine block") } else { Ok(Value::Nil) }
}

fn call_function(interp: &mut Interp<'_>, given: &CallArguments<'_>, how: CallForm) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let Some(block) = given.block else { return interp.call_puppet(&name, &given.args[1..], how) };
    match &*name {
        "stdlib::rewrap_sensitive_data" => rewrapped(interp, given, block, how),
        _ => interp.unsupported("a block of Ruby that is handed to a function of Puppet's"),
    }
}

/// What this function makes of what it unwraps, it wraps as it would have wrapped what it has unwrapped: so the block
/// need not go through Puppet.
fn rewrapped(interp: &mut Interp<'_>, given: &CallArguments<'_>, block: &Value, how: CallForm) -> Flow {
    let data = interp.call_puppet("stdlib::rewrap_sensitive_data", &given.args[1..], how)?;
    match &data {
        Value::Foreign(secret) if matches!(**secret, pantin_values::Value::Sensitive(_)) => {
            let open = super::scope::unwrap_sensitive(&data);
            let made = interp.yield_one(block, open)?;
            super::scope::wrap_sensitive(interp, &made)
        }
        _ => interp.yield_one(block, data),
    }
}

fn newfunction(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let Some(body) = given.block.cloned() else { return interp.raise(Core::ArgumentError, "no block given") };
    let (mut arity, mut is_value, mut doc) = (-1, false, None);
    if let Value::Hash(options) = given.arg(1) {
        doc = options.get_symbol("doc");
        if let Some(given) = options.get_symbol("arity") {
            arity = interp.int_arg(&given)?;
        }
        if let Some(kind) = options.get_symbol("type") {
            is_value = matches!(&kind, Value::Symbol(kind) if kind == "rvalue");
            if !is_value && !matches!(&kind, Value::Symbol(kind) if kind == "statement") {
                let shown = interp.inspect(&kind)?;
                return interp.raise(Core::PuppetDevError, format!("Invalid statement type {shown}"));
            }
        }
    }
    let info = Entries::default();
    let tell = |key: &str, value| info.insert(Value::Symbol(key.into()), value);
    tell("arity", Value::Int(arity));
    tell("type", Value::Symbol(if is_value { "rvalue" } else { "statement" }.into()));
    tell("name", Value::text(format!("function_{name}")));
    if let Some(doc) = doc.filter(|doc| doc.is_truthy()) {
        tell("doc", doc);
    }
    interp.declared.older.retain(|known| known.name != name);
    interp.declared.older.push(Older { name, body, arity, is_value });
    Ok(Value::hash(info))
}
