//! IP addresses as Ruby's `IPAddr` reads and writes them.

use pantin_values::Value;
use pantin_values::sprintf::inspect;

use super::ruby::{Result, fail, older};
use crate::{Builtin, Flow, Invocation, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("enclose_ipv6", enclose_ipv6, "Addresses, those of IPv6 in brackets."),
    Builtin::typed(
        "stdlib::ip_in_range",
        &[overload(&[required("String", "ipaddress"), required("Variant[String, Array]", "range")], None, ip_in_range)],
        "Whether an address is in a range, or in one of several.",
    ),
];

/// An address, or the range that a prefix makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    bits: u128,
    mask: u128,
    pub(super) is_v6: bool,
}

const V4: u128 = 0xffff_ffff;

impl Address {
    /// Returns what Ruby raises where it is none.
    pub(super) fn new(text: &str) -> Result<Address> {
        Address::read(text).map_err(pantin_values::Fault::new)
    }

    fn read(text: &str) -> std::result::Result<Address, String> {
        let (mut prefix, mask) = match text.split_once('/') {
            Some((prefix, mask)) => (prefix, Some(mask)),
            None => (text, None),
        };
        let mut only_v6 = false;
        if let Some(inner) = prefix.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (prefix, only_v6) = (inner, true);
        }
        if let Some((address, zone)) = prefix.rsplit_once('%')
            && !zone.is_empty()
            && zone.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        {
            (prefix, only_v6) = (address, true);
        }
        let v4 = if only_v6 { None } else { octets(prefix)? };
        let address = match v4 {
            Some(bits) => Address { bits: bits.into(), mask: V4, is_v6: false },
            None => Address { bits: groups(prefix)?, mask: u128::MAX, is_v6: true },
        };
        match mask {
            None => Ok(address),
            Some(mask) => address.masked(mask),
        }
    }

    fn masked(self, mask: &str) -> std::result::Result<Address, String> {
        let all = if self.is_v6 { u128::MAX } else { V4 };
        let width: u32 = if self.is_v6 { 128 } else { 32 };
        let shown = |problem: &str| format!("{problem}: {}", self.bits);
        if !mask.is_empty() && mask.bytes().all(|byte| byte.is_ascii_digit()) {
            if mask.len() > 1 && mask.starts_with('0') {
                return Err("leading zeros in prefix".to_owned());
            }
            let length = mask.parse::<u32>().ok().filter(|length| *length <= width);
            let length = length.ok_or_else(|| shown("invalid length"))?;
            let kept = if length == 0 { 0 } else { all & (all << (width - length)) };
            return Ok(Address { bits: self.bits & kept, mask: kept, ..self });
        }
        let other = Address::read(mask)?;
        if other.is_v6 != self.is_v6 {
            return Err(shown("address family is not same"));
        }
        let free = all ^ other.bits;
        if free.wrapping_add(1) & free & all != 0 {
            return Err(format!("invalid mask {mask}: {}", self.bits));
        }
        Ok(Address { bits: self.bits & other.bits, mask: other.bits, ..self })
    }

    fn includes(&self, other: &Address) -> bool {
        let all = if self.is_v6 { u128::MAX } else { V4 };
        let range = |address: &Address| (address.bits & address.mask, address.bits | (all ^ address.mask));
        let ((first, last), (start, end)) = (range(self), range(other));
        self.is_v6 == other.is_v6 && first <= start && last >= end
    }

    /// Without the prefix.
    pub(super) fn text(&self) -> String {
        if !self.is_v6 {
            return std::net::Ipv4Addr::from(self.bits as u32).to_string();
        }
        short(self.bits)
    }
}

/// Returns the four numbers of IPv4; nothing where it does not look like them.
fn octets(text: &str) -> std::result::Result<Option<u32>, String> {
    let parts: Vec<&str> = text.split('.').collect();
    let are_numbers = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if parts.len() != 4 || !are_numbers {
        return Ok(None);
    }
    let mut bits = 0_u32;
    for part in parts {
        let number = part.parse::<u8>().map_err(|_| "invalid address: ".to_owned())?;
        if part.len() > 1 && part.starts_with('0') {
            return Err("zero-filled number in IPv4 address is ambiguous: ".to_owned());
        }
        bits = bits << 8 | u32::from(number);
    }
    Ok(Some(bits))
}

