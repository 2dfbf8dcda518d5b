//! What classes and modules can do.

use std::sync::Arc;

use pantin_values::Str;

use crate::class::{Class, Core};
use crate::code::{Expr, ExprKind, Script};
use crate::interp::{Args, CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::path_texts::ExceptionMessage;
use crate::stop::Flow;
use crate::value::{Data, Exception, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Module, Side::Instance, METHODS),
    (Core::ClassClass, Side::Instance, OF_CLASSES),
    (Core::ClassClass, Side::Class, MAKE),
    (Core::Module, Side::Class, MAKE),
];

const MAKE: &[NativeMethod] = &[method("new", 0, 1, make_class)];

const OF_CLASSES: &[NativeMethod] = &[
    method("new", 0, ANY, new),
    method("allocate", 0, 0, |_, given| Ok(Value::object(own(given), Data::None))),
    method("superclass", 0, 0, |interp, given| Ok(interp.classes.parent(own(given)).map_or(Value::Nil, Value::Class))),
    private("inherited", 1, 1, |_, _| Ok(Value::Nil)),
];

const METHODS: &[NativeMethod] = &[
    method("name", 0, 0, name),
    method("to_s", 0, 0, |interp, given| Ok(Value::text(interp.classes.name(own(given)).as_str()))),
    method("inspect", 0, 0, |interp, given| Ok(Value::text(interp.classes.name(own(given)).as_str()))),
    method("===", 1, 1, |interp, given| Ok(interp.is_a(given.arg(0), own(given)).into())),
    method("==", 1, 1, |_, given| Ok(given.receiver.is_same(given.arg(0)).into())),
    method("<", 1, 1, |interp, given| below(interp, given, false)),
    method("<=", 1, 1, |interp, given| below(interp, given, true)),
    method(">", 1, 1, |interp, given| above(interp, given, false)),
    method(">=", 1, 1, |interp, given| above(interp, given, true)),
    method("ancestors", 0, 0, |interp, given| {
        Ok(Value::array(interp.classes.ancestors(own(given)).into_iter().map(Value::Class).collect()))
    }),
    method("include", 1, ANY, |interp, given| mix(interp, given, "included")),
    method("prepend", 1, ANY, |interp, given| mix(interp, given, "prepended")),
    method("include?", 1, 1, |interp, given| match given.arg(0) {
        Value::Class(module) if *module != own(given) => Ok(interp.class_is_a(own(given), *module).into()),
        _ => Ok(Value::Bool(false)),
    }),
    method("const_get", 1, 2, |interp, given| {
        let path = interp.name_arg(given.arg(0))?;
        interp.constant_at(own(given), &path)
    }),
    method("const_set", 2, 2, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.set_constant(own(given), &name, given.arg(1).clone());
        Ok(given.arg(1).clone())
    }),
    method("const_defined?", 1, 2, const_defined),
    method("class_eval", 0, 3, class_exec),
    method("module_eval", 0, 3, class_exec),
    method("class_exec", 0, ANY, class_exec),
    method("instance_exec", 0, ANY, class_exec),
    method("instance_eval", 0, 3, class_exec),
    method("freeze", 0, 0, |_, given| Ok(given.receiver.clone())),
    private("included", 1, 1, |_, _| Ok(Value::Nil)),
    private("extended", 1, 1, |_, _| Ok(Value::Nil)),
    private("prepended", 1, 1, |_, _| Ok(Value::Nil)),
];

pub(super) fn own(given: &CallArguments<'_>) -> Class {
    match given.receiver {
        Value::Class(class) => *class,
        _ => Core::Object.class(),
    }
}

fn name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.classes.name(own(given));
    Ok(if name.is_empty() { Value::Nil } else { Value::frozen_text(name.as_str()) })
}

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = own(given);
    if interp.classes.is_of_one(class) {
        return interp.raise(Core::TypeError, "can't create instance of singleton class");
    }
    let is_exception = interp.class_is_a(class, Core::Exception.class());
    let has_data = class.core().is_some() && !is_exception && !class.is(Core::Object);
    if has_data {
        let name = interp.classes.name(class);
        return interp.unsupported(format!("the method {name}.new"));
    }
    let data = if is_exception {
        Data::Exception(Exception { message: ExceptionMessage::new(given.arg(0).clone()), ..Exception::default() })
    } else if interp.class_is_a(class, Core::Set.class()) {
        Data::Set(std::rc::Rc::default())
    } else {
        Data::None
    };
    let object = Value::object(class, data);
    if let Some(method) = interp.method_of(&object, "initialize")
        && (method.is_own() || interp.class_is_a(class, Core::PuppetError.class()))
    {
        interp.call(&object, "initialize", given.rest(0), given.block, None, true, false)?;
    } else if !is_exception && !given.args.is_empty() {
        let count = given.args.len();
        return interp.raise(Core::ArgumentError, format!("wrong number of arguments (given {count}, expected 0)"));
    }
    Ok(object)
}

