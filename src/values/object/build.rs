//! An `Object` type built of its initialization hash, and everything that can be wrong with one.

use std::sync::Arc;

use pantin_base::Language;

use super::hashes;
use super::members::{Feature, Inherited, Member};
use crate::mismatch::assert_instance;
use crate::new::assert_instance_with;
use crate::types::{Attribute, AttributeKind, NamedMembers, ObjectFunction, ObjectType, Type};
use crate::{Fault, Hash, Str, Value};

/// Returns the type that `init` describes. `name` is the one it is defined by, which goes before one in the hash. A
/// parent of its own name that is not resolved yet is the type itself. Errors have the words of the version `language`.
pub fn build(name: Option<&str>, init: &Hash, language: Language) -> Result<Arc<ObjectType>, Fault> {
    assert_instance("object initializer", hashes::object(language), &Value::Hash(init.clone()))?;
    let mut class = ObjectType {
        name: name.map(Str::from).or_else(|| init.get_str("name").and_then(Value::as_str).map(Str::from)),
        parent: match init.get_str("parent") {
            Some(Value::Type(parent)) => Some(parent.clone()),
            _ => None,
        },
        checks: init.get_str("checks").filter(|checks| !checks.is_undef()).cloned(),
        annotations: init.get_str("annotations").filter(|annotations| !annotations.is_undef()).cloned(),
        ..ObjectType::default()
    };
    check_parent(&class)?;
    class.type_parameters = type_parameters(&class, init)?;
    class.attributes = attributes(&class, init)?;
    class.functions = functions(&class, init)?;
    class.equality_include_type = !matches!(init.get_str("equality_include_type"), Some(Value::Boolean(false)));
    class.equality = equality(&class, init)?;
    class.all_attributes = settable(&class);
    Ok(Arc::new(class))
}

fn check_parent(class: &ObjectType) -> Result<(), Fault> {
    let Some(parent) = &class.parent else { return Ok(()) };
    if let Type::Reference(name) = parent.resolved() {
        return Err(Fault::new(format!("reference to unresolved type '{}'", name.as_deref().unwrap_or_default())));
    }
    let Some(name) = &class.name else { return Ok(()) };
    let is_itself = |parent: &Type| match parent.resolved() {
        Type::Alias(unresolved) => unresolved.name() == name,
        _ => false,
    };
    if class.line().any(|ancestor| ancestor.parent.as_ref().is_some_and(is_itself)) {
        return Err(Fault::new(format!("The Object type '{name}' inherits from itself")));
    }
    Ok(())
}

/// Returns the entries under a key of the initialization hash.
fn entries<'a>(init: &'a Hash, key: &str) -> impl Iterator<Item = (&'a Str, &'a Value)> {
    let hash = match init.get_str(key) {
        Some(Value::Hash(hash)) => Some(hash),
        _ => None,
    };
    hash.into_iter().flat_map(Hash::iter).filter_map(|(name, spec)| match name {
        Value::String(name) => Some((name, spec)),
        _ => None,
    })
}

fn type_parameters(class: &ObjectType, init: &Hash) -> Result<NamedMembers<Attribute>, Fault> {
    let mut parameters = NamedMembers::default();
    for (name, spec) in entries(init, "type_parameters") {
        let label = Feature::TypeParameter.label(class, name);
        let (of, value) = match spec {
            Value::Hash(spec) => (spec.get_str("type").unwrap_or(&Value::Undef), spec.get_str("value")),
            _ => (spec, None),
        };
        let of = match type_at(of, &label)? {
            Type::Optional(of) => Type::Optional(of),
            of => Type::Optional(Some(Arc::new(of))),
        };
        if let Some(value) = value.filter(|value| !matches!(value, Value::Default)) {
            assert_instance_with(|| format!("{label} value"), &of, value)?;
        }
        let parameter = Attribute {
            attribute_type: of,
            kind: AttributeKind::Normal,
            value: value.cloned(),
            is_final: false,
            is_override: false,
        };
        let inherited = class.parent_class().and_then(|parent| {
            parent.line().find_map(|ancestor| {
                let found = ancestor.type_parameters.get(name)?;
                Some(Inherited { owner: ancestor, feature: Feature::TypeParameter, member: Member::Attribute(found) })
            })
        });
        Inherited::check_override(inherited, class, name, Feature::TypeParameter, Member::Attribute(&parameter))?;
        parameters.insert(name.clone(), parameter);
    }
    Ok(parameters)
}

