//! Edits of bindings: what bodies are told otherwise is known by asking the injector once more.

use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::{Row, Watched, holds_of, live, repository_of};
use libtest_mimic::{Failed, Trial};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 17] = [
    ("plain", "include app"),
    ("asking", "include app\n  notify { 'asked': message => inject('greeting') }"),
    ("aliasing", "notify { 'aliased': message => inject('salute') }"),
    ("collecting", "notify { 'rules': message => String(inject('rules')) }"),
    ("expression", "notify { 'where': message => inject('where') }"),
    ("optional", "if optionally_inject('maybe') { notify { 'maybe': } }"),
    ("lambda", "inject('maybe') |$value| { notify { 'lambda': message => \"<${value}>\" } }"),
    ("variable", "notify { 'zone': message => $zone }"),
    ("resource", "file { '/bound': content => 'x' }"),
    ("included", "notify { 'included': }"),
    ("calling", "notify { 'made': message => inject('made') }"),
    ("declared", "class { 'app': motd => 'given' }"),
    ("observing", "include app\n  notify { \"port ${Class['app']['port']}\": }"),
    ("reading", "include app\n  notify { \"port ${app::port}\": }"),
    ("typed", "notify { 'typed': message => String(inject(Integer, 'tier') + 1) }"),
    ("by_function", "notify { 'function': message => app::ask('greeting') }"),
    ("by_data", "notify { 'looked': message => String(inject('looked')) }"),
];

const SITE: &str = "site {
  categories { node => $trusted['certname'], kind => $facts['kind'], role => $facts['role'] }
}
Notify { withpath => false }
node default { include \"role::${facts['role']}\" }
";

const OWN: &str = "bindings default {
  bind override \"greeting\" to 'hello'
  bind alias \"greeting\" as \"salute\"
  bind \"where\" to \"${facts['host']} ${inject('greeting')}\"
  when kind b { bind \"greeting\" to 'hello b' }
  bind \"maybe\" to 'set'
  bind variables to { zone => 'fra' }
  bind parameters File['/bound'] to { mode => '0600' }
  when role included { include app::extra }
  bind \"nobody\" to 1
  bind \"made\" to producer 'app::made' { producer_args => { 'a' => 1 } }
  bind Integer, \"tier\" to 3
  bind \"looked\" to lookup('number')
}
";

const APP: &str = "bindings app::default {
  bind abstract \"greeting\"
  bind parameters app to { port => 80, motd => inject('greeting') }
  multibind Hash[Data], \"rules\" as 'rules'
  bind 'http' to { port => 80 } in 'rules'
  bind \"shadowed\" to 1
  bind \"maybe\" to 'never'
}
";

const WEB: &str = "bindings web::default {
  when role [collecting, plain] { bind 'https' to { port => 443 } in 'rules' }
}
";

const OWN_PP: &str = "bindings/default.pp";
const APP_PP: &str = "modules/app/bindings/default.pp";
const WEB_PP: &str = "modules/web/bindings/default.pp";
const SITE_BINDINGS: &str = "conf/bindings/default.pp";
const INIT_PP: &str = "modules/app/manifests/init.pp";
const COMMON_YAML: &str = "data/common.yaml";

const FILES: [(&str, &str); 11] = [
    (OWN_PP, OWN),
    (APP_PP, APP),
    (WEB_PP, WEB),
    (SITE_BINDINGS, "bindings default {\n  bind \"top\" to 1\n}\n"),
    (
        INIT_PP,
        "class app(Integer $port = 1, String $motd = 'none', $extra = undef) {
  file { '/etc/app': content => \"port=${port} extra=${extra}\\n\" }
  notify { 'motd': message => $motd }
  if $port == 82 { notify { 'two': } }
}
",
    ),
    ("modules/app/manifests/extra.pp", "class app::extra {\n  notify { 'extra': }\n}\n"),
    ("modules/app/functions/made.pp", "function app::made($args) {\n  \"made of ${args['a']}\"\n}\n"),
    ("modules/app/functions/ask.pp", "function app::ask($key) {\n  inject($key)\n}\n"),
    (
        "hiera.yaml",
        "version: 5\ndefaults: { datadir: data, data_hash: yaml_data }\nhierarchy:\n  - { name: all, path: common.yaml }\n",
    ),
    (COMMON_YAML, "number: 1\nother: 1\napp::port: 7\napp::extra: of data\n"),
    ("environment.conf", "modulepath = modules\n"),
];

