//! Resources, collectors, calls, and the two expressions that choose: `case` and selectors.
//!
//! Knows nothing of resource types or functions: which exist shows when code runs.

use super::super::ast::{Form, List, Node, NodeId, Text};
use super::super::label::{a_an, label};
use super::{Checker, Issue};

impl Checker<'_> {
    pub(super) fn check_resource(&mut self, id: NodeId, form: Form, type_name: NodeId) {
        let is_class = matches!(self.ast.node(type_name), Node::Name(name) if self.ast.text(name) == "class");
        if form != Form::Regular && is_class {
            self.report(id, Issue::ClassNotVirtualizable);
        }
    }

    pub(super) fn check_not_virtual(&mut self, id: NodeId, form: Form) {
        if form != Form::Regular {
            self.report(id, Issue::NotVirtualizeable);
        }
    }

    pub(super) fn check_resource_body(&mut self, ops: List) {
        let ast = self.ast;
        let mut splats = ast.list(ops).iter().filter(|&&op| matches!(ast.node(op), Node::AttributeSplat(_)));
        let Some(&first) = splats.next() else { return };
        for &again in splats {
            self.report_again(again, Issue::MultipleAttributesUnfold, first, "the first is here");
        }
    }

    pub(super) fn check_attribute(&mut self, id: NodeId, name: Text, append: bool, value: NodeId) {
        if append && let Some(&around) = self.path.last() {
            let changes_resources =
                matches!(self.ast.node(around), Node::Collect { .. } | Node::ResourceOverride { .. });
            if !changes_resources {
                let issue = Issue::IllegalAttributeAppend {
                    attr: self.ast.text(name).to_owned(),
                    expression: a_an(self.ast, around),
                };
                self.report(id, issue);
            }
        }
        self.rvalue(value);
    }

    pub(super) fn check_collector(&mut self, id: NodeId, type_expr: NodeId) {
        if !matches!(self.ast.node(type_expr), Node::TypeName(_)) {
            self.report_unacceptable(type_expr, "type name", id);
        }
    }

    /// Functions and types can be called.
    pub(super) fn check_call(&mut self, id: NodeId, functor: NodeId) {
        match self.ast.node(functor) {
            Node::Name(_) | Node::TypeName(_) => {}
            Node::Access { left, .. } if matches!(self.ast.node(left), Node::TypeName(_)) => {}
            Node::RenderString(_) => self.report(id, Issue::IllegalEppParameters),
            _ => self.report_unacceptable(functor, "function name", id),
        }
    }

    pub(super) fn check_case(&mut self, id: NodeId, test: NodeId, options: List) {
        self.rvalue(test);
        let ast = self.ast;
        let mut first = None;
        for &option in ast.list(options) {
            let Node::CaseOption { values, .. } = ast.node(option) else { continue };
            for &value in ast.list(values) {
                if ast.node(value) != Node::Default {
                    continue;
                }
                match first {
                    None => first = Some(value),
                    Some(first) => self.report_second_default(id, value, first),
                }
            }
        }
    }

    /// The second default alone is flagged, however many there are.
    pub(super) fn check_selector(&mut self, id: NodeId, left: NodeId, entries: List) {
        self.rvalue(left);
        let ast = self.ast;
        let mut defaults = ast.list(entries).iter().filter_map(|&entry| match ast.node(entry) {
            Node::SelectorEntry { matching, .. } => Some(matching).filter(|&id| ast.node(id) == Node::Default),
            _ => None,
        });
        if let (Some(first), Some(second)) = (defaults.next(), defaults.next()) {
            self.report_second_default(id, second, first);
        }
    }

    fn report_second_default(&mut self, container: NodeId, second: NodeId, first: NodeId) {
        let issue = Issue::DuplicateDefault { container: label(self.ast, container).into_owned() };
        self.report_again(second, issue, first, "the first default is here");
    }
}
