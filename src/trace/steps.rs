//! Equal steps as one: what a body asks and does, others ask and do on every node, in other trees and at other places.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::step::Applied;
use super::{Effect, Step};
use crate::pcore::Value;

#[derive(Default, Debug)]
pub(super) struct Steps {
    shards: [Mutex<Shard>; SHARDS],
}

const SHARDS: usize = 32;

/// By a hash; of two with the same one is known.
#[derive(Default, Debug)]
struct Shard {
    known: FxHashMap<u64, Weak<Step>>,
    /// So many there were when those that nobody has any more were last taken out.
    swept_at: usize,
}

/// No sweep before there are so many.
const FEW: usize = 1_000;

impl Steps {
    /// What is there already for what is equal to it, or else itself.
    pub(super) fn shared(&self, step: &Arc<Step>) -> Arc<Step> {
        let hash = FxBuildHasher.hash_one(Hashed(step));
        let mut shard = self.shards[(hash >> 40) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shard.known.get(&hash).and_then(Weak::upgrade)
            && is_as_good(&known, step)
        {
            return known;
        }
        shard.known.insert(hash, Arc::downgrade(step));
        shard.sweep();
        Arc::clone(step)
    }
}

impl Shard {
    fn sweep(&mut self) {
        if self.known.len() > FEW.max(self.swept_at * 2) {
            self.known.retain(|_, step| step.strong_count() > 0);
            self.swept_at = self.known.len();
        }
    }
}

/// One of another day would have to be moved to today's places each time.
fn is_as_good(known: &Step, step: &Step) -> bool {
    let are_of_one_day = match (known, step) {
        (Step::Apply(known), Step::Apply(step)) => known.is_hidden == step.is_hidden && known.is_of_day_of(step),
        _ => true,
    };
    are_of_one_day && known.is_same(step)
}

struct Hashed<'s>(&'s Step);

impl Hash for Hashed<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Step::Ask(question) => question.hash(state),
            Step::Apply(applied) => hash_effect(applied, state),
        }
    }
}

/// Most effects are a few kinds; the others may as well be named by their content.
fn hash_effect<H: Hasher>(applied: &Applied, state: &mut H) {
    match &applied.effect {
        Effect::Declare(declaration) => {
            declaration.type_name.hash(state);
            declaration.at.node.hash(state);
            for body in &declaration.bodies {
                body.titles.hash(state);
                body.parameters.iter().for_each(|parameter| hash_value(parameter.value, state));
            }
        }
        Effect::Parameters(values) => values.iter().for_each(|(_, value)| hash_value(value, state)),
        Effect::Export { name, value } => {
            name.hash(state);
            hash_value(value, state);
        }
        Effect::Include { classes, at, .. } => {
            classes.hash(state);
            at.node.hash(state);
        }
        effect => effect.digest().hash(state),
    }
}

/// Containers keep their digest.
fn hash_value<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Array(_) | Value::Hash(_) => value.digest().hash(state),
        value => value.hash(state),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Question;

    #[test]
    fn equal_steps_are_one() {
        let steps = Steps::default();
        let ask = |name: &str| Arc::new(Step::Ask(Question::Variable(name.into())));
        let set = |value: i64| Arc::new(Step::apply(&Effect::Export { name: "x".into(), value: value.into() }, false));
        let (a, one) = (steps.shared(&ask("a")), steps.shared(&set(1)));
        assert!(Arc::ptr_eq(&a, &steps.shared(&ask("a"))) && !Arc::ptr_eq(&a, &steps.shared(&ask("b"))));
        assert!(Arc::ptr_eq(&one, &steps.shared(&set(1))) && !Arc::ptr_eq(&one, &steps.shared(&set(2))));
    }
}
