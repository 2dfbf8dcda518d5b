//! IPAddr: addresses with a mask.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use num_bigint::BigInt;
use pantin_base::hex::hex;
use pantin_values::Str;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::{Flow, Stop};
use crate::text::Text;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[(Core::IpAddr, Side::Class, MAKE), (Core::IpAddr, Side::Instance, METHODS)];

/// An address with what its mask leaves of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Address {
    ip: IpAddr,
    prefix: u8,
    /// `%eth0`, or nothing.
    zone: Str,
}

const MAKE: &[NativeMethod] = &[method("new", 0, 2, new)];

const METHODS: &[NativeMethod] = &[
    method("ipv4?", 0, 0, |_, given| Ok(address_from_value(given.receiver).is_some_and(|own| own.ip.is_ipv4()).into())),
    method("ipv6?", 0, 0, |_, given| Ok(address_from_value(given.receiver).is_some_and(|own| own.ip.is_ipv6()).into())),
    method("to_s", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| Value::text(format!("{}{}", own.ip, own.zone))))
    }),
    method("to_string", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| Value::text(whole(own.ip) + &own.zone)))
    }),
    method("zone_id", 0, 0, |interp, given| match address_from_value(given.receiver) {
        Some(own) if own.ip.is_ipv4() => interp.raise(Core::IpAddrInvalidAddress, "not an IPv6 address"),
        Some(own) if !own.zone.is_empty() => Ok(Value::text(own.zone.as_str())),
        _ => Ok(Value::Nil),
    }),
    method("to_i", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| Value::big(BigInt::from(number(own.ip)))))
    }),
    method("prefix", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| Value::Int(own.prefix.into())))
    }),
    method("netmask", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| {
            let mask = mask(own.prefix, own.ip.is_ipv4());
            Value::text(address(mask, own.ip.is_ipv4()).to_string())
        }))
    }),
    method("inspect", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| {
            let (family, mask) = (if own.ip.is_ipv4() { "IPv4" } else { "IPv6" }, mask(own.prefix, own.ip.is_ipv4()));
            let mask = whole(address(mask, own.ip.is_ipv4()));
            Value::text(format!("#<IPAddr: {family}:{}{}/{mask}>", whole(own.ip), own.zone))
        }))
    }),
    method("include?", 1, 1, include),
    method("===", 1, 1, include),
    method("mask", 1, 1, |interp, given| {
        let own = address_from_value(given.receiver);
        let text = own.map_or(String::new(), |own| format!("{}{}", own.ip, own.zone));
        let mask = interp.text_of(given.arg(0))?;
        parsed(interp, &format!("{text}/{mask}"))
    }),
    method("&", 1, 1, |interp, given| combined(interp, given, |own, other| own & other)),
    method("|", 1, 1, |interp, given| combined(interp, given, |own, other| own | other)),
    method("~", 0, 0, |_, given| Ok(changed(given, |own| !own))),
    method("family", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| Value::Int(family(own.ip))))
    }),
    method("hton", 0, 0, |_, given| Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| bytes(own.ip)))),
    method("private?", 0, 0, |_, given| {
        Ok(is_in(given, &["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]))
    }),
    method("loopback?", 0, 0, |_, given| Ok(is_in(given, &["127.0.0.0/8", "::1/128"]))),
    method("link_local?", 0, 0, |_, given| Ok(is_in(given, &["169.254.0.0/16", "fe80::/10"]))),
    method("ipv4_mapped?", 0, 0, |_, given| Ok(is_in(given, &[MAPPED]))),
    method("native", 0, 0, |_, given| Ok(native(given))),
    method("reverse", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| Value::text(reversed(own.ip))))
    }),
    method(
        "eql?",
        1,
        1,
        |_, given| Ok((address_from_value(given.receiver) == address_from_value(given.arg(0))).into()),
    ),
    method("==", 1, 1, same),
    method("<=>", 1, 1, |_, given| {
        Ok(match (address_from_value(given.receiver), address_from_value(given.arg(0))) {
            (Some(own), Some(other)) => Value::Int(number(own.ip).cmp(&number(other.ip)) as i64),
            _ => Value::Nil,
        })
    }),
    method("succ", 0, 0, |_, given| {
        Ok(address_from_value(given.receiver).map_or(Value::Nil, |own| {
            let next = Address {
                ip: address(number(own.ip).wrapping_add(1), own.ip.is_ipv4()),
                prefix: own.prefix,
                zone: own.zone,
            };
            Value::object(Core::IpAddr.class(), Data::Address(next))
        }))
    }),
    method("to_range", 0, 0, |interp, given| {
        let Some(own) = address_from_value(given.receiver) else { return Ok(Value::Nil) };
        let v4 = own.ip.is_ipv4();
        let last = number(own.ip) | !mask(own.prefix, v4) & full(v4);
        let end = |ip| {
            let prefix = if v4 { 32 } else { 128 };
            Value::object(Core::IpAddr.class(), Data::Address(Address { ip, prefix, zone: Str::new() }))
        };
        interp.range(end(own.ip), end(address(last, v4)), false)
    }),
];

