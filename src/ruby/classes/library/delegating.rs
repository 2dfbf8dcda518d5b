//! Modules that add methods to who mixes them in: Singleton, Forwardable, SingleForwardable. As in Ruby's own library the
//! methods are made of a text.

use std::sync::Arc;

use crate::class::Core;
use crate::code::Script;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[
    (Core::Singleton, Side::Class, &[method("included", 1, 1, made_single)]),
    (Core::Forwardable, Side::Instance, FOR_OBJECTS),
    (Core::SingleForwardable, Side::Instance, FOR_ONE),
];

const FOR_OBJECTS: &[NativeMethod] = &[
    method("def_instance_delegator", 2, 3, one),
    method("def_delegator", 2, 3, one),
    method("def_instance_delegators", 1, ANY, several),
    method("def_delegators", 1, ANY, several),
    method("instance_delegate", 1, 1, by_table),
    method("delegate", 1, 1, by_table),
];

const FOR_ONE: &[NativeMethod] = &[
    method("def_single_delegator", 2, 3, one),
    method("def_delegator", 2, 3, one),
    method("def_single_delegators", 1, ANY, several),
    method("def_delegators", 1, ANY, several),
    method("single_delegate", 1, 1, by_table),
    method("delegate", 1, 1, by_table),
];

const SINGLE: &str = "private_class_method :new, :allocate
def self.instance
  @singleton__instance__ ||= new
end
def self.inherited(heir)
  super
  heir.instance_variable_set(:@singleton__instance__, nil)
end
def clone
  raise TypeError, \"can't clone instance of singleton #{self.class}\"
end
def dup
  raise TypeError, \"can't dup instance of singleton #{self.class}\"
end
";

fn made_single(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    define(interp, given, given.arg(0), SINGLE)
}

fn define(interp: &mut Interp<'_>, given: &CallArguments<'_>, of: &Value, text: &str) -> Flow {
    let Value::Class(class) = of else { return interp.unsupported("delegators of an object that is no class") };
    let script = match Script::parse("(delegators)", text) {
        Ok(script) => Arc::new(script),
        Err(error) => return interp.raise(Core::SyntaxError, error.to_string()),
    };
    interp.run_for_class(*class, &script, given.frame)
}

/// `def_delegator :@list, :size, :count`
fn one(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = given.args.get(2).unwrap_or(given.arg(1)).clone();
    delegate(interp, given, given.arg(0), given.arg(1), &name)
}

/// `def_delegators :@list, :size, :each`
fn several(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut made = Vec::new();
    for name in &given.args[1..] {
        let is_left_out = matches!(&*interp.name_arg(name)?, "__send__" | "__id__");
        made.push(match is_left_out {
            true => Value::Nil,
            false => delegate(interp, given, given.arg(0), name, name)?,
        });
    }
    Ok(Value::array(made))
}

/// `delegate [:size, :each] => :@list, first: :list`
fn by_table(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let table = match given.arg(0) {
        Value::Hash(table) => table.clone(),
        _ => return interp.unsupported("delegate with anything but a hash"),
    };
    for (names, accessor) in table.pairs() {
        let names = match &names {
            Value::Array(list) => list.items.borrow().clone(),
            name => vec![name.clone()],
        };
        for name in names {
            delegate(interp, given, &accessor, &name, &name)?;
        }
    }
    Ok(given.arg(0).clone())
}

/// Who is delegated to is a text of code: a variable, a method, a constant.
fn delegate(interp: &mut Interp<'_>, given: &CallArguments<'_>, to: &Value, method: &Value, name: &Value) -> Flow {
    let (to, method, name) = (interp.name_arg(to)?, interp.name_arg(method)?, interp.name_arg(name)?);
    let is_of_one = matches!(given.receiver, Value::Class(class) if !interp.instances_delegate(*class));
    let on = if is_of_one { "self." } else { "" };
    let text = format!(
        "def {on}{name}(*args, **options, &block)\n  {to}.__send__(:\"{method}\", *args, **options, &block)\nend\n"
    );
    define(interp, given, given.receiver, &text)?;
    Ok(Value::Symbol(name))
}

impl Interp<'_> {
    /// Returns true if what a class delegates is its objects', and not its own.
    fn instances_delegate(&self, class: crate::class::Class) -> bool {
        self.is_a(&Value::Class(class), Core::Forwardable.class())
    }
}
