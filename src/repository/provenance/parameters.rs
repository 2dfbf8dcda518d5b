//! From a parameter of a resource to whoever set it. It must not know how values are put together.

use pantin_base::names::RELATIONSHIPS;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::evaluation::{EvaluationId, EvaluationKind, ExpressionKind, RecordedResource, WrittenAttribute};
use pantin_model::trace::{At, Effect};
use pantin_values::{Str, Type, Value};
use pantin_world::node::NodeClasses;

use super::normalized;
use super::reason::{Reason, ReasonKind, Setter};
use super::values::ValueExplainer;

impl ValueExplainer<'_> {
    /// Who set a parameter of a resource, and what its value was made of.
    pub(super) fn parameter(&mut self, resource: usize, name: &Str) -> Reason {
        let record = self.record;
        let of = &record.resources[resource];
        let is_new = self.seen_parameters.insert((resource, name.clone()));
        let parameter = of.parameter(name);
        let mut reason = match parameter.and_then(|parameter| parameter.at.as_ref()) {
            Some(at) => self.written_parameter(of, name, at, is_new),
            None => self.unwritten_parameter(resource, name, is_new),
        };
        reason.value = parameter.map(|parameter| parameter.value.clone());
        reason.is_repeated = !is_new;
        reason
    }

    /// Returns an attribute that stands in code.
    fn written_parameter(&mut self, of: &RecordedResource, name: &Str, at: &At, is_new: bool) -> Reason {
        let record = self.record;
        let mut setter = Setter::Declaration;
        let mut reasons = Vec::new();
        let mut code = None;
        // An expression in a loop is evaluated several times: the effect says which of them is about the resource.
        for (id, attribute) in self.evaluations_with(at) {
            let effect = record.children(id).iter().find_map(|child| match &record.get(*child).kind {
                EvaluationKind::Effect(effect) => Some(effect),
                _ => None,
            });
            let Some(by) = effect.and_then(|effect| setter_of(effect, of)) else { continue };
            setter = by;
            if let Some(value) = record.expression_below(id, attribute.value) {
                code = self.code(value);
                if is_new {
                    reasons = self.reasons(value);
                }
            }
            break;
        }
        Reason::new(ReasonKind::Parameter { name: name.to_string(), setter }).at(at).with_code(code).because(reasons)
    }

    /// Returns the evaluations of the expression that an attribute stands in.
    fn evaluations_with(&self, at: &At) -> Vec<(EvaluationId, WrittenAttribute)> {
        let found = self.record.iter().filter_map(|(id, evaluation)| match &evaluation.kind {
            EvaluationKind::Expression { at: known, kind: ExpressionKind::Attributes(attributes) }
                if known.unit.key == at.unit.key =>
            {
                attributes.iter().find(|attribute| attribute.at == at.node).map(|attribute| (id, attribute.clone()))
            }
            _ => None,
        });
        found.collect()
    }

    /// Returns a parameter that no attribute sets: from the data, a default, a function or a classifier.
    fn unwritten_parameter(&mut self, resource: usize, name: &Str, is_new: bool) -> Reason {
        let record = self.record;
        let of = &record.resources[resource];
        let reason = |setter| Reason::new(ReasonKind::Parameter { name: name.to_string(), setter });
        if let Some((call, at)) = self.declaring_call(of, name) {
            let reasons = if is_new { self.reasons(call) } else { Vec::new() };
            return reason(Setter::Function).at(&at).with_code(self.code(call)).because(reasons);
        }
        if self.classifier_sets(of, name) {
            return reason(Setter::Classifier);
        }
        if let Some((expression, at)) = self.relationship(of, name) {
            return reason(Setter::Relationship).at(&at).with_code(self.code(expression));
        }
        let container = &record.resources[of.declared_in];
        if METAPARAMETERS.contains(&name.as_str()) && of.declared_in != resource && container.parameter(name).is_some()
        {
            let reasons = if is_new { vec![self.parameter(of.declared_in, name)] } else { Vec::new() };
            return reason(Setter::Container).because(reasons);
        }
        if let Some(bound) = self.bound_parameter(of, name) {
            let reasons = if is_new { vec![self.lookup(bound)] } else { Vec::new() };
            return reason(Setter::Binding).because(reasons);
        }
        let run = record.bodies_of(resource).find_map(|body| record.run_of_body(body));
        let Some(run) = run else { return reason(Setter::Puppet) };
        let key = format!("{}::{name}", normalized(&of.title));
        let lookup = record.children(run).iter().copied().find(|child| match &record.get(*child).kind {
            EvaluationKind::Lookup(lookup) => lookup.is_parameter && lookup.is_found && lookup.key == key,
            _ => false,
        });
        if let Some(lookup) = lookup {
            let is_bound = matches!(&record.get(lookup).kind, EvaluationKind::Lookup(lookup) if lookup.is_bound);
            let reasons = if is_new { vec![self.lookup(lookup)] } else { Vec::new() };
            return reason(if is_bound { Setter::Binding } else { Setter::Data }).because(reasons);
        }
        let EvaluationKind::Run { parameters, .. } = &record.get(run).kind else { return reason(Setter::Puppet) };
        let default = parameters.iter().find(|parameter| parameter.name == *name).and_then(|known| known.default);
        let default = default.and_then(|default| record.expression_below(run, default));
        match default.map(|default| (default, record.get(default).at())) {
            Some((default, Some(at))) => {
                let reasons = if is_new { self.reasons(default) } else { Vec::new() };
                reason(Setter::Default).at(at).with_code(self.code(default)).because(reasons)
            }
            _ => reason(Setter::Puppet),
        }
    }

    /// Returns the injection that set a parameter of a resource, or of all of its type.
    fn bound_parameter(&self, of: &RecordedResource, name: &str) -> Option<EvaluationId> {
        let instance = pantin_compile::bound_resource(&of.type_name, &of.title);
        let keys = [instance, of.type_name.to_string(), format!("Class[{}]", normalized(&of.title))];
        let keys = keys.map(|subject| format!("/param/{subject}/{name}"));
        let found = self.record.iter().filter(|(_, evaluation)| match &evaluation.kind {
            EvaluationKind::Lookup(lookup) => {
                lookup.is_bound && lookup.is_found && lookup.is_parameter && keys.iter().any(|key| *key == lookup.key)
            }
            _ => false,
        });
        found.map(|(id, _)| id).last()
    }

    /// Returns the call of a function that declared a resource with this parameter.
    fn declaring_call(&self, of: &RecordedResource, name: &str) -> Option<(EvaluationId, At)> {
        self.record.iter().find_map(|(id, evaluation)| {
            let EvaluationKind::Effect(Effect::Declare(declaration)) = &evaluation.kind else { return None };
            let has_it = |body: &&pantin_model::trace::DeclaredBody| {
                body.titles.iter().any(|title| is_title(of, title))
                    && body.parameters.iter().any(|parameter| parameter.name == name)
            };
            let is_it = declaration.by_function
                && is_type(of, &declaration.type_name)
                && declaration.bodies.iter().any(|body| has_it(&body));
            let call = self.record.ancestors(id).find(|id| self.record.get(*id).at().is_some())?;
            is_it.then(|| (call, declaration.at.clone()))
        })
    }

    /// The expression with an arrow that names a resource, if one of its relationships comes from there.
    fn relationship(&self, of: &RecordedResource, name: &str) -> Option<(EvaluationId, At)> {
        if !RELATIONSHIPS.contains(&name) {
            return None;
        }
        let is_named = |value: &Value| {
            let mut named = value.clone().flattened().into_iter();
            named.any(|value| reference(&value).is_some_and(|(kind, title)| is_type(of, kind) && is_title(of, title)))
        };
        self.record.iter().find_map(|(id, evaluation)| match &evaluation.kind {
            EvaluationKind::Effect(Effect::Relate { left, right, at, .. }) if is_named(left) || is_named(right) => {
                Some((self.record.get(id).parent?, at.clone()))
            }
            _ => None,
        })
    }

    fn classifier_sets(&self, of: &RecordedResource, name: &str) -> bool {
        let NodeClasses::WithParameters(classes) = &self.inputs().prepared.node.classes else { return false };
        of.type_name == "Class"
            && classes.iter().any(|(class, parameters)| {
                normalized(class) == normalized(&of.title)
                    && parameters.as_ref().is_some_and(|parameters| parameters.get_str(name).is_some())
            })
    }
}

