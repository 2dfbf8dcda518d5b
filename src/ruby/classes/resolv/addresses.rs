//! `Resolv::IPv4`, `Resolv::IPv6` and `Resolv::DNS::Name`: what looking a name up gives, and is given.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use pantin_values::Value as Answer;

use super::lookup::answer_text;
use super::patterns;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::ResolvIpv4, Side::Class, &[method("create", 1, 1, create_v4)]),
    (Core::ResolvIpv6, Side::Class, &[method("create", 1, 1, create_v6)]),
    (Core::ResolvIpv4, Side::Instance, ADDRESS),
    (Core::ResolvIpv6, Side::Instance, ADDRESS),
    (Core::ResolvDnsName, Side::Class, &[method("create", 1, 1, create_name)]),
    (Core::ResolvDnsName, Side::Instance, NAME),
];

/// What an address is kept in: its bytes.
const BYTES: &str = "@address";

const ADDRESS: &[NativeMethod] = &[
    method("address", 0, 0, |interp, given| interp.instance_variable(given.receiver, &BYTES.into())),
    method("to_s", 0, 0, |interp, given| Ok(Value::text(ruby_text(own_address(interp, given.receiver)?)))),
    method("inspect", 0, 0, |interp, given| {
        let address = own_address(interp, given.receiver)?;
        let class = interp.class_name_of(given.receiver);
        Ok(Value::text(format!("#<{class} {}>", ruby_text(address))))
    }),
    method("to_name", 0, 0, |interp, given| {
        let address = own_address(interp, given.receiver)?;
        new_name(interp, &reversed_name(address), true)
    }),
    method("==", 1, 1, is_same_address),
    method("eql?", 1, 1, is_same_address),
    method("hash", 0, 0, |interp, given| {
        let bytes = interp.instance_variable(given.receiver, &BYTES.into())?;
        interp.send(&bytes, "hash", &[])
    }),
];

fn is_same_address(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = interp.instance_variable(given.receiver, &BYTES.into())?;
    let other = interp.send(given.arg(0), "address", &[])?;
    Ok(interp.equal(&own, &other)?.into())
}

fn own_address(interp: &mut Interp<'_>, of: &Value) -> Flow<IpAddr> {
    let bytes = match interp.instance_variable(of, &BYTES.into())? {
        Value::String(text) => text.bytes().to_vec(),
        _ => Vec::new(),
    };
    let v4 = <[u8; 4]>::try_from(bytes.as_slice()).map(|bytes| IpAddr::from(Ipv4Addr::from(bytes)));
    let v6 = || <[u8; 16]>::try_from(bytes.as_slice()).map(|bytes| IpAddr::from(Ipv6Addr::from(bytes)));
    match v4.or_else(|_| v6()) {
        Ok(address) => Ok(address),
        Err(_) => interp.raise(Core::ArgumentError, "this is no address"),
    }
}

pub(super) fn packed(address: IpAddr) -> Value {
    let bytes = match address {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    Value::String(Rc::new(Text::binary(bytes)))
}

pub(super) fn new_address(interp: &mut Interp<'_>, address: IpAddr) -> Flow {
    let class = if address.is_ipv4() { Core::ResolvIpv4 } else { Core::ResolvIpv6 };
    let object = Value::object(class.class(), Data::None);
    interp.set_instance_variable(&object, &BYTES.into(), packed(address))?;
    Ok(object)
}

/// Ruby leaves out the first zeros that stand beside each other, or the first zero; not the most of them.
fn ruby_text(address: IpAddr) -> String {
    let IpAddr::V6(address) = address else { return address.to_string() };
    let groups = address.segments();
    let zeros_from = |from: usize| groups[from..].iter().take_while(|group| **group == 0).count();
    let first = |least: usize| (0..groups.len()).find(|from| zeros_from(*from) >= least);
    let shown = |groups: &[u16]| groups.iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":");
    match first(2).or_else(|| first(1)) {
        None => shown(&groups),
        Some(from) => {
            let run = zeros_from(from);
            format!("{}::{}", shown(&groups[..from]), shown(&groups[from + run..]))
        }
    }
}

