//! What was probably meant by a selector whose type, title or parameter no resource has.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pantin_base::{Span, nearest};
use pantin_model::catalog::CatalogFragments;
use pantin_values::Str;

use super::candidate::Candidate;
use super::columns::Column;
use super::run::ResourceQuery;
use super::selector::{Field, Selector};

/// A remark on a part of a selector that no resource fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The text of the selector.
    pub selector: String,
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

/// What was seen on the nodes so far, by selector. Names are collected only while nothing fits.
pub(super) struct Sight(Vec<SelectorSight>);

#[derive(Default)]
struct SelectorSight {
    has_type: AtomicBool,
    /// By title of the selector.
    has_titles: Vec<AtomicBool>,
    /// By parameter that it names.
    has_parameters: Vec<AtomicBool>,
    names: Mutex<Names>,
}

/// The names that there are where one is looked for in vain.
#[derive(Debug, Default)]
struct Names {
    types: BTreeSet<Str>,
    titles: BTreeSet<Str>,
    parameters: BTreeSet<Str>,
}

/// The same of one node.
#[derive(Debug, Default)]
pub(super) struct NodeSight(Vec<NodeNames>);

#[derive(Debug, Default)]
struct NodeNames {
    types: Vec<Str>,
    titles: Vec<Str>,
    parameters: Vec<Str>,
}

fn flags(count: usize) -> Vec<AtomicBool> {
    (0..count).map(|_| AtomicBool::new(false)).collect()
}

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

fn lock(names: &Mutex<Names>) -> MutexGuard<'_, Names> {
    names.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sight {
    pub(super) fn new(query: &ResourceQuery) -> Sight {
        let of_selector = |selector: &Selector| SelectorSight {
            has_titles: flags(selector.titles.len()),
            has_parameters: flags(selector.parameters().len()),
            ..SelectorSight::default()
        };
        Sight(query.selectors.iter().map(of_selector).collect())
    }

    /// Returns the types of a node, for selectors whose own nobody has seen yet.
    pub(super) fn unseen_types(&self, fragments: &CatalogFragments) -> NodeSight {
        let names = |sight: &SelectorSight| {
            let mut names = NodeNames::default();
            if !is_set(&sight.has_type) {
                names.types.extend(fragments.resources.iter().map(|fragment| fragment.type_name.clone()));
                names.types.sort_unstable();
                names.types.dedup();
            }
            names
        };
        NodeSight(self.0.iter().map(names).collect())
    }

    /// A resource was looked at for a selector.
    pub(super) fn note(&self, number: usize, selector: &Selector, candidate: &Candidate<'_>, node: &mut NodeSight) {
        let (sight, names) = (&self.0[number], &mut node.0[number]);
        if !selector.chooses_type(candidate.fragment()) {
            return;
        }
        sight.has_type.store(true, Ordering::Relaxed);
        let mut is_other = !selector.titles.is_empty();
        for (flag, (pattern, _)) in sight.has_titles.iter().zip(&selector.titles) {
            if candidate.has_title(pattern) {
                flag.store(true, Ordering::Relaxed);
                is_other = false;
            }
        }
        if is_other {
            if !sight.has_titles.iter().all(is_set) {
                names.titles.push(candidate.title());
            }
            return;
        }
        let Some(resource) = candidate.known_resource() else { return };
        if sight.has_parameters.iter().all(is_set) {
            return;
        }
        for (flag, path) in sight.has_parameters.iter().zip(selector.parameters()) {
            let has = path.first().is_some_and(|name| resource.parameter(&name.to_lowercase()).is_some());
            flag.fetch_or(has, Ordering::Relaxed);
        }
        names.parameters.extend(resource.parameters.iter().map(|(name, _)| name.clone()));
    }

    pub(super) fn add(&self, node: NodeSight) {
        for (sight, names) in self.0.iter().zip(node.0) {
            let mut all = lock(&sight.names);
            all.types.extend(names.types);
            all.titles.extend(names.titles);
            all.parameters.extend(names.parameters);
        }
    }

    /// `is_empty`: nothing was found. A parameter that no resource has may be right all the same; then it is said only where
    /// another name is near.
    pub(super) fn hints(&self, query: &ResourceQuery, is_empty: bool) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (sight, selector) in self.0.iter().zip(&query.selectors) {
            let names = lock(&sight.names);
            if let Some(hint) = sight.type_hint(selector, &names) {
                hints.push(hint);
                continue;
            }
            hints.extend(sight.title_hints(selector, &names));
            hints.extend(sight.parameter_hints(selector, &names, is_empty));
        }
        hints
    }
}

impl SelectorSight {
    fn type_hint(&self, selector: &Selector, names: &Names) -> Option<Hint> {
        let (pattern, span) = selector.type_name.as_ref().filter(|_| !is_set(&self.has_type))?;
        if names.types.is_empty() {
            return None;
        }
        let written = &selector.text_at(*span);
        let lower: Vec<(Str, &Str)> = names.types.iter().map(|name| (name.to_lowercase(), name)).collect();
        let near = nearest(pattern.text(), lower.iter().map(|(name, _)| name.as_str()));
        let near = near.and_then(|near| lower.iter().find(|(name, _)| name == near)).map(|(_, name)| name.as_str());
        Some(selector.hint(*span, format!("No resource that was looked at has the type {written}"), near))
    }

    fn title_hints(&self, selector: &Selector, names: &Names) -> Vec<Hint> {
        let unseen = self.has_titles.iter().zip(&selector.titles).filter(|(flag, _)| !is_set(flag));
        let hint = |(_, (pattern, span)): (&AtomicBool, &(_, Span))| {
            let pattern: &crate::pattern::Pattern = pattern;
            let near = pattern.literal().and_then(|title| nearest(title, names.titles.iter().map(Str::as_str)));
            let type_name =
                selector.type_name.as_ref().map_or("resource".to_owned(), |(_, span)| selector.text_at(*span));
            selector.hint(*span, format!("No {type_name} that was looked at has the title {}", pattern.text()), near)
        };
        unseen.filter(|_| is_set(&self.has_type)).map(hint).collect()
    }

    fn parameter_hints(&self, selector: &Selector, names: &Names, is_empty: bool) -> Vec<Hint> {
        let mut hints = Vec::new();
        if names.parameters.is_empty() {
            return hints;
        }
        let unseen: Vec<Vec<String>> = self
            .has_parameters
            .iter()
            .zip(selector.parameters())
            .filter(|(flag, _)| !is_set(flag))
            .map(|(_, path)| path)
            .collect();
        selector.condition.each_test(&mut |test| {
            let Field::Parameter(path) = &test.field else { return };
            if !unseen.contains(path) || hints.iter().any(|hint: &Hint| hint.span == test.span) {
                return;
            }
            let near = nearest(&path[0], names.parameters.iter().map(Str::as_str));
            let near = near.or_else(|| Column::nearest_word(&path[0]));
            if is_empty || near.is_some() {
                let message = format!("No resource that was looked at has the parameter {}", path[0]);
                hints.push(selector.hint(test.span, message, near));
            }
        });
        hints
    }
}

impl Selector {
    fn text_at(&self, span: Span) -> String {
        self.text.get(span.range()).unwrap_or_default().to_owned()
    }

    fn hint(&self, span: Span, message: String, near: Option<&str>) -> Hint {
        let help = near.map(|near| format!("did you mean {near}?"));
        Hint { selector: self.text.clone(), span, message, help }
    }
}
