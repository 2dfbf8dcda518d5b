//! URI: texts taken apart, and put together.

use pantin_values::Uri;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Uri, Side::Class, MODULE),
    (Core::UriGeneric, Side::Class, MAKE),
    (Core::UriGeneric, Side::Instance, METHODS),
    (Core::UriHttp, Side::Instance, &[method("request_uri", 0, 0, request)]),
    (Core::Kernel, Side::Instance, &[method("URI", 1, 1, from)]),
];

/// The parts of a URI, each with nothing of its separators.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct UriParts {
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<i64>,
    path: String,
    /// What stands behind the scheme, where that is no path: `mailto:a@b`.
    opaque: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
}

const MODULE: &[NativeMethod] = &[
    method("parse", 1, 1, parse),
    method("encode_www_form_component", 1, 2, |interp, given| Ok(Value::text(encoded(&interp.text_of(given.arg(0))?)))),
    method("decode_www_form_component", 1, 2, |interp, given| {
        let text = interp.text_arg(given.arg(0))?;
        decoded(interp, &text).map(Value::text)
    }),
    method("encode_www_form", 1, 2, encode_form),
    method("decode_www_form", 1, 1, decode_form),
    method("join", 0, ANY, join),
];

const MAKE: &[NativeMethod] = &[method("build", 1, 1, build)];

const METHODS: &[NativeMethod] = &[
    method("scheme", 0, 0, |_, given| Ok(part(given, |uri| uri.scheme.clone()))),
    method("userinfo", 0, 0, |_, given| Ok(part(given, |uri| uri.userinfo.clone()))),
    method("user", 0, 0, |_, given| {
        Ok(part(given, |uri| uri.userinfo.as_ref().map(|info| info.split(':').next().unwrap_or(info).to_owned())))
    }),
    method("password", 0, 0, |_, given| {
        Ok(part(given, |uri| Some(uri.userinfo.as_ref()?.split_once(':')?.1.to_owned())))
    }),
    method("host", 0, 0, |_, given| Ok(part(given, |uri| uri.host.clone()))),
    method("hostname", 0, 0, |_, given| {
        Ok(part(given, |uri| {
            uri.host.as_ref().map(|host| host.trim_start_matches('[').trim_end_matches(']').to_owned())
        }))
    }),
    method("port", 0, 0, |_, given| {
        Ok(receiver_parts(given).and_then(|uri| uri.port.or_else(|| default_port(&uri))).map_or(Value::Nil, Value::Int))
    }),
    method("path", 0, 0, |_, given| Ok(part(given, |uri| uri.opaque.is_none().then(|| uri.path.clone())))),
    method("query", 0, 0, |_, given| Ok(part(given, |uri| uri.query.clone()))),
    method("fragment", 0, 0, |_, given| Ok(part(given, |uri| uri.fragment.clone()))),
    method("opaque", 0, 0, |_, given| Ok(part(given, |uri| uri.opaque.clone()))),
    method("default_port", 0, 0, |_, given| {
        Ok(receiver_parts(given).and_then(|uri| default_port(&uri)).map_or(Value::Nil, Value::Int))
    }),
    method("absolute?", 0, 0, |_, given| Ok(receiver_parts(given).is_some_and(|uri| uri.scheme.is_some()).into())),
    method("absolute", 0, 0, |_, given| Ok(receiver_parts(given).is_some_and(|uri| uri.scheme.is_some()).into())),
    method("relative?", 0, 0, |_, given| Ok(receiver_parts(given).is_some_and(|uri| uri.scheme.is_none()).into())),
    method("normalize", 0, 0, |interp, given| {
        let class = interp.real_class_of(given.receiver);
        Ok(receiver_parts(given).map_or(Value::Nil, |uri| Value::object(class, Data::Uri(Box::new(normal(uri))))))
    }),
    method("scheme=", 1, 1, |interp, given| set_text(interp, given, |uri, scheme| uri.scheme = scheme)),
    method("host=", 1, 1, |interp, given| set_text(interp, given, |uri, host| uri.host = host)),
    method("path=", 1, 1, |interp, given| set_text(interp, given, |uri, path| uri.path = path.unwrap_or_default())),
    method("query=", 1, 1, |interp, given| set_text(interp, given, |uri, query| uri.query = query)),
    method("fragment=", 1, 1, |interp, given| set_text(interp, given, |uri, fragment| uri.fragment = fragment)),
    method("user=", 1, 1, |interp, given| {
        set_text(interp, given, |uri, user| {
            let password = uri.userinfo.take().and_then(|info| Some(info.split_once(':')?.1.to_owned()));
            uri.userinfo = user.map(|user| password.map_or(user.clone(), |password| format!("{user}:{password}")));
        })
    }),
    method("password=", 1, 1, |interp, given| {
        if receiver_parts(given).is_some_and(|uri| uri.userinfo.is_none()) && !given.arg(0).is_nil() {
            return interp.raise(Core::UriInvalid, "password component depends user component");
        }
        set_text(interp, given, |uri, password| {
            let user = uri.userinfo.take().map(|info| info.split(':').next().unwrap_or(&info).to_owned());
            uri.userinfo = user.map(|user| password.map_or(user.clone(), |password| format!("{user}:{password}")));
        })
    }),
    method("port=", 1, 1, |interp, given| {
        let port = match given.arg(0) {
            Value::Nil => None,
            Value::String(text) if text.bytes().is_empty() => None,
            Value::String(_) => match interp.send(given.arg(0), "to_i", &[])? {
                Value::Int(port) if interp.text_of(given.arg(0))? == port.to_string() => Some(port),
                _ => return wrong_part(interp, given),
            },
            port => Some(interp.int_arg(port)?),
        };
        set(given, |uri| uri.port = port);
        Ok(given.arg(0).clone())
    }),
    method("==", 1, 1, |interp, given| {
        let same_class = interp.real_class_of(given.receiver) == interp.real_class_of(given.arg(0));
        Ok((same_class && receiver_parts(given).map(normal) == parts_of(given.arg(0)).map(normal)).into())
    }),
    method("merge", 1, 1, merge),
    method("+", 1, 1, merge),
    method("read", 0, ANY, fetch),
    method("open", 0, ANY, fetch),
    method("to_s", 0, 0, |_, given| Ok(receiver_parts(given).map_or(Value::Nil, |uri| Value::text(text(&uri))))),
    method("inspect", 0, 0, |interp, given| {
        Ok(receiver_parts(given).map_or(Value::Nil, |uri| {
            Value::text(format!("#<{} {}>", interp.class_name_of(given.receiver), text(&uri)))
        }))
    }),
];

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'-' | b'.' | b'_') => out.push(byte as char),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decoded(interp: &mut Interp<'_>, text: &str) -> Flow<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
                let (Some(high), Some(low)) = (digit(0), digit(1)) else {
                    return interp.raise(Core::ArgumentError, format!("invalid %-encoding ({text})"));
                };
                bytes.push((high << 4 | low) as u8);
                rest = &behind[2..];
            }
            other => bytes.push(other),
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => interp.unsupported("a part of a form that is no text in UTF-8"),
    }
}

