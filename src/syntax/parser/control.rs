//! `if`, `unless`, `case` and the selector.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn if_expression(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        self.if_part(start)
    }

    /// Test and branches behind an `if` or `elsif`.
    fn if_part(&mut self, start: Span) -> Parsed<NodeId> {
        let test = self.condition()?;
        let (then, braces) = self.branch()?;
        let mut end = braces;
        let otherwise = match self.peek()? {
            TokenKind::Elsif => {
                let start = self.take()?.span;
                Some(self.nested(|parser| parser.if_part(start))?)
            }
            TokenKind::Else => {
                self.take()?;
                self.branch()?.0
            }
            _ => None,
        };
        if let Some(otherwise) = otherwise {
            end = self.ast.span(otherwise);
        }
        Ok(self.ast.push(Node::If { test, then, otherwise }, start.to(end)))
    }

    /// Returns what a branch depends on.
    fn condition(&mut self) -> Parsed<NodeId> {
        self.conditions += 1;
        let test = self.expression()?;
        if self.peek()? == TokenKind::Equals {
            return self.unexpected();
        }
        self.conditions -= 1;
        Ok(test)
    }

    /// `{ statements }`: nothing, the one statement, or a block.
    fn branch(&mut self) -> Parsed<(Option<NodeId>, Span)> {
        let (statements, braces) = self.body()?;
        let node = statements.map(|statements| self.block_or_single(&statements, braces));
        Ok((node, braces))
    }

    pub(super) fn unless(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let test = self.condition()?;
        let (then, braces) = self.branch()?;
        let otherwise = if self.accept(TokenKind::Else)? { self.branch()?.0 } else { None };
        // The real node ends where its first branch does.
        Ok(self.ast.push(Node::Unless { test, then, otherwise }, start.to(braces)))
    }

    pub(super) fn case(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let test = self.expression()?;
        self.expect(TokenKind::LeftBrace)?;
        let mut options = vec![self.case_option()?];
        while self.peek()? != TokenKind::RightBrace {
            options.push(self.case_option()?);
        }
        let close = self.take()?.span;
        let options = self.ast.push_list(&options);
        Ok(self.ast.push(Node::Case { test, options }, start.to(close)))
    }

    /// `value, value: { statements }`
    fn case_option(&mut self) -> Parsed<NodeId> {
        let mut values = vec![self.expression()?];
        while self.accept(TokenKind::Comma)? {
            values.push(self.expression()?);
        }
        let colon = self.expect_or(TokenKind::Colon, "a colon follows the values of a case: 'one', 'two': { … }")?.span;
        let (statements, braces) = self.body()?;
        let span = colon.to(braces);
        let then = statements.map(|statements| self.block(&statements, Span::new(colon.start, 0)));
        let values = self.ast.push_list(&values);
        Ok(self.ast.push(Node::CaseOption { values, then }, span))
    }

    /// `left ? { matching => value, … }`, or one entry without braces.
    pub(super) fn selector(&mut self, left: NodeId) -> Parsed<NodeId> {
        self.take()?;
        let mut entries = Vec::new();
        if self.accept(TokenKind::SelectorBrace)? {
            entries.push(self.selector_entry()?);
            while self.accept(TokenKind::Comma)? && self.peek()? != TokenKind::RightBrace {
                entries.push(self.selector_entry()?);
            }
            self.expect(TokenKind::RightBrace)?;
        } else {
            entries.push(self.selector_entry()?);
        }
        let entries = self.ast.push_list(&entries);
        let span = self.ast.span(left);
        Ok(self.ast.push(Node::Selector { left, entries }, span))
    }

    fn selector_entry(&mut self) -> Parsed<NodeId> {
        let matching = self.expression()?;
        let span = self.expect(TokenKind::FatArrow)?.span;
        let value = self.expression()?;
        Ok(self.ast.push(Node::SelectorEntry { matching, value }, span))
    }
}
