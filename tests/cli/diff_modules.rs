//! `pantin diff` where a side names other modules than those that it was compiled with.

use serde_json::{Value, json};

use crate::Folder;
use crate::diff::{commit, git, replace};
use crate::json_schema::Schema;

const PUPPETFILE: &str = "forge 'https://forge.example.org'\nmod 'me/web', '1.0.0'\n";

fn metadata(name: &str, version: &str) -> String {
    format!(
        r#"{{"name":"me-{name}","version":"{version}","source":"s","author":"me","license":"l","summary":"s","dependencies":[]}}"#
    )
}

/// A repository in git, whose modules git ignores.
fn repository() -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        (".gitignore", "/cache/\n/modules/\n"),
        ("Puppetfile", PUPPETFILE),
        ("manifests/site.pp", "include web\n"),
        ("modules/web/manifests/init.pp", "class web { notify { 'web': } }\n"),
        ("modules/web/metadata.json", &metadata("web", "1.0.0")),
        ("facts/web1.json", "{}"),
    ]);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    folder
}

/// What all formats say, and the modules as JSON tells them.
fn modules(folder: &Folder) -> Value {
    let diff = |format: &str| {
        let arguments = ["diff", "HEAD", "--facts", "facts", "--quiet", "--exit-code", "--format", format];
        folder.run(&arguments)
    };
    let json: Value = serde_json::from_str(&diff("json").out).unwrap();
    assert_eq!(Schema::read("diff.schema.json").violations(&json), Vec::<String>::new());
    let is_sure = json["modules"] == json!([]);
    let [text, markdown, html, junit] = ["text", "markdown", "html", "junit"].map(diff);
    for run in [&text, &markdown, &html, &junit] {
        assert_eq!(run.code, Some(if is_sure { 0 } else { 2 }), "{}{}", run.out, run.err);
        assert_eq!(run.out.contains("not certain: "), !is_sure, "{}", run.out);
    }
    assert_eq!(json["verdict"], if is_sure { "same" } else { "unsure" });
    assert_eq!(markdown.out.contains('✅'), is_sure, "{}", markdown.out);
    assert_eq!(html.out.contains("<header class=\"good\">"), is_sure, "{}", html.out);
    assert_eq!(junit.out.contains("failures=\"0\""), is_sure, "{}", junit.out);
    for module in json["modules"].as_array().unwrap() {
        for run in [&text, &html, &junit] {
            assert!(run.out.contains(module["name"].as_str().unwrap()), "{}", run.out);
        }
    }
    json["modules"].clone()
}

#[test]
fn a_puppetfile_that_differs_from_what_is_installed_is_no_green_tick() {
    let folder = repository();
    assert_eq!(modules(&folder), json!([]));
    replace(&folder, "Puppetfile", "1.0.0", "2.0.0");
    let wanted = |side: &str, wanted: Value, installed: Value| json!({"side": side, "named_in": "Puppetfile", "name": "web", "wanted": wanted, "installed": installed});
    assert_eq!(modules(&folder), json!([wanted("to", "me/web 2.0.0".into(), "me/web 1.0.0".into())]));
    // The new one is installed, and the old one is not.
    folder.write("modules/web/metadata.json", metadata("web", "2.0.0"));
    assert_eq!(modules(&folder), json!([wanted("from", "me/web 1.0.0".into(), "me/web 2.0.0".into())]));
    // A branch can be compared with nothing.
    folder.write("Puppetfile", "mod 'me/web', git: 'https://git.example.org/web', branch: 'main'\n");
    let told = modules(&folder);
    assert_eq!(told[1], wanted("to", "me/web main".into(), "me/web 2.0.0".into()));
    // Neither side has what it names: that is one module.
    let text = folder.run(&["diff", "HEAD", "--facts", "facts", "--quiet"]).out;
    assert!(text.contains("not certain: 1 module is not installed"), "{text}");
    // It goes, or another one comes.
    folder.write("Puppetfile", "");
    assert_eq!(modules(&folder)[1], wanted("to", Value::Null, "me/web 2.0.0".into()));
    folder.write("modules/web/metadata.json", metadata("web", "1.0.0"));
    folder.write("Puppetfile", format!("{PUPPETFILE}mod 'me/more', '1.0.0'\n"));
    let more =
        json!({"side": "to", "named_in": "Puppetfile", "name": "more", "wanted": "me/more 1.0.0", "installed": null});
    assert_eq!(modules(&folder), json!([more]));
    // A comment, or another line, is no other module.
    folder.write("Puppetfile", format!("# Modules.\n{PUPPETFILE}"));
    assert_eq!(modules(&folder), json!([]));
    // What only Ruby can tell may be any module.
    folder.write("Puppetfile", format!("{PUPPETFILE}mod \"me/#{{name}}\", '1.0.0'\n"));
    assert_eq!(modules(&folder)[0]["wanted"], "modules that only Ruby can tell");
}

