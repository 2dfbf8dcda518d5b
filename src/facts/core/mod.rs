//! The core facts, and which source gives which of them.

pub(crate) mod dhcp;
mod disks;
pub(crate) mod dmi;
pub(crate) mod host_name;
mod kernel;
mod memory;
pub(crate) mod mountpoints;
pub(crate) mod networking;
mod os;
pub(crate) mod os_release;
mod processors;
mod single;
mod ssh;
pub(crate) mod virtualization;

use crate::found::Found;
use crate::probe::Probe;

/// What gives some facts, all of them at once.
pub(crate) struct Source {
    pub name: &'static str,
    /// Structured facts.
    facts: &'static [&'static str],
    legacy: &'static [&'static str],
    /// Beginnings of the names of flat facts.
    legacy_beginnings: &'static [&'static str],
    pub collect: fn(&Probe<'_>, &mut Found),
}

const fn source(
    name: &'static str,
    facts: &'static [&'static str],
    legacy: &'static [&'static str],
    legacy_beginnings: &'static [&'static str],
    collect: fn(&Probe<'_>, &mut Found),
) -> Source {
    Source { name, facts, legacy, legacy_beginnings, collect }
}

impl Source {
    pub(crate) fn facts(&self) -> &'static [&'static str] {
        self.facts
    }

    /// Returns true if it may give a fact of this name.
    pub(crate) fn gives(&self, name: &str) -> bool {
        self.facts.contains(&name)
            || self.legacy.contains(&name)
            || self.legacy_beginnings.iter().any(|beginning| name.starts_with(beginning))
    }
}

/// All sources, sorted by name.
pub(crate) const SOURCES: [Source; 19] = [
    source("disks", &["disks"], &["blockdevices"], &["blockdevice_"], disks::collect_disks),
    source(
        "dmi",
        &["dmi"],
        &[
            "bios_release_date",
            "bios_vendor",
            "bios_version",
            "boardassettag",
            "boardmanufacturer",
            "boardproductname",
            "boardserialnumber",
            "chassisassettag",
            "chassistype",
            "manufacturer",
            "productname",
            "serialnumber",
            "uuid",
        ],
        &[],
        dmi::collect,
    ),
    source("filesystems", &["filesystems"], &[], &[], single::filesystems),
    source("fips_enabled", &["fips_enabled"], &[], &[], single::fips_enabled),
    source("identity", &["identity"], &["gid", "id"], &[], single::identity),
    source("kernel", &["kernel", "kernelmajversion", "kernelrelease", "kernelversion"], &[], &[], kernel::collect),
    source("load_averages", &["load_averages"], &[], &[], single::load_averages),
    source("memory", &["memory"], &[], &["memory", "swap"], memory::collect),
    source("mountpoints", &["mountpoints"], &[], &[], mountpoints::collect),
    source(
        "networking",
        &["networking"],
        &["dhcp_servers", "domain", "fqdn", "hostname", "interfaces", "scope6"],
        &["ipaddress", "macaddress", "mtu_", "netmask", "network", "scope6_"],
        networking::collect,
    ),
    source(
        "os",
        &["os"],
        &["architecture", "hardwaremodel", "osfamily"],
        &["lsb", "operatingsystem", "selinux"],
        os::collect,
    ),
    source("partitions", &["partitions"], &[], &[], disks::collect_partitions),
    source("path", &["path"], &[], &[], single::path),
    source(
        "processors",
        &["processors"],
        &["hardwareisa", "physicalprocessorcount"],
        &["processor"],
        processors::collect,
    ),
    source("ssh", &["ssh"], &[], &["ssh"], ssh::collect),
    source("system_uptime", &["system_uptime"], &[], &["uptime"], single::uptime),
    source("timezone", &["timezone"], &[], &[], single::timezone),
    source("versions", &["aio_agent_version", "facterversion"], &[], &[], single::versions),
    source("virtual", &["cloud", "hypervisors", "is_virtual", "virtual"], &[], &[], virtualization::collect),
];

#[cfg(test)]
mod tests {
    use pantin_base::Language;
    use pantin_machine::{InMemory, InterfaceAddress, NetworkInterface};

    use super::*;
    use crate::probe::Tree;

    /// Returns a machine on which each source finds something.
    fn machine() -> InMemory {
        let address =
            InterfaceAddress { address: "10.0.0.7".parse().unwrap(), netmask: "255.255.255.0".parse().unwrap() };
        let interface =
            NetworkInterface { name: "eth0".into(), mac: Some("02:00:00:00:00:01".into()), addresses: vec![address] };
        let files = [
            ("/etc/os-release", "ID=debian\nNAME=Debian\nPRETTY_NAME=Debian\n"),
            ("/etc/debian_version", "12.11\n"),
            ("/proc/meminfo", "MemTotal: 100 kB\nMemAvailable: 50 kB\nSwapTotal: 10 kB\nSwapFree: 5 kB\n"),
            ("/proc/cpuinfo", "processor : 0\nmodel name : A\ncpu MHz : 100\n"),
            ("/proc/uptime", "100.00 1.00\n"),
            ("/proc/loadavg", "0.1 0.2 0.3 1/2 3\n"),
            ("/proc/filesystems", "nodev\tproc\n\text4\n"),
            ("/proc/self/mounts", "/dev/sda1 / ext4 rw 0 0\n"),
            ("/sys/class/dmi/id/bios_vendor", "Maker\n"),
            ("/sys/class/dmi/id/sys_vendor", "Maker\n"),
            ("/sys/class/net/eth0/mtu", "1500\n"),
            ("/etc/ssh/ssh_host_rsa_key.pub", "ssh-rsa YWJj\n"),
            ("/sys/block/sda/size", "8\n"),
            ("/sys/block/sda/sda1/size", "8\n"),
        ];
        let folders = ["/sys/block", "/sys/block/sda", "/sys/block/sda/device", "/sys/block/sda/sda1"];
        let machine = files.iter().fold(InMemory::new(), |machine, (path, text)| machine.with_file(path, text));
        let machine = folders.iter().fold(machine, |machine, path| machine.with_folder(path));
        machine.with_interface(interface).with_variable("PATH", "/bin")
    }

    #[test]
    fn each_source_gives_the_facts_that_it_is_asked_for_and_no_others() {
        let machine = machine();
        let probe = Probe::new(Tree::whole_machine(&machine), Language::Puppet7);
        for source in &SOURCES {
            let mut found = Found::default();
            (source.collect)(&probe, &mut found);
            assert!(!found.structured.is_empty(), "{} finds nothing", source.name);
            for (name, _) in found.structured.iter().chain(&found.legacy) {
                assert!(source.gives(name), "{} gives {name}", source.name);
                let givers: Vec<&str> =
                    SOURCES.iter().filter(|source| source.gives(name)).map(|source| source.name).collect();
                assert_eq!(givers, [source.name], "{name}");
            }
        }
    }
}
