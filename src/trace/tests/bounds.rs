//! How much is kept of a body, and what gives way.

use super::world::World;
use super::*;
use crate::base::limits;
use crate::trace::{Answer, Host, Tree, Walked, run_or_replay};

fn walk(tree: &mut Tree, name: &str) -> Walked {
    let mut world = World::of(&[("hostname", name.into())]);
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
    assert_eq!(run().how, How::Fresh);
    assert_eq!(run().how, How::Fresh);
    assert!(tree.is_empty());
}
