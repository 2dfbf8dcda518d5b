//! `pantin why`: each kind of step, with the exact place of what it names.

use serde_json::{Value, json};

use crate::{Folder, Run};

const SITE: &str = "\
$tier = 'prod'
File { mode => '0600' }
node 'web1' {
  include role::web
}
node 'other' {
  include role::other
}
";

const ROLE: &str = "\
class role::web {
  include profile::base
  class { 'profile::app':
    port => 80 + 1,
  }
  include profile::app
  @user { 'deploy': uid => 900 }
  @user { 'nobody-wants': }
  User <| title == 'deploy' |> { shell => '/bin/sh' }
  Class['profile::base'] -> User['deploy']
}
";

const BASE: &str = "\
class profile::base (
  String $contact,
  String $place = 'nowhere',
  Array $servers = [],
) {
  $family = $facts['os']['family']
  $conf = $family ? {
    'Debian' => '/etc/deb.conf',
    default  => '/etc/other.conf',
  }
  if $facts['virtual'] == 'kvm' {
    $size = 'small'
  } else {
    $size = 'big'
  }
  file { $conf:
    content => \"${contact} ${size} ${tier}\",
  }
  file { '/etc/motd':
    content => epp('profile/motd.epp', { 'where' => $place }),
    mode    => '0644',
  }
  file { '/etc/erb':
    content => template('profile/old.erb'),
  }
  $servers.each |$server| {
    profile::server { $server: noop => true }
  }
  $known = lookup('known', Array, 'unique')
  $doubled = profile::twice($known[0])
  file { '/etc/doubled': content => $doubled, }
  create_resources('file', { '/etc/made' => { 'owner' => $family } })
  file { '/etc/secret': content => Sensitive(\"pass ${lookup('password')}\") }
  if $facts['virtual'] == 'physical' {
    service { 'smartd': ensure => running }
  }
}
";

const SERVER: &str = "\
define profile::server (
  Integer $weight = 1,
) {
  file { \"/srv/${title}\": content => \"${weight}\" }
}
";

const APP: &str = "\
class profile::app (
  Integer $port,
) inherits profile::params {
  file { '/etc/app': content => \"${port} ${profile::params::user}\" }
}
";

const PARAMS: &str = "\
class profile::params {
  $user = 'app'
}
";

const CHILD: &str = "\
class profile::child inherits profile::base {
  File['/etc/motd'] { mode => '0640' }
}
";

const TWICE: &str = "\
function profile::twice(String $text) {
  $both = \"${text}${text}\"
  $both
}
";

fn repository() -> Folder {
    let facts = |name: &str| {
        let os = json!({ "family": "Debian", "name": "Debian" });
        json!({ "name": name, "values": { "os": os, "virtual": "kvm" } }).to_string()
    };
    let hiera = "version: 5\nhierarchy:\n  - name: Node\n    path: nodes/%{trusted.certname}.yaml\n  - name: Common\n    \
                 path: common.yaml\n";
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", SITE),
        ("modules/role/manifests/web.pp", ROLE),
        (
            "modules/role/manifests/other.pp",
            "class role::other {\n  include profile::child\n  include profile::gone\n}\n",
        ),
        ("modules/profile/manifests/base.pp", BASE),
        ("modules/profile/manifests/server.pp", SERVER),
        ("modules/profile/manifests/app.pp", APP),
        ("modules/profile/manifests/params.pp", PARAMS),
        ("modules/profile/manifests/child.pp", CHILD),
        ("modules/profile/manifests/gone.pp", "class profile::gone {\n  package { 'gone': }\n}\n"),
        ("modules/profile/functions/twice.pp", TWICE),
        (
            "modules/profile/templates/motd.epp",
            "<%- | String $where | -%>\n<%= $facts['os']['name'] %>\n<%= $where %>\n",
        ),
        ("modules/profile/templates/old.erb", "<%= @family %> <%= scope['profile::base::contact'] %>\n"),
        ("hiera.yaml", hiera),
        ("data/nodes/web1.yaml", "profile::base::place: hall\nknown:\n  - a\n"),
        (
            "data/common.yaml",
            "profile::base::contact: ops\nprofile::base::place: house\nprofile::base::servers:\n  - one\n  - two\nknown:\n  \
             - b\npassword: hunter2\n",
        ),
        ("facts/web1.json", &facts("web1")),
        ("facts/other.json", &facts("other")),
    ])
}

fn why(folder: &Folder, node: &str, arguments: &[&str]) -> Run {
    let options = ["--environment-dir", ".", "--facts", "facts", "--node", node, "--puppet", "8"];
    folder.run(&[&["why"][..], arguments, &options].concat())
}

