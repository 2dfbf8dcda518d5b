//! Catalogs and edits drawn at random, on machines in memory: a partial run that asks everybody behind a change leaves what a full run
//! leaves that makes owed refreshes, and makes the same refreshes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use pantin_machine::InMemory;
use serde_json::{Map, Value, json};

use super::random_machine::{accounts, machine};
use super::testing::{TestRun, run, settings};
use crate::plan::Scope;
use crate::report::Status;
use crate::resource::ResourceInfo;
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
/// What some resources are tagged with.
const TAG: &str = "chosen";
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
    /// Runs with `--tags` apply it.
    is_tagged: bool,
}

impl Drawn {
    fn reference(&self) -> String {
        format!("{}[{}]", self.type_name, self.title)
    }

    fn json(&self) -> String {
        let name = self.type_name.to_lowercase();
        let tags = if self.is_tagged { vec![name.as_str(), "class", TAG] } else { vec![name.as_str(), "class"] };
        json!({
            "type": self.type_name,
            "title": self.title,
            "parameters": self.parameters,
            "container": self.container,
            "tags": tags,
        })
        .to_string()
    }

    fn can_refresh(&self) -> bool {
        ["Exec", "Class", "Service"].contains(&self.type_name)
    }
}

/// Draws classes, so that resources can stand in them.
fn draw_class(dice: &mut Dice, title: &str) -> Drawn {
    let parameters = json!({ "name": title }).as_object().cloned().unwrap_or_default();
    let container = if title == "C" { "Class[A]" } else { "Stage[main]" };
    Drawn {
        type_name: "Class",
        title: title.to_owned(),
        parameters,
        rank: dice.below(1000),
        container,
        is_tagged: false,
    }
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
        "Service" => draw_service(dice),
        "User" => draw_user(dice, title),
        "Group" => json!({ "ensure": presence(dice), "gid": if title == "g1" { 3001 } else { 3002 } }),
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
        _ => match dice.below(9) {
            0 => json!({ "ensure": "absent" }),
            1 => json!({ "source": dice.pick(&["/source/x", "/srv/a", "/srv/l/x"]) }),
            2 => json!({ "content": dice.pick(&CONTENTS), "mode": dice.pick(&["0644", "0600"]) }),
            3 => json!({ "content": dice.pick(&CONTENTS), "owner": dice.pick(&["u1", "u2"]) }),
            4 => json!({ "content": dice.pick(&CONTENTS), "group": dice.pick(&["g1", "g2"]) }),
            _ => json!({ "content": dice.pick(&CONTENTS) }),
        },
    }
}

fn presence(dice: &mut Dice) -> &'static str {
    if dice.one_in(4) { "absent" } else { "present" }
}

fn draw_user(dice: &mut Dice, title: &str) -> Value {
    let mut drawn = json!({
        "ensure": presence(dice),
        "uid": if title == "u1" { 2001 } else { 2002 },
        "home": format!("/srv/home-of-{title}"),
    });
    if dice.one_in(2) {
        drawn["comment"] = json!(dice.pick(&["one", "two"]));
    }
    if dice.one_in(3) {
        drawn["gid"] = json!(dice.pick(&["g1", "g2"]));
    }
    if dice.one_in(3) {
        drawn["managehome"] = json!(true);
    }
    drawn
}

fn draw_service(dice: &mut Dice) -> Value {
    let mut drawn = json!({ "ensure": dice.pick(&["running", "running", "stopped"]) });
    if dice.one_in(2) {
        drawn["enable"] = json!(dice.one_in(2));
    }
    drawn
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
        "Service",
        "User",
        "Group",
    ]);
    let title = match type_name {
        "File" => match dice.below(3) {
            0 => dice.pick(&["/srv/d", "/srv/e", "/srv/l"]),
            _ => dice.pick(&PATHS[..8]),
        },
        "Concat_file" => "/srv/joined",
        "Schedule" => "s",
        "Service" => dice.pick(&["web", "db"]),
        "User" => dice.pick(&["u1", "u2"]),
        "Group" => dice.pick(&["g1", "g2"]),
        "Tidy" => dice.pick(&["/srv/d", "/srv/e"]),
        _ => dice.pick(&["r1", "r2", "r3", "r4"]),
    };
    let parameters = draw_parameters(dice, type_name, title);
    let parameters = parameters.as_object().cloned().unwrap_or_default();
    let container = dice.pick(&["Class[main]", "Class[A]", "Class[A]", "Class[B]", "Class[C]"]);
    let is_tagged = dice.one_in(2);
    Drawn { type_name, title: title.to_owned(), parameters, rank: dice.below(1000), container, is_tagged }
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