/// `a=1&b=2`: a list of values has its name before each, nil has none behind it.
fn encode_form(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut parts = Vec::new();
    for pair in interp.items(given.arg(0))? {
        let pair = interp.array_arg(&pair)?;
        let name = encoded(&interp.text_of(pair.first().unwrap_or(&Value::Nil))?);
        match pair.get(1) {
            None | Some(Value::Nil) => parts.push(name),
            Some(Value::Array(values)) => {
                let values = values.items.borrow().clone();
                for value in values {
                    parts.push(match value {
                        Value::Nil => name.clone(),
                        value => format!("{name}={}", encoded(&interp.text_of(&value)?)),
                    });
                }
            }
            Some(value) => parts.push(format!("{name}={}", encoded(&interp.text_of(value)?))),
        }
    }
    Ok(Value::text(parts.join("&")))
}

fn decode_form(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.text_arg(given.arg(0))?;
    let mut pairs = Vec::new();
    for part in text.split('&').filter(|_| !text.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let name = Value::text(decoded(interp, name)?);
        pairs.push(Value::pair(name, Value::text(decoded(interp, value)?)));
    }
    Ok(Value::array(pairs))
}

/// With what means the same written the same.
fn normal(mut uri: UriParts) -> UriParts {
    uri.host = uri.host.map(|host| host.to_lowercase());
    if uri.host.is_some() && uri.path.is_empty() {
        uri.path.push('/');
    }
    uri.port = uri.port.or_else(|| default_port(&uri));
    uri
}

