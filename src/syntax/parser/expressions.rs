//! Expressions: assignment, relationships, and operators by binding power.

use pantin_base::{Arrow, Span};

use super::{Parsed, Parser};
use crate::ast::{AssignOp, BinaryOp, List, Node, NodeId, UnaryOp};
use crate::issue::Issue;
use crate::token::TokenKind;

/// How tightly operators bind; more binds tighter.
mod power {
    pub(super) const LOWEST: u8 = 0;
    pub(super) const OR: u8 = 10;
    pub(super) const AND: u8 = 20;
    pub(super) const SELECTOR: u8 = 30;
    pub(super) const COMPARISON: u8 = 40;
    pub(super) const EQUALITY: u8 = 50;
    pub(super) const SHIFT: u8 = 60;
    pub(super) const SUM: u8 = 70;
    pub(super) const PRODUCT: u8 = 80;
    pub(super) const MATCH: u8 = 90;
    pub(super) const IN: u8 = 100;
    pub(super) const MINUS: u8 = 110;
    pub(super) const SPLAT: u8 = 120;
    pub(super) const NOT: u8 = 130;
    // What follows an operand binds tighter than any prefix.
    pub(super) const COLLECT: u8 = 140;
    pub(super) const ACCESS: u8 = 150;
    pub(super) const DOT: u8 = 160;
    pub(super) const CALL: u8 = 170;
}

/// How much of the grammar an expression needed. An access takes the first level alone, unless
/// it turns out to be a hash's key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Expression,
    Resource,
    Relationship,
    Assignment,
}

