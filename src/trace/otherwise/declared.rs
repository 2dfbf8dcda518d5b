//! Declarations, and the other steps of a body: what of them may be otherwise without anything else being otherwise.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Named;
use crate::base::names::{RELATIONSHIPS, is_type_name_of, type_name};
use crate::pcore::{Digest, Digester, Str, Type, Value};
use crate::syntax::ast::Form;
use crate::trace::{At, Declaration, DeclaredBody, Effect, Parameter, Question, Step, Trace};

impl Declaration {
    /// What it is worth, if it is plain: the references of all that it declares.
    pub(in crate::trace) fn references(&self) -> Value {
        let type_name = type_name_of(self);
        let reference = |title: &Str| Value::Type(Type::resource(type_name.clone(), Some(title.clone())));
        Value::array(self.bodies.iter().flat_map(|body| &body.titles).map(reference))
    }

    /// Whether it is those.
    pub(in crate::trace) fn is_worth(&self, value: &Value) -> bool {
        let Value::Array(items) = value else { return false };
        let type_name = self.type_name.trim_start_matches("::");
        let mut titles = self.bodies.iter().flat_map(|body| &body.titles);
        let is_next = |item: &Value| {
            matches!((titles.next(), item), (Some(title), Value::Type(Type::Resource(Some(of))))
                if of.title.as_ref() == Some(title) && is_type_name_of(&of.type_name, type_name))
        };
        items.iter().all(is_next) && titles.next().is_none()
    }
}

impl Effect {
    /// Whether it brings resources into the catalog that nobody sees in it.
    pub fn brings_resources(&self) -> bool {
        match self {
            Effect::Include { .. } => true,
            Effect::Declare(declaration) => !is_plain(declaration),
            _ => false,
        }
    }
}

/// A class is evaluated where it is declared; what is virtual may never come into the catalog; and a list of relationships
/// that several resources have is one list, which grows for all.
pub(in crate::trace) fn is_plain(declaration: &Declaration) -> bool {
    is_for_good(declaration) && !is_of_classes(declaration)
}

fn is_for_good(declaration: &Declaration) -> bool {
    let shares =
        |body: &DeclaredBody| body.titles.len() > 1 && body.parameters.iter().any(|one| is_list_of_relationships(&one));
    declaration.form == Form::Regular && !declaration.bodies.iter().any(shares)
}

fn is_of_classes(declaration: &Declaration) -> bool {
    let name = declaration.type_name.as_str();
    name.strip_prefix("::").map_or(name, |rest| rest.trim_start_matches("::")).eq_ignore_ascii_case("class")
}

/// Of classes that are declared like resources: all that they are declared as but for the values of their parameters.
pub(in crate::trace) fn shape_of_classes(declaration: &Declaration) -> Option<Digest> {
    if !is_for_good(declaration) || !is_of_classes(declaration) {
        return None;
    }
    let mut digester = Digester::new(b"classes");
    digester.number(declaration.bodies.len() as u64);
    for body in &declaration.bodies {
        digester.number(u64::from(body.are_texts)).number(body.titles.len() as u64);
        body.titles.iter().for_each(|title| _ = digester.text(title));
        digester.number(body.parameters.len() as u64);
        for parameter in &**body.parameters.written() {
            digester.text(&parameter.name).number(u64::from(parameter.append));
        }
    }
    Some(digester.finish())
}

pub(super) fn is_list_of_relationships(parameter: &Parameter<'_>) -> bool {
    RELATIONSHIPS.contains(&parameter.name.as_str()) && matches!(parameter.value, Value::Array(_))
}

/// A resource that is declared for good.
pub(super) struct One<'t> {
    pub(super) named: Named,
    /// Names what it is declared as, and what the body around gives it by default.
    pub(super) meaning: Digest,
    /// The declaration, and which body of it.
    pub(super) step: &'t Arc<Step>,
    pub(super) body: usize,
}

impl One<'_> {
    /// Where the body itself has said this before, by `File { … }`.
    pub(super) fn given(self, by_default: Option<Digest>) -> Self {
        let with = |given| Digester::new(b"given").digest(given).digest(self.meaning).finish();
        One { meaning: by_default.map_or(self.meaning, with), ..self }
    }
}

/// All that a step declares.
pub(super) fn ones<'t>(step: &'t Arc<Step>, declaration: &Declaration) -> Vec<One<'t>> {
    let of = type_name_of(declaration);
    let bodies = declaration.bodies.iter().zip(step.declared()).enumerate();
    let ones = bodies.flat_map(|(at, (body, &meaning))| {
        let named = body.titles.iter().map(|title| (of.clone(), title_of(&of, title)));
        named.map(move |named| One { named, meaning, step, body: at })
    });
    ones.collect()
}

/// A class is known by another one than it may be declared by.
fn title_of(of: &str, title: &Str) -> Str {
    if of == "Class" { type_name(title.trim_start_matches("::")).into() } else { title.clone() }
}

/// Where all those stand that a run declares, classes too.
pub(super) fn places_in(trace: &Trace) -> FxHashMap<Named, At> {
    let declared = trace.steps.iter().filter_map(|recorded| recorded.step.declaration());
    declared.flat_map(places_of).collect()
}

fn places_of(declaration: &Declaration) -> impl Iterator<Item = (Named, At)> {
    let of = type_name_of(declaration);
    declaration.bodies.iter().flat_map(move |body| {
        let places = body.titles.iter().map(|title| ((of.clone(), title_of(&of, title)), declaration.at_of(body)));
        places.collect::<Vec<(Named, At)>>()
    })
}

/// With a capital in each segment.
fn type_name_of(declaration: &Declaration) -> Str {
    type_name(declaration.type_name.trim_start_matches("::")).into()
}

impl Step {
    /// Whether it has to come again as it was, in its order, where a body is run that does something otherwise.
    pub(in crate::trace) fn is_strict(&self) -> bool {
        match self {
            Step::Ask(question) => question.is_about_resources(),
            Step::Apply(applied) => match &applied.effect {
                Effect::Declare(declaration) => !is_plain(declaration),
                Effect::Export { .. } | Effect::ExportPart { .. } => false,
                _ => true,
            },
        }
    }
}

impl Question {
    /// Whether what is declared decides the answer.
    pub(in crate::trace) fn is_about_resources(&self) -> bool {
        match self {
            Question::Defined(Value::Type(of)) => !matches!(of.resolved(), Type::Type(_)),
            Question::Defined(_) => false,
            Question::Tagged(_)
            | Question::Defaults(_)
            | Question::ResourceParameter { .. }
            | Question::ResourceValue { .. }
            | Question::DeclaredWith { .. } => true,
            _ => false,
        }
    }

    /// Whether all nodes of an environment are answered alike, whatever was loaded before.
    pub(super) fn is_about_environment(&self) -> bool {
        match self {
            Question::Setting(name) => name != "certname",
            Question::FindFile { .. }
            | Question::Content(_)
            | Question::Beyond(_)
            | Question::Template(_)
            | Question::Ruby { .. }
            | Question::Glob(_) => true,
            _ => false,
        }
    }
}
