//! What an edit of bindings changes for the nodes of one state, and which bodies it tells something else.
//!
//! Knows nothing of files: it compares the injector of before with that of today, row by row.

use std::sync::Arc;

use pantin_base::name_hash;
use pantin_compile::{
    BindingObservations, BodyWalk, BoundParameter, ChangedRows, InjectionReplayer, Injector, REPLACEMENTS, RowHash,
    Subject, changed_rows, contributions_row, parameter_subject,
};
use pantin_model::trace::{Answer, Question, Step, Trace};
use pantin_values::Str;
use pantin_world::Dependencies;
use rustc_hash::{FxHashMap, FxHashSet};

use super::PatchRefusal;
use super::edit::Edit;
use super::last_answer::LastAnswer;
use crate::query::blocks::DependencySet;

/// The injector of before, that of today, and the rows that are not the same in both.
pub(super) struct Rebinding {
    before: Arc<Injector>,
    pub(super) now: Arc<Injector>,
    changed: ChangedRows,
    /// The classes of which other parameters are bound, or bound otherwise, with the names of these.
    classes: FxHashMap<Str, Vec<Str>>,
    /// The types of resources of which parameters are bound otherwise, in lower case.
    types: FxHashSet<String>,
    /// The classes that are replaced otherwise; `None`: so are types of resources.
    replaced: Option<Vec<Str>>,
    /// What the injector of today was read from.
    pub(super) dependencies: DependencySet,
}

/// What the affected bodies of one node asked anew.
#[derive(Default)]
pub(super) struct AskedAnew {
    /// By the place of the body among the walks: the rows that its questions look at today.
    pub(super) rows: Vec<(u32, RowHash)>,
}

impl Rebinding {
    pub(super) fn new(before: &Arc<Injector>, now: &Arc<Injector>) -> Rebinding {
        let mut changed = if Arc::ptr_eq(before, now) { ChangedRows::default() } else { changed_rows(before, now) };
        // Every node looks at that row; what counts is which classes it has.
        let replaced = match changed.remove(&name_hash(REPLACEMENTS)) {
            Some(_) => before.replaced_otherwise(now),
            None => Some(Vec::new()),
        };
        let mut rebinding = Rebinding {
            before: Arc::clone(before),
            now: Arc::clone(now),
            classes: FxHashMap::default(),
            types: FxHashSet::default(),
            replaced,
            dependencies: DependencySet::default(),
            changed: ChangedRows::default(),
        };
        let mut rows: Vec<&str> = changed.values().map(|row| &**row).collect();
        rows.sort_unstable();
        for row in rows {
            let Some((of, name)) = row.strip_prefix("/param/").and_then(|row| row.rsplit_once('/')) else { continue };
            match parameter_subject(of) {
                Some(Subject::Class(class)) => {
                    let names = rebinding.classes.entry(Str::from(class.as_str())).or_default();
                    names.extend(Some(Str::from(name)).filter(|name| !name.is_empty()));
                }
                Some(Subject::Type(of) | Subject::Resource(of, _)) => _ = rebinding.types.insert(of.to_lowercase()),
                Some(Subject::Object(_)) | None => {}
            }
        }
        Rebinding { changed, ..rebinding }
    }

    /// Notes what the injector of today was read from.
    pub(super) fn read_from(self, dependencies: &Dependencies) -> Rebinding {
        Rebinding { dependencies: DependencySet::from_dependencies(dependencies), ..self }
    }

    /// Refuses a node on which something else than questions of bodies looked at what has changed.
    pub(super) fn check_node(
        &self,
        last: &LastAnswer,
        of: &BindingObservations,
        edit: &Edit,
    ) -> Result<(), PatchRefusal> {
        // What a function provided depends on nothing else that is bound.
        let providers = name_hash(&contributions_row("bindings_providers"));
        if of.reads.has_providers && self.changed.contains_key(&providers) {
            return Err(PatchRefusal::BindingProviders);
        }
        let is_seen = of.reads.outside.iter().any(|row| self.changed.contains_key(row))
            || of.reads.resource_types.iter().any(|name| self.types.contains(name.to_lowercase().as_str()));
        if is_seen {
            return Err(PatchRefusal::BoundOutsideBodies);
        }
        // A class that code wants is in the catalog, also where another stands in its place, for that inherits it.
        if self.replaced.as_ref().is_none_or(|classes| classes.iter().any(|class| last.has_class(class))) {
            return Err(PatchRefusal::BindingReplacements);
        }
        for walk in last.walks.iter() {
            let Some(names) = self.classes.get(&walk.name) else { continue };
            let subject = Subject::Class(walk.name.to_string()).key_text();
            let has_sources = self.before.has_sources(&subject) || self.now.has_sources(&subject);
            // A parameter that the class has not is an error, or one that all resources have.
            let are_parameters = names.iter().all(|name| edit.has_class_parameter(&last.basis.ready, &walk.name, name));
            if has_sources || !are_parameters {
                return Err(PatchRefusal::BoundOutsideBodies);
            }
        }
        Ok(())
    }

    /// Returns true if a body may be told something else. `rows`: what its questions looked at.
    pub(super) fn concerns(&self, walk: &BodyWalk, rows: &[(u32, RowHash)]) -> bool {
        self.classes.contains_key(&walk.name) || rows.iter().any(|(_, row)| self.changed.contains_key(row))
    }

    /// Returns the answers that a body gets today and did not get before, by the places of the questions in its trace.
    pub(super) fn changed_answers(
        &self,
        (at, trace): (usize, &Trace),
        (last, of): (&LastAnswer, &BindingObservations),
        data_answer: &mut dyn FnMut(&Question) -> Result<Answer, PatchRefusal>,
        asked: &mut AskedAnew,
    ) -> Result<Vec<(usize, Answer)>, PatchRefusal> {
        let mut replayer = InjectionReplayer::new(&last.basis.ready.site, of, &self.now, &self.changed);
        let mut answers = Vec::new();
        for (place, recorded) in trace.steps.iter().enumerate() {
            let Step::Ask(question) = &*recorded.step else { continue };
            let answer = match question {
                Question::Injection(question) => replayer.injection(question),
                Question::Parameter(key) if self.may_bind(key) => match replayer.parameter(key) {
                    BoundParameter::Value(value) => Some(Answer::Value(value)),
                    BoundParameter::Unbound => Some(data_answer(question)?),
                    BoundParameter::Unknown => None,
                },
                _ => continue,
            };
            let answer = answer.ok_or(PatchRefusal::InjectionNotRepeatable)?;
            if answer.digest() != recorded.digest() {
                answers.push((place, answer));
            }
        }
        asked.rows.extend(replayer.take_rows().into_iter().map(|row| (at as u32, row)));
        Ok(answers)
    }

    /// Returns true if bindings may answer a question, and not the data.
    pub(super) fn may_answer(&self, question: &Question) -> bool {
        matches!(question, Question::Parameter(key) if self.may_bind(key))
    }

    /// Returns true if a parameter of a class is bound, or was.
    fn may_bind(&self, key: &str) -> bool {
        let Some((class, name)) = key.rsplit_once("::") else { return false };
        let of = Subject::Class(class.to_owned()).key_text();
        let binds = |injector: &Injector| injector.gives_parameter(&of, name) || injector.has_data();
        binds(&self.before) || binds(&self.now)
    }
}
