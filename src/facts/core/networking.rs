//! The fact `networking` and its legacy flat facts: interfaces with their addresses, the primary one, names.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use pantin_machine::InterfaceAddress;
use pantin_values::Value;

use super::dhcp;
use crate::found::{Found, hash, integer, table, text};
use crate::probe::{Probe, Tree};

/// The interfaces, and the one that a default route goes by.
#[derive(Debug)]
pub(crate) struct Network {
    /// Sorted by name.
    interfaces: Vec<Interface>,
    primary: Option<String>,
}

#[derive(Debug)]
struct Interface {
    name: String,
    mac: Option<String>,
    mtu: Option<u64>,
    dhcp: Option<String>,
    addresses: Vec<InterfaceAddress>,
    /// What the kernel says of addresses of version 6.
    flags: Vec<(Ipv6Addr, u32)>,
}

const FLAGS: [(&str, u32); 8] = [
    ("temporary", 0x01),
    ("noad", 0x02),
    ("optimistic", 0x04),
    ("dadfailed", 0x08),
    ("homeaddress", 0x10),
    ("deprecated", 0x20),
    ("tentative", 0x40),
    ("permanent", 0x80),
];

/// Members of an interface that have flat facts of their own: `ipaddress_eth0`.
const LEGACY: [(&str, &str); 9] = [
    ("ipaddress", "ip"),
    ("ipaddress6", "ip6"),
    ("netmask", "netmask"),
    ("netmask6", "netmask6"),
    ("network", "network"),
    ("network6", "network6"),
    ("macaddress", "mac"),
    ("mtu", "mtu"),
    ("scope6", "scope6"),
];

impl Network {
    pub(crate) fn read(tree: Tree<'_>) -> Network {
        let flags = read_flags(tree);
        let found = tree.machine.interfaces().unwrap_or_default();
        let primary = primary_by_route(tree).or_else(|| {
            let has_address = |addresses: &[InterfaceAddress]| addresses.iter().any(|one| !is_ignored(one.address));
            found.iter().find(|interface| has_address(&interface.addresses)).map(|found| found.name.clone())
        });
        let mut interfaces: Vec<Interface> = found
            .into_iter()
            .map(|found| {
                let folder = format!("/sys/class/net/{}", found.name);
                let number =
                    |name: &str| -> Option<u64> { tree.read_trimmed(&format!("{folder}/{name}"))?.parse().ok() };
                let of_interface = flags.iter().filter(|(name, ..)| *name == found.name);
                Interface {
                    mac: permanent_mac(tree, &found.name).or(found.mac),
                    mtu: number("mtu"),
                    dhcp: dhcp::server(tree, &found.name, number("ifindex")),
                    flags: of_interface.map(|(_, address, flags)| (*address, *flags)).collect(),
                    addresses: found.addresses,
                    name: found.name,
                }
            })
            .collect();
        interfaces.sort_by(|one, other| one.name.cmp(&other.name));
        Network { interfaces, primary }
    }
}

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let (host, network) = (probe.host_name(), probe.network());
    let interfaces: Vec<(String, Value)> =
        network.interfaces.iter().map(|interface| (interface.name.clone(), interface.fact())).collect();
    let primary = interfaces.iter().find(|(name, _)| network.primary.as_ref() == Some(name));
    let of_primary = |member: &str| match primary {
        Some((_, Value::Hash(primary))) => primary.get_str(member).cloned().unwrap_or_default(),
        _ => Value::Undef,
    };
    let names = [
        ("domain", text(host.domain.as_ref())),
        ("fqdn", text(host.full())),
        ("hostname", text(&host.short)),
        ("primary", text(network.primary.as_ref())),
        ("dhcp", of_primary("dhcp")),
    ];
    let copied = LEGACY.iter().map(|(_, member)| (*member, of_primary(member)));
    let all = [("interfaces", if interfaces.is_empty() { Value::Undef } else { table(interfaces.clone()) })];
    let networking = hash(names.into_iter().chain(copied).chain(all));
    collect_legacy(&networking, &interfaces, found);
    found.fact("networking", networking);
}

fn collect_legacy(networking: &Value, interfaces: &[(String, Value)], found: &mut Found) {
    found.legacy_members(networking, &[("domain", "domain"), ("fqdn", "fqdn"), ("hostname", "hostname")]);
    let of_primary: Vec<(&str, &str)> = LEGACY.into_iter().filter(|(name, _)| *name != "mtu").collect();
    found.legacy_members(networking, &of_primary);
    let names: Vec<&str> = interfaces.iter().map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return;
    }
    found.legacy("interfaces", text(names.join(",")));
    // It is there without a server too, and then it has no value inside.
    let mut servers = vec![("system".to_owned(), member(networking, "dhcp"))];
    for (name, interface) in interfaces {
        let own: Vec<(String, &str)> = LEGACY.iter().map(|(old, member)| (format!("{old}_{name}"), *member)).collect();
        let own: Vec<(&str, &str)> = own.iter().map(|(old, member)| (old.as_str(), *member)).collect();
        found.legacy_members(interface, &own);
        let server = member(interface, "dhcp");
        if !server.is_undef() {
            servers.push((name.clone(), server));
        }
    }
    found.legacy("dhcp_servers", table(servers));
}

