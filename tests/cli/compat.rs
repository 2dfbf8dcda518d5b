//! What modules have in Ruby, and whether it runs here.

use serde_json::{Value, json};

use crate::Folder;

const FINE: &str = "\
Puppet::Functions.create_function(:'site::fine') do
  dispatch :fine do
    param 'String', :text
  end

  def fine(text)
    helper(text.upcase)
  end

  def helper(text)
    text.split(',').map(&:strip)
  end
end
";

const BAD: &str = "\
require 'no_such_gem'
require_relative '../../../site_helper'

module Puppet::Parser::Functions
  newfunction(:bad, :type => :rvalue) do |args|
    SiteHelper.twice(args[0])
    ObjectSpace.each_object { |one| one }
    find_hostclass(args[0]) if Facter.value(:kernel)
    begin
      require 'not_needed'
    rescue LoadError
      nil
    end
  end
end
";

const HELPER: &str = "module SiteHelper\n  def self.twice(text)\n    `echo #{text}`\n  end\nend\n";

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", ""),
        ("modules/site/lib/puppet/functions/site/fine.rb", FINE),
        ("modules/site/lib/puppet/parser/functions/bad.rb", BAD),
        ("modules/site/lib/site_helper.rb", HELPER),
        ("modules/site/lib/puppet/type/thing.rb", "Puppet::Type.newtype(:thing) { newparam(:name) }\n"),
        ("modules/site/lib/puppet/type/file.rb", "nonsense that is never run\n"),
        ("modules/site/templates/ok.erb", "<% @list.each do |item| -%>\n<%= item.upcase %>\n<% end -%>\n"),
        ("modules/site/templates/bad", "a\n<%= ENV['PATH'] %>\n"),
        ("modules/site/templates/plain.txt", "no tag\n"),
    ])
}

#[test]
fn what_would_fail_is_told_with_its_place() {
    let folder = repository();
    let at = folder.real_path();
    let run = folder.run(&["compat"]);
    let expected = format!(
        "\
MODULE  FUNCTIONS       TEMPLATES       TYPES             DATA TYPES
site    1 ruby, 1 fail  1 ruby, 1 fail  1 native, 1 ruby  -
(all)   1 ruby, 1 fail  1 ruby, 1 fail  1 native, 1 ruby  -

native: Pantin has it itself; ruby: its small Ruby runs it; fail: nothing runs it

function bad
  {at}/modules/site/lib/puppet/parser/functions/bad.rb:1: the library no_such_gem
  {at}/modules/site/lib/puppet/parser/functions/bad.rb:7: the constant ObjectSpace
  {at}/modules/site/lib/puppet/parser/functions/bad.rb:8: a fact of the machine that compiles
  {at}/modules/site/lib/puppet/parser/functions/bad.rb:8: the method Puppet::Parser::Scope#find_hostclass
  {at}/modules/site/lib/site_helper.rb:3: a command in backticks

template site/bad
  {at}/modules/site/templates/bad:2: the constant ENV
"
    );
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (expected.as_str(), "", Some(1)));
}

#[test]
fn functions_of_the_environment_itself_are_among_them() {
    let folder = repository();
    folder.write("lib/puppet/functions/own.rb", FINE.replace("'site::fine'", "'own'"));
    folder.write("lib/puppet/parser/functions/older.rb", BAD);
    let run = folder.run(&["compat"]);
    let lines: Vec<&str> = run.out.lines().take(3).collect();
    let expected = [
        "MODULE       FUNCTIONS       TEMPLATES       TYPES             DATA TYPES",
        "environment  1 ruby, 1 fail  -               -                 -",
        "site         1 ruby, 1 fail  1 ruby, 1 fail  1 native, 1 ruby  -",
    ];
    assert_eq!((lines.as_slice(), run.code), (&expected[..], Some(1)), "{}", run.out);
}

#[test]
fn json_has_every_part() {
    let folder = repository();
    let run = folder.run(&["compat", "--format", "json", "."]);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["summary"]["function"], json!({ "native": 0, "ruby": 1, "bridge": 0, "fail": 1 }));
    let parts = found["parts"].as_array().unwrap();
    let names: Vec<&str> = parts.iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["site::fine", "bad", "file", "thing", "site/bad", "site/ok.erb"]);
    let template = &parts[4];
    assert_eq!((&template["how"], &template["failing"][0]["line"]), (&json!("fails"), &json!(2)));
}

