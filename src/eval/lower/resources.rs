//! Resource expressions, overrides and collectors.

use crate::pcore::{Fault, Str};
use crate::syntax::ast::{BinaryOp, Form, List, Node, NodeId, UnaryOp};

use super::super::code::{Attribute, Collect, Kind, Query, Resource, ResourceBody, ResourceName, Wrong};
use super::Lower;

impl Lower<'_> {
    pub(super) fn resource(&mut self, form: Form, type_name: NodeId, bodies: &[NodeId]) -> Kind {
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
                Some(ResourceBody { at: self.at(body), title, attributes: self.attributes(ops) })
            }
            _ => None,
        });
        let bodies = bodies.collect();
        Kind::Resource(Box::new(Resource { form, type_name: name, bodies }))
    }

    pub(super) fn attributes(&mut self, ops: List) -> Box<[Attribute]> {
        let ops = self.ast.list(ops);
        ops.iter()
            .filter_map(|&op| match self.ast.node(op) {
                Node::AttributeOp { name, append, value } => {
                    Some(Attribute::Named { name: self.str(name), append, value: self.expr(value), at: self.at(op) })
                }
                Node::AttributeSplat(value) => Some(Attribute::Splat { value: self.expr(value), at: self.at(op) }),
                _ => None,
            })
            .collect()
    }

    pub(super) fn collect(&mut self, type_expr: NodeId, query: NodeId, ops: List) -> Kind {
        let type_expr = self.expr(type_expr);
        let (exported, query) = match self.ast.node(query) {
            Node::Query { exported, expr } => (exported, expr.map(|expr| self.query(expr))),
            _ => (false, None),
        };
        Kind::Collect(Box::new(Collect { type_expr, exported, query, attributes: self.attributes(ops) }))
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
                let name: Str = match self.ast.node(left) {
                    Node::Variable(name) | Node::Name(name) => self.str(name),
                    _ => return self.no_query(left),
                };
                let mut value = right;
                while let Node::Unary { op: UnaryOp::Paren, operand } = self.ast.node(value) {
                    value = operand;
                }
                match self.ast.node(value) {
                    Node::Undef
                    | Node::Boolean(_)
                    | Node::Integer { .. }
                    | Node::Float(_)
                    | Node::String(_)
                    | Node::Name(_)
                    | Node::Concat(_)
                    | Node::Variable(_)
                    | Node::Access { .. } => {
                        Query::Compare { name, equal: op == BinaryOp::Equal, value: self.expr(value) }
                    }
                    _ => self.no_query(value),
                }
            }
            _ => self.no_query(id),
        }
    }
    /// Few expressions may stand in a query, though more are parsed.
    fn no_query(&self, id: NodeId) -> Query {
        let class = model_class(&self.ast.node(id));
        let fault = Fault::new(format!("Cannot transform object of class Puppet::Pops::Model::{class}"));
        Query::Wrong(Wrong::from(fault))
    }
}

/// What the real one calls those that are parsed in a query.
fn model_class(node: &Node) -> &'static str {
    match node {
        Node::Default => "LiteralDefault",
        Node::Undef => "LiteralUndef",
        Node::Boolean(_) => "LiteralBoolean",
        Node::Integer { .. } | Node::BigInteger { .. } => "LiteralInteger",
        Node::Float(_) => "LiteralFloat",
        Node::String(_) => "LiteralString",
        Node::Concat(_) => "ConcatenatedString",
        Node::Regex(_) => "LiteralRegularExpression",
        Node::TypeName(_) => "QualifiedReference",
        Node::Heredoc { .. } => "HeredocExpression",
        Node::Array(_) => "LiteralList",
        Node::Hash(_) => "LiteralHash",
        Node::Unary { op, .. } => match op {
            UnaryOp::Not => "NotExpression",
            UnaryOp::Minus => "UnaryMinusExpression",
            UnaryOp::Splat => "UnfoldExpression",
            UnaryOp::Paren => "ParenthesizedExpression",
            UnaryOp::Text => "TextExpression",
            UnaryOp::Render => "RenderExpression",
        },
        Node::Binary { op, .. } => match op {
            BinaryOp::Match | BinaryOp::NotMatch => "MatchExpression",
            BinaryOp::In => "InExpression",
            BinaryOp::And => "AndExpression",
            BinaryOp::Or => "OrExpression",
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => "ComparisonExpression",
            _ => "ArithmeticExpression",
        },
        Node::Assign { .. } => "AssignmentExpression",
        Node::Relationship { .. } => "RelationshipExpression",
        Node::Access { .. } => "AccessExpression",
        Node::NamedAccess { .. } => "NamedAccessExpression",
        Node::Call { .. } => "CallNamedFunctionExpression",
        Node::MethodCall { .. } => "CallMethodExpression",
        Node::Lambda { .. } => "LambdaExpression",
        Node::If { .. } => "IfExpression",
        Node::Unless { .. } => "UnlessExpression",
        Node::Case { .. } => "CaseExpression",
        Node::Selector { .. } => "SelectorExpression",
        Node::Block(_) => "BlockExpression",
        Node::Resource { .. } => "ResourceExpression",
        Node::ResourceDefaults { .. } => "ResourceDefaultsExpression",
        Node::ResourceOverride { .. } => "ResourceOverrideExpression",
        Node::Collect { .. } => "CollectExpression",
        _ => "PopsObject",
    }
}
