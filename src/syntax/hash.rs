//! What a tree means, as a hash: layout, comments and positions aside.
//!
//! Written by specification: each kind of node has a number that never changes its meaning, lists
//! and texts have their lengths before them, parts that may be absent say whether they are there,
//! numbers count by their bits. Knows nothing of what hashes are used for.

use pantin_base::Arrow;

use super::ast::{AssignOp, Ast, BinaryOp, DefinitionKind, Form, List, Node, NodeId, Text, UnaryOp};
use super::bindings::{Attribute, Site, SiteItem};

/// To be raised with any change of what is written below.
const FORMAT: u8 = 1;

/// How much is gathered before it is hashed.
const CHUNK_BYTES: usize = 16 * 1024;

/// Returns the hash of a node and all in it.
pub fn definition_hash(ast: &Ast, id: NodeId) -> [u8; 32] {
    let mut writer = Writer { ast, hasher: blake3::Hasher::new(), bytes: Vec::with_capacity(CHUNK_BYTES + 1024) };
    writer.tag(FORMAT);
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        writer.node(ast.node(id));
        let first = pending.len();
        ast.each_child(id, |child| pending.push(child));
        pending[first..].reverse();
        if writer.bytes.len() >= CHUNK_BYTES {
            writer.flush();
        }
    }
    writer.flush();
    *writer.hasher.finalize().as_bytes()
}

/// Writes what a node is and how many children of each role it has; the children follow by
/// themselves, in the order of [`Ast::each_child`].
struct Writer<'a> {
    ast: &'a Ast,
    hasher: blake3::Hasher,
    bytes: Vec<u8>,
}

