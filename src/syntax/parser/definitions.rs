//! Classes, defines, functions, plans, nodes and types.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Definition, DefinitionKind, List, Node, NodeId, Text};
use crate::issue::Issue;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    pub(super) fn class(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let name = self.definition_name()?;
        self.namespace.push(name.text);
        let params = self.parameter_list()?;
        let parent = self.class_parent()?;
        let (statements, braces) = self.body()?;
        self.namespace.pop();
        let name = self.qualified_name(name.text);
        let body = self.definition_body(statements, start);
        let params = self.ast.push_list(&params);
        let definition = Definition { kind: DefinitionKind::Class, name, params, parent, returns: None, body };
        Ok(self.ast.push_definition(definition, start.to(braces)))
    }

    /// `inherits name`, or nothing.
    fn class_parent(&mut self) -> Parsed<Option<Text>> {
        if !self.accept(TokenKind::Inherits)? {
            return Ok(None);
        }
        let name = if self.peek()? == TokenKind::Default { self.take()? } else { self.definition_name()? };
        Ok(Some(name.text))
    }

    pub(super) fn define(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let name = self.definition_name()?;
        let params = self.parameter_list()?;
        let (statements, braces) = self.body()?;
        let name = self.qualified_name(name.text);
        self.finish_definition(DefinitionKind::Define, name, &params, None, statements, start.to(braces))
    }

    pub(super) fn plan(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let name = self.definition_name()?;
        self.namespace.push(name.text);
        let params = self.parameter_list()?;
        let (statements, braces) = self.body()?;
        self.namespace.pop();
        let name = self.qualified_name(name.text);
        self.finish_definition(DefinitionKind::Plan, name, &params, None, statements, start.to(braces))
    }

    /// Parses a function, whose name does not get the namespace around it.
    pub(super) fn function(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let name = self.definition_name()?;
        let params = self.parameter_list()?;
        let returns = self.return_type()?;
        let (statements, braces) = self.body()?;
        self.finish_definition(DefinitionKind::Function, name.text, &params, returns, statements, start.to(braces))
    }

    fn finish_definition(
        &mut self,
        kind: DefinitionKind,
        name: Text,
        params: &[NodeId],
        returns: Option<NodeId>,
        statements: Option<Vec<NodeId>>,
        span: Span,
    ) -> Parsed<NodeId> {
        let body = self.definition_body(statements, span);
        let params = self.ast.push_list(params);
        let definition = Definition { kind, name, params, parent: None, returns, body };
        Ok(self.ast.push_definition(definition, span))
    }

    /// A body is a block even where it holds one statement; it has no position of its own.
    pub(super) fn definition_body(&mut self, statements: Option<Vec<NodeId>>, container: Span) -> Option<NodeId> {
        statements.map(|statements| self.block(&statements, Span::new(container.start, 0)))
    }

    /// The name of what is defined. Two mistakes get words of their own.
    fn definition_name(&mut self) -> Parsed<Token> {
        match self.peek()? {
            TokenKind::Name | TokenKind::Word | TokenKind::TypeName => self.take(),
            TokenKind::Class => {
                let span = self.take()?.span;
                self.issue_at(Issue::ClassKeywordAsName, span)
            }
            TokenKind::String => {
                let span = self.take()?.span;
                self.issue_at(Issue::QuotedStringAsName, span)
            }
            _ => self.unexpected(),
        }
    }

    /// Returns a name within the classes around it.
    fn qualified_name(&mut self, name: Text) -> Text {
        if self.namespace.is_empty() {
            return name;
        }
        let outer: Vec<&str> = self.namespace.iter().map(|&part| self.ast.text(part)).collect();
        let qualified = format!("{}::{}", outer.join("::"), self.ast.text(name));
        // The real parser puts `::` before everything and takes one pair off again.
        let qualified = qualified.strip_prefix("::").unwrap_or(&qualified).to_owned();
        self.ast.push_text(&qualified)
    }

    /// `node host, host { statements }`
    pub(super) fn node_definition(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        let mut hosts = vec![self.hostname()?];
        while self.accept(TokenKind::Comma)? {
            if matches!(self.peek()?, TokenKind::LeftBrace | TokenKind::Inherits) {
                break;
            }
            hosts.push(self.hostname()?);
        }
        let parent = if self.accept(TokenKind::Inherits)? { Some(self.hostname()?) } else { None };
        let (statements, braces) = self.body()?;
        let body = self.definition_body(statements, start);
        let hosts = self.ast.push_list(&hosts);
        Ok(self.ast.push(Node::NodeDefinition { hosts, parent, body }, start.to(braces)))
    }

    fn hostname(&mut self) -> Parsed<NodeId> {
        match self.peek()? {
            TokenKind::Name | TokenKind::Number => self.dotted_name(),
            TokenKind::String | TokenKind::Word | TokenKind::DoubleStart | TokenKind::Heredoc => self.quoted_text(),
            TokenKind::Default => {
                let token = self.take()?;
                Ok(self.ast.push(Node::Default, token.span))
            }
            TokenKind::Regex => {
                let token = self.take()?;
                Ok(self.ast.push(Node::Regex(token.text), token.span))
            }
            _ => self.unexpected(),
        }
    }

    /// `a.b.c` as one string.
    fn dotted_name(&mut self) -> Parsed<NodeId> {
        let first = self.take()?;
        let (mut text, mut span) = (first.text, first.span);
        while self.accept(TokenKind::Dot)? {
            if !matches!(self.peek()?, TokenKind::Name | TokenKind::Number) {
                return self.unexpected();
            }
            let next = self.take()?;
            let joined = format!("{}.{}", self.ast.text(text), self.ast.text(next.text));
            text = self.ast.push_text(&joined);
            span = span.to(next.span);
        }
        Ok(self.ast.push(Node::String(text), span))
    }

    /// `type(…)`, which is a call, or the definition of a type.
    pub(super) fn type_or_call(&mut self) -> Parsed<NodeId> {
        let start = self.take()?;
        match self.peek()? {
            TokenKind::LeftParen => {
                let functor = self.ast.push(Node::Name(start.text), start.span);
                self.call(functor)
            }
            TokenKind::TypeName => match self.peek_second()? {
                TokenKind::LeftBrace | TokenKind::Inherits => self.type_definition(start.span),
                _ => self.type_alias(),
            },
            _ => self.unexpected(),
        }
    }

    /// `Name inherits Parent { statements }` behind `type`.
    fn type_definition(&mut self, start: Span) -> Parsed<NodeId> {
        let name = self.take()?.text;
        let parent =
            if self.accept(TokenKind::Inherits)? { Some(self.expect(TokenKind::TypeName)?.text) } else { None };
        let (statements, braces) = self.body()?;
        let body = self.definition_body(statements, start);
        Ok(self.ast.push(Node::TypeDefinition { name, parent, body }, start.to(braces)))
    }

    /// `Name = Type` behind `type`. The real node starts at the name.
    fn type_alias(&mut self) -> Parsed<NodeId> {
        let left = self.type_expression()?;
        let start = self.ast.span(left);
        self.expect(TokenKind::Equals)?;
        let container = Span::new(start.start, 0);
        let right = match self.peek()? {
            TokenKind::TypeName => self.aliased_type(container)?,
            TokenKind::LeftBrace => {
                let hash = self.hash()?;
                // A type mapping keeps the hash; an alias makes an object type of it.
                match self.ast.node(left) {
                    Node::TypeName(_) => self.object_type(hash, container),
                    _ => hash,
                }
            }
            TokenKind::ListStart | TokenKind::LeftBracket => self.array()?,
            _ => return self.unexpected(),
        };
        let node = match self.ast.node(left) {
            Node::TypeName(name) => Node::TypeAlias { name, type_expr: right },
            _ => Node::TypeMapping { type_expr: left, mapping: right },
        };
        Ok(self.ast.push(node, start.to(self.last_taken().span)))
    }

    /// `Parent { … }`, `Type[…]` or `Type`.
    fn aliased_type(&mut self, container: Span) -> Parsed<NodeId> {
        let name = self.take()?;
        let type_name = self.ast.push(Node::TypeName(name.text), name.span);
        match self.peek()? {
            TokenKind::LeftBrace => {
                let hash = self.hash()?;
                Ok(self.inheriting_type(type_name, hash, container))
            }
            TokenKind::LeftBracket => {
                self.take()?;
                let keys = self.access_keys()?;
                self.accept(TokenKind::Comma)?;
                self.expect(TokenKind::RightBracket)?;
                Ok(self.ast.push(Node::Access { left: type_name, keys }, container))
            }
            _ => Ok(type_name),
        }
    }

    /// `Object[{ …, parent => Parent }]`; `Object` and `TypeSet` take the hash themselves.
    fn inheriting_type(&mut self, parent: NodeId, hash: NodeId, container: Span) -> NodeId {
        let Node::TypeName(name) = self.ast.node(parent) else { return hash };
        if matches!(self.ast.text(name), "Object" | "TypeSet") {
            let keys = self.ast.push_list(&[hash]);
            return self.ast.push(Node::Access { left: parent, keys }, container);
        }
        let Node::Hash(entries) = self.ast.node(hash) else { return hash };
        let at_hash = Span::new(self.ast.span(hash).start, 0);
        let key_text = self.ast.push_text("parent");
        let key = self.ast.push(Node::Name(key_text), at_hash);
        let entry = self.ast.push(Node::Entry { key, value: parent }, at_hash);
        let mut all = self.ast.list(entries).to_vec();
        all.push(entry);
        let entries = self.ast.push_list(&all);
        let span = self.ast.span(hash);
        let hash = self.ast.push(Node::Hash(entries), span);
        self.object_type(hash, container)
    }

    fn object_type(&mut self, hash: NodeId, container: Span) -> NodeId {
        let name = self.ast.push_text("Object");
        let left = self.ast.push(Node::TypeName(name), container);
        let keys = self.ast.push_list(&[hash]);
        self.ast.push(Node::Access { left, keys }, container)
    }

    /// `apply(targets) { statements }`
    pub(super) fn apply(&mut self) -> Parsed<NodeId> {
        let start = self.take()?.span;
        self.expect(TokenKind::LeftParen)?;
        let args = self.arguments()?;
        self.accept(TokenKind::Comma)?;
        self.expect(TokenKind::RightParen)?;
        let (statements, braces) = self.body()?;
        let statements = statements.unwrap_or_default();
        let list = if statements.is_empty() { List::EMPTY } else { self.ast.push_list(&statements) };
        let body = self.ast.push(Node::ApplyBlock(list), Span::new(start.start, 0));
        Ok(self.ast.push(Node::Apply { args, body }, start.to(braces)))
    }
}
