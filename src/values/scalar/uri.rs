//! A URI, as Ruby's library has it: what it parses, what it makes of the parts, and how it writes them.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::ScalarError;

mod build;
mod grammar;
mod merge;
#[cfg(test)]
mod tests;

pub use build::UriParts;

#[derive(Clone, Debug)]
pub struct Uri {
    kind: SchemeKind,
    scheme: Option<String>,
    user: Option<String>,
    password: Option<String>,
    host: Option<String>,
    port: Option<u64>,
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
    opaque: Option<String>,
    /// How an FTP URI wants its file sent.
    typecode: Option<String>,
    /// Made of its parts. Ruby reads texts that are merged with such a URI by an older grammar.
    by_parts: bool,
}

/// The schemes that have rules of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SchemeKind {
    Generic,
    /// `http`, `https` and `ws`.
    Web,
    Ftp,
    File,
    Ldap,
    MailTo,
}

impl SchemeKind {
    fn from_scheme(scheme: Option<&str>) -> SchemeKind {
        match scheme {
            Some("http" | "https" | "ws") => SchemeKind::Web,
            Some("ftp") => SchemeKind::Ftp,
            Some("file") => SchemeKind::File,
            Some("ldap" | "ldaps") => SchemeKind::Ldap,
            Some("mailto") => SchemeKind::MailTo,
            _ => SchemeKind::Generic,
        }
    }
}

fn default_port(scheme: Option<&str>) -> Option<u64> {
    match scheme? {
        "http" | "ws" => Some(80),
        "https" => Some(443),
        "ftp" => Some(21),
        "ldap" => Some(389),
        "ldaps" => Some(636),
        _ => None,
    }
}

impl Uri {
    /// Ruby has a class of its own for each scheme that it knows.
    pub fn ruby_class(&self) -> &'static str {
        match self.scheme.as_deref() {
            Some("http") => "URI::HTTP",
            Some("https") => "URI::HTTPS",
            Some("ftp") => "URI::FTP",
            Some("file") => "URI::File",
            Some("ldap") => "URI::LDAP",
            Some("ldaps") => "URI::LDAPS",
            Some("mailto") => "URI::MailTo",
            Some("ws") => "URI::WS",
            Some("wss") => "URI::WSS",
            _ => "URI::Generic",
        }
    }

    pub fn parse(text: &str) -> Result<Uri, ScalarError> {
        let split = grammar::split(text)?;
        let mut uri = Uri::empty(split.scheme);
        uri.set_userinfo(split.userinfo);
        uri.set_host(split.host);
        uri.set_port(port(split.port)?);
        if uri.kind == SchemeKind::Ftp && split.path.is_none() {
            return Err(ScalarError::argument("URI::InvalidURIError"));
        }
        match split.path {
            Some(path) => uri.set_first_path(path),
            None => uri.opaque = split.opaque,
        }
        uri.query = split.query.map(grammar::query).transpose()?;
        uri.fragment = split.fragment.map(str::to_owned);
        uri.complete()
    }

    fn empty(scheme: Option<&str>) -> Uri {
        let scheme = scheme.map(str::to_ascii_lowercase);
        Uri {
            kind: SchemeKind::from_scheme(scheme.as_deref()),
            scheme,
            user: None,
            password: None,
            host: None,
            port: None,
            path: None,
            query: None,
            fragment: None,
            opaque: None,
            typecode: None,
            by_parts: false,
        }
    }

    /// Returns what a scheme wants beyond the grammar.
    fn complete(mut self) -> Result<Uri, ScalarError> {
        if self.path.is_none() && self.opaque.is_none() {
            self.set_path("");
        }
        if self.port.is_none() {
            self.set_port(default_port(self.scheme.as_deref()));
        }
        match self.kind {
            SchemeKind::Ldap if self.fragment.is_some() || self.path.is_none() => {
                Err(ScalarError::argument("bad LDAP URL"))
            }
            SchemeKind::MailTo => self.complete_mail(),
            _ => Ok(self),
        }
    }

    fn complete_mail(mut self) -> Result<Uri, ScalarError> {
        if self.opaque.is_none() {
            self.opaque = self.query.as_ref().map(|query| format!("?{query}"));
        }
        let Some(opaque) = &self.opaque else {
            return Err(ScalarError::argument("missing opaque part for mailto URL"));
        };
        let receivers = opaque.split_once('?').map_or(opaque.as_str(), |(receivers, _)| receivers);
        let is_address = |part: &str| matches!(part.split_once('@'), Some((name, host)) if !name.is_empty() && !host.is_empty() && !host.contains('@'));
        let receivers = receivers.strip_suffix([',', ';']).unwrap_or(receivers);
        if opaque.is_empty()
            || !(receivers.is_empty() && opaque.starts_with('?') || receivers.split([',', ';']).all(is_address))
        {
            return Err(ScalarError::argument(format!("unrecognised opaque part for mailtoURL: {opaque}")));
        }
        Ok(self)
    }

    fn set_userinfo(&mut self, userinfo: Option<&str>) {
        if self.kind == SchemeKind::File {
            return;
        }
        match userinfo.filter(|userinfo| !userinfo.is_empty()) {
            None => self.user = None,
            Some(userinfo) => {
                let (user, password) = match userinfo.split_once(':') {
                    Some((user, password)) => (user, Some(password)),
                    None => (userinfo, None),
                };
                self.user = Some(user.to_owned());
                self.password = password.map(str::to_owned).or(self.password.take());
            }
        }
    }

    fn set_host(&mut self, host: Option<&str>) {
        self.host = match (self.kind, host) {
            (SchemeKind::File, None | Some("localhost")) => Some(String::new()),
            _ => host.map(str::to_owned),
        };
    }

    fn set_port(&mut self, port: Option<u64>) {
        if self.kind != SchemeKind::File {
            self.port = port;
        }
    }

    /// A path as it is written. That of FTP begins after the slash, and may end in a type code.
    fn set_first_path(&mut self, path: &str) {
        if self.kind != SchemeKind::Ftp {
            self.set_path(path);
            return;
        }
        let path = path.strip_prefix('/').unwrap_or(path);
        let absolute = path.strip_prefix("%2F").map(|rest| format!("/{rest}"));
        let path = absolute.as_deref().unwrap_or(path);
        match path.split_once(";type=") {
            Some((path, typecode)) => {
                self.set_path(path);
                self.typecode = Some(typecode.to_owned());
            }
            None => self.set_path(path),
        }
    }

    fn set_path(&mut self, path: &str) {
        self.path = Some(match (self.kind, path.strip_prefix('/')) {
            (SchemeKind::Ftp, Some(rest)) => format!("/%2F{rest}"),
            (SchemeKind::Ftp, None) => format!("/{path}"),
            _ => path.to_owned(),
        });
    }

    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    pub fn userinfo(&self) -> Option<String> {
        let user = self.user.as_deref()?;
        Some(match &self.password {
            Some(password) => format!("{user}:{password}"),
            None => user.to_owned(),
        })
    }

    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// As it is written, or else the usual one of the scheme.
    pub fn port(&self) -> Option<u64> {
        self.port
    }

    pub fn path(&self) -> Option<String> {
        let path = self.path.as_deref()?;
        if self.kind != SchemeKind::Ftp {
            return Some(path.to_owned());
        }
        let path = path.strip_prefix('/').unwrap_or(path);
        Some(path.strip_prefix("%2F").map_or_else(|| path.to_owned(), |rest| format!("/{rest}")))
    }

    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// Returns what stands behind the scheme of a URI that is not made of paths.
    pub fn opaque(&self) -> Option<&str> {
        self.opaque.as_deref()
    }

    /// Returns what two URIs of a kind have to share to be equal.
    fn components(&self) -> Vec<Option<String>> {
        let lower = |text: &Option<String>| text.as_deref().map(str::to_ascii_lowercase);
        let text = |text: &Option<String>| text.clone();
        let path = || {
            self.path().map(|path| if path.is_empty() && self.kind != SchemeKind::Ftp { "/".to_owned() } else { path })
        };
        let port = || self.port.map(|port| port.to_string());
        match self.kind {
            SchemeKind::File => vec![lower(&self.host), path()],
            SchemeKind::MailTo => vec![text(&self.opaque)],
            SchemeKind::Ftp => vec![self.userinfo(), lower(&self.host), port(), path(), text(&self.typecode)],
            SchemeKind::Ldap => vec![lower(&self.host), port(), text(&self.path), text(&self.query)],
            SchemeKind::Web => {
                vec![self.userinfo(), lower(&self.host), port(), path(), text(&self.query), text(&self.fragment)]
            }
            SchemeKind::Generic => vec![
                self.userinfo(),
                lower(&self.host),
                port(),
                path(),
                text(&self.opaque),
                text(&self.query),
                text(&self.fragment),
            ],
        }
    }
}

