//! Keys on a machine in memory.

use pantin_machine::{InMemory, Reading as _};

use crate::transaction::testing::{run, settings};

const HEADER_LINES: usize = 3;

fn machine() -> InMemory {
    InMemory::new().with_folder("/home").with_folder("/home/kim").with_folder("/etc").with_user("kim", 1000)
}

fn key(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Ssh_authorized_key","title":"{title}","parameters":{{{parameters}}}}}"#)
}

fn lines(machine: &InMemory, path: &str) -> Vec<String> {
    machine.text(path).unwrap_or_default().lines().skip(HEADER_LINES).map(str::to_owned).collect()
}

#[test]
fn a_key_of_a_user_lies_in_a_folder_that_only_they_may_enter() {
    let machine = machine();
    let kim = key("kim@home", r#""user":"kim","type":"rsa","key":"AAAA","options":["no-pty","from=\"x\""]"#);
    assert_eq!(run(&machine, &settings(), &kim).lines.len(), 1);
    let mode = |path: &str| machine.stat(path.as_ref(), false).unwrap().unwrap().mode;
    assert_eq!((mode("/home/kim/.ssh"), mode("/home/kim/.ssh/authorized_keys")), (0o700, 0o600));
    let written = lines(&machine, "/home/kim/.ssh/authorized_keys");
    assert_eq!(written, [r#"no-pty,from="x" ssh-rsa AAAA kim@home"#]);
    assert!(run(&machine, &settings(), &kim).lines.is_empty());
}

#[test]
fn keys_that_no_catalog_names_go_also_those_without_a_name() {
    let path = "/home/kim/.ssh/authorized_keys";
    let machine = machine()
        .with_folder("/home/kim/.ssh")
        .with_file(path, "ssh-rsa AAAA kept\nssh-rsa BBBB\n# note\nssh-rsa CCCC\nssh-rsa DDDD extra\n")
        .with_folder("/usr")
        .with_folder("/usr/sbin")
        .with_variable("PATH", "/usr/sbin");
    let tools = ["useradd", "userdel", "usermod", "chage", "chpasswd"];
    let machine = tools.into_iter().fold(machine, |machine, tool| {
        machine.with_program(&format!("/usr/sbin/{tool}"), |_, _| unreachable!("nothing of the user changes"))
    });
    let user = r#"{"type":"User","title":"kim","parameters":{"purge_ssh_keys":true}}"#;
    let resources = format!("{user},{}", key("kept", r#""user":"kim","type":"ssh-rsa","key":"AAAA""#));
    let said = run(&machine, &settings(), &resources).lines;
    assert_eq!(lines(&machine, path), ["ssh-rsa AAAA kept", "# note"], "{said:?}");
    assert!(run(&machine, &settings(), &resources).lines.is_empty());
}

#[test]
fn a_host_is_known_by_a_key_of_each_kind() {
    let path = "/etc/ssh/ssh_known_hosts";
    let machine = machine().with_folder("/etc/ssh").with_file(path, "one,alias ssh-rsa AAAA\none ssh-ed25519 BBBB\n");
    let sshkey = |title: &str, parameters: &str| {
        format!(r#"{{"type":"Sshkey","title":"{title}","parameters":{{{parameters}}}}}"#)
    };
    let resources = [
        sshkey("one", r#""type":"rsa","key":"NEW""#),
        sshkey("one@ed25519", r#""ensure":"absent""#),
        sshkey("two", r#""type":"ssh-rsa","key":"CCCC","host_aliases":["2","zwei"]"#),
    ];
    run(&machine, &settings(), &resources.join(","));
    assert_eq!(lines(&machine, path), ["one,alias ssh-rsa NEW", "two,2,zwei ssh-rsa CCCC"]);
}
