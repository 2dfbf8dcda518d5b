//! `pantin query`: which resources a selector chooses, how they are shown, and that no secret is.

use serde_json::{Value, json};

use crate::{Folder, Run};

/// Three nodes, of which two have the same web server.
fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        (
            "manifests/site.pp",
            "node /^web/ {\n  include web\n}\nnode default {\n  package { 'postgresql': ensure => '15.4' }\n}\n",
        ),
        (
            "site/web/manifests/init.pp",
            "class web {\n  $password = Sensitive('swordfish')\n  package { 'nginx': ensure => $facts['version'] }\n  file { '/etc/nginx/nginx.conf':\n    \
             content => \"one\\ntwo, \\\"three\\\"\\n\",\n    mode    => '0644',\n    tag     => ['config'],\n  }\n  file { '/etc/key': content \
             => $password, mode => '0600' }\n  web::site { 'shop': options => { 'ports' => [80, 443], 'tls' => { 'on' => true, \
             'key' => $password } } }\n  contain web::extra\n}\n",
        ),
        (
            "site/web/manifests/site.pp",
            "define web::site (Hash $options) {\n  file { \"/srv/${title}\": ensure => directory }\n}\n",
        ),
        (
            "site/web/manifests/extra.pp",
            "class web::extra {\n  service { 'nginx': ensure => running, subscribe => Package['nginx'] }\n}\n",
        ),
        ("facts/web1.json", r#"{"version": "1.18"}"#),
        ("facts/web2.json", r#"{"version": "1.18"}"#),
        ("facts/db.json", r#"{"version": "1.9"}"#),
    ])
}

fn query(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["query", "--facts", "facts", "--quiet"], arguments].concat())
}

