//! Encrypted data whose keys are variables of the process, as in a pipeline that keeps its secrets there.

use serde_json::{Value, json};

use crate::diff::{commit, git};
use crate::watch::{Watcher, replace};
use crate::{Folder, Run, finish};

const SEALED: &str = include_str!("../data/eyaml/values.txt");
const PRIVATE: &str = include_str!("../data/eyaml/test-only-private-key.pem");
const PUBLIC: &str = include_str!("../data/eyaml/test-only-public-key.pem");

const CONFIG: &str = "version: 5
hierarchy:
  - name: Secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options:
      pkcs7_private_key_env_var: TEST_ONLY_PRIVATE_KEY
      pkcs7_public_key_env_var: TEST_ONLY_PUBLIC_KEY
";

fn repository() -> Folder {
    let word = SEALED.lines().next().unwrap();
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "include db"),
        ("modules/db/manifests/init.pp", "class db(String $password) { notify { 'db': message => $password } }"),
        ("hiera.yaml", CONFIG),
        ("data/secrets.eyaml", &format!("db::password: {word}\n")),
    ])
}

fn with_keys(folder: &Folder, arguments: &[&str], keys: &[(&str, &str)]) -> Run {
    finish(folder.command(arguments).envs(keys.iter().copied()).spawn().unwrap())
}

const COMPILE: [&str; 6] = ["compile", "db01.example.org", "--os", "debian-12", "--log-level", "err"];
const LOOKUP: [&str; 6] = ["lookup", "db::password", "--node", "db01.example.org", "--os", "debian-12"];

#[test]
fn keys_in_variables_of_the_process_open_the_data() {
    let folder = repository();
    let keys = [("TEST_ONLY_PRIVATE_KEY", PRIVATE), ("TEST_ONLY_PUBLIC_KEY", PUBLIC)];
    let run = with_keys(&folder, &COMPILE, &keys);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
    let catalog: Value = serde_json::from_str(&run.out).unwrap();
    let resources = catalog["resources"].as_array().unwrap();
    let class = resources.iter().find(|resource| resource["title"] == "Db").unwrap();
    assert_eq!(class["parameters"]["password"], "hunter2");
    let run = with_keys(&folder, &LOOKUP, &keys);
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("--- hunter2\n", "", Some(0)));
}

#[test]
fn a_variable_that_is_not_set_is_named() {
    let folder = repository();
    let public = [("TEST_ONLY_PUBLIC_KEY", PUBLIC)];
    for arguments in [COMPILE, LOOKUP] {
        let run = with_keys(&folder, &arguments, &public);
        assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
        assert!(
            run.err.starts_with("Error: ") && run.err.contains("hiera-eyaml backend error decrypting"),
            "{}",
            run.err
        );
        assert!(run.err.trim_end().ends_with("Error was env TEST_ONLY_PRIVATE_KEY is not set"), "{}", run.err);
    }
}

#[test]
fn a_missing_key_is_told_in_short_with_what_helps() {
    let folder = repository();
    let run = folder.run(&["fleet", "-q", "db01", "--os", "debian-12", "--no-cache"]);
    assert!(
        run.out.contains("decrypting ENC[PKCS7,") && run.out.contains("…] when looking up db::password"),
        "{}",
        run.out
    );
    assert!(run.out.contains("help: --eyaml-missing-key placeholder puts a placeholder"), "{}", run.out);
    let run = folder.run(&[&COMPILE[..], &["--log-format", "text"]].concat());
    let shown = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("…] when looking up") && shown.contains("help: --eyaml-missing-key placeholder"), "{shown}");
    assert!(shown.contains("[data/secrets.eyaml:1:"), "{shown}");
}

