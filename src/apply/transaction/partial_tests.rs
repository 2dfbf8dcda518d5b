//! Partial runs: what an edit asks for, what follows from it, and what is left alone.

use pantin_machine::{Ended, InMemory, NewFile, Output, System};

use super::testing::{TestRun, run, settings};
use crate::plan::{DriftMode, Plan, PlannedResource, Prune, Scope};
use crate::settings::ApplySettings;
use crate::state::{Applied, Entry, TableAccess};

fn full() -> ApplySettings {
    ApplySettings { state: Some("/var/state".into()), ..settings() }
}

fn partial() -> ApplySettings {
    ApplySettings { scope: Scope::partial(), ..full() }
}

/// A machine with `say`, which writes a line to a log, and `ask`, which notes that it was asked and says yes if a file is there.
fn machine() -> InMemory {
    let text = |arguments: &[std::ffi::OsString], place: usize| arguments[place].to_string_lossy().into_owned();
    InMemory::new()
        .with_folder("/srv")
        .with_folder("/var")
        .with_program("/bin/say", move |machine, command| {
            append(machine, "/log", &text(&command.arguments, 0));
            answer(0)
        })
        .with_program("/bin/ask", move |machine, command| {
            append(machine, "/asked", &text(&command.arguments, 0));
            let is_there = machine.text(&text(&command.arguments, 1)).is_some();
            answer(i32::from(!is_there))
        })
        .with_program("/bin/make", move |machine, command| {
            write(machine, &text(&command.arguments, 0), "made\n");
            answer(0)
        })
}

fn answer(code: i32) -> Output {
    Output { ended: Ended::Code(code), text: Vec::new(), is_cut: false }
}

fn append(machine: &InMemory, path: &str, line: &str) {
    let known = machine.text(path).unwrap_or_default();
    write(machine, path, &format!("{known}{line}\n"));
}

fn write(machine: &InMemory, path: &str, content: &str) {
    machine.replace(path.as_ref(), &NewFile::new(content.as_bytes(), 0o644)).unwrap();
}

