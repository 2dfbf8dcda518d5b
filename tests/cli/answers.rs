//! What the network and commands would answer: from a file, and never by asking.

use serde_json::{Value, json};

use crate::Folder;

const SITE: &str = "$nodes = puppetdb_query('nodes {}').map |$node| { $node['certname'] }\n\
                    $secret = vault_lookup::lookup('secret/x', { 'field' => 'a' })\n\
                    notify { 'x': message => \"${nodes} ${secret}\" }\n";

fn compile(folder: &Folder, more: &[&str]) -> crate::Run {
    let arguments = ["compile", "a", "b", "--manifest", "site.pp", "--log-level", "err"];
    folder.run(&[&arguments[..], more].concat())
}

fn messages(out: &str) -> Vec<Value> {
    let of = |line: &str| {
        let catalog: Value = serde_json::from_str(line).unwrap();
        catalog["resources"].as_array().unwrap().last().unwrap()["parameters"]["message"].clone()
    };
    out.lines().map(of).collect()
}

#[test]
fn functions_that_ask_elsewhere_are_answered_from_a_file() {
    let folder = Folder::with(&[("site.pp", SITE)]);
    let asked = compile(&folder, &[]);
    let error = "puppetdb_query('nodes {}') asks PuppetDB, which is not asked here: --answers FILE says what it would \
                 answer; the item for it: {\"function\": \"puppetdb_query\", \"arguments\": [\"nodes {}\"], \"answer\": \
                 …} (file: ";
    assert!(asked.err.contains(error), "{}", asked.err);
    let mut answers = json!([
        { "function": "puppetdb_query", "arguments": ["nodes {}"], "answer": [{ "certname": "n1" }, { "certname": "n2" }] },
        { "function": "vault_lookup::lookup", "arguments": ["secret/x", { "field": "a" }], "answer": "hidden" },
    ]);
    folder.write("answers.json", answers.to_string());
    let run = compile(&folder, &["--answers", "answers.json"]);
    assert_eq!((messages(&run.out), run.code), (vec![json!("[n1, n2] hidden"); 2], Some(0)), "{}", run.err);
    answers[1]["arguments"] = json!(["secret/y"]);
    folder.write("answers.json", answers.to_string());
    let run = compile(&folder, &["--answers", "answers.json"]);
    let error = "There is no recorded answer to vault_lookup::lookup('secret/x', {'field' => 'a'}); the item for it: {\"function\": \"vault_lookup::lookup\", ";
    assert!(run.err.contains(error) && run.code == Some(1), "{}", run.err);
    let gone = compile(&folder, &["--answers", "gone.json"]).err;
    assert!(gone.contains("cannot take answers from ") && gone.ends_with("gone.json: no such file or directory\n"));
}

#[cfg(unix)]
#[test]
fn commands_are_run_and_kept_where_a_person_allows_it() {
    let folder = Folder::with(&[("site.pp", "notify { 'x': message => generate('/bin/echo', 'hello', 'there') }")]);
    let refused = compile(&folder, &[]).err;
    assert!(refused.contains("generate() would run '/bin/echo hello there': commands are not run here"), "{refused}");
    let run = compile(&folder, &["--answers", "answers.json", "--record"]);
    assert_eq!((messages(&run.out), run.code), (vec![json!("hello there\n"); 2], Some(0)), "{}", run.err);
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("answers.json")).unwrap()).unwrap();
    let arguments = ["/bin/echo", "hello", "there"];
    assert_eq!(kept, json!([{ "function": "generate", "arguments": arguments, "answer": "hello there\n" }]));
    assert_eq!(messages(&compile(&folder, &["--answers", "answers.json"]).out), vec![json!("hello there\n"); 2]);
    folder.write("site.pp", "notify { 'x': message => generate('/nowhere/at/all') }");
    let failed = compile(&folder, &["--answers", "answers.json", "--record"]).err;
    assert!(failed.contains("Failed to execute generator /nowhere/at/all: "), "{failed}");
}

#[cfg(unix)]
#[test]
fn look_ups_and_traces_take_answers_and_keep_them() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "notify { 'x': message => puppetdb_query('nodes {}')[0] }"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: code\n    data_hash: environment::data\n"),
        (
            "functions/environment/data.pp",
            "function environment::data($options, $context) {\n  { 'k' => generate('/bin/echo', 'hello') }\n}\n",
        ),
    ]);
    let lookup = ["lookup", "k", "--node", "x", "--render-as", "s"];
    let refused = folder.run(&lookup);
    assert_eq!((refused.out.as_str(), refused.code), ("", Some(1)), "{}", refused.err);
    let run = folder.run(&[&lookup[..], &["--answers", "answers.json", "--record"]].concat());
    assert_eq!((run.out.trim_end(), run.code), ("hello", Some(0)), "{}", run.err);
    let again = folder.run(&[&lookup[..], &["--answers", "answers.json"]].concat());
    assert_eq!((again.out.trim_end(), again.code), ("hello", Some(0)), "{}", again.err);
    folder.write(
        "answers.json",
        json!([{ "function": "puppetdb_query", "arguments": ["nodes {}"], "answer": ["n1"] }]).to_string(),
    );
    let run = folder.run(&["trace", "x", "--answers", "answers.json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}

/// A back end whose code is nowhere: its answers are in the file.
const BACK_END: &str =
    "version: 5\nhierarchy:\n- name: vault\n  lookup_key: hiera_vault\n  options: {mounts: [secret]}\n";

#[test]
fn a_back_end_of_hiera_is_answered_from_a_file() {
    let folder = Folder::with(&[("environment.conf", ""), ("manifests/site.pp", ""), ("hiera.yaml", BACK_END)]);
    let lookup = |key: &str, more: &[&str]| {
        folder.run(&[&["lookup", key, "--node", "x", "--render-as", "s", "--answers", "answers.json"], more].concat())
    };
    let options = json!({ "mounts": ["secret"] });
    let found = json!({ "function": "hiera_vault", "arguments": ["shop::password", options], "answer": "hidden" });
    let none = json!({ "function": "hiera_vault", "arguments": ["shop::note", options], "not_found": true });
    let no_options = json!({ "function": "hiera_vault", "arguments": ["lookup_options", options], "not_found": true });
    folder.write("answers.json", json!([found, none, no_options]).to_string());
    let run = lookup("shop::password", &[]);
    assert_eq!((run.out.trim_end(), run.code), ("hidden", Some(0)), "{}", run.err);
    let run = lookup("shop::note", &["--default", "none"]);
    assert_eq!((run.out.trim_end(), run.code), ("none", Some(0)), "{}", run.err);
    // A call that has no answer names the item that it needs; --record writes it down.
    let run = lookup("shop::new", &[]);
    let item = "the item for it: {\"function\": \"hiera_vault\", \"arguments\": [\"shop::new\", \
                {\"mounts\":[\"secret\"]}], \"answer\": …}";
    assert!(run.code == Some(1) && run.err.contains(item), "{}", run.err);
    let run = lookup("shop::new", &["--record"]);
    assert!(run.code == Some(1) && run.err.contains("its answer is to be filled in there"), "{}", run.err);
    let mut items: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("answers.json")).unwrap()).unwrap();
    let open = json!({ "function": "hiera_vault", "arguments": ["shop::new", options] });
    assert_eq!(items[3], open, "{items}");
    assert_eq!(lookup("shop::new", &[]).code, Some(1));
    items[3]["answer"] = json!("filled in");
    folder.write("answers.json", items.to_string());
    let run = lookup("shop::new", &[]);
    assert_eq!((run.out.trim_end(), run.code), ("filled in", Some(0)), "{}", run.err);
}