fn port(digits: Option<&str>) -> Result<Option<u64>, ScalarError> {
    let Some(digits) = digits.filter(|digits| !digits.is_empty()) else { return Ok(None) };
    digits.parse().map(Some).map_err(|_| ScalarError::Limit("the port of a URI does not fit in 64 bits"))
}

impl PartialEq for Uri {
    fn eq(&self, other: &Uri) -> bool {
        self.scheme == other.scheme && self.components() == other.components()
    }
}

impl Eq for Uri {}

impl Hash for Uri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scheme.hash(state);
        self.components().hash(state);
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        match &self.opaque {
            Some(opaque) if self.kind == SchemeKind::MailTo => f.write_str(&tidy_mail(opaque))?,
            Some(opaque) => f.write_str(opaque)?,
            None => self.write_hierarchy(f)?,
        }
        match &self.fragment {
            Some(fragment) => write!(f, "#{fragment}"),
            None => Ok(()),
        }
    }
}

impl Uri {
    fn write_hierarchy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.is_some() || matches!(self.scheme(), Some("file" | "postgres")) {
            f.write_str("//")?;
        }
        if let Some(userinfo) = self.userinfo() {
            write!(f, "{userinfo}@")?;
        }
        f.write_str(self.host().unwrap_or_default())?;
        if let Some(port) = self.port.filter(|port| Some(*port) != default_port(self.scheme())) {
            write!(f, ":{port}")?;
        }
        f.write_str(self.path.as_deref().unwrap_or_default())?;
        if let Some(typecode) = &self.typecode {
            write!(f, ";type={typecode}")?;
        }
        match &self.query {
            Some(query) => write!(f, "?{query}"),
            None => Ok(()),
        }
    }
}

/// Returns the receivers and the headers; empty headers at the end are dropped.
fn tidy_mail(opaque: &str) -> String {
    let (receivers, headers) = opaque.split_once('?').unwrap_or((opaque, ""));
    let headers = headers.trim_end_matches('&');
    if headers.is_empty() { receivers.to_owned() } else { format!("{receivers}?{headers}") }
}
