//! The operating systems that `--os` knows, with the facts of a fresh machine.

/// The parts from which facts are made up.
#[derive(Debug)]
pub(super) struct Os {
    /// As `--os` names it.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) family: &'static str,
    /// `9.4`: full, of which the first part is the major release unless `major` says otherwise.
    pub(super) release: &'static str,
    pub(super) major: &'static str,
    pub(super) distro: Option<Distro>,
    pub(super) kernel: &'static str,
    pub(super) kernel_release: &'static str,
    pub(super) architecture: &'static str,
    pub(super) hardware: &'static str,
    pub(super) interface: &'static str,
    pub(super) package_provider: &'static str,
    pub(super) service_provider: &'static str,
    pub(super) selinux: bool,
}

/// What `/etc/os-release` and `lsb_release` say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distro {
    pub(super) id: &'static str,
    pub(super) codename: &'static str,
    pub(super) description: &'static str,
}

const fn distro(id: &'static str, codename: &'static str, description: &'static str) -> Option<Distro> {
    Some(Distro { id, codename, description })
}

const DEBIAN: Os = Os {
    key: "debian-12",
    name: "Debian",
    family: "Debian",
    release: "12.8",
    major: "12",
    distro: distro("Debian", "bookworm", "Debian GNU/Linux 12 (bookworm)"),
    kernel: "Linux",
    kernel_release: "6.1.0-28-amd64",
    architecture: "amd64",
    hardware: "x86_64",
    interface: "eth0",
    package_provider: "apt",
    service_provider: "systemd",
    selinux: false,
};

const UBUNTU: Os = Os {
    key: "ubuntu-24.04",
    name: "Ubuntu",
    release: "24.04",
    major: "24.04",
    distro: distro("Ubuntu", "noble", "Ubuntu 24.04.1 LTS"),
    kernel_release: "6.8.0-49-generic",
    ..DEBIAN
};

const EL10_KERNEL: &str = "6.12.0-55.9.1.el10_0.x86_64";

const REDHAT: Os = Os {
    key: "redhat-9",
    name: "RedHat",
    family: "RedHat",
    release: "9.4",
    major: "9",
    distro: distro("RedHatEnterprise", "Plow", "Red Hat Enterprise Linux release 9.4 (Plow)"),
    kernel_release: "5.14.0-427.13.1.el9_4.x86_64",
    architecture: "x86_64",
    package_provider: "dnf",
    selinux: true,
    ..DEBIAN
};

const SLES: Os = Os {
    key: "sles-15",
    name: "SLES",
    family: "Suse",
    release: "15.6",
    major: "15",
    distro: distro("SUSE", "n/a", "SUSE Linux Enterprise Server 15 SP6"),
    kernel_release: "6.4.0-150600.21-default",
    package_provider: "zypper",
    selinux: false,
    ..REDHAT
};

const WINDOWS: Os = Os {
    key: "windows-2022",
    name: "windows",
    family: "windows",
    release: "2022",
    major: "2022",
    distro: None,
    kernel: "windows",
    kernel_release: "10.0.20348",
    architecture: "x64",
    hardware: "x86_64",
    interface: "Ethernet",
    package_provider: "windows",
    service_provider: "windows",
    selinux: false,
};

