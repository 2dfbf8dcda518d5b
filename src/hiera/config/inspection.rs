//! A hiera.yaml by itself, for somebody who checks files: what Puppet refuses of it, with the place of that.
//!
//! Knows no node, and no files but the text that it is given.

use std::path::Path;
use std::sync::Arc;

use pantin_base::{Diagnostic, Place as TextPlace, nearest};
use pantin_values::{Str, Value};

use super::Config;
use crate::backend;
use crate::layer::Place;
use crate::store::Format;
use crate::trouble::Trouble;

/// The keys that a level of version 5, or the file itself, may have.
const KEYS: [&str; 19] = [
    "version",
    "defaults",
    "hierarchy",
    "default_hierarchy",
    "plan_hierarchy",
    "name",
    "options",
    "data_hash",
    "lookup_key",
    "data_dig",
    "hiera3_backend",
    "path",
    "paths",
    "glob",
    "globs",
    "uri",
    "uris",
    "mapped_paths",
    "datadir",
];

/// Returns what Puppet refuses of a hiera.yaml. `module`: the module that it stands in, if it stands in one.
pub fn check_configuration(path: &Path, text: &[u8], module: Option<&str>) -> Option<Diagnostic> {
    let name = path.display().to_string();
    // What is no YAML is said by whoever reads it as such.
    let data = match backend::parse(Format::Yaml, text, &name).ok()? {
        Value::Hash(data) => Some(data),
        _ => None,
    };
    let is_global = Config::format_version(data.as_ref()).is_ok_and(|version| version == 3);
    let place = match module {
        _ if is_global => Place::Global,
        Some(module) => Place::Module(Str::from(module)),
        None => Place::Environment,
    };
    Config::read(path, Arc::from(text), data.as_ref(), &place).err().map(|trouble| diagnostic(&trouble))
}

fn diagnostic(trouble: &Trouble) -> Diagnostic {
    let message = without_place(&trouble.message);
    let help = unknown_key(message).and_then(|key| nearest(key, KEYS)).map(|near| format!("did you mean {near}?"));
    match &trouble.sighting {
        Some(seen) => Diagnostic { message: message.to_owned(), help, ..seen.diagnostic.clone() },
        None => Diagnostic {
            severity: pantin_base::Severity::Error,
            code: "",
            message: message.to_owned(),
            place: TextPlace::WholeFile,
            span: None,
            label: None,
            help,
            related: Vec::new(),
        },
    }
}

/// Cuts off the place that Puppet puts at the end of a message.
fn without_place(message: &str) -> &str {
    match message.rfind(" (file: ") {
        Some(at) if message.ends_with(')') => &message[..at],
        _ => message,
    }
}

fn unknown_key(message: &str) -> Option<&str> {
    message.split_once("unrecognized key '")?.1.split('\'').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (String, Option<u32>, Option<String>) {
        let found = check_configuration(Path::new("/e/hiera.yaml"), text.as_bytes(), None).unwrap();
        (found.message, found.place.line(), found.help)
    }

    #[test]
    fn an_unknown_key_is_told_with_its_line_and_the_near_one() {
        let (message, line, help) = refused("version: 5\nhierarchy:\n  - name: A\n    pth: a.yaml\n");
        assert!(message.ends_with("entry 'hierarchy' index 0 unrecognized key 'pth'"), "{message}");
        assert_eq!((line, help.as_deref()), (Some(4), Some("did you mean path?")));
        let fine = b"version: 5\nhierarchy: [{name: A, path: a.yaml}]\n";
        assert_eq!(check_configuration(Path::new("/e/hiera.yaml"), fine, None), None);
    }

    #[test]
    fn a_default_hierarchy_belongs_to_a_module() {
        let text = "version: 5\ndefault_hierarchy: [{name: A, path: a.yaml}]\n";
        let (message, line, _) = refused(text);
        assert_eq!((message.as_str(), line), ("'default_hierarchy' is only allowed in the module layer", Some(2)));
        assert_eq!(check_configuration(Path::new("/m/hiera.yaml"), text.as_bytes(), Some("m")), None);
    }
}
