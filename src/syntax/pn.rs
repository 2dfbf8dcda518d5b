//! The tree as Puppet Extended S-Expression Notation: `(+ 1 2)`, as `puppet parser dump` shows it.
//!
//! Says what a node is called and in which order its parts stand; how that looks as text or as
//! JSON is the writer's. Nothing is built on the way.

mod bindings;
mod writer;

use std::fmt;

use pantin_base::number::{decimal_text, float_text};
use pantin_base::stack::with_room;

use super::ast::{Ast, Definition, DefinitionKind, Form, List, Node, NodeId, Text, UnaryOp};
use super::bindings::BindingsFile;
use writer::Writer;

/// How the notation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Text,
    PrettyText,
    Json,
    PrettyJson,
}

/// Writes the whole tree, without a line end after it.
pub fn write<W: fmt::Write>(ast: &Ast, style: Style, out: &mut W) -> fmt::Result {
    let mut notation = Notation { ast, out: Writer::new(style, out) };
    notation.node(ast.root())
}

/// Returns a file of bindings as a text, in a notation of our own: Puppet's has none.
pub fn bindings_to_string(file: &BindingsFile, style: Style) -> String {
    let mut text = String::new();
    let mut notation = Notation { ast: &file.ast, out: Writer::new(style, &mut text) };
    // Writing to a String cannot fail.
    let _ = notation.bindings(&file.definition);
    text
}

/// Returns the whole tree as a text.
pub fn to_string(ast: &Ast, style: Style) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write(ast, style, &mut text);
    text
}

struct Notation<'a, W> {
    ast: &'a Ast,
    out: Writer<'a, W>,
}

impl<'a, W: fmt::Write> Notation<'a, W> {
    fn node(&mut self, id: NodeId) -> fmt::Result {
        let ast = self.ast;
        match ast.node(id) {
            Node::Nop => self.out.empty_call("nop"),
            Node::Undef => self.out.plain("nil", "null"),
            Node::Default => self.out.empty_call("default"),
            Node::Boolean(value) => self.out.raw(if value { "true" } else { "false" }),
            Node::Integer { value, radix } => self.integer(radix, &value.to_string()),
            Node::BigInteger { digits, radix } => self.integer(radix, &decimal_text(ast.text(digits), radix)),
            Node::Float(value) => self.out.raw(&float_text(value)),
            Node::String(text) => self.out.string(ast.text(text)),
            Node::Name(name) => self.named("qn", name),
            Node::TypeName(name) => self.named("qr", name),
            Node::Variable(name) => self.named("var", name),
            Node::Reserved(word) => self.named("reserved", word),
            Node::RenderString(text) => self.named("render-s", text),
            Node::Regex(pattern) => self.regex(ast.text(pattern)),
            _ => with_room(|| self.compound(id)),
        }
    }

