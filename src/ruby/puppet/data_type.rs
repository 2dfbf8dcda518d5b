//! `Puppet::DataTypes`: a data type that a module declares in Ruby, and what its implementation does for an object of it.

use std::sync::Arc;

use pantin_values::{Object, Str};

use crate::border;
use crate::class::Core;
use crate::code::Script;
use crate::error::RubyError;
use crate::interp::{Args, CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::outside::Outside;
use crate::stop::{Flow, Stop};
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 2] = [
    (Core::PuppetDataTypes, Side::Class, &[method("create_type", 1, 1, create_type)]),
    (Core::PuppetTypeBuilder, Side::Instance, BUILDER),
];

const BUILDER: &[NativeMethod] = &[
    method("interface", 1, 1, |interp, given| {
        let text = given.arg(0).clone();
        let of = declaring(interp);
        if of.interface.is_some() {
            return interp.raise(Core::ArgumentError, "a data type can only have one interface");
        }
        of.interface = Some(text);
        Ok(given.arg(0).clone())
    }),
    method("implementation", 0, 0, |interp, given| {
        let block = given.block.cloned().unwrap_or_default();
        let of = declaring(interp);
        if of.implementation.is_some() {
            return interp.raise(Core::ArgumentError, "a data type can only have one implementation");
        }
        of.implementation = Some(block);
        Ok(Value::Nil)
    }),
    method("implementation_class", 1, 1, |interp, _| interp.unsupported("the implementation_class of a data type")),
    method("load_file", 1, 1, |interp, given| {
        let main = interp.main.clone();
        interp.send(&main, "require", given.args)
    }),
];

/// A type while its file is run, and after that.
#[derive(Default)]
pub(crate) struct DeclaredDataType {
    name: Str,
    interface: Option<Value>,
    /// A block, or nil.
    implementation: Option<Value>,
}

/// What a file declares.
#[derive(Debug)]
pub struct DataType {
    pub name: Str,
    /// What stands in the braces of the type.
    pub interface: String,
    /// Whether its objects have methods in Ruby.
    pub is_implemented: bool,
}

/// Returns the type that a file declares.
pub fn data_type(file: &Arc<Script>, outside: &mut dyn Outside) -> Result<DataType, RubyError> {
    let mut interp = Interp::new(file.clone(), outside);
    let result = interp.read_data_type(file);
    result.map_err(|stop| interp.into_error(*stop))
}

/// Returns an attribute or a function of an object as the implementation of its type has it; `None`: it has no such
/// method.
pub fn call_member(
    file: &Arc<Script>,
    object: &Object,
    name: &str,
    args: &[pantin_values::Value],
    outside: &mut dyn Outside,
) -> Result<Option<pantin_values::Value>, RubyError> {
    let mut interp = Interp::new(file.clone(), outside);
    let result = interp.member_of(file, object, name, args);
    let result = result.and_then(|value| interp.give_back().map(|()| value));
    result.map_err(|stop| interp.into_error(*stop))
}

fn declaring<'i>(interp: &'i mut Interp<'_>) -> &'i mut DeclaredDataType {
    interp.declared.data_type.get_or_insert_default()
}

fn create_type(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.text_of(given.arg(0))?;
    let made = build(interp, given, &name);
    match made.map_err(|stop| *stop) {
        Err(Stop::Raise(exception)) if interp.is_a(&exception, Core::StandardError.class()) => {
            let message = interp.exception_message(&exception)?;
            interp.raise(Core::ArgumentError, load_error(&name, &message))
        }
        other => other.map_err(Box::new),
    }
}

/// Returns what is said of a type that cannot be made.
pub fn load_error(name: &str, message: &str) -> String {
    format!("Data Type Load Error for type '{name}': {message}")
}

fn build(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    let Some(block) = given.block else {
        return interp.raise(Core::NoMethodError, "undefined method `binding' for nil:NilClass");
    };
    interp.declared.data_type = Some(DeclaredDataType { name: name.into(), ..DeclaredDataType::default() });
    let builder = Value::object(Core::PuppetTypeBuilder.class(), Data::None);
    let block = interp.proc_of(block)?;
    interp.call_proc_as(&block, Args::from_values(vec![builder.clone()]), None, Some(&builder), None)?;
    if !matches!(declaring(interp).interface, Some(Value::String(_))) {
        return interp.raise(Core::ArgumentError, "a data type must have an interface");
    }
    Ok(Value::object(Core::PuppetAnyType.class(), Data::None))
}

impl Interp<'_> {
    fn read_data_type(&mut self, file: &Arc<Script>) -> Flow<DataType> {
        let declared = self.declared_data_type(file)?;
        let interface = declared.interface.unwrap_or_default();
        Ok(DataType {
            name: declared.name,
            interface: self.text_arg(&interface)?,
            is_implemented: declared.implementation.is_some(),
        })
    }

    fn declared_data_type(&mut self, file: &Arc<Script>) -> Flow<DeclaredDataType> {
        let main = self.main.clone();
        let made = self.run_script(file, main)?;
        let declared = self.declared.data_type.take();
        match declared.filter(|_| self.is_a(&made, Core::PuppetAnyType.class())) {
            Some(declared) => Ok(declared),
            None => {
                let (file, of) = (file.path.beyond_code(), self.class_name_of(&made));
                let message =
                    format!("The code loaded from {file} did not produce a data type when evaluated. Got '{of}'");
                self.raise(Core::ArgumentError, message)
            }
        }
    }

    /// The class of the objects has a reader for each attribute, which the implementation may have otherwise.
    fn member_of(
        &mut self,
        file: &Arc<Script>,
        object: &Object,
        name: &str,
        args: &[pantin_values::Value],
    ) -> Flow<Option<pantin_values::Value>> {
        let declared = self.declared_data_type(file)?;
        let class = self.send(&Value::Class(Core::ClassClass.class()), "new", &[])?;
        let attributes = &object.class.all_attributes;
        let readers: Vec<Value> = attributes.iter().map(|(name, _)| Value::Symbol(name.clone())).collect();
        self.send(&class, "attr_reader", &readers)?;
        if let Some(block @ Value::Proc(_)) = &declared.implementation {
            self.send_with(&class, "class_eval", &[], Some(block))?;
        }
        let Value::Class(class) = class else { return Ok(None) };
        let instance = Value::object(class, Data::None);
        if self.method_of(&instance, "initialize").is_some_and(|method| method.is_own()) {
            return self.unsupported("a data type whose objects have an initialize of their own");
        }
        if !self.method_of(&instance, name).is_some_and(|method| method.is_own()) {
            return Ok(None);
        }
        for (name, value) in attributes.iter().map(|(name, _)| name).zip(object.values.iter()) {
            self.set_instance_variable(&instance, &format!("@{name}").into(), border::inward(value))?;
        }
        let args = Args::from_values(args.iter().map(border::inward).collect());
        let result = self.call(&instance, name, args, None, None, true, false)?;
        self.value_to_outside(&result).map(Some)
    }
}
