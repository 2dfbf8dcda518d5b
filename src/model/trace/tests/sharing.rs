//! One store, many walks at once.

use std::sync::Arc;

use super::program::{self, Ask, Do, Op, Program};
use super::world::World;
use super::*;

fn world(traces: &Arc<Traces>, x: i64, class: &Program) -> World {
    let classes = Arc::new([("c".into(), class.clone())].into());
    World { traces: Some(Arc::clone(traces)), classes, ..World::from_variables(&[("x", x.into())]) }
}

/// Walks itself from its middle: by way of `include`, under the same key.
fn recursive() -> Program {
    vec![Op::Ask(Ask::Variable("x")), Op::Do(Do::Log), Op::Do(Do::Include("c")), Op::Do(Do::Log)]
}

#[test]
fn a_body_may_be_walked_while_it_is_walked() {
    let traces = Arc::new(traces());
    let program = recursive();
    for x in [1, 1, 2, 2] {
        let mut plain = World { traces: None, ..world(&traces, x, &program) };
        let mut walked = world(&traces, x, &program);
        assert_eq!(walked.evaluate("c", &program), plain.evaluate("c", &program));
        assert_eq!(walked.state(), plain.state());
        assert_eq!(walked.log.len(), 4);
    }
    let mut again = world(&traces, 1, &program);
    again.evaluate("c", &program).unwrap();
    assert_eq!(again.runs, 0);
}

#[test]
fn threads_share_a_store() {
    let traces = Arc::new(traces());
    let program = recursive();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (traces, program) = (&traces, &program);
            scope.spawn(move || {
                for round in 0..200 {
                    let x = (round * 7 + thread) % 20;
                    let mut plain = World { traces: None, ..world(traces, x, program) };
                    let mut walked = world(traces, x, program);
                    assert_eq!(walked.evaluate("c", program), plain.evaluate("c", program));
                    assert_eq!(walked.applied, plain.applied);
                }
            });
        }
    });
    let mut again = world(&traces, 3, &program);
    again.evaluate("c", &program).unwrap();
    assert_eq!(again.runs, 0);
}

#[test]
fn steps_are_those_of_runs_before_where_these_have_the_same() {
    let ask = |name| Op::Ask(Ask::Variable(name));
    let recorded = |program: &Program| {
        let traces = traces();
        let key = traces.key(Digest::from_text("c"), Digest::from_text(""));
        let mut world = World::from_variables(&[("x", 1.into()), ("y", 2.into())]);
        traces.walk(&key, body("class c"), &mut world, |host| program::run(program, host));
        traces.tree(&key).and_then(|tree| tree.only_trace()).unwrap()
    };
    let asked = recorded(&vec![ask("x"), ask("y")]);
    let did = recorded(&vec![Op::Do(Do::Export("a"))]);
    let mut now = recorded(&vec![Op::Do(Do::Export("a")), ask("x"), ask("y")]);
    traces().share_with([&asked.steps, &did.steps], &mut now);
    let known = [&did.steps[0], &asked.steps[0], &asked.steps[1]];
    assert_eq!(now.steps.len(), known.len());
    for (step, known) in now.steps.iter().zip(known) {
        assert!(Arc::ptr_eq(&step.step, &known.step), "{step:?}");
    }
    let mut other = recorded(&vec![ask("y")]);
    traces().share_with([&did.steps, &asked.steps], &mut other);
    assert!(!Arc::ptr_eq(&other.steps[0].step, &asked.steps[1].step), "what was asked is looked for in the one alone");
}

/// Walks that began before the other's trace was there: neither met it on its way.
fn meets(one: Program, other: Program) -> Result<Value, Failure> {
    let traces = Arc::new(traces());
    let key = traces.key(Digest::from_text("c"), Digest::from_text(""));
    let world = || World::from_variables(&[("x", 1.into()), ("y", 1.into())]);
    let walked = traces.walk(&key, body("class c"), &mut world(), |host| {
        let inner = traces.walk(&key, body("class c"), &mut world(), |host| program::run(&one, host));
        assert!(inner.result.is_ok());
        program::run(&other, host)
    });
    assert_eq!(traces.tree(&key).unwrap().is_empty(), walked.result.is_err());
    walked.result
}

#[test]
fn traces_that_contradict_each_other_are_an_internal_error() {
    let ask = |name| Op::Ask(Ask::Variable(name));
    let start = "internal error: class c is not deterministic: with the same answers, its step";
    let message = |one, other| meets(one, other).unwrap_err().message.to_string();
    assert!(meets(vec![ask("x")], vec![ask("x")]).is_ok());
    assert_eq!(message(vec![ask("y")], vec![ask("x")]), format!("{start} 1 was ask $y, and is now ask $x"));
    assert_eq!(message(vec![ask("x"), ask("y")], vec![ask("x")]), format!("{start} 2 was ask $y, and is now its end"));
    assert_eq!(message(vec![ask("x")], vec![ask("x"), ask("y")]), format!("{start} 2 was its end, and is now ask $y"));
    let differs = vec![Op::Repeat(2, vec![ask("x")])];
    assert_eq!(message(vec![ask("x")], differs), format!("{start} 2 was its end, and is now another end"));
}