/// The resources that are found, as `NODE RESOURCE`.
fn found(folder: &Folder, selector: &str) -> Vec<String> {
    let run = query(folder, &[selector, "--each", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let name = |one: &Value| format!("{} {}[{}]", text(&one["node"]), text(&one["type"]), text(&one["title"]));
    report["resources"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn what_is_alike_is_told_once_with_its_nodes() {
    let folder = repository();
    let run = query(&folder, &["Package { ensure != absent }"]);
    let expected = "\
resource             ensure  nodes
Package[nginx]       1.18    web1, web2
Package[postgresql]  15.4    db

2 resources found; 3 nodes looked at, 3 of them have any
";
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (expected, "", Some(0)));
    folder.write("facts/web2.json", r#"{"version": "1.20"}"#);
    let run = query(&folder, &["Package[nginx]", "--show", "ensure"]);
    assert!(run.out.contains("Package[nginx]  1.18    web1\nPackage[nginx]  1.20    web2\n"), "{}", run.out);
    let run = query(&folder, &["Package[nginx]", "--show", "ensure", "--group"]);
    assert!(run.out.contains("2      Package[nginx]  1.18 (1), 1.20 (1)\n"), "{}", run.out);
    let run = query(&folder, &["Package[nginx]", "--each"]);
    assert!(run.out.starts_with("node  resource\nweb1  Package[nginx]\nweb2  Package[nginx]\n"), "{}", run.out);
}

#[test]
fn a_selector_chooses_by_everything_around_a_resource() {
    let folder = repository();
    let rows: [(&str, &[&str]); 23] = [
        ("Service", &["web1 Service[nginx]", "web2 Service[nginx]"]),
        ("service[ngin?] { node = web1 }", &["web1 Service[nginx]"]),
        ("file[/srv/*, '/etc/key'] { certname != web2 }", &["web1 File[/etc/key]", "web1 File[/srv/shop]"]),
        ("{ tag = config and node = *1 }", &["web1 File[/etc/nginx/nginx.conf]"]),
        ("Service { class = Web::Extra and node = web1 }", &["web1 Service[nginx]"]),
        // A class around the class.
        ("Service { class = web and node = web1 }", &["web1 Service[nginx]"]),
        ("Package { class = web::extra }", &[]),
        // A defined type around it is in a class.
        ("File { class = web and title ~ ^/srv and node = web1 }", &["web1 File[/srv/shop]"]),
        ("{ file = manifests/extra.pp and line > 1 and node = web1 }", &["web1 Service[nginx]"]),
        ("class[web::*] { node = web1 }", &["web1 Class[Web::Extra]"]),
        ("Service { line = 1 }", &[]),
        ("Service { environment = production and node = web1 }", &["web1 Service[nginx]"]),
        ("Service { environment = other }", &[]),
        ("Service { exported }", &[]),
        ("Service { exported = false and node = web1 }", &["web1 Service[nginx]"]),
        ("Package { ensure > 1.9 and ensure < 2 and node = web1 }", &["web1 Package[nginx]"]),
        ("Web::Site { options.ports = 443 and options.ports.0 < 443 and node = web1 }", &["web1 Web::Site[shop]"]),
        ("Web::Site { options.tls.on = true and node = web1 }", &["web1 Web::Site[shop]"]),
        ("Service { subscribe = Package[nginx] and node = web1 }", &["web1 Service[nginx]"]),
        ("File { not (mode = 0644 or mode) and node = web1 }", &["web1 File[/srv/shop]"]),
        ("File { ensure !~ dir and node = web1 }", &["web1 File[/etc/key]", "web1 File[/etc/nginx/nginx.conf]"]),
        ("File { content ~ 'two, \"three\"' and node = web1 }", &["web1 File[/etc/nginx/nginx.conf]"]),
        (
            "resources[certname] { type = 'Package' and title ~ 'postgre.*' and parameters.ensure != 'absent' }",
            &["db Package[postgresql]"],
        ),
    ];
    for (selector, expected) in rows {
        assert_eq!(found(&folder, selector), expected, "{selector}");
    }
    let several = query(&folder, &["Package[nginx]", "Service", "--nodes", "web1", "--each"]);
    assert!(several.out.contains("web1  Package[nginx]\nweb1  Service[nginx]\n"), "{}", several.out);
}

#[test]
fn json_and_csv_are_whole() {
    let folder = repository();
    let run = query(&folder, &["File[/etc/nginx/nginx.conf]", "--show", "content,tag", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["nodes"], json!({"looked_at": 3, "with_any": 2, "failed": []}));
    let resource = &report["resources"][0];
    assert_eq!((&resource["nodes"], &resource["line"]), (&json!(["web1", "web2"]), &json!(4)));
    assert_eq!(resource["values"]["content"], "one\ntwo, \"three\"\n");
    assert!(resource["values"]["tag"].as_array().unwrap().contains(&json!("config")));
    let run =
        query(&folder, &["File[/etc/nginx/nginx.conf]", "Package", "--show", "content,ensure", "--format", "csv"]);
    let expected = "\
node,type,title,content,ensure
web1,File,/etc/nginx/nginx.conf,\"one
two, \"\"three\"\"
\",
web2,File,/etc/nginx/nginx.conf,\"one
two, \"\"three\"\"
\",
web1,Package,nginx,,1.18
web2,Package,nginx,,1.18
db,Package,postgresql,,15.4
";
    assert_eq!(run.out, expected);
    let counted = query(&folder, &["Package", "--show", "*", "--group", "--format", "json"]);
    let report: Value = serde_json::from_str(&counted.out).unwrap();
    assert_eq!(report["resources"][0]["values"]["ensure"], json!([{"value": "1.18", "nodes": 2}]));
}

#[test]
fn a_secret_is_neither_shown_nor_compared() {
    let folder = repository();
    for format in ["text", "json", "csv"] {
        for rows in [&["--each"][..], &["--group"], &[]] {
            let run = query(&folder, &[&["--show", "*", "--format", format], rows].concat());
            assert!(!run.out.contains("swordfish") && !run.err.contains("swordfish"), "{format} {rows:?}: {}", run.out);
            assert!(run.out.contains("secret") || run.out.contains("[value redacted]"), "{format}: {}", run.out);
        }
    }
    // The right guess and the wrong one are told apart by nothing.
    let compared = ["= swordfish", "= guess", "!= swordfish", "!= guess", "~ ^sword", "~ ^guess", "< t", "> t"];
    for comparison in compared {
        for selector in [
            format!("File[/etc/key] {{ content {comparison} }}"),
            format!("File[/etc/key] {{ not content {comparison} }}"),
            format!("Web::Site {{ options.tls.key {comparison} }}"),
        ] {
            let run = query(&folder, &[&selector]);
            let said = "Warning: 2 resources are left out, because the selector compares a secret\n";
            assert_eq!((run.out.as_str(), run.err.as_str()), ("No resource of 3 nodes fits\n", said), "{selector}");
        }
    }
    // That there is one is no secret.
    assert_eq!(found(&folder, "File[/etc/key] { content and node = web1 }"), ["web1 File[/etc/key]"]);
    assert_eq!(found(&folder, "File { (content = x or mode = 0600) and node = web1 }"), ["web1 File[/etc/key]"]);
}

#[test]
fn a_wrong_selector_is_shown_with_its_place() {
    let folder = repository();
    let run = query(&folder, &["Package[nginx] { ensure != absent adn title ~ x }"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
    for part in ["Expected `and`, `or` or `}`, found `adn`", "selector:1:35", "did you mean and?", "───"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    let run = query(&folder, &["Package", "--show", "a b"]);
    assert!(run.code == Some(2) && run.err.contains("a comma divides names"), "{}", run.err);
}

#[test]
fn what_was_probably_meant_is_said() {
    let folder = repository();
    let rows = [
        ("Pakage[nginx]", "No resource that was looked at has the type Pakage", "did you mean Package?"),
        ("Package[ngnix]", "No Package that was looked at has the title ngnix", "did you mean nginx?"),
        ("Package { ensrue != absent }", "has the parameter ensrue", "did you mean ensure?"),
        ("Package { enviroment = production }", "has the parameter enviroment", "did you mean environment?"),
    ];
    for (selector, message, help) in rows {
        let run = query(&folder, &[selector]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.err.contains(message) && run.err.contains(help), "{selector}: {}", run.err);
    }
    // A parameter that no one sets may be right.
    let run = query(&folder, &["Package { provider != gem }"]);
    assert_eq!(run.err, "");
}

#[test]
fn a_node_without_a_catalog_is_said() {
    let folder = repository();
    folder.write("facts/db.json", "{}");
    folder.write("manifests/site.pp", "node 'db' { fail('broken') }\nnode default { package { 'nginx': } }\n");
    let run = query(&folder, &["Package"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.contains("Package[nginx]  web1, web2"), "{}", run.out);
    assert!(run.err.contains("Error: 1 node has no catalog: db: ") && run.err.contains("broken"), "{}", run.err);
    // A selector that means no resource of it needs no catalog of it.
    let run = query(&folder, &["{ node = web* }"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("2 nodes looked at"), "{}", run.out);
}

#[test]
fn stored_answers_say_the_same() {
    let folder = repository();
    // What secrets went into is stored with a key.
    let with_key = |arguments: &[&str]| {
        let mut command = folder.command(&[arguments, &["--facts", "facts", "--quiet", "--format", "json"]].concat());
        crate::finish(command.env("PANTIN_CACHE_KEY", "a key of thirty-two letters or more").spawn().unwrap()).out
    };
    let query = ["query", "{ class = web }", "--show", "mode,ensure,options,content,tag,line"];
    let first = with_key(&query);
    let fleet: Value = serde_json::from_str(&with_key(&["fleet"])).unwrap();
    assert_eq!(fleet["summary"]["kept"], 3, "{fleet}");
    let (second, anew) = (with_key(&query), with_key(&[&query[..], &["--no-cache"]].concat()));
    assert!(first == second && first == anew && first.contains("Service"), "{first}\n{second}\n{anew}");
    // Lines that have moved are those of today.
    let old = std::fs::read_to_string(folder.path().join("site/web/manifests/extra.pp")).unwrap();
    folder.write("site/web/manifests/extra.pp", format!("# a comment\n{old}"));
    let moved = with_key(&["query", "Service { line = 3 and node = web1 }"]);
    assert!(moved.contains("Service"), "{moved}");
}

const SEALED: &str = include_str!("../data/eyaml/values.txt");
const KEYS: [(&str, &str); 2] = [
    ("TEST_ONLY_PRIVATE_KEY", include_str!("../data/eyaml/test-only-private-key.pem")),
    ("TEST_ONLY_PUBLIC_KEY", include_str!("../data/eyaml/test-only-public-key.pem")),
];

/// A node whose catalog has what eyaml decrypted, `hunter2`, as a value, in a value, in a title, and in a relationship.
pub(crate) fn encrypted() -> Folder {
    let word = SEALED.lines().next().unwrap();
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "include db"),
        (
            "modules/db/manifests/init.pp",
            "class db (String $password) {\n  notify { 'db': message => $password, withpath => true }\n  notify { 'long': message => \"is \
             ${password}!\", require => Notify[$password] }\n  notify { $password: loglevel => debug }\n}\n",
        ),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: s\n    lookup_key: eyaml_lookup_key\n    path: s.eyaml\n    options:\n      \
             pkcs7_private_key_env_var: TEST_ONLY_PRIVATE_KEY\n      pkcs7_public_key_env_var: TEST_ONLY_PUBLIC_KEY\n",
        ),
        ("data/s.eyaml", &format!("db::password: {word}\n")),
        ("facts/db.json", "{}"),
    ])
}

pub(crate) fn run_with_keys(folder: &Folder, arguments: &[&str]) -> Run {
    crate::finish(folder.command(arguments).args(["--facts", "facts"]).envs(KEYS).spawn().unwrap())
}

#[test]
fn what_eyaml_decrypted_is_neither_shown_nor_compared() {
    let folder = encrypted();
    for format in ["text", "json", "csv"] {
        let run = run_with_keys(&folder, &["query", "--show", "*,tag", "--each", "--format", format]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.out.contains("decrypted by eyaml") && !run.out.contains("hunter2"), "{format}: {}", run.out);
    }
    let found = |selector: &str| run_with_keys(&folder, &["query", selector]).out;
    for guess in ["hunter2", "another"] {
        for selector in [
            format!("Notify[{guess}]"),
            format!("Notify {{ title ~ {guess} }}"),
            format!("Notify {{ tag = {guess} }}"),
            format!("Notify[db] {{ message = {guess} }}"),
            format!("Notify[db] {{ message != {guess} }}"),
            format!("Notify {{ message ~ {guess} }}"),
            format!("Notify {{ require = Notify[{guess}] }}"),
        ] {
            assert_eq!(found(&selector), "No resource of 1 node fits\n", "{selector}");
        }
    }
    // What stands around it is no secret.
    assert!(found("Notify { message ~ '^is .*!$' }").contains("Notify[long]"));
}

#[test]
fn nodes_without_a_catalog_are_told_with_their_own_reasons() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "node 'a' { fail('one') }\nnode 'b' { fail('other') }\nnode default { fail('one') }\n"),
        ("facts/a.json", "{}"),
        ("facts/b.json", "{}"),
        ("facts/c.json", "{}"),
    ]);
    let run = folder.run(&["query", "Notify", "--facts", "facts", "--no-cache", "--quiet"]);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.contains("no catalog")).collect();
    assert_eq!((lines.len(), run.code), (3, Some(1)), "{}", run.err);
    assert!(
        lines.iter().any(|line| line.contains("1 node has no catalog: b: ") && line.contains("other")),
        "{lines:?}"
    );
}
