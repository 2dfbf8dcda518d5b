//! The fact `os` and its legacy flat facts: name, family, releases, architecture, SELinux.

use pantin_values::Value;

use super::os_release::{Distribution, OsRelease, bracketed, capitalized};
use crate::found::{Found, hash, text};
use crate::probe::{Probe, Tree};

/// Families, with a part of the names that belong to each.
const FAMILIES: [(&str, &[&str]); 6] = [
    (
        "RedHat",
        &[
            "redhat",
            "rhel",
            "fedora",
            "centos",
            "scientific",
            "ascendos",
            "cloudlinux",
            "psbm",
            "oraclelinux",
            "ovs",
            "oel",
            "amazon",
            "xenserver",
            "xcp-ng",
            "virtuozzo",
            "photon",
            "mariner",
        ],
    ),
    ("Debian", &["debian", "ubuntu", "huaweios", "linuxmint", "devuan", "kde"]),
    ("Suse", &["sles", "sled", "suse"]),
    ("Gentoo", &["gentoo"]),
    ("Archlinux", &["arch", "manjaro"]),
    ("Mandrake", &["mandrake", "mandriva", "mageia"]),
];

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let (tree, release) = (probe.tree, probe.os_release());
    let machine = tree.machine.kernel().machine;
    let own_release = own_release(tree, release);
    let lsb = Lsb::read(tree, release);
    let distro = Distro::read(tree, release, &own_release, lsb.as_ref());
    let selinux = selinux(tree);
    let os = hash([
        ("architecture", text(architecture(&machine, release.distribution))),
        ("distro", distro.fact()),
        ("family", text(family(release))),
        ("hardware", text(&machine)),
        ("name", text(name(release))),
        ("release", own_release.clone()),
        ("selinux", selinux.clone()),
    ]);
    found.legacy_members(
        &os,
        &[
            ("architecture", "architecture"),
            ("hardwaremodel", "hardware"),
            ("operatingsystem", "name"),
            ("osfamily", "family"),
        ],
    );
    found.legacy_members(&own_release, &[("operatingsystemrelease", "full"), ("operatingsystemmajrelease", "major")]);
    found.legacy_members(
        &selinux,
        &[
            ("selinux", "enabled"),
            ("selinux_enforced", "enforced"),
            ("selinux_policyversion", "policy_version"),
            ("selinux_current_mode", "current_mode"),
            ("selinux_config_mode", "config_mode"),
            ("selinux_config_policy", "config_policy"),
        ],
    );
    collect_lsb(release.distribution, &distro, lsb.as_ref(), found);
    found.fact("os", os);
}

fn architecture(machine: &str, distribution: Distribution) -> &str {
    match machine {
        "x86_64" if distribution.is_of_debian() => "amd64",
        "i386" | "i486" | "i586" | "i686" => "i386",
        other => other,
    }
}

fn name(release: &OsRelease) -> Option<String> {
    if release.distribution == Distribution::Mint {
        return release.id().map(|id| capitalized(&id));
    }
    let of_red_hat = || release.red_hat.as_ref().map(|red_hat| red_hat.name.clone());
    release.name().or_else(|| if release.distribution.is_of_red_hat() { of_red_hat() } else { None })
}

fn family(release: &OsRelease) -> Option<String> {
    match release.distribution {
        distribution if distribution.is_of_red_hat() => return Some("RedHat".to_owned()),
        Distribution::Suse => return Some("Suse".to_owned()),
        _ => {}
    }
    let kin = release.get("ID_LIKE").map(str::to_owned).or_else(|| release.id())?.to_lowercase();
    let known = FAMILIES.iter().find(|(_, members)| members.iter().any(|member| kin.contains(member)));
    Some(capitalized(known.map_or(kin.as_str(), |(family, _)| family)))
}

/// Returns the version of the system.
fn own_release(tree: Tree<'_>, release: &OsRelease) -> Value {
    let version = release.version_id();
    match release.distribution {
        Distribution::Debian => debian_release(tree),
        Distribution::Ubuntu | Distribution::Other => {
            hash([("full", text(version.as_ref())), ("major", text(version.as_ref()))])
        }
        Distribution::Mint => {
            let table = tree.read("/etc/linuxmint/info").unwrap_or_default();
            let number = table.lines().find_map(|line| line.strip_prefix("RELEASE=").and_then(leading_digits));
            parted(number.or(version))
        }
        Distribution::Devuan => parted(tree.read_trimmed("/etc/devuan_version").or(version)),
        Distribution::RedHat => {
            let own = release.red_hat.as_ref().and_then(|red_hat| red_hat.version.clone());
            parted(own.or(version))
        }
        Distribution::Amazon => parted(first_line_release(tree, "/etc/system-release").or(version)),
        Distribution::Oracle => parted(first_line_release(tree, "/etc/oracle-release").or(version)),
        Distribution::Gentoo => parted(first_line_release(tree, "/etc/gentoo-release").or(version)),
        Distribution::Alpine => parted(tree.read_trimmed("/etc/alpine-release").or(version)),
        Distribution::Suse => suse_release(version),
    }
}

