//! One edit at random, valid or not, of whatever is there.

use serde_json::{Map, Value, json};

use super::super::random::damage::damaged;
use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};

/// What may stand in a class; `{}` is a number.
const STATEMENTS: [&str; 42] = [
    "file { '/tmp/f{}': mode => '06{}0' }",
    "file { ['/tmp/f{}', '/tmp/g{}']: }",
    "File { owner => 'o{}' }",
    "File['/tmp/f{}'] { group => 'g' }",
    "notify { 's{}': require => File['/tmp/f{}'] }",
    "File['/tmp/f{}'] -> Notify['r{}']",
    "notify { 'r{}': }",
    "notice(\"${facts['kind']} {}\")",
    "notice(\"${facts['os']['family']}\")",
    "notice($facts['memory'])",
    "notice($facts.dig('os', 'release', 'major'))",
    "notice($facts.get('memory.total', 'no{}'))",
    "notice(getvar('facts.kind'), getvar('facts.none{}.x', 'none'))",
    "notice(dig($facts['place'], 0))",
    "$f{} = $facts['os'] notice(getvar('f{}.family'))",
    "$r{} = {}",
    "notice($r{})",
    "notice($ntp::drift, $a::p)",
    "notify { \"${title} ${name} ${module_name} ${caller_module_name}\": }",
    "if defined(Class['a']) { notice('there') }",
    "if defined('b') { notice('known') }",
    "notice(defined(File['/etc/ntp.conf']))",
    "notice(lookup('k{}', { default_value => {} }))",
    "notice(getvar('b::p'))",
    "tag('t{}')",
    "if tagged('t1') { notice('tagged') }",
    "Notify { message => 'by default {}' }",
    "Notify <| title == 'r{}' |> { message => 'collected' }",
    "@notify { 'r{}': tag => 't1' }",
    "realize(Notify['r{}'])",
    "fail('no {}')",
    "if Timestamp() > Timestamp(0) { notice('late') }",
    "notice($settings::runinterval)",
    "notice(file('web/banner', 'a/f.txt', '/dev/null'))",
    "notice(find_file('web/banner', 'a/f.txt', '/none'))",
    "['l{}'].each |$lent| { include b }",
    "with($facts) |$lent| { class { 'b::x': } }",
    "notify { \"${getvar('lent')} ${getvar('a::lent')}\": }",
    "$m{} = 'm{}n' =~ /(.)([0-9]+)/",
    "notice(\"<${1}> <${2}>\")",
    "notice(optionally_inject('k{}'))",
    "optionally_inject('greeting') |$v| { notify { \"bound {}\": message => \"<${v}>\" } }",
];

/// What may stand in a file of bindings; `{}` is a number.
const BINDINGS: [&str; 16] = [
    "bind \"k{}\" to {}",
    "bind \"k{}\" to \"${facts['kind']} {}\"",
    "bind override \"greeting\" to 'g{}'",
    "bind alias \"k{}\" as \"k3\"",
    "bind abstract \"k{}\"",
    "bind \"k{}\" to optional $facts['none']",
    "bind to {} in 'clocks'",
    "bind parameters ntp to { mode => 'm{}' }",
    "bind parameters a to { p => 'b{}' }",
    "bind parameters Notify to { withpath => true }",
    "bind variables to { rack{} => 'r{}' }",
    "when node 'web1' { bind \"greeting\" to 'mine {}' }",
    "when kind a { bind \"k{}\" to 'a' }",
    "include backup",
    "bind \"k{}\" to lookup('k{}', { default_value => {} })",
    "bind dependency Notify['r1'] -> Notify['r2']",
];

const SETTINGS: [&str; 12] = [
    "strict = error",
    "strict = warning",
    "strict = off",
    "strict_variables = false",
    "runinterval = 7",
    "storeconfigs = true",
    "rich_data = false",
    "modulepath = modules",
    "modulepath = site:modules:more",
    "manifest = manifests/site.pp",
    "environment = other",
    "= nothing",
];