#[track_caller]
fn assert_tree(folder: &Folder, node: &str, arguments: &[&str], expected: &str) {
    let run = why(folder, node, arguments);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{arguments:?}: {}", run.out);
    assert_eq!(run.out, expected, "{arguments:?}");
}

#[test]
fn a_parameter_leads_to_data_facts_variables_and_conditions() {
    let folder = repository();
    assert_tree(
        &folder,
        "web1",
        &["File[/etc/deb.conf]", "content"],
        "\
File[/etc/deb.conf]
├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:16)
│  └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│     └─ included in the block of node web1  (manifests/site.pp:4)
└─ content => 'ops small prod': \"${contact} ${size} ${tier}\"  (modules/profile/manifests/base.pp:17)
   ├─ contact => 'ops', from the data
   │  └─ key profile::base::contact of the data = 'ops'
   │     └─ at level \"Common\"  (data/common.yaml:1)
   ├─ $size = 'small'  (modules/profile/manifests/base.pp:12)
   │  └─ because $facts['virtual'] == 'kvm' is true  (modules/profile/manifests/base.pp:11)
   │     └─ fact virtual = 'kvm'
   └─ $tier = 'prod'  (manifests/site.pp:1)
",
    );
}

#[test]
fn a_template_leads_to_what_it_reads() {
    let folder = repository();
    assert_tree(
        &folder,
        "web1",
        &["File[/etc/motd]", "content"],
        "\
File[/etc/motd]
├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:19)
│  └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│     └─ included in the block of node web1  (manifests/site.pp:4)
└─ content => \"Debian\\nhall\\n\": epp('profile/motd.epp', { 'where' => $place })  (modules/profile/manifests/base.pp:20)
   └─ template profile/motd.epp  (modules/profile/templates/motd.epp)
      ├─ fact os.name = 'Debian'
      └─ argument $where = 'hall': $place  (modules/profile/manifests/base.pp:20)
         └─ place => 'hall', from the data
            └─ key profile::base::place of the data = 'hall'
               ├─ at level \"Node\"  (data/nodes/web1.yaml:1)
               └─ overrides level \"Common\"  (data/common.yaml:2)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["File[/etc/erb]", "content"],
        "\
File[/etc/erb]
├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:23)
│  └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│     └─ included in the block of node web1  (manifests/site.pp:4)
└─ content => \"Debian ops\\n\": template('profile/old.erb')  (modules/profile/manifests/base.pp:24)
   └─ template profile/old.erb  (modules/profile/templates/old.erb)
      ├─ $family = 'Debian': $facts['os']['family']  (modules/profile/manifests/base.pp:6)
      │  └─ fact os.family = 'Debian'
      └─ contact => 'ops', from the data
         └─ key profile::base::contact of the data = 'ops'
            └─ at level \"Common\"  (data/common.yaml:1)
",
    );
}

#[test]
fn functions_and_merged_data_are_followed() {
    let folder = repository();
    assert_tree(
        &folder,
        "web1",
        &["File[/etc/doubled]", "content"],
        "\
File[/etc/doubled]
├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:31)
│  └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│     └─ included in the block of node web1  (manifests/site.pp:4)
└─ content => 'aa': $doubled  (modules/profile/manifests/base.pp:31)
   └─ $doubled = 'aa': profile::twice($known[0])  (modules/profile/manifests/base.pp:30)
      ├─ $known = ['a', 'b']: lookup('known', Array, 'unique')  (modules/profile/manifests/base.pp:29)
      │  └─ key known of the data = ['a', 'b']
      │     ├─ at level \"Node\"  (data/nodes/web1.yaml:2)
      │     └─ at level \"Common\"  (data/common.yaml:6)
      ├─ argument $text = 'a': $known[0]  (modules/profile/manifests/base.pp:30)
      │  └─ $known = ['a', 'b']: lookup('known', Array, 'unique')  (modules/profile/manifests/base.pp:29)  [see above]
      └─ $both = 'aa': \"${text}${text}\"  (modules/profile/functions/twice.pp:2)
         └─ argument $text = 'a': $known[0]  (modules/profile/manifests/base.pp:30)  [see above]
",
    );
    assert_tree(
        &folder,
        "web1",
        &["known"],
        "\
key known of the data = ['a', 'b']
├─ at level \"Node\"  (data/nodes/web1.yaml:2)
├─ at level \"Common\"  (data/common.yaml:6)
└─ asked for in Class[Profile::Base]: lookup('known', Array, 'unique')  (modules/profile/manifests/base.pp:29)
",
    );
}

