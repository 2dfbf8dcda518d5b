//! Bindings where a case alone does not show it: options of `pantin bindings check`, and what an answer depends on.

use serde_json::json;

use crate::Folder;
use crate::watch::Watcher;

#[test]
fn warnings_count_where_that_is_wanted() {
    let folder = Folder::with(&[
        ("manifests/site.pp", "site { categories { } }\n"),
        ("environment.conf", ""),
        ("bindings/default.pp", "bindings default {\n  bind to 1 in 'nobody'\n}\n"),
    ]);
    assert_eq!(folder.run(&["bindings", "check"]).code, Some(0));
    let strict = folder.run(&["bindings", "check", "--strict"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.out.contains("No multibind has the id 'nobody'"), "{}", strict.out);
}

#[test]
fn a_check_looks_at_the_environments_that_environments_pp_defines() {
    let bad = "bindings default {\n  bind override 'k' to 1\n}\n";
    let folder = Folder::with(&[
        (
            "settings/environments.pp",
            "site {\n  dynamic_environments { \"$confdir/all\": }\n  environment {\n    'static': envdir => \"$confdir/s\";\n    \
             'later': envdir => \"$confdir/${facts['x']}\";\n  }\n}\n",
        ),
        ("settings/puppet.conf", ""),
        ("settings/s/manifests/site.pp", "site { categories { } }\n"),
        ("settings/s/bindings/default.pp", bad),
        ("settings/all/d1/manifests/site.pp", "site { categories { } }\n"),
        ("settings/all/d1/bindings/default.pp", "bindings default {\n  bind 'k' to 1\n}\n"),
        ("settings/all/d2/manifests/site.pp", "site { categories { } }\n"),
        ("settings/all/d2/bindings/default.pp", bad),
        // Where folders of environments are named, those of the settings do not count.
        ("environments/old/bindings/default.pp", bad),
    ]);
    let words = ["bindings", "check", "--environmentpath", "environments", "--confdir", "settings", "--format", "json"];
    let check = |more: &[&str]| folder.run(&[&words, more].concat());
    let all = check(&[]);
    let found: serde_json::Value =
        serde_json::from_str(&all.out).unwrap_or_else(|error| panic!("{error}: {}", all.err));
    let is_right: Vec<(&str, bool)> = (found.as_array().unwrap().iter())
        .map(|one| (one["environment"].as_str().unwrap(), one["ok"].as_bool().unwrap()))
        .collect();
    assert_eq!(is_right, [("static", false), ("d1", true), ("d2", false)]);
    let told = "The environment 'later' is not checked: what the environment 'later' is, environments.pp works out for \
                each request";
    assert!(all.err.contains(told), "{}", all.err);
    assert_eq!(check(&["--environment", "d1"]).code, Some(0));
    assert_eq!(check(&["--environment", "d2"]).code, Some(1));
    let later = check(&["--environment", "later"]);
    assert!(later.code == Some(1) && later.err.contains("works out for each request"), "{}", later.err);
    let none = check(&["--environment", "old"]);
    assert!(none.code == Some(1) && none.err.contains("unknown environment 'old'"), "{}", none.err);
    folder.write("settings/environments.pp", "site { environment { 'x': modulpath => 'm' } }\n");
    let broken = check(&["--environment", "x"]);
    assert!(broken.out.contains("BINDINGS_ENV_ATTRIBUTE"), "{}", broken.out);
}

/// The notices of a node's catalog, from the cache where that holds.
fn notices(folder: &Folder) -> Vec<String> {
    let run = folder.run(&["compile", "n1", "--facts", "facts", "--environment-dir", ".", "--log-format", "puppet"]);
    let said = run.err.lines().filter_map(|line| line.strip_prefix("Notice: Scope(Class[main]): "));
    said.map(str::to_owned).collect()
}

#[test]
fn an_answer_depends_on_every_file_of_bindings() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("facts/n1.json", r#"{"name": "n1", "values": {"k": "a"}}"#),
        ("manifests/site.pp", "notice(optionally_inject('x'))\n"),
        ("bindings/default.pp", "bindings default {\n  bind 'x' to 1\n}\n"),
        ("modules/a/manifests/init.pp", "class a { }\n"),
    ]);
    assert_eq!(notices(&folder), ["1"]);
    assert_eq!(notices(&folder), ["1"], "from the cache");
    folder.write("bindings/default.pp", "bindings default {\n  bind 'x' to 2\n}\n");
    assert_eq!(notices(&folder), ["2"], "an edit of a value");
    folder.write("bindings/default.pp", "bindings default {\n  bind 'x' to $facts['k']\n}\n");
    assert_eq!(notices(&folder), ["a"], "an edit to an expression");
    folder.write("facts/n1.json", r#"{"name": "n1", "values": {"k": "b"}}"#);
    assert_eq!(notices(&folder), ["b"], "another fact");
    folder.write("bindings/default.pp", "bindings default { }\n");
    assert_eq!(notices(&folder), [""], "a binding that goes");
    folder.write("modules/a/bindings/default.pp", "bindings a::default {\n  bind 'x' to 3\n}\n");
    assert_eq!(notices(&folder), ["3"], "a file that comes");
    folder.write("modules/b/bindings/default.pp", "bindings b::default {\n  bind 'y' to 4\n}\n");
    folder.write("bindings/default.pp", "bindings default {\n  bind alias 'y' as 'z'\n  bind 'x' to inject('z')\n}\n");
    assert_eq!(notices(&folder), ["4"], "a module that comes");
    folder.write("modules/b/bindings/default.pp", "bindings b::default {\n  bind 'y' to 5\n}\n");
    assert_eq!(notices(&folder), ["5"], "an edit of what a copy sees");
    let site =
        "site {\n  bindings => [{ 'modules': include => 'module:/*::default' }]\n}\nnotice(optionally_inject('x'))\n";
    folder.write("manifests/site.pp", site);
    assert_eq!(notices(&folder), ["3"], "other layers");
}

