//! How much is kept of a body, and what gives way.

use pantin_base::limits;

use super::world::World;
use super::*;
use crate::trace::{Answer, Host, Purpose, Tree, WalkKind, WalkResult, run_or_replay};

fn walk(tree: &mut Tree, name: &str) -> WalkResult {
    let mut world = World::from_variables(&[("hostname", name.into())]);
    run_or_replay(tree, &secrets(), body("class a"), &mut world, |host| match host.ask(&variable("hostname")) {
        Answer::Value(name) => {
            host.apply(&notice("hello"));
            Ok(name)
        }
        other => panic!("{other:?}"),
    })
}

#[test]
fn variants_are_bounded_and_those_kept_go_on_serving() {
    let mut tree = Tree::default();
    let nodes = 3 * limits::BODY_VARIANTS;
    let mut replayed = [0; 3];
    for round in &mut replayed {
        for node in 0..nodes {
            let name = format!("node{node}.a-domain-that-is-long.example.com");
            let walked = walk(&mut tree, &name);
            assert_eq!(walked.result, Ok(name.into()));
            *round += usize::from(is_replayed(walked.how));
        }
    }
    assert_eq!(tree.variants(), limits::BODY_VARIANTS);
    assert_eq!(tree.len(), 2 * limits::BODY_VARIANTS + 1);
    assert_eq!(replayed, [0, limits::BODY_VARIANTS, limits::BODY_VARIANTS]);
}

#[test]
fn a_variant_of_no_use_gives_way() {
    let mut tree = Tree::default();
    for node in 0..limits::BODY_VARIANTS {
        walk(&mut tree, &format!("old{node}"));
    }
    for _ in 0..2 * limits::BODY_VARIANTS {
        assert!(is_replayed(walk(&mut tree, "old1").how));
    }
    assert!(!is_replayed(walk(&mut tree, "early").how));
    assert!(!is_replayed(walk(&mut tree, "early").how), "nobody has been idle for long enough");
    for _ in 0..2 * limits::BODY_VARIANTS {
        walk(&mut tree, "old1");
    }
    walk(&mut tree, "new");
    assert!(is_replayed(walk(&mut tree, "new").how));
    assert!(is_replayed(walk(&mut tree, "old1").how));
    assert!(!is_replayed(walk(&mut tree, "old0").how), "it was the least recently used");
    assert_eq!(tree.variants(), limits::BODY_VARIANTS);
}

/// What nodes are told after an edit stays as long as there is room for all of them, however many edits there were.
#[test]
fn what_nobody_is_held_to_any_more_gives_way() {
    let nodes = limits::BODY_VARIANTS / 4;
    let traces = traces();
    let key = traces.key(Digest::from_text("class a"), Digest::from_text(""));
    let tell = |edit: usize, node: usize| {
        let name = format!("{node} in {edit}");
        let mut world = World::from_variables(&[("hostname", name.as_str().into())]);
        traces.walk(&key, body("class a"), &mut world, |host| match host.ask(&variable("hostname")) {
            Answer::Value(name) => Ok(name),
            other => panic!("{other:?}"),
        })
    };
    let mut ends: Vec<_> = (0..nodes).map(|_| None).collect();
    for edit in 0..7 {
        for (node, end) in ends.iter_mut().enumerate() {
            *end = tell(edit, node).end;
            assert!(end.is_some(), "{node} in {edit}");
        }
    }
    assert_eq!(traces.tree(&key).unwrap().variants(), limits::BODY_VARIANTS);
    let is_known = |edit, node| is_replayed(tell(edit, node).how);
    for node in [0, nodes - 1] {
        assert!(is_known(6, node));
        assert!(is_known(4, node), "an edit that is undone");
        assert!(!is_known(1, node), "it was the least recently used");
    }
}

#[test]
fn a_trace_without_end_is_not_kept() {
    let mut tree = Tree::default();
    let mut run = || {
        run_or_replay(&mut tree, &secrets(), body("main"), &mut World::default(), |host: &mut dyn Host| {
            for _ in 0..=limits::TRACE_STEPS {
                host.apply(&notice("again"));
            }
            Ok(Value::Undef)
        })
    };
    assert_eq!(run().how, WalkKind::Fresh);
    assert_eq!(run().how, WalkKind::Fresh);
    assert!(tree.is_empty());
}

/// Returns true if a body is still shared that so many nodes were told their own names, and `like` of them one that is
/// the same.
fn is_shared(traces: &Traces, own: usize, like: usize) -> bool {
    let code = Digest::from_text("class a");
    let key = traces.key(code, Digest::from_text(""));
    let names = (0..own).map(|node| format!("node{node}")).chain((0..like).map(|_| "same".to_owned()));
    for name in names {
        let mut world = World::from_variables(&[("hostname", name.as_str().into())]);
        traces.walk(&key, body("class a"), &mut world, |host| match host.ask(&variable("hostname")) {
            Answer::Value(name) => Ok(name),
            other => panic!("{other:?}"),
        });
    }
    traces.shares(&code)
}

#[test]
fn what_each_node_is_told_alone_is_not_written_down_for_others() {
    assert!(is_shared(&traces().held_for(Purpose::Nodes), 8, 0), "it was seen too seldom");
    assert!(!is_shared(&traces().held_for(Purpose::Nodes), 100, 0));
    assert!(is_shared(&traces().held_for(Purpose::Nodes), 20, 20));
    assert!(is_shared(&traces(), 100, 0), "each node is asked again, and has its trace");
}

/// What is kept of a trace is enough to walk it, whatever it is held for.
#[test]
fn a_trace_for_nodes_is_replayed() {
    let traces = traces().held_for(Purpose::Nodes);
    let key = traces.key(Digest::from_text("class a"), Digest::from_text(""));
    let long = "a text that is long enough to be named by its hash ".repeat(9);
    let values: [Value; 4] = [1.into(), "x".into(), long.into(), Value::array([Value::Undef, 1.into()])];
    let mut how = Vec::new();
    for value in values.iter().chain(&values) {
        let mut world = World::from_variables(&[("x", value.clone())]);
        let walked = traces.walk(&key, body("class a"), &mut world, |host| {
            let answer = host.ask(&whole("x"));
            host.apply(&notice(&format!("{answer:?}")));
            Ok(value.clone())
        });
        assert_eq!(walked.result.as_ref(), Ok(value));
        how.push(walked.how);
    }
    let resumed = WalkKind::Resumed { at: 0 };
    assert_eq!(how[..4], [WalkKind::Fresh, resumed, resumed, resumed]);
    assert_eq!(how[4..], [WalkKind::Replayed; 4]);
}
