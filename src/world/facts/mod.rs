//! Facts of nodes: out of files, folders and exports, or made up for an operating system.
//!
//! What is known of a node in a source may be more than facts: an export of PuppetDB's inventory knows what the
//! certificate said and which environment the node was in.

mod changes;
mod os;
mod os_table;
mod shape;
mod sources;
mod ssh_keys;

use std::path::{Path, PathBuf};

use pantin_base::{Language, nearest};
use pantin_values::{Digest, Digester, Hash, Str, Value};

use self::shape::Shape;
use super::Disk;
use super::values::{read_node_facts, read_value};

pub use self::changes::{FactChange, FactChangeError};
pub use self::os::{check_os_name, facts as facts_of_os, os_names};
pub use self::sources::{FactSource, FactSources};

/// What a source knows of one node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NodeFacts {
    /// As they were found.
    pub facts: Hash,
    /// `$trusted` of the time when they were.
    pub trusted: Option<Hash>,
    pub environment: Option<String>,
}

impl NodeFacts {
    fn digest(&self) -> Digest {
        let NodeFacts { facts, trusted, environment } = self;
        let mut digester = Digester::new(b"facts of a node");
        digester.item(&Value::Hash(facts.clone())).item(&trusted.clone().map_or(Value::Undef, Value::Hash));
        digester.text(environment.as_deref().unwrap_or_default()).finish()
    }
}

/// Where facts come from.
#[derive(Clone, Debug)]
pub enum Facts {
    /// The same for whoever is asked for; the name is that of the node they were taken from, where it is told.
    One(Option<Str>, Box<NodeFacts>),
    /// In the order of the source.
    Many(Vec<(Str, NodeFacts)>),
    /// A file for each node, read when it is asked for.
    Folder(PathBuf, Vec<(Str, PathBuf)>),
    /// Made up.
    Os { name: &'static str, with_legacy: bool, language: Language },
}

const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

impl Facts {
    /// Returns those of a file, or of a folder with a file for each node.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<Facts, String> {
        if disk.is_folder(path) {
            return Facts::from_folder(disk, path);
        }
        Facts::out_of(read_value(disk, path)?, path)
    }

    fn out_of(value: Value, path: &Path) -> Result<Facts, String> {
        let wrong = |reason: String| format!("cannot take facts from {}: {reason}", path.display());
        Ok(match shape::from_value(value).map_err(wrong)? {
            Shape::One(name, known) => Facts::One(name, known),
            Shape::Many(nodes) => Facts::Many(nodes),
        })
    }

    /// Returns those of a file in a folder with one for each node.
    fn from_own_file(disk: &dyn Disk, path: &Path) -> Result<Facts, String> {
        if disk.is_folder(path) {
            return Facts::from_folder(disk, path);
        }
        Facts::out_of(read_node_facts(disk, path)?, path)
    }

    fn from_folder(disk: &dyn Disk, folder: &Path) -> Result<Facts, String> {
        let wrong = |reason: &str| format!("cannot take facts from {}: {reason}", folder.display());
        let entries = disk.list(folder).map_err(|error| wrong(&error.to_string()))?.unwrap_or_default();
        let mut files: Vec<(Str, PathBuf)> = Vec::new();
        for entry in entries.into_iter().filter(|entry| !entry.is_folder) {
            let name = entry.name.to_string_lossy().into_owned();
            let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'));
            let Some(stem) = stem.filter(|stem| !stem.is_empty()) else { continue };
            if let Some((node, _)) = files.iter().find(|(node, _)| node == stem) {
                return Err(wrong(&format!("there are two files for {node}")));
            }
            files.push((stem.into(), folder.join(entry.name)));
        }
        if files.is_empty() {
            return Err(wrong("there is no .yaml or .json file in it"));
        }
        Ok(Facts::Folder(folder.to_owned(), files))
    }

    /// Returns a made-up node of an operating system. Legacy facts are what an agent of this version sends by itself.
    pub fn for_os(name: &str, language: Language, with_legacy: bool) -> Result<Facts, String> {
        match os_names().find(|known| *known == name) {
            Some(name) => Ok(Facts::Os { name, with_legacy, language }),
            None => {
                let hint = nearest(name, os_names()).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                let known: Vec<&str> = os_names().collect();
                Err(format!("there are no facts for '{name}'{hint} There are {}", known.join(", ")))
            }
        }
    }

    /// Returns the nodes that the source names.
    pub fn names(&self) -> Vec<Str> {
        match self {
            Facts::One(name, known) => name.clone().or_else(|| name_in(&known.facts)).into_iter().collect(),
            Facts::Many(nodes) => nodes.iter().map(|(name, _)| name.clone()).collect(),
            Facts::Folder(_, files) => files.iter().map(|(name, _)| name.clone()).collect(),
            // It is a node of any name; without one it has that of its system.
            Facts::Os { name, .. } => vec![(*name).into()],
        }
    }

