//! `pantin diff --install`: the modules of each side, fetched by git and by an installer that stands in for r10k.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::diff::{commit, git};
use crate::{Folder, Run, finish};

fn metadata(version: &str) -> String {
    format!(
        r#"{{"name":"me-web","version":"{version}","source":"s","author":"me","license":"l","summary":"s","dependencies":[]}}"#
    )
}

fn class(text: &str) -> String {
    format!("class web {{ notify {{ 'web': message => '{text}' }} }}\n")
}

/// A repository of a module with two versions.
fn module() -> Folder {
    let folder = Folder::with(&[("manifests/init.pp", &class("one")), ("metadata.json", &metadata("1.0.0"))]);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    git(&folder, &["tag", "v1"]);
    folder.write("manifests/init.pp", class("two"));
    folder.write("metadata.json", metadata("2.0.0"));
    commit(&folder);
    git(&folder, &["tag", "v2"]);
    folder
}

/// A control repository that names this module.
fn control(puppetfile: &str) -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = site:modules\n"),
        (".gitignore", "/modules/\n"),
        ("Puppetfile", puppetfile),
        ("manifests/site.pp", "include web\n"),
        ("site/profile/manifests/init.pp", "class profile { }\n"),
        ("facts/web1.json", "{}"),
    ]);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    folder
}

fn named(module: &Folder, revision: &str) -> String {
    format!("mod 'me/web', git: 'file://{}', ref: '{revision}'\n", module.real_path())
}

fn diff(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["diff", "HEAD", "--facts", "facts", "--quiet", "--install"], more].concat())
}

fn diff_json(folder: &Folder) -> Value {
    let run = diff(folder, &["--format", "json"]);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

#[test]
fn each_side_is_compiled_with_the_modules_that_it_names() {
    let module = module();
    let folder = control(&named(&module, "v1"));
    // What lies in the folder of modules is of neither side.
    folder.write("modules/web/manifests/init.pp", class("another"));
    folder.write("Puppetfile", named(&module, "v2"));
    let json = diff_json(&folder);
    assert_eq!((&json["verdict"], &json["modules"]), (&json!("differs"), &json!([])), "{json:#}");
    let text = diff(&folder, &[]).out;
    assert!(text.contains("'one' → 'two'"), "{text}");
    // A Puppetfile that goes takes its modules with it.
    folder.write("Puppetfile", "");
    let json = diff_json(&folder);
    assert_eq!(json["verdict"], "fails_newly", "{json:#}");
}

#[test]
fn a_version_is_fetched_once_for_all_runs() {
    let module = module();
    let at = |revision: &str| {
        let output = Command::new("git").args(["-C", &module.real_path(), "rev-parse", revision]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (one, two) = (at("v1"), at("v2"));
    let folder = control(&named(&module, &one));
    folder.write("Puppetfile", named(&module, &two));
    assert_eq!(diff_json(&folder)["verdict"], "differs");
    std::fs::rename(module.path().join(".git"), module.path().join("gone")).unwrap();
    assert_eq!(diff_json(&folder)["verdict"], "differs");
    // A branch has to be asked for.
    folder.write("Puppetfile", named(&module, "main"));
    let run = diff(&folder, &[]);
    assert!(run.out.contains("me/web main, which cannot be had"), "{}{}", run.out, run.err);
    assert_eq!(diff(&folder, &["--exit-code"]).code, Some(3), "{}", run.out);
}

#[test]
fn an_address_runs_no_program_and_is_no_option() {
    let folder = control(
        "mod 'me/web', git: 'ext::sh -c touch% pwned', ref: 'v1'\nmod 'me/other', git: '--upload-pack=touch pwned'\n",
    );
    let run = diff(&folder, &[]);
    assert!(run.out.contains("me/web v1, which cannot be had: ext::sh"), "{}{}", run.out, run.err);
    assert!(run.out.contains("me/other, which cannot be had: '--upload-pack"), "{}{}", run.out, run.err);
    assert!(!folder.path().join("pwned").exists());
}

#[test]
fn what_only_ruby_can_tell_is_refused_with_its_line() {
    let folder = control("mod 'me/one', '1.0.0'\nif true\n  mod 'me/web', '1.0.0'\nend\n");
    let run = diff(&folder, &[]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.err.contains("written out (line 2, 4)"), "{}", run.err);
}

/// A program in the place of r10k: it brings the module of the Puppetfile that it is given.
fn installer(folder: &Path) {
    let script = "#!/bin/sh\nset -e\nwhile [ $# -gt 0 ]; do case $1 in --puppetfile) file=$2; shift;; --moduledir) to=$2; shift;; esac; shift; done\n\
                  line=$(cat \"$file\")\n[ \"$(printf '%s\\n' \"$line\" | wc -l)\" = 1 ]\n\
                  version=$(printf '%s' \"$line\" | sed \"s/.*, '//; s/'$//\")\nmkdir -p \"$to/web/manifests\"\n\
                  echo \"class web { notify { 'web': message => '$version' } }\" > \"$to/web/manifests/init.pp\"\n\
                  echo '{\"name\":\"me-web\",\"version\":\"'$version'\",\"source\":\"s\",\"author\":\"me\",\"license\":\"l\",\"dependencies\":[]}' > \
                  \"$to/web/metadata.json\"\n";
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("r10k"), script).unwrap();
    assert!(Command::new("chmod").arg("+x").arg(folder.join("r10k")).status().unwrap().success());
}

#[test]
fn modules_of_the_forge_are_installed_by_r10k() {
    let folder = control("mod 'me-web', '1.0.0'\n");
    folder.write("Puppetfile", "mod 'me-web', '1.1.0'\n");
    let bin = folder.path().join("bin");
    let run = |path: String| {
        let mut command = folder.command(&["diff", "HEAD", "--facts", "facts", "--quiet", "--install"]);
        finish(command.env("PATH", path).spawn().unwrap())
    };
    let path = std::env::var("PATH").unwrap();
    if !path.split(':').any(|folder| ["r10k", "g10k"].iter().any(|name| Path::new(folder).join(name).exists())) {
        let without = run(path.clone());
        assert!(without.out.contains("is installed by r10k or g10k, and neither is there"), "{}", without.out);
    }
    installer(&bin);
    let with = run(format!("{}:{path}", bin.display()));
    assert!(with.out.contains("'1.0.0' → '1.1.0'"), "{}{}", with.out, with.err);
}

#[test]
fn no_path_of_the_place_of_a_version_is_seen() {
    let module = module();
    let finds = "class web { notify { find_file('web/a.txt'): } warning('told') \n $x = versioncmp('1', undef) }\n";
    module.write("manifests/init.pp", finds);
    module.write("files/a.txt", "1");
    commit(&module);
    git(&module, &["tag", "v3"]);
    module.write("README.md", "more");
    commit(&module);
    git(&module, &["tag", "v4"]);
    let folder = control(&named(&module, "v3"));
    folder.write("Puppetfile", named(&module, "v4"));
    let run = diff(&folder, &["--format", "json", "--no-cache"]);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&json["errors"][0]["state"], &json["changes"]), (&json!("same"), &json!([])), "{json:#}");
    assert_eq!(json["errors"][0]["file"], "modules/web/manifests/init.pp", "{json:#}");
    module.write("manifests/init.pp", finds.replace("$x = versioncmp('1', undef)", ""));
    commit(&module);
    git(&module, &["tag", "v5"]);
    module.write("README.md", "less");
    commit(&module);
    git(&module, &["tag", "v6"]);
    let folder = control(&named(&module, "v5"));
    folder.write("Puppetfile", named(&module, "v6"));
    assert_eq!(diff_json(&folder)["verdict"], "same");
}

