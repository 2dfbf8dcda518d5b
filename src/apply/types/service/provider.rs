//! Who carries services out on this machine: systemd, Debian's init scripts, those of others, or the table of processes.

use std::path::Path;

use pantin_machine::Reading;

use super::super::native_provider::{ForeignProvider, NativeProvider};
use super::super::provider_command::find_program;

/// A provider that is carried out here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ServiceProvider {
    Systemd,
    Debian,
    Init,
    Base,
}

/// No table of a system is larger.
const LARGEST: u64 = 1 << 20;

/// Puppet's other providers.
const FOREIGN: &[ForeignProvider] = &[
    ("bsd", None),
    ("daemontools", Some("/usr/bin/svc")),
    ("freebsd", None),
    ("gentoo", Some("/sbin/rc-update")),
    ("launchd", None),
    ("openbsd", None),
    ("openrc", Some("/sbin/rc-service")),
    ("openwrt", Some("/etc/rc.common")),
    ("rcng", None),
    ("redhat", Some("/sbin/chkconfig")),
    ("runit", Some("/usr/bin/sv")),
    ("service", Some("/bin/sh")),
    ("smf", None),
    ("src", None),
    ("upstart", Some("/sbin/initctl")),
    ("windows", None),
];

/// Systems whose init scripts have a provider of their own.
const WITH_OWN_SCRIPTS: [&str; 10] =
    ["debian", "ubuntu", "rhel", "centos", "fedora", "rocky", "almalinux", "ol", "amzn", "scientific"];

impl NativeProvider for ServiceProvider {
    const TYPE: &'static str = "service";
    const ALL: &'static [ServiceProvider] =
        &[ServiceProvider::Systemd, ServiceProvider::Debian, ServiceProvider::Init, ServiceProvider::Base];
    const FOREIGN: &'static [ForeignProvider] = FOREIGN;

    fn name(self) -> &'static str {
        match self {
            ServiceProvider::Systemd => "systemd",
            ServiceProvider::Debian => "debian",
            ServiceProvider::Init => "init",
            ServiceProvider::Base => "base",
        }
    }

    fn works_on(self, machine: &dyn Reading) -> bool {
        let has = |program: &str| find_program(program, machine).is_some();
        match self {
            ServiceProvider::Systemd => is_systemd_first(machine) && has("systemctl"),
            ServiceProvider::Debian => {
                !is_systemd_first(machine)
                    && ["/usr/sbin/update-rc.d", "/usr/sbin/invoke-rc.d", "/usr/sbin/service"].into_iter().all(has)
            }
            ServiceProvider::Init => !has_own_scripts(machine) && has("kill"),
            ServiceProvider::Base => has("kill"),
        }
    }
}

/// Returns true if systemd is the first process.
fn is_systemd_first(machine: &dyn Reading) -> bool {
    machine
        .read(Path::new("/proc/1/comm"), LARGEST)
        .is_ok_and(|name| String::from_utf8_lossy(&name).contains("systemd"))
}

fn has_own_scripts(machine: &dyn Reading) -> bool {
    let table = machine.read(Path::new("/etc/os-release"), LARGEST).unwrap_or_default();
    let table = String::from_utf8_lossy(&table);
    let id = table.lines().find_map(|line| line.strip_prefix("ID=")).unwrap_or_default();
    WITH_OWN_SCRIPTS.contains(&id.trim().trim_matches(['"', '\'']))
}
