//! The form of a manifest: what it means and what parsing it says, and on which lines its expressions begin.
//!
//! Two texts can mean the same and be warned of differently: `"C:\\x"` and `"C:\x"`. So nothing that stands for a manifest
//! leaves the log of parsing out. Knows nothing of where a manifest stands, nor of settings.

use std::sync::Arc;

use pantin_base::{Diagnostic, Form, Language, Location, Source, Strict};

use super::ast::Ast;
use super::{Settings, SourceKind, definition_hash, parse, validate};

/// A manifest as its text alone says.
#[derive(Debug)]
pub struct ParsedManifest {
    pub ast: Ast,
    /// What the lexer says of it, in order.
    warnings: Vec<Diagnostic>,
}

impl ParsedManifest {
    /// Parses a text that may be a manifest; `None`: it is none.
    pub fn from_text(text: &[u8]) -> Option<ParsedManifest> {
        let source = Source::from_bytes(None, text.to_vec()).ok()?;
        let parsed = parse(Arc::new(source), SourceKind::Manifest, Settings::from_language(Language::Puppet8));
        Some(ParsedManifest { ast: parsed.result.ok()?, warnings: parsed.warnings })
    }

    /// Returns the form. What the validator says follows from the tree, which is in it.
    pub fn form(&self) -> Form {
        let ast = &self.ast;
        let of_nodes: Vec<u32> = ast.ids().map(|id| ast.line(id)).collect();
        let mut lines = of_nodes.clone();
        lines.sort_unstable();
        lines.dedup();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&definition_hash(ast, ast.root()));
        for warning in &self.warnings {
            hasher.update(&(warning.message.len() as u64).to_le_bytes()).update(warning.message.as_bytes());
        }
        hasher.update(&(self.warnings.len() as u64).to_le_bytes());
        // Which line of those each expression begins on: what shares a line goes on sharing it.
        let places =
            of_nodes.iter().flat_map(|line| (lines.partition_point(|other| other < line) as u32).to_le_bytes());
        hasher.update(&places.collect::<Vec<u8>>());
        let meaning = *hasher.finalize().as_bytes();
        Form { meaning: std::array::from_fn(|at| meaning[at]), lines }
    }

    /// Returns true if the other one means the same and is warned of alike, on whatever lines.
    pub fn means_same(&self, other: &ParsedManifest) -> bool {
        definition_hash(&self.ast, self.ast.root()) == definition_hash(&other.ast, other.ast.root())
            && are_alike(&self.warnings, &other.warnings)
    }

    /// Returns true if parsing and validating says the same of the other one, in each version of Puppet.
    pub fn has_same_log(&self, other: &ParsedManifest) -> bool {
        let are_validated_alike = |language| {
            let settings = Settings { strict: Strict::Warning, ..Settings::from_language(language) };
            let findings = |one: &ParsedManifest| validate(&one.ast, &Location::Anywhere, settings);
            findings(self).says_same(&findings(other))
        };
        are_alike(&self.warnings, &other.warnings) && Language::ALL.into_iter().all(are_validated_alike)
    }
}

/// Returns true if the two lists say the same, in whatever places.
pub(super) fn are_alike(here: &[Diagnostic], there: &[Diagnostic]) -> bool {
    let said = |one: &Diagnostic| (one.severity, one.code, one.message.clone());
    here.iter().map(said).eq(there.iter().map(said))
}

/// Returns the form of a text; `None`: it is no manifest.
pub fn form_of_manifest(text: &[u8]) -> Option<Form> {
    ParsedManifest::from_text(text).map(|manifest| manifest.form())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_text(text: &str) -> Form {
        form_of_manifest(text.as_bytes()).unwrap()
    }

    #[test]
    fn comments_and_empty_lines_move_lines_alone() {
        let before = from_text("class a {\n  notify { 'x': message => 'y' }\n}\n");
        let now = from_text("# why\n\nclass a { # here\n\n    notify { 'x':   message => 'y' }\n}\n");
        let moved = before.moved_to(&now).unwrap();
        assert_eq!([1, 2, 3].map(|line| moved.now(line)), [Some(3), Some(5), None]);
    }

    #[test]
    fn what_means_something_else_or_stands_on_other_lines_together_is_another() {
        let before = from_text("$a = 1\n$b = 2");
        for other in ["$a = 1\n$b = 3", "$a = 1 $b = 2", "$a =\n1\n$b = 2", "$b = 2\n$a = 1", ""] {
            assert!(before.moved_to(&from_text(other)).is_none(), "{other}");
        }
        assert!(form_of_manifest(b"$a = ").is_none() && form_of_manifest(b"# \xff").is_none());
    }

    #[test]
    fn what_is_warned_of_differently_is_another() {
        let parsed = |text: &str| ParsedManifest::from_text(text.as_bytes()).unwrap();
        let (silent, warned) = (parsed(r#"$a = "C:\\windows""#), parsed(r#"$a = "C:\windows""#));
        assert!(silent.form().moved_to(&warned.form()).is_none() && warned.form().moved_to(&silent.form()).is_none());
        assert!(!silent.means_same(&warned) && !silent.has_same_log(&warned));
        let moved = parsed("#\n$a = \"C:\\windows\"");
        assert!(warned.form().moved_to(&moved.form()).is_some());
        assert!(warned.means_same(&moved) && warned.has_same_log(&moved));
        assert!(!parsed("$a = {b => 1}").has_same_log(&parsed("$a = {b => 1, b => 1}")));
    }
}
