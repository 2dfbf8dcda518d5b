//! Why a resource, or a class, is not in a catalog: the declarations of it that the node did not reach, as far as its code was run.
//! It must not know how manifests are searched.

use pantin_base::nearest;
use pantin_model::catalog::kinds;
use pantin_model::evaluation::{EvaluationId, EvaluationKind, ExpressionKind};
use pantin_model::trace::Effect;

use super::declarations::{CodePlace, Manifests, WrittenBody, WrittenDeclaration};
use super::reason::{Reason, ReasonKind, SourcePlace};
use super::{NoAnswer, Provenance, normalized, split};

/// More declarations of one thing are not told.
const MOST_DECLARATIONS: usize = 12;

/// So many bodies are asked, one inside of the other, why they were not evaluated.
const MOST_BODIES: usize = 8;

/// More titles of one declaration are counted, not told.
const MOST_TITLES: usize = 5;

impl Provenance {
    pub(super) fn absent(&self, asked: &str) -> Result<Reason, NoAnswer> {
        let Some((type_name, title)) = split(asked) else {
            let what = format!("'{asked}' is no resource: Type[title] is");
            return Err(NoAnswer::Unknown { what, near: None, help: None });
        };
        if let Some(index) = self.find(asked) {
            let resource = &self.record.resources[index];
            if !resource.is_virtual {
                let present = Reason::new(ReasonKind::Present(resource.reference()));
                return Ok(present.because(self.reasons_of_declaration(index)));
            }
            let mut reason = Reason::new(ReasonKind::NotRealized).because(self.reasons_of_declaration(index));
            reason.place = resource.declared_at.as_ref().map(SourcePlace::from_at);
            return Ok(Reason::new(ReasonKind::Resource(resource.reference())).because(vec![reason]));
        }
        self.check_type(type_name)?;
        let whole = Reason::new(ReasonKind::Resource(asked.to_owned()));
        let reasons = self.unreached(type_name, title, MOST_BODIES, &mut Vec::new());
        if !reasons.is_empty() {
            return Ok(whole.because(reasons));
        }
        let titles: Vec<String> =
            self.manifests().declarations(type_name, None).into_iter().filter_map(|found| found.title).collect();
        if let Some(near) = nearest(title, titles.iter().map(String::as_str)) {
            let what = format!("no manifest declares {asked}");
            return Err(NoAnswer::Unknown { what, near: Some(format!("{type_name}[{near}]")), help: None });
        }
        let is_class = normalized(type_name) == "class" && self.is_defined(&normalized(title))?;
        let kind = if is_class { ReasonKind::NowhereIncluded } else { ReasonKind::NowhereDeclared };
        Ok(whole.because(vec![Reason::new(kind)]))
    }

    /// Fails for a type of resources that there is not.
    fn check_type(&self, name: &str) -> Result<(), NoAnswer> {
        let name = normalized(name);
        let site = &self.inputs.environment().map_err(NoAnswer::Inputs)?.site;
        let all = kinds::all();
        let natives = || all.iter().map(|native| native.name());
        let is_known = name == "class"
            || natives().any(|native| native == name)
            || matches!(site.resource_type(&name), Ok(Some(_)))
            || self.is_defined(&name)?;
        if is_known {
            return Ok(());
        }
        let near = nearest(&name, natives()).map(str::to_owned);
        Err(NoAnswer::Unknown { what: format!("there is no type of resources called '{name}'"), near, help: None })
    }

    /// Returns true if a manifest defines a class, or a definition, of this name.
    fn is_defined(&self, name: &str) -> Result<bool, NoAnswer> {
        let site = &self.inputs.environment().map_err(NoAnswer::Inputs)?.site;
        Ok(site.definition_file(name).is_some())
    }

