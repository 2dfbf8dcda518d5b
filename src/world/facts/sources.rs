//! Several sources of facts, and the facts that are set by hand.
//!
//! One source of facts that names no node serves whichever node is asked for. Of several, each has its own nodes: a file that
//! names none is that of the node it is called after, an operating system is a node of its own name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pantin_values::{Digest, Digester, Hash, Str};

use super::{FactChange, Facts, NodeFacts};
use crate::Disk;

/// A source of facts as it is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FactSource {
    /// A file, a folder with a file for each node, or an export of PuppetDB.
    At(PathBuf),
    /// Made-up facts of a fresh machine with this operating system.
    OperatingSystem(String),
    /// The facts of one node, as data.
    Known(Str, Hash),
}

impl FactSource {
    /// Returns where it is read, if it is not made up.
    fn into_path(self) -> Option<PathBuf> {
        match self {
            FactSource::At(path) => Some(path),
            FactSource::OperatingSystem(_) | FactSource::Known(..) => None,
        }
    }
}

impl std::fmt::Display for FactSource {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FactSource::At(path) => write!(to, "{}", path.display()),
            FactSource::OperatingSystem(name) => write!(to, "--os {name}"),
            FactSource::Known(name, _) => write!(to, "the facts of {name}"),
        }
    }
}

/// All sources of a run. A node stands in one of them.
#[derive(Clone, Debug, Default)]
pub struct FactSources {
    sources: Vec<ReadSource>,
    changes: Vec<FactChange>,
}

#[derive(Clone, Debug)]
struct ReadSource {
    facts: Facts,
    /// The one node that made-up facts are for, beside other sources.
    only: Option<Str>,
    /// Where they were read, if they are not made up.
    path: Option<PathBuf>,
}

impl ReadSource {
    fn names(&self) -> Vec<Str> {
        self.only.as_ref().map_or_else(|| self.facts.names(), |name| vec![name.clone()])
    }
}

impl FactSources {
    /// `sources`: each with what was read of it. `Err`: a node stands in two of them.
    pub fn new(sources: Vec<(FactSource, Facts)>, changes: Vec<FactChange>) -> Result<FactSources, String> {
        if sources.len() == 1 {
            let read =
                |(source, facts): (FactSource, Facts)| ReadSource { facts, only: None, path: source.into_path() };
            return Ok(FactSources { sources: sources.into_iter().map(read).collect(), changes });
        }
        let mut known: BTreeMap<Str, FactSource> = BTreeMap::new();
        let mut all = Vec::with_capacity(sources.len());
        for (source, facts) in sources {
            let read = ReadSource { path: source.clone().into_path(), ..own_node(&source, facts) };
            for name in read.names() {
                if let Some(other) = known.insert(name.clone(), source.clone()) {
                    return Err(format!("there are two sources of facts for {name}: {other} and {source}"));
                }
            }
            all.push(read);
        }
        Ok(FactSources { sources: all, changes })
    }

    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns true if any node that is named gets facts: there are none, or one source of them that is of no
    /// particular node.
    pub fn serves_any_node(&self) -> bool {
        match self.sources.as_slice() {
            [] => true,
            [one] => matches!(one.facts, Facts::One(..) | Facts::Os { .. }),
            _ => false,
        }
    }

    /// Returns the nodes that the sources name.
    pub fn names(&self) -> Vec<Str> {
        self.sources.iter().flat_map(ReadSource::names).collect()
    }

    fn source(&self, node: &str) -> Option<&ReadSource> {
        match self.sources.as_slice() {
            [one] => Some(one),
            many => many.iter().find(|source| source.names().iter().any(|name| name == node)),
        }
    }

    /// Returns the file in which the facts of a node stand among those of others. `None`: they stand in a file of its own, which is
    /// read when the node is, or are made up.
    pub fn shared_file(&self, node: &str) -> Option<&Path> {
        let source = self.source(node)?;
        let is_shared = matches!(source.facts, Facts::One(..) | Facts::Many(_));
        source.path.as_deref().filter(|_| is_shared)
    }

    /// Returns the folders that have a file for each node.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().filter_map(|source| match &source.facts {
            Facts::Folder(folder, _) => Some(folder.as_path()),
            _ => None,
        })
    }

    /// The digest of all that is known of a node, where no file of its own says it.
    pub fn known_digest(&self, node: &str) -> Option<Digest> {
        self.source(node)?.facts.known_digest(node)
    }

    /// Digest of where the facts of a node come from, and how they are changed by hand. What stands there is no part of it.
    pub fn origin(&self, node: &str, folder: &Path) -> Digest {
        let mut digester = Digester::new(b"fact sources");
        digester.digest(self.source(node).map_or(Digest::atom(0), |source| source.facts.origin(node, folder)));
        digester.number(self.changes.len() as u64);
        for change in &self.changes {
            digester.text(&change.text());
        }
        digester.finish()
    }

    /// Returns true if what is known of a node stands in a file of its own, so that it can be read again.
    pub fn has_own_file(&self, node: &str) -> bool {
        self.source(node).is_some_and(|source| source.facts.has_own_file(node))
    }

    /// Facts that are set by hand and new to a node, each with one that was probably meant.
    pub fn misspelt_changes(&self, disk: &dyn Disk, node: &str) -> Vec<(String, String)> {
        let known = self.unchanged(disk, node).ok().flatten().filter(|_| !self.changes.is_empty());
        let near = |known: &NodeFacts| {
            let near = |change: &FactChange| Some((change.name(), change.near_fact(&known.facts)?));
            self.changes.iter().filter_map(near).collect()
        };
        known.as_ref().map(near).unwrap_or_default()
    }

    /// Returns true if facts are set by hand.
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Returns what the sources say of a node.
    fn unchanged(&self, disk: &dyn Disk, node: &str) -> Result<Option<NodeFacts>, String> {
        match self.source(node) {
            Some(source) => source.facts.for_node(disk, node),
            None if self.is_empty() => Ok(Some(NodeFacts::default())),
            None => Ok(None),
        }
    }

    /// Returns what is known of a node; `None` where no source has it.
    pub fn for_node(&self, disk: &dyn Disk, node: &str) -> Result<Option<NodeFacts>, String> {
        let Some(mut known) = self.unchanged(disk, node)? else { return Ok(None) };
        for change in &self.changes {
            known.facts = change.apply(&known.facts).map_err(|error| error.to_string())?;
        }
        Ok(Some(known))
    }
}