/// All second ones.
const EVERYBODY: &str = "aliasing asking b by_data by_function calling collecting declared expression included lambda observing optional plain reading resource typed variable";

/// Those with the class `app`, and those with any file.
const OF_APP: &str = "asking b declared observing plain reading";
const OF_FILES: &str = "asking b declared observing plain reading resource";

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

fn own(name: &'static str, old: &str, new: &str, doubts: &'static str) -> Row {
    replaces(name, &[(OWN_PP, old, new)], doubts)
}

fn app(name: &'static str, old: &str, new: &str, doubts: &'static str) -> Row {
    replaces(name, &[(APP_PP, old, new)], doubts)
}

fn values() -> Vec<Row> {
    let last = "  bind Integer, \"tier\" to 3\n";
    vec![
        own("a binding that nobody asks for", "\"nobody\" to 1", "\"nobody\" to 2", ""),
        own("a comment", "  bind \"maybe\"", "  # Perhaps.\n  bind \"maybe\"", ""),
        own("a value", "to 'hello'", "to 'good day'", "expression"),
        own("a value of one kind", "'hello b'", "'good day b'", ""),
        own("a value with a type", "\"tier\" to 3", "\"tier\" to 4", ""),
        own("a value of the wrong type", "\"tier\" to 3", "\"tier\" to 'x'", EVERYBODY),
        own("a binding that goes, and one below it", "  bind \"maybe\" to 'set'\n", "", ""),
        own("a binding more", last, "  bind Integer, \"tier\" to 3\n  bind \"more\" to 1\n", ""),
        own("an expression", "} ${inject", "}: ${inject", "expression"),
        own("what a function is given", "'a' => 1", "'a' => 2", "calling"),
        app("a binding that is shadowed", "\"maybe\" to 'never'", "\"maybe\" to 'not now'", ""),
        app("a contribution", "bind 'http' to { port => 80 }", "bind 'http' to { port => 8080 }", ""),
        app("a contribution more", "  bind \"shadowed\"", "  bind 'ssh' to 22 in 'rules'\n  bind \"shadowed\"", ""),
        replaces("a contribution of some roles", &[(WEB_PP, "443", "8443")], ""),
        replaces("a condition", &[(WEB_PP, "[collecting, plain]", "plain")], ""),
        replaces("a condition that holds nowhere now", &[(OWN_PP, "when kind b", "when kind c")], ""),
        replaces(
            "a layer above",
            &[(SITE_BINDINGS, "bind \"top\" to 1", "bind \"greeting\" to 'from above'")],
            "expression",
        ),
        own("an alias of another key", "alias \"greeting\"", "alias \"maybe\"", ""),
        own("an override of nothing", "\"nobody\" to 1", "\"nobody\" to 1\n  bind override \"none\" to 1", EVERYBODY),
        own("a conflict", "\"nobody\" to 1", "\"nobody\" to 1\n  bind \"nobody\" to 2", EVERYBODY),
        own("a file that is broken", "bind \"nobody\"", "bind \"nobody", EVERYBODY),
    ]
}

