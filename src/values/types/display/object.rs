//! How object types and type sets print: by name, or with all they were made of.

use std::fmt::{self, Write};
use std::sync::Arc;

use super::{Aliases, List, Printer};
use crate::text::quoted;
use crate::types::{Alias, Attribute, AttributeKind, ObjectType, TypeSet, TypeSetMember};
use crate::{SemVer, Str, Type, Value};

impl Printer<'_, '_> {
    pub(super) fn object(&mut self, object: &ObjectType) -> fmt::Result {
        let is_member = |of: &Type| matches!(of, Type::Object(member) if std::ptr::eq(member.as_ref(), object));
        let own_name = self.sets.last().and_then(|set| name_in(set, is_member));
        if self.aliases == Aliases::ByName {
            return self.out.write_str(own_name.as_deref().unwrap_or(object.label()));
        }
        // Types inside are told by name.
        self.aliases = Aliases::ByName;
        self.object_hash(object, own_name.is_none())?;
        self.aliases = Aliases::Expanded;
        Ok(())
    }

    fn object_hash(&mut self, object: &ObjectType, with_name: bool) -> fmt::Result {
        self.out.write_str("Object[{")?;
        let mut list = List { started: false };
        if let Some(annotations) = &object.annotations {
            list.item_bare(&mut self.out, "annotations => ")?;
            self.value(annotations)?;
        }
        if let Some(name) = object.name.as_ref().filter(|_| with_name) {
            list.item_bare(&mut self.out, format_args!("name => {}", quoted(name)))?;
        }
        if let Some(parent) = &object.parent {
            list.item_bare(&mut self.out, "parent => ")?;
            self.write_type(parent)?;
        }
        self.type_parameters(&mut list, object)?;
        let (constants, others): (Vec<_>, Vec<_>) =
            object.attributes.iter().partition(|(_, attribute)| attribute.is_plain_constant());
        self.attributes(&mut list, "attributes", others.into_iter())?;
        if !constants.is_empty() {
            list.item_bare(&mut self.out, "constants => {")?;
            let mut inner = List { started: false };
            for (name, constant) in constants {
                inner.item_bare(&mut self.out, format_args!("{} => ", quoted(name)))?;
                self.value(constant.value.as_ref().unwrap_or(&Value::Undef))?;
            }
            self.out.write_str("}")?;
        }
        self.functions(&mut list, object)?;
        if let Some(equality) = &object.equality {
            list.item_bare(&mut self.out, "equality => [")?;
            let mut inner = List { started: false };
            equality.iter().try_for_each(|name| inner.item_bare(&mut self.out, quoted(name)))?;
            self.out.write_str("]")?;
        }
        if let Some(checks) = &object.checks {
            list.item_bare(&mut self.out, "checks => ")?;
            self.value(checks)?;
        }
        self.out.write_str("}]")
    }

    /// They print without the `Optional` that each of them is, and with their keys as texts.
    fn type_parameters(&mut self, list: &mut List, object: &ObjectType) -> fmt::Result {
        if object.type_parameters.is_empty() {
            return Ok(());
        }
        list.item_bare(&mut self.out, "type_parameters => {")?;
        let mut inner = List { started: false };
        for (name, parameter) in &object.type_parameters {
            inner.item_bare(&mut self.out, format_args!("{} => ", quoted(name)))?;
            let of = match &parameter.attribute_type {
                Type::Optional(Some(of)) => of,
                of => of,
            };
            match parameter.value.as_ref().filter(|value| !value.is_undef()) {
                None => self.write_type(of)?,
                Some(value) => {
                    self.out.write_str("{'type' => ")?;
                    self.write_type(of)?;
                    self.out.write_str(", 'value' => ")?;
                    self.value(value)?;
                    self.out.write_str("}")?;
                }
            }
        }
        self.out.write_str("}")
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
        list.item_bare(&mut self.out, format_args!("{title} => {{"))?;
        let mut inner = List { started: false };
        for (name, attribute) in attributes {
            inner.item_bare(&mut self.out, format_args!("{} => ", quoted(name)))?;
            self.attribute(attribute)?;
        }
        self.out.write_str("}")
    }

