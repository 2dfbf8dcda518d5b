//! The form of a manifest: what it means, by the hash of all its definitions, and on which lines its expressions begin.

use std::sync::Arc;

use pantin_base::{Form, Language, Source};

use super::ast::Ast;
use super::{Settings, SourceKind, definition_hash, parse};

pub fn form(ast: &Ast) -> Form {
    let of_nodes: Vec<u32> = ast.ids().map(|id| ast.line(id)).collect();
    let mut lines = of_nodes.clone();
    lines.sort_unstable();
    lines.dedup();
    let mut hasher = blake3::Hasher::new();
    hasher.update(&definition_hash(ast, ast.root()));
    // Which line of those each expression begins on: what shares a line goes on sharing it.
    let places = of_nodes.iter().flat_map(|line| (lines.partition_point(|other| other < line) as u32).to_le_bytes());
    hasher.update(&places.collect::<Vec<u8>>());
    let meaning = *hasher.finalize().as_bytes();
    Form { meaning: std::array::from_fn(|at| meaning[at]), lines }
}

/// `None`: it is no manifest.
pub fn form_of_manifest(text: &[u8]) -> Option<Form> {
    parse_manifest(text).as_ref().map(form)
}

/// The tree of a text that may be a manifest.
pub fn parse_manifest(text: &[u8]) -> Option<Ast> {
    let source = Source::from_bytes(None, text.to_vec()).ok()?;
    parse(Arc::new(source), SourceKind::Manifest, Settings::from_language(Language::Puppet8)).result.ok()
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
}
