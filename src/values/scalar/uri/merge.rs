//! A relative URI, seen from another one.

use super::{ScalarError, Uri};

impl Uri {
    /// Returns where a text leads to from here.
    pub fn merge_text(&self, text: &str) -> Result<Uri, ScalarError> {
        let other = if self.by_parts { parse_by_older_grammar(text) } else { Uri::parse(text) };
        self.merge(&other?)
    }

    /// Returns where another URI leads to from here.
    pub fn merge(&self, other: &Uri) -> Result<Uri, ScalarError> {
        if other.scheme.is_some() {
            return Ok(other.clone());
        }
        if self.scheme.is_none() {
            return Err(ScalarError::argument("both URI are relative"));
        }
        let mut base = self.clone();
        let has_authority = other.user.is_some() || other.host.is_some() || other.port.is_some();
        let other_path = other.path().unwrap_or_default();
        if other_path.is_empty() && !has_authority && other.query.is_none() {
            base.fragment = other.fragment.clone().or(base.fragment);
            return Ok(base);
        }
        base.query = None;
        base.fragment = None;
        if has_authority {
            base.set_path(&other_path);
        } else if let Some(path) = base.path() {
            base.set_path(&merged_path(&path, &other_path));
        }
        if let Some(userinfo) = other.userinfo() {
            base.set_userinfo(Some(&userinfo));
        }
        if other.host.is_some() {
            base.set_host(other.host());
        }
        if other.port.is_some() {
            base.set_port(other.port);
        }
        if other.query.is_some() {
            if base.opaque.is_some() {
                return Err(ScalarError::argument("query conflicts with opaque"));
            }
            base.query.clone_from(&other.query);
        }
        base.fragment.clone_from(&other.fragment);
        Ok(base)
    }
}

/// Returns the grammar of RFC 2396, as Ruby has it: around a URI there may be white space, and an error shows the text
/// as it is.
fn parse_by_older_grammar(text: &str) -> Result<Uri, ScalarError> {
    let bare = text.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let parsed = Uri::parse(bare).map_err(|error| match error.to_string() {
        said if said.starts_with("bad URI(is not URI?)") || said.starts_with("URI must be ascii only") => {
            ScalarError::argument(format!("bad URI(is not URI?): {text}"))
        }
        _ => error,
    });
    Ok(Uri { by_parts: true, ..parsed? })
}

/// Returns the parts of a path between slashes. Nothing has no parts.
fn parts(path: &str) -> Vec<&str> {
    if path.is_empty() { Vec::new() } else { path.split('/').collect() }
}

fn merged_path(base: &str, relative: &str) -> String {
    let mut base = without_parents(parts(base));
    let mut relative = parts(relative);
    if relative.first() == Some(&"") {
        base.clear();
        relative.remove(0);
    }
    if matches!(relative.last(), Some(&("." | ".."))) {
        relative.push("");
    }
    let mut steps: Vec<&str> = Vec::new();
    for part in relative.into_iter().filter(|part| *part != ".") {
        if part == ".." && steps.last().is_some_and(|last| *last != "..") {
            steps.pop();
        } else {
            steps.push(part);
        }
    }
    let mut ends_in_slash = !steps.is_empty();
    if base.is_empty() {
        base.push("");
    } else if ends_in_slash {
        base.pop();
    }
    let parents = steps.iter().take_while(|part| **part == "..").count();
    for _ in 0..parents {
        if base.len() > 1 {
            base.pop();
        }
    }
    if parents < steps.len() {
        base.extend(&steps[parents..]);
        ends_in_slash = false;
    }
    if ends_in_slash {
        base.push("");
    }
    base.join("/")
}

/// Takes each step up together with the part before it. One at the very beginning takes the last part instead.
fn without_parents(parts: Vec<&str>) -> Vec<&str> {
    let ends_above = parts.last() == Some(&"..");
    let mut kept: Vec<&str> = Vec::with_capacity(parts.len());
    let mut rest: std::collections::VecDeque<&str> = parts.into_iter().chain(ends_above.then_some("")).collect();
    while let Some(part) = rest.pop_front() {
        if part != ".." {
            kept.push(part);
        } else if kept.pop().is_none() && rest.pop_back().is_some() {
            rest.push_front(part);
        }
    }
    kept
}
