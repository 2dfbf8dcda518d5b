//! Resolv and what of the sockets looks names up: the answers are those of the file of `--answers`.
//! It must not know how a name is looked up.

mod addresses;
mod lookup;
mod patterns;
mod records;
mod sockets;

use pantin_values::Value as Answer;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

use lookup::{NameLookup, TextLookup, answer_text, dns_lookup};
use records::RecordType;

/// Returns a constant that is no class.
pub(super) fn constant(path: &str) -> Option<Value> {
    patterns::constant(path).or_else(|| sockets::constant(path))
}

pub(super) fn tables() -> Vec<Table> {
    [TABLES, addresses::TABLES, records::TABLES, sockets::TABLES].concat()
}

const TABLES: &[Table] = &[
    (Core::Resolv, Side::Class, &[method("new", 0, 2, new_resolver)]),
    (Core::Resolv, Side::Class, RESOLVER),
    (Core::Resolv, Side::Instance, RESOLVER),
    (Core::ResolvDns, Side::Class, DNS_MAKE),
    (Core::ResolvDns, Side::Instance, DNS),
];

/// Of the class as of its objects: hosts first, then DNS, which the answers do not tell apart.
const RESOLVER: &[NativeMethod] = &[
    method("getaddress", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        let found = addresses_of(interp, &name)?;
        first_or_error(interp, found, format!("no address for {name}"))
    }),
    method("getaddresses", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        addresses_of(interp, &name).map(Value::array)
    }),
    method("each_address", 1, 1, |interp, given| {
        let name = interp.text_arg(given.arg(0))?;
        let found = addresses_of(interp, &name)?;
        each(interp, given, found)
    }),
    method("getname", 1, 1, |interp, given| {
        let address = interp.text_of(given.arg(0))?;
        let found = names_of(interp, given.arg(0))?;
        first_or_error(interp, found, format!("no name for {address}"))
    }),
    method("getnames", 1, 1, |interp, given| names_of(interp, given.arg(0)).map(Value::array)),
    method("each_name", 1, 1, |interp, given| {
        let found = names_of(interp, given.arg(0))?;
        each(interp, given, found)
    }),
];

fn new_resolver(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if !given.args.is_empty() {
        return interp.unsupported("Resolv.new with resolvers");
    }
    Ok(Value::object(Core::Resolv.class(), Data::None))
}

fn addresses_of(interp: &mut Interp<'_>, name: &str) -> Flow<Vec<Value>> {
    if patterns::is_address(name) {
        return Ok(vec![Value::text(name)]);
    }
    let lookup = TextLookup { function: "Resolv.getaddresses", example: "192.0.2.1" };
    let mut found = Vec::new();
    for answer in lookup.answers(interp, name)? {
        // One of the file of hosts.
        let bytes = if let Answer::Hash(parts) = &answer { parts.get_str("bytes") } else { None };
        found.push(match bytes {
            Some(bytes) => addresses::text_of_message(answer_text(interp, bytes)?),
            None => Value::text(answer_text(interp, &answer)?),
        });
    }
    Ok(found)
}

fn names_of(interp: &mut Interp<'_>, address: &Value) -> Flow<Vec<Value>> {
    let address = addresses::address_to_reverse(interp, address)?;
    let lookup = TextLookup { function: "Resolv.getnames", example: "host.example.org" };
    Ok(lookup.run(interp, &address)?.into_iter().map(addresses::text_of_message).collect())
}

/// Hands each to the block, as a loop with `yield` does: without a block it ends at the first.
fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>, found: Vec<Value>) -> Flow {
    for value in found {
        match given.block {
            Some(block) => interp.yield_one(block, value)?,
            None => return interp.raise(Core::LocalJumpError, "no block given (yield)"),
        };
    }
    Ok(Value::Nil)
}

fn first_or_error(interp: &mut Interp<'_>, found: Vec<Value>, message: String) -> Flow {
    match found.into_iter().next() {
        Some(first) => Ok(first),
        None => interp.raise(Core::ResolvError, message),
    }
}

