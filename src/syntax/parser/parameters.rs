//! Parameter lists and lambdas.

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `( parameters )`, or nothing.
    pub(super) fn parameter_list(&mut self) -> Parsed<Vec<NodeId>> {
        if !matches!(self.peek()?, TokenKind::LeftParen | TokenKind::LineParen) {
            return Ok(Vec::new());
        }
        self.take()?;
        self.parameters(TokenKind::RightParen)
    }

    /// `| parameters |`
    pub(super) fn lambda_parameters(&mut self) -> Parsed<Vec<NodeId>> {
        self.expect(TokenKind::Pipe)?;
        self.parameters(TokenKind::Pipe)
    }

    /// Parameters with commas between them, and the token that closes them.
    fn parameters(&mut self, close: TokenKind) -> Parsed<Vec<NodeId>> {
        let mut params = Vec::new();
        if !self.accept(close)? {
            params.push(self.parameter()?);
            while self.accept(TokenKind::Comma)? && self.peek()? != close {
                params.push(self.parameter()?);
            }
            self.expect(close)?;
        }
        Ok(params)
    }

    /// `Type *$name = default`, of which the name alone must stand.
    fn parameter(&mut self) -> Parsed<NodeId> {
        let type_expr = if self.peek()? == TokenKind::TypeName { Some(self.type_expression()?) } else { None };
        let captures_rest = self.accept(TokenKind::Star)?;
        let name = self.expect(TokenKind::Variable)?;
        let value = if self.accept(TokenKind::Equals)? { Some(self.expression()?) } else { None };
        Ok(self.ast.push(Node::Param { name: name.text, type_expr, value, captures_rest }, name.span))
    }

    /// Parses a type name, perhaps with parameters; a comma may not end those.
    pub(super) fn type_expression(&mut self) -> Parsed<NodeId> {
        let name = self.expect(TokenKind::TypeName)?;
        let left = self.ast.push(Node::TypeName(name.text), name.span);
        if self.peek()? != TokenKind::LeftBracket {
            return Ok(left);
        }
        self.take()?;
        let keys = self.access_keys()?;
        if self.accept(TokenKind::Comma)? {
            return self.unexpected();
        }
        let close = self.expect(TokenKind::RightBracket)?.span;
        Ok(self.ast.push(Node::Access { left, keys }, name.span.to(close)))
    }

    /// `>> Type`, or nothing.
    pub(super) fn return_type(&mut self) -> Parsed<Option<NodeId>> {
        if self.accept(TokenKind::ShiftRight)? { Ok(Some(self.type_expression()?)) } else { Ok(None) }
    }

    /// `| parameters | >> Type { statements }`
    pub(super) fn lambda(&mut self) -> Parsed<NodeId> {
        let start = self.peek_token()?.span;
        let params = self.lambda_parameters()?;
        let returns = self.return_type()?;
        let (statements, braces) = self.body()?;
        let body = self.definition_body(statements, start);
        let params = self.ast.push_list(&params);
        Ok(self.ast.push(Node::Lambda { params, returns, body }, start.to(braces)))
    }
}
