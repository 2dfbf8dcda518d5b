//! The variables of the top scope.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::program::Request;
use crate::pcore::{Str, Value};
use crate::syntax::Strict;
use crate::trace::{Answer, Container};

/// What is known before anything runs, and what the site manifest has assigned since.
#[derive(Debug)]
pub(super) struct TopScope(IndexMap<Str, Value, FxBuildHasher>);

impl TopScope {
    pub(super) fn new(request: &Request) -> TopScope {
        let mut variables: IndexMap<Str, Value, FxBuildHasher> = IndexMap::default();
        for (name, value) in request.facts.iter() {
            if let Value::String(name) = name {
                variables.insert(name.clone(), value.clone());
            }
        }
        let server = [
            ("serverversion", request.server_version.as_str()),
            ("servername", "puppet.example.org"),
            ("serverip", "192.0.2.1"),
            ("environment", request.environment.as_str()),
        ];
        let mut server_facts = Vec::new();
        for (name, value) in server {
            variables.insert(name.into(), value.into());
            server_facts.push((Value::from(name), Value::from(value)));
        }
        variables.insert("facts".into(), Value::Hash(request.facts.clone()));
        variables.insert("server_facts".into(), Value::hash(server_facts));
        variables.insert("trusted".into(), trusted(request));
        for name in ["title", "name"] {
            variables.insert(name.into(), "main".into());
        }
        variables.insert("module_name".into(), "".into());
        variables.insert("caller_module_name".into(), Value::Undef);
        // Of the settings those that the program's own request has.
        for (name, value) in settings(request) {
            variables.insert(format!("settings::{name}").into(), value);
        }
        TopScope(variables)
    }

    pub(super) fn set(&mut self, name: Str, value: Value) {
        self.0.insert(name, value);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name.strip_prefix("::").unwrap_or(name))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(Str::as_str)
    }

    pub(super) fn part(&self, name: &str, path: &[Value]) -> Option<&Value> {
        path.iter().try_fold(self.get(name)?, |value, key| match (value, key) {
            (Value::Hash(entries), key) => entries.get(key),
            (Value::Array(items), Value::Integer(index)) => items.get(usize::try_from(*index).ok()?),
            _ => None,
        })
    }
}

fn settings(request: &Request) -> [(&'static str, Value); 4] {
    let strict = match request.settings.strict {
        Strict::Off => "off",
        Strict::Warning => "warning",
        Strict::Error => "error",
    };
    [
        ("strict", strict.into()),
        ("strict_variables", request.settings.strict_variables.into()),
        ("environment", request.environment.as_str().into()),
        ("certname", request.node.as_str().into()),
    ]
}

/// A container as a view, all else as itself.
pub(super) fn answer(value: Option<&Value>) -> Answer {
    match value {
        None => Answer::Absent,
        Some(Value::Hash(_)) => Answer::View(Container::Hash),
        Some(Value::Array(_)) => Answer::View(Container::Array),
        Some(value) => Answer::Value(value.clone()),
    }
}

fn trusted(request: &Request) -> Value {
    let (host, domain) = match request.node.split_once('.') {
        Some((host, domain)) => (Value::from(host), Value::from(domain)),
        None => (Value::from(request.node.as_str()), Value::Undef),
    };
    Value::hash([
        ("authenticated".into(), "remote".into()),
        ("certname".into(), request.node.as_str().into()),
        ("extensions".into(), Value::Hash(request.trusted_extensions.clone())),
        ("hostname".into(), host),
        ("domain".into(), domain),
        ("external".into(), Value::hash([])),
    ])
}
