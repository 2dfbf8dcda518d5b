//! What one run of a body did otherwise than another that was told the same: which resources it declared otherwise, and
//! which variables it left with other values.
//!
//! Whoever knows that need not make a catalog again for each node whose body was told the same: see `query::patch`.
//! Anything that differs beside resources, and anything that was asked anew and might be answered in another way for
//! another node, is too much to be told like that.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{At, Declaration, DeclaredBody, Effect, Parameter, Question, Step, Trace, identical};
use crate::base::names::{self, RELATIONSHIPS, is_type_name_of, type_name};
use crate::pcore::{Digest, Str, Type, Value};
use crate::syntax::ast::Form;

/// A resource by its type, with a capital in each segment, and its title.
pub type Named = (Str, Str);

/// What names what a resource was declared as, and what it is.
pub type Redeclared = (Digest, Digest);

/// The resources that a body declares otherwise, by name.
#[derive(Debug, Default)]
pub struct Otherwise {
    /// Variables that it leaves with other values, or that are new or gone; parameters of its own are among them.
    pub variables: Vec<Str>,
    /// What its own resource has for parameters, where that is not the same.
    pub parameters: Option<Redeclared>,
    pub changed: FxHashMap<Named, Redeclared>,
    pub removed: FxHashSet<Named>,
    /// In the order in which they are declared.
    pub added: Vec<Added>,
    /// Where all those stand now that it declares.
    pub places: FxHashMap<Named, At>,
}

#[derive(Debug)]
pub struct Added {
    pub what: Named,
    /// Names what it is declared as.
    pub meaning: Digest,
    pub beside: Beside,
}

/// Where it comes into the catalog, behind those that were added there before.
#[derive(Clone, PartialEq, Debug)]
pub enum Beside {
    /// Behind one that both runs declared, with nothing between the two that could have brought others with it.
    Behind(Named),
    /// Behind all that came with so many effects of the body that bring resources, and before what the body declares then.
    Mark(usize),
}

impl Trace {
    /// From this run to another, of the body of a class or a defined type: nobody is told what it is worth.
    pub fn otherwise(&self, now: &Trace) -> Option<Otherwise> {
        if self.end.result.is_err() || now.end.result.is_err() {
            return None;
        }
        let places = places_in(now);
        let (before, now) = (Run::of(self)?, Run::of(now)?);
        if !now.asks_nothing_new(&before) {
            return None;
        }
        let (old_names, new_names) = (before.names(), now.names());
        let is_kept = |part: &&Part<'_>| match part {
            Part::Strict { .. } | Part::Given { .. } => true,
            Part::Declared(one) => old_names.contains(&one.named) && new_names.contains(&one.named),
        };
        let variables = before.variables_otherwise(&now);
        if now.asks_for_any(&variables) {
            return None;
        }
        let parameters =
            before.meaning_of_parameters().zip(now.meaning_of_parameters()).filter(|(old, new)| old != new);
        let (kept_before, kept_now) = (before.parts.iter().filter(is_kept), now.parts.iter().filter(is_kept));
        if !kept_before.clone().map(Part::identity).eq(kept_now.clone().map(Part::identity)) {
            return None;
        }
        let both = kept_before.zip(kept_now);
        let changed = both.filter_map(|(old, new)| match (old, new) {
            (Part::Declared(old), Part::Declared(new)) if old.meaning != new.meaning => {
                Some((new.named.clone(), (old.meaning, new.meaning)))
            }
            _ => None,
        });
        let changed = changed.collect();
        let removed = before.declared().filter(|one| !new_names.contains(&one.named)).map(|one| one.named.clone());
        let (removed, added) = (removed.collect(), now.added(&old_names));
        Some(Otherwise { variables, parameters, changed, removed, added, places })
    }
}

/// What a run did, in order, and what it asked meanwhile.
struct Run<'t> {
    parts: Vec<Part<'t>>,
    /// What was asked between two parts that are the same in both runs; the number says between which.
    asked: Vec<(usize, &'t Question, Digest)>,
    /// The variables that it leaves for others, with what says what they are.
    variables: FxHashMap<&'t Str, Option<Digest>>,
}

enum Part<'t> {
    /// Has to be the same in both.
    Strict {
        step: &'t Step,
        told: Digest,
        brings_resources: bool,
    },
    /// The parameters of the body, perhaps with other values.
    Given {
        step: &'t Step,
        values: &'t [(Str, Value)],
        told: Digest,
    },
    Declared(One),
}

