//! `Puppet::Type`: the words in which a module says what a type of resources is.
//!
//! What changes the table of a type is done: attributes, namevars, title patterns, what of it is inherited or mixed in.
//! What only an agent asks for is heard and forgotten: descriptions, values and their defaults, checks and conversions,
//! automatic relationships, features of providers. A block of one of those is never run, but for those of values, checks and conversions
//! where resources are checked (`checks`). A word that Puppet has and
//! that is in neither list is an error.

use pantin_values::Str;

use super::checks;
use crate::class::{Class, Core};
use crate::classes::is_built_in_library;
use crate::interp::{Args, CallArguments, Interp, Visibility};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::outside::RubyPlace;
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TYPE: Table = (Core::PuppetType, Side::Class, OF_TYPES);
pub(super) const PARAMETER: Table = (Core::PuppetParameter, Side::Class, OF_ATTRIBUTES);
pub(super) const ENSURE: Table =
    (Core::PuppetEnsure, Side::Class, &[method("defaultvalues", 0, 0, checks::default_values)]);

/// A type that code has declared.
pub(crate) struct DeclaredType {
    pub(super) name: Str,
    pub(super) class: Class,
    pub(super) declared_at: RubyPlace,
    /// `ensure` is the first.
    pub(super) properties: Vec<DeclaredAttribute>,
    pub(super) parameters: Vec<DeclaredAttribute>,
}

/// A property or a parameter.
#[derive(Clone)]
pub(super) struct DeclaredAttribute {
    pub(super) name: Str,
    pub(super) class: Class,
}

/// A word for the agent.
pub(super) fn nothing(_: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    Ok(Value::Nil)
}

const OF_TYPES: &[NativeMethod] = &[
    method("newtype", 1, 2, new_type),
    method("type", 1, 1, named),
    method("newproperty", 1, 2, new_property),
    method("newparam", 1, 2, new_parameter),
    method("ensurable", 0, 0, |interp, given| interp.ensurable(own(given), given.block)),
    method("provide", 1, 2, super::provider::provide),
    method("provider", 1, 1, super::provider::provider),
    method("providify", 0, 0, |interp, given| interp.providify(own(given))),
    method("title_patterns", 0, 0, title_patterns),
    method("name", 0, 0, |interp, given| variable(interp, given, "@name")),
    method("doc", 0, 0, |interp, given| variable(interp, given, "@doc")),
    method("isomorphic?", 0, 0, |interp, given| Ok(interp.is_isomorphic(own(given))?.into())),
    method("key_attributes", 0, 0, |interp, given| {
        let names = interp.key_attributes(own(given))?;
        Ok(Value::array(names.into_iter().map(Value::Symbol).collect()))
    }),
    method("parameters", 0, 0, |interp, given| {
        let all = interp.declared_type(own(given)).map(|of| of.parameters.clone()).unwrap_or_default();
        Ok(Value::array(all.into_iter().map(|each| Value::Symbol(each.name)).collect()))
    }),
    method("properties", 0, 0, |interp, given| {
        let all = interp.declared_type(own(given)).map(|of| of.properties.clone()).unwrap_or_default();
        Ok(Value::array(all.into_iter().map(|each| Value::Class(each.class)).collect()))
    }),
    method("validproperty?", 1, 1, |interp, given| Ok((!attribute(interp, given, true, false)?.is_nil()).into())),
    method("propertybyname", 1, 1, |interp, given| attribute(interp, given, true, false)),
    method("paramclass", 1, 1, |interp, given| attribute(interp, given, false, true)),
    method("attrclass", 1, 1, |interp, given| attribute(interp, given, true, true)),
    method("desc", 1, 1, nothing),
    method("doc=", 1, 1, nothing),
    method("nodoc", 0, 0, nothing),
    method("validate", 0, 0, checks::hear_block),
    method("feature", 2, 3, nothing),
    method("provider_feature", 2, 3, nothing),
    method("autorequire", 1, 1, nothing),
    method("autosubscribe", 1, 1, nothing),
    method("autobefore", 1, 1, nothing),
    method("autonotify", 1, 1, nothing),
    method("apply_to_host", 0, 0, nothing),
    method("apply_to_device", 0, 0, nothing),
    method("apply_to_all", 0, 0, nothing),
    method("self_refresh=", 1, 1, nothing),
];

const OF_ATTRIBUTES: &[NativeMethod] = &[
    method("isnamevar", 0, 0, |interp, given| {
        interp.set_instance_variable(given.receiver, &"@isnamevar".into(), Value::Bool(true))?;
        Ok(Value::Bool(true))
    }),
    method("isnamevar?", 0, 0, |interp, given| variable(interp, given, "@isnamevar")),
    method("name", 0, 0, |interp, given| variable(interp, given, "@name")),
    method("doc", 0, 0, |interp, given| variable(interp, given, "@doc")),
    method("desc", 1, 1, nothing),
    method("doc=", 1, 1, nothing),
    method("nodoc", 0, 0, nothing),
    method("validate", 0, 0, checks::hear_block),
    method("munge", 0, 0, checks::hear_block),
    method("unmunge", 0, 0, checks::hear_block),
    method("newvalue", 1, 2, checks::new_value),
    method("newvalues", 0, ANY, checks::new_values),
    method("aliasvalue", 2, 2, checks::alias_value),
    method("defaultto", 0, 1, checks::give_default),
    method("nodefault", 0, 0, checks::no_default),
    method("isrequired", 0, 0, nothing),
    method("sensitive", 0, 1, nothing),
    method("required_features=", 1, 1, checks::feature_needed),
    method("array_matching=", 1, 1, checks::list_matching),
    method("unmanaged=", 1, 1, checks::unmanaged),
    method("idempotent=", 1, 1, nothing),
];

