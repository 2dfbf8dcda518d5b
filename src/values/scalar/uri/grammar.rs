//! The grammar of RFC 3986, with the slips that Ruby's pattern for it has.

use super::ScalarError;

/// The parts of a text, none of them looked into.
#[derive(Default, Debug)]
pub(super) struct Split<'a> {
    pub(super) scheme: Option<&'a str>,
    pub(super) userinfo: Option<&'a str>,
    pub(super) host: Option<&'a str>,
    pub(super) port: Option<&'a str>,
    pub(super) path: Option<&'a str>,
    pub(super) opaque: Option<String>,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

pub(super) fn split(text: &str) -> Result<Split<'_>, ScalarError> {
    if !text.is_ascii() {
        return Err(ScalarError::argument(format!("URI must be ascii only \"{}\"", escaped(text, true))));
    }
    absolute(text)
        .or_else(|| relative(text))
        .ok_or_else(|| ScalarError::argument(format!("bad URI(is not URI?): \"{}\"", escaped(text, false))))
}

/// Returns a text as Ruby shows it between double quotes. Only what is dumped has letters beyond ASCII.
fn escaped(text: &str, dumped: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '"' | '\\' => shown.extend(['\\', ch]),
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => shown.push_str("\\#"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\x0b' => shown.push_str("\\v"),
            '\x0c' => shown.push_str("\\f"),
            '\x08' => shown.push_str("\\b"),
            '\x07' => shown.push_str("\\a"),
            '\x1b' => shown.push_str("\\e"),
            ' '..='~' => shown.push(ch),
            '\0'..='\x7f' if dumped => shown.push_str(&format!("\\x{:02X}", u32::from(ch))),
            _ if u32::from(ch) > 0xffff => shown.push_str(&format!("\\u{{{:X}}}", u32::from(ch))),
            _ => shown.push_str(&format!("\\u{:04X}", u32::from(ch))),
        }
    }
    shown
}

fn absolute(text: &str) -> Option<Split<'_>> {
    let (scheme, rest) = text.split_once(':')?;
    let begins = scheme.starts_with(|ch: char| ch.is_ascii_alphabetic());
    if !begins || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
        return None;
    }
    let (hierarchy, query, fragment) = ends(rest)?;
    let whole = Split { scheme: Some(scheme), query, fragment, ..Split::default() };
    if hierarchy.is_empty() || hierarchy.starts_with('/') {
        return rooted(hierarchy, whole, bracketed);
    }
    is_path(hierarchy).then(|| {
        let opaque = match query {
            Some(query) => format!("{hierarchy}?{query}"),
            None => hierarchy.to_owned(),
        };
        Split { opaque: Some(opaque), query: None, ..whole }
    })
}

fn relative(text: &str) -> Option<Split<'_>> {
    let (hierarchy, query, fragment) = ends(text)?;
    let whole = Split { query, fragment, ..Split::default() };
    if hierarchy.is_empty() || hierarchy.starts_with('/') {
        return rooted(hierarchy, whole, half_bracketed);
    }
    let first = hierarchy.split('/').next()?;
    (is_path(hierarchy) && !first.contains(':')).then_some(Split { path: Some(hierarchy), ..whole })
}

/// Returns what comes before the query, the query and the fragment.
fn ends(text: &str) -> Option<(&str, Option<&str>, Option<&str>)> {
    let (rest, fragment) = match text.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (text, None),
    };
    if !fragment.is_none_or(|fragment| consists_of(fragment, |byte| is_segment(byte) || b"/?".contains(&byte))) {
        return None;
    }
    Some(match rest.split_once('?') {
        Some((hierarchy, query)) => (hierarchy, Some(query), fragment),
        None => (rest, None, fragment),
    })
}

