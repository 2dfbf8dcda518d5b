//! The functions `is_…` of version 8, which say of what kind a value is.

use pantin_base::number::float_text;
use pantin_model::trace::FileKind;
use pantin_values::{Value, unconvertible};

use super::addresses::Address;
use super::deprecation::deprecate;
use super::ruby::{Result, check_arity, class_name, fail, fits, fits_any_case, leading_float, older, text_of, to_i};
use crate::{Builtin, Flow, Invocation, overload, repeated};

/// One that warns first, and then takes its arguments as they are.
macro_rules! deprecated {
    ($name:literal, $key:literal, $of:literal, $run:expr, $doc:literal) => {
        Builtin::typed(
            $name,
            &[overload(&[repeated("Any", "args")], None, |call| {
                let message = concat!(
                    "This method is deprecated, please use match expressions with Stdlib::Compat::",
                    $of,
                    " instead. They are described at https://docs.puppet.com/puppet/latest/reference/",
                    "lang_data_type.html#match-expressions."
                );
                deprecate(call, $key, message, true)?;
                let args = call.args().to_vec();
                Ok($run(args)?)
            })],
            $doc,
        )
    };
}

pub(super) static OLD: &[Builtin] = &[
    deprecated!("is_array", "is_array", "Array", is_array, "Whether a value is a list."),
    deprecated!("is_bool", "is_bool", "Bool", is_bool, "Whether a value is true or false."),
    deprecated!("is_float", "is_float", "Float", is_float, "Whether a value is a float, or a text of one."),
    deprecated!("is_ip_address", "is_ip_address", "Ip_address", is_ip_address, "Whether a text is an IP address."),
    deprecated!("is_ipv4_address", "is_ipv4_address", "Ipv4", is_ipv4_address, "Whether a text is one of IPv4."),
    deprecated!("is_ipv6_address", "is_ipv4_address", "Ipv6", is_ipv6_address, "Whether a text is one of IPv6."),
    deprecated!("is_numeric", "is_numeric", "Numeric", is_numeric, "Whether a value is a number, or a text of one."),
    deprecated!("is_string", "is_string", "String", is_string, "Whether a value is a text, and none of a number."),
    Builtin::typed(
        "is_absolute_path",
        &[overload(&[repeated("Any", "args")], None, is_absolute_path)],
        "Whether a text is an absolute path, of POSIX or of Windows.",
    ),
    older!("is_domain_name", is_domain_name, "Whether a text is the name of a domain."),
    older!("is_email_address", is_email_address, "Whether a text is an address of mail."),
    older!("is_hash", is_hash, "Whether a value is a hash."),
    older!("is_integer", is_integer, "Whether a value is a whole number, or a text of one."),
    older!("is_mac_address", is_mac_address, "Whether a text is an Ethernet or InfiniBand address."),
    Builtin::untyped(
        "is_function_available",
        &[overload(&[repeated("Any", "args")], None, is_function_available)],
        "Whether there is a function of the older kind with a name.",
    ),
    older!("type3x", type3x, "The name of the kind of a value, as Puppet 3 had them."),
];

/// The words in which most of them count.
fn only(name: &str, args: &[Value], in_parentheses: bool) -> Result<()> {
    match (args.len(), in_parentheses) {
        (1, _) => Ok(()),
        (given, true) => fail(format!("{name}(): Wrong number of arguments given ({given} for 1)")),
        (given, false) => fail(format!("{name}(): Wrong number of arguments given {given} for 1")),
    }
}

fn some(name: &str, args: &[Value]) -> Result<()> {
    if args.is_empty() { only(name, args, true) } else { Ok(()) }
}

fn is_array(args: Vec<Value>) -> Result {
    some("is_array", &args)?;
    Ok(matches!(args[0], Value::Array(_)).into())
}

pub(super) fn is_bool(args: Vec<Value>) -> Result {
    only("is_bool", &args, true)?;
    Ok(matches!(args[0], Value::Boolean(_)).into())
}