fn groups(text: &str) -> std::result::Result<u128, String> {
    let invalid = || "invalid address: ".to_owned();
    let (left, right) = match text.split_once("::") {
        Some((_, right)) if right.contains("::") => return Err(invalid()),
        Some((left, right)) => (left, Some(right)),
        None => (text, None),
    };
    let mut before = hex_groups(left, right.is_none()).ok_or_else(invalid)??;
    match right {
        None if before.len() == 8 => {}
        None => return Err(invalid()),
        Some(right) => {
            let after = hex_groups(right, true).ok_or_else(invalid)??;
            let missing = 8_usize.checked_sub(before.len() + after.len()).ok_or_else(invalid)?;
            before.extend(std::iter::repeat_n(0, missing));
            before.extend(after);
        }
    }
    Ok(before.iter().fold(0, |bits, group| bits << 16 | u128::from(*group)))
}

type Groups = std::result::Result<Vec<u16>, String>;

/// Groups of hexadecimal digits; at the end, an address of IPv4 may stand for the last two.
fn hex_groups(text: &str, ends: bool) -> Option<Groups> {
    if text.is_empty() {
        return Some(Ok(Vec::new()));
    }
    let mut groups = Vec::new();
    let mut parts = text.split(':').peekable();
    while let Some(part) = parts.next() {
        if part.contains('.') {
            if parts.peek().is_some() || !ends {
                return None;
            }
            match octets(part) {
                Ok(Some(bits)) => groups.extend([(bits >> 16) as u16, bits as u16]),
                Ok(None) => return None,
                Err(problem) => return Some(Err(problem)),
            }
        } else if (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            groups.push(u16::from_str_radix(part, 16).ok()?);
        } else {
            return None;
        }
    }
    Some(Ok(groups))
}

/// The first of the longest runs of noughts becomes `::`.
fn short(bits: u128) -> String {
    let groups: Vec<u16> = (0..8).rev().map(|place| (bits >> (16 * place)) as u16).collect();
    let run = |length: usize| groups.windows(length).position(|window| window.iter().all(|group| *group == 0));
    let found = (2..=8).rev().find_map(|length| run(length).map(|start| (start, length)));
    let hex = |groups: &[u16]| groups.iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":");
    let Some((start, length)) = found else { return hex(&groups) };
    let rest = &groups[start + length..];
    // Noughts alone before two groups: an address of IPv4 in the one of IPv6.
    let is_mapped = match (start, rest) {
        (0, [_, _]) => Some(""),
        (0, [0xffff, _, _]) => Some("ffff:"),
        _ => None,
    };
    match is_mapped {
        Some(before) => format!("::{before}{}", std::net::Ipv4Addr::from(bits as u32)),
        None => format!("{}::{}", hex(&groups[..start]), hex(rest)),
    }
}

fn enclose_ipv6(args: Vec<Value>) -> Result {
    let [input] = args.as_slice() else {
        return fail(format!("enclose_ipv6(): Wrong number of arguments given {} for 1", args.len()));
    };
    if !matches!(input, Value::String(_) | Value::Array(_)) {
        let class = super::ruby::class_name(input);
        return fail(format!("enclose_ipv6(): Wrong argument type given {class} expected String or Array"));
    }
    let mut enclosed: Vec<Value> = Vec::new();
    for value in crate::builtins::older::flattened(std::slice::from_ref(input)) {
        let written = match &value {
            Value::Undef => continue,
            Value::String(text) if text == "*" => value.clone(),
            Value::String(text) => match Address::new(text) {
                Ok(address) if address.is_v6 => format!("[{}]", address.text()).into(),
                Ok(_) => value.clone(),
                Err(_) => return fail(format!("enclose_ipv6(): Wrong argument given {text} is not an ip address.")),
            },
            other => {
                return fail(format!("enclose_ipv6(): Wrong argument given {} is not an ip address.", inspect(other)));
            }
        };
        if !enclosed.contains(&written) {
            enclosed.push(written);
        }
    }
    Ok(Value::array(enclosed))
}

fn ip_in_range(call: &mut Invocation<'_, '_>) -> Flow {
    let (address, range) = (call.take(0), call.take(1));
    let address = Address::new(address.as_str().unwrap_or_default())?;
    let ranges = match &range {
        Value::Array(ranges) => ranges.to_vec(),
        one => vec![one.clone()],
    };
    let ranges: Vec<Address> = ranges
        .iter()
        .map(|range| match range {
            Value::String(text) => Address::new(text),
            _ => fail("address family must be specified"),
        })
        .collect::<Result<_>>()?;
    Ok(ranges.iter().any(|range| range.includes(&address)).into())
}
