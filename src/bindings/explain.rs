//! Why a key has its value: all bindings of it that are loaded, each with what became of it.
//! It must not know how that is shown.

use pantin_values::{Fault, Hash, Value};

use super::condition::{Conjunction, Rank};
use super::definition::{Entry, EntryKind, ParameterSource, Role, SourceFrom};
use super::explanation::{Candidate, ConditionPart, Explanation, LeadsTo, Verdict};
use super::injector::{Binding, Injector, Link};
use super::key::Key;
use super::outside::{ExportedResource, Outside};

/// The binding that gave a value, and those that were asked before it.
#[derive(Default)]
struct Course {
    winner: Option<Winner>,
    gave_nothing: Vec<usize>,
    in_conflict: Vec<usize>,
    /// The rank at which the way ended.
    end: Option<Rank>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Winner {
    Binding(usize),
    Data,
}

impl Injector {
    /// Returns the value of a key with all that was considered for it.
    pub fn explain(&self, key: &Key, arguments: Option<&Hash>, outside: &mut dyn Outside) -> Explanation {
        if key.text() == "/classes" {
            let value = self.value(key, arguments, outside);
            let mut fragments = Vec::new();
            for id in ["included_classes", "excluded_classes"] {
                fragments.extend(self.explained_fragments(id, outside));
            }
            return Explanation { key: key.clone(), value, candidates: Vec::new(), fragments };
        }
        let mut course = Course::default();
        let value = match key.parameter_parts() {
            Some((subject, name)) => self.follow_parameter(key, subject, name, &mut course, outside),
            None => self.follow_links(key, arguments, &mut course, outside),
        };
        let candidates = self.explained_candidates(key, &course, outside);
        let id = match course.winner {
            Some(Winner::Binding(index)) => match &self.bindings[index].entry().kind {
                EntryKind::Multibind(multibind) => Some(multibind.id.clone()),
                _ => None,
            },
            _ => None,
        };
        let fragments = id.map(|id| self.explained_fragments(&id, outside)).unwrap_or_default();
        Explanation { key: key.clone(), value, candidates, fragments }
    }

    /// Returns all keys that are bound, in their order.
    pub fn bound_keys(&self) -> &[Key] {
        &self.keys
    }

    fn follow_links(
        &self,
        key: &Key,
        arguments: Option<&Hash>,
        course: &mut Course,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let chain = match self.chain(key, None) {
            Ok(chain) => chain,
            Err(problem) => {
                course.in_conflict = self.conflicting(key);
                course.end = course.in_conflict.first().map(|&index| self.bindings[index].rank.clone());
                return Err(super::injector::fault_from(&problem));
            }
        };
        for link in &chain.links {
            let (winner, found) = match *link {
                Link::Data => (Winner::Data, self.checked_data(key, outside)),
                Link::Binding(index) => {
                    course.end = Some(self.bindings[index].rank.clone());
                    (Winner::Binding(index), self.produce(key, index, arguments, outside))
                }
            };
            match (winner, found) {
                (winner, Ok(Some(value))) => {
                    course.winner = Some(winner);
                    return Ok(Some(value));
                }
                (winner @ Winner::Binding(_), Err(fault)) => {
                    course.winner = Some(winner);
                    return Err(fault);
                }
                (Winner::Data, Err(fault)) => return Err(fault),
                (Winner::Binding(index), Ok(None)) => course.gave_nothing.push(index),
                (Winner::Data, Ok(None)) => {}
            }
        }
        if chain.conflict.is_some() {
            course.in_conflict = self.conflicting(key);
        }
        let end = course.in_conflict.first().copied().or(chain.abstract_end);
        course.end = end.map(|index| self.bindings[index].rank.clone()).or(course.end.take());
        self.end_of(key, &chain).map_or(Ok(None), Err)
    }

