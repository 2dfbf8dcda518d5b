//! Catalogs and edits drawn at random, on machines in memory: a partial run that asks everybody behind a change leaves what a full run
//! leaves that makes owed refreshes, and makes the same refreshes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use pantin_machine::{Ended, InMemory, NewFile, Output, System};
use serde_json::{Map, Value, json};

use super::testing::{TestRun, run, settings};
use crate::plan::Scope;
use crate::settings::ApplySettings;

/// More take a minute; `PANTIN_RANDOM_PLANS` says another number.
const CASES: u64 = 300;

/// Numbers that follow from the first one.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

const PATHS: [&str; 9] =
    ["/srv/a", "/srv/b", "/srv/c", "/srv/d/x", "/srv/d/y", "/srv/e/x", "/srv/l/x", "/srv/no/x", "/srv/l"];
const MADE: [&str; 5] = ["/srv/m1", "/srv/m2", "/srv/d/m", "/srv/e/m", "/srv/no/m"];
const CONTENTS: [&str; 3] = ["one\n", "two\n", "three\n"];

/// A resource that is written into catalogs.
#[derive(Clone)]
struct Drawn {
    type_name: &'static str,
    title: String,
    parameters: Map<String, Value>,
    /// It comes before those of higher ranks, whatever the manifest's order.
    rank: usize,
    container: &'static str,
}

impl Drawn {
    fn reference(&self) -> String {
        format!("{}[{}]", self.type_name, self.title)
    }

    fn json(&self) -> String {
        json!({
            "type": self.type_name,
            "title": self.title,
            "parameters": self.parameters,
            "container": self.container,
        })
        .to_string()
    }

    fn can_refresh(&self) -> bool {
        self.type_name == "Exec" || self.type_name == "Class"
    }
}

/// Draws classes, so that resources can stand in them.
fn draw_class(dice: &mut Dice, title: &str) -> Drawn {
    let parameters = json!({ "name": title }).as_object().cloned().unwrap_or_default();
    let container = if title == "C" { "Class[A]" } else { "Stage[main]" };
    Drawn { type_name: "Class", title: title.to_owned(), parameters, rank: dice.below(1000), container }
}

fn draw_parameters(dice: &mut Dice, type_name: &str, title: &str) -> Value {
    match type_name {
        "File" => draw_file(dice, title),
        "File_line" => json!({ "path": dice.pick(&["/srv/lines", "/srv/a"]), "line": dice.pick(&["l1", "l2"]) }),
        "Concat_file" => json!({ "path": "/srv/joined" }),
        "Concat_fragment" => json!({
            "target": "/srv/joined",
            "content": dice.pick(&CONTENTS),
            "order": dice.pick(&["1", "2", "3"]),
        }),
        "Tidy" => json!({ "path": title, "recurse": 1, "matches": [dice.pick(&["m", "x"])] }),
        "Schedule" => json!({ "period": dice.pick(&["daily", "hourly"]), "repeat": 9 }),
        _ => draw_exec(dice, title),
    }
}

fn draw_file(dice: &mut Dice, title: &str) -> Value {
    match title {
        "/srv/d" => match dice.below(3) {
            0 => json!({ "ensure": "directory" }),
            1 => json!({ "ensure": "directory", "recurse": true, "purge": true }),
            _ => json!({ "ensure": "directory", "recurse": true, "source": "/source" }),
        },
        "/srv/e" => json!({ "ensure": "directory", "mode": dice.pick(&["0755", "0750"]) }),
        "/srv/l" => json!({ "ensure": "link", "target": dice.pick(&["/srv/d", "/srv/e"]) }),
        _ => match dice.below(6) {
            0 => json!({ "ensure": "absent" }),
            1 => json!({ "source": dice.pick(&["/source/x", "/srv/a", "/srv/l/x"]) }),
            2 => json!({ "content": dice.pick(&CONTENTS), "mode": dice.pick(&["0644", "0600"]) }),
            _ => json!({ "content": dice.pick(&CONTENTS) }),
        },
    }
}

/// Draws a command that has checks: one without any is outside the promise.
fn draw_exec(dice: &mut Dice, title: &str) -> Value {
    let made = dice.pick(&MADE);
    let source = dice.pick(&PATHS);
    let mut drawn = match dice.below(6) {
        0 => json!({ "command": format!("/bin/say {title}"), "refreshonly": true }),
        1 => json!({ "command": format!("/bin/make {title} {made}"), "creates": made }),
        2 => json!({ "command": format!("/bin/make {title} {made}"), "unless": format!("/bin/there {made}") }),
        3 => json!({ "command": format!("/bin/copy {title} {source} /srv/copy-of-{title}"), "refreshonly": true }),
        4 => json!({
            "command": format!("/bin/copy {title} {source} /srv/copy-of-{title}"),
            "unless": format!("/bin/same {source} /srv/copy-of-{title}"),
        }),
        _ => json!({ "command": format!("/bin/need {title} {source}"), "unless": format!("/bin/there {source}") }),
    };
    if dice.one_in(5) {
        drawn["onlyif"] = json!(format!("/bin/there {}", dice.pick(&PATHS)));
    }
    drawn
}

