//! Where a value is needed: what gives none, and what a query or a relationship may hold.
//!
//! Knows nothing of what the values are.

use super::super::ast::{BinaryOp, List, Node, NodeId, UnaryOp};
use super::super::label::a_an_uc;
use super::{Checker, Issue};

impl Checker<'_> {
    /// Flags what gives no value: collectors and definitions, also behind unary operators.
    pub(super) fn rvalue(&mut self, id: NodeId) {
        let end = match self.ast.node(id) {
            Node::Unary { .. } => self.chain_end(id),
            _ => id,
        };
        let gives_none = matches!(
            self.ast.node(end),
            Node::Collect { .. }
                | Node::Definition(_)
                | Node::NodeDefinition { .. }
                | Node::TypeAlias { .. }
                | Node::TypeMapping { .. }
                | Node::TypeDefinition { .. }
        );
        if gives_none {
            let value = a_an_uc(self.ast, end);
            self.report(end, Issue::NotRvalue { value });
        }
    }

    pub(super) fn rvalues(&mut self, list: List) {
        let ast = self.ast;
        for &id in ast.list(list) {
            self.rvalue(id);
        }
    }

    /// Returns what a chain of unary expressions ends in. The walk comes by each link in turn, so the end is kept for
    /// the next one: a long chain is followed once.
    fn chain_end(&mut self, start: NodeId) -> NodeId {
        if let Some((link, end)) = self.chain {
            let next = match self.ast.node(link) {
                Node::Unary { operand, .. } => operand,
                _ => link,
            };
            if link == start || next == start {
                self.chain = Some((start, end));
                return end;
            }
        }
        let mut end = start;
        while let Node::Unary { operand, .. } = self.ast.node(end) {
            end = operand;
        }
        self.chain = Some((start, end));
        end
    }

    /// A side of a relationship: a value, a collector, or a relationship again.
    pub(super) fn check_relationship_side(&mut self, id: NodeId) {
        if !matches!(self.ast.node(id), Node::Collect { .. } | Node::Relationship { .. }) {
            self.rvalue(id);
        }
    }

    /// A query compares; whatever else it holds is flagged, in reading order.
    pub(super) fn check_query(&mut self, expr: NodeId) {
        let mut pending = vec![expr];
        while let Some(id) = pending.pop() {
            let allowed = match self.ast.node(id) {
                Node::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } => {
                    pending.push(right);
                    pending.push(left);
                    true
                }
                Node::Unary { op: UnaryOp::Paren, operand } => {
                    pending.push(operand);
                    true
                }
                Node::Binary { op, .. } => matches!(op, BinaryOp::Equal | BinaryOp::NotEqual),
                Node::Variable(_)
                | Node::Name(_)
                | Node::Integer { .. }
                | Node::BigInteger { .. }
                | Node::Float(_)
                | Node::String(_)
                | Node::RenderString(_)
                | Node::Boolean(_) => true,
                _ => false,
            };
            if !allowed {
                let expression = a_an_uc(self.ast, id);
                self.report(id, Issue::IllegalQueryExpression { expression });
            }
        }
    }
}