fn others() -> Vec<Row> {
    let whole = ("when role included { include app::extra }", "when role [included, plain] { include app::extra }");
    vec![
        app("a parameter", "port => 80,", "port => 81,", "observing"),
        app("a parameter that decides", "port => 80,", "port => 82,", "observing reading"),
        app("a parameter that goes", "port => 80, ", "", "observing"),
        app("a parameter more", "port => 80,", "port => 80, extra => 'bound',", ""),
        app("a parameter that the class has not", "port => 80,", "port => 80, prot => 1,", OF_APP),
        own("a variable", "zone => 'fra'", "zone => 'ams'", EVERYBODY),
        own("a parameter of a resource", "mode => '0600'", "mode => '0640'", OF_FILES),
        own("an included class", whole.0, whole.1, "b plain"),
        own(
            "a class in the place of another that it does not inherit",
            NOBODY,
            "bind class app to class app::extra",
            OF_APP,
        ),
        Row {
            name: "a module with bindings that comes",
            edits: vec![Edit::Write(
                "modules/fresh/bindings/default.pp".to_owned(),
                b"bindings fresh::default {\n  bind \"fresh\" to 1\n}\n".to_vec(),
            )],
            doubts: EVERYBODY,
        },
    ]
}

/// What nobody injects.
const NOBODY: &str = "bind \"nobody\" to 1";

/// The same repository, with a class that inherits another.
fn inheriting() -> State {
    let mut state = repository();
    let better = "class app::better inherits app {\n  notify { 'better': }\n}\n";
    state.edit(&Edit::Write("modules/app/manifests/better.pp".to_owned(), better.into()));
    state
}

/// The same, where the class stands in the place of the other.
fn replaced() -> State {
    let mut state = inheriting();
    let new = "bind class app to class app::better";
    state.edit(&Edit::Replace { path: OWN_PP.to_owned(), old: NOBODY.to_owned(), new: new.to_owned() });
    state
}

/// The same repository, with a function that provides bindings.
fn provided() -> State {
    let mut state = repository();
    let mut put = |path: &str, text: &str| state.edit(&Edit::Write(path.to_owned(), text.as_bytes().to_vec()));
    let layers = "  bindings => [
    { 'site': include => 'confdir:/default' },
    { 'own': include => 'env:/default' },
    { 'provided': include => 'more:/x' },
    { 'modules': include => 'module:/*::default' },
  ]
";
    put("manifests/site.pp", &SITE.replacen("site {\n", &format!("site {{\n{layers}"), 1));
    put(
        "modules/app/functions/provided.pp",
        "function app::provided($included, $excluded) {\n  [{ 'name' => 'provided', 'value' => lookup('other') }]\n}\n",
    );
    put(OWN_PP, &OWN.replacen(NOBODY, "bind 'more' to 'app::provided' in 'bindings_providers'", 1));
    state
}

/// Edits that put a class in the place of another, take it away, and edits of other things where one stands.
fn replacing() -> Vec<(State, Row)> {
    let class = "bind class app to class app::better";
    let given = "class { 'app': motd => 'given' }";
    vec![
        (inheriting(), own("a class that comes in the place of another", NOBODY, class, OF_APP)),
        (replaced(), own("a class that no longer stands in the place of another", class, NOBODY, OF_APP)),
        (
            replaced(),
            own(
                "a value beside a class in the place of another",
                "to 'hello'",
                "to 'good day'",
                "asking b declared expression observing plain reading",
            ),
        ),
        (provided(), own("a value beside bindings that are provided", "to 'hello'", "to 'good day'", "expression")),
        (provided(), replaces("a body beside bindings that are provided", &[(INIT_PP, "extra=", "more=")], "")),
        (
            provided(),
            own(
                "a scheme that nobody provides any more",
                "'app::provided' in",
                "'app::provided' in 'x' bind 'y' to 1 in",
                EVERYBODY,
            ),
        ),
        (provided(), replaces("data that provided bindings hold", &[(COMMON_YAML, "other: 1", "other: 2")], EVERYBODY)),
        (replaced(), replaces("a body of a class that is replaced", &[(INIT_PP, "extra=", "more=")], OF_APP)),
        (
            replaced(),
            replaces(
                "a body of a class in the place of another",
                &[("modules/app/manifests/better.pp", "'better'", "'best'")],
                OF_APP,
            ),
        ),
        (
            replaced(),
            replaces(
                "a class that is declared otherwise, where another stands in its place",
                &[("modules/role/manifests/declared.pp", given, "class { 'app': motd => 'other' }")],
                "declared",
            ),
        ),
    ]
}

