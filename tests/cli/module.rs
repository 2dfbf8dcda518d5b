//! The checkout of a module by itself: its folder has any name, its systems are its nodes, what it needs is named.

use serde_json::Value;

use crate::{Folder, finish};

const METADATA: &str = r#"{"name": "me-web", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x",
    "source": "x", "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 8.0.0"}],
    "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]},
        {"operatingsystem": "RedHat", "operatingsystemrelease": ["9"]}]}"#;

fn module() -> Folder {
    Folder::with(&[
        ("puppet-web/metadata.json", METADATA),
        ("puppet-web/manifests/init.pp", "class web { notify { $web::params::label: }  contain web::params }\n"),
        ("puppet-web/manifests/params.pp", "class web::params { $label = web::name($facts['os']['name']) }\n"),
        ("puppet-web/functions/name.pp", "function web::name($os) { \"web on ${os}\" }\n"),
        ("puppet-web/templates/x.epp", "<%= web::name('here') %>\n"),
        ("puppet-web/lib/puppet_x/me/web.rb", "module PuppetX\n  WEB_NAME = 'of its own'\nend\n"),
        (
            "puppet-web/lib/puppet/type/page.rb",
            "require 'puppet_x/me/web'\nPuppet::Type.newtype(:page) do\n  newparam(:name, namevar: true)\n  \
             newparam(:path)\nend\n",
        ),
        (
            "puppet-web/lib/puppet/functions/web/own.rb",
            "require_relative '../../../puppet_x/me/web'\nPuppet::Functions.create_function(:'web::own') do\n  def own\n    \
             PuppetX::WEB_NAME\n  end\nend\n",
        ),
    ])
}

fn run(folder: &Folder, arguments: &[&str]) -> crate::Run {
    let mut command = folder.command(arguments);
    command.current_dir(folder.path().join("puppet-web"));
    finish(command.spawn().unwrap())
}

#[test]
fn a_module_is_compiled_on_the_systems_that_it_is_for() {
    let folder = module();
    folder.write(
        "puppet-web/manifests/init.pp",
        "class web { contain web::params\n  notify { $web::params::label: } }\n",
    );
    let found = run(&folder, &["fleet", "-q", "--format", "json"]);
    let report: Value = serde_json::from_str(&found.out).expect(&found.err);
    let mut names: Vec<&str> =
        report["nodes"].as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!((names, found.code), (vec!["debian-12", "redhat-9"], Some(0)));
    let missing = "The module web needs modules that are not there: puppetlabs-stdlib >= 8.0.0 (rake spec_prep";
    assert!(found.err.contains(missing), "{}", found.err);
    let compiled = run(&folder, &["compile", "redhat-9", "-e", "include web"]);
    assert!(compiled.out.contains("web on RedHat"), "{}{}", compiled.out, compiled.err);
    // Stored answers are found again.
    let again = run(&folder, &["fleet", "-q", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&again.out).unwrap()["summary"]["kept"], 2);
}

#[test]
fn its_functions_and_templates_are_at_hand() {
    let folder = module();
    let said = run(&folder, &["eval", "--print", "-e", "web::name('x')", "--log-level", "err"]);
    assert_eq!((said.out.as_str(), said.code), ("'web on x'\n", Some(0)), "{}", said.err);
    let said = run(&folder, &["epp", "templates/x.epp", "--log-level", "err"]);
    assert_eq!(said.out, "web on here\n", "{}", said.err);
    assert_eq!(run(&folder, &["validate"]).code, Some(0));
    let listed = run(&folder, &["modules"]);
    assert!(listed.out.contains("me-web (v1.0.0)"), "{}{}", listed.out, listed.err);
}

#[test]
fn modules_that_it_needs_stand_in_its_fixtures() {
    let folder = module();
    folder.write("puppet-web/spec/fixtures/modules/stdlib/functions/f.pp", "function stdlib::f() { 'fixture' }\n");
    let said = run(&folder, &["eval", "--print", "-e", "stdlib::f()"]);
    assert_eq!(said.out, "'fixture'\n", "{}", said.err);
    assert!(!said.err.contains("not there"), "{}", said.err);
}

#[test]
fn an_edit_of_a_module_is_followed() {
    let folder = module();
    let place = folder.path().join("puppet-web");
    let place = place.to_str().unwrap();
    let compiled = folder.run(&["compile", "debian-12", "--environment-dir", place, "-e", "notice(web::name('y'))"]);
    assert!(compiled.err.contains("web on y"), "{}", compiled.err);
    folder.write("puppet-web/functions/name.pp", "function web::name($os) { \"edited ${os}\" }\n");
    let compiled = folder.run(&["compile", "debian-12", "--environment-dir", place, "-e", "notice(web::name('y'))"]);
    assert!(compiled.err.contains("edited y"), "{}", compiled.err);
}

#[test]
fn its_types_and_functions_in_ruby_are_found_whatever_its_folder_is_called() {
    let folder = module();
    let compiled =
        run(&folder, &["compile", "debian-12", "-e", "page { 'x': path => web::own() }", "--log-level", "err"]);
    assert!(compiled.out.contains("of its own"), "{}", compiled.err);
    let compiled = run(&folder, &["compile", "debian-12", "-e", "page { 'x': pth => 1 }", "--log-level", "err"]);
    assert!(compiled.err.contains("no parameter named 'pth'"), "{}", compiled.err);
}

#[test]
fn a_module_without_a_main_class_is_asked_what_to_compile() {
    let folder = module();
    std::fs::remove_file(folder.path().join("puppet-web/manifests/init.pp")).unwrap();
    for command in [&["fleet", "-q"][..], &["compile"], &["watch", "--edits", "1"]] {
        let found = run(&folder, command);
        let said = "Error: the module web has no class of its own name in manifests/init.pp: -e 'include web::…' says";
        assert!(found.err.contains(said), "{command:?}: {}", found.err);
        assert_eq!((found.out.as_str(), found.code), ("", Some(2)), "{command:?}");
    }
    assert_eq!(run(&folder, &["fleet", "-q", "-e", "include web::params"]).code, Some(0));
}

#[test]
fn systems_that_no_facts_are_made_up_for_are_told() {
    let folder = module();
    folder.write("puppet-web/metadata.json", METADATA.replace("[\"12\"]", "[\"12\", \"9\"]"));
    let found = run(&folder, &["fleet", "-q"]);
    let said =
        "Warning: No facts can be made up for these systems of the module web: debian-9 (--facts has those of real";
    assert!(found.err.contains(said), "{}", found.err);
    // Not where one system is meant.
    for command in [&["compile", "debian-12"][..], &["eval", "-e", "1"]] {
        let found = run(&folder, command);
        assert!(!found.err.contains("No facts can be made up"), "{command:?}: {}", found.err);
    }
}
