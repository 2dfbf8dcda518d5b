//! What a node is called in messages, with its article.
//!
//! Texts alone: knows nothing of where they are used.

use std::borrow::Cow;

use super::ast::{Ast, DefinitionKind, Node, NodeId, UnaryOp};

/// Returns the name of a node without an article.
pub(super) fn label(ast: &Ast, id: NodeId) -> Cow<'static, str> {
    let fixed = match ast.node(id) {
        Node::Binary { op, .. } => return quoted(op.symbol()),
        Node::Assign { op, .. } => return quoted(op.symbol()),
        Node::Relationship { arrow, .. } => return quoted(arrow.symbol()),
        Node::AttributeOp { append, .. } => return quoted(if append { "+>" } else { "=>" }),
        Node::Heredoc { syntax, .. } => return Cow::Owned(format!("'@({})' expression", ast.text(syntax))),
        Node::Reserved(word) => return Cow::Owned(format!("Reserved Word '{}'", ast.text(word))),
        Node::Collect { query, .. } => return label(ast, query),
        Node::Unary { op, .. } => unary(op),
        Node::Definition(definition) => match ast.definition(definition).kind {
            DefinitionKind::Class => "Host Class Definition",
            DefinitionKind::Define => "'define' expression",
            DefinitionKind::Function => "Function Definition",
            DefinitionKind::Plan => "Plan Definition",
        },
        Node::Nop => "Nop Expression",
        Node::Undef => "'undef' expression",
        Node::Default => "'default' expression",
        Node::Boolean(_) => "Boolean",
        Node::Integer { .. } | Node::BigInteger { .. } => "Literal Integer",
        Node::Float(_) => "Literal Float",
        Node::String(_) => "String",
        Node::Regex(_) => "Regular Expression",
        Node::Name(_) => "Name",
        Node::TypeName(_) => "Type-Name",
        Node::Variable(_) => "Variable",
        Node::Concat(_) => "Double Quoted String",
        Node::Array(_) => "Array Expression",
        Node::Hash(_) => "Hash Expression",
        Node::Entry { .. } => "Hash Entry",
        Node::Access { .. } => "'[]' expression",
        Node::NamedAccess { .. } => "'.' expression",
        Node::Call { .. } => "Function Call",
        Node::MethodCall { .. } => "Method call",
        Node::Lambda { .. } => "Lambda",
        Node::Param { .. } => "Parameter Definition",
        Node::If { .. } => "'if' statement",
        Node::Unless { .. } => "'unless' Statement",
        Node::Case { .. } => "'case' statement",
        Node::CaseOption { .. } => "Case Option",
        Node::Selector { .. } => "Selector Expression",
        Node::SelectorEntry { .. } => "Selector Option",
        Node::Block(_) => "Block Expression",
        Node::Resource { .. } => "Resource Statement",
        Node::ResourceBody { .. } => "Resource Instance Definition",
        Node::ResourceDefaults { .. } => "Resource Defaults Expression",
        Node::ResourceOverride { .. } => "Resource Override",
        Node::AttributeSplat(_) => "Object",
        Node::Query { exported: true, .. } => "Exported Query",
        Node::Query { exported: false, .. } => "Virtual Query",
        Node::NodeDefinition { .. } => "Node Definition",
        Node::TypeAlias { .. } => "Type Alias",
        Node::TypeMapping { .. } => "Type Mapping",
        Node::TypeDefinition { .. } => "Type Definition",
        Node::Epp { .. } => "Epp Template",
        Node::RenderString(_) => "Epp Text",
        Node::Apply { .. } => "'apply' expression",
        Node::Site(_) => "Site Statement",
        Node::ApplyBlock(_) => "Apply Block Expression",
    };
    Cow::Borrowed(fixed)
}

fn quoted(symbol: &str) -> Cow<'static, str> {
    Cow::Owned(format!("'{symbol}' expression"))
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "'not' expression",
        UnaryOp::Minus => "Unary Minus",
        UnaryOp::Splat => "Unfold",
        UnaryOp::Paren => "Parenthesized Expression",
        UnaryOp::Text => "Expression in Interpolated String",
        UnaryOp::Render => "Epp Interpolated Expression",
    }
}

/// Returns the label with `a` or `an`.
pub(super) fn a_an(ast: &Ast, id: NodeId) -> String {
    let text = label(ast, id);
    format!("{} {text}", article(&text))
}

/// Returns the label with `A` or `An`.
pub(super) fn a_an_uc(ast: &Ast, id: NodeId) -> String {
    let text = label(ast, id);
    let article = if article(&text) == "an" { "An" } else { "A" };
    format!("{article} {text}")
}

/// Returns the label with `the`.
pub(super) fn the(ast: &Ast, id: NodeId) -> String {
    format!("the {}", label(ast, id))
}

/// By the first letter, not by the sound: y counts as a vowel, and one quote is passed over.
pub fn article(text: &str) -> &'static str {
    let word = text.strip_prefix(['"', '\'']).unwrap_or(text);
    match word.chars().next().map(|letter| letter.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}

#[cfg(test)]
mod tests {
    use super::article;

    #[test]
    fn articles_go_by_the_first_letter() {
        for word in ["Array", "Unary Minus", "'undef' expression", "'in' expression", "yak", "Epp Text"] {
            assert_eq!(article(word), "an", "{word}");
        }
        for word in ["String", "'+' expression", "'@()' expression", "''a", "Host Class Definition", ""] {
            assert_eq!(article(word), "a", "{word}");
        }
    }
}