    fn follow_parameter(
        &self,
        key: &Key,
        subject: &str,
        name: &str,
        course: &mut Course,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        for (rank, group) in self.parameter_groups(key, subject, None) {
            if group.is_empty() {
                if let Some(value) = self.data_value(key, outside)? {
                    course.winner = Some(Winner::Data);
                    course.end = Some(rank);
                    return Ok(Some(value));
                }
                continue;
            }
            let giving = self.giving(name, &group, outside)?;
            if self.conflict(key, &giving).is_some() {
                course.in_conflict.clone_from(&giving);
            }
            let found = self.group_value(key, name, &group, outside);
            match (found, giving.first()) {
                (Ok(Some(value)), first) => {
                    course.winner = first.copied().map(Winner::Binding);
                    course.end = Some(rank);
                    return Ok(Some(value));
                }
                (Err(fault), first) => {
                    course.winner = first.copied().map(Winner::Binding);
                    course.end = Some(rank);
                    return Err(fault);
                }
                (Ok(None), _) => course.gave_nothing.extend(group),
            }
        }
        Ok(None)
    }

    /// Returns the bindings of the highest rank of a key at which there is a conflict.
    fn conflicting(&self, key: &Key) -> Vec<usize> {
        let groups = self.groups(key, None).into_iter().map(|(_, group)| group);
        let mut concrete = groups
            .map(|group| group.into_iter().filter(|&index| self.bindings[index].is_concrete()).collect::<Vec<usize>>());
        concrete.find(|group| self.conflict(key, group).is_some()).unwrap_or_default()
    }

    // ---- candidates ----

    fn explained_candidates(&self, key: &Key, course: &Course, outside: &mut dyn Outside) -> Vec<Candidate> {
        let subject = key.parameter_parts().map(|(subject, _)| subject);
        let prefix = subject.map(|subject| format!("/param/{subject}/"));
        let is_meant = |binding: &Binding| match (&binding.key, &binding.entry().role) {
            (Some(known), _) => {
                known == key
                    || (matches!(binding.entry().kind, EntryKind::Copy(_)) && Some(known.text()) == prefix.as_deref())
            }
            (None, Role::Source(source)) => subject == Some(&source.target.key_text()),
            (None, _) => false,
        };
        let mut ranked: Vec<(Rank, Candidate)> = Vec::new();
        for binding in self.table.loaded.iter().filter(|binding| is_meant(binding)) {
            ranked.push((binding.rank.clone(), self.candidate(key, binding, course, outside)));
        }
        for rank in self.data_ranks(key, None) {
            let candidate = self.data_candidate(&rank, course);
            let place = ranked.iter().position(|(known, _)| *known < rank).unwrap_or(ranked.len());
            ranked.insert(place, (rank, candidate));
        }
        ranked.into_iter().map(|(_, candidate)| candidate).collect()
    }

    fn data_candidate(&self, rank: &Rank, course: &Course) -> Candidate {
        let (verdict, because) = match (course.winner, &course.end) {
            (Some(Winner::Data), _) => (Verdict::Won, None),
            (_, Some(end)) if end > rank => (Verdict::Shadowed, Some("by a higher layer".to_owned())),
            _ => (Verdict::GaveNothing, Some("the data has no such key".to_owned())),
        };
        Candidate {
            verdict,
            because,
            layer: self.table.layers[rank.layer].title.clone(),
            vector: rank.vector.0.clone(),
            condition: Vec::new(),
            uri: "hiera:/".into(),
            place: None,
            operation: "data",
            flags: Vec::new(),
            producer: "data",
            leads_to: Vec::new(),
            value: None,
            name: None,
        }
    }

    fn candidate(&self, key: &Key, binding: &Binding, course: &Course, outside: &mut dyn Outside) -> Candidate {
        let selected = self.bindings.iter().position(|other| {
            other.is_same_entry(binding) && (other.key.as_ref() == Some(key) || other.key == binding.key)
        });
        let (verdict, because) = self.verdict(key, binding, selected, course);
        let leads_to = match (verdict, selected) {
            (Verdict::Won | Verdict::GaveNothing, Some(index)) => self.leads_to(index, &mut Vec::new(), outside),
            _ => Vec::new(),
        };
        Candidate { verdict, because, leads_to, ..self.described(binding) }
    }

    /// Returns a binding without what became of it.
    fn described(&self, binding: &Binding) -> Candidate {
        let entry = binding.entry();
        let layer = self.table.layers.get(binding.rank.layer);
        Candidate {
            verdict: Verdict::NoMatch,
            because: None,
            layer: layer.map_or("built-in".into(), |layer| layer.title.clone()),
            vector: binding.rank.vector.0.clone(),
            condition: self.condition_parts(&binding.conjunction),
            uri: binding.definition.uri.clone(),
            place: binding.definition.source.is_some().then(|| binding.place()),
            operation: operation_word(entry),
            flags: flags(entry),
            producer: producer_word(entry),
            leads_to: Vec::new(),
            value: None,
            name: None,
        }
    }

