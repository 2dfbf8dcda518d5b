//! What is secret in the catalogs of the demo fleet is nowhere in the cache to be read, and the key stands elsewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Folder;
use crate::hidden::{readable, secrets_of};

#[test]
fn no_secret_of_the_demo_fleet_can_be_read_in_the_cache() {
    let folder = Folder::with(&[]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let place = |name: &str| fixtures.join(name).display().to_string();
    let (repository, facts) = (place("control-repo"), place("facts"));
    let all =
        ["--environment-dir", &repository, "--environment", "production", "--facts", &facts, "--exported", "fleet"];
    let run = folder.run(&[&["fleet", "-q", "--out", "out"][..], &all].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let written = fs::read_dir(folder.path().join("out")).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<String> = written.map(|path| fs::read_to_string(path).unwrap()).collect();
    let secrets: BTreeSet<String> = texts.iter().flat_map(|text| secrets_of(text)).collect();
    assert!(secrets.len() > 100, "{}", secrets.len());
    let cache = folder.cache.path().join("cache");
    assert_eq!(readable(&cache, &secrets), BTreeSet::new());
    // What is no secret can be, so that this test can fail.
    let plain = BTreeSet::from([repository]);
    assert_eq!(readable(&cache, &plain).len(), 1);
}

#[cfg(unix)]
#[test]
fn the_key_is_for_its_owner_and_not_in_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::cache::repository();
    crate::cache::fleet(&folder, &[]);
    let key = folder.cache.path().join("pantin/cache.key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let bytes = fs::read(&key).unwrap();
    assert!(crate::cache::files(&folder.cache.path().join("cache")).values().all(|file| !holds(file, &bytes)));
}

#[cfg(unix)]
fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// `puppet lookup` shows the data that a secret was made of.
#[test]
fn an_explanation_shows_no_secret() {
    let folder = Folder::with(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n"),
        (
            "data/common.yaml",
            "a: hidden\nlist: [hidden]\nlookup_options: {a: {convert_to: Sensitive}, list: {convert_to: Sensitive, merge: unique}}\np: \"%{lookup('a')}\"\n",
        ),
    ]);
    for key in ["a", "list", "p"] {
        for format in ["s", "json", "yaml"] {
            let run = folder.run(&[
                "lookup",
                key,
                "--environment-dir",
                ".",
                "--os",
                "debian-12",
                "--explain",
                "--render-as",
                format,
            ]);
            assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{key} as {format}");
            assert!(!run.out.contains("hidden"), "{key} as {format}: {}", run.out);
            assert!(run.out.contains("[value redacted]"), "{key} as {format}: {}", run.out);
            assert!(run.out.contains("convert_to"), "{key} as {format}: {}", run.out);
        }
    }
}
