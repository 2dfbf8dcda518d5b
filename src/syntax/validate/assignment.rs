//! What may be assigned to, and where assigning is allowed.
//!
//! Knows nothing of scopes: whether a variable was assigned before shows when code runs.

use super::super::ast::{Node, NodeId};
use super::super::label::a_an;
use super::names::is_decimal_name;
use super::{Checker, Issue};

impl Checker<'_> {
    /// The left side of `=`: a variable, or a list of such.
    pub(super) fn check_assignable(&mut self, left: NodeId) {
        let ast = self.ast;
        let mut pending = vec![left];
        while let Some(id) = pending.pop() {
            match ast.node(id) {
                Node::Variable(name) => self.check_assigned_variable(id, ast.text(name)),
                Node::Access { .. } => self.report(id, Issue::IllegalIndexedAssignment),
                Node::Array(values) => pending.extend(ast.list(values).iter().rev()),
                _ => {
                    let value = a_an(ast, id);
                    self.report(id, Issue::IllegalAssignment { value });
                }
            }
        }
    }

    fn check_assigned_variable(&mut self, id: NodeId, name: &str) {
        if is_decimal_name(name) {
            self.report(id, Issue::IllegalNumericAssignment { var: name.to_owned() });
        }
        if name.contains("::") {
            self.report(id, Issue::CrossScopeAssignment { name: name.to_owned() });
        }
    }

    /// The default of a parameter may not assign, but a lambda in it may.
    pub(super) fn check_default_assigns_nothing(&mut self, value: NodeId) {
        let ast = self.ast;
        let mut pending = vec![value];
        while let Some(id) = pending.pop() {
            match ast.node(id) {
                Node::Assign { .. } => self.report(id, Issue::IllegalAssignmentContext),
                Node::Lambda { .. } => {}
                _ => {
                    let first = pending.len();
                    ast.each_child(id, |child| pending.push(child));
                    pending[first..].reverse();
                }
            }
        }
    }
}
