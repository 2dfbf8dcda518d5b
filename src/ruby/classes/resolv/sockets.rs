//! What of Ruby's sockets looks names up: `IPSocket.getaddress`, `Socket.gethostbyname`, `Addrinfo`.
//! It must not know anything that connects.

use std::net::IpAddr;

use super::addresses::packed;
use super::lookup::TextLookup;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (
        Core::IpSocket,
        Side::Class,
        &[method("getaddress", 1, 1, |interp, given| {
            let name = interp.text_arg(given.arg(0))?;
            let found = system_addresses(interp, &name, None)?;
            Ok(found.first().map_or(Value::Nil, |first| Value::text(first.to_string())))
        })],
    ),
    (Core::Socket, Side::Class, &[method("gethostbyname", 1, 1, host_by_name)]),
    (Core::Addrinfo, Side::Class, MAKE),
    (Core::Addrinfo, Side::Instance, ADDRINFO),
];

/// Of Linux.
const AF_INET: i64 = 2;
const AF_INET6: i64 = 10;

/// Returns a constant of this path.
pub(super) fn constant(path: &str) -> Option<Value> {
    Some(Value::Int(match path {
        "Socket::AF_UNSPEC" | "Socket::PF_UNSPEC" => 0,
        "Socket::AF_INET" | "Socket::PF_INET" => AF_INET,
        "Socket::AF_INET6" | "Socket::PF_INET6" => AF_INET6,
        "Socket::SOCK_STREAM" => 1,
        "Socket::SOCK_DGRAM" => 2,
        _ => return None,
    }))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    V4,
    V6,
}

/// Returns what the system finds for a name, of one family on request; nothing is an exception.
fn system_addresses(interp: &mut Interp<'_>, name: &str, family: Option<Family>) -> Flow<Vec<IpAddr>> {
    let texts = match name.parse::<IpAddr>() {
        Ok(_) => vec![name.to_owned()],
        Err(_) => TextLookup { function: "Addrinfo.getaddrinfo", example: "192.0.2.1" }.run(interp, name)?,
    };
    let mut found = Vec::new();
    for text in texts {
        match text.parse::<IpAddr>() {
            Ok(address) => found.push(address),
            Err(_) => {
                return interp
                    .fatal(format!("a recorded answer to the look-up of a name has '{text}', which is no address"));
            }
        }
    }
    found.retain(|address| family.is_none_or(|family| (family == Family::V4) == address.is_ipv4()));
    if found.is_empty() {
        return interp.raise(Core::SocketError, "getaddrinfo: Name or service not known");
    }
    Ok(found)
}

/// Name, other names, family, and the addresses of the first one's family.
fn host_by_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.text_arg(given.arg(0))?;
    let found = system_addresses(interp, &name, None)?;
    let is_v4 = found.first().is_some_and(IpAddr::is_ipv4);
    let family = Value::Int(if is_v4 { AF_INET } else { AF_INET6 });
    let of_family = found.iter().filter(|address| address.is_ipv4() == is_v4);
    let parts = [Value::text(name), Value::array(Vec::new()), family];
    Ok(Value::array(parts.into_iter().chain(of_family.map(|address| packed(*address))).collect()))
}

const MAKE: &[NativeMethod] = &[
    method("ip", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        first_addrinfo(interp, &name, 0)
    }),
    method("tcp", 2, 2, with_port),
    method("udp", 2, 2, with_port),
    method("getaddrinfo", 2, 7, addrinfo_list),
];

const ADDRESS: &str = "@address";
const PORT: &str = "@port";