#[test]
fn a_placeholder_stands_for_what_cannot_be_read_and_its_keys_are_named() {
    let folder = repository();
    let warning = "Warning: A placeholder stands for encrypted data whose private key is not at hand: db::password\n";
    let is_placeholder = |text: &str| text.starts_with("(encrypted, and there is no key here: ") && text.ends_with(')');
    let compile = ["compile", "db01", "db02", "--os", "debian-12", "--log-level", "warning"];
    let run = folder.run(&[&compile[..], &["--eyaml-missing-key", "placeholder"]].concat());
    // The second node is gone through by what the first was told.
    assert_eq!((run.err.as_str(), run.code), (warning.repeat(2).as_str(), Some(0)));
    for line in run.out.lines() {
        let catalog: Value = serde_json::from_str(line).unwrap();
        let resources = catalog["resources"].as_array().unwrap();
        let message = resources.last().unwrap()["parameters"]["message"].as_str().unwrap();
        assert!(is_placeholder(message), "{message}");
    }
    let run = folder.run(&[&LOOKUP[..], &["--eyaml-missing-key", "placeholder"]].concat());
    let found = run.out.strip_prefix("--- \"").and_then(|out| out.strip_suffix("\"\n"));
    assert!(found.is_some_and(is_placeholder), "{}", run.out);
    assert_eq!(run.err, warning);
}

#[test]
fn a_trace_does_not_show_what_was_decrypted() {
    let folder = repository();
    folder.write(
        "modules/db/manifests/init.pp",
        "class db(String $password, Integer $port = 5) {
  $url = \"db://me:${password}@here\"
  notice($url)
  db::user { 'me': secret => $url }
  file { '/db': content => $password, mode => '0600' }
}",
    );
    folder.write("modules/db/manifests/user.pp", "define db::user($secret) { notify { $title: message => $secret } }");
    let keys = [("TEST_ONLY_PRIVATE_KEY", PRIVATE), ("TEST_ONLY_PUBLIC_KEY", PUBLIC)];
    let trace = ["trace", "db01", "db02", "--os", "debian-12", "--log-level", "err", "--body"];
    let of = |body: &'static str| with_keys(&folder, &[&trace[..], &[body]].concat(), &keys);
    let (class, define) = (of("db"), of("db::user"));
    assert!(!format!("{}{}", class.out, define.out).contains("hunter2"), "{}{}", class.out, define.out);
    for shown in [
        "take the parameters $password, $port (with what was decrypted)",
        "set $url (with what was decrypted)",
        "declare db::user (with what was decrypted)",
        "log (with what was decrypted)",
        "declare file (with what was decrypted)",
    ] {
        assert!(class.out.contains(shown), "{shown}: {}", class.out);
    }
    assert!(define.out.contains("declare notify (with what was decrypted)"), "{}", define.out);
    // All is as before for the second node: nothing was run from where a secret was told.
    let all = with_keys(&folder, &trace[..7], &keys);
    let line = all.out.lines().find(|line| line.ends_with("  db")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>()[1..5], ["1", "1", "0", "1"], "{}", all.out);
}

const KEYS: [(&str, &str); 2] = [("TEST_ONLY_PRIVATE_KEY", PRIVATE), ("TEST_ONLY_PUBLIC_KEY", PUBLIC)];

#[test]
fn an_explanation_does_not_show_what_was_decrypted() {
    let folder = repository();
    let word = SEALED.lines().next().unwrap();
    let data = format!("db::password: {word}\nurl: \"db://me:%{{lookup('db::password')}}@here\"\nlist:\n- {word}\n");
    folder.write("data/secrets.eyaml", &data);
    for (key, shown) in [
        ("db::password", "[decrypted by eyaml]"),
        ("url", "db://me:[decrypted by eyaml]@here"),
        ("list", "[decrypted by eyaml]"),
    ] {
        let lookup = |more: &[&str]| {
            let arguments = [&["lookup", key, "--node", "db01", "--os", "debian-12"], more].concat();
            let run = with_keys(&folder, &arguments, &KEYS);
            assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{key}");
            run.out
        };
        for format in ["s", "json", "yaml"] {
            let out = lookup(&["--explain", "--render-as", format]);
            assert!(!out.contains("hunter2") && out.contains(shown), "{key} as {format}: {out}");
        }
        // Who asks for the value has it.
        assert!(lookup(&[]).contains("hunter2"));
    }
}

