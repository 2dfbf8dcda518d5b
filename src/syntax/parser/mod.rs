//! The parser: tokens to a tree, by recursive descent with a table of binding powers.
//!
//! It fetches a token only when it must look at it, for the real parser does, and of two errors
//! the one that is met first is reported. The first error ends the parse.

mod advice;
mod binding_targets;
mod bindings;
mod calls;
mod collections;
mod control;
mod definitions;
mod expressions;
mod literals;
mod numbers;
mod parameters;
mod resources;
mod site;

use std::sync::Arc;

use pantin_base::{Diagnostic, Place, Places, Related, Source, Span, limits, stack};
use pantin_regex::Options;

use super::ast::{Ast, AstBuilder, Node, NodeId, Text};
use super::bindings::BindingsDefinition;
use super::issue::Issue;
use super::lexer::Lexer;
use super::token::{Token, TokenKind};
use super::{Parse, Settings, SourceKind};

/// An error ends the parse. It is boxed, for it is rare.
type Parsed<T> = Result<T, Box<Diagnostic>>;

pub(super) fn parse(source: Arc<Source>, kind: SourceKind, settings: Settings) -> Parse {
    let mut parser = Parser::new(&source, settings);
    parser.knows_bindings = settings.bindings && kind == SourceKind::Manifest;
    parser.knows_definitions = settings.definitions;
    let root = parser.program(kind);
    let warnings = std::mem::take(&mut parser.lexer.warnings);
    let mut places = Places::from_source(&source);
    let warnings = warnings.into_iter().map(|warning| located(warning, &mut places)).collect();
    let ast = parser.ast;
    let result = root.map(|root| ast.finish(root)).and_then(within_height);
    let result = result.map_err(|error| located(*error, &mut places));
    Parse { warnings, result }
}

/// A file of bindings: the tree of its expressions, and its definition.
pub(super) struct ParsedBindings {
    pub(super) warnings: Vec<Diagnostic>,
    /// The name of the definition, if it was read.
    pub(super) name: Option<crate::bindings::Word>,
    pub(super) result: Result<(Ast, BindingsDefinition), Diagnostic>,
}

/// Parses a file of bindings.
pub(super) fn parse_bindings(source: &Arc<Source>, settings: Settings) -> ParsedBindings {
    let mut parser = Parser::new(source, settings);
    parser.is_bindings_file = true;
    let mut name = None;
    let definition = parser.bindings_file(&mut name);
    let warnings = std::mem::take(&mut parser.lexer.warnings);
    let mut places = Places::from_source(source);
    let warnings = warnings.into_iter().map(|warning| located(warning, &mut places)).collect();
    let mut ast = parser.ast;
    let root = ast.push(Node::Nop, Span::default());
    let result = definition.and_then(|definition| Ok((within_height(ast.finish(root))?, definition)));
    ParsedBindings { warnings, name, result: result.map_err(|error| located(*error, &mut places)) }
}

/// Works out line and column of what points at a span; the lexer has no table of lines. What
/// points nowhere is about the end, for which the real Puppet names no line.
pub(super) fn located(mut diagnostic: Diagnostic, places: &mut Places<'_>) -> Diagnostic {
    match diagnostic.span {
        Some(span) if diagnostic.place == Place::WholeFile => diagnostic.place = places.place_at(span.start),
        Some(_) => {}
        None => diagnostic.span = Some(places.end()),
    }
    diagnostic
}

/// Parses a chain of operators grows the tree without nesting; its height is limited as well.
fn within_height(ast: Ast) -> Parsed<Ast> {
    // A tree is no higher than it has nodes, so small ones need no look.
    if ast.len() <= limits::TREE_HEIGHT as usize {
        return Ok(ast);
    }
    let mut heights: Vec<u32> = Vec::with_capacity(ast.len());
    for id in ast.ids() {
        let mut height = 0;
        // Children stand before their parents.
        ast.each_child(id, |child| height = height.max(heights.get(child.index()).copied().unwrap_or(0) + 1));
        if height > limits::TREE_HEIGHT {
            let issue = Issue::NestedTooDeep { limit: limits::TREE_HEIGHT.to_string() };
            return Err(Box::new(issue.at(Place::WholeFile, Some(ast.span(id)))));
        }
        heights.push(height);
    }
    Ok(ast)
}

