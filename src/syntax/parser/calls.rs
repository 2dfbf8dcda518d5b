//! Statements in sequence, and the calls among them that need no parentheses.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::issue::Issue;
use crate::token::TokenKind;

/// One syntactic statement: an expression, or several with commas between them.
enum Statement {
    Single(NodeId),
    List { items: Vec<NodeId>, first_comma: Span },
}

/// Returns the functions that may be called as a statement without parentheses.
pub(super) fn is_statement_call(name: &str) -> bool {
    matches!(
        name,
        "require"
            | "realize"
            | "include"
            | "contain"
            | "tag"
            | "debug"
            | "info"
            | "notice"
            | "warning"
            | "err"
            | "fail"
            | "import"
            | "break"
            | "next"
            | "return"
    )
}

impl Parser<'_> {
    /// One or more statements.
    pub(super) fn statements(&mut self) -> Parsed<Vec<NodeId>> {
        let first = self.statement(false)?;
        self.statements_behind(first)
    }

    /// The statements that begin with an expression that has been read.
    pub(super) fn statements_behind(&mut self, first: NodeId) -> Parsed<Vec<NodeId>> {
        let mut done = Vec::new();
        let mut pending = vec![self.statement_behind(first)?];
        loop {
            if self.accept(TokenKind::Semicolon)? || starts_statement(self.peek()?) {
                let behind_call = match pending.last() {
                    Some(Statement::Single(last)) => self.is_statement_name(*last),
                    _ => false,
                };
                let next = self.statement(behind_call)?;
                pending.push(self.statement_behind(next)?);
            } else {
                break;
            }
        }
        for statement in pending {
            self.add_statement(&mut done, statement)?;
        }
        Ok(done)
    }

    /// No statement, or several, up to what cannot start one.
    pub(super) fn optional_statements(&mut self) -> Parsed<Option<Vec<NodeId>>> {
        Ok(if starts_statement(self.peek()?) { Some(self.statements()?) } else { None })
    }

    /// `{ statements }`, as a block that has its container's position.
    pub(super) fn body(&mut self) -> Parsed<(Option<Vec<NodeId>>, Span)> {
        let open = self.expect(TokenKind::LeftBrace)?.span;
        let statements = if self.peek()? == TokenKind::RightBrace { None } else { Some(self.statements()?) };
        let close = self.expect(TokenKind::RightBrace)?.span;
        Ok((statements, open.to(close)))
    }

    fn statement_behind(&mut self, first: NodeId) -> Parsed<Statement> {
        if self.peek()? != TokenKind::Comma {
            return Ok(Statement::Single(first));
        }
        let first_comma = self.peek_token()?.span;
        let mut items = vec![first];
        while self.accept(TokenKind::Comma)? {
            items.push(self.assignment()?);
        }
        Ok(Statement::List { items, first_comma })
    }

    /// Adds a statement; behind the name of a statement function it becomes its arguments.
    fn add_statement(&mut self, done: &mut Vec<NodeId>, statement: Statement) -> Parsed<()> {
        if let Some(last) = done.last_mut()
            && let Node::Name(name) = self.ast.node(*last)
            && is_statement_call(self.ast.text(name))
        {
            let args = match &statement {
                Statement::Single(single) => std::slice::from_ref(single),
                Statement::List { items, .. } => items,
            };
            let functor = *last;
            let end = args.last().map_or(functor, |arg| *arg);
            let span = self.ast.span(functor).to(self.ast.span(end));
            let args = self.ast.push_list(args);
            *last = self.ast.push(Node::Call { functor, args, lambda: None, wants_value: false }, span);
            return Ok(());
        }
        match statement {
            Statement::Single(single) => {
                if let Node::Call { functor, args, lambda, .. } = self.ast.node(single) {
                    self.ast.replace(single, Node::Call { functor, args, lambda, wants_value: false });
                }
                done.push(single);
                Ok(())
            }
            Statement::List { first_comma, .. } => {
                let name = done.last().and_then(|&last| match self.ast.node(last) {
                    Node::Name(name) => Some(self.ast.text(name).to_owned()),
                    _ => None,
                });
                let issue = match name {
                    Some(name) => Issue::ArgumentsToNonCall { name },
                    None => Issue::IllegalArgumentList,
                };
                self.issue_at(issue, first_comma)
            }
        }
    }

    /// `name { a => b }`: what looks like a resource without a title may be a call with a hash.
    /// Otherwise it stays a name and a hash, which validation explains.
    pub(super) fn name_with_hash(&mut self, name: NodeId, hash: NodeId, span: Span) -> Parsed<NodeId> {
        let mut done = Vec::new();
        self.add_statement(&mut done, Statement::Single(name))?;
        self.add_statement(&mut done, Statement::Single(hash))?;
        Ok(match done[..] {
            [single] => {
                self.ast.set_span(single, span);
                single
            }
            _ => self.block(&done, span),
        })
    }
}

/// Returns true if a token can start a statement, or what is one to the grammar.
fn starts_statement(kind: TokenKind) -> bool {
    use TokenKind::*;
    match kind {
        Case | Class | Default | Define | If | Node | Undef | False | True | Unless | Function | Type | Attr
        | Private | Plan | Apply => true,
        Elsif | Else | Inherits | And | Or | In => false,
        Name | Word | TypeName | Variable | Number | String | Regex | DoubleStart | Heredoc => true,
        ListStart | LeftBracket | LeftBrace | LeftParen | LineParen => true,
        Minus | Star | Not | At | AtAt => true,
        RenderString | RenderStart => true,
        _ => false,
    }
}
