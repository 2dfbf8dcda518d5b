//! Facts that a person sets by hand: `os.release.major=13`.

use std::fmt;

use pantin_base::nearest;
use pantin_values::data::json;
use pantin_values::{Hash, Value};

/// A fact with another value, for every node.
#[derive(Clone, PartialEq, Debug)]
pub struct FactChange {
    /// The fact, then the keys and indexes below it.
    path: Vec<String>,
    /// As it was written.
    written: String,
}

/// Why a fact cannot be set: something above it is neither a hash nor an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactChangeError(String);

impl fmt::Display for FactChangeError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl FactChange {
    /// Parses `NAME=VALUE`, where the name may lead into a structured fact (`networking.ip`). `Err`: a sentence for a person.
    pub fn parse(text: &str) -> Result<FactChange, String> {
        let (path, written) = text.split_once('=').ok_or("it has the form NAME=VALUE, such as os.release.major=13")?;
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            return Err("it has the form NAME=VALUE; a NAME is like os.release.major, without empty parts".to_owned());
        }
        Ok(FactChange { path, written: written.to_owned() })
    }

    /// Returns the change as it was written.
    pub fn text(&self) -> String {
        format!("{}={}", self.path.join("."), self.written)
    }

    /// Sets the fact. Hashes on the way to it are made where there are none.
    pub fn apply(&self, facts: &Hash) -> Result<Hash, FactChangeError> {
        let (name, below) = self.path.split_first().ok_or_else(|| FactChangeError("a fact has a name".to_owned()))?;
        let mut facts = facts.clone();
        let changed = self.changed(facts.get_str(name), below)?;
        facts.insert(Value::from(name.as_str()), changed);
        Ok(facts)
    }

    /// The fact that was probably meant, where this one is new: with another name at the first step that is not there.
    pub fn near_fact(&self, facts: &Hash) -> Option<String> {
        let mut hash = facts;
        for (at, name) in self.path.iter().enumerate() {
            match hash.get_str(name) {
                Some(Value::Hash(inner)) => hash = inner,
                Some(_) => return None,
                None => {
                    let near = nearest(name, hash.keys().filter_map(Value::as_str))?;
                    let mut path: Vec<&str> = self.path.iter().map(String::as_str).collect();
                    path[at] = near;
                    return Some(path.join("."));
                }
            }
        }
        None
    }

    /// Returns the fact that is set.
    pub fn name(&self) -> String {
        self.path.join(".")
    }

    fn changed(&self, value: Option<&Value>, path: &[String]) -> Result<Value, FactChangeError> {
        let Some((name, below)) = path.split_first() else { return Ok(self.value(value)) };
        match value {
            None | Some(Value::Undef) => Ok(Value::hash([(name.as_str().into(), self.changed(None, below)?)])),
            Some(Value::Hash(hash)) => {
                let mut hash = hash.clone();
                let changed = self.changed(hash.get_str(name), below)?;
                hash.insert(Value::from(name.as_str()), changed);
                Ok(Value::Hash(hash))
            }
            Some(Value::Array(items)) => {
                let index = name.parse::<usize>().ok().filter(|index| *index < items.len());
                let Some(index) = index else {
                    let count = items.len();
                    return Err(self.refused(&format!("'{name}' is no index of an array of {count} elements")));
                };
                let mut items: Vec<Value> = items.iter().cloned().collect();
                items[index] = self.changed(items.get(index), below)?;
                Ok(Value::array(items))
            }
            Some(_) => Err(self.refused(&format!("there is nothing below a plain value, so no '{name}'"))),
        }
    }

    /// JSON, or else the text itself. What was a text stays one: `os.release.major=13` is no number.
    fn value(&self, old: Option<&Value>) -> Value {
        let text = || Value::from(self.written.as_str());
        match (json::load(self.written.as_bytes()), old) {
            (Ok(Value::String(quoted)), _) => Value::String(quoted),
            (Ok(_), Some(Value::String(_))) | (Err(_), _) => text(),
            (Ok(value), _) => value,
        }
    }

    fn refused(&self, reason: &str) -> FactChangeError {
        FactChangeError(format!("the fact {} cannot be set: {reason}", self.path.join(".")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(facts: &str, change: &str) -> Result<Value, String> {
        let Ok(Value::Hash(facts)) = json::load(facts.as_bytes()) else { panic!("no hash: {facts}") };
        let change = FactChange::parse(change)?;
        change.apply(&facts).map(Value::Hash).map_err(|error| error.to_string())
    }

    fn value(text: &str) -> Value {
        json::load(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_fact_is_set_where_it_stands() {
        let facts = r#"{"os": {"name": "Debian", "release": {"major": "12"}}, "cpus": 2, "ips": ["a", "b"]}"#;
        let os = |major: &str| format!(r#"{{"os": {{"name": "Debian", "release": {{"major": {major}}}}}"#);
        let rest = r#""cpus": 2, "ips": ["a", "b"]"#;
        assert_eq!(changed(facts, "os.release.major=13").unwrap(), value(&format!("{}, {rest}}}", os("\"13\""))));
        assert_eq!(
            changed(facts, "cpus=8").unwrap(),
            value(&format!(r#"{}, "cpus": 8, "ips": ["a", "b"]}}"#, os("\"12\"")))
        );
        assert_eq!(
            changed(facts, "ips.1=c").unwrap(),
            value(&format!(r#"{}, "cpus": 2, "ips": ["a", "c"]}}"#, os("\"12\"")))
        );
        assert_eq!(changed("{}", "a.b=true").unwrap(), value(r#"{"a": {"b": true}}"#));
        assert_eq!(changed("{}", "a=b=c").unwrap(), value(r#"{"a": "b=c"}"#));
        assert_eq!(changed("{}", r#"a="7""#).unwrap(), value(r#"{"a": "7"}"#));
        assert_eq!(changed(r#"{"a": "x"}"#, "a=").unwrap(), value(r#"{"a": ""}"#));
    }

    #[test]
    fn a_new_fact_may_be_meant_for_another() {
        let Ok(Value::Hash(facts)) = json::load(br#"{"os": {"release": {"major": "12"}}, "cpus": 2}"#) else {
            panic!()
        };
        let near = |change: &str| FactChange::parse(change).unwrap().near_fact(&facts);
        assert_eq!(near("os.release.majr=13").as_deref(), Some("os.release.major"));
        assert_eq!(near("os.relase.major=13").as_deref(), Some("os.release.major"));
        assert_eq!(near("cpu=13").as_deref(), Some("cpus"));
        assert_eq!(near("os.release.major=13"), None);
        assert_eq!(near("os.release.minor=13"), None);
        assert_eq!(near("role=web"), None);
    }

    #[test]
    fn what_cannot_be_set_is_an_error() {
        for (change, reason) in [
            ("a", "it has the form NAME=VALUE, such as os.release.major=13"),
            (".a=1", "it has the form NAME=VALUE; a NAME is like os.release.major, without empty parts"),
            ("a.b=1", "the fact a.b cannot be set: there is nothing below a plain value, so no 'b'"),
            ("l.2=1", "the fact l.2 cannot be set: '2' is no index of an array of 1 elements"),
            ("l.x=1", "the fact l.x cannot be set: 'x' is no index of an array of 1 elements"),
        ] {
            assert_eq!(changed(r#"{"a": 1, "l": [1]}"#, change).unwrap_err(), reason, "{change}");
        }
    }
}