fn file(title: &str, content: &str, more: &str) -> String {
    format!(r#"{{"type":"File","title":"{title}","parameters":{{"content":"{content}"{more}}}}}"#)
}

fn exec(title: &str, more: &str) -> String {
    format!(r#"{{"type":"Exec","title":"{title}","parameters":{{"command":"/bin/say {title}"{more}}}}}"#)
}

fn apply(machine: &InMemory, settings: &ApplySettings, resources: &[String]) -> TestRun {
    run(machine, settings, &resources.join(","))
}

/// Applies by a partial run, and returns what was said to the log and who was asked meanwhile.
fn edit(machine: &InMemory, settings: &ApplySettings, resources: &[String]) -> (String, String) {
    write(machine, "/log", "");
    write(machine, "/asked", "");
    apply(machine, settings, resources);
    (machine.text("/log").unwrap(), machine.text("/asked").unwrap())
}

const NOTIFY: &str = r#","notify":"Exec[reload]""#;
const ON_REFRESH: &str = r#","refreshonly":true"#;

#[test]
fn an_edit_applies_what_it_names_and_what_that_refreshes() {
    let machine = machine();
    let resources =
        |content: &str| vec![file("/srv/a", content, NOTIFY), file("/srv/other", "o", ""), exec("reload", ON_REFRESH)];
    apply(&machine, &full(), &resources("1"));
    write(&machine, "/srv/a", "by somebody else");
    assert_eq!(edit(&machine, &partial(), &resources("1")), (String::new(), String::new()));
    assert_eq!(machine.text("/srv/a").unwrap(), "by somebody else", "nothing was edited");
    assert_eq!(edit(&machine, &partial(), &resources("2")).0, "reload\n");
    assert_eq!(machine.text("/srv/a").unwrap(), "2");
    assert_eq!(edit(&machine, &partial(), &resources("2")).0, "");
}

#[test]
fn checks_are_asked_behind_a_change_and_in_its_class_alone() {
    let machine = machine();
    let unless = |more: &str| format!(r#","unless":"/bin/ask NAME /srv/a"{more}"#);
    let asked = |name: &str, more: &str| exec(name, &unless(more).replace("NAME", name));
    let resources = |content: &str| {
        vec![
            asked("before", ""),
            file("/srv/a", content, ""),
            asked("later", ""),
            asked("behind", r#","require":"File[/srv/a]""#),
        ]
    };
    apply(&machine, &full(), &resources("1"));
    assert_eq!(edit(&machine, &partial(), &resources("1")).1, "");
    // All stand in the main class, which is one.
    assert_eq!(edit(&machine, &partial(), &resources("2")).1, "later\nbehind\n");
}

#[test]
fn a_file_that_is_made_and_cannot_be_given_away_has_changed() {
    let machine = machine();
    let later = exec("later", r#","unless":"/bin/ask later /srv/a""#);
    let resources = |more: &str| vec![file("/srv/a", "1", more), later.clone()];
    apply(&machine, &full(), &resources(r#","ensure":"absent""#));
    let (_, asked) = edit(&machine, &partial(), &resources(r#","owner":"nobody-has-this-name""#));
    assert_eq!(machine.text("/srv/a").as_deref(), Some("1"));
    assert_eq!(asked, "later\n", "the file is there, whoever owns it");
}

#[test]
fn a_command_without_checks_runs_once_for_its_description() {
    let machine = machine();
    let resources = |content: &str, more: &str| vec![file("/srv/a", content, ""), exec("push", more)];
    let require = r#","require":"File[/srv/a]""#;
    let subscribe = r#","subscribe":"File[/srv/a]""#;
    apply(&machine, &full(), &resources("1", require));
    assert_eq!(edit(&machine, &partial(), &resources("2", require)).0, "");
    assert_eq!(edit(&machine, &partial(), &resources("3", subscribe)).0, "push\n");
    assert_eq!(
        edit(&machine, &partial(), &resources("3", r#","cwd":"/srv""#)).0,
        "push\n",
        "it is described otherwise"
    );
}

#[test]
fn what_failed_and_what_was_skipped_for_it_is_tried_again() {
    let machine = machine();
    let resources = vec![
        file("/no/f", "f", NOTIFY),
        exec("after", r#","creates":"/srv/after","require":"File[/no/f]""#),
        exec("reload", ON_REFRESH),
    ];
    apply(&machine, &full(), &resources);
    machine.change("/no".as_ref(), &pantin_machine::Change::Folder(0o755)).unwrap();
    assert_eq!(edit(&machine, &partial(), &resources).0, "after\nreload\n");
    assert_eq!(machine.text("/no/f").unwrap(), "f");
}

#[test]
fn a_lost_refresh_is_made_up_for() {
    let machine = machine();
    let resources = |content: &str, needed: &str| {
        vec![
            file("/srv/a", content, NOTIFY),
            format!(r#"{{"type":"Exec","title":"needed","parameters":{{"command":"{needed}"}}}}"#),
            exec("reload", &format!(r#"{ON_REFRESH},"require":"Exec[needed]""#)),
        ]
    };
    apply(&machine, &full(), &resources("1", "/bin/true"));
    assert_eq!(edit(&machine, &partial(), &resources("2", "/bin/false")).0, "");
    assert_eq!(edit(&machine, &partial(), &resources("2", "/bin/true")).0, "reload\n");
    assert_eq!(edit(&machine, &partial(), &resources("2", "/bin/true")).0, "");
    let owed = |settings: &ApplySettings| {
        edit(&machine, &partial(), &resources("3", "/bin/false"));
        edit(&machine, settings, &resources("3", "/bin/true")).0
    };
    assert_eq!(owed(&full()), "", "a plain run does as Puppet does");
    let makes_owed = Scope { makes_owed: true, ..Scope::default() };
    assert_eq!(
        edit(&machine, &ApplySettings { scope: makes_owed, ..full() }, &resources("3", "/bin/true")).0,
        "reload\n"
    );
}

#[test]
fn what_stands_before_a_seed_or_its_target_is_mended() {
    let machine = machine();
    let resources = |content: &str| {
        vec![
            file("/srv/g", "g", ""),
            file("/srv/stranger", "s", ""),
            file("/srv/a", content, r#","notify":"Exec[use]""#),
            exec("use", r#","refreshonly":true,"require":"File[/srv/g]""#),
        ]
    };
    apply(&machine, &full(), &resources("1"));
    write(&machine, "/srv/g", "drift");
    write(&machine, "/srv/stranger", "drift");
    edit(&machine, &partial(), &resources("2"));
    assert_eq!(machine.text("/srv/g").unwrap(), "g");
    assert_eq!(
        machine.text("/srv/stranger").unwrap(),
        "drift",
        "it stands before the command, and nothing waits for it"
    );
}

#[test]
fn what_a_change_may_have_touched_is_looked_at_again() {
    let machine = machine();
    let make = |more: &str| {
        format!(
            r#"{{"type":"Exec","title":"make","parameters":{{"command":"/bin/make /srv/a","creates":"/srv/done{more}"}}}}"#
        )
    };
    let resources = |more: &str| vec![make(more), file("/srv/a", "a", "")];
    write(&machine, "/srv/done", "");
    apply(&machine, &full(), &resources(""));
    edit(&machine, &partial(), &resources("2"));
    assert_eq!(machine.text("/srv/a").unwrap(), "a", "the command has written into a later file");
}

#[test]
fn two_commands_that_change_places_run_again() {
    let machine = machine();
    let (one, two) = (exec("one", ""), exec("two", ""));
    apply(&machine, &full(), &[one.clone(), two.clone()]);
    assert_eq!(edit(&machine, &partial(), &[two.clone(), one.clone()]).0, "two\none\n");
    assert_eq!(edit(&machine, &partial(), &[two, one]).0, "");
}

#[test]
fn drift_is_told_or_mended_where_that_is_asked_for() {
    let machine = machine();
    let resources = vec![file("/srv/a", "a", NOTIFY), exec("reload", ON_REFRESH)];
    apply(&machine, &full(), &resources);
    write(&machine, "/srv/a", "drift");
    let with = |drift| ApplySettings { scope: Scope { drift: Some(drift), ..Scope::partial() }, ..full() };
    assert_eq!(edit(&machine, &with(DriftMode::Look), &resources).0, "");
    assert_eq!(machine.text("/srv/a").unwrap(), "drift");
    assert_eq!(edit(&machine, &with(DriftMode::Mend), &resources).0, "reload\n");
    assert_eq!(machine.text("/srv/a").unwrap(), "a");
}

#[test]
fn what_left_the_catalog_is_removed_if_pantin_made_it_and_nobody_has_touched_it() {
    let machine = machine();
    write(&machine, "/srv/was-there", "before");
    let all: Vec<String> =
        ["/srv/made", "/srv/touched", "/srv/was-there", "/srv/kept"].iter().map(|path| file(path, "x", "")).collect();
    apply(&machine, &full(), &all);
    write(&machine, "/srv/touched", "by somebody else");
    let kept = vec![all[3].clone()];
    edit(&machine, &partial(), &kept);
    assert!(machine.text("/srv/made").is_some(), "it is only told");
    let prune = |most| Scope { prune: Some(Prune::Usual), max_removals: most, ..Scope::partial() };
    edit(&machine, &ApplySettings { scope: prune(0), ..full() }, &kept);
    assert!(machine.text("/srv/made").is_some(), "too many");
    edit(&machine, &ApplySettings { scope: prune(10), ..full() }, &kept);
    assert!(machine.text("/srv/made").is_none());
    assert!(machine.text("/srv/touched").is_some() && machine.text("/srv/was-there").is_some());
    let again = apply(&machine, &ApplySettings { scope: prune(10), ..full() }, &kept);
    assert_eq!(again.report.unwrap().exit_code(), 0);
}

#[test]
fn a_purged_folder_into_which_a_command_writes_is_unknown() {
    let machine = machine();
    let resources = |content: &str| {
        vec![
            r#"{"type":"File","title":"/srv/d","parameters":{"ensure":"directory","recurse":true,"purge":true}}"#.to_owned(),
            r#"{"type":"Exec","title":"make","parameters":{"command":"/bin/make /srv/d/x","creates":"/srv/d/x","require":"File[/srv/d]"}}"#
                .to_owned(),
            file("/srv/z", content, ""),
        ]
    };
    apply(&machine, &full(), &resources("1"));
    let count = |machine: &InMemory| machine.commands().iter().filter(|line| line.contains("make")).count();
    assert_eq!(count(&machine), 1);
    edit(&machine, &partial(), &resources("2"));
    assert_eq!(count(&machine), 2, "it was purged and made again");
}

fn planned(machine: &InMemory, scope: Scope, resources: &[String]) -> Plan {
    let scope = Scope { is_plan: true, ..scope };
    let before = machine.tree();
    let run = apply(machine, &ApplySettings { scope, noop: true, ..full() }, resources);
    assert_eq!(machine.tree(), before, "a plan changes nothing and asks nobody");
    run.plan
}

fn names(resources: &[PlannedResource]) -> Vec<&str> {
    resources.iter().map(|one| one.resource.as_str()).collect()
}

#[test]
fn a_plan_tells_seeds_what_follows_and_what_changes() {
    let machine = machine();
    let resources = |content: &str| {
        vec![
            file("/srv/stranger", "s", ""),
            file("/srv/a", content, NOTIFY),
            exec("reload", ON_REFRESH),
            exec("asked", r#","unless":"/bin/ask asked /srv/a","require":"File[/srv/a]""#),
        ]
    };
    let plan = planned(&machine, Scope::partial(), &resources("1"));
    assert_eq!(plan.seeds.len(), 4, "everything is new");
    apply(&machine, &full(), &resources("1"));
    let plan = planned(&machine, Scope::partial(), &resources("1"));
    assert_eq!((plan.seeds.len(), plan.looked_at.len(), plan.has_changes()), (0, 0, false));
    let plan = planned(&machine, Scope::partial(), &resources("2"));
    assert_eq!(names(&plan.seeds), ["File[/srv/a]"]);
    assert_eq!(names(&plan.looked_at), ["Exec[reload]", "Exec[asked]"]);
    assert_eq!(names(&plan.unknown), ["Exec[asked]"]);
    assert_eq!(plan.left_alone, 1);
    assert_eq!(plan.changes.len(), 1);
    assert_eq!(plan.changes[0].property, "content");
    assert!(plan.has_changes());
}

#[test]
fn a_plan_changes_nothing_whatever_a_resource_says() {
    let machine = machine();
    let resources = [file("/srv/a", "a", r#","noop":false"#), exec("run", r#","noop":false"#)];
    let plan = planned(&machine, Scope { plans_checks: true, ..Scope::partial() }, &resources);
    assert_eq!(names(&plan.seeds), ["File[/srv/a]", "Exec[run]"]);
    assert!(plan.has_changes());
}

#[test]
fn a_plan_names_the_checks_that_were_run() {
    let machine = machine();
    let waiting = exec("reload", r#","refreshonly":true,"onlyif":"/bin/true","subscribe":["File[/srv/a]"]"#);
    let asked = exec("asked", r#","unless":"/bin/false""#);
    let resources = [file("/srv/a", "a", ""), waiting, asked];
    let plan = planned(&machine, Scope { plans_checks: true, ..Scope::partial() }, &resources);
    assert_eq!(plan.checks_run, ["Exec[asked]"]);
}

#[test]
fn verification_tells_what_a_full_run_would_change() {
    let machine = machine();
    let resources = [
        file("/srv/a", "a", ""),
        file("/srv/b", "b", r#","noop":true"#),
        exec("once", ""),
        exec("asked", r#","unless":"/bin/ask asked /srv/a""#),
        r#"{"type":"Notify","title":"words","parameters":{}}"#.to_owned(),
    ];
    apply(&machine, &full(), &resources);
    let changes = |machine: &InMemory| {
        let settings = ApplySettings { scope: Scope::verification(), ..full() };
        let run = apply(machine, &settings, &resources);
        run.plan.changes.into_iter().map(|change| change.resource).collect::<Vec<String>>()
    };
    assert!(changes(&machine).is_empty());
    write(&machine, "/srv/a", "another");
    assert_eq!(changes(&machine), ["File[/srv/a]"]);
    assert_eq!(machine.text("/srv/a").unwrap(), "another");
}

#[test]
fn a_plan_tells_what_left_the_catalog_and_what_would_be_removed() {
    let machine = machine();
    let all = vec![file("/srv/a", "a", ""), file("/srv/b", "b", "")];
    apply(&machine, &full(), &all);
    let plan = planned(&machine, Scope::partial(), &all[..1]);
    assert_eq!((plan.removed.as_slice(), plan.has_changes()), (["File[/srv/b]".to_owned()].as_slice(), false));
    let prune = Scope { prune: Some(Prune::Usual), ..Scope::partial() };
    let plan = planned(&machine, prune.clone(), &all[..1]);
    assert_eq!(plan.removed, plan.pruned);
    assert!(plan.has_changes());
    apply(&machine, &ApplySettings { scope: prune.clone(), ..full() }, &all[..1]);
    assert!(planned(&machine, prune, &all[..1]).removed.is_empty());
}

#[test]
fn what_another_manifest_applied_since_is_applied_again() {
    let machine = machine();
    let of = |entry: &str, settings: ApplySettings| ApplySettings { entry: entry.to_owned(), ..settings };
    let (one, two) = (vec![file("/srv/a", "1", "")], vec![file("/srv/a", "2", "")]);
    apply(&machine, &of("one", full()), &one);
    apply(&machine, &of("two", partial()), &two);
    assert_eq!(machine.text("/srv/a").unwrap(), "2");
    apply(&machine, &of("one", partial()), &one);
    assert_eq!(machine.text("/srv/a").unwrap(), "1");
    apply(&machine, &of("two", partial()), &two);
    assert_eq!(machine.text("/srv/a").unwrap(), "2");
}

#[test]
fn a_link_that_is_turned_concerns_what_lies_behind_it() {
    let machine = machine().with_folder("/srv/r1").with_folder("/srv/r2");
    let resources = |target: &str| {
        vec![
            format!(r#"{{"type":"File","title":"/srv/cur","parameters":{{"ensure":"link","target":"{target}"}}}}"#),
            r#"{"type":"Exec","title":"make","parameters":{"command":"/bin/make /srv/cur/made","creates":"/srv/cur/made"}}"#
                .to_owned(),
            r#"{"type":"File","title":"/srv/copy","parameters":{"source":"/srv/cur/made"}}"#.to_owned(),
        ]
    };
    apply(&machine, &full(), &resources("/srv/r1"));
    edit(&machine, &partial(), &resources("/srv/r2"));
    assert!(machine.text("/srv/r2/made").is_some());
}

#[test]
fn what_a_killed_run_had_begun_is_a_change_at_the_start_of_the_next() {
    let machine = machine();
    let resources = |command: &str| {
        vec![
            file("/srv/a", "a", ""),
            format!(r#"{{"type":"Exec","title":"long","parameters":{{"command":"{command}","creates":"/srv/done"}}}}"#),
            exec("behind", r#","unless":"/bin/ask behind /srv/a","require":"Exec[long]""#),
        ]
    };
    write(&machine, "/srv/done", "");
    apply(&machine, &full(), &resources("/bin/true"));
    let entry = format!("{}\n{}", full().certname, full().entry);
    let mut table = Applied::open(&machine, "/var/state".as_ref(), &entry, TableAccess::Write).unwrap().0;
    let begin = Entry::Begin {
        reference: "Exec[long]".into(),
        digest: "d".into(),
        tells: Vec::new(),
        writes: Vec::new(),
        time: 1,
        is_refresh: false,
    };
    table.write(&begin).unwrap();
    write(&machine, "/srv/a", "half of something");
    assert_eq!(edit(&machine, &partial(), &resources("/bin/true")).1, "behind\n");
    assert_eq!(machine.text("/srv/a").unwrap(), "a", "the command may have written anywhere");
    assert_eq!(edit(&machine, &partial(), &resources("/bin/true")).1, "");
}

#[test]
fn what_a_resource_makes_in_one_run_changes_no_order_for_the_next() {
    let machine = machine().with_folder("/srv/t").with_file("/srv/t/old.tmp", "");
    let resources = [
        r#"{"type":"Tidy","title":"/srv/t","parameters":{"matches":["*.tmp"],"recurse":1}}"#.to_owned(),
        r#"{"type":"File","title":"/srv/t","parameters":{"ensure":"directory"}}"#.to_owned(),
    ];
    apply(&machine, &full(), &resources);
    assert!(machine.text("/srv/t/old.tmp").is_none());
    assert!(planned(&machine, Scope::partial(), &resources).seeds.is_empty());
}
