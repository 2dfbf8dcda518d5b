//! Classes that bindings include, classes and types that stand in the place of others, and dependencies.
//! It must not know which binding wins.

use std::sync::Arc;

use pantin_bindings::{Place, Problem, Subject, located_fault, rule};
use pantin_eval::Body;
use pantin_model::catalog::BoundEdge;
use pantin_model::trace::Failure;
use pantin_values::{Fault, Hash, Str, Type};
use pantin_world::node::NodeClasses;

use super::Compiler;
use super::bindings::BindingsOutside;
use super::state::{ResourceId, ResourceKind, TOP};
use crate::code::{DefKind, lower_name};
use crate::report::failure_of;

impl Compiler<'_> {
    /// Includes the classes that are bound, as code of the top scope does it.
    pub(super) fn include_bound_classes(&mut self) -> Result<(), Failure> {
        let Some(injector) = self.bindings.injector.clone() else { return Ok(()) };
        let names = injector.classes(&mut BindingsOutside(self)).map_err(failure_of)?;
        for name in names {
            match self.untaken_parameters(&name) {
                Some(parameters) => {
                    let scope = self.node_scope.unwrap_or(TOP);
                    self.ensure_classes_with(scope, &[(name, parameters)]).map_err(failure_of)?;
                }
                None => self.include_at_top(&name)?,
            }
        }
        self.tell();
        Ok(())
    }

    /// Returns the parameters that the ENC has for a class, if a layer took its classes and none took parameters.
    fn untaken_parameters(&self, name: &str) -> Option<Hash> {
        let enc = self.bindings.enc;
        let NodeClasses::WithParameters(classes) = &self.request.node.classes else { return None };
        let name = lower_name(name);
        let (_, parameters) = classes.iter().find(|(known, _)| lower_name(known) == name)?;
        parameters.clone().filter(|parameters| enc.classes && !enc.parameters && !parameters.is_empty())
    }

    /// The name of the class that is declared where this one is named.
    pub(super) fn replaced_class(&mut self, name: &str) -> Result<Option<Str>, Fault> {
        let Some(injector) = self.bindings.injector.clone().filter(|injector| injector.has_replacements()) else {
            return Ok(None);
        };
        let old = Subject::Class(lower_name(name).to_string());
        let Some((new, place)) = injector.replacement(&old) else { return Ok(None) };
        self.check_replacement(&old, new, place)?;
        match new {
            Subject::Class(new) => Ok(Some(new.as_str().into())),
            _ => Ok(None),
        }
    }

    /// The name of the type of resources that is declared where this one is named.
    pub(super) fn replaced_type(&mut self, name: &str) -> Result<Option<Str>, Fault> {
        let Some(injector) = self.bindings.injector.clone().filter(|injector| injector.has_replacements()) else {
            return Ok(None);
        };
        let old = Subject::Type(super::reference_name(&name.to_lowercase()).to_string());
        let Some((new, place)) = injector.replacement(&old) else { return Ok(None) };
        self.check_replacement(&old, new, place)?;
        match new {
            Subject::Type(new) => Ok(Some(new.to_lowercase().into())),
            _ => Ok(None),
        }
    }

    fn check_replacement(&mut self, old: &Subject, new: &Subject, place: Place) -> Result<(), Fault> {
        let Some(reason) = self.replacement_reason(old, new)? else { return Ok(()) };
        let message = format!("{} is no replacement of {}: {reason}", new.shown(), old.shown());
        Err(located_fault(&Problem::new(rule::REPLACEMENT, message, place)))
    }

    /// Returns why one class or type cannot stand in the place of another.
    pub(super) fn replacement_reason(&mut self, old: &Subject, new: &Subject) -> Result<Option<String>, Fault> {
        match (old, new) {
            (Subject::Class(old), Subject::Class(new)) => {
                let Some(class) = self.find_class(new)? else { return Ok(Some(format!("there is no class {new}"))) };
                let mut line = Some(class.clone());
                let mut steps = 0;
                while let Some(one) = line.take().filter(|one| one.name != *old) {
                    steps += 1;
                    match one.parent.clone().filter(|_| steps < pantin_base::limits::BODY_DEPTH) {
                        Some(parent) => line = self.find_class(&parent)?,
                        None => return Ok(Some("it does not inherit it".to_owned())),
                    }
                    if line.is_none() {
                        return Ok(Some("it does not inherit it".to_owned()));
                    }
                }
                self.missing_parameter(&Subject::Class(old.clone()), &Subject::Class(new.clone()))
            }
            (Subject::Type(old), Subject::Type(new)) => {
                let (before, after) = (self.unreplaced_kind(old)?, self.unreplaced_kind(new)?);
                match (before, after) {
                    (Some(ResourceKind::Def(_)), Some(ResourceKind::Native(_)) | None) => {
                        Ok(Some("it is no defined type".to_owned()))
                    }
                    (Some(ResourceKind::Native(_)), Some(ResourceKind::Def(_)) | None) => {
                        Ok(Some("it is no resource type".to_owned()))
                    }
                    _ => self.missing_parameter(&Subject::Type(old.clone()), &Subject::Type(new.clone())),
                }
            }
            (Subject::Class(_), _) => Ok(Some("it is no class".to_owned())),
            // A type of objects may have the name: nothing is declared of it.
            (Subject::Type(old), Subject::Object(_)) if self.unreplaced_kind(old)?.is_none() => Ok(None),
            (Subject::Type(_), _) => Ok(Some("it is no type of resources".to_owned())),
            _ => Ok(None),
        }
    }

    fn missing_parameter(&mut self, old: &Subject, new: &Subject) -> Result<Option<String>, Fault> {
        let (old, new) = (self.subject_parameters(old)?, self.subject_parameters(new)?);
        let new = new.unwrap_or_default();
        let missing = old.unwrap_or_default().into_iter().find(|name| !new.contains(name));
        Ok(missing.map(|name| format!("it has no parameter '{name}'")))
    }

    /// The names of the parameters of a class or a type.
    pub(super) fn subject_parameters(&mut self, of: &Subject) -> Result<Option<Vec<Str>>, Fault> {
        let of_body = |body: Option<Arc<Body>>| -> Vec<Str> {
            body.iter().flat_map(|body| body.lambda.params.iter().map(|param| param.name.clone())).collect()
        };
        let builtins = self.loader.base.builtins;
        Ok(match of {
            Subject::Class(name) => self.find_class(name)?.map(|class| of_body(class.body(builtins))),
            Subject::Type(name) | Subject::Resource(name, _) => match self.unreplaced_kind(name)? {
                Some(ResourceKind::Native(native)) => {
                    Some(native.properties().iter().chain(native.parameters()).cloned().collect())
                }
                Some(ResourceKind::Def(definition)) if matches!(definition.kind, DefKind::Define) => {
                    Some(of_body(definition.body(builtins)))
                }
                _ => None,
            },
            Subject::Object(name) => {
                use pantin_values::Resolve;
                match self.loader.resolve(name)?.map(|of| of.resolved().clone()) {
                    Some(Type::Object(object)) => {
                        let classes = object.line();
                        Some(classes.flat_map(|class| class.attributes.iter().map(|(name, _)| name.clone())).collect())
                    }
                    _ => None,
                }
            }
        })
    }

    /// Adds the edges that are bound, where both sides are in the catalog.
    pub(super) fn add_bound_dependencies(&mut self) {
        let Some(injector) = self.bindings.injector.clone() else { return };
        self.bindings.runtime.note_row(pantin_bindings::Row::from(pantin_bindings::DEPENDENCIES));
        let log = self.state.log(super::Observer::Finish);
        for ((from, arrow, to), place) in &injector.dependencies {
            let find = |compiler: &Self, subject: &Subject| -> Option<ResourceId> {
                match subject {
                    Subject::Class(name) => compiler.state.find_in_catalog("Class", name, &log),
                    Subject::Resource(type_name, title) => compiler.state.find_in_catalog(type_name, title, &log),
                    _ => None,
                }
            };
            if let (Some(from), Some(to)) = (find(self, from), find(self, to)) {
                let name = match arrow {
                    pantin_bindings::DependencyArrow::Before => "before",
                    pantin_bindings::DependencyArrow::Notify => "notify",
                };
                let target = self.state.reference(to);
                let (before, at) = (self.state.reference(from).into(), place.at().into());
                self.bindings.edges.push(BoundEdge { from: before, to: target.as_str().into(), at });
                self.state.add_relationship(from, name, target.into());
            }
        }
    }
}
