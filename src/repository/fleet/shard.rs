//! One share of a fleet that is divided among several machines.

use std::fmt;
use std::str::FromStr;

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
