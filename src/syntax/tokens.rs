//! The tokens of a source, for people and tools that want to see what the parser saw.

use std::sync::Arc;

use super::ast::AstBuilder;
use super::lexer::Lexer;
use super::parser::located;
use super::token::TokenKind;
use super::{Kind, Settings};
use crate::base::{Diagnostic, Place, Source, Span};

/// A token as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownToken {
    /// Puppet's name for the kind: `CLASSREF`.
    pub name: &'static str,
    pub text: String,
    pub span: Span,
    pub place: Place,
}

/// The tokens up to the end or to the first error.
#[derive(Debug)]
pub struct Tokens {
    pub list: Vec<ShownToken>,
    pub error: Option<Diagnostic>,
}

/// Lexes one source to its end.
pub fn tokens(source: &Arc<Source>, kind: Kind, settings: Settings) -> Tokens {
    let mut lexer = Lexer::new(source.text(), settings.tasks);
    let mut ast = AstBuilder::new(Arc::clone(source));
    let mut list = Vec::new();
    if kind == Kind::Template
        && let Err(error) = lexer.start_template(&mut ast)
    {
        return Tokens { list, error: Some(located(*error, source)) };
    }
    loop {
        match lexer.next(&mut ast) {
            Ok(token) if token.kind == TokenKind::End => return Tokens { list, error: None },
            Ok(token) => {
                let symbol = token.kind.symbol();
                let text = if symbol.is_empty() { ast.text(token.text) } else { symbol };
                list.push(ShownToken {
                    name: token.kind.puppet_name(),
                    text: text.to_owned(),
                    span: token.span,
                    place: source.place(token.span.start),
                });
            }
            Err(error) => return Tokens { list, error: Some(located(*error, source)) },
        }
    }
}
