//! Keys are hashed by specification.

use pantin_cache::{Key, KeyBuilder};
use std::collections::BTreeMap;

#[test]
fn the_bytes_fed_are_as_specified() {
    let mut builder = KeyBuilder::new("test");
    builder
        .variant(2)
        .flag(true)
        .unsigned(0x0102_0304_0506_0708)
        .signed(-2)
        .float(-0.0)
        .bytes(&[9, 8])
        .text("né")
        .key(&Key::from_bytes([7; 32]))
        .sequence([1_u64, 2], |builder, number| {
            builder.unsigned(number);
        })
        .set([
            Key::from_bytes([6; 32]),
            Key::from_bytes([5; 32]),
            Key::from_bytes([6; 32]),
        ])
        .option(None::<u64>, |_, _| unreachable!())
        .option(Some("x"), |builder, text| {
            builder.text(text);
        });

    let mut fed: Vec<u8> = Vec::new();
    let mut feed = |bytes: &[&[u8]]| bytes.iter().for_each(|bytes| fed.extend_from_slice(bytes));
    feed(&[&[0], &4_u64.to_le_bytes(), b"test"]);
    feed(&[&[1], &2_u64.to_le_bytes()]);
    feed(&[&[2], &1_u64.to_le_bytes()]);
    feed(&[&[3], &[8, 7, 6, 5, 4, 3, 2, 1]]);
    feed(&[&[4], &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]);
    feed(&[&[5], &[0, 0, 0, 0, 0, 0, 0, 0x80]]);
    feed(&[&[6], &2_u64.to_le_bytes(), &[9, 8]]);
    feed(&[&[7], &3_u64.to_le_bytes(), "né".as_bytes()]);
    feed(&[&[8], &[7; 32]]);
    feed(&[
        &[9],
        &2_u64.to_le_bytes(),
        &[3],
        &1_u64.to_le_bytes(),
        &[3],
        &2_u64.to_le_bytes(),
    ]);
    feed(&[&[10], &2_u64.to_le_bytes(), &[8], &[5; 32], &[8], &[6; 32]]);
    feed(&[&[11], &[12, 7], &1_u64.to_le_bytes(), b"x"]);
    assert_eq!(builder.finish(), Key::of(&fed));
}

/// A key that was stored is asked for by a later run: this one must not change
/// unless the format version does.
#[test]
fn a_known_key_stays_what_it_was() {
    let key = KeyBuilder::new("known")
        .variant(1)
        .text("ntp")
        .unsigned(42)
        .finish();
    assert_eq!(key.to_hex(), KNOWN_KEY);
}

const KNOWN_KEY: &str = "14d039048a54a3778f01d3bc06ded89672671fe3cc99d9b941c3f877e3f0c703";

#[test]
fn different_calls_make_different_keys() {
    type Call = fn(&mut KeyBuilder);
    let calls: [(&str, Call); 14] = [
        ("variant 0", |builder| drop_unit(builder.variant(0))),
        ("false", |builder| drop_unit(builder.flag(false))),
        ("0", |builder| drop_unit(builder.unsigned(0))),
        ("signed 0", |builder| drop_unit(builder.signed(0))),
        ("0.0", |builder| drop_unit(builder.float(0.0))),
        ("-0.0", |builder| drop_unit(builder.float(-0.0))),
        ("no bytes", |builder| drop_unit(builder.bytes(b""))),
        ("no text", |builder| drop_unit(builder.text(""))),
        ("a", |builder| drop_unit(builder.text("a"))),
        ("ab", |builder| drop_unit(builder.text("ab"))),
        ("b", |builder| drop_unit(builder.text("b"))),
        ("empty sequence", |builder| {
            drop_unit(builder.sequence([0; 0], |_, _: i32| {}))
        }),
        ("empty set", |builder| drop_unit(builder.set([]))),
        ("absent", |builder| {
            drop_unit(builder.option(None::<u8>, |_, _| {}))
        }),
    ];
    let mut seen: BTreeMap<Key, String> = BTreeMap::new();
    let mut must_be_new = |builder: &KeyBuilder, what: String| {
        if let Some(other) = seen.insert(builder.finish(), what.clone()) {
            panic!("{what} and {other} have one key");
        }
    };
    must_be_new(&KeyBuilder::new("other domain"), "other domain".to_owned());
    let empty = KeyBuilder::new("domain");
    must_be_new(&empty, String::new());
    for (first_name, first) in calls {
        let mut one = empty.clone();
        first(&mut one);
        must_be_new(&one, first_name.to_owned());
        for (second_name, second) in calls {
            let mut two = one.clone();
            second(&mut two);
            must_be_new(&two, format!("{first_name}, {second_name}"));
            for (third_name, third) in calls {
                let mut three = two.clone();
                third(&mut three);
                must_be_new(&three, format!("{first_name}, {second_name}, {third_name}"));
            }
        }
    }
}

fn drop_unit(_: &mut KeyBuilder) {}

#[test]
fn sequences_do_not_run_into_each_other() {
    let nested = |groups: &[&[&str]]| {
        let mut builder = KeyBuilder::new("nested");
        builder.sequence(groups, |builder, group| {
            builder.sequence(*group, |builder, text| {
                builder.text(text);
            });
        });
        builder.finish()
    };
    let keys = [
        nested(&[&["a", "b"]]),
        nested(&[&["a"], &["b"]]),
        nested(&[&["ab"]]),
        nested(&[&[], &["a", "b"]]),
        nested(&[&["a", "b"], &[]]),
        nested(&[&["b", "a"]]),
    ];
    for (index, one) in keys.iter().enumerate() {
        assert!(!keys[index + 1..].contains(one));
    }
}

#[test]
fn hex_reads_back_and_has_one_spelling() {
    let key = Key::of(b"x");
    let hex = key.to_hex();
    assert_eq!(hex, blake3::hash(b"x").to_hex().as_str());
    assert_eq!(Key::from_hex(&hex), Some(key));
    assert_eq!(format!("{key}"), hex);
    assert_eq!(Key::from_hex(&hex.to_uppercase()), None);
    assert_eq!(Key::from_hex(&hex[1..]), None);
    assert_eq!(Key::from_hex(&format!("{hex}0")), None);
    assert_eq!(Key::from_hex(&hex.replace(&hex[..1], "g")), None);
}
