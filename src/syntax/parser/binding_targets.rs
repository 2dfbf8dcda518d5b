//! What stands behind `to`: producers, queries, options; and types as bindings write them.
//! It must not know which options an operation takes.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::bindings::rule;
use crate::bindings::{BindOption, Producer, Query, QueryOp, QueryValue, Target};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `to [optional] PRODUCER [in ID] [OPTIONS]`
    pub(super) fn target(&mut self) -> Parsed<Target> {
        let span = self.take()?.span;
        let is_optional = self.accept_word("optional", "")?;
        let producer = self.producer()?;
        self.target_behind(span, is_optional, producer)
    }

    /// The same, where a bare name is a class.
    pub(super) fn parameters_target(&mut self) -> Parsed<Target> {
        let span = self.take()?.span;
        let is_optional = self.accept_word("optional", "")?;
        let is_class =
            self.peek()? == TokenKind::Name && !self.is_producer_word()? && self.peek_second()? != TokenKind::LeftParen;
        let producer = match is_class {
            true => {
                let token = self.take()?;
                Producer::Class(self.word_from(token))
            }
            false => self.producer()?,
        };
        self.target_without_id(span, is_optional, producer)
    }

    /// `to [optional] PRODUCER [OPTIONS]`
    pub(super) fn variables_target(&mut self) -> Parsed<Target> {
        let span = self.take()?.span;
        let is_optional = self.accept_word("optional", "")?;
        let producer = self.producer()?;
        self.target_without_id(span, is_optional, producer)
    }

    /// What contributes to no multibind.
    fn target_without_id(&mut self, span: Span, is_optional: bool, producer: Producer) -> Parsed<Target> {
        let options = self.bind_options()?;
        Ok(Target { span, is_optional, producer, multibind: None, options })
    }

    fn target_behind(&mut self, span: Span, is_optional: bool, producer: Producer) -> Parsed<Target> {
        let token = self.peek_token()?;
        let is_in =
            token.kind == TokenKind::In || (token.kind == TokenKind::TypeName && self.ast.text(token.text) == "IN");
        let multibind = match is_in {
            true => {
                self.take()?;
                Some(self.literal_name()?)
            }
            false => None,
        };
        let options = self.bind_options()?;
        Ok(Target { span, is_optional, producer, multibind, options })
    }

    fn is_producer_word(&mut self) -> Parsed<bool> {
        Ok(self.next_is("producer")?
            && matches!(self.peek_second()?, TokenKind::String | TokenKind::TypeName | TokenKind::Class))
    }

    fn producer(&mut self) -> Parsed<Producer> {
        if self.is_producer_word()? {
            self.take()?;
            return Ok(match self.peek()? {
                TokenKind::String => Producer::Named(self.literal_name()?),
                _ => Producer::New(self.binding_type()?),
            });
        }
        match self.peek()? {
            TokenKind::TypeName if self.begins_query()? => self.query_producer(),
            TokenKind::TypeName => {
                let left = self.binding_type()?;
                match self.peek()? {
                    TokenKind::LeftParen | TokenKind::Dot => Ok(Producer::Expression(self.operand_behind(left)?)),
                    _ => {
                        self.check_no_operator()?;
                        Ok(Producer::Type(left))
                    }
                }
            }
            TokenKind::Class if self.peek_second()? == TokenKind::Name => Ok(Producer::Type(self.binding_type()?)),
            _ => Ok(Producer::Expression(self.binding_operand()?)),
        }
    }

    fn begins_query(&mut self) -> Parsed<bool> {
        Ok(matches!(self.peek_second()?, TokenKind::LeftBracket | TokenKind::ListStart)
            && self.peek_at(2)?.kind == TokenKind::Question)
    }

    // ---- operands

    /// Returns what stands between operators, with what may follow it.
    pub(super) fn binding_operand(&mut self) -> Parsed<NodeId> {
        let token = self.peek_token()?;
        match token.kind {
            TokenKind::Name if self.peek_second()? == TokenKind::LeftParen => {}
            TokenKind::Name | TokenKind::Word => {
                let word = self.token_source(token);
                return self.broken(
                    &rule::BARE_WORD,
                    format!("A value is expected, got the word '{word}'"),
                    token.span,
                );
            }
            TokenKind::Not | TokenKind::Star => return self.refuse_operator(),
            TokenKind::Minus if self.peek_second()? != TokenKind::Number => return self.refuse_operator(),
            TokenKind::Define
            | TokenKind::Node
            | TokenKind::Function
            | TokenKind::Class
            | TokenKind::Plan
            | TokenKind::Apply => return self.broken(&rule::STATEMENT, "Nothing can be declared here", token.span),
            TokenKind::At | TokenKind::AtAt => {
                return self.broken(&rule::STATEMENT, "Nothing can be declared here", token.span);
            }
            _ => {}
        }
        let left = match token.kind {
            TokenKind::Minus => self.negative_number()?,
            _ => self.nested(Self::operand)?,
        };
        self.operand_behind(left)
    }

    /// `-` before a number alone: what follows belongs to the operand as a whole.
    fn negative_number(&mut self) -> Parsed<NodeId> {
        let span = self.take()?.span;
        let operand = self.operand()?;
        Ok(self.ast.push(Node::Unary { op: crate::ast::UnaryOp::Minus, operand }, span))
    }

    /// `[…]`, `.name(…)` and the arguments of a call behind an operand.
    fn operand_behind(&mut self, mut left: NodeId) -> Parsed<NodeId> {
        loop {
            left = match self.peek()? {
                TokenKind::LeftParen => self.call(left)?,
                TokenKind::Dot => self.method_call(left)?,
                TokenKind::LeftBracket => self.access(left)?,
                _ => {
                    self.check_no_operator()?;
                    return Ok(left);
                }
            };
        }
    }

    fn check_no_operator(&mut self) -> Parsed<()> {
        use TokenKind::*;
        match self.peek()? {
            Plus | Minus | Star | Slash | Percent | ShiftLeft | ShiftRight | IsEqual | NotEqual | Less | LessEqual
            | Greater | GreaterEqual | Match | NoMatch | And | Or | Question | Equals | Appends | Deletes | Before
            | Notify | Require | Subscribe => self.refuse_operator(),
            CollectStart | ExportedStart => {
                let span = self.peek_token()?.span;
                self.broken(&rule::STATEMENT, "Nothing can be declared here", span)
            }
            _ => Ok(()),
        }
    }

    fn refuse_operator<T>(&mut self) -> Parsed<T> {
        let span = self.peek_token()?.span;
        self.broken(&rule::OPERATOR, "An expression with an operator stands in parentheses", span)
    }

    // ---- types

    /// `class NAME`, or a type with arguments in which that is an operand.
    pub(super) fn binding_type(&mut self) -> Parsed<NodeId> {
        let start = self.peek_token()?;
        if start.kind == TokenKind::Class {
            return self.class_type();
        }
        let name = self.expect(TokenKind::TypeName)?;
        let left = self.ast.push(Node::TypeName(name.text), name.span);
        if self.peek()? != TokenKind::LeftBracket {
            return Ok(left);
        }
        self.take()?;
        self.type_arguments += 1;
        let keys = self.access_keys();
        self.type_arguments -= 1;
        let keys = keys?;
        self.accept(TokenKind::Comma)?;
        let close = self.expect(TokenKind::RightBracket)?.span;
        Ok(self.ast.push(Node::Access { left, keys }, name.span.to(close)))
    }

    /// `class NAME` as `Class[NAME]`.
    pub(super) fn class_type(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let name = self.expect(TokenKind::Name)?;
        let class = self.ast.push_text("Class");
        let left = self.ast.push(Node::TypeName(class), start);
        let key = self.ast.push(Node::Name(name.text), name.span);
        let keys = self.ast.push_list(&[key]);
        Ok(self.ast.push(Node::Access { left, keys }, start.to(name.span)))
    }

    // ---- queries

    fn query_producer(&mut self) -> Parsed<Producer> {
        let name = self.take()?;
        let type_name = self.word_from(name);
        self.take()?;
        self.expect(TokenKind::Question)?;
        self.expect(TokenKind::Question)?;
        let query = match self.peek()? {
            TokenKind::RightBracket => None,
            _ => Some(self.nested(Self::query_alternatives)?),
        };
        self.expect(TokenKind::RightBracket)?;
        Ok(Producer::Query { type_name, query })
    }

    fn query_alternatives(&mut self) -> Parsed<Query> {
        let mut parts = vec![self.query_conjunction()?];
        while self.accept(TokenKind::Or)? {
            parts.push(self.query_conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Query::Or(parts) })
    }

    fn query_conjunction(&mut self) -> Parsed<Query> {
        let mut parts = vec![self.query_negation()?];
        while self.accept(TokenKind::And)? {
            parts.push(self.query_negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Query::And(parts) })
    }

    fn query_negation(&mut self) -> Parsed<Query> {
        let is_not = match self.peek()? {
            TokenKind::Not => true,
            // Before an operator `not` is a name.
            TokenKind::Name => {
                self.next_is("not")?
                    && matches!(self.peek_second()?, TokenKind::Name | TokenKind::LeftParen | TokenKind::LineParen)
            }
            _ => false,
        };
        if is_not {
            self.take()?;
            let inner = self.query_primary()?;
            return Ok(Query::Not(Box::new(inner)));
        }
        self.query_primary()
    }

    fn query_primary(&mut self) -> Parsed<Query> {
        if matches!(self.peek()?, TokenKind::LeftParen | TokenKind::LineParen) {
            self.take()?;
            let inner = self.nested(Self::query_alternatives)?;
            self.expect(TokenKind::RightParen)?;
            return Ok(inner);
        }
        let name = self.expect(TokenKind::Name)?;
        let name = self.word_from(name);
        let op = self.query_operator()?;
        let value = self.query_value()?;
        Ok(Query::Compare { name, op, value })
    }

    fn query_operator(&mut self) -> Parsed<QueryOp> {
        let token = self.peek_token()?;
        let op = match token.kind {
            TokenKind::IsEqual => QueryOp::Equal,
            TokenKind::NotEqual => QueryOp::NotEqual,
            TokenKind::Less => QueryOp::Less,
            TokenKind::Greater => QueryOp::Greater,
            TokenKind::LessEqual => QueryOp::LessEqual,
            TokenKind::GreaterEqual => QueryOp::GreaterEqual,
            TokenKind::Match => QueryOp::Match,
            TokenKind::NoMatch => QueryOp::NoMatch,
            TokenKind::Tilde => {
                let op = match self.peek_second()? {
                    TokenKind::Equals => QueryOp::Match,
                    TokenKind::Not => QueryOp::NoMatch,
                    _ => return self.unknown_query_operator(),
                };
                self.take()?;
                op
            }
            TokenKind::End => return self.unexpected(),
            _ => return self.unknown_query_operator(),
        };
        self.take()?;
        Ok(op)
    }

    fn unknown_query_operator<T>(&mut self) -> Parsed<T> {
        let token = self.peek_token()?;
        let message = format!("Unknown operator '{}' in a query", self.token_source(token));
        self.broken(&rule::QUERY, message, token.span)
    }

    fn query_value(&mut self) -> Parsed<QueryValue> {
        let token = self.peek_token()?;
        Ok(match token.kind {
            TokenKind::Name if self.peek_second()? != TokenKind::LeftParen => {
                let token = self.take()?;
                QueryValue::Word(self.word_from(token))
            }
            TokenKind::TypeName | TokenKind::Class => {
                let left = self.binding_type()?;
                QueryValue::Expression(self.query_operand_behind(left)?)
            }
            TokenKind::Minus => {
                let left = self.negative_number()?;
                QueryValue::Expression(self.query_operand_behind(left)?)
            }
            _ => {
                let left = self.nested(Self::operand)?;
                QueryValue::Expression(self.query_operand_behind(left)?)
            }
        })
    }

    /// Like `operand_behind`; `and` and `or` belong to the query.
    fn query_operand_behind(&mut self, mut left: NodeId) -> Parsed<NodeId> {
        loop {
            left = match self.peek()? {
                TokenKind::LeftParen => self.call(left)?,
                TokenKind::Dot => self.method_call(left)?,
                TokenKind::LeftBracket => self.access(left)?,
                _ => return Ok(left),
            };
        }
    }

    // ---- options

    pub(super) fn bind_options(&mut self) -> Parsed<Vec<BindOption>> {
        let mut options = Vec::new();
        if !self.accept(TokenKind::LeftBrace)? {
            return Ok(options);
        }
        while self.peek()? != TokenKind::RightBrace {
            let name = self.expect(TokenKind::Name)?;
            let name = self.word_from(name);
            self.expect(TokenKind::FatArrow)?;
            let value = match self.peek()? {
                TokenKind::Pipe => self.lambda()?,
                _ => self.expression()?,
            };
            options.push(BindOption { name, value });
            if !self.accept(TokenKind::Comma)? {
                break;
            }
        }
        if options.is_empty() {
            return self.unexpected();
        }
        self.expect(TokenKind::RightBrace)?;
        Ok(options)
    }
}
