//! The tree as an indented list, for people: what each node is, its text, where it stands.
//!
//! A form of our own, free to change; programs read the notation of [`super::pn`].

use std::fmt;

use pantin_base::number::float_text;
use pantin_base::{Place, Places};

use super::ast::{Ast, Definition, DefinitionKind, Form, Node, UnaryOp};

/// Writes a line for each node, two spaces deeper than the node around it.
pub fn write_tree<W: fmt::Write>(ast: &Ast, out: &mut W) -> fmt::Result {
    let mut places = Places::from_source(ast.source());
    let mut pending = vec![(ast.root(), 0_usize)];
    while let Some((id, depth)) = pending.pop() {
        (0..depth).try_for_each(|_| out.write_str("  "))?;
        let node = ast.node(id);
        out.write_str(kind(ast, node))?;
        write_detail(ast, node, out)?;
        let span = ast.span(id);
        let (start, end) = (places.place_at(span.start), places.place_at(span.end()));
        if let (Place::At { line, column }, Place::At { line: end_line, column: end_column }) = (start, end) {
            writeln!(out, "  {line}:{column}-{end_line}:{end_column}")?;
        }
        let first = pending.len();
        ast.each_child(id, |child| pending.push((child, depth + 1)));
        pending[first..].reverse();
    }
    Ok(())
}

fn kind(ast: &Ast, node: Node) -> &'static str {
    match node {
        Node::Nop => "Nop",
        Node::Undef => "Undef",
        Node::Default => "Default",
        Node::Boolean(_) => "Boolean",
        Node::Integer { .. } | Node::BigInteger { .. } => "Integer",
        Node::Float(_) => "Float",
        Node::String(_) => "String",
        Node::Regex(_) => "Regex",
        Node::Name(_) => "Name",
        Node::TypeName(_) => "TypeName",
        Node::Variable(_) => "Variable",
        Node::Reserved(_) => "Reserved",
        Node::Concat(_) => "Concat",
        Node::Heredoc { .. } => "Heredoc",
        Node::Array(_) => "Array",
        Node::Hash(_) => "Hash",
        Node::Entry { .. } => "Entry",
        Node::Unary { op, .. } => unary_kind(op),
        Node::Binary { .. } => "Binary",
        Node::Assign { .. } => "Assign",
        Node::Relationship { .. } => "Relationship",
        Node::Access { .. } => "Access",
        Node::NamedAccess { .. } => "NamedAccess",
        Node::Call { .. } => "Call",
        Node::MethodCall { .. } => "MethodCall",
        Node::Lambda { .. } => "Lambda",
        Node::Param { .. } => "Param",
        Node::If { .. } => "If",
        Node::Unless { .. } => "Unless",
        Node::Case { .. } => "Case",
        Node::CaseOption { .. } => "CaseOption",
        Node::Selector { .. } => "Selector",
        Node::SelectorEntry { .. } => "SelectorEntry",
        Node::Block(_) => "Block",
        Node::Resource { .. } => "Resource",
        Node::ResourceBody { .. } => "ResourceBody",
        Node::ResourceDefaults { .. } => "ResourceDefaults",
        Node::ResourceOverride { .. } => "ResourceOverride",
        Node::AttributeOp { .. } => "Attribute",
        Node::AttributeSplat(_) => "AttributeSplat",
        Node::Collect { .. } => "Collect",
        Node::Query { .. } => "Query",
        Node::Definition(definition) => match ast.definition(definition).kind {
            DefinitionKind::Class => "Class",
            DefinitionKind::Define => "Define",
            DefinitionKind::Function => "Function",
            DefinitionKind::Plan => "Plan",
        },
        Node::NodeDefinition { .. } => "Node",
        Node::TypeAlias { .. } => "TypeAlias",
        Node::TypeMapping { .. } => "TypeMapping",
        Node::TypeDefinition { .. } => "TypeDefinition",
        Node::Epp { .. } => "Epp",
        Node::RenderString(_) => "RenderString",
        Node::Apply { .. } => "Apply",
        Node::Site(_) => "Site",
        Node::ApplyBlock(_) => "ApplyBlock",
    }
}

fn unary_kind(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "Not",
        UnaryOp::Minus => "Minus",
        UnaryOp::Splat => "Splat",
        UnaryOp::Paren => "Paren",
        UnaryOp::Text => "Text",
        UnaryOp::Render => "Render",
    }
}

/// Writes what tells a node from others of its kind, with a space before it.
fn write_detail<W: fmt::Write>(ast: &Ast, node: Node, out: &mut W) -> fmt::Result {
    match node {
        Node::Boolean(value) => write!(out, " {value}"),
        Node::Integer { value, radix: 10 } => write!(out, " {value}"),
        Node::Integer { value, radix } => write!(out, " {value} radix={radix}"),
        Node::BigInteger { digits, .. } => write!(out, " {}", ast.text(digits)),
        Node::Float(value) => write!(out, " {}", float_text(value)),
        Node::String(text) | Node::RenderString(text) => write!(out, " {:?}", ast.text(text)),
        Node::Regex(text) => write!(out, " /{}/", ast.text(text)),
        Node::Name(text) | Node::TypeName(text) | Node::Reserved(text) => write!(out, " {}", ast.text(text)),
        Node::Variable(text) => write!(out, " ${}", ast.text(text)),
        Node::Heredoc { syntax, .. } if !syntax.is_empty() => write!(out, " syntax={}", ast.text(syntax)),
        Node::Binary { op, .. } => write!(out, " {}", op.symbol()),
        Node::Assign { op, .. } => write!(out, " {}", op.symbol()),
        Node::Relationship { arrow, .. } => write!(out, " {}", arrow.symbol()),
        Node::Call { wants_value: true, .. } => out.write_str(" value"),
        Node::Param { name, captures_rest, .. } => {
            write!(out, " {}${}", if captures_rest { "*" } else { "" }, ast.text(name))
        }
        Node::Resource { form, .. } | Node::ResourceDefaults { form, .. } | Node::ResourceOverride { form, .. } => out
            .write_str(match form {
                Form::Regular => "",
                Form::Virtual => " @",
                Form::Exported => " @@",
            }),
        Node::AttributeOp { name, append, .. } => {
            write!(out, " {} {}", ast.text(name), if append { "+>" } else { "=>" })
        }
        Node::Query { exported, .. } => out.write_str(if exported { " exported" } else { " virtual" }),
        Node::Definition(definition) => {
            let Definition { name, parent, .. } = *ast.definition(definition);
            write!(out, " {}", ast.text(name))?;
            parent.map_or(Ok(()), |parent| write!(out, " inherits={}", ast.text(parent)))
        }
        Node::TypeAlias { name, .. } | Node::TypeDefinition { name, .. } => write!(out, " {}", ast.text(name)),
        _ => Ok(()),
    }
}
