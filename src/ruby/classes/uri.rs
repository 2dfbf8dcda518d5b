//! URI: texts taken apart, and put together.

use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{ANY, NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Uri, Side::Class, MODULE),
    (Core::UriGeneric, Side::Class, MAKE),
    (Core::UriGeneric, Side::Instance, METHODS),
    (Core::UriHttp, Side::Instance, &[method("request_uri", 0, 0, request)]),
    (Core::Kernel, Side::Instance, &[method("URI", 1, 1, from)]),
];

/// The parts of a URI, each with nothing of its separators.
#[derive(Clone, PartialEq, Eq, Default)]
pub(in crate::ruby) struct UriParts {
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<i64>,
    path: String,
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
    method("join", 1, ANY, |interp, _| interp.unsupported("the method URI.join")),
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
        Ok(of(given).and_then(|uri| uri.port.or_else(|| default_port(&uri))).map_or(Value::Nil, Value::Int))
    }),
    method("path", 0, 0, |_, given| Ok(part(given, |uri| Some(uri.path.clone())))),
    method("query", 0, 0, |_, given| Ok(part(given, |uri| uri.query.clone()))),
    method("fragment", 0, 0, |_, given| Ok(part(given, |uri| uri.fragment.clone()))),
    method("opaque", 0, 0, |_, _| Ok(Value::Nil)),
    method("default_port", 0, 0, |_, given| {
        Ok(of(given).and_then(|uri| default_port(&uri)).map_or(Value::Nil, Value::Int))
    }),
    method("absolute?", 0, 0, |_, given| Ok(of(given).is_some_and(|uri| uri.scheme.is_some()).into())),
    method("absolute", 0, 0, |_, given| Ok(of(given).is_some_and(|uri| uri.scheme.is_some()).into())),
    method("relative?", 0, 0, |_, given| Ok(of(given).is_some_and(|uri| uri.scheme.is_none()).into())),
    method("normalize", 0, 0, |interp, given| {
        let class = interp.real_class_of(given.receiver);
        Ok(of(given).map_or(Value::Nil, |uri| Value::object(class, Data::Uri(Box::new(normal(uri))))))
    }),
    method("==", 1, 1, |interp, given| {
        let same_class = interp.real_class_of(given.receiver) == interp.real_class_of(given.arg(0));
        Ok((same_class && of(given).map(normal) == parts_of(given.arg(0)).map(normal)).into())
    }),
    method("to_s", 0, 0, |_, given| Ok(of(given).map_or(Value::Nil, |uri| Value::text(text(&uri))))),
    method("inspect", 0, 0, |_, given| {
        Ok(of(given).map_or(Value::Nil, |uri| Value::text(format!("#<URI::Generic {}>", text(&uri)))))
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
fn encode_form(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
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

fn decode_form(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
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

fn of(given: &Given<'_>) -> Option<UriParts> {
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

fn part(given: &Given<'_>, look: impl FnOnce(&UriParts) -> Option<String>) -> Value {
    of(given).and_then(|uri| look(&uri)).map_or(Value::Nil, Value::text)
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
    out.push_str(&uri.path);
    for (mark, piece) in [('?', &uri.query), ('#', &uri.fragment)] {
        if let Some(piece) = piece {
            out.push(mark);
            out.push_str(piece);
        }
    }
    out
}

/// What a server is asked for.
fn request(_: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let Some(uri) = of(given) else { return Ok(Value::Nil) };
    let path = if uri.path.starts_with('/') { uri.path } else { format!("/{}", uri.path) };
    Ok(Value::text(match uri.query {
        Some(query) => format!("{path}?{query}"),
        None => path,
    }))
}

/// `URI(…)`: one that is a URI already is it.
fn from(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.arg(0) {
        Value::Object(object) if matches!(&*object.data.borrow(), Data::Uri(_)) => Ok(given.arg(0).clone()),
        _ => parse(interp, given),
    }
}

fn parse(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let whole = match given.arg(0) {
        text @ Value::String(_) => interp.text_arg(text)?,
        other => {
            let shown = interp.inspect(other)?;
            return interp.raise(Core::UriInvalid, format!("bad URI(is not URI?): {shown}"));
        }
    };
    let allowed = |letter: char| {
        letter.is_ascii_graphic() && !matches!(letter, '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`')
    };
    if !whole.chars().all(allowed) {
        let shown = interp.inspect(given.arg(0))?;
        return interp.raise(Core::UriInvalid, format!("bad URI(is not URI?): {shown}"));
    }
    let mut uri = UriParts::default();
    let (rest, fragment) = split(&whole, '#');
    uri.fragment = fragment.map(str::to_owned);
    let (rest, query) = split(rest, '?');
    uri.query = query.map(str::to_owned);
    let mut rest = rest;
    if let Some((scheme, after)) = rest.split_once(':')
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'))
    {
        uri.scheme = Some(scheme.to_ascii_lowercase());
        rest = after;
    }
    if let Some(after) = rest.strip_prefix("//") {
        let end = after.find('/').unwrap_or(after.len());
        let authority = &after[..end];
        rest = &after[end..];
        let (info, place) = authority.rsplit_once('@').map_or((None, authority), |(info, place)| (Some(info), place));
        uri.userinfo = info.map(str::to_owned);
        let port_at = place.rfind(':').filter(|at| place.rfind(']').is_none_or(|end| end < *at));
        uri.host = Some(port_at.map_or(place, |at| &place[..at]).to_owned());
        uri.port = port_at.and_then(|at| place[at + 1..].parse().ok());
    }
    uri.path = rest.to_owned();
    let class = match uri.scheme.as_deref() {
        Some("http") => Core::UriHttp,
        Some("https") => Core::UriHttps,
        _ => Core::UriGeneric,
    };
    Ok(Value::object(class.class(), Data::Uri(Box::new(uri))))
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn build(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let mut uri = UriParts::default();
    for (key, value) in interp.hash_arg(given.arg(0))? {
        if value.is_nil() {
            continue;
        }
        let key = interp.name_arg(&key)?;
        let text = interp.text_of(&value)?;
        match key.as_str() {
            "scheme" => uri.scheme = Some(text),
            "userinfo" => uri.userinfo = Some(text),
            "host" => uri.host = Some(text),
            "port" => uri.port = text.parse().ok(),
            "path" => uri.path = text,
            "query" => uri.query = Some(text),
            "fragment" => uri.fragment = Some(text),
            other => return interp.raise(Core::ArgumentError, format!("unexpected component: {other}")),
        }
    }
    Ok(Value::object(Core::UriGeneric.class(), Data::Uri(Box::new(uri))))
}