    /// The digest of all that a source which has been read knows of a node. `None`: its facts stand in a file of its own, or are
    /// made up.
    pub fn known_digest(&self, node: &str) -> Option<Digest> {
        match self {
            Facts::One(_, known) => Some(known.digest()),
            Facts::Many(nodes) => {
                Some(nodes.iter().find(|(name, _)| name == node).map_or(Digest::atom(0), |(_, known)| known.digest()))
            }
            Facts::Folder(..) | Facts::Os { .. } => None,
        }
    }

    /// Returns what kind of source it is. Of a file of a node's own, where that is, as it is named from the folder if
    /// it is below; of a system, which.
    pub fn origin(&self, node: &str, folder: &Path) -> Digest {
        let mut digester = Digester::new(b"facts");
        match self {
            Facts::One(..) => _ = digester.number(1),
            Facts::Many(_) => _ = digester.number(2),
            Facts::Folder(_, files) => {
                for (_, path) in files.iter().filter(|(name, _)| name == node) {
                    let inside = path.strip_prefix(folder);
                    digester.number(u64::from(inside.is_ok()));
                    digester.bytes(inside.unwrap_or(path).as_os_str().as_encoded_bytes());
                }
            }
            Facts::Os { name, with_legacy, .. } => {
                digester.text(name).number(u64::from(*with_legacy));
            }
        }
        digester.finish()
    }

    /// Returns true if what is known of a node stands in a file of its own, so that it need not be kept to be had
    /// again.
    pub fn has_own_file(&self, node: &str) -> bool {
        matches!(self, Facts::Folder(_, files) if files.iter().any(|(name, _)| name == node))
    }

    /// Returns what is known of a node; `None` where the source does not have it.
    pub fn for_node(&self, disk: &dyn Disk, node: &str) -> Result<Option<NodeFacts>, String> {
        match self {
            Facts::One(_, known) => Ok(Some((**known).clone())),
            Facts::Many(nodes) => Ok(nodes.iter().find(|(name, _)| name == node).map(|(_, known)| known.clone())),
            Facts::Folder(_, files) => {
                let Some((_, path)) = files.iter().find(|(name, _)| name == node) else { return Ok(None) };
                match Facts::from_own_file(disk, path)? {
                    Facts::One(_, known) => Ok(Some(*known)),
                    of_many => of_many.for_node(disk, node),
                }
            }
            Facts::Os { name, with_legacy, language } => {
                let facts = os::facts(name, node, *language, *with_legacy).unwrap_or_default();
                Ok(Some(NodeFacts { facts, ..NodeFacts::default() }))
            }
        }
    }
}

/// Returns the name of a node, as its facts say.
pub fn name_in(facts: &Hash) -> Option<Str> {
    let of_network = match facts.get_str("networking") {
        Some(Value::Hash(networking)) => networking.get_str("fqdn"),
        _ => None,
    };
    let name = facts.get_str("clientcert").or(of_network).or_else(|| facts.get_str("fqdn")).and_then(Value::as_str);
    name.filter(|name| !name.is_empty()).map(|name| name.to_lowercase().into())
}

/// What is no text, number or truth value, and holds none, becomes text, as a server does it.
pub fn sanitize(facts: &Hash) -> Hash {
    facts.iter().map(|(name, value)| (clean(name), clean(value))).collect()
}

fn clean(value: &Value) -> Value {
    match value {
        Value::Undef => Value::from(""),
        Value::Hash(hash) => Value::Hash(sanitize(hash)),
        Value::Array(items) => Value::array(items.iter().map(clean)),
        _ => value.clone(),
    }
}

