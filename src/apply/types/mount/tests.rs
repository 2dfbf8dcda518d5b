//! Mounts on a machine in memory, whose programs keep the list of what is mounted.

use pantin_machine::{Ended, InMemory, NewFile, Output, System as _};

use crate::transaction::testing::{run, settings};

const MOUNTED: &str = "/proc/self/mounts";

fn machine(table: &str, mounted: &str) -> InMemory {
    let done = || Output { ended: Ended::Code(0), text: Vec::new(), is_cut: false };
    InMemory::new()
        .with_variable("PATH", "/bin")
        .with_folder("/etc")
        .with_folder("/proc")
        .with_folder("/proc/self")
        .with_file("/etc/fstab", table)
        .with_file(MOUNTED, mounted)
        .with_program("/bin/mount", move |machine, command| {
            if let [path] = &command.arguments[..] {
                let mut now = machine.text(MOUNTED).unwrap();
                now.push_str(&format!("x {} tmpfs rw 0 0\n", path.to_string_lossy()));
                machine.replace(MOUNTED.as_ref(), &NewFile::new(now.as_bytes(), 0o444)).unwrap();
            }
            done()
        })
        .with_program("/bin/umount", move |machine, command| {
            let path = format!(" {} ", command.arguments[0].to_string_lossy());
            let now = machine.text(MOUNTED).unwrap();
            let kept: String =
                now.lines().filter(|line| !line.contains(&path)).map(|line| format!("{line}\n")).collect();
            machine.replace(MOUNTED.as_ref(), &NewFile::new(kept.as_bytes(), 0o444)).unwrap();
            done()
        })
}

fn mount(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Mount","title":"{title}","parameters":{{{parameters}}}}}"#)
}

fn table(machine: &InMemory) -> String {
    let text = machine.text("/etc/fstab").unwrap_or_default();
    text.lines().filter(|line| !line.starts_with("# HEADER")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_is_mounted_stands_in_the_table() {
    let machine = machine("", "");
    let srv = mount("/srv/", r#""ensure":"mounted","device":"tmpfs","fstype":"tmpfs""#);
    let said = run(&machine, &settings(), &srv).lines;
    assert_eq!(said[0], "Notice: /Stage[main]/Main/Mount[/srv/]/ensure: defined 'ensure' as 'mounted'");
    assert_eq!(table(&machine), "tmpfs\t/srv\ttmpfs\tdefaults\t0\t0\n");
    assert_eq!(machine.commands()[0], "/bin/mount /srv");
    assert!(run(&machine, &settings(), &srv).lines.is_empty());
}

#[test]
fn a_mount_that_only_has_to_be_mounted_leaves_the_table_alone() {
    let entry = "tmpfs   /srv tmpfs defaults 0 0\n";
    let machine = machine(entry, "");
    run(&machine, &settings(), &mount("/srv", r#""ensure":"mounted","device":"tmpfs","fstype":"tmpfs""#));
    assert_eq!(machine.text("/etc/fstab").unwrap(), entry);
}

#[test]
fn what_is_absent_is_unmounted_first() {
    let machine = machine("tmpfs /srv tmpfs defaults 0 0\n", "tmpfs /srv tmpfs rw 0 0\n");
    run(&machine, &settings(), &mount("/srv", r#""ensure":"absent""#));
    assert_eq!(machine.commands()[0], "/bin/umount /srv");
    assert_eq!(table(&machine).trim(), "");
}

#[test]
fn another_option_is_a_reason_to_mount_again() {
    let machine = machine("tmpfs /srv tmpfs ro 0 0\n", "tmpfs /srv tmpfs rw 0 0\n");
    let srv = mount("/srv", r#""ensure":"mounted","device":"tmpfs","fstype":"tmpfs","options":"rw""#);
    let said = run(&machine, &settings(), &srv).lines;
    assert!(said.contains(&"Info: Mount[/srv](provider=parsed): Remounting".to_owned()), "{said:?}");
    assert_eq!(machine.commands(), ["/bin/mount -o remount /srv"]);
}