#[test]
fn each_way_to_set_a_parameter_is_named() {
    let folder = repository();
    assert_tree(
        &folder,
        "web1",
        &["File[/etc/made]"],
        "\
File[/etc/made]
├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:32)
│  └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│     └─ included in the block of node web1  (manifests/site.pp:4)
├─ owner => 'Debian', given to a function: create_resources('file', { '/etc/made' => { 'owner' => $family } })  (modules/profile/manifests/base.pp:32)
│  └─ $family = 'Debian': $facts['os']['family']  (modules/profile/manifests/base.pp:6)
└─ mode => '0600', a resource default  (manifests/site.pp:2)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["User[deploy]"],
        "\
User[deploy]
├─ declared in Class[Role::Web]  (modules/role/manifests/web.pp:7)
│  └─ included in the block of node web1  (manifests/site.pp:4)
├─ collected in Class[Role::Web]: User <| title == 'deploy' |> { shell => '/bin/sh' }  (modules/role/manifests/web.pp:9)
├─ uid => 900  (modules/role/manifests/web.pp:7)
└─ shell => '/bin/sh', by a collector  (modules/role/manifests/web.pp:9)
",
    );
    assert_tree(
        &folder,
        "other",
        &["File[/etc/motd]", "mode"],
        "\
File[/etc/motd]
├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:19)
│  └─ inherited by class profile::child  (modules/profile/manifests/child.pp)
│     └─ included in Class[Role::Other]  (modules/role/manifests/other.pp:2)
│        └─ included in the block of node other  (manifests/site.pp:7)
└─ mode => '0640', by an override  (modules/profile/manifests/child.pp:2)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["File[/srv/one]"],
        "\
File[/srv/one]
├─ declared in Profile::Server[one]  (modules/profile/manifests/server.pp:4)
│  └─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:27)
│     └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│        └─ included in the block of node web1  (manifests/site.pp:4)
├─ content => '1': \"${weight}\"  (modules/profile/manifests/server.pp:4)
│  └─ weight => 1, the default of the definition  (modules/profile/manifests/server.pp:2)
└─ mode => '0600', a resource default  (manifests/site.pp:2)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["Class[profile::base]", "before"],
        "\
Class[Profile::Base]
├─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
│  └─ included in the block of node web1  (manifests/site.pp:4)
└─ before => ['User[deploy]'], from a relationship: Class['profile::base'] -> User['deploy']  (modules/role/manifests/web.pp:10)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["File[/etc/app]", "content"],
        "\
File[/etc/app]
├─ declared in Class[Profile::App]  (modules/profile/manifests/app.pp:4)
│  ├─ declared in Class[Role::Web]  (modules/role/manifests/web.pp:3)
│  │  └─ included in the block of node web1  (manifests/site.pp:4)
│  └─ also included in Class[Role::Web]  (modules/role/manifests/web.pp:6)
└─ content => '81 app': \"${port} ${profile::params::user}\"  (modules/profile/manifests/app.pp:4)
   ├─ port => 81: 80 + 1  (modules/role/manifests/web.pp:4)
   └─ $profile::params::user = 'app'  (modules/profile/manifests/params.pp:2)
",
    );
}

#[test]
fn a_class_leads_to_whoever_wanted_it() {
    let folder = repository();
    assert_tree(
        &folder,
        "web1",
        &["--class", "profile::app"],
        "\
Class[Profile::App]  (modules/profile/manifests/app.pp)
├─ declared in Class[Role::Web]  (modules/role/manifests/web.pp:3)
│  └─ included in the block of node web1  (manifests/site.pp:4)
└─ also included in Class[Role::Web]  (modules/role/manifests/web.pp:6)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["--class", "profile::params"],
        "\
Class[Profile::Params]  (modules/profile/manifests/params.pp)
└─ inherited by class profile::app  (modules/profile/manifests/app.pp)
   └─ declared in Class[Role::Web]  (modules/role/manifests/web.pp:3)
      └─ included in the block of node web1  (manifests/site.pp:4)
",
    );
    assert_tree(
        &folder,
        "other",
        &["--class", "profile::base"],
        "\
Class[Profile::Base]  (modules/profile/manifests/base.pp)
└─ inherited by class profile::child  (modules/profile/manifests/child.pp)
   └─ included in Class[Role::Other]  (modules/role/manifests/other.pp:2)
      └─ included in the block of node other  (manifests/site.pp:7)
",
    );
}

