//! A machine in memory for catalogs drawn at random: programs that write files, a systemd with two units, tools for accounts. Each
//! program notes in a log that it changed something.

use std::ffi::OsString;

use pantin_machine::{Change, Command, Ended, Group, InMemory, NewFile, Output, Reading, System, User, Who};

pub(super) fn machine() -> InMemory {
    let machine = InMemory::new()
        .with_variable("PATH", "/bin")
        .with_folder("/srv")
        .with_folder("/var")
        .with_folder("/source")
        .with_file("/source/x", "source\n")
        .with_folder("/source/deep")
        .with_file("/source/deep/z", "deep\n")
        .with_file("/srv/lines", "first\n")
        .with_folder("/units")
        .with_folder("/proc")
        .with_folder("/proc/1")
        .with_file("/proc/1/comm", "systemd\n")
        .with_program("/bin/systemctl", |machine, command| systemctl(machine, &words(command)))
        .with_program("/bin/journalctl", |_, _| answer(true));
    let tools = ["useradd", "usermod", "userdel", "groupadd", "groupmod", "groupdel", "chage", "chpasswd"];
    let machine = tools.into_iter().fold(machine, |machine, tool| {
        machine.with_program(&format!("/bin/{tool}"), move |machine, command| {
            change_account(machine, tool, &words(command))
        })
    });
    with_writers(machine)
}

