//! Which nodes ask for a key of data or of bindings, in which code, which value they get, and from where.
//!
//! The nodes are compiled for that: answers do not say which values their code was told. What several nodes have alike is told once,
//! with its nodes. Knows nothing of how it is shown.

use std::collections::BTreeSet;
use std::io;

use indexmap::IndexMap;
use pantin_base::nearest;
use pantin_model::catalog::diff::ShownValue;
use pantin_model::evaluation::DataOrigin;
use pantin_values::{Digest, Digester, Str};
use rustc_hash::FxBuildHasher;

use crate::node_compiler::NodeToPrepare;
use crate::pattern::Pattern;
use crate::provenance::{KeyLookup, Provenance};
use crate::{AnswerError, Repository};

/// What is known of the keys that were asked about.
#[derive(Debug, Default)]
pub struct KeyQueryResult {
    /// By key, then in the order of the nodes.
    pub answers: Vec<KeyAnswer>,
    /// How many nodes were looked at, and how many of them ask for any of the keys.
    pub nodes: usize,
    pub nodes_with_any: usize,
    /// Nodes without a catalog, and why.
    pub failed: Vec<(Str, String)>,
    /// Keys that no node asks for, each with one that was probably meant.
    pub unasked: Vec<(String, Option<String>)>,
}

/// What some nodes are told of a key.
#[derive(Clone, Debug)]
pub struct KeyAnswer {
    pub key: Str,
    /// The origins are layers of bindings; otherwise they are levels of the data.
    pub is_bound: bool,
    pub value: ShownValue,
    pub origins: Vec<DataOrigin>,
    /// The resources in whose bodies the key is asked for.
    pub asked_in: Vec<String>,
    pub nodes: Vec<Str>,
}

/// The keys that somebody asks about.
struct WantedKeys(Vec<Pattern>);

impl WantedKeys {
    /// Takes keys as they are written; the parameter of a class may be named as bindings name it.
    fn new(keys: &[String]) -> WantedKeys {
        WantedKeys(keys.iter().map(|key| Pattern::new(plain_key(key), false)).collect())
    }

    fn contains(&self, key: &str) -> bool {
        self.0.iter().any(|pattern| pattern.fits(key))
    }
}

/// `ntp::servers` for `/param/Class[ntp]/servers`; any other key as it is.
fn plain_key(key: &str) -> String {
    let parameter = key.strip_prefix("/param/Class[").and_then(|rest| rest.split_once("]/"));
    parameter.map_or_else(|| key.to_owned(), |(class, name)| format!("{class}::{name}"))
}

impl Repository {
    /// Returns what these nodes are told of keys; `*` in a key stands for any letters. `advance` hears of each node.
    pub fn query_keys(
        &self,
        names: &[Str],
        keys: &[String],
        mut advance: impl FnMut() + Send,
    ) -> io::Result<KeyQueryResult> {
        let wanted = WantedKeys::new(keys);
        let ask = |node: &NodeToPrepare| {
            self.make_room();
            let recorded = Provenance::record_classified(self, node)?;
            let mut seen = BTreeSet::new();
            let lookups = recorded.key_lookups(|key| wanted.contains(key), |key| _ = seen.insert(key.to_owned()));
            Ok::<_, AnswerError>((lookups, seen, recorded.failure.map(|failure| failure.text)))
        };
        let mut gathered = Gathered::default();
        self.crew(0, names.len())?.each_in_waves(
            names,
            |wave| self.classify(wave),
            ask,
            |_, node, asked| {
                advance();
                match asked {
                    Ok((lookups, seen, failure)) => {
                        gathered.add(&node.name, lookups, seen);
                        gathered.result.failed.extend(failure.map(|reason| (node.name.clone(), reason)));
                    }
                    Err(error) => gathered.result.failed.push((node.name.clone(), error.to_string())),
                }
            },
        )?;
        Ok(gathered.finish(&wanted))
    }
}

/// What was found so far.
#[derive(Default)]
struct Gathered {
    /// By the digests of all but the nodes.
    answers: IndexMap<Digest, KeyAnswer, FxBuildHasher>,
    /// Every key that any node asks for.
    seen: BTreeSet<String>,
    result: KeyQueryResult,
}

impl Gathered {
    fn add(&mut self, node: &Str, lookups: Vec<KeyLookup>, seen: BTreeSet<String>) {
        self.result.nodes += 1;
        self.result.nodes_with_any += usize::from(!lookups.is_empty());
        self.seen.extend(seen);
        for answer in answers_of_node(node, lookups) {
            let digest = answer.digest();
            match self.answers.get_mut(&digest) {
                Some(known) => known.nodes.push(node.clone()),
                None => _ = self.answers.insert(digest, answer),
            }
        }
    }

    fn finish(self, wanted: &WantedKeys) -> KeyQueryResult {
        let Gathered { answers, seen, mut result } = self;
        result.answers = answers.into_values().collect();
        result.answers.sort_by(|one, other| one.key.cmp(&other.key));
        let unasked = wanted.0.iter().filter(|pattern| !seen.iter().any(|key| pattern.fits(key)));
        let near = |pattern: &Pattern| {
            let near = nearest(pattern.text(), seen.iter().map(String::as_str));
            (pattern.text().to_owned(), near.map(str::to_owned))
        };
        result.unasked = unasked.map(near).collect();
        result
    }
}

/// Returns the answers of one node: of look-ups that are told the same one, with all bodies.
fn answers_of_node(node: &Str, lookups: Vec<KeyLookup>) -> Vec<KeyAnswer> {
    let mut answers: Vec<KeyAnswer> = Vec::new();
    for KeyLookup { key, is_bound, value, origins, body } in lookups {
        let known = answers.iter_mut().find(|known| {
            known.key == key && known.is_bound == is_bound && known.value == value && known.origins == origins
        });
        match known {
            Some(known) if known.asked_in.contains(&body) => {}
            Some(known) => known.asked_in.push(body),
            None => {
                let (asked_in, nodes) = (vec![body], vec![node.clone()]);
                answers.push(KeyAnswer { key, is_bound, value, origins, asked_in, nodes });
            }
        }
    }
    answers
}

impl KeyAnswer {
    fn digest(&self) -> Digest {
        let mut digester = Digester::new(b"answer of a key");
        digester.text(&self.key).number(u64::from(self.is_bound)).item(&self.value);
        digester.number(self.origins.len() as u64);
        for DataOrigin { level, file, line } in &self.origins {
            digester.text(level).item(file).number(line.map_or(0, u64::from));
        }
        self.asked_in.iter().for_each(|body| _ = digester.text(body));
        digester.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_classes_have_two_names() {
        let wanted = WantedKeys::new(&["/param/Class[ntp::server]/mode".to_owned(), "web::*".to_owned()]);
        assert!(wanted.contains("ntp::server::mode") && wanted.contains("web::port"));
        assert!(!wanted.contains("ntp::mode") && !wanted.contains("/param/Class[ntp::server]/mode"));
        assert_eq!(plain_key("/param/File[x]/mode"), "/param/File[x]/mode");
    }
}