/// New files, some of which stand before others or are found where nothing was.
const FILES: [(&str, &str); 25] = [
    ("bindings/default.pp", "bindings default {\n  bind \"k1\" to 'own'\n}\n"),
    (
        "modules/a/bindings/default.pp",
        "bindings a::default {\n  bind \"k1\" to 'of a'\n  bind parameters a to { p => 'bound' }\n}\n",
    ),
    ("bindings/site.pp", "site {\n  categories { kind => $facts['kind'] }\n}\n"),
    ("README.md", "read me\n"),
    ("Puppetfile", "mod 'demo/none', '1.0.0'\n"),
    ("manifests/zz.pp", "notice('a second one')\n"),
    ("modules/a/manifests/init.pp", "class a($p = 'new') { notice($p) }\n"),
    ("modules/b/manifests/x.pp", "class b::x { include a }\n"),
    ("site/ntp/manifests/init.pp", "class ntp($servers) { $drift = $servers }\n"),
    ("site/a/manifests/init.pp", "class a($p = 'of the site') { notice($p) }\n"),
    ("modules/d/manifests/init.pp", "define d($p = 7) { notify { \"d ${title}\": message => \"${p}\" } }\n"),
    ("modules/web/manifests/host.pp", "define web::host($port) { notify { $title: } }\n"),
    ("modules/a/functions/twice.pp", "function a::twice($x) { \"${x} and ${x}\" }\n"),
    ("modules/m/types/port.pp", "type M::Port = Any\n"),
    ("modules/a/templates/t.epp", "<%- | $x = 2 | -%>\n<%= $x %> <%= $facts['kind'] %>\n"),
    ("modules/a/files/f.txt", "another text\n"),
    ("modules/a/metadata.json", "{\"name\": \"x-a\", \"version\": \"1.0.0\", \"dependencies\": []}\n"),
    (
        "modules/a/lib/puppet/functions/a/twice.rb",
        "Puppet::Functions.create_function(:'a::twice') do\n  def twice(x)\n    x\n  end\nend\n",
    ),
    ("modules/a/hiera.yaml", "version: 5\nhierarchy:\n- {name: own, path: own.yaml}\n"),
    ("modules/a/data/own.yaml", "a::p: own\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n- {name: one, path: 'nodes/%{trusted.certname}.yaml'}\n- {name: all, path: common.yaml}\n",
    ),
    ("data/common.yaml", "a::p: common\nk1: 1\nntp::servers: [common]\nlookup_options: {k1: {merge: unique}}\n"),
    ("data/nodes/other.yaml", "a::p: other\nk1: [2]\n"),
    ("facts/new.json", "{\"kind\": \"Z\", \"place\": \"ams\"}\n"),
    ("enc/new.yaml", "classes: {}\n"),
];

const CLASSIFIED: [&str; 7] = [
    "classes: [a]\n",
    "classes: {b: {p: 3}}\n",
    "classes: {}\nparameters: {p: 1, kind: enc}\n",
    "classes: {}\nenvironment: other\n",
    "classes: [nope]\n",
    "\n",
    "[",
];

/// An edit of this state; some are of files that were there at the beginning.
pub(crate) fn edit(state: &State, first: &State, numbers: &mut Numbers) -> Edit {
    let all: Vec<&str> = state.paths().collect();
    if all.is_empty() {
        return back(first, numbers);
    }
    let path = weighed(&all, numbers);
    match numbers.below(32) {
        0..=15 => in_text(state, path, numbers).unwrap_or_else(|| Edit::Remove(path.to_owned())),
        16 | 17 => Edit::Remove(path.to_owned()),
        18 => Edit::Remove(folder_of(path, numbers)),
        19 => Edit::Move(path.to_owned(), weighed(&all, numbers).to_owned()),
        20 => Edit::Move(path.to_owned(), format!("{path}.away")),
        21 => copy(state, path, weighed(&all, numbers)),
        22 => link(path, weighed(&all, numbers)),
        23 => Edit::Mode(path.to_owned(), numbers.pick(&[0o600, 0o644, 0o755])),
        24 => Edit::Folder(format!("modules/empty{}", numbers.below(3))),
        25 => write(&format!("{path}/inside"), "a file was here"),
        26 => write(&setting_file(numbers), &format!("[main]\n{}\n", numbers.pick(&SETTINGS))),
        27 => write(&enc_file(&all, numbers), numbers.pick(&CLASSIFIED)),
        28 => back(first, numbers),
        29 | 30 => fact(state, &all, numbers).unwrap_or_else(|| back(first, numbers)),
        _ => {
            let (path, text) = numbers.pick(&FILES);
            write(path, text)
        }
    }
}