pub(super) fn own(given: &CallArguments<'_>) -> Class {
    match given.receiver {
        Value::Class(class) => *class,
        _ => Core::PuppetType.class(),
    }
}

fn variable(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    interp.instance_variable(given.receiver, &name.into())
}

/// `Puppet::Type.newtype(name, options) { … }`
fn new_type(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    interp.new_type(&name, |interp, class| match given.block {
        Some(block) => interp.run_for(class, block),
        None => Ok(()),
    })
}

/// `Puppet::Type.type(name)`: one of this run, or one that another file of a module declares; of no other it is nil.
fn named(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name: Str = interp.name_arg(given.arg(0))?.to_lowercase();
    let known = |interp: &Interp<'_>| interp.declared.types.iter().find(|of| of.name == name).map(|of| of.class);
    if known(interp).is_none() {
        let file = format!("puppet/type/{name}");
        let found = interp.outside.library(&file);
        if interp.outside(found)?.is_none() && !is_built_in_library(&file) {
            return Ok(Value::Nil);
        }
        let main = interp.main.clone();
        interp.send(&main, "require", &[Value::text(file)])?;
    }
    match known(interp) {
        Some(class) => Ok(Value::Class(class)),
        None => interp.unsupported(format!("Puppet's own type {name}, as code that may change it,")),
    }
}

fn new_property(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name: Str = interp.name_arg(given.arg(0))?;
    let parent = parent(interp, given.arg(1), Core::PuppetProperty)?;
    let class = interp.new_property(own(given), &name, parent, given.block)?;
    interp.hear_options(class, given.arg(1))?;
    Ok(Value::Class(class))
}

fn new_parameter(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name: Str = interp.name_arg(given.arg(0))?;
    let parent = parent(interp, given.arg(1), Core::PuppetParameter)?;
    let class = interp.new_parameter(own(given), &name, parent, given.block)?;
    if let Value::Hash(options) = given.arg(1)
        && options.get_symbol("namevar").is_some_and(|wanted| wanted.is_truthy())
    {
        interp.set_instance_variable(&Value::Class(class), &"@isnamevar".into(), Value::Bool(true))?;
    }
    interp.hear_options(class, given.arg(1))?;
    Ok(Value::Class(class))
}

/// Returns the class that an attribute's is made from: `parent: …`.
fn parent(interp: &mut Interp<'_>, options: &Value, default: Core) -> Flow<Class> {
    match options {
        Value::Nil => Ok(default.class()),
        Value::Hash(options) => match options.get_symbol("parent") {
            None | Some(Value::Nil) => Ok(default.class()),
            Some(Value::Class(parent)) => Ok(parent),
            Some(_) => interp.raise(Core::TypeError, "superclass must be a Class"),
        },
        other => {
            let shown = interp.inspect(other)?;
            interp.raise(Core::PuppetDevError, format!("Options must be a hash, not {shown}"))
        }
    }
}

/// Without patterns of its own, the title of a type is its namevar.
fn title_patterns(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match &interp.key_attributes(own(given))?[..] {
        [] => Ok(Value::array(Vec::new())),
        [only] => {
            let all = pantin_values::regex::Options { multi_line: true, ..Default::default() };
            let all = Value::Regex(pantin_values::Regexp::new("(.*)", all).into());
            let fills = Value::array(vec![Value::array(vec![Value::Symbol(only.clone())])]);
            Ok(Value::array(vec![Value::pair(all, fills)]))
        }
        _ => {
            let message = "you must specify title patterns when there are two or more key attributes";
            interp.raise(Core::PuppetDevError, message)
        }
    }
}

/// The class of an attribute, or nil.
fn attribute(interp: &mut Interp<'_>, given: &CallArguments<'_>, properties: bool, parameters: bool) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let Some(of) = interp.declared_type(own(given)) else { return Ok(Value::Nil) };
    let properties = of.properties.iter().filter(|_| properties);
    let found = properties.chain(of.parameters.iter().filter(|_| parameters)).find(|each| each.name == name);
    Ok(found.map_or(Value::Nil, |each| Value::Class(each.class)))
}

