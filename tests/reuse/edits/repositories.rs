//! What is edited: the repository of the kinds of edit, the demo with a few of its nodes, and environments made at random.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::super::kinds;
use super::super::random::environment::{blocks, environment};
use super::super::random::numbers::Numbers;
use super::super::state::{Edit, Folder, State};
use super::super::ways::{self, OPTIONS};

/// Of a seed: its name, and what is in it.
pub(super) fn repository(numbers: &mut Numbers) -> (&'static str, State) {
    match numbers.below(10) {
        0 => ("the demo", demo(numbers)),
        1..=3 => ("the repository of the kinds", kinds::repository()),
        _ => ("an environment made at random", made(numbers)),
    }
}

fn demo(numbers: &mut Numbers) -> State {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut state = State::of_folder(&fixtures.join("control-repo"));
    let facts = State::of_folder(&fixtures.join("facts"));
    let all: Vec<&str> = facts.paths().collect();
    for _ in 0..4 {
        let file = numbers.pick(&all);
        put(&mut state, &format!("facts/{file}"), facts.text(file).unwrap());
        put(&mut state, &format!("enc/{}", file.replace(".json", ".yaml")), "classes: {}\n");
    }
    state
}

/// The first of some that comes to a catalog for a node.
fn made(numbers: &mut Numbers) -> State {
    let mut state = of_seed(numbers.next());
    for _ in 0..10 {
        let folder = Folder::of(&state);
        if ways::afresh(OPTIONS, &folder.path()).iter().any(|(_, text)| text.ends_with('}')) {
            break;
        }
        state = of_seed(numbers.next());
    }
    state
}

/// Three nodes, which differ in facts that the code reads.
fn of_seed(seed: u64) -> State {
    let text = environment(seed).source();
    let mut state = State::default();
    let (mut facts, mut trusted, mut enc) = (Map::new(), Value::Null, "classes: {}\n".to_owned());
    for block in blocks(&text) {
        match block.kind {
            "pp" => put(&mut state, "manifests/site.pp", &block.text),
            "file" => put(&mut state, block.path, &block.text),
            "facts" => facts = serde_json::from_str(&block.text).unwrap(),
            "trusted" => trusted = serde_json::from_str(&block.text).unwrap(),
            "settings" => put(&mut state, "conf/puppet.conf", &format!("[main]\n{}", block.text)),
            "enc" => enc = block.text,
            _ => {}
        }
    }
    for (node, kind, cores) in [("node.example.org", "a", 4), ("other", "b", 4), ("third", "a", 64)] {
        facts.insert("kind".to_owned(), kind.into());
        facts.insert("cores".to_owned(), cores.into());
        let known = json!({ "name": node, "trusted": { "extensions": trusted }, "values": facts });
        put(&mut state, &format!("facts/{node}.json"), &format!("{known:#}\n"));
        put(&mut state, &format!("enc/{node}.yaml"), if node == "third" { "classes: {}\n" } else { &enc });
    }
    state
}

fn put(state: &mut State, path: &str, text: &str) {
    state.edit(&Edit::Write(path.to_owned(), text.as_bytes().to_vec()));
}
