//! From a body to the includes and declarations that led to it. It must not know how values come about.

use pantin_model::evaluation::{EvaluationId, EvaluationKind};
use pantin_model::trace::{At, Effect, Include, ResourceForm};
use pantin_values::Str;

use super::parameters::{is_title, is_type, reference};
use super::reason::{Reason, ReasonKind, SourcePlace};
use super::{Provenance, normalized};

/// Chains are followed through so many bodies.
const MOST_BODIES: usize = 64;

impl Provenance {
    /// Returns how a resource came to be declared.
    pub(super) fn reasons_of_declaration(&self, resource: usize) -> Vec<Reason> {
        self.declaration(resource, MOST_BODIES)
    }

    /// Returns how the body of a class, a defined type or a node block came to be evaluated.
    pub(super) fn reasons_of_body(&self, resource: usize) -> Vec<Reason> {
        self.reach(resource, MOST_BODIES)
    }

    /// Returns where the code of a class or a defined type begins.
    pub(super) fn definition_place(&self, resource: usize) -> Option<SourcePlace> {
        let unit = self.record.resources[resource].definition.as_ref()?;
        let file = unit.source.name().map(Str::from);
        file.map(|file| SourcePlace { file: Some(file), line: None })
    }

    fn declaration(&self, resource: usize, depth: usize) -> Vec<Reason> {
        let of = &self.record.resources[resource];
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        if of.type_name == "Class" || of.type_name == "Node" {
            return self.reach(resource, depth);
        }
        let mut reasons = Vec::new();
        if let Some(known) = &of.collected_as {
            reasons.push(Reason::new(ReasonKind::ExportedBy { node: known.to_string() }));
        }
        let declared = self.declaring_effect(resource);
        let at = of.declared_at.clone().or_else(|| declared.as_ref().map(|(_, at, _)| at.clone()));
        if let Some(at) = &at {
            let body = self.record.resources[of.declared_in].reference();
            let mut reason = Reason::new(ReasonKind::DeclaredIn { body }).at(at);
            if let Some((id, ..)) = &declared {
                reason.reasons = self.explainer().conditions_around(*id);
            }
            reason.reasons.extend(self.reach(of.declared_in, depth));
            reasons.push(reason);
        }
        let is_brought =
            of.collected_as.is_some() || declared.is_some_and(|(_, _, form)| form != ResourceForm::Regular);
        if is_brought && !of.is_virtual {
            reasons.extend(self.realizations(resource));
        }
        reasons
    }

    /// Returns the effect that declared a resource, its place and its form.
    pub(super) fn declaring_effect(&self, resource: usize) -> Option<(EvaluationId, At, ResourceForm)> {
        let of = &self.record.resources[resource];
        self.record.iter().find_map(|(id, evaluation)| {
            let EvaluationKind::Effect(Effect::Declare(declaration)) = &evaluation.kind else { return None };
            if !is_type(of, &declaration.type_name) {
                return None;
            }
            let body = declaration.bodies.iter().find(|body| body.titles.iter().any(|title| is_title(of, title)))?;
            Some((id, declaration.body_place(body), declaration.form))
        })
    }

    /// The collectors, and calls of `realize`, that may have brought a virtual or exported resource.
    fn realizations(&self, resource: usize) -> Vec<Reason> {
        let of = &self.record.resources[resource];
        let found = self.record.iter().filter_map(|(id, evaluation)| {
            let at = match &evaluation.kind {
                EvaluationKind::Effect(Effect::Collect { type_name, exported, at, .. })
                    if is_type(of, type_name) && (of.collected_as.is_none() || *exported) =>
                {
                    at
                }
                EvaluationKind::Effect(Effect::Realize { references, at }) => {
                    let mut named = references.iter().filter_map(reference);
                    named.any(|(type_name, title)| is_type(of, type_name) && is_title(of, title)).then_some(at)?
                }
                _ => return None,
            };
            let body = self.body_text(id);
            let expression = self.record.ancestors(id).nth(1);
            let code = expression.and_then(|expression| self.explainer().code(expression));
            Some(Reason::new(ReasonKind::RealizedIn { body }).at(at).with_code(code))
        });
        found.collect()
    }