fn is_hash(args: Vec<Value>) -> Result {
    only("is_hash", &args, true)?;
    Ok(matches!(args[0], Value::Hash(_)).into())
}

fn is_float(args: Vec<Value>) -> Result {
    only("is_float", &args, false)?;
    Ok(match &args[0] {
        Value::Float(_) => true,
        Value::String(text) => float_text(leading_float(text)) == text.as_str(),
        _ => false,
    }
    .into())
}

fn is_numeric(args: Vec<Value>) -> Result {
    only("is_numeric", &args, false)?;
    Ok(match &args[0] {
        Value::Integer(_) | Value::Float(_) => true,
        Value::String(text) => fits(text, r"^-?(?:(?:[1-9]\d*)|0)(?:\.\d+)?(?:[eE]-?\d+)?$")?,
        _ => false,
    }
    .into())
}

fn is_integer(args: Vec<Value>) -> Result {
    only("is_integer", &args, false)?;
    Ok(is_whole(&args[0])?.into())
}

pub(super) fn is_whole(value: &Value) -> Result<bool> {
    match value {
        Value::Integer(_) => Ok(true),
        Value::String(text) => fits(text, r"^-?(?:(?:[1-9]\d*)|0)$"),
        _ => Ok(false),
    }
}

fn is_string(args: Vec<Value>) -> Result {
    some("is_string", &args)?;
    Ok(match &args[0] {
        Value::Undef => true,
        Value::String(text) => {
            let is_integer = to_i(&args[0]).is_ok_and(|number| number.to_string() == text.as_str());
            !is_integer && float_text(leading_float(text)) != text.as_str()
        }
        _ => false,
    }
    .into())
}

fn address(name: &str, args: &[Value], fits: fn(&Address) -> bool) -> Result {
    only(name, args, false)?;
    let address = args[0].as_str().and_then(|text| Address::new(text).ok());
    Ok(address.is_some_and(|address| fits(&address)).into())
}

fn is_ip_address(args: Vec<Value>) -> Result {
    address("is_ip_address", &args, |_| true)
}

fn is_ipv4_address(args: Vec<Value>) -> Result {
    address("is_ipv4_address", &args, |address| !address.is_v6)
}

fn is_ipv6_address(args: Vec<Value>) -> Result {
    address("is_ipv6_address", &args, |address| address.is_v6)
}

fn is_mac_address(args: Vec<Value>) -> Result {
    only("is_mac_address", &args, false)?;
    let text = match &args[0] {
        Value::String(text) => text,
        Value::Undef => return Ok(false.into()),
        other => return fail(format!("no implicit conversion of {} into String", unconvertible(other))),
    };
    let is_one = fits_any_case(text, "^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){5}$")?
        || fits_any_case(text, "^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){19}$")?;
    Ok(is_one.into())
}

fn is_domain_name(args: Vec<Value>) -> Result {
    only("is_domain_name", &args, false)?;
    Ok(is_domain(&args[0])?.into())
}