fn make_class(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let is_module = own(given).is(Core::Module);
    let parent = match given.args.first() {
        Some(Value::Class(parent)) => Some(*parent),
        Some(_) => return interp.raise(Core::TypeError, "superclass must be a Class"),
        None if is_module => None,
        None => Some(Core::Object.class()),
    };
    let class = Value::Class(interp.classes.add(Str::new(), parent, is_module));
    if let Some(block) = given.block {
        let block = interp.proc_of(block)?;
        let args = Args::from_values(vec![class.clone()]);
        interp.call_proc_as(&block, args, None, Some(&class), None)?;
    }
    Ok(class)
}

fn below(interp: &mut Interp<'_>, given: &CallArguments<'_>, or_same: bool) -> Flow {
    let Value::Class(other) = given.arg(0) else {
        return interp.raise(Core::TypeError, "compared with non class/module");
    };
    let class = own(given);
    Ok(if class == *other {
        Value::Bool(or_same)
    } else if interp.class_is_a(class, *other) {
        Value::Bool(true)
    } else if interp.class_is_a(*other, class) {
        Value::Bool(false)
    } else {
        Value::Nil
    })
}

fn above(interp: &mut Interp<'_>, given: &CallArguments<'_>, or_same: bool) -> Flow {
    let swapped = CallArguments { receiver: given.arg(0), args: std::slice::from_ref(given.receiver), ..*given };
    below(interp, &swapped, or_same)
}

fn mix(interp: &mut Interp<'_>, given: &CallArguments<'_>, hook: &str) -> Flow {
    for module in given.args.iter().rev() {
        let Value::Class(class) = module else {
            return interp.raise(Core::TypeError, "wrong argument type (expected module)");
        };
        match hook {
            "prepended" => interp.classes.prepend(own(given), *class),
            _ => interp.classes.mix(own(given), Side::Instance, *class),
        }
        interp.send(module, hook, std::slice::from_ref(given.receiver))?;
    }
    Ok(given.receiver.clone())
}

fn const_defined(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let path = interp.name_arg(given.arg(0))?;
    let mut class = own(given);
    for part in path.split("::").filter(|part| !part.is_empty()) {
        let part: Str = part.into();
        let found = interp.classes.ancestors(class).into_iter().find_map(|class| interp.own_constant(class, &part));
        match found {
            Some(Value::Class(next)) => class = next,
            Some(_) => return Ok(Value::Bool(true)),
            None => return Ok(super::is_known_constant(&path).into()),
        }
    }
    Ok(Value::Bool(true))
}

fn class_exec(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return eval_text(interp, given) };
    let block = interp.proc_of(block)?;
    let args =
        if given.name.ends_with("_eval") { Args::from_values(vec![given.receiver.clone()]) } else { given.rest(0) };
    interp.call_proc_as(&block, args, None, Some(given.receiver), None)
}

/// `module_eval(text, file, line)`. It would see the locals around it, of which nothing is known here: so it has to be
/// one that looks at none.
fn eval_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (Value::Class(class), Some(text)) = (given.receiver, given.args.first()) else {
        return interp.unsupported("the evaluation of a text as code");
    };
    let text = interp.text_arg(text)?;
    let file = match given.args.get(1) {
        None => "(eval)".to_owned(),
        Some(file) => interp.text_arg(file)?,
    };
    let line = given.args.get(2).map_or(Ok(1), |line| interp.int_arg(line))?;
    let above = usize::try_from(line.saturating_sub(1)).unwrap_or(0);
    interp.check_bytes(text.len().saturating_add(above))?;
    // So that its lines have the numbers that they are said to have.
    let script = match Script::parse(&file, &("\n".repeat(above) + &text)) {
        Ok(script) => Arc::new(script),
        Err(error) => return interp.raise(Core::SyntaxError, error.to_string()),
    };
    match sees_no_locals(&script.main.body) {
        true => interp.run_for_class(*class, &script, given.frame),
        false => interp.unsupported("the evaluation of a text as code that is more than definitions"),
    }
}

/// Definitions, and words such as `require 'set'` and `attr_reader :x`.
fn sees_no_locals(of: &Expr) -> bool {
    match &of.kind {
        ExprKind::Sequence(all) => all.iter().all(sees_no_locals),
        ExprKind::DefineMethod(define) => {
            define.on.is_none() || matches!(define.on, Some(Expr { kind: ExprKind::SelfValue, .. }))
        }
        ExprKind::DefineClass(define) => define.superclass.as_ref().is_none_or(is_constant),
        ExprKind::Call(call) => call.receiver.is_none() && !call.args.is_empty() && call.args.iter().all(is_constant),
        ExprKind::Nil | ExprKind::Alias(..) | ExprKind::UndefMethods(_) => true,
        _ => false,
    }
}

fn is_constant(of: &Expr) -> bool {
    matches!(
        &of.kind,
        ExprKind::String(_)
            | ExprKind::FrozenString(_)
            | ExprKind::Symbol(_)
            | ExprKind::Constant(_)
            | ExprKind::TopConstant(_)
    ) || matches!(&of.kind, ExprKind::ConstantOf(within, _) if is_constant(within))
}
