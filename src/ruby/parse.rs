//! From text to a [`Script`]: prism parses it, `lower` makes the compact tree.

use std::sync::Arc;

use pantin_base::{Lines, stack};
use pantin_values::Str;
use ruby_prism::{DefNode, Node, Visit};

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
        let fault = |line: u32, message: String| SyntaxError { file: name.into(), line, message };
        if text.len() > SCRIPT_BYTES {
            return Err(fault(1, format!("a file of Ruby may have {SCRIPT_BYTES} bytes at most")));
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
            if let Some(error) = parsed.errors().find(|error| !void::is_none_to_ruby(error, &parsed)) {
                let at = error.location().start();
                let message = String::from_utf8_lossy(error.message()).into_owned();
                return Err(fault(lines.line(at), format!("syntax error, {message}")));
            }
            match lower::program(&parsed.node(), around.iter().rev().cloned().collect()) {
                Ok(main) => {
                    let first_method = first_method(&parsed.node(), &lines);
                    let main = Arc::new(main);
                    let (path, rendered) = (ScriptPath::new(name), Rendered::default());
                    Ok(Script { path, lines, main, rendered, source: None, first_method })
                }
                Err(refused) => Err(fault(lines.line(refused.at), refused.message)),
            }
        })
    }
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
