//! `--explain-cache`: why a node was compiled anew, and whom an edit to a class reaches.

use std::fs;

use serde_json::{Value, json};

use crate::Folder;
use crate::cache::{fleet, repository};

/// Of each node that was compiled anew, why.
fn explained(folder: &Folder, more: &[&str]) -> Vec<String> {
    let report = fleet(folder, &[more, &["--explain-cache"]].concat());
    let nodes = report["nodes"].as_array().unwrap().iter().filter(|node| node["anew"] != json!([]));
    let all = nodes.flat_map(|node| {
        let reasons = node["changed"].as_array().unwrap().iter();
        let texts = node["anew"].as_array().unwrap().iter();
        reasons.zip(texts).map(|(reason, text)| {
            assert_eq!(reason["text"], *text);
            let [name, kind, text] = [&node["name"], &reason["kind"], text].map(|value| value.as_str().unwrap());
            format!("{name}: {kind} {text}")
        })
    });
    all.collect()
}

/// What is told of the only reason of a node.
fn reason(folder: &Folder, node: &str) -> Value {
    let report = fleet(folder, &["--explain-cache"]);
    let nodes = report["nodes"].as_array().unwrap();
    let of_node = nodes.iter().find(|known| known["name"] == json!(node)).unwrap();
    assert_eq!(of_node["changed"].as_array().unwrap().len(), 1, "{of_node}");
    of_node["changed"][0].clone()
}

#[test]
fn each_read_that_is_answered_otherwise_is_named() {
    let folder = repository();
    let first = explained(&folder, &[]);
    assert_eq!((first.len(), first[0].as_str()), (4, "db1: no_answer it has no answer in the cache"));
    assert_eq!(explained(&folder, &[]), Vec::<String>::new());
    let real = folder.real_path();
    folder.write("data/web1.yaml", "port: '81'\n");
    let text = format!("whether {real}/data/web1.yaml is there");
    let expected = json!({"kind": "existence", "text": text, "subject": format!("{real}/data/web1.yaml"), "old": "no", "new": "yes"});
    assert_eq!(reason(&folder, "web1"), expected);
    folder.write("facts/db1.json", r#"{"role": "db", "ip": "10.0.0.5"}"#);
    let text = "facts.ip of the node";
    let expected =
        json!({"kind": "fact", "text": text, "subject": "facts.ip", "old": "\"10.0.0.1\"", "new": "\"10.0.0.5\""});
    assert_eq!(reason(&folder, "db1"), expected);
    folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'another': } }\n");
    let told = reason(&folder, "db1");
    assert_eq!(told["kind"], json!("content"));
    let (old, new) = (told["old"].as_str().unwrap(), told["new"].as_str().unwrap());
    assert!(old.starts_with('#') && old.len() == 9 && new.len() == 9 && old != new, "{told}");
    folder.write("environment.conf", "modulepath = modules:site\n");
    assert_eq!(explained(&folder, &[])[3], "web2: environment what is said of the environment production");
}

#[test]
fn nothing_is_told_of_what_a_secret_went_into() {
    let folder = repository();
    fleet(&folder, &[]);
    let common = fs::read_to_string(folder.path().join("data/common.yaml")).unwrap();
    folder.write("data/common.yaml", common.replace("chips", "mushy-peas"));
    let told = reason(&folder, "web1");
    assert_eq!((&told["kind"], &told["old"], &told["new"]), (&json!("content"), &json!(null), &json!(null)));
}

