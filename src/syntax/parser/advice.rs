//! What a person probably meant where a token cannot stand. Only help texts and further places:
//! the message itself is Puppet's.

use pantin_base::{Diagnostic, Related, Span};

use super::Parser;
use crate::suggest::word_near;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    /// Adds the likely fix to the error for a token that cannot stand where it does.
    pub(super) fn advise(&mut self, error: &mut Diagnostic, token: Token) {
        if let Some((span, word)) = self.slip() {
            error.help = Some(format!("did you mean {word}?"));
            error.related.push(Related { span, note: format!("perhaps {word}") });
        } else if let Some(help) = self.help_for(token) {
            error.help = Some(help);
        }
        if closes(token.kind).is_some()
            && let Some(open) = self.open.last()
            && closes(token.kind) != Some(bracket(open.kind))
        {
            let symbol = open.kind.symbol();
            error.related.push(Related { span: open.span, note: format!("this {symbol} is still open") });
        }
    }

    /// Returns a name among the tokens before that is nearly a word of the language.
    fn slip(&self) -> Option<(Span, &'static str)> {
        self.recent.iter().filter(|token| token.kind == TokenKind::Name).find_map(|token| {
            let word = word_near(self.ast.text(token.text))?;
            Some((token.span, word))
        })
    }

    fn help_for(&mut self, token: Token) -> Option<String> {
        use TokenKind::*;
        let before = self.last_taken().kind;
        let text = self.source_at(token);
        let help = match token.kind {
            End => return None,
            RightBrace | RightParen | RightBracket if before == Semicolon => {
                "a semicolon stands between statements; none ends the last one".to_owned()
            }
            RightBrace if self.open.is_empty() => {
                "no brace is open here: there is one too many, here or above".to_owned()
            }
            RightParen if before == Comma => "remove the comma: none ends the arguments of a method".to_owned(),
            RightBracket if before == Comma => "remove the comma before the ]".to_owned(),
            Other | Pipe if text.starts_with("||") => "write `or` for ||".to_owned(),
            Other if text.starts_with("&&") => "write `and` for &&".to_owned(),
            Other if text.starts_with('“') || text.starts_with('’') || text.starts_with('‘') => {
                "use plain quotes, ' or \"".to_owned()
            }
            Other if text.starts_with('`') => "a string stands in ' or \"".to_owned(),
            Equals if self.in_condition() => "write == to compare".to_owned(),
            Equals if before == Name && self.is_within_braces() => {
                "write => between an attribute and its value".to_owned()
            }
            Equals => "a variable is assigned as $name = value".to_owned(),
            Colon if before == Variable || before == Name => "a pair is written key => value".to_owned(),
            If if before == Else => "write `elsif`".to_owned(),
            _ if self.last_taken_text().is_some_and(is_else_if) => "write `elsif`".to_owned(),
            FatArrow if self.ends_value(before) => return None,
            kind if self.missing_comma(kind, before) => "a comma is missing before this".to_owned(),
            _ => return None,
        };
        Some(help)
    }

    fn is_within_braces(&self) -> bool {
        self.open.last().is_some_and(|open| open.kind == TokenKind::LeftBrace)
    }

    /// Two operands in a row within brackets, or a name where the next pair would begin.
    fn missing_comma(&mut self, kind: TokenKind, before: TokenKind) -> bool {
        let starts_operand = kind == TokenKind::Name
            || kind.is_keyword()
            || matches!(
                kind,
                TokenKind::String
                    | TokenKind::Variable
                    | TokenKind::Number
                    | TokenKind::DoubleStart
                    | TokenKind::TypeName
            );
        starts_operand && self.ends_value(before) && !self.open.is_empty()
    }

    fn ends_value(&self, kind: TokenKind) -> bool {
        kind.ends_operand() || matches!(kind, TokenKind::RightBrace | TokenKind::Undef | TokenKind::Default)
    }

    /// Returns true if the nearest keyword that has no body yet takes a condition.
    fn in_condition(&self) -> bool {
        self.conditions > 0
    }

    fn last_taken_text(&self) -> Option<&str> {
        (self.last_taken().kind == TokenKind::Name).then(|| self.ast.text(self.last_taken().text))
    }

    /// Returns the source from a token on.
    fn source_at(&self, token: Token) -> String {
        let text = self.ast.source_text();
        text.get(token.span.start as usize..).unwrap_or_default().chars().take(2).collect()
    }
}

fn is_else_if(name: &str) -> bool {
    matches!(name, "elseif" | "elif" | "elsf")
}

/// Returns the bracket that a token closes.
fn closes(kind: TokenKind) -> Option<TokenKind> {
    Some(match kind {
        TokenKind::RightBrace => TokenKind::LeftBrace,
        TokenKind::RightBracket => TokenKind::LeftBracket,
        TokenKind::RightParen => TokenKind::LeftParen,
        _ => return None,
    })
}

/// Returns a bracket without the distinctions that the grammar makes.
fn bracket(kind: TokenKind) -> TokenKind {
    match kind {
        TokenKind::SelectorBrace => TokenKind::LeftBrace,
        TokenKind::ListStart => TokenKind::LeftBracket,
        TokenKind::LineParen => TokenKind::LeftParen,
        other => other,
    }
}
