//! Names of bindings: `SCHEME:/SEGMENT::SEGMENT`, with patterns.
//! It must not know where a scheme looks.

use std::fmt;

/// The schemes that every site has.
pub const SCHEMES: [&str; 5] = ["confdir", "env", "module", "enc", "hiera"];

/// One segment of a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Segment {
    Name(String),
    /// `*`: one segment.
    One,
    /// `**`: zero or more.
    Any,
}

pub type Pattern = [Segment];

/// A name of bindings as a layer writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uri {
    pub scheme: String,
    /// Empty: all that the scheme has.
    pub segments: Vec<Segment>,
    pub is_optional: bool,
    /// The text as written.
    pub written: String,
}

/// A text that is no name of bindings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UriError;

impl Uri {
    pub fn parse(written: &str) -> Result<Uri, UriError> {
        let text = written.to_lowercase();
        let (scheme, rest) = text.split_once(':').ok_or(UriError)?;
        if !is_name(scheme) {
            return Err(UriError);
        }
        let scheme = if scheme == "modules" { "module" } else { scheme };
        let (rest, is_optional) = match rest.strip_suffix("?optional").or_else(|| rest.strip_suffix('?')) {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let uri = |segments| Uri { scheme: scheme.to_owned(), segments, is_optional, written: written.to_owned() };
        if rest.is_empty() {
            return Ok(uri(Vec::new()));
        }
        let path = rest.strip_prefix('/').ok_or(UriError)?;
        if path.is_empty() {
            return Ok(uri(Vec::new()));
        }
        // What a provider of one's own understands is its own affair.
        if !SCHEMES.contains(&scheme) {
            return Ok(uri(path.split("::").map(|name| Segment::Name(name.to_owned())).collect()));
        }
        let segments = path.split("::").map(segment).collect::<Result<_, _>>()?;
        Ok(uri(segments))
    }

    pub fn is_pattern(&self) -> bool {
        self.segments.iter().any(|segment| !matches!(segment, Segment::Name(_)))
    }

    /// The names of its segments, of one without a pattern.
    pub fn names(&self) -> Vec<&str> {
        let name = |segment: &'_ Segment| match segment {
            Segment::Name(_) => true,
            Segment::One | Segment::Any => false,
        };
        debug_assert!(self.segments.iter().all(name));
        self.segments
            .iter()
            .filter_map(|segment| match segment {
                Segment::Name(name) => Some(name.as_str()),
                Segment::One | Segment::Any => None,
            })
            .collect()
    }

    /// Returns true if a name of the scheme, by its segments, is meant.
    pub fn matches(&self, names: &[&str]) -> bool {
        matches(&self.segments, names)
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let segment = |segment: &Segment| match segment {
            Segment::Name(name) => name.clone(),
            Segment::One => "*".to_owned(),
            Segment::Any => "**".to_owned(),
        };
        write!(f, "{}:/{}", self.scheme, self.segments.iter().map(segment).collect::<Vec<_>>().join("::"))
    }
}

fn matches(pattern: &Pattern, names: &[&str]) -> bool {
    match (pattern.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((Segment::Any, rest)), _) => {
            matches(rest, names) || names.split_first().is_some_and(|(_, others)| matches(pattern, others))
        }
        (Some((Segment::One, rest)), Some((_, others))) => matches(rest, others),
        (Some((Segment::Name(name), rest)), Some((other, others))) => name == other && matches(rest, others),
        _ => false,
    }
}

fn segment(text: &str) -> Result<Segment, UriError> {
    match text {
        "*" => Ok(Segment::One),
        "**" => Ok(Segment::Any),
        name if is_name(name) => Ok(Segment::Name(name.to_owned())),
        _ => Err(UriError),
    }
}

/// Returns a lower-case letter, then letters, digits and `_`.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_whole_segments() {
        let fits = |pattern: &str, name: &str| {
            let names: Vec<&str> = name.split("::").collect();
            Uri::parse(pattern).is_ok_and(|uri| uri.matches(&names))
        };
        assert!(fits("confdir:/*::default", "windows::default"));
        assert!(!fits("confdir:/*::default", "default"));
        assert!(fits("confdir:/**::default", "default"));
        assert!(fits("confdir:/**::default", "a::b::default"));
        assert!(fits("modules:/A::Default", "a::default"));
        assert_eq!(Uri::parse("module:/web*::default"), Err(UriError));
        assert_eq!(Uri::parse("default"), Err(UriError));
        assert!(Uri::parse("env:/default?optional").is_ok_and(|uri| uri.is_optional));
    }
}
