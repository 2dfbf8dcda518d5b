//! The object types that are there from the start: `Error`, `Deferred`, `Annotation`, `Pcore` and `Puppet::LookupContext`.

use std::sync::{Arc, LazyLock};

use crate::new::shapes::*;
use crate::types::{
    Attribute, AttributeKind, CallableType, NamedMembers, ObjectFunction, ObjectType, Size, TupleType, Type,
};
use crate::{Str, Value};

/// Returns a failure as a value: a message, and what else is known.
pub fn error() -> Arc<ObjectType> {
    static ERROR: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
        let no_params = TupleType { types: Vec::new(), size: Some(Size::NONE) };
        let message = CallableType { params: Some(no_params), block: None, returns: Some(text_of(1)) };
        let mut class = class(
            "Error",
            vec![
                ("msg".into(), required(text_of(1))),
                ("kind".into(), may_be_undef(text_of(1))),
                ("details".into(), may_be_undef(hash(text_of(1), crate::types::data(), 0))),
                ("issue_code".into(), may_be_undef(text_of(1))),
            ],
        );
        let matched = || {
            optional(variant([
                string(),
                Type::Regexp(None),
                type_of(enumeration(&[], false)),
                type_of(Type::Pattern(Arc::from([]))),
                type_of(Type::NotUndef(None)),
                type_of(Type::Undef),
            ]))
        };
        class.type_parameters =
            [("kind".into(), required(matched())), ("issue_code".into(), required(matched()))].into_iter().collect();
        class.functions = [(
            Str::from("message"),
            ObjectFunction { function_type: Type::Callable(Arc::new(message)), is_final: false, is_override: false },
        )]
        .into_iter()
        .collect();
        Arc::new(class)
    });
    ERROR.clone()
}

/// Returns a call of a function that the agent makes.
pub fn deferred() -> Arc<ObjectType> {
    static DEFERRED: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
        let name = pattern(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z");
        Arc::new(class(
            "Deferred",
            vec![("name".into(), required(name)), ("arguments".into(), may_be_undef(any_array()))],
        ))
    });
    DEFERRED.clone()
}

/// Returns what the types of annotations inherit from.
pub fn annotation() -> Arc<ObjectType> {
    static ANNOTATION: LazyLock<Arc<ObjectType>> = LazyLock::new(|| Arc::new(class("Annotation", Vec::new())));
    ANNOTATION.clone()
}

/// Returns the type by which `annotate` is called for several annotations.
pub fn pcore() -> Arc<ObjectType> {
    static PCORE: LazyLock<Arc<ObjectType>> = LazyLock::new(|| Arc::new(class("Pcore", Vec::new())));
    PCORE.clone()
}

/// Returns what a back end of Hiera is handed. Its methods are run by Hiera; behind the name of the module it may keep
/// what it knows the context by.
pub fn lookup_context() -> Arc<ObjectType> {
    static CONTEXT: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
        let mut class = class("Puppet::LookupContext", vec![("module_name".into(), may_be_undef(text_of(1)))]);
        let name = Attribute { kind: AttributeKind::Derived, ..required(text_of(1)) };
        class.attributes.insert("environment_name".into(), name);
        let any = TupleType { types: vec![Type::Any], size: Some(Size { min: 0, max: 2 }) };
        let of = Type::Callable(Arc::new(CallableType { params: Some(any), block: None, returns: None }));
        let function = |name: &str| {
            (Str::from(name), ObjectFunction { function_type: of.clone(), is_final: false, is_override: false })
        };
        class.functions = CONTEXT_METHODS.iter().map(|name| function(name)).collect();
        Arc::new(class)
    });
    CONTEXT.clone()
}

/// Returns what `inject_producer` gives: the key that it produces a value of, and arguments.
pub fn bindings_producer() -> Arc<ObjectType> {
    static PRODUCER: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
        let any = || Attribute { kind: AttributeKind::Normal, ..required(Type::Any) };
        let attributes = ["value_type", "name", "arguments"].map(|name| (Str::from(name), any()));
        let mut class = class("Bindings::Producer", attributes.into());
        let hash = TupleType { types: vec![Type::any_hash()], size: Some(Size { min: 0, max: 1 }) };
        let of = Type::Callable(Arc::new(CallableType { params: Some(hash), block: None, returns: None }));
        let produce = ObjectFunction { function_type: of, is_final: false, is_override: false };
        class.functions = [(Str::from("produce"), produce)].into_iter().collect();
        Arc::new(class)
    });
    PRODUCER.clone()
}

const CONTEXT_METHODS: [&str; 9] = [
    "not_found",
    "explain",
    "interpolate",
    "cache",
    "cache_all",
    "cache_has_key",
    "cached_value",
    "cached_entries",
    "cached_file_data",
];

fn class(name: &str, attributes: Vec<(Str, Attribute)>) -> ObjectType {
    ObjectType {
        name: Some(name.into()),
        attributes: attributes.iter().cloned().collect::<NamedMembers<Attribute>>(),
        equality_include_type: true,
        all_attributes: attributes,
        ..ObjectType::default()
    }
}

fn required(of: Type) -> Attribute {
    Attribute { attribute_type: of, kind: AttributeKind::Normal, value: None, is_final: false, is_override: false }
}

fn may_be_undef(of: Type) -> Attribute {
    Attribute { value: Some(Value::Undef), ..required(optional(of)) }
}