const DNS_MAKE: &[NativeMethod] = &[
    method("new", 0, 1, new_dns),
    method("open", 0, 1, |interp, given| {
        let dns = new_dns(interp, given)?;
        match given.block {
            Some(block) => interp.yield_one(block, dns),
            None => Ok(dns),
        }
    }),
];

const DNS: &[NativeMethod] = &[
    method("close", 0, 0, |_, _| Ok(Value::Nil)),
    method("lazy_initialize", 0, 0, |_, given| Ok(given.receiver.clone())),
    // Nothing is waited for.
    method("timeouts=", 1, 1, |_, given| Ok(given.arg(0).clone())),
    method("getaddress", 1, 1, |interp, given| {
        let found = dns_addresses(interp, given)?;
        no_information(interp, given, found)
    }),
    method("getaddresses", 1, 1, |interp, given| dns_addresses(interp, given).map(Value::array)),
    method("each_address", 1, 1, |interp, given| {
        let found = dns_addresses(interp, given)?;
        each(interp, given, found)
    }),
    method("getname", 1, 1, |interp, given| {
        let found = dns_names(interp, given)?;
        no_information(interp, given, found)
    }),
    method("getnames", 1, 1, |interp, given| dns_names(interp, given).map(Value::array)),
    method("each_name", 1, 1, |interp, given| {
        let found = dns_names(interp, given)?;
        each(interp, given, found)
    }),
    method("getresource", 2, 2, |interp, given| {
        let found = dns_records(interp, given)?;
        no_information(interp, given, found)
    }),
    method("getresources", 2, 2, |interp, given| dns_records(interp, given).map(Value::array)),
    method("each_resource", 2, 2, |interp, given| {
        let found = dns_records(interp, given)?;
        each(interp, given, found)
    }),
];

/// The configuration is part of each question.
fn new_dns(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let config = given.args.first().cloned().unwrap_or_default();
    if !matches!(config, Value::Nil | Value::String(_) | Value::Hash(_)) {
        let shown = interp.inspect(&config)?;
        return interp.raise(Core::ArgumentError, format!("invalid resolv configuration: {shown}"));
    }
    let dns = Value::object(Core::ResolvDns.class(), Data::None);
    interp.set_instance_variable(&dns, &lookup::CONFIG.into(), config)?;
    Ok(dns)
}

fn no_information(interp: &mut Interp<'_>, given: &CallArguments<'_>, found: Vec<Value>) -> Flow {
    let of = interp.text_of(given.arg(0))?;
    first_or_error(interp, found, format!("DNS result has no information for {of}"))
}

fn dns_addresses(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    let name = addresses::name_text(interp, given.arg(0))?;
    let lookup = NameLookup {
        function: "Resolv::DNS#getaddresses",
        arguments: vec![name.into()],
        example: r#""192.0.2.1""#.to_owned(),
    };
    let mut found = Vec::new();
    for text in dns_lookup(interp, given.receiver, lookup)? {
        found.push(addresses::address_from_answer(interp, &text)?);
    }
    Ok(found)
}

fn dns_names(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    let address = addresses::address_to_reverse(interp, given.arg(0))?;
    let lookup = NameLookup {
        function: "Resolv::DNS#getnames",
        arguments: vec![address.into()],
        example: r#""host.example.org""#.to_owned(),
    };
    let mut found = Vec::new();
    for text in dns_lookup(interp, given.receiver, lookup)? {
        found.push(addresses::name_from_answer(interp, &text)?);
    }
    Ok(found)
}

fn dns_records(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    let name = addresses::name_text(interp, given.arg(0))?;
    let of = RecordType::from_class(interp, given.arg(1))?;
    let lookup = NameLookup {
        function: "Resolv::DNS#getresources",
        arguments: vec![name.into(), of.name.into()],
        example: of.example.to_owned(),
    };
    let mut found = Vec::new();
    for answer in dns_lookup(interp, given.receiver, lookup)? {
        found.push(of.record(interp, &answer)?);
    }
    Ok(found)
}
