//! `--ruby PATH`: functions of modules that need more Ruby than is built in, run by the Ruby of this machine.
//!
//! Tests that need a Ruby, or the real Puppet, are ignored unless asked for: `cargo test --test cli -- --ignored own_ruby`.

mod as_the_real_one;
mod kept;
mod modules;
mod network;
mod troubles;

use std::process::Command;

use self::modules::MODULES;
use crate::{Folder, Run};

/// The Ruby of this machine.
fn ruby() -> String {
    let output = Command::new("ruby").args(["-e", "print RbConfig.ruby"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A repository with functions that the small Ruby cannot run.
fn repository(manifest: &str) -> Folder {
    let folder = Folder::with(MODULES);
    folder.write("environment.conf", "modulepath = modules\n");
    folder.write("manifests/site.pp", manifest);
    folder.write("facts/web1.json", r#"{"role": "web", "kernel": "Linux"}"#);
    folder
}

/// What compiling says beside the catalog, without the time that it took and the folder that it lies in.
fn said(folder: &Folder, run: &Run) -> String {
    let at = folder.real_path();
    let lines = run.err.lines().filter(|line| !line.contains("Compiled catalog for"));
    lines.map(|line| format!("{}\n", line.replace(&at, "").replace(" on node web1", ""))).collect()
}

fn compile(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["compile", "--facts", "facts", "--no-cache"], more].concat())
}

#[test]
fn without_the_option_the_error_says_what_is_missing_and_names_it() {
    for (code, error) in [
        (
            "m::det([[1]])",
            "Error while evaluating a Function Call, cannot load such file -- matrix; --ruby PATH has a Ruby of your own \
             run such a function (file: /manifests/site.pp, line: 1, column: 8)",
        ),
        (
            "m::bound('x')",
            "the method Binding#eval is not supported in Ruby code that Pantin runs (file: \
             /modules/m/lib/puppet/functions/m/bound.rb, line: 6); --ruby PATH has a Ruby of your own run such a \
             function (file: /manifests/site.pp, line: 1, column: 8)",
        ),
        // The module has words of its own for that.
        (
            "m::gem()",
            "Error while evaluating a Function Call, m::gem needs the gem matrix (file: /manifests/site.pp, line: 1, \
             column: 8)",
        ),
    ] {
        let folder = repository(&format!("notice({code})"));
        let run = compile(&folder, &[]);
        assert_eq!((said(&folder, &run), run.code), (format!("Error: Evaluation Error: {error}\n"), Some(1)), "{code}");
    }
}

/// What such an error of the module's own means is said beside it.
#[test]
fn a_library_that_code_could_do_without_is_told_in_the_help() {
    let folder = repository("");
    let run = folder.run(&["eval", "--modulepath", "modules", "--json", "-e", "m::gem()"]);
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let help = "there is no library matrix here; --ruby PATH has a Ruby of your own run such a function";
    assert_eq!(found["error"]["help"], help, "{}", run.out);
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn with_it_a_function_is_run_and_what_it_asks_is_answered() {
    let ruby = ruby();
    let folder = repository(
        "$top = 'at the top'\nnotice(m::gem())\nnotice(m::calls([1, 2]) |$x| { $x + 10 })\nnotice(older('1+1'))\n\
         notice(m::bound('x'))\n",
    );
    let run = compile(&folder, &["--ruby", &ruby]);
    let expected = "\
Notice: Scope(Class[main]): 6
Notice: Scope(Class[main]): made [11, 12]
Warning: of Linux
Notice: Scope(Class[main]): [[22, 24], [[a, 1]], at the top, 4]
Notice: Scope(Class[main]): older says [\"1+1\", \"more\"]
Notice: Scope(Class[main]): program on Linux at the top
Notice: Scope(Class[main]): x of the scope
";
    assert_eq!((said(&folder, &run).as_str(), run.code), (expected, Some(0)));
}

/// Every command that runs code of modules takes it.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn eval_and_lookup_take_it_too() {
    let ruby = ruby();
    let folder = repository("");
    let run =
        folder.run(&["eval", "--modulepath", "modules", "--ruby", &ruby, "--print", "-e", "m::det([[2, 0], [0, 3]])"]);
    assert_eq!((run.out.as_str(), run.code), ("6\n", Some(0)), "{}", run.err);
    folder.write("hiera.yaml", "version: 5\nhierarchy:\n- name: own\n  lookup_key: m::backend\n  options: {a: b}\n");
    let run = folder.run(&["lookup", "some::key", "--facts", "facts", "--ruby", &ruby]);
    assert_eq!((run.out.as_str(), run.code), ("--- some::key of b, kept 1\n", Some(0)), "{}", run.err);
    let run = folder.run(&["lookup", "absent", "--facts", "facts", "--ruby", &ruby, "--default", "none"]);
    assert_eq!((run.out.as_str(), run.code), ("--- none\n", Some(0)), "{}", run.err);
}

/// The real Puppet is on this machine, and its code is nevertheless nowhere.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn no_puppet_is_loaded() {
    let ruby = ruby();
    let folder = repository("notice(m::loaded())");
    let run = compile(&folder, &["--ruby", &ruby]);
    assert_eq!(said(&folder, &run), "Notice: Scope(Class[main]): []\n");
}

/// What the small Ruby has done before it gave up is done once.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn nothing_is_done_twice() {
    let ruby = ruby();
    let folder = repository("$made = m::does()\nnotice($made)\n");
    let run = compile(&folder, &["--ruby", &ruby]);
    let expected = "\
Warning: begins
Notice: Scope(Class[main]): goes on
Notice: Scope(Class[main]): rescued: no
Notice: Scope(Class[main]): ends
Notice: Scope(Class[main]): [Notify['made']]
";
    assert_eq!((said(&folder, &run).as_str(), run.code), (expected, Some(0)));
    let catalog: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let made = catalog["resources"].as_array().unwrap().iter().filter(|resource| resource["title"] == "made");
    assert_eq!(made.count(), 1);
}

#[test]
fn the_report_of_what_runs_where_names_the_bridge() {
    let folder = repository("");
    let run = folder.run(&["compat", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let how = |name: &str| {
        let part = found["parts"].as_array().unwrap().iter().find(|part| part["name"] == name).unwrap();
        (part["how"].as_str().unwrap().to_owned(), part["failing"].clone())
    };
    let (of, failing) = how("m::det");
    assert_eq!((of.as_str(), failing[0]["line"].as_u64()), ("bridge", Some(1)));
    assert_eq!(failing[0]["what"], "the library matrix");
    assert_eq!(how("m::facter").0, "fails");
    assert_eq!((how("m::plain").0.as_str(), how("older").0.as_str()), ("ruby", "bridge"));
    let run = folder.run(&["compat"]);
    let shown = format!(
        "\nfunction m::det needs the bridge (--ruby)\n  {}/modules/m/lib/puppet/functions/m/det.rb:1: the library \
         matrix\n",
        folder.real_path()
    );
    assert!(run.out.contains(&shown), "{}", run.out);
    assert_eq!(run.code, Some(1));
}
