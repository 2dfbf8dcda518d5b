//! Object types as the real Puppet builds them, refuses them and makes instances of them.

use std::sync::Arc;

use pantin_base::Language;

use super::{build, member};
use crate::new::new_instance;
use crate::types::{Alias, ObjectType};
use crate::{BuiltInOnly, Fault, Hash, Resolve, Type, Value, text, types};

/// Knows the types of a test.
struct Known(Vec<Arc<ObjectType>>);

impl Resolve for Known {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        Ok(self.0.iter().find(|class| class.name.as_deref() == Some(name)).cloned().map(Type::Object))
    }
}

/// Returns the hash of a definition, taken out of the only form of text that has values here: a type's parameters.
fn hash(source: &str, known: &[Arc<ObjectType>]) -> Hash {
    let source = format!("Init[Any, {source}]");
    match types::parse(&source, &mut Known(known.to_vec())).expect(&source) {
        Type::Init(Some(init)) => match init.args.first() {
            Some(Value::Hash(hash)) => hash.clone(),
            _ => panic!("{source}"),
        },
        _ => panic!("{source}"),
    }
}

fn class(name: &str, source: &str, known: &[Arc<ObjectType>]) -> Result<Arc<ObjectType>, String> {
    build(Some(name), &hash(source, known), Language::Puppet8).map_err(|fault| fault.message.into_owned())
}

fn new(class: &Arc<ObjectType>, args: &[Value]) -> Result<Value, String> {
    new_instance(&Type::Object(class.clone()), args, &mut BuiltInOnly).map_err(|fault| fault.message.into_owned())
}

fn shown(class: &Arc<ObjectType>, args: &[Value]) -> String {
    new(class, args).map_or_else(|error| format!("! {error}"), |value| text::display(&value).to_string())
}

#[test]
fn instances_are_made_by_position_and_by_name() {
    let class = class("P", "{attributes => {a => {type => Integer, value => 1}, b => Integer}}", &[]).expect("P");
    assert_eq!(shown(&class, &[2.into()]), "P({'b' => 2})");
    assert_eq!(shown(&class, &[2.into(), 3.into()]), "P({'a' => 3, 'b' => 2})");
    assert_eq!(shown(&class, &[Value::hash([("b".into(), 3.into())])]), "P({'b' => 3})");
    assert_eq!(shown(&class, &[]), "! 'new_P' expects between 1 and 2 arguments, got none");
    let Ok(Value::Object(object)) = new(&class, &[2.into()]) else { panic!("P(2)") };
    assert_eq!(member(&object, "a", &[]), Some(Ok(1.into())));
    assert_eq!(member(&object, "c", &[]), None);
    let refused = member(&object, "a", &[1.into()]).map(|answer| answer.map_err(|fault| fault.message));
    assert_eq!(refused, Some(Err("'attribute P[a]' expects no arguments, got 1".into())));
}

#[test]
fn definitions_are_held_to_the_rules() {
    for (source, error) in [
        ("{attrs => 1}", "object initializer has wrong type, unrecognized key 'attrs'"),
        ("{attributes => {a => 'x'}}", "attribute P[a] has wrong type, expects a Type value, got String"),
        (
            "{attributes => {a => {type => Integer, value => 'x'}}}",
            "attribute P[a] value has wrong type, expects an Integer value, got String",
        ),
        (
            "{attributes => {a => {type => Integer, kind => constant}}}",
            "attribute P[a] of kind 'constant' requires a value",
        ),
        (
            "{attributes => {a => Integer}, constants => {a => 1}}",
            "attribute P[a] is defined as both a constant and an attribute",
        ),
        (
            "{attributes => {a => Integer}, functions => {a => Callable}}",
            "function P[a] conflicts with attribute with the same name",
        ),
        ("{equality => [b]}", "P equality is referencing non existent attribute 'b'"),
        ("{parent => Foo}", "reference to unresolved type 'Foo'"),
    ] {
        assert_eq!(class("P", source, &[]).err().as_deref(), Some(error), "{source}");
    }
}

#[test]
fn what_is_inherited_is_overridden_by_the_rules() {
    let parent = class("P", "{attributes => {a => Integer}}", &[]).expect("P");
    let known = [parent];
    for (source, error) in [
        (
            "{parent => P, attributes => {a => Integer}}",
            "attribute Q[a] attempts to override attribute P[a] without having override => true",
        ),
        (
            "{parent => P, attributes => {a => {type => String, override => true}}}",
            "attribute Q[a] attempts to override attribute P[a] with a type that does not match",
        ),
        (
            "{parent => P, attributes => {b => {type => String, override => true}}}",
            "expected attribute Q[b] to override an inherited attribute, but no such attribute was found",
        ),
        (
            "{parent => P, equality => [a]}",
            "Q equality is referencing attribute P[a] which is included in equality of P",
        ),
    ] {
        assert_eq!(class("Q", source, &known).err().as_deref(), Some(error), "{source}");
    }
    let child = class("Q", "{parent => P, attributes => {b => Integer}}", &known).expect("Q");
    assert_eq!(shown(&child, &[1.into(), 2.into()]), "Q({'a' => 1, 'b' => 2})");
}

#[test]
fn equality_goes_by_what_the_type_says() {
    let equal = |source: &str, a: &[Value], b: &[Value]| {
        let class = class("P", source, &[]).expect(source);
        new(&class, a).expect("a") == new(&class, b).expect("b")
    };
    let (one, two) = ([1.into()], [2.into()]);
    assert!(equal("{attributes => {a => Integer}}", &one, &one));
    assert!(!equal("{attributes => {a => Integer}}", &one, &two));
    assert!(equal("{attributes => {a => Integer}, equality => []}", &one, &two));
    let by_nothing = "{attributes => {a => Integer}, equality => [], equality_include_type => false}";
    assert!(!equal(by_nothing, &one, &one));
}

#[test]
fn a_type_that_inherits_from_itself_is_refused() {
    let itself = Value::Type(Type::Alias(Arc::new(Alias::new("P"))));
    let init = Value::hash([("parent".into(), itself)]);
    let Value::Hash(init) = init else { panic!("a hash") };
    let error = build(Some("P"), &init, Language::Puppet8).err().map(|fault| fault.message);
    assert_eq!(error.as_deref(), Some("The Object type 'P' inherits from itself"));
}

#[test]
fn error_and_deferred_are_known() {
    let error = super::error();
    assert_eq!(shown(&error, &["x".into(), "k".into()]), "Error({'msg' => 'x', 'kind' => 'k'})");
    let Ok(Value::Object(object)) = new(&error, &["x".into()]) else { panic!("Error('x')") };
    assert_eq!(member(&object, "message", &[]), Some(Ok("x".into())));
    assert_eq!(object.detailed_type().to_string(), "Error[undef, undef]");
    assert_eq!(shown(&super::deferred(), &["f".into()]), "Deferred({'name' => 'f'})");
    assert_eq!(super::extend(&error, &["k".into()]).map(|of| of.to_string()), Ok("Error['k']".to_owned()));
}
