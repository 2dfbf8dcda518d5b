//! From prism's tree to the compact one: names become slots, sugar becomes what it stands for.

mod calls;
mod literals;
mod params;
mod patterns;
mod writes;

use std::sync::Arc;

use pantin_base::{limits, stack};
use pantin_values::Str;
use ruby_prism::{ConstantId, ConstantList, Node, StatementsNode};

use super::code::{Begin, Code, DefineClass, DefineMethod, Expr, ExprKind, Loop, Params, Rescue, When};

/// Something that is Ruby, and not run here at all.
pub(super) struct LowerError {
    pub(super) at: u32,
    pub(super) message: String,
}

type Lowered<T = Expr> = Result<T, LowerError>;

/// One whole file, or code that is run where there are locals already: of each scope around, the outermost first.
pub(super) fn program(node: &Node<'_>, around: Vec<Vec<Str>>) -> Lowered<Code> {
    let mut lower = Lower { scopes: around, handed: None, depth: 0 };
    let Some(program) = node.as_program_node() else {
        return Err(LowerError { at: 0, message: "there is no program in this text".to_owned() });
    };
    lower.scoped(&program.locals(), |lower| Ok((Params::default(), lower.statements(Some(program.statements()))?)))
}

struct Lower {
    /// The locals of each scope around, innermost last.
    scopes: Vec<Vec<Str>>,
    /// The parameters of the method around, where there is one.
    handed: Option<Vec<params::Handed>>,
    depth: u32,
}

pub(super) fn text(bytes: &[u8]) -> Str {
    String::from_utf8_lossy(bytes).as_ref().into()
}

fn name(id: &ConstantId<'_>) -> Str {
    text(id.as_slice())
}