#[test]
fn a_choice_that_does_not_count_is_told_to_whoever_wants_to_know() {
    let folder = Folder::with(&[
        ("settings/environments.pp", "$environment = 'p'\n"),
        ("settings/puppet.conf", ""),
        ("environments/p/manifests/site.pp", "notice($environment)\n"),
        ("environments/q/manifests/site.pp", "notice($environment)\n"),
        ("facts/n1.json", r#"{"name": "n1", "values": {}}"#),
    ]);
    let words = ["compile", "n1", "--facts", "facts", "--environmentpath", "environments", "--confdir", "settings"];
    let run = |more: &[&str]| folder.run(&[&words, more].concat()).err;
    let told = "environments.pp chooses the environment 'p'; 'q' is what was asked for, and counts";
    let asked = run(&["--environment", "q", "--log-level", "info"]);
    assert!(asked.contains(told) && asked.contains("Scope(Class[main]): q"), "{asked}");
    assert!(!run(&["--environment", "q"]).contains(told));
    assert!(!run(&["--environment", "p", "--log-level", "info"]).contains("chooses"));
}

#[test]
fn a_watch_asks_the_file_of_environments_in_each_round() {
    let folder = Folder::with(&[
        ("settings/environments.pp", "site { environment { 'x': envdir => \"$confdir/x\" } }\n$environment = 'x'\n"),
        ("settings/puppet.conf", ""),
        ("settings/x/manifests/site.pp", "include m\n"),
        ("settings/x/modules/m/manifests/init.pp", "class m { notify { 'x': message => 'one' } }\n"),
        ("environments/p/manifests/site.pp", "notify { 'p': }\n"),
        ("facts/n1.json", r#"{"name": "n1", "values": {}}"#),
        ("facts/n2.json", r#"{"name": "n2", "values": {}}"#),
    ]);
    // One node after the other: the second is patched by what the first has shown.
    let words = ["--format", "json", "--environmentpath", "environments", "--confdir", "settings", "--jobs", "1"];
    let watcher = Watcher::start(&folder, &words);
    let ready = watcher.event();
    assert_eq!((&ready["nodes"], &ready["failed"]), (&json!(2), &json!([])), "{ready}");
    folder.write("settings/x/modules/m/manifests/init.pp", "class m { notify { 'x': message => 'two' } }\n");
    let event = watcher.change();
    assert_eq!((&event["affected"], &event["patched"]), (&json!(2), &json!(1)), "{event}");
    folder.write("settings/environments.pp", "$environment = 'p'\n");
    let event = watcher.change();
    let changed: Vec<_> = event["changes"].as_array().unwrap().iter().map(|change| &change["resource"]).collect();
    assert!(changed.contains(&&json!("Notify[p]")) && changed.contains(&&json!("Notify[x]")), "{event}");
    folder.write("settings/environments.pp", "$environment = 'q'\n");
    let event = watcher.change();
    assert!(event["errors"][0]["text"].as_str().unwrap().contains("unknown environment 'q'"), "{event}");
    folder.write("settings/environments.pp", "$environment = 'p'\n");
    assert_eq!(watcher.change()["mended"], json!(["n1", "n2"]));
}

#[test]
fn nodes_of_an_environment_are_in_it_as_their_facts_have_it() {
    let file = "site { environment { 'production': manifestdir => $facts['k'], envdir => \"$confdir/e\" } }\n";
    let folder = Folder::with(&[
        ("settings/environments.pp", file),
        ("settings/puppet.conf", ""),
        ("settings/e/a/site.pp", "notify { 'of a': }\n"),
        ("settings/e/b/site.pp", "notify { 'of b': }\n"),
        ("environments/p/manifests/site.pp", ""),
        ("facts/n1.json", r#"{"name": "n1", "values": {"k": "a"}}"#),
        ("facts/n2.json", r#"{"name": "n2", "values": {"k": "b"}}"#),
    ]);
    let words =
        ["query", "Notify", "--each", "--format", "csv", "--facts", "facts", "--environmentpath", "environments"];
    let run = folder.run(&[&words[..], &["--confdir", "settings"]].concat());
    assert!(run.out.contains("n1,Notify,of a") && run.out.contains("n2,Notify,of b"), "{}{}", run.out, run.err);
}

#[test]
fn a_cycle_names_the_binding_that_is_a_part_of_it() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "file { '/a': }\nfile { '/b': before => File['/a'] }\nclass c { }\ninclude c\n"),
        ("bindings/default.pp", "bindings default {\n\n  bind dependency File['/a'] -> File['/b']\n}\n"),
    ]);
    let words = ["compile", "n.example.org", "--environment-dir", ".", "--os", "debian-12", "--format", "summary"];
    let run = folder.run(&[&words[..], &["--log-format", "human"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.err.contains("comes before File[/b], as is bound at bindings/default.pp:3"), "{}", run.err);
    assert!(run.err.contains("it says `before => File[/a]`"), "{}", run.err);
    folder.write("facts/n1.json", r#"{"name": "n1", "values": {}}"#);
    let words = ["fleet", "--facts", "facts", "--environment-dir", "."];
    let bound = "File[/a] comes before File[/b], as is bound at bindings/default.pp:3";
    for more in [&[][..], &["--format", "json"]] {
        let run = folder.run(&[&words[..], more].concat());
        assert!(run.out.contains(bound), "{}{}", run.out, run.err);
    }
}

#[test]
fn an_error_of_an_injection_names_the_binding_that_it_is_about() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("facts/n1.json", r#"{"name": "n1", "values": {"k": "a"}}"#),
        (
            "bindings/default.pp",
            "bindings default {\n  bind 'a' to inject('b')\n  bind 'b' to inject('a')\n  bind Integer, 'c' to $facts['k']\n  bind 'd' to 1\n}\n",
        ),
    ]);
    let rows = [
        ("inject('a')", "the bindings that lead there are at bindings/default.pp:2, bindings/default.pp:3"),
        ("inject('c')", "the type is declared at bindings/default.pp:4"),
        ("inject('d', {'x' => 1})", "it is bound at bindings/default.pp:5"),
        ("inject(String, 'd')", "it is bound at bindings/default.pp:5"),
    ];
    for (code, help) in rows {
        folder.write("manifests/site.pp", format!("notice({code})\n"));
        let run = folder.run(&["fleet", "--facts", "facts", "--environment-dir", "."]);
        assert!(run.out.contains(help), "{code}: {}{}", run.out, run.err);
    }
}

/// Two nodes of which each injects a key of its own, and what a fleet says of its cache.
fn two_keys() -> (Folder, impl Fn(&Folder) -> (usize, String)) {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("facts/n1.json", r#"{"name": "n1", "values": {"k": "a"}}"#),
        ("facts/n2.json", r#"{"name": "n2", "values": {"k": "b"}}"#),
        ("manifests/site.pp", "notify { 'x': message => String(inject($facts['k'])) }\n"),
        ("bindings/default.pp", "bindings default {\n  bind \"a\" to 1\n  bind \"b\" to 2\n  bind \"c\" to 3\n}\n"),
    ]);
    let compiled = |folder: &Folder| {
        let words = ["fleet", "--facts", "facts", "--environment-dir", ".", "--explain-cache", "--format", "json"];
        let run = folder.run(&words);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let nodes = report["nodes"].as_array().unwrap().iter();
        let anew: Vec<String> = nodes.map(|node| node["anew"].to_string()).filter(|reasons| reasons != "[]").collect();
        (anew.len(), anew.join("\n"))
    };
    (folder, compiled)
}

#[test]
fn a_stored_answer_depends_on_the_keys_that_it_injects() {
    let (folder, fleet) = two_keys();
    let bindings = |old: &str, new: &str| {
        let text = std::fs::read_to_string(folder.path().join("bindings/default.pp")).unwrap();
        assert!(text.contains(old));
        folder.write("bindings/default.pp", text.replace(old, new));
    };
    assert_eq!(fleet(&folder).0, 2);
    assert_eq!(fleet(&folder).0, 0);
    bindings("bind \"c\" to 3", "\n  # Nobody's.\n  bind \"c\" to 4");
    assert_eq!(fleet(&folder).0, 0, "nobody injects it");
    bindings("bind \"a\" to 1", "bind \"a\" to 5");
    let (compiled, report) = fleet(&folder);
    assert_eq!(compiled, 1, "{report}");
    assert!(report.contains(r#"says of Data, \"a\""#), "{report}");
    bindings("bind \"c\" to 4", "when node n1 { bind \"c\" to 4 }");
    let (compiled, report) = fleet(&folder);
    assert_eq!(compiled, 2, "a condition may decide anything: {report}");
    assert!(report.contains("which bindings there are"), "{report}");
}

#[test]
fn impact_knows_who_injects_a_key() {
    let (folder, _) = two_keys();
    let nodes = |key: &str| {
        let words = ["impact", "--key", key, "--facts", "facts", "--environment-dir", ".", "--format", "json"];
        let run = folder.run(&words);
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let nodes = report["nodes"].as_array().unwrap().iter();
        nodes.map(|node| node["name"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(nodes("a"), ["n1"]);
    assert_eq!(nodes("b"), ["n2"]);
    assert_eq!(nodes("c"), [""; 0]);
}

/// What a query for keys finds, as JSON.
fn queried(folder: &Folder, keys: &[&str], more: &[&str]) -> serde_json::Value {
    let keys = keys.iter().flat_map(|key| ["--key", key]).collect::<Vec<_>>();
    let words = ["query", "--facts", "facts", "--environment-dir", ".", "--format", "json"];
    let run = folder.run(&[&words[..], &keys, more].concat());
    let mut report: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let here = format!("{}/", folder.path().canonicalize().unwrap().display());
    for from in report["answers"].as_array_mut().unwrap().iter_mut().flat_map(|one| one["from"].as_array_mut().unwrap())
    {
        let file = from["file"].as_str().map(|file| file.replace(&here, ""));
        from["file"] = file.into();
    }
    report
}

#[test]
fn a_query_knows_who_injects_a_key_and_who_looks_one_up() {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("facts/n1.json", r#"{"name": "n1", "values": {"k": "a"}}"#),
        ("facts/n2.json", r#"{"name": "n2", "values": {"k": "b"}}"#),
        ("facts/n3.json", r#"{"name": "n3", "values": {"k": "b"}}"#),
        ("manifests/site.pp", "include m\nif $facts['k'] == 'a' { notify { 'x': message => lookup('m::word') } }\n"),
        (
            "modules/m/manifests/init.pp",
            "class m(Integer $size) {\n  notify { 'm': message => inject('greeting') }\n}\n",
        ),
        (
            "bindings/default.pp",
            "bindings default {\n  bind \"greeting\" to 'hello'\n  bind \"nobody\" to 1\n  when node n1 { bind \"greeting\" to              Sensitive('psst') }\n  bind parameters m to { size => 3 }\n}\n",
        ),
        ("modules/m/bindings/default.pp", "bindings m::default {\n  bind abstract \"greeting\"\n}\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n- name: all\n  path: all.yaml\n"),
        ("data/all.yaml", "m::word: of data\n"),
    ]);
    let report = queried(&folder, &["greeting"], &[]);
    let from = |line: u32| json!([{"layer": "environment", "file": "bindings/default.pp", "line": line}]);
    let secret = json!({"__ptype": "Sensitive", "__pvalue": "[value redacted]"});
    assert_eq!(report["nodes"]["with_any"], 3, "{report}");
    let answers = report["answers"].as_array().unwrap();
    let told = |at: usize, name: &str| answers[at][name].clone();
    assert_eq!((told(0, "from"), told(0, "nodes"), told(0, "value")), (from(4), json!(["n1"]), secret), "{report}");
    assert_eq!((told(1, "from"), told(1, "nodes")), (from(2), json!(["n2", "n3"])), "{report}");
    assert_eq!((told(1, "value"), told(1, "bound")), (json!("hello"), json!(true)));
    assert_eq!(told(1, "asked_in"), json!(["Class[M]"]));

    let report = queried(&folder, &["/param/Class[m]/size", "m::w*"], &["--each"]);
    let answers = report["answers"].as_array().unwrap();
    let shown =
        |one: &serde_json::Value| format!("{} {} {} {}", one["node"], one["key"], one["value"], one["from"][0]["file"]);
    let expected = [
        r#""n1" "m::size" 3 "bindings/default.pp""#,
        r#""n2" "m::size" 3 "bindings/default.pp""#,
        r#""n3" "m::size" 3 "bindings/default.pp""#,
        r#""n1" "m::word" "of data" "data/all.yaml""#,
    ];
    assert_eq!(answers.iter().map(shown).collect::<Vec<_>>(), expected, "{report}");
    assert_eq!((&answers[0]["bound"], &answers[3]["bound"]), (&json!(true), &json!(false)));
    assert_eq!(answers[3]["from"][0]["level"], "Hierarchy entry \"all\"");

    let words = ["query", "--facts", "facts", "--environment-dir", ".", "--key", "greetin"];
    let run = folder.run(&words);
    assert!(run.err.contains("no node asks for the key greetin; did you mean greeting?"), "{}", run.err);
    let run = folder.run(&[&words[..6], &["greeting", "--format", "csv"]].concat());
    assert!(run.out.contains("n3,greeting,hello,layer environment,bindings/default.pp:2,Class[M]"), "{}", run.out);
    assert!(!run.out.contains("psst") && run.out.contains("n1,greeting,(secret),"), "{}", run.out);
    let run = folder.run(&[&words[..6], &["greeting"]].concat());
    assert!(run.out.contains("layer environment  bindings/default.pp:2  Class[M]"), "{}", run.out);
}

#[test]
fn a_comparison_of_data_names_each_key_of_bindings() {
    let [before, now] = ["bind \"a\" to 1", "bind \"a\" to 2\n  when kind x { bind \"a\" to f(1) }"].map(|items| {
        let folder = Folder::with(&[("environment.conf", ""), ("manifests/site.pp", "notify { 'x': }\n")]);
        folder.write("modules/m/bindings/default.pp", format!("bindings m::default {{\n  {items}\n}}\n"));
        folder
    });
    let run = now.run(&["diff", before.path().to_str().unwrap(), ".", "--data", "--os", "debian-12"]);
    assert!(run.out.contains("modules/m/bindings/default.pp (bindings of the module m)"), "{}{}", run.out, run.err);
    assert!(run.out.contains("Data, \"a\": 1 → 2"), "{}", run.out);
    assert!(run.out.contains("Data, \"a\" when kind x"), "{}", run.out);
}
