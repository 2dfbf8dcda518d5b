//! Conflicts of sources of parameters: names that two bindings of one rank give to one class, type or resource.
//! It must not know what a parameter comes to.

use std::collections::BTreeMap;
use std::sync::Arc;

use pantin_values::{Hash, Str, Value};

use super::condition::Rank;
use super::definition::{ParameterSource, Role, SourceFrom};
use super::injector::Injector;
use super::key::Key;
use super::outside::Outside;
use super::problem::Problem;

impl Injector {
    /// Tells the conflicts that need no code: of names that maps say.
    pub(crate) fn check_source_maps(&self, problems: &mut Vec<Problem>) {
        let mut subjects: Vec<&String> = self.sources.keys().collect();
        subjects.sort();
        for subject in subjects {
            problems.extend(self.conflicts_of_sources(subject, &mut |index, source| self.mapped_names(index, source)));
        }
    }

    /// Returns the conflicts of all names that the sources of a subject give, as far as they are known.
    pub fn source_conflicts(&self, subject: &str, outside: &mut dyn Outside) -> Vec<Problem> {
        self.conflicts_of_sources(subject, &mut |index, source| match &source.from {
            SourceFrom::Values => {
                let values = self.source_values(index, outside).ok().flatten();
                values.iter().flat_map(Hash::keys).filter_map(Value::as_str).map(Str::from).collect()
            }
            _ => {
                let pairs = self.source_pairs(index, source, outside).unwrap_or_default();
                pairs.into_iter().map(|(of, _)| of).collect()
            }
        })
    }

    fn mapped_names(&self, index: usize, source: &ParameterSource) -> Vec<Str> {
        let map = match &source.from {
            SourceFrom::Values => source.map.clone(),
            _ => self.map_of(index, source).unwrap_or_default(),
        };
        map.iter().flat_map(|map| map.iter().map(|(of, _)| of.clone())).collect()
    }

    fn conflicts_of_sources(
        &self,
        subject: &str,
        names_given: &mut dyn FnMut(usize, &Arc<ParameterSource>) -> Vec<Str>,
    ) -> Vec<Problem> {
        let mut sources: BTreeMap<Str, Vec<usize>> = BTreeMap::new();
        let mut kinds: Vec<(&Rank, String)> = Vec::new();
        for &index in self.sources.get(subject).map(Vec::as_slice).unwrap_or_default() {
            let binding = &self.bindings[index];
            let Role::Source(source) = &binding.entry().role else { continue };
            // Two of one type are an error of their own.
            let kind = source.from.kind().key_text();
            if !kind.is_empty() && kinds.contains(&(&binding.rank, kind.clone())) {
                continue;
            }
            kinds.push((&binding.rank, kind));
            for name in names_given(index, source) {
                sources.entry(name).or_default().push(index);
            }
        }
        let conflicts = sources.into_iter().filter_map(|(name, sources)| {
            let key = Key::parameter(subject, &name);
            self.first_conflict(&key, &sources)
        });
        conflicts.collect()
    }

    /// Returns the conflict at the highest rank that decides a parameter.
    fn first_conflict(&self, key: &Key, sources: &[usize]) -> Option<Problem> {
        let mut groups: BTreeMap<std::cmp::Reverse<Rank>, Vec<usize>> = BTreeMap::new();
        let named = self.groups(key, None).into_iter().flat_map(|(_, group)| group);
        for index in named.chain(sources.iter().copied()).filter(|&index| self.bindings[index].is_concrete()) {
            groups.entry(std::cmp::Reverse(self.bindings[index].rank.clone())).or_default().push(index);
        }
        for mut group in groups.into_values() {
            group.sort_unstable();
            if let Some(problem) = self.conflict(key, &group) {
                return Some(problem);
            }
            if group.iter().any(|&index| !self.bindings[index].entry().is_optional) {
                return None;
            }
        }
        None
    }
}
