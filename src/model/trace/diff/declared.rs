//! The comparison of declarations and other steps: which differences have no further consequence.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use pantin_base::names::{RELATIONSHIPS, is_type_name_of, type_name};
use pantin_values::{Digest, Digester, Str, Type, Value};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::ResourceKey;
use crate::trace::{At, Declaration, DeclaredBody, Effect, Parameter, Question, ResourceForm, Step};

impl Declaration {
    /// Returns what it is worth, if it is plain: the references of all that it declares.
    pub(in crate::trace) fn references(&self) -> Value {
        let type_name = type_name_of(self);
        let reference = |title: &Str| Value::Type(Type::resource(type_name.clone(), Some(title.clone())));
        Value::array(self.bodies.iter().flat_map(|body| &body.titles).map(reference))
    }

    /// Returns true if it is those.
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
    /// Returns true if it brings resources into the catalog that nobody sees in it.
    pub fn brings_resources(&self) -> bool {
        match self {
            Effect::Include { .. } => true,
            Effect::Declare(declaration) => !is_plain(declaration),
            _ => false,
        }
    }
}

/// A class is evaluated where it is declared; what is virtual may never come into the catalog; and a list of relationships
/// that several resources have is one list, which grows for all. Without titles nothing that is declared shows whether the type
/// is there.
pub(in crate::trace) fn is_plain(declaration: &Declaration) -> bool {
    is_for_good(declaration)
        && !is_of_classes(declaration)
        && declaration.bodies.iter().any(|body| !body.titles.is_empty())
}

fn is_for_good(declaration: &Declaration) -> bool {
    let shares =
        |body: &DeclaredBody| body.titles.len() > 1 && body.parameters.iter().any(|one| is_list_of_relationships(&one));
    declaration.form == ResourceForm::Regular && !declaration.bodies.iter().any(shares)
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

/// A resource of a declaration, or a class, as whoever compares two runs wants to know it.
#[derive(Debug)]
pub(in crate::trace) struct DeclaredResource {
    pub(super) named: ResourceKey,
    /// Of the name, worked out once.
    hash: u64,
    /// Names what it is declared as.
    meaning: Digest,
    /// The place of its body in the declaration.
    pub(super) body: usize,
}

impl Declaration {
    pub(in crate::trace) fn declared_resources(&self) -> Box<[DeclaredResource]> {
        let of: Str = type_name_of(self);
        let bodies = self.bodies.iter().enumerate().map(|(at, body)| (at, body, self.body_meaning(body)));
        let all = bodies.flat_map(|(body, declared, meaning)| {
            let named = declared.titles.iter().map(|title| (of.clone(), title_of(&of, title)));
            named.map(move |named| DeclaredResource { hash: FxBuildHasher.hash_one(&named), named, meaning, body })
        });
        all.collect()
    }

    /// Returns where the resource stands that this one of its bodies declares.
    pub(super) fn at_of_body(&self, body: usize) -> Option<At> {
        self.bodies.get(body).map(|body| self.body_place(body))
    }
}

/// A resource that is declared for good.
pub(super) struct DeclarationAt<'t> {
    pub(super) declared: &'t DeclaredResource,
    /// Names what it is declared as, and what the body around gives it by default.
    pub(super) meaning: Digest,
    pub(super) step: &'t Arc<Step>,
}

impl<'t> DeclarationAt<'t> {
    fn new(declared: &'t DeclaredResource, step: &'t Arc<Step>) -> DeclarationAt<'t> {
        DeclarationAt { declared, meaning: declared.meaning, step }
    }

    pub(super) fn key(&self) -> &'t ResourceKey {
        &self.declared.named
    }

    /// Where the body itself has said this before, by `File { … }`.
    pub(super) fn with_defaults(self, by_default: Option<Digest>) -> Self {
        let with = |given| Digester::new(b"given").digest(given).digest(self.meaning).finish();
        DeclarationAt { meaning: by_default.map_or(self.meaning, with), ..self }
    }
}

/// Returns all that a step declares.
pub(super) fn ones(step: &Arc<Step>) -> impl Iterator<Item = DeclarationAt<'_>> {
    step.declared_resources().iter().map(move |declared| DeclarationAt::new(declared, step))
}

/// In a set, known by its name.
#[derive(Clone, Copy)]
struct ByName<'t>(&'t DeclaredResource);

impl PartialEq for ByName<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.named == other.0.named
    }
}

impl Eq for ByName<'_> {}

impl Hash for ByName<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// Names of resources.
#[derive(Default)]
pub(super) struct NameSet<'t>(FxHashSet<ByName<'t>>);

impl<'t> NameSet<'t> {
    /// `false`: it was there already.
    pub(super) fn insert(&mut self, one: &'t DeclaredResource) -> bool {
        self.0.insert(ByName(one))
    }

    pub(super) fn has<'o>(&self, one: &'o DeclaredResource) -> bool
    where
        't: 'o,
    {
        self.0.contains(&ByName(one))
    }
}

/// A class is known by another one than it may be declared by.
fn title_of(of: &str, title: &Str) -> Str {
    if of == "Class" { type_name(title.trim_start_matches("::")).into() } else { title.clone() }
}

/// With a capital in each segment.
fn type_name_of(declaration: &Declaration) -> Str {
    type_name(declaration.type_name.trim_start_matches("::")).into()
}

impl Step {
    /// Returns true if it has to come again as it was, in its order, where a body is run that does something otherwise.
    pub(in crate::trace) fn is_strict(&self) -> bool {
        match self {
            Step::Ask(question) => question.is_about_resources() && !question.seeks_resource(),
            Step::Apply(applied) => match &applied.effect {
                Effect::Declare(declaration) => !is_plain(declaration),
                Effect::Export { .. } | Effect::ExportPart { .. } => false,
                _ => true,
            },
        }
    }
}

impl Question {
    /// Returns true if what is declared decides the answer.
    pub(in crate::trace) fn is_about_resources(&self) -> bool {
        match self {
            Question::Defined(Value::Type(of)) => match of.resolved() {
                Type::Type(_) => false,
                // Whether there is such a type is asked of the code.
                Type::Resource(Some(resource)) => resource.title.is_some(),
                _ => true,
            },
            Question::Defined(_) => false,
            Question::Tagged(_)
            | Question::Classes
            | Question::Defaults(_)
            | Question::ResourceParameter { .. }
            | Question::ResourceValue { .. }
            | Question::DeclaredWith { .. } => true,
            _ => false,
        }
    }

    /// Returns true if all nodes of an environment are answered alike, whatever was loaded before.
    pub(super) fn is_about_environment(&self) -> bool {
        match self {
            Question::Setting(name) => name != "certname",
            Question::FindFile { .. }
            | Question::Reveal(_)
            | Question::Content(_)
            | Question::Beyond(_)
            | Question::Template(_)
            | Question::Ruby { .. }
            | Question::Glob(_) => true,
            _ => false,
        }
    }
}
