//! Parameters of a class that is declared like a resource, and that other code reads. They cannot be overridden: Puppet refuses
//! `Class['x'] { … }`, and collectors of classes.

use libtest_mimic::{Failed, Trial};

use super::super::state::{Edit, State};
use super::{Row, holds_of, replace, repository_of, row_of as row};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 4] = [
    ("plain", "include sized"),
    ("reading", "include sized\n  notify { \"size ${Class['sized::part']['size']}\": }"),
    ("saying", "include sized\n  notify { \"mode ${sized::part::mode}\": }"),
    ("wanting", "include sized\n  notify { 'wanted': require => Class['sized::part'] }"),
];

const FILES: [(&str, &str); 3] = [
    (SIZED_PP, "class sized {\n  class { 'sized::part': size => 1 }\n  notify { 'sized': }\n}\n"),
    (
        PART_PP,
        "class sized::part($size, $mode = 'plain', $more = undef) {\n  notify { 'part': message => \"${size} ${mode}\" }\n}\n",
    ),
    ("environment.conf", "modulepath = modules\n"),
];

const SIZED_PP: &str = "modules/sized/manifests/init.pp";
const PART_PP: &str = "modules/sized/manifests/part.pp";

fn repository() -> State {
    repository_of(super::SITE, &FILES, &ROLES)
}

fn given(old: &str, new: &str) -> Edit {
    replace(SIZED_PP, old, new)
}

fn rows() -> Vec<Row> {
    vec![
        row("class parameters: another value", &[given("size => 1", "size => 3")], "reading"),
        row("class parameters: a value more", &[given("size => 1", "size => 1, more => 'much'")], ALL),
        row("class parameters: a value of a default", &[given("size => 1", "size => 1, mode => 'plain'")], ALL),
        row("class parameters: a value that goes", &[given("size => 1", "mode => 'other'")], ALL),
        row("class parameters: another default", &[replace(PART_PP, "'plain'", "'other'")], ""),
        row("class parameters: a resource more", &[replace(PART_PP, "  notify", "  notify { 'new': }\n  notify")], ""),
        row("class parameters: lines alone", &[given("class sized", "#\nclass sized")], ""),
    ]
}

/// All second ones.
const ALL: &str = "b plain reading saying wanting";

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| -> Trial {
        Trial::test(format!("patched: {}", row.name), move || -> Result<(), Failed> { holds_of(repository(), &row) })
    };
    rows().into_iter().map(one).collect()
}