impl Writer<'_> {
    fn flush(&mut self) {
        self.hasher.update(&self.bytes);
        self.bytes.clear();
    }

    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn flag(&mut self, flag: bool) {
        self.bytes.push(u8::from(flag));
    }

    fn text(&mut self, text: Text) {
        let text = self.ast.text(text);
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn tagged(&mut self, tag: u8, text: Text) {
        self.tag(tag);
        self.text(text);
    }

    fn optional_text(&mut self, text: Option<Text>) {
        self.flag(text.is_some());
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn count(&mut self, list: List) {
        self.bytes.extend_from_slice(&(list.len() as u32).to_le_bytes());
    }

    fn counted(&mut self, tag: u8, list: List) {
        self.tag(tag);
        self.count(list);
    }

    /// Which of the parts that may be absent are there.
    fn presence(&mut self, parts: &[Option<NodeId>]) {
        let bits = parts.iter().fold(0, |bits, part| bits << 1 | u8::from(part.is_some()));
        self.bytes.push(bits);
    }

    fn node(&mut self, node: Node) {
        match node {
            Node::Nop => self.tag(1),
            Node::Undef => self.tag(2),
            Node::Default => self.tag(3),
            Node::Boolean(value) => {
                self.tag(4);
                self.flag(value);
            }
            Node::Integer { value, radix } => {
                self.bytes.extend([5, radix]);
                self.bytes.extend_from_slice(&value.to_le_bytes());
            }
            Node::BigInteger { digits, radix } => {
                self.bytes.extend([6, radix]);
                self.text(digits);
            }
            Node::Float(value) => {
                self.tag(7);
                self.bytes.extend_from_slice(&value.to_bits().to_le_bytes());
            }
            Node::String(text) => self.tagged(8, text),
            Node::Regex(text) => self.tagged(9, text),
            Node::Name(text) => self.tagged(10, text),
            Node::TypeName(text) => self.tagged(11, text),
            Node::Variable(text) => self.tagged(12, text),
            Node::Reserved(text) => self.tagged(13, text),
            Node::Concat(list) => self.counted(14, list),
            Node::Heredoc { syntax, .. } => self.tagged(15, syntax),
            Node::Array(list) => self.counted(16, list),
            Node::Hash(list) => self.counted(17, list),
            Node::Entry { .. } => self.tag(18),
            Node::Unary { op, .. } => self.bytes.extend([19, unary_number(op)]),
            Node::Binary { op, .. } => self.bytes.extend([20, binary_number(op)]),
            Node::Assign { op, .. } => self.bytes.extend([21, assign_number(op)]),
            Node::Relationship { arrow, .. } => self.bytes.extend([22, arrow_number(arrow)]),
            Node::Access { keys, .. } => self.counted(23, keys),
            Node::NamedAccess { .. } => self.tag(24),
            Node::Call { args, lambda, wants_value, .. } => {
                self.counted(25, args);
                self.presence(&[lambda]);
                self.flag(wants_value);
            }
            Node::MethodCall { args, lambda, .. } => {
                self.counted(26, args);
                self.presence(&[lambda]);
            }
            Node::Lambda { params, returns, body } => {
                self.counted(27, params);
                self.presence(&[returns, body]);
            }
            Node::Param { name, type_expr, value, captures_rest } => {
                self.tagged(28, name);
                self.presence(&[type_expr, value]);
                self.flag(captures_rest);
            }
            Node::If { then, otherwise, .. } => {
                self.tag(29);
                self.presence(&[then, otherwise]);
            }
            Node::Unless { then, otherwise, .. } => {
                self.tag(30);
                self.presence(&[then, otherwise]);
            }
            _ => self.statement(node),
        }
    }

    /// Choices, resources, collectors, definitions and templates.
    fn statement(&mut self, node: Node) {
        match node {
            Node::Case { options, .. } => self.counted(31, options),
            Node::CaseOption { values, then } => {
                self.counted(32, values);
                self.presence(&[then]);
            }
            Node::Selector { entries, .. } => self.counted(33, entries),
            Node::SelectorEntry { .. } => self.tag(34),
            Node::Block(list) => self.counted(35, list),
            Node::Resource { form, bodies, .. } => {
                self.bytes.extend([36, form_number(form)]);
                self.count(bodies);
            }
            Node::ResourceBody { ops, .. } => self.counted(37, ops),
            Node::ResourceDefaults { form, ops, .. } => {
                self.bytes.extend([38, form_number(form)]);
                self.count(ops);
            }
            Node::ResourceOverride { form, ops, .. } => {
                self.bytes.extend([39, form_number(form)]);
                self.count(ops);
            }
            Node::AttributeOp { name, append, .. } => {
                self.tagged(40, name);
                self.flag(append);
            }
            Node::AttributeSplat(_) => self.tag(41),
            Node::Collect { ops, .. } => self.counted(42, ops),
            Node::Query { exported, expr } => {
                self.tag(43);
                self.flag(exported);
                self.presence(&[expr]);
            }
            Node::Definition(definition) => {
                let definition = *self.ast.definition(definition);
                self.bytes.extend([44, definition_number(definition.kind)]);
                self.text(definition.name);
                self.count(definition.params);
                self.optional_text(definition.parent);
                self.presence(&[definition.returns, definition.body]);
            }
            Node::NodeDefinition { hosts, parent, body } => {
                self.counted(45, hosts);
                self.presence(&[parent, body]);
            }
            Node::TypeAlias { name, .. } => self.tagged(46, name),
            Node::TypeMapping { .. } => self.tag(47),
            Node::TypeDefinition { name, parent, body } => {
                self.tagged(48, name);
                self.optional_text(parent);
                self.presence(&[body]);
            }
            Node::Epp { params_specified, body } => {
                self.tag(49);
                self.flag(params_specified);
                self.presence(&[body]);
            }
            Node::RenderString(text) => self.tagged(50, text),
            Node::Apply { args, .. } => self.counted(51, args),
            Node::ApplyBlock(list) => self.counted(52, list),
            Node::Site(site) => self.site(self.ast.site(site)),
            // Written by `node`; listed so that a new kind cannot be forgotten.
            Node::Nop | Node::Undef | Node::Default | Node::Boolean(_) | Node::Integer { .. } => {}
            Node::BigInteger { .. } | Node::Float(_) | Node::String(_) | Node::Regex(_) | Node::Name(_) => {}
            Node::TypeName(_) | Node::Variable(_) | Node::Reserved(_) | Node::Concat(_) => {}
            Node::Heredoc { .. } | Node::Array(_) | Node::Hash(_) | Node::Entry { .. } => {}
            Node::Unary { .. } | Node::Binary { .. } | Node::Assign { .. } | Node::Relationship { .. } => {}
            Node::Access { .. } | Node::NamedAccess { .. } | Node::Call { .. } | Node::MethodCall { .. } => {}
            Node::Lambda { .. } | Node::Param { .. } | Node::If { .. } | Node::Unless { .. } => {}
        }
    }
}

impl Writer<'_> {
    /// Kinds of items and names of attributes; the values are children.
    fn site(&mut self, site: &Site) {
        self.bytes.push(53);
        let words: Vec<(u8, Vec<&str>)> = site.items.iter().map(item_words).collect();
        for (kind, words) in words {
            self.bytes.push(kind);
            self.bytes.extend((words.len() as u32).to_le_bytes());
            for word in words {
                self.bytes.extend((word.len() as u32).to_le_bytes());
                self.bytes.extend(word.as_bytes());
            }
        }
    }
}