#[test]
fn a_link_of_a_module_leads_nowhere_else() {
    let module = module();
    let linked = "class web { notify { 'web': message => file('web/beside') } }\n";
    module.write("manifests/init.pp", linked);
    std::fs::create_dir_all(module.path().join("files")).unwrap();
    std::os::unix::fs::symlink("../../beside", module.path().join("files/beside")).unwrap();
    commit(&module);
    git(&module, &["tag", "v3"]);
    let folder = control(&named(&module, "v1"));
    folder.write("Puppetfile", named(&module, "v3"));
    assert!(diff(&folder, &[]).out.contains("web/beside"));
    let repositories = folder.cache.path().join("cache/modules/git");
    for repository in std::fs::read_dir(repositories).unwrap() {
        let beside = repository.unwrap().path().join("beside");
        std::fs::write(beside, "of another").unwrap();
    }
    let run = diff(&folder, &["--format", "json", "--no-cache"]);
    assert!(!run.out.contains("of another"), "{}", run.out);
    assert!(run.out.contains("Could not find any files from web/beside"), "{}", run.out);
}

#[test]
fn a_module_of_the_forge_that_is_installed_is_not_fetched() {
    let folder = control("mod 'me-web', '1.0.0'\n");
    folder.write("modules/web/manifests/init.pp", class("as installed"));
    folder.write("modules/web/metadata.json", metadata("1.0.0"));
    let run = diff(&folder, &["--format", "json"]);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["verdict"], "same", "{json:#}");
    folder.write("Puppetfile", "mod 'other-web', '1.0.0'\n");
    let run = diff(&folder, &[]);
    assert!(run.out.contains("other/web 1.0.0, which cannot be had"), "{}{}", run.out, run.err);
}