/// The name under which the names of an address are found.
fn reversed_name(address: IpAddr) -> String {
    match address {
        IpAddr::V4(ip) => {
            let [a, b, c, d] = ip.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(ip) => {
            let digits: String = ip.octets().iter().map(|byte| format!("{byte:02x}")).collect();
            let reversed: Vec<String> = digits.chars().rev().map(String::from).collect();
            format!("{}.ip6.arpa", reversed.join("."))
        }
    }
}

fn create_v4(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = match given.arg(0) {
        Value::String(text) => interp.str_of(text)?,
        own if interp.is_a(own, Core::ResolvIpv4.class()) => return Ok(own.clone()),
        _ => String::new(),
    };
    match text.parse::<Ipv4Addr>() {
        Ok(address) => new_address(interp, address.into()),
        Err(_) => {
            let shown = interp.inspect(given.arg(0))?;
            interp.raise(Core::ArgumentError, format!("cannot interpret as IPv4 address: {shown}"))
        }
    }
}

fn create_v6(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = match given.arg(0) {
        Value::String(text) => interp.str_of(text)?,
        own if interp.is_a(own, Core::ResolvIpv6.class()) => return Ok(own.clone()),
        other => {
            let shown = interp.inspect(other)?;
            return interp.raise(Core::ArgumentError, format!("cannot interpret as IPv6 address: {shown}"));
        }
    };
    match text.parse::<Ipv6Addr>() {
        Ok(address) => new_address(interp, address.into()),
        Err(_) => interp.raise(Core::ArgumentError, format!("not numeric IPv6 address: {text}")),
    }
}

/// The address that names are wanted for, as a text.
pub(super) fn address_to_reverse(interp: &mut Interp<'_>, of: &Value) -> Flow<String> {
    if [Core::ResolvIpv4, Core::ResolvIpv6, Core::ResolvDnsName].iter().any(|class| interp.is_a(of, class.class())) {
        return interp.text_of(of);
    }
    let text = match of {
        Value::String(text) => interp.str_of(text)?,
        _ => String::new(),
    };
    match patterns::is_address(&text) {
        true => Ok(text),
        false => {
            let shown = interp.text_of(of)?;
            interp.raise(Core::ResolvError, format!("cannot interpret as address: {shown}"))
        }
    }
}

pub(super) fn address_from_answer(interp: &mut Interp<'_>, answer: &Answer) -> Flow {
    let text = answer_text(interp, answer)?;
    match text.parse::<IpAddr>() {
        Ok(address) => new_address(interp, address),
        Err(_) => interp.fatal(format!("a recorded answer to the look-up of a name has '{text}', which is no address")),
    }
}

// ---- names ----

const LABELS: &str = "@labels";
const ABSOLUTE: &str = "@absolute";
const OF_MESSAGE: &str = "@of_message";

/// What comes out of a message of DNS is a text in no encoding, and so is a line of the file of hosts.
pub(super) fn text_of_message(text: String) -> Value {
    Value::String(Rc::new(Text::binary(text.into_bytes())))
}

const NAME: &[NativeMethod] = &[
    method("to_s", 0, 0, |interp, given| {
        let (name, _) = own_name(interp, given.receiver)?;
        let is_of_message = interp.instance_variable(given.receiver, &OF_MESSAGE.into())?.is_truthy();
        Ok(if is_of_message { text_of_message(name) } else { Value::text(name) })
    }),
    method("inspect", 0, 0, |interp, given| {
        let (name, is_absolute) = own_name(interp, given.receiver)?;
        let end = if is_absolute { "." } else { "" };
        Ok(Value::text(format!("#<Resolv::DNS::Name: {name}{end}>")))
    }),
    method("absolute?", 0, 0, |interp, given| Ok(own_name(interp, given.receiver)?.1.into())),
    method("length", 0, 0, |interp, given| {
        let (name, _) = own_name(interp, given.receiver)?;
        Ok(Value::Int(labels(&name).count() as i64))
    }),
    method("==", 1, 1, is_same_name),
    method("eql?", 1, 1, is_same_name),
    method("hash", 0, 0, |interp, given| {
        let (name, _) = own_name(interp, given.receiver)?;
        interp.send(&Value::text(name.to_ascii_lowercase()), "hash", &[])
    }),
    method("subdomain_of?", 1, 1, |interp, given| {
        if !interp.is_a(given.arg(0), Core::ResolvDnsName.class()) {
            let shown = interp.inspect(given.arg(0))?;
            return interp.raise(Core::ArgumentError, format!("not a domain name: {shown}"));
        }
        let (own, other) = (own_name(interp, given.receiver)?, own_name(interp, given.arg(0))?);
        let (inner, outer) = (own.0.to_ascii_lowercase(), other.0.to_ascii_lowercase());
        let is_within = outer.is_empty() && !inner.is_empty() || inner.ends_with(&format!(".{outer}"));
        Ok((own.1 == other.1 && is_within).into())
    }),
];

fn is_same_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if !interp.is_a(given.arg(0), Core::ResolvDnsName.class()) {
        return Ok(Value::Bool(false));
    }
    let (own, other) = (own_name(interp, given.receiver)?, own_name(interp, given.arg(0))?);
    Ok((own.1 == other.1 && own.0.eq_ignore_ascii_case(&other.0)).into())
}