/// Returns a source that has nodes of its own.
fn own_node(source: &FactSource, facts: Facts) -> ReadSource {
    match (source, facts) {
        (FactSource::At(path), Facts::One(None, known)) => {
            let name = super::name_in(&known.facts);
            let stem = || Str::from(path.file_stem().unwrap_or_default().to_string_lossy().as_ref());
            ReadSource { facts: Facts::Many(vec![(name.unwrap_or_else(stem), *known)]), only: None, path: None }
        }
        (_, Facts::One(Some(name), known)) => {
            ReadSource { facts: Facts::Many(vec![(name, *known)]), only: None, path: None }
        }
        (FactSource::OperatingSystem(name), facts) => {
            ReadSource { facts, only: Some(name.as_str().into()), path: None }
        }
        (_, facts) => ReadSource { facts, only: None, path: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;
    use pantin_base::Language;

    fn read(disk: &TableDisk, path: &str) -> (FactSource, Facts) {
        (FactSource::At(path.into()), Facts::read(disk, Path::new(path)).unwrap())
    }

    fn system(name: &str) -> (FactSource, Facts) {
        let facts = Facts::for_os(name, Language::Puppet8, false).unwrap();
        (FactSource::OperatingSystem(name.to_owned()), facts)
    }

    #[test]
    fn of_several_sources_each_has_its_nodes() {
        let disk = TableDisk::from_files(&[
            ("/one.json", r#"{"role": "a"}"#),
            ("/two.json", r#"{"name": "web02.a", "values": {"role": "b"}}"#),
            ("/folder/web03.a.json", r#"{"role": "c"}"#),
        ]);
        let sources =
            vec![read(&disk, "/one.json"), read(&disk, "/two.json"), read(&disk, "/folder"), system("debian-12")];
        let sources = FactSources::new(sources, vec![FactChange::parse("zone=x").unwrap()]).unwrap();
        assert_eq!(sources.names(), ["one", "web02.a", "web03.a", "debian-12"]);
        assert!(!sources.serves_any_node());
        let fact = |node: &str, name: &str| {
            sources.for_node(&disk, node).unwrap().map(|known| known.facts.get_str(name).cloned())
        };
        assert_eq!(fact("web02.a", "role"), Some(Some("b".into())));
        assert_eq!(fact("web03.a", "role"), Some(Some("c".into())));
        assert_eq!(fact("one", "zone"), Some(Some("x".into())));
        assert_eq!(fact("debian-12", "kernel"), Some(Some("Linux".into())));
        assert_eq!(fact("other", "role"), None);
        assert!(sources.has_own_file("web03.a") && !sources.has_own_file("one"));
    }

    #[test]
    fn a_node_stands_in_one_source() {
        let disk = TableDisk::from_files(&[("/a/web.json", "{}"), ("/b/web.json", "{}")]);
        let error = FactSources::new(vec![read(&disk, "/a"), read(&disk, "/b")], Vec::new()).unwrap_err();
        assert_eq!(error, "there are two sources of facts for web: /a and /b");
    }

    #[test]
    fn one_source_serves_any_node_unless_it_names_its_nodes() {
        let disk = TableDisk::from_files(&[("/one.json", r#"{"role": "a"}"#), ("/folder/web.json", "{}")]);
        let one = |source| FactSources::new(vec![source], Vec::new()).unwrap();
        assert!(one(read(&disk, "/one.json")).serves_any_node() && one(system("debian-12")).serves_any_node());
        assert!(!one(read(&disk, "/folder")).serves_any_node());
        assert_eq!(one(read(&disk, "/one.json")).for_node(&disk, "x").unwrap().unwrap().facts.len(), 1);
        let none = FactSources::new(Vec::new(), vec![FactChange::parse("a=1").unwrap()]).unwrap();
        assert_eq!(none.for_node(&disk, "x").unwrap().unwrap().facts.get_str("a"), Some(&1.into()));
    }

    #[test]
    fn a_change_is_part_of_where_facts_come_from() {
        let origin = |changes: &[&str]| {
            let changes = changes.iter().map(|text| FactChange::parse(text).unwrap()).collect();
            FactSources::new(vec![system("debian-12")], changes).unwrap().origin("x", Path::new("/"))
        };
        assert_ne!(origin(&[]), origin(&["a=1"]));
        assert_ne!(origin(&["a=1"]), origin(&["a=2"]));
    }
}
