//! Zones, and the file systems and pools of ZFS.

use pantin_values::Value;

use super::automatic::{AutomaticTarget, Rule, Subject, folders_above};
use super::declaration::{Declaration, PLAIN};

pub(super) static TYPES: &[Declaration] = &[
    Declaration {
        name: "zfs",
        module: Some("zfs_core"),
        summary: "A file system of ZFS.",
        properties: "ensure aclinherit aclmode acltype atime canmount checksum compression copies dedup
            defaultuserquota devices exec logbias mountpoint nbmand overlay primarycache quota readonly recordsize
            refquota refreservation relatime reservation secondarycache setuid shareiscsi sharenfs sharesmb snapdir
            sync version volsize vscan xattr zoned",
        parameters: "name* provider",
        automatic: &[Rule::require("zpool", pool_of), Rule::require("zfs", file_systems_above)],
        ..PLAIN
    },
    Declaration {
        name: "zone",
        module: Some("zone_core"),
        summary: "A zone of Solaris.",
        properties: "ensure ip iptype autoboot path pool shares dataset inherit",
        parameters: "name* id clone sysidcfg create_args install_args realhostname provider",
        automatic: &[Rule::require("file", folders_of_zone), Rule::require("zfs", datasets)],
        ..PLAIN
    },
    Declaration {
        name: "zpool",
        module: Some("zfs_core"),
        summary: "A pool of devices for ZFS.",
        properties: "ensure disk mirror raidz spare log cache ashift autoexpand failmode",
        parameters: "pool* raid_parity provider",
        ..PLAIN
    },
];

fn pool_of(zfs: &Subject) -> Vec<AutomaticTarget> {
    zfs.name().iter().filter_map(|name| name.split('/').next()).map(AutomaticTarget::named).collect()
}

/// From the one right below the pool on.
fn file_systems_above(zfs: &Subject) -> Vec<AutomaticTarget> {
    let mut above = zfs.name().map(|name| folders_above(&name)).unwrap_or_default();
    // The last one is the pool.
    above.pop();
    above.into_iter().rev().map(AutomaticTarget::Named).collect()
}

/// Where it lies, and the folder above. `%s` stands for its name.
fn folders_of_zone(zone: &Subject) -> Vec<AutomaticTarget> {
    let (Some(path), Some(name)) = (zone.text("path"), zone.name()) else { return Vec::new() };
    let path = path.replacen("%s", &name, 1);
    let above = folders_above(&path).into_iter().next();
    std::iter::once(path).chain(above).map(AutomaticTarget::Named).collect()
}

fn datasets(zone: &Subject) -> Vec<AutomaticTarget> {
    zone.values("dataset").iter().filter_map(Value::as_str).map(AutomaticTarget::named).collect()
}