/// A resource of a type that is no class, declared for good.
struct One {
    named: Named,
    meaning: Digest,
}

/// What a part is, but for what a resource is declared as.
#[derive(PartialEq)]
enum Identity<'p> {
    Question(SameQuestion<'p>, Digest),
    Effect(Digest, Digest),
    Given(Digest),
    Resource(&'p Named),
}

struct SameQuestion<'p>(&'p Question);

impl PartialEq for SameQuestion<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other.0)
    }
}

impl Part<'_> {
    fn identity(&self) -> Identity<'_> {
        match self {
            Part::Declared(one) => Identity::Resource(&one.named),
            Part::Strict { step: Step::Ask(question), told, .. } => Identity::Question(SameQuestion(question), *told),
            Part::Strict { step, told, .. } => Identity::Effect(step.meaning().unwrap_or(*told), *told),
            Part::Given { told, .. } => Identity::Given(*told),
        }
    }
}

impl<'t> Run<'t> {
    /// `None`: the same resource or variable comes twice, or resources are given one list that they share.
    fn of(trace: &'t Trace) -> Option<Run<'t>> {
        let count = trace.steps.len();
        let mut run = Run { parts: Vec::with_capacity(count), asked: Vec::new(), variables: FxHashMap::default() };
        let mut strict = 0;
        for recorded in &trace.steps {
            let step = &*recorded.step;
            if let Step::Ask(question) = step
                && !question.is_about_resources()
            {
                run.asked.push((strict, question, recorded.digest()));
                continue;
            }
            match step.effect() {
                Some(Effect::Declare(declaration)) if is_plain(declaration) => {
                    run.parts.extend(ones(declaration, step.declared()).map(Part::Declared));
                }
                Some(Effect::Export { name, .. } | Effect::ExportPart { name, .. }) => {
                    if run.variables.insert(name, step.meaning()).is_some() {
                        return None;
                    }
                }
                Some(Effect::Parameters(values)) => {
                    strict += 1;
                    run.parts.push(Part::Given { step, values, told: recorded.digest() });
                }
                Some(Effect::Defaults { parameters, .. }) if parameters.iter().any(is_list_of_relationships) => {
                    return None;
                }
                effect => {
                    debug_assert!(step.is_strict(), "{step:?}");
                    let brings_resources = effect.is_some_and(Effect::brings_resources);
                    strict += 1;
                    run.parts.push(Part::Strict { step, told: recorded.digest(), brings_resources });
                }
            }
        }
        (run.names().len() == run.declared().count()).then_some(run)
    }

    fn names(&self) -> FxHashSet<&Named> {
        self.declared().map(|one| &one.named).collect()
    }

    fn declared(&self) -> impl Iterator<Item = &One> {
        self.parts.iter().filter_map(|part| match part {
            Part::Declared(one) => Some(one),
            Part::Strict { .. } | Part::Given { .. } => None,
        })
    }

    fn parameters(&self) -> Option<(&'t Step, &'t [(Str, Value)])> {
        self.parts.iter().find_map(|part| match part {
            Part::Given { step, values, .. } => Some((*step, *values)),
            _ => None,
        })
    }

    fn meaning_of_parameters(&self) -> Option<Digest> {
        self.parameters()?.0.meaning()
    }

    /// Whether it asked the outside for one of its own variables, or for the names of all: what it was told then may not be so
    /// any more.
    fn asks_for_any(&self, variables: &[Str]) -> bool {
        let is_among = |name: &Str| {
            variables
                .iter()
                .any(|variable| names::split_last(name).map_or(name.as_str(), |(_, last)| last) == variable.as_str())
        };
        !variables.is_empty()
            && self.asked.iter().any(|(_, question, _)| match question {
                Question::Names | Question::Similar { .. } => true,
                Question::Variable(name)
                | Question::Part { variable: name, .. }
                | Question::Whole { variable: name, .. } => is_among(name),
                _ => false,
            })
    }

    fn variables_otherwise(&self, now: &Run<'_>) -> Vec<Str> {
        let names =
            self.variables.keys().chain(now.variables.keys().filter(|name| !self.variables.contains_key(*name)));
        let is_other = |name: &&&Str| self.variables.get(**name) != now.variables.get(**name);
        let mut names: Vec<Str> = names.filter(is_other).map(|name| (*name).clone()).collect();
        names.extend(self.parameters_otherwise(now));
        names.sort();
        names
    }

    fn parameters_otherwise(&self, now: &Run<'_>) -> Vec<Str> {
        let (Some((_, old)), Some((_, new))) = (self.parameters(), now.parameters()) else { return Vec::new() };
        let value = |among: &[(Str, Value)], name: &Str| {
            among.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        let is_other = |name: &Str| match (value(old, name), value(new, name)) {
            (Some(old), Some(new)) => !identical(&old, &new),
            _ => true,
        };
        let mut names: Vec<Str> = old.iter().chain(new).map(|(name, _)| name.clone()).filter(is_other).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether all that it asked the other had asked too, at a time when the answer was the same, or is answered alike for
    /// all nodes of an environment.
    fn asks_nothing_new(&self, before: &Run<'_>) -> bool {
        self.asked.iter().all(|(at, question, told)| {
            question.is_about_environment()
                || before.asked.iter().any(|(then, known, answer)| {
                    answer == told && (then == at || question.is_steady()) && known.is_same(question)
                })
        })
    }

    fn added(&self, old_names: &FxHashSet<&Named>) -> Vec<Added> {
        let mut added = Vec::new();
        let mut marks = 0;
        let mut beside = Beside::Mark(marks);
        for part in &self.parts {
            match part {
                Part::Declared(one) if old_names.contains(&one.named) => beside = Beside::Behind(one.named.clone()),
                Part::Declared(one) => {
                    let (what, meaning) = (one.named.clone(), one.meaning);
                    added.push(Added { what, meaning, beside: beside.clone() });
                }
                Part::Strict { brings_resources: true, .. } => {
                    marks += 1;
                    beside = Beside::Mark(marks);
                }
                Part::Strict { .. } | Part::Given { .. } => {}
            }
        }
        added
    }
}

impl Declaration {
    /// What it is worth, if it is plain: the references of all that it declares.
    pub(super) fn references(&self) -> Value {
        let type_name = type_name_of(self);
        let reference = |title: &Str| Value::Type(Type::resource(type_name.clone(), Some(title.clone())));
        Value::array(self.bodies.iter().flat_map(|body| &body.titles).map(reference))
    }

    /// Whether it is those.
    pub(super) fn is_worth(&self, value: &Value) -> bool {
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
pub(super) fn is_plain(declaration: &Declaration) -> bool {
    let is_class = || {
        let name = declaration.type_name.as_str();
        name.strip_prefix("::").map_or(name, |rest| rest.trim_start_matches("::")).eq_ignore_ascii_case("class")
    };
    let shares = |body: &DeclaredBody| body.titles.len() > 1 && body.parameters.iter().any(is_list_of_relationships);
    declaration.form == Form::Regular && !is_class() && !declaration.bodies.iter().any(shares)
}

fn is_list_of_relationships(parameter: &Parameter) -> bool {
    RELATIONSHIPS.contains(&parameter.name.as_str()) && matches!(parameter.value, Value::Array(_))
}

/// `meanings`: of each of its bodies.
fn ones(declaration: &Declaration, meanings: &[Digest]) -> impl Iterator<Item = One> {
    let type_name = type_name_of(declaration);
    declaration.bodies.iter().zip(meanings).flat_map(move |(body, &meaning)| {
        let named = |title: &Str| (type_name.clone(), title.clone());
        body.titles.iter().map(named).map(|named| One { named, meaning }).collect::<Vec<One>>()
    })
}

/// Where all those stand that a run declares, classes too.
fn places_in(trace: &Trace) -> FxHashMap<Named, At> {
    let declared = trace.steps.iter().filter_map(|recorded| recorded.step.declaration());
    declared.flat_map(places_of).collect()
}

fn places_of(declaration: &Declaration) -> impl Iterator<Item = (Named, At)> {
    let of = type_name_of(declaration);
    declaration.bodies.iter().flat_map(move |body| {
        let title =
            |title: &Str| if of == "Class" { type_name(title.trim_start_matches("::")).into() } else { title.clone() };
        let places = body.titles.iter().map(|of_title| ((of.clone(), title(of_title)), body.at.clone()));
        places.collect::<Vec<(Named, At)>>()
    })
}

/// With a capital in each segment.
pub(super) fn type_name_of(declaration: &Declaration) -> Str {
    type_name(declaration.type_name.trim_start_matches("::")).into()
}

impl Step {
    /// Whether it has to come again as it was, in its order, where a body is run that does something otherwise.
    pub(super) fn is_strict(&self) -> bool {
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
    pub(super) fn is_about_resources(&self) -> bool {
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
    fn is_about_environment(&self) -> bool {
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