    fn verdict(
        &self,
        key: &Key,
        binding: &Binding,
        selected: Option<usize>,
        course: &Course,
    ) -> (Verdict, Option<String>) {
        if !self.state.holds(&binding.conjunction) {
            let failed = self.condition_parts(&binding.conjunction).into_iter().find(|part| !part.holds);
            return (Verdict::NoMatch, failed.map(|part| part.mismatch()));
        }
        let Some(index) = selected else { return (Verdict::NoMatch, None) };
        if self.bindings[index].rank != binding.rank {
            return (Verdict::Shadowed, Some("by a higher vector".to_owned()));
        }
        if let Some(at) = self.erasing_rename(index) {
            return (Verdict::Erased, Some(format!("by the rename at {at}")));
        }
        if course.in_conflict.contains(&index) {
            return (Verdict::InConflict, None);
        }
        if course.winner == Some(Winner::Binding(index)) {
            return (Verdict::Won, None);
        }
        if !binding.is_concrete() {
            return (Verdict::Abstract, None);
        }
        if course.gave_nothing.contains(&index) {
            return (Verdict::GaveNothing, None);
        }
        let because = match &course.end {
            Some(end) if end.layer < binding.rank.layer => "by a higher layer",
            Some(end) if *end > binding.rank => "by a higher vector",
            Some(end) if *end == binding.rank => "by an equal one",
            _ if self.groups(key, None).is_empty() => return (Verdict::Erased, None),
            _ => "by a higher layer",
        };
        (Verdict::Shadowed, Some(because.to_owned()))
    }

    fn condition_parts(&self, conjunction: &Conjunction) -> Vec<ConditionPart> {
        let mut parts: Vec<ConditionPart> = conjunction
            .iter()
            .map(|(name, values)| {
                let actual = self.state.value(name).cloned();
                let holds =
                    actual.as_ref().is_some_and(|actual| values.iter().any(|one| one.eq_ignore_ascii_case(actual)));
                ConditionPart { category: name.clone(), values: values.clone(), holds, actual }
            })
            .collect();
        parts.sort_by_key(|part| std::cmp::Reverse(self.state.number(&part.category)));
        parts
    }

    // ---- contributions and what is led to ----

    fn explained_fragments(&self, id: &str, outside: &mut dyn Outside) -> Vec<Candidate> {
        let mut fragments = Vec::new();
        for &index in self.contributions(id) {
            let binding = &self.bindings[index];
            let given = self.contribution(index, id, outside);
            let (verdict, because) = match &given {
                Ok(Some(_)) => (Verdict::Contributed, None),
                Ok(None) => (Verdict::GaveNothing, None),
                Err(fault) => (Verdict::Contributed, Some(fault.message.to_string())),
            };
            let name = self.fragment_name(index).cloned();
            let value = given.ok().flatten();
            let leads_to = self.leads_to(index, &mut Vec::new(), outside);
            fragments.push(Candidate { verdict, because, value, name, leads_to, ..self.described(binding) });
        }
        let others = self.table.loaded.iter().filter(|binding| {
            matches!(&binding.entry().role, Role::Fragment { id: known, .. } if known == id)
                && !self.state.holds(&binding.conjunction)
        });
        for binding in others {
            let failed = self.condition_parts(&binding.conjunction).into_iter().find(|part| !part.holds);
            let name = match &binding.entry().role {
                Role::Fragment { name, .. } => name.clone(),
                _ => None,
            };
            let because = failed.map(|part| part.mismatch());
            fragments.push(Candidate { because, name, ..self.described(binding) });
        }
        fragments
    }

