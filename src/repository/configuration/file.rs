//! One `pantin.toml`: its keys and values, each with its line.

use std::path::{Path, PathBuf};

use pantin_base::nearest;
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, KeyDescription, KeyScope, ValueForm, find_key};

/// A value of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileValue {
    pub(super) texts: Vec<String>,
    pub(super) line: u32,
}

/// Whose file it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileOwner {
    Repository,
    Person,
}

/// Why a file is refused, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileFault {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) reason: String,
}

impl FileFault {
    /// Returns a sentence with file, line and column.
    pub(super) fn in_file(&self, path: &Path) -> String {
        format!("{}:{}:{}: {}", path.display(), self.line, self.column, self.reason)
    }
}

/// Reads a file. `path`: where it stands, for relative paths in it.
pub(super) fn parse(
    path: &Path,
    text: &str,
    owner: FileOwner,
) -> Result<Vec<(&'static KeyDescription, FileValue)>, FileFault> {
    let placed = |at: usize, reason: &str| {
        let (line, column) = place(text, at);
        FileFault { line, column, reason: reason.to_owned() }
    };
    let table = DeTable::parse(text)
        .map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            placed(at, &format!("{}{}", error.message().trim_end(), quotes_hint(text, at)))
        })?
        .into_inner();
    let mut values = Vec::new();
    for (name, value) in table.iter() {
        let at = name.span().start;
        let name: &str = name.get_ref();
        let Some(known) = find_key(name) else {
            let hint = nearest(name, KEYS.iter().map(|known| known.name));
            let all = || KEYS.map(|known| known.name).join(", ");
            let hint = hint.map_or_else(|| format!("there are {}", all()), |near| format!("did you mean {near}?"));
            return Err(placed(at, &format!("there is no key '{name}'; {hint}")));
        };
        if known.scope == KeyScope::Person && owner == FileOwner::Repository {
            return Err(placed(at, &refusal(known)));
        }
        let texts = texts(known, value.get_ref()).map_err(|reason| placed(value.span().start, &reason))?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        let texts = texts.into_iter().map(|text| below(folder, known.form, text)).collect();
        values.push((known, FileValue { texts, line: place(text, at).0 }));
    }
    Ok(values)
}

/// Returns what helps where a text stands without quotes.
fn quotes_hint(text: &str, at: usize) -> String {
    let at = text.floor_char_boundary(at);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let Some((name, value)) = line.split_once('=') else { return String::new() };
    let Some(known) = find_key(name.trim()) else { return String::new() };
    let bare = value
        .split(['[', ']', ','])
        .map(str::trim)
        .find(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '/'));
    match (bare, matches!(known.form, ValueForm::Paths | ValueForm::Texts)) {
        (None, _) => String::new(),
        (Some(word), true) => format!("; a text stands in quotes: {} = ['{word}']", known.name),
        (Some(word), false) => format!("; a text stands in quotes: {} = '{word}'", known.name),
    }
}

fn refusal(known: &KeyDescription) -> String {
    format!(
        "'{}' does not count in a file of a repository, which a pull request can edit: set it in your own \
         ~/.config/pantin/pantin.toml, in {} or with {}",
        known.name, known.variable, known.option
    )
}

fn texts(known: &KeyDescription, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let one = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if matches!(known.form, ValueForm::Word(_)) => Some(number.to_string()),
        _ => None,
    };
    let takes_many = matches!(known.form, ValueForm::Paths | ValueForm::Texts);
    let found = match value {
        DeValue::Array(items) if takes_many => items.iter().map(|item| one(item.get_ref())).collect(),
        value => one(value).map(|text| vec![text]),
    };
    let found = found.ok_or_else(|| match takes_many {
        true => format!("'{}' is a text, or an array of texts", known.name),
        false => format!("'{}' is a text", known.name),
    })?;
    check_form(known, &found)?;
    Ok(found)
}

