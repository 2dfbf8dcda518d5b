//! The metadata.json of a module: what Puppet cannot do without, and what its tools cannot read.

use pantin_base::{Diagnostic, Severity, Source, nearest};
use pantin_values::{Hash, SemVer, SemVerRange, Value, ruby_class};

use super::{data, finding, line_with};

/// Keys without which Puppet takes a module for broken.
const REQUIRED: [&str; 6] = ["name", "version", "author", "license", "source", "dependencies"];

/// Further keys that Puppet or its tools know.
const OTHERS: [&str; 14] = [
    "summary",
    "project_page",
    "issues_url",
    "requirements",
    "operatingsystem_support",
    "tags",
    "data_provider",
    "checksums",
    "types",
    "description",
    "template-url",
    "template-ref",
    "pdk-version",
    "docs_project",
];

pub(super) fn check(source: &Source) -> Vec<Diagnostic> {
    let mut found = data::check_json(source, false);
    if found.iter().any(|found| found.severity == Severity::Error) {
        return found;
    }
    let Ok(value) = pantin_values::data::json::load(source.text().as_bytes()) else { return found };
    let mut checker = Checker { source, found: Vec::new() };
    match &value {
        Value::Hash(members) => checker.members(members),
        other => {
            checker.error("the metadata of a module has to be an object", None, Some(ruby_class(other).to_string()))
        }
    }
    found.append(&mut checker.found);
    found
}

struct Checker<'s> {
    source: &'s Source,
    found: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn push(&mut self, severity: Severity, message: &str, word: Option<&str>, help: Option<String>) {
        let line = word.and_then(|word| line_with(self.source.text(), word));
        let found = finding(self.source, severity, "METADATA", message, line.map(|line| (line, None)));
        self.found.push(Diagnostic { help, ..found });
    }

    fn error(&mut self, message: &str, word: Option<&str>, help: Option<String>) {
        self.push(Severity::Error, message, word, help);
    }

    fn members(&mut self, members: &Hash) {
        for name in REQUIRED.iter().filter(|name| members.get_str(name).is_none_or(Value::is_undef)) {
            self.error(&format!("no '{name}': Puppet takes a module without it for broken"), None, None);
        }
        for name in members.keys().filter_map(Value::as_str) {
            if !REQUIRED.contains(&name)
                && !OTHERS.contains(&name)
                && let Some(near) = nearest(name, REQUIRED.into_iter().chain(OTHERS))
            {
                let message = format!("there is no key '{name}' in the metadata of a module");
                let word = format!("\"{name}\"");
                self.push(Severity::Warning, &message, Some(&word), Some(format!("did you mean {near}?")));
            }
        }
        if let Some(name) = members.get_str("name") {
            self.name(name);
        }
        if let Some(version) = members.get_str("version").filter(|version| !version.is_undef()) {
            self.version(version);
        }
        for list in ["dependencies", "requirements"] {
            match members.get_str(list) {
                None | Some(Value::Undef) => {}
                Some(Value::Array(items)) => items.iter().for_each(|item| self.dependency(list, item)),
                Some(_) => self.error(&format!("'{list}' has to be an array"), Some(&format!("\"{list}\"")), None),
            }
        }
    }

    fn name(&mut self, name: &Value) {
        let parts = name.as_str().and_then(|name| name.split_once(['-', '/']));
        let is_word =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_good =
            parts.is_some_and(|(author, module)| is_word(author) && pantin_world::modules::is_module_name(module));
        if !is_good {
            let help = "an author and a module of lower case letters, digits and _, as in puppetlabs-stdlib".to_owned();
            self.error("'name' is no name of a module", Some("\"name\""), Some(help));
        }
    }

    fn version(&mut self, version: &Value) {
        if !version.as_str().is_some_and(SemVer::is_valid) {
            let help = "three numbers, as in 1.4.0".to_owned();
            self.error("'version' is no semantic version", Some("\"version\""), Some(help));
        }
    }

    fn dependency(&mut self, list: &str, item: &Value) {
        let Value::Hash(item) = item else {
            let message = format!("'{list}' has to be an array of objects with a name and a version_requirement");
            return self.error(&message, Some(&format!("\"{list}\"")), None);
        };
        let Some(name) = item.get_str("name").and_then(Value::as_str) else {
            let message = format!("an entry of '{list}' has no name");
            return self.error(&message, Some(&format!("\"{list}\"")), None);
        };
        match item.get_str("version_requirement") {
            None => {}
            Some(Value::String(range)) if SemVerRange::parse(range).is_ok() => {}
            Some(range) => {
                let shown = range.as_str().map_or_else(|| ruby_class(range).to_string(), str::to_owned);
                let message = format!("the version_requirement '{shown}' of {name} is no range of versions");
                let help = "such as >= 1.2.0 < 3.0.0".to_owned();
                self.error(&message, Some(&format!("\"{name}\"")), Some(help));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<(String, Option<u32>)> {
        let source = Source::new(Some("metadata.json"), text).unwrap();
        check(&source).into_iter().map(|found| (found.message, found.place.line())).collect()
    }

    #[test]
    fn what_puppet_needs_of_a_module_is_checked() {
        let fine = r#"{"name": "me-good", "version": "1.0.0", "author": "me", "license": "MIT", "source": "x",
            "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 9.0.0"}]}"#;
        assert_eq!(messages(fine), []);
        let bad = "{\n\"name\": \"Me\",\n\"version\": \"1\",\n\"authr\": \"me\",\n\"license\": \"MIT\",\n\"source\": \"\",\n\
                   \"dependencies\": [{\"name\": \"a/b\", \"version_requirement\": \"about 3\"}]}";
        let found = messages(bad);
        let expected = [
            ("no 'author': Puppet takes a module without it for broken", None),
            ("there is no key 'authr' in the metadata of a module", Some(4)),
            ("'name' is no name of a module", Some(2)),
            ("'version' is no semantic version", Some(3)),
            ("the version_requirement 'about 3' of a/b is no range of versions", Some(7)),
        ];
        assert_eq!(found, expected.map(|(message, line)| (message.to_owned(), line)));
    }
}
