//! The facts `disks` and `partitions` and their legacy flat facts: what the kernel tells of block devices, and what udev has noted of them.

use pantin_values::Value;

use crate::found::{Found, hash, integer, table, text};
use crate::probe::{Probe, Tree};
use crate::units;

const FOLDER: &str = "/sys/block";

/// The kernel counts in these, whatever the device does.
const SECTOR: u64 = 512;

pub(crate) fn collect_disks(probe: &Probe<'_>, found: &mut Found) {
    let tree = probe.tree;
    let is_disk = |name: &String| tree.is_folder(&format!("{FOLDER}/{name}/device"));
    let names: Vec<String> = tree.list(FOLDER).into_iter().filter(is_disk).collect();
    if names.is_empty() {
        return;
    }
    found.legacy("blockdevices", text(names.join(",")));
    let mut disks = Vec::new();
    for name in names {
        let folder = format!("{FOLDER}/{name}");
        let read = |file: &str| tree.read(&format!("{folder}/{file}")).map(|text| text.trim().to_owned());
        let size = sectors(tree, &folder);
        let udev = Udev::read(tree, &folder);
        let serial = udev.first(&["SCSI_IDENT_SERIAL", "ID_SCSI_SERIAL", "ID_SERIAL_SHORT", "ID_SERIAL"]);
        let serial = serial.or_else(|| read("device/serial").filter(|serial| !serial.is_empty()));
        let disk = hash([
            ("model", text(read("device/model"))),
            ("serial", text(serial)),
            ("size", size.map(|size| text(units::bytes(size))).unwrap_or_default()),
            ("size_bytes", size.map(integer).unwrap_or_default()),
            ("type", text(read("queue/rotational").map(|turns| if turns == "0" { "ssd" } else { "hdd" }))),
            ("vendor", text(read("device/vendor"))),
            ("wwn", text(udev.first(&["ID_WWN_WITH_EXTENSION", "ID_WWN"]))),
        ]);
        for (old, member) in [("model", "model"), ("size", "size_bytes"), ("vendor", "vendor")] {
            found.legacy_members(&disk, &[(&format!("blockdevice_{name}_{old}"), member)]);
        }
        disks.push((name, if disk.is_undef() { table(Vec::new()) } else { disk }));
    }
    found.fact("disks", table(disks));
}

pub(crate) fn collect_partitions(probe: &Probe<'_>, found: &mut Found) {
    let tree = probe.tree;
    let mut partitions = Vec::new();
    for device in tree.list(FOLDER) {
        let folder = format!("{FOLDER}/{device}");
        if tree.is_folder(&format!("{folder}/device")) {
            let parts = tree.list(&folder).into_iter().filter(|name| name.contains(&device));
            for part in parts.filter(|part| tree.is_folder(&format!("{folder}/{part}"))) {
                partitions.push(partition(probe, format!("/dev/{part}"), &format!("{folder}/{part}"), None));
            }
        } else if tree.is_folder(&format!("{folder}/dm")) {
            let name = match tree.read_trimmed(&format!("{folder}/dm/name")) {
                Some(name) => format!("/dev/mapper/{name}"),
                None => format!("/dev/{device}"),
            };
            partitions.push(partition(probe, name, &folder, None));
        } else if tree.is_folder(&format!("{folder}/loop")) {
            let file = tree.read_trimmed(&format!("{folder}/loop/backing_file"));
            partitions.push(partition(probe, format!("/dev/{device}"), &folder, file));
        }
    }
    if !partitions.is_empty() {
        found.fact("partitions", table(partitions));
    }
}

fn partition(probe: &Probe<'_>, name: String, folder: &str, file: Option<String>) -> (String, Value) {
    let size = sectors(probe.tree, folder).unwrap_or_default();
    let udev = Udev::read(probe.tree, folder);
    // The first of several mounts counts.
    let mount = probe.mounts().iter().find(|mount| mount.device == name).map(|mount| mount.path.as_str());
    let fact = hash([
        ("backing_file", text(file)),
        ("filesystem", text(udev.first(&["ID_FS_TYPE"]))),
        ("label", text(udev.decoded("ID_FS_LABEL_ENC"))),
        ("mount", text(mount)),
        ("partlabel", text(udev.decoded("ID_PART_ENTRY_NAME"))),
        ("partuuid", text(udev.first(&["ID_PART_ENTRY_UUID"]))),
        ("size", text(units::bytes(size))),
        ("size_bytes", integer(size)),
        ("uuid", text(udev.first(&["ID_FS_UUID"]))),
    ]);
    (name, fact)
}

