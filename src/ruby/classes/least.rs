//! `min(2)`, `max_by(3)`: the first so many in order, found as Ruby finds them. It keeps four times as many, and
//! whenever that is full it divides them, as a quick sort does, and drops the worse ones.

use std::cmp::Ordering;

use super::order::Keyed;
use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;
use crate::value::Value;

type Order<'o, 'i> = &'o mut dyn FnMut(&mut Interp<'i>, &Value, &Value) -> Flow<Ordering>;

struct SmallestItems {
    count: usize,
    all: Vec<Keyed>,
    /// What is not better than this need not be looked at.
    limit: Option<Value>,
    /// The greatest come first.
    reversed: bool,
}

pub(super) fn least<'i>(
    interp: &mut Interp<'i>,
    items: Vec<Keyed>,
    count: &Value,
    wanted: Ordering,
    mut order: impl FnMut(&mut Interp<'i>, &Value, &Value) -> Flow<Ordering>,
) -> Flow {
    let count = interp.int_arg(count)?;
    let Ok(count) = usize::try_from(count) else {
        return interp.raise(Core::ArgumentError, format!("negative size ({count})"));
    };
    if count == 0 {
        return Ok(Value::array(Vec::new()));
    }
    let mut kept = SmallestItems { count, all: Vec::new(), limit: None, reversed: wanted.is_gt() };
    for item in items {
        if let Some(limit) = kept.limit.clone()
            && kept.turned(order(interp, &item.key, &limit)?).is_ge()
        {
            continue;
        }
        kept.all.push(item);
        if kept.all.len() == count.saturating_mul(4) {
            kept.divide(interp, &mut order)?;
        }
    }
    kept.divide(interp, &mut order)?;
    let mut sorted = interp.sort(kept.all, |interp, a: &Keyed, b: &Keyed| order(interp, &a.key, &b.key))?;
    if kept.reversed {
        sorted.reverse();
    }
    Ok(Value::array(sorted.into_iter().map(|keyed| keyed.item).collect()))
}

impl SmallestItems {
    fn turned(&self, order: Ordering) -> Ordering {
        if self.reversed { order.reverse() } else { order }
    }

    /// Keeps the best ones alone, in no order.
    fn divide<'i>(&mut self, interp: &mut Interp<'i>, order: Order<'_, 'i>) -> Flow<()> {
        if self.all.len() <= self.count {
            return Ok(());
        }
        let (mut left, mut right) = (0, self.all.len() - 1);
        let pivot_at = loop {
            self.all.swap(left + (right - left) / 2, right);
            let (mut alike, mut better, mut at) = (1, left, left);
            while at + alike <= right {
                match self.turned(order(interp, &self.all[at].key, &self.all[right].key)?) {
                    Ordering::Equal => {
                        self.all.swap(at, right - alike);
                        alike += 1;
                        continue;
                    }
                    Ordering::Less => {
                        self.all.swap(at, better);
                        better += 1;
                    }
                    Ordering::Greater => {}
                }
                at += 1;
            }
            let (mut to, mut from) = (better, right);
            while from + alike > right && from > to {
                self.all.swap(to, from);
                to += 1;
                from -= 1;
            }
            if better <= self.count && self.count <= better + alike {
                break better;
            }
            if self.count < better { right = better - 1 } else { left = better + alike }
        };
        self.limit = Some(self.all[pivot_at].key.clone());
        self.all.truncate(self.count);
        Ok(())
    }
}
