//! Data that would keep a look-up busy for ever.

use pantin_base::limits;

use super::world::World;

/// Each key stands for the next one twice: a million times for the twentieth, and so on.
#[test]
fn data_that_doubles_itself_is_an_error_in_the_end() {
    let doubled = |from: u32, to: u32| -> String {
        let line = |key: u32| format!("a{key}: \"%{{lookup('a{0}')}}%{{lookup('a{0}')}}\"\n", key + 1);
        (from..to).map(line).collect()
    };
    let data = format!("{}a40: x\n", doubled(0, 40));
    let mut world = World::with(&[("/env/hiera.yaml", "version: 5\n"), ("/env/data/common.yaml", &data)]);
    let message = world.lookup("a0").unwrap_err().message;
    assert_eq!(message, format!("One look-up interpolates more than {} expressions", limits::INTERPOLATIONS));
    assert_eq!(world.lookup("a35").unwrap(), Some("x".repeat(32).into()));
}