#[test]
fn a_watch_does_not_show_what_was_decrypted() {
    let (word, lines) = (SEALED.lines().next().unwrap(), SEALED.lines().nth(1).unwrap());
    // Compiled at the start, and stored before.
    for is_stored in [false, true] {
        let folder = repository();
        folder.write("facts/db01.json", "{}");
        let class = "class db(String $password) {
  notify { 'db': message => $password }
  file { '/db': content => \"user: me\\npassword: ${password}\\nport: ${lookup('port')}\\n\" }
}";
        folder.write("modules/db/manifests/init.pp", class);
        let data = |word: &str, port: u16| format!("db::password: {word}\nport: {port}\n");
        folder.write("data/secrets.eyaml", data(word, 80));
        if is_stored {
            assert_eq!(with_keys(&folder, &["fleet", "--facts", "facts"], &KEYS).code, Some(0));
        }
        let mut command = folder.command(&["watch", "--facts", "facts", "--format", "json"]);
        command.envs(KEYS);
        let watcher = Watcher::of(command);
        assert_eq!(watcher.event()["stored"], usize::from(is_stored));
        // The password alone, and what is around it alone.
        replace(&folder, "data/secrets.eyaml", &data(lines, 80));
        let (event, secret) = (watcher.change(), json!({"secret": true, "changed": true}));
        let changes = event["changes"].as_array().unwrap();
        assert_eq!(changes.len(), 3, "{event}");
        for (change, name) in changes.iter().zip(["password", "message", "content"]) {
            assert_eq!(
                change["parameters"],
                json!([{"name": name, "secret": true, "from": secret, "to": secret}]),
                "{event}"
            );
        }
        replace(&folder, "data/secrets.eyaml", &data(lines, 81));
        let content = |port: u16| format!("user: me\npassword: [decrypted by eyaml]\nport: {port}\n");
        let parameters = json!([{"name": "content", "secret": false, "from": content(80), "to": content(81)}]);
        assert_eq!(watcher.change()["changes"][0]["parameters"], parameters);
        // What was one, and is none.
        replace(&folder, "modules/db/manifests/init.pp", &class.replace("message => $password", "message => 'none'"));
        let parameters = &watcher.change()["changes"][0]["parameters"];
        assert_eq!(*parameters, json!([{"name": "message", "secret": true, "from": secret, "to": secret}]));
    }
}

/// In no format, neither by values nor by titles, relationships or messages.
#[test]
fn a_diff_does_not_show_what_was_decrypted() {
    let (word, lines) = (SEALED.lines().next().unwrap(), SEALED.lines().nth(1).unwrap());
    let folder = repository();
    folder.write("facts/db01.json", "{}");
    folder.write("facts/db02.json", "{}");
    let class = "class db(String $password) {
  notify { 'db': message => $password }
  notify { \"titled ${password}\": require => Notify['db'] }
  file { '/db': content => \"user: me\\npassword: ${password}\\n\" }
  warning(\"logged ${password}\")
  if $trusted['certname'] == 'db02' { fail(\"no ${password}\") }
}";
    folder.write("modules/db/manifests/init.pp", class);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    let sealed = format!("db::password: {lines}\nport: 1\n");
    folder.write("data/secrets.eyaml", &sealed);
    for cache in ["--no-cache", "--cache-dir=cache", "--cache-dir=cache"] {
        for format in ["text", "json", "markdown", "html", "junit"] {
            let arguments = ["diff", "HEAD", "--facts", "facts", "--data", "--format", format, cache];
            let run = with_keys(&folder, &arguments, &KEYS);
            assert_eq!(run.code, Some(0), "{}", run.err);
            assert!(run.out.contains("/db"), "{format}: {}", run.out);
            for secret in ["hunter2", "a text", word, lines] {
                assert!(
                    !run.out.contains(secret) && !run.err.contains(secret),
                    "{format} {secret}: {}{}",
                    run.out,
                    run.err
                );
            }
        }
    }
}

/// Nobody can read either value, and yet it is told that it is another one.
#[test]
fn a_secret_that_is_sealed_anew_differs_where_there_is_no_key() {
    let folder = repository();
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    let diff = || {
        let words = [
            "diff",
            "HEAD",
            "--os",
            "debian-12",
            "--eyaml-missing-key",
            "placeholder",
            "--format",
            "json",
            "--no-cache",
        ];
        let run = folder.run(&words);
        let told: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        told["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(diff(), "same");
    let path = folder.path().join("data/secrets.eyaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find("ENC[PKCS7,").unwrap() + 20;
    let other = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
    std::fs::write(&path, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
    assert_eq!(diff(), "differs");
}
