//! Numbers of a seed, `Random.new(7)` and `srand(7)`, which are Ruby's; and those that depend on chance where there is no seed.
//!
//! What `srand` has begun ends with the run: in the real Ruby it is of the process, whatever node comes next.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use pantin_base::random::MersenneTwister;

use super::array::own;
use super::secure_random::{SIZE, chance, count_below};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Kernel, Side::Instance, &[private("rand", 0, 1, rand), private("srand", 0, 1, srand)]),
    (Core::Kernel, Side::Class, &[method("rand", 0, 1, rand), method("srand", 0, 1, srand)]),
    (Core::Random, Side::Class, OF_ALL),
    (Core::Random, Side::Instance, OF_ONE),
    (Core::Array, Side::Instance, OF_LISTS),
];

const OF_ALL: &[NativeMethod] = &[
    method("new", 0, 1, |interp, given| {
        let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
        let generator = seeded(interp, given.args.first())?;
        Ok(Value::object(*class, Data::Random(Rc::new(generator))))
    }),
    method("new_seed", 0, 0, |interp, _| new_seed(interp)),
    method("srand", 0, 1, srand),
    method("rand", 0, 1, |interp, given| {
        let numbers = Numbers::of_run(interp);
        random_rand(interp, &numbers, given)
    }),
    method("random_number", 0, 1, |interp, given| {
        let numbers = Numbers::of_run(interp);
        random_number(interp, &numbers, given)
    }),
    method("bytes", 1, 1, |interp, given| {
        let numbers = Numbers::of_run(interp);
        bytes(interp, &numbers, given)
    }),
];

const OF_ONE: &[NativeMethod] = &[
    method("==", 1, 1, |interp, given| {
        let own = own_generator(interp, given)?;
        let Value::Object(other) = given.arg(0) else { return Ok(false.into()) };
        let is_same = match &*other.data.borrow() {
            Data::Random(other) => own.seed == other.seed && *own.numbers.borrow() == *other.numbers.borrow(),
            _ => false,
        };
        Ok(is_same.into())
    }),
    method("seed", 0, 0, |interp, given| Ok(Value::big(own_generator(interp, given)?.seed.clone()))),
    method("rand", 0, 1, |interp, given| {
        let numbers = Numbers::Seeded(own_generator(interp, given)?);
        random_rand(interp, &numbers, given)
    }),
    method("random_number", 0, 1, |interp, given| {
        let numbers = Numbers::Seeded(own_generator(interp, given)?);
        random_number(interp, &numbers, given)
    }),
    method("bytes", 1, 1, |interp, given| {
        let numbers = Numbers::Seeded(own_generator(interp, given)?);
        bytes(interp, &numbers, given)
    }),
];

const OF_LISTS: &[NativeMethod] = &[
    method("sample", 0, 2, sample),
    method("shuffle", 0, 1, |interp, given| Ok(Value::array(shuffled(interp, given)?))),
    method("shuffle!", 0, 1, |interp, given| {
        let items = shuffled(interp, given)?;
        interp.send(given.receiver, "replace", &[Value::array(items)])
    }),
];

/// A generator, and what it was begun with.
pub(crate) struct Generator {
    seed: BigInt,
    numbers: RefCell<MersenneTwister>,
}

impl Generator {
    fn new(seed: BigInt) -> Generator {
        // The sign of a seed makes no difference.
        let numbers = RefCell::new(MersenneTwister::from_bytes(&seed.magnitude().to_bytes_be()));
        Generator { seed, numbers }
    }
}

/// Where numbers come from.
enum Numbers {
    Chance,
    Seeded(Rc<Generator>),
}

impl Numbers {
    fn of_run(interp: &Interp<'_>) -> Numbers {
        interp.generator.clone().map_or(Numbers::Chance, Numbers::Seeded)
    }