/// Returns the size of a device in bytes.
fn sectors(tree: Tree<'_>, folder: &str) -> Option<u64> {
    tree.read_trimmed(&format!("{folder}/size"))?.parse::<u64>().ok()?.checked_mul(SECTOR)
}

/// The properties that udev stored of a block device.
struct Udev(Vec<(String, String)>);

impl Udev {
    fn read(tree: Tree<'_>, folder: &str) -> Udev {
        let number = tree.read_trimmed(&format!("{folder}/dev")).unwrap_or_default();
        let notes = tree.read(&format!("/run/udev/data/b{number}")).unwrap_or_default();
        let entry = |line: &str| {
            let (name, value) = line.strip_prefix("E:")?.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        Udev(notes.lines().filter_map(entry).collect())
    }

    /// Returns the value of the first of these names that has one.
    fn first(&self, names: &[&str]) -> Option<String> {
        let value = |wanted: &&str| self.0.iter().find(|(name, value)| name == wanted && !value.is_empty());
        names.iter().find_map(value).map(|(_, value)| value.clone())
    }

    /// Returns a value in which bytes stand as `\x20`, as the text that is meant.
    fn decoded(&self, name: &str) -> Option<String> {
        let encoded = self.first(&[name])?;
        let mut bytes = Vec::with_capacity(encoded.len());
        let mut rest = encoded.as_str();
        while let Some(letter) = rest.chars().next() {
            let code = rest.strip_prefix("\\x").and_then(|code| u8::from_str_radix(code.get(..2)?, 16).ok());
            let length = match code {
                Some(byte) => {
                    bytes.push(byte);
                    4
                }
                None => {
                    bytes.extend_from_slice(letter.to_string().as_bytes());
                    letter.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use pantin_base::Language;
    use pantin_machine::InMemory;

    use super::*;

    fn machine() -> InMemory {
        InMemory::new()
            .with_folder("/sys/block")
            .with_folder("/sys/block/sda")
            .with_folder("/sys/block/sda/device")
            .with_folder("/sys/block/sda/sda1")
            .with_folder("/sys/block/sda/queue")
            .with_folder("/sys/block/dm-0")
            .with_folder("/sys/block/dm-0/dm")
            .with_folder("/sys/block/loop0")
            .with_file("/sys/block/sda/size", "4096\n")
            .with_file("/sys/block/sda/dev", "8:0\n")
            .with_file("/sys/block/sda/device/vendor", "ATA     \n")
            .with_file("/sys/block/sda/queue/rotational", "0\n")
            .with_file("/sys/block/sda/sda1/size", "2048\n")
            .with_file("/sys/block/sda/sda1/dev", "8:1\n")
            .with_file("/sys/block/dm-0/size", "16\n")
            .with_file("/sys/block/dm-0/dm/name", "root\n")
            .with_file("/run/udev/data/b8:0", "S:disk/by-id/x\nE:ID_SERIAL_SHORT=S1\nE:ID_WWN=0x5\n")
            .with_file("/run/udev/data/b8:1", "E:ID_FS_TYPE=ext4\nE:ID_FS_LABEL_ENC=mé\\x20disk\nE:ID_FS_UUID=u-1\n")
            .with_file("/proc/self/mounts", "/dev/sda1 / ext4 rw 0 0\n/dev/sda1 /again ext4 rw 0 0\n")
    }

    fn member(value: &Value, path: &[&str]) -> Value {
        path.iter().fold(value.clone(), |value, name| match value {
            Value::Hash(hash) => hash.get_str(name).cloned().unwrap_or_default(),
            _ => Value::Undef,
        })
    }

    #[test]
    fn disks_and_partitions_are_those_of_the_kernel_with_the_notes_of_udev() {
        let machine = machine();
        let probe = Probe::new(Tree::whole_machine(&machine), Language::Puppet8);
        let mut found = Found::default();
        collect_disks(&probe, &mut found);
        collect_partitions(&probe, &mut found);
        let [(_, disks), (_, partitions)] = found.structured.as_slice() else { panic!("{found:?}") };
        assert_eq!(member(disks, &["sda", "serial"]), Value::from("S1"));
        assert_eq!(member(disks, &["sda", "type"]), Value::from("ssd"));
        assert_eq!(member(disks, &["sda", "size"]), Value::from("2.00 MiB"));
        assert_eq!(member(partitions, &["/dev/sda1", "label"]), Value::from("mé disk"));
        assert_eq!(member(partitions, &["/dev/sda1", "mount"]), Value::from("/"));
        assert_eq!(member(partitions, &["/dev/mapper/root", "size_bytes"]), Value::Integer(8192));
        assert!(found.legacy.contains(&("blockdevice_sda_vendor".to_owned(), Value::from("ATA"))));
    }
}
