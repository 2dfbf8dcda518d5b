//! A value that is wanted of what has none: `x = return`, `x = (1 => y)`. Ruby refuses that when it parses, and so does the
//! parser, which is of a newer one: it looks for it in a `begin` with `rescue` or `ensure` too, where Ruby 3.1 does not.

use ruby_prism::{BeginNode, Diagnostic, Node, ParseResult, Visit, visit_begin_node};

/// Returns true if such an error is one to the parser alone.
pub(super) fn is_none_to_ruby(error: &Diagnostic<'_>, parsed: &ParseResult<'_>) -> bool {
    if !error.message().ends_with(b"void value expression") {
        return false;
    }
    let mut overlooked = UnusedValueError { places: Vec::new() };
    overlooked.visit(&parsed.node());
    overlooked.places.contains(&error.location().start())
}

/// Where something stands that has no value, and would be the value of such a `begin`.
struct UnusedValueError {
    places: Vec<u32>,
}

impl<'pr> Visit<'pr> for UnusedValueError {
    fn visit_begin_node(&mut self, node: &BeginNode<'pr>) {
        if node.rescue_clause().is_some() || node.ensure_clause().is_some() {
            self.note_begin(node);
        }
        visit_begin_node(self, node);
    }
}

impl UnusedValueError {
    fn note_begin(&mut self, node: &BeginNode<'_>) {
        self.note(node.statements().map(|it| it.as_node()));
        self.note(node.else_clause().map(|it| it.as_node()));
        self.note(node.ensure_clause().and_then(|it| it.statements()).map(|it| it.as_node()));
        let mut clause = node.rescue_clause();
        while let Some(rescue) = clause {
            self.note(rescue.statements().map(|it| it.as_node()));
            clause = rescue.subsequent();
        }
    }

    /// What would be the value of a node, as far as the parser looks for it.
    fn note(&mut self, node: Option<Node<'_>>) {
        let Some(node) = node else { return };
        match &node {
            Node::StatementsNode { .. } => self.note(node.as_statements_node().and_then(|it| it.body().last())),
            Node::ParenthesesNode { .. } => self.note(node.as_parentheses_node().and_then(|it| it.body())),
            Node::ElseNode { .. } => {
                self.note(node.as_else_node().and_then(|it| it.statements()).map(|it| it.as_node()));
            }
            Node::IfNode { .. } => {
                let Some(node) = node.as_if_node() else { return };
                self.note(node.statements().map(|it| it.as_node()));
                self.note(node.subsequent());
            }
            Node::UnlessNode { .. } => {
                let Some(node) = node.as_unless_node() else { return };
                self.note(node.statements().map(|it| it.as_node()));
                self.note(node.else_clause().map(|it| it.as_node()));
            }
            Node::BeginNode { .. } => {
                if let Some(node) = node.as_begin_node() {
                    self.note_begin(&node);
                }
            }
            Node::ReturnNode { .. }
            | Node::BreakNode { .. }
            | Node::NextNode { .. }
            | Node::RedoNode { .. }
            | Node::RetryNode { .. }
            | Node::MatchRequiredNode { .. } => self.places.push(node.location().start()),
            _ => {}
        }
    }
}