/// Checks what can be said of a value by its form.
pub(super) fn check_form(known: &KeyDescription, texts: &[String]) -> Result<(), String> {
    if texts.iter().any(String::is_empty) {
        return Err(format!("'{}' is empty", known.name));
    }
    match (known.form, texts) {
        (ValueForm::Word(words), [text]) if !words.contains(&text.as_str()) => {
            Err(format!("'{}' is one of {}, not '{text}'", known.name, words.join(", ")))
        }
        _ => Ok(()),
    }
}

/// A path is taken from the folder of its file.
fn below(folder: &Path, form: ValueForm, text: String) -> String {
    let is_path = match form {
        ValueForm::Path | ValueForm::Paths => true,
        ValueForm::PathOrFleet => text != "fleet",
        // A command has arguments, a name is looked for by the system.
        ValueForm::Program => text.contains('/'),
        ValueForm::Text | ValueForm::Word(_) | ValueForm::Texts => false,
    };
    if !is_path || text.starts_with(['/', '~', '$']) {
        return text;
    }
    pantin_world::absolute_text(&folder.join(PathBuf::from(text)))
}

/// Line and column, from one.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line as u32, column as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    type NamedValue = (&'static str, Vec<String>, u32);

    fn parsed(text: &str, owner: FileOwner) -> Result<Vec<NamedValue>, String> {
        let path = Path::new("/repo/pantin.toml");
        let values = parse(path, text, owner).map_err(|fault| fault.in_file(path))?;
        Ok(values.into_iter().map(|(known, value)| (known.name, value.texts, value.line)).collect())
    }

    #[test]
    fn paths_are_taken_from_the_folder_of_the_file() {
        let text = "# of the demo\nfacts = ['facts', '/srv/facts']\n\npuppet = 7\nexported = 'fleet'\n";
        let mut values = parsed(text, FileOwner::Repository).unwrap();
        values.sort();
        let expected = [
            ("exported", vec!["fleet".to_owned()], 5),
            ("facts", vec!["/repo/facts".to_owned(), "/srv/facts".to_owned()], 2),
            ("puppet", vec!["7".to_owned()], 4),
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn what_runs_programs_or_moves_secrets_is_for_a_person() {
        assert_eq!(
            parsed("ruby = 'bin/ruby'", FileOwner::Person).unwrap(),
            [("ruby", vec!["/repo/bin/ruby".to_owned()], 1)]
        );
        for key in ["ruby", "ruby_reads", "enc", "enc_answers", "cache"] {
            let error = parsed(&format!("\n{key} = 'x'"), FileOwner::Repository).unwrap_err();
            let start = format!("/repo/pantin.toml:2:1: '{key}' does not count in a file of a repository");
            assert!(error.starts_with(&start), "{error}");
        }
    }

    #[test]
    fn a_text_without_quotes_is_told_how_it_is_written() {
        for (text, hint) in [
            ("facts = [facts]", "; a text stands in quotes: facts = ['facts']"),
            ("facts = /srv/facts", "; a text stands in quotes: facts = ['/srv/facts']"),
            ("puppet = 8\nenvironment = dev\n", "; a text stands in quotes: environment = 'dev'"),
        ] {
            let error = parsed(text, FileOwner::Repository).unwrap_err();
            assert!(error.ends_with(hint), "{error}");
        }
        let error = parsed("facts = ['a'", FileOwner::Repository).unwrap_err();
        assert!(!error.contains("quotes"), "{error}");
    }

    #[test]
    fn a_wrong_file_is_an_error_with_its_place() {
        for (text, reason) in [
            ("factz = 'x'", "1:1: there is no key 'factz'; did you mean facts?"),
            ("a = 1\n", "1:1: there is no key 'a'; there are environment, facts, os, "),
            ("facts = 1", "1:9: 'facts' is a text, or an array of texts"),
            ("environment = ['a']", "1:15: 'environment' is a text"),
            ("puppet = 6", "1:10: 'puppet' is one of 7, 8, openvox, openvox8, not '6'"),
            ("facts = ['']", "1:9: 'facts' is empty"),
            ("x = 'é\n", "1:"),
        ] {
            let error = parsed(text, FileOwner::Repository).unwrap_err();
            assert!(error.starts_with(&format!("/repo/pantin.toml:{reason}")), "{error}");
        }
    }
}