    /// Returns the keys, resources and values that a binding leads to; `way`: the copies that led to it.
    fn leads_to(&self, index: usize, way: &mut Vec<usize>, outside: &mut dyn Outside) -> Vec<LeadsTo> {
        let resource = |found: ExportedResource| LeadsTo::Resource {
            certname: found.certname,
            reference: format!("{}[{}]", found.type_name, found.title),
        };
        match (&self.bindings[index].entry().kind, &self.bindings[index].entry().role) {
            (EntryKind::Copy(_), _) => self.copied_candidates(index, way, outside),
            (EntryKind::Query(query), _) => query.find(outside).unwrap_or_default().into_iter().map(resource).collect(),
            (_, Role::Source(source)) => match &**source {
                ParameterSource { from: SourceFrom::Subject(subject), .. } => vec![LeadsTo::Subject(subject.shown())],
                ParameterSource { from: SourceFrom::Query(query), .. } => {
                    query.find(outside).unwrap_or_default().into_iter().map(resource).collect()
                }
                ParameterSource { from: SourceFrom::Values, .. } => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Returns the bindings that a copy sees.
    fn copied_candidates(&self, index: usize, way: &mut Vec<usize>, outside: &mut dyn Outside) -> Vec<LeadsTo> {
        if way.contains(&index) {
            return Vec::new();
        }
        let Some((key, seen)) = self.seen_bindings(index, outside) else { return Vec::new() };
        way.push(index);
        let mut candidates = Vec::new();
        for seen in seen {
            let leads_to = pantin_base::stack::with_room(|| self.leads_to(seen, way, outside));
            candidates.push(Candidate { verdict: Verdict::Won, leads_to, ..self.described(&self.bindings[seen]) });
            if !self.bindings[seen].entry().is_optional {
                break;
            }
        }
        way.pop();
        vec![LeadsTo::Key(key, candidates)]
    }

    /// Returns the key that a copy takes its value from, with the bindings of it that are asked.
    fn seen_bindings(&self, index: usize, outside: &mut dyn Outside) -> Option<(Key, Vec<usize>)> {
        let (key, view) = self.copied(index)?;
        if let Some((of, name)) = key.parameter_parts() {
            let groups = self.parameter_groups(&key, of, Some(&view));
            let giving = groups.iter().find_map(|(_, group)| self.giving(name, group, outside).ok()?.first().copied());
            return Some((key.clone(), giving.into_iter().collect()));
        }
        let chain = self.chain(&key, Some(&view)).ok()?;
        let seen = chain.links.iter().filter_map(|link| match *link {
            Link::Binding(seen) => Some(seen),
            Link::Data => None,
        });
        Some((key, seen.collect()))
    }

    /// Returns where the rename is that took a binding away.
    fn erasing_rename(&self, index: usize) -> Option<String> {
        let binding = &self.bindings[index];
        let renames = self.renames.get(binding.key.as_ref()?)?;
        let rename = renames.iter().find(|&&rename| rename != index && binding.rank <= self.bindings[rename].rank)?;
        Some(self.bindings[*rename].place().at())
    }
}

fn flags(entry: &Entry) -> Vec<&'static str> {
    let flags = [(entry.is_abstract, "abstract"), (entry.is_override, "override"), (entry.is_optional, "optional")];
    flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).collect()
}

fn operation_word(entry: &Entry) -> &'static str {
    match (&entry.kind, &entry.role) {
        (EntryKind::Multibind(_), _) => "multibind",
        (EntryKind::Copy(copy), _) if copy.is_rebind => "rebind",
        (EntryKind::Copy(copy), _) if copy.is_rename => "renamed",
        (EntryKind::Copy(_), _) => "alias",
        (EntryKind::Map(_), _) => "map",
        (_, Role::Source(_)) => "parameters",
        (_, Role::Fragment { .. }) => "contribution",
        (_, Role::Key(key)) if key.parameter_parts().is_some() => "parameters",
        (_, Role::Key(key)) if key.variable_name().is_some() => "variables",
        _ => "bind",
    }
}

fn producer_word(entry: &Entry) -> &'static str {
    match (&entry.kind, &entry.role) {
        (_, Role::Source(source)) => match &source.from {
            SourceFrom::Values => "expression",
            SourceFrom::Subject(_) => "source",
            SourceFrom::Query(_) => "query",
        },
        (EntryKind::Abstract, _) => "none",
        (EntryKind::Constant(_), _) => "constant",
        (EntryKind::Expression(_), _) => "expression",
        (EntryKind::Named(_), _) => "function",
        (EntryKind::New(_), _) => "object",
        (EntryKind::Type { .. }, _) => "type",
        (EntryKind::Query(_), _) => "query",
        (EntryKind::Copy(_), _) => "copy",
        (EntryKind::Multibind(_), _) => "multibind",
        (EntryKind::Map(_), _) => "map",
    }
}
