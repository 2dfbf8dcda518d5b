//! Packages on a machine in memory: which commands are run, in which order.

use pantin_base::Language;
use pantin_machine::{Command, Ended, InMemory, Output};

use crate::settings::ApplySettings;
use crate::transaction::testing::{run, settings};

const STATES: &str = "\
install ok installed there 1.0
hold ok installed held 1.0
deinstall ok config-files left 1.0
";

fn said(code: i32, text: &str) -> Output {
    Output { ended: Ended::Code(code), text: text.as_bytes().to_vec(), is_cut: false }
}

/// Returns a machine on which every command succeeds, and `other` was never heard of.
fn machine() -> InMemory {
    let mut machine = InMemory::new().with_program("/usr/bin/dpkg-query", |_, command: &Command| {
        match command.arguments.get(3).map(|name| name.to_string_lossy().into_owned()) {
            None => said(0, STATES),
            Some(name) => match STATES.lines().find(|line| line.contains(&format!(" {name} "))) {
                Some(line) => said(0, &format!("{line}\n")),
                None => said(1, "no packages found\n"),
            },
        }
    });
    for program in ["dpkg", "dpkg-deb", "apt-get", "debconf-set-selections"] {
        machine = machine.with_program(&format!("/usr/bin/{program}"), |_, _| said(0, ""));
    }
    machine
        .with_program("/usr/bin/apt-mark", |_, _| said(0, "there\n"))
        .with_program("/usr/bin/apt-cache", |_, _| said(0, "there:\n  Installed: 1.0\n  Candidate: 1.1\n"))
}

fn package(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Package","title":"{title}","parameters":{{{parameters}}}}}"#)
}

/// Returns the commands of a run, without those that only look.
fn changes(machine: &InMemory) -> Vec<String> {
    let looks = ["dpkg-query", "showmanual", "apt-cache"];
    machine.commands().into_iter().filter(|command| !looks.iter().any(|look| command.contains(look))).collect()
}

const INSTALL: &str = "/usr/bin/apt-get -q -y -o DPkg::Options::=--force-confold";

#[test]
fn one_command_reads_all_packages_that_are_known() {
    let machine = machine();
    let resources = [package("there", ""), package("held", ""), package("left", r#""ensure":"absent""#)].join(",");
    assert!(run(&machine, &settings(), &resources).lines.is_empty());
    assert_eq!(machine.commands().len(), 1);
}

#[test]
fn a_package_that_is_not_known_is_asked_for_if_its_name_may_mean_another() {
    let asked = |name: &str| {
        let machine = machine();
        run(&machine, &settings(), &[package("there", ""), package(name, r#""ensure":"absent""#)].join(","));
        machine.commands().split_off(1)
    };
    assert!(asked("other").is_empty(), "the list has told that it is not there");
    for name in ["other:amd64", "oth*"] {
        assert!(asked(name)[0].ends_with(&format!(" {name}")), "{name}");
    }
}

#[test]
fn what_is_installed_is_marked_as_asked_for() {
    let machine = machine();
    run(&machine, &settings(), &package("other", ""));
    assert_eq!(changes(&machine), [format!("{INSTALL} install other"), "/usr/bin/apt-mark manual other".to_owned()]);
}

#[test]
fn what_was_asked_for_is_not_marked_again() {
    let machine = machine();
    let lines = run(&machine, &settings(), &package("there", r#""ensure":"latest""#)).lines;
    assert_eq!(lines, ["Notice: /Stage[main]/Main/Package[there]/ensure: ensure changed '1.0' to '1.1'"]);
    assert_eq!(changes(&machine), [format!("{INSTALL} install there")]);
}

#[test]
fn a_held_package_is_freed_and_held_again() {
    let machine = machine();
    run(&machine, &settings(), &package("held", r#""ensure":"1.1","mark":"hold""#));
    let expected = [
        "/usr/bin/dpkg --set-selections".to_owned(),
        format!("{INSTALL} --force-yes install held=1.1"),
        "/usr/bin/dpkg --set-selections".to_owned(),
        "/usr/bin/apt-mark manual held".to_owned(),
    ];
    assert_eq!(changes(&machine), expected);
}

#[test]
fn a_held_package_can_be_purged() {
    let machine = machine();
    run(&machine, &settings(), &package("held", r#""ensure":"purged""#));
    let expected = [
        "/usr/bin/apt-get -y -q --allow-change-held-packages remove --purge held",
        "/usr/bin/dpkg --purge held",
        "/usr/bin/apt-mark manual held",
    ];
    assert_eq!(changes(&machine), expected);
}

#[test]
fn nothing_is_run_where_nothing_may_be_changed() {
    let machine = machine();
    let noop = ApplySettings { noop: true, ..settings() };
    let resources = [package("other", ""), package("there", r#""ensure":"latest","mark":"hold""#)].join(",");
    let lines = run(&machine, &noop, &resources).lines;
    assert_eq!(lines.iter().filter(|line| line.contains("/ensure: ")).count(), 2, "{lines:?}");
    assert_eq!(changes(&machine), [""; 0]);
}

#[test]
fn a_provider_that_is_not_carried_out_says_its_name() {
    let machine = machine().with_program("/usr/bin/gem", |_, _| said(0, ""));
    let resources = [package("rake", r#""provider":"gem""#), package("x", r#""provider":"yum""#)].join(",");
    let lines = run(&machine, &settings(), &resources).lines;
    assert_eq!(
        lines[..2],
        [
            "Error: /Stage[main]/Main/Package[rake]: Could not evaluate: no native provider yet: 'gem' of the type package",
            "Error: /Stage[main]/Main/Package[x]: Provider yum is not functional on this host",
        ]
    );
}

#[test]
fn the_agent_of_openvox_sets_variables_for_commands() {
    // The command fails, and tells what it was given.
    let machine = machine().with_program("/usr/bin/apt-get", |_, command: &Command| {
        let set =
            command.environment.iter().filter_map(|(name, value)| Some((name.to_str()?, value.as_ref()?.to_str()?)));
        let set: Vec<String> =
            set.filter(|(name, _)| name.len() == 1).map(|(name, value)| format!("{name}={value}")).collect();
        said(100, &set.join(" "))
    });
    let parameters = r#""environment":["A=1","B=x=y","A=2","no setting"]"#;
    let openvox = ApplySettings { language: Language::OpenVox8, ..settings() };
    let wrong = run(&machine, &openvox, &package("other", parameters)).lines.concat();
    assert!(wrong.contains("Invalid environment setting 'no setting'"), "{wrong}");
    let parameters = r#""environment":["A=1","B=x=y","A=2"]"#;
    let lines = run(&machine, &openvox, &package("other", parameters)).lines.concat();
    assert!(
        lines.contains("Overriding environment setting 'A'") && lines.contains("returned 100: B=x=y A=2"),
        "{lines}"
    );
    let lines = run(&machine, &settings(), &package("other", parameters)).lines.concat();
    assert!(lines.contains("no parameter named 'environment'"), "{lines}");
}
