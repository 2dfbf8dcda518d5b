//! From a syntax tree to the form that is evaluated.
//!
//! A tree is lowered once for each content. What is wrong at every evaluation becomes [`ExprKind::Wrong`],
//! not an error here: the real Puppet complains when it gets there, and not before.

mod assigned;
mod bodies;
mod calls;
mod control;
mod fold;
mod last_use;
mod resources;
mod variables;

use pantin_model::trace::SlotNames;
use pantin_syntax::ast::{Ast, BinaryOp, Node, NodeId, Text, UnaryOp};
use pantin_values::{Regexp, Str, Value, types};

use super::code::{Access, AccessPath, CodeError, Expr, ExprKind};
use super::function::Builtins;
use super::issue;
use variables::Frame;

pub use bodies::{definition_body, expression_body, main_body, node_body, template_body};

/// Lowers one unit.
struct Lower<'a> {
    ast: &'a Ast,
    builtins: &'static Builtins,
    /// Functions that the source defines itself: a manifest's own hide the core's.
    own_functions: Vec<&'a str>,
    /// The number of the unit's first node in its tree.
    first: usize,
    /// The body and the lambdas around the place that is being lowered, outermost first.
    frames: Vec<Frame>,
    /// Others may read the parameters of the outermost frame: of a class, a defined type, a template.
    shows_parameters: bool,
    /// The parameters of the outermost frame are given by name: of a class, a defined type, a template.
    by_name: bool,
    is_template: bool,
    /// Of a class: its name.
    of_class: Option<&'a str>,
    /// How many calls there were so far that may end in `break()`: of it, or of code that is not seen from here.
    breaking_calls: u32,
    /// Whether it calls a function that any module may have.
    seeks_functions: bool,
    /// The outermost frame's names can also be written with `::` before them.
    is_main: bool,
    /// What the locals of each lambda are called.
    locals: Vec<SlotNames>,
}

impl<'a> Lower<'a> {
    fn place_number(&self, id: NodeId) -> u32 {
        id.index().saturating_sub(self.first) as u32
    }

