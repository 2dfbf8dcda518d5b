//! Limits for walks through deeply nested or recursive values, and their iterative disposal.

use std::any::Any;
use std::cell::{Cell, RefCell};

use pantin_base::stack;

use super::memory;
use super::value::{Data, List, Object, Proc, ProcKind, Range, Value};

/// One way through a value and what is in it.
pub(super) struct Walk {
    depth: Cell<u32>,
    left: Cell<u32>,
}

impl Walk {
    /// So deep, and so many values that hold others.
    pub(super) fn new(depth: u32, count: u32) -> Walk {
        Walk { depth: Cell::new(depth), left: Cell::new(count) }
    }

    /// To compare two values, or to hand one on.
    pub(super) fn whole() -> Walk {
        Walk::new(4_000, 20_000_000)
    }

    /// Goes one level deeper; nothing where that is too far.
    pub(super) fn deeper<T>(&self, go: impl FnOnce() -> T) -> Option<T> {
        let (depth, left) = (self.depth.get(), self.left.get());
        if depth == 0 || left == 0 {
            return None;
        }
        self.depth.set(depth - 1);
        self.left.set(left - 1);
        let done = stack::with_room(go);
        self.depth.set(depth);
        Some(done)
    }

    /// Counts so many values more; false where they are too many.
    pub(super) fn take(&self, values: usize) -> bool {
        let left = u32::try_from(values).ok().and_then(|values| self.left.get().checked_sub(values));
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The same for what has to know: where it is too far, the run ends with its next step.
    pub(super) fn deeper_or_end(&self, go: impl FnOnce() -> bool) -> bool {
        self.deeper(go).unwrap_or_else(|| {
            memory::give_up();
            false
        })
    }
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LATER: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// So many values in each other are let go at once.
const AT_ONCE: u32 = 100;

/// Lets go of what a value holds: one level of many after the other, where there are many.
pub(super) fn release<T: 'static>(held: T) {
    let Ok(depth) = DEPTH.try_with(Cell::get) else { return drop(held) };
    if depth >= AT_ONCE {
        return LATER.with_borrow_mut(|later| later.push(Box::new(held)));
    }
    DEPTH.set(depth + 1);
    drop(held);
    while depth == 0
        && let Some(next) = LATER.with_borrow_mut(Vec::pop)
    {
        drop(next);
    }
    DEPTH.set(depth);
}

impl Value {
    /// Returns true if there may be others in it.
    pub(super) fn may_hold(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Hash(_) | Value::Range(_) | Value::Proc(_) | Value::Object(_))
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let items = self.items.take();
        if items.iter().any(Value::may_hold) {
            release(items);
        }
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if self.from.may_hold() || self.to.may_hold() {
            release((std::mem::take(&mut self.from), std::mem::take(&mut self.to)));
        }
    }
}

impl Drop for Proc {
    fn drop(&mut self) {
        if !matches!(self.kind, ProcKind::Symbol(_) | ProcKind::Outside) {
            release(std::mem::replace(&mut self.kind, ProcKind::Outside));
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let (variables, data) = (self.variables.take(), self.data.take());
        if !matches!(data, Data::None | Data::Match(_)) || variables.iter().any(|(_, value)| value.may_hold()) {
            release((variables, data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: u32) -> Value {
        (0..levels).fold(Value::Nil, |inner, _| Value::array(vec![inner]))
    }

    #[test]
    fn what_nests_deep_is_let_go() {
        drop(nested(3_000_000));
        let range = (0..1_000_000)
            .fold(Value::Int(1), |from, _| Value::Range(std::rc::Rc::new(Range::new(from, Value::Nil, false))));
        drop(range);
    }

    #[test]
    fn a_walk_ends() {
        fn count(value: &Value, walk: &Walk) -> Option<u32> {
            match value {
                Value::Array(list) => {
                    let items = list.items.borrow().clone();
                    Some(1 + walk.deeper(|| items.iter().map(|item| count(item, walk)).sum::<Option<u32>>())??)
                }
                _ => Some(0),
            }
        }
        assert_eq!(count(&nested(10), &Walk::new(10, 100)), Some(10));
        assert_eq!(count(&nested(11), &Walk::new(10, 100)), None);
        let wide = Value::array(vec![nested(1); 100]);
        assert_eq!(count(&wide, &Walk::new(10, 101)), Some(101));
        assert_eq!(count(&wide, &Walk::new(10, 100)), None);
    }
}
