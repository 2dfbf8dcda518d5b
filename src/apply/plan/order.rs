//! Resources that meet on the machine and have changed their relative order in the walk.

use crate::footprint::Footprint;

/// A resource that both walks have.
pub(crate) struct Placed<'r> {
    pub reference: &'r str,
    /// Its place in the last run's walk.
    pub old: u32,
    pub footprint: &'r Footprint,
}

/// Returns each resource that has changed its order with one that it meets, and that one. `placed` is in the order of this walk.
pub(crate) fn reordered<'r>(placed: &[Placed<'r>]) -> Vec<(&'r str, &'r str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let turned = turned(placed);
    for (at, one) in turned.iter().enumerate() {
        let mut note = |one: &Placed<'r>, other: &Placed<'r>| {
            if !found.iter().any(|(known, _)| *known == one.reference) {
                found.push((one.reference, other.reference));
            }
        };
        for other in turned[at + 1..].iter().filter(|other| other.old < one.old) {
            if one.footprint.meets(other.footprint) {
                note(one, other);
                note(other, one);
            }
        }
    }
    found
}

/// Returns those that have changed their order with any other one: mostly there are none.
fn turned<'p, 'r>(placed: &'p [Placed<'r>]) -> Vec<&'p Placed<'r>> {
    let mut greatest_before = Vec::with_capacity(placed.len());
    let mut greatest: Option<u32> = None;
    for one in placed {
        greatest_before.push(greatest);
        greatest = greatest.max(Some(one.old));
    }
    let mut least: Option<u32> = None;
    let mut turned = Vec::new();
    for (one, before) in placed.iter().zip(greatest_before).rev() {
        if before.is_some_and(|before| before > one.old) || least.is_some_and(|least| least < one.old) {
            turned.push(one);
        }
        least = Some(least.map_or(one.old, |least| least.min(one.old)));
    }
    turned.reverse();
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::FileFootprint;

    #[test]
    fn only_what_meets_and_has_turned_is_found() {
        let file = |path: &str| Footprint::Files(FileFootprint { writes: vec![path.into()], ..Default::default() });
        let (one, two, anything) = (file("/a"), file("/b"), Footprint::Anything);
        let placed = |places: [(&'static str, u32); 3], footprints: [&'static Footprint; 3]| {
            let placed: Vec<Placed<'static>> = places
                .into_iter()
                .zip(footprints)
                .map(|((reference, old), footprint)| Placed { reference, old, footprint })
                .collect();
            reordered(&placed)
        };
        let (one, two): (&'static Footprint, &'static Footprint) = (Box::leak(Box::new(one)), Box::leak(Box::new(two)));
        let anything: &'static Footprint = Box::leak(Box::new(anything));
        assert!(placed([("a", 0), ("b", 1), ("c", 2)], [anything; 3]).is_empty());
        assert!(placed([("b", 1), ("a", 0), ("c", 2)], [one, two, two]).is_empty());
        let found = placed([("b", 1), ("a", 0), ("c", 2)], [anything, one, two]);
        assert_eq!(found, [("b", "a"), ("a", "b")]);
    }
}