    fn manifests(&self) -> Manifests<'_> {
        Manifests { disk: &*self.disk, environment: &self.inputs.prepared.environment, language: self.language }
    }

    /// Returns the declarations of a resource that the node did not reach: those with its title, or else those whose
    /// title is worked out.
    ///
    /// `told`: the bodies of which somebody has said why they were not evaluated.
    fn unreached(&self, type_name: &str, title: &str, depth: usize, told: &mut Vec<String>) -> Vec<Reason> {
        let is_class = normalized(type_name) == "class";
        let all = self.manifests().declarations(type_name, is_class.then_some(title));
        let is_exact = |found: &&WrittenDeclaration| match &found.title {
            Some(known) if is_class => normalized(known) == normalized(title),
            Some(known) => known == title,
            None => false,
        };
        let mut found: Vec<&WrittenDeclaration> = all.iter().filter(is_exact).collect();
        // A name that is worked out may be any, wherever the node's own code works it out.
        let is_computed =
            |found: &&WrittenDeclaration| found.title.is_none() && (!is_class || self.state_of(&found.body).1);
        if found.is_empty() || is_class {
            found.extend(all.iter().filter(is_computed));
        }
        let shown = found.into_iter().take(MOST_DECLARATIONS);
        shown.map(|found| self.unreached_declaration(found, depth, told)).collect()
    }

    fn unreached_declaration(&self, found: &WrittenDeclaration, depth: usize, told: &mut Vec<String>) -> Reason {
        let (body, evaluated) = self.state_of(&found.body);
        let mut reason = placed(Reason::new(ReasonKind::Unreached { body: body.clone() }), &found.place);
        if !evaluated {
            let mut missing = Reason::new(ReasonKind::NotEvaluated { body: body.clone() });
            let (reasons, nowhere) = match (&found.body, depth.checked_sub(1)) {
                (WrittenBody::Node(_) | WrittenBody::Top, _) | (_, None) => (Vec::new(), None),
                _ if told.contains(&body) => {
                    missing.is_repeated = true;
                    (Vec::new(), None)
                }
                (WrittenBody::Class(name), Some(depth)) => {
                    told.push(body);
                    (self.unreached("Class", name, depth, told), Some(ReasonKind::NowhereIncluded))
                }
                (WrittenBody::Define(name), Some(depth)) => {
                    told.push(body);
                    (self.instances_unreached(name, depth, told), Some(ReasonKind::NowhereDeclared))
                }
            };
            missing.reasons = reasons;
            if missing.reasons.is_empty() {
                missing.reasons.extend(nowhere.map(Reason::new));
            }
            reason.reasons.push(missing);
            return reason;
        }
        let included = self.included_classes(&found.place);
        if !included.is_empty() && found.title.is_none() {
            let total = included.len();
            let shown = included.iter().take(MOST_TITLES).map(|(class, _)| class.clone()).collect();
            reason.kind = ReasonKind::OtherClasses { body, classes: shown, total };
            reason.reasons = self.reasons_of_arguments(included[0].1);
            return reason;
        }
        let titles = self.declared_titles(&found.place);
        if !titles.is_empty() {
            let total = titles.len();
            let shown = titles.into_iter().take(MOST_TITLES).collect();
            reason.kind = ReasonKind::OtherTitle { titles: shown, total };
            return reason;
        }
        // The innermost test that was made is the one that led elsewhere.
        let test = found.conditions.iter().rev().find_map(|condition| self.evaluation_at(condition));
        reason.reasons.extend(test.map(|test| self.explainer().condition(test, false)));
        reason
    }

    /// Returns why no instance of a defined type is there.
    fn instances_unreached(&self, name: &str, depth: usize, told: &mut Vec<String>) -> Vec<Reason> {
        let all = self.manifests().declarations(name, None);
        let shown = all.iter().take(MOST_DECLARATIONS);
        shown.map(|found| self.unreached_declaration(found, depth, told)).collect()
    }

    /// A body as resources are named, and whether the node has evaluated it.
    fn state_of(&self, body: &WrittenBody) -> (String, bool) {
        match body {
            WrittenBody::Top => ("Class[main]".to_owned(), true),
            WrittenBody::Class(name) => {
                let reference = format!("Class[{}]", pantin_base::names::type_name(name));
                let found = self.find(&reference);
                let evaluated = found.is_some_and(|index| self.record.bodies_of(index).next().is_some());
                (reference, evaluated)
            }
            WrittenBody::Define(name) => {
                let is_one = |resource: &pantin_model::evaluation::RecordedResource| {
                    normalized(&resource.type_name) == *name && !resource.is_virtual
                };
                (pantin_base::names::type_name(name), self.record.resources.iter().any(is_one))
            }
            WrittenBody::Node(hosts) => {
                let has_block = |resource: &pantin_model::evaluation::RecordedResource| {
                    resource.type_name == "Node" && hosts.contains(resource.title.as_str())
                };
                (format!("node {hosts}"), self.record.resources.iter().any(has_block))
            }
        }
    }

    /// Returns the classes that the code at a place has included, each with the effect.
    fn included_classes(&self, place: &CodePlace) -> Vec<(String, EvaluationId)> {
        let mut classes: Vec<(String, EvaluationId)> = Vec::new();
        for (id, evaluation) in self.record.iter() {
            let EvaluationKind::Effect(Effect::Include { classes: included, at, .. }) = &evaluation.kind else {
                continue;
            };
            let is_inside = place.span.start <= at.span().start && at.span().end() <= place.span.end();
            if !is_inside || at.unit.source.name() != Some(&place.file) {
                continue;
            }
            for class in included.iter().map(|class| normalized(class)) {
                if !classes.iter().any(|(known, _)| *known == class) {
                    classes.push((class, id));
                }
            }
        }
        classes
    }

    /// Returns where the arguments of the call come from that had an effect.
    fn reasons_of_arguments(&self, effect: EvaluationId) -> Vec<Reason> {
        let Some(call) = self.record.ancestors(effect).nth(1) else { return Vec::new() };
        self.explainer().reasons(call).into_iter().flat_map(|call| call.reasons).collect()
    }

    /// Returns the titles that the resource expression around a place has declared.
    fn declared_titles(&self, place: &CodePlace) -> Vec<String> {
        let effects = self.record.iter().filter_map(|(_, evaluation)| match &evaluation.kind {
            EvaluationKind::Effect(Effect::Declare(declaration)) => Some(declaration),
            _ => None,
        });
        let bodies = effects.flat_map(|declaration| {
            declaration.bodies.iter().map(move |body| (declaration.body_place(body), &body.titles))
        });
        let here =
            bodies.filter(|(at, _)| at.span().start == place.span.start && at.unit.source.name() == Some(&place.file));
        here.flat_map(|(_, titles)| titles.iter().map(|title| title.to_string())).collect()
    }

    /// Returns the last evaluation of an expression, by its place.
    fn evaluation_at(&self, place: &CodePlace) -> Option<EvaluationId> {
        let is_it = |(_, evaluation): &(EvaluationId, &pantin_model::evaluation::Evaluation)| {
            let is_effect =
                matches!(evaluation.kind, EvaluationKind::Expression { kind: ExpressionKind::Attributes(_), .. });
            !is_effect
                && evaluation
                    .at()
                    .is_some_and(|at| at.span() == place.span && at.unit.source.name() == Some(&place.file))
        };
        self.record.iter().filter(is_it).last().map(|(id, _)| id)
    }
}

fn placed(mut reason: Reason, place: &CodePlace) -> Reason {
    reason.place = Some(SourcePlace { file: Some(place.file.clone()), line: Some(place.line) });
    reason.code = Some(place.code.clone());
    reason
}
