//! What is wrong with bindings in any state, without a node.
//!
//! The states of a key are the products of the values that its own conditions name, and of another value of each category.

use std::collections::BTreeMap;
use std::sync::Arc;

use pantin_syntax::bindings::rule;
use pantin_values::{Str, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::condition::State;
use super::definition::{Callback, EntryKind, Role};
use super::injector::{Binding, Injector, Layer};
use super::key::Key;
use super::outside::Outside;
use super::problem::{Problem, sort_problems};
use super::table::Table;

/// The most states of a key that are looked at; a key that has more is left to the nodes.
const STATES: usize = 10_000;

/// The value of a category that no condition names.
const ANOTHER: &str = "another value";

/// What is wrong in any state.
#[derive(Debug, Default)]
pub struct StateCheck {
    pub problems: Vec<Problem>,
    /// Keys that are left to the nodes, and why.
    pub left_to_nodes: Vec<(String, String)>,
}

/// Says what is wrong in any state. `site`: the categories of the environment, with the value of those that no node changes.
pub fn check_all_states(layers: Vec<Layer>, site: &State, outside: &mut dyn Outside) -> StateCheck {
    let mut check = StateCheck::default();
    let table = Arc::new(Table::new(layers.clone(), site));
    check.problems.extend(table.problems.iter().cloned());
    let is_broken = check.problems.iter().any(Problem::ends_the_making);
    if is_broken {
        sort_problems(&mut check.problems);
        return check;
    }
    let mut whole = Injector::over(Arc::clone(&table), site.clone());
    whole.check_loaded(outside, &mut check.problems);
    let loaded = &table.loaded;
    for group in groups(loaded) {
        let members: Vec<Binding> = group.iter().map(|&index| loaded[index].clone()).collect();
        check_group(&layers, members, site, outside, &mut check);
    }
    check_names(&layers, loaded, site, &mut check.problems);
    check_code(&mut whole, outside, &mut check.problems);
    sort_problems(&mut check.problems);
    check
}

/// Returns what belongs together: bindings of one key, copies and what they see, multibinds and their contributions.
fn groups(loaded: &[Binding]) -> Vec<Vec<usize>> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut parents: Vec<usize> = (0..loaded.len()).collect();
    fn root(parents: &mut [usize], mut index: usize) -> usize {
        while parents[index] != index {
            parents[index] = parents[parents[index]];
            index = parents[index];
        }
        index
    }
    let subjects: FxHashSet<String> = loaded
        .iter()
        .filter_map(|binding| match &binding.entry().role {
            Role::Source(source) => Some(source.target.key_text()),
            _ => None,
        })
        .collect();
    for (index, binding) in loaded.iter().enumerate() {
        let mut of = Vec::new();
        match &binding.entry().role {
            Role::Key(key) => {
                of.push(format!("key {key}"));
                let subject = key.parameter_parts().map(|(subject, _)| subject);
                of.extend(
                    subject.filter(|subject| subjects.contains(*subject)).map(|subject| format!("source {subject}")),
                );
            }
            Role::Fragment { id, .. } if matches!(id.as_str(), "included_classes" | "excluded_classes") => {
                of.extend(["classes".to_owned(), format!("id {id}")]);
            }
            Role::Fragment { id, .. } => of.push(format!("id {id}")),
            Role::Source(source) => {
                of.push(format!("source {}", source.target.key_text()));
                of.push(format!("key /map/{}/{}", source.target.kind().key_text(), source.from.kind().key_text()));
            }
            Role::Dependency(_) => {}
        }
        match &binding.entry().kind {
            EntryKind::Copy(copy) => of.push(format!("key {}", copy.old)),
            EntryKind::Multibind(multibind) => of.push(format!("id {}", multibind.id)),
            EntryKind::Type { .. } if binding.key.as_ref().is_some_and(|key| key.parts().1.is_none()) => {
                of.push("replacements".to_owned());
            }
            _ => {}
        }
        for name in of {
            match names.get(&name) {
                Some(&other) => {
                    let (one, other) = (root(&mut parents, index), root(&mut parents, other));
                    parents[one.max(other)] = one.min(other);
                }
                None => _ = names.insert(name, index),
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..loaded.len() {
        groups.entry(root(&mut parents, index)).or_default().push(index);
    }
    groups.into_values().collect()
}

/// Returns the values of each category that conditions name, as texts without case, and another.
fn values_of(members: &[Binding], site: &State) -> Vec<(usize, Vec<Str>)> {
    let mut values: Vec<(usize, Vec<Str>)> = Vec::new();
    for (place, category) in site.categories.iter().enumerate() {
        if category.value.is_some() {
            continue;
        }
        let mut named: Vec<Str> = Vec::new();
        for (name, wanted) in members.iter().flat_map(|binding| binding.conjunction.iter()) {
            if *name == category.name {
                for value in wanted {
                    if !named.iter().any(|known| known.eq_ignore_ascii_case(value)) {
                        named.push(value.clone());
                    }
                }
            }
        }
        if !named.is_empty() {
            named.push(ANOTHER.into());
            values.push((place, named));
        }
    }
    values
}

fn check_group(
    layers: &[Layer],
    members: Vec<Binding>,
    site: &State,
    outside: &mut dyn Outside,
    check: &mut StateCheck,
) {
    let values = values_of(&members, site);
    let count = values.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > STATES) {
        let key = members.iter().find_map(|binding| binding.key.as_ref()).map(ToString::to_string).unwrap_or_default();
        check.left_to_nodes.push((key, format!("it has more than {STATES} states")));
        return;
    }
    // Of each abstract key: where it is met, and a state in which it is not.
    let mut unmet: FxHashMap<String, (Problem, State, usize)> = FxHashMap::default();
    let mut order: Vec<String> = Vec::new();
    let mut states_with: FxHashMap<String, usize> = FxHashMap::default();
    let mut numbers = vec![0; values.len()];
    let table = Arc::new(Table::from_loaded(layers.to_vec(), members.clone()));
    loop {
        let mut state = site.clone();
        for ((place, values), &number) in values.iter().zip(&numbers) {
            state.categories[*place].value = Some(values[number].clone());
        }
        let mut injector = Injector::over(Arc::clone(&table), state.clone());
        let mut problems = Vec::new();
        injector.make(outside, &mut problems);
        let mut subjects: Vec<String> = injector.sources.keys().cloned().collect();
        subjects.sort();
        for subject in subjects {
            problems.extend(injector.source_conflicts(&subject, outside));
        }
        outside.runtime().forget_values();
        for binding in injector.bindings.iter().filter(|binding| binding.entry().is_abstract) {
            *states_with.entry(place_name(&binding.place())).or_default() += 1;
        }
        for problem in problems {
            if problem.rule.code != rule::ABSTRACT.code {
                check.problems.push(problem);
                continue;
            }
            let name = place_name(&problem.place) + &problem.message;
            match unmet.get_mut(&name) {
                Some((_, _, count)) => *count += 1,
                None => {
                    order.push(name.clone());
                    unmet.insert(name, (problem, state.clone(), 1));
                }
            }
        }
        if !advance(&mut numbers, &values) {
            break;
        }
    }
    for name in order {
        let Some((problem, state, count)) = unmet.remove(&name) else { continue };
        let with = states_with.get(&place_name(&problem.place)).copied().unwrap_or(count);
        check.problems.push(if count >= with { problem } else { sometimes_abstract(problem, &state, &values) });
    }
}

fn place_name(place: &super::Place) -> String {
    format!("{}:{}:", place.shown, place.span.start)
}

fn sometimes_abstract(problem: Problem, state: &State, values: &[(usize, Vec<Str>)]) -> Problem {
    let shown = values.iter().filter_map(|(place, _)| {
        let category = &state.categories[*place];
        Some(format!("{} is {}", category.name, category.value.as_ref()?))
    });
    let shown: Vec<String> = shown.collect();
    let key = problem.message.strip_prefix("A binding must be provided for the key ");
    let key = key.and_then(|rest| rest.rsplit_once(" (declared abstract")).map_or("", |(key, _)| key);
    let message = format!(
        "{key} is abstract at {} and not bound on every node: for example where {}",
        problem.place.at(),
        shown.join(", ")
    );
    let order = problem.order.clone();
    let mut problem = Problem::new(rule::SOMETIMES_ABSTRACT, message, problem.place);
    problem.order = order;
    problem
}

/// Goes on to the next state; false where there is none.
fn advance(numbers: &mut [usize], values: &[(usize, Vec<Str>)]) -> bool {
    for (number, (_, values)) in numbers.iter_mut().zip(values) {
        *number += 1;
        if *number < values.len() {
            return true;
        }
        *number = 0;
    }
    false
}

/// Ids that no multibind has, and categories that the site has not.
fn check_names(layers: &[Layer], loaded: &[Binding], site: &State, problems: &mut Vec<Problem>) {
    let ids: Vec<&Str> = loaded
        .iter()
        .filter_map(|binding| match &binding.entry().kind {
            EntryKind::Multibind(multibind) => Some(&multibind.id),
            _ => None,
        })
        .collect();
    for binding in loaded {
        let Role::Fragment { id, .. } = &binding.entry().role else { continue };
        if !ids.contains(&id) {
            let near = pantin_base::nearest(id, ids.iter().map(|id| id.as_str()));
            let mut problem =
                Problem::new(rule::NO_MULTIBIND, format!("No multibind has the id '{id}'"), binding.place());
            problem.order = (binding.rank.layer, Arc::clone(&binding.definition.name));
            problems.push(problem.with_help(near.map(|near| format!("did you mean {near}?"))));
        }
    }
    for (layer, definition) in layers
        .iter()
        .enumerate()
        .flat_map(|(layer, of)| of.definitions.iter().map(move |definition| (layer, definition)))
    {
        for (name, span) in &definition.categories {
            if site.number(name).is_none() {
                let known = site.categories.iter().map(|category| category.name.as_str());
                let near = pantin_base::nearest(name, known).map(|near| format!("did you mean {near}?"));
                let message = format!("No category is called '{name}' in this environment");
                let mut problem = Problem::new(rule::NO_CATEGORY, message, definition.place(*span));
                problem.order = (layer, Arc::clone(&definition.name));
                problems.push(problem.with_help(near));
            }
        }
    }
}

/// What the code of classes and types says of bindings: parameters, maps, functions.
fn check_code(whole: &mut Injector, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
    whole.bindings = whole.table.loaded.clone();
    whole.by_key = super::injector::by_key(&whole.bindings);
    whole.keys = whole.by_key.keys().cloned().collect();
    whole.keys.sort();
    for index in 0..whole.bindings.len() {
        let binding = whole.bindings[index].clone();
        let entry = binding.entry();
        match &entry.role {
            Role::Key(key) if key.parameter_parts().is_some() => check_parameter(whole, key, index, outside, problems),
            Role::Key(key) => {
                problems.extend(looks_like_parameter(whole, key, index, outside));
                problems.extend(replacement_problem(whole, &binding, key, outside));
            }
            Role::Source(_) => {
                if let Some(problem) = whole.source_problem(index, outside) {
                    problems.push(problem);
                }
            }
            _ => {}
        }
        let function = match &entry.kind {
            EntryKind::Named(name) => Some(name.clone()),
            EntryKind::Multibind(multibind) => match &multibind.combinator {
                Some(Callback::Named(name)) => Some(name.clone()),
                _ => None,
            },
            // What another binding names as its producer.
            EntryKind::Constant(Value::String(name)) if names_function(&entry.role) => Some(name.clone()),
            _ => None,
        };
        let select_result = match &entry.role {
            Role::Source(source) => source.select_result.as_ref(),
            _ => None,
        };
        let function = match select_result {
            Some(Callback::Named(name)) => Some(name.clone()),
            _ => function,
        };
        let is_registered = |name: &Str| {
            whole.bindings.iter().any(|other| {
                matches!(&other.entry().role, Role::Fragment { id, name: Some(known) } if id == "producers" && known == name)
            })
        };
        if let Some(name) = function
            && !is_registered(&name)
            && !outside.has_function(&name)
        {
            let message = format!("There is no producer '{name}'");
            problems.push(whole.problem(&binding, rule::NO_FUNCTION, message));
        }
    }
}

/// Returns true if what is contributed is the name of a function.
fn names_function(role: &Role) -> bool {
    matches!(role, Role::Fragment { id, .. } if id == "producers" || id == "bindings_providers")
}

fn check_parameter(whole: &Injector, key: &Key, index: usize, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
    // A rebind of all parameters has no name.
    let Some((of, name)) = key.parameter_parts().filter(|(_, name)| !name.is_empty()) else { return };
    let Some(subject) = super::classes::parameter_subject(of) else { return };
    let Ok(known) = outside.parameter_names(&subject.kind()) else { return };
    let Some(known) = known else {
        let binding = &whole.bindings[index];
        if binding.entry().is_override && matches!(subject, super::Subject::Class(_)) {
            problems.push(whole.overrides_nothing(binding, key.text()));
        }
        return;
    };
    if !known.iter().any(|known| known == name) && !outside.is_metaparameter(name) {
        problems.push(whole.no_parameter(&subject, name, index, &known));
    }
}

/// Warns of a value whose name is that of a parameter, as a key of Hiera would be. Where the parameter is bound too, whoever
/// chose the name knows that it fills nothing.
fn looks_like_parameter(whole: &Injector, key: &Key, index: usize, outside: &mut dyn Outside) -> Option<Problem> {
    let (class, name) = key.data_name()?.rsplit_once("::")?;
    let subject = super::Subject::Class(class.to_owned());
    if whole.by_key.contains_key(&Key::parameter(&subject.shown(), name)) {
        return None;
    }
    let known = outside.parameter_names(&subject).ok()??;
    if !known.iter().any(|known| known == name) {
        return None;
    }
    let message = format!("\"{class}::{name}\" is bound as a value, and fills no parameter");
    let help = format!("bind parameters {class} to {{ {name} => … }}");
    Some(whole.problem(&whole.bindings[index], rule::LOOKS_LIKE_PARAMETER, message).with_help(Some(help)))
}

fn replacement_problem(whole: &Injector, binding: &Binding, key: &Key, outside: &mut dyn Outside) -> Option<Problem> {
    let EntryKind::Type { subject: Some(new), .. } = &binding.entry().kind else { return None };
    if key.parts().1.is_some() || key.text().starts_with('/') {
        return None;
    }
    let old = super::classes::subject_of_key(key.text())?;
    let reason = outside.replacement_problem(&old, new)?;
    let message = format!("{} is no replacement of {}: {reason}", new.shown(), old.shown());
    Some(whole.problem(binding, rule::REPLACEMENT, message))
}
