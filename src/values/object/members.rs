//! Attributes and functions of object types: found up the line of parents, overridden, read and called.

use super::Object;
use crate::new::{Constructor, form};
use crate::signature::{Param, ParamKind, Signature};
use crate::types::{Attribute, AttributeKind, ObjectFunction, ObjectType, Type};
use crate::{Fault, Str, Value};

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
    fn member_type(self) -> &'a Type {
        match self {
            Member::Attribute(attribute) => &attribute.attribute_type,
            Member::Function(function) => &function.function_type,
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
    /// Returns what the type itself defines.
    pub(super) fn own(owner: &'a ObjectType, name: &str) -> Option<Inherited<'a>> {
        let attribute = owner.attributes.get(name).map(|of| (Feature::Attribute, Member::Attribute(of)));
        let found = attribute.or_else(|| owner.functions.get(name).map(|of| (Feature::Function, Member::Function(of))));
        found.map(|(feature, member)| Inherited { owner, feature, member })
    }

    /// Returns what the nearest of the ancestors defines.
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
        } else if !of.member_type().assignable(member.member_type()) {
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

/// The file of Ruby that may have a member of the object, which can be called like this. `None`: it has no such member, or
/// its type comes without Ruby code.
pub fn implementation<'o>(object: &'o Object, name: &str, args: &[Value]) -> Option<Result<&'o Str, Fault>> {
    let file = object.class.line().find_map(|class| class.implementation.as_ref())?;
    let found = object.class.line().find_map(|class| Inherited::own(class, name))?;
    match found.member {
        Member::Attribute(_) if args.is_empty() => Some(Ok(file)),
        Member::Attribute(_) => None,
        Member::Function(function) => {
            Some(check_call(&found.label(name), &function.function_type, args).map(|()| file))
        }
    }
}

fn invoke(object: &Object, name: &str, args: &[Value], found: Inherited<'_>) -> Result<Value, Fault> {
    let label = found.label(name);
    match found.member {
        Member::Attribute(_) if !args.is_empty() => {
            let nothing = Constructor::new(&label, [form([])]);
            Err(nothing.mismatch(args))
        }
        Member::Attribute(Attribute { kind: AttributeKind::Derived, .. }) => {
            Err(Fault::new(format!("no method is implemented for derived {label}")))
        }
        Member::Attribute(attribute) => {
            Ok(object.get(name).or(attribute.value.as_ref()).cloned().unwrap_or(Value::Undef))
        }
        Member::Function(function) => {
            check_call(&label, &function.function_type, args)?;
            // The only function that comes with code.
            if name == "message" && found.owner.name.as_deref() == Some("Error") {
                return Ok(object.get("msg").cloned().unwrap_or(Value::Undef));
            }
            Err(Fault::new(format!("no method is implemented for {label}")))
        }
    }
}

/// Checks arguments against a callable type. Its parameters have no names.
fn check_call(label: &str, of: &Type, args: &[Value]) -> Result<(), Fault> {
    let forms = match of.resolved() {
        Type::Variant(callables) => callables.iter().filter_map(signature).collect(),
        callable => Vec::from_iter(signature(callable)),
    };
    let constructor = Constructor { name: label.into(), forms, refused: Vec::new() };
    // A callable of anything has no list of parameters.
    if constructor.forms.is_empty() { Ok(()) } else { constructor.choose(args).map(drop) }
}

fn signature(of: &Type) -> Option<Signature> {
    let Type::Callable(callable) = of.resolved() else { return None };
    let params = callable.params.as_ref()?;
    let size = params.size_range();
    let count = params.types.len() as u64;
    let kind = |index: u64| match (index < size.min, index + 1 == count && size.max > count) {
        (true, true) => ParamKind::RequiredRepeated,
        (true, false) => ParamKind::Required,
        (false, true) => ParamKind::Repeated,
        (false, false) => ParamKind::Optional,
    };
    let params = params.types.iter().zip(0..).map(|(of, index)| Param {
        name: "".into(),
        param_type: of.clone(),
        kind: kind(index),
    });
    Some(Signature { params: params.collect(), block: None })
}