fn draw(dice: &mut Dice) -> Drawn {
    let type_name = dice.pick(&[
        "File",
        "File",
        "File",
        "File",
        "Exec",
        "Exec",
        "Exec",
        "File_line",
        "Concat_fragment",
        "Concat_file",
        "Schedule",
        "Tidy",
    ]);
    let title = match type_name {
        "File" => match dice.below(3) {
            0 => dice.pick(&["/srv/d", "/srv/e", "/srv/l"]),
            _ => dice.pick(&PATHS[..8]),
        },
        "Concat_file" => "/srv/joined",
        "Schedule" => "s",
        "Tidy" => dice.pick(&["/srv/d", "/srv/e"]),
        _ => dice.pick(&["r1", "r2", "r3", "r4"]),
    };
    let parameters = draw_parameters(dice, type_name, title);
    let parameters = parameters.as_object().cloned().unwrap_or_default();
    let container = dice.pick(&["Class[main]", "Class[A]", "Class[A]", "Class[B]", "Class[C]"]);
    Drawn { type_name, title: title.to_owned(), parameters, rank: dice.below(1000), container }
}

/// Adds an edge from a resource of a lower rank to one of a higher.
fn add_edge(dice: &mut Dice, catalog: &mut [Drawn]) {
    let (one, other) = (dice.below(catalog.len()), dice.below(catalog.len()));
    let (before, after) = if catalog[one].rank < catalog[other].rank { (one, other) } else { (other, one) };
    if catalog[before].rank == catalog[after].rank {
        return;
    }
    let name = if catalog[after].can_refresh() && !dice.one_in(3) { "subscribe" } else { "require" };
    let target = catalog[before].reference();
    catalog[after].parameters.insert(name.to_owned(), json!([target]));
}

fn edit(dice: &mut Dice, catalog: &mut Vec<Drawn>) {
    match dice.below(9) {
        0 | 1 => add(dice, catalog),
        2 if catalog.len() > 2 => {
            let place = dice.below(catalog.len());
            if catalog[place].type_name == "Class" {
                return;
            }
            let gone = catalog.remove(place).reference();
            for one in catalog.iter_mut() {
                one.parameters.retain(|_, value| value.as_array().is_none_or(|items| items[0] != json!(gone)));
            }
        }
        3 => add_edge(dice, catalog),
        4 => {
            let (one, other) = (dice.below(catalog.len()), dice.below(catalog.len()));
            catalog.swap(one, other);
        }
        5 => {
            let place = dice.below(catalog.len());
            if let Some(schedule) = catalog.iter().find(|one| one.type_name == "Schedule").map(|one| one.title.clone())
                && catalog[place].type_name == "File"
            {
                catalog[place].parameters.insert("schedule".to_owned(), json!(schedule));
            }
        }
        _ => {
            let place = dice.below(catalog.len());
            let one = &mut catalog[place];
            if one.type_name == "Class" {
                return;
            }
            let drawn = draw_parameters(dice, one.type_name, &one.title);
            let drawn = drawn.as_object().cloned().unwrap_or_default();
            one.parameters.retain(|name, _| ["require", "subscribe"].contains(&name.as_str()));
            one.parameters.extend(drawn);
        }
    }
}

fn add(dice: &mut Dice, catalog: &mut Vec<Drawn>) {
    let drawn = draw(dice);
    if !catalog.iter().any(|known| known.reference() == drawn.reference()) {
        let place = dice.below(catalog.len() + 1);
        catalog.insert(place, drawn);
    }
}

fn machine() -> InMemory {
    let word = |arguments: &[OsString], place: usize| arguments[place].to_string_lossy().into_owned();
    let answer =
        |is_success: bool| Output { ended: Ended::Code(i32::from(!is_success)), text: Vec::new(), is_cut: false };
    InMemory::new()
        .with_folder("/srv")
        .with_folder("/var")
        .with_folder("/source")
        .with_file("/source/x", "source\n")
        .with_folder("/source/deep")
        .with_file("/source/deep/z", "deep\n")
        .with_file("/srv/lines", "first\n")
        .with_program("/bin/say", move |machine, command| {
            append(machine, &format!("say {}", word(&command.arguments, 0)));
            answer(true)
        })
        .with_program("/bin/make", move |machine, command| {
            append(machine, &format!("make {}", word(&command.arguments, 0)));
            answer(write(machine, &word(&command.arguments, 1), b"made\n"))
        })
        .with_program("/bin/copy", move |machine, command| {
            append(machine, &format!("copy {}", word(&command.arguments, 0)));
            let bytes = read(machine, &word(&command.arguments, 1));
            answer(bytes.is_some_and(|bytes| write(machine, &word(&command.arguments, 2), &bytes)))
        })
        .with_program("/bin/there", move |machine, command| {
            answer(read(machine, &word(&command.arguments, 0)).is_some())
        })
        .with_program("/bin/same", move |machine, command| {
            let one = read(machine, &word(&command.arguments, 0));
            answer(one.is_some() && one == read(machine, &word(&command.arguments, 1)))
        })
        .with_program("/bin/need", move |machine, command| {
            append(machine, &format!("need {}", word(&command.arguments, 0)));
            answer(read(machine, &word(&command.arguments, 1)).is_some())
        })
}

