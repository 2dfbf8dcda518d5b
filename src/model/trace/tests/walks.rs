//! Recording, replaying, resuming; and what contradicts itself.

use super::world::World;
use super::*;
use crate::trace::{Answer, Host, Outcome, Recorder, Tree, WalkResult, run_or_replay};

type Ran = Result<Value, Failure>;

fn walk(tree: &mut Tree, world: &mut World, run: impl FnOnce(&mut dyn Host) -> Ran) -> WalkResult {
    run_or_replay(tree, &secrets(), body("class a"), world, run)
}

fn no_code(_: &mut dyn Host) -> Ran {
    panic!("code was run")
}

/// Asks for `x`, says so, asks for `y`, exports it.
fn sample(host: &mut dyn Host) -> Ran {
    let x = host.ask(&variable("x"));
    host.apply(&notice(&format!("{x:?}")));
    let Answer::Value(y) = host.ask(&variable("y")) else { return Err(failure("no y")) };
    host.apply(&Effect::Export { name: "z".into(), value: y.clone() });
    Ok(y)
}

fn world(x: i64, y: i64) -> World {
    World::from_variables(&[("x", x.into()), ("y", y.into())])
}

#[test]
fn a_replay_runs_no_code_and_does_the_same() {
    let mut tree = Tree::default();
    let (mut first, mut second) = (world(1, 2), world(1, 2));
    assert_eq!(walk(&mut tree, &mut first, sample).how, WalkKind::Fresh);
    let walked = walk(&mut tree, &mut second, no_code);
    assert_eq!((walked.how, walked.result), (WalkKind::Replayed, Ok(2.into())));
    assert_eq!(second.state(), first.state());
    assert_eq!((second.asked, second.applied), (first.asked, first.applied));
}

#[test]
fn a_new_answer_midway_asks_and_does_nothing_twice() {
    let mut tree = Tree::default();
    walk(&mut tree, &mut world(1, 2), sample);
    let (mut plain, mut resumed) = (world(1, 3), world(1, 3));
    let expected = sample(&mut plain);
    let walked = walk(&mut tree, &mut resumed, sample);
    assert_eq!((walked.how, walked.result), (WalkKind::Resumed { at: 2 }, expected));
    assert_eq!((resumed.asked, resumed.applied), (plain.asked, plain.applied));
    assert_eq!(tree.variants(), 2);
    assert_eq!(walk(&mut tree, &mut world(1, 3), no_code).how, WalkKind::Replayed);
    assert_eq!(walk(&mut tree, &mut world(1, 2), no_code).how, WalkKind::Replayed);
}

#[test]
fn failures_are_answers() {
    let mut tree = Tree::default();
    let without_y = || World::from_variables(&[("x", 1.into())]);
    walk(&mut tree, &mut without_y(), sample);
    let walked = walk(&mut tree, &mut without_y(), no_code);
    assert_eq!((walked.how, walked.result), (WalkKind::Replayed, Err(failure("no y"))));
    assert_eq!(walk(&mut tree, &mut world(1, 1), sample).result, Ok(1.into()));
}