#[test]
fn what_is_told_beside_the_disk_is_told_apart() {
    let folder = repository();
    let exchanged = ["--exported", "fleet"];
    fleet(&folder, &exchanged);
    folder.write("facts/db1.json", r#"{"role": "db", "ip": "10.0.0.5"}"#);
    let told = explained(&folder, &exchanged);
    assert!(told.contains(&"db2: exports what the nodes export of the type Host".to_owned()), "{told:?}");
    folder.write("enc", "#!/bin/sh\necho 'classes: [role_db]'\n");
    let enc = ["--enc", "/bin/sh enc"];
    fleet(&folder, &enc);
    folder.write("enc", "#!/bin/sh\necho 'classes: [role_web]'\n");
    assert_eq!(explained(&folder, &enc)[0], "db1: enc what the ENC says of it");
}

#[test]
fn what_cannot_be_kept_or_read_says_so() {
    let folder = repository();
    folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { \"${Timestamp()}\": } }\n");
    fleet(&folder, &[]);
    let told = explained(&folder, &[]);
    let volatile = "db1: volatile it is not kept: it depends on the time, on chance, on what a command printed, or on a function that --ruby ran";
    assert_eq!(
        (told.len(), told[0].as_str(), told[1].as_str()),
        (4, "db1: no_answer it has no answer in the cache", volatile)
    );
    let mut other = folder.command(&["fleet", "--facts", "facts", "-q", "--explain-cache", "web1"]);
    let run = crate::finish(other.env("PANTIN_CACHE_KEY", "another key altogether, long enough too").spawn().unwrap());
    // What another key has signed is not there.
    assert!(run.out.contains("it has no answer in the cache\n    1 node: web1"), "{}", run.out);
    let told = explained(&folder, &["--code-id", "x"]);
    assert!(told[0].starts_with("db1: no_cache "), "{told:?}");
}

#[test]
fn another_build_is_told_from_no_answer() {
    let folder = repository();
    fleet(&folder, &[]);
    let cache = folder.cache.path().join("cache");
    let is_version = |name: &str| name.starts_with('v');
    let names = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let version = names.into_iter().find(|name| is_version(name)).unwrap();
    let other = format!("{}-0123456789abcdef", version.split_once('-').unwrap().0);
    fs::rename(cache.join(&version), cache.join(other)).unwrap();
    let told = reason(&folder, "db1");
    assert_eq!(told["kind"], json!("other_build"));
}

#[test]
fn a_node_and_a_class_can_be_asked_about() {
    let folder = repository();
    fleet(&folder, &[]);
    let ask = |name: &str| folder.run(&["fleet", "--facts", "facts", "-q", "--explain-cache", name]);
    let run = ask("web1");
    assert!(
        run.out.contains("\nweb1: answered from the cache: it depends on ")
            && run.out.contains(" of files and folders, and none"),
        "{}",
        run.out
    );
    let run = ask("::Role_web");
    let said = "role_web, in modules/role_web/manifests/init.pp\n  an edit to it recompiles 2 of 4 nodes\n  answered \
                from the cache, 2 nodes: web1, web2\n";
    assert!(run.out.contains(said), "{}", run.out);
    let class = "modules/role_db/manifests/init.pp";
    folder.write(class, fs::read_to_string(folder.path().join(class)).unwrap() + "# more\n");
    folder.write("data/web2.yaml", "port: '81'\n");
    let report = fleet(&folder, &["--explain-cache", "role_db"]);
    let real = folder.real_path();
    let expected =
        json!({"class": "role_db", "files": [format!("{real}/{class}")], "kept": [], "compiled": ["db1", "db2"]});
    assert_eq!(report["explained"], expected);
    let report = fleet(&folder, &["--explain-cache", "web2"]);
    assert_eq!((&report["explained"]["node"], &report["explained"]["kept"]), (&json!("web2"), &json!(true)));
    assert!(report["explained"]["depends_on"].as_u64().unwrap() > 5, "{report}");
    let run = ask("role_none");
    assert!(run.out.contains("There is no node, class or defined type 'role_none'\n"), "{}", run.out);
    assert_eq!((run.code, ask("web 7").code), (Some(1), Some(2)));
}

#[test]
fn an_edited_comment_is_no_reason_beside_another() {
    let folder = repository();
    fleet(&folder, &[]);
    folder.write("data/web1.yaml", "port: '81'\n");
    let class = fs::read_to_string(folder.path().join("modules/role_web/manifests/init.pp")).unwrap();
    folder.write("modules/role_web/manifests/init.pp", format!("# a comment\n{class}"));
    let out = folder.run(&["fleet", "--facts", "facts", "-q", "--explain-cache", "web1"]).out;
    assert!(out.contains("whether data/web1.yaml is there: no → yes") && !out.contains("the content of"), "{out}");
}

#[test]
fn compile_explains_its_nodes() {
    let folder = repository();
    let compile = || folder.run(&["compile", "web1", "--facts", "facts", "--explain-cache"]).err;
    assert!(compile().contains("Notice: web1 is compiled anew: it has no answer in the cache\n"));
    assert!(!compile().contains("anew"));
    folder.write("data/web1.yaml", "port: '81'\n");
    let told = compile();
    assert!(told.contains("web1 is compiled anew: whether data/web1.yaml is there: no → yes\n"), "{told}");
}
