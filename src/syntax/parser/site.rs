//! The `site` statement: environments, categories and layers.
//! It must not know in which file it stands.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::bindings::rule;
use crate::bindings::{Attribute, EnvironmentBody, Layer, Site, SiteItem};
use crate::token::TokenKind;

/// The items of a `site` statement.
const ITEMS: [&str; 5] = ["Environment", "environment", "dynamic_environments", "categories", "bindings"];

impl Parser<'_> {
    /// One statement. `behind_call`: the bare name of a statement function stands before it.
    pub(super) fn statement(&mut self, behind_call: bool) -> Parsed<NodeId> {
        if (self.knows_bindings || self.is_bindings_file) && !behind_call && self.peek()? == TokenKind::Name {
            if self.next_is("site")? && self.begins_site()? {
                return self.site();
            }
            if self.next_is("bindings")? && self.begins_bindings()? {
                if self.knows_definitions && self.open.is_empty() {
                    let start = self.peek_token()?.span;
                    self.binding_definition()?;
                    let span = start.to(self.last_taken().span);
                    return Ok(self.ast.push_bindings(span));
                }
                let span = self.peek_token()?.span;
                let message = "Bindings are defined in files of their own, not in manifests";
                return self.broken(&rule::NOT_HERE, message, span);
            }
        }
        self.assignment()
    }

    /// `site {`, and behind it `}`, a name before a brace, or `bindings =>`.
    fn begins_site(&mut self) -> Parsed<bool> {
        if self.peek_second()? != TokenKind::LeftBrace {
            return Ok(false);
        }
        let third = self.peek_at(2)?;
        Ok(match third.kind {
            TokenKind::RightBrace => true,
            TokenKind::TypeName => self.peek_at(3)?.kind == TokenKind::LeftBrace,
            TokenKind::Name => {
                let fourth = self.peek_at(3)?.kind;
                fourth == TokenKind::LeftBrace
                    || (fourth == TokenKind::FatArrow && self.ast.text(third.text) == "bindings")
            }
            _ => false,
        })
    }

    fn site(&mut self) -> Parsed<NodeId> {
        let start = self.peek_token()?.span;
        if !self.open.is_empty() || self.is_bindings_file {
            return self.broken(&rule::SITE_NOT_TOP, "'site' stands at the top level of a manifest", start);
        }
        self.take()?;
        self.take()?;
        let mut items = Vec::new();
        while self.peek()? != TokenKind::RightBrace {
            items.push(self.site_item()?);
            self.accept(TokenKind::Semicolon)?;
        }
        let end = self.take()?.span;
        Ok(self.ast.push_site(Site { span: start, items }, start.to(end)))
    }

    fn site_item(&mut self) -> Parsed<SiteItem> {
        let token = self.peek_token()?;
        if !matches!(token.kind, TokenKind::Name | TokenKind::TypeName) {
            return self.unexpected();
        }
        let word = self.ast.text(token.text).to_owned();
        let span = token.span;
        match word.as_str() {
            "Environment" => {
                self.take()?;
                self.expect(TokenKind::LeftBrace)?;
                let attributes = self.site_attributes(false)?;
                self.expect(TokenKind::RightBrace)?;
                Ok(SiteItem::Defaults { span, attributes })
            }
            "environment" | "dynamic_environments" => {
                self.take()?;
                let bodies = self.environment_bodies()?;
                Ok(SiteItem::Environments { span, is_dynamic: word != "environment", bodies })
            }
            "categories" => {
                self.take()?;
                self.expect(TokenKind::LeftBrace)?;
                let categories = self.site_attributes(true)?;
                self.expect(TokenKind::RightBrace)?;
                Ok(SiteItem::Categories { span, categories })
            }
            "bindings" => self.layers(span),
            _ => {
                let help = pantin_base::nearest(&word, ITEMS).map(|near| format!("did you mean {near}?"));
                let message = format!("'{word}' is no part of a site");
                Err(Box::new(rule::SITE_WORD.with_help(message, span, help)))
            }
        }
    }

    /// `name => value, …`, up to what is none.
    fn site_attributes(&mut self, may_be_node: bool) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        loop {
            let kind = self.peek()?;
            if kind != TokenKind::Name && !(may_be_node && kind == TokenKind::Node) {
                return Ok(attributes);
            }
            let token = self.take()?;
            let name = self.word_from(token);
            self.expect(TokenKind::FatArrow)?;
            let value = self.expression()?;
            attributes.push(Attribute { name, value });
            if !self.accept(TokenKind::Comma)? {
                return Ok(attributes);
            }
        }
    }

    fn environment_bodies(&mut self) -> Parsed<Vec<EnvironmentBody>> {
        self.expect(TokenKind::LeftBrace)?;
        let mut bodies = Vec::new();
        while self.peek()? != TokenKind::RightBrace {
            let title = self.expression()?;
            self.expect(TokenKind::Colon)?;
            let attributes = self.site_attributes(false)?;
            bodies.push(EnvironmentBody { title, attributes });
            if !self.accept(TokenKind::Semicolon)? {
                break;
            }
        }
        self.expect(TokenKind::RightBrace)?;
        Ok(bodies)
    }

    fn layers(&mut self, span: Span) -> Parsed<SiteItem> {
        self.take()?;
        self.expect(TokenKind::FatArrow)?;
        if !matches!(self.peek()?, TokenKind::LeftBracket | TokenKind::ListStart) {
            return self.unexpected();
        }
        self.take()?;
        let mut layers = Vec::new();
        while self.peek()? != TokenKind::RightBracket {
            self.accept_word("layer", "")?;
            self.expect(TokenKind::LeftBrace)?;
            let title = self.expression()?;
            self.expect(TokenKind::Colon)?;
            let attributes = self.site_attributes(false)?;
            self.expect(TokenKind::RightBrace)?;
            layers.push(Layer { title, attributes });
            if !self.accept(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::RightBracket)?;
        Ok(SiteItem::Layers { span, layers })
    }

    /// Returns true if a node is the bare name of a function that takes what follows as its arguments.
    pub(super) fn is_statement_name(&self, id: NodeId) -> bool {
        matches!(self.ast.node(id), Node::Name(name) if super::calls::is_statement_call(self.ast.text(name)))
    }
}
