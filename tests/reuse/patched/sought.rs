//! Bodies that look whether a resource is there before they declare it, as `ensure_packages` does: what they declare more is patched
//! where it is not there.

use libtest_mimic::{Failed, Trial};

use super::super::kinds::{STAND_IN, STDLIB};
use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::{Row, Watched, edit_body, holds_of, live, replace, repository_of, row_of as row, second_ones_compiled};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 9] = [
    ("plain", "include base"),
    ("asking", "include base\n  if defined(Package['new']) { notify { 'new': } }"),
    ("having", "package { 'new': ensure => installed }\n  include base"),
    ("virtual", "@package { 'new': ensure => installed }\n  include base"),
    ("synonym", "package { 'other': name => 'new', ensure => installed }\n  include base"),
    ("ensuring", "include base\n  stdlib::ensure_packages(['git', 'new'])"),
    ("collecting", "Package <| title == 'new' |> { ensure => absent }\n  include base"),
    ("one", "include base\n  base::thing { 'one': }"),
    ("two", "include base\n  base::thing { ['one', 'two']: }"),
];

const BASE: &str = "class base($more = []) {
  stdlib::ensure_packages(['git', 'curl'])
  stdlib::ensure_packages($more)
  unless defined(File['/etc/motd']) { file { '/etc/motd': content => 'none' } }
  include base::late
}
";

const BASE_PP: &str = "modules/base/manifests/init.pp";
const LATE_PP: &str = "modules/base/manifests/late.pp";
const THING_PP: &str = "modules/base/manifests/thing.pp";
const DATA: &str = "data/common.yaml";

const FILES: [(&str, &str); 8] = [
    (BASE_PP, BASE),
    (LATE_PP, "class base::late {\n  notify { 'late': }\n  package { 'last': ensure => installed }\n}\n"),
    (THING_PP, "define base::thing {\n  unless defined(File['/thing']) { file { '/thing': } }\n}\n"),
    (DATA, "base::more: [vim]\n"),
    ("hiera.yaml", "version: 5\nhierarchy: [{ name: all, path: common.yaml }]\n"),
    ("modules/stdlib/metadata.json", STDLIB),
    ("modules/stdlib/lib/puppet/functions/stdlib/ensure_packages.rb", STAND_IN),
    ("environment.conf", "modulepath = modules\n"),
];

fn repository() -> State {
    repository_of(super::SITE, &FILES, &ROLES)
}

fn edit(old: &str, new: &str) -> Edit {
    replace(BASE_PP, old, new)
}

/// The nodes on which something else has to do with the package `new`.
const CONCERNED: &str = "asking collecting ensuring having synonym virtual";
const ALL: &str = "asking b collecting ensuring having one plain synonym two virtual";

fn rows() -> Vec<Row> {
    let unless = |of: &str| format!("unless defined({of}) {{");
    let new = |of: &str| format!("{} package {{ 'new': ensure => installed }} }}\n  include", unless(of));
    vec![
        row("sought: a package more", &[edit("'curl'", "'curl', 'new'")], CONCERNED),
        row("sought: a package more in the data", &[replace(DATA, "vim", "vim, new")], CONCERNED),
        row("sought: another package", &[edit("unless", "notify { 'x': }\n  unless")], ""),
        row("sought: by defined()", &[edit("include", &new("Package['new']"))], CONCERNED),
        // It is not there, but another one is not.
        row("sought: what is declared is another", &[edit("include", &new("Package['old']"))], ALL),
        row("sought: what is there", &[edit("include", &new("Notify['role']").replace("role", "late"))], ALL),
        row("sought: one that the class has declared", &[edit("include", &new("Package['git']"))], ALL),
        row(
            "sought: after it is declared",
            &[edit("include", "file { '/new': }\n  if defined(File['/new']) { notify { 'x': } }\n  include")],
            ALL,
        ),
        row("sought: a package less", &[edit(", 'curl'", "")], ""),
        row("sought: a package less that others look for", &[edit("'git', ", "")], "ensuring"),
        row("sought: a package less in the data", &[replace(DATA, "[vim]", "[]")], ""),
        row("sought: no more", &[edit("unless defined(File['/etc/motd']) {", "if true {")], ""),
        row("sought: by a class that is there", &[edit("include", &new("Class['base::late']"))], ALL),
        row(
            "sought: by each of several instances",
            &[replace(THING_PP, "}\n}", "}\n  unless defined(Notify['thing']) { notify { 'thing': } }\n}")],
            "two",
        ),
        row("sought: other values of what was sought", &[edit("content => 'none'", "content => 'some'")], ""),
    ]
}

