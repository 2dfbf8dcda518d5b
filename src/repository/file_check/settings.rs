//! Files of settings: environment.conf, and Pantin's own pantin.toml.

use std::path::Path;

use pantin_base::{Diagnostic, Severity, Source, nearest};
use pantin_world::environment::{OF_ENVIRONMENT, names_in_conf};

use super::{finding, line_with};
use crate::configuration;

pub(super) fn check_environment_conf(source: &Source) -> Vec<Diagnostic> {
    let code = "ENVIRONMENT_CONF";
    let names = match names_in_conf("environment.conf", source.text()) {
        Ok(names) => names,
        Err(message) => {
            let (message, line) = match message.rsplit_once(" (file: environment.conf, line: ") {
                Some((message, line)) => (message.to_owned(), line.trim_end_matches(')').parse().ok()),
                None => (message, None),
            };
            return vec![finding(source, Severity::Error, code, message.trim_end(), line.map(|line| (line, None)))];
        }
    };
    let warning = |message: String, word: &str, help: Option<String>| {
        let line = line_with(source.text(), word).map(|line| (line, None));
        Diagnostic { help, ..finding(source, Severity::Warning, code, &message, line) }
    };
    let sections = names.sections.iter().map(|section| {
        let message = format!("environment.conf has no sections: what stands in [{section}] is ignored");
        warning(message, &format!("[{section}]"), None)
    });
    let settings = names.unknown.iter().map(|setting| {
        let near = nearest(setting, OF_ENVIRONMENT).map(|near| format!("did you mean {near}?"));
        warning(format!("there is no setting '{setting}' in environment.conf: it is ignored"), setting, near)
    });
    sections.chain(settings).collect()
}

pub(super) fn check_pantin_toml(source: &Source, path: Option<&Path>) -> Vec<Diagnostic> {
    let path = path.unwrap_or(Path::new(configuration::FILE_NAME));
    let Err((line, column, reason)) = configuration::check_repository_file(path, source.text()) else {
        return Vec::new();
    };
    vec![finding(source, Severity::Error, "CONFIGURATION", &reason, Some((line, Some(column))))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(found: Vec<Diagnostic>) -> Vec<(String, Option<u32>, Option<String>)> {
        found.into_iter().map(|found| (found.message, found.place.line(), found.help)).collect()
    }

    #[test]
    fn settings_that_are_none_are_told() {
        let source = |text: &str| Source::new(Some("x"), text).unwrap();
        let found = told(check_environment_conf(&source("modulepath = a\n# manifst\nmanifst = b\n[other]\nx = 1\n")));
        let expected = [
            ("environment.conf has no sections: what stands in [other] is ignored", Some(4), None),
            (
                "there is no setting 'manifst' in environment.conf: it is ignored",
                Some(3),
                Some("did you mean manifest?"),
            ),
        ];
        let expected = expected.map(|(message, line, help)| (message.to_owned(), line, help.map(str::to_owned)));
        assert_eq!(found, expected);
        let found = told(check_environment_conf(&source("modulepath = a\nnonsense\n")));
        assert_eq!(found, [("Could not match line nonsense".to_owned(), Some(2), None)]);
        let found = told(check_pantin_toml(&source("facts = 'facts'\nmodls = 'x'\n"), None));
        assert_eq!((found.len(), found[0].1), (1, Some(2)));
        assert!(found[0].0.starts_with("there is no key 'modls'"), "{found:?}");
    }
}