fn receiver_parts(given: &CallArguments<'_>) -> Option<UriParts> {
    parts_of(given.receiver)
}

fn parts_of(value: &Value) -> Option<UriParts> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Uri(uri) => Some((**uri).clone()),
            _ => None,
        },
        _ => None,
    }
}

fn set(given: &CallArguments<'_>, change: impl FnOnce(&mut UriParts)) {
    if let Value::Object(object) = given.receiver
        && let Data::Uri(uri) = &mut *object.data.borrow_mut()
    {
        change(uri);
    }
}

/// Sets a part, which has to be one that the text of the whole gives back: any other is refused.
fn set_text(interp: &mut Interp<'_>, given: &CallArguments<'_>, change: fn(&mut UriParts, Option<String>)) -> Flow {
    let wanted = match given.arg(0) {
        Value::Nil => None,
        text => Some(interp.text_arg(text)?),
    };
    let Some(mut changed) = receiver_parts(given) else { return Ok(Value::Nil) };
    change(&mut changed, wanted);
    if changed.opaque.is_some() || !text(&changed).is_ascii() || taken_apart(&text(&changed)).is_none() {
        return wrong_part(interp, given);
    }
    set(given, |uri| *uri = changed);
    Ok(given.arg(0).clone())
}

/// What a part may not be has many words in Ruby.
fn wrong_part(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (part, shown) = (given.name.trim_end_matches('=').to_owned(), interp.inspect(given.arg(0))?);
    interp.unsupported(format!("the {part} {shown} of a URI"))
}

fn part(given: &CallArguments<'_>, look: impl FnOnce(&UriParts) -> Option<String>) -> Value {
    receiver_parts(given).and_then(|uri| look(&uri)).map_or(Value::Nil, Value::text)
}

fn default_port(uri: &UriParts) -> Option<i64> {
    match uri.scheme.as_deref()? {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        "ldap" => Some(389),
        "ldaps" => Some(636),
        _ => None,
    }
}

fn text(uri: &UriParts) -> String {
    let mut out = String::new();
    if let Some(scheme) = &uri.scheme {
        out.push_str(scheme);
        out.push(':');
    }
    if uri.host.is_some() || matches!(uri.scheme.as_deref(), Some("file" | "postgres")) {
        out.push_str("//");
    }
    if let Some(userinfo) = &uri.userinfo {
        out.push_str(userinfo);
        out.push('@');
    }
    out.push_str(uri.host.as_deref().unwrap_or_default());
    if let Some(port) = uri.port.filter(|port| default_port(uri) != Some(*port)) {
        out.push_str(&format!(":{port}"));
    }
    if uri.host.is_some() && !uri.path.is_empty() && !uri.path.starts_with('/') {
        out.push('/');
    }
    out.push_str(uri.opaque.as_deref().unwrap_or(&uri.path));
    for (mark, piece) in [('?', &uri.query), ('#', &uri.fragment)] {
        if let Some(piece) = piece {
            out.push(mark);
            out.push_str(piece);
        }
    }
    out
}

/// What a server is asked for.
/// What open-uri adds: the network is not asked.
fn fetch(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let shown = receiver_parts(given).map(|uri| text(&uri)).unwrap_or_default();
    if interp.outside.has_own_ruby() {
        return interp.unsupported(format!("the request for {shown}"));
    }
    interp.fatal(format!(
        "Ruby code of modules would read {shown}: the network is not asked here; --answers FILE says what the function \
         that reads it returns, as {{\"function\": \"extlib::read_url\", \"arguments\": [\"{shown}\"], \"answer\": \"…\"}}"
    ))
}

fn request(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(uri) = receiver_parts(given) else { return Ok(Value::Nil) };
    let path = if uri.path.starts_with('/') { uri.path } else { format!("/{}", uri.path) };
    Ok(Value::text(match uri.query {
        Some(query) => format!("{path}?{query}"),
        None => path,
    }))
}

/// `URI.join(base, relative, …)`
fn join(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut whole = from(interp, given)?;
    for next in given.args.iter().skip(1) {
        whole = merged(interp, given, &whole, next)?;
    }
    Ok(whole)
}

fn merge(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    merged(interp, given, given.receiver, given.arg(0))
}

