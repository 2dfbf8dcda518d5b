//! What helps while an input is typed: names to complete, and whether it is complete.

use std::collections::BTreeSet;
use std::sync::Arc;

use pantin_base::Source;
use pantin_eval::builtins;
use pantin_syntax::{Parse, Settings, SourceKind};
use pantin_values::types::DOCS;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

const KEYWORDS: [&str; 21] = [
    "and", "attr", "case", "class", "default", "define", "else", "elsif", "false", "function", "if", "in", "inherits",
    "node", "or", "private", "true", "type", "undef", "unless", "consumes",
];

const COMMANDS: [&str; 5] = [":doc", ":help", ":quit", ":trace", ":type"];

/// The names that can be completed, in order.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// With the sigil.
    variables: BTreeSet<String>,
    /// Functions and keywords.
    words: BTreeSet<String>,
    types: BTreeSet<String>,
}

impl Names {
    pub(super) fn new<'n>(
        variables: impl Iterator<Item = &'n str>,
        functions: impl Iterator<Item = &'n str>,
        types: impl Iterator<Item = &'n str>,
    ) -> Names {
        let core = builtins::all().all().into_iter().map(|known| known.declared.name);
        Names {
            variables: variables.map(|name| format!("${name}")).collect(),
            words: core.chain(functions).chain(KEYWORDS).map(str::to_owned).collect(),
            types: DOCS.iter().map(|of| of.name).chain(types).map(str::to_owned).collect(),
        }
    }

    /// Where the last word of `text` begins, and what it may become.
    fn complete(&self, text: &str) -> (usize, Vec<String>) {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':' | '$');
        let start = text
            .rfind(|letter| !is_word(letter))
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let word = &text[start..];
        let begins = |name: &&str| name.starts_with(word);
        let found = |names: &BTreeSet<String>| {
            names.iter().map(String::as_str).filter(begins).map(str::to_owned).collect::<Vec<_>>()
        };
        let candidates = match word.chars().next() {
            None => Vec::new(),
            Some('$') => found(&self.variables),
            Some(':') if start == 0 => COMMANDS.iter().copied().filter(begins).map(str::to_owned).collect(),
            Some(first) if first.is_ascii_uppercase() => found(&self.types),
            Some(_) => found(&self.words),
        };
        (start, candidates)
    }
}

pub(super) struct Assistant {
    pub(super) names: Names,
    pub(super) settings: Settings,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.names.complete(&line[..at]))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let goes_on = goes_on(context.input(), self.settings);
        Ok(if goes_on { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

/// Returns true if the parser wanted more.
fn goes_on(input: &str, settings: Settings) -> bool {
    let input = input.strip_prefix(":type").unwrap_or(input);
    if input.starts_with(':') && !input.starts_with("::") {
        return false;
    }
    let Ok(source) = Source::new(None, input) else { return false };
    let Parse { result, .. } = pantin_syntax::parse(Arc::new(source), SourceKind::Manifest, settings);
    result.is_err_and(|error| pantin_syntax::ended_too_early(&error))
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}

impl Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_completed_by_their_kind() {
        let names = Names::new(["facts", "fact"].into_iter(), ["my::own"].into_iter(), ["Mine"].into_iter());
        assert_eq!(names.complete("notice($fac"), (7, vec!["$fact".to_owned(), "$facts".to_owned()]));
        assert_eq!(names.complete("my:"), (0, vec!["my::own".to_owned()]));
        assert_eq!(names.complete("é Min"), (3, vec!["Mine".to_owned()]));
        assert_eq!(names.complete(":qu"), (0, vec![":quit".to_owned()]));
        assert_eq!(names.complete(":doc SemVerR"), (5, vec!["SemVerRange".to_owned()]));
        assert_eq!(names.complete("1 + "), (4, Vec::new()));
    }

    #[test]
    fn what_is_open_goes_on() {
        for open in
            ["if true {", "$x = [1,", "notice(", "'a", "\"a ${b", "/* a", "@(END)", "@(END)\n a\n", "1 +", ":type {"]
        {
            assert!(goes_on(open, Settings::default()), "{open}");
        }
        for whole in ["", "1", "if true { }", ")", "$x = }", ":doc map", "@(END)\n a\n END", ":type {}"] {
            assert!(!goes_on(whole, Settings::default()), "{whole}");
        }
    }
}