    fn reach(&self, resource: usize, depth: usize) -> Vec<Reason> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let of = &self.record.resources[resource];
        match of.type_name.as_str() {
            "Node" => Vec::new(),
            "Class" if of.title.eq_ignore_ascii_case("main") => Vec::new(),
            "Class" => self.reach_of_class(resource, depth),
            _ => self.declaration(resource, depth),
        }
    }

    fn reach_of_class(&self, resource: usize, depth: usize) -> Vec<Reason> {
        let record = &self.record;
        let name = normalized(&record.resources[resource].title);
        let body = record.bodies_of(resource).next();
        let first = body.and_then(|body| record.get(body).parent);
        let mut reasons = Vec::new();
        match first.map(|first| (first, &record.get(first).kind)) {
            Some((id, EvaluationKind::Inherits { class })) => {
                let mut reason = Reason::new(ReasonKind::InheritedBy { class: class.to_string() });
                if let Some(child) = self.find(&format!("Class[{class}]")) {
                    reason.place = self.definition_place(child);
                    // The child waits for its parent, which is evaluated before it has a body of its own.
                    reason.reasons = match record.bodies_of(child).next() {
                        Some(_) => self.reach_of_parent(id, child, depth),
                        None => Vec::new(),
                    };
                }
                reasons.push(reason);
            }
            Some((id, EvaluationKind::Effect(effect))) => reasons.extend(self.first_include(id, effect, &name, depth)),
            _ if body.is_some() => reasons.push(Reason::new(ReasonKind::Classifier { class: name.clone() })),
            _ => {}
        }
        for (id, evaluation) in record.iter().filter(|(id, _)| Some(*id) != first) {
            if let EvaluationKind::Effect(Effect::Include { how, classes, at }) = &evaluation.kind
                && classes.iter().any(|class| normalized(class) == name)
            {
                reasons.push(self.include(id, &name, *how, at, false));
            }
        }
        reasons
    }

    /// Who wanted the class that inherits: the effect around the evaluation of its parent.
    fn reach_of_parent(&self, inherits: EvaluationId, child: usize, depth: usize) -> Vec<Reason> {
        let name = normalized(&self.record.resources[child].title);
        match self.record.get(inherits).parent.map(|around| (around, &self.record.get(around).kind)) {
            Some((id, EvaluationKind::Effect(effect))) => self.first_include(id, effect, &name, depth),
            _ => self.reach(child, depth),
        }
    }

    /// Returns the effect that evaluated a class.
    fn first_include(&self, id: EvaluationId, effect: &Effect, name: &str, depth: usize) -> Vec<Reason> {
        let mut reason = match effect {
            Effect::Include { how, at, .. } => self.include(id, name, *how, at, true),
            Effect::Declare(declaration) => {
                Reason::new(ReasonKind::DeclaredIn { body: self.body_text(id) }).at(&declaration.at)
            }
            _ => return Vec::new(),
        };
        reason.reasons = self.explainer().conditions_around(id);
        if let (Some((_, container)), Some(depth)) = (self.record.body_around(id), depth.checked_sub(1)) {
            reason.reasons.extend(self.reach(container, depth));
        }
        vec![reason]
    }

    fn include(&self, id: EvaluationId, class: &str, how: Include, at: &At, is_first: bool) -> Reason {
        let kind = ReasonKind::IncludedIn { class: class.to_owned(), body: self.body_text(id), how, is_first };
        Reason::new(kind).at(at)
    }

    /// Returns the resource in whose body something was evaluated.
    pub(super) fn body_text(&self, id: EvaluationId) -> String {
        let body = self.record.body_around(id);
        body.map(|(_, resource)| self.record.resources[resource].reference())
            .unwrap_or_else(|| "Class[main]".to_owned())
    }

    /// Returns the code that asks for a key.
    pub(super) fn asker(&self, lookup: EvaluationId) -> Reason {
        let mut reason = Reason::new(ReasonKind::AskedIn { body: self.body_text(lookup) });
        let expression = self.record.ancestors(lookup).nth(1);
        match expression.and_then(|id| Some((id, self.record.get(id).at()?))) {
            Some((id, at)) => reason = reason.at(at).with_code(self.explainer().code(id)),
            None => {
                let body = self.record.body_around(lookup);
                reason.place = body.and_then(|(_, resource)| self.definition_place(resource));
            }
        }
        reason
    }
}
