//! Encrypted data whose keys are variables of the process, as in a pipeline that keeps its secrets there.

use serde_json::Value;

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
