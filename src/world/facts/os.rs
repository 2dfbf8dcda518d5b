//! Built-in facts for a node of an operating system: structured facts and legacy facts.
//!
//! Two processors, four gigabytes, one interface with an address that is nobody's. The same every time.

use pantin_base::{Language, nearest};
use pantin_values::{Hash, Value};

use super::os_table::{Distro, Os, SYSTEMS};
use super::ssh_keys;

const ADDRESS: &str = "192.0.2.10";
const NETWORK: &str = "192.0.2.0";
const NETMASK: &str = "255.255.255.0";
const ADDRESS_6: &str = "2001:db8::10";
const MAC: &str = "02:00:00:00:00:10";
const MTU: i64 = 1500;
const GIGABYTE: i64 = 1 << 30;
const PROCESSOR: &str = "Virtual CPU";

/// The names that `--os` takes.
pub fn os_names() -> impl Iterator<Item = &'static str> {
    SYSTEMS.iter().map(|os| os.key)
}

/// `Err`: facts of this system cannot be made up; which one was probably meant, or which there are.
pub fn check_os_name(name: &str) -> Result<(), String> {
    if os_names().any(|known| known == name) {
        return Ok(());
    }
    Err(match nearest(name, os_names()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are {}", os_names().collect::<Vec<_>>().join(", ")),
    })
}

