//! The key that was probably meant by another.

use std::sync::Arc;

use super::world::World;

#[test]
fn a_misspelt_key_is_near_one_of_the_data_that_was_read() {
    let mut world = World::with(&[
        ("/env/hiera.yaml", "version: 5\nhierarchy:\n  - { name: a, path: a.yaml }\n  - { name: b, path: b.yaml }\n"),
        ("/env/data/a.yaml", "ntp::servers: [a]\n"),
        ("/env/data/b.yaml", "other: 1\n"),
    ]);
    let lookups = world.start(&Arc::default());
    assert!(world.lookup("ntp::server").is_ok_and(|found| found.is_none()));
    assert_eq!(lookups.nearest_key("ntp::server").as_deref(), Some("ntp::servers"));
    assert_eq!(lookups.nearest_key("something"), None);
}
