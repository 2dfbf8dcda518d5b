//! `pantin inject`, and what `why`, `unused` and `eval` know of bindings.

use serde_json::Value as Json;

use crate::Folder;

const SITE: &str = "site {\n  categories {\n    node => $trusted['certname'],\n    environment => true,\n    virtual => \
                    $facts['is_virtual'],\n  }\n}\n";

fn folder() -> Folder {
    Folder::with(&[
        ("environment.conf", ""),
        ("facts/n1.json", r#"{"name": "n1", "values": {"is_virtual": true}}"#),
        ("manifests/site.pp", &format!("{SITE}notice(inject('color'))\ninclude ntp\nfile {{ '/x': }}\n")),
        (
            "bindings/default.pp",
            "bindings default {\n  bind override \"color\" to 'green'\n  bind parameters File['/x'] to { mode => '0600' }\n  \
             bind \"secret\" to Sensitive('hush')\n  bind \"nothing\" to optional undef\n  bind alias \"color\" as \"colour\"\n}\n",
        ),
        (
            "modules/a/bindings/default.pp",
            "bindings a::default {\n  when virtual false { bind \"color\" to 'red' }\n  when node n1 and virtual true { bind \
             \"color\" to 'blue' }\n  bind \"color\" to 'black'\n  bind parameters ntp to { servers => ['s'] }\n  \
             multibind Array[String], \"all\" as 'all'\n  bind to 'one' in 'all'\n  when virtual false { bind to 'two' in 'all' }\n}\n",
        ),
        ("modules/a/manifests/init.pp", "class a { }\n"),
        (
            "modules/ntp/manifests/init.pp",
            "class ntp(Array $servers, $port = 123) {\n  notify { 'n': message => $servers[0] }\n}\n",
        ),
    ])
}

fn inject(folder: &Folder, more: &[&str]) -> crate::Run {
    folder.run(&[&["inject", "--node", "n1", "--facts", "facts", "--environment-dir", "."], more].concat())
}

fn explained(folder: &Folder, more: &[&str]) -> Json {
    let run = inject(folder, &[&["--explain", "--format", "json"], more].concat());
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

#[test]
fn a_value_is_printed() {
    let folder = folder();
    let run = inject(&folder, &["color", "--format", "s"]);
    assert_eq!((run.out.as_str(), run.code), ("green\n", Some(0)), "{}", run.err);
    assert_eq!(inject(&folder, &["color", "--format", "json"]).out, "\"green\"\n");
    assert_eq!(inject(&folder, &["--parameter", "Class[ntp]/servers", "--format", "json"]).out, "[\"s\"]\n");
    assert_eq!(inject(&folder, &["all"]).out, "---\n- one\n");
    let typed = inject(&folder, &["--type", "Integer", "color"]);
    assert_eq!(typed.code, Some(1));
    assert!(typed.err.contains("The binding of Data, \"color\" expects an Integer value, got String"), "{}", typed.err);
    assert_eq!(inject(&folder, &["Integer", "--default", "none", "--format", "s"]).out, "none\n");
}

#[test]
fn a_key_that_nobody_binds_is_an_error() {
    let folder = folder();
    let run = inject(&folder, &["colr"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("No binding found for Data, \"colr\"") && run.err.contains("color"), "{}", run.err);
    assert_eq!(inject(&folder, &["colr", "--explain"]).code, Some(0));
    assert_eq!(inject(&folder, &["colr", "--default", "x", "--format", "s"]).out, "x\n");
    assert_eq!(inject(&folder, &["nothing"]).code, Some(1));
    assert_eq!(inject(&folder, &[]).code, Some(2));
    folder.write("bindings/default.pp", "bindings default {\n  bind abstract \"wanted\"\n}\n");
    let broken = inject(&folder, &["color"]);
    assert_eq!(broken.code, Some(1));
    assert!(broken.err.contains("A binding must be provided for the key Data, \"wanted\""), "{}", broken.err);
}

#[test]
fn an_explanation_says_what_became_of_each_binding() {
    let folder = folder();
    let run = inject(&folder, &["color", "--explain"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "Data, \"color\" = 'green'");
    assert_eq!(lines[1], "  on n1 in production: node=n1 4, environment=production 3, virtual=true 2, common 1");
    let words =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("|");
    let rows: Vec<String> = lines[2..].iter().map(|line| words(line)).collect();
    assert_eq!(
        rows,
        [
            "won|environment|[1]|common|env:/default|bindings/default.pp:2|override",
            "shadowed|modules|[4,2]|node=n1, virtual|module:/a::default|modules/a/bindings/default.pp:3|by a higher layer",
            "no match|modules|[2]|virtual=false (is true)|module:/a::default|modules/a/bindings/default.pp:2",
            "shadowed|modules|[1]|common|module:/a::default|modules/a/bindings/default.pp:4|by a higher layer",
        ]
    );
}

#[test]
fn an_explanation_for_programs() {
    let folder = folder();
    let color = explained(&folder, &["color"]);
    assert_eq!(color["key"], serde_json::json!({"type": "Data", "name": "color"}));
    assert_eq!((&color["found"], &color["value"], &color["type"]), (&true.into(), &"green".into(), &"String".into()));
    assert_eq!(color["state"][0], serde_json::json!({"category": "node", "value": "n1", "number": 4}));
    assert_eq!(color["layers"][1]["definitions"], serde_json::json!(["env:/default"]));
    let won = &color["candidates"][0];
    assert_eq!(
        (&won["verdict"], &won["operation"], &won["producer"]),
        (&"won".into(), &"bind".into(), &"constant".into())
    );
    assert_eq!((&won["line"], &won["column"], &won["flags"]), (&2.into(), &3.into(), &serde_json::json!(["override"])));
    assert_eq!(color["candidates"][2]["condition"][0]["holds"], false);
    let colour = explained(&folder, &["colour"]);
    assert_eq!(colour["candidates"][0]["leads_to"][0]["key"], "Data, \"color\"");
    let all = explained(&folder, &["all"]);
    assert_eq!(all["fragments"][0]["value"], "one");
    assert_eq!(all["fragments"][1]["verdict"], "no match");
    let two = explained(&folder, &["color", "all"]);
    assert_eq!(two.as_array().map(Vec::len), Some(2));
    let unknown = explained(&folder, &["colr"]);
    assert_eq!((&unknown["found"], &unknown["error"]["code"]), (&false.into(), &"BINDINGS_UNBOUND".into()));
    let servers = explained(&folder, &["--parameter", "Class[ntp]/port"]);
    let said: Vec<&str> =
        servers["sources"].as_array().unwrap().iter().filter_map(|one| one["said"].as_str()).collect();
    assert_eq!(said[1..], ["nothing", "nothing", "a default"]);
}

#[test]
fn a_secret_is_redacted() {
    let folder = folder();
    let secret = explained(&folder, &["secret"]);
    assert_eq!((&secret["value"], &secret["sensitive"]), (&Json::Null, &true.into()));
    let text = inject(&folder, &["secret", "--explain"]);
    assert!(text.out.contains("= Sensitive [value redacted]"), "{}", text.out);
    for run in [text, inject(&folder, &["secret"]), inject(&folder, &["--all", "--explain"])] {
        assert!(!run.out.contains("hush") && !run.err.contains("hush"), "{}{}", run.out, run.err);
    }
}

#[test]
fn a_resource_as_a_source_needs_the_catalog() {
    let folder = folder();
    let site = format!("{SITE}sql {{ 'one': user => 'bob' }}\nweb {{ 'one': }}\n");
    folder.write("manifests/site.pp", site);
    folder.write(
        "bindings/default.pp",
        "bindings default {\n  bind \"color\" to 'x'\n  bind parameters Web[one] to Sql[one]\n}\n",
    );
    folder.write("modules/sql/manifests/init.pp", "define sql($user) { }\n");
    folder.write("modules/web/manifests/init.pp", "define web($user = 'none') { }\n");
    let without = inject(&folder, &["--parameter", "Web[one]/user"]);
    assert!(
        without.code == Some(1) && without.err.contains("is bound to Sql[one], which is not in the catalog"),
        "{}",
        without.err
    );
    assert_eq!(inject(&folder, &["--parameter", "Web[one]/user", "--compile", "--format", "s"]).out, "bob\n");
}

#[test]
fn a_program_may_define_bindings() {
    let folder = folder();
    let code = "bindings spec { bind 'color' to 'white' bind \"other\" to inject('color') }\nnotice(inject('other'))";
    let run = folder.run(&["eval", "-e", code]);
    assert!(run.out.contains("white"), "{}{}", run.out, run.err);
    let in_repository = folder.run(&["eval", "-e", code, "--environment-dir", ".", "--facts", "facts", "--node", "n1"]);
    assert!(in_repository.out.contains("white"), "{}", in_repository.err);
    let wrong = folder.run(&["eval", "-e", "notice(1)\n\nbindings spec {\n  bind abstract 'x'\n}"]);
    assert!(wrong.err.contains("A binding must be provided for the key Data, \"x\""), "{}", wrong.err);
    assert!(wrong.err.contains("line: 4, column: 3"), "{}", wrong.err);
    let manifest = folder.run(&["compile", "n1", "--facts", "facts", "--environment-dir", ".", "-e", code]);
    assert!(manifest.err.contains("Bindings are defined in files of their own, not in manifests"), "{}", manifest.err);
}

#[test]
fn why_names_the_binding() {
    let folder = folder();
    let why = |more: &[&str]| {
        let run =
            folder.run(&[&["why"], more, &["--node", "n1", "--facts", "facts", "--environment-dir", "."]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    let of_class = why(&["Class[ntp]", "servers"]);
    assert!(of_class.contains("servers => ['s'], bound"), "{of_class}");
    assert!(
        of_class.contains("by a binding in layer modules") && of_class.contains("modules/a/bindings/default.pp:5"),
        "{of_class}"
    );
    let of_file = why(&["File[/x]", "mode"]);
    assert!(of_file.contains("mode => '0600', bound") && of_file.contains("bindings/default.pp:3"), "{of_file}");
    let of_key = why(&["color"]);
    assert!(of_key.contains("color is bound = 'green'") && of_key.contains("bindings/default.pp:2"), "{of_key}");
    assert!(of_key.contains("above a binding in layer modules"), "{of_key}");
}

#[test]
fn unused_lists_bindings_that_no_node_wants() {
    let folder = folder();
    let unused = || {
        let run = folder.run(&["unused", "--facts", "facts", "--environment-dir", ".", "--format", "json", "--quiet"]);
        let json: Json = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.err));
        let bindings = json["unused"].as_array().unwrap().iter().filter(|one| one["kind"] == "binding").cloned();
        bindings.map(|one| format!("{}:{}", one["name"].as_str().unwrap(), one["line"])).collect::<Vec<String>>()
    };
    let wanted = [
        "Data, \"all\":6",
        "Data, \"colour\":6",
        "Data, \"nothing\":5",
        "Data, \"secret\":4",
        "a contribution to 'all':7",
        "a contribution to 'all':8",
    ];
    assert_eq!(unused(), wanted);
    assert_eq!(unused(), wanted, "from the store");
    folder.write("manifests/site.pp", format!("{SITE}notice(inject('colour'))\nnotice(inject('all'))\ninclude ntp\n"));
    assert_eq!(unused(), ["/param/File[%2Fx]/mode:3", "Data, \"nothing\":5", "Data, \"secret\":4"]);
}