/// Returns the words of an item; before the names of each group an empty one stands.
fn item_words(item: &SiteItem) -> (u8, Vec<&str>) {
    fn names(attributes: &[Attribute]) -> impl Iterator<Item = &str> {
        attributes.iter().map(|attribute| attribute.name.text.as_str())
    }
    match item {
        SiteItem::Defaults { attributes, .. } => (1, names(attributes).collect()),
        SiteItem::Environments { is_dynamic, bodies, .. } => {
            let groups = bodies.iter().flat_map(|body| [""].into_iter().chain(names(&body.attributes)));
            (2 + u8::from(*is_dynamic), groups.collect())
        }
        SiteItem::Categories { categories, .. } => (4, names(categories).collect()),
        SiteItem::Layers { layers, .. } => {
            let groups = layers.iter().flat_map(|layer| [""].into_iter().chain(names(&layer.attributes)));
            (5, groups.collect())
        }
    }
}

fn unary_number(op: UnaryOp) -> u8 {
    match op {
        UnaryOp::Not => 1,
        UnaryOp::Minus => 2,
        UnaryOp::Splat => 3,
        UnaryOp::Paren => 4,
        UnaryOp::Text => 5,
        UnaryOp::Render => 6,
    }
}

fn binary_number(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Add => 1,
        BinaryOp::Subtract => 2,
        BinaryOp::Multiply => 3,
        BinaryOp::Divide => 4,
        BinaryOp::Modulo => 5,
        BinaryOp::ShiftLeft => 6,
        BinaryOp::ShiftRight => 7,
        BinaryOp::Equal => 8,
        BinaryOp::NotEqual => 9,
        BinaryOp::Less => 10,
        BinaryOp::LessEqual => 11,
        BinaryOp::Greater => 12,
        BinaryOp::GreaterEqual => 13,
        BinaryOp::Match => 14,
        BinaryOp::NotMatch => 15,
        BinaryOp::In => 16,
        BinaryOp::And => 17,
        BinaryOp::Or => 18,
    }
}

fn assign_number(op: AssignOp) -> u8 {
    match op {
        AssignOp::Set => 1,
        AssignOp::Append => 2,
        AssignOp::Delete => 3,
    }
}

fn arrow_number(arrow: Arrow) -> u8 {
    match arrow {
        Arrow::Before => 1,
        Arrow::Notify => 2,
        Arrow::Require => 3,
        Arrow::Subscribe => 4,
    }
}

fn form_number(form: Form) -> u8 {
    match form {
        Form::Regular => 1,
        Form::Virtual => 2,
        Form::Exported => 3,
    }
}

fn definition_number(kind: DefinitionKind) -> u8 {
    match kind {
        DefinitionKind::Class => 1,
        DefinitionKind::Define => 2,
        DefinitionKind::Function => 3,
        DefinitionKind::Plan => 4,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::definition_hash;
    use crate::{Settings, SourceKind, parse};
    use pantin_base::Source;

    fn hash(code: &str) -> [u8; 32] {
        let source = Arc::new(Source::new(None, code).expect("a source"));
        let ast = parse(source, SourceKind::Manifest, Settings::default()).result.expect("code that parses");
        definition_hash(&ast, ast.root())
    }

    #[test]
    fn layout_and_comments_do_not_count() {
        let plain = hash("class a($x = 1) { file { '/x': mode => '0644', } }");
        let other = hash("# of a\nclass a (\n  $x = 1, # one\n) {\n  file { \"/x\": mode=>\"0644\" }\n}\n");
        assert_eq!(plain, other);
    }

    #[test]
    fn every_change_of_meaning_counts() {
        let sources = [
            "$a = [1, [2]]",
            "$a = [[1], 2]",
            "$a = [[1, 2]]",
            "$a = [1, 2]",
            "$a = ['1', 2]",
            "$a = [1.0, 2]",
            "$a = 'b'",
            "$a = b",
            "$a = \"${b}\"",
            "$a = B",
            "$a = /b/",
            "$a = $b",
            "$a = ['b', 'c']",
            "$a = ['bc', '']",
            "f(1)",
            "$a = f(1)",
            "f(1) |$x| { }",
            "f(1) |$x| { $x }",
            "1.f",
            "if $a { } else { f() }",
            "if $a { f() }",
            "unless $a { f() }",
            "file { 'a': b => 1 }",
            "file { 'a': b => 1; 'c': }",
            "@file { 'a': b => 1 }",
            "@@file { 'a': b => 1 }",
            "File['a'] { b => 1 }",
            "File['a'] { b +> 1 }",
            "File { b => 1 }",
            "class a($x) { }",
            "class a($x = 1) { }",
            "class a(A $x) { }",
            "define a($x) { }",
            "class a inherits x { }",
            "function a($x) { }",
            "function a(*$x) { }",
            "function a($x) >> A { }",
            "function a($x) { A }",
            "A -> B",
            "A ~> B",
            "A <- B",
            "$a = 1 + 2",
            "$a = 1 - 2",
            "$a += 1",
            "File<| |>",
            "File<<| |>>",
            "File<| a |>",
        ];
        let hashes: HashSet<[u8; 32]> = sources.iter().map(|code| hash(code)).collect();
        assert_eq!(hashes.len(), sources.len());
    }
}