/// The type that a value is, where a type has to stand.
fn type_at(value: &Value, label: &str) -> Result<Type, Fault> {
    match value {
        Value::Type(of) => Ok(of.clone()),
        _ => Err(wrong_type(label, &Type::Type(None), value)),
    }
}

fn wrong_type(label: &str, expected: &Type, value: &Value) -> Fault {
    let checked = assert_instance(label, expected, value);
    checked.err().unwrap_or_else(|| Fault::new(format!("{label} has wrong type")))
}

fn attributes(class: &ObjectType, init: &Hash) -> Result<NamedMembers<Attribute>, Fault> {
    let constants: NamedMembers<&Value> =
        entries(init, "constants").map(|(name, value)| (name.clone(), value)).collect();
    let declared: Vec<(&Str, &Value)> = entries(init, "attributes").collect();
    for name in constants.keys() {
        if declared.iter().any(|(declared, _)| *declared == name) {
            return Err(Fault::new(format!(
                "attribute {}[{name}] is defined as both a constant and an attribute",
                class.label()
            )));
        }
    }
    let mut attributes = NamedMembers::default();
    for (name, spec) in declared {
        let attribute = declared_attribute(class, name, spec)?;
        check_attribute_override(class, name, &attribute)?;
        attributes.insert(name.clone(), attribute);
    }
    for (name, value) in constants {
        check_reserved(&name)?;
        let attribute = Attribute {
            // In general terms, or nothing could override it.
            attribute_type: Type::reduced(value).generalize(),
            kind: AttributeKind::Constant,
            value: Some(value.clone()),
            is_final: true,
            is_override: Inherited::find(class, &name).is_some(),
        };
        check_attribute_override(class, &name, &attribute)?;
        attributes.insert(name, attribute);
    }
    Ok(attributes)
}

fn check_attribute_override(class: &ObjectType, name: &str, attribute: &Attribute) -> Result<(), Fault> {
    let inherited = Inherited::find(class, name);
    Inherited::check_override(inherited, class, name, Feature::Attribute, Member::Attribute(attribute))
}

fn declared_attribute(class: &ObjectType, name: &Str, spec: &Value) -> Result<Attribute, Fault> {
    let label = Feature::Attribute.label(class, name);
    let Value::Hash(spec) = spec else {
        let of = type_at(spec, &label)?;
        check_reserved(name)?;
        // One that may be undef is undef where nothing else is said.
        let value = matches!(of, Type::Optional(_)).then_some(Value::Undef);
        return Ok(Attribute {
            attribute_type: of,
            kind: AttributeKind::Normal,
            value,
            is_final: false,
            is_override: false,
        });
    };
    assert_instance_with(|| format!("initializer for {label}"), &hashes::ATTRIBUTE, &Value::Hash(spec.clone()))?;
    check_reserved(name)?;
    let of = type_at(spec.get_str("type").unwrap_or(&Value::Undef), &label)?;
    let kind = spec.get_str("kind").and_then(Value::as_str).map(AttributeKind::from_name).unwrap_or_default();
    let mut is_final = is_set(spec, "final");
    if kind == AttributeKind::Constant {
        if !is_final && spec.get_str("final").is_some() {
            return Err(Fault::new(format!("{label} of kind 'constant' cannot be combined with final => false")));
        }
        is_final = true;
    }
    let value = spec.get_str("value");
    match (value, kind) {
        (Some(_), AttributeKind::Derived | AttributeKind::GivenOrDerived) => {
            let kind = kind.name().unwrap_or_default();
            return Err(Fault::new(format!("{label} of kind '{kind}' cannot be combined with an attribute value")));
        }
        (Some(Value::Default), _) => {}
        (Some(value), _) => assert_instance_with(|| format!("{label} value"), &of, value)?,
        (None, AttributeKind::Constant) => {
            return Err(Fault::new(format!("{label} of kind 'constant' requires a value")));
        }
        (None, _) => {}
    }
    Ok(Attribute { attribute_type: of, kind, value: value.cloned(), is_final, is_override: is_set(spec, "override") })
}

