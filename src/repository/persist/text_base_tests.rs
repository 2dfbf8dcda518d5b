//! A delta takes less room than its text and decodes to it; without its base it is lost, and nothing else is.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::*;

/// A place for forms, and the bases that one process knows.
#[derive(Default)]
struct Place {
    kin: TextBases,
    forms: RefCell<BTreeMap<Key, Vec<u8>>>,
}

impl Place {
    fn write(&self, node: usize) -> Key {
        let keep = |form: &[u8]| {
            let key = Key::of(form);
            self.forms.borrow_mut().insert(key, form.to_vec());
            Some(key)
        };
        let mut dependencies: Vec<u32> = (0..200).collect();
        dependencies.push(200 + node as u32);
        self.kin.write(&format!("node{node}"), &Numbers::from_numbers(dependencies), &text(node), keep).unwrap()
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let forms = self.forms.borrow();
        self.kin.read(forms.get(key)?, |name| forms.get(&Key::from_bytes(name.address)).cloned())
    }

    fn length(&self, key: &Key) -> usize {
        self.forms.borrow()[key].len()
    }

    fn in_another_process(self) -> Place {
        Place { forms: self.forms, kin: TextBases::default() }
    }
}

/// Of a node: much is the same for all, some is its own.
fn text(node: usize) -> Vec<u8> {
    let own = format!("host {{ 'node{node}': }}\n").into_bytes();
    let mut common = vec![0; 20_000];
    blake3::Hasher::new().finalize_xof().fill(&mut common);
    [&common[..7_000], &own, &common[7_000..15_000], &own, &common[15_000..]].concat()
}

#[test]
fn what_is_like_another_takes_what_it_has_of_its_own() {
    let place = Place::default();
    let keys: Vec<Key> = (0..10).map(|node| place.write(node)).collect();
    assert!(place.length(&keys[0]) > 20_000);
    assert!(keys[1..].iter().all(|key| place.length(key) < 150));
    let place = place.in_another_process();
    for (node, key) in keys.iter().enumerate().rev() {
        assert_eq!(place.read(key), Some(text(node)));
    }
}

#[test]
fn without_the_other_it_is_lost() {
    let place = Place::default();
    let (base, told) = (place.write(0), place.write(1));
    let place = place.in_another_process();
    place.forms.borrow_mut().remove(&base);
    assert_eq!(place.read(&told), None);
}

#[test]
fn no_chain_is_followed() {
    let place = Place::default();
    let (base, told) = (place.write(0), place.write(1));
    let place = place.in_another_process();
    let form = place.forms.borrow()[&told].clone();
    place.forms.borrow_mut().insert(base, form);
    assert_eq!(place.read(&told), None);
}

#[test]
fn what_rests_on_other_files_is_of_another_kind() {
    let dependencies: Vec<u32> = (0..100).collect();
    let others = [0..100, 50..150, 0..99, 200..300, 0..0];
    let likenesses = others.map(|other| likeness(&dependencies, &other.collect::<Vec<u32>>()));
    assert_eq!(likenesses, [1000, 333, 990, 0, 0]);
    assert_eq!(likeness(&[], &[]), 0);
}

#[test]
fn what_is_small_or_like_nothing_is_written_whole() {
    let kin = TextBases::default();
    let length = |text: &[u8]| {
        let mut length = 0;
        kin.write("node", &Numbers::from_numbers(vec![1, 2, 3]), text, |form| {
            length = form.len();
            Some(Key::of(form))
        });
        length
    };
    for _ in 0..2 {
        assert!(length(&[7; SMALLEST - 1]) >= SMALLEST);
    }
    assert!(length(&text(1)) > 20_000);
    assert!(length(&b"package { 'ntp': }\n".repeat(1000)) > 19_000);
    assert!(length(&text(2)) < 150);
}

#[test]
fn no_more_is_made_than_is_ever_told() {
    let place = Place::default();
    let base = Name { answer: "node0".to_owned(), address: *place.write(0).as_bytes() };
    // Again and again 20,000 bytes from the beginning of the base.
    let copy = [0, 0xa0, 0x9c, 0x01];
    let back = [0xbf, 0xb8, 0x02];
    let first = [&copy[..], &[0]].concat();
    let delta = |count: usize| {
        let more = [&copy[..], &back].concat().repeat(count - 1);
        Bytes([first.clone(), more, vec![0]].concat())
    };
    let read = |count: usize| {
        let form = Form::Delta { base: base.clone(), length: count * 20_000, delta: delta(count) };
        place.kin.read(&encoded(&form).unwrap(), |_| None)
    };
    assert_eq!(read(3).map(|text| text.len()), Some(60_000));
    assert_eq!(read(LARGEST / 20_000 + 1), None);
}
