//! Edits of data: what bodies are told otherwise is known by asking the data once more.

use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::{Row, holds_of, live, repository_of};
use libtest_mimic::{Failed, Trial};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 28] = [
    ("plain", "include app"),
    ("reading", "include app\n  notify { \"port ${app::port}\": }"),
    ("peeking", "include app\n  notify { \"port ${Class['app']['port']}\": }"),
    ("collecting", "Notify <| title == 'motd' |> { withpath => true }\n  include app"),
    ("declared", "class { 'app': extra => 'given' }"),
    ("calling", "include app\n  notify { 'called': message => \"on ${lookup('app::port')}\" }"),
    ("logging", "include app\n  notice(lookup('app::motd'))"),
    ("inheriting", "include app::child"),
    ("calling_inside", "include app\n  notify { 'inside': message => lookup('outer') }"),
    ("with", "include app\n  notify { 'with': message => with('x') |$x| { lookup('local') } }"),
    ("hiding", "include app\n  $kind = 'mine'\n  notify { 'hidden': message => lookup('of_kind') }"),
    ("deep", "include app\n  notify { 'deep': message => lookup('table.in.side') }"),
    ("reading_inner", "include app\n  notify { \"inner ${app::inner::level}\": }"),
    ("collecting_item", "App::Item <| title == 'i' |> { text => 'collected' }\n  include app"),
    ("overriding", "include app\n  include over"),
    ("by_default", "App::Item { note => 'by default' }\n  include app"),
    ("peeking_item", "include app\n  notify { \"item ${App::Item['i']['text']}\": }"),
    ("items", "include app\n  app::item { 'own': text => lookup('inner') }"),
    ("class_of_item", "include app\n  class { 'app::inner2': level => lookup('greeting') }"),
    ("config", "include app\n  include app::config"),
    ("asking_first", "notify { 'before': message => \"<${getvar('app::port')}>\" }\n  include app"),
    ("by_data", "include app\n  notify { 'by data': message => lookup('by_variable') }"),
    ("handing_on", "include app\n  include app::handing"),
    ("peeking_own", "include app\n  app::looking { 'l': }\n  notify { \"own ${App::Looking['l']['what']}\": }"),
    ("dotted", "include app\n  notify { 'dotted': message => lookup(\"'dotted.key'\") }"),
    ("by_tag", "include app\n  File <| tag == 'app' |> -> Notify['other']"),
    ("by_value", "include app\n  Notify <| message == 'hello' |> -> File['/etc/app']"),
    ("relating", "include app\n  App::Item['i'] -> Notify['motd']"),
];