fn is_set(spec: &Hash, key: &str) -> bool {
    spec.get_str(key).is_some_and(Value::is_truthy)
}

/// Two names are taken by the data form of objects.
fn check_reserved(name: &str) -> Result<(), Fault> {
    if matches!(name, "__ptype" | "__pvalue") {
        return Err(Fault::new(format!("The attribute '{name}' is reserved and cannot be used")));
    }
    Ok(())
}

fn functions(class: &ObjectType, init: &Hash) -> Result<NamedMembers<ObjectFunction>, Fault> {
    let mut functions = NamedMembers::default();
    for (name, spec) in entries(init, "functions") {
        let label = Feature::Function.label(class, name);
        let function = match spec {
            Value::Hash(spec) => {
                let subject = || format!("initializer for function '{name}'");
                assert_instance_with(subject, &hashes::FUNCTION, &Value::Hash(spec.clone()))?;
                ObjectFunction {
                    function_type: type_at(spec.get_str("type").unwrap_or(&Value::Undef), &label)?,
                    is_final: is_set(spec, "final"),
                    is_override: is_set(spec, "override"),
                }
            }
            _ => {
                assert_instance(&label, &hashes::CALLABLE, spec)?;
                ObjectFunction { function_type: type_at(spec, &label)?, is_final: false, is_override: false }
            }
        };
        if class.attributes.contains_key(name) {
            return Err(Fault::new(format!("{label} conflicts with attribute with the same name")));
        }
        let inherited = Inherited::find(class, name);
        Inherited::check_override(inherited, class, name, Feature::Function, Member::Function(&function))?;
        functions.insert(name.clone(), function);
    }
    Ok(functions)
}

fn equality(class: &ObjectType, init: &Hash) -> Result<Option<Vec<Str>>, Fault> {
    let names: Vec<Str> = match init.get_str("equality") {
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(Str::from).collect(),
        _ => return Ok(None),
    };
    if !names.is_empty() && !class.equality_include_type {
        return Err(Fault::new(
            "equality_include_type = false cannot be combined with non empty equality specification",
        ));
    }
    for name in &names {
        check_equality_name(class, name)?;
    }
    Ok(Some(names))
}

fn check_equality_name(class: &ObjectType, name: &Str) -> Result<(), Fault> {
    let label = class.label();
    let fault = |what: String| Err(Fault::new(format!("{label} equality is referencing {what}")));
    let inherited = Inherited::find(class, name);
    let found = match inherited {
        Some(inherited) => inherited,
        None => match Inherited::own(class, name) {
            Some(own) => own,
            None => return fault(format!("non existent attribute '{name}'")),
        },
    };
    let attribute = found.label(name);
    let Member::Attribute(of) = found.member else {
        return fault(format!("{attribute}. Only attribute references are allowed"));
    };
    if let Some(first) = definer_of_equality(class, name) {
        return fault(format!("{attribute} which is included in equality of {}", first.label()));
    }
    if of.kind == AttributeKind::Constant {
        return fault(format!("constant {attribute}. Reference to constant is not allowed in equality"));
    }
    Ok(())
}

/// Returns the first of the ancestors by whose equality an attribute counts.
fn definer_of_equality<'a>(class: &'a ObjectType, name: &Str) -> Option<&'a ObjectType> {
    let ancestors = class.line().skip(1);
    ancestors.filter(|ancestor| ancestor.names_of_equality().contains(&name)).last()
}

/// Returns what an instance holds values of: an attribute that overrides another stands in its place.
fn settable(class: &ObjectType) -> Vec<(Str, Attribute)> {
    let mut all = class.parent_class().map(|parent| parent.all_attributes.clone()).unwrap_or_default();
    for (name, attribute) in &class.attributes {
        let place = all.iter().position(|(known, _)| known == name);
        match (place, attribute.kind.is_settable()) {
            (Some(place), true) => all[place].1 = attribute.clone(),
            (Some(place), false) => drop(all.remove(place)),
            (None, true) => all.push((name.clone(), attribute.clone())),
            (None, false) => {}
        }
    }
    all
}