/// Returns what an agent tells of a fresh machine with this system.
pub fn facts(os: &str, node: &str, language: Language, with_legacy: bool) -> Option<Hash> {
    let os = SYSTEMS.iter().find(|known| known.key == os)?;
    let node = Node::from_name(node);
    let mut facts = structured(os, &node, language);
    if with_legacy {
        facts.extend(legacy(os, &node));
    }
    // As an agent sends them.
    facts.sort_by(|one, other| one.0.cmp(&other.0));
    Some(facts.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

struct Node {
    fqdn: String,
    hostname: String,
    domain: Option<String>,
}

impl Node {
    fn from_name(name: &str) -> Node {
        let (hostname, domain) = match name.split_once('.') {
            Some((hostname, domain)) => (hostname, Some(domain.to_owned())),
            None => (name, None),
        };
        Node { fqdn: name.to_owned(), hostname: hostname.to_owned(), domain }
    }

    fn domain(&self) -> Value {
        self.domain.clone().map_or(Value::Undef, Value::from)
    }
}

pub(super) type NamedFacts = Vec<(String, Value)>;

/// Of members; those that are undef are left out.
pub(super) fn hash<const N: usize>(members: [(&str, Value); N]) -> Value {
    let present = members.into_iter().filter(|(_, value)| !value.is_undef());
    Value::hash(present.map(|(name, value)| (Value::from(name), value)))
}

fn is_windows(os: &Os) -> bool {
    os.family == "windows"
}

fn structured(os: &Os, node: &Node, language: Language) -> NamedFacts {
    let ruby = match language {
        Language::Puppet7 => "2.7.8",
        Language::Puppet8 => "3.2.5",
        Language::OpenVox8 => "3.2.11",
    };
    let version = match language {
        Language::Puppet7 => "4.2.13",
        Language::Puppet8 => "4.10.0",
        Language::OpenVox8 => "5.6.1",
    };
    let (root_home, path) = if is_windows(os) {
        (Value::Undef, r"C:\Windows\system32;C:\Windows")
    } else {
        let home = if os.family == "Darwin" { "/var/root" } else { "/root" };
        (Value::from(home), "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    };
    let facts = [
        ("aio_agent_version", Value::from(language.release())),
        ("facterversion", Value::from(version)),
        ("fips_enabled", Value::Boolean(false)),
        ("identity", identity(os)),
        ("is_virtual", Value::Boolean(true)),
        ("kernel", Value::from(os.kernel)),
        ("kernelmajversion", Value::from(leading(os.kernel_release, 2))),
        ("kernelrelease", Value::from(os.kernel_release)),
        ("kernelversion", Value::from(os.kernel_release.split('-').next().unwrap_or_default())),
        ("memory", memory()),
        ("networking", networking(os, node)),
        ("os", os_fact(os)),
        ("package_provider", Value::from(os.package_provider)),
        ("path", Value::from(path)),
        ("processors", processors(os)),
        ("puppetversion", Value::from(language.release())),
        ("root_home", root_home),
        ("ruby", hash([("platform", platform(os).into()), ("version", ruby.into())])),
        ("service_provider", Value::from(os.service_provider)),
        ("ssh", if is_windows(os) { Value::Undef } else { ssh_keys::structured() }),
        ("system_uptime", uptime()),
        ("timezone", Value::from("UTC")),
        ("virtual", Value::from("kvm")),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_undef()).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the first numbers of a version.
fn leading(version: &str, parts: usize) -> String {
    let numbers = version.split(['.', '-', '+']).take(parts);
    numbers.collect::<Vec<_>>().join(".")
}

fn platform(os: &Os) -> String {
    match os.kernel {
        "Linux" => format!("{}-linux", os.hardware),
        "windows" => "x64-mingw32".to_owned(),
        other => format!("{}-{}{}", os.hardware, other.to_lowercase(), os.major),
    }
}

fn identity(os: &Os) -> Value {
    if is_windows(os) {
        return hash([("privileged", true.into()), ("user", r"NT AUTHORITY\SYSTEM".into())]);
    }
    let group = if matches!(os.kernel, "FreeBSD" | "Darwin") { "wheel" } else { "root" };
    hash([
        ("gid", 0.into()),
        ("group", group.into()),
        ("privileged", true.into()),
        ("uid", 0.into()),
        ("user", "root".into()),
    ])
}

fn memory() -> Value {
    hash([(
        "system",
        hash([
            ("available", "3.00 GiB".into()),
            ("available_bytes", (3 * GIGABYTE).into()),
            ("capacity", "25.00%".into()),
            ("total", "4.00 GiB".into()),
            ("total_bytes", (4 * GIGABYTE).into()),
            ("used", "1.00 GiB".into()),
            ("used_bytes", GIGABYTE.into()),
        ]),
    )])
}

fn networking(os: &Os, node: &Node) -> Value {
    let binding = || {
        let four = hash([("address", ADDRESS.into()), ("netmask", NETMASK.into()), ("network", NETWORK.into())]);
        let six = hash([
            ("address", ADDRESS_6.into()),
            ("netmask", "ffff:ffff:ffff:ffff::".into()),
            ("network", "2001:db8::".into()),
        ]);
        [("bindings", Value::array([four])), ("bindings6", Value::array([six]))]
    };
    let addresses = || {
        [
            ("ip", ADDRESS.into()),
            ("ip6", ADDRESS_6.into()),
            ("mac", MAC.into()),
            ("mtu", MTU.into()),
            ("netmask", NETMASK.into()),
            ("netmask6", "ffff:ffff:ffff:ffff::".into()),
            ("network", NETWORK.into()),
            ("network6", "2001:db8::".into()),
            ("scope6", "global".into()),
        ]
    };
    let named =
        |members: Vec<(&str, Value)>| Value::hash(members.into_iter().map(|(name, value)| (name.into(), value)));
    let interface = named(binding().into_iter().chain(addresses()).collect());
    let mut members = vec![
        ("fqdn", Value::from(node.fqdn.as_str())),
        ("hostname", Value::from(node.hostname.as_str())),
        ("interfaces", hash([(os.interface, interface)])),
        ("primary", Value::from(os.interface)),
    ];
    if node.domain.is_some() {
        members.push(("domain", node.domain()));
    }
    members.extend(addresses());
    members.sort_by_key(|(name, _)| *name);
    named(members)
}

fn os_fact(os: &Os) -> Value {
    let distro = os.distro.map_or(Value::Undef, |distro| {
        hash([
            ("codename", distro.codename.into()),
            ("description", distro.description.into()),
            ("id", distro.id.into()),
            ("release", release(os)),
        ])
    });
    let selinux = match os.kernel {
        "Linux" => hash([("enabled", os.selinux.into())]),
        _ => Value::Undef,
    };
    let windows = match is_windows(os) {
        true => hash([
            ("edition_id", "ServerStandard".into()),
            ("installation_type", "Server".into()),
            ("product_name", format!("Windows Server {} Standard", os.major).into()),
            ("system32", r"C:\Windows\system32".into()),
        ]),
        false => Value::Undef,
    };
    hash([
        ("architecture", os.architecture.into()),
        ("distro", distro),
        ("family", os.family.into()),
        ("hardware", os.hardware.into()),
        ("name", os.name.into()),
        ("release", release(os)),
        ("selinux", selinux),
        ("windows", windows),
    ])
}

fn release(os: &Os) -> Value {
    hash([("full", os.release.into()), ("major", os.major.into()), ("minor", minor(os))])
}

fn minor(os: &Os) -> Value {
    let after = os.release.strip_prefix(os.major).and_then(|after| after.strip_prefix('.'));
    after.map_or(Value::Undef, |after| Value::from(after.split(['-', '.']).next().unwrap_or_default()))
}

fn processors(os: &Os) -> Value {
    hash([
        ("cores", 1.into()),
        ("count", 2.into()),
        ("isa", os.hardware.into()),
        ("models", Value::array([PROCESSOR, PROCESSOR].map(Value::from))),
        ("physicalcount", 2.into()),
        ("threads", 1.into()),
    ])
}

fn uptime() -> Value {
    hash([("days", 1.into()), ("hours", 24.into()), ("seconds", 86_400.into()), ("uptime", "1 day".into())])
}

/// Returns what agents before Puppet 8 sent as well.
fn legacy(os: &Os, node: &Node) -> NamedFacts {
    let mut facts = vec![
        ("architecture", Value::from(os.architecture)),
        ("domain", node.domain()),
        ("fqdn", node.fqdn.as_str().into()),
        ("hardwareisa", os.hardware.into()),
        ("hardwaremodel", os.hardware.into()),
        ("hostname", node.hostname.as_str().into()),
        ("interfaces", os.interface.into()),
        ("ipaddress", ADDRESS.into()),
        ("ipaddress6", ADDRESS_6.into()),
        ("macaddress", MAC.into()),
        ("memorysize", "4.00 GiB".into()),
        ("memorysize_mb", 4096.0.into()),
        ("netmask", NETMASK.into()),
        ("network", NETWORK.into()),
        ("operatingsystem", os.name.into()),
        ("operatingsystemmajrelease", os.major.into()),
        ("operatingsystemrelease", os.release.into()),
        ("osfamily", os.family.into()),
        ("physicalprocessorcount", 2.into()),
        ("processor0", PROCESSOR.into()),
        ("processor1", PROCESSOR.into()),
        ("processorcount", 2.into()),
        ("uptime", "1 day".into()),
        ("uptime_days", 1.into()),
        ("uptime_hours", 24.into()),
        ("uptime_seconds", 86_400.into()),
    ];
    if is_windows(os) {
        facts.push(("system32", r"C:\Windows\system32".into()));
    } else {
        facts.extend([("gid", "root".into()), ("id", "root".into())]);
    }
    if os.kernel == "Linux" {
        facts.push(("selinux", os.selinux.into()));
    }
    facts.extend(os.distro.iter().flat_map(|distro| lsb(os, distro)));
    let of_interface = ["ipaddress", "ipaddress6", "macaddress", "netmask", "network"];
    let mut all: NamedFacts = of_interface
        .into_iter()
        .filter_map(|name| {
            let (_, value) = facts.iter().find(|(known, _)| *known == name)?;
            Some((format!("{name}_{}", os.interface), value.clone()))
        })
        .collect();
    all.push((format!("mtu_{}", os.interface), MTU.into()));
    if !is_windows(os) {
        all.extend(ssh_keys::legacy());
    }
    all.extend(facts.into_iter().filter(|(_, value)| !value.is_undef()).map(|(name, value)| (name.to_owned(), value)));
    all
}

fn lsb(os: &Os, distro: &Distro) -> [(&'static str, Value); 5] {
    [
        ("lsbdistcodename", distro.codename.into()),
        ("lsbdistdescription", distro.description.into()),
        ("lsbdistid", distro.id.into()),
        ("lsbdistrelease", os.release.into()),
        ("lsbmajdistrelease", os.major.into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_what_modules_read() {
        for os in os_names() {
            let facts = facts(os, "web01.example.org", Language::Puppet8, true).unwrap();
            let Some(Value::Hash(of_os)) = facts.get_str("os") else { panic!("{os}: no os") };
            let Some(Value::Hash(release)) = of_os.get_str("release") else { panic!("{os}: no release") };
            assert_eq!(of_os.get_str("family"), facts.get_str("osfamily"), "{os}");
            assert_eq!(release.get_str("major"), facts.get_str("operatingsystemmajrelease"), "{os}");
            let is_windows = of_os.get_str("family") == Some(&Value::from("windows"));
            let has_keys = |name: &str| facts.get_str(name).is_some();
            assert_eq!((has_keys("ssh"), has_keys("sshrsakey")), (!is_windows, !is_windows), "{os}");
            let Some(Value::Hash(networking)) = facts.get_str("networking") else { panic!("{os}: no networking") };
            assert_eq!(networking.get_str("domain"), Some(&Value::from("example.org")), "{os}");
            assert_eq!(
                facts.get_str(&format!("ipaddress_{}", networking.get_str("primary").unwrap().as_str().unwrap())),
                Some(&ADDRESS.into())
            );
        }
    }

    #[test]
    fn legacy_facts_can_be_left_out() {
        let with = |legacy| facts("rocky-9", "a", Language::Puppet8, legacy).unwrap();
        assert_eq!(with(true).get_str("osfamily"), Some(&Value::from("RedHat")));
        assert_eq!(with(false).get_str("osfamily"), None);
        assert_eq!(with(false).get_str("domain"), None);
        assert_eq!(facts("beos-5", "a", Language::Puppet8, true), None);
    }
}
