//! A node file: one file with all data of a node: `name`, `facts`, `trusted`, `server_facts`, `classes`, `parameters`,
//! `environment`, `settings`. Missing parts are derived as for any node.

use std::path::Path;

use pantin_base::nearest;
use pantin_values::{Digest, Hash, Value};

use super::Disk;
use super::enc::classes;
use super::facts::NodeFacts;
use super::node::{NodeData, Server, trusted_facts};
use super::values::read_hash;

const MEMBERS: [&str; 8] =
    ["name", "facts", "trusted", "server_facts", "classes", "parameters", "environment", "settings"];

/// A node as its file has it.
#[derive(Clone, Debug)]
pub struct NodeFile {
    pub name: String,
    pub environment: Option<String>,
    /// Settings that are other than those of the command line.
    pub settings: Vec<(String, String)>,
    members: Hash,
}

impl NodeFile {
    /// JSON, or YAML by its ending. `Err`: a sentence for a person.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<NodeFile, String> {
        let members = read_hash(disk, path)?;
        NodeFile::from_members(members).map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Returns what names all that it says.
    pub fn digest(&self) -> Digest {
        Value::Hash(self.members.clone()).digest()
    }

    /// Returns true if it says of which classes the node is, so that no manifest need do so.
    pub fn has_classes(&self) -> bool {
        classes(self.members.get_str("classes")).is_ok_and(|classes| !classes.is_empty())
    }

    fn from_members(members: Hash) -> Result<NodeFile, String> {
        for name in members.keys() {
            let name = name.as_str().unwrap_or_default();
            if !MEMBERS.contains(&name) {
                let hint = nearest(name, MEMBERS).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                return Err(format!("a node has no '{name}'{hint}"));
            }
        }
        let text = |name: &str| match members.get_str(name) {
            None | Some(Value::Undef) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.to_string())),
            Some(_) => Err(format!("'{name}' is no text")),
        };
        let name = text("name")?.filter(|name| !name.is_empty()).ok_or("the node has no 'name'")?;
        let environment = text("environment")?;
        let mut settings = Vec::new();
        for (name, value) in hash(&members, "settings")?.unwrap_or_default().iter() {
            let value = match value {
                Value::String(text) => text.to_string(),
                Value::Boolean(flag) => flag.to_string(),
                Value::Integer(number) => number.to_string(),
                _ => return Err(format!("the setting '{}' has no plain value", name.as_str().unwrap_or_default())),
            };
            settings.push((name.as_str().unwrap_or_default().to_owned(), value));
        }
        for name in ["facts", "trusted", "server_facts", "parameters"] {
            hash(&members, name)?;
        }
        classes(members.get_str("classes"))?;
        Ok(NodeFile { name, environment, settings, members })
    }

    /// Returns the node, in an environment of this name.
    pub fn node(&self, server: &Server, environment: &str) -> Result<NodeData, String> {
        let part = |name: &str| hash(&self.members, name);
        let known = NodeFacts { facts: part("facts")?.unwrap_or_default(), ..NodeFacts::default() };
        let mut node = NodeData::new(&self.name, known, server, environment);
        if let Some(given) = part("trusted")? {
            node.trusted = completed(&self.name, given);
        }
        if let Some(given) = part("server_facts")? {
            node.server_facts = given;
            // Whatever is given, it is that of the node.
            node.server_facts.insert("environment".into(), environment.into());
        }
        node.classes = classes(self.members.get_str("classes"))?;
        node.parameters = part("parameters")?.unwrap_or_default();
        Ok(node)
    }
}

/// `$trusted` has all of its members, whichever are given.
fn completed(name: &str, given: Hash) -> Hash {
    let certname = given.get_str("certname").and_then(Value::as_str).unwrap_or(name);
    let mut whole = trusted_facts(certname, Hash::default());
    for (name, value) in given.iter() {
        whole.insert(name.clone(), value.clone());
    }
    whole
}

fn hash(members: &Hash, name: &str) -> Result<Option<Hash>, String> {
    match members.get_str(name) {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::Hash(hash)) => Ok(Some(hash.clone())),
        Some(_) => Err(format!("'{name}' is no hash")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeClasses;
    use crate::values::json_value;
    use pantin_base::Language;

    fn file(json: &str) -> Result<NodeFile, String> {
        let Value::Hash(members) = json_value(json.as_bytes()).unwrap() else { panic!("no hash") };
        NodeFile::from_members(members)
    }

    #[test]
    fn a_node_is_what_its_file_says() {
        let file = file(
            r#"{"name": "a.b", "facts": {"x": null}, "trusted": {"extensions": {"pp_role": "web"}},
                "classes": ["one"], "parameters": {"p": 1}, "settings": {"strict": "off", "tasks": true}}"#,
        )
        .unwrap();
        let node = file.node(&Server::new(Language::Puppet8), "production").unwrap();
        assert_eq!(node.facts.get_str("x"), Some(&"".into()));
        assert_eq!(node.trusted.get_str("domain"), Some(&"b".into()));
        let extensions = Value::hash([("pp_role".into(), "web".into())]);
        assert_eq!(node.trusted.get_str("extensions"), Some(&extensions));
        assert_eq!(node.classes, NodeClasses::Names(vec!["one".into()]));
        assert_eq!(node.server_facts.get_str("serverversion"), Some(&"8.10.0".into()));
        assert_eq!(node.server_facts.get_str("environment"), Some(&"production".into()));
        assert_eq!(file.settings, [("strict", "off"), ("tasks", "true")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn the_environment_is_one_of_the_given_server_facts() {
        for given in [r#"{"serverversion": "1"}"#, r#"{"environment": "other", "serverversion": "1"}"#] {
            let file = file(&format!(r#"{{"name": "a", "server_facts": {given}}}"#)).unwrap();
            let node = file.node(&Server::new(Language::Puppet8), "production").unwrap();
            assert_eq!(node.server_facts.get_str("serverversion"), Some(&"1".into()));
            assert_eq!(node.server_facts.get_str("environment"), Some(&"production".into()));
            assert_eq!(node.server_facts.len(), 2);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, error) in [
            ("{}", "the node has no 'name'"),
            (r#"{"name": "a", "fact": {}}"#, "a node has no 'fact'; did you mean facts?"),
            (r#"{"name": "a", "facts": []}"#, "'facts' is no hash"),
            (r#"{"name": "a", "classes": 1}"#, "its classes are neither a list nor a hash"),
            (r#"{"name": "a", "settings": {"x": []}}"#, "the setting 'x' has no plain value"),
        ] {
            assert_eq!(file(json).unwrap_err(), error);
        }
    }
}
