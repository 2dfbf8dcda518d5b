//! What is edited: the repository of the kinds of edit, the demo with a few of its nodes, and environments made at random; or
//! another fleet, with a few of its nodes and modules.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::super::kinds;
use super::super::random::environment::{blocks, environment};
use super::super::random::numbers::Numbers;
use super::super::state::{Edit, Folder, State};
use super::super::ways::{self, OPTIONS};

/// A fleet that stands on modules of others, which lie elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fleet {
    pub(super) repository: PathBuf,
    pub(super) facts: PathBuf,
    pub(super) modules: PathBuf,
}

/// Some of them are in the repository, and edited as well.
const MODULES: [&str; 9] =
    ["apache", "concat", "haproxy", "inifile", "keystone", "mongodb", "mysql", "postgresql", "rabbitmq"];

/// What nobody asks for.
const UNASKED: [&str; 5] = ["/spec/", "/examples/", "/locales/", "/releasenotes/", "/doc/"];

/// Of a seed: its name, and what is in it.
pub(crate) fn repository(numbers: &mut Numbers, fleet: Option<&Fleet>) -> (&'static str, State) {
    if let Some(fleet) = fleet {
        return ("the fleet", of_fleet(fleet, numbers));
    }
    match numbers.below(10) {
        0 => ("the demo", demo(numbers)),
        1 | 2 => ("the repository of the kinds", kinds::repository()),
        3 | 4 => ("that with bindings", kinds::bound_repository()),
        _ => ("an environment made at random", made(numbers)),
    }
}

fn demo(numbers: &mut Numbers) -> State {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut state = State::of_folder(&fixtures.join("control-repo"));
    some_nodes(&mut state, &fixtures.join("facts"), numbers);
    state
}

fn some_nodes(state: &mut State, facts: &Path, numbers: &mut Numbers) {
    let facts = State::of_folder(facts);
    let all: Vec<&str> = facts.paths().collect();
    for _ in 0..4 {
        let file = numbers.pick(&all);
        put(state, &format!("facts/{file}"), facts.text(file).unwrap());
        put(state, &format!("enc/{}", file.replace(".json", ".yaml")), "classes: {}\n");
    }
}

fn of_fleet(fleet: &Fleet, numbers: &mut Numbers) -> State {
    let mut state = State::of_folder(&fleet.repository);
    some_nodes(&mut state, &fleet.facts, numbers);
    put(&mut state, "conf/puppet.conf", &format!("[main]\nbasemodulepath = {}\n", fleet.modules.display()));
    for _ in 0..2 {
        let name = numbers.pick(&MODULES);
        let module = State::of_folder(&fleet.modules.join(name));
        for path in module.paths().filter(|path| !UNASKED.iter().any(|part| format!("/{path}").contains(part))) {
            if let Some(bytes) = module.bytes(path) {
                state.edit(&Edit::Write(format!("modules/{name}/{path}"), bytes.to_vec()));
            }
        }
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