const APP: &str = "class app(Integer $port = 1, String $motd = 'none', Array[String] $names = [], $extra = undef, Optional[String] $level = undef) {
  file { '/etc/app': content => \"port=${port}\\nextra=${extra}\\n\" }
  notify { 'motd': message => $motd }
  $names.each |$name| { file { \"/srv/${name}\": ensure => directory } }
  if $level { notify { 'level': message => $level } }
  class { 'app::inner': level => $motd }
  include app::other
}
";

const INNER: &str = "class app::inner($level, $own = \"own ${level}\") {
  app::item { 'i': text => \"${level}!\", note => $app::extra }
  app::item { ['j', 'k']: text => $own }
  file { '/etc/inner': content => \"${level} on ${facts['host']}\" }
}
";

const ITEM: &str = "define app::item($text, $note = \"note of ${text}\") {
  file { \"/item/${title}\": content => \"${text} for ${facts['host']}\", mode => '0644' }
  notify { \"item ${title}\": message => $note }
  if $text =~ /1/ { notify { \"one ${title}\": } }
  app::part { \"${title} of it\": what => [$text, $note] }
}
";

const SITE: &str = "Notify { withpath => false }
$tier = \"tier ${facts['kind']}\"
include early
$site = 'of all'
notify { 'late': message => lookup('late') }
node default { include \"role::${facts['role']}\" }
";

const HIERA: &str = "version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: \"nodes/%{trusted.certname}.yaml\" }
  - { name: kind, paths: [\"kind/%{facts.kind}.yaml\", \"kind/%{::kind}-too.yaml\"] }
  - { name: tier, path: \"%{::tier}.yaml\" }
  - { name: all, path: common.yaml }
";

const COMMON: &str = "lookup_options:
  app::names: { merge: unique }
app::port: 80
app::motd: \"%{alias('greeting')}\"
greeting: hello
app::names: [one, two]
outer: \"<%{lookup('middle')}>\"
middle: \"(%{lookup('inner')})\"
inner: core
local: \"local %{x}\"
of_kind: \"kind %{kind}\"
early::value: 1
dotted.key: \"%{lookup('inner')} dotted\"
late: \"%{::site}\"
by_variable: \"port %{app::port}\"
table: { in: { side: 1 } }
app::other::secret: none
nobody::asks: 1
";

const CONFIG: &str = "class app::config($names = $app::names) {
  file { '/etc/app.conf': content => \"${app::port} on ${facts['host']} ${::app::motd}\" }
  $names.each |$name| { notify { \"config ${name}\": message => $app::motd } }
  notify { 'first': message => \"${names[0]} ${app::names[0]}\" }
}
";

const FILES: [(&str, &str); 18] = [
    (
        "modules/app/manifests/looking.pp",
        "define app::looking($what = lookup('inner')) {\n  notify { \"looked ${title}\": message => $what }\n}\n",
    ),
    ("modules/early/manifests/init.pp", "class early($value) {\n  notify { 'early': message => $value }\n}\n"),
    ("modules/app/manifests/config.pp", CONFIG),
    (
        "modules/app/manifests/handing.pp",
        "class app::handing {\n  $list = $app::names\n  $port = $app::port\n  include app::handed\n}\n",
    ),
    (
        "modules/app/manifests/handed.pp",
        "class app::handed {\n  notify { 'handed': message => \"${app::handing::list} ${app::handing::port}\" }\n}\n",
    ),
    ("modules/app/manifests/inner.pp", INNER),
    ("modules/app/manifests/item.pp", ITEM),
    (
        "modules/app/manifests/part.pp",
        "define app::part($what) {\n  notify { \"part ${title}\": message => $what[0], tag => 'part' }\n}\n",
    ),
    ("modules/app/manifests/inner2.pp", "class app::inner2($level) {\n  app::item { 'of2': text => $level }\n}\n"),
    (
        "modules/over/manifests/init.pp",
        "class over inherits app::inner {\n  App::Item['i'] { note => 'overridden' }\n}\n",
    ),
    ("modules/app/manifests/init.pp", APP),
    ("modules/app/manifests/other.pp", "class app::other($secret = 'x') {\n  notify { 'other': }\n}\n"),
    (
        "modules/app/manifests/child.pp",
        "class app::child($own = 'x') inherits app {\n  notify { 'child': message => $own }\n}\n",
    ),
    ("hiera.yaml", HIERA),
    ("data/common.yaml", COMMON),
    ("data/kind/b.yaml", "app::names: [of_b]\n"),
    ("data/nodes/plain-a2.yaml", "app::names: [of_a2]\n"),
    ("environment.conf", "modulepath = modules\n"),
];

/// All second ones.
const EVERYBODY: &str = "asking_first b by_data by_default by_tag by_value calling calling_inside class_of_item collecting collecting_item config declared deep dotted handing_on hiding inheriting items logging overriding peeking peeking_item peeking_own plain reading reading_inner relating with";

const COMMON_YAML: &str = "data/common.yaml";

fn repository() -> State {
    repository_of(SITE, &FILES, &ROLES)
}

fn replaces(name: &'static str, edits: &[(&str, &str, &str)], doubts: &'static str) -> Row {
    let edit = |(path, old, new): &(&str, &str, &str)| Edit::Replace {
        path: (*path).to_owned(),
        old: (*old).to_owned(),
        new: (*new).to_owned(),
    };
    Row { name, edits: edits.iter().map(edit).collect(), doubts }
}

fn row(name: &'static str, old: &str, new: &str, doubts: &'static str) -> Row {
    replaces(name, &[(COMMON_YAML, old, new)], doubts)
}

fn rows() -> Vec<Row> {
    let kind = "data/kind/b.yaml";
    vec![
        row("a key that nobody asks for", "nobody::asks: 1", "nobody::asks: 2", ""),
        row("a comment in data", "app::port", "# Of all.\napp::port", ""),
        row("a value of all", "app::port: 80", "app::port: 81", "by_data handing_on peeking"),
        row("a value that goes", "app::port: 80\n", "", "by_data calling handing_on peeking plain"),
        row("a value more", "inner:", "app::level: high\ninner:", "by_value plain"),
        row(
            "a value that another is",
            "greeting: hello",
            "greeting: 'good bye'",
            "by_default by_value collecting collecting_item logging overriding peeking_item",
        ),
        row("a value two keys away", "inner: core", "inner: kernel", "peeking_own"),
        row("a list, merged with those of nodes", "[one, two]", "[one, three]", "by_tag config handing_on"),
        replaces(
            "what code comes to say later, on some nodes",
            &[
                (COMMON_YAML, "early::value: 1", "early::value: 2"),
                (kind, "[of_b]", "[of_b]\nearly::value: \"%{::site}\""),
            ],
            "b by_value",
        ),
        replaces("a list of some nodes", &[(kind, "[of_b]", "[of_b, too]")], ""),
        row(
            "what the node says in a value",
            "hello",
            "'on %{facts.kind}'",
            "by_default by_value collecting collecting_item logging overriding peeking_item",
        ),
        row("what the node says, as nobody asked before", "hello", "'on %{facts.host}'", EVERYBODY),
        row("what a local says", "local %{x}", "still local %{x}", "with"),
        row("what may be hidden", "kind %{kind}", "the kind %{kind}", "hiding"),
        row("what code comes to say later", "early::value: 1", "early::value: \"%{::site}\"", EVERYBODY),
        row("a value that is asked for early", "early::value: 1", "early::value: 2", "by_value"),
        row(
            "a value that each node says of itself",
            "early::value: 1",
            "early::value: \"of %{facts.kind}\"",
            "by_value",
        ),
        row("what code said before", "early::value: 1", "early::value: \"of %{::tier}\"", "by_value"),
        row("a key with a dot", "} dotted", "} is dotted", ""),
        row("a part of a table", "side: 1", "side: 2", ""),
        row("a value of the wrong type", "app::port: 80", "app::port: many", EVERYBODY),
        row("how a key is looked up", "merge: unique", "merge: first", EVERYBODY),
        row("data that cannot be read", "greeting: hello", "greeting: [", EVERYBODY),
        row("a key of a class that no node has", "app::other::secret: none", "app::another::secret: none", ""),
    ]
}

/// Edits of data and of code at once.
fn rows_with_code() -> Vec<Row> {
    vec![
        replaces(
            "a value here, a body there",
            &[
                (COMMON_YAML, "app::port: 80", "app::port: 81"),
                ("modules/app/manifests/other.pp", "notify { 'other': }", "notify { 'other': message => 'now' }"),
            ],
            "by_data by_value handing_on peeking",
        ),
        replaces(
            "a value, and lines of the class that asks for it",
            &[
                (COMMON_YAML, "app::port: 80", "app::port: 81"),
                ("modules/app/manifests/init.pp", "class app", "# Moved.\nclass app"),
            ],
            "by_data handing_on peeking",
        ),
        replaces(
            "a value, and the body that asks for it",
            &[(COMMON_YAML, "app::port: 80", "app::port: 81"), ("modules/app/manifests/init.pp", "port=", "the port=")],
            "by_data handing_on peeking",
        ),
    ]
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: data: {}", row.name), move || holds_of(repository(), &row));
    let mut trials: Vec<Trial> = rows().into_iter().chain(rows_with_code()).map(one).collect();
    trials.push(Trial::test("patched: data: edits at random", at_random));
    trials
}

/// What is put into data at random; `{}` is a number.
const VALUES: [&str; 28] = [
    "early::value: {}",
    "late: \"%{::site} {}\"",
    "early::value: \"%{::tier} {}\"",
    "late: \"%{::tier} {}\"",
    "app::inner::own: 'o{}'",
    "app::inner::own: \"%{alias('inner')}\"",
    "app::inner2::level: 'never {}'",
    "app::extra: 'e{}'",
    "app::port: 8{}",
    "app::motd: 'said {}'",
    "app::motd: \"%{lookup('inner')} {}\"",
    "app::motd: \"%{alias('greeting')}\"",
    "app::motd: \"%{facts.kind} {}\"",
    "app::motd: \"%{::kind} {}\"",
    "app::motd: \"%{facts.host} {}\"",
    "app::names: [n{}, m{}]",
    "app::names: [one, {}]",
    "app::level: 'l{}'",
    "app::extra: \"%{lookup('outer')}\"",
    "app::other::secret: {}",
    "greeting: 'g{}'",
    "inner: 'i{}'",
    "middle: \"m{} %{lookup('inner')}\"",
    "outer: \"%{lookup('middle')} {}\"",
    "local: \"%{x} {}\"",
    "of_kind: \"%{kind} {}\"",
    "table: { in: { side: {} } }",
    "app::child::own: 'o{}'",
];

fn at_random() -> Result<(), Failed> {
    let mut numbers = Numbers::new(78);
    let files = [COMMON_YAML, COMMON_YAML, COMMON_YAML, "data/kind/b.yaml", "data/nodes/plain-a2.yaml"];
    live(&repository, &mut numbers, |state, numbers| {
        let path = numbers.pick(&files);
        let mut lines: Vec<String> = state.text(path).unwrap_or_default().lines().map(str::to_owned).collect();
        let value = numbers.pick(&VALUES).replace("{}", &numbers.below(3).to_string());
        let key = value.split(": ").next().unwrap_or_default().to_owned();
        lines.retain(|line| !line.starts_with(&format!("{key}:")));
        if numbers.below(6) > 0 {
            lines.push(value);
        }
        let text = if lines.is_empty() { "{}\n".to_owned() } else { lines.join("\n") + "\n" };
        state.edit(&Edit::Write(path.to_owned(), text.clone().into_bytes()));
        if numbers.below(4) == 0 {
            let moved = format!("\n{}", state.text("modules/app/manifests/init.pp").unwrap_or_default());
            state.edit(&Edit::Write("modules/app/manifests/init.pp".to_owned(), moved.into_bytes()));
        }
        format!("{path}:\n{text}")
    })
}