#[test]
fn what_is_absent_leads_to_what_kept_it_away() {
    let folder = repository();
    assert_tree(
        &folder,
        "web1",
        &["--not", "Service[smartd]"],
        "\
Service[smartd]
└─ written in Class[Profile::Base]: service { 'smartd': … }  (modules/profile/manifests/base.pp:35)
   └─ not reached, because $facts['virtual'] == 'physical' is false  (modules/profile/manifests/base.pp:34)
      └─ fact virtual = 'kvm'
",
    );
    assert_tree(
        &folder,
        "web1",
        &["--not", "Package[gone]"],
        "\
Package[gone]
└─ written in Class[Profile::Gone]: package { 'gone': … }  (modules/profile/manifests/gone.pp:2)
   └─ the node has no Class[Profile::Gone]
      └─ written in Class[Role::Other]: include profile::gone  (modules/role/manifests/other.pp:3)
         └─ the node has no Class[Role::Other]
            └─ written in node 'other': include role::other  (manifests/site.pp:7)
               └─ that block is of another node
",
    );
    assert_tree(
        &folder,
        "web1",
        &["--not", "User[nobody-wants]"],
        "\
User[nobody-wants]
└─ it is virtual, and no collector brings it  (modules/role/manifests/web.pp:8)
   └─ declared in Class[Role::Web]  (modules/role/manifests/web.pp:8)
      └─ included in the block of node web1  (manifests/site.pp:4)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["--not", "File[/etc/motd]"],
        "\
File[/etc/motd] is in the catalog
└─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:19)
   └─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)
      └─ included in the block of node web1  (manifests/site.pp:4)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["--not", "File[/etc/mot]"],
        "\
File[/etc/mot]
├─ file { $conf: … }: declared with other titles: /etc/deb.conf  (modules/profile/manifests/base.pp:16)
└─ file { \"/srv/${title}\": … }: declared with other titles: /srv/one, /srv/two  (modules/profile/manifests/server.pp:4)
",
    );
    assert_tree(
        &folder,
        "web1",
        &["--not", "Package[xyz]"],
        "\
Package[xyz]
└─ no manifest of the module path declares it
",
    );
}

#[test]
fn what_is_absent_for_one_reason_is_told_once() {
    let folder = Folder::with(&[
        ("facts/web1.json", "{}"),
        ("manifests/site.pp", "if false { include left } else { notify { 'x': } }\n"),
        ("modules/left/manifests/init.pp", "class left { include left::deep\n include left::other }\n"),
        ("modules/left/manifests/deep.pp", "class left::deep { package { 'gone': } }\n"),
        ("modules/left/manifests/other.pp", "class left::other { package { 'gone': } }\n"),
        ("modules/left/manifests/alone.pp", "class left::alone { file { '/x': } }\n"),
    ]);
    let said = |resource: &str| folder.run(&["why", "--not", resource, "--node", "web1", "--facts", "facts"]).out;
    let gone = said("Package[gone]");
    assert_eq!(gone.matches("not reached, because false is false").count(), 1, "{gone}");
    assert_eq!(gone.matches("the node has no Class[Left]  [see above]").count(), 1, "{gone}");
    let none = "the node has no Class[Left::Alone]\n      └─ no manifest of the module path includes it\n";
    assert!(said("File[/x]").contains(none), "{}", said("File[/x]"));
    let none = "└─ no manifest of the module path includes it\n";
    assert!(said("Class[left::alone]").contains(none), "{}", said("Class[left::alone]"));
}

#[test]
fn a_secret_hides_all_that_it_was_made_of() {
    let folder = repository();
    for format in ["text", "json", "dot"] {
        for arguments in [&["File[/etc/secret]"][..], &["File[/etc/secret]", "content"]] {
            let run = why(&folder, "web1", &[arguments, &["--format", format]].concat());
            assert_eq!(run.code, Some(0), "{}", run.err);
            assert!(!run.out.contains("hunter2"), "{format}: {}", run.out);
            assert!(run.out.contains("secret"), "{format}: {}", run.out);
        }
    }
}