fn address_from_value(value: &Value) -> Option<Address> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Address(address) => Some(address.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Where addresses of IPv4 lie among those of IPv6.
const MAPPED: &str = "::ffff:0:0/96";

/// As the operating system numbers them.
fn family(ip: IpAddr) -> i64 {
    if ip.is_ipv4() { 2 } else { 10 }
}

fn bytes(ip: IpAddr) -> Value {
    let bytes = match ip {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    Value::String(std::rc::Rc::new(Text::binary(bytes)))
}

/// Whether it lies in one of these networks of its own family.
fn is_in(given: &CallArguments<'_>, networks: &[&str]) -> Value {
    let Some(own) = address_from_value(given.receiver) else { return Value::Nil };
    let within = |network: &&str| {
        let (ip, prefix) = network.split_once('/')?;
        let (ip, prefix) = (ip.parse::<IpAddr>().ok()?, prefix.parse().ok()?);
        let v4 = ip.is_ipv4();
        (v4 == own.ip.is_ipv4() && number(own.ip) & mask(prefix, v4) == number(ip)).then_some(())
    };
    networks.iter().any(|network| within(network).is_some()).into()
}

/// Returns the address with other digits, and the mask that it has.
fn changed(given: &CallArguments<'_>, change: impl FnOnce(u128) -> u128) -> Value {
    let Some(own) = address_from_value(given.receiver) else { return Value::Nil };
    let v4 = own.ip.is_ipv4();
    let ip = address(change(number(own.ip)) & full(v4), v4);
    Value::object(Core::IpAddr.class(), Data::Address(Address { ip, ..own }))
}

fn combined(interp: &mut Interp<'_>, given: &CallArguments<'_>, with: fn(u128, u128) -> u128) -> Flow {
    let other = match given.arg(0) {
        Value::Int(other) => u128::try_from(*other).ok(),
        text @ Value::String(_) => {
            let text = interp.text_arg(text)?;
            let parsed = parsed(interp, &text)?;
            address_from_value(&parsed).map(|other| number(other.ip))
        }
        other => address_from_value(other).map(|other| number(other.ip)),
    };
    match other {
        Some(other) => Ok(changed(given, |own| with(own, other))),
        None => interp.unsupported("an address combined with something that is none"),
    }
}

/// An address of IPv4 that is written as one of IPv6, as it is.
fn native(given: &CallArguments<'_>) -> Value {
    match (address_from_value(given.receiver).map(|own| own.ip), is_in(given, &[MAPPED])) {
        (Some(IpAddr::V6(ip)), Value::Bool(true)) => {
            let ip = address(u128::from(ip) & u128::from(u32::MAX), true);
            Value::object(Core::IpAddr.class(), Data::Address(Address { ip, prefix: 32, zone: Str::new() }))
        }
        _ => given.receiver.clone(),
    }
}

/// Its name in the domain of names for addresses.
fn reversed(ip: IpAddr) -> String {
    let joined = |parts: Vec<String>| parts.into_iter().rev().collect::<Vec<_>>().join(".");
    match ip {
        IpAddr::V4(ip) => joined(ip.octets().iter().map(u8::to_string).collect()) + ".in-addr.arpa",
        IpAddr::V6(ip) => {
            let digits: String = hex(ip.octets());
            joined(digits.chars().map(String::from).collect()) + ".ip6.arpa"
        }
    }
}

fn number(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => u32::from(ip).into(),
        IpAddr::V6(ip) => ip.into(),
    }
}

fn address(number: u128, v4: bool) -> IpAddr {
    if v4 { IpAddr::V4(Ipv4Addr::from(number as u32)) } else { IpAddr::V6(Ipv6Addr::from(number)) }
}

fn full(v4: bool) -> u128 {
    if v4 { u32::MAX.into() } else { u128::MAX }
}

fn mask(prefix: u8, v4: bool) -> u128 {
    let bits: u8 = if v4 { 32 } else { 128 };
    full(v4) & full(v4).checked_shl((bits - prefix.min(bits)).into()).unwrap_or(0)
}

/// With all digits.
fn whole(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => ip.segments().iter().map(|segment| format!("{segment:04x}")).collect::<Vec<_>>().join(":"),
    }
}

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(0) {
        Value::String(_) => {
            let text = interp.text_arg(given.arg(0))?;
            parsed(interp, &text)
        }
        Value::Nil if given.args.is_empty() => parsed(interp, "::"),
        // Nothing that is no text says of which family it is.
        _ if given.args.len() == 1 => interp.raise(Core::IpAddrFamily, "address family must be specified"),
        other => {
            // What is asked of it is what IPAddr itself asks of a text.
            let described = interp.describe_receiver(other)?;
            interp.raise(Core::NoMethodError, format!("undefined method `split' for {described}"))
        }
    }
}

