//! The rules a parsed source must keep.
//!
//! One walk over the tree, parents first, each node looked at by itself with the nodes around it
//! at hand: so findings come in the real Puppet's order. Knows nothing of values, of files, or of
//! how findings are counted and shown.

mod assignment;
mod effects;
mod literals;
mod names;
mod placement;
mod resources;
mod rvalue;
mod tasks;

use pantin_base::{Diagnostic, Location, Place, Places, Related};

use super::ast::{AssignOp, Ast, Node, NodeId, UnaryOp};
use super::embedded::{self, Embedded};
use super::{Findings, Issue, Settings};
use effects::NoEffect;
use literals::Literals;

/// Checks every rule that needs the tree alone.
pub fn validate(ast: &Ast, location: &Location, settings: Settings) -> Findings {
    validate_embedded(ast, location, settings, 0)
}

/// The same for Puppet text that stands `embedding` heredocs deep in other Puppet text.
pub(super) fn validate_embedded(ast: &Ast, location: &Location, settings: Settings, embedding: u32) -> Findings {
    let mut checker = Checker::new(ast, location, settings, embedding);
    checker.check_top_constructs();
    checker.check_sites();
    checker.walk(ast.root());
    checker.findings
}

/// Checks the rules of expressions that stand by themselves, as those of a file of bindings do.
pub(super) fn validate_expressions(ast: &Ast, expressions: &[NodeId], settings: Settings) -> Findings {
    let mut checker = Checker::new(ast, &Location::Anywhere, settings, 0);
    for &expression in expressions {
        checker.rvalue(expression);
        checker.walk(expression);
        if checker.findings.fatal.is_some() {
            break;
        }
    }
    checker.findings
}

struct Checker<'a> {
    ast: &'a Ast,
    location: &'a Location,
    settings: Settings,
    embedding: u32,
    findings: Findings,
    /// The nodes around the present one, outermost first.
    path: Vec<NodeId>,
    /// How many of them are the block of an `apply`.
    apply_blocks: usize,
    no_effect: NoEffect,
    /// A unary expression and what the chain of them that starts there ends in.
    chain: Option<(NodeId, NodeId)>,
    literals: Literals<'a>,
    places: Places<'a>,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, location: &'a Location, settings: Settings, embedding: u32) -> Checker<'a> {
        Checker {
            ast,
            location,
            settings,
            embedding,
            findings: Findings::default(),
            path: Vec::new(),
            apply_blocks: 0,
            no_effect: NoEffect::from_ast(ast),
            literals: Literals::new(ast, settings.language),
            chain: None,
            places: Places::from_source(ast.source()),
        }
    }
}

