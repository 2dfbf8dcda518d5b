//! Edits of files whose text code is told: of templates, and of what `file` reads; and of functions.

use libtest_mimic::{Failed, Trial};

use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::{Row, Watched, edit_body, holds_of, live, replace, repository_of, row_of as row, second_ones_compiled};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 14] = [
    ("plain", "include app"),
    ("reading", "include app\n  notify { 'banner': message => \"<${app::banner}>\" }"),
    ("telling", "include app\n  notify { 'told': message => \"${facts['host']}: ${file('app/notes')}\" }"),
    ("own", "include app\n  file { '/own': content => template('app/own.erb') }"),
    ("logging", "include app\n  notice(template('app/said.erb'))"),
    ("saying", "include app\n  notify { 'says': message => epp('app/says.epp') }"),
    ("overriding", "include app\n  include app::over"),
    ("looking", "include app\n  notify { 'looked': message => lookup('kept::of_file') }"),
    ("inline", "include app\n  notify { 'inline': message => inline_template(file('app/inline.erb')) }"),
    ("branching", "include app\n  if file('app/notes') =~ /more/ { include app::more }"),
    ("calling", "include app\n  include app::calls"),
    ("items", "include app\n  app::item { ['one', 'two']: }"),
    ("rivals", "include app::first\n  include kept"),
    // Before them: others would learn from it.
    ("alone", "include app::first"),
];

const SITE: &str = "$top = file('app/top')
node default { include \"role::${facts['role']}\" }
";

const APP: &str = "class app($port = 80, $notes = file('app/notes')) {
  $banner = file('app/banner')
  $kind = $facts['kind']
  file { '/etc/app': content => template('app/conf.erb') }
  file { '/etc/motd': content => epp('app/motd.epp', { who => $kind }) }
  notify { 'top': message => $top }
  include app::inner
}
";

