//! Functions on texts: letters turned, doubled, escaped; base64; identifiers made of names.

use pantin_base::hex::uuid;
use pantin_values::scalar::BinaryFormat;
use pantin_values::{Binary, Str, Value, unconvertible};
use sha1::{Digest, Sha1};

use super::ruby::{Result, check_arity, fail, older};
use super::text_sets::TextSet;
use crate::builtins::older::no_method;
use crate::{Builtin, Flow, Invocation, optional, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("base64", base64, "A text written in base64, or read from it."),
    older!("dos2unix", dos2unix, "A text with line feeds alone at the ends of lines."),
    older!("fqdn_uuid", fqdn_uuid, "The UUID of a domain name."),
    older!("regexpescape", regexpescape, "A text that matches itself as a pattern."),
    older!("reverse", reverse, "A list or a text from its end."),
    older!("squeeze", squeeze, "A text with one letter in the place of several that are the same."),
    older!("swapcase", swapcase, "A text with small letters for large ones, and the reverse."),
    older!("unix2dos", unix2dos, "A text with a carriage return before each line feed."),
    Builtin::typed(
        "stdlib::start_with",
        &[overload(
            &[required("String", "test_string"), required("Variant[String[1],Array[String[1], 1]]", "prefixes")],
            None,
            start_with,
        )],
        "Whether a text begins with another, or with one of several.",
    ),
    Builtin::typed(
        "stdlib::end_with",
        &[overload(
            &[required("String", "test_string"), required("Variant[String[1],Array[String[1], 1]]", "suffixes")],
            None,
            end_with,
        )],
        "Whether a text ends with another, or with one of several.",
    ),
    Builtin::typed(
        "stdlib::xml_encode",
        &[overload(&[required("String", "str"), optional("Enum['text','attr']", "type")], None, xml_encode)],
        "A text as XML has it, as content or as an attribute.",
    ),
];

pub(super) static OLD: &[Builtin] = &[older!("uriescape", uriescape, URIESCAPE)];
pub(super) static NEW: &[Builtin] =
    &[Builtin::untyped("uriescape", &[overload(&[crate::repeated("Any", "args")], None, uriescape_of_9)], URIESCAPE)];

const URIESCAPE: &str = "A text with what no URI may have written in percent signs.";

fn no_string<T>(value: &Value) -> Result<T> {
    fail(format!("no implicit conversion of {} into String", unconvertible(value)))
}

/// One text, or each of a list.
fn each_text(name: &str, args: &[Value], change: impl Fn(&str) -> String) -> Result {
    match args.first() {
        None => fail(format!("{name}(): Wrong number of arguments given (0 for 1)")),
        Some(Value::String(text)) => Ok(change(text).into()),
        Some(Value::Array(items)) => Ok(Value::array(items.iter().map(|item| match item {
            Value::String(text) => change(text).into(),
            other => other.clone(),
        }))),
        Some(_) => fail(format!("{name}(): Requires either array or string to work with")),
    }
}

fn swapcase(args: Vec<Value>) -> Result {
    each_text("swapcase", &args, |text| {
        let mut swapped = String::with_capacity(text.len());
        for letter in text.chars() {
            match letter.is_uppercase() {
                true => swapped.extend(letter.to_lowercase()),
                false => swapped.extend(letter.to_uppercase()),
            }
        }
        swapped
    })
}

fn regexpescape(args: Vec<Value>) -> Result {
    each_text("regexpescape", &args, |text| {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '\n' => escaped.push_str("\\n"),
                '\t' => escaped.push_str("\\t"),
                '\r' => escaped.push_str("\\r"),
                '\x0c' => escaped.push_str("\\f"),
                '\x0b' => escaped.push_str("\\v"),
                _ if "[]{}()|-*.\\?+^$# ".contains(character) => escaped.extend(['\\', character]),
                _ => escaped.push(character),
            }
        }
        escaped
    })
}

fn uriescape(args: Vec<Value>) -> Result {
    each_text("uriescape", &args, |text| {
        let mut escaped = String::with_capacity(text.len());
        for byte in text.bytes() {
            match byte {
                b if b.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,[]".contains(&b) => escaped.push(char::from(b)),
                b => escaped.push_str(&format!("%{b:02X}")),
            }
        }
        escaped
    })
}

fn uriescape_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let args = call.older_args()?;
    if call.settings().language >= pantin_base::Language::Puppet8 {
        let message = "Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of Ruby 3+.";
        return Err(call.fault(message));
    }
    Ok(uriescape(args)?)
}

fn reverse(args: Vec<Value>) -> Result {
    match args.first() {
        None => fail("reverse(): Wrong number of arguments given (0 for 1)"),
        Some(Value::String(text)) => Ok(text.chars().rev().collect::<Str>().into()),
        Some(Value::Array(items)) => Ok(Value::array(items.iter().rev().cloned())),
        Some(_) => fail("reverse(): Requires either array or string to work with"),
    }
}

fn squeeze(args: Vec<Value>) -> Result {
    if !matches!(args.len(), 1 | 2) {
        return fail(format!("squeeze(): Wrong number of arguments given {} for 2 or 1", args.len()));
    }
    let set = args.get(1).filter(|set| set.is_truthy());
    let squeezed = |item: &Value| -> Result {
        let Value::String(text) = item else { return Err(no_method("squeeze", item)) };
        let set = match set {
            None => None,
            Some(Value::String(written)) => Some(TextSet::new(written)?),
            Some(other) => return no_string(other),
        };
        let mut kept = String::with_capacity(text.len());
        for letter in text.chars() {
            let is_in = set.as_ref().is_none_or(|set| set.contains(letter));
            if !is_in || !kept.ends_with(letter) {
                kept.push(letter);
            }
        }
        Ok(kept.into())
    };
    match &args[0] {
        Value::Array(items) => Ok(Value::array(items.iter().map(squeezed).collect::<Result<Vec<_>>>()?)),
        one => squeezed(one),
    }
}

