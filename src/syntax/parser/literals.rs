//! Operands: everything an expression can start with, literals and strings among them.

use super::numbers::{self, Number};
use super::{Parsed, Parser};
use crate::ast::{Node, NodeId, UnaryOp};
use crate::issue::Issue;
use crate::token::TokenKind;

impl Parser<'_> {
    /// One operand, by its first token.
    pub(super) fn operand(&mut self) -> Parsed<NodeId> {
        use TokenKind::*;
        let kind = self.peek()?;
        match kind {
            Variable | Name | TypeName | True | False | Default | Undef | Regex => self.simple(kind),
            Number => self.number(),
            String | Word | DoubleStart | Heredoc => self.quoted_text(),
            Not | Minus | Star => self.prefix(kind),
            LeftParen | LineParen => self.parenthesized(),
            ListStart | LeftBracket => self.array(),
            LeftBrace => self.hash(),
            If => self.if_expression(),
            Unless => self.unless(),
            Case => self.case(),
            Class if self.type_arguments > 0 && self.peek_second()? == Name => self.class_type(),
            Class => self.class(),
            Define => self.define(),
            Function => self.function(),
            Plan => self.plan(),
            Node => self.node_definition(),
            Type => self.type_or_call(),
            Apply => self.apply(),
            Private | Attr => self.reserved(),
            RenderString => self.render_string(),
            RenderStart => self.render(),
            _ => self.unexpected(),
        }
    }

    /// Parses an operand of one token.
    fn simple(&mut self, kind: TokenKind) -> Parsed<NodeId> {
        let token = self.take()?;
        let node = match kind {
            TokenKind::Variable => Node::Variable(token.text),
            TokenKind::Name => Node::Name(token.text),
            TokenKind::TypeName => Node::TypeName(token.text),
            TokenKind::True => Node::Boolean(true),
            TokenKind::False => Node::Boolean(false),
            TokenKind::Undef => Node::Undef,
            TokenKind::Regex => Node::Regex(token.text),
            _ => Node::Default,
        };
        Ok(self.ast.push(node, token.span))
    }

    fn number(&mut self) -> Parsed<NodeId> {
        let token = self.take()?;
        let node = match numbers::read(self.ast.text(token.text)) {
            Number::Integer { value, radix } => Node::Integer { value, radix },
            Number::BigInteger { radix } => Node::BigInteger { digits: token.text, radix },
            // The real parser has no words for it; no float holds the number.
            Number::Float(value) if value.is_infinite() => {
                let value = self.ast.text(token.text).to_owned();
                return self.issue_at(Issue::IllegalNumber { value }, token.span);
            }
            Number::Float(value) => Node::Float(value),
        };
        Ok(self.ast.push(node, token.span))
    }

    fn render_string(&mut self) -> Parsed<NodeId> {
        let token = self.take()?;
        Ok(self.ast.push(Node::RenderString(token.text), token.span))
    }

    /// Parses a string of any kind.
    pub(super) fn quoted_text(&mut self) -> Parsed<NodeId> {
        match self.peek()? {
            TokenKind::DoubleStart => self.concat(),
            TokenKind::Heredoc => {
                let tag = self.take()?;
                let text = match self.peek()? {
                    TokenKind::DoubleStart => self.concat()?,
                    _ => self.string()?,
                };
                Ok(self.ast.push(Node::Heredoc { syntax: tag.text, text }, tag.span))
            }
            _ => self.string(),
        }
    }

    fn string(&mut self) -> Parsed<NodeId> {
        let token = self.take()?;
        Ok(self.ast.push(Node::String(token.text), token.span))
    }

    /// Parses a string with expressions in it. Empty pieces of text are left out.
    fn concat(&mut self) -> Parsed<NodeId> {
        let mut pieces = Vec::new();
        let start = self.peek_token()?.span;
        loop {
            let token = self.take()?;
            if !token.text.is_empty() {
                pieces.push(self.ast.push(Node::String(token.text), token.span));
            }
            if token.kind == TokenKind::DoubleEnd {
                let list = self.ast.push_list(&pieces);
                return Ok(self.ast.push(Node::Concat(list), start.to(token.span)));
            }
            let operand = self.assignment()?;
            let operand = self.named_variable(operand);
            let span = pantin_base::Span::new(start.start, 0);
            pieces.push(self.ast.push(Node::Unary { op: UnaryOp::Text, operand }, span));
            if !matches!(self.peek()?, TokenKind::DoubleMiddle | TokenKind::DoubleEnd) {
                return self.unexpected();
            }
        }
    }

    /// A name alone in an interpolation is the variable. The lexer has seen to it, but for a
    /// brace that a heredoc leaves open.
    fn named_variable(&mut self, operand: NodeId) -> NodeId {
        if let Node::Name(name) = self.ast.node(operand) {
            self.ast.replace(operand, Node::Variable(name));
        }
        operand
    }
}
