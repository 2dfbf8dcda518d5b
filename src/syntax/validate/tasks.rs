//! What scripts of tasks and plans may not hold: anything of a catalog outside an `apply` block.
//!
//! Knows nothing of how a plan is run.

use super::super::ast::{DefinitionKind, Node, NodeId};
use super::super::label::a_an_uc;
use super::{Checker, Issue};

impl Checker<'_> {
    /// Returns true if the node is dealt with, so that the rules for manifests are left out.
    pub(super) fn check_for_tasks(&mut self, id: NodeId) -> bool {
        let compiles = self.apply_blocks > 0;
        match self.ast.node(id) {
            Node::Definition(definition) => match self.ast.definition(definition).kind {
                DefinitionKind::Class | DefinitionKind::Define => self.report_scripting(id),
                DefinitionKind::Function | DefinitionKind::Plan => return false,
            },
            Node::Collect { query, .. } if compiles => {
                if matches!(self.ast.node(query), Node::Query { exported: false, .. }) {
                    return false;
                }
                self.report_compiling(id);
            }
            Node::Collect { .. } => self.report_scripting(id),
            Node::NodeDefinition { .. }
            | Node::Relationship { .. }
            | Node::ResourceDefaults { .. }
            | Node::Resource { .. }
            | Node::ResourceOverride { .. } => {
                if compiles {
                    return false;
                }
                self.report_scripting(id);
            }
            Node::Apply { .. } => {
                if compiles {
                    self.report_compiling(id);
                }
            }
            _ => return false,
        }
        true
    }

    fn report_scripting(&mut self, id: NodeId) {
        let expr = a_an_uc(self.ast, id);
        self.report(id, Issue::ExpressionNotSupportedWhenScripting { expr });
    }

    fn report_compiling(&mut self, id: NodeId) {
        let expr = a_an_uc(self.ast, id);
        self.report(id, Issue::ExpressionNotSupportedWhenCompiling { expr });
    }
}