    fn attribute(&mut self, attribute: &Attribute) -> fmt::Result {
        let Attribute { attribute_type: of, kind, value, is_final, is_override } = attribute;
        if *kind == AttributeKind::Normal && value.is_none() && !is_final && !is_override {
            return self.write_type(of);
        }
        self.out.write_str("{type => ")?;
        self.write_type(of)?;
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
        list.item_bare(&mut self.out, "functions => {")?;
        let mut inner = List { started: false };
        for (name, function) in &object.functions {
            inner.item_bare(&mut self.out, format_args!("{} => ", quoted(name)))?;
            if !function.is_final && !function.is_override {
                self.write_type(&function.function_type)?;
                continue;
            }
            self.out.write_str("{type => ")?;
            self.write_type(&function.function_type)?;
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
                list.item_bare(&mut self.out, format_args!("{} => ", quoted(name)))?;
                self.value(value)?;
            }
            return self.out.write_str("}]");
        }
        let given = |name: &Str| parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value);
        let last = of.type_parameters.keys().rposition(|name| given(name).is_some());
        for name in of.type_parameters.keys().take(last.map_or(0, |last| last + 1)) {
            list.next(&mut self.out)?;
            self.value(given(name).unwrap_or(&Value::Default))?;
        }
        self.out.write_char(']')
    }

    pub(super) fn type_set(&mut self, set: Option<&Arc<TypeSet>>) -> fmt::Result {
        let Some(set) = set else {
            return self.out.write_str(
                "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', name_authority => \
                 'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]",
            );
        };
        if self.sets.iter().any(|open| Arc::ptr_eq(open, set)) {
            return self.out.write_str(set.name.as_deref().unwrap_or("TypeSet"));
        }
        self.out.write_str("TypeSet[{")?;
        let mut list = List { started: false };
        let version = |version: &Option<Arc<SemVer>>| version.as_ref().map(|version| Str::from(version.to_string()));
        let texts = [
            ("pcore_uri", set.pcore_uri.clone()),
            ("pcore_version", version(&set.pcore_version)),
            ("name_authority", set.name_authority.clone()),
            ("name", set.name.clone()),
            ("version", version(&set.version)),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                list.item_bare(&mut self.out, format_args!("{key} => {}", quoted(&text)))?;
            }
        }
        if !set.types.is_empty() {
            list.item_bare(&mut self.out, "types => {")?;
            let mut inner = List { started: false };
            self.sets.push(set.clone());
            for (name, member) in &set.types {
                inner.item_bare(&mut self.out, format_args!("{name} => "))?;
                self.member(member)?;
            }
            self.sets.pop();
            self.out.write_str("}")?;
        }
        self.references(&mut list, set)?;
        self.out.write_str("}]")
    }

    fn member(&mut self, member: &TypeSetMember) -> fmt::Result {
        match member {
            TypeSetMember::InitHash(init) => {
                self.out.write_str("Object[")?;
                self.value(&Value::Hash(init.clone()))?;
                self.out.write_str("]")
            }
            TypeSetMember::Type(of) => self.write_type(of),
        }
    }

    /// An alias of the set is told by what it stands for, where names do not do.
    pub(super) fn alias_in_set(&mut self, set: &TypeSet, alias: &Arc<Alias>) -> fmt::Result {
        let own_name = name_in(set, |of| match (of, alias.resolved()) {
            (Type::Alias(member), _) => Arc::ptr_eq(member, alias),
            // An object type that was being worked out when it was named.
            (Type::Object(member), Some(Type::Object(named))) => Arc::ptr_eq(member, named),
            _ => false,
        });
        let at: *const Alias = alias.as_ref();
        match alias.resolved() {
            Some(of)
                if own_name.is_some()
                    && self.aliases == Aliases::Expanded
                    && !self.open.contains(&at)
                    && !self.was_printed(alias) =>
            {
                self.open.push(at);
                self.write_type(of)?;
                self.open.pop();
                Ok(())
            }
            _ => self.out.write_str(own_name.as_deref().unwrap_or(alias.name())),
        }
    }

    fn references(&mut self, list: &mut List, set: &TypeSet) -> fmt::Result {
        if set.references.is_empty() {
            return Ok(());
        }
        list.item_bare(&mut self.out, "references => {")?;
        let mut inner = List { started: false };
        for (alias, reference) in &set.references {
            inner.item_bare(&mut self.out, format_args!("{alias} => {{'name' => {}, ", quoted(&reference.name)))?;
            write!(self.out, "'version_range' => {}", quoted(&reference.version_range.to_string()))?;
            if let Some(authority) = &reference.name_authority {
                write!(self.out, ", 'name_authority' => {}", quoted(authority))?;
            }
            self.out.write_str("}")?;
        }
        self.out.write_str("}")
    }
}

/// Returns what a set calls one of its types.
fn name_in(set: &TypeSet, is_member: impl Fn(&Type) -> bool) -> Option<Str> {
    let mut members = set.types.iter();
    members.find(|(_, member)| matches!(member, TypeSetMember::Type(of) if is_member(of))).map(|(name, _)| name.clone())
}