    fn text(&self, text: Text) -> &'a str {
        self.ast.text(text)
    }

    fn str(&self, text: Text) -> Str {
        self.ast.text(text).into()
    }

    fn expr(&mut self, id: NodeId) -> Expr {
        // Nobody blames what stands in a string but itself.
        if let Node::Unary { op: UnaryOp::Text, operand } = self.ast.node(id)
            && !matches!(self.ast.node(operand), Node::Name(_))
        {
            return pantin_base::stack::with_room(|| self.expr(operand));
        }
        let kind = pantin_base::stack::with_room(|| self.kind(id));
        Expr { at: self.place_number(id), kind: fold::fold(kind) }
    }

    fn boxed_expr(&mut self, id: NodeId) -> Box<Expr> {
        Box::new(self.expr(id))
    }

    fn exprs(&mut self, ids: &[NodeId]) -> Box<[Expr]> {
        ids.iter().map(|&id| self.expr(id)).collect()
    }

    /// What is left out is worth undef.
    fn optional(&mut self, id: Option<NodeId>, around: NodeId) -> Expr {
        match id {
            Some(id) => self.expr(id),
            None => Expr { at: self.place_number(around), kind: ExprKind::Constant(Value::Undef) },
        }
    }

    fn wrong(fault: pantin_values::Fault) -> ExprKind {
        ExprKind::Wrong(Box::new(CodeError::from(fault)))
    }

    fn kind(&mut self, id: NodeId) -> ExprKind {
        match self.ast.node(id) {
            Node::Nop | Node::Undef => ExprKind::Constant(Value::Undef),
            Node::Default => ExprKind::Constant(Value::Default),
            Node::Boolean(value) => ExprKind::Constant(Value::Boolean(value)),
            Node::Integer { value, .. } => ExprKind::Constant(Value::Integer(value)),
            Node::Float(value) => ExprKind::Constant(Value::Float(value)),
            Node::String(text) | Node::Name(text) => ExprKind::Constant(Value::String(self.str(text))),
            Node::Regex(text) => {
                ExprKind::Constant(Value::Regexp(Regexp::new(self.text(text), Default::default()).into()))
            }
            Node::TypeName(text) => self.type_name(self.text(text)),
            Node::Variable(text) => self.variable(self.text(text)),
            Node::Reserved(word) => Self::wrong(issue::reserved_word(self.text(word))),
            Node::BigInteger { digits, .. } => Self::wrong(issue::numeric_overflow(self.text(digits))),
            Node::Concat(parts) => ExprKind::Concat(self.exprs(self.ast.list(parts))),
            Node::Heredoc { syntax, text } => self.heredoc(self.str(syntax), text),
            Node::Array(items) => ExprKind::Array(self.exprs(self.ast.list(items))),
            Node::Hash(entries) => self.hash(self.ast.list(entries)),
            Node::Unary { op, operand } => self.unary(op, operand),
            Node::Binary { op, left, right } => self.binary(op, left, right),
            Node::Assign { op, left, right } => self.assign(id, op, left, right),
            Node::Access { left, keys } => self.access(left, self.ast.list(keys)),
            Node::Call { functor, args, lambda, .. } => self.call(functor, self.ast.list(args), lambda),
            Node::MethodCall { functor, args, lambda } => self.method_call(functor, self.ast.list(args), lambda),
            Node::If { test, then, otherwise } => self.conditional(id, test, then, otherwise),
            Node::Unless { test, then, otherwise } => self.conditional(id, test, otherwise, then),
            Node::Case { test, options } => self.case(test, self.ast.list(options)),
            Node::Selector { left, entries } => self.selector(left, self.ast.list(entries)),
            Node::Block(list) => ExprKind::Block(self.exprs(self.ast.list(list))),
            Node::Resource { form, type_name, bodies } => self.resource(form, type_name, self.ast.list(bodies)),
            Node::ResourceDefaults { form, type_ref, ops } => {
                let type_ref = self.expr(type_ref);
                ExprKind::Defaults(Box::new((form, type_ref, self.attributes(ops))))
            }
            Node::ResourceOverride { form, resources, ops } => {
                let resources = self.expr(resources);
                ExprKind::Override(Box::new((form, resources, self.attributes(ops))))
            }
            Node::Relationship { arrow, left, right } => {
                let left = self.expr(left);
                ExprKind::Relationship(Box::new((arrow, left, self.expr(right))))
            }
            Node::Collect { type_expr, query, ops } => self.collect(type_expr, query, ops),
            Node::Epp { body, .. } => ExprKind::Template(Box::new(self.optional(body, id))),
            Node::RenderString(text) => ExprKind::RenderText(self.str(text)),
            // They are known before anything runs, and worth nothing where they stand.
            Node::Definition(_)
            | Node::NodeDefinition { .. }
            | Node::TypeAlias { .. }
            | Node::TypeMapping { .. }
            | Node::TypeDefinition { .. }
            | Node::Site(_) => ExprKind::Constant(Value::Undef),
            Node::Apply { .. } | Node::ApplyBlock(_) => Self::wrong(issue::not_supported("the apply of a plan")),
            Node::NamedAccess { .. }
            | Node::Lambda { .. }
            | Node::Param { .. }
            | Node::Entry { .. }
            | Node::CaseOption { .. }
            | Node::SelectorEntry { .. }
            | Node::ResourceBody { .. }
            | Node::AttributeOp { .. }
            | Node::AttributeSplat(_)
            | Node::Query { .. } => Self::wrong(issue::not_supported("this expression by itself")),
        }
    }

    fn type_name(&self, name: &str) -> ExprKind {
        match types::built_in_type(name) {
            Some(kind) => ExprKind::Constant(Value::Type(kind)),
            None => ExprKind::TypeName(name.into()),
        }
    }

    fn heredoc(&mut self, syntax: Str, text: NodeId) -> ExprKind {
        let inner = self.expr(text);
        match &inner.kind {
            ExprKind::Constant(_) => inner.kind,
            _ if syntax.is_empty() => inner.kind,
            _ => ExprKind::CheckedText(Box::new((syntax, inner))),
        }
    }

    fn hash(&mut self, entries: &[NodeId]) -> ExprKind {
        let pairs = entries.iter().filter_map(|&entry| match self.ast.node(entry) {
            Node::Entry { key, value } => {
                let key = self.expr(key);
                Some((key, self.expr(value)))
            }
            _ => None,
        });
        ExprKind::Hash(pairs.collect())
    }

    fn unary(&mut self, op: UnaryOp, operand: NodeId) -> ExprKind {
        match op {
            UnaryOp::Paren => parenthesized(self.expr(operand)),
            UnaryOp::Not => ExprKind::Not(self.boxed_expr(operand)),
            UnaryOp::Minus => ExprKind::Minus(self.boxed_expr(operand)),
            UnaryOp::Splat => ExprKind::Unfold(self.boxed_expr(operand)),
            UnaryOp::Render => ExprKind::Render(self.boxed_expr(operand)),
            // "${name}" is the variable of that name.
            UnaryOp::Text => match self.ast.node(operand) {
                Node::Name(name) => self.variable(self.text(name)),
                _ => self.expr(operand).kind,
            },
        }
    }

    fn binary(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> ExprKind {
        let left = self.expr(left);
        ExprKind::Binary(Box::new((op, left, self.expr(right))))
    }

    fn access(&mut self, left: NodeId, keys: &[NodeId]) -> ExprKind {
        let of_class = matches!(self.ast.node(left), Node::TypeName(name) if self.text(name) == "Class");
        let left = self.expr(left);
        let keys = keys.iter().map(|&key| match self.ast.node(key) {
            // Class[Foo] means the class foo, whatever type Foo may be.
            Node::TypeName(name) if of_class => {
                let kind = types::built_in_type(self.text(name))
                    .unwrap_or_else(|| types::Type::Reference(Some(self.text(name).into())));
                Expr { at: self.place_number(key), kind: ExprKind::Constant(Value::Type(kind)) }
            }
            _ => self.expr(key),
        });
        let keys: Box<[Expr]> = keys.collect();
        let way = AccessPath::from_access(&left, &keys);
        ExprKind::Access(Box::new(Access { left, keys, access_path: way }))
    }
}

/// Where nothing can go wrong inside, no parenthesis is left.
fn parenthesized(inner: Expr) -> ExprKind {
    match inner.kind {
        ExprKind::Constant(_)
        | ExprKind::Parameter(_)
        | ExprKind::Capture(_)
        | ExprKind::Paren(_)
        | ExprKind::Unfold(_) => inner.kind,
        _ => ExprKind::Paren(Box::new(inner)),
    }
}