const FILES: [(&str, &str); 30] = [
    (
        "modules/app/manifests/calls.pp",
        "class app::calls {
  notify { 'calls': message => app::say(\"on ${facts['host']}\") }
  app::note('a')
}
",
    ),
    (FIRST, "class app::first {\n  notify { 'first': message => rival('a') }\n}\n"),
    ("modules/kept/manifests/init.pp", "class kept {\n  notify { 'second': message => rival('b') }\n}\n"),
    ("modules/app/lib/puppet/parser/functions/rival.rb", RIVAL),
    ("modules/kept/lib/puppet/parser/functions/rival.rb", RIVAL),
    (SAY, "function app::say($what) {\n  \"says ${what}\"\n}\n"),
    (NOTE, "function app::note($x) {\n  notify { \"note ${x}\": message => app::say($x) }\n}\n"),
    ("modules/app/manifests/init.pp", APP),
    (
        "modules/app/manifests/inner.pp",
        "class app::inner($text = $app::notes) {\n  app::item { 'inner': text => $text }\n  app::item { 'other': }\n}\n",
    ),
    (
        "modules/app/manifests/item.pp",
        "define app::item($text = 'none') {\n  file { \"/item/${title}\": content => template('app/item.erb') }\n}\n",
    ),
    (
        "modules/app/manifests/over.pp",
        "class app::over inherits app {\n  File['/etc/app'] { content => template('app/over.erb') }\n}\n",
    ),
    ("modules/app/manifests/more.pp", "class app::more {\n  notify { 'more': }\n}\n"),
    (
        "modules/kept/functions/data.pp",
        "function kept::data($options, $context) {\n  { 'kept::of_file' => file('app/looked') }\n}\n",
    ),
    (
        "modules/app/templates/conf.erb",
        "port=<%= @port %>\n# <%= @kind %>\n<%= scope.function_template(['app/part.erb']) %>\n",
    ),
    ("modules/app/templates/part.erb", "part of <%= @kind %>\n"),
    ("modules/app/templates/motd.epp", "<%- | $who | -%>\nhello <%= $who %>\n"),
    ("modules/app/templates/item.erb", "<%= @title %> <%= @text %>\n"),
    ("modules/app/templates/own.erb", "<%= @facts['host'] %> has its own\n<%= scope['app::banner'] %>\n"),
    ("modules/app/templates/over.erb", "over <%= @port %>\n"),
    ("modules/app/templates/said.erb", "said\n"),
    ("modules/app/templates/says.epp", "<% notice('from here') %>says\n"),
    ("modules/app/files/notes", "notes\n"),
    ("modules/app/files/banner", "banner\n"),
    ("modules/app/files/looked", "looked\n"),
    ("modules/app/files/inline.erb", "<%= @facts['kind'] %> inline\n"),
    ("modules/app/files/top", "top\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - { name: all, path: common.yaml, data_hash: yaml_data, datadir: data }\n",
    ),
    ("modules/kept/hiera.yaml", "version: 5\nhierarchy:\n  - { name: files, data_hash: 'kept::data' }\n"),
    ("data/common.yaml", "app::port: 1\n"),
    ("environment.conf", "modulepath = modules\n"),
];

fn repository() -> State {
    repository_of(SITE, &FILES, &ROLES)
}

/// Two modules have it: it tells of which it is.
const RIVAL: &str = "Puppet::Parser::Functions.newfunction(:rival, :type => :rvalue) do |args|
  \"#{args[0]} of #{__FILE__.split('/')[-6]}\"
end
";

const FIRST: &str = "modules/app/manifests/first.pp";
const CONF: &str = "modules/app/templates/conf.erb";
const OWN: &str = "modules/app/templates/own.erb";
const ITEM: &str = "modules/app/templates/item.erb";
const MOTD: &str = "modules/app/templates/motd.epp";
const PART: &str = "modules/app/templates/part.erb";
const NOTES: &str = "modules/app/files/notes";
const SAY: &str = "modules/app/functions/say.pp";
const NOTE: &str = "modules/app/functions/note.pp";
const BANNER: &str = "modules/app/files/banner";

/// All second ones, and those to which the class `app` matters.
const TOP: &str =
    "alone b branching calling inline items logging looking overriding own plain reading rivals saying telling";
const ALL: &str = "b branching calling inline items logging looking overriding own plain reading saying telling";

fn templates() -> Vec<Row> {
    vec![
        row("a template of all", &[replace(CONF, "port=", "the port is ")], "overriding"),
        row("a template that another one calls", &[replace(PART, "part", "a part")], "overriding"),
        row("a template that is told of each node", &[replace(OWN, "its own", "another")], ""),
        row("a template that asks for what was not asked", &[replace(OWN, "its own", "<%= @facts['kind'] %>")], "own"),
        row("a template that asks for less", &[replace(CONF, "# <%= @kind %>\n", "")], "overriding"),
        row("an EPP template", &[replace(MOTD, "hello", "welcome")], ""),
        row("an EPP template with another parameter", &[replace(MOTD, "$who |", "$who, $more = 1 |")], ""),
        row("a template of a defined type", &[replace(ITEM, "<%= @title %>", "item <%= @title %>")], ""),
        row(
            "a template by which another class overrides",
            &[replace("modules/app/templates/over.erb", "over", "and over")],
            "overriding",
        ),
        row("a template that is logged", &[replace("modules/app/templates/said.erb", "said", "says")], "logging"),
        row("a template that logs", &[replace("modules/app/templates/says.epp", "says", "said")], ""),
        row("a template that logs on another line", &[replace("modules/app/templates/says.epp", "<%", "\n<%")], ""),
        row("a template that is broken", &[replace(CONF, "<%= @port %>", "<%= @port")], ALL),
        row("a template that goes", &[Edit::Remove("modules/app/templates/own.erb".to_owned())], "own"),
        row("a template that is read as a text", &[replace("modules/app/files/inline.erb", "inline", "in line")], ""),
    ]
}

fn texts() -> Vec<Row> {
    vec![
        row("a text that goes through parameters, classes and a branch", &[replace(NOTES, "notes", "new notes")], ""),
        row("a text that leads to another branch", &[replace(NOTES, "notes", "more notes")], "branching"),
        row("a text that is a variable which others read", &[replace(BANNER, "banner", "flag")], ""),
        row("a text that is no UTF-8", &[Edit::Write(BANNER.to_owned(), b"\xff\n".to_vec())], ALL),
        row("a text that data is made of", &[replace("modules/app/files/looked", "looked", "seen")], "looking"),
        row("a text at the top", &[replace("modules/app/files/top", "top", "above")], TOP),
    ]
}

fn functions() -> Vec<Row> {
    vec![
        row(
            "a function of the older kind that another body loads first now",
            &[replace(FIRST, "rival('a')", "'a'")],
            "alone rivals",
        ),
        row("a function", &[replace(SAY, "says", "said")], ""),
        row("a function with another parameter", &[replace(SAY, "($what)", "($what, $more = 'more')")], ""),
        row("a function that is called otherwise", &[replace(SAY, "($what)", "($what, $more)")], "calling"),
        row("a function that declares something otherwise", &[replace(NOTE, "app::say($x)", "'noted'")], ""),
        row(
            "a function that declares more",
            &[replace(NOTE, "  notify", "  notify { 'noted': }\n  notify")],
            "calling",
        ),
        row("a function that stands on another line", &[replace(NOTE, "function", "# What is noted.\nfunction")], ""),
        row("a function that is broken", &[replace(SAY, "}\"", "\"")], "calling"),
        row(
            "a function that data is made of",
            &[replace("modules/kept/functions/data.pp", "file(", "\"\" + file(")],
            "looking",
        ),
        row(
            "a function, and who calls it",
            &[replace(SAY, "says", "said"), replace("modules/app/manifests/calls.pp", "note('a')", "note('b')")],
            "calling",
        ),
    ]
}

fn several() -> Vec<Row> {
    vec![
        row(
            "a template and a body",
            &[
                replace(ITEM, "<%= @text %>", "says <%= @text %>"),
                replace("modules/app/manifests/item.pp", "file {", "notify { \"n ${title}\": }\n  file {"),
            ],
            "",
        ),
        row(
            "a template and a value in data",
            &[replace(CONF, "port=", "the port is "), replace("data/common.yaml", "1", "2")],
            "overriding",
        ),
        row("two texts", &[replace(NOTES, "notes", "new notes"), replace(BANNER, "banner", "flag")], ""),
        row(
            "a comment, and a template",
            &[
                replace("modules/app/manifests/init.pp", "  $kind", "  # of it\n  $kind"),
                replace(CONF, "port=", "the port is "),
            ],
            "overriding",
        ),
    ]
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: files: {}", row.name), move || holds_of(repository(), &row));
    let rows = [templates(), texts(), functions(), several()];
    let mut trials: Vec<Trial> = rows.into_iter().flatten().map(one).collect();
    trials.push(Trial::test("patched: files: a function that has moved is edited", moved_function));
    trials.push(Trial::test("patched: files: edits at random", at_random));
    trials
}

/// What it declares stands where it stands today.
fn moved_function() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    for edit in [replace(NOTE, "function", "# What is noted.\n\nfunction"), replace(NOTE, "app::say($x)", "'noted'")] {
        state.edit(&edit);
        let compiled = second_ones_compiled(&watched.become_state(&state)?);
        if !compiled.is_empty() {
            return Err(format!("{compiled} was compiled as well").into());
        }
    }
    Ok(())
}