/// Adds what an agent says of itself, unless it is already there. Facts that have some of it are of an agent that says no
/// more: an older one knows no `clientnoop`, and Puppet's no `implementation`.
pub(super) fn with_agent_facts(mut facts: Hash, node: &str, language: Language) -> Hash {
    let has = |facts: &Hash, name: &str| facts.get_str(name).is_some();
    let is_of_no_agent = ["clientcert", "clientversion", "clientnoop"].iter().all(|name| !has(&facts, name));
    let implementation = Value::from(language.product().to_lowercase());
    let own = [
        ("implementation", implementation, is_of_no_agent && language >= Language::OpenVox8),
        ("clientcert", Value::from(node), true),
        ("clientversion", Value::from(language.release()), true),
        ("clientnoop", Value::Boolean(false), is_of_no_agent),
    ];
    for (name, value, _) in own.into_iter().filter(|(_, _, is_said)| *is_said) {
        if !has(&facts, name) {
            facts.insert(Value::from(name), value);
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;

    fn read(name: &str, text: &str) -> Result<Facts, String> {
        Facts::read(&TableDisk::from_files(&[(name, text)]), Path::new(name))
    }

    fn found(facts: &Facts, node: &str) -> Option<Value> {
        facts.for_node(&TableDisk::default(), node).unwrap()?.facts.get_str("os").cloned()
    }

    #[test]
    fn facts_have_many_shapes() {
        for (text, name) in [
            (r#"{"os": 1}"#, None),
            (r#"{"os": 1, "networking": {"fqdn": "A.b"}}"#, Some("a.b")),
            (r#"{"os": 1, "values": {"x": 1}, "name": "y"}"#, None),
            (r#"{"name": "a.b", "values": {"os": 1}, "timestamp": "x"}"#, Some("a.b")),
            (r#"{"certname": "a.b", "facts": {"os": 1}, "trusted": {}}"#, Some("a.b")),
            (r#"{"certname": "a.b", "facts": {"href": "/x", "data": [{"name": "os", "value": 1}]}}"#, Some("a.b")),
            (r#"[{"certname": "a.b", "name": "os", "value": 1, "environment": "production"}]"#, Some("a.b")),
            (r#"[{"certname": "a.b", "facts": {"os": 1}}]"#, Some("a.b")),
        ] {
            let facts = read("/f.json", text).unwrap();
            assert_eq!(facts.names().first().map(Str::as_str), name, "{text}");
            assert_eq!(found(&facts, "a.b"), Some(1.into()), "{text}");
        }
    }

    /// As a server writes them.
    #[test]
    fn a_server_keeps_objects() {
        let text = "--- !ruby/object:Puppet::Node::Facts\nname: a.b\nvalues:\n  os: 1\n  'yes': 'no'\n\
                    timestamp: '2026-11-21T19:30:42.711630090+00:00'\n";
        let facts = read("/a.b.yaml", text).unwrap();
        assert_eq!((facts.names(), found(&facts, "a.b")), (vec![Str::from("a.b")], Some(1.into())));
    }

    #[test]
    fn exports_hold_many_nodes_and_what_else_is_known() {
        let text = r#"[{"certname": "a", "environment": "one", "facts": {"os": 1}, "trusted": {"certname": "a"}},
                       {"certname": "b", "facts": {"os": 2}}]"#;
        let facts = read("/inventory.json", text).unwrap();
        assert_eq!(facts.names(), ["a", "b"]);
        assert_eq!((found(&facts, "b"), found(&facts, "c")), (Some(2.into()), None));
        let known = facts.for_node(&TableDisk::default(), "a").unwrap().unwrap();
        assert_eq!(known.environment.as_deref(), Some("one"));
        assert_eq!(known.trusted.unwrap().get_str("certname"), Some(&"a".into()));
    }

    #[test]
    fn facts_may_stand_beside_what_a_certificate_said() {
        let text = r#"{"name": "a.b", "trusted": {"extensions": {"pp_role": "web"}}, "values": {"os": 1}}"#;
        let known = read("/f.json", text).unwrap().for_node(&TableDisk::default(), "a.b").unwrap().unwrap();
        let trusted = known.trusted.unwrap();
        assert_eq!(trusted.get_str("hostname"), Some(&"a".into()));
        assert_eq!(trusted.get_str("extensions"), Some(&Value::hash([("pp_role".into(), "web".into())])));
    }

    #[test]
    fn a_folder_has_a_file_for_each_node() {
        let files = [
            ("/f/a.example.org.json", r#"{"os": 1}"#),
            ("/f/b.json", r#"{"name": "other", "values": {"os": 2}}"#),
            ("/f/README", ""),
        ];
        let disk = TableDisk::from_files(&files);
        let facts = Facts::read(&disk, Path::new("/f")).unwrap();
        assert_eq!(facts.names(), ["a.example.org", "b"]);
        assert_eq!(facts.for_node(&disk, "b").unwrap().unwrap().facts.get_str("os"), Some(&2.into()));
        assert_eq!(facts.for_node(&disk, "c").unwrap(), None);
        let twice = TableDisk::from_files(&[("/f/a.json", "{}"), ("/f/a.yaml", "{}")]);
        let error = Facts::read(&twice, Path::new("/f")).unwrap_err();
        assert_eq!(error, "cannot take facts from /f: there are two files for a");
    }

    #[test]
    fn what_is_no_facts_is_told() {
        for (text, reason) in [
            ("[1]", "element 1 of the list is a number"),
            ("[]", "the list is empty"),
            (r#"[{"certname": "a"}]"#, "element 1 of the list is no answer of PuppetDB: it has no 'name'"),
            ("1", "it holds no hash of names and values, but a number"),
            ("null", "it holds no hash of names and values, but nothing"),
        ] {
            assert_eq!(read("/f.json", text).unwrap_err(), format!("cannot take facts from /f.json: {reason}"));
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read("/f.json", &deep).unwrap_err().contains("nesting of 101 is too deep"));
        let gone = Facts::read(&TableDisk::default(), Path::new("/gone.json")).unwrap_err();
        assert_eq!(gone, "cannot take values from /gone.json: no such file or directory");
        let error = Facts::for_os("debian-1", Language::Puppet8, true).unwrap_err();
        assert!(
            error.starts_with("there are no facts for 'debian-1'; did you mean debian-11? There are debian-11, "),
            "{error}"
        );
    }
}
