//! Looks names up where a person has that recorded: as Ruby's `Resolv` and the system's resolver do.
//! It must not know who wants a name.

mod message;
mod resolver;

use std::fs;
use std::net::{IpAddr, ToSocketAddrs};

use pantin_values::Value;

use message::{AnyRecord, RecordKind};
use resolver::Resolver;

/// What Ruby calls the look-ups that are known here, which is what they stand under in a file of answers.
const GET_ADDRESSES: &str = "Resolv.getaddresses";
const GET_NAMES: &str = "Resolv.getnames";
const DNS_ADDRESSES: &str = "Resolv::DNS#getaddresses";
const DNS_NAMES: &str = "Resolv::DNS#getnames";
const DNS_RECORDS: &str = "Resolv::DNS#getresources";
const SYSTEM: &str = "Addrinfo.getaddrinfo";

/// Returns true if it is the look-up of a name.
pub fn is_name_lookup(function: &str) -> bool {
    [GET_ADDRESSES, GET_NAMES, DNS_ADDRESSES, DNS_NAMES, DNS_RECORDS, SYSTEM].contains(&function)
}

/// Returns what is found: an array. `Err`: nobody could say.
pub(super) fn look_up(function: &str, arguments: &[Value]) -> Result<Value, String> {
    let texts = |found: Vec<String>| Value::array(found.into_iter().map(Value::from));
    let wrong = || format!("cannot look up {function}: it is not asked as a file of answers has it");
    let name = arguments.first().and_then(Value::as_str).ok_or_else(wrong)?;
    match (function, &arguments[1..]) {
        (GET_ADDRESSES, []) => match from_hosts_file(name, HostsSide::Names)? {
            found if found.is_empty() => dns_addresses(&Resolver::new(None)?, name).map(texts),
            // Ruby reads the file as bytes, and its texts are in no encoding: those of DNS are plain.
            found => Ok(Value::array(found.into_iter().map(|text| Value::hash([("bytes".into(), text.into())])))),
        },
        (GET_NAMES, []) => match from_hosts_file(name, HostsSide::Addresses)? {
            found if found.is_empty() => dns_names(&Resolver::new(None)?, name).map(texts),
            found => Ok(texts(found)),
        },
        (DNS_ADDRESSES, config) => dns_addresses(&Resolver::new(config.first())?, name).map(texts),
        (DNS_NAMES, config) => dns_names(&Resolver::new(config.first())?, name).map(texts),
        (DNS_RECORDS, [Value::String(kind), config @ ..]) => {
            let kind = RecordKind::from_name(kind).ok_or_else(wrong)?;
            let found = Resolver::new(config.first())?.records(name, kind)?;
            Ok(Value::array(found.iter().map(AnyRecord::to_value)))
        }
        (SYSTEM, []) => system_addresses(name).map(texts),
        _ => Err(wrong()),
    }
}

fn dns_addresses(resolver: &Resolver, name: &str) -> Result<Vec<String>, String> {
    let mut found = resolver.records(name, RecordKind::A)?;
    if has_global_v6() {
        found.append(&mut resolver.records(name, RecordKind::Aaaa)?);
    }
    Ok(found.iter().filter_map(AnyRecord::only_text).collect())
}

fn dns_names(resolver: &Resolver, address: &str) -> Result<Vec<String>, String> {
    let name = match address.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => {
            let [a, b, c, d] = ip.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa.")
        }
        Ok(IpAddr::V6(ip)) => {
            let digits: String = ip.octets().iter().map(|byte| format!("{byte:02x}")).collect();
            digits.chars().rev().map(|digit| format!("{digit}.")).collect::<String>() + "ip6.arpa."
        }
        // A name is asked as it is.
        Err(_) => format!("{}.", address.trim_end_matches('.')),
    };
    Ok(resolver.records(&name, RecordKind::Ptr)?.iter().filter_map(AnyRecord::only_text).collect())
}

/// What is wanted the other side of.
enum HostsSide {
    Names,
    Addresses,
}

/// Names have the addresses of the last lines first.
fn from_hosts_file(wanted: &str, side: HostsSide) -> Result<Vec<String>, String> {
    let text = fs::read("/etc/hosts").map_err(|error| format!("cannot look up '{wanted}' in /etc/hosts: {error}"))?;
    let text = String::from_utf8_lossy(&text);
    let mut found = Vec::new();
    for line in text.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(address) = words.next() else { continue };
        match side {
            HostsSide::Names if words.any(|name| name == wanted) => found.insert(0, address.to_owned()),
            HostsSide::Addresses if address == wanted => found.extend(words.map(str::to_owned)),
            _ => {}
        }
    }
    Ok(found)
}

/// Returns true if the machine has an address of the sixth version that others can reach: only then Ruby asks for such
/// ones.
fn has_global_v6() -> bool {
    const GLOBAL: &str = "00";
    let interfaces = fs::read_to_string("/proc/net/if_inet6").unwrap_or_default();
    interfaces.lines().any(|line| line.split_whitespace().nth(3) == Some(GLOBAL))
}

fn system_addresses(name: &str) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    match (name, 0).to_socket_addrs() {
        Ok(addresses) => {
            for address in addresses {
                let text = address.ip().to_string();
                if !found.contains(&text) {
                    found.push(text);
                }
            }
            Ok(found)
        }
        Err(error) => {
            let reason = error.to_string();
            let is_unknown =
                ["Name or service not known", "No address associated"].iter().any(|of| reason.contains(of));
            if is_unknown { Ok(found) } else { Err(format!("cannot look up '{name}': {reason}")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_up_is_known_by_its_name() {
        assert!(is_name_lookup("Resolv.getaddresses") && !is_name_lookup("generate"));
        let error = look_up(DNS_RECORDS, &["example.org".into(), "NOPE".into()]).unwrap_err();
        assert!(error.starts_with("cannot look up Resolv::DNS#getresources"), "{error}");
    }

    #[test]
    fn an_address_is_what_the_system_finds_for_it() {
        assert_eq!(look_up(SYSTEM, &["127.0.0.1".into()]), Ok(Value::array([Value::from("127.0.0.1")])));
    }
}
