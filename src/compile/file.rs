//! The check of a file that the autoloader found: it must hold one definition with the file's name.

use std::path::Path;

use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_values::Fault;

/// What was looked for, and in which file.
pub(super) struct DefinitionRequest<'w> {
    /// `function` or `type`.
    pub(super) what: &'static str,
    /// As it is called in messages.
    pub(super) name: &'w str,
    /// Said of a file that holds definitions of other kinds alone.
    pub(super) none: &'static str,
    pub(super) path: &'w Path,
}

impl DefinitionRequest<'_> {
    /// Returns the one definition of the file; `name_of` tells the name of a definition of the wanted kind.
    pub(super) fn only_definition(&self, ast: &Ast, name_of: impl Fn(Node) -> Option<String>) -> Result<NodeId, Fault> {
        let DefinitionRequest { what, name, none, path } = self;
        let path = path.display();
        let root = ast.root();
        let alone = [root];
        let statements = match ast.node(root) {
            Node::Block(list) => ast.list(list),
            Node::Nop => &[],
            _ => &alone,
        };
        let mut definitions = statements.iter().filter_map(|&id| Some((id, name_of(ast.node(id))?)));
        let complain = |problem: String| Err(Fault::new(format!("The code loaded from {path} {problem}")));
        if statements.is_empty() {
            return complain(format!("does not define the {what} '{name}' - it is empty."));
        }
        let Some((id, found)) = definitions.next() else {
            return complain(format!("does not define the {what} '{name}' - {none}."));
        };
        if definitions.next().is_some() {
            return complain(format!("must contain only the {what} '{name}' - it has additional definitions."));
        }
        if found.to_lowercase() != name.to_lowercase() {
            let (expected, actual) = match *what {
                "type" => (format!("'{name}'"), format!("'{found}'")),
                _ => ((*name).to_owned(), found),
            };
            return complain(format!("produced {what} with the wrong name, expected {expected}, actual {actual}"));
        }
        if statements.len() > 1 {
            return complain(format!("contains additional logic - can only contain the {what} '{name}'"));
        }
        Ok(id)
    }
}
