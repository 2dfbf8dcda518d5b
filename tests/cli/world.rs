//! Settings, modules and nodes of a control repository, as a person asks for them.

use serde_json::{Value, json};

use crate::{Folder, Run};

const METADATA: &str =
    r#"{"name":"me-NAME","version":"1.2.3","source":"s","author":"a","license":"l","dependencies":[]}"#;

fn repository() -> Folder {
    let apache =
        METADATA.replace("NAME", "apache").replace("[]", r#"[{"name":"me/stdlib","version_requirement":">= 2.0.0"}]"#);
    Folder::with(&[
        ("environment.conf", "modulepath = site:modules:$basemodulepath\nmanifest = manifests/site.pp\n"),
        ("Puppetfile", "mod 'me/apache', '1.2.3'\nmod 'me/stdlib', '1.2.3'\nmod 'me/gone', '4.0.0'\n"),
        ("manifests/site.pp", ""),
        ("modules/apache/metadata.json", &apache),
        ("modules/stdlib/metadata.json", &METADATA.replace("NAME", "stdlib")),
        ("site/profile/manifests/init.pp", ""),
    ])
}

fn said(run: &Run) -> (&str, &str, Option<i32>) {
    (&run.out, &run.err, run.code)
}

fn as_json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

#[test]
fn settings_are_those_of_the_repository_around() {
    let folder = repository();
    let at = folder.real_path();
    let path = format!("{at}/site:{at}/modules:/etc/puppetlabs/code/modules:/opt/puppetlabs/puppet/modules\n");
    assert_eq!(said(&folder.run(&["settings", "modulepath"])), (path.as_str(), "", Some(0)));
    let run = folder.run(&["settings", "manifest", "strict", "--puppet", "7"]);
    assert_eq!(run.out, format!("manifest = {at}/manifests/site.pp\nstrict = warning\n"));
    let run =
        folder.run(&["settings", "--set", "codedir=/srv", "--modulepath", "a:/b", "modulepath", "environmentpath"]);
    assert_eq!(run.out, format!("modulepath = {at}/a:/b\nenvironmentpath = /srv/environments\n"));
    let all = folder.run(&["settings"]).out;
    assert_eq!(all.lines().count(), 237 + 16);
    assert!(all.contains("\nmaxwaitforcert = unlimited\n") && all.contains("\nbinder_config = \n"), "{all}");
    assert_eq!(as_json(&folder.run(&["settings", "--json", "noop"])), json!({ "noop": false }));
    let limits = folder.run(&["settings", "--set", "max_depth=7", "max_depth", "max_calls"]);
    assert_eq!(limits.out, "max_depth = 7\nmax_calls = 100000000\n");
    let run = folder.run(&["settings", "modulpath"]);
    assert_eq!(said(&run), ("", "Error: there is no setting 'modulpath'; did you mean modulepath?\n", Some(1)));
}

#[test]
fn a_setting_that_is_the_same_in_all_environments_needs_none() {
    let folder = Folder::with(&[]);
    let run = |names: &[&str]| folder.run(&[&["settings", "--set", "codedir=/srv"], names].concat());
    assert_eq!(said(&run(&["environmentpath"])), ("/srv/environments\n", "", Some(0)));
    assert_eq!(run(&["strict", "max_depth"]).out, "strict = error\nmax_depth = 10000\n");
    for names in [&["modulepath"][..], &["environmentpath", "manifest"], &["nothing"], &[]] {
        let run = run(names);
        assert_eq!((run.out.as_str(), run.code), ("", Some(1)), "{names:?}");
        assert!(run.err.starts_with("Error: there is no control repository around this folder"), "{}", run.err);
    }
}

#[test]
fn a_named_confdir_hides_no_repository() {
    let folder = Folder::with(&[
        ("repo/environment.conf", ""),
        ("repo/manifests/site.pp", "notify { 'here': }\n"),
        ("repo/facts/web1.json", "{}"),
        ("repo/data/x.yaml", ""),
        ("conf/puppet.conf", "[main]\nnoop = true\n"),
        ("elsewhere/puppet.conf", "[main]\nenvironmentpath = $confdir/environments\n"),
        ("elsewhere/environments/production/manifests/site.pp", "notify { 'there': }\n"),
    ]);
    let compiled = |confdir: &str| {
        let confdir = folder.path().join(confdir).display().to_string();
        let facts = folder.path().join("repo/facts").display().to_string();
        let arguments = ["compile", "web1", "--facts", &facts, "--confdir", &confdir, "--format", "tree"];
        let mut command = folder.command(&arguments);
        crate::finish(command.current_dir(folder.path().join("repo/data")).spawn().unwrap())
    };
    let here = compiled("conf");
    assert!(here.code == Some(0) && here.out.contains("Notify[here]"), "{}{}", here.out, here.err);
    let there = compiled("elsewhere");
    assert!(there.code == Some(0) && there.out.contains("Notify[there]"), "{}{}", there.out, there.err);
}

#[test]
fn trusted_facts_are_set_by_hand() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "include \"role::${trusted['extensions']['pp_role']}\"\n"),
        ("modules/role/manifests/web.pp", "class role::web { notify { $trusted['certname']: } }\n"),
        ("hiera.yaml", "version: 5\nhierarchy: [{name: role, path: '%{trusted.extensions.pp_role}.yaml'}]\n"),
        ("data/web.yaml", "port: 80\n"),
        ("facts/web1.json", "{}"),
    ]);
    let with = |arguments: &[&str], trusted: &str| {
        folder.run(&[arguments, &["--facts", "facts", "--trusted", trusted]].concat())
    };
    let compile = ["compile", "web1", "--format", "tree"];
    let run = with(&compile, "extensions.pp_role=web");
    assert!(run.out.contains("Class[Role::Web]") && run.out.contains("Notify[web1]"), "{}{}", run.out, run.err);
    // Another value is another answer, and none is kept from before.
    assert_eq!(with(&compile, "extensions.pp_role=db").code, Some(1));
    assert_eq!(folder.run(&["compile", "web1", "--facts", "facts"]).code, Some(1));
    assert_eq!(with(&["lookup", "port", "--node", "web1"], "extensions.pp_role=web").out, "--- 80\n");
    assert_eq!(with(&["eval", "-e", "notice($trusted['certname'])"], "certname=other").code, Some(0));
    let run = with(&compile, "pp_role=web");
    assert!(run.code == Some(2) && run.err.contains("did you mean extensions.pp_role?"), "{}", run.err);
}

