//! The interner of steps: equal steps of all bodies and nodes are stored once.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::Shared;
use pantin_values::{NamedValues, Str, hash_identical};
use rustc_hash::FxBuildHasher;

use super::step::{AppliedEffect, StepReply};
use super::{Answer, Effect, Step};

#[derive(Default, Debug)]
pub(super) struct Steps {
    shards: [Mutex<Shared<u64, Step>>; SHARDS],
    /// Of parameters that bodies take.
    names: Mutex<Shared<u64, [Str]>>,
    /// Definitions and types that bodies were told.
    replies: Mutex<Shared<u64, StepReply>>,
}

const SHARDS: usize = 32;

/// No sweep before there are so many.
const FEW: usize = 1_000;

impl Steps {
    /// Takes what is there already for what is equal to it.
    pub(super) fn share(&self, step: &mut Arc<Step>) {
        let hash = FxBuildHasher.hash_one(Hashed(step));
        let shard = || self.shards[(hash >> 40) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner);
        let known = shard().get(&hash);
        if let Some(known) = known.filter(|known| is_as_good(known, step)) {
            *step = known;
            return;
        }
        if let Some(Step::Apply(applied)) = Arc::get_mut(step)
            && let Effect::Parameters(values) = &mut applied.effect
        {
            self.share_names(values);
        }
        let mut shard = shard();
        shard.insert(hash, step);
        shard.sweep(FEW);
    }

    /// The same of what was told, where that is told to all nodes alike.
    pub(super) fn share_reply(&self, reply: &mut Arc<StepReply>) {
        let StepReply::Answer(answer @ (Answer::Definition(_) | Answer::Type(..))) = &**reply else { return };
        let hash = FxBuildHasher.hash_one(answer.digest());
        let mut known = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        known.share(hash, reply, is_same_answer);
        known.sweep(FEW);
    }

    fn share_names(&self, values: &mut NamedValues) {
        let mut names = Arc::clone(values.names());
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        known.share_equal(&mut names);
        known.sweep(FEW);
        values.share_names(names);
    }
}

/// One of another day would have to be moved to today's places each time.
pub(super) fn is_as_good(known: &Step, step: &Step) -> bool {
    let are_of_one_day = match (known, step) {
        (Step::Apply(known), Step::Apply(step)) => known.is_hidden == step.is_hidden && known.has_current_units(step),
        _ => true,
    };
    are_of_one_day && known.is_same(step)
}

fn is_same_answer(known: &StepReply, reply: &StepReply) -> bool {
    let (StepReply::Answer(known), StepReply::Answer(reply)) = (known, reply) else { return false };
    match (known, reply) {
        (Answer::Definition(known), Answer::Definition(of)) => {
            known.digest == of.digest && Arc::ptr_eq(&known.code, &of.code)
        }
        (Answer::Type(known, name), Answer::Type(of, digest)) => name == digest && known == of,
        _ => false,
    }
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
fn hash_effect<H: Hasher>(applied: &AppliedEffect, state: &mut H) {
    match &applied.effect {
        Effect::Declare(declaration) => {
            declaration.type_name.hash(state);
            declaration.at.node.hash(state);
            for body in &declaration.bodies {
                body.titles.hash(state);
                body.parameters.iter().for_each(|parameter| hash_identical(parameter.value, state));
            }
        }
        Effect::Parameters(values) => values.iter().for_each(|(_, value)| hash_identical(value, state)),
        Effect::Export { name, value } => {
            name.hash(state);
            hash_identical(value, state);
        }
        Effect::Include { classes, at, .. } => {
            classes.hash(state);
            at.node.hash(state);
        }
        effect => effect.digest().hash(state),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Question;

    #[test]
    fn equal_steps_are_one() {
        let steps = Steps::default();
        let shared = |step: Step| {
            let mut step = Arc::new(step);
            steps.share(&mut step);
            step
        };
        let ask = |name: &str| shared(Step::Ask(Question::Variable(name.into())));
        let set = |value: i64| shared(Step::apply(&Effect::Export { name: "x".into(), value: value.into() }, false));
        let (a, one) = (ask("a"), set(1));
        assert!(Arc::ptr_eq(&a, &ask("a")) && !Arc::ptr_eq(&a, &ask("b")));
        assert!(Arc::ptr_eq(&one, &set(1)) && !Arc::ptr_eq(&one, &set(2)));
        let take = |value: i64| {
            let values = vec![("x".into(), 1.into()), ("y".into(), value.into())];
            shared(Step::apply(&Effect::Parameters(values.into()), false))
        };
        let names = |step: &Step| match step.effect() {
            Some(Effect::Parameters(values)) => Arc::clone(values.names()),
            other => panic!("{other:?}"),
        };
        let (one, other) = (take(1), take(2));
        assert!(!Arc::ptr_eq(&one, &other) && Arc::ptr_eq(&names(&one), &names(&other)));
    }
}