/// Files of bindings that come and go.
fn files() -> Vec<Row> {
    let write = |name, path: &str, text: &str, doubts| Row {
        name,
        edits: vec![Edit::Write(path.to_owned(), text.as_bytes().to_vec())],
        doubts,
    };
    let remove = |name, path: &str, doubts| Row { name, edits: vec![Edit::Remove(path.to_owned())], doubts };
    let role = "modules/role/bindings/default.pp";
    vec![
        write("a file that comes", role, "bindings role::default {\n  bind \"fresh\" to 1\n}\n", ""),
        write(
            "a file with a contribution comes",
            role,
            "bindings role::default {\n  bind 'r' to 1 in 'rules'\n}\n",
            "",
        ),
        write(
            "a file with a variable comes",
            role,
            "bindings role::default {\n  bind variables to { n => 1 }\n}\n",
            EVERYBODY,
        ),
        write("a file with an error comes", role, "bindings other {\n}\n", EVERYBODY),
        write("a file that no layer finds", "bindings/other.pp", "bindings other {\n  bind \"x\" to 1\n}\n", ""),
        remove("a module of bindings alone that goes", WEB_PP, EVERYBODY),
        remove("a file of the site that goes", SITE_BINDINGS, ""),
    ]
}

/// Edits of other things where something is bound.
fn mixed() -> Vec<Row> {
    vec![
        replaces("a body", &[(INIT_PP, "extra=", "more=")], ""),
        replaces("a resource more", &[(INIT_PP, "  notify", "  notify { 'new': }\n  notify")], ""),
        replaces(
            "a file more, of a type that is bound",
            &[(INIT_PP, "  notify", "  file { '/bound': }\n  notify")],
            OF_APP,
        ),
        replaces("a key of the data below a binding", &[(COMMON_YAML, "app::port: 7", "app::port: 8")], ""),
        replaces("a key of the data that nothing is bound for", &[(COMMON_YAML, "of data", "of the data")], ""),
        replaces("a key of the data that a binding looks up", &[(COMMON_YAML, "number: 1", "number: 2")], "by_data"),
        replaces(
            "a body and a binding",
            &[(INIT_PP, "extra=", "more="), (APP_PP, "port => 80,", "port => 81,")],
            "observing",
        ),
        replaces(
            "data and a binding",
            &[(COMMON_YAML, "of data", "of the data"), (OWN_PP, "to 'hello'", "to 'good day'")],
            "expression",
        ),
    ]
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: bindings: {}", row.name), move || holds_of(repository(), &row));
    let mut trials: Vec<Trial> = [values(), others(), mixed(), files()].into_iter().flatten().map(one).collect();
    let replacing = replacing().into_iter().map(|(before, row)| {
        Trial::test(format!("patched: bindings: {}", row.name), move || holds_of(before.clone(), &row))
    });
    trials.extend(replacing);
    trials.push(Trial::test("patched: bindings: texts that are gone", texts_that_are_gone));
    trials.push(Trial::test("patched: bindings: edits at random", at_random));
    trials
}

/// Lowered code is kept of texts that are there, and not of those before them.
fn texts_that_are_gone() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    let count = |watched: &Watched| {
        let ready = watched.last.iter().find_map(|answer| answer.ready.clone());
        ready.map_or(0, |ready| ready.site.binding_text_count())
    };
    let mut counts = vec![count(&watched)];
    for number in 0..12 {
        let (old, new) = (format!("\"${{facts['host']}}{} ", "!".repeat(number)), "!".repeat(number + 1));
        state.edit(&Edit::Replace { path: OWN_PP.to_owned(), old, new: format!("\"${{facts['host']}}{new} ") });
        watched.become_state(&state)?;
        counts.push(count(&watched));
    }
    match counts[0] > 0 && counts[12] <= counts[2] {
        true => Ok(()),
        false => Err(format!("texts of bindings after each edit: {counts:?}").into()),
    }
}