#[test]
fn classes_are_compiled_on_all_sets_of_facts() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "fail('not for classes')\n"),
        ("modules/role/manifests/web.pp", "class role::web { include role::thing }\n"),
        ("modules/role/manifests/db.pp", "class role::db { if $facts['os']['family'] == 'RedHat' { fail('no') } }\n"),
        ("modules/role/manifests/thing.pp", "class role::thing { notify { $trusted['certname']: } }\n"),
        ("modules/role/manifests/d.pp", "define role::d { }\n"),
    ]);
    let fleet = |more: &[&str]| folder.run(&[&["fleet", "-q", "--format", "json"][..], more].concat());
    let run = fleet(&["--class", "role::*b", "--class", "role::thing", "--os", "debian-12", "--os", "redhat-9"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let nodes = report["nodes"].as_array().unwrap();
    let mut told: Vec<(&str, bool)> =
        nodes.iter().map(|node| (node["name"].as_str().unwrap(), node["ok"].as_bool().unwrap())).collect();
    told.sort_unstable();
    let expected = [
        ("db.role.debian-12", true),
        ("db.role.redhat-9", false),
        ("thing.role.debian-12", true),
        ("thing.role.redhat-9", true),
        ("web.role.debian-12", true),
        ("web.role.redhat-9", true),
    ];
    assert_eq!(told, expected, "{}", run.out);
    let run = fleet(&["--class", "role::webb", "--os", "debian-12"]);
    assert!(run.code == Some(2) && run.err.contains("did you mean role::web?"), "{}", run.err);
    let run = fleet(&["--class", "role::web"]);
    assert!(run.code == Some(2) && run.err.contains("--class wants facts"), "{}", run.err);
}

#[test]
fn settings_come_from_a_conf_where_one_is_named() {
    let folder = repository();
    folder.write("conf/puppet.conf", "[main]\nnoop = true\n[server]\nbasemodulepath = /base\n");
    folder.write("bad/puppet.conf", "[main]\nstrict = maybe\n");
    folder.write("worse/puppet.conf", "[main]\nwhat\n");
    let arguments = ["--environment-dir", ".", "--confdir", "conf"];
    let run = folder.run(&[&["settings", "noop", "basemodulepath"], &arguments[..]].concat());
    assert_eq!(said(&run), ("noop = true\nbasemodulepath = /base\n", "", Some(0)));
    let run = folder.run(&["settings", "--environment-dir", ".", "--confdir", "bad"]);
    let error = "Error: Could not initialize global default settings: Invalid value 'maybe' for parameter strict. \
                 Allowed values are 'off', 'warning', 'error'\n";
    assert_eq!(said(&run), ("", error, Some(1)));
    let run = folder.run(&["settings", "noop", "--environment-dir", ".", "--confdir", "worse"]);
    assert!(
        run.err.starts_with("Error: Could not parse ") && run.err.contains("Could not match line what\n"),
        "{}",
        run.err
    );
    assert_eq!((run.out.as_str(), run.code), ("false\n", Some(0)));
}

#[test]
fn environments_are_found_by_name_and_by_folder() {
    let folder =
        Folder::with(&[("envs/one/environment.conf", "manifest = x.pp\nfoo = 1\n"), ("envs/two/modules/a", "")]);
    let at = folder.real_path();
    let run = folder.run(&["settings", "manifest", "--environmentpath", "envs", "--environment", "one"]);
    let warning = format!(
        "Warning: Invalid settings in environment.conf at '{at}/envs/one/environment.conf'. The following unknown \
         setting(s) are being ignored: foo\n   (file & line not available)\n"
    );
    assert_eq!(said(&run), (format!("{at}/envs/one/x.pp\n").as_str(), warning.as_str(), Some(0)));
    let run = folder.run(&["settings", "manifest", "--environment-dir", "envs/one", "--environment", "any"]);
    assert_eq!(run.out, format!("{at}/envs/one/x.pp\n"));
    let run = folder.run(&["settings", "manifest", "--environmentpath", "envs", "--environment", "three"]);
    let error = format!("Error: there is no environment 'three' in {at}/envs; there are one, two\n");
    assert_eq!(said(&run), ("", error.as_str(), Some(2)));
    assert_eq!(folder.run(&["settings", "--environment-dir", "gone"]).code, Some(1));
    let run = folder.run(&["settings"]);
    assert!(run.err.starts_with("Error: there is no control repository around this folder"), "{}", run.err);
    assert_eq!(folder.run(&["settings", "--set", "nonsense=1"]).code, Some(2));
    assert_eq!(folder.run(&["settings", "--environment-dir", "envs/one", "--environment", "../x"]).code, Some(1));
}

#[test]
fn modules_are_listed_with_what_they_miss() {
    let folder = repository();
    let at = folder.real_path();
    let run = folder.run(&["modules", "--set", "basemodulepath=/nowhere"]);
    let expected = format!(
        "{at}/site\n└── profile\n{at}/modules\n├── me-apache (v1.2.3)\n└── me-stdlib (v1.2.3)\n/nowhere\n\
         └── (no modules)\napache needs me/stdlib >= 2.0.0: version 1.2.3 is there\n\
         Puppetfile:3: me/gone 4.0.0 is not there\n"
    );
    assert_eq!(said(&run), (expected.as_str(), "", Some(1)));
    let found = as_json(&folder.run(&["modules", "--json"]));
    assert_eq!(found["missing"], json!([{ "name": "me/gone", "version": "4.0.0", "line": 3 }]));
    assert_eq!(found["modules"][1]["full_name"], "me/apache");
}

#[test]
fn a_node_is_told_which_block_it_gets() {
    let folder = repository();
    let file = format!("{}/manifests/site.pp", folder.real_path());
    let block = |name: &str| as_json(&folder.run(&["node", name, "--os", "debian-12"]))["node_block"].clone();
    assert_eq!(block("web01"), Value::Null);
    folder.write("manifests/site.pp", "node 'web01', 'web02' { }\nnode /^db\\d+/,\n  'Mail' { }\nnode default { }\n");
    let of = |name: &str, line: u32| json!({ "name": name, "file": file, "line": line });
    assert_eq!([block("web01"), block("WEB02")], [of("web01", 1), of("web02", 1)]);
    assert_eq!([block("db7.example.org"), block("mail")], [of("/^db\\d+/", 2), of("mail", 2)]);
    assert_eq!([block("web01.example.org"), block("else")], [of("default", 4), of("default", 4)]);
    folder.write("manifests/site.pp", "node 'web01' { }\n");
    let run = folder.run(&["node", "web02", "--os", "debian-12"]);
    assert_eq!((as_json(&run)["node_block"].clone(), run.code), (Value::Null, Some(0)));
    let said = "Warning: Could not find node statement with name 'default' or 'web02'\n";
    assert!(run.err.contains(said), "{}", run.err);
    folder.write("manifests/site.pp", "node {\n");
    let run = folder.run(&["node", "web02", "--os", "debian-12"]);
    assert_eq!((as_json(&run)["environment"].clone(), run.code), (json!("production"), Some(0)));
    assert!(run.err.contains("Syntax error at '{'"), "{}", run.err);
}

#[test]
fn a_node_is_what_its_sources_say() {
    let folder = repository();
    folder.write("facts/web01.example.org.json", r#"{"role": "web", "none": null}"#);
    let node = as_json(&folder.run(&["node", "--facts", "facts", "--puppet", "7"]));
    let trusted = json!({
        "authenticated": "remote", "certname": "web01.example.org", "extensions": {}, "hostname": "web01",
        "domain": "example.org", "external": {},
    });
    assert_eq!(node["trusted"], trusted);
    let facts = json!({
        "role": "web", "none": "", "clientcert": "web01.example.org", "clientversion": "7.23.0", "clientnoop": false,
    });
    assert_eq!((&node["facts"], &node["environment"]), (&facts, &json!("production")));
    assert_eq!(node["server_facts"]["environment"], "production");
    let run = folder.run(&["node", "db01", "--facts", "facts"]);
    assert_eq!(said(&run), ("", "Error: no node matches 'db01'; there is 1 node\n", Some(2)));
    let node = as_json(&folder.run(&["node", "a", "--os", "rocky-9"]));
    assert_eq!((&node["facts"]["os"]["family"], &node["facts"]["osfamily"]), (&json!("RedHat"), &Value::Null));
    assert_eq!(folder.run(&["node", "a", "--os", "beos"]).code, Some(2));
    for name in ["../x", "a/b", "", "\u{e9}"] {
        let run = folder.run(&["node", name, "--os", "rocky-9"]);
        assert_eq!((run.code, run.err.contains("is no name of a node")), (Some(1), true), "{name}: {}", run.err);
    }
    folder.write("facts/db01.json", "{}");
    let run = folder.run(&["node", "--facts", "facts"]);
    assert_eq!(said(&run), ("", "Error: which node? There are db01, web01.example.org\n", Some(2)));
}

#[cfg(unix)]
#[test]
fn an_enc_classifies() {
    let folder = repository();
    folder.write(
        "enc",
        "echo \"{classes: {ntp: , web: {port: 80}}, parameters: {name: $1, role: db}, environment: two}\"",
    );
    folder.write("envs/two/environment.conf", "");
    folder.write("facts.json", r#"{"role": "web"}"#);
    folder.write("hangs", "exit 3");
    let enc = "/bin/sh enc";
    let arguments = ["node", "a", "--enc", enc, "--facts", "facts.json", "--environment-dir", "."];
    let run = folder.run(&[&arguments[..], &["--set", "environmentpath=envs"]].concat());
    let node = as_json(&run);
    assert_eq!(node["classes"], json!({ "ntp": null, "web": { "port": 80 } }));
    assert_eq!((&node["parameters"], &node["environment"]), (&json!({ "name": "a", "role": "db" }), &json!("two")));
    let warning =
        "Warning: The node parameter 'role' for node 'a' was already set to 'db'. It could not be set to 'web'\n";
    assert_eq!(run.err, warning);
    let run = folder.run(&arguments);
    assert!(run.err.starts_with("Error: Could not find a directory environment named 'two'"), "{}", run.err);
    let run = folder.run(&["node", "a", "--enc", "/bin/sh hangs"]);
    let error = "Error: Failed when searching for node a: Failed to find a via exec: Execution of '/bin/sh hangs a' returned 3: \n";
    assert_eq!((run.out.as_str(), run.err.lines().nth(1), run.code), ("", error.lines().next(), Some(1)));
    assert_eq!(folder.run(&["node", "a", "--refresh-enc", "--enc", enc]).code, Some(2));
}

#[test]
fn a_file_says_all_of_a_node() {
    let folder = repository();
    folder.write(
        "node.json",
        r#"{"name": "a.b", "facts": {"x": 1}, "classes": ["one"], "trusted": {"extensions": {"pp_role": "web"}}}"#,
    );
    let node = as_json(&folder.run(&["node", "--node-file", "node.json"]));
    assert_eq!((&node["name"], &node["classes"]), (&json!("a.b"), &json!(["one"])));
    assert_eq!(node["trusted"]["extensions"], json!({ "pp_role": "web" }));
    folder.write("node.json", r#"{"name": "a.b", "fact": {}}"#);
    let run = folder.run(&["node", "--node-file", "node.json"]);
    assert!(run.err.ends_with("node.json: a node has no 'fact'; did you mean facts?\n"), "{}", run.err);
    assert_eq!(folder.run(&["node", "b", "--node-file", "node.json"]).code, Some(2));
}
