//! Tests of the short way of judging resources: it says what the long way says.

use std::sync::Arc;

use pantin_values::Value;

use super::light::LightVerdict;
use super::plans::{DefaultPlan, ValuePlan};
use super::*;
use crate::alone::Nowhere;
use crate::code::Script;

const THING: &str = include_str!("../../../../tests/cli/checked_types/thing.rb");

fn checker(text: &str) -> TypeChecker {
    let script = Arc::new(Script::parse("thing.rb", text).expect("it is Ruby"));
    let file = TypeFile { name: "thing".into(), script, has_providers: false };
    TypeChecker::new(&file, Box::new(Nowhere::default())).expect("it runs").expect("it declares the type")
}

/// Returns what the short way and the long way say.
fn verdicts(checker: &mut TypeChecker, attributes: &[(Str, Value)]) -> (LightVerdict, Option<String>) {
    let resource = CheckedResource { title: "a", reference: "Thing[a]", attributes };
    let _steps = Steps::begin(STEPS);
    checker.interp.resume();
    let light = checker.interp.verdict(checker.class, resource);
    let refusal = checker.interp.refusal(checker.class, resource);
    checker.interp.park();
    (light, refusal)
}

#[test]
fn attributes_that_look_at_values_alone_are_known() {
    let mut checker = checker(THING);
    let plans = Rc::clone(&checker.interp.checks().plans);
    let plan = |name: &str| {
        plans.number(name).map(|number| (plans.attributes[number].values, plans.attributes[number].default))
    };
    for (name, values, default) in [
        ("name", ValuePlan::OfValue, DefaultPlan::None),
        ("ensure", ValuePlan::Named, DefaultPlan::Taken),
        ("kind", ValuePlan::Named, DefaultPlan::Taken),
        ("path", ValuePlan::OfValue, DefaultPlan::None),
        ("purge", ValuePlan::OfValue, DefaultPlan::None),
        ("size", ValuePlan::OfValue, DefaultPlan::None),
        ("members", ValuePlan::OfValue, DefaultPlan::None),
        ("owner", ValuePlan::OfValue, DefaultPlan::None),
        ("twice", ValuePlan::OfResource, DefaultPlan::None),
    ] {
        assert_eq!(plan(name), Some((values, default)), "{name}");
    }
    assert!(plans.looks_at_resource);
}

#[test]
fn the_short_way_says_what_the_long_way_says() {
    let texts = |items: &[&str]| Value::array(items.iter().map(|item| Value::from(*item)));
    let choices: Vec<(&str, Vec<Value>)> = vec![
        ("name", vec!["a".into(), "a b".into()]),
        ("ensure", vec![Value::Undef, "present".into(), "gone".into()]),
        ("kind", vec![Value::Undef, "small".into(), "big".into(), "12cm".into(), "middle".into()]),
        ("path", vec![Value::Undef, "/x".into(), "x".into()]),
        ("purge", vec![Value::Undef, true.into(), "maybe".into()]),
        ("size", vec![Value::Undef, 3.into(), "12x".into(), Value::array([])]),
        ("members", vec![Value::Undef, texts(&["a", "b"]), Value::array([Value::from("a"), 3.into()])]),
        ("owner", vec![Value::Undef, "root".into()]),
        ("twice", vec![Value::Undef, "ab".into()]),
    ];
    let all: usize = choices.iter().map(|(_, values)| values.len()).product();
    let mut checker = checker(THING);
    let (mut taken, mut open) = (0, 0);
    // Every seventh one will do.
    for number in (0..all).step_by(7) {
        let mut rest = number;
        let mut attributes: Vec<(Str, Value)> = Vec::new();
        for (name, values) in &choices {
            let value = &values[rest % values.len()];
            rest /= values.len();
            if !value.is_undef() {
                attributes.push(((*name).into(), value.clone()));
            }
        }
        let (light, refusal) = verdicts(&mut checker, &attributes);
        taken += usize::from(light == LightVerdict::Taken);
        open += usize::from(light == LightVerdict::Open);
        assert_eq!(light == LightVerdict::Open, refusal.is_some(), "{attributes:?}: {light:?}, {refusal:?}");
    }
    assert!(taken > 20 && open > 100, "{taken} {open}");
}

#[test]
fn a_value_is_judged_once_and_of_a_resource_only_what_is_asked_for_is_made() {
    let mut checker = checker(THING);
    for _ in 0..2 {
        let attributes = [("name".into(), "a".into()), ("path".into(), "/x".into())];
        assert_eq!(verdicts(&mut checker, &attributes), (LightVerdict::Taken, None));
    }
    assert_eq!(checker.interp.checks().judged.len(), 2);
}

#[test]
fn variables_of_a_resource_that_is_not_made_as_a_whole_are_not_read() {
    let validate =
        "  validate { raise 'too many' if @original_parameters.size > 1 && original_parameters[:path] }\nend\n";
    let start = THING.rfind("  validate do\n").expect("it has a check of the whole");
    let mut checker = checker(&format!("{}{validate}", &THING[..start]));
    let attributes = [("name".into(), "a".into()), ("path".into(), "/x".into())];
    for _ in 0..2 {
        let (light, refusal) = verdicts(&mut checker, &attributes);
        assert_eq!((light, refusal.as_deref()), (LightVerdict::Open, Some("too many")));
    }
}