fn labels(name: &str) -> impl Iterator<Item = &str> {
    name.split('.').filter(|label| !label.is_empty())
}

/// Its text without a dot at the end, and whether it is absolute.
fn own_name(interp: &mut Interp<'_>, of: &Value) -> Flow<(String, bool)> {
    let text = interp.instance_variable(of, &LABELS.into())?;
    let is_absolute = interp.instance_variable(of, &ABSOLUTE.into())?.is_truthy();
    Ok((interp.text_arg(&text)?, is_absolute))
}

fn new_name(interp: &mut Interp<'_>, text: &str, is_absolute: bool) -> Flow {
    let object = Value::object(Core::ResolvDnsName.class(), Data::None);
    let text = labels(text).collect::<Vec<_>>().join(".");
    interp.set_instance_variable(&object, &LABELS.into(), Value::text(text))?;
    interp.set_instance_variable(&object, &ABSOLUTE.into(), is_absolute.into())?;
    Ok(object)
}

fn create_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(0) {
        Value::String(text) => {
            let text = interp.str_of(text)?;
            new_name(interp, &text, text.ends_with('.'))
        }
        own if interp.is_a(own, Core::ResolvDnsName.class()) => Ok(own.clone()),
        other => {
            let shown = interp.inspect(other)?;
            interp.raise(Core::ArgumentError, format!("cannot interpret as DNS name: {shown}"))
        }
    }
}

/// Returns the text of a name that is looked up; of one that is absolute, with a dot at the end.
pub(super) fn name_text(interp: &mut Interp<'_>, of: &Value) -> Flow<String> {
    match of {
        Value::String(text) => interp.str_of(text),
        own if interp.is_a(own, Core::ResolvDnsName.class()) => {
            let (name, is_absolute) = own_name(interp, own)?;
            Ok(if is_absolute { name + "." } else { name })
        }
        other => {
            let shown = interp.inspect(other)?;
            interp.raise(Core::ArgumentError, format!("cannot interpret as DNS name: {shown}"))
        }
    }
}

/// What DNS says are whole names.
pub(super) fn name_from_answer(interp: &mut Interp<'_>, answer: &Answer) -> Flow {
    let text = answer_text(interp, answer)?;
    let name = new_name(interp, &text, true)?;
    interp.set_instance_variable(&name, &OF_MESSAGE.into(), Value::Bool(true))?;
    Ok(name)
}
