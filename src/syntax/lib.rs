//! From bytes to a validated syntax tree: the only parser of Puppet text.
//!
//! Pure functions of a source and a few settings. Knows nothing of files, of values, or of
//! what an expression does.
//!
//! ```text
//! lexer/      text to tokens, one at a time, with the context the grammar needs; strings, heredocs, templates
//! parser/     tokens to tree: recursive descent with binding powers; `advice.rs` knows the likely fix
//! bindings/   bindings as they are written, and the rules behind their grammar
//! ast.rs      the tree: an arena of 24-byte nodes, children before parents, texts as places in the source
//! validate/   the rules a parsed source must keep, in the order in which Puppet reports them
//! embedded/   text in heredocs that names its syntax: JSON, base64, Puppet code, templates
//! issue.rs    every error and warning: its code, its text, the likely fix
//! outcome.rs  how findings become what Puppet logs and raises
//! pn.rs, tree.rs, tokens.rs   a tree, shown
//! hash.rs     a definition's hash, which positions and comments do not change
//! ```

pub mod ast;
pub mod bindings;
mod children;
mod embedded;
mod form;
mod hash;
mod issue;
mod label;
mod lexer;
mod model_class;
mod outcome;
mod parser;
pub mod pn;
mod settings;
mod suggest;
pub mod token;
mod tokens;
mod tree;
mod validate;

use std::sync::Arc;

use pantin_base::{Diagnostic, Location, Severity, Source};

use ast::Ast;

pub use form::{ParsedManifest, form_of_manifest};
pub use hash::definition_hash;
pub use issue::{Issue, unreadable_source};
pub use label::article;
pub use outcome::{Findings, GIVING_UP, MessageLimits, Outcome, ended_too_early};
pub use settings::{Settings, SourceKind};
pub use tokens::{ShownToken, Tokens, count_tokens, tokens};
pub use tree::write_tree;
pub use validate::validate;

/// What became of a source in the parser.
#[derive(Debug)]
pub struct Parse {
    /// Warnings of the lexer, in order. They are given even where parsing failed.
    pub warnings: Vec<Diagnostic>,
    pub result: Result<Ast, Diagnostic>,
}

/// Returns what a node is called in messages, with `A` or `An`: `A Literal Integer`.
pub fn a_label(ast: &Ast, id: ast::NodeId) -> String {
    label::a_an_uc(ast, id)
}

/// Parses one source. The first error ends it, and is the real Puppet's first error.
pub fn parse(source: Arc<Source>, kind: SourceKind, settings: Settings) -> Parse {
    parser::parse(source, kind, settings)
}

/// Parses a file of bindings, and checks what stands behind its grammar.
pub fn parse_bindings(source: &Arc<Source>, settings: Settings) -> bindings::BindingsParse {
    let parser::ParsedBindings { mut warnings, name, result } = parser::parse_bindings(source, settings);
    let result = result.map_err(|error| vec![error]).and_then(|(ast, definition)| {
        let mut places = pantin_base::Places::from_source(source);
        let found = bindings::check(&ast, &definition, settings).into_iter().map(|mut found| {
            if let Some(span) = found.span {
                found.place = places.place_at(span.start);
            }
            found
        });
        let (broken, told): (Vec<_>, Vec<_>) = found.partition(ends_the_making);
        warnings.extend(told);
        if broken.is_empty() { Ok(bindings::BindingsFile { ast, definition }) } else { Err(broken) }
    });
    bindings::BindingsParse { warnings, name, result }
}

/// Returns true for an error of the grammar and its rules. That a resource cannot be replaced is told together with whatever else is
/// wrong with the bindings of an environment.
fn ends_the_making(found: &Diagnostic) -> bool {
    found.severity == Severity::Error && found.code != bindings::rule::REPLACE_INSTANCE.code
}

/// Parses and validates one source, and says what Puppet would log and raise.
pub fn check(
    source: Arc<Source>,
    kind: SourceKind,
    location: &Location,
    settings: Settings,
    limits: MessageLimits,
) -> Outcome {
    let Parse { warnings, result } = parse(source, kind, settings);
    match result {
        Ok(ast) => {
            let findings = validate(&ast, location, settings);
            Outcome::new(warnings, Some(ast), findings, limits)
        }
        Err(error) => Outcome::failed(warnings, error),
    }
}
