//! Lists and hashes: elements, arguments and keys, and the pairs among them that make one hash.

use pantin_base::Span;

use super::expressions::Level;
use super::{Parsed, Parser};
use crate::ast::{List, Node, NodeId};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Parses the keys of an access, up to a comma that ends them or the bracket. What is more than an expression may
    /// only be part of a pair.
    pub(super) fn access_keys(&mut self) -> Parsed<List> {
        self.items(TokenKind::RightBracket, |level| level == Some(Level::Expression))
    }

    /// Parses the arguments of a call, of which there is at least one.
    pub(super) fn arguments(&mut self) -> Parsed<List> {
        self.items(TokenKind::RightParen, |level| level.is_some())
    }

    /// The elements of an array, where a keyword may stand alone.
    pub(super) fn elements(&mut self) -> Parsed<List> {
        self.items(TokenKind::RightBracket, |_| true)
    }

    /// Items and pairs with commas between them, up to a comma before `close` or `close`. Adjacent
    /// pairs are one hash. `stands_alone` says of an item's level whether it needs no partner.
    fn items(&mut self, close: TokenKind, stands_alone: impl Fn(Option<Level>) -> bool) -> Parsed<List> {
        let (mut items, mut pairs) = (Vec::new(), Vec::new());
        loop {
            let (item, level) = self.hash_entry_part()?;
            if self.peek()? == TokenKind::FatArrow {
                pairs.push(self.hash_pair(item)?);
            } else if stands_alone(level) {
                self.add_hash(&mut items, &mut pairs);
                items.push(item);
            } else {
                return self.unexpected();
            }
            if self.peek()? != TokenKind::Comma || self.peek_second()? == close {
                break;
            }
            self.take()?;
        }
        self.add_hash(&mut items, &mut pairs);
        Ok(self.ast.push_list(&items))
    }

    /// Makes one hash of the pairs gathered so far, if there are any.
    fn add_hash(&mut self, items: &mut Vec<NodeId>, pairs: &mut Vec<NodeId>) {
        let Some(&first) = pairs.first() else { return };
        let span = self.ast.span(first);
        let entries = self.ast.push_list(pairs);
        items.push(self.ast.push(Node::Hash(entries), span));
        pairs.clear();
    }

    /// One side of a pair: an assignment, or the keyword `type` or `function` as a string, for
    /// which there is no level.
    pub(super) fn hash_entry_part(&mut self) -> Parsed<(NodeId, Option<Level>)> {
        let is_keyword = match self.peek()? {
            TokenKind::Type => !matches!(self.peek_second()?, TokenKind::LeftParen | TokenKind::TypeName),
            TokenKind::Function => matches!(
                self.peek_second()?,
                TokenKind::FatArrow | TokenKind::Comma | TokenKind::RightBracket | TokenKind::RightBrace
            ),
            _ => false,
        };
        if is_keyword {
            let token = self.take()?;
            return Ok((self.ast.push(Node::String(token.text), token.span), None));
        }
        let (node, level) = self.leveled_assignment()?;
        Ok((node, Some(level)))
    }

    /// `=> value` behind a key.
    fn hash_pair(&mut self, key: NodeId) -> Parsed<NodeId> {
        let span = self.expect(TokenKind::FatArrow)?.span;
        let (value, _) = self.hash_entry_part()?;
        Ok(self.ast.push(Node::Entry { key, value }, span))
    }

    /// `{ key => value, … }`
    pub(super) fn hash(&mut self) -> Parsed<NodeId> {
        let open = self.take()?.span;
        if self.peek()? == TokenKind::RightBrace {
            let close = self.take()?.span;
            return Ok(self.ast.push(Node::Hash(List::EMPTY), open.to(close)));
        }
        let (key, _) = self.hash_entry_part()?;
        self.hash_behind(open, key)
    }

    /// Parses the rest of a hash whose first key has been read.
    pub(super) fn hash_behind(&mut self, open: Span, first_key: NodeId) -> Parsed<NodeId> {
        let mut entries = vec![self.hash_pair(first_key)?];
        while self.accept(TokenKind::Comma)? && self.peek()? != TokenKind::RightBrace {
            let (key, _) = self.hash_entry_part()?;
            entries.push(self.hash_pair(key)?);
        }
        let close = self.expect(TokenKind::RightBrace)?.span;
        let list = self.ast.push_list(&entries);
        Ok(self.ast.push(Node::Hash(list), open.to(close)))
    }

    pub(super) fn array(&mut self) -> Parsed<NodeId> {
        let open = self.take()?.span;
        let list = if self.peek()? == TokenKind::RightBracket { List::EMPTY } else { self.elements()? };
        if !list.is_empty() {
            self.accept(TokenKind::Comma)?;
        }
        let close = self.expect(TokenKind::RightBracket)?.span;
        Ok(self.ast.push(Node::Array(list), open.to(close)))
    }
}
