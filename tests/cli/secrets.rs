//! What is secret in the catalogs of the demo fleet is nowhere in the cache to be read, and the key stands elsewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Folder;
use crate::diff::copy;
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

/// Every file below a folder, with what is done to its text.
fn rewrite(folder: &Path, change: &dyn Fn(&str) -> String) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => rewrite(&path, change),
            false => {
                if let Ok(text) = fs::read_to_string(&path) {
                    fs::write(&path, change(&text)).unwrap();
                }
            }
        }
    }
}

/// Every command that shows catalogs, in every format: before and after all secrets of the data have changed.
#[test]
fn no_secret_is_in_any_report() {
    let folder = Folder::with(&[]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let nodes =
        ["db01.example.org", "web01.example.org", "ad01.example.org", "vault01.example.org", "mail01.example.org"];
    for name in nodes {
        let file = format!("{name}.json");
        folder.write(&format!("facts/{file}"), fs::read(fixtures.join("facts").join(&file)).unwrap());
    }
    copy(&fixtures.join("control-repo"), &folder.path().join("old"));
    copy(&fixtures.join("control-repo"), &folder.path().join("new"));
    let catalogs = |side: &str| -> Vec<String> {
        let run = folder.run(&["fleet", "-q", "--facts", "facts", "--environment-dir", side, "--out", "out"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let files = fs::read_dir(folder.path().join("out")).unwrap().map(|file| file.unwrap().path());
        files.map(|path| fs::read_to_string(path).unwrap()).collect()
    };
    let old = catalogs("old");
    let mut secrets: BTreeSet<String> = old.iter().flat_map(|text| secrets_of(text)).collect();
    // Texts that a secret was put together from stand in the data.
    let mut longest: Vec<&String> = secrets.iter().collect();
    longest.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    let changed = |text: &str| {
        longest.iter().fold(text.to_owned(), |text, secret| text.replace(&***secret, &format!("{secret}-2")))
    };
    rewrite(&folder.path().join("new/data"), &changed);
    secrets.extend(catalogs("new").iter().flat_map(|text| secrets_of(text)));
    assert!(secrets.len() > 10, "{}", secrets.len());
    let references: BTreeSet<(String, String)> = old.iter().flat_map(|catalog| secret_resources(catalog)).collect();
    assert!(references.len() > 5, "{}", references.len());

    let common = ["--facts", "facts", "--environment-dir", "old", "--log-level", "debug"];
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for format in ["text", "json", "junit", "github", "gitlab", "sarif", "markdown", "html"] {
        commands.push(vec!["fleet", "--format", format]);
    }
    for format in ["text", "json", "markdown", "html", "junit"] {
        commands.push(vec!["diff", "old", "new", "--quiet", "--format", format]);
    }
    for format in ["text", "json", "csv"] {
        commands.push(vec!["query", "*", "--show", "*", "--quiet", "--format", format]);
    }
    for format in ["text", "json"] {
        commands.push(vec!["impact", "old/data", "--bodies", "--explain", "--quiet", "--format", format]);
        commands.push(vec!["impact", "--uses-fact", "os", "--quiet", "--format", format]);
    }
    for format in ["dot", "json", "html"] {
        commands.push(vec!["graph", "--node", "db01.example.org", "--format", format]);
    }
    for (node, reference) in &references {
        for format in ["text", "json", "dot"] {
            commands.push(vec!["why", reference, "--node", node, "--format", format]);
        }
    }
    for command in commands {
        let run = folder.run(&[&command[..], &common].concat());
        let told = [run.out, run.err].concat();
        assert!(!told.is_empty() && run.code == Some(0), "{command:?}: {:?} {told}", run.code);
        let shown: Vec<&String> = secrets.iter().filter(|secret| told.contains(secret.as_str())).collect();
        assert!(shown.is_empty(), "{command:?} shows {shown:?}");
    }
}

/// The node and the reference of each resource of a catalog that has a sensitive parameter.
fn secret_resources(catalog: &str) -> Vec<(String, String)> {
    let catalog: serde_json::Value = serde_json::from_str(catalog).unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let resources = catalog["resources"].as_array().into_iter().flatten();
    let secret =
        resources.filter(|resource| resource["sensitive_parameters"].as_array().is_some_and(|names| !names.is_empty()));
    secret
        .map(|resource| (text(&catalog["name"]), format!("{}[{}]", text(&resource["type"]), text(&resource["title"]))))
        .collect()
}
