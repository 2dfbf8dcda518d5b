//! A node's own words (its name, its addresses), replaced in messages so that equal messages of several nodes can be
//! grouped.

use pantin_values::{Hash, Str, Value};
use pantin_world::{NodeRead, Sight};

/// A node's names and addresses, each with the sign that stands for it.
#[derive(Clone, Debug, Default)]
pub struct OwnWords {
    /// The longest first, so that a host's name does not break that of its domain.
    words: Vec<(Str, &'static str)>,
}

/// Facts that are a node's own.
const OF_NETWORK: [(&str, &str); 5] =
    [("fqdn", "<node>"), ("hostname", "<host>"), ("ip", "<ip>"), ("ip6", "<ip6>"), ("mac", "<mac>")];

/// The signs that stand for words.
const SIGNS: [&str; 5] = ["<node>", "<host>", "<ip>", "<ip6>", "<mac>"];

/// A shorter word may be anything.
const SHORTEST: usize = 3;

impl OwnWords {
    pub fn new(certname: &str, facts: &Hash) -> OwnWords {
        let mut words: Vec<(Str, &'static str)> = vec![(certname.into(), "<node>")];
        if let Some(Value::Hash(network)) = facts.get_str("networking") {
            let found = OF_NETWORK.iter().filter_map(|(name, sign)| Some((network.get_str(name)?.as_str()?, *sign)));
            words.extend(found.map(|(word, sign)| (Str::from(word), sign)));
        }
        if let Some((host, _)) = certname.split_once('.') {
            words.push((host.into(), "<host>"));
        }
        words.retain(|(word, _)| word.len() >= SHORTEST);
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        words.dedup_by(|one, other| one.0 == other.0);
        OwnWords { words }
    }

    /// Returns what of a node's variables the words are taken from.
    pub(crate) fn reads() -> impl Iterator<Item = NodeRead> {
        OF_NETWORK.iter().map(|(name, _)| NodeRead {
            name: "facts".into(),
            path: ["networking", name].map(Value::from).into(),
            sight: Sight::Whole,
        })
    }

    /// Returns the words, each with the number of its sign.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (Str, u8)> {
        let number = |sign: &str| SIGNS.iter().position(|known| *known == sign).unwrap_or_default() as u8;
        self.words.iter().map(move |(word, sign)| (word.clone(), number(sign)))
    }

    pub(crate) fn from_numbered(words: Vec<(Str, u8)>) -> OwnWords {
        let sign = |number: u8| SIGNS.get(usize::from(number)).copied().unwrap_or(SIGNS[0]);
        OwnWords { words: words.into_iter().map(|(word, number)| (word, sign(number))).collect() }
    }

    /// Returns the text with signs in the place of these words.
    pub fn generalize(&self, text: &str) -> String {
        let mut general = text.to_owned();
        for (word, sign) in &self.words {
            if general.contains(word.as_str()) {
                general = replaced(&general, word, sign);
            }
        }
        general
    }
}

/// Replaces whole words.
fn replaced(text: &str, word: &str, sign: &str) -> String {
    let is_within = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let mut general = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, found) = rest.split_at(at);
        let after = &found[word.len()..];
        // What was passed already ends with what stands before.
        general.push_str(before);
        let is_part = is_within(general.chars().next_back()) || is_within(after.chars().next());
        general.push_str(if is_part { word } else { sign });
        rest = after;
    }
    general + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_the_same_for_all() {
        let network = |host: &str, ip: &str| {
            let members = [("hostname", host), ("ip", ip), ("fqdn", &format!("{host}.example.org"))];
            let members = members.map(|(name, value)| (Value::from(name), Value::from(value)));
            [(Value::from("networking"), Value::hash(members))].into_iter().collect::<Hash>()
        };
        let of = |host: &str, ip: &str| {
            let own = OwnWords::new(&format!("{host}.example.org"), &network(host, ip));
            own.generalize(&format!("no {host}.example.org ({ip}) in /etc/{host}.conf, {host}er, not_{host}, {host}"))
        };
        assert!(
            of("web01", "192.0.2.1").starts_with("no <node> (<ip>) in /etc/<host>.conf, web01er, not_web01, <host>")
        );
        let one = of("web01", "192.0.2.1").replace("web01", "X");
        assert_eq!(one, of("db7", "192.0.2.77").replace("db7", "X"));
    }

    #[test]
    fn short_words_are_left() {
        assert_eq!(OwnWords::new("a", &Hash::default()).generalize("a cat on node a"), "a cat on node a");
        assert_eq!(OwnWords::new("ab.c", &Hash::default()).generalize("ab of ab.c"), "ab of <node>");
    }
}
