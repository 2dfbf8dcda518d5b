//! Which nodes use a fact, and which code of theirs: answers say what they read of their node, and only nodes that read the fact are
//! asked for the code.

use std::collections::BTreeSet;
use std::io;

use pantin_values::Str;
use pantin_world::NodeRead;

use super::{Impact, impact_on_code};
use crate::answer::Answer;
use crate::provenance::UsedThing;
use crate::{AnswerNeeds, Repository};

/// Asks all these nodes which code of theirs uses one of these facts.
pub fn impact_on_facts(
    repository: &Repository,
    names: &[Str],
    facts: &[UsedThing],
    mut progress: impl FnMut() + Send,
) -> io::Result<Impact> {
    let mut users: Vec<Str> = Vec::new();
    let mut compiled: BTreeSet<Str> = BTreeSet::new();
    repository.each_answer(names, AnswerNeeds::default(), |name, answer| {
        progress();
        let is_user = answer.as_ref().map_or(true, |answer| may_use(repository, answer, facts));
        users.extend(is_user.then(|| name.clone()));
        compiled.extend(answer.ok().filter(|answer| !answer.is_stored).map(|_| name.clone()));
    })?;
    let mut impact = impact_on_code(repository, &users, facts, || {})?;
    // Whoever had no answer that holds is asked for its code in the same way.
    impact.compiled += compiled.iter().filter(|name| !users.contains(name)).count();
    (impact.asked, impact.stored) = (names.len(), names.len() - impact.compiled);
    if !users.is_empty() && impact.missing_facts.is_empty() {
        return Ok(impact);
    }
    // Whoever does not read a fact may have it.
    let mut missing = if users.is_empty() { facts.to_vec() } else { missing_ones(&impact) };
    let others: Vec<Str> = names.iter().filter(|name| !users.contains(name)).cloned().collect();
    for node in repository.classify(&others) {
        let Some(known) = repository.compiler.known_node(&node).filter(|_| !missing.is_empty()) else { continue };
        impact.missing_facts = UsedThing::missing_facts(&missing, &known.node.facts);
        missing = missing_ones(&impact);
    }
    Ok(impact)
}

fn missing_ones(impact: &Impact) -> Vec<UsedThing> {
    impact.missing_facts.iter().map(|(fact, _)| UsedThing::Fact(fact.clone())).collect()
}

/// Returns true if code of a node may use one of these facts. Of a node that fails it is not known.
fn may_use(repository: &Repository, answer: &Answer, facts: &[UsedThing]) -> bool {
    let may_use_any = |read: &NodeRead| facts.iter().any(|fact| fact.may_be_used_by(read));
    answer.failure().is_some() || repository.node_reads(answer).is_none_or(|reads| reads.iter().any(may_use_any))
}