/// Returns the version as a whole, and its first two numbers.
fn parted(version: Option<String>) -> Value {
    let Some(version) = version else { return Value::Undef };
    let mut numbers = version.split('.');
    let (major, minor) = (numbers.next(), numbers.next());
    hash([("full", text(&version)), ("major", text(major)), ("minor", text(minor))])
}

/// Returns a minor number with one zero too many loses it.
fn debian_release(tree: Tree<'_>) -> Value {
    let Some(version) = tree.read_trimmed("/etc/debian_version") else { return Value::Undef };
    let mut numbers = version.split('.');
    let major = numbers.next();
    let minor = numbers.next().map(|minor| match minor.strip_prefix('0') {
        Some(rest) if rest.starts_with(|digit: char| matches!(digit, '1'..='9')) => rest,
        _ => minor,
    });
    hash([("full", text(&version)), ("major", text(major)), ("minor", text(minor))])
}

fn suse_release(version: Option<String>) -> Value {
    let Some(version) = version else { return Value::Undef };
    let mut numbers = version.split('.');
    let (major, minor) = (numbers.next(), numbers.next_back());
    hash([("full", text(&version)), ("major", text(major)), ("minor", text(minor))])
}

fn leading_digits(text: &str) -> Option<String> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    Some(digits).filter(|digits| !digits.is_empty())
}

/// `Something release 9.2 (Name)`, or `Amazon Linux 2`.
fn first_line_release(tree: Tree<'_>, path: &str) -> Option<String> {
    let table = tree.read(path)?;
    let line = table.trim();
    if line.ends_with("Rawhide") {
        return Some("Rawhide".to_owned());
    }
    if let Some((_, after)) = line.split_once("release ") {
        let version: String = after.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
        return Some(version).filter(|version| version.starts_with(|digit: char| digit.is_ascii_digit()));
    }
    line.split_once("Amazon Linux ").and_then(|(_, after)| leading_digits(after))
}

/// What the program `lsb_release` tells, where it is installed.
struct Lsb {
    id: Option<String>,
    description: Option<String>,
    release: Option<String>,
    codename: Option<String>,
}

impl Lsb {
    fn read(tree: Tree<'_>, release: &OsRelease) -> Option<Lsb> {
        if !tree.has_program("lsb_release") {
            return None;
        }
        let table = tree.read("/etc/lsb-release").unwrap_or_default();
        let own = |name: &str| {
            let line = table.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.map(|value| value.trim().trim_matches('"').to_owned())
        };
        let or_else = |own: Option<String>, name: &str| {
            let value = own.or_else(|| release.get(name).map(str::to_owned));
            Some(value.unwrap_or_else(|| "n/a".to_owned()))
        };
        let id = release.get("ID").map(|id| match release.get("NAME") {
            Some(name) if name.eq_ignore_ascii_case(id) => name.to_owned(),
            _ => capitalized(id),
        });
        Some(Lsb {
            id: own("DISTRIB_ID").or(id),
            description: or_else(own("DISTRIB_DESCRIPTION"), "PRETTY_NAME"),
            release: or_else(own("DISTRIB_RELEASE"), "VERSION_ID"),
            codename: or_else(own("DISTRIB_CODENAME"), "VERSION_CODENAME"),
        })
    }
}

/// `os.distro`
struct Distro {
    codename: Option<String>,
    description: Option<String>,
    id: Option<String>,
    release: Value,
}