/// By what an effect sets parameters of a resource, if it does.
fn setter_of(effect: &Effect, of: &RecordedResource) -> Option<Setter> {
    match effect {
        Effect::Declare(declaration) => {
            let mut titles = declaration.bodies.iter().flat_map(|body| &body.titles);
            let is_it = is_type(of, &declaration.type_name) && titles.any(|title| is_title(of, title));
            is_it.then_some(Setter::Declaration)
        }
        Effect::Override { references, .. } => {
            let mut named = references.iter().filter_map(reference);
            named.any(|(type_name, title)| is_type(of, type_name) && is_title(of, title)).then_some(Setter::Override)
        }
        Effect::Defaults { type_name, .. } => is_type(of, type_name).then_some(Setter::Defaults),
        Effect::Collect { type_name, .. } => is_type(of, type_name).then_some(Setter::Collector),
        _ => None,
    }
}

/// Returns the type and the title that a value names.
pub(super) fn reference(value: &Value) -> Option<(&str, &str)> {
    match value {
        Value::Type(Type::Resource(Some(resource))) => Some((&resource.type_name, resource.title.as_deref()?)),
        Value::Type(Type::Class(Some(class))) => Some(("Class", class)),
        _ => None,
    }
}

pub(super) fn is_type(of: &RecordedResource, written: &str) -> bool {
    normalized(&of.type_name) == normalized(written)
}

pub(super) fn is_title(of: &RecordedResource, written: &str) -> bool {
    match of.type_name == "Class" {
        true => normalized(&of.title) == normalized(written),
        false => of.title == *written,
    }
}
