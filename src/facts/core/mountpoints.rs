//! The fact `mountpoints`, and what partitions know of mounts.

use std::path::Path;

use pantin_machine::FileSystemSize;
use pantin_values::Value;

use crate::found::{Found, hash, integer, table, text};
use crate::probe::{Probe, Tree};
use crate::units;

/// A line of the kernel's table of mounts.
#[derive(Debug)]
pub(crate) struct Mount {
    pub device: String,
    pub path: String,
    filesystem: String,
    options: Vec<String>,
}

impl Mount {
    /// Reads the mounts that are facts: those of the kernel's own trees are none.
    pub(crate) fn read_all(tree: Tree<'_>) -> Vec<Mount> {
        let table = tree.read("/proc/self/mounts").unwrap_or_default();
        let entry = |line: &str| {
            let mut fields = line.split(' ').map(unescaped);
            let (device, path, filesystem, options) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            let device = if device == "/dev/root" { root_device(tree).unwrap_or(device) } else { device };
            let options = options.split(',').map(|option| option.trim().to_owned()).collect();
            Some(Mount { device, path, filesystem, options })
        };
        let is_fact = |mount: &Mount| {
            let is_of_kernel = mount.path.starts_with("/proc") || mount.path.starts_with("/sys");
            !(is_of_kernel && mount.filesystem != "tmpfs" || mount.filesystem == "autofs")
        };
        table.lines().filter_map(entry).filter(is_fact).collect()
    }

    fn fact(&self, tree: Tree<'_>) -> Value {
        // What cannot be looked at has no room.
        let FileSystemSize { total, free, available } =
            tree.machine.file_system_size(Path::new(&self.path)).unwrap_or_default();
        let used = total.saturating_sub(free);
        hash([
            ("available", text(units::bytes(available))),
            ("available_bytes", integer(available)),
            ("capacity", text(units::capacity(used, used.saturating_add(available)))),
            ("device", text(&self.device)),
            ("filesystem", text(&self.filesystem)),
            ("options", Value::array(self.options.iter().map(|option| Value::string(option.as_str())))),
            ("size", text(units::bytes(total))),
            ("size_bytes", integer(total)),
            ("used", text(units::bytes(used))),
            ("used_bytes", integer(used)),
        ])
    }
}

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    // Of two mounts in one place the later one is seen.
    let all = probe.mounts();
    let is_last = |at: usize| all[at + 1..].iter().all(|later| later.path != all[at].path);
    let seen = (0..all.len()).filter(|at| is_last(*at)).map(|at| &all[at]);
    let mounts: Vec<(String, Value)> = seen.map(|mount| (mount.path.clone(), mount.fact(probe.tree))).collect();
    if !mounts.is_empty() {
        found.fact("mountpoints", table(mounts));
    }
}

/// `\040` is a blank.
fn unescaped(field: &str) -> String {
    let mut parts = field.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..3).and_then(|code| u8::from_str_radix(code, 8).ok()).filter(u8::is_ascii) {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(&part[3..]);
            }
            None => {
                text.push('\\');
                text.push_str(part);
            }
        }
    }
    text
}

/// Returns what the kernel was told to take as its root.
fn root_device(tree: Tree<'_>) -> Option<String> {
    let line = tree.read("/proc/cmdline")?;
    let root = line.split_whitespace().find_map(|word| word.strip_prefix("root="))?;
    match root.strip_prefix("PARTUUID=") {
        Some(uuid) => {
            let device = tree.link_name(&format!("/dev/disk/by-partuuid/{uuid}"));
            Some(device.map_or_else(|| root.to_owned(), |name| format!("/dev/{name}")))
        }
        None => Some(root.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use pantin_base::Language;
    use pantin_machine::InMemory;

    use super::*;

    #[test]
    fn mounts_of_the_kernel_are_left_out_and_blanks_are_blanks() {
        let machine = InMemory::new()
            .with_file("/proc/cmdline", "quiet root=PARTUUID=ab-1 ro\n")
            .with_link("/dev/disk/by-partuuid/ab-1", "../../sda1")
            .with_file(
                "/proc/self/mounts",
                "proc /proc proc rw 0 0\n/dev/root / ext4 rw,noatime 0 0\ntmpfs /sys/x tmpfs rw 0 0\n\
                 /dev/sdb /my\\040disk xfs ro 0 0\nnone /auto autofs rw 0 0\n/dev/sdc /my\\040disk xfs rw 0 0\n",
            )
            .with_file_system("/", FileSystemSize { total: 4096, free: 2048, available: 1024 });
        let mounts = Mount::read_all(Tree::whole_machine(&machine));
        let paths: Vec<(&str, &str)> =
            mounts.iter().map(|mount| (mount.device.as_str(), mount.path.as_str())).collect();
        let all = [("/dev/sda1", "/"), ("tmpfs", "/sys/x"), ("/dev/sdb", "/my disk"), ("/dev/sdc", "/my disk")];
        assert_eq!(paths, all);
        let mut found = Found::default();
        collect(&Probe::new(Tree::whole_machine(&machine), Language::Puppet8), &mut found);
        let Value::Hash(mounts) = &found.structured[0].1 else { panic!("{found:?}") };
        let Some(Value::Hash(root)) = mounts.get_str("/") else { panic!("no root") };
        assert_eq!(root.get_str("capacity"), Some(&Value::from("66.67%")));
        assert_eq!(root.get_str("available"), Some(&Value::from("1.00 KiB")));
        let Some(Value::Hash(disk)) = mounts.get_str("/my disk") else { panic!("no disk") };
        assert_eq!(disk.get_str("device"), Some(&Value::from("/dev/sdc")));
        assert_eq!(disk.get_str("size"), Some(&Value::from("0 bytes")));
    }
}
