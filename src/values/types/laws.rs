//! Laws that hold for all types and values, tried on many of them.
#![allow(clippy::unwrap_used)]

use super::{Type, parse};
use crate::{BuiltInOnly, Value};

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }

    fn type_text(&mut self, depth: u32) -> String {
        const PLAIN: [&str; 29] = [
            "Any",
            "Undef",
            "Default",
            "Scalar",
            "ScalarData",
            "Numeric",
            "Integer",
            "Integer[1, 5]",
            "Integer[2, 3]",
            "Float",
            "Float[0.5, 2.0]",
            "Boolean",
            "Boolean[true]",
            "String",
            "String[1]",
            "String[1, 2]",
            "Enum['a', 'b']",
            "Enum['a']",
            "Pattern[/^a/]",
            "Regexp",
            "Collection",
            "Array",
            "Hash",
            "Data",
            "File",
            "File['a']",
            "Class['x']",
            "CatalogEntry",
            "Binary",
        ];
        if depth == 0 {
            return self.one_of(&PLAIN).to_owned();
        }
        let mut inner = || self.type_text(depth - 1);
        let (a, b) = (inner(), inner());
        match self.roll(13) {
            0 => format!("Array[{a}]"),
            1 => format!("Array[{a}, 1, 2]"),
            2 => format!("Hash[{a}, {b}]"),
            3 => format!("Tuple[{a}, {b}]"),
            4 => format!("Tuple[{a}, 0, 2]"),
            5 => format!("Struct[{{'a' => {a}, Optional['b'] => {b}}}]"),
            6 => format!("Variant[{a}, {b}]"),
            7 => format!("Optional[{a}]"),
            8 => format!("NotUndef[{a}]"),
            9 => format!("Type[{a}]"),
            10 => format!("Sensitive[{a}]"),
            11 => format!("Callable[[{a}], {b}]"),
            _ => self.one_of(&PLAIN).to_owned(),
        }
    }

    fn value(&mut self, depth: u32) -> Value {
        match self.roll(if depth == 0 { 9 } else { 13 }) {
            0 => Value::Undef,
            1 => Value::Default,
            2 => Value::Boolean(self.roll(2) == 0),
            3 => Value::Integer(self.roll(6) as i64),
            4 => Value::Float(self.roll(4) as f64 / 2.0),
            5 | 6 => Value::string(self.one_of(&["", "a", "b", "ab", "abc"])),
            7 => Value::Type(made(&self.type_text(1))),
            8 => Value::sensitive(Value::Integer(1)),
            9 | 10 => {
                let count = self.roll(3);
                Value::array((0..count).map(|_| self.value(depth - 1)))
            }
            _ => {
                let keys = ["a", "b"];
                let count = self.roll(3) as usize;
                Value::hash(keys[..count].iter().map(|key| (Value::string(*key), self.value(depth - 1))))
            }
        }
    }
}

fn made(text: &str) -> Type {
    parse(text, &mut BuiltInOnly).unwrap()
}

fn types(seed: u64, count: usize) -> Vec<Type> {
    let mut dice = Dice(seed);
    (0..count).map(|index| made(&dice.type_text(index as u32 % 3))).collect()
}

#[test]
fn a_type_fits_itself() {
    // `NotUndef[Optional[T]]` does not take what may be undef, and says so of itself.
    for of in types(7, 2000).into_iter().filter(|of| !of.to_string().contains("NotUndef")) {
        assert!(of.assignable(&of), "{of}");
    }
}

/// Types of which Puppet itself does not keep the law: `NotUndef` asks about undef and no more, a struct takes a hash
/// by its sizes, `Undef` may be left out of `Optional` alternatives.
fn is_lawless(of: &Type) -> bool {
    let text = of.to_string();
    ["NotUndef", "Struct", "Callable", "Tuple"].iter().any(|word| text.contains(word))
}

#[test]
fn what_fits_what_fits_fits() {
    let types: Vec<Type> = types(11, 260).into_iter().filter(|of| !is_lawless(of)).collect();
    for a in &types {
        for b in types.iter().filter(|b| a.assignable(b)) {
            for c in types.iter().filter(|c| b.assignable(c)) {
                assert!(a.assignable(c), "{a} takes {b}, which takes {c}");
            }
        }
    }
}

#[test]
fn a_value_is_an_instance_of_what_its_type_fits() {
    let mut dice = Dice(13);
    let values: Vec<Value> = (0..300).map(|index| dice.value(index % 3)).collect();
    for of in types(17, 300) {
        for value in &values {
            let inferred = Type::infer(value);
            let (accepts, fits) = (of.accepts(value).unwrap(), of.assignable(&inferred));
            assert_eq!(accepts, fits, "{of} and {value:?}, of type {inferred}");
        }
    }
}

#[test]
fn a_printed_type_reads_as_that_type() {
    // What is around `Sensitive` is made more general each time it is made.
    for of in types(19, 2000).into_iter().filter(|of| !of.to_string().contains("Sensitive")) {
        let text = of.to_string();
        let read = made(&text);
        assert_eq!(read.to_string(), text);
        // A callable without parameters prints its size, which it had not.
        assert!(read == of || text.contains("Callable"), "{text}");
    }
}

#[test]
fn equal_values_have_equal_digests() {
    let mut dice = Dice(23);
    let values: Vec<Value> = (0..400).map(|index| dice.value(index % 3)).collect();
    for a in &values {
        for b in &values {
            let (equal, same) = (a == b, a.digest() == b.digest());
            assert!(equal || !same, "{a:?} and {b:?} are not equal");
            // The order of a hash, and of alternatives, counts in a digest.
            if !matches!(a, Value::Hash(_) | Value::Array(_) | Value::Type(_)) {
                assert_eq!(equal, same, "{a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn general_and_plain_forms_take_what_the_type_takes() {
    for of in types(29, 1000) {
        assert!(of.generalize().assignable(&of) || is_lawless(&of), "{of} and {}", of.generalize());
        assert_eq!(of.normalize().normalize(), of.normalize(), "{of}");
    }
}
