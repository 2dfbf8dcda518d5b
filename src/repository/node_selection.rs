//! Which nodes of a run are meant: names, and patterns of names.

use std::collections::BTreeSet;
use std::fmt;

use pantin_base::nearest;
use pantin_values::Str;
use pantin_world::fnmatch;

/// The nodes that a run knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownNodes {
    pub names: Vec<Str>,
    /// Any node that is named can be compiled, also one that is not among the names: there are no facts, or one set of facts for
    /// all.
    pub is_open: bool,
}

/// A name or pattern that fits no node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoneMatch {
    pub pattern: String,
    /// The name that was probably meant.
    pub near: Option<String>,
    /// How many nodes there are.
    pub nodes: usize,
}

impl fmt::Display for NoneMatch {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "no node matches '{}'", self.pattern)?;
        match &self.near {
            Some(near) => write!(to, "; did you mean {near}?"),
            None if self.nodes == 1 => write!(to, "; there is 1 node"),
            None => write!(to, "; there are {} nodes", self.nodes),
        }
    }
}

impl std::error::Error for NoneMatch {}

/// Returns true if a text has characters that stand for others.
fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

impl KnownNodes {
    /// Returns the nodes that fit the names and patterns, each once: in the order of these, and for one pattern in the
    /// order of the nodes. Without names and patterns all of them.
    pub fn select(&self, patterns: &[String]) -> Result<Vec<Str>, NoneMatch> {
        self.fitting(patterns, |pattern| Err(self.none_matches(pattern)))
    }

    /// The same where a name that is not known (any more) stands for itself, and a pattern may fit nothing.
    pub fn select_leniently(&self, patterns: &[String]) -> Vec<Str> {
        let literal = |pattern: &str| Ok((!is_pattern(pattern)).then(|| Str::from(pattern)));
        self.fitting(patterns, literal).unwrap_or_default()
    }

    /// `otherwise`: the node for a name or pattern that fits none.
    fn fitting(
        &self,
        patterns: &[String],
        otherwise: impl Fn(&str) -> Result<Option<Str>, NoneMatch>,
    ) -> Result<Vec<Str>, NoneMatch> {
        let mut seen = BTreeSet::new();
        let mut selected = Vec::new();
        let mut add = |name: &Str| {
            if seen.insert(name.clone()) {
                selected.push(name.clone());
            }
        };
        if patterns.is_empty() {
            self.names.iter().for_each(&mut add);
        }
        for pattern in patterns {
            let mut fitting = self.names.iter().filter(|name| *name == pattern || fnmatch(pattern, name)).peekable();
            if fitting.peek().is_some() {
                fitting.for_each(&mut add);
            } else if self.is_open && !is_pattern(pattern) {
                add(&Str::from(pattern));
            } else if let Some(name) = otherwise(pattern)? {
                add(&name);
            }
        }
        Ok(selected)
    }

    fn none_matches(&self, pattern: &str) -> NoneMatch {
        let near = if is_pattern(pattern) {
            nearest_pattern(pattern, &self.names)
        } else {
            let near = nearest(pattern, self.names.iter().map(Str::as_str));
            near.or_else(|| nearest_host(pattern, &self.names)).map(str::to_owned)
        };
        NoneMatch { pattern: pattern.to_owned(), near, nodes: self.names.len() }
    }
}

/// A pattern with another beginning, which names have. `None`: it would fit no node either.
fn nearest_pattern(pattern: &str, names: &[Str]) -> Option<String> {
    let (literal, rest) = pattern.split_at(pattern.find(['*', '?', '['])?);
    let beginnings: BTreeSet<&str> = names
        .iter()
        .flat_map(|name| name.char_indices().map(|(at, c)| &name[..at + c.len_utf8()]))
        .filter(|beginning| beginning.len().abs_diff(literal.len()) <= 2)
        .filter(|beginning| names.iter().any(|name| fnmatch(&format!("{beginning}{rest}"), name)))
        .collect();
    nearest(literal, beginnings).map(|near| format!("{near}{rest}"))
}

/// Who leaves out the domain means a host.
fn nearest_host<'n>(pattern: &str, names: &'n [Str]) -> Option<&'n str> {
    fn host(name: &str) -> &str {
        name.split('.').next().unwrap_or_default()
    }
    let exact = names.iter().find(|name| host(name) == pattern);
    let near = || {
        let near = nearest(pattern, names.iter().map(|name| host(name)))?;
        names.iter().find(|name| host(name) == near)
    };
    exact.or_else(near).map(Str::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(names: &[&str], is_open: bool) -> KnownNodes {
        KnownNodes { names: names.iter().map(|name| Str::from(*name)).collect(), is_open }
    }

    fn patterns(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
    }

    #[test]
    fn names_and_patterns_choose_in_their_order() {
        let all = known(&["web02.a", "db01.a", "web01.a", "web02.a"], false);
        assert_eq!(all.select(&[]).unwrap(), ["web02.a", "db01.a", "web01.a"]);
        assert_eq!(all.select(&patterns(&["web*"])).unwrap(), ["web02.a", "web01.a"]);
        assert_eq!(all.select(&patterns(&["web01.a", "db*", "*01*"])).unwrap(), ["web01.a", "db01.a"]);
    }

    #[test]
    fn where_one_set_of_facts_serves_all_any_name_is_a_node() {
        let open = known(&["localhost"], true);
        assert_eq!(open.select(&patterns(&["web01", "web01"])).unwrap(), ["web01"]);
        assert_eq!(open.select(&[]).unwrap(), ["localhost"]);
        assert!(open.select(&patterns(&["web*"])).is_err());
    }

    #[test]
    fn a_node_that_is_gone_stands_for_itself_where_edits_are_followed() {
        let all = known(&["web02.a"], false);
        assert_eq!(all.select_leniently(&patterns(&["web01.a", "web*", "db*"])), ["web01.a", "web02.a"]);
    }

    #[test]
    fn a_pattern_that_fits_nothing_is_told_what_is_near() {
        let all = known(&["web01.example.org", "db.example.org"], false);
        let said = |pattern: &str| all.select(&patterns(&[pattern])).unwrap_err().to_string();
        assert_eq!(said("web02.example.org"), "no node matches 'web02.example.org'; did you mean web01.example.org?");
        assert_eq!(said("web01"), "no node matches 'web01'; did you mean web01.example.org?");
        assert_eq!(said("wep01"), "no node matches 'wep01'; did you mean web01.example.org?");
        assert_eq!(said("mail*"), "no node matches 'mail*'; there are 2 nodes");
        assert_eq!(said("wep*.org"), "no node matches 'wep*.org'; did you mean web*.org?");
        assert_eq!(said("wep*.net"), "no node matches 'wep*.net'; there are 2 nodes");
    }
}
