//! The data of a node before its catalog is compiled: trusted facts, server facts, node facts.

use pantin_base::Language;
use pantin_values::sprintf::inspect;
use pantin_values::{Hash, Str, Value};

use super::Remark;
use super::facts::{NodeFacts, sanitize, with_agent_facts};

/// Worked out from facts, certificate and ENC; plain data.
#[derive(Clone, Debug, Default)]
pub struct NodeData {
    /// The certificate's name.
    pub name: String,
    /// What the agent sent, cleaned as the server cleans it.
    pub facts: Hash,
    /// `$trusted`, whole: `authenticated`, `certname`, `extensions`, `hostname`, `domain`, `external`.
    pub trusted: Hash,
    /// `$server_facts`, whole.
    pub server_facts: Hash,
    /// What the ENC says of classes.
    pub classes: NodeClasses,
    /// The ENC's parameters: they come before facts of the same names.
    pub parameters: Hash,
}

/// The two forms in which an ENC names classes.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeClasses {
    Names(Vec<Str>),
    /// Each with its parameters, if it has any.
    WithParameters(Vec<(Str, Option<Hash>)>),
}

impl NodeClasses {
    pub fn is_empty(&self) -> bool {
        match self {
            NodeClasses::Names(names) => names.is_empty(),
            NodeClasses::WithParameters(classes) => classes.is_empty(),
        }
    }
}

impl Default for NodeClasses {
    fn default() -> NodeClasses {
        NodeClasses::Names(Vec::new())
    }
}

/// The server that answers, as `$server_facts` has it.
#[derive(Clone, Debug)]
pub struct Server {
    pub name: String,
    pub address: String,
    pub language: Language,
}

impl Server {
    /// Without a name and an address of its own.
    pub fn new(language: Language) -> Server {
        Server { name: "puppet".to_owned(), address: "127.0.0.1".to_owned(), language }
    }

    /// `$server_facts`.
    pub fn facts(&self, environment: &str) -> Hash {
        let implementation = (self.language >= Language::OpenVox8).then_some(("serverimplementation", "openvox"));
        let members = [
            ("serverversion", self.language.release()),
            ("servername", &self.name),
            ("serverip", &self.address),
            ("environment", environment),
        ];
        let members = implementation.into_iter().chain(members);
        members.map(|(name, value)| (Value::from(name), Value::from(value))).collect()
    }
}

/// `$trusted` of a node whose certificate has these extensions.
pub fn trusted_facts(certname: &str, extensions: Hash) -> Hash {
    let (hostname, domain) = match certname.split_once('.') {
        Some((hostname, domain)) => (hostname, Value::from(domain)),
        None => (certname, Value::Undef),
    };
    let members = [
        ("authenticated", Value::from("remote")),
        ("certname", Value::from(certname)),
        ("extensions", Value::Hash(extensions)),
        ("hostname", Value::from(hostname)),
        ("domain", domain),
        ("external", Value::Hash(Hash::default())),
    ];
    members.into_iter().map(|(name, value)| (Value::from(name), value)).collect()
}

impl NodeData {
    /// A node of which a source of facts knows something, and no ENC anything.
    pub fn new(name: &str, known: NodeFacts, server: &Server, environment: &str) -> NodeData {
        let facts = NodeData::node_facts(known.facts, name, server);
        let trusted =
            known.trusted.or_else(|| recorded_trusted(&facts)).unwrap_or_else(|| trusted_facts(name, Hash::default()));
        NodeData {
            name: name.to_owned(),
            facts,
            trusted,
            server_facts: server.facts(environment),
            ..NodeData::default()
        }
    }

    /// Its facts, as a server has them from what was found.
    pub fn node_facts(found: Hash, name: &str, server: &Server) -> Hash {
        sanitize(&with_agent_facts(found, name, server.language))
    }

    /// Returns the variables of the top scope that the node brings, the first of each name: parameters, facts, server
    /// facts. (`environment`, `trusted`, `facts` and `server_facts` are set beside them, and hide those of their
    /// names.)
    pub fn variables(&self) -> [Hash; 3] {
        [&self.parameters, &self.facts, &self.server_facts].map(with_texts_as_names)
    }