    /// Nodes with others in them.
    fn compound(&mut self, id: NodeId) -> fmt::Result {
        match self.ast.node(id) {
            Node::Concat(segments) => self.call("concat", segments),
            Node::Array(values) => self.call("array", values),
            Node::Hash(entries) => self.call("hash", entries),
            Node::Block(statements) | Node::ApplyBlock(statements) => self.call("block", statements),
            Node::Site(site) => self.site(self.ast.site(site)),
            Node::Entry { key, value } => self.pair("=>", key, value),
            Node::SelectorEntry { matching, value } => self.pair("=>", matching, value),
            Node::Unary { op, operand } => self.unary(op, operand),
            Node::Binary { op, left, right } => self.pair(op.symbol(), left, right),
            Node::Assign { op, left, right } => self.pair(op.symbol(), left, right),
            Node::Relationship { arrow, left, right } => self.pair(arrow.symbol(), left, right),
            Node::NamedAccess { left, name } => self.pair(".", left, name),
            Node::TypeMapping { type_expr, mapping } => self.pair("type-mapping", type_expr, mapping),
            Node::Access { left, keys } => {
                self.out.begin_call("access")?;
                self.node(left)?;
                self.nodes(keys)?;
                self.out.end_call()
            }
            Node::Call { functor, args, lambda, wants_value } => {
                self.function_call(if wants_value { "call" } else { "invoke" }, functor, args, lambda)
            }
            Node::MethodCall { functor, args, lambda } => self.function_call("call-method", functor, args, lambda),
            Node::If { test, then, otherwise } => self.conditional("if", test, then, otherwise),
            Node::Unless { test, then, otherwise } => self.conditional("unless", test, then, otherwise),
            Node::Case { test, options: parts } => self.choice("case", test, parts),
            Node::Selector { left, entries: parts } => self.choice("?", left, parts),
            Node::CaseOption { values, then } => {
                self.out.begin_map()?;
                self.list_entry("when", values)?;
                self.block_entry("then", then)?;
                self.out.end_map()
            }
            Node::Query { exported, expr } => {
                self.out.begin_call(if exported { "exported-query" } else { "virtual-query" })?;
                if let Some(expr) = expr.filter(|&expr| !self.is_nop(expr)) {
                    self.node(expr)?;
                }
                self.out.end_call()
            }
            Node::AttributeOp { name, append, value } => {
                self.out.begin_call(if append { "+>" } else { "=>" })?;
                self.out.string(self.ast.text(name))?;
                self.node(value)?;
                self.out.end_call()
            }
            Node::AttributeSplat(value) => {
                self.out.begin_call("splat-hash")?;
                self.node(value)?;
                self.out.end_call()
            }
            Node::Epp { body, .. } => match body {
                // The code's own call takes the template's name.
                Some(body) => {
                    self.out.rename("epp");
                    self.node(body)
                }
                None => self.out.empty_call("epp"),
            },
            Node::Definition(definition) => self.definition(self.ast.definition(definition)),
            _ => self.with_entries(id),
        }
    }

    /// Nodes whose parts have names.
    fn with_entries(&mut self, id: NodeId) -> fmt::Result {
        let ast = self.ast;
        match ast.node(id) {
            Node::Heredoc { syntax, text } => {
                self.begin("heredoc")?;
                if !syntax.is_empty() {
                    self.text_entry("syntax", syntax)?;
                }
                self.node_entry("text", text)?;
            }
            Node::Lambda { params, returns, body } => {
                self.begin("lambda")?;
                self.params(params)?;
                self.optional_entry("returns", returns)?;
                self.body(body)?;
            }
            Node::Resource { form, type_name, bodies } => {
                self.begin("resource")?;
                self.node_entry("type", type_name)?;
                self.list_entry("bodies", bodies)?;
                self.form(form)?;
            }
            // Stands in a list of its like, so it needs no name.
            Node::ResourceBody { title, ops } => {
                self.out.begin_map()?;
                self.node_entry("title", title)?;
                self.list_entry("ops", ops)?;
                return self.out.end_map();
            }
            Node::ResourceDefaults { form, type_ref, ops } => {
                self.begin("resource-defaults")?;
                self.node_entry("type", type_ref)?;
                self.list_entry("ops", ops)?;
                self.form(form)?;
            }
            Node::ResourceOverride { form, resources, ops } => {
                self.begin("resource-override")?;
                self.node_entry("resources", resources)?;
                self.list_entry("ops", ops)?;
                self.form(form)?;
            }
            Node::Collect { type_expr, query, ops } => {
                self.begin("collect")?;
                self.node_entry("type", type_expr)?;
                self.node_entry("query", query)?;
                if !ops.is_empty() {
                    self.list_entry("ops", ops)?;
                }
            }
            Node::NodeDefinition { hosts, parent, body } => {
                self.begin("node")?;
                self.list_entry("matches", hosts)?;
                self.optional_entry("parent", parent)?;
                self.body(body)?;
            }
            // The real one has no notation for it.
            Node::Apply { args, body } => {
                self.begin("apply")?;
                self.list_entry("args", args)?;
                self.block_entry("body", Some(body))?;
            }
            _ => return self.type_statement(id),
        }
        self.end()
    }

    fn type_statement(&mut self, id: NodeId) -> fmt::Result {
        let ast = self.ast;
        match ast.node(id) {
            Node::TypeAlias { name, type_expr } => {
                self.out.begin_call("type-alias")?;
                self.out.string(ast.text(name))?;
                self.node(type_expr)?;
                self.out.end_call()
            }
            Node::TypeDefinition { name, parent, body } => {
                self.out.begin_call("type-definition")?;
                self.out.string(ast.text(name))?;
                match parent {
                    Some(parent) => self.out.string(ast.text(parent))?,
                    None => self.out.plain("nil", "null")?,
                }
                self.node_or_nop(body)?;
                self.out.end_call()
            }
            // Parameters are written by what declares them.
            _ => Ok(()),
        }
    }

