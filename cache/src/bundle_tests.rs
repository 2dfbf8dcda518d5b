//! Tests of a bundle's payload: merging, trimming, and reading any bytes.

use super::*;

const NO_LIMIT: u64 = u64::MAX;

fn named(names: &[(&str, &str)]) -> Vec<(Vec<u8>, Vec<u8>)> {
    names
        .iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect()
}

fn merged(bundle: &Bundle, names: &[(&str, &str)], max_bytes: u64) -> (Bundle, u64) {
    match bundle.merge(&named(names), max_bytes) {
        Merged::Payload { payload, trimmed } => (Bundle::decode(payload).unwrap(), trimmed),
        other => panic!("{other:?}"),
    }
}

fn names(bundle: &Bundle) -> Vec<&str> {
    let names = bundle.iter().map(|(name, _)| name);
    names.map(|name| str::from_utf8(name).unwrap()).collect()
}

#[test]
fn merges_put_new_over_old_and_keep_the_rest() {
    let (first, _) = merged(
        &Bundle::default(),
        &[("b", "1"), ("a", "2"), ("", "3")],
        NO_LIMIT,
    );
    let (second, trimmed) = merged(&first, &[("b", "4"), ("c", ""), ("c", "5")], NO_LIMIT);
    assert_eq!(trimmed, 0);
    assert_eq!(names(&second), ["", "a", "b", "c"]);
    assert_eq!(second.get("b"), Some(&b"4"[..]));
    assert_eq!(second.get("a"), Some(&b"2"[..]));
    assert_eq!(second.get(""), Some(&b"3"[..]));
    assert_eq!(second.get("c"), Some(&b"5"[..]));
    assert_eq!(second.get("d"), None);
    assert_eq!(second.len(), 4);
    assert!(Bundle::default().is_empty());
}

#[test]
fn what_is_there_already_changes_nothing() {
    let (bundle, _) = merged(&Bundle::default(), &[("a", "1"), ("b", "2")], NO_LIMIT);
    for same in [&[][..], &[("a", "1")], &[("b", "2"), ("a", "1")]] {
        assert!(matches!(
            bundle.merge(&named(same), NO_LIMIT),
            Merged::Unchanged
        ));
    }
    assert!(matches!(
        bundle.merge(&named(&[("a", "2")]), NO_LIMIT),
        Merged::Payload { .. }
    ));
}

#[test]
fn the_oldest_names_go_when_there_is_no_room() {
    let room_for_three = (BUNDLE_OVERHEAD + 3 * (NAME_OVERHEAD + 2)) as u64;
    let (bundle, _) = merged(&Bundle::default(), &[("z", "1")], room_for_three);
    let (bundle, _) = merged(&bundle, &[("y", "1")], room_for_three);
    let (bundle, trimmed) = merged(&bundle, &[("x", "1")], room_for_three);
    assert_eq!((names(&bundle), trimmed), (vec!["x", "y", "z"], 0));
    // Writing z again makes it young.
    let (bundle, _) = merged(&bundle, &[("z", "2")], room_for_three);
    let (bundle, trimmed) = merged(&bundle, &[("w", "1")], room_for_three);
    assert_eq!((names(&bundle), trimmed), (vec!["w", "x", "z"], 1));
}

#[test]
fn additions_beyond_the_limit_are_refused_whole() {
    let (bundle, _) = merged(&Bundle::default(), &[("a", "1")], NO_LIMIT);
    let room_for_one = (BUNDLE_OVERHEAD + NAME_OVERHEAD + 2) as u64;
    let two = named(&[("b", "1"), ("c", "1")]);
    assert!(matches!(bundle.merge(&two, room_for_one), Merged::TooLarge));
    let one = named(&[("b", "1")]);
    assert!(matches!(
        bundle.merge(&one, room_for_one),
        Merged::Payload { trimmed: 1, .. }
    ));
}

fn sample() -> Vec<u8> {
    let additions = named(&[("name", "value"), ("other", ""), ("third", "3")]);
    match Bundle::default().merge(&additions, NO_LIMIT) {
        Merged::Payload { payload, .. } => payload,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_part_of_a_payload_is_no_bundle() {
    let payload = sample();
    for length in 0..payload.len() {
        assert!(
            Bundle::decode(payload[..length].to_vec()).is_none(),
            "{length}"
        );
    }
    let mut longer = payload;
    longer.push(0);
    assert!(Bundle::decode(longer).is_none());
}

#[test]
fn any_byte_changed_never_panics_and_stays_ordered() {
    let payload = sample();
    for offset in 0..payload.len() {
        for value in 0..=u8::MAX {
            let mut changed = payload.clone();
            changed[offset] = value;
            if let Some(bundle) = Bundle::decode(changed) {
                assert!(names_ascend(&bundle));
            }
        }
    }
}

fn names_ascend(bundle: &Bundle) -> bool {
    let names: Vec<&[u8]> = bundle.iter().map(|(name, _)| name).collect();
    names.is_sorted_by(|one, next| one < next)
}

#[test]
fn a_huge_claim_asks_for_no_memory() {
    for claim in [u64::MAX, 1 << 40] {
        let mut many_names = vec![0; 8];
        many_names.extend_from_slice(&claim.to_le_bytes());
        assert!(Bundle::decode(many_names).is_none());
        let mut long_name = sample();
        long_name[24..32].copy_from_slice(&claim.to_le_bytes());
        assert!(Bundle::decode(long_name).is_none());
    }
}