    /// Returns what is said of facts whose names are taken, before anything else is said of the node.
    pub fn clashes(&self, environment: &str) -> Vec<Remark> {
        let environment_name = Value::from("environment");
        let environment = Value::from(environment);
        let known = |name: &Value| match *name == environment_name {
            true => Some(environment.clone()),
            false => self.parameters.get(name).cloned(),
        };
        let of_fact = |(name, value): (&Value, &Value)| Some(self.clash(name, &known(name)?, value));
        let of_server_fact = |(name, value): (&Value, &Value)| {
            let known = known(name).or_else(|| self.facts.get(name).cloned())?;
            Some(self.clash(name, &known, value))
        };
        // Facts are many, and those that clash few.
        let mut taken = std::iter::once(&environment_name).chain(self.parameters.keys());
        let facts = if taken.any(|name| self.facts.contains_key(name)) { self.facts.clone() } else { Hash::default() };
        let server_facts = self.server_facts.iter().filter(|(name, _)| **name != environment_name);
        facts.iter().filter_map(of_fact).chain(server_facts.filter_map(of_server_fact)).collect()
    }

    fn clash(&self, name: &Value, known: &Value, value: &Value) -> Remark {
        Remark::warning(format!(
            "The node parameter '{}' for node '{}' was already set to '{}'. It could not be set to '{}'",
            shown(name),
            self.name,
            shown(known),
            shown(value)
        ))
    }
}

fn with_texts_as_names(values: &Hash) -> Hash {
    let is_text = |name: &Value| name.as_str().is_some();
    if values.keys().all(is_text) {
        return values.clone();
    }
    let text = |name: &Value| if is_text(name) { name.clone() } else { Value::from(shown(name)) };
    values.iter().map(|(name, value)| (text(name), value.clone())).collect()
}

/// As Ruby's `to_s`.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Undef => String::new(),
        other => inspect(other),
    }
}

/// PuppetDB keeps what a certificate said as a fact.
fn recorded_trusted(facts: &Hash) -> Option<Hash> {
    match facts.get_str("trusted") {
        Some(Value::Hash(trusted))
            if ["authenticated", "certname", "extensions"].iter().all(|name| trusted.get_str(name).is_some()) =>
        {
            Some(trusted.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(members: &[(&str, Value)]) -> Hash {
        members.iter().map(|(name, value)| (Value::from(*name), value.clone())).collect()
    }

    /// What the real one says of the same parameters and facts.
    #[test]
    fn parameters_come_before_facts() {
        let facts = hash(&[
            ("hostname", "web01".into()),
            ("a", 1.into()),
            ("n", Value::Undef),
            ("environment", "fromfacts".into()),
            ("trusted", "x".into()),
            ("h", Value::hash([(1.into(), Value::Undef)])),
        ]);
        let server = Server::new(Language::Puppet7);
        let mut node = NodeData::new("web01", NodeFacts { facts, ..NodeFacts::default() }, &server, "production");
        node.parameters = hash(&[("hostname", "fromenc".into()), ("zone", 1.into())]);
        let (variables, remarks) = (node.variables(), node.clashes("production"));
        let said: Vec<&str> = remarks.iter().map(|remark| remark.text.as_str()).collect();
        assert_eq!(
            said,
            [
                "The node parameter 'hostname' for node 'web01' was already set to 'fromenc'. It could not be set to \
                 'web01'",
                "The node parameter 'environment' for node 'web01' was already set to 'production'. It could not be \
                 set to 'fromfacts'",
            ]
        );
        let names = |values: &Hash| values.keys().map(shown).collect::<Vec<_>>().join(" ");
        assert_eq!(
            variables.each_ref().map(names),
            [
                "hostname zone",
                "hostname a n environment trusted h clientcert clientversion clientnoop",
                "serverversion servername serverip environment"
            ]
        );
        assert_eq!(variables[1].get_str("n"), Some(&"".into()));
        assert_eq!(variables[1].get_str("h"), Some(&Value::hash([(1.into(), "".into())])));
    }

    #[test]
    fn a_certificate_has_a_host_and_a_domain() {
        let of = |name| trusted_facts(name, Hash::default());
        assert_eq!(of("a.b.c").get_str("domain"), Some(&"b.c".into()));
        assert_eq!(of("a").get_str("domain"), Some(&Value::Undef));
        assert_eq!(of("a").get_str("hostname"), Some(&"a".into()));
    }
}
