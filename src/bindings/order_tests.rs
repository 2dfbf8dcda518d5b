//! The same set of definitions, in whatever order its files were found, gives the same injector or the same errors.

use std::sync::Arc;

use pantin_base::Source;
use pantin_syntax::Settings;

use crate::{Category, Definition, EmptyOutside, Injector, Layer, State, UnknownKeys, check_all_states};

/// How many sets are tried; `PANTIN_BINDING_SETS` says another number, `PANTIN_BINDING_SEED` where they begin.
const SETS: u64 = 3000;

/// Numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.next(of.len())]
    }
}

fn operation(random: &mut Random, depth: usize) -> String {
    let key = |random: &mut Random| random.pick(&["a", "b", "c", "d"]).to_owned();
    let (one, other) = (key(random), key(random));
    let value = random.pick(&["1", "2", "'t'", "undef", "[1]", "$x", "f()"]).to_owned();
    let flag = random.pick(&["", "", "", "", "", "", "override "]).to_owned();
    match random.next(24) {
        20.. => format!("bind \"{one}{}\" to {value}", random.next(9)),
        0..5 => format!("bind {flag}\"{one}\" to {value}"),
        5 => format!("bind abstract \"{one}\""),
        6 => format!("bind abstract override \"{one}\""),
        7 => format!("bind \"{one}\" to optional {value}"),
        8 => format!("bind Integer, \"{one}\" to {value}"),
        9 => format!("bind alias \"{one}\" as \"{other}\""),
        10 => format!("bind renamed \"{one}\" as \"{other}\""),
        11 => format!("rebind \"{one}\""),
        12 => {
            format!("multibind {} , \"{one}\" as 'i'", random.pick(&["Array[Data]", "Hash[Data]"])).replace(" ,", ",")
        }
        13 => format!("bind '{one}' to {value} in 'i'"),
        14 => format!("bind to {value} in 'i'"),
        15 => format!("{} {one}", random.pick(&["include", "exclude"])),
        16 => format!("bind parameters {one} to {{ p => {value} }}"),
        17 => format!("bind variables to {{ {one} => {value} }}"),
        18 => format!("bind class {one} to class {other}"),
        _ if depth > 2 => format!("bind \"{one}\" to {value}"),
        _ => {
            let condition =
                random.pick(&["virtual true", "node n", "virtual false", "node n or virtual true", "rack r"]);
            format!("when {condition} {{ {} }}", body(random, depth + 1))
        }
    }
}

fn body(random: &mut Random, depth: usize) -> String {
    let count = 1 + random.next(3);
    (0..count).map(|_| operation(random, depth)).collect::<Vec<_>>().join("\n")
}

pub(super) fn definition(name: &str, body: &str) -> Option<Arc<Definition>> {
    let text = format!("bindings {name} {{ {body} }}");
    let source = Arc::new(Source::new(Some(name), &text).ok()?);
    let file = pantin_syntax::parse_bindings(&source, Settings::default()).result.ok()?;
    let uri = format!("env:/{name}");
    let shown: Arc<str> = name.into();
    let definition = Definition::from_file(&uri, &Arc::new(file), &source, &shown, &mut EmptyOutside::default());
    Some(Arc::new(definition))
}

fn state(is_known: bool) -> State {
    let category = |name: &str, value: &str| Category { name: name.into(), value: is_known.then(|| value.into()) };
    let categories = vec![category("node", "n"), category("virtual", "true"), category("rack", "other")];
    State { categories }
}

/// Returns all that can be seen of an injector: what is wrong, and the value of each key. Whether it can be made at
/// all.
fn seen(layers: Vec<Layer>) -> (Vec<String>, bool) {
    let mut outside = EmptyOutside::default();
    let (injector, problems) = Injector::new(layers.clone(), state(true), &mut outside);
    let is_right = problems.iter().all(|problem| problem.rule.severity != pantin_base::Severity::Error);
    let mut seen: Vec<String> =
        problems.iter().map(|problem| format!("{} {}", problem.rule.code, problem.one_line())).collect();
    for key in injector.bound_keys() {
        let explained = injector.explain(key, None, &mut outside);
        let value = explained.value.map_err(|fault| fault.message.to_string());
        let verdicts: Vec<String> = explained
            .candidates
            .iter()
            .map(|one| format!("{} {:?} {}", one.verdict.text(), one.because, one.uri))
            .collect();
        seen.push(format!("{key} = {value:?} {verdicts:?}"));
    }
    let checked = check_all_states(layers, &state(false), &mut EmptyOutside::default());
    seen.extend(checked.problems.iter().map(|problem| format!("{} {}", problem.rule.code, problem.one_line())));
    (seen, is_right)
}

fn shuffled(layers: &[Layer], random: &mut Random) -> Vec<Layer> {
    let mut layers = layers.to_vec();
    for layer in &mut layers {
        for last in (1..layer.definitions.len()).rev() {
            layer.definitions.swap(last, random.next(last + 1));
        }
    }
    layers
}

/// A number of whoever runs the test.
#[expect(clippy::disallowed_methods, reason = "nothing but the test is told")]
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_order_of_files_says_nothing() {
    let (sets, seed) = (number("PANTIN_BINDING_SETS", SETS), number("PANTIN_BINDING_SEED", 1));
    let (mut right, mut wrong) = (0, 0);
    for set in seed..seed + sets {
        let mut random = Random(set.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut layers = Vec::new();
        for layer in 0..3 {
            let names: Vec<String> = (0..1 + random.next(3)).map(|file| format!("l{layer}::f{file}")).collect();
            let definitions = names.iter().filter_map(|name| definition(name, &body(&mut random, 0)));
            layers.push(Layer {
                title: format!("layer {layer}").into(),
                definitions: definitions.collect(),
                has_data: false,
                unknown: UnknownKeys::None,
            });
        }
        let first = seen(layers.clone());
        if first.1 {
            right += 1
        } else {
            wrong += 1
        }
        for _ in 0..3 {
            assert_eq!(seen(shuffled(&layers, &mut random)), first, "set {set}");
        }
    }
    assert!(right > sets / 20 && wrong > sets / 20, "of {sets} sets {right} are right, {wrong} are wrong");
}
