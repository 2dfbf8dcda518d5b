//! `sum`: integers first, floats so that small errors do not pile up, and anything else by its `+`.

use crate::interp::{CallArguments, Interp, float_of};
use crate::stop::Flow;
use crate::value::Value;

pub(super) fn sum(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let start = given.args.first().cloned().unwrap_or(Value::Int(0));
    let mut items = Vec::new();
    for item in interp.items(given.receiver)? {
        items.push(match given.block {
            Some(block) => interp.yield_one(block, item)?,
            None => item,
        });
    }
    let is_whole = |item: &&Value| matches!(item, Value::Int(_) | Value::Big(_));
    let (mut total, mut rest) = (start, items.as_slice());
    // An array adds up its integers before it looks at what they are added to.
    if let (Value::Array(_), Some(first)) = (given.receiver, items.first().filter(is_whole)) {
        let count = items.iter().take_while(is_whole).count();
        let mut whole = first.clone();
        for item in &items[1..count] {
            whole = interp.send(&whole, "+", std::slice::from_ref(item))?;
        }
        total = interp.send(&whole, "+", &[total])?;
        rest = &items[count..];
    }
    while let Some((item, behind)) = rest.split_first() {
        if let (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Float(_)) = (&total, item) {
            (total, rest) = floats(float_of(&total).unwrap_or_default(), rest);
        } else {
            total = interp.send(&total, "+", std::slice::from_ref(item))?;
            rest = behind;
        }
    }
    Ok(total)
}

/// The sum of the numbers at the beginning, and what stands behind them. What an addition loses is added at the end, if
/// numbers are all there is.
fn floats(start: f64, items: &[Value]) -> (Value, &[Value]) {
    let (mut sum, mut lost) = (start, 0.0);
    for (at, item) in items.iter().enumerate() {
        let Some(item) = float_of(item) else { return (Value::Float(sum), &items[at..]) };
        if sum.is_nan() {
            continue;
        }
        if item.is_nan() || (item.is_infinite() && !sum.is_infinite()) {
            sum = item;
        } else if item.is_infinite() && item != sum {
            sum = f64::NAN;
        } else if sum.is_finite() {
            let next = sum + item;
            lost += if sum.abs() >= item.abs() { (sum - next) + item } else { (item - next) + sum };
            sum = next;
        }
    }
    (Value::Float(sum + lost), &[])
}
