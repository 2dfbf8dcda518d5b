//! A URI from its parts, each of which is looked at: Ruby does so by the older RFC 2396.

use super::grammar::{self, consists_of};
use super::{ScalarError, SchemeKind, Uri};

#[derive(Clone, Copy, Default, Debug)]
pub struct UriParts<'a> {
    pub scheme: Option<&'a str>,
    pub userinfo: Option<&'a str>,
    pub host: Option<&'a str>,
    pub port: Option<u64>,
    pub path: Option<&'a str>,
    pub query: Option<&'a str>,
    pub fragment: Option<&'a str>,
    pub opaque: Option<&'a str>,
}

fn bad(component: &str, text: &str) -> ScalarError {
    ScalarError::argument(format!("bad component(expected {component} component): {text}"))
}

impl Uri {
    pub fn build(parts: &UriParts<'_>) -> Result<Uri, ScalarError> {
        let mut uri = Uri { by_parts: true, ..Uri::empty(parts.scheme) };
        if uri.kind == SchemeKind::Ftp && parts.path.is_none() {
            return Err(ScalarError::argument("undefined method `sub' for nil:NilClass"));
        }
        if let Some(scheme) = parts.scheme.filter(|scheme| !is_scheme(scheme)) {
            return Err(bad("scheme", scheme));
        }
        uri.check_userinfo(parts.userinfo)?;
        uri.set_userinfo(parts.userinfo);
        uri.set_checked_host(parts.host)?;
        uri.set_port(parts.port);
        uri.set_checked_path(parts.path)?;
        // An LDAP URI makes its query of other parts, of which there are none.
        let query = if uri.kind == SchemeKind::Ldap { Some("") } else { parts.query };
        uri.query = query.map(grammar::query).transpose()?;
        uri.set_checked_opaque(if uri.kind == SchemeKind::MailTo { Some("") } else { parts.opaque })?;
        uri.fragment = parts.fragment.map(grammar::fragment);
        uri.complete()
    }

    fn check_userinfo(&self, userinfo: Option<&str>) -> Result<(), ScalarError> {
        let Some(userinfo) = userinfo else { return Ok(()) };
        if self.kind == SchemeKind::File {
            return Err(ScalarError::argument("can not set userinfo for file URI"));
        }
        let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        let fits = |text: &str| consists_of(text, |byte| is_unreserved(byte) || b";:&=+$,".contains(&byte));
        if !fits(user) {
            return Err(bad("userinfo component or user", user));
        }
        if fits(password) { Ok(()) } else { Err(ScalarError::argument("bad password component")) }
    }

    fn set_checked_host(&mut self, host: Option<&str>) -> Result<(), ScalarError> {
        let is_bracketed = |host: &str| host.starts_with('[') && host.ends_with(']');
        let bracketed = host.filter(|host| host.contains(':') && !is_bracketed(host)).map(|host| format!("[{host}]"));
        let host = bracketed.as_deref().or(host);
        if let Some(host) = host.filter(|host| !is_host(host)) {
            return Err(bad("host", host));
        }
        self.set_host(host);
        Ok(())
    }

    fn set_checked_path(&mut self, path: Option<&str>) -> Result<(), ScalarError> {
        let Some(path) = path else { return Ok(()) };
        // The path of FTP is absolute only if it begins with an escaped slash.
        let ftp = self.kind == SchemeKind::Ftp;
        let path = if ftp { path.strip_prefix("%2F").unwrap_or(path) } else { path };
        let only_absolute = self.scheme.is_some() && !ftp;
        let fits = path.is_empty() || is_absolute_path(path) || (!only_absolute && is_relative_path(path));
        if !fits {
            return Err(bad(if only_absolute { "absolute path" } else { "relative path" }, path));
        }
        if !ftp {
            self.set_path(path);
            return Ok(());
        }
        self.set_first_path(&format!("/{}", path.replacen('/', "%2F", usize::from(path.starts_with('/')))));
        match &self.typecode {
            Some(code) if !["a", "i", "d"].contains(&code.as_str()) => {
                Err(ScalarError::argument(format!("bad typecode(expected a, i, d): {code}")))
            }
            _ => Ok(()),
        }
    }

    fn set_checked_opaque(&mut self, opaque: Option<&str>) -> Result<(), ScalarError> {
        let Some(opaque) = opaque else { return Ok(()) };
        if self.host.is_some() || self.port.is_some() || self.user.is_some() || self.path.is_some() {
            return Err(ScalarError::argument("can not set opaque with host, port, userinfo or path"));
        }
        let is_letter = |byte: u8| is_unreserved(byte) || b";/?:@&=+$,[]".contains(&byte);
        if opaque.is_empty() || opaque.starts_with(['/', '[', ']']) || !consists_of(opaque, is_letter) {
            return Err(bad("opaque", opaque));
        }
        self.opaque = Some(opaque.to_owned());
        Ok(())
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_absolute_path(path: &str) -> bool {
    path.starts_with('/') && consists_of(path, |byte| is_unreserved(byte) || b":@&=+$,;/".contains(&byte))
}

/// No colon in its first part.
fn is_relative_path(path: &str) -> bool {
    let (first, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    !first.is_empty()
        && consists_of(first, |byte| is_unreserved(byte) || b";@&=+$,".contains(&byte))
        && (rest.is_empty() || is_absolute_path(rest))
}

fn is_host(host: &str) -> bool {
    let is_name = !host.is_empty() && consists_of(host, |byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    is_name || host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).is_some_and(is_address)
}

/// Groups of hexadecimal digits, of any number, the last of which may be an address of version 4.
fn is_address(host: &str) -> bool {
    let is_group = |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_last = |part: &str| is_group(part) || (part.split('.').count() == 4 && part.split('.').all(is_number));
    let is_tail = |part: &str| match part.rsplit_once(':') {
        Some((groups, last)) => groups.split(':').all(is_group) && is_last(last),
        None => is_last(part),
    };
    match host.split_once("::") {
        None => is_tail(host),
        Some((before, after)) => {
            (before.is_empty() || before.split(':').all(is_group)) && (after.is_empty() || is_tail(after))
        }
    }
}