fn nil(at: u32) -> Expr {
    Expr { at, kind: ExprKind::Nil }
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Lower {
    /// Returns a scope of its own.
    fn scoped(
        &mut self,
        locals: &ConstantList<'_>,
        inside: impl FnOnce(&mut Lower) -> Lowered<(Params, Expr)>,
    ) -> Lowered<Code> {
        self.scopes.push(locals.iter().map(|local| name(&local)).collect());
        let made = inside(self);
        let names = self.scopes.pop().unwrap_or_default();
        let (params, body) = made?;
        Ok(Code { params, slots: names.len(), body })
    }

    /// Returns the slot of a local, so many scopes out.
    fn slot(&mut self, depth: u32, wanted: &ConstantId<'_>) -> u32 {
        self.slot_named(depth, &name(wanted))
    }

    fn slot_named(&mut self, depth: u32, wanted: &Str) -> u32 {
        let index = self.scopes.len().saturating_sub(1 + depth as usize);
        let Some(scope) = self.scopes.get_mut(index) else { return 0 };
        let slot = scope.iter().position(|known| known == wanted).unwrap_or_else(|| {
            scope.push(wanted.clone());
            scope.len() - 1
        });
        slot as u32
    }

    fn statements(&mut self, statements: Option<StatementsNode<'_>>) -> Lowered {
        let Some(statements) = statements else { return Ok(nil(0)) };
        let at = statements.location().start();
        let mut all = statements.body().iter().map(|node| self.expr(&node)).collect::<Lowered<Vec<_>>>()?;
        Ok(match all.len() {
            0 => nil(at),
            1 => all.swap_remove(0),
            _ => Expr { at, kind: ExprKind::Sequence(all) },
        })
    }

    fn optional(&mut self, node: Option<Node<'_>>) -> Lowered<Option<Box<Expr>>> {
        node.map(|node| self.expr(&node).map(boxed)).transpose()
    }

    fn body(&mut self, node: Option<Node<'_>>) -> Lowered {
        node.map_or(Ok(nil(0)), |node| self.expr(&node))
    }

    fn each(&mut self, nodes: &ruby_prism::NodeList<'_>) -> Lowered<Vec<Expr>> {
        nodes.iter().map(|node| self.expr(&node)).collect()
    }

    fn expr(&mut self, node: &Node<'_>) -> Lowered {
        let at = node.location().start();
        self.depth += 1;
        if self.depth > limits::NESTING {
            return Err(LowerError { at, message: format!("Ruby is nested more than {} deep", limits::NESTING) });
        }
        let kind = stack::with_room(|| self.kind(node, at));
        self.depth -= 1;
        Ok(Expr { at, kind: kind? })
    }

    fn kind(&mut self, node: &Node<'_>, at: u32) -> Lowered<ExprKind> {
        if let Some(kind) = self.literal(node)? {
            return Ok(kind);
        }
        if let Some(kind) = self.write(node)? {
            return Ok(kind);
        }
        if let Some(kind) = self.control(node)? {
            return Ok(kind);
        }
        if let Some(kind) = self.definition(node, at)? {
            return Ok(kind);
        }
        Ok(match node {
            Node::CallNode { .. }
            | Node::SuperNode { .. }
            | Node::ForwardingSuperNode { .. }
            | Node::YieldNode { .. } => self.call_like(node)?,
            Node::LocalVariableReadNode { .. } => match node.as_local_variable_read_node() {
                Some(read) => ExprKind::Local(read.depth(), self.slot(read.depth(), &read.name())),
                None => ExprKind::Nil,
            },
            Node::ParenthesesNode { .. } => match node.as_parentheses_node().and_then(|inside| inside.body()) {
                Some(body) => self.expr(&body)?.kind,
                None => ExprKind::Nil,
            },
            Node::StatementsNode { .. } => self.statements(node.as_statements_node())?.kind,
            Node::EmbeddedStatementsNode { .. } => {
                self.statements(node.as_embedded_statements_node().and_then(|inside| inside.statements()))?.kind
            }
            Node::EmbeddedVariableNode { .. } => match node.as_embedded_variable_node() {
                Some(embedded) => self.expr(&embedded.variable())?.kind,
                None => ExprKind::Nil,
            },
            Node::ImplicitNode { .. } => match node.as_implicit_node() {
                Some(implicit) => self.expr(&implicit.value())?.kind,
                None => ExprKind::Nil,
            },
            Node::SplatNode { .. } => match node.as_splat_node().and_then(|splat| splat.expression()) {
                Some(inside) => ExprKind::Splat(boxed(self.expr(&inside)?)),
                None => ExprKind::Splat(boxed(self.nameless_read(params::REST, at))),
            },
            other => ExprKind::Refused(refused(other)),
        })
    }

    // ---- control ----

    fn control(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        if let Some(both) = node.as_and_node() {
            return Ok(Some(ExprKind::And(boxed(self.expr(&both.left())?), boxed(self.expr(&both.right())?))));
        }
        if let Some(either) = node.as_or_node() {
            return Ok(Some(ExprKind::Or(boxed(self.expr(&either.left())?), boxed(self.expr(&either.right())?))));
        }
        if let Some(branch) = node.as_if_node() {
            let then = self.statements(branch.statements())?;
            let otherwise = self.body(branch.subsequent())?;
            return Ok(Some(ExprKind::If(Box::new((self.expr(&branch.predicate())?, then, otherwise)))));
        }
        if let Some(branch) = node.as_unless_node() {
            let then = self.statements(branch.statements())?;
            let otherwise = self.otherwise(branch.else_clause())?.unwrap_or(nil(0));
            return Ok(Some(ExprKind::If(Box::new((self.expr(&branch.predicate())?, otherwise, then)))));
        }
        if let Some(clause) = node.as_else_node() {
            return Ok(Some(self.statements(clause.statements())?.kind));
        }
        if let Some(node) = node.as_while_node() {
            let (test, body) = (self.expr(&node.predicate())?, self.statements(node.statements())?);
            let body_first = node.is_begin_modifier();
            return Ok(Some(ExprKind::Loop(Box::new(Loop { test, body, until: false, body_first }))));
        }
        if let Some(node) = node.as_until_node() {
            let (test, body) = (self.expr(&node.predicate())?, self.statements(node.statements())?);
            let body_first = node.is_begin_modifier();
            return Ok(Some(ExprKind::Loop(Box::new(Loop { test, body, until: true, body_first }))));
        }
        if let Some(node) = node.as_for_node() {
            let parts =
                (self.target(&node.index())?, self.expr(&node.collection())?, self.statements(node.statements())?);
            return Ok(Some(ExprKind::For(Box::new(parts))));
        }
        if let Some(node) = node.as_case_node() {
            return self.case(&node).map(Some);
        }
        if let Some(node) = node.as_case_match_node() {
            return self.case_in(&node).map(Some);
        }
        self.jump(node)
    }

    fn otherwise(&mut self, clause: Option<ruby_prism::ElseNode<'_>>) -> Lowered<Option<Expr>> {
        clause.map(|clause| self.statements(clause.statements())).transpose()
    }

    fn case(&mut self, node: &ruby_prism::CaseNode<'_>) -> Lowered<ExprKind> {
        let subject = self.optional(node.predicate())?;
        let mut whens = Vec::new();
        for condition in node.conditions().iter() {
            let Some(when) = condition.as_when_node() else { continue };
            whens.push(When { tests: self.each(&when.conditions())?, then: self.statements(when.statements())? });
        }
        let otherwise = self.otherwise(node.else_clause())?.unwrap_or(nil(0));
        Ok(ExprKind::Case(subject, whens, boxed(otherwise)))
    }

    fn jump(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        if let Some(jump) = node.as_return_node() {
            return Ok(Some(ExprKind::Return(self.jump_value(jump.arguments())?)));
        }
        if let Some(jump) = node.as_break_node() {
            return Ok(Some(ExprKind::Break(self.jump_value(jump.arguments())?)));
        }
        if let Some(jump) = node.as_next_node() {
            return Ok(Some(ExprKind::Next(self.jump_value(jump.arguments())?)));
        }
        if node.as_retry_node().is_some() {
            return Ok(Some(ExprKind::Retry));
        }
        if let Some(begin) = node.as_begin_node() {
            return self.begin(&begin).map(Some);
        }
        if let Some(modifier) = node.as_rescue_modifier_node() {
            let body = self.expr(&modifier.expression())?;
            let rescue = Rescue { classes: Vec::new(), into: None, body: self.expr(&modifier.rescue_expression())? };
            let begin = Begin { body, rescues: vec![rescue], else_body: None, ensure: None };
            return Ok(Some(ExprKind::Begin(Box::new(begin))));
        }
        Ok(None)
    }

    fn jump_value(&mut self, arguments: Option<ruby_prism::ArgumentsNode<'_>>) -> Lowered<Option<Box<Expr>>> {
        let Some(arguments) = arguments else { return Ok(None) };
        let at = arguments.location().start();
        let mut all = self.each(&arguments.arguments())?;
        Ok(Some(boxed(match all.as_slice() {
            [one] if !matches!(one.kind, ExprKind::Splat(_)) => all.swap_remove(0),
            _ => Expr { at, kind: ExprKind::Array(all) },
        })))
    }

    fn begin(&mut self, node: &ruby_prism::BeginNode<'_>) -> Lowered<ExprKind> {
        let body = self.statements(node.statements())?;
        let mut rescues = Vec::new();
        let mut clause = node.rescue_clause();
        while let Some(rescue) = clause {
            rescues.push(Rescue {
                classes: self.each(&rescue.exceptions())?,
                into: rescue.reference().map(|target| self.target(&target)).transpose()?,
                body: self.statements(rescue.statements())?,
            });
            clause = rescue.subsequent();
        }
        let otherwise = self.otherwise(node.else_clause())?;
        let ensure = match node.ensure_clause() {
            Some(clause) => Some(self.statements(clause.statements())?),
            None => None,
        };
        if rescues.is_empty() && otherwise.is_none() && ensure.is_none() {
            return Ok(body.kind);
        }
        Ok(ExprKind::Begin(Box::new(Begin { body, rescues, else_body: otherwise, ensure })))
    }

    // ---- definitions ----

    fn definition(&mut self, node: &Node<'_>, at: u32) -> Lowered<Option<ExprKind>> {
        if let Some(def) = node.as_def_node() {
            let on = self.optional(def.receiver())?.map(|on| *on);
            let code = self.apart(|lower| {
                lower.handed = Some(Vec::new());
                lower.scoped(&def.locals(), |lower| {
                    let params = lower.params(def.parameters())?;
                    lower.handed = Some(params::handed(&params));
                    Ok((params, lower.body(def.body())?))
                })
            })?;
            return Ok(Some(ExprKind::DefineMethod(Box::new(DefineMethod {
                name: name(&def.name()),
                on,
                code: Arc::new(code),
            }))));
        }
        if let Some(class) = node.as_class_node() {
            let (within, class_name) = self.constant_path(&class.constant_path(), at)?;
            let superclass = self.optional(class.superclass())?.map(|superclass| *superclass);
            let body = Arc::new(self.plain_scope(&class.locals(), class.body())?);
            let class = DefineClass { within, name: class_name, superclass, is_module: false, body };
            return Ok(Some(ExprKind::DefineClass(Box::new(class))));
        }
        if let Some(module) = node.as_module_node() {
            let (within, module_name) = self.constant_path(&module.constant_path(), at)?;
            let body = Arc::new(self.plain_scope(&module.locals(), module.body())?);
            let class = DefineClass { within, name: module_name, superclass: None, is_module: true, body };
            return Ok(Some(ExprKind::DefineClass(Box::new(class))));
        }
        if let Some(singleton) = node.as_singleton_class_node() {
            let of = self.expr(&singleton.expression())?;
            let body = self.plain_scope(&singleton.locals(), singleton.body())?;
            return Ok(Some(ExprKind::SingletonClass(boxed(of), Arc::new(body))));
        }
        if let Some(alias) = node.as_alias_method_node() {
            return Ok(match (symbol_text(&alias.new_name()), symbol_text(&alias.old_name())) {
                (Some(new), Some(old)) => Some(ExprKind::Alias(new, old)),
                _ => Some(ExprKind::Refused("an alias that is put together")),
            });
        }
        if let Some(undef) = node.as_undef_node() {
            return Ok(Some(ExprKind::UndefMethods(
                undef.names().iter().filter_map(|name| symbol_text(&name)).collect(),
            )));
        }
        if let Some(lambda) = node.as_lambda_node() {
            let code = self.block_code(&lambda.locals(), lambda.parameters(), lambda.body())?;
            return Ok(Some(ExprKind::Lambda(Arc::new(code))));
        }
        Ok(None)
    }

    /// Returns a scope that sees nothing of those around it.
    fn apart<T>(&mut self, inside: impl FnOnce(&mut Lower) -> Lowered<T>) -> Lowered<T> {
        let outer = (std::mem::take(&mut self.scopes), self.handed.take());
        let made = inside(self);
        (self.scopes, self.handed) = outer;
        made
    }

    fn plain_scope(&mut self, locals: &ConstantList<'_>, body: Option<Node<'_>>) -> Lowered<Code> {
        self.apart(|lower| lower.scoped(locals, |lower| Ok((Params::default(), lower.body(body)?))))
    }

    fn constant_path(&mut self, node: &Node<'_>, at: u32) -> Lowered<(Option<Expr>, Str)> {
        if let Some(read) = node.as_constant_read_node() {
            return Ok((None, name(&read.name())));
        }
        match node.as_constant_path_node().and_then(|path| Some((path.parent(), path.name()?))) {
            Some((Some(parent), last)) => Ok((Some(self.expr(&parent)?), name(&last))),
            Some((None, last)) => Ok((Some(Expr { at, kind: ExprKind::TopConstant("Object".into()) }), name(&last))),
            None => Err(LowerError { at, message: "the name of a class is no constant".to_owned() }),
        }
    }
}

fn symbol_text(node: &Node<'_>) -> Option<Str> {
    node.as_symbol_node().map(|symbol| text(symbol.unescaped()))
}

/// Returns what is refused, as an error names it.
fn refused(node: &Node<'_>) -> &'static str {
    match node {
        Node::FlipFlopNode { .. } => "a flip-flop",
        Node::RedoNode { .. } => "redo",
        Node::PreExecutionNode { .. } => "BEGIN { }",
        Node::PostExecutionNode { .. } => "END { }",
        Node::RationalNode { .. } => "a rational number",
        Node::ImaginaryNode { .. } => "a complex number",
        Node::AliasGlobalVariableNode { .. } => "an alias of a global variable",
        Node::MatchLastLineNode { .. } | Node::InterpolatedMatchLastLineNode { .. } => "a pattern as a condition",
        Node::SourceEncodingNode { .. } => "__ENCODING__",
        Node::BlockArgumentNode { .. } => "a block handed on without a name",
        _ => "this construct",
    }
}