/// How many tokens advice looks back.
const RECENT: usize = 4;

struct Parser<'s> {
    lexer: Lexer<'s>,
    ast: AstBuilder,
    /// Tokens that were looked at and not yet taken.
    ahead: [Option<Token>; 4],
    /// Names of the classes (and plans) around the current place.
    namespace: Vec<Text>,
    /// Brackets that have been opened and not yet closed.
    open: Vec<Token>,
    depth: u32,
    /// The tokens that were taken last, in a ring: advice looks at them.
    recent: [Token; RECENT],
    taken: usize,
    /// How many conditions are being read: what stands between `if` and its brace.
    conditions: u32,
    /// How many arguments of types in bindings are being read: `class NAME` is an operand there.
    type_arguments: u32,
    /// Whether `site` and `bindings` may begin a statement.
    knows_bindings: bool,
    /// Definitions of bindings may stand at the top level.
    knows_definitions: bool,
    /// The file is one of bindings: both have errors of their own in it.
    is_bindings_file: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Arc<Source>, settings: Settings) -> Parser<'s> {
        Parser {
            lexer: Lexer::new(source.text(), settings.tasks),
            ast: AstBuilder::new(Arc::clone(source)),
            ahead: [None; 4],
            namespace: Vec::new(),
            open: Vec::new(),
            depth: 0,
            recent: [Token { kind: TokenKind::End, span: Span::default(), text: Text::default() }; RECENT],
            taken: 0,
            conditions: 0,
            type_arguments: 0,
            knows_bindings: false,
            knows_definitions: false,
            is_bindings_file: false,
        }
    }

    fn program(&mut self, kind: SourceKind) -> Parsed<NodeId> {
        if kind == SourceKind::Template {
            self.lexer.start_template(&mut self.ast)?;
            let root = self.template()?;
            self.expect(TokenKind::End)?;
            return Ok(root);
        }
        if self.peek()? == TokenKind::End {
            let end = self.take()?;
            return Ok(self.ast.push(Node::Nop, end.span));
        }
        let statements = self.statements()?;
        self.expect(TokenKind::End)?;
        Ok(match statements[..] {
            [single] => single,
            _ => {
                let span = self.span_of_all(&statements);
                self.block(&statements, span)
            }
        })
    }

    /// Parses a template: `<%- | parameters | -%>`, then text and code.
    fn template(&mut self) -> Parsed<NodeId> {
        let start = self.expect(TokenKind::EppStart)?.span;
        let start = Span::new(start.start, 0);
        let params = match self.peek()? {
            TokenKind::Pipe => Some(self.lambda_parameters()?),
            _ => None,
        };
        let body = self.optional_statements()?.map(|statements| self.block(&statements, start));
        let epp = self.ast.push(Node::Epp { params_specified: params.is_some(), body }, start);
        let params = self.ast.push_list(&params.unwrap_or_default());
        Ok(self.ast.push(Node::Lambda { params, returns: None, body: Some(epp) }, start))
    }

    // ---- tokens

    fn fetch(&mut self) -> Parsed<Token> {
        self.lexer.next(&mut self.ast)
    }

    fn peek_token(&mut self) -> Parsed<Token> {
        match self.ahead[0] {
            Some(token) => Ok(token),
            None => {
                let token = self.fetch()?;
                self.ahead[0] = Some(token);
                Ok(token)
            }
        }
    }

    fn peek(&mut self) -> Parsed<TokenKind> {
        Ok(self.peek_token()?.kind)
    }

    /// Parses the kind of the token after the next one.
    fn peek_second(&mut self) -> Parsed<TokenKind> {
        Ok(self.peek_at(1)?.kind)
    }

    /// Looks further ahead; the next token is number 0.
    fn peek_at(&mut self, number: usize) -> Parsed<Token> {
        for place in 0..number {
            if self.ahead[place].is_none() {
                self.ahead[place] = Some(self.fetch()?);
            }
        }
        match self.ahead[number] {
            Some(token) => Ok(token),
            None => {
                let token = self.fetch()?;
                self.ahead[number] = Some(token);
                Ok(token)
            }
        }
    }

    fn take(&mut self) -> Parsed<Token> {
        let token = self.peek_token()?;
        self.ahead = [self.ahead[1], self.ahead[2], self.ahead[3], None];
        self.taken = self.taken.wrapping_add(1);
        self.recent[self.taken % RECENT] = token;
        match token.kind {
            TokenKind::LeftBrace
            | TokenKind::SelectorBrace
            | TokenKind::LeftBracket
            | TokenKind::ListStart
            | TokenKind::LeftParen
            | TokenKind::LineParen => self.open.push(token),
            TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParen => {
                self.open.pop();
            }
            _ => {}
        }
        Ok(token)
    }

    fn last_taken(&self) -> Token {
        self.recent[self.taken % RECENT]
    }

    fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.peek()? == kind { self.take() } else { self.unexpected() }
    }

    /// Like `expect`, with the likely fix where something else stands there.
    fn expect_or(&mut self, kind: TokenKind, help: &str) -> Parsed<Token> {
        self.expect(kind).map_err(|mut error| {
            if error.code == "SYNTAX_ERROR" && error.related.is_empty() {
                error.help = Some(help.to_owned());
            }
            error
        })
    }

    /// Takes the next token if it is of this kind.
    fn accept(&mut self, kind: TokenKind) -> Parsed<bool> {
        let is_there = self.peek()? == kind;
        if is_there {
            self.take()?;
        }
        Ok(is_there)
    }

    /// Runs one level of a recursion, within the limit of nesting and with stack enough.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > limits::NESTING {
            let span = self.peek_token()?.span;
            let issue = Issue::NestedTooDeep { limit: limits::NESTING.to_string() };
            return Err(Box::new(issue.at(Place::WholeFile, Some(span))));
        }
        let result = stack::with_room(|| parse(self));
        self.depth -= 1;
        result
    }

    // ---- errors

    /// The next token cannot stand here.
    fn unexpected<T>(&mut self) -> Parsed<T> {
        let token = self.peek_token()?;
        if token.kind == TokenKind::End {
            return Err(self.unexpected_end());
        }
        let at = format!("'{}'", self.token_text(token));
        let mut error = Box::new(Issue::SyntaxError { at }.at(Place::WholeFile, Some(token.span)));
        self.advise(&mut error, token);
        Err(error)
    }

    fn unexpected_end(&self) -> Box<Diagnostic> {
        let mut error = Issue::SyntaxError { at: "end of input".to_owned() }.at(Place::WholeFile, None);
        if let Some(open) = self.open.last() {
            let symbol = open.kind.symbol();
            error.related.push(Related { span: open.span, note: format!("this {symbol} is not closed") });
            error.help = Some(format!("close the {symbol} where its contents end"));
        }
        Box::new(error)
    }

    fn issue_at<T>(&self, issue: Issue, span: Span) -> Parsed<T> {
        Err(Box::new(issue.at(Place::WholeFile, Some(span))))
    }

    /// Returns a token's value, as the message of a syntax error shows it.
    fn token_text(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Regex => {
                let mut shown = String::new();
                let _ = Options::default().write_group(&mut shown, &self.ast.text(token.text).replace('/', "\\/"));
                shown
            }
            kind if !kind.symbol().is_empty() => kind.symbol().to_owned(),
            _ => self.ast.text(token.text).to_owned(),
        }
    }

    // ---- pieces of tree

    fn block(&mut self, statements: &[NodeId], span: Span) -> NodeId {
        let list = self.ast.push_list(statements);
        self.ast.push(Node::Block(list), span)
    }

    /// One statement as it is; several as a block between the braces.
    fn block_or_single(&mut self, statements: &[NodeId], braces: Span) -> NodeId {
        match statements {
            [single] => *single,
            _ => self.block(statements, braces),
        }
    }

    fn span_of_all(&self, nodes: &[NodeId]) -> Span {
        match nodes {
            [first, .., last] => self.ast.span(*first).to(self.ast.span(*last)),
            [single] => self.ast.span(*single),
            [] => Span::default(),
        }
    }
}