fn apply(machine: &InMemory, scope: Scope, (catalog, is_by_tag): (&[Drawn], bool)) -> TestRun {
    let tags = if is_by_tag { vec![TAG.to_owned()] } else { Vec::new() };
    let settings = ApplySettings { state: Some("/var/state".into()), scope, tags, ..settings() };
    let resources: Vec<String> = catalog.iter().map(Drawn::json).collect();
    machine.pass(60);
    run(machine, &settings, &resources.join(","))
}

/// Returns what stands on a machine, with the log of its commands.
fn tree(machine: &InMemory) -> BTreeMap<PathBuf, String> {
    let files = machine.tree().into_iter().filter(|(path, _)| !path.starts_with("/var"));
    files.chain([(PathBuf::from("accounts"), accounts(machine))]).collect()
}

fn has_changed(run: &TestRun) -> bool {
    run.report
        .as_ref()
        .is_some_and(|report| report.statuses.iter().any(|(_, status)| status.is_changed || status.is_restarted))
}

/// Returns true if a full run would change what no edit since the last run of all resources asks for: a run by tag may let a command
/// run that it keeps away itself. Such a state is not one that the promise speaks of.
fn does_more_than_edits(stepped: &InMemory, catalog: &[Drawn], last: &[Drawn]) -> bool {
    let run = apply(&stepped.clone(), Scope { makes_owed: true, ..Scope::default() }, (catalog, false));
    let is_edited = |reference: &str| {
        let described = |catalog: &[Drawn]| catalog.iter().find(|one| one.reference() == reference).map(Drawn::json);
        described(catalog) != described(last)
    };
    // A command that fails has run, too.
    let does_something = |(info, status): &(Arc<ResourceInfo>, Status)| {
        (status.is_changed || (info.type_name == "Exec" && status.has_failed())) && !is_edited(&info.reference)
    };
    run.report.is_none_or(|report| report.statuses.iter().any(does_something))
}

/// Returns how many edits were inside the promise.
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
    let mut is_by_tag = false;
    let mut last_of_all = catalog.clone();
    let mut said = (apply(&partial, owed(), (&catalog, false)).lines, apply(&full, owed(), (&catalog, false)).lines);
    apply(&stepped, owed(), (&catalog, false));
    for _ in 0..4 {
        assert_eq!(tree(&partial), tree(&full), "{}", shown(number, &history, &said));
        let again = apply(&stepped, owed(), (&catalog, is_by_tag));
        // Where something stands makes resources, and they may close a circle: then nothing is applied, and nothing in step.
        let is_completed = again.report.as_ref().is_some_and(|report| report.is_completed);
        if !is_completed || has_changed(&again) || tree(&stepped) != tree(&full) {
            return checked;
        }
        if !is_by_tag {
            last_of_all.clone_from(&catalog);
        } else if does_more_than_edits(&stepped, &catalog, &last_of_all) {
            return checked;
        }
        for _ in 0..=dice.below(3) {
            edit(&mut dice, &mut catalog);
        }
        history.push(catalog.clone());
        let asks_all = Scope { asks_all: true, ..Scope::partial() };
        is_by_tag = dice.one_in(6);
        let run = (catalog.as_slice(), is_by_tag);
        said = (apply(&partial, asks_all, run).lines, apply(&full, owed(), run).lines);
        apply(&stepped, owed(), run);
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
    let (next, checked) = (AtomicU64::new(0), AtomicUsize::new(0));
    let work = || {
        for number in std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|next| *next < cases) {
            checked.fetch_add(check_case(number), Ordering::Relaxed);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let checked = checked.into_inner();
    assert!(checked as u64 > cases / 2, "only {checked} edits were inside the promise");
}