fn parsed(interp: &mut Interp<'_>, text: &str) -> Flow {
    let (ip, rest) = match text.split_once('/') {
        Some((ip, rest)) => (ip, Some(rest)),
        None => (text, None),
    };
    let bare = ip.strip_prefix('[').and_then(|ip| ip.strip_suffix(']')).unwrap_or(ip);
    let (bare, zone) = match bare.find('%') {
        Some(at) => bare.split_at(at),
        None => (bare, ""),
    };
    // The real one has forgotten by then which address it was.
    let invalid = |interp: &mut Interp<'_>| -> Flow { interp.raise(Core::IpAddrInvalidAddress, "invalid address: ") };
    let Ok(ip) = bare.parse::<IpAddr>() else { return invalid(interp) };
    let v4 = ip.is_ipv4();
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if !zone.is_empty() && (v4 || zone.len() < 2 || !zone[1..].chars().all(is_word)) {
        return invalid(interp);
    }
    let bits: u8 = if v4 { 32 } else { 128 };
    let prefix = match rest {
        None => bits,
        Some(rest) => match rest.parse::<u8>() {
            Ok(prefix) if prefix <= bits => prefix,
            Ok(_) => return interp.raise(Core::IpAddrPrefix, format!("invalid length: {}", number(ip))),
            Err(_) => match rest.parse::<IpAddr>() {
                Ok(given) if given.is_ipv4() == v4 => number(given).count_ones() as u8,
                _ => return invalid(interp),
            },
        },
    };
    let ip = address(number(ip) & mask(prefix, v4), v4);
    Ok(Value::object(Core::IpAddr.class(), Data::Address(Address { ip, prefix, zone: zone.into() })))
}

/// Whether both are the same address, whatever their masks and zones; a text is one too.
fn same(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = address_from_value(given.receiver);
    let other = match given.arg(0) {
        text @ Value::String(_) => {
            let text = interp.text_arg(text)?;
            match parsed(interp, &text).map_err(|stop| *stop) {
                Ok(parsed) => address_from_value(&parsed),
                Err(Stop::Raise(_)) => None,
                Err(stop) => return Err(Box::new(stop)),
            }
        }
        Value::Int(other) => return Ok(own.is_some_and(|own| i128::from(*other) == number(own.ip) as i128).into()),
        other => address_from_value(other),
    };
    Ok(matches!((own, other), (Some(own), Some(other)) if own.ip == other.ip).into())
}

fn include(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(own) = address_from_value(given.receiver) else { return Ok(Value::Bool(false)) };
    let other = match given.arg(0) {
        text @ Value::String(_) => {
            let text = interp.text_arg(text)?;
            let parsed = parsed(interp, &text)?;
            address_from_value(&parsed)
        }
        other => address_from_value(other),
    };
    let Some(other) = other else { return Ok(Value::Bool(false)) };
    let same = own.ip.is_ipv4() == other.ip.is_ipv4() && own.prefix <= other.prefix;
    Ok((same && number(other.ip) & mask(own.prefix, own.ip.is_ipv4()) == number(own.ip)).into())
}
