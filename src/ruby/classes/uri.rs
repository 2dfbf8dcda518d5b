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
    (Core::Kernel, Side::Instance, &[method("URI", 1, 1, from)]),
];

/// The parts of a URI, each with nothing of its separators.
#[derive(Clone, Default)]
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
    method("encode_www_form_component", 1, 2, |interp, given| {
        let text = interp.text_of(given.arg(0))?;
        let mut out = String::new();
        for byte in text.bytes() {
            match byte {
                b' ' => out.push('+'),
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'-' | b'.' | b'_') => {
                    out.push(byte as char)
                }
                byte => out.push_str(&format!("%{byte:02X}")),
            }
        }
        Ok(Value::text(out))
    }),
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
    method("to_s", 0, 0, |_, given| Ok(of(given).map_or(Value::Nil, |uri| Value::text(text(&uri))))),
    method("inspect", 0, 0, |_, given| {
        Ok(of(given).map_or(Value::Nil, |uri| Value::text(format!("#<URI::Generic {}>", text(&uri)))))
    }),
];

fn of(given: &Given<'_>) -> Option<UriParts> {
    match given.receiver {
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