/// What is put into bindings at random; `{}` is a number.
const BINDINGS: [&str; 30] = [
    "bind override \"greeting\" to 'g{}'",
    "bind override \"greeting\" to \"g{} ${facts['kind']}\"",
    "bind override \"greeting\" to optional $facts['none{}']",
    "bind alias \"greeting\" as \"salute\"",
    "bind alias \"maybe\" as \"salute\"",
    "bind \"salute\" to 's{}'",
    "bind \"where\" to \"${facts['host']} ${inject('greeting')} {}\"",
    "bind \"where\" to inject('maybe')",
    "bind \"maybe\" to 'm{}'",
    "bind \"maybe\" to optional $facts['kind']",
    "bind \"tier\" to {}",
    "bind Integer, \"tier\" to {}",
    "bind \"looked\" to lookup('number')",
    "bind \"looked\" to {}",
    "bind \"made\" to producer 'app::made' { producer_args => { 'a' => {} } }",
    "bind \"made\" to app::made({ 'a' => '{}' })",
    "bind variables to { zone => 'z{}' }",
    "bind parameters app to { port => 8{} }",
    "bind parameters app to { port => inject('tier') }",
    "bind parameters app to { extra => 'e{}' }",
    "bind parameters File['/bound'] to { mode => '06{}0' }",
    "bind parameters File to { owner => 'o{}' }",
    "bind 'r{}' to {} in 'rules'",
    "bind 'http' to 'h{}' in 'rules'",
    "when kind b { bind 'r{}' to 'b' in 'rules' }",
    "when kind b { bind override \"greeting\" to 'b{}' }",
    "when role plain { bind parameters app to { extra => 'plain {}' } }",
    "when role included { include app::extra }",
    "when node 'plain-a2' { bind \"maybe\" to 'mine {}' }",
    "exclude app::extra",
];

/// A line more, another line, or one less in a file of bindings; at times also an edit of data, or of a body.
fn at_random() -> Result<(), Failed> {
    let mut numbers = Numbers::new(64);
    live(&repository, &mut numbers, |state, numbers| {
        let path = numbers.pick(&[OWN_PP, OWN_PP, APP_PP, WEB_PP, SITE_BINDINGS]);
        let mut lines: Vec<String> = state.text(path).unwrap_or_default().lines().map(str::to_owned).collect();
        let at = 1 + numbers.below(lines.len() - 1);
        let line = format!("  {}", numbers.pick(&BINDINGS).replace("{}", &numbers.below(3).to_string()));
        match numbers.below(8) {
            0 if lines.len() > 3 => drop(lines.remove(at.min(lines.len() - 2))),
            1 => lines.insert(at, "  # A comment.".to_owned()),
            2..=4 => {
                let at = at.min(lines.len() - 2).max(1);
                lines[at] = line;
            }
            _ => lines.insert(at, line),
        }
        let text = lines.join("\n") + "\n";
        state.edit(&Edit::Write(path.to_owned(), text.clone().into_bytes()));
        match numbers.below(12) {
            0 => {
                let number = numbers.below(3);
                let data = format!("number: {number}\nother: 1\napp::port: {number}\napp::extra: of data {number}\n");
                state.edit(&Edit::Write(COMMON_YAML.to_owned(), data.into_bytes()));
            }
            1 => {
                let body = state.text(INIT_PP).unwrap_or_default().replace("port=", "the port=");
                state.edit(&Edit::Write(INIT_PP.to_owned(), body.into_bytes()));
            }
            _ => {}
        }
        format!("{path}:\n{text}")
    })
}