fn dos2unix(args: Vec<Value>) -> Result {
    check_arity("dos2unix", &args, 1)?;
    match &args[0] {
        Value::String(text) => Ok(text.replace("\r\n", "\n").into()),
        _ => fail("dos2unix(): Requires string as argument"),
    }
}

fn unix2dos(args: Vec<Value>) -> Result {
    check_arity("unix2dos", &args, 1)?;
    let Value::String(text) = &args[0] else { return fail("unix2dos(): Requires string as argument") };
    let mut lines = text.split('\n').peekable();
    let mut out = String::with_capacity(text.len() + 16);
    while let Some(line) = lines.next() {
        match lines.peek() {
            Some(_) => out.extend([line.trim_end_matches('\r'), "\r\n"]),
            None => out.push_str(line),
        }
    }
    Ok(out.into())
}

// ---- base64 ----

fn base64(args: Vec<Value>) -> Result {
    if args.len() < 2 {
        return fail(format!("base64(): Wrong number of arguments ({}; must be >= 2)", args.len()));
    }
    let encodes = match args[0].as_str() {
        Some("encode") => true,
        Some("decode") => false,
        _ => return fail("base64(): the first argument must be one of 'encode' or 'decode'"),
    };
    let (Some(text), Some(bytes)) = (args[1].as_str(), args[1].text_bytes()) else {
        return fail("base64(): the second argument must be a string to base64");
    };
    let method = match args.get(2) {
        None => "default",
        Some(Value::String(method)) if matches!(method.as_str(), "default" | "strict" | "urlsafe") => method,
        Some(_) => return fail("base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'"),
    };
    if encodes {
        let bytes = Binary::new(&*bytes);
        return Ok(match method {
            "default" => bytes.to_base64_lines(),
            "strict" => bytes.to_base64(),
            _ => bytes.to_base64_url_safe(),
        }
        .into());
    }
    let format = match method {
        "default" => "%b",
        "strict" => "%B",
        _ => "%u",
    };
    let invalid = || pantin_values::Fault::new("invalid base64");
    let padded;
    let text = match method {
        // Without its padding, too.
        "urlsafe" if text.len() % 4 != 0 && !text.ends_with('=') => {
            padded = format!("{text}{}", "=".repeat(4 - text.len() % 4));
            &padded
        }
        _ => text,
    };
    let bytes = Binary::parse(text, BinaryFormat::new(format).ok_or_else(invalid)?).map_err(|_| invalid())?;
    Ok(Value::unencoded(bytes.bytes()))
}

// ---- the rest ----

/// That of the name space for domain names, in RFC 4122.
const DNS: [u8; 16] = [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

fn fqdn_uuid(args: Vec<Value>) -> Result {
    let [name] = args.as_slice() else {
        return match args.len() {
            0 => fail("fqdn_uuid: No arguments given"),
            given => fail(format!("fqdn_uuid: Too many arguments given ({given})")),
        };
    };
    let Value::String(name) = name else { return no_string(name) };
    let digest = Sha1::new().chain_update(DNS).chain_update(name.as_bytes()).finalize();
    Ok(uuid(std::array::from_fn(|place| digest[place]), 5).into())
}

fn any_part(call: &mut Invocation<'_, '_>, is_it: impl Fn(&str, &str) -> bool) -> Flow {
    let (text, parts) = (call.take(0), call.take(1));
    let text = text.as_str().unwrap_or_default();
    let found = match &parts {
        Value::Array(parts) => parts.iter().filter_map(Value::as_str).any(|part| is_it(text, part)),
        part => part.as_str().is_some_and(|part| is_it(text, part)),
    };
    Ok(found.into())
}

fn start_with(call: &mut Invocation<'_, '_>) -> Flow {
    any_part(call, |text, part| text.starts_with(part))
}

fn end_with(call: &mut Invocation<'_, '_>) -> Flow {
    any_part(call, |text, part| text.ends_with(part))
}

fn xml_encode(call: &mut Invocation<'_, '_>) -> Flow {
    let (text, kind) = (call.take(0), call.take(1));
    let is_attribute = kind.as_str() == Some("attr");
    let mut encoded = String::new();
    for character in text.as_str().unwrap_or_default().chars() {
        match character {
            '&' => encoded.push_str("&amp;"),
            '<' => encoded.push_str("&lt;"),
            '>' => encoded.push_str("&gt;"),
            '"' if is_attribute => encoded.push_str("&quot;"),
            '\'' if is_attribute => encoded.push_str("&apos;"),
            other => encoded.push(other),
        }
    }
    Ok(if is_attribute { format!("\"{encoded}\"") } else { encoded }.into())
}

/// Ruby's `split` by a text: empty parts at the end are dropped, a blank is any space.
pub(super) fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts: Vec<&str> = match separator {
        " " => text.split([' ', '\t', '\n', '\x0b', '\x0c', '\r']).filter(|part| !part.is_empty()).collect(),
        "" => text.split("").filter(|part| !part.is_empty()).collect(),
        _ => text.split(separator).collect(),
    };
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts
}
