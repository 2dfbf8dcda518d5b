//! One store, many walks at once.

use std::sync::Arc;

use super::program::{self, Ask, Do, Op, Program};
use super::world::World;
use super::*;

fn world(traces: &Arc<Traces>, x: i64, class: &Program) -> World {
    let classes = Arc::new([("c".into(), class.clone())].into());
    World { traces: Some(Arc::clone(traces)), classes, ..World::of(&[("x", x.into())]) }
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
fn two_bodies_of_one_name_by_mistake_are_found_out() {
    let traces = Arc::new(traces());
    let (one, other) = (vec![Op::Ask(Ask::Variable("x"))], vec![Op::Ask(Ask::Variable("x")), Op::Do(Do::Log)]);
    let key = traces.key(Digest::of_text("c"), Digest::of_text(""));
    let run = |program: &Program, x| {
        let mut world = World::of(&[("x", Value::Integer(x))]);
        traces.walk(&key, body("class c"), &mut world, |host| program::run(program, host))
    };
    run(&one, 1).result.unwrap();
    assert_eq!(run(&other, 2).how, How::Resumed { at: 0 });
    // The new branch is another's: only a run with an answer seen before can show it, and that one is replayed.
    assert_eq!(run(&other, 1).how, How::Replayed);
}