impl Checker<'_> {
    /// Checks a node and all below it, parents first.
    fn walk(&mut self, root: NodeId) {
        let ast = self.ast;
        // An empty step closes the node whose children were before it.
        let mut steps = vec![Some(root)];
        while let Some(step) = steps.pop() {
            let Some(id) = step else {
                self.leave();
                continue;
            };
            self.check(id);
            if self.findings.fatal.is_some() {
                return;
            }
            let close = steps.len();
            steps.push(None);
            ast.each_child(id, |child| {
                if !is_always_right(ast.node(child)) {
                    steps.push(Some(child));
                }
            });
            if steps.len() == close + 1 {
                steps.pop();
            } else {
                steps[close + 1..].reverse();
                self.enter(id);
            }
        }
    }

    fn enter(&mut self, id: NodeId) {
        self.path.push(id);
        if matches!(self.ast.node(id), Node::ApplyBlock(_)) {
            self.apply_blocks += 1;
        }
    }

    fn leave(&mut self) {
        let left = self.path.pop();
        if left.is_some_and(|id| matches!(self.ast.node(id), Node::ApplyBlock(_))) {
            self.apply_blocks -= 1;
        }
    }

    fn check(&mut self, id: NodeId) {
        if self.settings.tasks && self.check_for_tasks(id) {
            return;
        }
        match self.ast.node(id) {
            Node::Variable(name) => self.check_variable_name(id, name),
            Node::BigInteger { .. } => self.check_overflow(id),
            Node::Reserved(word) => {
                let word = self.ast.text(word).to_owned();
                self.report(id, Issue::ReservedWord { word });
            }
            Node::Heredoc { syntax, text } => self.check_heredoc(syntax, text),
            Node::Array(values) | Node::CaseOption { values, .. } => self.rvalues(values),
            Node::Hash(entries) => self.check_duplicate_keys(entries),
            Node::Entry { key, value } => {
                self.rvalue(key);
                self.rvalue(value);
            }
            Node::Unary { op: UnaryOp::Minus | UnaryOp::Not | UnaryOp::Splat | UnaryOp::Paren, operand }
            | Node::Unary { op: UnaryOp::Text | UnaryOp::Render, operand } => self.rvalue(operand),
            Node::Binary { left, right, .. } => {
                self.rvalue(left);
                self.rvalue(right);
            }
            Node::Assign { op: AssignOp::Set, left, right } => {
                self.check_assignable(left);
                self.rvalue(right);
            }
            Node::Assign { op, .. } => {
                self.report(id, Issue::AppendsDeletesNoLongerSupported { operator: op.symbol().to_owned() });
            }
            Node::Relationship { left, right, .. } => {
                self.check_relationship_side(left);
                self.check_relationship_side(right);
            }
            Node::Call { functor, .. } => self.check_call(id, functor),
            Node::Lambda { params, returns, .. } => self.check_lambda(id, params, returns),
            Node::Param { name, value, .. } => self.check_param(id, name, value),
            Node::If { test, .. } | Node::Unless { test, .. } => self.rvalue(test),
            Node::Case { test, options } => self.check_case(id, test, options),
            Node::Selector { left, entries } => self.check_selector(id, left, entries),
            Node::SelectorEntry { matching, .. } => self.rvalue(matching),
            Node::Block(statements) | Node::ApplyBlock(statements) => self.check_statements(id, statements),
            Node::Resource { form, type_name, .. } => self.check_resource(id, form, type_name),
            Node::ResourceBody { ops, .. } => self.check_resource_body(ops),
            Node::ResourceDefaults { form, .. } | Node::ResourceOverride { form, .. } => {
                self.check_not_virtual(id, form);
            }
            Node::AttributeOp { name, append, value } => self.check_attribute(id, name, append, value),
            Node::AttributeSplat(value) => self.rvalue(value),
            Node::Collect { type_expr, .. } => self.check_collector(id, type_expr),
            Node::Query { expr: Some(expr), .. } => self.check_query(expr),
            Node::Definition(definition) => self.check_definition(id, definition),
            Node::NodeDefinition { hosts, parent, body } => self.check_node_definition(id, hosts, parent, body),
            Node::TypeAlias { name, type_expr } => self.check_type_alias(id, name, type_expr),
            Node::TypeMapping { type_expr, mapping } => self.check_type_mapping(id, type_expr, mapping),
            Node::TypeDefinition { name, .. } => self.check_type_definition(id, name),
            Node::Epp { .. } => self.check_epp(id),
            Node::Site(site) => self.ast.site(site).each_expression(|value| self.rvalue(value)),
            _ => {}
        }
    }

    /// Returns a finding about a node, not yet noted.
    fn finding(&mut self, id: NodeId, issue: Issue) -> Diagnostic {
        let span = self.ast.span(id);
        issue.at(self.places.place_at(span.start), Some(span))
    }

    fn report(&mut self, id: NodeId, issue: Issue) {
        let finding = self.finding(id, issue);
        self.findings.add(finding);
    }

    /// A finding that another node explains.
    fn report_again(&mut self, id: NodeId, issue: Issue, first: NodeId, note: &str) {
        let mut finding = self.finding(id, issue);
        finding.related.push(Related { span: self.ast.span(first), note: note.to_owned() });
        self.findings.add(finding);
    }

    /// Text of a heredoc that names its syntax, where no value of a run can change the text.
    fn check_heredoc(&mut self, syntax: super::ast::Text, text: NodeId) {
        let Node::String(content) = self.ast.node(text) else { return };
        if syntax.is_empty() {
            return;
        }
        let (syntax, content) = (self.ast.text(syntax), self.ast.text(content));
        let Embedded { log, error } = embedded::check(syntax, content, self.settings, self.embedding);
        let span = Some(self.ast.span(text));
        self.findings.log.extend(log.into_iter().map(|mut entry| {
            entry.span = span;
            entry
        }));
        self.findings.fatal = error.map(|issue| match issue {
            Issue::PpSyntaxNotAlone | Issue::EppSyntaxNotAlone => issue.at(Place::Nowhere, span),
            _ => self.finding(text, issue),
        });
    }
}

/// Returns true if no rule concerns a node, nor anything in it.
fn is_always_right(node: Node) -> bool {
    node.is_constant() || matches!(node, Node::Nop | Node::TypeName(_) | Node::RenderString(_))
}