fn member(value: &Value, name: &str) -> Value {
    match value {
        Value::Hash(hash) => hash.get_str(name).cloned().unwrap_or_default(),
        _ => Value::Undef,
    }
}

impl Interface {
    fn fact(&self) -> Value {
        let of_version = |is_6: bool| -> Vec<&InterfaceAddress> {
            self.addresses.iter().filter(|one| one.address.is_ipv6() == is_6).collect()
        };
        let (old, new) = (of_version(false), of_version(true));
        let bindings = |addresses: &[&InterfaceAddress]| match addresses {
            [] => Value::Undef,
            all => Value::array(all.iter().map(|address| self.binding(address))),
        };
        let mut members = vec![
            ("bindings", bindings(&old)),
            ("bindings6", bindings(&new)),
            ("dhcp", text(self.dhcp.as_ref())),
            ("mac", text(self.mac.as_ref())),
            ("mtu", self.mtu.map(integer).unwrap_or_default()),
        ];
        if let Some(main) = main_address(&old) {
            members.push(("ip", text(main.address.to_string())));
            members.push(("netmask", text(main.netmask.to_string())));
            members.push(("network", text(network_of(main).to_string())));
        }
        if let Some(main) = main_address(&new) {
            members.push(("ip6", text(main.address.to_string())));
            members.push(("netmask6", text(main.netmask.to_string())));
            members.push(("network6", text(network_of(main).to_string())));
            members.push(("scope6", scope(main.address)));
        }
        table(members.into_iter().filter(|(_, value)| !value.is_undef()).map(|(n, v)| (n.to_owned(), v)).collect())
    }

    fn binding(&self, one: &InterfaceAddress) -> Value {
        let flags = match one.address {
            IpAddr::V6(address) => self.flags.iter().find(|(of, _)| *of == address).map(|(_, flags)| *flags),
            IpAddr::V4(_) => None,
        };
        let flags = flags.map(|flags| {
            let set = FLAGS.iter().filter(|(_, bit)| flags & bit != 0);
            Value::array(set.map(|(name, _)| Value::string(*name)))
        });
        hash([
            ("address", text(one.address.to_string())),
            ("netmask", text(one.netmask.to_string())),
            ("network", text(network_of(one).to_string())),
            ("scope6", scope(one.address)),
            ("flags", flags.unwrap_or_default()),
        ])
    }
}

/// Returns the first address that is of use to others, or else the first.
fn main_address<'a>(addresses: &[&'a InterfaceAddress]) -> Option<&'a InterfaceAddress> {
    addresses.iter().find(|one| !is_ignored(one.address)).or(addresses.first()).copied()
}

/// Addresses of this machine and this link alone, and private ones of version 6.
fn is_ignored(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unicast_link_local() || address.is_unique_local(),
    }
}

fn network_of(one: &InterfaceAddress) -> IpAddr {
    match (one.address, one.netmask) {
        (IpAddr::V4(address), IpAddr::V4(mask)) => Ipv4Addr::from_bits(address.to_bits() & mask.to_bits()).into(),
        (IpAddr::V6(address), IpAddr::V6(mask)) => Ipv6Addr::from_bits(address.to_bits() & mask.to_bits()).into(),
        (address, _) => address,
    }
}

fn scope(address: IpAddr) -> Value {
    let IpAddr::V6(address) = address else { return Value::Undef };
    let bits = address.to_bits();
    // Version 4 inside of version 6: `::1.2.3.4`.
    let compatible = if bits >> 32 == 0 && bits > 1 { "compat," } else { "" };
    let scope = match address.segments()[0] & 0xffc0 {
        0xfe80 => "link",
        0xfec0 => "site",
        _ if address.is_loopback() => "host",
        _ => "global",
    };
    text(format!("{compatible}{scope}"))
}

/// Returns the interface of the first default route.
fn primary_by_route(tree: Tree<'_>) -> Option<String> {
    let routes = tree.read("/proc/net/route")?;
    routes.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let is_default = fields.len() > 7 && fields[1] == "00000000" && fields[7] == "00000000" && fields[0] != "*";
        is_default.then(|| fields[0].to_owned())
    })
}

