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
    profile::server { $server: }
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
    let facts = json!({ "name": "web1", "values": {
        "os": { "family": "Debian", "name": "Debian" }, "virtual": "kvm", "networking": { "fqdn": "web1" },
    } });
    let hiera = "version: 5\nhierarchy:\n  - name: Node\n    path: nodes/%{trusted.certname}.yaml\n  - name: Common\n    \
                 path: common.yaml\n";
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", SITE),
        ("modules/role/manifests/web.pp", ROLE),
        ("modules/role/manifests/other.pp", "class role::other {\n  include profile::child\n  include profile::gone\n}\n"),
        ("modules/profile/manifests/base.pp", BASE),
        ("modules/profile/manifests/server.pp", SERVER),
        ("modules/profile/manifests/app.pp", APP),
        ("modules/profile/manifests/params.pp", PARAMS),
        ("modules/profile/manifests/child.pp", CHILD),
        ("modules/profile/manifests/gone.pp", "class profile::gone {\n  package { 'gone': }\n}\n"),
        ("modules/profile/functions/twice.pp", TWICE),
        ("modules/profile/templates/motd.epp", "<%- | String $where | -%>\n<%= $facts['os']['name'] %>\n<%= $where %>\n"),
        ("modules/profile/templates/old.erb", "<%= @family %> <%= scope['profile::base::contact'] %>\n"),
        ("hiera.yaml", hiera),
        ("data/nodes/web1.yaml", "profile::base::place: hall\nknown:\n  - a\n"),
        (
            "data/common.yaml",
            "profile::base::contact: ops\nprofile::base::place: house\nprofile::base::servers:\n  - one\n  - two\nknown:\n  \
             - b\npassword: hunter2\n",
        ),
        ("facts/web1.json", &facts.to_string()),
    ])
}

fn why(folder: &Folder, arguments: &[&str]) -> Run {
    let options = ["--environment-dir", ".", "--facts", "facts", "--node", "web1", "--puppet", "8"];
    folder.run(&[&["why"][..], arguments, &options].concat())
}

/// The tree without its first line, which names what was asked.
fn tree(folder: &Folder, arguments: &[&str]) -> String {
    let run = why(folder, arguments);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{arguments:?}: {}", run.out);
    run.out.split_once('\n').map(|(_, below)| below.to_owned()).unwrap_or_default()
}

#[track_caller]
fn assert_tree(folder: &Folder, arguments: &[&str], expected: &str) {
    assert_eq!(tree(folder, arguments), expected, "{arguments:?}");
}

/// How a resource of the class `profile::base` came to be declared, in this line.
fn declared(line: u32) -> String {
    format!(
        "├─ declared in Class[Profile::Base]  (modules/profile/manifests/base.pp:{line})\n\
         │  ├─ included in Class[Role::Web]  (modules/role/manifests/web.pp:2)\n\
         │  │  └─ included in the block of node web1  (manifests/site.pp:4)\n"
    )
}

#[test]
fn a_parameter_leads_to_data_facts_variables_and_conditions() {
    let folder = repository();
    let expected = declared(16).replace("│  ├─ included in Class", "│  └─ included in Class").replace("│  │  └─", "│     └─")
        + "\
└─ content => 'ops small prod': \"${contact} ${size} ${tier}  (modules/profile/manifests/base.pp:17)
   ├─ contact => 'ops', from the data
   │  └─ key profile::base::contact of the data = 'ops'
   │     └─ at level \"Common\"  (data/common.yaml:1)
   ├─ $size = 'small'  (modules/profile/manifests/base.pp:12)
   │  └─ because $facts['virtual'] == 'kvm' is true  (modules/profile/manifests/base.pp:11)
   │     └─ fact virtual = 'kvm'
   └─ $tier = 'prod'  (manifests/site.pp:1)
";
    assert_tree(&folder, &["File[/etc/deb.conf]", "content"], &expected);
}