#[test]
fn json_has_each_step_with_its_kind_place_and_value() {
    let folder = repository();
    let run = why(&folder, "web1", &["File[/etc/motd]", "content", "--format", "json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&answer["version"], &answer["node"]), (&json!(1), &json!("web1")));
    let [declared, content] = &answer["answer"]["because"].as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!(declared["kind"], "declared_in");
    assert_eq!(declared["file"], "modules/profile/manifests/base.pp");
    assert_eq!(declared["because"][0]["function"], "include");
    assert_eq!(
        (&content["kind"], &content["line"], &content["setter"]),
        (&json!("parameter"), &json!(20), &json!("declaration"))
    );
    let place = &content["because"][0]["because"][1]["because"][0];
    let levels: Vec<&Value> = place["because"][0]["because"].as_array().unwrap().iter().collect();
    let level =
        |at: usize| (levels[at]["file"].as_str(), levels[at]["line"].as_u64(), levels[at]["overridden"].as_bool());
    assert_eq!(place["value"], "hall");
    assert_eq!(level(0), (Some("data/nodes/web1.yaml"), Some(1), Some(false)));
    assert_eq!(level(1), (Some("data/common.yaml"), Some(2), Some(true)));
    let dot = why(&folder, "web1", &["File[/etc/motd]", "content", "--format", "dot"]).out;
    assert!(dot.starts_with("digraph why {") && dot.contains("[label = \"fact os.name = 'Debian'\"]"), "{dot}");
}

#[test]
fn the_part_of_a_fact_that_code_digs_for_is_named() {
    let folder = repository();
    folder.write("manifests/site.pp", "notify { 'x': message => $facts.dig('os', 'name') }\n");
    let run = why(&folder, "web1", &["Notify[x]", "message"]);
    let facts: Vec<&str> = run.out.lines().filter(|line| line.contains("fact")).skip(1).collect();
    assert!(facts.len() == 1 && facts[0].ends_with("fact os.name = 'Debian'"), "{}", run.out);
}

#[test]
fn what_cannot_be_answered_says_why_and_what_may_be_meant() {
    let folder = repository();
    let said = |arguments: &[&str], code: i32| {
        let run = why(&folder, "web1", arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(code)), "{arguments:?}: {}", run.err);
        run.err
    };
    assert_eq!(
        said(&["File[/etc/mod]"], 1),
        "Error: web1: the catalog has no File[/etc/mod]; did you mean File[/etc/motd]?\n"
    );
    assert_eq!(
        said(&["Service[smartd]"], 1),
        "Error: web1: the catalog has no Service[smartd]; pantin why --not 'Service[smartd]' says what kept it away\n"
    );
    assert_eq!(
        said(&["File[/etc/motd]", "conten"], 1),
        "Error: web1: nothing sets conten of File[/etc/motd]; did you mean content?\n"
    );
    assert_eq!(
        said(&["--not", "Servic[smartd]"], 1),
        "Error: web1: there is no type of resources called 'servic'; did you mean service?\n"
    );
    assert!(said(&["nokey"], 1).contains("did not find a value for the name 'nokey'"));
    assert!(said(&["--not", "smartd"], 1).contains("'smartd' is no resource"));
    assert!(said(&["nokey", "content"], 2).contains("'nokey' is no resource that could have a parameter content"));
    let all = folder.run(&["why", "File[/etc/motd]", "--environment-dir", ".", "--facts", "facts", "--node", "*"]);
    assert!(all.code == Some(2) && all.err.contains("--node means 2 of them"), "{}", all.err);
}

#[test]
fn a_node_without_a_catalog_says_its_error() {
    let folder = repository();
    folder.write("modules/profile/manifests/params.pp", "class profile::params {\n  fail('no')\n}\n");
    let run = why(&folder, "web1", &["File[/etc/motd]"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
    assert!(run.err.contains("no (file: ") && run.err.contains("params.pp, line: 2"), "{}", run.err);
}

#[test]
fn a_class_is_absent_because_of_what_an_include_works_out() {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        ("facts/web1.json", "{\"role\": \"role::web\"}"),
        ("manifests/site.pp", "$role = $facts['role']\ninclude $role\n"),
        ("site/role/manifests/web.pp", "class role::web { $role.each |$one| { include role::db } }\n"),
        ("site/role/manifests/db.pp", "class role::db { }\n"),
    ]);
    folder.write("manifests/site.pp", "include $facts['role']\n");
    folder.write(
        "site/role/manifests/web.pp",
        "class role::web { lookup('more', default_value => ['role::log']).include }\n",
    );
    folder.write("site/role/manifests/log.pp", "class role::log { }\n");
    let run = folder.run(&["why", "--not", "Class[role::db]", "--node", "web1", "--facts", "facts"]);
    let expected = "\
Class[role::db]
├─ what is included in the site manifests is worked out: include $facts['role']: role::web  (manifests/site.pp:1)
│  └─ fact role = 'role::web'
└─ what is included in Class[Role::Web] is worked out: lookup('more', default_value => ['role::log']).include: role::log  (site/role/manifests/web.pp:1)
";
    assert!(run.out.starts_with(expected), "{}{}", run.out, run.err);
}