#[test]
fn a_puppetfile_that_comes_or_goes_is_no_green_tick() {
    let folder = repository();
    git(&folder, &["rm", "--quiet", "Puppetfile"]);
    assert_eq!(modules(&folder)[0]["side"], "to");
    git(&folder, &["commit", "--quiet", "--message", "x"]);
    folder.write("Puppetfile", "mod 'me/web', '2.0.0'\n");
    assert_eq!(modules(&folder)[0]["wanted"], Value::Null);
    assert_eq!(modules(&folder)[1]["wanted"], "me/web 2.0.0");
}

#[test]
fn modules_that_nobody_ignores_are_installed_on_both_sides() {
    let folder = repository();
    folder.write(".gitignore", "/cache/\n");
    // One that is needed by those of the Puppetfile.
    folder.write("modules/needed/manifests/init.pp", "class needed { notify { 'needed': } }\n");
    folder.write("manifests/site.pp", "include web, needed\n");
    git(&folder, &["add", ".gitignore", "manifests"]);
    git(&folder, &["commit", "--quiet", "--message", "x"]);
    folder.write("manifests/site.pp", "include web, needed\nnotify { 'more': }\n");
    let run = folder.run(&["diff", "HEAD", "--facts", "facts", "--quiet"]);
    assert!(run.out.contains("+ Notify[more]") && !run.out.contains("git does not know"), "{}{}", run.out, run.err);
    // Where git knows a module, another one may be new.
    git(&folder, &["add", "--force", "modules/web"]);
    let run = folder.run(&["diff", "HEAD", "--facts", "facts", "--quiet"]);
    assert!(run.out.contains("no longer fails") && run.out.contains("git does not know"), "{}{}", run.out, run.err);
}

#[test]
fn modules_that_git_knows_are_those_of_each_side() {
    let folder = repository();
    folder.write(".gitignore", "/cache/\n");
    commit(&folder);
    replace(&folder, "Puppetfile", "1.0.0", "2.0.0");
    folder.write("modules/web/metadata.json", metadata("web", "2.0.0"));
    assert_eq!(modules(&folder), json!([]));
}

#[test]
fn submodules_and_module_paths_that_are_not_there_are_no_green_tick() {
    let folder = repository();
    folder.write(".gitmodules", "[submodule \"more\"]\n\tpath = modules/more\n\turl = https://git.example.org/more\n");
    let told = modules(&folder);
    assert_eq!((&told[0]["named_in"], &told[0]["name"]), (&json!(".gitmodules"), &json!("modules/more")));
    folder.write("modules/more/manifests/init.pp", "");
    assert_eq!(modules(&folder), json!([]));
    folder.write("environment.conf", "modulepath = modules:vendor\n");
    let told = modules(&folder);
    assert_eq!((&told[0]["named_in"], &told[0]["name"]), (&json!("environment.conf"), &json!("vendor")));
}

#[test]
fn modules_and_fleet_say_which_versions_are_not_those_of_the_puppetfile() {
    let folder = repository();
    assert_eq!(folder.run(&["modules", "--set", "basemodulepath=/nowhere"]).code, Some(0));
    replace(&folder, "Puppetfile", "1.0.0", "2.0.0");
    let run = folder.run(&["modules", "--set", "basemodulepath=/nowhere"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("Puppetfile:2: me/web 2.0.0 is not there, but me/web 1.0.0\n"), "{}", run.out);
    let json: Value = serde_json::from_str(&folder.run(&["modules", "--json"]).out).unwrap();
    let other = json!({"name": "me/web", "version": "2.0.0", "line": 2, "installed": "me/web 1.0.0"});
    assert_eq!(json["other_versions"], json!([other]));
    let run = folder.run(&["fleet", "--facts", "facts", "--quiet"]);
    let remark = "The Puppetfile names other modules than those that are there: me/web 2.0.0 (me/web 1.0.0 is there)";
    assert!(run.err.contains(remark), "{}", run.err);
    // A branch says no version.
    folder.write("Puppetfile", "mod 'me/web', git: 'https://git.example.org/web', branch: 'main'\n");
    assert_eq!(folder.run(&["modules", "--set", "basemodulepath=/nowhere"]).code, Some(0));
}
