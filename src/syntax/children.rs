//! The children of a node, in the order in which the real model yields its contents.
//!
//! Validation reports in that order, so it decides which error comes first.

use super::ast::{Ast, Node, NodeId};

impl Ast {
    /// Calls `visit` for each child of `id`.
    pub fn each_child(&self, id: NodeId, mut visit: impl FnMut(NodeId)) {
        match self.node(id) {
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
            | Node::RenderString(_) => {}
            Node::Concat(list) | Node::Array(list) | Node::Hash(list) | Node::Block(list) | Node::ApplyBlock(list) => {
                self.list(list).iter().copied().for_each(visit)
            }
            Node::Heredoc { text, .. } => visit(text),
            Node::Entry { key, value } => {
                visit(key);
                visit(value);
            }
            Node::Unary { operand, .. } => visit(operand),
            Node::Binary { left, right, .. }
            | Node::Assign { left, right, .. }
            | Node::Relationship { left, right, .. } => {
                visit(left);
                visit(right);
            }
            Node::Access { left, keys } => {
                visit(left);
                self.list(keys).iter().copied().for_each(visit);
            }
            Node::NamedAccess { left, name } => {
                visit(left);
                visit(name);
            }
            Node::Call { functor, args, lambda, .. } | Node::MethodCall { functor, args, lambda } => {
                visit(functor);
                self.list(args).iter().copied().for_each(&mut visit);
                lambda.into_iter().for_each(visit);
            }
            Node::Lambda { params, returns, body } => {
                self.list(params).iter().copied().for_each(&mut visit);
                body.into_iter().for_each(&mut visit);
                returns.into_iter().for_each(visit);
            }
            Node::Param { type_expr, value, .. } => {
                value.into_iter().for_each(&mut visit);
                type_expr.into_iter().for_each(visit);
            }
            Node::If { test, then, otherwise } | Node::Unless { test, then, otherwise } => {
                visit(test);
                then.into_iter().for_each(&mut visit);
                otherwise.into_iter().for_each(visit);
            }
            Node::Case { test, options } => {
                visit(test);
                self.list(options).iter().copied().for_each(visit);
            }
            Node::CaseOption { values, then } => {
                self.list(values).iter().copied().for_each(&mut visit);
                then.into_iter().for_each(visit);
            }
            Node::Selector { left, entries } => {
                visit(left);
                self.list(entries).iter().copied().for_each(visit);
            }
            Node::SelectorEntry { matching, value } => {
                visit(matching);
                visit(value);
            }
            Node::Resource { type_name, bodies, .. } => {
                visit(type_name);
                self.list(bodies).iter().copied().for_each(visit);
            }
            Node::ResourceBody { title, ops } => {
                visit(title);
                self.list(ops).iter().copied().for_each(visit);
            }
            Node::ResourceDefaults { type_ref: subject, ops, .. }
            | Node::ResourceOverride { resources: subject, ops, .. } => {
                visit(subject);
                self.list(ops).iter().copied().for_each(visit);
            }
            Node::AttributeOp { value, .. } => visit(value),
            Node::AttributeSplat(value) => visit(value),
            Node::Collect { type_expr, query, ops } => {
                visit(type_expr);
                visit(query);
                self.list(ops).iter().copied().for_each(visit);
            }
            Node::Query { expr, .. } => expr.into_iter().for_each(visit),
            Node::Definition(definition) => {
                let definition = *self.definition(definition);
                self.list(definition.params).iter().copied().for_each(&mut visit);
                definition.body.into_iter().for_each(&mut visit);
                definition.returns.into_iter().for_each(visit);
            }
            Node::NodeDefinition { hosts, parent, body } => {
                parent.into_iter().for_each(&mut visit);
                self.list(hosts).iter().copied().for_each(&mut visit);
                body.into_iter().for_each(visit);
            }
            Node::TypeAlias { type_expr, .. } => visit(type_expr),
            Node::TypeMapping { type_expr, mapping } => {
                visit(type_expr);
                visit(mapping);
            }
            Node::TypeDefinition { body, .. } | Node::Epp { body, .. } => body.into_iter().for_each(visit),
            Node::Site(site) => self.site(site).each_expression(visit),
            Node::Apply { args, body } => {
                self.list(args).iter().copied().for_each(&mut visit);
                visit(body);
            }
        }
    }
}
