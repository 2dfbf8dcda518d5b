//! Resources, defaults and overrides: everything with attributes in braces.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Form, List, Node, NodeId};
use crate::issue::Issue;
use crate::token::TokenKind;

impl Parser<'_> {
    /// `left { … }`: a resource with titles, or attributes alone.
    pub(super) fn resource_braces(&mut self, left: NodeId) -> Parsed<NodeId> {
        let open = self.take()?.span;
        let start = self.ast.span(left);
        if self.at_attribute_operations()? {
            let ops = self.attribute_operations()?;
            let close = self.expect(TokenKind::RightBrace)?.span;
            return self.untitled(left, ops, open, close);
        }
        let container = Span::new(start.start, 0);
        let first = self.resource_body(container)?;
        let mut bodies = vec![first];
        self.more_bodies(&mut bodies, container)?;
        let close = self.expect(TokenKind::RightBrace)?.span;
        let bodies = self.ast.push_list(&bodies);
        Ok(self.ast.push(Node::Resource { form: Form::Regular, type_name: left, bodies }, start.to(close)))
    }

    /// `class { title: … }`
    pub(super) fn class_resource(&mut self) -> Parsed<NodeId> {
        let class = self.take()?;
        self.expect(TokenKind::LeftBrace)?;
        let container = Span::new(class.span.start, 0);
        let type_name = self.ast.push(Node::Name(class.text), container);
        let mut bodies = vec![self.resource_body(container)?];
        self.more_bodies(&mut bodies, container)?;
        let close = self.expect(TokenKind::RightBrace)?.span;
        let bodies = self.ast.push_list(&bodies);
        Ok(self.ast.push(Node::Resource { form: Form::Regular, type_name, bodies }, class.span.to(close)))
    }

    /// Bodies behind semicolons; a last semicolon may stand alone.
    fn more_bodies(&mut self, bodies: &mut Vec<NodeId>, container: Span) -> Parsed<()> {
        while self.accept(TokenKind::Semicolon)? && self.peek()? != TokenKind::RightBrace {
            bodies.push(self.resource_body(container)?);
        }
        Ok(())
    }

    /// `title: name => value, …`
    fn resource_body(&mut self, container: Span) -> Parsed<NodeId> {
        let title = self.expression()?;
        self.expect_or(TokenKind::Colon, "a colon follows the title: file { '/tmp/x': … }")?;
        let ops = self.attribute_operations()?;
        Ok(self.ast.push(Node::ResourceBody { title, ops }, container))
    }

    /// Whether attributes follow, or their end, rather than a title.
    fn at_attribute_operations(&mut self) -> Parsed<bool> {
        let kind = self.peek()?;
        Ok(match kind {
            TokenKind::RightBrace | TokenKind::Comma => true,
            TokenKind::Star => self.peek_second()? == TokenKind::FatArrow,
            // No title starts with these.
            TokenKind::Elsif
            | TokenKind::Else
            | TokenKind::Inherits
            | TokenKind::And
            | TokenKind::Or
            | TokenKind::In => true,
            _ if is_attribute_name(kind) => {
                matches!(self.peek_second()?, TokenKind::FatArrow | TokenKind::PlusArrow)
            }
            _ => false,
        })
    }

    /// Attributes with commas between them. There may be none, and a comma may stand first.
    pub(super) fn attribute_operations(&mut self) -> Parsed<List> {
        let mut ops = Vec::new();
        if self.peek()? != TokenKind::Comma && self.starts_attribute()? {
            ops.push(self.attribute_operation()?);
        }
        while self.accept(TokenKind::Comma)? && self.starts_attribute()? {
            ops.push(self.attribute_operation()?);
        }
        Ok(self.ast.push_list(&ops))
    }

    fn starts_attribute(&mut self) -> Parsed<bool> {
        let kind = self.peek()?;
        Ok(kind == TokenKind::Star || is_attribute_name(kind))
    }

    fn attribute_operation(&mut self) -> Parsed<NodeId> {
        let name = self.take()?;
        if name.kind == TokenKind::Star {
            self.expect(TokenKind::FatArrow)?;
            let value = self.expression()?;
            let span = name.span.to(self.ast.span(value));
            // The position is the star's alone.
            return Ok(self.ast.push(Node::AttributeSplat(value), span));
        }
        let append = match self.peek()? {
            TokenKind::FatArrow => false,
            TokenKind::PlusArrow => true,
            _ => return self.unexpected(),
        };
        self.take()?;
        let value = self.expression()?;
        let span = name.span.to(self.ast.span(value));
        Ok(self.ast.push(Node::AttributeOp { name: name.text, append, value }, span))
    }

    /// Braces with attributes and no title: defaults, an override, or a mistake.
    fn untitled(&mut self, left: NodeId, ops: List, open: Span, close: Span) -> Parsed<NodeId> {
        let span = self.ast.span(left).to(close);
        let form = Form::Regular;
        match self.ast.node(left) {
            Node::Name(_) => self.resource_without_title(left, ops, open, close),
            Node::TypeName(_) => Ok(self.ast.push(Node::ResourceDefaults { form, type_ref: left, ops }, span)),
            Node::Access { .. } => Ok(self.ast.push(Node::ResourceOverride { form, resources: left, ops }, span)),
            _ => self.issue_at(Issue::NotAResource, self.ast.span(left)),
        }
    }

    /// `name { a => b }` is a name and a hash, which may be a call; `+>` cannot be a hash's.
    fn resource_without_title(&mut self, left: NodeId, ops: List, open: Span, close: Span) -> Parsed<NodeId> {
        let mut entries = Vec::new();
        let at_hash = Span::new(open.start, 0);
        for op in self.ast.list(ops).to_vec() {
            let (key, value) = match self.ast.node(op) {
                Node::AttributeOp { append: true, .. } => return self.issue_at(Issue::ResourceBodyWithoutTitle, open),
                Node::AttributeOp { name, value, .. } => (self.ast.push(Node::String(name), at_hash), value),
                // The real parser loses what a splat unfolds, and so has nothing to show.
                _ => (self.ast.push(Node::Nop, at_hash), self.ast.push(Node::Nop, at_hash)),
            };
            entries.push(self.ast.push(Node::Entry { key, value }, at_hash));
        }
        let entries = self.ast.push_list(&entries);
        let hash = self.ast.push(Node::Hash(entries), open.to(close));
        let span = self.ast.span(left).to(close);
        self.name_with_hash(left, hash, span)
    }

    /// Makes a resource expression virtual or exported; false if it is none.
    pub(super) fn set_form(&mut self, id: NodeId, exported: bool, at: Span) -> bool {
        let form = if exported { Form::Exported } else { Form::Virtual };
        let node = match self.ast.node(id) {
            Node::Resource { type_name, bodies, .. } => {
                for body in self.ast.list(bodies).to_vec() {
                    self.ast.set_span(body, Span::new(at.start, 0));
                }
                Node::Resource { form, type_name, bodies }
            }
            Node::ResourceDefaults { type_ref, ops, .. } => Node::ResourceDefaults { form, type_ref, ops },
            Node::ResourceOverride { resources, ops, .. } => Node::ResourceOverride { form, resources, ops },
            _ => return false,
        };
        self.ast.replace(id, node);
        let end = self.ast.span(id);
        self.ast.set_span(id, at.to(end));
        true
    }
}

fn is_attribute_name(kind: TokenKind) -> bool {
    kind == TokenKind::Name || (kind.is_keyword() && !matches!(kind, TokenKind::True | TokenKind::False))
}