/// Of files with code and data there are enough; those of which there is one matter as much.
fn weighed<'s>(all: &[&'s str], numbers: &mut Numbers) -> &'s str {
    let beginning = numbers.pick(&[
        "",
        "",
        "",
        "manifests/",
        "hiera.yaml",
        "data/",
        "facts/",
        "enc/",
        "conf/",
        "environment.conf",
        "bindings/",
    ]);
    let some: Vec<&str> = all.iter().copied().filter(|path| path.starts_with(beginning)).collect();
    numbers.pick(if some.is_empty() { all } else { &some })
}

fn write(path: &str, text: &str) -> Edit {
    Edit::Write(path.to_owned(), text.as_bytes().to_vec())
}

/// What was there at the beginning is there again.
fn back(first: &State, numbers: &mut Numbers) -> Edit {
    let all: Vec<&str> = first.paths().collect();
    let path = numbers.pick(&all);
    first.bytes(path).map_or(Edit::Folder("modules".to_owned()), |bytes| Edit::Write(path.to_owned(), bytes.to_vec()))
}

fn copy(state: &State, from: &str, to: &str) -> Edit {
    state.bytes(from).map_or(Edit::Remove(to.to_owned()), |bytes| Edit::Write(to.to_owned(), bytes.to_vec()))
}

fn link(path: &str, to: &str) -> Edit {
    let up = "../".repeat(path.matches('/').count());
    Edit::Link { path: path.to_owned(), target: format!("{up}{to}") }
}

fn folder_of(path: &str, numbers: &mut Numbers) -> String {
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    if ends.is_empty() { path.to_owned() } else { path[..numbers.pick(&ends)].to_owned() }
}

fn setting_file(numbers: &mut Numbers) -> String {
    numbers.pick(&["environment.conf", "conf/puppet.conf"]).to_owned()
}

fn enc_file(all: &[&str], numbers: &mut Numbers) -> String {
    let known: Vec<&str> = all.iter().copied().filter(|path| path.starts_with("enc/")).collect();
    if known.is_empty() { "enc/new.yaml".to_owned() } else { numbers.pick(&known).to_owned() }
}

/// A fact of a node that is another one, or is not there any more. `None`: there is no file of facts.
fn fact(state: &State, all: &[&str], numbers: &mut Numbers) -> Option<Edit> {
    let files: Vec<&str> =
        all.iter().copied().filter(|path| path.starts_with("facts/") && path.ends_with(".json")).collect();
    let path = *files.get(numbers.below(files.len().max(1)))?;
    let mut known: Map<String, Value> = serde_json::from_str(state.text(path)?).ok()?;
    let facts = match known.contains_key("values") {
        true => known.get_mut("values")?.as_object_mut()?,
        false => &mut known,
    };
    let (number, word) = (numbers.below(4), numbers.pick(&["a", "b", "c"]));
    match numbers.below(6) {
        0 => {
            let names: Vec<String> = facts.keys().cloned().collect();
            facts.remove(names.get(numbers.below(names.len().max(1)))?);
        }
        1 => drop(facts.insert("uptime".to_owned(), json!({ "seconds": number, "days": 1 }))),
        2 => drop(facts.insert("memory".to_owned(), json!({ "total": number, "free": word }))),
        3 => drop(facts.insert("place".to_owned(), json!([word, number]))),
        4 => drop(facts.insert("kind".to_owned(), json!(word))),
        _ => drop(facts.insert("os".to_owned(), json!({ "family": word, "release": { "major": number } }))),
    }
    Some(write(path, &format!("{:#}\n", Value::Object(known))))
}