/// What was sought and added by a patch is not free any more, and goes again.
fn one_after_the_other() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    let late = "notify { 'late': }";
    let edits = [
        (BASE_PP, "'curl'", "'curl', 'new'", CONCERNED),
        (BASE_PP, "'none'", "'some'", ""),
        // The class asks for it before the other one declares it.
        (LATE_PP, late, "notify { 'late': } package { 'new': ensure => installed }", ALL),
        (LATE_PP, " package { 'new': ensure => installed }", "", ALL),
        // Where it was there already, the class has only looked for it.
        (BASE_PP, "'curl', 'new'", "'curl', 'newer'", "asking collecting ensuring"),
        (LATE_PP, late, "notify { 'late': } stdlib::ensure_packages(['newer'])", ALL),
        (LATE_PP, " stdlib::ensure_packages(['newer'])", "", ""),
        (BASE_PP, "include", "unless defined(Notify['a']) { notify { 'a': } }\n  include", ""),
        // It is looked for all the same, and is not there.
        (BASE_PP, "{ notify { 'a': } }", "{ notify { 'b': } }", ""),
        (LATE_PP, late, "notify { 'late': } notify { 'a': }", ALL),
    ];
    for (path, old, new, doubts) in edits {
        let before = state.clone();
        state.edit(&replace(path, old, new));
        assert!(state != before, "{old:?} is not there");
        let compiled = second_ones_compiled(&watched.become_state(&state)?);
        if compiled != doubts {
            let told =
                format!("{old:?} to {new:?}: expected {doubts:?} to be compiled as well, and it was {compiled:?}");
            return Err(told.into());
        }
    }
    Ok(())
}

/// What is put into bodies at random; `{}` is a number.
const STATEMENTS: [&str; 10] = [
    "unless defined(Notify['r{}']) { notify { 'r{}': } }",
    "unless defined(Notify['r{}']) { notify { 'r{}': message => 'm{}' } }",
    "if defined(Notify['r{}']) { notify { 's{}': } }",
    "notify { 'r{}': }",
    "stdlib::ensure_packages(['p{}', 'p{}'])",
    "stdlib::ensure_packages(['p{}'], { 'ensure' => 'present' })",
    "package { 'p{}': ensure => installed }",
    "@package { 'p{}': ensure => installed }",
    "unless defined(Package['p{}']) { package { 'p{}': ensure => '{}' } }",
    "include base::late",
];

fn at_random() -> Result<(), Failed> {
    live(&repository, &mut Numbers::new(177), |state, numbers| {
        if numbers.below(4) == 0 {
            let list = format!("base::more: [vim, p{}, p{}]\n", numbers.below(4), numbers.below(4));
            state.edit(&Edit::Write(DATA.to_owned(), list.clone().into_bytes()));
            return list;
        }
        edit_body(state, numbers.pick(&[BASE_PP, LATE_PP, THING_PP]), numbers, &STATEMENTS)
    })
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: {}", row.name), move || holds_of(repository(), &row));
    let mut trials: Vec<Trial> = rows().into_iter().map(one).collect();
    trials.push(Trial::test("patched: sought: one edit after the other", one_after_the_other));
    trials.push(Trial::test("patched: sought: edits at random", at_random));
    trials
}
