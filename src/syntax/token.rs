//! Tokens: what the lexer gives and the parser takes.

use pantin_base::Span;

use super::ast::Text;

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// Where it stands in the file, also for a token inside a heredoc.
    pub span: Span,
    /// Its value where it has one of its own: a name, a number, a string without its quotes.
    pub text: Text,
}

macro_rules! tokens {
    ($( $kind:ident = $symbol:literal $puppet:literal ),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum TokenKind { $($kind),* }

        impl TokenKind {
            /// Returns the text of a token that is always the same; empty for the others.
            pub fn symbol(self) -> &'static str {
                match self { $( TokenKind::$kind => $symbol ),* }
            }

            /// Puppet's own name for it.
            pub fn puppet_name(self) -> &'static str {
                match self { $( TokenKind::$kind => $puppet ),* }
            }
        }
    };
}

tokens! {
    // Keywords; the order matters to `is_keyword`.
    Case = "case" "CASE", Class = "class" "CLASS", Default = "default" "DEFAULT", Define = "define" "DEFINE",
    If = "if" "IF", Elsif = "elsif" "ELSIF", Else = "else" "ELSE", Inherits = "inherits" "INHERITS",
    Node = "node" "NODE", And = "and" "AND", Or = "or" "OR", Undef = "undef" "UNDEF", False = "false" "BOOLEAN",
    True = "true" "BOOLEAN", In = "in" "IN", Unless = "unless" "UNLESS", Function = "function" "FUNCTION",
    Type = "type" "TYPE", Attr = "attr" "ATTR", Private = "private" "PRIVATE", Plan = "plan" "PLAN",
    Apply = "apply" "APPLY",
    // Words and literals.
    Name = "" "NAME", Word = "" "WORD", TypeName = "" "CLASSREF", Variable = "" "VARIABLE", Number = "" "NUMBER",
    String = "" "STRING", Regex = "" "REGEX", DoubleStart = "" "DQPRE", DoubleMiddle = "" "DQMID",
    DoubleEnd = "" "DQPOST", Heredoc = "" "HEREDOC",
    // Brackets. A list starts after white space, an access does not; a parenthesis that is first
    // on its line does not start a call; a brace after `?` starts a selector.
    ListStart = "[" "LISTSTART", LeftBracket = "[" "LBRACK", RightBracket = "]" "RBRACK", LeftBrace = "{" "LBRACE",
    SelectorBrace = "{" "SELBRACE", RightBrace = "}" "RBRACE", LeftParen = "(" "LPAREN", LineParen = "(" "WSLPAREN",
    RightParen = ")" "RPAREN",
    // Operators.
    Equals = "=" "EQUALS", Appends = "+=" "APPENDS", Deletes = "-=" "DELETES", IsEqual = "==" "ISEQUAL",
    NotEqual = "!=" "NOTEQUAL", Match = "=~" "MATCH", NoMatch = "!~" "NOMATCH", GreaterEqual = ">=" "GREATEREQUAL",
    Greater = ">" "GREATERTHAN", LessEqual = "<=" "LESSEQUAL", Less = "<" "LESSTHAN", FatArrow = "=>" "FARROW",
    PlusArrow = "+>" "PARROW", ShiftLeft = "<<" "LSHIFT", ShiftRight = ">>" "RSHIFT",
    CollectStart = "<|" "LCOLLECT", CollectEnd = "|>" "RCOLLECT", ExportedStart = "<<|" "LLCOLLECT",
    ExportedEnd = "|>>" "RRCOLLECT", Plus = "+" "PLUS", Minus = "-" "MINUS", Slash = "/" "DIV", Star = "*" "TIMES",
    Percent = "%" "MODULO", Not = "!" "NOT", Dot = "." "DOT", Pipe = "|" "PIPE", At = "@" "AT", AtAt = "@@" "ATAT",
    Colon = ":" "COLON", Comma = "," "COMMA", Semicolon = ";" "SEMIC", Question = "?" "QMARK", Tilde = "~" "TILDE",
    Before = "->" "IN_EDGE", Notify = "~>" "IN_EDGE_SUB", Require = "<-" "OUT_EDGE",
    Subscribe = "<~" "OUT_EDGE_SUB",
    // Templates.
    EppStart = "" "EPP_START", RenderString = "" "RENDER_STRING", RenderStart = "" "RENDER_EXPR",
    RenderEnd = "%>" "EPP_END", RenderEndTrim = "-%>" "EPP_END_TRIM",
    // A character that starts nothing, and the end.
    Other = "" "OTHER", End = "" "END",
}

impl TokenKind {
    /// Returns true if it is a word that the language keeps for itself, `true` and `false` included.
    pub fn is_keyword(self) -> bool {
        (self as u8) <= TokenKind::Apply as u8
    }

    /// Returns true if a `/` after this token divides, rather than starting a regular expression.
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