/// Another text in a file; `None` where there is no text.
fn in_text(state: &State, path: &str, numbers: &mut Numbers) -> Option<Edit> {
    let text = state.text(path).filter(|text| !text.is_empty())?;
    let lines: Vec<&str> = text.lines().collect();
    let at = numbers.below(lines.len());
    let new = match numbers.below(16) {
        0 | 1 => comment(&lines, at, path),
        2 => with_line(&lines, at, ""),
        3..=6 => other_literal(text, numbers)?,
        7 => without_line(&lines, at),
        8 => with_line(&lines, at, lines[at]),
        9 => swapped(&lines, at, numbers.below(lines.len())),
        10 => damaged(text, numbers)?,
        11 => String::new(),
        12 => return Some(no_text(path, text, numbers)),
        _ if path.contains("bindings/") => with_line_of(&BINDINGS, &lines, numbers),
        _ if path.ends_with(".pp") => with_line_of(&STATEMENTS, &lines, numbers),
        _ => other_literal(text, numbers)?,
    };
    Some(write(path, &new))
}

fn comment(lines: &[&str], at: usize, path: &str) -> String {
    let comment = match path.rsplit('.').next() {
        Some("epp" | "erb") => "<%# a comment -%>",
        _ => "# a comment",
    };
    with_line(lines, at, comment)
}

fn joined(lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    lines.into_iter().flat_map(|line| [line.as_ref().to_owned(), "\n".to_owned()]).collect()
}

fn with_line(lines: &[&str], at: usize, line: &str) -> String {
    joined(lines[..at].iter().chain([&line]).chain(&lines[at..]))
}

fn without_line(lines: &[&str], at: usize) -> String {
    joined(lines[..at].iter().chain(&lines[at + 1..]))
}

fn swapped(lines: &[&str], one: usize, other: usize) -> String {
    let mut lines = lines.to_vec();
    lines.swap(one, other);
    joined(lines)
}

fn with_line_of(all: &[&str], lines: &[&str], numbers: &mut Numbers) -> String {
    let statement = numbers.pick(all).replace("{}", &numbers.below(4).to_string());
    let opened = lines.iter().position(|line| line.trim_end().ends_with('{')).map_or(0, |at| at + 1);
    with_line(lines, opened, &statement)
}

/// A number or a word in quotes is another one.
fn other_literal(text: &str, numbers: &mut Numbers) -> Option<String> {
    let mut places = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, character.is_ascii_digit()) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                places.push(begin..at);
                start = None;
            }
            _ => {}
        }
    }
    let words = text.match_indices(['\'', '"']).map(|(at, _)| at + 1);
    places.extend(
        words.filter(|at| text[*at..].starts_with(|first: char| first.is_ascii_lowercase())).map(|at| at..at + 1),
    );
    if places.is_empty() {
        return None;
    }
    let place = places.swap_remove(numbers.below(places.len()));
    let is_number = text[place.clone()].starts_with(|first: char| first.is_ascii_digit());
    let new = if is_number { numbers.below(100).to_string() } else { numbers.pick(&["a", "b", "x", "new"]).to_owned() };
    Some(format!("{}{new}{}", &text[..place.start], &text[place.end..]))
}

/// A byte that is part of no text, somewhere in it.
fn no_text(path: &str, text: &str, numbers: &mut Numbers) -> Edit {
    let mut bytes = text.as_bytes().to_vec();
    bytes.insert(numbers.below(bytes.len()), 0xff);
    Edit::Write(path.to_owned(), bytes)
}
