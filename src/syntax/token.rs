//! Tokens: what the lexer gives and the parser takes.

use super::ast::Text;
use crate::base::Span;

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// Where it stands in the file, also for a token inside a heredoc.
    pub span: Span,
    /// Its value where it has one of its own: a name, a number, a string without its quotes.
    pub text: Text,
}

macro_rules! tokens {
    ($( $kind:ident = $symbol:literal ),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum TokenKind { $($kind),* }

        impl TokenKind {
            /// The text of a token that is always the same; empty for the others.
            pub fn symbol(self) -> &'static str {
                match self { $( TokenKind::$kind => $symbol ),* }
            }
        }
    };
}

tokens! {
    // Keywords; the order matters to `is_keyword`.
    Case = "case", Class = "class", Default = "default", Define = "define", If = "if", Elsif = "elsif",
    Else = "else", Inherits = "inherits", Node = "node", And = "and", Or = "or", Undef = "undef",
    False = "false", True = "true", In = "in", Unless = "unless", Function = "function", Type = "type",
    Attr = "attr", Private = "private", Plan = "plan", Apply = "apply",
    // Words and literals.
    Name = "", Word = "", TypeName = "", Variable = "", Number = "", String = "", Regex = "",
    DoubleStart = "", DoubleMiddle = "", DoubleEnd = "", Heredoc = "",
    // Brackets. A list starts after white space, an access does not; a parenthesis that is first
    // on its line does not start a call; a brace after `?` starts a selector.
    ListStart = "[", LeftBracket = "[", RightBracket = "]", LeftBrace = "{", SelectorBrace = "{",
    RightBrace = "}", LeftParen = "(", LineParen = "(", RightParen = ")",
    // Operators.
    Equals = "=", Appends = "+=", Deletes = "-=", IsEqual = "==", NotEqual = "!=", Match = "=~",
    NoMatch = "!~", GreaterEqual = ">=", Greater = ">", LessEqual = "<=", Less = "<", FatArrow = "=>",
    PlusArrow = "+>", ShiftLeft = "<<", ShiftRight = ">>", CollectStart = "<|", CollectEnd = "|>",
    ExportedStart = "<<|", ExportedEnd = "|>>", Plus = "+", Minus = "-", Slash = "/", Star = "*",
    Percent = "%", Not = "!", Dot = ".", Pipe = "|", At = "@", AtAt = "@@", Colon = ":", Comma = ",",
    Semicolon = ";", Question = "?", Tilde = "~", Before = "->", Notify = "~>", Require = "<-",
    Subscribe = "<~",
    // Templates.
    EppStart = "", RenderString = "", RenderStart = "", RenderEnd = "%>", RenderEndTrim = "-%>",
    // A character that starts nothing, and the end.
    Other = "", End = "",
}

impl TokenKind {
    /// Whether it is a word that the language keeps for itself, `true` and `false` included.
    pub fn is_keyword(self) -> bool {
        (self as u8) <= TokenKind::Apply as u8
    }

    /// Whether a `/` after this token divides, rather than starting a regular expression.
    pub(super) fn ends_operand(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            RightParen
                | RightBracket
                | ExportedEnd
                | CollectEnd
                | Name
                | TypeName
                | Number
                | String
                | True
                | False
                | DoubleStart
                | DoubleMiddle
                | DoubleEnd
                | Heredoc
                | Regex
                | Variable
                | Word
        )
    }
}

/// The keyword a name is, if it is one.
pub(super) fn keyword(name: &str, tasks: bool) -> Option<TokenKind> {
    use TokenKind::*;
    let kind = match name.len() {
        2 => match name {
            "if" => If,
            "in" => In,
            "or" => Or,
            _ => return None,
        },
        3 if name == "and" => And,
        4 => match name {
            "case" => Case,
            "else" => Else,
            "node" => Node,
            "true" => True,
            "type" => Type,
            "attr" => Attr,
            "plan" if tasks => Plan,
            _ => return None,
        },
        5 => match name {
            "class" => Class,
            "elsif" => Elsif,
            "undef" => Undef,
            "false" => False,
            "apply" if tasks => Apply,
            _ => return None,
        },
        6 => match name {
            "define" => Define,
            "unless" => Unless,
            _ => return None,
        },
        7 => match name {
            "default" => Default,
            "private" => Private,
            _ => return None,
        },
        8 => match name {
            "inherits" => Inherits,
            "function" => Function,
            _ => return None,
        },
        _ => return None,
    };
    Some(kind)
}
