//! A resource that is made of what its catalog says, as an agent makes it: attribute by attribute, then defaults, then the whole.

use std::rc::Rc;

use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_values::Str;

use super::attributes::{self, class_of, fail, lacking, new_attribute, responds, say_nothing};
use super::{CheckedResource, Interp};
use crate::border::inward;
use crate::class::{Class, Core};
use crate::interp::CallArguments;
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::{Flow, Stop};
use crate::table::Table as Entries;
use crate::value::{Data, Value};

pub(super) const OF_RESOURCES: Table = (Core::PuppetType, Side::Instance, RESOURCES);
/// Nobody knows which provider it will be.
pub(super) const OF_PROVIDERS: Table =
    (Core::PuppetProvider, Side::Instance, &[method("method_missing", 1, ANY, lacking)]);

const RESOURCES: &[NativeMethod] = &[
    method("[]", 1, 1, |interp, given| {
        let name = interp.attribute_name(given)?;
        if interp.attribute_class_of(given.receiver, &name).is_none() && !METAPARAMETERS.contains(&name.as_str()) {
            return interp.raise(Core::PuppetError, format!("Invalid parameter {name}(:{name})"));
        }
        interp.attribute_value(given.receiver, &name)
    }),
    method("[]=", 2, 2, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.set_attribute(given.receiver, &name, given.arg(1).clone())?;
        Ok(Value::Nil)
    }),
    method("value", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.attribute_value(given.receiver, &name)
    }),
    method("should", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        match interp.attribute_object(given.receiver, &name)? {
            property if interp.is_a(&property, Core::PuppetProperty.class()) => interp.send(&property, "should", &[]),
            _ => Ok(Value::Nil),
        }
    }),
    method("parameter", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.attribute_object(given.receiver, &name)
    }),
    method("property", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        let found = interp.attribute_object(given.receiver, &name)?;
        Ok(if interp.is_a(&found, Core::PuppetProperty.class()) { found } else { Value::Nil })
    }),
    method("propertydefined?", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        Ok((!interp.attribute_object(given.receiver, &name)?.is_nil()).into())
    }),
    method("parameters", 0, 0, |interp, given| {
        interp.refuse_any_unknown()?;
        interp.make_all_pending(given.receiver)?;
        let all = Value::Hash(interp.made_attributes());
        interp.send(&all, "dup", &[])
    }),
    method("properties", 0, 0, |interp, given| {
        interp.refuse_any_unknown()?;
        Ok(Value::array(interp.properties_of(given.receiver)?))
    }),
    method("original_parameters", 0, 0, |interp, given| interp.instance_variable(given.receiver, &ORIGINAL.into())),
    method("managed?", 0, 0, |interp, given| interp.is_managed(given.receiver)),
    method("deleting?", 0, 0, |interp, given| {
        let ensure = interp.attribute_value(given.receiver, &"ensure".into())?;
        Ok(matches!(&ensure, Value::Symbol(word) if word == "absent").into())
    }),
    method("name", 0, 0, |interp, given| interp.send(given.receiver, "[]", &[Value::symbol("name")])),
    method("title", 0, 0, |interp, given| interp.instance_variable(given.receiver, &TITLE.into())),
    method("ref", 0, 0, |interp, given| interp.instance_variable(given.receiver, &REFERENCE.into())),
    method("to_s", 0, 0, |interp, given| interp.send(given.receiver, "ref", &[])),
    method("type", 0, 0, |interp, given| interp.send(&class_of(given.receiver), "name", &[])),
    method("provider", 0, 0, |interp, _| match interp.checks().has_provider {
        true => interp.refuse_unknown("provider"),
        false => Ok(Value::Nil),
    }),
    method("catalog", 0, 0, |interp, given| interp.instance_variable(given.receiver, &CATALOG.into())),
    method("fail", 0, ANY, |interp, given| fail(interp, given, Core::PuppetError)),
    method("devfail", 1, 1, |interp, given| fail(interp, given, Core::PuppetDevError)),
    method("debug", 0, ANY, say_nothing),
    method("info", 0, ANY, say_nothing),
    method("notice", 0, ANY, say_nothing),
    method("warning", 0, ANY, say_nothing),
    method("err", 0, ANY, say_nothing),
    method("respond_to?", 1, 2, responds),
    method("method_missing", 1, ANY, lacking),
];

