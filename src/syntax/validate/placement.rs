//! Where things may stand: definitions in files and in each other, top-level code in modules.
//!
//! Is told where the file stands in its module; never looks for itself.

use pantin_base::{Diagnostic, Location, Span};

use super::super::ast::{DefinitionKind, Node, NodeId};
use super::super::bindings::{SiteHome, check_sites, rule};
use super::super::label::{a_an_uc, label};
use super::{Checker, Issue};

impl Checker<'_> {
    /// A file of a module that the autoloader reads may hold definitions alone.
    pub(super) fn check_top_constructs(&mut self) {
        if matches!(self.location, Location::Anywhere | Location::Environments) || self.ast.source().name().is_none() {
            return;
        }
        let ast = self.ast;
        let root = ast.root();
        match ast.node(root) {
            Node::Nop => {}
            Node::Block(statements) => {
                for &statement in ast.list(statements) {
                    self.check_top_construct(statement);
                }
            }
            _ => self.check_top_construct(root),
        }
    }

    /// Checks what a `site` statement of a manifest says: once, for all of them together.
    pub(super) fn check_sites(&mut self) {
        if self.ast.sites().is_empty() {
            return;
        }
        let home = match self.location {
            Location::Environments => SiteHome::Environments,
            Location::Anywhere => SiteHome::Environment,
            Location::BadModuleFile | Location::Namespace(_) => return,
        };
        for finding in check_sites(self.ast, home) {
            let place = finding.span.map_or(finding.place, |span| self.places.place_at(span.start));
            self.findings.add(Diagnostic { place, ..finding });
        }
    }

    fn check_top_construct(&mut self, id: NodeId) {
        if let Node::Site(_) = self.ast.node(id) {
            let span = Span::new(self.ast.span(id).start, 4);
            let finding = rule::SITE_NOT_HERE.at("'site' belongs to the environment's own manifests", span);
            let place = self.places.place_at(span.start);
            return self.findings.add(Diagnostic { place, ..finding });
        }
        let is_definition = matches!(
            self.ast.node(id),
            Node::Definition(_) | Node::TypeAlias { .. } | Node::TypeMapping { .. } | Node::TypeDefinition { .. }
        );
        if !is_definition {
            let value = label(self.ast, id).into_owned();
            self.report(id, Issue::IllegalTopConstructLocation { value });
        }
    }

    /// A definition stands at the top, in classes, or, types and functions apart, in their blocks.
    pub(super) fn check_top(&mut self, definition: NodeId) {
        let is_absolute = match self.ast.node(definition) {
            Node::TypeAlias { .. } | Node::TypeDefinition { .. } => true,
            Node::Definition(id) => {
                matches!(self.ast.definition(id).kind, DefinitionKind::Function | DefinitionKind::Plan)
            }
            _ => false,
        };
        for (depth, &around) in self.path.iter().enumerate().rev() {
            match self.ast.node(around) {
                Node::Apply { .. } => return,
                Node::Definition(id) if self.ast.definition(id).kind == DefinitionKind::Class => return,
                Node::Block(_) | Node::ApplyBlock(_) => {
                    if is_absolute && depth > 0 {
                        let value = a_an_uc(self.ast, definition);
                        self.report(definition, Issue::NotAbsoluteTopLevel { value });
                        return;
                    }
                }
                _ => {
                    self.report(definition, Issue::NotTopLevel);
                    return;
                }
            }
        }
    }

    /// The autoloader looks for a name where its namespace says, whatever the case of letters.
    pub(super) fn check_file_namespace(&mut self, definition: NodeId, name: &str) {
        let Some(file) = self.ast.source().name().filter(|file| !file.is_empty()) else { return };
        let is_found = match self.location {
            Location::Anywhere | Location::Environments => true,
            Location::BadModuleFile => false,
            Location::Namespace(namespace) => name.to_lowercase().starts_with(namespace.as_str()),
        };
        if !is_found {
            let mut finding = self
                .finding(definition, Issue::IllegalDefinitionLocation { name: name.to_owned(), file: file.to_owned() });
            if let Location::Namespace(namespace) = self.location {
                finding.label = Some(format!("names in this file start with '{namespace}'"));
            }
            self.findings.add(finding);
        }
    }
}
