//! Searching in what is in order: `bsearch`.

use crate::class::Core;
use crate::interp::{Interp, float_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] =
    &[(Core::Array, Side::Instance, OF_ARRAYS), (Core::Range, Side::Instance, OF_RANGES)];

const OF_ARRAYS: &[NativeMethod] = &[
    method("bsearch", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let items = interp.items(given.receiver)?;
        let found = search(interp, block, 0, items.len() as i64, |at| items.get(at as usize).cloned())?;
        Ok(found.and_then(|at| items.get(at as usize).cloned()).unwrap_or_default())
    }),
    method("bsearch_index", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let items = interp.items(given.receiver)?;
        let found = search(interp, block, 0, items.len() as i64, |at| items.get(at as usize).cloned())?;
        Ok(found.map_or(Value::Nil, Value::Int))
    }),
];

const OF_RANGES: &[NativeMethod] = &[method("bsearch", 0, 0, |interp, given| {
    let Value::Range(range) = given.receiver else { return Ok(Value::Nil) };
    let (Value::Int(from), Value::Int(to)) = (&range.from, &range.to) else {
        return interp.unsupported("Range#bsearch of anything but integers");
    };
    let Some(block) = given.block else { return interp.enumerator(given) };
    let end = if range.exclusive { *to } else { to.saturating_add(1) };
    let found = search(interp, block, *from, end, |at| Some(Value::Int(at)))?;
    Ok(found.map_or(Value::Nil, Value::Int))
})];

/// The first place of which the block says that it is so, or the one of which it says nought.
fn search(
    interp: &mut Interp<'_>,
    block: &Value,
    from: i64,
    end: i64,
    item: impl Fn(i64) -> Option<Value>,
) -> Flow<Option<i64>> {
    let (mut low, mut high, mut found) = (from, end, None);
    while low < high {
        let middle = low + high.wrapping_sub(low).unsigned_abs().div_euclid(2) as i64;
        let goes_down = match interp.yield_one(block, item(middle).unwrap_or_default())? {
            Value::Bool(true) => {
                found = Some(middle);
                true
            }
            Value::Nil | Value::Bool(false) => false,
            said => match float_of(&said) {
                Some(0.0) => return Ok(Some(middle)),
                Some(number) => number < 0.0,
                None => {
                    let of = interp.class_name_of(&said);
                    let message = format!("wrong argument type {of} (must be numeric, true, false or nil)");
                    return interp.raise(Core::TypeError, message);
                }
            },
        };
        if goes_down {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(found)
}