const ADDRINFO: &[NativeMethod] = &[
    method("ip_address", 0, 0, |interp, given| Ok(Value::text(own_address(interp, given)?.to_string()))),
    method("ip_port", 0, 0, |interp, given| interp.instance_variable(given.receiver, &PORT.into())),
    method("ip_unpack", 0, 0, |interp, given| {
        let address = own_address(interp, given)?;
        let port = interp.instance_variable(given.receiver, &PORT.into())?;
        Ok(Value::pair(Value::text(address.to_string()), port))
    }),
    method("ip?", 0, 0, |_, _| Ok(Value::Bool(true))),
    method("ipv4?", 0, 0, |interp, given| Ok(own_address(interp, given)?.is_ipv4().into())),
    method("ipv6?", 0, 0, |interp, given| Ok(own_address(interp, given)?.is_ipv6().into())),
    method("ipv4_loopback?", 0, 0, |interp, given| {
        Ok(matches!(own_address(interp, given)?, IpAddr::V4(ip) if ip.is_loopback()).into())
    }),
    method("ipv6_loopback?", 0, 0, |interp, given| {
        Ok(matches!(own_address(interp, given)?, IpAddr::V6(ip) if ip.is_loopback()).into())
    }),
    method("ipv4_private?", 0, 0, |interp, given| {
        Ok(matches!(own_address(interp, given)?, IpAddr::V4(ip) if ip.is_private()).into())
    }),
];

fn own_address(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<IpAddr> {
    let text = interp.instance_variable(given.receiver, &ADDRESS.into())?;
    let text = interp.text_arg(&text)?;
    match text.parse() {
        Ok(address) => Ok(address),
        Err(_) => interp.raise(Core::SocketError, "need IPv4 or IPv6 address"),
    }
}

fn new_addrinfo(interp: &mut Interp<'_>, address: IpAddr, port: i64) -> Flow {
    let object = Value::object(Core::Addrinfo.class(), Data::None);
    interp.set_instance_variable(&object, &ADDRESS.into(), Value::text(address.to_string()))?;
    interp.set_instance_variable(&object, &PORT.into(), Value::Int(port))?;
    Ok(object)
}

fn first_addrinfo(interp: &mut Interp<'_>, name: &str, port: i64) -> Flow {
    let found = system_addresses(interp, name, None)?;
    match found.first() {
        Some(first) => new_addrinfo(interp, *first, port),
        None => Ok(Value::Nil),
    }
}

fn with_port(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.text_arg(given.arg(0))?;
    let port = port_number(interp, given.arg(1))?;
    first_addrinfo(interp, &name, port)
}

/// The names of services are the machine's.
fn port_number(interp: &mut Interp<'_>, port: &Value) -> Flow<i64> {
    match port {
        Value::Nil => Ok(0),
        Value::Int(port) => Ok(*port),
        other => {
            let text = interp.text_arg(other)?;
            match text.parse() {
                Ok(port) => Ok(port),
                Err(_) => interp.unsupported(format!("the service '{text}' of Addrinfo")),
            }
        }
    }
}

/// Without a kind of sockets each address comes for each of the three.
fn addrinfo_list(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.text_arg(given.arg(0))?;
    let port = port_number(interp, given.arg(1))?;
    let family = match given.args.get(2) {
        None | Some(Value::Nil | Value::Int(0)) => None,
        Some(Value::Int(AF_INET)) => Some(Family::V4),
        Some(Value::Int(AF_INET6)) => Some(Family::V6),
        Some(other) => match interp.text_of(other)?.as_str() {
            "INET" | "AF_INET" | "PF_INET" => Some(Family::V4),
            "INET6" | "AF_INET6" | "PF_INET6" => Some(Family::V6),
            "UNSPEC" | "AF_UNSPEC" | "PF_UNSPEC" => None,
            family => return interp.unsupported(format!("the family {family} of Addrinfo")),
        },
    };
    if given.args.len() > 4 {
        return interp.unsupported("more than four arguments of Addrinfo.getaddrinfo");
    }
    let kinds = if given.args.get(3).is_some_and(|kind| !kind.is_nil()) { 1 } else { 3 };
    let mut all = Vec::new();
    for address in system_addresses(interp, &name, family)? {
        for _ in 0..kinds {
            all.push(new_addrinfo(interp, address, port)?);
        }
    }
    Ok(Value::array(all))
}
