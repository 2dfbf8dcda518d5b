//! The tokens of a source, for people and tools that want to see what the parser saw.

use std::sync::Arc;

use pantin_base::{Diagnostic, Place, Places, Source, Span};

use super::ast::AstBuilder;
use super::lexer::Lexer;
use super::parser::located;
use super::token::{Token, TokenKind};
use super::{Settings, SourceKind};

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
pub fn tokens(source: &Arc<Source>, kind: SourceKind, settings: Settings) -> Tokens {
    let mut list = Vec::new();
    let error = each_token(source, kind, settings, |token, ast| {
        let symbol = token.kind.symbol();
        let text = if symbol.is_empty() { ast.text(token.text) } else { symbol };
        list.push(ShownToken {
            name: token.kind.puppet_name(),
            text: text.to_owned(),
            span: token.span,
            place: source.place(token.span.start),
        });
    })
    .err()
    .map(|error| *error);
    Tokens { list, error }
}

/// Returns how many tokens a source has, up to its end or to the first error.
pub fn count_tokens(source: &Arc<Source>, kind: SourceKind, settings: Settings) -> usize {
    let mut count = 0;
    // The count is the answer; an error is the parser's to tell.
    let _ = each_token(source, kind, settings, |_, _| count += 1);
    count
}

fn each_token(
    source: &Arc<Source>,
    kind: SourceKind,
    settings: Settings,
    mut visit: impl FnMut(Token, &AstBuilder),
) -> Result<(), Box<Diagnostic>> {
    let mut lexer = Lexer::new(source.text(), settings.tasks);
    let mut ast = AstBuilder::new(Arc::clone(source));
    let locate = |error: Box<Diagnostic>| Box::new(located(*error, &mut Places::from_source(source)));
    if kind == SourceKind::Template {
        lexer.start_template(&mut ast).map_err(locate)?;
    }
    loop {
        let token = lexer.next(&mut ast).map_err(locate)?;
        if token.kind == TokenKind::End {
            return Ok(());
        }
        visit(token, &ast);
    }
}