#[test]
fn what_is_repeated_is_recorded_once() {
    let mut world = World::from_variables(&[("x", 1.into()), ("facts", Value::hash([("os".into(), "Debian".into())]))]);
    let secrets = secrets();
    let mut recorder = Recorder::new(&mut world, &secrets, "main");
    for _ in 0..3 {
        recorder.ask(&variable("x"));
        recorder.apply(&notice("a line changes no answer"));
        recorder.ask(&part("facts", &["os"]));
    }
    recorder.apply(&export("w", 1));
    recorder.ask(&variable("x"));
    recorder.ask(&part("facts", &["os"]));
    let trace = recorder.finish(Ok(Value::Undef)).trace.unwrap();
    let expected = "\
ask $x → 1
log Notice: a line changes no answer → done
ask $facts[\"os\"] → \"Debian\"
log Notice: a line changes no answer → done
log Notice: a line changes no answer → done
set $w = 1 → done
ask $x → 1
end undef
";
    assert_eq!(trace.dump(), expected);
    assert_eq!(world.asked.len(), 3);
}

#[test]
fn what_is_volatile_is_never_used_again() {
    let mut tree = Tree::default();
    let run = |host: &mut dyn Host| match (host.ask(&variable("x")), host.ask(&Question::Now)) {
        (_, Answer::Value(now)) => Ok(now),
        other => panic!("{other:?}"),
    };
    let mut world = world(1, 1);
    for now in 1..4 {
        let walked = walk(&mut tree, &mut world, run);
        assert_eq!((walked.result, walked.volatile), (Ok(now.into()), true));
    }
    assert!(tree.is_empty());
}

/// Each time it resumes after `x`, with another second half.
fn contradicts(second: impl FnOnce(&mut dyn Host) -> Ran, expected: &str) {
    let mut tree = Tree::default();
    walk(&mut tree, &mut world(1, 2), sample);
    let mut world = world(1, 3);
    let walked = walk(&mut tree, &mut world, second);
    let message = walked.result.unwrap_err().message;
    let start = "internal error: class a is not deterministic: with the same answers, ";
    assert_eq!(message, format!("{start}{expected}"));
    assert!(tree.is_empty(), "nothing of it is trusted any more");
    assert_eq!(world.applied.len(), 1, "nothing more is done");
}

#[test]
fn a_body_that_goes_two_ways_is_an_internal_error() {
    contradicts(
        |host| {
            host.ask(&variable("other"));
            host.apply(&notice("never"));
            Ok(Value::Undef)
        },
        "its step 1 was ask $x, and is now ask $other",
    );
    contradicts(
        |host| {
            host.ask(&variable("x"));
            match host.apply(&notice("else")) {
                Outcome::Failed(_) => Ok(Value::Undef),
                other => panic!("{other:?}"),
            }
        },
        "its step 2 was log Notice: Value(1), and is now log Notice: else",
    );
    contradicts(|_| Ok(Value::Undef), "its step 1 was ask $x, and is now its end");
    contradicts(
        |host| {
            host.ask(&Question::Now);
            Ok(Value::Undef)
        },
        "its step 1 was ask $x, and is now ask the time",
    );
}

#[test]
fn the_order_of_a_hash_is_a_difference() {
    let hash = |keys: [&str; 2]| Value::hash(keys.map(|key| (key.into(), key.into())));
    let mut tree = Tree::default();
    let run = |host: &mut dyn Host| match host.ask(&whole("h")) {
        Answer::Value(value) => Ok(value),
        other => panic!("{other:?}"),
    };
    for (index, keys) in [["a", "b"], ["b", "a"]].into_iter().enumerate() {
        let walked = walk(&mut tree, &mut World::from_variables(&[("h", hash(keys))]), run);
        assert_eq!(walked.how, [WalkKind::Fresh, WalkKind::Resumed { at: 0 }][index]);
        assert_eq!(format!("{:?}", walked.result.unwrap()), format!("{:?}", hash(keys)));
    }
}

#[test]
fn a_tree_is_shown_with_its_branches() {
    let mut tree = Tree::default();
    walk(&mut tree, &mut world(1, 2), sample);
    walk(&mut tree, &mut world(1, 3), sample);
    walk(&mut tree, &mut World::from_variables(&[("x", "a text that is too long to hold".into())]), sample);
    let expected = "\
ask $x
→ 1
  log Notice: Value(1) → done
  ask $y
  → 2
    set $z = 2 → done
    end 2
  → 3
    set $z = 3 → done
    end 3
→ \"a text that is too long to hold\"
  log Notice: Value(\"a text that is too long to hold\") → done
  ask $y → absent
  fail no y
";
    assert_eq!(tree.dump(), expected);
}
