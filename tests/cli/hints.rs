//! Help beside the messages: the name that was meant, the data that gave a value, the line of a file of data or of a template.

use crate::{Folder, Run};

const FACTS: &str = r#"{"name": "web01.a", "values": {"os": {"family": "Debian", "release": {"major": "12"}}}}"#;

const HIERA: &str = "version: 5\nhierarchy:\n  - name: Nodes\n    path: nodes/%{trusted.certname}.yaml\n  - name: Common\n    \
                     path: common.yaml\n";

fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("hiera.yaml", HIERA),
        ("facts/web01.a.json", FACTS),
        ("manifests/site.pp", "include ntp\n"),
        ("modules/ntp/manifests/init.pp", "class ntp(Integer $port = 1) {\n  notice($port)\n}\n"),
        ("modules/apache/manifests/vhost.pp", "define apache::vhost($port) {}\n"),
    ]);
    files.iter().for_each(|(name, text)| folder.write(name, text));
    folder
}

fn shown(folder: &Folder, code: &str) -> String {
    let Run { err, .. } =
        folder.run(&["compile", "web01.a", "--facts", "facts", "--log-format", "text", "--no-cache", "-e", code]);
    // Lines are broken where the terminal ends.
    err.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_shown(folder: &Folder, code: &str, expected: &str) {
    let shown = shown(folder, code);
    assert!(shown.contains(expected), "{code}\n{shown}");
}

#[test]
fn a_missing_key_is_told_with_the_one_that_was_meant() {
    let folder = repository(&[]);
    for (code, help) in [
        (
            "$h = {'address' => {'a' => 1}} $h['adress']['a']",
            "the hash in $h has no key 'adress'; did you mean 'address'?",
        ),
        ("$facts['os']['famly']['x']", "the hash in $facts['os'] has no key 'famly'; did you mean 'family'?"),
        (
            "[{'address' => 1}].each |$h| { notice(\"${h['adress']['a']}\") }",
            "the hash in $h has no key 'adress'; did you mean 'address'?",
        ),
        (
            "function f(Struct[address => String] $x) {} f({'adress' => 'x'})",
            "there is no key 'adress'; did you mean 'address'?",
        ),
        ("class a { $package = 1 } include a notice($a::pakage)", "did you mean $a::package?"),
    ] {
        assert_shown(&folder, code, &format!("help: {help}"));
    }
    for code in ["$h = {'address' => {'a' => 1}} $h['port']['a']", "$h = {'address' => undef} $h['address']['a']"] {
        assert!(!shown(&folder, code).contains("help"), "{code}");
    }
}

#[test]
fn a_missing_definition_is_told_with_the_one_that_was_meant() {
    let folder = repository(&[]);
    for (code, help) in [
        ("class { 'ntpp': }", "there is no module ntpp in the module path; did you mean ntp?"),
        ("class { 'apache::vhst': }", "did you mean apache::vhost?"),
        ("Apache::Vhst { port => 1 }", "did you mean Apache::Vhost?"),
        ("Fil['a'] -> Notify['b']", "did you mean File?"),
        ("Nosuch::Thing { a => 1 }", "there is no module nosuch in the module path"),
        ("class a inherits nosuch::b {} include a", "there is no module nosuch in the module path"),
    ] {
        assert_shown(&folder, code, &format!("help: {help}"));
    }
}

#[test]
fn what_is_missing_is_told_with_the_module_that_has_it() {
    let folder = repository(&[("Puppetfile", "mod 'puppet/nginx', '5.0.0'\nmod 'puppetlabs/firewall', '8.0.0'\n")]);
    for (code, help) in [
        (
            "nginx::resource::server { 'a': }",
            "there is no module nginx in the module path; the Puppetfile names puppet/nginx 5.0.0 at line 1",
        ),
        (
            "firewall { 'a': }",
            "the module puppetlabs/firewall has it, which is not in the module path; the Puppetfile names",
        ),
        ("vcsrepo { 'a': }", "the module puppetlabs/vcsrepo has it, which is not in the module path"),
        ("mysql_password('a')", "the module puppetlabs/mysql has it, which is not in the module path"),
        ("validate_legacy(1)", "the module puppetlabs/stdlib has it, which is not in the module path"),
        (
            "include postgresql::server",
            "there is no module postgresql in the module path; puppetlabs/postgresql is on the Forge",
        ),
        ("include \"role::${nothing}\"", "a part of the name is empty"),
    ] {
        let strict = if code.contains("nothing") { "$nothing = undef " } else { "" };
        assert_shown(&folder, &format!("{strict}{code}"), &format!("help: {help}"));
    }
}

#[test]
fn an_open_block_of_a_template_shows_where_it_begins() {
    let folder = repository(&[("modules/ntp/templates/a.erb", "one\n<% if true -%>\ntwo\n\n\nthree\n")]);
    assert_shown(&folder, "notice(template('ntp/a.erb'))", "[modules/ntp/templates/a.erb:2:1]");
    assert_shown(&folder, "notice(template('ntp/a.erb'))", "this is never closed");
}

#[test]
fn an_error_of_data_shows_its_line() {
    let data = "---\na: 1\nbad:\n  deep:\n    - ok\n    - \"%{nosuch('x')}\"\nloop: \"%{lookup('loop')}\"\n";
    let folder = repository(&[("data/common.yaml", data)]);
    for (code, place, line) in [
        ("lookup('bad')", "data/common.yaml:6:8", "- \"%{nosuch('x')}\""),
        ("lookup('loop')", "data/common.yaml:7:8", "loop: \"%{lookup('loop')}\""),
    ] {
        assert_shown(&folder, code, &format!("╭─[{place}]"));
        assert_shown(&folder, code, line);
    }
    folder.write("data/common.yaml", "a: 1\nb: [x\nc: d\n");
    assert_shown(&folder, "lookup('a')", "╭─[data/common.yaml:2:4] 1 │ a: 1 2 │ b: [x");
}

#[test]
fn equal_errors_of_the_data_of_several_nodes_are_shown_where_each_is() {
    let folder = repository(&[
        ("data/nodes/web01.a.yaml", "---\n# a comment\nbad: \"%{nosuch('x')}\"\n"),
        ("data/nodes/web02.a.yaml", "bad: \"%{nosuch('x')}\"\n"),
        ("facts/web02.a.json", "{}"),
        ("manifests/site.pp", "lookup('bad')\n"),
    ]);
    let all = folder.run(&["fleet", "--facts", "facts", "--no-cache", "--jobs", "1"]).out;
    for place in ["    data/nodes/web01.a.yaml:3:7\n", "    data/nodes/web02.a.yaml:1:7\n"] {
        assert!(all.contains(place), "{place}{all}");
    }
}

#[test]
fn a_value_of_the_wrong_type_is_told_with_the_data_that_gave_it() {
    let folder = repository(&[
        ("data/common.yaml", "other: 1\n"),
        ("data/nodes/web01.a.yaml", "---\n# a comment\nntp::port: high\n"),
        ("data/nodes/web02.a.yaml", "ntp::port: high\n"),
        ("facts/web02.a.json", "{}"),
    ]);
    let help = |file: &str, line: u32| {
        format!("the value of 'ntp::port' is from the data: Hierarchy entry \"Nodes\" (file: {file}, line: {line})")
    };
    let all = folder.run(&["fleet", "--facts", "facts", "--no-cache"]).out;
    // Both bodies were given the same: what gave it to them is told of each node by itself.
    assert!(all.contains(&help("data/nodes/web01.a.yaml", 3)), "{all}");
    assert!(all.contains(&help("data/nodes/web02.a.yaml", 1)), "{all}");
    assert!(!shown(&folder, "class { 'ntp': port => 'x' }").contains("from the data"));
    // The line of an answer from the cache is that of today.
    let arguments = ["compile", "web01.a", "--facts", "facts", "--log-format", "text"];
    let places = || {
        let err = folder.run(&arguments).err.split_whitespace().collect::<Vec<_>>().join(" ");
        err.split_once("line: ").map(|(_, rest)| rest[..1].to_owned())
    };
    assert_eq!([places(), places()], [Some("3".to_owned()), Some("3".to_owned())]);
    folder.write("data/nodes/web01.a.yaml", "---\nntp::port: high\n");
    assert_eq!(places().as_deref(), Some("2"));
}

#[test]
fn an_error_of_a_template_shows_its_line() {
    let folder = repository(&[
        ("modules/ntp/templates/a.erb", "one\n  <%= scope.nothing %>\n"),
        ("modules/ntp/templates/b.epp", "one\n<%= $x['a']['b'] %>\n"),
        ("manifests/site.pp", "\ntemplate('ntp/a.erb')\n"),
    ]);
    assert_shown(
        &folder,
        "$t = template('ntp/a.erb')",
        "╭─[modules/ntp/templates/a.erb:2:3] 1 │ one 2 │ <%= scope.nothing %>",
    );
    assert_shown(&folder, "$t = template('ntp/a.erb')", "called from <code>:1:6");
    assert_shown(&folder, "$x = {} $t = epp('ntp/b.epp')", "╭─[modules/ntp/templates/b.epp:2:5]");
    let fleet = folder.run(&["fleet", "--facts", "facts"]).out;
    assert!(fleet.contains("    modules/ntp/templates/a.erb:2:3\n       2 │   <%= scope.nothing %>\n"), "{fleet}");
}

#[test]
fn a_read_of_the_network_names_recorded_answers() {
    let function = "require 'open-uri'\nPuppet::Functions.create_function(:'ntp::fetch') do\n  def fetch(url)\n    \
                    URI.parse(url).read\n  end\nend\n";
    let folder = repository(&[("modules/ntp/lib/puppet/functions/ntp/fetch.rb", function)]);
    assert_shown(
        &folder,
        "ntp::fetch('http://a.b/c')",
        "Ruby code of modules would read http://a.b/c: the network is not asked here; --answers FILE",
    );
}

#[test]
fn a_failed_lookup_shows_its_line_and_the_key_that_was_meant() {
    let folder = repository(&[("data/common.yaml", "ntp::servers: [a]\nother: 1\n")]);
    let shown_code = "notice(lookup('ntp::serverz'))";
    assert_shown(&folder, shown_code, "1 │ notice(lookup('ntp::serverz'))");
    assert_shown(&folder, shown_code, "help: did you mean 'ntp::servers'?");
    let help = "help: pantin lookup nothing::near --node NODE --explain says where it was looked for";
    assert_shown(&folder, "notice(lookup('nothing::near'))", help);
    // The text of the error is Puppet's, without a place.
    let run = folder.run(&["compile", "web01.a", "--facts", "facts", "--no-cache", "-e", shown_code]);
    assert_eq!(run.err, "Error: Function lookup() did not find a value for the name 'ntp::serverz'\n");
    // A key that is added near it is another answer, also of a stored one.
    folder.write("manifests/site.pp", shown_code);
    let fleet = || folder.run(&["fleet", "-q", "--facts", "facts"]).out;
    assert!(
        fleet().contains("manifests/site.pp:1:8\n") && fleet().contains("did you mean 'ntp::servers'?"),
        "{}",
        fleet()
    );
    folder.write("data/common.yaml", "ntp::serverzz: [a]\n");
    assert!(fleet().contains("did you mean 'ntp::serverzz'?"), "{}", fleet());
}

#[test]
fn a_parameter_type_of_a_missing_module_shows_its_line_and_the_module() {
    let class = "class ntp(\n  Stdlib::Port $port = 1,\n) {}\n";
    let folder = repository(&[("modules/ntp/manifests/init.pp", class)]);
    assert_shown(&folder, "include ntp", "[modules/ntp/manifests/init.pp:2:3]");
    assert_shown(&folder, "include ntp", "help: there is no module stdlib in the module path");
}

#[test]
fn a_syntax_error_of_a_template_shows_the_line_of_the_template() {
    let folder = repository(&[("modules/ntp/templates/a.epp", "one\n<%= $a[ %>\n")]);
    let code = "notice(epp('ntp/a.epp'))";
    assert_shown(&folder, code, "× Syntax error at '%>' ╭─[modules/ntp/templates/a.epp:2:9]");
    assert_shown(&folder, code, "called from <code>:1:8");
    folder.write("manifests/site.pp", code);
    let report = folder.run(&["fleet", "-q", "--facts", "facts"]).out;
    assert!(report.contains("modules/ntp/templates/a.epp:2:9\n") && report.contains("2 │ <%= $a[ %>"), "{report}");
}

#[test]
fn an_error_of_hiera_yaml_shows_the_line() {
    let folder = repository(&[]);
    let level = "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n  - name: Nodes\n";
    for (config, place) in [
        (format!("{level}    pth: nodes.yaml\n"), "hiera.yaml:6:5"),
        (format!("{level}    path: a.yaml\n    paths: [b.yaml]\n"), "hiera.yaml:5:3"),
        (format!("{level}    path: 5 # path\n"), "hiera.yaml:4:5"),
    ] {
        folder.write("hiera.yaml", config);
        assert_shown(&folder, "notice(lookup('a', undef, undef, 1))", &format!("╭─[{place}]"));
    }
}

#[test]
fn a_legacy_fact_is_told_with_the_modern_one() {
    let folder = repository(&[]);
    let help = "help: 'osfamily' is a legacy fact, which Puppet 8 does not have: $facts['os']['family'] says the same";
    assert_shown(&folder, "notice($::osfamily)", help);
    assert_shown(&folder, "class a { notice($osfamily) } include a", help);
}

#[test]
fn an_error_at_the_end_of_a_file_shows_what_is_not_closed() {
    let folder = repository(&[("manifests/site.pp", "\nnode default {\n  notify { 'x': }\n")]);
    // From the store as well.
    for _ in 0..2 {
        let report = folder.run(&["fleet", "-q", "--facts", "facts"]).out;
        assert!(report.contains("manifests/site.pp:2:14\n") && report.contains("2 │ node default {\n"), "{report}");
    }
}

#[test]
fn a_type_and_an_older_function_of_any_folder_are_told_by_a_near_name() {
    let folder = repository(&[
        ("environment.conf", "modulepath = modules:base\n"),
        ("modules/sh/files/x", ""),
        ("base/sh/lib/puppet/type/shadowy.rb", "Puppet::Type.newtype(:shadowy) { newparam(:name) }\n"),
        (
            "modules/bad-name/lib/puppet/parser/functions/strayed.rb",
            "Puppet::Parser::Functions.newfunction(:strayed, :type => :rvalue) { |args| 1 }\n",
        ),
    ]);
    assert_shown(&folder, "shadowi { 'a': }", "did you mean shadowy?");
    assert_shown(&folder, "Shadowi['a'] -> Shadowi['b']", "did you mean Shadowy?");
    assert_shown(&folder, "strayd()", "did you mean strayed?");
}
