//! `pantin diff --data`, and differences that the configuration leaves out.

use std::fs;

use serde_json::{Value, json};

use crate::diff::{commit, git, parsed, replace, repository};
use crate::{Folder, Run};

fn diff(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["diff", "HEAD", "--data", "--quiet"], more].concat())
}

/// Data of each format, sealed and Sensitive values, and a module with data of its own.
fn with_data() -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: Nodes, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Sealed, lookup_key: \
             eyaml_lookup_key, path: sealed.eyaml}\n  - {name: Json, data_hash: json_data, path: more.json}\n  - {name: Hocon, \
             data_hash: hocon_data, path: more.conf}\n  - {name: Common, path: common.yaml}\n",
        ),
        ("data/nodes/web1.yaml", "port: 80\nonly: here\n"),
        ("data/sealed.eyaml", "key: ENC[PKCS7,AAAA]\nlist: [a, 'ENC[PKCS7,AAAA]']\n"),
        ("data/more.json", r#"{"size": 1, "same": true}"#),
        ("data/more.conf", "deep { one = 1 }\n"),
        (
            "data/common.yaml",
            "lookup_options:\n  secret: {convert_to: Sensitive}\n  '^pass.*': {convert_to: [Sensitive]}\nsecret: \
             old-secret\npassword: old-secret\nplain: old\nlines: \"one\\ntwo\\n\"\n",
        ),
        ("data/README.md", "no data: old\n"),
        ("site/ntp/hiera.yaml", "version: 5\nhierarchy:\n  - {name: Own, path: own.yaml}\n"),
        ("site/ntp/data/own.yaml", "ntp::server: old\n"),
    ]);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    for (file, old, new) in [
        ("data/nodes/web1.yaml", "80\nonly: here", "81"),
        ("data/sealed.eyaml", "AAAA]\n", "BBBB]\n"),
        ("data/sealed.eyaml", "[a,", "[b,"),
        ("data/more.json", "1", "2"),
        ("data/more.conf", "one = 1", "one = 2"),
        ("data/common.yaml", "old", "new"),
        ("data/common.yaml", "two", "2"),
        ("data/README.md", "old", "new"),
        ("site/ntp/data/own.yaml", "old", "new"),
    ] {
        replace(&folder, file, old, new);
    }
    folder
}

#[test]
fn data_is_compared_key_by_key_without_nodes() {
    let folder = with_data();
    let json = parsed(&diff(&folder, &["--format", "json"]));
    let secret = json!({"secret": true, "changed": true});
    let key = |file: &str, level: &str, name: &str, from: Value, to: Value| json!({"file": file, "level": level, "name": name, "secret": false, "from": from, "to": to});
    let hidden = |file: &str, level: &str, name: &str| json!({"file": file, "level": level, "name": name, "secret": true, "from": secret, "to": secret});
    let expected = json!([
        hidden("data/common.yaml", "Common", "secret"),
        hidden("data/common.yaml", "Common", "password"),
        key("data/common.yaml", "Common", "plain", json!("old"), json!("new")),
        key("data/common.yaml", "Common", "lines", json!("one\ntwo\n"), json!("one\n2\n")),
        key("data/more.conf", "Hocon", "deep", json!({"one": 1}), json!({"one": 2})),
        key("data/more.json", "Json", "size", json!(1), json!(2)),
        key("data/nodes/web1.yaml", "Nodes", "port", json!(80), json!(81)),
        {"file": "data/nodes/web1.yaml", "level": "Nodes", "name": "only", "secret": false, "from": "here"},
        hidden("data/sealed.eyaml", "Sealed", "key"),
        key("data/sealed.eyaml", "Sealed", "list", json!(["a", "[encrypted]"]), json!(["b", "[encrypted]"])),
        key("site/ntp/data/own.yaml", "Own", "ntp::server", json!("old"), json!("new")),
    ]);
    assert_eq!(json["data"], json!({"keys": expected, "unreadable": []}), "{json:#}");
    assert_eq!(json["nodes"], json!([]));
    let text = diff(&folder, &["--exit-code"]);
    let told = "
Data
  ~ data/common.yaml (Common)
      secret: another secret
      password: another secret
      plain: 'old' → 'new'
      lines:
        one
      - two
      + 2
";
    assert!(text.out.contains(told), "{}", text.out);
    assert_eq!(text.code, Some(2));
    for format in ["text", "json", "markdown", "html", "junit"] {
        let run = diff(&folder, &["--format", format]);
        assert!(run.out.contains("ntp::server"), "{format}: {}", run.out);
        for secret in ["-secret", "PKCS7", "AAAA"] {
            assert!(!run.out.contains(secret) && !run.err.contains(secret), "{format}: {}", run.out);
        }
    }
    commit(&folder);
    let same = diff(&folder, &["--exit-code"]);
    assert!(same.out.contains("no key differs") && same.code == Some(0), "{}", same.out);
}