impl Parser<'_> {
    /// Parses the widest kind of expression: an assignment, or less.
    pub(super) fn assignment(&mut self) -> Parsed<NodeId> {
        Ok(self.leveled_assignment()?.0)
    }

    pub(super) fn leveled_assignment(&mut self) -> Parsed<(NodeId, Level)> {
        let (left, level) = self.relationship()?;
        let op = match self.peek()? {
            TokenKind::Equals => AssignOp::Set,
            TokenKind::Appends => AssignOp::Append,
            TokenKind::Deletes => AssignOp::Delete,
            _ => return Ok((left, level)),
        };
        let span = self.take()?.span;
        let right = self.nested(Self::assignment)?;
        Ok((self.ast.push(Node::Assign { op, left, right }, span), Level::Assignment))
    }

    fn relationship(&mut self) -> Parsed<(NodeId, Level)> {
        let (mut left, mut level) = self.resource()?;
        loop {
            let arrow = match self.peek()? {
                TokenKind::Before => Arrow::Before,
                TokenKind::Notify => Arrow::Notify,
                TokenKind::Require => Arrow::Require,
                TokenKind::Subscribe => Arrow::Subscribe,
                _ => return Ok((left, level)),
            };
            let span = self.take()?.span;
            let (right, _) = self.resource()?;
            left = self.ast.push(Node::Relationship { arrow, left, right }, span);
            level = Level::Relationship;
        }
    }

    fn resource(&mut self) -> Parsed<(NodeId, Level)> {
        let kind = self.peek()?;
        let (mut left, mut level) = match kind {
            TokenKind::At | TokenKind::AtAt => (self.virtual_resource()?, Level::Resource),
            TokenKind::Class if self.peek_second()? == TokenKind::LeftBrace => {
                (self.class_resource()?, Level::Resource)
            }
            _ => (self.expression()?, Level::Expression),
        };
        while self.peek()? == TokenKind::LeftBrace {
            left = self.resource_braces(left)?;
            level = Level::Resource;
        }
        Ok((left, level))
    }

    /// Parses an expression of operators, without braces, arrows or assignment at its top.
    pub(super) fn expression(&mut self) -> Parsed<NodeId> {
        self.nested(|parser| parser.operators(power::LOWEST))
    }

    /// Operands and the operators that bind tighter than `floor`.
    fn operators(&mut self, floor: u8) -> Parsed<NodeId> {
        let left = self.operand()?;
        self.operators_behind(left, floor)
    }

    fn operators_behind(&mut self, mut left: NodeId, floor: u8) -> Parsed<NodeId> {
        loop {
            let kind = self.peek()?;
            let Some(power) = infix_power(kind).filter(|&power| power > floor) else { return Ok(left) };
            left = match power {
                power::CALL => self.call(left)?,
                power::DOT => self.method_call(left)?,
                power::ACCESS => self.access(left)?,
                power::COLLECT => self.collect(left)?,
                power::SELECTOR => self.selector(left)?,
                _ => self.binary(left, kind, power)?,
            };
        }
    }

    fn binary(&mut self, left: NodeId, kind: TokenKind, power: u8) -> Parsed<NodeId> {
        let span = self.take()?.span;
        let right = self.nested(|parser| parser.operators(power))?;
        let op = match kind {
            TokenKind::Plus => BinaryOp::Add,
            TokenKind::Minus => BinaryOp::Subtract,
            TokenKind::Star => BinaryOp::Multiply,
            TokenKind::Slash => BinaryOp::Divide,
            TokenKind::Percent => BinaryOp::Modulo,
            TokenKind::ShiftLeft => BinaryOp::ShiftLeft,
            TokenKind::ShiftRight => BinaryOp::ShiftRight,
            TokenKind::IsEqual => BinaryOp::Equal,
            TokenKind::NotEqual => BinaryOp::NotEqual,
            TokenKind::Less => BinaryOp::Less,
            TokenKind::LessEqual => BinaryOp::LessEqual,
            TokenKind::Greater => BinaryOp::Greater,
            TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
            TokenKind::Match => BinaryOp::Match,
            TokenKind::NoMatch => BinaryOp::NotMatch,
            TokenKind::In => BinaryOp::In,
            TokenKind::And => BinaryOp::And,
            _ => BinaryOp::Or,
        };
        Ok(self.ast.push(Node::Binary { op, left, right }, span))
    }

    /// `!`, `-` or `*` before an operand.
    pub(super) fn prefix(&mut self, kind: TokenKind) -> Parsed<NodeId> {
        let span = self.take()?.span;
        let (op, power) = match kind {
            TokenKind::Not => (UnaryOp::Not, power::NOT),
            TokenKind::Minus => (UnaryOp::Minus, power::MINUS),
            _ => (UnaryOp::Splat, power::SPLAT),
        };
        let operand = self.nested(|parser| parser.operators(power))?;
        Ok(self.ast.push(Node::Unary { op, operand }, span))
    }

    pub(super) fn parenthesized(&mut self) -> Parsed<NodeId> {
        let span = self.take()?.span;
        let operand = self.assignment()?;
        self.expect(TokenKind::RightParen)?;
        Ok(self.ast.push(Node::Unary { op: UnaryOp::Paren, operand }, span))
    }

    /// `functor(arguments)`, perhaps with a lambda.
    pub(super) fn call(&mut self, functor: NodeId) -> Parsed<NodeId> {
        self.take()?;
        let args = if self.peek()? == TokenKind::RightParen {
            List::EMPTY
        } else {
            let args = self.arguments()?;
            self.accept(TokenKind::Comma)?;
            args
        };
        let mut end = self.expect(TokenKind::RightParen)?.span;
        let mut lambda = None;
        if self.peek()? == TokenKind::Pipe {
            let id = self.lambda()?;
            end = self.ast.span(id);
            lambda = Some(id);
        }
        let span = self.ast.span(functor).to(end);
        Ok(self.ast.push(Node::Call { functor, args, lambda, wants_value: true }, span))
    }

    /// `left.name`, perhaps with arguments and a lambda. A comma may not end these arguments.
    pub(super) fn method_call(&mut self, left: NodeId) -> Parsed<NodeId> {
        let dot = self.take()?.span;
        if !matches!(self.peek()?, TokenKind::Name | TokenKind::Type) {
            return self.unexpected();
        }
        let name = self.take()?;
        let mut span = dot.to(name.span);
        let name = self.ast.push(Node::Name(name.text), Span::new(dot.start, 0));
        let functor = self.ast.push(Node::NamedAccess { left, name }, span);
        let mut args = List::EMPTY;
        if self.peek()? == TokenKind::LeftParen {
            let open = self.take()?.span;
            if self.peek()? != TokenKind::RightParen {
                args = self.arguments()?;
                if self.accept(TokenKind::Comma)? {
                    return self.unexpected();
                }
            }
            span = open.to(self.expect(TokenKind::RightParen)?.span);
        }
        let lambda = if self.peek()? == TokenKind::Pipe { Some(self.lambda()?) } else { None };
        Ok(self.ast.push(Node::MethodCall { functor, args, lambda }, span))
    }

    /// `left[keys]`
    pub(super) fn access(&mut self, left: NodeId) -> Parsed<NodeId> {
        self.take()?;
        let keys = self.access_keys()?;
        self.accept(TokenKind::Comma)?;
        let close = self.expect(TokenKind::RightBracket)?.span;
        let span = self.ast.span(left).to(close);
        Ok(self.ast.push(Node::Access { left, keys }, span))
    }

    /// `Type<| query |> { operations }`
    fn collect(&mut self, type_expr: NodeId) -> Parsed<NodeId> {
        let start = self.take()?;
        let exported = start.kind == TokenKind::ExportedStart;
        let end_kind = if exported { TokenKind::ExportedEnd } else { TokenKind::CollectEnd };
        let expr = if self.peek()? == end_kind { None } else { Some(self.expression()?) };
        let query_end = self.expect(end_kind)?.span;
        let query = self.ast.push(Node::Query { exported, expr }, start.span.to(query_end));
        let mut end = query_end;
        let mut ops = List::EMPTY;
        if self.peek()? == TokenKind::LeftBrace {
            self.take()?;
            ops = self.attribute_operations()?;
            end = self.expect(TokenKind::RightBrace)?.span;
        }
        let span = self.ast.span(type_expr).to(end);
        Ok(self.ast.push(Node::Collect { type_expr, query, ops }, span))
    }

    /// `<%= expression %>`, or with braces around statements.
    pub(super) fn render(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let operand = if self.peek()? == TokenKind::LeftBrace { self.braced_render()? } else { self.expression()? };
        if !matches!(self.peek()?, TokenKind::RenderEnd | TokenKind::RenderEndTrim) {
            return self.unexpected();
        }
        let end = self.take()?.span;
        Ok(self.ast.push(Node::Unary { op: UnaryOp::Render, operand }, start.to(end)))
    }

    /// `{ … }` first in a rendered expression: a hash if a `=>` follows its first part.
    fn braced_render(&mut self) -> Parsed<NodeId> {
        let open = self.take()?.span;
        if self.peek()? == TokenKind::RightBrace {
            let close = self.take()?.span;
            let hash = self.ast.push(Node::Hash(List::EMPTY), open.to(close));
            return self.operators_behind(hash, power::LOWEST);
        }
        let (first, level) = self.hash_entry_part()?;
        if self.peek()? == TokenKind::FatArrow {
            let hash = self.hash_behind(open, first)?;
            return self.operators_behind(hash, power::LOWEST);
        }
        if level.is_none() {
            return self.unexpected();
        }
        let statements = self.statements_behind(first)?;
        let close = self.expect(TokenKind::RightBrace)?.span;
        Ok(self.block_or_single(&statements, open.to(close)))
    }

    pub(super) fn reserved(&mut self) -> Parsed<NodeId> {
        let token = self.take()?;
        Ok(self.ast.push(Node::Reserved(token.text), token.span))
    }

    /// `@resource` or `@@resource`.
    fn virtual_resource(&mut self) -> Parsed<NodeId> {
        let at = self.take()?;
        let (id, _) = self.nested(Self::resource)?;
        let exported = at.kind == TokenKind::AtAt;
        if !self.set_form(id, exported, at.span) {
            let issue = if exported { Issue::ExportedNotResource } else { Issue::VirtualNotResource };
            return self.issue_at(issue, at.span);
        }
        Ok(id)
    }
}

/// Returns how tightly a token binds to the operand before it, if it does.
fn infix_power(kind: TokenKind) -> Option<u8> {
    use TokenKind::*;
    Some(match kind {
        LeftParen => power::CALL,
        Dot => power::DOT,
        LeftBracket => power::ACCESS,
        CollectStart | ExportedStart => power::COLLECT,
        In => power::IN,
        Match | NoMatch => power::MATCH,
        Star | Slash | Percent => power::PRODUCT,
        Plus | Minus => power::SUM,
        ShiftLeft | ShiftRight => power::SHIFT,
        IsEqual | NotEqual => power::EQUALITY,
        Greater | GreaterEqual | Less | LessEqual => power::COMPARISON,
        Question => power::SELECTOR,
        And => power::AND,
        Or => power::OR,
        _ => return None,
    })
}
