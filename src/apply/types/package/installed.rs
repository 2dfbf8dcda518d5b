//! What dpkg knows of packages: their states, versions and marks.

use pantin_machine::SystemQuery;
use pantin_values::Value;

use super::super::provider_command::{query, query_or_fail};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::Observation;
use crate::value::{is_word, symbol, text};

/// The state of a package.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PackageState {
    pub name: String,
    /// The version of one that is there, else `absent` or `purged`.
    pub ensure: Value,
    /// `hold`, `none`, or `manual`; nothing where it is not known.
    pub mark: Option<&'static str>,
    /// `ok`, or what is wrong.
    error: String,
}

impl PackageState {
    pub(super) fn missing(name: &str, ensure: &'static str) -> PackageState {
        PackageState { name: name.to_owned(), ensure: symbol(ensure), mark: None, error: "ok".to_owned() }
    }

    /// Reads a line `DESIRED ERROR STATUS NAME VERSION`.
    fn parse(line: &str) -> Option<PackageState> {
        let (head, version) = line.rsplit_once(' ')?;
        let words: Vec<&str> = head.split(' ').filter(|word| !word.is_empty()).collect();
        let [desired, error, status, name] = words[..] else { return None };
        let ensure = match status {
            "not-installed" => symbol("purged"),
            "config-files" | "half-installed" | "unpacked" | "half-configured" => symbol("absent"),
            _ => Value::string(version),
        };
        Some(PackageState {
            name: name.to_owned(),
            ensure,
            mark: Some(if desired == "hold" { "hold" } else { "none" }),
            error: error.to_owned(),
        })
    }

    /// Returns the state as the properties of a resource have it.
    pub(super) fn observation(&self) -> Observation {
        let mark = match is_word(&self.ensure, "absent") {
            true => symbol("absent"),
            false => self.mark.map(symbol).unwrap_or_default(),
        };
        Observation::new().with("ensure", self.ensure.clone()).with("mark", mark)
    }

    /// Returns true if the package is there.
    pub(super) fn is_installed(&self) -> bool {
        matches!(self.ensure, Value::String(_))
    }
}

/// Returns true for a name that stands for itself: no pattern, and of no certain architecture.
pub(super) fn is_plain(name: &str) -> bool {
    name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || b"+-.".contains(&letter))
}

/// Reads the states of all packages, in dpkg's order.
pub(super) fn all(context: &ApplyContext<'_>) -> Result<Vec<PackageState>, Failure> {
    let listed = query(&SystemQuery::Packages(None), context)?.lossy();
    let state = |line: &str| {
        let state = PackageState::parse(line);
        if state.is_none() && context.says(Level::Debug) {
            context.say_bare(Level::Debug, format!("Failed to match dpkg-query line {line:?}"));
        }
        state
    };
    Ok(listed.lines().filter_map(state).collect())
}

/// Asks for the state of one package. One that dpkg has never heard of counts as purged.
pub(super) fn one(name: &str, context: &ApplyContext<'_>) -> Result<PackageState, Failure> {
    let output = query(&SystemQuery::Packages(Some(name.to_owned())), context)?;
    if !output.is_success() {
        return Ok(PackageState::missing(name, "purged"));
    }
    let listed = output.lossy();
    let state = listed.lines().find_map(PackageState::parse).unwrap_or_else(|| PackageState::missing(name, "absent"));
    match state.error.as_str() {
        "ok" => Ok(state),
        error => {
            let (name, version) = (&state.name, text(&state.ensure));
            Err(Failure::new(format!("Package {name}, version {version} is in error state: {error}")))
        }
    }
}

/// Lists the packages with what they provide.
pub(super) fn provided(context: &ApplyContext<'_>) -> Result<String, Failure> {
    query_or_fail(&SystemQuery::ProvidedPackages, context).map(|output| output.lossy())
}

/// Returns the name of the first package in a list that provides a virtual one.
pub(super) fn provider_of(name: &str, listed: &str) -> Option<String> {
    let provides = |line: &&str| {
        let places = line.match_indices(name);
        let mut around =
            places.map(|(place, found)| (line[..place].chars().last(), line[place + found.len()..].chars().next()));
        around.any(|(before, after)| matches!(before, Some('[' | ' ')) && matches!(after, Some(']' | ',')))
    };
    let line = listed.lines().find(provides)?;
    line.split_once(" [").and_then(|(state, _)| PackageState::parse(state)).map(|state| state.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_dpkg_tells_state_version_and_mark() {
        let state = PackageState::parse("install ok installed cron 3.0pl1-162").unwrap();
        assert_eq!((state.name.as_str(), state.mark, state.is_installed()), ("cron", Some("none"), true));
        assert_eq!(PackageState::parse("hold ok installed cron 3.0pl1-162").unwrap().mark, Some("hold"));
        assert_eq!(PackageState::parse("deinstall ok config-files cron 3.0").unwrap().ensure, symbol("absent"));
        assert_eq!(PackageState::parse("unknown ok not-installed cron ").unwrap().ensure, symbol("purged"));
        assert_eq!(PackageState::parse("nonsense"), None);
    }
}