/// Two slashes and an authority with a path; or a path that begins with one slash; or nothing.
fn rooted<'a>(hierarchy: &'a str, whole: Split<'a>, is_literal: fn(&str) -> bool) -> Option<Split<'a>> {
    let Some(rest) = hierarchy.strip_prefix("//") else {
        return is_path(hierarchy).then_some(Split { path: Some(hierarchy), ..whole });
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (userinfo, server) = match authority.split_once('@') {
        Some((userinfo, server)) => (Some(userinfo), server),
        None => (None, authority),
    };
    let port_begin = server.rfind(':').filter(|colon| server[colon + 1..].bytes().all(|byte| byte.is_ascii_digit()));
    let as_whole = (server, None);
    let divided = port_begin.map(|colon| (&server[..colon], Some(&server[colon + 1..])));
    let fits = |host: &str| host.is_empty() || consists_of(host, is_registered_name) || is_literal(host);
    let (host, port) = [Some(as_whole), divided].into_iter().flatten().find(|(host, _)| fits(host))?;
    let userinfo_fits =
        userinfo.is_none_or(|userinfo| consists_of(userinfo, |byte| is_registered_name(byte) || byte == b':'));
    (userinfo_fits && is_path(path)).then_some(Split {
        userinfo,
        host: Some(host).filter(|host| !host.is_empty()),
        port,
        path: Some(path),
        ..whole
    })
}

fn is_path(path: &str) -> bool {
    consists_of(path, |byte| is_segment(byte) || byte == b'/')
}

/// Letters of a kind and percent escapes.
pub(super) fn consists_of(text: &str, of: impl Fn(u8) -> bool) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = if byte == b'%' {
            let mut hexadecimal = || bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit());
            hexadecimal() && hexadecimal()
        } else {
            of(byte)
        };
        if !fits {
            return false;
        }
    }
    true
}

fn is_registered_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!$&'()*+,-.;=_~".contains(&byte)
}

fn is_segment(byte: u8) -> bool {
    is_registered_name(byte) || b":@".contains(&byte)
}

fn bracketed(host: &str) -> bool {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).is_some_and(|host| is_ipv6(host) || is_future(host))
}

/// In a relative URI, the pattern has one bracket too few on either side.
fn half_bracketed(host: &str) -> bool {
    host.strip_prefix('[').is_some_and(is_ipv6) || host.strip_suffix(']').is_some_and(is_future)
}

/// An address of a version to come: `v1.x`.
fn is_future(host: &str) -> bool {
    let Some((version, rest)) = host.strip_prefix('v').and_then(|host| host.split_once('.')) else { return false };
    let fits = |byte: u8| is_registered_name(byte) || byte == b':';
    !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !rest.is_empty()
        && rest.bytes().all(fits)
}

fn is_ipv4(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_octet = |part: &&str| {
        part.bytes().all(|byte| byte.is_ascii_digit())
            && (part.len() == 1 || !part.starts_with('0'))
            && part.parse::<u8>().is_ok()
    };
    parts.len() == 4 && parts.iter().all(is_octet)
}

/// Returns how many of the eight groups a part has; the last may be an address of version 4, which counts for two.
fn groups(part: &str, last: bool) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    let pieces: Vec<&str> = part.split(':').collect();
    let mut count = 0;
    for (index, piece) in pieces.iter().enumerate() {
        count += match piece {
            _ if (1..=4).contains(&piece.len()) && piece.bytes().all(|byte| byte.is_ascii_hexdigit()) => 1,
            _ if last && index + 1 == pieces.len() && is_ipv4(piece) => 2,
            _ => return None,
        };
    }
    Some(count)
}

fn is_ipv6(host: &str) -> bool {
    let Some((before, after)) = host.split_once("::") else { return groups(host, true) == Some(8) };
    let (Some(before), Some(after)) = (groups(before, false), groups(after, true)) else { return false };
    // A question mark stands in the wrong place of the pattern: before six groups, there has to be one.
    before + after <= 7 && !(before == 0 && after == 6)
}

/// Returns a query as it is kept: what does not belong there is escaped.
pub(super) fn query(text: &str) -> Result<String, ScalarError> {
    let text = text.replace(['\t', '\r', '\n'], "");
    for (place, _) in text.match_indices('%') {
        let mut after = text[place + 1..].chars();
        if let (Some(one), Some(two)) = (after.next(), after.next())
            && !one.is_ascii_hexdigit()
            && !two.is_ascii_hexdigit()
        {
            return Err(ScalarError::argument(format!("invalid percent escape: %{one}{two}")));
        }
    }
    Ok(escape(&text, |byte| matches!(byte, b'!'..=b'~') && !b"\"#'<>`".contains(&byte)))
}

/// Returns a fragment as it is kept.
pub(super) fn fragment(text: &str) -> String {
    escape(&text.replace(['\t', '\r', '\n'], ""), |byte| matches!(byte, b'!'..=b'~'))
}

fn escape(text: &str, keep: impl Fn(u8) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if keep(byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
