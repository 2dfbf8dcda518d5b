//! What is asked of the outside, and what is kept: a file is parsed once, and a look-up depends on the leaves it saw.

use std::path::Path;
use std::sync::Arc;

use pantin_model::trace::Question;
use pantin_values::Value;

use super::world::World;
use crate::Hiera;

const CONFIG: &str = "version: 5\nhierarchy:\n  - name: Role\n    path: \"%{role}.yaml\"\n  - name: Family\n    \
                      path: \"%{facts.os.family}.yaml\"\n";

fn world() -> World {
    let mut world = World::with(&[
        ("/env/hiera.yaml", CONFIG),
        ("/env/data/web.yaml", "a: web\nlist: [1, 2]"),
        ("/env/data/db.yaml", "a: db"),
        ("/env/data/Debian.yaml", "b: debian"),
    ]);
    world.set("role", "web".into());
    let os = Value::hash([("family".into(), "Debian".into()), ("uptime".into(), 12.into())]);
    world.set("facts", Value::hash([("os".into(), os)]));
    world
}

#[test]
fn the_hierarchy_follows_its_variables() {
    let mut world = world();
    assert_eq!(world.lookup("a"), Ok(Some("web".into())));
    world.set("role", "db".into());
    assert_eq!(world.lookup("a"), Ok(Some("db".into())));
    world.variables.remove("role");
    assert_eq!(world.lookup("a"), Ok(None));
    assert_eq!(world.lookup("b"), Ok(Some("debian".into())));
}

#[test]
fn of_a_fact_the_leaf_alone_is_asked_for() {
    let mut world = world();
    assert_eq!(world.lookup("b"), Ok(Some("debian".into())));
    let whole = world.asked.iter().find(|question| matches!(question, Question::Whole { .. }));
    assert_eq!(whole, None);
    let path: Arc<[Value]> = ["os".into(), "family".into()].into();
    assert!(world.asked.contains(&Question::Part { variable: "facts".into(), path }));
}

#[test]
fn a_file_is_read_once_in_a_request() {
    let mut world = world();
    for key in ["a", "b", "c", "a"] {
        let _ = world.lookup(key);
    }
    let reads = world.read.iter().filter(|path| *path == Path::new("/env/data/web.yaml")).count();
    assert_eq!(reads, 1);
}

#[test]
fn values_are_shared_between_nodes() {
    let hiera = Arc::new(Hiera::default());
    let mut values = Vec::new();
    for _ in 0..2 {
        let mut world = world();
        world.start(&hiera);
        match world.lookup("list") {
            Ok(Some(Value::Array(items))) => values.push(items),
            other => panic!("{other:?}"),
        }
    }
    assert!(values[0].ptr_eq(&values[1]), "the file was parsed twice");
}

#[test]
fn another_content_is_another_answer() {
    let hiera = Arc::new(Hiera::default());
    let mut world = world();
    world.start(&hiera);
    assert_eq!(world.lookup("a"), Ok(Some("web".into())));
    world.files.insert("/env/data/web.yaml".into(), Arc::from(b"a: new".as_slice()));
    world.start(&hiera);
    assert_eq!(world.lookup("a"), Ok(Some("new".into())));
}

#[test]
fn chains_of_keys_need_no_stack() {
    let count = 3_000;
    let mut data = format!("k{count}: end\n");
    for index in 0..count {
        data.push_str(&format!("k{index}: \"%{{lookup('k{}')}}\"\n", index + 1));
    }
    let config = "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n";
    let mut world = World::with(&[("/env/hiera.yaml", config), ("/env/data/common.yaml", &data)]);
    assert_eq!(world.lookup("k0"), Ok(Some("end".into())));
}
