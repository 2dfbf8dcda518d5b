//! Where code stands, as an object: its locals and its self. `ERB` renders templates there.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pantin_values::Str;

use crate::class::Core;
use crate::erb::{Style, template_within};
use crate::interp::{CallArguments, Env, Frame, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Binding, Side::Instance, BINDING),
    (Core::Erb, Side::Class, &[method("new", 1, 5, new)]),
    (Core::Erb, Side::Instance, ERB),
];

const BINDING: &[NativeMethod] = &[
    method("local_variable_get", 1, 1, |interp, given| {
        let (binding, name) = named(interp, given)?;
        match binding.place(&name) {
            Some((depth, slot)) => Ok(binding.frame.borrow().env.get(depth, slot)),
            None => {
                let message = format!("local variable `{name}' is not defined for #<Binding>");
                interp.raise_about(Core::NameError, message, Value::Symbol(name))
            }
        }
    }),
    method("local_variable_set", 2, 2, |interp, given| {
        let (binding, name) = named(interp, given)?;
        let (depth, slot) = match binding.place(&name) {
            Some(place) => place,
            None => binding.opened(&[name]),
        };
        binding.frame.borrow().env.set(depth, slot, given.arg(1).clone());
        Ok(given.arg(1).clone())
    }),
    method("local_variable_defined?", 1, 1, |interp, given| {
        let (binding, name) = named(interp, given)?;
        Ok(binding.place(&name).is_some().into())
    }),
    method("local_variables", 0, 0, |interp, given| {
        let binding = binding_from_value(interp, given.receiver)?;
        let mut names: Vec<Str> = Vec::new();
        for name in binding.names.borrow().iter().flatten().filter(|name| is_local(name)) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        Ok(Value::array(names.into_iter().map(Value::Symbol).collect()))
    }),
    method("receiver", 0, 0, |interp, given| {
        let binding = binding_from_value(interp, given.receiver)?;
        let receiver = binding.frame.borrow().context.self_value.clone();
        Ok(receiver)
    }),
];

const ERB: &[NativeMethod] = &[
    method("result", 0, 1, |interp, given| {
        let binding = match given.args.first() {
            Some(binding) => binding_from_value(interp, binding)?,
            None => Rc::new(Binding::at_top(interp)),
        };
        render(interp, given.receiver, &binding)
    }),
    method("result_with_hash", 1, 1, |interp, given| {
        let Value::Hash(values) = given.arg(0) else {
            return interp.raise(Core::TypeError, "the values of a template are a hash");
        };
        let binding = Binding::at_top(interp);
        for (name, value) in values.pairs() {
            let name = interp.name_arg(&name)?;
            let (depth, slot) = binding.opened(&[name]);
            binding.frame.borrow().env.set(depth, slot, value);
        }
        render(interp, given.receiver, &binding)
    }),
    method("filename=", 1, 1, |interp, given| {
        interp.set_instance_variable(given.receiver, &FILE.into(), given.arg(0).clone())?;
        Ok(given.arg(0).clone())
    }),
    method("filename", 0, 0, |interp, given| interp.instance_variable(given.receiver, &FILE.into())),
];

const TEXT: &str = "@text";
const TRIM: &str = "@trim_mode";
const OUT: &str = "@eoutvar";
const FILE: &str = "@filename";

/// What a template is called that nobody has named.
const NAMELESS: &str = "(erb)";

pub(crate) struct Binding {
    frame: RefCell<Frame>,
    /// Of the locals of each scope around, innermost first, by slots.
    names: RefCell<Vec<Vec<Str>>>,
}

impl Binding {
    pub(crate) fn from_frame(frame: &Frame, names: &[Vec<Str>]) -> Binding {
        Binding { frame: RefCell::new(frame.clone()), names: RefCell::new(names.to_vec()) }
    }

    fn at_top(interp: &mut Interp<'_>) -> Binding {
        let frame = interp.top_frame();
        Binding::from_frame(&frame, &[Vec::new()])
    }

    /// So many scopes out, and the slot there.
    fn place(&self, name: &str) -> Option<(u32, u32)> {
        let names = self.names.borrow();
        let mut scopes = names.iter().enumerate();
        scopes.find_map(|(depth, scope)| {
            let slot = scope.iter().position(|known| known == name)?;
            Some((depth as u32, slot as u32))
        })
    }

    /// Returns a scope more, with these locals; the place of the first.
    fn opened(&self, names: &[Str]) -> (u32, u32) {
        let mut frame = self.frame.borrow_mut();
        frame.env = Env::new(names.len(), Some(frame.env.clone()));
        self.names.borrow_mut().insert(0, names.to_vec());
        (0, 0)
    }
}

/// What stands for a parameter without a name is no local.
pub(crate) fn is_local(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn binding_from_value(interp: &mut Interp<'_>, value: &Value) -> Flow<Rc<Binding>> {
    if let Value::Object(object) = value
        && let Data::Binding(binding) = &*object.data.borrow()
    {
        return Ok(binding.clone());
    }
    let class = interp.class_name_of(value);
    interp.raise(Core::TypeError, format!("wrong argument type {class} (expected binding)"))
}

fn named(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<(Rc<Binding>, Str)> {
    let binding = binding_from_value(interp, given.receiver)?;
    let name = interp.name_arg(given.arg(0))?;
    Ok((binding, name))
}

/// `ERB.new(text, nil, '-', '_out')`, or with `trim_mode:` and `eoutvar:`.
fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let (mut trim, mut out) = (given.arg(2).clone(), given.arg(3).clone());
    if given.keywords
        && let Some(Value::Hash(options)) = given.args.last()
    {
        // What stands at such a place is the hash itself.
        (trim, out) = match given.args.len() {
            1..=3 => (Value::Nil, Value::Nil),
            4 => (trim, Value::Nil),
            _ => (trim, out),
        };
        trim = options.get_symbol("trim_mode").unwrap_or(trim);
        out = options.get_symbol("eoutvar").unwrap_or(out);
    }
    let template = Value::object(Core::Erb.class(), Data::None);
    for (name, value) in [(TEXT, Value::text(text)), (TRIM, trim), (OUT, out), (FILE, Value::Nil)] {
        interp.set_instance_variable(&template, &name.into(), value)?;
    }
    Ok(template)
}

fn render(interp: &mut Interp<'_>, template: &Value, binding: &Binding) -> Flow {
    let text = interp.instance_variable(template, &TEXT.into())?;
    let text = interp.text_arg(&text)?;
    let trim = interp.instance_variable(template, &TRIM.into())?;
    let trims = match &trim {
        Value::Nil => false,
        Value::String(mode) if &*mode.bytes() == b"-" => true,
        Value::String(mode) if mode.bytes().is_empty() => false,
        other => {
            let shown = interp.inspect(other)?;
            return interp.unsupported(format!("the trim mode {shown} of ERB"));
        }
    };
    let out = match interp.instance_variable(template, &OUT.into())? {
        Value::Nil => "_erbout".to_owned(),
        name => interp.text_arg(&name)?,
    };
    let file = match interp.instance_variable(template, &FILE.into())? {
        Value::Nil => NAMELESS.to_owned(),
        name => interp.text_arg(&name)?,
    };
    let style = Style { trims, out: &out };
    let parsed = template_within(&file, &text, style, &binding.names.borrow());
    let script = match parsed {
        Ok(script) => Arc::new(script),
        Err(error) => return interp.raise(Core::SyntaxError, error.to_string()),
    };
    let around = binding.frame.borrow().clone();
    interp.deeper(|interp| interp.run_within(&script, &around))
}
