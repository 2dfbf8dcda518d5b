//! What `facter.conf` says: which facts are blocked, and where external ones are.

use std::path::{Path, PathBuf};

use pantin_values::data::hocon;
use pantin_values::{Hash, Value};

use crate::probe::Tree;

/// Where it is looked for; the first one counts.
const PLACES: [&str; 2] = ["/etc/puppetlabs/facter/facter.conf", "/etc/facter/facter.conf"];

/// Facts that may be blocked by a word for all of them.
const GROUPS: [(&str, &[&str]); 22] = [
    ("AIX NIM type", &[]),
    ("EC2", &[]),
    ("GCE", &[]),
    ("Xen", &[]),
    ("augeas", &[]),
    ("desktop management interface", &["dmi"]),
    ("disks", &["disks"]),
    ("file system", &["filesystems", "mountpoints", "partitions"]),
    ("fips", &["fips_enabled"]),
    ("hypervisors", &["hypervisors"]),
    ("id", &["identity"]),
    ("kernel", &["kernel", "kernelmajversion", "kernelrelease", "kernelversion"]),
    ("load_average", &["load_averages"]),
    ("memory", &["memory"]),
    ("networking", &["networking"]),
    ("operating system", &["os"]),
    ("path", &["path"]),
    ("processor", &["processors"]),
    ("ssh", &["ssh"]),
    ("timezone", &["timezone"]),
    ("uptime", &["system_uptime"]),
    ("virtualization", &["cloud", "is_virtual", "virtual"]),
];

/// What `facter.conf` says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    /// Names of facts, of parts of them, and of external files.
    pub(crate) blocked: Vec<String>,
    pub(crate) blocks_legacy: bool,
    pub external_folders: Vec<PathBuf>,
    pub has_no_external_facts: bool,
    pub with_legacy: bool,
}

impl Configuration {
    /// Reads a file that is named, or the one of a tree. That there is none of its own is no error.
    pub fn read(tree: Tree<'_>, named: Option<&Path>) -> Result<Configuration, String> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => match PLACES.iter().find(|place| tree.exists(place)) {
                Some(place) => tree.path(place),
                None => return Ok(Configuration::default()),
            },
        };
        let told = |reason: String| format!("cannot read {}: {reason}", path.display());
        let text = tree.machine.read(&path, 1 << 20).map_err(|error| told(error.to_string()))?;
        let variable = |name: &str| tree.machine.variable(name)?.into_string().ok();
        let value = hocon::load(&text, &variable).map_err(|error| told(error.to_string()))?;
        Ok(Configuration::from_value(&value))
    }

    fn from_value(value: &Value) -> Configuration {
        let section = |name: &str| match value {
            Value::Hash(sections) => match sections.get_str(name) {
                Some(Value::Hash(section)) => section.clone(),
                _ => Hash::default(),
            },
            _ => Hash::default(),
        };
        let (facts, global, own_groups) = (section("facts"), section("global"), section("fact-groups"));
        let listed = texts(facts.get_str("blocklist"));
        let is_on = |name: &str| global.get_str(name).is_some_and(|value| *value == Value::Boolean(true));
        let expanded = listed.iter().filter(|name| *name != "legacy").flat_map(|name| match own_groups.get_str(name) {
            Some(members) => texts(Some(members)),
            None => match GROUPS.iter().find(|(group, _)| group == name) {
                Some((_, members)) => members.iter().map(|member| (*member).to_owned()).collect(),
                None => vec![name.clone()],
            },
        });
        Configuration {
            blocked: expanded.collect(),
            blocks_legacy: listed.iter().any(|name| name == "legacy"),
            external_folders: texts(global.get_str("external-dir")).into_iter().map(PathBuf::from).collect(),
            has_no_external_facts: is_on("no-external-facts"),
            with_legacy: is_on("show-legacy"),
        }
    }

    /// Blocks nothing.
    #[must_use]
    pub fn without_blocks(self) -> Configuration {
        Configuration { blocked: Vec::new(), blocks_legacy: false, ..self }
    }
}

/// Returns the texts of a list, or the one that stands for a list.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(one)) => vec![one.to_string()],
        _ => Vec::new(),
    }
}

/// Takes what is blocked out of facts.
pub(crate) fn unblocked(facts: Vec<(String, Value)>, blocked: &[String]) -> Vec<(String, Value)> {
    let is_free = |(name, _): &(String, Value)| !blocked.contains(name);
    let inner = |(name, value): (String, Value)| {
        let paths = blocked.iter().filter_map(|path| path.strip_prefix(name.as_str())?.strip_prefix('.'));
        let value = paths.fold(value, |value, path| without(&value, path));
        (name, value)
    };
    facts.into_iter().filter(is_free).map(inner).collect()
}

/// A value without what a path of names leads to.
fn without(value: &Value, path: &str) -> Value {
    let Value::Hash(hash) = value else { return value.clone() };
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let kept = hash.iter().filter_map(|(name, value)| match (name.as_str() == Some(first), rest) {
        (true, None) => None,
        (true, Some(rest)) => Some((name.clone(), without(value, rest))),
        (false, _) => Some((name.clone(), value.clone())),
    });
    Value::hash(kept)
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    fn read(text: &str) -> Configuration {
        let machine = InMemory::new().with_file("/etc/facter/facter.conf", text);
        Configuration::read(Tree::whole_machine(&machine), None).unwrap()
    }

    #[test]
    fn groups_are_the_facts_in_them() {
        let text = "facts : { blocklist : [ \"file system\", \"EC2\", \"mine\", \"os.selinux\", \"legacy\" ] }\n\
                    fact-groups : { mine : [\"timezone\", \"a.txt\"] }\n\
                    global : { external-dir : \"/d\", no-external-facts : true }";
        let found = read(text);
        let blocked = ["filesystems", "mountpoints", "partitions", "timezone", "a.txt", "os.selinux"];
        assert_eq!(found.blocked, blocked);
        assert!(found.blocks_legacy && found.has_no_external_facts && !found.with_legacy);
        assert_eq!(found.external_folders, [PathBuf::from("/d")]);
        assert_eq!(read(""), Configuration::default());
    }

    #[test]
    fn a_file_that_is_named_must_be_there_and_right() {
        let machine = InMemory::new().with_file("/wrong", "facts : {");
        let read = |path: &str| Configuration::read(Tree::whole_machine(&machine), Some(Path::new(path)));
        assert!(read("/none").unwrap_err().starts_with("cannot read /none: "));
        assert!(read("/wrong").unwrap_err().starts_with("cannot read /wrong: "));
    }

    #[test]
    fn what_is_blocked_is_taken_out_with_all_that_is_in_it() {
        let os = Value::hash([
            (Value::from("name"), Value::from("x")),
            (Value::from("selinux"), Value::hash([(Value::from("enabled"), Value::Boolean(false))])),
        ]);
        let facts = vec![("os".to_owned(), os), ("path".to_owned(), Value::from("/bin"))];
        let left = unblocked(facts, &["os.selinux".to_owned(), "path".to_owned()]);
        assert_eq!(left, [("os".to_owned(), Value::hash([(Value::from("name"), Value::from("x"))]))]);
    }
}