const ATTRIBUTES: &str = "@parameters";
const ORIGINAL: &str = "@original_parameters";
const TITLE: &str = "@title";
const REFERENCE: &str = "@ref";
const CATALOG: &str = "@catalog";

impl Interp<'_> {
    /// Makes a resource. Its refusal is an exception.
    pub(super) fn make_resource(&mut self, class: Class, resource: CheckedResource<'_>) -> Flow<()> {
        let object = self.begin_resource(class, resource)?;
        let given: Vec<(Str, Value)> =
            resource.attributes.iter().map(|(name, value)| (name.clone(), inward(value))).collect();
        let original = Entries::default();
        given.iter().for_each(|(name, value)| original.insert(Value::Symbol(name.clone()), value.clone()));
        let attributes = Value::Hash(self.made_attributes());
        for (variable, value) in [(ATTRIBUTES, attributes), (ORIGINAL, Value::hash(original))] {
            self.set_instance_variable(&object, &variable.into(), value)?;
        }
        let names = Rc::clone(&self.checks().names);
        let extra = given.iter().map(|(name, _)| name).filter(|name| !names.contains(*name));
        let all: Vec<Str> = names.iter().chain(extra).cloned().collect();
        let mut left = Vec::new();
        for name in all {
            match given.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => self.set_given(&object, &name, value.clone())?,
                None => left.push(name),
            }
        }
        for name in left {
            self.set_default(&object, &name)?;
        }
        self.validate_whole(&object, resource.reference)
    }

    /// Makes a resource without attributes.
    pub(super) fn begin_resource(&mut self, class: Class, resource: CheckedResource<'_>) -> Flow {
        let object = Value::object(class, Data::None);
        self.checks().attributes = Rc::new(Entries::default());
        for (variable, value) in [
            (TITLE, Value::text(resource.title)),
            (REFERENCE, Value::text(resource.reference)),
            (CATALOG, Value::object(Core::PuppetCatalog.class(), Data::None)),
        ] {
            self.set_instance_variable(&object, &variable.into(), value)?;
        }
        Ok(object)
    }

    /// Returns the attributes that are made of the resource.
    pub(super) fn made_attributes(&mut self) -> Rc<Entries> {
        Rc::clone(&self.checks().attributes)
    }

    /// Returns the names of a type's attributes in the order in which they are set. Where there is one namevar, `name` is it.
    pub(super) fn attribute_names(&mut self, class: Class) -> Flow<Vec<Str>> {
        let mut names = self.key_attributes(class)?;
        let Some(of) = self.declared_type(class) else { return Ok(names) };
        let parameters = || of.parameters.iter().map(|each| &each.name);
        let provider = parameters().filter(|name| *name == "provider");
        let rest = provider.chain(of.properties.iter().map(|each| &each.name)).chain(parameters());
        for name in rest {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        Ok(names)
    }

    /// Sets what the resource gives. What cannot be found out is unknown from here on.
    pub(super) fn set_given(&mut self, resource: &Value, name: &Str, value: Value) -> Flow<()> {
        let name_of_value = Value::Symbol(name.clone());
        let set = self.send(resource, "[]=", &[name_of_value, value]).map(drop);
        let set = self.without_lack(set, name)?;
        match set.map_err(|stop| *stop) {
            Err(Stop::Raise(exception)) => self.could_not_set(resource, name, exception),
            Err(stop) => Err(Box::new(stop)),
            Ok(()) => Ok(()),
        }
    }

    /// Makes the attribute unknown where what was done for it cannot be run here. If that may have set others, all ends.
    fn without_lack(&mut self, done: Flow<()>, name: &Str) -> Flow<Flow<()>> {
        let lacks = |exception: &Value, interp: &Self| interp.is_about_lack(exception);
        let is_lack = match &done {
            Ok(()) => false,
            Err(stop) => match &**stop {
                Stop::Fatal(_) => self.has_steps(),
                Stop::Raise(exception) => lacks(exception, self),
                _ => false,
            },
        };
        if !is_lack {
            return Ok(done);
        }
        if self.checks().sets_attributes {
            return self.unsupported("an attribute that may have set others");
        }
        self.checks().unknown.insert(name.clone());
        self.forget_lack();
        Ok(Ok(()))
    }

    /// Puts Puppet's words around an exception that no attribute raises on purpose.
    fn could_not_set<T>(&mut self, resource: &Value, name: &str, exception: Value) -> Flow<T> {
        let is_plain = [Core::ArgumentError, Core::PuppetError, Core::TypeError]
            .into_iter()
            .any(|class| self.is_a(&exception, class.class()));
        if is_plain {
            return Err(Box::new(Stop::Raise(exception)));
        }
        let (kind, text) = (self.send(resource, "type", &[])?, self.exception_message(&exception)?);
        let kind = self.text_of(&kind)?;
        self.raise(Core::PuppetDevError, format!("Could not set {name} on {kind}: {text}"))
    }

    pub(super) fn set_default(&mut self, resource: &Value, name: &Str) -> Flow<()> {
        let Some(class) = self.attribute_class_of(resource, name) else { return Ok(()) };
        let has_default = self
            .instance_method(class, "default")
            .is_some_and(|method| !matches!(method.kind, crate::interp::MethodKind::Undefined));
        if name == "provider" {
            self.checks().unknown.insert(name.clone());
            return Ok(());
        }
        if !has_default || !self.attribute_object_if(resource, name)?.is_nil() {
            return Ok(());
        }
        let set = self.take_default(resource, name, class);
        self.without_lack(set, name)?
    }

    pub(super) fn take_default(&mut self, resource: &Value, name: &Str, class: Class) -> Flow<()> {
        if self.is_left_to_provider(class) {
            return self.refuse_unknown(name);
        }
        let attribute = new_attribute(self, class, resource)?;
        let attributes = self.made_attributes();
        attributes.insert(Value::Symbol(name.clone()), attribute.clone());
        let value = self.send(&attribute, "default", &[])?;
        match value.is_truthy() {
            true => self.send(&attribute, "value=", &[value]).map(drop),
            false => {
                attributes.remove(&Value::Symbol(name.clone()));
                Ok(())
            }
        }
    }

    /// Returns true if the provider decides whether there is such an attribute.
    pub(super) fn is_left_to_provider(&mut self, class: Class) -> bool {
        let checks = self.checks();
        checks.has_provider && checks.featured.contains(&class)
    }

    /// `self[name] = value`
    fn set_attribute(&mut self, resource: &Value, name: &Str, value: Value) -> Flow<()> {
        let name = self.canonical_attribute(name);
        if METAPARAMETERS.contains(&name.as_str()) {
            self.checks().unknown.insert(name);
            return Ok(());
        }
        let Some(class) = self.attribute_class_of(resource, &name) else {
            return self.raise(Core::PuppetError, format!("no parameter named '{name}'"));
        };
        if value.is_nil() {
            return self.raise(Core::PuppetError, format!("Got nil value for {name}"));
        }
        if name == "provider" || self.is_left_to_provider(class) {
            self.checks().unknown.insert(name);
            return Ok(());
        }
        let attribute = match self.attribute_object_if(resource, &name)? {
            Value::Nil => new_attribute(self, class, resource)?,
            known => known,
        };
        self.made_attributes().insert(Value::Symbol(name.clone()), attribute.clone());
        if self.is_plain(class) {
            return attributes::set_plainly(self, &attribute, value);
        }
        let Err(stop) = self.send(&attribute, "value=", &[value]) else { return Ok(()) };
        let exception = match *stop {
            Stop::Raise(exception) => exception,
            other => {
                self.checks().unknown.insert(name);
                return Err(Box::new(other));
            }
        };
        if [Core::ArgumentError, Core::PuppetError].into_iter().all(|class| !self.is_a(&exception, class.class())) {
            return Err(Box::new(Stop::Raise(exception)));
        }
        let reference = self.send(resource, "ref", &[])?;
        let (reference, text) = (self.text_of(&reference)?, self.exception_message(&exception)?);
        self.raise(Core::PuppetResourceError, format!("Parameter {name} failed on {reference}: {text}"))
    }

    /// Returns true if nothing judges or converts the values of an attribute.
    fn is_plain(&mut self, class: Class) -> bool {
        const WAYS: [&str; 7] = ["value=", "should=", "value", "validate", "unsafe_validate", "munge", "unsafe_munge"];
        if let Some(known) = self.checks().plain.get(&class) {
            return *known;
        }
        let has_values = self.checks().values.get(&class).is_some_and(|values| !values.is_empty());
        let brings = std::iter::successors(Some(class), |class| self.classes.parent(*class))
            .find(|class| class.core().is_some());
        let is_usual = brings
            .is_some_and(|class| [Core::PuppetParameter, Core::PuppetProperty].into_iter().any(|core| class.is(core)));
        let has_ways = WAYS.iter().any(|name| self.instance_method(class, name).is_some_and(|method| method.is_own()));
        let is_plain = is_usual && !has_values && !has_ways;
        self.checks().plain.insert(class, is_plain);
        is_plain
    }

    pub(super) fn validate_whole(&mut self, resource: &Value, reference: &str) -> Flow<()> {
        let is_own = |interp: &Self, name: &str| interp.method_of(resource, name).is_some_and(|method| method.is_own());
        let name = match () {
            () if is_own(self, "validate") => "validate",
            () if is_own(self, "unsafe_validate") => "unsafe_validate",
            () => return Ok(()),
        };
        let Err(stop) = self.send(resource, name, &[]) else { return Ok(()) };
        let Stop::Raise(exception) = *stop else { return Err(stop) };
        self.refuse_lack(&exception)?;
        if [Core::ArgumentError, Core::PuppetError].into_iter().all(|class| !self.is_a(&exception, class.class())) {
            return Err(Box::new(Stop::Raise(exception)));
        }
        let text = self.exception_message(&exception)?;
        self.raise(Core::PuppetResourceError, format!("Validation of {reference} failed: {text}"))
    }

    fn attribute_name(&mut self, given: &CallArguments<'_>) -> Flow<Str> {
        let name = self.name_arg(given.arg(0))?;
        Ok(self.canonical_attribute(&name))
    }

    /// `name` is another word for the namevar, where there is one.
    fn canonical_attribute(&mut self, name: &Str) -> Str {
        match &self.checks().namevar {
            Some(namevar) if name == "name" => namevar.clone(),
            _ => name.clone(),
        }
    }

    fn attribute_class_of(&self, resource: &Value, name: &str) -> Option<Class> {
        let Value::Object(object) = resource else { return None };
        let of = self.declared_type(object.class)?;
        of.properties.iter().chain(&of.parameters).find(|each| each.name == name).map(|each| each.class)
    }

    /// Returns the object of an attribute, or nil.
    pub(super) fn attribute_object_if(&mut self, resource: &Value, name: &Str) -> Flow {
        match self.made_attributes().get(&Value::Symbol(name.clone())) {
            Some(known) => Ok(known),
            None => Ok(self.make_pending(resource, name)?.unwrap_or_default()),
        }
    }

    /// Like `attribute_object_if`, for code: it is not told of what nobody knows.
    fn attribute_object(&mut self, resource: &Value, name: &Str) -> Flow {
        match self.is_unknown(name) {
            true => self.refuse_unknown(name),
            false => self.attribute_object_if(resource, name),
        }
    }

    fn attribute_value(&mut self, resource: &Value, name: &Str) -> Flow {
        match self.attribute_object(resource, name)? {
            Value::Nil => Ok(Value::Nil),
            attribute => self.send(&attribute, "value", &[]),
        }
    }

    fn refuse_any_unknown(&mut self) -> Flow<()> {
        match self.checks().unknown.is_empty() {
            true => Ok(()),
            false => self.unsupported("all attributes, of which some have values that nobody knows,"),
        }
    }

    fn properties_of(&mut self, resource: &Value) -> Flow<Vec<Value>> {
        let Value::Object(object) = resource else { return Ok(Vec::new()) };
        let names: Vec<Str> = self
            .declared_type(object.class)
            .map(|of| of.properties.iter().map(|each| each.name.clone()).collect())
            .unwrap_or_default();
        let mut found = Vec::new();
        for name in names {
            let property = self.attribute_object_if(resource, &name)?;
            if !property.is_nil() {
                found.push(property);
            }
        }
        Ok(found)
    }

    fn is_managed(&mut self, resource: &Value) -> Flow {
        for property in self.properties_of(resource)? {
            let is_unmanaged = match &property {
                Value::Object(object) => self.checks().unmanaged.contains(&object.class),
                _ => true,
            };
            let name = self.send(&property, "name", &[])?;
            let name = self.name_arg(&name)?;
            if !is_unmanaged && !self.is_unknown(&name) && self.send(&property, "should", &[])?.is_truthy() {
                return Ok(Value::Bool(true));
            }
        }
        self.refuse_any_unknown()?;
        Ok(Value::Bool(false))
    }
}
