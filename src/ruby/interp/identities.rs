//! The numbers of objects: what `object_id`, and `hash` of an object that is known by who it is, say to code.
//!
//! They are given in the order in which code asks for them, so that a run of the same code says the same whenever and wherever
//! it is. Where an object is in memory is never shown.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::value::Value;

/// Ruby counts in steps of so many.
const STEP: i64 = 8;

/// The numbers of `false`, `nil` and `true`, which are Ruby's.
const FALSE: i64 = 0;
const NIL: i64 = 8;
const TRUE: i64 = 20;

/// The numbers that one run has given. The objects are kept: another one never gets the place of one that has a number.
#[derive(Default)]
pub(super) struct Identities {
    by_place: RefCell<FxHashMap<usize, (Value, i64)>>,
    /// Values that have no place of their own, such as symbols.
    others: RefCell<Vec<(Value, i64)>>,
}

impl Identities {
    /// Returns the number of a value.
    pub(super) fn number(&self, value: &Value) -> i64 {
        match value {
            Value::Nil => return NIL,
            Value::Bool(is) => return if *is { TRUE } else { FALSE },
            Value::Int(number) => return number.wrapping_mul(2).wrapping_add(1),
            _ => {}
        }
        let next = self.next();
        let place = value.identity();
        if place != 0 {
            return self.by_place.borrow_mut().entry(place).or_insert_with(|| (value.clone(), next)).1;
        }
        let mut others = self.others.borrow_mut();
        if let Some((_, number)) = others.iter().find(|(known, _)| known.is_same(value)) {
            return *number;
        }
        others.push((value.clone(), next));
        next
    }

    /// One that nothing has: behind those of `nil` and `true`.
    fn next(&self) -> i64 {
        let given = self.by_place.borrow().len() + self.others.borrow().len();
        (given as i64 + 3) * STEP
    }
}
