//! Attributes and functions of object types: found up the line of parents, overridden, read and called.

use super::Object;
use crate::pcore::new::{Constructor, Form, mismatch};
use crate::pcore::types::{Attribute, AttributeKind, ObjectFunction, ObjectType, Type};
use crate::pcore::{Fault, Value};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    Attribute,
    Function,
    TypeParameter,
}

impl Feature {
    fn name(self) -> &'static str {
        match self {
            Feature::Attribute => "attribute",
            Feature::Function => "function",
            Feature::TypeParameter => "type_parameter",
        }
    }

    /// `attribute P[a]`
    pub(super) fn label(self, owner: &ObjectType, name: &str) -> String {
        format!("{} {}[{name}]", self.name(), owner.label())
    }
}

#[derive(Clone, Copy)]
pub(super) enum Member<'a> {
    Attribute(&'a Attribute),
    Function(&'a ObjectFunction),
}

impl<'a> Member<'a> {
    fn of(self) -> &'a Type {
        match self {
            Member::Attribute(attribute) => &attribute.of,
            Member::Function(function) => &function.of,
        }
    }

    fn is_final(self) -> bool {
        match self {
            Member::Attribute(attribute) => attribute.is_final,
            Member::Function(function) => function.is_final,
        }
    }

    fn is_override(self) -> bool {
        match self {
            Member::Attribute(attribute) => attribute.is_override,
            Member::Function(function) => function.is_override,
        }
    }

    fn is_constant(self) -> bool {
        matches!(self, Member::Attribute(Attribute { kind: AttributeKind::Constant, .. }))
    }
}

/// A member with the type that defines it.
#[derive(Clone, Copy)]
pub(super) struct Inherited<'a> {
    pub owner: &'a ObjectType,
    pub feature: Feature,
    pub member: Member<'a>,
}

impl<'a> Inherited<'a> {
    /// What the type itself defines.
    pub(super) fn own(owner: &'a ObjectType, name: &str) -> Option<Inherited<'a>> {
        let attribute = owner.attributes.get(name).map(|of| (Feature::Attribute, Member::Attribute(of)));
        let found = attribute.or_else(|| owner.functions.get(name).map(|of| (Feature::Function, Member::Function(of))));
        found.map(|(feature, member)| Inherited { owner, feature, member })
    }

    /// What the nearest of the ancestors defines.
    pub(super) fn find(class: &'a ObjectType, name: &str) -> Option<Inherited<'a>> {
        class.line().skip(1).find_map(|ancestor| Inherited::own(ancestor, name))
    }

    pub(super) fn label(&self, name: &str) -> String {
        self.feature.label(self.owner, name)
    }

    /// Whether `class` may define a member of this name where `inherited` is what it comes upon.
    pub(super) fn check_override(
        inherited: Option<Inherited<'_>>,
        class: &ObjectType,
        name: &str,
        feature: Feature,
        member: Member<'_>,
    ) -> Result<(), Fault> {
        let label = feature.label(class, name);
        let Some(inherited) = inherited else {
            if member.is_override() {
                let feature = feature.name();
                return Err(Fault::new(format!(
                    "expected {label} to override an inherited {feature}, but no such {feature} was found"
                )));
            }
            return Ok(());
        };
        let (overridden, of) = (inherited.label(name), inherited.member);
        let message = if inherited.feature != feature {
            format!("{label} attempts to override {overridden}")
        } else if of.is_final() && !(of.is_constant() && member.is_constant()) {
            format!("{label} attempts to override final {overridden}")
        } else if !member.is_override() {
            format!("{label} attempts to override {overridden} without having override => true")
        } else if !of.of().assignable(member.of()) {
            format!("{label} attempts to override {overridden} with a type that does not match")
        } else {
            return Ok(());
        };
        Err(Fault::new(message))
    }
}

/// `$object.name(args…)`: an attribute's value or a function's result. `None`: the object has no such member.
pub fn member(object: &Object, name: &str, args: &[Value]) -> Option<Result<Value, Fault>> {
    if args.is_empty()
        && let Some(value) = object.get(name)
    {
        return Some(Ok(value.clone()));
    }
    let found = object.class.line().find_map(|class| Inherited::own(class, name))?;
    Some(invoke(object, name, args, found))
}

fn invoke(object: &Object, name: &str, args: &[Value], found: Inherited<'_>) -> Result<Value, Fault> {
    let label = found.label(name);
    match found.member {
        Member::Attribute(_) if !args.is_empty() => {
            let nothing = Constructor::new(&label, [Form::new([])]);
            Err(mismatch::of_call(&nothing, args))
        }
        Member::Attribute(Attribute { kind: AttributeKind::Derived, .. }) => {
            Err(Fault::new(format!("no method is implemented for derived {label}")))
        }
        Member::Attribute(attribute) => {
            Ok(object.get(name).or(attribute.value.as_ref()).cloned().unwrap_or(Value::Undef))
        }
        Member::Function(function) => {
            mismatch::check_callable(&label, &function.of, args)?;
            // The only function that comes with code.
            if name == "message" && found.owner.name.as_deref() == Some("Error") {
                return Ok(object.get("msg").cloned().unwrap_or(Value::Undef));
            }
            Err(Fault::new(format!("no method is implemented for {label}")))
        }
    }
}