/// Adds programs that write files, and look at them.
fn with_writers(machine: InMemory) -> InMemory {
    machine
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

/// Returns all users and groups, for comparison.
pub(super) fn accounts(machine: &InMemory) -> String {
    machine.change_accounts(|users, groups| format!("{users:?} {groups:?}"))
}

fn word(arguments: &[OsString], place: usize) -> String {
    arguments[place].to_string_lossy().into_owned()
}

fn words(command: &Command) -> Vec<String> {
    command.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn answer(is_success: bool) -> Output {
    said(i32::from(!is_success), "")
}

fn said(code: i32, text: &str) -> Output {
    Output { ended: Ended::Code(code), text: text.as_bytes().to_vec(), is_cut: false }
}

fn read(machine: &InMemory, path: &str) -> Option<Vec<u8>> {
    machine.read(path.as_ref(), 1 << 20).ok()
}

fn write(machine: &InMemory, path: &str, content: &[u8]) -> bool {
    machine.replace(path.as_ref(), &NewFile::new(content, 0o644)).is_ok()
}

fn append(machine: &InMemory, line: &str) {
    let known = machine.text("/log").unwrap_or_default();
    write(machine, "/log", format!("{known}{line}\n").as_bytes());
}

/// A unit is active or enabled if a file says so. It starts with what its configuration says then, and not if that is `three`.
fn systemctl(machine: &InMemory, words: &[String]) -> Output {
    let (verb, units) = (words[0].as_str(), words.iter().skip(1).filter(|word| !word.starts_with('-')));
    let units: Vec<&str> = units.map(|unit| unit.trim_end_matches(".service")).collect();
    let file = |unit: &str, state: &str| format!("/units/{unit}.{state}");
    let is = |unit: &str, state: &str| read(machine, &file(unit, state)).is_some();
    let remove = |unit: &str, state: &str| drop(machine.change(file(unit, state).as_ref(), &Change::RemoveFile));
    let note = |unit: &str| append(machine, &format!("{verb} {unit}"));
    match (verb, units.as_slice()) {
        ("is-active", units) => {
            let states = units.iter().map(|unit| if is(unit, "active") { "active\n" } else { "inactive\n" });
            said(if units.iter().all(|unit| is(unit, "active")) { 0 } else { 3 }, &states.collect::<String>())
        }
        ("is-enabled", [unit]) if is(unit, "enabled") => said(0, "enabled\n"),
        ("is-enabled", _) => said(1, "disabled\n"),
        ("list-unit-files", _) => {
            let line = |unit: &str| {
                let word = if is(unit, "enabled") { "enabled" } else { "disabled" };
                format!("{unit}.service {word} enabled\n")
            };
            said(0, &(line("web") + &line("db")))
        }
        ("show", _) => said(0, "NeedDaemonReload=no\n"),
        ("start" | "restart", [unit]) => {
            note(unit);
            let configuration = read(machine, "/srv/a").unwrap_or_default();
            let starts = *unit == "web" || configuration != b"three\n";
            if !starts {
                remove(unit, "active");
            }
            answer(starts && write(machine, &file(unit, "active"), &configuration))
        }
        ("stop", [unit]) => {
            note(unit);
            remove(unit, "active");
            answer(true)
        }
        ("enable", [unit]) => answer(write(machine, &file(unit, "enabled"), b"")),
        ("disable", [unit]) => {
            remove(unit, "enabled");
            answer(true)
        }
        _ => answer(true),
    }
}

/// What the tools of Debian do with users and groups, as far as drawn catalogs ask for it.
fn change_account(machine: &InMemory, tool: &str, words: &[String]) -> Output {
    append(machine, &format!("{tool} {}", words.join(" ")));
    let name = words.last().cloned().unwrap_or_default();
    let option = |flag: &str| words.iter().position(|word| word == flag).and_then(|at| words.get(at + 1)).cloned();
    let number = |flag: &str| option(flag).and_then(|text| text.parse::<u32>().ok());
    let group = option("-g").filter(|_| tool.starts_with("user")).map(|group| match group.parse() {
        Ok(number) => Some(number),
        Err(_) => machine.group(Who::Name(&group)).ok().flatten().map(|group| group.gid),
    });
    if group == Some(None) {
        return answer(false);
    }
    let group = group.flatten();
    let home = machine.user(Who::Name(&name)).ok().flatten().map(|user| user.home).or(option("-d")).unwrap_or_default();
    let is_done = machine.change_accounts(|users, groups| match tool {
        "useradd" => {
            let uid = number("-u").unwrap_or(5000);
            if users.iter().any(|user| user.name == name)
                || (group.is_none() && groups.iter().any(|group| group.name == name))
            {
                return false;
            }
            if group.is_none() {
                groups.push(Group { name: name.clone(), gid: uid, members: Vec::new() });
            }
            let comment = option("-c").unwrap_or_default();
            users.push(User {
                name,
                uid,
                gid: group.unwrap_or(uid),
                home: home.clone(),
                shell: "/bin/sh".into(),
                comment,
            });
            true
        }
        "usermod" => users.iter_mut().find(|user| user.name == name).is_some_and(|user| {
            user.gid = group.unwrap_or(user.gid);
            user.uid = number("-u").unwrap_or(user.uid);
            user.comment = option("-c").unwrap_or_else(|| user.comment.clone());
            user.home = option("-d").unwrap_or_else(|| user.home.clone());
            true
        }),
        "userdel" => {
            users.retain(|user| user.name != name);
            groups.retain(|group| group.name != name);
            true
        }
        "groupadd" if groups.iter().any(|group| group.name == name) => false,
        "groupadd" => {
            groups.push(Group { name, gid: number("-g").unwrap_or(6000), members: Vec::new() });
            true
        }
        "groupdel" => {
            let gid = groups.iter().find(|group| group.name == name).map(|group| group.gid);
            let is_needed = users.iter().any(|user| Some(user.gid) == gid);
            if !is_needed {
                groups.retain(|group| group.name != name);
            }
            !is_needed
        }
        _ => true,
    });
    if is_done && tool == "useradd" && words.iter().any(|word| word == "-m") {
        let _ = machine.change(home.as_ref(), &Change::Folder(0o755));
    }
    if is_done && tool == "userdel" && words.iter().any(|word| word == "-r") {
        let _ = machine.change(home.as_ref(), &Change::RemoveTree);
    }
    answer(is_done)
}