    fn begin(&mut self, name: &'static str) -> fmt::Result {
        self.out.begin_call(name)?;
        self.out.begin_map()
    }

    fn end(&mut self) -> fmt::Result {
        self.out.end_map()?;
        self.out.end_call()
    }

    fn nodes(&mut self, list: List) -> fmt::Result {
        let ast = self.ast;
        ast.list(list).iter().try_for_each(|&id| self.node(id))
    }

    fn node_or_nop(&mut self, id: Option<NodeId>) -> fmt::Result {
        match id {
            Some(id) => self.node(id),
            None => self.out.empty_call("nop"),
        }
    }

    fn is_nop(&self, id: NodeId) -> bool {
        self.ast.node(id) == Node::Nop
    }

    fn named(&mut self, name: &'static str, text: Text) -> fmt::Result {
        self.out.begin_call(name)?;
        self.out.string(self.ast.text(text))?;
        self.out.end_call()
    }

    fn call(&mut self, name: &'static str, parts: List) -> fmt::Result {
        self.out.begin_call(name)?;
        self.nodes(parts)?;
        self.out.end_call()
    }

    fn pair(&mut self, name: &'static str, left: NodeId, right: NodeId) -> fmt::Result {
        self.out.begin_call(name)?;
        self.node(left)?;
        self.node(right)?;
        self.out.end_call()
    }

    fn choice(&mut self, name: &'static str, test: NodeId, parts: List) -> fmt::Result {
        self.out.begin_call(name)?;
        self.node(test)?;
        self.list(parts)?;
        self.out.end_call()
    }

    fn list(&mut self, list: List) -> fmt::Result {
        self.out.begin_list()?;
        self.nodes(list)?;
        self.out.end_list()
    }

    fn integer(&mut self, radix: u8, decimal: &str) -> fmt::Result {
        if radix == 10 {
            return self.out.raw(decimal);
        }
        self.begin("int")?;
        self.out.entry("radix")?;
        self.out.raw(&radix.to_string())?;
        self.out.entry("value")?;
        self.out.raw(decimal)?;
        self.end()
    }

    fn regex(&mut self, pattern: &str) -> fmt::Result {
        self.out.begin_call("regexp")?;
        if is_fixed_to_unicode(pattern) {
            self.out.string(&format!("(?-imx:{pattern})"))?;
        } else {
            self.out.string(pattern)?;
        }
        self.out.end_call()
    }

    fn unary(&mut self, op: UnaryOp, operand: NodeId) -> fmt::Result {
        let name = match op {
            UnaryOp::Not => "!",
            UnaryOp::Minus => match self.negated(operand) {
                Some(number) => return self.out.raw(&number),
                None => "-",
            },
            UnaryOp::Splat => "unfold",
            UnaryOp::Paren => "paren",
            UnaryOp::Text => "str",
            UnaryOp::Render => "render",
        };
        self.out.begin_call(name)?;
        self.node(operand)?;
        self.out.end_call()
    }

    /// A literal number behind a minus is a number.
    fn negated(&self, operand: NodeId) -> Option<String> {
        match self.ast.node(operand) {
            Node::Integer { value, .. } => Some((-i128::from(value)).to_string()),
            Node::BigInteger { digits, radix } => Some(format!("-{}", decimal_text(self.ast.text(digits), radix))),
            Node::Float(value) => Some(float_text(-value)),
            _ => None,
        }
    }

    fn text_entry(&mut self, name: &str, text: Text) -> fmt::Result {
        self.out.entry(name)?;
        self.out.string(self.ast.text(text))
    }

    fn node_entry(&mut self, name: &str, id: NodeId) -> fmt::Result {
        self.out.entry(name)?;
        self.node(id)
    }

    fn optional_entry(&mut self, name: &str, id: Option<NodeId>) -> fmt::Result {
        id.map_or(Ok(()), |id| self.node_entry(name, id))
    }

    fn list_entry(&mut self, name: &str, list: List) -> fmt::Result {
        self.out.entry(name)?;
        self.list(list)
    }