impl Distro {
    fn read(tree: Tree<'_>, release: &OsRelease, own_release: &Value, lsb: Option<&Lsb>) -> Distro {
        let pretty = release.get("PRETTY_NAME").map(str::to_owned);
        match release.distribution {
            distribution if distribution.is_of_debian() => Distro {
                codename: release.get("VERSION_CODENAME").map(str::to_owned).or_else(|| codename_in_version(release)),
                description: pretty,
                id: release.id().map(|id| capitalized(&id)),
                release: match distribution {
                    Distribution::Debian => own_release.clone(),
                    Distribution::Devuan => parted(lsb.and_then(|lsb| lsb.release.clone())),
                    _ => {
                        let version = release.version_id();
                        hash([("full", text(version.as_ref())), ("major", text(version.as_ref()))])
                    }
                },
            },
            Distribution::RedHat | Distribution::Oracle => {
                let red_hat = release.red_hat.as_ref();
                let version = red_hat.and_then(|red_hat| red_hat.version.clone()).or_else(|| release.version_id());
                Distro {
                    codename: red_hat.and_then(|red_hat| red_hat.codename.clone()),
                    description: red_hat.map(|red_hat| red_hat.description.clone()),
                    id: red_hat.map(|red_hat| red_hat.distributor.clone()),
                    release: parted(version),
                }
            }
            Distribution::Amazon => {
                let line = tree.read_trimmed("/etc/system-release");
                let words = |line: &String| {
                    let before = line.split("release").next().unwrap_or_default();
                    before.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("linux")).collect::<String>()
                };
                let after = line.as_deref().and_then(|line| line.split_once("release"));
                let codename = after.and_then(|(_, after)| bracketed(after));
                Distro {
                    codename: Some(codename.unwrap_or_else(|| "n/a".to_owned())),
                    id: line.as_ref().map(words),
                    description: line,
                    release: own_release.clone(),
                }
            }
            Distribution::Suse => {
                let codename = release.get("VERSION_CODENAME").filter(|codename| !codename.is_empty());
                let is_twelve = release.get("VERSION_ID").is_some_and(|version| version.starts_with("12"));
                Distro {
                    codename: Some(codename.unwrap_or("n/a").to_owned()),
                    description: pretty,
                    id: Some(if is_twelve { "SUSE LINUX" } else { "SUSE" }.to_owned()),
                    release: own_release.clone(),
                }
            }
            _ => Distro {
                codename: lsb.and_then(|lsb| lsb.codename.clone()),
                description: lsb.and_then(|lsb| lsb.description.clone()),
                id: lsb.and_then(|lsb| lsb.id.clone()),
                release: parted(lsb.and_then(|lsb| lsb.release.clone())),
            },
        }
    }

    fn fact(&self) -> Value {
        hash([
            ("codename", text(self.codename.as_ref())),
            ("description", text(self.description.as_ref())),
            ("id", text(self.id.as_ref())),
            ("release", self.release.clone()),
        ])
    }
}

/// `12 (bookworm)`, or the first of two words: `14.04, Trusty Tahr`.
fn codename_in_version(release: &OsRelease) -> Option<String> {
    let version = release.get("VERSION")?;
    if version.ends_with(')')
        && let Some(codename) = bracketed(version)
    {
        return Some(codename);
    }
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let words: Vec<&str> = version.split([' ', ',']).collect();
    words.windows(2).find(|pair| pair.iter().all(is_word)).map(|pair| pair[0].to_lowercase())
}

/// The flat facts that begin with `lsb`: some stand for the distribution, others are what `lsb_release` says.
fn collect_lsb(distribution: Distribution, distro: &Distro, lsb: Option<&Lsb>, found: &mut Found) {
    if let Some(lsb) = lsb {
        found.legacy("lsbdistcodename", text(lsb.codename.as_ref()));
        found.legacy("lsbdistdescription", text(lsb.description.as_ref()));
        found.legacy("lsbdistid", text(lsb.id.as_ref()));
    }
    if matches!(distribution, Distribution::Ubuntu | Distribution::Mint) {
        let Some(release) = lsb.and_then(|lsb| lsb.release.as_ref()) else { return };
        let numbers: Vec<&str> = release.split('.').collect();
        found.legacy("lsbdistrelease", text(release));
        found.legacy("lsbmajdistrelease", text(numbers[..numbers.len().min(2)].join(".")));
        found.legacy("lsbminordistrelease", text(numbers.get(2)));
        return;
    }
    let names = [("lsbdistrelease", "full"), ("lsbmajdistrelease", "major"), ("lsbminordistrelease", "minor")];
    found.legacy_members(&distro.release, &names);
}

fn selinux(tree: Tree<'_>) -> Value {
    let mounts = tree.read("/proc/self/mounts").unwrap_or_default();
    let mount = mounts.lines().find(|line| line.contains("selinuxfs")).and_then(|line| line.split(' ').nth(1));
    let config = mount.and_then(|_| tree.read("/etc/selinux/config")).unwrap_or_default();
    let (Some(mount), false) = (mount, config.is_empty()) else {
        return hash([("enabled", Value::Boolean(false))]);
    };
    let setting = |name: &str| {
        let line = config.lines().rev().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.map(|value| value.trim().to_owned())
    };
    let is_enforced = tree.read(&format!("{mount}/enforce")).as_deref() == Some("1");
    hash([
        ("config_mode", text(setting("SELINUX"))),
        ("config_policy", text(setting("SELINUXTYPE"))),
        ("current_mode", text(if is_enforced { "enforcing" } else { "permissive" })),
        ("enabled", Value::Boolean(true)),
        ("enforced", Value::Boolean(is_enforced)),
        ("policy_version", text(tree.read(&format!("{mount}/policyvers")))),
    ])
}