/// Where another one leads to from here.
fn merged(interp: &mut Interp<'_>, given: &CallArguments<'_>, base: &Value, other: &Value) -> Flow {
    let other = from(interp, &CallArguments { args: std::slice::from_ref(other), ..*given })?;
    let texts = (parts_of(base).map(|uri| text(&uri)), parts_of(&other).map(|uri| text(&uri)));
    let (Some(base), Some(other)) = texts else { return Ok(Value::Nil) };
    match Uri::parse(&base).and_then(|base| base.merge(&Uri::parse(&other)?)) {
        Ok(found) => parse(interp, &CallArguments { args: &[Value::text(found.to_string())], ..*given }),
        Err(error) => interp.raise(Core::UriBad, error.to_string()),
    }
}

/// `URI(…)`: one that is a URI already is it.
fn from(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(0) {
        Value::Object(object) if matches!(&*object.data.borrow(), Data::Uri(_)) => Ok(given.arg(0).clone()),
        Value::String(_) => parse(interp, given),
        _ => interp.raise(Core::ArgumentError, "bad argument (expected URI object or URI string)"),
    }
}

pub(super) fn parse(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let whole = match given.arg(0) {
        text @ Value::String(_) => interp.text_arg(text)?,
        other => {
            let shown = interp.inspect(other)?;
            return interp.raise(Core::UriInvalid, format!("bad URI(is not URI?): {shown}"));
        }
    };
    if !whole.is_ascii() {
        let shown: String = interp.inspect(given.arg(0))?.chars().map(escaped_letter).collect();
        return interp.raise(Core::UriInvalid, format!("URI must be ascii only {shown}"));
    }
    let Some(uri) = taken_apart(&whole) else {
        let shown = interp.inspect(given.arg(0))?;
        return interp.raise(Core::UriInvalid, format!("bad URI(is not URI?): {shown}"));
    };
    let class = match uri.scheme.as_deref() {
        Some("http") => Core::UriHttp,
        Some("https") => Core::UriHttps,
        _ => Core::UriGeneric,
    };
    Ok(Value::object(class.class(), Data::Uri(Box::new(uri))))
}

fn escaped_letter(letter: char) -> String {
    match letter.is_ascii() {
        true => letter.to_string(),
        false if (letter as u32) < 0x10000 => format!("\\u{:04X}", letter as u32),
        false => format!("\\u{{{:X}}}", letter as u32),
    }
}

/// Returns the parts of a text that is a URI, or refers to one.
fn taken_apart(whole: &str) -> Option<UriParts> {
    let mut uri = UriParts::default();
    let (rest, fragment) = split(whole, '#');
    if !fragment.is_none_or(|fragment| is_of(fragment, ":@/?")) {
        return None;
    }
    uri.fragment = fragment.map(|fragment| escaped(fragment, is_of_fragment));
    let (mut rest, query) = split(rest, '?');
    if let Some((scheme, after)) = rest.split_once(':')
        && is_scheme(scheme)
    {
        uri.scheme = Some(scheme.to_ascii_lowercase());
        rest = after;
    }
    if let Some(after) = rest.strip_prefix("//") {
        let end = after.find('/').unwrap_or(after.len());
        rest = &after[end..];
        let (info, place) =
            after[..end].rsplit_once('@').map_or((None, &after[..end]), |(info, host)| (Some(info), host));
        let port_at = place.rfind(':').filter(|at| place.rfind(']').is_none_or(|end| end < *at));
        let (host, port) = port_at.map_or((place, ""), |at| (&place[..at], &place[at + 1..]));
        if !info.is_none_or(|info| is_of(info, ":"))
            || !is_host(host)
            || !port.bytes().all(|digit| digit.is_ascii_digit())
        {
            return None;
        }
        uri.userinfo = info.map(str::to_owned);
        uri.host = Some(host.to_owned());
        uri.port = port.parse().ok();
    } else if uri.scheme.is_some() && !rest.is_empty() && !rest.starts_with('/') {
        let query = query.map_or(String::new(), |query| format!("?{query}"));
        uri.opaque = Some(format!("{rest}{query}"));
        return is_of(rest, ":@/").then_some(uri);
    } else if uri.scheme.is_none() && rest.split('/').next().is_some_and(|first| first.contains(':')) {
        return None;
    }
    uri.query = query.map(|query| escaped(query, is_of_query));
    uri.path = rest.to_owned();
    is_of(rest, ":@/").then_some(uri)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'))
}

