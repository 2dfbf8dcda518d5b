//! The selection of nodes: by patterns of names, and by shard.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use pantin_base::nearest;
use pantin_values::Str;
use pantin_world::fnmatch;

/// A pattern that fits no node.
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

/// The names that fit any of the patterns (all of them, where there is no pattern), each once, in their order.
pub fn select(names: Vec<Str>, patterns: &[String]) -> Result<Vec<Str>, NoneMatch> {
    let mut seen = BTreeSet::new();
    let names: Vec<Str> = names.into_iter().filter(|name| seen.insert(name.clone())).collect();
    for pattern in patterns {
        if !names.iter().any(|name| fnmatch(pattern, name)) {
            let near = nearest(pattern, names.iter().map(Str::as_str)).or_else(|| nearest_host(pattern, &names));
            return Err(NoneMatch { pattern: pattern.clone(), near: near.map(str::to_owned), nodes: names.len() });
        }
    }
    let fits = |name: &Str| patterns.is_empty() || patterns.iter().any(|pattern| fnmatch(pattern, name));
    Ok(names.into_iter().filter(fits).collect())
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

/// One share of a fleet that is divided among several machines. Which share a node belongs to is a matter of its name
/// alone, so that a new node moves no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From one.
    number: u64,
    count: u64,
}

impl Shard {
    pub fn has(self, name: &str) -> bool {
        let digest = blake3::hash(name.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&digest.as_bytes()[..8]);
        u64::from_le_bytes(first) % self.count == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers =
            text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { number, count }),
            Some((_, count)) if count > 0 => Err(format!("it is one of 1/{count} to {count}/{count}")),
            _ => Err("it has the form K/N, such as 1/4".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<Str> {
        names.iter().map(|name| Str::from(*name)).collect()
    }

    fn patterns(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
    }

    #[test]
    fn patterns_choose_and_keep_the_order() {
        let all = names(&["web02.a", "db01.a", "web01.a", "web02.a"]);
        assert_eq!(select(all.clone(), &[]).unwrap(), names(&["web02.a", "db01.a", "web01.a"]));
        assert_eq!(select(all.clone(), &patterns(&["web*"])).unwrap(), names(&["web02.a", "web01.a"]));
        assert_eq!(select(all, &patterns(&["web01.a", "db*"])).unwrap(), names(&["db01.a", "web01.a"]));
    }

    #[test]
    fn who_fits_nothing_is_told_what_is_near() {
        let said = |pattern: &str| {
            select(names(&["web01.example.org", "db.example.org"]), &patterns(&[pattern])).unwrap_err().to_string()
        };
        assert_eq!(said("web02.example.org"), "no node matches 'web02.example.org'; did you mean web01.example.org?");
        assert_eq!(said("web01"), "no node matches 'web01'; did you mean web01.example.org?");
        assert_eq!(said("wep01"), "no node matches 'wep01'; did you mean web01.example.org?");
        assert_eq!(said("mail*"), "no node matches 'mail*'; there are 2 nodes");
    }

    #[test]
    fn shards_are_the_whole_and_a_new_node_moves_no_other() {
        let shards: Vec<Shard> = (1..=3).map(|number| format!("{number}/3").parse().unwrap()).collect();
        let mut sizes = [0; 3];
        for number in 0..900 {
            let name = format!("node{number}.example.org");
            let owners: Vec<usize> = (0..3).filter(|&at| shards[at].has(&name)).collect();
            assert_eq!(owners.len(), 1, "{name}");
            sizes[owners[0]] += 1;
        }
        assert!(sizes.iter().all(|&size| size > 240), "{sizes:?}");
    }

    #[test]
    fn a_shard_is_one_of_so_many() {
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
        for (text, reason) in [
            ("0/4", "it is one of 1/4 to 4/4"),
            ("5/4", "it is one of 1/4 to 4/4"),
            ("1/0", "it has the form K/N, such as 1/4"),
            ("half", "it has the form K/N, such as 1/4"),
            ("-1/2", "it has the form K/N, such as 1/4"),
        ] {
            assert_eq!(text.parse::<Shard>().unwrap_err(), reason, "{text}");
        }
    }
}
