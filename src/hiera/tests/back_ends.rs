//! Back ends in the Puppet language, as far as this room sees them.

use std::cell::Cell;
use std::rc::Rc;

use pantin_values::{Fault, Object, Type, Value};

use super::world::World;
use crate::{Explainer, Function, KeyRequest, Lookups};

fn hiera_yaml(function: &str) -> String {
    format!("version: 5\nhierarchy:\n  - name: Own\n    {function}\n    options: {{size: 3}}\n")
}

fn world(function: &str) -> World {
    let config = hiera_yaml(function);
    World::with(&[("/env/hiera.yaml", &config), ("/env/data/x.yaml", "from: file")])
}

fn context(arguments: &[Value]) -> Object {
    match arguments.last() {
        Some(Value::Object(context)) => (**context).clone(),
        other => panic!("the last argument is {other:?}, no context"),
    }
}

fn call(
    lookups: &Lookups,
    world: &mut World,
    arguments: &[Value],
    name: &str,
    given: &[Value],
) -> Result<Value, Fault> {
    lookups.call_context(&context(arguments), name, given, world).map_err(Fault::from)
}

#[test]
fn a_hash_is_asked_for_once_and_filled_in() {
    let mut world = world("data_hash: own::data\n    path: x.yaml");
    world.set("role", "web".into());
    let calls = Rc::new(Cell::new(0));
    let counted = calls.clone();
    world.function("own::data", move |_, _, arguments| {
        counted.set(counted.get() + 1);
        assert_eq!(arguments.len(), 2);
        let Value::Hash(options) = &arguments[0] else { panic!("no options") };
        assert_eq!(options.get_str("size"), Some(&Value::Integer(3)));
        assert_eq!(options.get_str("path"), Some(&"/env/data/x.yaml".into()));
        Ok(Value::hash([("a".into(), "is %{role}".into()), ("b".into(), 2.into())]))
    });
    assert_eq!(world.lookup("a"), Ok(Some("is web".into())));
    assert_eq!(world.lookup("b"), Ok(Some(2.into())));
    assert_eq!(world.lookup("c"), Ok(None));
    assert_eq!(calls.get(), 1);
}

#[test]
fn a_key_is_asked_for_once_and_not_filled_in() {
    let mut world = world("lookup_key: own::key");
    let calls = Rc::new(Cell::new(0));
    let counted = calls.clone();
    world.function("own::key", move |lookups, world, arguments| {
        counted.set(counted.get() + 1);
        match arguments[0].as_str() {
            Some("a") => Ok("%{x}".into()),
            Some("b") => call(lookups, world, &arguments, "interpolate", &["%{literal('%')}".into()]),
            _ => call(lookups, world, &arguments, "not_found", &[]),
        }
    });
    assert_eq!(world.lookup("a"), Ok(Some("%{x}".into())));
    assert_eq!(world.lookup("a"), Ok(Some("%{x}".into())));
    assert_eq!(world.lookup("b"), Ok(Some("%".into())));
    // Of the options: once, and not found, so that they are asked for at each beginning.
    assert_eq!(calls.get(), 3);
    assert_eq!(world.lookup("c"), Ok(None));
}

#[test]
fn a_path_is_given_whole_and_its_value_found_there() {
    let mut world = world("data_dig: own::dig");
    world.function("own::dig", |lookups, world, arguments| match &arguments[0] {
        Value::Array(path) if path.len() == 3 => Ok(path[2].clone()),
        _ => call(lookups, world, &arguments, "not_found", &[]),
    });
    assert_eq!(world.lookup("a.b.1"), Ok(Some(1.into())));
    assert_eq!(world.lookup("a.b"), Ok(None));
}