impl Interp<'_> {
    /// Declares a type; `fill` says what it has.
    pub(super) fn new_type(&mut self, name: &Str, fill: impl FnOnce(&mut Self, Class) -> Flow<()>) -> Flow {
        let name: Str = name.to_lowercase();
        let class = self.attribute_class(Core::PuppetType.class(), "", &name, Core::PuppetType.class())?;
        self.declared.types.retain(|of| of.name != name);
        let declared_at = self.place();
        let declared = DeclaredType { name, class, declared_at, properties: Vec::new(), parameters: Vec::new() };
        self.declared.types.push(declared);
        fill(self, class)?;
        let manages = |interp: &Self, name: &str| {
            interp
                .instance_method(class, name)
                .is_some_and(|method| method.is_own() && method.visibility == Visibility::Public)
        };
        let can_ensure = ["exists?", "create", "destroy"].into_iter().all(|name| manages(self, name));
        if can_ensure && self.declared_type(class).is_some_and(|of| of.properties.iter().all(|p| p.name != "ensure")) {
            self.ensurable(class, None)?;
        }
        Ok(Value::Class(class))
    }

    pub(super) fn new_property(&mut self, of: Class, name: &Str, parent: Class, block: Option<&Value>) -> Flow<Class> {
        let Some(declared) = self.declared_type(of) else { return self.unsupported("an attribute of Puppet::Type") };
        if declared.properties.iter().any(|known| known.name == *name) {
            let message = format!("Class {} already has a property named {name}", declared.name);
            return self.raise(Core::PuppetDevError, message);
        }
        let name: Str = name.to_lowercase();
        let class = self.attribute_class(of, "", &name, parent)?;
        if let Some(block) = block {
            self.run_for(class, block)?;
        }
        if let Some(declared) = self.declared_type_mut(of) {
            let place = if name == "ensure" { 0 } else { declared.properties.len() };
            declared.properties.insert(place, DeclaredAttribute { name, class });
        }
        Ok(class)
    }

    pub(super) fn new_parameter(&mut self, of: Class, name: &Str, parent: Class, block: Option<&Value>) -> Flow<Class> {
        if self.declared_type(of).is_none() {
            return self.unsupported("an attribute of Puppet::Type");
        }
        let name: Str = name.to_lowercase();
        let class = self.attribute_class(of, "Parameter", &name, parent)?;
        if let Some(block) = block {
            self.run_for(class, block)?;
        }
        if let Some(declared) = self.declared_type_mut(of) {
            declared.parameters.push(DeclaredAttribute { name, class });
        }
        Ok(class)
    }

    fn ensurable(&mut self, of: Class, block: Option<&Value>) -> Flow {
        let class = self.new_property(of, &"ensure".into(), Core::PuppetEnsure.class(), block)?;
        if block.is_none() {
            self.send(&Value::Class(class), "defaultvalues", &[])?;
        }
        Ok(Value::Class(class))
    }

    /// A type that has providers takes the parameter `provider`.
    pub(super) fn providify(&mut self, of: Class) -> Flow {
        let has = self.declared_type(of).is_none_or(|of| of.parameters.iter().any(|each| each.name == "provider"));
        if !has {
            self.new_parameter(of, &"provider".into(), Core::PuppetParameter.class(), None)?;
        }
        Ok(Value::Nil)
    }

    /// Returns a new class, known by its name as a constant of another.
    fn attribute_class(&mut self, within: Class, prefix: &str, name: &Str, parent: Class) -> Flow<Class> {
        let mut constant = name.to_string();
        if let Some(first) = constant.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let constant: Str = format!("{prefix}{constant}").into();
        let is_type = within.is(Core::PuppetType);
        if !is_type && self.own_constant(within, &constant).is_some() {
            let of = self.classes.name(within);
            return self.raise(Core::PuppetError, format!("Class {constant} is already defined in {of}"));
        }
        let class = self.classes.add(Str::new(), Some(parent), false);
        self.set_constant(within, &constant, Value::Class(class));
        self.set_instance_variable(&Value::Class(class), &"@name".into(), Value::Symbol(name.clone()))?;
        Ok(class)
    }

    /// Runs a block as the body of a class.
    fn run_for(&mut self, class: Class, block: &Value) -> Flow<()> {
        let block = self.proc_of(block)?;
        let class = Value::Class(class);
        let args = Args::from_values(vec![class.clone()]);
        self.call_proc_as(&block, args, None, Some(&class), None).map(drop)
    }

    pub(super) fn declared_type(&self, class: Class) -> Option<&DeclaredType> {
        self.declared.types.iter().find(|of| of.class == class)
    }

    fn declared_type_mut(&mut self, class: Class) -> Option<&mut DeclaredType> {
        self.declared.types.iter_mut().find(|of| of.class == class)
    }

    /// Returns the parameters that name what is managed: those that say so, and `name`.
    pub(super) fn key_attributes(&mut self, of: Class) -> Flow<Vec<Str>> {
        let all = self.declared_type(of).map(|of| of.parameters.clone()).unwrap_or_default();
        let mut names = Vec::new();
        for each in all {
            if each.name == "name" || self.send(&Value::Class(each.class), "isnamevar?", &[])?.is_truthy() {
                names.push(each.name);
            }
        }
        Ok(names)
    }

    pub(super) fn is_isomorphic(&mut self, of: Class) -> Flow<bool> {
        let said = self.instance_variable_if(&Value::Class(of), &"@isomorphic".into())?;
        Ok(said.is_none_or(|said| said.is_truthy()))
    }
}
