//! Resource expressions, overrides and collectors.

use std::sync::OnceLock;

use pantin_syntax::ast::{BinaryOp, Form, List, Node, NodeId, UnaryOp};
use pantin_values::Fault;

use super::super::code::{
    Attribute, Attributes, CodeError, Collect, Expr, ExprKind, Query, Resource, ResourceBody, ResourceName,
};
use super::Lower;

impl Lower<'_> {
    pub(super) fn resource(&mut self, form: Form, type_name: NodeId, bodies: &[NodeId]) -> ExprKind {
        let name = match self.ast.node(type_name) {
            Node::Name(name) => ResourceName::Name(self.str(name)),
            Node::TypeName(_) => ResourceName::Computed(self.expr(type_name), true),
            Node::Access { left, .. } => {
                let is_type = matches!(self.ast.node(left), Node::TypeName(_));
                ResourceName::Computed(self.expr(type_name), is_type)
            }
            _ => ResourceName::Computed(self.expr(type_name), false),
        };
        let bodies = bodies.iter().filter_map(|&body| match self.ast.node(body) {
            Node::ResourceBody { title, ops } => {
                let title = self.expr(title);
                let attributes = self.attributes(ops);
                Some(ResourceBody { at: self.place_number(body), title, attributes, with_defaults: OnceLock::new() })
            }
            _ => None,
        });
        let bodies = bodies.collect();
        if !matches!(&name, ResourceName::Name(name) if !name.ends_with("class")) {
            self.keep_parameters();
        }
        ExprKind::Resource(Box::new(Resource { form, type_name: name, bodies }))
    }

    pub(super) fn attributes(&mut self, ops: List) -> Attributes {
        let ops = self.ast.list(ops);
        let attribute = |&op| match self.ast.node(op) {
            Node::AttributeOp { name, append, value } => Some(Attribute::Named {
                name: self.str(name),
                append,
                value: self.expr(value),
                at: self.place_number(op),
            }),
            Node::AttributeSplat(value) => {
                Some(Attribute::Splat { value: self.expr(value), at: self.place_number(op) })
            }
            _ => None,
        };
        Attributes { list: ops.iter().filter_map(attribute).collect(), written: OnceLock::new() }
    }

    pub(super) fn collect(&mut self, type_expr: NodeId, query: NodeId, ops: List) -> ExprKind {
        let type_expr = self.expr(type_expr);
        let (exported, query) = match self.ast.node(query) {
            Node::Query { exported, expr } => (exported, expr.map(|expr| self.query(expr))),
            _ => (false, None),
        };
        ExprKind::Collect(Box::new(Collect { type_expr, exported, query, attributes: self.attributes(ops) }))
    }

    fn query(&mut self, id: NodeId) -> Query {
        match self.ast.node(id) {
            Node::Unary { op: UnaryOp::Paren, operand } => self.query(operand),
            Node::Binary { op: BinaryOp::And, left, right } => {
                let left = self.query(left);
                Query::And(Box::new((left, self.query(right))))
            }
            Node::Binary { op: BinaryOp::Or, left, right } => {
                let left = self.query(left);
                Query::Or(Box::new((left, self.query(right))))
            }
            Node::Binary { op: op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right } => {
                match (self.query_value(left), self.query_value(right)) {
                    (Ok(name), Ok(value)) => Query::Compare { name, equal: op == BinaryOp::Equal, value },
                    (Err(wrong), _) | (_, Err(wrong)) => wrong,
                }
            }
            _ => self.query_value(id).map_or_else(|wrong| wrong, Query::Plain),
        }
    }

    /// Few expressions may stand in a query, though more are parsed.
    fn query_value(&mut self, id: NodeId) -> Result<Expr, Query> {
        match self.ast.node(id) {
            Node::Unary { op: UnaryOp::Paren, operand } => self.query_value(operand),
            Node::Undef
            | Node::Boolean(_)
            | Node::Integer { .. }
            | Node::Float(_)
            | Node::String(_)
            | Node::Name(_)
            | Node::Concat(_)
            | Node::Variable(_)
            | Node::Access { .. } => Ok(self.expr(id)),
            other => {
                let class = other.model_class();
                let fault = Fault::new(format!("Cannot transform object of class Puppet::Pops::Model::{class}"));
                Err(Query::Wrong(CodeError::from(fault)))
            }
        }
    }
}