#[test]
fn a_context_keeps_what_the_function_hands_it() {
    let mut world = world("lookup_key: own::key");
    world.function("own::key", |lookups, world, arguments| {
        let mut method = |name: &str, given: &[Value]| call(lookups, world, &arguments, name, given);
        if arguments[0].as_str() == Some("lookup_options") {
            return method("not_found", &[]);
        }
        if method("cache_has_key", &["n".into()])? == false.into() {
            method("cache", &["n".into(), 1.into()])?;
            method("cache_all", &[Value::hash([("m".into(), 2.into())])])?;
        }
        let file = method("cached_file_data", &["/env/data/x.yaml".into()])?;
        method("keep_file_data", &["/env/data/x.yaml".into(), "made of it".into()])?;
        let kept = method("cached_file_data", &["/env/data/x.yaml".into()])?;
        Ok(Value::array([
            method("cached_value", &["n".into()])?,
            method("cached_entries", &[])?,
            method("environment_name", &[])?,
            method("module_name", &[])?,
            file,
            kept,
        ]))
    });
    let pair = |name: &str, value: i64| Value::array([name.into(), value.into()]);
    let expected = Value::array([
        1.into(),
        Value::array([pair("n", 1), pair("m", 2)]),
        "production".into(),
        Value::Undef,
        Value::hash([("content".into(), "from: file".into())]),
        Value::hash([("kept".into(), "made of it".into())]),
    ]);
    assert_eq!(world.lookup("a"), Ok(Some(expected)));
}

#[test]
fn a_context_is_of_no_use_afterwards() {
    let mut world = world("lookup_key: own::key");
    world.function("own::key", |_, _, arguments| Ok(Value::array([arguments[0].clone()])));
    let _ = world.lookup("a");
    let lookups = world.lookups.clone().unwrap();
    let object = Object { class: pantin_values::object::lookup_context(), values: vec![Value::Undef, 0.into()].into() };
    assert!(lookups.call_context(&object, "cached_entries", &[], &mut world).is_err());
}

#[test]
fn what_a_function_explains_stands_where_it_ran() {
    let mut world = world("lookup_key: own::key");
    world.function("own::key", |lookups, world, arguments| {
        if call(lookups, world, &arguments, "explain", &[])? == true.into() {
            call(lookups, world, &arguments, "explain", &["because".into()])?;
        }
        Ok(1.into())
    });
    let lookups = world.start(&std::sync::Arc::default());
    // The function gives a number for the options too, which is wrong; only its note matters here.
    lookups.explain_with(Explainer::new(false));
    let _ = lookups.lookup(&KeyRequest::named("a"), &mut world);
    let text = lookups.explained().unwrap().to_string();
    assert!(text.contains("because"), "{text}");
}

#[test]
fn a_back_end_that_looks_up_its_own_key_is_stopped() {
    let mut world = world("lookup_key: own::key");
    world.function("own::key", |lookups, world, arguments| {
        if arguments[0].as_str() == Some("lookup_options") {
            return call(lookups, world, &arguments, "not_found", &[]);
        }
        lookups.lookup(&KeyRequest::named("a"), world).map_err(Fault::from).map(Option::unwrap_or_default)
    });
    let trouble = world.lookup("a").unwrap_err();
    // The look-up inside begins with the global layer, whose errors name the key.
    assert_eq!(trouble.message, "Lookup of key 'a' failed: Recursive lookup detected in [a]");
}

#[test]
fn a_value_that_is_no_data_is_refused() {
    let mut world = world("lookup_key: own::key");
    world.function("own::key", |lookups, world, arguments| match arguments[0].as_str() {
        Some("lookup_options") => call(lookups, world, &arguments, "not_found", &[]),
        _ => Ok(Value::hash([(Value::Undef, 1.into())])),
    });
    let trouble = world.lookup("a").unwrap_err();
    assert_eq!(
        trouble.message,
        "Value for key 'a', returned from lookup_key function 'own::key' has wrong type, expects \
         Puppet::LookupValue, got Hash[Undef, Integer[1, 1], 1, 1]"
    );
}

#[test]
fn a_function_that_returns_something_else_is_refused() {
    let mut world = world("data_hash: own::data");
    world.function("own::data", |_, _, _| Ok(Value::hash([])));
    if let Some((function, _)) = world.functions.get_mut("own::data") {
        *function = Function { returns: Some(Type::STRING) };
    }
    let trouble = world.lookup("a").unwrap_err();
    assert!(trouble.message.starts_with("Return type of 'data_hash' function named 'own::data' is incorrect, expects"));
}