    /// `random: …`
    fn wanted(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Numbers> {
        let Some(Value::Hash(options)) = given.args.last() else { return Ok(Numbers::of_run(interp)) };
        match options.get_symbol("random") {
            None => Ok(Numbers::of_run(interp)),
            Some(Value::Class(class)) if class.is(Core::Random) => Ok(Numbers::of_run(interp)),
            Some(Value::Class(class)) if class.is(Core::SecureRandom) => Ok(Numbers::Chance),
            Some(Value::Object(object)) => match &*object.data.borrow() {
                Data::Random(generator) => Ok(Numbers::Seeded(Rc::clone(generator))),
                _ => interp.unsupported("a choice by a generator of its own"),
            },
            Some(_) => interp.unsupported("a choice by a generator of its own"),
        }
    }

    /// One of so many numbers, each as likely.
    fn below(&self, interp: &mut Interp<'_>, count: u64) -> Flow<u64> {
        match self {
            Numbers::Chance => count_below(interp, count),
            Numbers::Seeded(generator) => {
                interp.step()?;
                Ok(generator.numbers.borrow_mut().below(count).unwrap_or_default())
            }
        }
    }

    /// From nought on, below one.
    fn part_of_one(&self, interp: &mut Interp<'_>) -> Flow<f64> {
        match self {
            Numbers::Chance => Ok(count_below(interp, 1 << 53)? as f64 / (1_u64 << 53) as f64),
            Numbers::Seeded(generator) => {
                interp.step()?;
                let mut numbers = generator.numbers.borrow_mut();
                let (high, low) = (numbers.next_word() >> 5, numbers.next_word() >> 6);
                Ok((f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0)
            }
        }
    }
}

fn own_generator(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<Generator>> {
    if let Value::Object(object) = given.receiver
        && let Data::Random(generator) = &*object.data.borrow()
    {
        return Ok(Rc::clone(generator));
    }
    interp.unsupported("a generator that was not made by new")
}

fn seeded(interp: &mut Interp<'_>, seed: Option<&Value>) -> Flow<Generator> {
    let seed = match seed {
        None => new_seed(interp)?,
        Some(seed) => seed.clone(),
    };
    let seed = match &seed {
        Value::Big(seed) => BigInt::clone(seed),
        Value::Nil => return interp.raise(Core::TypeError, "no implicit conversion of nil into Integer"),
        seed => interp.int_arg(seed)?.into(),
    };
    Ok(Generator::new(seed))
}

/// 128 bits by chance.
fn new_seed(interp: &mut Interp<'_>) -> Flow {
    let bytes = chance(interp, SIZE)?;
    Ok(Value::big(BigInt::from_bytes_be(num_bigint::Sign::Plus, &bytes)))
}

/// Begins the numbers anew, and says what they were begun with before. Code asks for that only to begin them so again: what
/// stands for chance is one number, and with it there is chance again. So nothing depends on chance that asks for none.
fn srand(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let by_chance = || BigInt::from_bytes_be(num_bigint::Sign::Plus, &BY_CHANCE);
    let generator = seeded(interp, given.args.first())?;
    let generator = (generator.seed != by_chance()).then(|| Rc::new(generator));
    let before = std::mem::replace(&mut interp.generator, generator);
    Ok(Value::big(before.map_or_else(by_chance, |before| before.seed.clone())))
}

/// As good as any other.
const BY_CHANCE: [u8; SIZE] = *b"\x9e7y\xb9\x7fJ|\x15\xf3\x9c\xc0`\\\xed\xc85";

/// `rand`: what is no range is a whole number, whose sign does not matter; below nought there is a float below one.
fn rand(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let numbers = Numbers::of_run(interp);
    let most = match given.args.first() {
        None | Some(Value::Nil) => 0,
        Some(Value::Range(_)) => return random_number(interp, &numbers, given),
        Some(most) => interp.int_arg(most)?.saturating_abs(),
    };
    random_number(interp, &numbers, &CallArguments { args: &[Value::Int(most)], ..*given })
}

/// `Random.rand`: as `rand`, but for what is below nothing or in no range, and for floats.
fn random_rand(interp: &mut Interp<'_>, numbers: &Numbers, given: &CallArguments<'_>) -> Flow {
    match given.args.first() {
        None => random_number(interp, numbers, given),
        Some(range @ Value::Range(_)) => match random_number(interp, numbers, given)? {
            Value::Nil => {
                let shown = interp.inspect(range)?;
                interp.raise(Core::ArgumentError, format!("invalid argument - {shown}"))
            }
            number => Ok(number),
        },
        Some(Value::Int(most)) if *most > 0 => random_number(interp, numbers, given),
        Some(Value::Float(most)) if *most > 0.0 && most.is_finite() => {
            Ok(Value::Float(numbers.part_of_one(interp)? * most))
        }
        Some(Value::Float(_) | Value::Big(_)) => interp.unsupported("a random number below such a number"),
        Some(most) => {
            let shown = interp.text_of(most)?;
            interp.raise(Core::ArgumentError, format!("invalid argument - {shown}"))
        }
    }
}

/// A float below one, an integer below another, or one of a range.
fn random_number(interp: &mut Interp<'_>, numbers: &Numbers, given: &CallArguments<'_>) -> Flow {
    match given.args.first() {
        None | Some(Value::Nil) | Some(Value::Int(0)) => numbers.part_of_one(interp).map(Value::Float),
        Some(Value::Int(most)) if *most > 0 => Ok(Value::Int(numbers.below(interp, *most as u64)? as i64)),
        Some(Value::Range(range)) => match (&range.from, &range.to) {
            (Value::Int(from), Value::Int(to)) => {
                let count = to.saturating_sub(*from).saturating_add(i64::from(!range.exclusive));
                match u64::try_from(count) {
                    Ok(count) if count > 0 => Ok(Value::Int(from + numbers.below(interp, count)? as i64)),
                    _ => Ok(Value::Nil),
                }
            }
            _ => interp.unsupported("a random number of a range of anything but integers"),
        },
        Some(_) => interp.unsupported("a random number below anything but a positive integer"),
    }
}

/// The same, whatever `srand` has begun.
pub(super) fn unseeded_random_number(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    random_number(interp, &Numbers::Chance, given)
}

fn bytes(interp: &mut Interp<'_>, numbers: &Numbers, given: &CallArguments<'_>) -> Flow {
    let Ok(count) = usize::try_from(interp.int_arg(given.arg(0))?) else {
        return interp.raise(Core::ArgumentError, "negative string size (or size too big)");
    };
    interp.check_bytes(count)?;
    let bytes = match numbers {
        Numbers::Chance => chance(interp, count)?,
        Numbers::Seeded(generator) => {
            let mut numbers = generator.numbers.borrow_mut();
            let words = (0..count.div_ceil(4)).flat_map(|_| numbers.next_word().to_le_bytes());
            words.take(count).collect()
        }
    };
    Ok(Value::String(Rc::new(Text::binary(bytes))))
}

/// One element, or several of which none is taken twice.
fn sample(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let numbers = Numbers::wanted(interp, given)?;
    let mut items = own(given);
    let Some(count) = given.args.first().filter(|first| !matches!(first, Value::Hash(_))) else {
        return match items.len() {
            0 => Ok(Value::Nil),
            count => Ok(items[numbers.below(interp, count as u64)? as usize].clone()),
        };
    };
    let Ok(count) = usize::try_from(interp.int_arg(count)?) else {
        return interp.raise(Core::ArgumentError, "negative sample number");
    };
    let count = count.min(items.len());
    if count > FEW {
        for place in 0..count {
            let other = place + numbers.below(interp, (items.len() - place) as u64)? as usize;
            items.swap(place, other);
        }
        items.truncate(count);
        return Ok(Value::array(items));
    }
    // Each number counts those places alone that are not taken.
    let (mut taken, mut chosen) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for number in 0..count {
        let mut place = numbers.below(interp, (items.len() - number) as u64)? as usize;
        let before = taken.iter().take_while(|taken| {
            let is_before = **taken <= place;
            place += usize::from(is_before);
            is_before
        });
        let before = before.count();
        taken.insert(before, place);
        chosen.push(items[place].clone());
    }
    Ok(Value::array(chosen))
}

/// Up to so many elements Ruby chooses in another way.
const FEW: usize = 16;

/// Each order is as likely.
fn shuffled(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    let numbers = Numbers::wanted(interp, given)?;
    let mut items = own(given);
    for last in (1..items.len()).rev() {
        let other = numbers.below(interp, last as u64 + 1)? as usize;
        items.swap(last, other);
    }
    Ok(items)
}
