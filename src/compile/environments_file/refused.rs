//! What may not stand in `environments.pp`.

use pantin_base::Span;
use pantin_bindings::{Problem, rule};
use pantin_syntax::ast::{Ast, Node};
use pantin_syntax::bindings::function_of_call;

use super::EnvironmentsFile;

/// Functions that need a catalog, an environment or an injector.
const FORBIDDEN: [&str; 19] = [
    "include",
    "contain",
    "require",
    "realize",
    "create_resources",
    "defined",
    "tagged",
    "tag",
    "lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "file",
    "find_file",
    "template",
    "inline_template",
    "epp",
    "inline_epp",
];

impl EnvironmentsFile {
    /// Returns what may not stand in the file.
    pub(super) fn refused(&self, ast: &Ast) -> Vec<Problem> {
        let mut problems = Vec::new();
        for id in ast.ids() {
            match ast.node(id) {
                Node::Call { functor, args, .. } => {
                    if let Node::Name(name) = ast.node(functor) {
                        problems.extend(self.refused_call(ast.text(name), ast.span(functor)));
                    }
                    let called = function_of_call(ast, functor, args);
                    problems.extend(called.and_then(|(name, span)| self.refused_call(name, span)));
                }
                Node::MethodCall { functor, .. } => {
                    if let Node::NamedAccess { name, .. } = ast.node(functor)
                        && let Node::Name(text) = ast.node(name)
                    {
                        problems.extend(self.refused_call(ast.text(text), ast.span(functor)));
                    }
                }
                // Puppet itself knows no such type.
                Node::Resource { type_name, .. } if matches!(ast.node(type_name), Node::Name(name) if ast.text(name) == "environment") =>
                    {}
                Node::Resource { .. }
                | Node::ResourceDefaults { .. }
                | Node::ResourceOverride { .. }
                | Node::Collect { .. }
                | Node::Relationship { .. }
                | Node::Definition(_)
                | Node::NodeDefinition { .. }
                | Node::TypeAlias { .. } => {
                    problems.push(self.problem(rule::STATEMENT, "Nothing can be declared here", ast.span(id)));
                }
                _ => {}
            }
        }
        problems
    }

    fn refused_call(&self, name: &str, span: Span) -> Option<Problem> {
        if pantin_eval::builtins::injection_function(name).is_some() {
            let message = "Injection is not allowed in environments.pp";
            return Some(self.problem(rule::INJECT_NOT_HERE, message, span));
        }
        let message = format!("The function '{name}' cannot be called in environments.pp");
        FORBIDDEN.contains(&name).then(|| self.problem(rule::NOT_IN_ENVIRONMENTS, message, span))
    }
}