/// Returns what the kernel says of each address of version 6.
fn read_flags(tree: Tree<'_>) -> Vec<(String, Ipv6Addr, u32)> {
    let addresses = tree.read("/proc/net/if_inet6").unwrap_or_default();
    let entry = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [address, _, _, _, flags, name] = fields.as_slice() else { return None };
        let address = Ipv6Addr::from_bits(u128::from_str_radix(address, 16).ok()?);
        Some(((*name).to_owned(), address, u32::from_str_radix(flags, 16).ok()?))
    };
    addresses.lines().filter_map(entry).collect()
}

/// The own address of an interface that is bound to others and has theirs.
fn permanent_mac(tree: Tree<'_>, interface: &str) -> Option<String> {
    let master = tree.link_name(&format!("/sys/class/net/{interface}/master"))?;
    let table = tree.read(&format!("/proc/net/bonding/{master}"))?;
    let mut is_meant = false;
    for line in table.lines() {
        if let Some(name) = line.trim().strip_prefix("Slave Interface: ") {
            is_meant = name == interface;
        }
        if let Some((_, mac)) = line.split_once("Permanent HW addr: ").filter(|_| is_meant) {
            return Some(mac.trim().to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use pantin_base::Language;
    use pantin_machine::{InMemory, NetworkInterface};

    use super::*;

    fn interface(name: &str, addresses: &[(&str, &str)]) -> NetworkInterface {
        let addresses = addresses.iter().map(|(address, netmask)| InterfaceAddress {
            address: address.parse().unwrap(),
            netmask: netmask.parse().unwrap(),
        });
        NetworkInterface { name: name.to_owned(), mac: None, addresses: addresses.collect() }
    }

    fn found(machine: &InMemory) -> Found {
        let mut found = Found::default();
        collect(&Probe::new(Tree::whole_machine(machine), Language::Puppet8), &mut found);
        found
    }

    fn inside(found: &Found, path: &str) -> Value {
        let networking = found.structured[0].1.clone();
        path.split('.').fold(networking, |value, name| match &value {
            Value::Array(items) => items.get(name.parse::<usize>().unwrap()).cloned().unwrap_or_default(),
            _ => member(&value, name),
        })
    }

    #[test]
    fn an_interface_has_its_first_address_of_use_and_all_bindings() {
        let machine = InMemory::new()
            .with_interface(interface("lo", &[("127.0.0.1", "255.0.0.0")]))
            .with_interface(interface(
                "eth0",
                &[("169.254.1.1", "255.255.0.0"), ("10.1.2.3", "255.255.254.0"), ("fe80::1", "ffff:ffff:ffff:ffff::")],
            ))
            .with_file("/sys/class/net/eth0/mtu", "1400\n")
            .with_file("/proc/net/if_inet6", "fe800000000000000000000000000001 02 40 20 82 eth0\n");
        let found = found(&machine);
        let at = |path: &str| inside(&found, path);
        assert_eq!((at("primary"), at("ip"), at("network")), ("eth0".into(), "10.1.2.3".into(), "10.1.2.0".into()));
        assert_eq!(at("interfaces.eth0.bindings.0.address"), "169.254.1.1".into());
        assert_eq!((at("interfaces.eth0.scope6"), at("mtu")), ("link".into(), Value::Integer(1400)));
        let flags = Value::array([Value::from("noad"), Value::from("permanent")]);
        assert_eq!(at("interfaces.eth0.bindings6.0.flags"), flags);
        let flat = |name: &str| found.legacy.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        assert_eq!((flat("ipaddress"), flat("ipaddress_lo")), (Some("10.1.2.3".into()), Some("127.0.0.1".into())));
        assert_eq!((flat("interfaces"), flat("mtu")), (Some("eth0,lo".into()), None));
    }

    #[test]
    fn the_default_route_decides_which_interface_comes_first() {
        let machine = InMemory::new()
            .with_interface(interface("eth0", &[("10.0.0.1", "255.0.0.0")]))
            .with_interface(interface("eth1", &[("10.0.0.2", "255.0.0.0")]))
            .with_file(
                "/proc/net/route",
                "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n\
                 eth0\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0\n\
                 eth1\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n",
            );
        assert_eq!(inside(&found(&machine), "ip"), "10.0.0.2".into());
    }

    #[test]
    fn a_bound_interface_keeps_its_own_address() {
        let mut one = interface("eth0", &[]);
        one.mac = Some("02:00:00:00:00:99".to_owned());
        let machine =
            InMemory::new().with_interface(one).with_link("/sys/class/net/eth0/master", "../bond0").with_file(
                "/proc/net/bonding/bond0",
                "Slave Interface: eth1\nPermanent HW addr: 02:00:00:00:00:01\n\
                 Slave Interface: eth0\nPermanent HW addr: 02:00:00:00:00:02\n",
            );
        assert_eq!(inside(&found(&machine), "interfaces.eth0.mac"), "02:00:00:00:00:02".into());
    }
}