    /// Writes a block as the list of its statements; anything else as a list of one.
    fn block_entry(&mut self, name: &str, block: Option<NodeId>) -> fmt::Result {
        self.out.entry(name)?;
        match block.map(|block| self.ast.node(block)) {
            Some(Node::Block(statements) | Node::ApplyBlock(statements)) => self.list(statements),
            _ => {
                self.out.begin_list()?;
                self.node_or_nop(block)?;
                self.out.end_list()
            }
        }
    }

    fn body(&mut self, body: Option<NodeId>) -> fmt::Result {
        if body.is_some() { self.block_entry("body", body) } else { Ok(()) }
    }

    fn form(&mut self, form: Form) -> fmt::Result {
        let name = match form {
            Form::Regular => return Ok(()),
            Form::Virtual => "virtual",
            Form::Exported => "exported",
        };
        self.out.entry("form")?;
        self.out.string(name)
    }

    fn function_call(
        &mut self,
        name: &'static str,
        functor: NodeId,
        args: List,
        lambda: Option<NodeId>,
    ) -> fmt::Result {
        self.begin(name)?;
        self.node_entry("functor", functor)?;
        self.list_entry("args", args)?;
        self.optional_entry("block", lambda)?;
        self.end()
    }

    fn conditional(
        &mut self,
        name: &'static str,
        test: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    ) -> fmt::Result {
        self.begin(name)?;
        self.node_entry("test", test)?;
        for (name, branch) in [("then", then), ("else", otherwise)] {
            if branch.is_some_and(|branch| !self.is_nop(branch)) {
                self.block_entry(name, branch)?;
            }
        }
        self.end()
    }

    fn definition(&mut self, definition: &Definition) -> fmt::Result {
        self.begin(match definition.kind {
            DefinitionKind::Class => "class",
            DefinitionKind::Define => "define",
            DefinitionKind::Function => "function",
            DefinitionKind::Plan => "plan",
        })?;
        self.text_entry("name", definition.name)?;
        if let Some(parent) = definition.parent {
            self.text_entry("parent", parent)?;
        }
        self.params(definition.params)?;
        self.body(definition.body)?;
        self.optional_entry("returns", definition.returns)?;
        self.end()
    }

    fn params(&mut self, params: List) -> fmt::Result {
        if params.is_empty() {
            return Ok(());
        }
        self.out.entry("params")?;
        self.out.begin_map()?;
        let ast = self.ast;
        for &param in ast.list(params) {
            let Node::Param { name, type_expr, value, captures_rest } = ast.node(param) else { continue };
            self.out.entry(ast.text(name))?;
            self.out.begin_map()?;
            self.optional_entry("type", type_expr)?;
            if captures_rest {
                self.out.entry("splat")?;
                self.out.raw("true")?;
            }
            self.optional_entry("value", value)?;
            self.out.end_map()?;
        }
        self.out.end_map()
    }
}

/// Returns true if Ruby's regular expression of this pattern matches UTF-8 alone: it holds or names a character beyond
/// ASCII, or a Unicode property. Such are shown with their options.
fn is_fixed_to_unicode(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find(|ch: char| ch == '\\' || !ch.is_ascii()) {
        let Some(escape) = rest[at..].strip_prefix('\\') else { return true };
        let Some(kind) = escape.chars().next() else { return false };
        let digits = |radix: u32, from: usize, most: usize| {
            let text = escape.get(from..).unwrap_or_default();
            let count = text.chars().take(most).take_while(|ch| ch.is_digit(radix)).count();
            u32::from_str_radix(&text[..count], radix).unwrap_or(0)
        };
        let is_fixed = match kind {
            'p' | 'P' | 'M' => true,
            'x' => digits(16, 1, 2) > 0x7f,
            '0'..='7' => digits(8, 0, 3) > 0o177,
            'u' if escape[1..].starts_with('{') => {
                let list = escape[2..].split('}').next().unwrap_or_default();
                list.split_whitespace().any(|code| u32::from_str_radix(code, 16).is_ok_and(|code| code > 0x7f))
            }
            'u' => digits(16, 1, 4) > 0x7f,
            _ => !kind.is_ascii(),
        };
        if is_fixed {
            return true;
        }
        rest = &escape[kind.len_utf8()..];
    }
    false
}
