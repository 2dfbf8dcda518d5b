//! Constants: those around, those of ancestors, and those that Ruby begins with.

use pantin_values::Str;

use super::{Frame, Interp};
use crate::class::{Class, Core, core_named};
use crate::classes;
use crate::stop::Flow;
use crate::value::Value;

impl Interp<'_> {
    /// A constant by its name alone.
    pub(super) fn constant(&mut self, name: &Str, frame: &Frame) -> Flow {
        let mut nesting = frame.context.nesting.as_ref();
        while let Some(around) = nesting {
            if !around.is_block
                && let Some(value) = self.own_constant(around.class, name)
            {
                return Ok(value);
            }
            nesting = around.outer.as_ref();
        }
        let class = self.constants_class(frame);
        for ancestor in self.classes.ancestors(class) {
            if let Some(value) = self.own_constant(ancestor, name) {
                return Ok(value);
            }
        }
        if let Some(value) = self.own_constant(Core::Object.class(), name) {
            return Ok(value);
        }
        if let Some(made) = self.const_missing(class, name)? {
            return Ok(made);
        }
        match &frame.context.nesting {
            Some(nesting) if classes::library_of_constant(name).is_some() || !classes::is_known_constant(name) => {
                let path = format!("{}::{name}", self.classes.name(nesting.class));
                self.no_constant(&path)
            }
            _ => self.no_constant(name),
        }
    }

    /// The class or module whose body stands around a piece of code, and takes its constants.
    pub(super) fn constants_class(&self, frame: &Frame) -> Class {
        let mut nesting = frame.context.nesting.as_ref();
        while let Some(around) = nesting.filter(|around| around.is_block) {
            nesting = around.outer.as_ref();
        }
        match (nesting, &frame.context.self_value) {
            (Some(around), _) => around.class,
            (None, Value::Object(object)) => object.class,
            (None, _) => Core::Object.class(),
        }
    }

    /// `A::B`
    pub(crate) fn constant_of(&mut self, scope: &Value, name: &Str) -> Flow {
        let Value::Class(class) = scope else {
            let shown = self.inspect(scope)?;
            return self.raise(Core::TypeError, format!("{shown} is not a class/module"));
        };
        for ancestor in self.classes.ancestors(*class) {
            if let Some(value) = self.own_constant(ancestor, name) {
                return Ok(value);
            }
        }
        if let Some(made) = self.const_missing(*class, name)? {
            return Ok(made);
        }
        if class.is(Core::Object) {
            return self.no_constant(name);
        }
        let path = format!("{}::{name}", self.classes.name(*class));
        self.no_constant(&path)
    }

    /// The same as code writes it: a private one is found by its name alone.
    pub(super) fn open_constant_of(&mut self, scope: &Value, name: &Str) -> Flow {
        if let Value::Class(class) = scope
            && let Some(owner) = self.classes.owner_of_private(*class, name)
        {
            let message = format!("private constant {}::{name} referenced", self.classes.name(owner));
            return self.raise_about(Core::NameError, message, Value::Symbol(name.clone()));
        }
        self.constant_of(scope, name)
    }

    /// Returns what a class that says itself what its constants are has for this one.
    fn const_missing(&mut self, class: Class, name: &Str) -> Flow<Option<Value>> {
        let class = Value::Class(class);
        match self.method_of(&class, "const_missing") {
            Some(method) if method.is_own() => {
                self.send(&class, "const_missing", &[Value::Symbol(name.clone())]).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn no_constant(&mut self, path: &str) -> Flow {
        // What belongs to Ruby or Puppet may well be there, only not here.
        let name = path.rsplit("::").next().unwrap_or(path);
        if classes::library_of_constant(name).is_none()
            && classes::is_known_constant(path)
            && !path.starts_with("Puppet::Parser::TemplateWrapper::")
        {
            return self.unsupported(format!("the constant {path}"));
        }
        self.raise_about(Core::NameError, format!("uninitialized constant {path}"), Value::symbol(path))
    }

    /// Returns a constant of a class itself.
    pub(crate) fn own_constant(&self, class: Class, name: &Str) -> Option<Value> {
        if let Some(value) = self.classes.constant(class, name) {
            return Some(value);
        }
        class.core()?;
        let path = match class.is(Core::Object) {
            true => name.to_string(),
            false => format!("{}::{name}", self.classes.name(class)),
        };
        if classes::library_of_constant(&path).is_some_and(|library| !self.has_library(library)) {
            return None;
        }
        if path == "Puppet::PUPPETVERSION" {
            return Some(Value::text(self.release()));
        }
        core_named(&path).map(Value::Class).or_else(|| classes::constant(&path))
    }

    pub(crate) fn set_constant(&mut self, class: Class, name: &Str, value: Value) {
        if let Value::Class(named) = value {
            let path = match class.is(Core::Object) {
                true => name.clone(),
                false => format!("{}::{name}", self.classes.name(class)).into(),
            };
            self.classes.set_name(named, path);
        }
        self.classes.set_constant(class, name, value);
    }

    /// A constant by its whole path, as `const_get` and type names find it.
    pub(crate) fn constant_at(&mut self, scope: Class, path: &str) -> Flow {
        let mut value = Value::Class(scope);
        for part in path.split("::").filter(|part| !part.is_empty()) {
            value = self.constant_of(&value, &part.into())?;
        }
        Ok(value)
    }
}