pub(super) static SYSTEMS: [Os; 29] = [
    Os {
        key: "debian-11",
        release: "11.11",
        major: "11",
        distro: distro("Debian", "bullseye", "Debian GNU/Linux 11 (bullseye)"),
        kernel_release: "5.10.0-33-amd64",
        ..DEBIAN
    },
    DEBIAN,
    Os {
        key: "debian-13",
        release: "13.1",
        major: "13",
        distro: distro("Debian", "trixie", "Debian GNU/Linux 13 (trixie)"),
        kernel_release: "6.12.43+deb13-amd64",
        ..DEBIAN
    },
    Os {
        key: "ubuntu-20.04",
        release: "20.04",
        major: "20.04",
        distro: distro("Ubuntu", "focal", "Ubuntu 20.04.6 LTS"),
        kernel_release: "5.4.0-200-generic",
        ..UBUNTU
    },
    Os {
        key: "ubuntu-22.04",
        release: "22.04",
        major: "22.04",
        distro: distro("Ubuntu", "jammy", "Ubuntu 22.04.5 LTS"),
        kernel_release: "5.15.0-125-generic",
        ..UBUNTU
    },
    UBUNTU,
    Os {
        key: "redhat-8",
        release: "8.10",
        major: "8",
        distro: distro("RedHatEnterprise", "Ootpa", "Red Hat Enterprise Linux release 8.10 (Ootpa)"),
        kernel_release: "4.18.0-553.el8_10.x86_64",
        ..REDHAT
    },
    REDHAT,
    Os {
        key: "redhat-10",
        release: "10.0",
        major: "10",
        distro: distro("RedHatEnterprise", "Coughlan", "Red Hat Enterprise Linux release 10.0 (Coughlan)"),
        kernel_release: EL10_KERNEL,
        ..REDHAT
    },
    Os {
        key: "rocky-8",
        name: "Rocky",
        release: "8.10",
        major: "8",
        distro: distro("Rocky", "Green Obsidian", "Rocky Linux release 8.10 (Green Obsidian)"),
        kernel_release: "4.18.0-553.el8_10.x86_64",
        ..REDHAT
    },
    Os {
        key: "rocky-9",
        name: "Rocky",
        distro: distro("Rocky", "Blue Onyx", "Rocky Linux release 9.4 (Blue Onyx)"),
        ..REDHAT
    },
    Os {
        key: "rocky-10",
        name: "Rocky",
        release: "10.0",
        major: "10",
        distro: distro("Rocky", "Red Quartz", "Rocky Linux release 10.0 (Red Quartz)"),
        kernel_release: EL10_KERNEL,
        ..REDHAT
    },
    Os {
        key: "almalinux-8",
        name: "AlmaLinux",
        release: "8.10",
        major: "8",
        distro: distro("AlmaLinux", "Cerulean Leopard", "AlmaLinux release 8.10 (Cerulean Leopard)"),
        kernel_release: "4.18.0-553.el8_10.x86_64",
        ..REDHAT
    },
    Os {
        key: "almalinux-9",
        name: "AlmaLinux",
        distro: distro("AlmaLinux", "Seafoam Ocelot", "AlmaLinux release 9.4 (Seafoam Ocelot)"),
        ..REDHAT
    },
    Os {
        key: "almalinux-10",
        name: "AlmaLinux",
        release: "10.0",
        major: "10",
        distro: distro("AlmaLinux", "Purple Lion", "AlmaLinux release 10.0 (Purple Lion)"),
        kernel_release: EL10_KERNEL,
        ..REDHAT
    },
    Os {
        key: "centos-7",
        name: "CentOS",
        release: "7.9.2009",
        major: "7",
        distro: distro("CentOS", "Core", "CentOS Linux release 7.9.2009 (Core)"),
        kernel_release: "3.10.0-1160.119.1.el7.x86_64",
        package_provider: "yum",
        ..REDHAT
    },
    Os {
        key: "centos-9",
        name: "CentOS",
        release: "9",
        distro: distro("CentOSStream", "n/a", "CentOS Stream release 9"),
        kernel_release: "5.14.0-522.el9.x86_64",
        ..REDHAT
    },
    Os {
        key: "centos-10",
        name: "CentOS",
        release: "10",
        major: "10",
        distro: distro("CentOSStream", "Coughlan", "CentOS Stream release 10 (Coughlan)"),
        kernel_release: "6.12.0-79.el10.x86_64",
        ..REDHAT
    },
    Os {
        key: "oraclelinux-8",
        name: "OracleLinux",
        release: "8.10",
        major: "8",
        distro: distro("OracleServer", "n/a", "Oracle Linux Server release 8.10"),
        kernel_release: "5.15.0-206.153.7.el8uek.x86_64",
        ..REDHAT
    },
    Os {
        key: "oraclelinux-9",
        name: "OracleLinux",
        distro: distro("OracleServer", "n/a", "Oracle Linux Server release 9.4"),
        kernel_release: "5.15.0-207.156.6.el9uek.x86_64",
        ..REDHAT
    },
    Os {
        key: "amazon-2023",
        name: "Amazon",
        release: "2023",
        major: "2023",
        distro: distro("AmazonAMI", "n/a", "Amazon Linux release 2023 (Amazon Linux)"),
        kernel_release: "6.1.115-126.197.amzn2023.x86_64",
        ..REDHAT
    },
    Os {
        key: "fedora-41",
        name: "Fedora",
        release: "41",
        major: "41",
        distro: distro("Fedora", "n/a", "Fedora release 41 (Forty One)"),
        kernel_release: "6.11.4-301.fc41.x86_64",
        ..REDHAT
    },
    SLES,
    Os { key: "opensuse-15", name: "openSUSE", distro: distro("openSUSE", "n/a", "openSUSE Leap 15.6"), ..SLES },
    Os {
        key: "archlinux",
        name: "Archlinux",
        family: "Archlinux",
        release: "6.12.1-arch1-1",
        major: "6",
        distro: distro("Arch", "n/a", "Arch Linux"),
        kernel_release: "6.12.1-arch1-1",
        package_provider: "pacman",
        selinux: false,
        ..REDHAT
    },
    Os { key: "windows-2019", release: "2019", major: "2019", kernel_release: "10.0.17763", ..WINDOWS },
    WINDOWS,
    Os {
        key: "freebsd-14",
        name: "FreeBSD",
        family: "FreeBSD",
        release: "14.1-RELEASE",
        major: "14",
        distro: None,
        kernel: "FreeBSD",
        kernel_release: "14.1-RELEASE",
        hardware: "amd64",
        interface: "em0",
        package_provider: "pkgng",
        service_provider: "freebsd",
        ..DEBIAN
    },
    Os {
        key: "darwin-23",
        name: "Darwin",
        family: "Darwin",
        release: "23.6.0",
        major: "23",
        distro: None,
        kernel: "Darwin",
        kernel_release: "23.6.0",
        architecture: "x86_64",
        interface: "en0",
        package_provider: "pkgdmg",
        service_provider: "launchd",
        ..DEBIAN
    },
];
