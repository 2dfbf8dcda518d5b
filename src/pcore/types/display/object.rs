//! How object types and type sets print: by name, or with all they were made of.

use std::fmt::{self, Write};

use super::{Aliases, List, Printer, quoted};
use crate::pcore::types::{Attribute, AttributeKind, ObjectType, TypeSet};
use crate::pcore::{Str, Value};

impl Printer<'_, '_, '_> {
    pub(super) fn object(&mut self, object: &ObjectType) -> fmt::Result {
        if self.aliases == Aliases::ByName {
            return self.out.write_str(object.label());
        }
        // Types inside are told by name.
        self.aliases = Aliases::ByName;
        self.out.write_str("Object[{")?;
        let mut list = List { started: false };
        if let Some(name) = &object.name {
            list.item_bare(self.out, format_args!("name => {}", quoted(name)))?;
        }
        if let Some(parent) = &object.parent {
            list.item_bare(self.out, "parent => ")?;
            self.of(parent)?;
        }
        self.attributes(&mut list, "type_parameters", object.type_parameters.iter())?;
        self.attributes(&mut list, "attributes", object.attributes.iter())?;
        if !object.constants.is_empty() {
            list.item_bare(self.out, "constants => {")?;
            let mut inner = List { started: false };
            for (name, constant) in &object.constants {
                inner.item_bare(self.out, format_args!("{} => ", quoted(name)))?;
                self.value(&constant.value)?;
            }
            self.out.write_str("}")?;
        }
        self.functions(&mut list, object)?;
        if let Some(equality) = &object.equality {
            list.item_bare(self.out, "equality => [")?;
            let mut inner = List { started: false };
            equality.iter().try_for_each(|name| inner.item_bare(self.out, quoted(name)))?;
            self.out.write_str("]")?;
        }
        if let Some(serialization) = &object.serialization {
            list.item_bare(self.out, "serialization => [")?;
            let mut inner = List { started: false };
            serialization.iter().try_for_each(|name| inner.item_bare(self.out, quoted(name)))?;
            self.out.write_str("]")?;
        }
        self.out.write_str("}]")
    }

    fn attributes<'a>(
        &mut self,
        list: &mut List,
        title: &str,
        attributes: impl ExactSizeIterator<Item = (&'a Str, &'a Attribute)>,
    ) -> fmt::Result {
        if attributes.len() == 0 {
            return Ok(());
        }
        list.item_bare(self.out, format_args!("{title} => {{"))?;
        let mut inner = List { started: false };
        for (name, attribute) in attributes {
            inner.item_bare(self.out, format_args!("{} => ", quoted(name)))?;
            self.attribute(attribute)?;
        }
        self.out.write_str("}")
    }

    fn attribute(&mut self, attribute: &Attribute) -> fmt::Result {
        let Attribute { of, kind, value, is_final, is_override } = attribute;
        if *kind == AttributeKind::Normal && value.is_none() && !is_final && !is_override {
            return self.of(of);
        }
        self.out.write_str("{type => ")?;
        self.of(of)?;
        if *is_final {
            self.out.write_str(", final => true")?;
        }
        if *is_override {
            self.out.write_str(", override => true")?;
        }
        match kind {
            AttributeKind::Normal => {}
            AttributeKind::Constant => self.out.write_str(", kind => constant")?,
            AttributeKind::Derived => self.out.write_str(", kind => derived")?,
            AttributeKind::GivenOrDerived => self.out.write_str(", kind => given_or_derived")?,
            AttributeKind::Reference => self.out.write_str(", kind => reference")?,
        }
        if let Some(value) = value {
            self.out.write_str(", value => ")?;
            self.value(value)?;
        }
        self.out.write_str("}")
    }

    fn functions(&mut self, list: &mut List, object: &ObjectType) -> fmt::Result {
        if object.functions.is_empty() {
            return Ok(());
        }
        list.item_bare(self.out, "functions => {")?;
        let mut inner = List { started: false };
        for (name, function) in &object.functions {
            inner.item_bare(self.out, format_args!("{} => ", quoted(name)))?;
            if !function.is_final && !function.is_override {
                self.of(&function.of)?;
                continue;
            }
            self.out.write_str("{type => ")?;
            self.of(&function.of)?;
            if function.is_final {
                self.out.write_str(", final => true")?;
            }
            if function.is_override {
                self.out.write_str(", override => true")?;
            }
            self.out.write_str("}")?;
        }
        self.out.write_str("}")
    }

    /// As many parameters as there were given; by name where there are more than two.
    pub(super) fn extension(&mut self, of: &ObjectType, parameters: &[(Str, Value)]) -> fmt::Result {
        self.out.write_str(of.label())?;
        self.out.write_char('[')?;
        let mut list = List { started: false };
        if of.type_parameters.len() > 2 {
            self.out.write_char('{')?;
            for (name, value) in parameters {
                list.item_bare(self.out, format_args!("{} => ", quoted(name)))?;
                self.value(value)?;
            }
            return self.out.write_str("}]");
        }
        let given = |name: &Str| parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value);
        let last = of.type_parameters.keys().rposition(|name| given(name).is_some());
        for name in of.type_parameters.keys().take(last.map_or(0, |last| last + 1)) {
            list.next(self.out)?;
            self.value(given(name).unwrap_or(&Value::Default))?;
        }
        self.out.write_char(']')
    }

    pub(super) fn type_set(&mut self, set: Option<&TypeSet>) -> fmt::Result {
        self.out.write_str(
            "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', name_authority => ",
        )?;
        let Some(set) = set else {
            return self
                .out
                .write_str("'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]");
        };
        let authority = set.name_authority.as_deref().unwrap_or("http://puppet.com/2016.1/runtime");
        self.out.write_str(&quoted(authority))?;
        if let Some(name) = &set.name {
            write!(self.out, ", name => {}", quoted(name))?;
        }
        write!(self.out, ", version => {}", quoted(&set.version))?;
        if !set.types.is_empty() {
            self.out.write_str(", types => {")?;
            let mut list = List { started: false };
            for (name, of) in &set.types {
                list.item_bare(self.out, format_args!("{name} => "))?;
                self.of(of)?;
            }
            self.out.write_str("}")?;
        }
        self.out.write_str("}]")
    }
}

impl ObjectType {
    /// What it is called in messages.
    pub fn label(&self) -> &str {
        match &self.name {
            Some(name) => name,
            None => "Object",
        }
    }
}