pub(super) fn is_domain(value: &Value) -> Result<bool> {
    let Value::String(text) = value else { return Ok(false) };
    if text == "." {
        return Ok(true);
    }
    let domain = text.strip_suffix('.').unwrap_or(text);
    if domain.is_empty() || domain.chars().count() > 255 {
        return Ok(false);
    }
    if domain.contains('.') && !fits(domain, r"\.[A-Za-z]+$")? {
        return Ok(false);
    }
    for label in super::texts::split(domain, ".") {
        let has_good_length = (1..=63).contains(&label.chars().count());
        if !has_good_length || label.starts_with('-') || label.ends_with('-') {
            return Ok(false);
        }
        if !fits_any_case(label, r"^[a-z\d-]+$")? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_email_address(args: Vec<Value>) -> Result {
    only("is_email_address", &args, false)?;
    Ok(is_email(&args[0])?.into())
}

pub(super) fn is_email(value: &Value) -> Result<bool> {
    match value {
        Value::String(text) => fits(text, r"\A([\w+\-].?)+@[a-z\d\-]+(\.[a-z]+)*\.[a-z]+\z"),
        _ => Ok(false),
    }
}

fn is_absolute_path(call: &mut Invocation<'_, '_>) -> Flow {
    let message = "This method is deprecated, please use match expressions with Stdlib::Compat::Absolute_Path instead. \
                   They are described at https://docs.puppet.com/puppet/latest/reference/\
                   lang_data_type.html#match-expressions.";
    deprecate(call, "is_absolute_path", message, true)?;
    let args = call.args().to_vec();
    check_arity("is_absolute_path", &args, 1)?;
    Ok(is_absolute(call, &args[0])?.into())
}

/// Puppet says of anything but a text that it cannot tell, for each of the two kinds of systems.
pub(super) fn is_absolute(call: &mut Invocation<'_, '_>, path: &Value) -> Flow<bool> {
    let Value::String(path) = path else {
        let (text, class) = (text_of(path), class_name(path));
        for _ in 0..2 {
            call.warn(format!(
                "Cannot check if {text} is an absolute path because it is a '{class}' and not a String'"
            ))?;
        }
        return Ok(false);
    };
    let windows = r"^(?:(?:[A-Z]:[\\/])|(?:[\\/][\\/][^\\/]+[\\/][^\\/]+)|(?:[\\/][\\/]\?[\\/][^\\/]+))";
    Ok(fits(path, "^/")? || fits_any_case(path, windows)?)
}

fn is_function_available(call: &mut Invocation<'_, '_>) -> Flow {
    let args = call.older_args()?;
    only_function(&args)?;
    let Value::String(name) = &args[0] else { return Ok(false.into()) };
    Ok(is_of_older_kind(call, name).into())
}

fn only_function(args: &[Value]) -> Result<()> {
    match args.len() {
        1 => Ok(()),
        given => fail(format!("is_function_available?(): Wrong number of arguments given {given} for 1")),
    }
}

/// Those that Puppet itself brings, some of them only to say that there is a newer one.
const OF_THE_CORE: [&str; 59] = [
    "alert",
    "assert_type",
    "binary_file",
    "break",
    "contain",
    "create_resources",
    "crit",
    "debug",
    "defined",
    "dig",
    "digest",
    "each",
    "emerg",
    "epp",
    "err",
    "fail",
    "file",
    "filter",
    "find_file",
    "fqdn_rand",
    "generate",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "include",
    "info",
    "inline_epp",
    "inline_template",
    "lest",
    "lookup",
    "map",
    "match",
    "md5",
    "new",
    "next",
    "notice",
    "realize",
    "reduce",
    "regsubst",
    "require",
    "return",
    "reverse_each",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "slice",
    "split",
    "sprintf",
    "step",
    "strftime",
    "tag",
    "tagged",
    "template",
    "then",
    "type",
    "versioncmp",
    "warning",
];

/// Returns true if there is a function of the older kind.
pub(super) fn is_of_older_kind(call: &mut Invocation<'_, '_>, name: &str) -> bool {
    if OF_THE_CORE.contains(&name) {
        return true;
    }
    matches!(call.find_file(FileKind::OlderFunction, name.into()), Ok(Some(_)))
}

fn type3x(args: Vec<Value>) -> Result {
    match args.as_slice() {
        [value] => Ok(match value {
            Value::Boolean(_) => "boolean",
            Value::Integer(_) => "integer",
            Value::Float(_) => "float",
            Value::Array(_) => "array",
            Value::Hash(_) => "hash",
            Value::String(text) if is_integer_text(text) => "integer",
            Value::String(text) if float_text(leading_float(text)) == text.as_str() => "float",
            Value::String(_) => "string",
            _ => return fail("type3x(): Unknown type"),
        }
        .into()),
        _ => fail(format!("type3x(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}

fn is_integer_text(text: &str) -> bool {
    to_i(&text.into()).is_ok_and(|number| number.to_string() == text)
}