#[test]
fn a_folder_of_modules_is_enough_and_what_runs_is_named_on_request() {
    let folder = repository();
    folder.write("good/m/templates/a.erb", "<%= @a %>\n");
    let run = folder.run(&["compat", "good", "--all"]);
    let at = folder.real_path();
    let expected = format!(
        "\
ruby    template m/a.erb ({at}/good/m/templates/a.erb)

MODULE  FUNCTIONS  TEMPLATES  TYPES  DATA TYPES
m       -          1 ruby     -      -
(all)   -          1 ruby     -      -

ruby: its small Ruby runs it
"
    );
    assert_eq!((run.out.as_str(), run.code), (expected.as_str(), Some(0)));
    let run = folder.run(&["compat", "nowhere"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
    assert!(run.err.contains("nowhere is no folder"), "{}", run.err);
}

#[test]
fn where_there_are_no_modules_nothing_was_looked_at() {
    let folder = Folder::with(&[("empty/x", "")]);
    let run = folder.run(&["compat", "empty"]);
    let error = format!("Error: there is no module in {}/empty\n", folder.real_path());
    assert_eq!((run.out.as_str(), run.err, run.code), ("", error, Some(1)));
}

#[cfg(unix)]
#[test]
fn modules_that_cannot_be_listed_are_said() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = repository();
    let allow = |name: &str, mode| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow("modules", 0o000);
    let mut command = folder.command(&["compat"]);
    if std::fs::read_dir(folder.path().join("modules")).is_ok() {
        // The superuser is refused nothing, so somebody else has to ask.
        allow("", 0o755);
        command.uid(65_534).gid(65_534);
    }
    let run = crate::finish(command.spawn().unwrap());
    allow("modules", 0o700);
    let error = format!("Error: Permission denied @ dir_initialize - {}/modules\n", folder.real_path());
    assert_eq!((run.out.as_str(), run.err, run.code), ("", error, Some(1)));
}

#[test]
fn what_the_older_autoloader_finds_elsewhere_is_surveyed() {
    let folder = repository();
    folder.write("environment.conf", "modulepath = modules:base\n");
    let thing = "Puppet::Type.newtype(:thing) { newparam(:name) }\n";
    folder.write("base/site/lib/puppet/type/other.rb", thing.replace("thing", "other"));
    // That of the module comes first.
    folder.write("base/site/lib/puppet/type/thing.rb", thing);
    folder.write("modules/bad-name/lib/puppet/parser/functions/bad.rb", BAD);
    folder.write("modules/bad-name/lib/puppet/parser/functions/odd.rb", BAD.replace(":bad", ":odd"));
    folder.write("modules/bad-name/lib/puppet/functions/newer.rb", FINE);
    let run = folder.run(&["compat", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let files: Vec<&str> =
        report["parts"].as_array().unwrap().iter().filter_map(|part| part["file"].as_str()).collect();
    let strays: Vec<&&str> = files.iter().filter(|file| file.contains("base/") || file.contains("bad-name/")).collect();
    let expected = [
        "modules/bad-name/lib/puppet/parser/functions/bad.rb",
        "modules/bad-name/lib/puppet/parser/functions/odd.rb",
        "base/site/lib/puppet/type/other.rb",
    ];
    assert_eq!(strays.len(), expected.len(), "{strays:?}");
    assert!(strays.iter().zip(expected).all(|(file, end)| file.ends_with(end)), "{strays:?}");
}

#[test]
fn a_require_whose_path_is_put_together_is_followed() {
    let helper = "module Helper\n  def self.secret\n    Vault.read('x')\n  end\nend\n";
    let ways = [
        "require File.expand_path('../../../../helper', __FILE__)",
        "require File.join(File.dirname(__FILE__), '..', '..', '..', 'helper.rb')",
        "require File.join(__dir__, '../../../helper')",
        "require \"#{File.dirname(__FILE__)}/../../../helper\"",
        "require Pathname.new(__FILE__).dirname.join('../../../helper').to_s",
        "require (Pathname.new(__FILE__).parent + '../../../helper').to_s",
        "require_relative File.join('..', '..', '..', 'helper')",
    ];
    for way in ways {
        let function =
            format!("{way}\nPuppet::Functions.create_function(:'m::f') do\n  def f\n    Helper.secret\n  end\nend\n");
        let folder = Folder::with(&[
            ("manifests/site.pp", ""),
            ("modules/m/lib/helper.rb", &format!("require 'vault'\n{helper}")),
            ("modules/m/lib/puppet/functions/m/f.rb", &function),
        ]);
        let run = folder.run(&["compat"]);
        assert!(run.out.contains("helper.rb:1: the library vault"), "{way}: {}{}", run.out, run.err);
    }
}
