//! Encrypted values, made by the real gem.

use pantin_values::Value;

use super::world::{World, settings};
use crate::{Lookups, MissingKey, Settings};

const VALUES: &str = include_str!("../../../tests/data/eyaml/values.txt");
const PRIVATE: &str = include_str!("../../../tests/data/eyaml/test-only-private-key.pem");
const PUBLIC: &str = include_str!("../../../tests/data/eyaml/test-only-public-key.pem");
const CONFIG: &str = "version: 5\nhierarchy:\n  - name: Secrets\n    lookup_key: eyaml_lookup_key\n    path: \
                      secrets.yaml\n    options:\n      pkcs7_private_key: /keys/private.pem\n      \
                      pkcs7_public_key: /keys/public.pem\n";

fn world(with_key: bool) -> World {
    let word = VALUES.lines().next().unwrap();
    let data = format!(
        "plain: \"is %{{role}}\"\nword: \"{word}\"\ndeep:\n  \"%{{role}}\": [\"x {word} y\", 1]\nalias: \
         \"%{{alias('word')}}\"\n"
    );
    let mut files = vec![("/env/hiera.yaml", CONFIG), ("/env/data/secrets.yaml", &data), ("/keys/public.pem", PUBLIC)];
    if with_key {
        files.push(("/keys/private.pem", PRIVATE));
    }
    let mut world = World::with(&files);
    world.set("role", "web".into());
    world
}

#[test]
fn encrypted_texts_are_read_wherever_they_stand() {
    let mut world = world(true);
    assert_eq!(world.lookup("plain"), Ok(Some("is web".into())));
    assert!(!world.lookups.as_ref().unwrap().has_decrypted());
    assert_eq!(world.lookup("word"), Ok(Some("hunter2".into())));
    let deep = Value::hash([("web".into(), Value::array(["x hunter2 y".into(), 1.into()]))]);
    assert_eq!(world.lookup("deep"), Ok(Some(deep)));
    assert_eq!(world.lookup("alias"), Ok(Some("hunter2".into())));
    assert_eq!(world.lookup("none"), Ok(None));
    let lookups = world.lookups.unwrap();
    assert!(
        lookups.contains_decrypted_text("hunter2")
            && lookups.contains_decrypted_text("is hunter2!")
            && !lookups.contains_decrypted_text("is web")
    );
}

#[test]
fn without_a_key_plain_values_are_found_and_others_are_an_error() {
    let mut world = world(false);
    assert_eq!(world.lookup("plain"), Ok(Some("is web".into())));
    let message = world.lookup("word").unwrap_err().message;
    assert!(message.starts_with("hiera-eyaml backend error decrypting ENC[PKCS7,"), "{message}");
    let end = "when looking up word in /env/data/secrets.yaml. Error was No such file or directory @ rb_sysopen - \
               /keys/private.pem";
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn a_placeholder_may_stand_for_what_cannot_be_read() {
    let mut world = world(false);
    let settings = Settings { missing_key: MissingKey::Placeholder, ..settings() };
    let lookups = Lookups::new(Default::default(), settings);
    world.lookups = Some(std::rc::Rc::new(lookups));
    let found = world.lookup("word").unwrap().unwrap();
    let placeholder = found.as_str().unwrap();
    assert!(placeholder.starts_with("(encrypted, and there is no key here: "), "{placeholder}");
    let lookups = world.lookups.unwrap();
    assert_eq!((lookups.unread(), lookups.has_decrypted()), (vec!["word".into()], false));
}
