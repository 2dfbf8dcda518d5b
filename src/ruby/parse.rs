//! From text to a [`Script`]: prism parses it, `lower` makes the compact tree.

use std::sync::Arc;

use pantin_base::{Lines, stack};
use pantin_values::Str;
use ruby_prism::{DefNode, Node, ParseResult, Visit};

use super::classes::is_local;
use super::code::{MethodPlace, Script};
use super::lower;
use super::path_texts::ScriptPath;
use super::puppet::Rendered;
use super::void;

/// Why a text is not Ruby that can be run here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub file: Str,
    pub line: u32,
    pub message: String,
    /// The line of what is never closed, where the text ends before it is.
    pub unclosed: Option<u32>,
}

impl SyntaxError {
    fn new(file: &str, line: u32, message: String) -> SyntaxError {
        SyntaxError { file: file.into(), line, message, unclosed: None }
    }

    /// Returns the line that a person has to see.
    pub fn line_to_show(&self) -> u32 {
        self.unclosed.unwrap_or(self.line)
    }
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// The longest text that is taken for Ruby.
pub(super) const SCRIPT_BYTES: usize = 16 << 20;

impl Script {
    /// Parses a file, or the Ruby text of a template.
    pub fn parse(name: &str, text: &str) -> Result<Script, SyntaxError> {
        Script::parse_within(name, text, &[])
    }

    /// The same for code that is run where there are locals already, by the slots of each scope around, innermost first.
    pub(super) fn parse_within(name: &str, text: &str, around: &[Vec<Str>]) -> Result<Script, SyntaxError> {
        with_tree(name, text, around, |parsed, lines| {
            match lower::program(&parsed.node(), around.iter().rev().cloned().collect()) {
                Ok(main) => {
                    let first_method = first_method(&parsed.node(), &lines);
                    let main = Arc::new(main);
                    let (path, rendered) = (ScriptPath::new(name), Rendered::default());
                    Ok(Script { path, lines, main, rendered, source: None, first_method })
                }
                Err(refused) => Err(SyntaxError::new(name, lines.line(refused.at), refused.message)),
            }
        })
    }
}

/// Checks that a text is Ruby, which need not be Ruby that can be run here.
pub(super) fn check_syntax(name: &str, text: &str) -> Result<(), SyntaxError> {
    with_tree(name, text, &[], |_, _| Ok(()))
}

/// Parses a text, and hands its tree on.
fn with_tree<T>(
    name: &str,
    text: &str,
    around: &[Vec<Str>],
    use_tree: impl FnOnce(&ParseResult<'_>, Lines) -> Result<T, SyntaxError>,
) -> Result<T, SyntaxError> {
    if text.len() > SCRIPT_BYTES {
        return Err(SyntaxError::new(name, 1, format!("a file of Ruby may have {SCRIPT_BYTES} bytes at most")));
    }
    // The parser is written in C and recurs without asking how much room there is.
    stack::with_much_room(|| {
        let mut scopes: Vec<_> = around.iter().rev().map(|scope| scope_of(scope)).collect();
        if !around.is_empty() {
            // What the code itself brings is in a scope of its own.
            scopes.push(ruby_prism::Scope::default());
        }
        let options = ruby_prism::Options::default().version(ruby_prism::Version::CRuby3_3).scopes(scopes).build();
        let parsed = ruby_prism::parse_with_options(text.as_bytes(), &options);
        let lines = Lines::from_text(text);
        match parsed.errors().find(|error| !void::is_none_to_ruby(error, &parsed)) {
            None => use_tree(&parsed, lines),
            Some(error) => {
                let line = lines.line(error.location().start());
                let message = format!("syntax error, {}", String::from_utf8_lossy(error.message()));
                let is_at_end = line + 1 >= lines.count();
                let unclosed = find_unclosed(&parsed).filter(|_| is_at_end).map(|at| lines.line(at));
                Err(SyntaxError { unclosed, ..SyntaxError::new(name, line, message) })
            }
        }
    })
}

/// Returns where the last thing begins whose `end` is missing, of which the parser says so beside the first error.
fn find_unclosed(parsed: &ParseResult<'_>) -> Option<u32> {
    let says_so = |message: &[u8]| {
        let message = String::from_utf8_lossy(message);
        message.starts_with("expected ") && message.contains("`end`")
    };
    parsed.errors().filter(|error| says_so(error.message())).map(|error| error.location().start()).max()
}

/// Finds the first method that is defined, however deep: its name, and where that stands.
#[derive(Default)]
struct FirstMethod(Option<(Str, u32)>);

impl<'pr> Visit<'pr> for FirstMethod {
    fn visit_def_node(&mut self, node: &DefNode<'pr>) {
        self.0.get_or_insert_with(|| (lower::text(node.name().as_slice()), node.name_loc().start()));
    }
}

fn first_method(program: &Node<'_>, lines: &Lines) -> Option<MethodPlace> {
    let mut first = FirstMethod::default();
    first.visit(program);
    first.0.map(|(name, at)| MethodPlace { name, line: lines.line(at) })
}

fn scope_of(locals: &[Str]) -> ruby_prism::Scope {
    let names = locals.iter().filter(|name| is_local(name));
    ruby_prism::Scope::default().locals(names.map(|name| name.as_bytes().to_vec()).collect())
}