fn read(machine: &InMemory, path: &str) -> Option<Vec<u8>> {
    pantin_machine::Reading::read(machine, path.as_ref(), 1 << 20).ok()
}

fn write(machine: &InMemory, path: &str, content: &[u8]) -> bool {
    machine.replace(path.as_ref(), &NewFile::new(content, 0o644)).is_ok()
}

fn append(machine: &InMemory, line: &str) {
    let known = machine.text("/log").unwrap_or_default();
    write(machine, "/log", format!("{known}{line}\n").as_bytes());
}

fn apply(machine: &InMemory, scope: Scope, catalog: &[Drawn]) -> TestRun {
    let settings = ApplySettings { state: Some("/var/state".into()), scope, ..settings() };
    let resources: Vec<String> = catalog.iter().map(Drawn::json).collect();
    machine.pass(60);
    run(machine, &settings, &resources.join(","))
}

/// What stands on a machine, with the log of its commands.
fn tree(machine: &InMemory) -> BTreeMap<PathBuf, String> {
    machine.tree().into_iter().filter(|(path, _)| !path.starts_with("/var")).collect()
}

fn has_changed(run: &TestRun) -> bool {
    run.report
        .as_ref()
        .is_some_and(|report| report.statuses.iter().any(|(_, status)| status.is_changed || status.is_restarted))
}

/// Returns false if the first state of the machine is not one that the promise speaks of.
fn check_case(number: u64) -> usize {
    let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let mut catalog: Vec<Drawn> = ["A", "B", "C"].iter().map(|title| draw_class(&mut dice, title)).collect();
    for _ in 0..3 + dice.below(7) {
        add(&mut dice, &mut catalog);
    }
    for _ in 0..dice.below(5) {
        add_edge(&mut dice, &mut catalog);
    }
    let owed = || Scope { makes_owed: true, ..Scope::default() };
    let (partial, full, stepped) = (machine(), machine(), machine());
    let mut history = vec![catalog.clone()];
    let mut checked = 0;
    let mut said = (apply(&partial, owed(), &catalog).lines, apply(&full, owed(), &catalog).lines);
    apply(&stepped, owed(), &catalog);
    for _ in 0..4 {
        assert_eq!(tree(&partial), tree(&full), "{}", shown(number, &history, &said));
        let again = apply(&stepped, owed(), &catalog);
        if again.report.is_none() || has_changed(&again) || tree(&stepped) != tree(&full) {
            return checked;
        }
        for _ in 0..=dice.below(3) {
            edit(&mut dice, &mut catalog);
        }
        history.push(catalog.clone());
        let asks_all = Scope { asks_all: true, ..Scope::partial() };
        said = (apply(&partial, asks_all, &catalog).lines, apply(&full, owed(), &catalog).lines);
        apply(&stepped, owed(), &catalog);
        checked += 1;
    }
    assert_eq!(tree(&partial), tree(&full), "{}", shown(number, &history, &said));
    checked
}

/// Shows a case that went wrong.
fn shown(number: u64, history: &[Vec<Drawn>], (partial, full): &(Vec<String>, Vec<String>)) -> String {
    let catalogs: Vec<String> = history
        .iter()
        .rev()
        .take(2)
        .rev()
        .map(|catalog| catalog.iter().map(Drawn::json).collect::<Vec<_>>().join("\n"))
        .collect();
    format!("case {number}:\n{}\npartial:\n{}\nfull:\n{}", catalogs.join("\n--\n"), partial.join("\n"), full.join("\n"))
}

#[test]
#[allow(clippy::disallowed_methods, reason = "whoever looks for more cases says so by a variable")]
fn a_partial_run_leaves_what_a_full_run_leaves() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(number) = variable("PANTIN_RANDOM_PLAN") {
        check_case(number);
        return;
    }
    let cases = variable("PANTIN_RANDOM_PLANS").unwrap_or(CASES);
    let checked: usize = (0..cases).map(check_case).sum();
    assert!(checked as u64 > cases / 2, "only {checked} edits were inside the promise");
}