/// Letters that stand for themselves in every part, these more, and bytes with a percent sign.
fn is_of(text: &str, more: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let is_byte = letter == '%'
            && letters.next().is_some_and(|digit| digit.is_ascii_hexdigit())
            && letters.next().is_some_and(|digit| digit.is_ascii_hexdigit());
        let is_plain = letter.is_ascii_alphanumeric() || "!$&'()*+,-.;=_~".contains(letter);
        if !is_byte && !is_plain && !more.contains(letter) {
            return false;
        }
    }
    true
}

fn is_host(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => is_of(host, ""),
    }
}

fn is_of_query(letter: char) -> bool {
    letter.is_ascii_graphic() && !matches!(letter, '"' | '#' | '\'' | '<' | '>' | '`')
}

fn is_of_fragment(letter: char) -> bool {
    letter.is_ascii_graphic()
}

/// Returns what may not stand there, as bytes with a percent sign; what ends lines is dropped.
fn escaped(text: &str, may_stand: fn(char) -> bool) -> String {
    let mut out = String::new();
    for letter in text.chars().filter(|letter| !matches!(letter, '\t' | '\n' | '\r')) {
        if may_stand(letter) {
            out.push(letter);
        } else {
            letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        }
    }
    out
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn build(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = super::module::own(given);
    let (scheme, components): (_, &[&str]) = match class {
        _ if class.is(Core::UriHttp) => (Some("http"), &["userinfo", "host", "port", "path", "query", "fragment"]),
        _ if class.is(Core::UriHttps) => (Some("https"), &["userinfo", "host", "port", "path", "query", "fragment"]),
        _ => (None, &["scheme", "userinfo", "host", "port", "registry", "path", "opaque", "query", "fragment"]),
    };
    let values: Vec<Value> = match given.arg(0) {
        Value::Hash(parts) => components.iter().map(|name| parts.get_symbol(name).unwrap_or_default()).collect(),
        Value::Array(list) => list.items.borrow().clone(),
        _ => {
            let (name, components) = (interp.classes.name(class), components.join(", "));
            let message = format!("expected Array of or Hash of components of {name} ({components})");
            return interp.raise(Core::ArgumentError, message);
        }
    };
    let mut uri = UriParts { scheme: scheme.map(str::to_owned), ..UriParts::default() };
    for (name, value) in components.iter().zip(values) {
        if !value.is_nil() {
            set_component(interp, &mut uri, name, &value)?;
        }
    }
    // A hash may have it, whatever the class says.
    if let (Some(_), Value::Hash(parts)) = (scheme, given.arg(0))
        && let Some(opaque) = parts.get_symbol("opaque").filter(Value::is_truthy)
    {
        set_component(interp, &mut uri, "opaque", &opaque)?;
    }
    Ok(Value::object(class, Data::Uri(Box::new(uri))))
}

fn set_component(interp: &mut Interp<'_>, uri: &mut UriParts, name: &str, value: &Value) -> Flow<()> {
    let text = interp.text_of(value)?;
    let mut expected = name.to_owned();
    let is_good = match name {
        "scheme" => is_scheme(&text),
        "host" if text.contains(':') && !text.starts_with('[') => is_host(&format!("[{text}]")),
        "host" => is_host(&text),
        "port" => text.bytes().all(|digit| digit.is_ascii_digit()),
        "path" if uri.scheme.is_some() => {
            expected = "absolute path".to_owned();
            text.is_empty() || text.starts_with('/') && is_of(&text, ":@/")
        }
        "path" => {
            expected = "relative path".to_owned();
            is_of(&text, ":@/")
        }
        "registry" => return interp.unsupported("the component registry of a URI"),
        _ => true,
    };
    if !is_good {
        let shown = if name == "port" { interp.inspect(value)? } else { text };
        return interp
            .raise(Core::UriInvalidComponent, format!("bad component(expected {expected} component): {shown}"));
    }
    match name {
        "scheme" => uri.scheme = Some(text.to_lowercase()),
        "userinfo" => uri.userinfo = Some(text),
        "host" if text.contains(':') && !text.starts_with('[') => uri.host = Some(format!("[{text}]")),
        "host" => uri.host = Some(text),
        "port" => uri.port = text.parse().ok(),
        "path" => uri.path = text,
        "opaque" => uri.opaque = Some(text),
        "query" => uri.query = Some(escaped(&text, is_of_query)),
        _ => uri.fragment = Some(escaped(&text, is_of_fragment)),
    }
    Ok(())
}
