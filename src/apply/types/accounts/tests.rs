//! Users and groups on a machine in memory: which commands run, and what of them is seen.

use pantin_machine::{Ended, InMemory, Output};

use crate::log::Level;
use crate::settings::ApplySettings;
use crate::transaction::testing::{TestRun, run, settings};

fn machine() -> InMemory {
    let said = |code, text: &str| Output { ended: Ended::Code(code), text: text.as_bytes().to_vec(), is_cut: false };
    let tools = ["useradd", "userdel", "usermod", "chage", "chpasswd", "groupadd", "groupdel", "groupmod"];
    let machine = InMemory::new()
        .with_variable("PATH", "/usr/sbin:/bin")
        .with_folder("/etc")
        .with_file("/etc/shadow", "kim:$6$old:19000:0:99999:7:::\n")
        .with_file("/bin/sh", "")
        .with_user("kim", 1000)
        .with_group("adm", 4, &[])
        .with_group("video", 44, &["kim"]);
    tools
        .into_iter()
        .fold(machine, |machine, tool| machine.with_program(&format!("/usr/sbin/{tool}"), move |_, _| said(0, "")))
}

fn user(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"User","title":"{title}","parameters":{{{parameters}}}}}"#)
}

fn debug() -> ApplySettings {
    ApplySettings { level: Level::Debug, ..settings() }
}

fn commands_of(machine: &InMemory, run: &TestRun) -> Vec<String> {
    assert!(run.report.as_ref().is_some_and(|report| report.exit_code() != 4), "{:?}", run.lines);
    machine.commands()
}

#[test]
fn a_new_user_is_made_by_one_command() {
    let machine = machine();
    let lee = user("lee", r#""uid":7001,"gid":"adm","groups":["video"],"expiry":"2031-01-01","managehome":true"#);
    let run = run(&machine, &settings(), &lee);
    let made = "/usr/sbin/useradd -e 2031-01-01 -g adm -G video -u 7001 -m lee";
    assert_eq!(commands_of(&machine, &run), [made]);
    assert_eq!(run.lines, ["Notice: /Stage[main]/Main/User[lee]/ensure: created"]);
}

#[test]
fn each_property_is_changed_by_a_command_of_its_own() {
    let machine = machine();
    let kim = user("kim", r#""comment":"Kim","gid":"adm","groups":["adm"],"password_max_age":90"#);
    let run = run(&machine, &settings(), &kim);
    assert_eq!(
        commands_of(&machine, &run),
        [
            "/usr/sbin/usermod -g 4 kim",
            "/usr/sbin/usermod -c Kim kim",
            "/usr/sbin/chage -M 90 kim",
            "/usr/sbin/usermod -G adm,video kim",
        ]
    );
    let path = "Notice: /Stage[main]/Main/User[kim]";
    assert_eq!(run.lines[3], format!("{path}/groups: groups changed video to ['adm', 'video']"));
}

#[test]
fn a_password_is_seen_nowhere() {
    for name in ["kim", "lee"] {
        let machine = machine();
        let run = run(&machine, &debug(), &user(name, r#""password":"$6$secret$hash""#));
        assert!(machine.commands().iter().all(|command| !command.contains("$6$")), "{:?}", machine.commands());
        assert_eq!(machine.commands().last().unwrap(), "/usr/sbin/chpasswd -e");
        assert!(run.lines.iter().all(|line| !line.contains("$6$")), "{:?}", run.lines);
        assert!(run.lines.contains(&"Debug: Executing: '[redacted]'".to_owned()), "{:?}", run.lines);
    }
}

#[test]
fn what_is_as_it_should_be_runs_nothing() {
    let machine = machine();
    let kim =
        r#""uid":1000,"home":"/home/kim","shell":"/bin/sh","password":"$6$old","groups":["video"],"expiry":"absent""#;
    assert!(run(&machine, &settings(), &user("kim", kim)).lines.is_empty());
    assert!(machine.commands().is_empty());
}

#[test]
fn a_user_waits_for_the_tools_of_users() {
    let machine = InMemory::new().with_variable("PATH", "/bin").with_folder("/etc");
    let run = run(&machine, &settings(), &user("kim", r#""uid":1"#));
    assert_eq!(run.lines[0], "Error: Could not find a suitable provider for user");
}

#[test]
fn a_purge_keeps_users_of_the_system() {
    let machine = machine().with_user("low", 500).with_file("/etc/login.defs", "# x\nUID_MIN\t\t 1000\n");
    let resources = r#"{"type":"Resources","title":"user","parameters":{"purge":true}}"#;
    assert!(run(&machine, &settings(), &format!("{resources},{}", user("kim", ""))).lines.is_empty());
    let machine = machine.with_user("other", 1001);
    let lines = run(&machine, &settings(), &format!("{resources},{}", user("kim", ""))).lines;
    assert!(lines.contains(&"Notice: /Stage[main]/Main/User[other]/ensure: removed".to_owned()), "{lines:?}");
    assert_eq!(machine.commands(), ["/usr/sbin/userdel other"]);
}
