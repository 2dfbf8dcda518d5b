//! Statements without effect: a value that is produced and forgotten.
//!
//! Knows the tree alone: a call may have an effect, whatever the function does.

use super::super::ast::{Ast, BinaryOp, List, Node, NodeId, UnaryOp};
use super::super::label::{a_an_uc, label};
use super::{Checker, Issue};
use crate::suggest::word_near;

/// For each node, whether it is known to change nothing.
pub(super) struct NoEffect {
    bits: Vec<u64>,
}

impl NoEffect {
    /// One pass from the leaves up, for in the arena children stand before parents. Asking down
    /// the tree at each block instead would look at nested blocks again and again.
    pub(super) fn from_ast(ast: &Ast) -> NoEffect {
        let mut known = NoEffect { bits: vec![0; ast.len() / 64 + 1] };
        for id in ast.ids() {
            if known.judge(ast, ast.node(id)) {
                known.bits[id.index() / 64] |= 1 << (id.index() % 64);
            }
        }
        known
    }

    pub(super) fn has(&self, id: NodeId) -> bool {
        self.bits[id.index() / 64] >> (id.index() % 64) & 1 == 1
    }

    fn absent_or_has(&self, id: Option<NodeId>) -> bool {
        id.is_none_or(|id| self.has(id))
    }

    fn all(&self, ast: &Ast, list: List) -> bool {
        ast.list(list).iter().all(|&id| self.has(id))
    }

    fn judge(&self, ast: &Ast, node: Node) -> bool {
        match node {
            Node::Nop
            | Node::Undef
            | Node::Default
            | Node::Boolean(_)
            | Node::Integer { .. }
            | Node::BigInteger { .. }
            | Node::Float(_)
            | Node::String(_)
            | Node::Regex(_)
            | Node::Name(_)
            | Node::TypeName(_)
            | Node::Variable(_)
            | Node::Reserved(_)
            | Node::Concat(_)
            | Node::Heredoc { .. }
            | Node::Array(_)
            | Node::Hash(_)
            | Node::Access { .. }
            | Node::NamedAccess { .. }
            | Node::Selector { .. } => true,
            // Matching sets the numeric variables.
            Node::Binary { op, .. } => !matches!(op, BinaryOp::Match | BinaryOp::NotMatch),
            Node::Unary { op: UnaryOp::Paren, operand } => self.has(operand),
            Node::Unary { op, .. } => op != UnaryOp::Render,
            Node::If { test, then, otherwise } | Node::Unless { test, then, otherwise } => {
                self.has(test) && self.absent_or_has(then) && self.absent_or_has(otherwise)
            }
            Node::Case { test, options } => self.has(test) && self.all(ast, options),
            Node::CaseOption { values, then } => self.all(ast, values) && self.absent_or_has(then),
            Node::Block(statements) | Node::ApplyBlock(statements) => self.all(ast, statements),
            _ => false,
        }
    }
}

impl Checker<'_> {
    /// Flags the first statement, the last apart, that has no effect.
    pub(super) fn check_statements(&mut self, block: NodeId, statements: List) {
        if let Some(name) = self.resource_without_title(block) {
            let meant = word_near(&name);
            let mut finding = self.finding(block, Issue::ResourceWithoutTitle { name });
            if let Some(word) = meant {
                finding.help = Some(format!("did you mean {word}?"));
            }
            self.findings.add(finding);
            return;
        }
        let Some((_, before)) = self.ast.list(statements).split_last() else { return };
        if let Some(&idle) = before.iter().find(|&&statement| self.no_effect.has(statement)) {
            let expression = label(self.ast, idle).into_owned();
            let mut finding = self.finding(idle, Issue::IdemExpressionNotLast { expression });
            finding.label = Some("this value is not used".to_owned());
            if let Node::Name(name) = self.ast.node(idle)
                && let Some(word) = word_near(self.ast.text(name))
            {
                finding.help = Some(format!("did you mean {word}?"));
            }
            self.findings.add(finding);
        }
    }

    /// A body that ends in a value gives it to nobody.
    pub(super) fn check_body_end(&mut self, container: NodeId, body: Option<NodeId>) {
        let Some(body) = body else { return };
        let last = match self.ast.node(body) {
            Node::Block(statements) | Node::ApplyBlock(statements) => self.ast.list(statements).last().copied(),
            _ => Some(body),
        };
        let Some(last) = last.filter(|&last| self.no_effect.has(last)) else { return };
        if self.resource_without_title(last).is_some() {
            return;
        }
        let issue = Issue::IdemNotAllowedLast {
            expression: label(self.ast, last).into_owned(),
            container: a_an_uc(self.ast, container),
        };
        let mut finding = self.finding(last, issue);
        finding.label = Some("this value is not used".to_owned());
        self.findings.add(finding);
    }

    /// `file { mode => '0644' }` parses as a name and a hash: the name, where it is that.
    fn resource_without_title(&self, id: NodeId) -> Option<String> {
        let Node::Block(statements) = self.ast.node(id) else { return None };
        let &[name, hash] = self.ast.list(statements) else { return None };
        match (self.ast.node(name), self.ast.node(hash)) {
            (Node::Name(name), Node::Hash(_)) if !self.settings.tasks => Some(self.ast.text(name).to_owned()),
            _ => None,
        }
    }
}