#[test]
fn a_hierarchy_and_files_that_are_no_data_are_told() {
    let folder = with_data();
    commit(&folder);
    replace(&folder, "hiera.yaml", "path: common.yaml", "path: base.yaml");
    fs::rename(folder.path().join("data/common.yaml"), folder.path().join("data/base.yaml")).unwrap();
    folder.write("data/more.json", "{");
    let json = parsed(&diff(&folder, &["--format", "json"]));
    let keys = json["data"]["keys"].as_array().unwrap();
    let told: Vec<(&str, &str)> =
        keys.iter().map(|key| (key["file"].as_str().unwrap(), key["name"].as_str().unwrap())).collect();
    assert!(told.contains(&("hiera.yaml", "hierarchy")), "{told:?}");
    assert!(told.contains(&("data/base.yaml", "plain")) && told.contains(&("data/common.yaml", "plain")), "{told:?}");
    let unreadable = json["data"]["unreadable"].as_array().unwrap();
    assert_eq!((&unreadable[0]["file"], &unreadable[0]["side"]), (&json!("data/more.json"), &json!("to")), "{json:#}");
    let text = diff(&folder, &[]);
    assert!(text.out.contains("✗ data/more.json cannot be compared: after the change "), "{}", text.out);
    assert!(!json.to_string().contains("-secret"), "{json:#}");
}

#[test]
fn saved_catalogs_have_no_data() {
    let folder = repository();
    let run = folder.run(&["fleet", "--facts", "facts", "--no-cache", "--quiet", "--out", "before"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let refused = folder.run(&["diff", "before/", "--data", "--facts", "facts", "--quiet"]);
    assert!(refused.err.contains("saved catalogs have no data") && refused.code == Some(1), "{}", refused.err);
}

#[test]
fn the_configuration_leaves_out_differences() {
    let folder = repository();
    folder.write("pantin.toml", "facts = 'facts'\ndiff_ignore = ['File[/etc/*]::content', 'Class[*]']\n");
    commit(&folder);
    replace(&folder, "data/all.yaml", "hello", "welcome");
    let run = folder.run(&["diff", "--quiet", "--exit-code"]);
    assert!(run.out.contains("6 differences left out by --ignore-resource or diff_ignore"), "{}{}", run.out, run.err);
    assert_eq!(run.code, Some(0));
    let markdown = folder.run(&["diff", "--quiet", "--format", "markdown"]);
    assert!(markdown.out.contains("6 differences left out by --ignore-resource or diff_ignore"), "{}", markdown.out);
    let config = folder.run(&["config"]);
    assert!(
        config.out.lines().any(|line| line.starts_with("diff_ignore") && line.contains("Class[*]")),
        "{}",
        config.out
    );
    folder.write("pantin.toml", "facts = 'facts'\ndiff_ignore = 'Class'\n");
    commit(&folder);
    let wrong = folder.run(&["diff", "--quiet"]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.out);
    assert!(wrong.err.contains("pantin.toml:2") && wrong.err.contains("'Class' is no TYPE[TITLE]"), "{}", wrong.err);
}