/// What is put into templates at random; `{}` is a number.
const PIECES: [&str; 10] = [
    "text {}",
    "<%= @port %> {}",
    "<%= @facts['host'] %> {}",
    "<%= @facts['kind'] %> {}",
    "<%= scope['app::banner'] %> {}",
    "<% if @kind == 'a' %>a {}<% end %>",
    "<%= scope.function_template(['app/part.erb']) %>",
    "<%= scope.lookupvar('app::inner::text') %> {}",
    "<%= @title %> {}",
    "<%= scope.call_function('file', ['app/notes']) %> {}",
];

/// What is put into bodies at random.
const STATEMENTS: [&str; 8] = [
    "notify { 'r{}': message => template('app/part.erb') }",
    "notify { 's{}': message => file('app/notes') }",
    "$v{} = file('app/banner')",
    "notify { 'v{}': message => \"${getvar('app::v{}')} ${facts['host']}\" }",
    "file { '/r/{}': content => epp('app/motd.epp', { who => '{}' }) }",
    "app::item { 'r{}': }",
    "app::note('r{}')",
    "notify { 't{}': message => app::say(\"{} ${facts['host']}\") }",
];

/// What is put into functions at random.
const OF_FUNCTIONS: [&str; 6] = [
    "notify { \"f${facts['host']} {}\": }",
    "$v{} = template('app/part.erb')",
    "\"value {}\"",
    "notice('said {}')",
    "unless defined(Notify['g{}']) { notify { 'g{}': } }",
    "$w{} = $facts['kind']",
];

/// One edit after the other, or two at once, of templates, of files, and of bodies that are told these.
fn at_random() -> Result<(), Failed> {
    let edit = |state: &mut State, numbers: &mut Numbers| match numbers.below(8) {
        0 => {
            let bodies = ["init", "item", "calls"].map(|name| format!("modules/app/manifests/{name}.pp"));
            edit_body(state, &bodies[numbers.below(bodies.len())], numbers, &STATEMENTS)
        }
        1 => edit_body(state, numbers.pick(&[SAY, NOTE]), numbers, &OF_FUNCTIONS),
        2 => {
            let path = numbers.pick(&[NOTES, BANNER, "modules/app/files/looked", "modules/app/files/top"]);
            let text = format!("{} {}\n", numbers.pick(&["some", "more"]), numbers.below(3));
            state.edit(&Edit::Write(path.to_owned(), text.clone().into_bytes()));
            format!("{path}: {text}")
        }
        _ => edit_template(state, numbers),
    };
    live(&repository, &mut Numbers::new(81), |state, numbers| {
        let first = edit(state, numbers);
        if numbers.below(2) == 0 { first } else { format!("{first}{}", edit(state, numbers)) }
    })
}

/// A piece more or less of a template.
fn edit_template(state: &mut State, numbers: &mut Numbers) -> String {
    let path = numbers.pick(&[CONF, OWN, ITEM, PART]);
    let mut lines: Vec<String> = state.text(path).unwrap_or_default().lines().map(str::to_owned).collect();
    let at = numbers.below(lines.len() + 1);
    match lines.len() {
        count if count > 3 || numbers.below(4) == 0 && at < count => drop(lines.remove(at.min(count - 1))),
        _ => lines.insert(at, numbers.pick(&PIECES).replace("{}", &numbers.below(3).to_string())),
    }
    // What calls itself has no end.
    if path == PART {
        lines.retain(|line| !line.contains("function_template"));
    }
    let text = lines.join("\n") + "\n";
    state.edit(&Edit::Write(path.to_owned(), text.clone().into_bytes()));
    format!("{path}:\n{text}")
}
