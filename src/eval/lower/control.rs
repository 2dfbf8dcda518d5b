//! Conditions and choices.

use pantin_syntax::ast::{Node, NodeId, UnaryOp};

use super::super::code::{Case, CaseOption, Expr, ExprKind, If};
use super::Lower;

impl Lower<'_> {
    pub(super) fn conditional(
        &mut self,
        id: NodeId,
        test: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    ) -> ExprKind {
        let test = self.expr(test);
        let then = self.optional(then, id);
        let otherwise = self.optional(otherwise, id);
        ExprKind::If(Box::new(If { test, then_branch: then, else_branch: otherwise }))
    }

    pub(super) fn case(&mut self, test: NodeId, options: &[NodeId]) -> ExprKind {
        let test = self.expr(test);
        let mut default = None;
        let mut lowered = Vec::with_capacity(options.len());
        for &option in options {
            let Node::CaseOption { values, then } = self.ast.node(option) else { continue };
            let values = self.ast.list(values);
            // The default is taken after all others failed, wherever it stands.
            if values.iter().any(|&value| self.is_default(value)) {
                default = Some(self.optional(then, option));
            }
            let values: Vec<NodeId> = values.iter().copied().filter(|&value| !self.is_default(value)).collect();
            if !values.is_empty() {
                let values = self.exprs(&values);
                lowered.push(CaseOption { values, then: self.optional(then, option) });
            }
        }
        ExprKind::Case(Box::new(Case { test, options: lowered.into(), default, is_selector: false }))
    }

    pub(super) fn selector(&mut self, left: NodeId, entries: &[NodeId]) -> ExprKind {
        let test = self.expr(left);
        let mut default = None;
        let mut options = Vec::with_capacity(entries.len());
        for &entry in entries {
            let Node::SelectorEntry { matching, value } = self.ast.node(entry) else { continue };
            if self.is_default(matching) {
                default = Some(self.expr(value));
                continue;
            }
            let matching: Expr = self.expr(matching);
            options.push(CaseOption { values: Box::new([matching]), then: self.expr(value) });
        }
        ExprKind::Case(Box::new(Case { test, options: options.into(), default, is_selector: true }))
    }

    fn is_default(&self, id: NodeId) -> bool {
        match self.ast.node(id) {
            Node::Default => true,
            Node::Unary { op: UnaryOp::Paren, operand } => self.is_default(operand),
            _ => false,
        }
    }
}
